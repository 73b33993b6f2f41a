"""Fills and credits: two people sign before chips move between tray and cage."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.base import HOUSE
from puntobanco.table.cash.accounts import CAGE, TRAY
from puntobanco.table.commands import Command
from puntobanco.table.ledger import check_tray, count_chips, moves
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Table


def request_fill(table: Table, command: Command, body: c.RequestFill) -> Sequence[e.Event]:
    """Somebody asks for a fill or credit."""
    if command.actor == HOUSE:
        raise Refused("second_person.house")
    if body.request in table.fills:
        raise Refused("already_there.request", request=body.request)
    check_tray(table, count_chips(body.chips, table.settings.chips))
    return (e.FillRequested(body.request, body.kind, body.chips, command.actor),)


def sign_fill(table: Table, command: Command, body: c.SignFill) -> Sequence[e.Event]:
    """The second signature moves the chips; one of the two must be from a Pit Supervisor or above."""
    fill = table.fills.get(body.request)
    if fill is None:
        raise Refused("unknown_request.fill", request=body.request)
    if command.actor in (fill.by, HOUSE):
        raise Refused("second_person.signature", request=body.request)
    if max(table.rank_of(command.actor), table.rank_of(fill.by)) < table.book.speaks:
        raise Refused("rank.signature", rank=table.book.speaks.code)
    way = (CAGE, TRAY) if fill.kind == "fill" else (TRAY, CAGE)
    kind = c.RequestFill(body.request, "fill" if fill.kind == "fill" else "credit", fill.chips).kind
    signatures = (fill.by, command.actor)
    return (e.FillSigned(body.request, kind, fill.amount, signatures, moves((*way, fill.amount))),)


def cancel_fill(table: Table, command: Command, body: c.CancelFill) -> Sequence[e.Event]:
    """A fill or credit is called off."""
    if body.request not in table.fills:
        raise Refused("unknown_request.fill", request=body.request)
    return (e.FillCancelled(body.request),)
