"""Corrections of the record: the felt was right and the entry wrong. A new event names the entry, old and new."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.coup import reconstruct
from puntobanco.insurance import BOXES
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.bets.found_chips import uncovered_maximum
from puntobanco.table.bets.outside_limits import flag_changes
from puntobanco.table.cases.late_discovery import check_revealed, check_ruled, find_settled, found_wrong
from puntobanco.table.cases.remedies import Case
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.folds import evolve
from puntobanco.table.insurance import put_right
from puntobanco.table.insurance.repricing import repriced, settled_with
from puntobanco.table.ledger import chips_walked_in, moves
from puntobanco.table.people.lookup import check_box, find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.debts import walked_out
from puntobanco.table.settlement.lines import lines_of
from puntobanco.table.settlement.resettle import settled_again
from puntobanco.table.state import PAYING, Round, Table


def _find(table: Table, number: int) -> Round:
    """The round in progress, or one that was settled."""
    current = table.round
    if current is not None and number in (0, current.number):
        return current
    return find_settled(table, number or table.rounds)


def _check_result(table: Table, found: Round) -> None:
    if found.voided:
        raise Refused(
            "no_round", f"round {found.number} is void: there is nothing to settle", table.irregularity("void")
        )


def _open_still(table: Table, found: Round) -> bool:
    return found is table.round and table.phase is not PAYING


def correct_card(case: Case, ruling: r.CorrectCard) -> Sequence[e.Event]:
    table, found = case.table, _find(case.table, ruling.round)
    check_revealed(table, found)
    if not 1 <= ruling.number <= len(found.cards):
        raise Refused("cards", f"round {found.number} has {len(found.cards)} cards: there is no card {ruling.number}")
    drawn = found.cards[ruling.number - 1]
    if drawn.card is None or not drawn.turned:
        raise Refused("cards", f"card {ruling.number} lies face down: turn it")
    if drawn.card is ruling.card:
        raise Refused("cards", f"card {ruling.number} is {drawn.card} in the record")
    corrected = e.CardCorrected(found.number, ruling.number, drawn.card, ruling.card, case.reason)
    if _open_still(table, found):
        return (corrected,)
    _check_result(table, found)
    check_ruled(table, found)
    after = _find(evolve(table, corrected), found.number)
    cards = tuple(each.card for each in after.cards if each.card is not None)
    dealt = reconstruct(cards)
    if dealt.left_over or not dealt.coup.finished:
        return (corrected, found_wrong(table, found.number, cards, f"card {ruling.number} was {ruling.card}"))
    rows = repriced(table, after, dealt.coup)
    lines = lines_of(table, settled_with(evolve(table, corrected), after, rows))
    again = settled_again(table, replace(found, coup=dealt.coup), lines, case.paragraph, reason=case.reason)
    return (corrected, *rows, again)


def correct_bet(case: Case, ruling: r.CorrectBet) -> Sequence[e.Event]:
    """Chips that the record did not know come from the person's stack, or in from the floor."""
    table, found = case.table, _find(case.table, ruling.round)
    to_box, to_bet = ruling.to_box or ruling.box, ruling.to_bet or ruling.bet
    check_box(table, to_box)
    if table.layout.insurance and ruling.bet in BOXES:
        return _correct_insurance(case, found, ruling)
    if to_bet not in table.layout.bets:
        raise Refused("unknown_bet", f"layout {table.layout.code} does not carry {to_bet}", table.layout.paragraph)
    laid = found.laid or found.wagers
    wager = laid.get((ruling.person, ruling.box, ruling.bet))
    was = wager.stake if wager else 0
    if ruling.stake < 0 or (was, ruling.box, ruling.bet) == (ruling.stake, to_box, to_bet):
        raise Refused("bad_amount", "say what the bet was")
    if found.free and ruling.stake:
        raise Refused("no_wager", "a Free Hand is played without wagers", table.irregularity("free_hand", 3))
    if wager is None:
        _check_at_stake(case, found, ruling)
        find_player(table, ruling.person)
    if _open_still(table, found) and found.paid:
        # settled before and played on: the next settlement posts the difference
        corrected = _bet(found, ruling, was, to_box, to_bet, (), case.reason)
        return (corrected, *walked_out(table, found, ruling.person, was - ruling.stake))
    if _open_still(table, found):
        more = ruling.stake - was
        chips, layout = chips_of(ruling.person), layout_of(ruling.person)
        walked_in = chips_walked_in(table, ruling.person, more - table.stack(ruling.person))
        transfers = moves((chips, layout, more)) if more > 0 else moves((layout, chips, -more))
        corrected = _bet(found, ruling, was, to_box, to_bet, transfers, case.reason)
        walked = (*walked_in, corrected)
        walked = (*walked, *walked_out(evolve(table, corrected), found, ruling.person, -more))
        if not found.closed:
            return (*walked, *flag_changes(table, walked))
        there = laid.get((ruling.person, to_box, to_bet)) if (to_box, to_bet) != (ruling.box, ruling.bet) else None
        stake = ruling.stake + (there.stake if there else 0)
        return (*walked, *uncovered_maximum(table, ruling.person, to_box, to_bet, stake))
    _check_result(table, found)
    check_ruled(table, found)
    return _settled_with(case, found, _bet(found, ruling, was, to_box, to_bet, (), case.reason))


