"""Bets taken back before the close, and after a Cut Card that is the first card of the round."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.bets.limits import check_rest
from puntobanco.table.bets.outside_limits import flag_changes
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.commands import Command
from puntobanco.table.ledger import money, moves
from puntobanco.table.people.lookup import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Round, Table


def withdraw(table: Table, command: Command, body: c.Withdraw) -> Sequence[e.Event]:
    """Always allowed before the close, even where it leaves the table over the Differential: that is flagged."""
    if table.round is None or table.round.voided:
        raise Refused("no_round", "there are no bets to withdraw", table.cite("call"))
    current = table.round
    after_cut_card = _cut_card_first(table, current)
    if current.closed and not (after_cut_card and current.untouched):
        raise Refused(
            "bets_closed",
            "no bet may be withdrawn after the close",
            after_cut_card or table.irregularity("late_withdrawal") or table.cite("close"),
        )
    person = find_player(table, body.person)
    wager = current.wagers.get((person.id, body.box, body.bet))
    if wager is None:
        raise Refused("no_wager", f"{person.id} has no bet on {body.bet} in box {body.box}")
    amount = wager.stake if body.amount is None else body.amount
    if not 1 <= amount <= wager.stake:
        raise Refused("bad_amount", f"the bet is {money(table, wager.stake)}", fits=wager.stake)
    check_rest(table, body.bet, wager.stake, amount)
    by = command.actor if command.actor != person.id else ""
    reduced = e.WagerReduced(
        person.id,
        body.box,
        body.bet,
        amount,
        "withdrawn",
        moves((layout_of(person.id), chips_of(person.id), amount)),
        after_cut_card if current.closed else table.cite("close"),
        by,
    )
    # what goes back after the close does not reopen the question of the Differential
    return (reduced,) if current.closed else (reduced, *flag_changes(table, (reduced,)))


def _cut_card_first(table: Table, current: Round) -> str:
    """The paragraph of a Cut Card that is the round's first card in a high-limit area; empty where there is none.

    Until a card is dealt bets may then be withdrawn (5.7.1), afterwards no more (5.7.2): reading K.
    """
    paragraphs = table.book.irregularities.get("cut_card")
    if not paragraphs or not table.settings.high_limit or not current.cut_first:
        return ""
    return paragraphs[1] if not current.cards else paragraphs[2]


def conclude_without_bets(table: Table, now: int) -> Sequence[e.Event]:
    """A round from which every bet was withdrawn after the Cut Card is concluded; it is not void."""
    current = table.round
    assert current is not None
    if current.wagers or not current.untouched or not _cut_card_first(table, current):
        return ()
    return (e.RoundEnded(current.number, table.shoe.discards),)
