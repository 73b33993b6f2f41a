"""Histories that are played: defaults, time, and every expectation met and unmet."""

from __future__ import annotations

import pytest
from tests.script import strategies as some
from tests.script.helpers import HEAD, met, played, unmet
from tests.script.mishaps import TIGER_BUFFALO

from puntobanco.script import parse_script, play
from puntobanco.script.expect import _CHECKS
from puntobanco.table import commands as c
from puntobanco.table import rulings as r

ROUND = "bet ann banker 100 tie 25\nbet bob player 50\nclose\ndeal 9h Kc Kd 2s\n"  # Player 9, Banker 2


def test_every_expectation_is_checked() -> None:
    assert set(_CHECKS) == set(some.EXPECTATIONS)


@pytest.mark.parametrize(
    "text",
    [
        "bet ann banker 20\nexpect refused below_minimum",
        "bet ann banker 20\nexpect refused below_minimum 3.5",
        "bet ann banker 20\nexpect refused below_minimum fits 25",
        "bet ann banker 20\nexpect stack ann 1000\n\n# really\nexpect refused below_minimum 3.5 fits 25",
        "bet ann banker 20\nexpect paragraph 3.5\nexpect refused below_minimum",
        "expect event round_called 3.3\nexpect event round_called\nexpect no event bets_closed",
        "bet ann banker 100\nexpect transfer chips:ann layout:ann 100\nexpect transfer tray chips:ann 0",
        "expect balance chips:ann 1000\nexpect balance chips:zoe 0\nexpect balance cage -25000\nexpect stack ann 1000",
        "bet ann banker 100\nexpect wager ann banker 100\nexpect wager ann 1 banker 100\nexpect wager bob banker 0",
        "expect wager zoe banker 0\nexpect phase betting\nexpect no flags\nexpect no offer",
        ROUND + "expect result player\nexpect points player 9 banker 2\nexpect phase idle",
        ROUND + "expect won bob player 50\nexpect won bob 2 player\nexpect lost ann banker 100\nexpect lost ann tie 25",
        ROUND + "call\nexpect result player\nexpect won bob player",
        "bet ann player 100\nclose\ndeal 6h 4c Ks Kd\nexpect offer ann player 5 to 2",
        "bet ann banker 100\nclose\ndeal 9h 9c\nexpect phase dealing\ndeal Kh Kc\nexpect returned ann banker 100",
    ],
)
def test_expectations_met(text: str) -> None:
    assert met(text) == text.count("expect ")


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("bet ann banker 25\nexpect refused below_minimum", 2, "carried out: wagers_placed"),
        (
            "bet ann banker 20\nexpect refused step",
            2,
            "refused below_minimum 3.5 fits 25: the minimum on Banker is 25.00 SGD",
        ),
        (
            "bet ann banker 20\nexpect refused box.taken",
            2,
            "refused below_minimum 3.5 fits 25: the minimum on Banker is 25.00 SGD",
        ),
        ("bet ann banker 20\nexpect refused below_minimum 3.6", 2, "refused below_minimum 3.5 fits 25"),
        ("bet ann banker 20\nexpect refused below_minimum fits 30", 2, "refused below_minimum 3.5 fits 25"),
        ("tip zoe 5\nexpect refused unknown_person 1.1", 2, "refused unknown_person without a paragraph: zoe is not"),
        ("expect paragraph 4.1.4", 1, "3.3"),
        ("tip ann 5\nexpect paragraph 4.1.4", 2, "no paragraph"),
        ("expect event bets_closed", 1, "round_called"),
        ("expect event round_called 3.4", 1, "round_called on 3.3"),
        (
            "bet ann tie 1\nexpect event wagers_placed\nexpect refused below_minimum",
            2,
            "refused below_minimum: the minimum",
        ),
        ("expect no event round_called", 1, "round_called happened"),
        ("tip ann 5\nexpect transfer chips:ann tips 4", 2, "transfer chips:ann tips 5 (1 more)"),
        ("tip ann 5\nexpect transfer chips:ann tray 5", 2, "chips:ann tips 5"),
        ("expect transfer chips:ann tray 5", 1, "nothing was moved"),
        ("expect balance chips:ann 1095.50", 1, "balance chips:ann 1000 (95.50 less)"),
        ("expect balance chip:ann 1000", 1, "no account chip:ann; did you mean chips:ann?"),
        ("expect stack bob 999", 1, "balance chips:bob 1000 (1 more)"),
        ("bet ann banker 50\nexpect wager ann banker 100", 2, "ann has 50 (50 less) on banker in box 1"),
        ("expect result tie", 1, "no round has a result"),
        (ROUND + "expect result tie", 5, "result player"),
        ("expect points player 1 banker 2", 1, "no round has a result"),
        (ROUND + "expect points player 9 banker 3", 5, "points player 9 banker 2"),
        ("expect won ann banker", 1, "no round is settled"),
        (ROUND + "expect won ann banker 100", 5, "lost ann 1 banker 100"),
        (ROUND + "expect won bob player 51", 5, "won bob 2 player 50"),
        (ROUND + "expect won bob 1 player 50", 5, "won bob 2 player 50"),
        (ROUND + "expect lost ann big_tiger", 5, "lost ann 1 banker 100, lost ann 1 tie 25"),
        (ROUND + "expect lost zoe tie", 5, "zoe had no bets"),
        ("expect flag over_differential", 1, "no flags"),
        ("expect phase idle", 1, "phase betting"),
        ("expect offer ann player 5 to 2", 1, "no insurance is on offer"),
        ("bet ann player 100\nclose\ndeal 6h 4c Ks Kd\nexpect no offer", 4, "ann player 5 to 2"),
        ("bet ann player 100\nclose\ndeal 6h 4c Ks Kd\nexpect offer bob player 5 to 2", 4, "ann player 5 to 2"),
        ("expect day result 0 difference 0", 1, "the table has not closed"),
    ],
)
def test_the_first_expectation_that_is_unmet_ends_it_with_what_was_found(text: str, line: int, found: str) -> None:
    number, message = unmet(text)
    assert number == line
    assert message.startswith(found)


