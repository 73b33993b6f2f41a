"""The text of a history: what is printed reads back the same, and what cannot be read is answered."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.script import strategies as some

from puntobanco.cards import Card, Side
from puntobanco.script import ScriptError, format_script, grammar, parse_script
from puntobanco.script import lines as x
from puntobanco.script.language import format_item, format_line, parse_line
from puntobanco.script.lines import Line, Script
from puntobanco.script.text import Unreadable
from puntobanco.table import commands as c
from puntobanco.table import rulings as r
from puntobanco.table.cases import remedies
from puntobanco.table.cases.proposals import NEEDS_REASON
from puntobanco.table.rulings import AnyRuling
from puntobanco.table.settings import BetLimits, TableSettings

# --- there is a line for everything


def test_every_command_has_a_line() -> None:
    made = {form.make for form in grammar.ACTS} - {x.Open} | {c.OpenTable}
    assert made == set(some.COMMANDS) - {c.Propose}


def test_every_ruling_has_a_line() -> None:
    made = [form.make for form in grammar.RULINGS]
    assert set(made) == set(get_args(AnyRuling))
    assert len(made) == len(set(made))


def test_a_ruling_that_needs_an_incident_or_a_reason_asks_for_it() -> None:
    for form in grammar.RULINGS:
        on_any = form.make in (r.GiveOptions, r.Dismiss)
        on_incidents = on_any or any(form.make in kinds for kinds in remedies.RULINGS.values())
        usage = "on INCIDENT" if on_incidents else ""
        assert form.values["incident"].usage == (
            f"[{usage}]" if on_incidents and form.make in remedies.AT_DISCRETION else usage
        )
        assert ("[" not in form.values["reason"].usage) is (form.make in NEEDS_REASON)


def test_every_setting_has_a_line() -> None:
    given_by_lines = frozenset[str]().union(*(form.gives for form in grammar.SETTINGS))
    assert given_by_lines == {*TableSettings.__struct_fields__, "opening_float"}


def test_every_expectation_has_a_line() -> None:
    assert {form.make for form in grammar.EXPECTATIONS} == set(some.EXPECTATIONS)


@pytest.mark.parametrize("form", grammar.FORMS.values(), ids=lambda form: form.keyword)
def test_every_form_has_an_example_in_its_own_notation(form: grammar.Form) -> None:
    item = parse_line(form.example).item
    assert item is not None
    assert format_item(item) == form.example
    assert form.about.endswith(".")
    written = form.write(item.body if isinstance(item, x.Act) else item, 2)
    assert written == form.example


# --- parse and print are inverse


@settings(max_examples=300)
@given(some.acts)
def test_what_is_printed_of_an_act_reads_back(act: x.Act) -> None:
    text = format_item(act)
    assert "\n" not in text
    assert parse_line(text) == Line(act)


@settings(max_examples=150)
@given(some.expectations)
def test_what_is_printed_of_an_expectation_reads_back(expectation: x.Expectation) -> None:
    assert parse_line(format_item(expectation)) == Line(expectation)


@settings(max_examples=100)
@given(some.openings)
def test_what_is_printed_of_the_settings_reads_back(opening: c.OpenTable) -> None:
    digits = opening.settings.digits
    header = (*(Line(setting) for setting in grammar.header(opening)), Line(x.Act(x.Open())))
    script = parse_script(format_script(Script(header, digits)))
    assert script == Script(header, digits)
    fields = grammar.merge([line.item for line in script.lines if isinstance(line.item, x.Setting)])
    assert c.OpenTable(opening_float=fields.pop("opening_float", {}), settings=TableSettings(**fields)) == opening


@settings(max_examples=50)
@given(st.lists(some.lines, max_size=6))
def test_what_is_printed_of_a_history_reads_back(lines: list[Line]) -> None:
    script = Script(tuple(lines))
    text = format_script(script)
    assert parse_script(text) == script
    assert format_script(parse_script(text)) == text


def test_comments_and_empty_lines_stay_where_they_are() -> None:
    text = "# one\n\n    # two\ngame super-six   # three\nopen\n#\n"
    script = parse_script(text)
    assert format_script(script) == text
    assert [line.note for line in script.lines] == ["one", None, "two", "three", None, ""]


def test_an_empty_history() -> None:
    assert parse_script("") == Script(())
    assert format_script(Script(())) == ""


# --- what is read


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("buy-in ann 1000", "buy in ann 1000"),
        ("Buy_In ann 1000.00 cash", "buy in ann 1000"),
        ("staff sam Pit-Supervisor", "staff sam pit supervisor"),
        ("deal 9hKc,10d", "deal 9h Kc Td"),
        ("draw", "draw ?"),
        ("draw 10♦ banker", "draw Td banker"),
        ("  bet   ann  banker 0100.50 ", "bet ann banker 100.50"),
        ("fill f1 100×20 0.50*4", "fill f1 100x20 0.50x4"),
        ("at 7:05 call", "07:05:00 call"),
        ("at 2026-03-01T12:00:05.25 call", "2026-03-01 12:00:05.250 call"),
        ("+90s dora: call", "+90s dora: call"),
        ("+60m call", "+1h call"),
        ('"Ann Lee": tip "Ann Lee" 5', '"Ann Lee": tip "Ann Lee" 5'),
        ("cut 'card' 5", """cut "'card'" 5"""),
        ('cut "card" 5', 'cut "card" 5'),
        ("sign off", None),
        ('sign "off"', 'sign "off"'),
        ("expect flag over_differential table", "expect flag over_differential table"),
        ("expect refused below-minimum fits 25", "expect refused below_minimum fits 25"),
        ('expect refused step "reading L" fits 0.05', 'expect refused step "reading L" fits 0.05'),
        ("bet ann banker 5 against 12", "bet ann banker 5 against 12"),
        ("withdraw ann 2 tie", "withdraw ann 2 tie"),
        ("limits on tie 5", "limits on tie 5"),
        ("shifts 6:00 day night", "shifts 06:00 day night"),
        ("automated deal", "automated deal"),
        ("automated nothing", "automated nothing"),
        ("close table nothing", "close table nothing"),
        ("unburnt-shoe majority", "unburnt shoe majority"),
        ('report face-up 3 "seen"', 'report face up 3 "seen"'),
        ('report face_up_in_shoe "seen"', 'report face up in shoe "seen"'),
        ('report round 4 9hKc,10d 2s "swapped"', 'report round 4 9h Kc Td 2s "swapped"'),
        ('report round 4 nothing "swapped"', 'report round 4 nothing "swapped"'),
        ('rule as-it-lies on 1 "lost"', 'rule as it lies on 1 "lost"'),
        ("rule order on 1 4 3 against 7", "rule order on 1 4 3 against 7"),
        ('rule pay on 3 ann 5 "late"', 'rule pay on 3 ann 5 "late"'),
        ('rule pay "on" 3 "late"', 'rule pay "on" 3 "late"'),
        (
            'correct bet ann 2 tie 0 to-bet banker in round 4 "x"',
            'correct bet ann 2 tie 0 to bet banker in round 4 "x"',
        ),
        ('decide dispute 2 game rules law "x"', 'decide dispute 2 game_rules law "x"'),
        ("expect options nothing", "expect options nothing"),
        ("expect carried 9h ?", "expect carried 9h ?"),
        ("expect rulings on 2 as it lies void", "expect rulings on 2 as_it_lies void"),
        ("Bet Ann Banker 50 BIG-Tiger 5", "bet Ann banker 50 big_tiger 5"),
        ('bet ann "Banker" 50', 'bet ann "Banker" 50'),
        ("withdraw ann Tie", "withdraw ann tie"),
        ("limits on Tie 5", "limits on tie 5"),
        ("set limits on TIE 5", "set limits on tie 5"),
        ('correct bet ann Tie 5 to bet Banker "x"', 'correct bet ann tie 5 to bet banker "x"'),
        ("game Tiger_Buffalo", "game tiger-buffalo"),
        ("layout a", "layout A"),
        ("currency jpy 0", "currency JPY 0"),
        ("expect flag Over-Differential", "expect flag over_differential"),
        ("expect balance Chips:Ann 5", "expect balance chips:Ann 5"),
    ],
)
def test_one_notation_for_each_thing_and_some_generosity(text: str, same: str | None) -> None:
    if same is None:
        with pytest.raises(Unreadable):
            parse_line(text)
        return
    item = parse_line(text).item
    assert item is not None
    assert format_item(item) == same


def test_values_of_a_line() -> None:
    assert parse_line("+5s dora: draw 9h player turned  # first") == Line(
        x.Act(c.Draw(Card("9h"), Side.PLAYER, True), x.After(5000), "dora"), "first", 2
    )
    assert parse_line("bet ann banker 100 tie 25").item == x.Act(c.Place("ann", 0, {"banker": 10000, "tie": 2500}))
    assert parse_line("12:00:05").item == x.Pause(x.Clock(43_205_000))
    assert parse_line('rule order on 1 4 3 "seen on camera"').item == x.Act(
        c.Propose(r.DecideOrder((4, 3)), 1, "seen on camera")
    )
    assert parse_line('rule void "the shoe fell down"').item == x.Act(c.Propose(r.VoidRound(), 0, "the shoe fell down"))
    assert parse_line('correct bet ann tie 50 to box 2 in round 4 "x"').item == x.Act(
        c.Propose(r.CorrectBet("ann", 0, "tie", 5000, to_box=2, round=4), 0, "x")
    )


def test_amounts_have_the_digits_of_the_currency_wherever_that_stands() -> None:
    script = parse_script("limits 1000 to 50000\ncurrency JPY 0\nopen\nbuy in ann 5000\n")
    assert script.digits == parse_script("Currency jpy 0\nopen\n").digits == 0
    assert script.lines[0].item == x.Setting({"limits": BetLimits(1000, 50000)})
    assert script.lines[3].item == x.Act(c.BuyIn("ann", 5000))


def test_windows_text() -> None:
    assert parse_script("\ufeffgame super-six\r\nopen\r\n").lines == parse_script("game super-six\nopen\n").lines


# --- what cannot be read is answered with what would be right


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("bett ann banker 5", ["no line begins with bett", "did you mean bet?"]),
        ("frobnicate", ["no line begins with frobnicate", "settings are table, game", "acts are open, staff"]),
        ("meant ann player", ["no line begins with 'meant ann'; did you mean meant to insure?"]),
        ("expect balanse ann 5", ["did you mean balance?"]),
        ("expect no evnt", ["did you mean no event?"]),
        ("expect sunshine", ["nothing that can be expected", "after expect comes refused, paragraph, event"]),
        (
            "expect refused below_minimun",
            ["did you mean below_minimum?", "`expect refused CODE [PARAGRAPH] [fits AMOUNT]`"],
        ),
        ("expect event insured_offered", ["did you mean insurance_offered?"]),
        ("bet ann banker", ["the AMOUNT on banker is missing", "`bet PERSON [BOX] BET AMOUNT …`"]),
        ("bet ann banker ten", ["ten stands where the AMOUNT on banker belongs", "as in 100 or 250.50"]),
        ("bet ann banker 0.001", ["finer than the minor unit"]),
        ("bet ann banker 5 banker 6", ["banker stands twice"]),
        ("bet ann 0 banker 5", ["boxes are counted from 1"]),
        ("bet ann", ["BET AMOUNT is missing"]),
        ("tip", ["PERSON is missing", "`tip PERSON AMOUNT`"]),
        ("tip ann 5 6", ["6 cannot be read there", "`tip PERSON AMOUNT`"]),
        ("sit ann one", ["one stands where BOX belongs, a whole number"]),
        ("staff sam 5", ["5 stands where RANK belongs", "dealer or pit manager"]),
        ("deal 9h Xx", ["'Xx'", "a rank (A 2–9 T J Q K) and a suit"]),
        ("turn 2 9x", ["is not a card"]),
        ("draw nine", ["nine cannot be read there", "`draw [CARD|?] [HAND] [turned]`"]),
        ("override too late", ["too stands where a text in quotation marks belongs"]),
        ('override "too late', ["is not closed"]),
        ('override "too late"now', ["write a space after the closing quotation mark"]),
        ('tip a"b 5', ["a quotation mark inside a word"]),
        ('override "a\\qb"', ["backslash"]),
        ("fill f1 100 x 20", ["100 is not a number of chips", "as in 100x20"]),
        ("fill f1 100x20 100x1", ["chips of 100 are counted twice"]),
        ("close table", ["CHIPxCOUNT is missing", "`close table CHIPxCOUNT …` or `close`"]),
        ("close now", ["now cannot be read there", "`close insurance`"]),
        ("dora:", ["what dora does is missing"]),
        ("bet dora: banker 5", ["dora: stands where", "who acts comes first"]),
        ("dora: expect no flags", ["nobody does this", "expect no flags"]),
        ("25:00 call", ["25:00 is not a time of day"]),
        ("2026-02-30 12:00 call", ["2026-02-30 is not a date"]),
        ("2026-02-03", ["needs a time of day"]),
        ("at noon call", ["noon is not a time"]),
        ("currency SGD 9", ["a currency has 0 to 4"]),
        ("rounding sideways", ["sideways stands where down|nearest|up belongs"]),
        ("rounding down to 0", ["unit of 1 or more"]),
        ("shifts noon day", ["noon is not a time of day"]),
        ("expect offer ann player even", ["is not odds", "50 to 1"]),
        ("rule reconstuct on 1", ["'rule reconstuct' is no ruling", "did you mean reconstruct?"]),
        ("rule", ["'rule' is no ruling: after rule comes reconstruct, as it lies"]),
        ("rule let it stand", ["did you mean let stand?"]),
        ("rule reconstruct 1", ["1 stands where 'on' belongs; write `rule reconstruct on INCIDENT [\"TEXT\"]`"]),
        ("rule play 1", ["1 stands where 'on' belongs"]),
        ("rule void on 1", ["a text in quotation marks is missing", '`rule void [on INCIDENT] "TEXT"`']),
        ("rule value on 1 3 9h", ["3 stands where 'card' belongs"]),
        ("rule value on 1", ["card NUMBER is missing"]),
        ("correct crad 3 9h", ["'correct crad' is nothing that can be corrected", "did you mean card?"]),
        ('report face-upp 3 "x"', ["face-upp stands where WHAT belongs", "did you mean face up?"]),
        ('report round 4 9h Kx "x"', ["'Kx'", '`report round ROUND CARD … "TEXT"`']),
        ('report round 4 "x"', ["CARD is missing"]),
        ("expect incident 1 exces_cards", ["did you mean excess_cards?"]),
        ("limits 5 up to 10", ["up cannot be read there", "`limits on BET MINIMUM [to MAXIMUM] [step STEP]`"]),
    ],
)
def test_a_line_that_cannot_be_read_is_answered_with_what_would_be_right(text: str, parts: list[str]) -> None:
    with pytest.raises(Unreadable) as caught:
        parse_line(text)
    for part in parts:
        assert part in str(caught.value)


def test_everything_that_cannot_be_read_is_told_at_once() -> None:
    text = "game super-six\npositons 5\nopen\nbet ann\n\ntip ann five\n"
    with pytest.raises(ScriptError) as caught:
        parse_script(text, "night.txt")
    assert [problem.number for problem in caught.value.problems] == [2, 4, 6]
    message = str(caught.value)
    assert "night.txt:2: positons 5\n    no line begins with positons; did you mean positions?" in message
    assert "night.txt:6: tip ann five" in message


@pytest.mark.parametrize(
    ("text", "number", "part"),
    [
        ("open\ndecks 8\n", 2, "a setting comes before the line open"),
        ("game super-six\ngame super-six\nopen\n", 2, "that is set in line 1 already"),
        ("live\nelectronic\nopen\n", 2, "that is set in line 1 already"),
        ("limits on tie 5\nlimits on player 5\nlimits on tie 6\nopen\n", 3, "that is set in line 1 already"),
        ("currency JPY 0\nopen\ncurrency SGD\nopen\n", 3, "that is set in line 1 already"),
        ("game super-six\nexpect no flags\nopen\n", 2, "there is no act before this"),
    ],
)
def test_a_line_in_the_wrong_place(text: str, number: int, part: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script(text)
    (problem,) = caught.value.problems
    assert problem.number == number
    assert part in problem.message


@settings(max_examples=200)
@given(st.text(max_size=30) | st.lists(st.sampled_from(sorted(grammar.FORMS)) | some.names, max_size=4).map(" ".join))
def test_any_text_is_read_or_answered(text: str) -> None:
    for row in text.split("\n"):
        try:
            line = parse_line(row)
        except Unreadable:
            continue
        again = parse_line(format_line(line))
        assert again == msgspec.structs.replace(line, gap=again.gap)
