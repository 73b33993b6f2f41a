"""Bets taken back before the close, and after a Cut Card that is the first card of the round."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.policies import CutCardFirst
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.bets.limits import check_not_begun, check_rest
from puntobanco.table.bets.outside_limits import flag_changes
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.commands import Command
from puntobanco.table.ledger import moves
from puntobanco.table.people.lookup import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Round, Table


def withdraw(table: Table, command: Command, body: c.Withdraw) -> Sequence[e.Event]:
    """Always allowed before the close, even where it leaves the table over the Differential: that is flagged."""
    if table.round is None or table.round.voided:
        raise Refused("no_round.bets", table.procedures.call.rule)
    current = table.round
    after_cut_card = _after_cut_card(table, current) if may_withdraw_late(table, current) else ""
    if current.closed and not (may_withdraw_late(table, current) and current.untouched):
        raise Refused(
            "bets_closed.withdraw",
            after_cut_card or table.irregularities.late_withdrawal.rule or table.book.uncovered.paragraph,
        )
    check_not_begun(table, current)
    person = find_player(table, body.person)
    wager = current.wagers.get((person.id, body.box, body.bet))
    if wager is None:
        raise Refused("no_wager.bet", person=person.id, bet=body.bet, box=body.box)
    amount = wager.stake if body.amount is None else body.amount
    if not 1 <= amount <= wager.stake:
        raise Refused("bad_amount.bet", "", wager.stake, amount=wager.stake)
    check_rest(table, body.bet, wager.stake, amount)
    by = command.actor if command.actor != person.id else ""
    reduced = e.WagerReduced(
        person.id,
        body.box,
        body.bet,
        amount,
        "withdrawn",
        moves((layout_of(person.id), chips_of(person.id), amount)),
        after_cut_card if current.closed else table.procedures.close.rule,
        by,
    )
    # what goes back after the close does not reopen the question of the Differential
    return (reduced,) if current.closed else (reduced, *flag_changes(table, (reduced,)))


def may_withdraw_late(table: Table, current: Round) -> bool:
    """Whether the Cut Card is the round's first card, and bets may be withdrawn until a card is dealt (reading K)."""
    return current.cut_first and withdrawn_after_cut_card(table)


def withdrawn_after_cut_card(table: Table) -> bool:
    """Whether this table lets bets be withdrawn after a Cut Card that is the first card of a round."""
    stated = table.policies.cut_card_first.value
    high_limit = stated is CutCardFirst.WITHDRAW_IN_HIGH_LIMIT and table.settings.high_limit
    return high_limit or stated is CutCardFirst.WITHDRAW


def _after_cut_card(table: Table, current: Round) -> str:
    slots = table.irregularities.cut_card
    return slots.too_late if current.cards else slots.first_card


def conclude_without_bets(table: Table, now: int) -> Sequence[e.Event]:
    """A round from which every bet was withdrawn after the Cut Card is concluded; it is not void."""
    current = table.round
    assert current is not None
    if current.wagers or not current.untouched or not may_withdraw_late(table, current):
        return ()
    return (e.RoundEnded(current.number, table.shoe.discards),)