def test_flags_and_the_day() -> None:
    head = HEAD.replace("electronic\n", "differential 500\n")
    over = "bet ann player 100\nbet bob banker 600\nwithdraw ann player\n"
    assert met(over + "expect flag over_differential table\nexpect flag over_differential", head)
    assert unmet(over + "expect no flags", head) == (4, "over_differential table")
    assert unmet(over + 'expect flag over_differential "box 1"', head) == (4, "over_differential table")
    assert met("close\nclose table nothing\nexpect refused round_open\n", head) == 1
    day = "leave ann\nleave bob\nclose table 1000x19\nexpect day result -6000 difference -6000"
    head = HEAD.replace("call\n", "").replace("electronic\n", "")
    assert met(day, head) == 1
    assert unmet(day.replace("6000 d", "5000 d"), head) == (4, "day result -6000 difference -6000")


ROUND_OF_TWO = "call\nbet ann banker 100\nbet bob player 100\nclose\n"
WRONG_SIDE = ROUND_OF_TWO + "draw 9h banker turned\n"
PUT_RIGHT = WRONG_SIDE + "rule reconstruct on 1\napprove 1\n"
PAID = ROUND_OF_TWO + "deal 9h 8c Kh Kd\nannounce player\n"
SETTLED = PAID + "confirm 1\nconfirm 2\n"
AGAIN = SETTLED + 'report round 1 8c 9h Kd Kh "swapped"\nrule rectify on 1\napprove 1\n'


