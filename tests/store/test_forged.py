"""What no table can have done, written and signed by the house itself: the verifier names each of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace
from tests import test_harbour_house as harbour_house
from tests.script.mishaps import TIGER_BUFFALO
from tests.script.test_history import HISTORIES as WRITTEN
from tests.store.build import KEY

from puntobanco.script import parse_script, play
from puntobanco.store import verify_log
from puntobanco.store.chain import sealed
from puntobanco.store.verify import Problem
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.entry import Entry
from puntobanco.table.events import AnyEvent

Log = tuple[Entry, ...]
HISTORIES = {**WRITTEN, "commission": (harbour_house.FOLDER / "commission.txt").read_text(encoding="utf-8")}
KINDS = get_args(AnyEvent)
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.__struct_config__.tag))


@cache
def log_of(name: str) -> Log:
    played = play(parse_script(HISTORIES[name]), harbour_house.books)
    assert played.unmet is None
    return played.entries


@cache
def places(kind: type[e.Event]) -> list[tuple[str, int, int]]:
    """Where events of a kind stand: the history, the entry and the place in it; at most three."""
    return [
        (name, number, place)
        for name in HISTORIES
        for number, entry in enumerate(log_of(name))
        for place, event in enumerate(entry.events)
        if type(event) is kind
    ][:3]


def verified(entries: Sequence[Entry]) -> Problem | None:
    """What the verifier says of entries that were numbered, chained and signed anew with the house's own key."""
    version, numbered = 1, []
    for entry in entries:
        numbered.append(replace(entry, version=version))
        version += len(entry.events)
    opening = entries[0].command.body
    assert isinstance(opening, c.OpenTable)
    lines = sealed(numbered, opening.settings.table, KEY)
    return verify_log(b"".join(line + b"\n" for line in lines), KEY.public, books=harbour_house.books).problem


def with_events(log: Log, number: int, *events: AnyEvent) -> Log:
    return (*log[:number], replace(log[number], events=events), *log[number + 1 :])


def with_command(log: Log, number: int, **changes: Any) -> Log:
    changed = replace(log[number], command=replace(log[number].command, **changes))
    return (*log[:number], changed, *log[number + 1 :])


def test_the_logs_are_good_as_they_are() -> None:
    for name in HISTORIES:
        assert verified(log_of(name)) is None, name


# --- every kind of event


def altered(value: Any, kind: Any = None) -> Iterator[Any]:
    """Other values of the same type."""
    match value:
        case bool():
            yield not value
        case Enum():
            yield next(other for other in type(value) if other is not value)
        case int():
            yield value + 1
        case str():
            yield f"{value}x"
        case msgspec.Struct():
            yield from changed(value)
        case tuple() if value:
            yield value[:-1]
            for other in altered(value[0]):
                yield (other, *value[1:])
        case dict() if value:
            name, first = next(iter(value.items()))
            yield {key: each for key, each in value.items() if key != name}
            for other in altered(first):
                yield value | {name: other}


def changed(struct: Any) -> Iterator[Any]:
    """A struct with one of its fields altered, for each that can be."""
    for name in struct.__struct_fields__:
        for other in altered(getattr(struct, name)):
            yield replace(struct, **{name: other})


def readable(event: Any) -> bool:
    """Whether such an event can be written down at all."""
    try:
        return bool(msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent) == event)
    except (msgspec.MsgspecError, ValueError):
        return False


@each_kind
def test_an_event_that_was_altered_is_named(kind: type[e.Event]) -> None:
    tried = 0
    for name, number, place in places(kind):
        log = log_of(name)
        entry = log[number]
        for other in filter(readable, changed(entry.events[place])):
            problem = verified(with_events(log, number, *entry.events[:place], other, *entry.events[place + 1 :]))
            assert problem is not None, other
            assert (problem.event, problem.last) == (entry.version + place,) * 2, (other, problem)
            tried += 1
            if isinstance(other, e.TableOpened):
                assert any(told in problem.message for told in ("made this log", "no game", "altered: "))
            else:
                assert f"altered: the rules lead to another {kind.__struct_config__.tag}: " in problem.message
    assert tried


@each_kind
def test_an_event_that_was_left_out_is_named(kind: type[e.Event]) -> None:
    assert places(kind)
    for name, number, place in places(kind):
        log = log_of(name)
        entry = log[number]
        problem = verified(with_events(log, number, *entry.events[:place], *entry.events[place + 1 :]))
        assert problem is not None
        assert problem.event == entry.version + place, problem
        opening = "a log begins with the table's opening"
        missing = f"missing: the rules lead to {kind.__struct_config__.tag} here"
        assert problem.message == (opening if kind is e.TableOpened else missing)


