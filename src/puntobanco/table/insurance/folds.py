"""The table after something happened to insurance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from puntobanco.insurance import find_row
from puntobanco.table import events as e
from puntobanco.table.base import BANKER, PLAYER
from puntobanco.table.bets.state import WagerKey
from puntobanco.table.bets.wagers import off_the_layout
from puntobanco.table.fold_helpers import current_round, in_any_round, in_round, later, moved
from puntobanco.table.insurance.state import InsuranceWager, Intention, Missed, OpenWindow
from puntobanco.table.state import Round, Table


def _insurance_offered(table: Table, event: e.InsuranceOffered) -> Table:
    still_open = current_round(table).window
    told = {(offer.hand, person) for offer in event.offers for person in offer.people}
    late = frozenset(told if event.late else ())
    if still_open is None or still_open.window is not event.window:
        return in_round(table, window=OpenWindow(event.window, event.offers, event.until, late=late))
    # to some others as well, or late to some who have answered it
    offers = {offer.hand: offer for offer in still_open.offers}
    for offer in event.offers:
        people = offers[offer.hand].people if offer.hand in offers else ()
        offers[offer.hand] = replace(offer, people=tuple(dict.fromkeys((*people, *offer.people))))
    until, answered = max(still_open.until, event.until), still_open.answered - {person for _, person in late}
    late |= still_open.late
    window = OpenWindow(event.window, tuple(offers.values()), until, answered, late)
    return in_round(table, window=window)


def _insured(table: Table, event: e.Insured) -> Table:
    current = current_round(table)
    row = find_row(table.book, event.window, event.hand, event.own, event.other)
    if row is None:
        # staff put it in the wrong box: it insures the other hand
        belongs = BANKER if event.hand is PLAYER else PLAYER
        row = find_row(table.book, event.window, belongs, event.other, event.own)
    assert row is not None
    points = (event.own, event.other)
    late = current.window is not None and (row.hand, event.person) in current.window.late
    taken = InsuranceWager(
        person=event.person,
        box=event.box,
        hand=event.hand,
        stake=event.amount,
        row=row,
        points=points,
        by=event.by,
        late=late,
    )
    return later(
        table,
        round=replace(current, insurance=(*current.insurance, taken)),
        balances=moved(table.balances, event.transfers),
    )


def _insurance_passed(table: Table, event: e.InsurancePassed) -> Table:
    window = current_round(table).window
    assert window is not None
    return in_round(table, window=replace(window, answered=window.answered | {event.person}))


def _insurance_closed(table: Table, event: e.InsuranceClosed) -> Table:
    current = current_round(table)
    window, offered = current.window, current.offered
    if window is not None:
        # who had walked away has forgone it and cannot have missed it (tiger-buffalo 5.3)
        gone = window.people & (table.absent | current.forgone)
        if gone:
            window = replace(window, answered=window.answered | gone)
        offered = (*offered, window.without(event.not_asked))
    return in_round(
        table,
        window=None,
        windows_past=current.windows_past | {event.window},
        offered=offered,
        forgone=current.forgone | frozenset(event.forgone),
    )


def _insurance_missed(table: Table, event: e.InsuranceMissed) -> Table:
    """What was not offered is not past, and nobody has forgone it, whatever the table displayed."""
    people = {person for offer in event.offers for person in offer.people}

    def missed(current: Round) -> Round:
        displayed = tuple(window for window in current.offered if window.window is event.window)
        missing = Missed(event.window, event.offers, displayed, current.forgone & people)
        return replace(
            current,
            missed=(*current.missed, missing),
            windows_past=current.windows_past - {event.window},
            offered=tuple(window for window in current.offered if window.window is not event.window),
            forgone=current.forgone - people,
        )

    return in_any_round(table, event.round or current_round(table).number, missed)


def offered_after_all(current: Round) -> Round:
    """The round, in which insurance was offered as displayed: that it was not proved unfounded."""
    wrongly = [missed for missed in current.missed if missed.displayed]
    displayed = [window for missed in wrongly for window in missed.displayed]
    return replace(
        current,
        missed=tuple(missed for missed in current.missed if not missed.displayed),
        windows_past=current.windows_past | {window.window for window in displayed},
        offered=(*displayed, *current.offered),
        forgone=current.forgone.union(*(missed.forgone for missed in wrongly)),
    )


def _intention_noted(table: Table, event: e.IntentionNoted) -> Table:
    row = find_row(table.book, event.window, event.hand, event.own, event.other)
    assert row is not None
    intention = Intention(event.person, event.hand, row)

    def noted(current: Round) -> Round:
        return replace(current, intentions=(*current.intentions, intention))

    return in_any_round(table, event.round or current_round(table).number, noted)


def _insurance_moved(table: Table, event: e.InsuranceMoved) -> Table:
    def moved_over(current: Round) -> Round:
        return replace(
            current,
            insurance=tuple(
                _other_hand(taken)
                if taken.misplaced and (taken.person, taken.box, taken.hand) == (event.person, event.box, event.hand)
                else taken
                for taken in current.insurance
            ),
        )

    return in_any_round(table, event.round, moved_over)


def _other_hand(taken: InsuranceWager) -> InsuranceWager:
    own, other = taken.points
    return replace(taken, hand=taken.row.hand, points=(other, own), moved=True)


def _insurance_reread(table: Table, event: e.InsuranceReread) -> Table:
    row = find_row(table.book, event.window, event.hand, event.own, event.other)
    if row is None:
        row = find_row(table.book, event.window, event.hand.other, event.other, event.own)

    def read_again(taken: InsuranceWager) -> InsuranceWager:
        if event.odds is None:
            return replace(taken, off=True)
        assert row is not None
        return replace(taken, row=row, points=(event.own, event.other), off=False)

    def less(insurance: tuple[InsuranceWager, ...]) -> Iterator[InsuranceWager]:
        """What went back of it comes off what was taken last."""
        off = sum(transfer.amount for transfer in event.transfers) if event.odds is not None else 0
        for taken in reversed(insurance):
            here = min(off, taken.stake) if of_it(taken) else 0
            off -= here
            if taken.stake > here:
                yield replace(taken, stake=taken.stake - here)

    def of_it(taken: InsuranceWager) -> bool:
        place = (taken.person, taken.box, taken.hand, taken.row.window)
        return place == (event.person, event.box, event.hand, event.window)

    def in_round_of_it(current: Round) -> Round:
        insurance = tuple(read_again(taken) if of_it(taken) else taken for taken in current.insurance)
        if not current.settled and not current.paid:
            insurance = tuple(taken for taken in insurance if not taken.off)
        return replace(current, insurance=tuple(less(insurance))[::-1])

    after = in_any_round(table, event.round, in_round_of_it)
    return replace(after, balances=moved(after.balances, event.transfers))


def _bets_returned(table: Table, event: e.BetsReturned) -> Table:
    if event.round:
        return in_any_round(table, event.round, lambda found: _returned_late(table, found, event.wagers))
    current = current_round(table)
    back = tuple(current.wagers[key] for key in event.wagers)
    current = off_the_layout(table, replace(current, taken_back=(*current.taken_back, *back)), event.wagers)
    return later(table, round=current, balances=moved(table.balances, event.transfers))


def _returned_late(table: Table, found: Round, keys: Sequence[WagerKey]) -> Round:
    """The round that was settled, without these bets; what lay there at the close is told without them, too."""
    back = tuple(found.wagers[key] for key in keys)
    after = off_the_layout(table, replace(found, taken_back=(*found.taken_back, *back)), keys)
    laid = {key: wager for key, wager in found.laid.items() if key not in keys}
    return replace(after, laid=laid)


def _insurance_waived(table: Table, event: e.InsuranceWaived) -> Table:
    return later(table, settings=replace(table.settings, no_insurance=not event.offered))


FOLDS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.InsuranceOffered: _insurance_offered,
    e.Insured: _insured,
    e.InsurancePassed: _insurance_passed,
    e.InsuranceClosed: _insurance_closed,
    e.InsuranceMissed: _insurance_missed,
    e.IntentionNoted: _intention_noted,
    e.InsuranceMoved: _insurance_moved,
    e.InsuranceReread: _insurance_reread,
    e.BetsReturned: _bets_returned,
    e.InsuranceWaived: _insurance_waived,
}
