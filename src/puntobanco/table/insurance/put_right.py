"""The record of insurance put right: chips lay in an insurance box of another amount, box or hand, or unrecorded.

What lay there was insurance if it could be: at a row that fits the cards, of a bet on that hand in that box (3.11), and
within the cap (3.12.2). What is more than that was no bet, and goes back as chips that came too late.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from puntobanco.cards import Side
from puntobanco.insurance import BOXES, cards_in
from puntobanco.money import Odds
from puntobanco.rules.model import Insurance, Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.bets.state import about_bet
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.folds import evolve
from puntobanco.table.insurance.caps import room_in, too_much
from puntobanco.table.insurance.offers import on_offer_here
from puntobanco.table.insurance.repricing import points_of, row_on
from puntobanco.table.insurance.state import InsuranceWager
from puntobanco.table.ledger import chips_walked_in, moves
from puntobanco.table.people.lookup import check_box, find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.debts import walked_out
from puntobanco.table.state import Round, Table

MISPLACED = "insurance_misplaced"
FOUND = "found"
"""What the record says of chips that were found."""


def find(table: Table, current: Round, body: c.FindBet) -> Sequence[e.Event]:
    """Chips in an insurance box that nobody had keyed; together with what the record has there."""
    hand = BOXES[body.bet]
    _check_offered_here(table)
    window = body.window or _window(table, current, body.person, body.box, hand, hand)
    was = sum(taken.stake for taken in _lying(current, body.person, body.box, hand, window))
    entry = r.CorrectBet(body.person, body.box, body.bet, was + body.amount, round=current.number, window=window)
    paragraph = table.irregularity("chips_decide")
    return on_the_layout(table, current, corrected(table, current, entry, paragraph, FOUND))


def corrected(table: Table, found: Round, entry: r.CorrectBet, paragraph: str, reason: str) -> e.InsuranceCorrected:
    """The insurance as it lay there; refused where it could be none. Nothing moves by that alone."""
    _check_offered_here(table)
    hand, to_box = BOXES[entry.bet], entry.to_box or entry.box
    check_box(table, to_box)
    to_hand = BOXES.get(entry.to_bet or entry.bet)
    if to_hand is None:
        raise Refused("unknown_bet", f"chips on insurance were on no {entry.to_bet}", _insurance_of(table).offer)
    window = entry.window or _window(table, found, entry.person, entry.box, hand, to_hand)
    lying = _lying(found, entry.person, entry.box, hand, window)
    was = sum(taken.stake for taken in lying)
    stays = (to_box, to_hand) == (entry.box, hand)
    if entry.stake < 0 or (was == entry.stake and (stays or not was)):
        raise Refused("bad_amount", "say what the insurance was", paragraph)
    if not lying:
        find_player(table, entry.person)
    event = e.InsuranceCorrected(
        found.number,
        entry.person,
        entry.box,
        hand,
        window,
        was,
        entry.stake,
        to_box if entry.stake else entry.box,
        to_hand if entry.stake else hand,
        0,
        0,
        None,
        paragraph,
        (),
        reason,
    )
    if not entry.stake:
        return event
    terms = _terms(table, found, lying, entry.person, to_box, to_hand, window, stays=stays)
    if entry.stake > terms.most:
        raise too_much(table, terms.most, late=terms.late)
    return replace(event, own=terms.own, other=terms.other, odds=terms.odds, late=terms.late)


def most_on_record(table: Table, found: Round, person: str, box: int, hand: Side, window: Window) -> int:
    """The largest stake to which an entry can be corrected; 0 where there can only have been none."""
    try:
        lying = _lying(found, person, box, hand, window)
        return _terms(table, found, lying, person, box, hand, window, stays=True).most
    except Refused:
        return 0


class _Terms(msgspec.Struct, frozen=True):
    """How insurance was to be had: the points as seen from where it lies, the odds, and how much."""

    own: int
    other: int
    odds: Odds
    late: bool
    most: int


def _terms(
    table: Table,
    found: Round,
    lying: Sequence[InsuranceWager],
    person: str,
    box: int,
    hand: Side,
    window: Window,
    *,
    stays: bool,
) -> _Terms:
    """For the entry ``lying``, if there is one, in that box; refused where nothing could be insured there."""
    # what staff put in the wrong box insures the other hand, until it is moved (5.18)
    insured = lying[0].row.hand if lying and lying[0].hand is hand else hand
    then, row = cards_in(found.coup, window), row_on(table, found.coup, window, insured)
    if then is None or row is None:
        message = f"no row of the pay table fits {insured.value} on the cards of that window"
        raise Refused("no_insurance", message, _insurance_of(table).paragraph)
    if not (lying and stays):
        _check_right(table, found, person, box, insured, window)
    late = lying[0].late if lying else _offered_late(found, window, insured, person)
    beside = replace(found, insurance=tuple(taken for taken in found.insurance if taken not in lying))
    most = room_in(table, beside, window, person, box, insured, row.odds, late=late)
    if stays:
        # how much it may be is asked when it is put down (3.12.2), and not again
        most = max(most, sum(taken.stake for taken in lying))
    return _Terms(*points_of(then, hand), row.odds, late, most)


def on_the_layout(table: Table, current: Round, event: e.InsuranceCorrected) -> Sequence[e.Event]:
    """Before the settlement the chips move with the record: from the person's stack or the floor, or back."""
    if current.paid:
        # settled before and played on: the next settlement posts the difference
        return (event, *_flags(table, event))
    chips, layout, more = chips_of(event.person), layout_of(event.person), event.stake - event.was
    walked_in = chips_walked_in(table, event.person, more - table.stack(event.person))
    event = replace(event, transfers=moves((chips, layout, more)) if more > 0 else moves((layout, chips, -more)))
    walked = walked_out(evolve(table, event), current, event.person, -more)
    return (*walked_in, event, *walked, *_flags(table, event))