@pytest.mark.parametrize(
    "text",
    [
        "call\nexpect no incidents\nexpect options nothing\nexpect carried nothing\nexpect owed ann 0",
        "call\nexpect hand player nothing\nexpect disputes nothing",
        WRONG_SIDE + "expect incident 1 wrong_side 5.9.1\nexpect incident 1 wrong_side\nexpect hand banker 9h",
        WRONG_SIDE + "expect rulings on 1 reconstruct void",
        WRONG_SIDE + "rule reconstruct on 1\nexpect rulings on 1 void reconstruct",  # one may wait already
        PUT_RIGHT + "expect transfer layout:bob chips:bob 0\ntake back bob\nexpect returned bob player 100\n"
        "expect returned bob 2 player\nexpect transfer layout:bob chips:bob 100 5.16.3",
        PUT_RIGHT
        + "take back bob\ngo on ann\ndeal 8c Kh Kd\nannounce player\nconfirm 1\ncall\nexpect returned bob player",
        ROUND_OF_TWO + "late bet ann tie 25\nexpect returned ann tie 25",
        PAID + "expect transfer tray chips:bob 100 4.1.1\nexpect transfer tray chips:bob 0 4.1.2",
        WRONG_SIDE + "rule reconstruct on 1\nexpect proposal 1 reconstruct pit supervisor",
        PUT_RIGHT + "expect no incidents\nexpect options bob ann\nexpect hand player 9h\nexpect hand banker nothing",
        PUT_RIGHT + "go on bob\nexpect options ann",
        "draw 9h\ndraw Kh turned\nexpect carried ? Kh",
        SETTLED + "expect hand banker 8c Kd\nexpect result player",
        AGAIN
        + "expect result banker\nexpect points player 8 banker 9\nexpect won ann banker 100\nexpect paragraph 4.1.1",
        AGAIN + "call\nexpect result banker\nexpect lost bob player",
        SETTLED + 'report round 1 8c Kd 9h Kh "swapped"\nrule void on 1 "hopeless"\napprove 1\nexpect result void',
        ROUND_OF_TWO + 'rule void "x"\napprove 1\nexpect result void\ncall\nexpect returned ann banker 100',
        'dispute ann "the box"\nexpect disputes 1',
        'rule pay ann -6000 "x"\napprove 1\nexpect owed ann 1000\nexpect incident 1 debt',
    ],
)
def test_expectations_met_where_something_went_wrong(text: str) -> None:
    assert met(text, TIGER_BUFFALO) == text.count("expect ")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("call\nexpect incident 1 wrong_side", "nothing waits for a ruling"),
        (WRONG_SIDE + "expect incident 1 excess_cards", "incident 1 wrong_side 5.9.1: card 1 at Banker"),
        (WRONG_SIDE + "expect incident 1 wrong_side 5.8", "incident 1 wrong_side 5.9.1: card 1 at Banker"),
        (WRONG_SIDE + "expect incident 2 wrong_side", "incident 1 wrong_side 5.9.1: card 1 at Banker"),
        (WRONG_SIDE + "expect no incidents", "incident 1 wrong_side 5.9.1: card 1 at Banker"),
        (WRONG_SIDE + "expect rulings on 1 as_it_lies", "reconstruct, void"),
        (PAID + "expect transfer tray chips:bob 100 3.5", "nothing was moved on 3.5"),
        (SETTLED + "expect returned bob player 100", "won bob 2 player 100"),
        (ROUND_OF_TWO + "expect returned bob player 100", "no round is settled"),
        (WRONG_SIDE + "expect rulings on 2 void", "incident 1 wrong_side 5.9.1: card 1 at Banker"),
        ("call\nexpect rulings on 2 void", "nothing waits for a ruling"),
        ("call\nexpect proposal 1 void dealer", "no ruling waits for approval"),
        ('call\nrule void "x"\nexpect proposal 1 void dealer', "proposal 1 void shift manager"),
        (PUT_RIGHT + "expect options ann", "ann, bob"),
        ("call\nexpect options ann", "nobody has anything to choose"),
        (PUT_RIGHT + "expect hand player 9h ?", "9h"),
        ("call\nexpect hand player 9h", "no cards"),
        ("draw 9h\nexpect carried 9h", "?"),
        ("call\nexpect disputes 1", "no dispute is open"),
        ('dispute ann "the box"\nexpect disputes 2', "dispute 1 of ann"),
        ("call\nexpect owed ann 5", "ann owes 0 (5 less)"),
        (ROUND_OF_TWO + 'rule void "x"\napprove 1\nexpect points player 1 banker 2', "the round is void"),
        (AGAIN + "expect points player 9 banker 8", "points player 8 banker 9"),
    ],
)
def test_expectations_unmet_where_something_went_wrong(text: str, found: str) -> None:
    assert unmet(text, TIGER_BUFFALO) == (text.count("\n") + 1, found)