def _correct_insurance(case: Case, found: Round, ruling: r.CorrectBet) -> Sequence[e.Event]:
    table, still = case.table, _open_still(case.table, found)
    if not still:
        _check_result(table, found)
        check_ruled(table, found)
    corrected = put_right.corrected(table, found, ruling, case.paragraph, case.reason)
    if still:
        return put_right.on_the_layout(table, found, corrected)
    return _settled_with(case, found, corrected)


def _settled_with(case: Case, found: Round, corrected: e.BetCorrected | e.InsuranceCorrected) -> Sequence[e.Event]:
    """The round that was settled, settled again with the bets as they were."""
    table, after = case.table, evolve(case.table, corrected)
    again = _find(after, found.number)
    rows = repriced(after, again, again.coup)
    lines = lines_of(after, settled_with(after, again, rows))
    settled = settled_again(table, found, lines, case.paragraph, reason=case.reason)
    walked = walked_out(evolve(table, settled), found, corrected.person, corrected.was - corrected.stake)
    return (corrected, *rows, settled, *walked)


def _check_at_stake(case: Case, found: Round, ruling: r.CorrectBet) -> None:
    """Refuse to correct a bet that went back after the close: however large it was, it neither wins nor loses."""
    if took_back := found.out.get(ruling.person):
        message = f"{ruling.person} has taken everything back: nothing more is at stake"
        raise Refused("no_wager", message, took_back)
    place = (ruling.person, ruling.box, ruling.bet)
    if any((back.person, back.box, back.bet) == place for back in found.taken_back):
        message = f"{ruling.bet} of {ruling.person} in box {ruling.box} went back: nothing of it is at stake"
        raise Refused("no_wager", message, case.paragraph)


def _bet(
    found: Round,
    ruling: r.CorrectBet,
    was: int,
    to_box: int,
    to_bet: str,
    transfers: tuple[e.Transfer, ...],
    reason: str,
) -> e.BetCorrected:
    return e.BetCorrected(
        found.number, ruling.person, ruling.box, ruling.bet, was, ruling.stake, to_box, to_bet, transfers, reason
    )


def correct_call(case: Case, ruling: r.CorrectCall) -> Sequence[e.Event]:
    current = case.table.round
    if current is None or not current.announced:
        raise Refused("not_finished", "no result was called in this round", case.paragraph)
    if current.called == ruling.result:
        raise Refused("already_there", f"{ruling.result} stands in the record")
    return (e.CallCorrected(current.called, ruling.result, case.reason),)


def correct_confirmation(case: Case, ruling: r.CorrectPayout) -> Sequence[e.Event]:
    current = case.table.round
    boxes = {line.box for line in current.lines} if current is not None and current.settled else set()
    if current is None or ruling.box not in boxes or ruling.box in current.unconfirmed:
        raise Refused("confirmations", f"box {ruling.box} was not confirmed in this round", case.table.cite("round"))
    return (e.ConfirmationCorrected(ruling.box, case.reason),)