def _flags(table: Table, event: e.InsuranceCorrected) -> Sequence[e.Event]:
    """A flag on insurance in the wrong box is on what lies there now."""
    after = evolve(table, event).round
    assert after is not None
    wrong = {
        (MISPLACED, about_bet(taken.person, taken.box, f"{taken.hand.value}_insurance"))
        for taken in after.insurance
        if taken.misplaced
    }
    known = {flag for flag in table.flags if flag[0] == MISPLACED}
    gone = [e.FlagCleared(*flag) for flag in sorted(known - wrong)]
    return [*gone, *(e.Flagged(*flag, table.irregularity(MISPLACED)) for flag in sorted(wrong - known))]


def _insurance_of(table: Table) -> Insurance:
    assert table.book.insurance is not None
    return table.book.insurance


def _check_offered_here(table: Table) -> None:
    if not on_offer_here(table):
        raise Refused("no_insurance", "no insurance is offered at this table", table.irregularity("no_insurance"))


def _lying(found: Round, person: str, box: int, hand: Side, window: Window | None = None) -> list[InsuranceWager]:
    """What the record has of a person in an insurance box, of one window or of both."""
    return [
        taken
        for taken in found.insurance
        if (taken.person, taken.box, taken.hand) == (person, box, hand) and window in (None, taken.row.window)
    ]


def _window(table: Table, found: Round, person: str, box: int, hand: Side, to_hand: Side) -> Window:
    """The window in which it was put down, where only one can be meant: of what is there, else of what could be."""
    windows = {taken.row.window for taken in _lying(found, person, box, hand)}
    if not windows:
        windows = {window for window in Window if row_on(table, found.coup, window, to_hand)}
        if found.window is not None:
            windows &= {found.window.window}
    if not windows:
        message = f"no row of the pay table fitted {to_hand.value}"
        raise Refused("no_insurance", message, _insurance_of(table).paragraph)
    if len(windows) > 1:
        raise Refused("bad_amount", "say in which window it was put down", _insurance_of(table).windows)
    return windows.pop()


def _check_right(table: Table, found: Round, person: str, box: int, hand: Side, window: Window) -> None:
    """Refuse what nobody could insure: no bet on the hand, the window waived (3.14), insurance let pass (5.3)."""
    bets = {bet for bet, on in table.book.original_bets.items() if on is hand}
    if not any((person, box, bet) in found.wagers for bet in bets):
        message = f"{person} has nothing on {hand.value} in box {box} to insure"
        raise Refused("no_wager", message, _insurance_of(table).offer)
    if window is not Window.PLAYER_THIRD:
        return
    if found.waived:
        raise Refused("no_insurance", "the window was waived for everybody", table.cite("early_squeeze"))
    first = [each for each in found.offered if each.window is Window.FOUR_CARDS and person in each.people]
    took = any(taken.person == person and taken.row.window is Window.FOUR_CARDS for taken in found.insurance)
    if first and not took and person in found.forgone and table.settings.forgo == "round":
        raise Refused("forgone", f"{person} let insurance pass", table.irregularity("forgone_insurance"))


def _offered_late(found: Round, window: Window, hand: Side, person: str) -> bool:
    offered = found.offered if found.window is None else (*found.offered, found.window)
    offers = [(each.late, each.offer_on(hand)) for each in offered if each.window is window]
    return any(late and offer is not None and person in offer.people for late, offer in offers)
