"""What an amendment enters in the log: the entry as it was and as it should have been. Refused where that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from puntobanco.cards import Side
from puntobanco.insurance import BOXES
from puntobanco.rules.model import Window
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.cases.remedies import Case
from puntobanco.table.cases.settled_rounds import check_revealed, find_settled
from puntobanco.table.insurance.repricing import row_on
from puntobanco.table.insurance.state import InsuranceWager
from puntobanco.table.people.lookup import check_box, find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Round, Table


def amended_round(table: Table, number: int) -> Round:
    """The round in progress, or one that was settled."""
    current = table.round
    if current is not None and number in (0, current.number):
        return current
    return find_settled(table, number or table.rounds)


def _card(case: Case, played: Round, number: int) -> None:
    check_revealed(case.table, played)
    if not played.place(number):
        raise Refused("cards.unknown", number=number)


def _card_corrected(case: Case, played: Round, ruling: r.CorrectCard) -> e.Event:
    _card(case, played, ruling.number)
    drawn = played.card(ruling.number)
    if drawn.card is None or not drawn.turned:
        raise Refused("cards.face_down", number=ruling.number)
    if drawn.card is ruling.card:
        raise Refused("cards.as_recorded", number=ruling.number, card=str(drawn.card))
    return e.CardCorrected(played.number, ruling.number, drawn.card, ruling.card, case.reason)


def _hand_corrected(case: Case, played: Round, ruling: r.CorrectHand) -> e.Event:
    _card(case, played, ruling.number)
    drawn = played.card(ruling.number)
    if drawn.hand is ruling.hand:
        raise Refused("cards.hand_as_recorded", number=ruling.number, hand=ruling.hand.value)
    return e.HandCorrected(played.number, ruling.number, drawn.hand, ruling.hand, case.reason)


def _card_struck(case: Case, played: Round, ruling: r.StrikeCard) -> e.Event:
    _card(case, played, ruling.number)
    return e.CardStruck(played.number, ruling.number, played.card(ruling.number).card, case.reason)


def _card_added(case: Case, played: Round, ruling: r.AddCard) -> e.Event:
    if ruling.after or not played.cards:
        _card(case, played, ruling.after or 1)
    return e.CardAdded(played.number, played.numbered + 1, ruling.card, ruling.hand, ruling.after, case.reason)


def _order_corrected(case: Case, played: Round, ruling: r.CorrectOrder) -> e.Event:
    for number in ruling.cards:
        _card(case, played, number)
    if len(set(ruling.cards)) != len(ruling.cards) or list(ruling.cards) == sorted(ruling.cards):
        raise Refused("cards.other_order")
    for number in ruling.cards:
        if not played.card(number).turned:
            raise Refused("cards.face_down", number=number)
    became = tuple(card for number in ruling.cards if (card := played.card(number).card) is not None)
    return e.OrderCorrected(played.number, tuple(ruling.cards), became, case.reason)


def _bet_corrected(case: Case, played: Round, ruling: r.CorrectBet) -> e.Event:
    table = case.table
    to_box, to_bet = ruling.to_box or ruling.box, ruling.to_bet or ruling.bet
    check_box(table, to_box)
    if table.layout.insurance and ruling.bet in BOXES:
        return _insurance_corrected(case, played, ruling)
    if to_bet not in table.layout.bets:
        raise Refused("unknown_bet", table.layout.paragraph, layout=table.layout.code, bet=to_bet)
    wager = (played.laid or played.wagers).get((ruling.person, ruling.box, ruling.bet))
    was, to_person = wager.stake if wager else 0, ruling.to_person or ruling.person
    if ruling.stake < 0 or (was, ruling.person, ruling.box, ruling.bet) == (ruling.stake, to_person, to_box, to_bet):
        raise Refused("bad_amount.what_lay")
    if played.free and ruling.stake:
        raise Refused("no_wager.free_hand", table.irregularities.free_hand.played)
    if wager is None:
        _check_at_stake(case, played, ruling)
        find_player(table, ruling.person)
    if ruling.to_person:
        find_player(table, ruling.to_person)
    return e.BetCorrected(
        played.number,
        ruling.person,
        ruling.box,
        ruling.bet,
        was,
        ruling.stake,
        to_box,
        to_bet,
        (),
        case.reason,
        ruling.to_person,
    )


def _check_at_stake(case: Case, played: Round, ruling: r.CorrectBet) -> None:
    """Refuse to correct a bet that went back after the close: however large it was, it neither wins nor loses."""
    if took_back := played.out.get(ruling.person):
        raise Refused("no_wager.taken_back", took_back, person=ruling.person)
    place = (ruling.person, ruling.box, ruling.bet)
    if any((back.person, back.box, back.bet) == place for back in played.taken_back):
        raise Refused("no_wager.went_back", case.paragraph, person=ruling.person, box=ruling.box, bet=ruling.bet)


def _insurance_corrected(case: Case, played: Round, ruling: r.CorrectBet) -> e.Event:
    table, insurance = case.table, case.table.book.insurance
    assert insurance is not None
    if played.settings.no_insurance:
        raise Refused("no_insurance.table", table.irregularities.no_insurance.rule)
    hand, to_hand = BOXES[ruling.bet], BOXES.get(ruling.to_bet or ruling.bet)
    if to_hand is None:
        raise Refused("unknown_bet.insurance", insurance.offer, bet=ruling.to_bet)
    window = ruling.window or window_meant(table, played, ruling, to_hand)
    lying = [taken for taken in played.insurance if lies_there(taken, ruling) and taken.row.window is window]
    was, to_box = sum(taken.stake for taken in lying), ruling.to_box or ruling.box
    stays = (to_box, to_hand, ruling.to_person or ruling.person) == (ruling.box, hand, ruling.person)
    if ruling.stake < 0 or (was == ruling.stake and (stays or not was)):
        raise Refused("bad_amount.what_lay", case.paragraph)
    if not lying:
        find_player(table, ruling.person)
    # the record has at the other hand what was moved here since (tiger-buffalo 5.18)
    moved, stake = sum(taken.stake for taken in lying if taken.moved), ruling.stake
    if moved and moved == was:
        hand = hand.other
    elif moved:
        was, stake = was - moved, max(stake - moved, 0)
    return e.InsuranceCorrected(
        played.number,
        ruling.person,
        ruling.box,
        hand,
        window,
        was,
        stake,
        to_box,
        to_hand,
        case.paragraph,
        case.reason,
        ruling.to_person,
    )


def lies_there(taken: InsuranceWager, ruling: r.CorrectBet) -> bool:
    """Whether insurance is the one that a correction names."""
    return (taken.person, taken.box, taken.hand) == (ruling.person, ruling.box, BOXES[ruling.bet])


def window_meant(table: Table, played: Round, ruling: r.CorrectBet, to_hand: Side) -> Window:
    """The window in which it was put down, where only one can be meant: of what is there, else of what could be."""
    assert table.book.insurance is not None
    windows = {taken.row.window for taken in played.insurance if lies_there(taken, ruling)}
    if not windows:
        windows = _windows(table, played, to_hand) or _windows(table, played, to_hand.other)
        if played.window is not None:
            windows &= {played.window.window}
    if not windows:
        raise Refused("no_insurance.no_row", table.book.insurance.paragraph)
    if len(windows) > 1:
        raise Refused("bad_amount.window", table.book.insurance.windows)
    return windows.pop()


def _windows(table: Table, played: Round, hand: Side) -> set[Window]:
    """Where a row fits that hand. What staff put in the wrong box insures the other one (5.18)."""
    return {window for window in Window if row_on(table, played.coup, window, hand)}


ENTRIES: dict[type[r.Ruling], Callable[[Case, Round, Any], e.Event]] = {
    r.CorrectCard: _card_corrected,
    r.CorrectHand: _hand_corrected,
    r.StrikeCard: _card_struck,
    r.AddCard: _card_added,
    r.CorrectOrder: _order_corrected,
    r.CorrectBet: _bet_corrected,
}