def test_a_refusal_that_nobody_expects_ends_it() -> None:
    result = played("bet ann banker 20\nbet ann banker 25\n").unmet
    assert result is not None
    assert (result.number, result.line, result.expected) == (15, "bet ann banker 20", "to be carried out")
    assert result.found == (
        "refused below_minimum: the minimum on Banker is 25.00 SGD\n"
        "if that is meant, write below it: expect refused below_minimum 3.5 fits 25"
    )


@pytest.mark.parametrize("code", ["box", "box.unknown"])
def test_a_refusal_is_expected_by_its_code_or_by_its_reason(code: str) -> None:
    result = played(f"bet ann 99 banker 25\nexpect refused {code}\n")
    assert result.unmet is None
    other = played("bet ann 99 banker 25\nexpect refused box.taken\n").unmet
    assert other is not None
    assert other.found.startswith("refused box ")


def test_nothing_happens_after_the_line_that_is_not_as_expected() -> None:
    result = played("expect stack ann 5\ntip ann 5\n")
    assert result.table is not None
    assert result.table.stack("ann") == 1000_00


# --- what a line need not say


def actors(text: str, head: str = HEAD) -> list[str]:
    return [step.command.actor for step in played(text, head).steps]


def test_who_acts_unless_said() -> None:
    assert actors("") == ["house"] * 3 + ["ann", "bob", "house", "house", "house", "dora"]
    assert actors("bet ann tie 25\nsam: bet ann tie 25\nclose\n")[-3:] == ["ann", "sam", "house"]
    assert actors('sign off dora\nrule void "x"')[-2:] == ["dora", "sam"]
    assert actors("sign off dora\nsign off sam\nfill f 100x1\nexpect refused second_person")[-1] == "house"
    assert actors("buy in ann 5\nbuy in ann 5 account")[-2:] == ["house", "ann"]
    assert actors('bar ann "x"\nexpect refused rank')[-1] == "house"
    assert actors('staff max assistant director\nstaff eva shift manager\nbar ann "x"')[-1] == "eva"


def test_who_signs_unless_said() -> None:
    assert actors("fill f 100x1\nsign f")[-2:] == ["dora", "sam"]
    assert actors("sam: fill f 100x1\nsign f")[-2:] == ["sam", "dora"]
    assert actors("sign f\nexpect refused unknown_request")[-1] == "dora"


def test_who_rules_unless_said() -> None:
    assert actors('rule void "x"\napprove 1\nexpect refused rank')[-2:] == ["dora", "house"]
    staff = "staff max assistant director\nstaff eva shift manager\n"
    assert actors(staff + 'rule void "x"\napprove 1')[-2:] == ["dora", "eva"]
    assert actors(staff + 'eva: rule void "x"\ndecline 1')[-2:] == ["eva", "max"]
    assert actors(staff + "approve 1\nexpect refused unknown_request")[-1] == "dora"
    assert actors('sign off dora\nrule void "x"')[-1] == "sam"
    # whoever proposes has the rank, and nobody else: the second person is a witness
    assert actors('staff eva shift manager\neva: rule void "x"\napprove 1')[-2:] == ["eva", "dora"]
    assert actors('staff eva shift manager\neva: rule void "x"\nsam: decline 1\nexpect refused rank')[-1] == "sam"


def test_who_takes_the_steps_of_a_dispute_unless_said() -> None:
    raised = 'staff eva shift manager\ndispute ann "the box"\nnote on dispute 1 escalated "not for me"\n'
    assert actors(raised + 'note on dispute 1 facts "none"')[-3:] == ["ann", "sam", "eva"]
    gathered = raised + 'note on dispute 1 facts "none"\nnote on dispute 1 surveillance "told"\n'
    assert actors(gathered + 'decide dispute 1 law "no"\ndisagree ann dispute 1')[-2:] == ["eva", "ann"]


