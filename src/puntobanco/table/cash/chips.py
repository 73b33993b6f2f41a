"""Money and chips of players: buy-ins and cash-outs, chips walking in and out, tips."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.cash.accounts import CASH, DROP, FLOOR, TIPS, TRAY, account_of, chips_of
from puntobanco.table.commands import Command
from puntobanco.table.ledger import check_amount, check_stack, check_tray, moves, to_account
from puntobanco.table.people import lookup
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Table


def buy_in(table: Table, command: Command, body: c.BuyIn) -> Sequence[e.Event]:
    """Money becomes chips: cash goes down the drop box, chips come out of the tray."""
    check_tray(table, body.amount)
    person = lookup.find_player(table, body.person)
    if body.source == "cash" and command.actor == person.id:
        raise Refused("rank.cash", table.book.deals.paragraph)
    origin = CASH if body.source == "cash" else account_of(person.id)
    transfers = moves((origin, DROP, body.amount), (TRAY, chips_of(person.id), body.amount))
    paragraph = table.procedures.drop_and_tips.rule if body.source == "cash" else ""
    return (e.MoneyMoved("buy_in", person.id, body.amount, transfers, body.source, paragraph),)


def cash_out(table: Table, command: Command, body: c.CashOut) -> Sequence[e.Event]:
    """Chips become money on the player's account."""
    check_amount(body.amount)
    person = lookup.find_player(table, body.person)
    check_stack(table, person.id, body.amount)
    return (e.MoneyMoved("cash_out", person.id, body.amount, to_account(person.id, body.amount), "account"),)


def chips_in(table: Table, command: Command, body: c.ChipsIn) -> Sequence[e.Event]:
    """Chips come to the table from the floor."""
    check_tray(table, body.amount)
    person = lookup.find_player(table, body.person)
    return (
        e.MoneyMoved("chips_in", person.id, body.amount, moves((FLOOR, chips_of(person.id), body.amount)), "floor"),
    )


def chips_out(table: Table, command: Command, body: c.ChipsOut) -> Sequence[e.Event]:
    """Chips leave the table for the floor."""
    check_amount(body.amount)
    person = lookup.find_player(table, body.person)
    check_stack(table, person.id, body.amount)
    return (
        e.MoneyMoved("chips_out", person.id, body.amount, moves((chips_of(person.id), FLOOR, body.amount)), "floor"),
    )


def tip(table: Table, command: Command, body: c.Tip) -> Sequence[e.Event]:
    """Chips go to the tip box."""
    check_amount(body.amount)
    person = lookup.find_player(table, body.person)
    check_stack(table, person.id, body.amount)
    transfers = moves((chips_of(person.id), TIPS, body.amount))
    return (e.MoneyMoved("tip", person.id, body.amount, transfers, "tip_box", table.procedures.drop_and_tips.rule),)
