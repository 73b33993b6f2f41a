"""The table after something was put right in its record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from puntobanco.insurance import BOXES
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.amendments.fixes import corrected_bet
from puntobanco.table.amendments.rerun import play_again
from puntobanco.table.fold_helpers import current_round, in_any_round, in_round, known_round, later, moved
from puntobanco.table.insurance.state import OpenWindow
from puntobanco.table.settlement.paying import standing
from puntobanco.table.settlement.results import with_results
from puntobanco.table.shoe.copies import put_aside, with_faces, without_faces
from puntobanco.table.state import Journal, Round, Shoe, Table


def amendment_of(entry: e.Event) -> r.Amendment:
    """What an entry of the log puts right."""
    match entry:
        case e.CardCorrected():
            return r.CorrectCard(entry.number, entry.card, entry.round)
        case e.HandCorrected():
            return r.CorrectHand(entry.number, entry.hand, entry.round)
        case e.CardStruck():
            return r.StrikeCard(entry.number, entry.round)
        case e.CardAdded():
            return r.AddCard(entry.card, entry.hand, entry.after, entry.round, entry.number)
        case e.OrderCorrected():
            return r.CorrectOrder(entry.cards, entry.round, entry.became)
        case e.CardsTold():
            return r.TrueCards(entry.cards, entry.round, entry.carried, entry.free, entry.face_down)
        case e.BetCorrected():
            place = (entry.person, entry.box, entry.bet, entry.stake, entry.to_box, entry.to_bet)
            return r.CorrectBet(*place, round=entry.round, to_person=entry.to_person)
        case e.InsuranceCorrected():
            boxes = {hand: box for box, hand in BOXES.items()}
            place = (entry.person, entry.box, boxes[entry.hand], entry.stake, entry.to_box, boxes[entry.to_hand])
            return r.CorrectBet(*place, entry.round, entry.window, entry.to_person)
    raise AssertionError(entry)


def _entered(table: Table, entry: Any) -> Table:
    """The round remembers what was put right in its record; before the close the bet is changed at once."""
    amendment = amendment_of(entry)

    current = table.round
    if current is not None and current.number == entry.round and not current.closed:
        assert isinstance(amendment, r.CorrectBet)
        balances = moved(table.balances, entry.transfers)
        return later(table, round=corrected_bet(table, current, amendment), balances=balances)
    journal = table.journal_of(entry.round)
    journal = replace(journal, amendments=(*journal.amendments, amendment))
    if table.journal is not None and table.journal.round == entry.round:
        return _played_again(replace(table, journal=journal), journal)
    return _played_again(replace(table, journals=table.journals | {entry.round: journal}), journal)


def _played_again(table: Table, journal: Journal) -> Table:
    """The round as it comes out with the latest amendment, and the cards that follow from it."""
    number = journal.round
    played = known_round(table, number)
    was, after = (play_again(journal, amendments) for amendments in (journal.amendments[:-1], journal.amendments))
    over = played.settled
    now = current_round(standing(after) if over or played.paid else after)
    table = in_any_round(table, number, lambda _: _as_known_now(played, now))
    if not table.of_this_shoe(played):
        return with_results(table)
    waits, shoe = table.carried, _counted(table, played, now, was, after)
    if not over:
        waits = after.carried
    elif waits[: len(was.carried)] == was.carried and not shoe.ended:
        # what that round left over is still there
        waits = after.carried + waits[len(was.carried) :]
    elif more := len(after.carried) - len(was.carried):
        # a later round was dealt what this one left over, and keeps its cards: if they were this round's, as many
        # others left the shoe; if there are more of them, they have gone to the discard holder
        shoe = replace(shoe, drawn=shoe.drawn + max(-more, 0), discards=shoe.discards + max(more, 0))
        shoe = put_aside(replace(shoe, recount=True), after.carried[len(was.carried) :])
    return with_results(replace(table, carried=waits, shoe=shoe))


def _as_known_now(played: Round, now: Round) -> Round:
    """The round as it comes out now, with what has happened to it since."""
    over, same = played.settled, now.coup == played.coup
    was, window = _offered_before(played, now), None if over else now.window
    if was is None or window is None or was.points != window.points:
        window = None  # it was on offer for other points, and is offered anew
    return replace(
        now,
        number=played.number,
        since=played.since,
        until=played.until,
        numbered=max(played.numbered, now.numbered),
        walked_in=played.walked_in,
        counted=played.counted,
        former=played.former,
        window=window,
        found=played.found or window is not None,  # whose bet shows only now is offered it, too
        missed=played.missed,
        sent_back=now.sent_back if over or played.paid else (),
        announced=played.announced and (same or over),
        called=played.called if same or over else "",
        settled=over,
        settled_on=played.settled_on,
        lines=played.lines,
        unconfirmed=played.unconfirmed,
        unpaid=played.unpaid,
        before=played.before,
        paid=played.paid,
        asked=played.asked | now.asked,
        delivered=played.delivered,
        back=played.back,
    )


def _offered_before(played: Round, now: Round) -> OpenWindow | None:
    """The window as it was open: one that a card ended which never left the shoe is open still."""
    if now.window is None:
        return None
    before = (*played.offered, played.window)
    return next((was for was in reversed(before) if was is not None and was.window is now.window.window), None)


def _counted(table: Table, played: Round, now: Round, was: Table, after: Table) -> Shoe:
    """How many cards have left the shoe, and how many are in the discard holder, by the amended record."""
    shoe, drawn = table.shoe, after.shoe.drawn - was.shoe.drawn
    discards, faces = after.shoe.discards - was.shoe.discards, shoe.faces
    if table.round is None or table.round.number != played.number:
        discards += len(current_round(after).cards) - len(current_round(was).cards)
        faces = with_faces(without_faces(faces, played.cards + played.discarded), now.cards + now.discarded)
    shown = None if shoe.shown is None else shoe.shown + drawn
    return replace(
        shoe,
        drawn=shoe.drawn + drawn,
        discards=shoe.discards + discards,
        faces=faces,
        shown=shown,
        recount=shoe.recount or faces is not shoe.faces,
    )


def _chips_moved(table: Table, event: e.RoundPlayedAgain) -> Table:
    return later(table, balances=moved(table.balances, event.transfers))


def _call_corrected(table: Table, event: e.CallCorrected) -> Table:
    return in_round(table, called=event.result)


def _confirmation_corrected(table: Table, event: e.ConfirmationCorrected) -> Table:
    return in_round(table, unconfirmed=current_round(table).unconfirmed | {event.box})


FOLDS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.CardCorrected: _entered,
    e.HandCorrected: _entered,
    e.CardStruck: _entered,
    e.CardAdded: _entered,
    e.OrderCorrected: _entered,
    e.CardsTold: _entered,
    e.BetCorrected: _entered,
    e.InsuranceCorrected: _entered,
    e.CallCorrected: _call_corrected,
    e.ConfirmationCorrected: _confirmation_corrected,
    e.RoundPlayedAgain: _chips_moved,
}
