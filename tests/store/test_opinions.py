"""The second opinions by themselves: what an engine that errs would write, and the verifier still finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.script.mishaps import MISHAPS
from tests.store.build import KEY, log_of, play

from puntobanco.bets import Result
from puntobanco.rules.load import find_book
from puntobanco.script import parse_log, parse_script
from puntobanco.script import play as play_script
from puntobanco.script.log import next_tables
from puntobanco.store import verify as verifying
from puntobanco.store import verify_log
from puntobanco.store.cards_check import CardCount
from puntobanco.store.chain import sealed
from puntobanco.store.ledger_check import Ledger
from puntobanco.store.money_check import wrong_settlement, wrong_settlement_again, wrong_settlements
from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.engine import Done, FindBook, execute
from puntobanco.table.entry import Entry
from puntobanco.table.events import Transfer
from puntobanco.table.folds import evolve
from puntobanco.table.refusals import Refusal
from puntobanco.table.state import Table

ROOT = Path(__file__).parents[2]
LATE = ROOT / "tests" / "playthroughs" / "irregularities" / "late-discovery" / "tiger-buffalo-missing-card.txt"


def moments(entries: tuple[Entry, ...]) -> Iterator[tuple[Table, e.Event]]:
    """Each event with the table before it."""
    table: Table | None = None
    for entry in entries:
        for event, after in zip(entry.events, next_tables(table, entry, find_book), strict=True):
            if table is not None:
                yield table, event
            table = after


@cache
def honest() -> tuple[Entry, ...]:
    keeper, player = play(8, seed=3)
    player.close()
    return parse_log(log_of(keeper))


@cache
def settlements() -> list[tuple[Table, e.RoundSettled]]:
    return [(table, event) for table, event in moments(honest()) if isinstance(event, e.RoundSettled) and event.lines]


@cache
def settled_again() -> list[tuple[Table, e.RoundSettledAgain]]:
    logs = [play_script(parse_script(text)).entries for text in MISHAPS.values()]
    found = (pair for entries in logs for pair in moments(entries))
    return [(table, event) for table, event in found if isinstance(event, e.RoundSettledAgain)]


def first_line(**changes: Any) -> Callable[[Any], Any]:
    return lambda event: replace(event, lines=(replace(event.lines[0], **changes), *event.lines[1:]))


def with_lines(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda event: replace(event, lines=change(event.lines))


def with_transfers(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda event: replace(event, transfers=change(event.transfers))


def more(*transfers: Transfer) -> Callable[[Any], Any]:
    return with_transfers(lambda found: (*found, *transfers))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (first_line(profit=1_000_000_00), "by the rules"),
        (first_line(stake=1), "settles 1"),
        (first_line(person="eve"), "of eve"),
        (first_line(commission=5), "commission"),
        (with_lines(lambda lines: lines[1:]), "wagers"),
        (with_lines(lambda lines: (*lines, lines[0])), "wagers"),
        (lambda event: replace(event, coup="P 9h9d B 8s8c"), "the cards are"),
        (lambda event: replace(event, number=event.number + 1), "it is round"),
        (with_transfers(lambda transfers: transfers[1:]), "more than the lines"),
        (more(Transfer("tray", "chips:ann", 5)), "more than the lines"),
        (more(Transfer("layout:ann", "tray", 5)), "more than the lines"),
    ],
)
def test_a_settlement_against_the_rules(change: Callable[[Any], Any], message: str) -> None:
    assert settlements()
    for table, event in settlements():
        assert wrong_settlement(table, event) is None
        assert message in (wrong_settlement(table, change(event)) or "")


def test_a_settlement_without_a_finished_round() -> None:
    table, event = settlements()[0]
    assert wrong_settlement(replace(table, round=None), event) == "a settlement without a finished round"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (first_line(profit=1_000_000_00), "but (by the rules )?it"),
        (first_line(stake=1), "settles 1"),
        (first_line(person="eve"), "of eve"),
        (with_lines(lambda lines: lines[1:]), "wagers"),
        (more(Transfer("tray", "chips:ann", 5)), "more than the difference"),
        (more(Transfer("tray", "commission", 5)), "more than the difference"),
        (more(Transfer("owed:ann", "receivables", 5)), "more than the difference"),
        (lambda event: replace(event, number=99), "round 99"),
    ],
)
def test_a_round_settled_again_against_the_rules(change: Callable[[Any], Any], message: str) -> None:
    assert settled_again()
    for table, event in settled_again():
        assert wrong_settlement_again(table, event) is None
        assert re.search(message, wrong_settlement_again(table, change(event)) or "")


def test_a_round_found_late_is_void_save_what_the_proper_cards_had_decided() -> None:
    """Tiger Buffalo 5.11: side bets keep a result that no card could have changed; everything else goes back."""
    entries = play_script(parse_script(LATE.read_text(encoding="utf-8"))).entries
    table, event = [pair for pair in moments(entries) if isinstance(pair[1], e.RoundSettledAgain)][-1]
    assert isinstance(event, e.RoundSettledAgain)
    assert event.void
    assert {line.result for line in event.lines} > {Result.RETURNED}
    assert wrong_settlement_again(table, event) is None
    for number, line in enumerate(event.lines):
        kept = line.result is not Result.RETURNED
        other = replace(line, result=Result.RETURNED if kept else Result.WON, profit=0 if kept else line.stake)
        changed = replace(event, lines=(*event.lines[:number], other, *event.lines[number + 1 :]))
        assert "in a round that is void" in (wrong_settlement_again(table, changed) or "")


def test_the_settlement_that_is_wrong_is_told_by_its_place() -> None:
    table, events = next(
        (table, entry.events)
        for entry in honest()
        for table, event in moments(honest())
        if event is entry.events[0] and any(isinstance(each, e.RoundSettled) and each.lines for each in entry.events)
    )
    place = next(place for place, event in enumerate(events) if isinstance(event, e.RoundSettled))
    assert wrong_settlements(table, events) is None
    wrong = first_line(stake=1)(events[place])
    found = wrong_settlements(table, (*events[:place], wrong, *events[place + 1 :]))
    assert found is not None
    assert found[0] == place


# --- the ledger


def test_a_ledger_of_transfers() -> None:
    ledger = Ledger()
    assert ledger.post((Transfer("tray", "chips:ann", 100), Transfer("chips:ann", "layout:ann", 60))) is None
    assert ledger.left_on_layout() == "60 is left on layout:ann after the round"
    assert ledger.post((Transfer("layout:ann", "chips:ann", 60),)) is None
    assert ledger.left_on_layout() is None
    # a settlement may take before it gives
    assert ledger.post((Transfer("layout:ann", "tray", 5), Transfer("chips:ann", "layout:ann", 5))) is None
    assert ledger.post((Transfer("chips:ann", "layout:ann", 96),)) == "chips:ann is overdrawn: -1"
    for wrong in (Transfer("tray", "chips:ann", 0), Transfer("tray", "chips:ann", -5), Transfer("tray", "tray", 5)):
        assert "a transfer of" in (ledger.post((wrong,)) or "")


def test_a_ledger_against_the_table() -> None:
    ledger, table = Ledger(), settlements()[0][0]
    assert "by the transfers" in (ledger.differs(table) or "")
    for before, event in moments(honest()):
        if before.version == table.version:
            break
        ledger.post(getattr(event, "transfers", ()))
    assert ledger.differs(table) is None


# --- the cards


def test_cards_are_counted_by_the_events_alone() -> None:
    """Through every mishap there is: what the events say left the shoe is what the table has somewhere."""
    kinds: set[type] = set()
    for script in MISHAPS.values():
        count = CardCount()
        for before, event in moments(play_script(parse_script(script)).entries):
            count.follow(event)
            after = evolve(before, event)
            assert count.wrong(after, {type(event)}) is None, event
            kinds.add(type(event))
    assert {e.CardsDealt, e.CardDrawn, e.EarlyCardDrawn, e.CardsBurnt, e.CardsRetrieved, e.CardStruck} <= kinds


def test_a_card_that_no_event_told_of_is_found() -> None:
    count = CardCount()
    told = [moment for moment in moments(honest()) if isinstance(moment[1], e.CardsBurnt | e.CardsDealt)]
    first = next(place for place, (_, event) in enumerate(told) if isinstance(event, e.CardsDealt))
    for _, event in told[: first + 1]:
        count.follow(event)
    after = evolve(*told[first])
    drawn = after.shoe.drawn
    assert count.wrong(after, {e.CardsDealt}) is None
    one_more = replace(after, shoe=replace(after.shoe, drawn=drawn + 1))
    message = f"{drawn} cards have left the shoe by the events, and {drawn + 1} by the table"
    assert count.wrong(one_more, {e.CardsDealt}) == message


# --- an engine that errs, and a log that it wrote


def erring(change: Callable[[e.Event], e.Event]) -> Callable[..., Done | Refusal]:
    """An engine that decides as ours does, and gets something wrong."""

    def decided(table: Table | None, command: Command, books: FindBook = find_book) -> Done | Refusal:
        done = execute(table, command, books)
        if isinstance(done, Refusal) or table is None:
            return done
        events = tuple(change(event) for event in done.events)
        if events != done.events:
            for event in events:
                table = evolve(table, event)
            return Done(table, events)
        return done

    return decided


def a_cent_more(event: e.Event) -> e.Event:
    """The House pays a cent too much, and the money moves accordingly."""
    if not isinstance(event, e.RoundSettled) or not event.lines:
        return event
    line = event.lines[0]
    more_paid = (*event.transfers, Transfer("tray", f"chips:{line.person}", 1))
    return replace(event, lines=(replace(line, profit=line.profit + 1), *event.lines[1:]), transfers=more_paid)


def out_of_nowhere(event: e.Event) -> e.Event:
    """More is put down than somebody has."""
    if not isinstance(event, e.WagersPlaced):
        return event
    return replace(event, transfers=(Transfer(f"chips:{event.person}", f"layout:{event.person}", 10**9),))


def left_lying(event: e.Event) -> e.Event:
    if not isinstance(event, e.RoundVoided | e.RoundSettled) or not event.transfers:
        return event
    return replace(event, transfers=(*event.transfers, Transfer("tray", "layout:ann", 7)))


def a_card_kept(event: e.Event) -> e.Event:
    """One card less goes into the discard holder than lay on the table."""
    return replace(event, discards=event.discards - 1) if isinstance(event, e.RoundEnded) else event


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (a_cent_more, "but by the rules it"),
        (out_of_nowhere, "is overdrawn"),
        (left_lying, "more than the lines"),
        (a_card_kept, "cards by its count, and"),
    ],
)
def test_an_engine_that_errs_is_found_by_the_second_opinion(
    change: Callable[[e.Event], e.Event], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = erring(change)
    monkeypatch.setattr("puntobanco.store.keeper.execute", engine)
    monkeypatch.setattr(verifying, "execute", engine)
    keeper, _ = play(4, seed=3)
    entries = parse_log(log_of(keeper))
    report = verify_log(b"".join(line + b"\n" for line in sealed(entries, "T1", KEY)), KEY.public)
    assert report.problem is not None
    assert message in report.problem.message
