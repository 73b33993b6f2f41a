"""The table after a round was announced, settled, void, over, opened again or settled again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from puntobanco.table import events as e
from puntobanco.table.bets.wagers import small_bettors
from puntobanco.table.cases.open_matters import matters_left
from puntobanco.table.fold_helpers import current_round, in_any_round, in_round, known_round, later, moved
from puntobanco.table.settlement.results import road_result, with_results
from puntobanco.table.shoe.copies import with_faces, without_faces
from puntobanco.table.state import Round, Table


def _result_announced(table: Table, event: e.ResultAnnounced) -> Table:
    return in_round(table, announced=True, called=event.called or event.result)


def _result_called(table: Table, event: e.ResultCalled) -> Table:
    current = table.round
    if current is None or not current.closed or current.settled or current.announced:
        return later(table)
    return in_round(table, called=event.result)


def _round_settled(table: Table, event: e.RoundSettled) -> Table:
    current = current_round(table)
    boxes = frozenset([line.box for line in event.lines])
    small = small_bettors(current, event.lines) if current.small else frozenset()
    settled = replace(
        current,
        announced=True,
        settled=True,
        settled_on=current.coup,
        lines=event.lines,
        unconfirmed=boxes,
        counted=small,
    )
    return later(
        table,
        round=settled,
        balances=moved(table.balances, event.transfers),
        results=(*table.results, road_result(current.coup, current.free)),
        under_minimum=table.under_minimum | small if small else table.under_minimum,
    )


def _round_voided(table: Table, event: e.RoundVoided) -> Table:
    return later(
        table,
        round=replace(
            current_round(table),
            closed=True,
            voided=True,
            void_paragraph=event.paragraph,
            window=None,
            options=None,
            all_back=None,
        ),
        balances=moved(table.balances, event.transfers),
        flags={},
        **matters_left(table),
    )


def _boxes_confirmed(table: Table, event: e.BoxesConfirmed) -> Table:
    return in_round(table, unconfirmed=current_round(table).unconfirmed.difference(event.boxes))


def _confirmation_overridden(table: Table, event: e.ConfirmationOverridden) -> Table:
    return in_round(table, unconfirmed=frozenset())


def _round_ended(table: Table, event: e.RoundEnded) -> Table:
    shoe = table.shoe
    # once cards were dealt it is too late to burn
    due = shoe.burn_due and not shoe.drawn
    over = current_round(table)
    faces = with_faces(shoe.faces, over.cards + over.discarded)
    shoe = replace(
        shoe, discards=event.discards, faces=faces, rounds=shoe.rounds + 1, burn_due=due, recount=over.voided
    )
    return later(table, round=None, last=over, past=(*table.past, over), shoe=shoe, flags={}, **matters_left(table))


def _round_reopened(table: Table, event: e.RoundReopened) -> Table:
    found = table.round or next(each for each in reversed(table.past) if each.number == event.number)
    assert found.number == event.number, event
    finished = found.coup.finished  # the call stands until cards turn out to be others
    reopened = replace(
        found,
        announced=found.announced and finished,
        called=found.called if finished else "",
        settled=False,
        before=found.lines,
        paid=True,
        out_when_paid=len(found.cards),
        lines=(),
        unconfirmed=frozenset(),
        unpaid=found.unconfirmed,
    )
    past, shoe = table.past, table.shoe
    if table.round is None:
        # the round's cards come out of the discard holder again
        past = tuple(each for each in past if each is not found)
        faces = without_faces(shoe.faces, found.cards + found.discarded)
        shoe = replace(shoe, rounds=shoe.rounds - 1, discards=shoe.discards - len(found.cards), faces=faces)
    if shoe.ended:
        # it is over when the card that lacked is out, and the round with it
        shoe = replace(shoe, ended=False, rounds_left=0)
    elif shoe.rounds_left is not None and event.number < table.rounds:
        # the hand after it was called off, and is to come
        shoe = replace(shoe, rounds_left=shoe.rounds_left + 1)
    last = past[-1] if past else None
    return with_results(later(table, round=reopened, past=past, last=last, shoe=shoe))


def _round_settled_again(table: Table, event: e.RoundSettledAgain) -> Table:
    here = table.round is not None and table.round.number == event.number

    def settled(before: Round) -> Round:
        paid = before.before if before.paid else before.lines
        known = {(line.person, line.box, line.bet, line.insurance): line for line in paid}
        again = {
            line.box for line in event.lines if known.get((line.person, line.box, line.bet, line.insurance)) != line
        }
        waiting = {line.box for line in event.lines} & (before.unpaid | before.unconfirmed)
        return replace(
            before,
            settled=not event.void,
            voided=event.void,
            void_paragraph=event.paragraph if event.void else "",
            lines=event.lines,
            counted=small_bettors(before, event.lines),
            unconfirmed=frozenset(again | waiting) if here else frozenset(),
            unpaid=frozenset(),
            before=paid,
            paid=False,
            options=None,
        )

    after = in_any_round(table, event.number, settled)
    under_minimum = _under_minimum(table, after, event)
    after = replace(after, balances=moved(after.balances, event.transfers), under_minimum=under_minimum)
    if event.void and here:
        # nothing is left to rule on in a round that was paid, played on, and is void now
        after = replace(after, flags={}, **matters_left(after))
    after = in_any_round(after, event.number, lambda each: replace(each, settled_on=each.coup))
    return with_results(replace(after, version=table.version + 1))


def _under_minimum(table: Table, after: Table, event: e.RoundSettledAgain) -> frozenset[str]:
    """Who has had a bet below the minimum settled (reading M).

    A round that turns out a tie or void does not count, nor a bet that turns out another's, or not to be below it.
    """
    before, now = known_round(table, event.number), known_round(after, event.number)
    people = (before.counted | now.counted) - before.former
    counted = {person for each in after.known_rounds for person in each.counted - each.former}
    return (table.under_minimum - people) | (people & counted)


def _money_ruled(table: Table, event: e.MoneyRuled | e.DebtSettled | e.CommissionCollected) -> Table:
    return later(table, balances=moved(table.balances, event.transfers))


FOLDS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.ResultAnnounced: _result_announced,
    e.ResultCalled: _result_called,
    e.RoundSettled: _round_settled,
    e.RoundVoided: _round_voided,
    e.BoxesConfirmed: _boxes_confirmed,
    e.ConfirmationOverridden: _confirmation_overridden,
    e.RoundEnded: _round_ended,
    e.RoundReopened: _round_reopened,
    e.RoundSettledAgain: _round_settled_again,
    e.MoneyRuled: _money_ruled,
    e.DebtSettled: _money_ruled,
    e.CommissionCollected: _money_ruled,
}
