"""Takes and pays, box by box."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.base import Transfer
from puntobanco.table.bets.stakes_that_stand import stakes_stand
from puntobanco.table.cases.settled_rounds import found_wrong
from puntobanco.table.cash.accounts import TRAY, chips_of, layout_of
from puntobanco.table.commands import Command
from puntobanco.table.fold_helpers import current_round
from puntobanco.table.folds import evolve
from puntobanco.table.insurance.misplaced import moved_where_it_belongs
from puntobanco.table.insurance.offers import closing
from puntobanco.table.insurance.repricing import over_the_bets
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import ANNOUNCE, SETTLE
from puntobanco.table.settlement.announcing import announcement, finished_round
from puntobanco.table.settlement.commission import commission_on, kept_or_marked
from puntobanco.table.settlement.events import SettledLine
from puntobanco.table.settlement.lines import LOST, lines_of
from puntobanco.table.settlement.resettle import settled_again
from puntobanco.table.state import Round, Table


def settle(table: Table, command: Command, body: c.Settle) -> Sequence[e.Event]:
    """Bets are taken and paid."""
    if paid := paid_as_called(table):
        return paid
    current = finished_round(table)
    if proposal := table.in_question:
        raise Refused("flagged.proposal", proposal.paragraph, number=proposal.number)
    if not current.announced:
        raise Refused("not_finished.announce", table.procedures.announcement.rule or table.procedures.winner.rule)
    return _settlement(table, current)


def paid_as_called(table: Table) -> Sequence[e.Event]:
    """A live dealer called a result and paid on it with a card lacking: what was paid is paid; an incident opens."""
    current = table.round
    if current is None or table.settings.electronic or current.paid or not lacks_a_card(current):
        return ()
    events: list[e.Event] = [] if current.window is None else [closing(table, current, lacking=True)]
    for event in events:
        table = evolve(table, event)
    for event in (paid := _settlement(table, current_round(table))):
        table = evolve(table, event)
    cards = tuple(drawn.card for drawn in current.cards if drawn.card is not None)
    about = About.of("card.lacking", result=current.called)
    return (*events, *paid, replace(found_wrong(table, current.number, cards, about), reported=True))


def lacks_a_card(current: Round) -> bool:
    """Whether a result was called before all cards of the round were out, and those that are out lie open."""
    over = current.settled or current.voided or current.announced
    return bool(current.called) and not over and len(current.cards) >= 4 and current.all_turned and not current.finished


def announce_and_settle(table: Table, now: int) -> Sequence[e.Event]:
    """Announce and settle by itself, as far as the table is set to."""
    current = table.round
    assert current is not None
    steps = table.settings.automated
    if not current.finished or current.window is not None or current.options is not None or table.blocked:
        return ()
    if table.in_question:
        steps = tuple(step for step in steps if step is not SETTLE)
    announced: tuple[e.Event, ...] = ()
    if not current.announced:
        if ANNOUNCE not in steps:
            return ()
        announced = (announcement(table, current),)
    return (*announced, *_settlement(table, current)) if SETTLE in steps else announced


def _settlement(table: Table, current: Round) -> tuple[e.Event, ...]:
    """Takes and pays, after what stands of bets that nobody noticed in time."""
    events: list[e.Event] = moved_where_it_belongs(table, current) if current.insurance else []
    if current.unnoticed and not current.paid:
        events.append(stakes_stand(table, current))
    for event in events:
        table = evolve(table, event)
    for less in over_the_bets(table, current_round(table)) if current.insurance and not current.paid else ():
        events.append(less)
        table = evolve(table, less)
    current = table.round or current
    if current.paid:
        return (
            *events,
            settled_again(table, current, lines_of(table, current), table.procedures.table_of_play.rule),
        )
    return (*events, _settled(table, current))


def standing(table: Table) -> Table:
    """The table of a round that is played again, with what would stand of its bets at the settlement."""
    current = current_round(table)
    events: list[e.Event] = list(moved_where_it_belongs(table, current))
    if current.unnoticed:
        events.append(stakes_stand(table, current))
    for event in events:
        table = evolve(table, event)
    return table


def _settled(table: Table, current: Round) -> e.RoundSettled:
    lines = lines_of(table, current)
    transfers = _transfers(lines)
    commission = commission_on(table.book, lines)
    if not commission:
        return e.RoundSettled(current.number, str(current.coup), lines, transfers)
    transfers += kept_or_marked(table.book, commission)
    return e.RoundSettled(current.number, str(current.coup), lines, transfers, table.book.commission.paragraph)


def _transfers(lines: Sequence[SettledLine]) -> tuple[Transfer, ...]:
    """What the lines add up to for each person in each box: takes, stakes back, pays."""
    sums: dict[tuple[int, str], list[int]] = {}
    person, box, each = "", 0, [0, 0, 0]
    for line in lines:
        if line.person != person or line.box != box:
            person, box = line.person, line.box
            each = sums.setdefault((box, person), [0, 0, 0])
        if line.result is LOST:
            each[0] += line.stake
        else:
            each[1] += line.stake
            each[2] += line.profit
    transfers: list[Transfer] = []
    for (_, person), (take, back, pay) in sums.items():
        chips, layout = chips_of(person), layout_of(person)
        if take:
            transfers.append(Transfer(layout, TRAY, take))
        if back:
            transfers.append(Transfer(layout, chips, back))
        if pay:
            transfers.append(Transfer(TRAY, chips, pay))
    return tuple(transfers)
