"""The limit sign of an open table: the pit changes it between rounds, and a round in progress ends as it began."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import (
    BetLimits,
    Differential,
    SettingsError,
    TableSettings,
    check_settings,
    in_units,
    scoped,
)
from puntobanco.table.state import Table


def set_limits(table: Table, command: Command, body: c.SetLimits) -> Sequence[e.Event]:
    """Other limits from the next round on."""
    settings = table.settings
    limits = in_units(BetLimits(body.minimum, body.maximum, body.step), settings.rounding)
    before = settings.limits_of(body.bet) if body.bet else settings.limits
    after = replace(settings, bet_limits=settings.bet_limits | {body.bet: limits})
    _check(table, after if body.bet else replace(settings, limits=limits))
    return (e.LimitsSet(body.bet, before, limits, table.rounds + 1, _paragraph(table)),)


def set_differential(table: Table, command: Command, body: c.SetDifferential) -> Sequence[e.Event]:
    """Another Differential from the next round on."""
    differential = scoped(Differential(body.limit, body.scope) if body.limit is not None else None, table.book)
    _check(table, replace(table.settings, differential=differential))
    before, first = table.settings.differential, table.rounds + 1
    return (e.DifferentialSet(before, differential, first, _paragraph(table)),)


def _paragraph(table: Table) -> str:
    return table.procedures.limits_sign.rule or "reading L"


def _check(table: Table, settings: TableSettings) -> None:
    try:
        check_settings(settings, table.book)
    except SettingsError as error:
        raise Refused("bad_settings.invalid", _paragraph(table), problem=str(error)) from error
