"""The table's money beside the play: buy-ins and cash-outs, fills and credits, tips, the closing count."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.model import Authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import people
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.ledger import check_stack, count_chips, moves, to_account
from puntobanco.table.refusals import Refused
from puntobanco.table.state import (
    CAGE,
    CASH,
    COMMISSION,
    DROP,
    FLOOR,
    TIPS,
    TRAY,
    Table,
    account_of,
    chips_of,
)


def _positive(amount: int) -> None:
    if amount < 1:
        raise Refused("bad_amount", "an amount is above zero")


def buy_in(table: Table, command: Command, body: c.BuyIn) -> Sequence[e.Event]:
    """Money becomes chips: cash goes down the drop box, chips come out of the tray."""
    _positive(body.amount)
    person = people.find_player(table, body.person)
    if body.source == "cash" and command.actor == person.id:
        raise Refused("rank", "cash is taken by the dealer", table.book.ranks.get("dealer", ""))
    origin = CASH if body.source == "cash" else account_of(person.id)
    transfers = moves((origin, DROP, body.amount), (TRAY, chips_of(person.id), body.amount))
    paragraph = table.cite("drop_and_tips") if body.source == "cash" else ""
    return (e.MoneyMoved("buy_in", person.id, body.amount, transfers, body.source, paragraph),)


def cash_out(table: Table, command: Command, body: c.CashOut) -> Sequence[e.Event]:
    _positive(body.amount)
    person = people.find_player(table, body.person)
    check_stack(table, person.id, body.amount)
    return (e.MoneyMoved("cash_out", person.id, body.amount, to_account(person.id, body.amount), "account"),)


def chips_in(table: Table, command: Command, body: c.ChipsIn) -> Sequence[e.Event]:
    _positive(body.amount)
    person = people.find_player(table, body.person)
    return (
        e.MoneyMoved("chips_in", person.id, body.amount, moves((FLOOR, chips_of(person.id), body.amount)), "floor"),
    )


def chips_out(table: Table, command: Command, body: c.ChipsOut) -> Sequence[e.Event]:
    _positive(body.amount)
    person = people.find_player(table, body.person)
    check_stack(table, person.id, body.amount)
    return (
        e.MoneyMoved("chips_out", person.id, body.amount, moves((chips_of(person.id), FLOOR, body.amount)), "floor"),
    )


def tip(table: Table, command: Command, body: c.Tip) -> Sequence[e.Event]:
    _positive(body.amount)
    person = people.find_player(table, body.person)
    check_stack(table, person.id, body.amount)
    transfers = moves((chips_of(person.id), TIPS, body.amount))
    return (e.MoneyMoved("tip", person.id, body.amount, transfers, "tip box", table.cite("drop_and_tips")),)


def request_fill(table: Table, command: Command, body: c.RequestFill) -> Sequence[e.Event]:
    if command.actor == HOUSE:
        raise Refused("second_person", "a fill or credit is asked for by a person")
    if body.request in table.fills:
        raise Refused("already_there", f"{body.request} is asked for already")
    if count_chips(body.chips, table.settings.chips) < 1:
        raise Refused("bad_amount", f"a {body.kind} of nothing")
    return (e.FillRequested(body.request, body.kind, body.chips, command.actor),)


def sign_fill(table: Table, command: Command, body: c.SignFill) -> Sequence[e.Event]:
    """The second signature moves the chips; one of the two is a Pit Supervisor's or above."""
    fill = table.fills.get(body.request)
    if fill is None:
        raise Refused("unknown_request", f"nobody asked for {body.request}")
    if command.actor in (fill.by, HOUSE):
        raise Refused("second_person", f"{fill.kind} {body.request} needs another person's signature")
    if max(table.rank_of(command.actor), table.rank_of(fill.by)) < Authority.PIT_SUPERVISOR:
        raise Refused("rank", "one of the two signatures is a Pit Supervisor's or above")
    way = (CAGE, TRAY) if fill.kind == "fill" else (TRAY, CAGE)
    kind = c.RequestFill(body.request, "fill" if fill.kind == "fill" else "credit", fill.chips).kind
    signatures = (fill.by, command.actor)
    return (e.FillSigned(body.request, kind, fill.amount, signatures, moves((*way, fill.amount))),)


def cancel_fill(table: Table, command: Command, body: c.CancelFill) -> Sequence[e.Event]:
    if body.request not in table.fills:
        raise Refused("unknown_request", f"nobody asked for {body.request}")
    return (e.FillCancelled(body.request),)


def close_table(table: Table, command: Command, body: c.CloseTable) -> Sequence[e.Event]:
    """Count the tray and reckon the day: result = closing + credits + drop − opening − fills."""
    if table.round is not None:
        raise Refused("round_open", "the round is not over")
    if table.fills:
        raise Refused("unknown_request", f"waiting for a signature: {', '.join(table.fills)}")
    if staying := sorted(person.id for person in table.people.values() if table.stack(person.id)):
        raise Refused("players", f"{', '.join(staying)} still have chips here")
    _check_no_matters(table)
    closing = count_chips(body.count, table.settings.chips)
    ledger = table.balances.get(TRAY, 0) + table.balances.get(COMMISSION, 0)
    drop = table.balances.get(DROP, 0)
    day = table.reckoning
    result = closing + day.credits + drop - day.opening - day.fills
    return (
        e.TableClosed(
            count=body.count,
            opening=day.opening,
            closing=closing,
            fills=day.fills,
            credits=day.credits,
            drop=drop,
            result=result,
            difference=closing - ledger,
        ),
    )


def _check_no_matters(table: Table) -> None:
    """Refuse to leave behind what nobody could rule on any more: at a closed table nothing is."""
    if table.incidents:
        waiting = "; ".join(f"{number}: {found.about}" for number, found in table.incidents.items())
        raise Refused("flagged", f"waits for a ruling: {waiting}", next(iter(table.incidents.values())).paragraph)
    if undecided := [dispute for dispute in table.disputes.values() if not dispute.decision]:
        waiting = ", ".join(f"{dispute.number} of {dispute.person}" for dispute in undecided)
        paragraph = table.irregularity("disputes") or table.book.uncovered.paragraph
        raise Refused("dispute", f"waits for a decision: dispute {waiting}", paragraph)
