"""Logs: reading them, telling them as histories, and that a history told from a log gives the same log."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace
from tests import test_harbour_house as harbour_house
from tests.script.helpers import EXAMPLES, HEAD, played
from tests.script.mishaps import MISHAPS
from tests.script.test_walks import told_of

from puntobanco.cards import Side
from puntobanco.cli import main
from puntobanco.rules.load import find_book
from puntobanco.rules.model import Window
from puntobanco.script import LogError, fold_log, format_log, format_script, parse_log, parse_script, play, retell
from puntobanco.script import lines as x
from puntobanco.script.log import ImpossibleError, tag_of
from puntobanco.script.words import _WORDS, Voice
from puntobanco.script.words_rulings import RULING_WORDS, ruling_words
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About
from puntobanco.table.cases import remedies
from puntobanco.table.commands import HOUSE
from puntobanco.table.engine import ENGINE
from puntobanco.table.entry import Entry
from puntobanco.table.events import AnyEvent
from puntobanco.table.rulings import AnyRuling
from puntobanco.words import catalogue

ROUND = HEAD.replace("call", "2026-03-01 12:00 call")
ROUND += "12:00:01 sam: bet ann banker 100\n12:00:01.500 close\n12:00:01 deal 4h Kc 4d 6s\n"
REST = """\
game dragon-tiger-commission
limits 5
burn rule 2
automated squeeze offer settle
face down
open
staff max pit manager
max: set limits 10 to 5000 step 5
max: set limits on tie 5 to 500
max: set differential 8000 box
max: lift differential
sit ann 1
chips in ann 500
shoe "machine"
burn ? ?
call
bet ann banker 100
close
bar ann "bends the cards"
squeeze ann banker
expect refused squeeze
house: draw 9h
"""
BY_HAND = """\
game tiger-buffalo
automated nothing
open
sit ann 1
chips in ann 500
shoe "machine"
call
bet ann player 100
close
deal 6h 4c Ks Kd
offer insurance
expect offer ann player 5 to 2
close insurance
deal 5h
announce banker
settle
confirm 1
"""
FAULTS = """\
game tiger-buffalo
limits 25 to 2000 step 5
differential 3000
open
staff dora dealer
staff sid shift manager
sit ann 1
sit bob 2
chips in ann 5000
chips in bob 5000
shoe "machine"
call
find bet ann banker 20
expect event flagged
bet ann banker 80
find bet bob player 2500
find bet ann tie 10
close
find bet ann player 2500
find bet bob banker 5
late bet ann tie 100
late withdrawal bob player 500
rule stake on 1 ann player 2100 "the sign was covered"
approve 1
walk away bob
deal 9h 8c Kd Ks
announce player
confirm 1
confirm 2
come back bob
call
bet ann banker 100
close
deal 9h
foreign card "a blue back"
shoe "another"
call
wrong cards "415 counted"
shoe "another"
unshuffled cards "straight from the box"
"""
"""What no example does."""


def log_of(text: str) -> tuple[Entry, ...]:
    result = play(parse_script(text))
    assert result.unmet is None, result.unmet
    return result.entries


def events_of(text: str) -> list[e.Event]:
    return [event for entry in log_of(text) for event in entry.events]


HISTORIES = {file.stem: file.read_text(encoding="utf-8") for file in EXAMPLES} | {
    "round": ROUND,
    "rest": REST,
    "by-hand": BY_HAND,
    "faults": FAULTS,
    **MISHAPS,
}


@pytest.mark.parametrize("name", HISTORIES)
def test_a_history_told_from_a_log_gives_the_same_log(name: str) -> None:
    entries = log_of(HISTORIES[name])
    told = retell(entries, expect=True)
    assert told.differences == ()
    assert told.table == fold_log(entries)
    text = format_script(told.script)
    assert parse_script(text) == told.script
    again = play(parse_script(text))
    assert again.unmet is None, again.unmet
    assert [told_of(entry) for entry in again.entries] == [told_of(entry) for entry in entries]
    assert again.table is not None
    # what a round remembers of itself holds commands as they were keyed
    assert replace(again.table, journal=None, journals={}) == replace(told.table, journal=None, journals={})


def test_the_histories_hold_every_command() -> None:
    bodies = {type(step.command.body) for text in HISTORIES.values() for step in play(parse_script(text)).steps}
    missing = {kind.__name__ for kind in get_args(c.AnyCommand)} - {kind.__name__ for kind in bodies}
    assert missing == set()


def test_every_command_that_can_be_carried_out_can_be_told() -> None:
    told = {
        type(line.item.body)
        for text in HISTORIES.values()
        for line in retell(log_of(text)).script.lines
        if isinstance(line.item, x.Act)
    }
    assert {kind.__name__ for kind in get_args(c.AnyCommand)} - {kind.__name__ for kind in told} == {
        "OpenTable",  # which is a line `open` under its settings
        "RefuseBalance",  # which is always refused
    }


def test_who_and_when_are_told_where_they_are_not_as_usual() -> None:
    text = format_script(retell(log_of(ROUND)).script)
    assert "\n2026-03-01 12:00:00 call\n" in text
    assert "\n12:00:01 sam: bet ann banker 100\n" in text
    assert "\n12:00:01.500 close\n" in text
    assert "\n12:00:01 deal 4h Kc 4d 6s\n" in text


def test_time_that_goes_back_is_told_with_its_date() -> None:
    entries = log_of(HEAD + "2026-03-01 12:00 tip ann 1\n2026-02-28 12:00 tip ann 1\n")
    text = format_script(retell(entries).script)
    assert "\n2026-02-28 12:00:00 tip ann 1\n" in text


def test_consequences_are_comments_with_their_paragraphs() -> None:
    text = format_script(retell(log_of(ROUND)).script)
    assert "    # → ann bets 100 on Banker in box 1, put down by sam (tiger-buffalo 5.22)\n" in text
    assert (
        "    # → round 1 is settled, P 4h4d B Kc6s\n      # box 1, ann: 100 on Banker loses (tiger-buffalo 3.16)\n"
        in text
    )


# --- a log that does not follow from the rules


Log = tuple[Entry, ...]


def _changed(entries: Log, kind: type[e.Event], **changes: object) -> Log:
    def change(event: AnyEvent) -> AnyEvent:
        return msgspec.structs.replace(event, **changes) if isinstance(event, kind) else event

    return tuple(msgspec.structs.replace(entry, events=tuple(map(change, entry.events))) for entry in entries)


def _with_last(entries: Log, *events: AnyEvent) -> Log:
    """The same with other events in the last entry."""
    return (*entries[:-1], msgspec.structs.replace(entries[-1], events=events))


def test_a_changed_event_is_told() -> None:
    told = retell(_changed(log_of(ROUND), e.ResultAnnounced, banker_total=7))
    (difference,) = told.differences
    assert "altered: the rules lead to another result_announced" in difference.message
    assert "banker_total 6, not 7" in difference.message
    assert "    # ! altered: the rules lead to another result_announced" in format_script(told.script)


def test_a_bet_that_the_rules_refuse_is_told() -> None:
    entries = list(log_of(ROUND))
    place = next(place for place, entry in enumerate(entries) if isinstance(entry.command.body, c.Place))
    body = c.Place("ann", 1, {"banker": 1})
    entries[place] = msgspec.structs.replace(
        entries[place], command=msgspec.structs.replace(entries[place].command, body=body)
    )
    told = retell(entries)
    assert told.differences[0].message == "the rules refuse this: below_minimum, the minimum on Banker is 25.00 SGD"


def test_an_event_that_is_missing_or_put_in_is_told() -> None:
    entries = log_of(ROUND)
    events = entries[-1].events
    assert [type(event) for event in events[:3]] == [e.CardsDealt, e.ResultAnnounced, e.RoundSettled]
    (missing,) = retell(_with_last(entries, events[0], *events[2:])).differences
    assert (missing.version, missing.message) == (
        entries[-1].version + 1,
        "missing: the rules lead to result_announced here",
    )
    (missing,) = retell(_with_last(entries, *events[:-1])).differences
    assert (missing.version, missing.message) == (entries[-1].last, "missing: the rules lead to round_ended here")
    more = e.FlagCleared("over_differential", "table")
    (put_in,) = retell(_with_last(entries, *events, more)).differences
    assert (put_in.version, put_in.message) == (
        entries[-1].last + 1,
        "put in: the rules do not lead to flag_cleared here",
    )
    (other,) = retell(_with_last(entries, events[0], more, *events[2:])).differences
    assert other.message == "flag_cleared, where the rules lead to result_announced"


def _ranked(entries: Log, actor: str, rank: str) -> Log:
    return tuple(msgspec.structs.replace(each, rank=rank) if each.command.actor == actor else each for each in entries)


def test_a_rank_that_somebody_had_not_is_told() -> None:
    entries = log_of(ROUND)
    told = retell(_ranked(entries, "sam", "shift_manager"))
    assert told.differences[0].message == "sam gave this as shift_manager, but was pit_supervisor"
    assert retell(_ranked(entries, HOUSE, "")).differences[0].message == "house gave this as nobody, but was house"


# --- reading logs


def test_what_is_written_of_a_log_reads_back() -> None:
    for text in HISTORIES.values():
        entries = log_of(text)
        assert parse_log(format_log(entries)) == entries


EXAMPLE = Path(__file__).parents[2] / "examples" / "logs" / "table-day.jsonl"
GOOD = format_log(log_of(ROUND)).splitlines(keepends=True)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "LOG:1: the log is empty"),
        ([b"{]\n"], "LOG:1: this is not an entry: "),
        ([b"\xff\n"], "LOG:1: this is not an entry: "),
        ([*GOOD[:2], b"\n"], "LOG:3: this is not an entry: "),
        ([*GOOD[:2], GOOD[2].replace(b"staff_signed_on", b"staff_sang")], "LOG:3: this is not an entry: Invalid value"),
        ([*GOOD[:2], GOOD[3]], "LOG:3: version 4 where 3 belongs"),
        ([GOOD[0].replace(b'"at":0', b'"at":-1')], "LOG:1: -1 is not a time"),
        ([GOOD[1].replace(b'"version":2', b'"version":1')], "LOG: event 1: a log begins with the table's opening"),
        ([GOOD[0].replace(b'"positions":6', b'"positions":9')], "LOG: event 1: positions 9"),
        (
            [GOOD[0].replace(b'"book_hash":"', b'"book_hash":"0')],
            "LOG: event 1: the book tiger-buffalo with",
        ),
        ([GOOD[0].replace(b'"game":"tiger', b'"game":"lion')], "LOG: event 1: no game"),
        (
            [GOOD[0].replace(b'"engine":"', b'"engine":"1')],
            f"LOG:1: engine 1{ENGINE} made this log",
        ),
        ([GOOD[0], GOOD[-1].replace(b'"version":12', b'"version":2')], "LOG: event 2: "),
        ([GOOD[0][: GOOD[0].index(b'"events"')] + b'"events":[]}'], "LOG:1: a command that led to nothing"),
        ([*GOOD[:9], GOOD[9].replace(b'"ann"', b'"zoe"')], "LOG: event 10: wagers_placed cannot follow"),
    ],
)
def test_a_bad_log_is_answered_with_its_line(lines: list[bytes], message: str) -> None:
    with pytest.raises(LogError) as caught:
        retell(parse_log(b"".join(lines), "LOG"), source="LOG")
    assert str(caught.value).startswith(message)


# --- words


def test_every_event_has_words() -> None:
    assert set(_WORDS) == set(get_args(AnyEvent))


def test_the_histories_hold_every_ruling() -> None:
    given = {
        type(event.ruling)
        for text in HISTORIES.values()
        for event in events_of(text)
        if isinstance(event, e.RulingGiven)
    }
    assert {kind.__name__ for kind in set(get_args(AnyRuling)) - given} == set()


def test_the_histories_hold_every_event() -> None:
    happened = {type(event) for text in HISTORIES.values() for event in events_of(text)}
    happened |= {type(event) for event in harbour_house.events()}  # commission is marked in no book of ours
    assert {kind.__name__ for kind in set(get_args(AnyEvent)) - happened} == set()


def test_everything_that_goes_wrong_has_words() -> None:
    assert {*remedies.RULINGS, *get_args(c.Incidental), *c.NOTED} == catalogue("en")["family"].keys()
    assert set(RULING_WORDS) == set(get_args(AnyRuling))


def test_words_end_without_a_stop_and_cite_in_full() -> None:
    voice = Voice(find_book("tiger-buffalo"), 2)
    for event in (event for text in HISTORIES.values() for event in events_of(text)):
        for told in voice.tell(event):
            assert told.text
            assert not told.text.endswith(".") or "shoe" in told.text
            assert told.text == told.text.strip()
            assert told.citation == "" or told.citation.startswith(("tiger-buffalo ", "reading "))


def test_words_of_what_rarely_happens() -> None:
    voice = Voice(find_book("tiger-buffalo"), 2)

    def said(event: e.Event) -> str:
        return "; ".join(map(str, voice.tell(event)))

    assert said(e.CutCardAppeared(0, "1.9")) == "the Cut Card appears: this is the last round (tiger-buffalo 1.9)"
    assert said(e.CutCardAppeared(1)) == "the Cut Card appears: 1 more round"
    assert said(e.InsuranceClosed(Window.FOUR_CARDS, ("ann", "bob"), "5.3")) == (
        "no more insurance: ann and bob have forgone it for the round (tiger-buffalo 5.3)"
    )
    assert said(e.WagerReduced("ann", 1, "tie", 500, "below_minimum", (), "reading L", "dora")) == (
        "ann's 5 on Tie in box 1 is below the minimum and goes back, by dora"
        " (a limit of the house, on which the book is silent)"
    )
    assert said(e.WagersPlaced("ann", 1, {"odd": 1}, (), "house")) == (
        "ann bets 0.01 on odd in box 1, put down by the House"
    )
    assert said(e.RoundSettled(3, "P 9h B Kc", (), ())) == "round 3 has no bets to settle, P 9h B Kc"


def test_words_of_what_went_wrong() -> None:
    voice = Voice(find_book("tiger-buffalo"), 2)

    def said(event: e.Event) -> str:
        return "; ".join(map(str, voice.tell(event)))

    assert said(e.IncidentOpened(2, "wrong_side", About.of("card.at", number=3, hand="banker"), "5.9.1", 7, (3,))) == (
        "incident 2, a card at the wrong hand: card 3 at Banker (tiger-buffalo 5.9.1)"
    )
    assert said(e.IncidentOpened(2, "face_up", "seen by ann", "5.23", 7, (3, 4), blocks=False, covered=False)) == (
        "incident 2, a card dealt face up, cards 3 and 4: seen by ann (tiger-buffalo 5.23); "
        "the book does not cover it; play goes on meanwhile"
    )
    stake = r.SetStake("ann", 1, "tie", 50_00)
    assert said(e.RulingProposed(1, 2, stake, "dora", "shift_manager", "5.23", "covered")) == (
        "dora proposes ruling 1 on incident 2: 50 on ann's Tie in box 1 stand (tiger-buffalo 5.23); "
        "for this reason: covered; it waits for a second person; one of the two must be a Shift Manager or above"
    )
    assert said(e.RulingGiven(0, r.Pay("ann", -50_00), "5.23", "dora", "eva", 3)) == (
        "eva approves ruling 3, proposed by dora: ann pays 50 (tiger-buffalo 5.23)"
    )
    assert said(e.RulingGiven(4, r.PlayOn(), "", "house")) == "the House rules on incident 4: play goes on"
    both = (Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER)
    assert said(e.CardsArranged("reconstructed", (1, 2, 4, 3, 5), both, "5.8", "discarded")) == (
        "the cards are dealt again: Player has cards 1 and 4; Banker has cards 2 and 3; "
        "card 5, left over and discarded (tiger-buffalo 5.8)"
    )
    assert said(e.CardsRetrieved(0, "")) == "no card is out: the burn comes first"
    assert said(e.OptionsGiven(("ann",), "5.9", "5.9", "5.16.3", all_back="new_shoe")) == (
        "ann may go on or take all bets back (tiger-buffalo 5.9); to take the bets back (tiger-buffalo 5.16.3); "
        "if everybody takes back, the round is void and the cards are replaced"
    )
    assert said(e.OptionTaken("ann", False, "5.16.3", by="dora")) == (
        "ann takes all bets back, recorded by dora (tiger-buffalo 5.16.3)"
    )
    assert said(e.InsuranceMoved("ann", 1, Side.PLAYER, "5.18.2", 3)) == (
        "ann's insurance in box 1 of round 3 goes from Player to Banker (tiger-buffalo 5.18.2)"
    )
    assert said(e.BetCorrected(3, "ann", 1, "tie", 0, 50_00, 1, "tie", (), "")) == (
        "the bet in round 3 was 50 on ann's Tie in box 1; the record had nothing"
    )
    assert said(e.BetCorrected(3, "ann", 1, "tie", 50_00, 0, 1, "tie", (), "")) == (
        "there was no bet on ann's Tie in box 1 in round 3; the record had 50"
    )
    assert said(e.MoneyMoved("chips_in", "ann", 50_00, (), "found")) == "ann has 50 more in chips than was recorded"


@pytest.mark.parametrize(
    ("ruling", "words"),
    [
        (r.MoveInsurance("ann", 1, Side.PLAYER), "ann's insurance in box 1, put at Player, belongs to the other hand"),
        (r.CorrectBet("ann", 1, "tie", 0), "there was no bet on ann's Tie in box 1"),
        (
            r.CorrectBet("ann", 1, "tie", 50_00, 2, "banker", 4),
            "the bet on ann's Tie in box 1 of round 4 was 50 on Banker in box 2",
        ),
    ],
)
def test_words_of_rulings(ruling: r.Ruling, words: str) -> None:
    assert ruling_words(Voice(find_book("tiger-buffalo"), 2), ruling) == words


# --- the command


def run(*arguments: str | Path) -> tuple[int, str, str]:
    out, err, code = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(list(map(str, arguments)))
        except SystemExit as stop:
            code = int(stop.code or 0)
    return code, out.getvalue(), err.getvalue()


def test_the_command_prints_a_log_as_text_that_run_plays(tmp_path: Path) -> None:
    log, text = tmp_path / "log.jsonl", tmp_path / "told.txt"
    log.write_bytes(b"".join(GOOD))
    code, out, err = run("history", log, "--expect")
    assert (code, err) == (0, "")
    text.write_text(out, encoding="utf-8")
    assert "\nexpect balance chips:ann 900\n" in out
    assert run("run", "--quiet", text) == (0, "", "")


def test_the_command_ends_with_1_where_the_log_does_not_follow_from_the_rules(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(format_log(_changed(log_of(ROUND), e.ResultAnnounced, banker_total=7)))
    code, out, err = run("history", log)
    assert code == 1
    assert "deal 4h Kc 4d 6s" in out
    assert err.startswith(f"{log}: event 13: altered: the rules lead to another result_announced")


WRECKED = {
    "wagers_placed cannot be: there is no bet 'zzz' at this table": (
        b'"wagers":{"player"',
        b'"wagers":{"zzz"',
    ),
    "wagers_placed cannot follow what came before": (
        b'"wagers_placed","person":"ann"',
        b'"wagers_placed","person":"zoe"',
    ),
    "incident_opened cannot be: there is no irregularity 'zzz'": (b'"family":"burn_forgotten"', b'"family":"zzz"'),
}


@pytest.mark.parametrize("command", ["history", "report"])
@pytest.mark.parametrize("says", WRECKED)
def test_the_commands_end_with_1_at_an_event_that_cannot_be(tmp_path: Path, command: str, says: str) -> None:
    """The example, whose events were changed and not only damaged: every line of it can be read."""
    log, (was, now) = tmp_path / "log.jsonl", WRECKED[says]
    lines = EXAMPLE.read_bytes().splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines) if was in line)
    log.write_bytes(b"".join([*lines[:place], lines[place].replace(was, now), *lines[place + 1 :]]))
    code, out, err = run(command, log)
    entry = msgspec.json.decode(lines[place], type=Entry)
    assert was in msgspec.json.encode(entry.events)
    told = says.partition(" ")[0]
    number = entry.version + [tag_of(event) for event in entry.events].index(told)
    assert (code, out, err) == (1, "", f"puntobanco: {log}: event {number}: {says}\n")


def test_a_log_that_the_rules_stumble_over_is_answered_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*given: object) -> object:
        raise KeyError("something that no table has")

    monkeypatch.setattr("puntobanco.script.history.execute", stumble)
    with pytest.raises(ImpossibleError, match="LOG: event 1: the rules make nothing of table_opened"):
        retell(log_of(ROUND), source="LOG")


def test_the_command_ends_with_2_where_the_log_cannot_be_read(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(GOOD[0] + GOOD[2])
    assert run("history", log) == (2, "", f"puntobanco: {log}:2: version 3 where 2 belongs\n")
    assert run("history", tmp_path / "none.jsonl")[0] == 2


def test_played_table_is_the_fold_of_its_log() -> None:
    result = played("bet ann tie 25\n")
    assert fold_log(result.entries) == result.table