@each_kind
def test_an_event_that_was_put_in_is_named(kind: type[e.Event]) -> None:
    """After itself, and where nothing of the kind is due: behind another command of the same table."""
    assert places(kind)
    for name, number, place in places(kind):
        log = log_of(name)
        event = log[number].events[place]
        before = log[number].events
        doubled = with_events(log, number, *before[: place + 1], event, *before[place + 1 :])
        other = len(log) - 1 if number < len(log) - 1 else number - 1
        behind = with_events(log, other, *log[other].events, event)
        for forged, version in ((doubled, log[number].version + place + 1), (behind, log[other].last + 1)):
            problem = verified(forged)
            assert problem is not None
            assert (problem.event, problem.last) == (version, version), problem
            assert problem.message == f"put in: the rules do not lead to {kind.__struct_config__.tag} here"


@each_kind
def test_an_event_under_another_command_is_named(kind: type[e.Event]) -> None:
    """What nobody asked for, with a command of its own that does not lead to it."""
    for name, number, place in places(kind):
        log = log_of(name)
        given = replace(log[-1].command, id="forged", actor="house", body=c.WalkAway("nobody"))
        forged = Entry(0, given, "house", (log[number].events[place],))
        problem = verified((*log, forged))
        assert problem is not None
        assert problem.event == log[-1].last + 1
        assert problem.message.startswith("the rules refuse this: ")


# --- commands, and who gave them

VOID = (
    TIGER_BUFFALO
    + """\
call
bet ann banker 100
close
draw 9h banker turned
dora: rule void on 1 "nobody knows whose card it is"
max: approve 1
"""
)


@cache
def voided() -> Log:
    played = play(parse_script(VOID))
    assert played.unmet is None, played.unmet
    assert any(isinstance(record.event, e.RoundVoided) for record in played.records)
    return played.entries


def test_a_void_that_a_dealer_proposed_and_approved_himself_is_named() -> None:
    log = voided()
    approval = log[-1]
    given, *rest = approval.events
    assert isinstance(given, e.RulingGiven)
    assert isinstance(given.ruling, r.VoidRound)
    assert (given.by, given.approved_by) == ("dora", "max")
    own = replace(
        approval,
        command=replace(approval.command, actor="dora"),
        rank="dealer",
        events=(replace(given, approved_by="dora"), *rest),
    )
    problem = verified((*log[:-1], own))
    assert problem is not None
    assert (problem.event, problem.last) == (approval.version, approval.last)
    assert problem.message.startswith("the rules refuse this: rank") or "second_person" in problem.message
    # the same with the rank that it takes: he is still the one who proposed it
    for rank in ("pit_manager", "shift_manager", "house"):
        problem = verified((*log[:-1], replace(own, rank=rank)))
        assert problem is not None
        assert problem.event == approval.version
    # and as the supervisor's, who may not: the record has another rank than the table knew
    problem = verified((*log[:-1], replace(approval, rank="assistant_director")))
    assert problem is not None
    assert problem.message == "max gave this as assistant_director, but was pit_manager"


def test_a_command_of_somebody_without_the_rank_is_named() -> None:
    log = voided()
    for number, entry in enumerate(log):
        if entry.command.actor != "max":
            continue
        problem = verified(with_command(log, number, actor="ann"))
        assert problem is not None
        assert (problem.event, problem.last) == (entry.version, entry.last)
        assert problem.message.startswith("the rules refuse this: rank, ")


def test_an_altered_command_is_named_where_it_leads_to_something_else() -> None:
    log = voided()
    bet = next(number for number, entry in enumerate(log) if isinstance(entry.command.body, c.Place))
    version = log[bet].version
    body = c.Place("ann", 1, {"banker": 200_00})
    for changes, message in (
        ({"body": body}, "altered: the rules lead to another wagers_placed: wagers"),
        ({"actor": "dora"}, "ann gave this"),
        ({"actor": "bob"}, "the rules refuse this: not_yours"),
        ({"against": 999}, "the rules refuse this: stale"),
        ({"body": replace(body, wagers={"banker": 7})}, "the rules refuse this: below_minimum"),
        ({"body": replace(body, person="nobody")}, "the rules refuse this: "),
    ):
        problem = verified(with_command(log, bet, **changes))
        assert problem is not None, changes
        assert (problem.event, problem.last) == (version, version)
        assert message in problem.message or changes == {"actor": "dora"}


def test_entries_in_another_order_are_named() -> None:
    log = voided()
    call = next(number for number, entry in enumerate(log) if isinstance(entry.command.body, c.Call))
    problem = verified((*log[:call], log[call + 1], log[call], *log[call + 2 :]))
    assert problem is not None
    assert (problem.event, problem.message) == (
        log[call].version,
        "the rules refuse this: bets_closed, there is no round to bet on",
    ) or problem.message.startswith("the rules refuse this: ")