def test_the_own_box_unless_said() -> None:
    bodies = [step.command.body for step in played("bet ann tie 25\nbet ann 2 tie 25\nwithdraw ann tie\n").steps[-3:]]
    assert bodies == [c.Place("ann", 1, {"tie": 25_00}), c.Place("ann", 2, {"tie": 25_00}), c.Withdraw("ann", 1, "tie")]
    assert met("bet zoe tie 5\nexpect refused unknown_person") == 1
    refused = "expect refused machine_record\n"  # of an electronic table
    correct = f'bet ann tie 25\ncorrect bet ann tie 50 "x"\n{refused}bet ann 2 tie 25\n'
    correct += f'correct bet ann 2 tie 50 to box 1 "x"\n{refused}'
    rulings = [step.command.body.ruling for step in played(correct).steps[-3::2]]  # type: ignore[union-attr]
    assert rulings == [r.CorrectBet("ann", 1, "tie", 50_00), r.CorrectBet("ann", 2, "tie", 50_00, to_box=1)]


def test_settings_that_the_book_knows() -> None:
    table = play(parse_script("game dragon-tiger-commission\nopen\n")).table
    assert table is not None
    settings = table.settings
    assert (settings.table, settings.layout, settings.positions, settings.decks) == ("t1", "A3", 3, 8)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("open", "no game ''"),
        ("game rouge-et-noir\nopen", "no game 'rouge-et-noir'"),
        ("game tiger-buffalo\nlayout Z\nopen", "no layout 'Z'"),
        ("game tiger-buffalo\npositions 9\nopen", "positions 9"),
        ("game tiger-buffalo\ncurrency VND\nchips 1000\nfloat 700x1\nopen", "no chips of 700"),
    ],
)
def test_settings_that_do_not_fit_are_refused(text: str, part: str) -> None:
    number, found = unmet(text, "")
    assert number == text.count("\n") + 1
    assert part in found
    code = "bad_amount" if "float" in text else "bad_settings"
    assert met(text + f"\nexpect refused {code}", "") == 1


def test_a_second_try_with_other_settings() -> None:
    assert (
        met(
            "game tiger-buffalo\npositions 9\nopen\nexpect refused bad_settings\npositions 6\nopen\nexpect phase idle",
            "",
        )
        == 2
    )


def test_acts_before_the_opening() -> None:
    assert unmet("call\nopen", "") == (1, played("call", "").unmet.found)  # type: ignore[union-attr]
    assert met("call\nexpect refused table_closed\n", "") == 1
    assert unmet("call\nexpect refused table_closed\nexpect no flags", "") == (3, "the table is not open")


def test_time_stands_still_unless_said() -> None:
    text = "tip ann 1\n+5s tip ann 1\n+1h\ntip ann 1\n00:00:01 tip ann 1\n2026-03-01 12:00 tip ann 1\n23:00 tip ann 1\n"
    times = [step.command.at for step in played(text).steps[-6:]]
    day, hour = 24 * 3_600_000, 3_600_000
    noon = 1_772_366_400_000
    assert times == [0, 5000, hour + 5000, day + 1000, noon, noon + 11 * hour]


def test_betting_time_is_over() -> None:
    assert met("+20s bet ann tie 25\n+1ms bet ann tie 25\nexpect refused bets_closed 3.8") == 1


def test_a_bet_for_an_earlier_round() -> None:
    assert met("bet ann tie 25 against 3\nexpect refused stale\nbet ann tie 25 against 9") == 1


def test_the_records_tell_the_line() -> None:
    records = played("bet ann tie 25\n").records
    assert [record.version for record in records] == list(range(1, len(records) + 1))
    assert records[-1].command == "15"


def test_a_void_round_gave_every_bet_back() -> None:
    script = parse_script(
        """game super-six
electronic
open
staff dora dealer
staff sue shift manager
sit ann 1
chips in ann 1000
shoe "counted"
call
bet ann banker 100
close
deal 9h 8c Kd Qs
expect lost ann banker 100
call
bet ann banker 150
close
rule void "the machine stopped"
approve 1
expect result void
expect returned ann banker 150
expect lost ann banker 100
"""
    )
    played = play(script)
    assert played.met == 3
    assert played.unmet is not None
    assert played.unmet.found == "returned ann 1 banker 150"
