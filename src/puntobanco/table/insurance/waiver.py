"""A private table without insurance: a player asks, the House allows it, and who comes later accepts it (4.2.2)."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.policies import PrivateTable
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.people.lookup import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Table


def waive(table: Table, command: Command, body: c.WaiveInsurance) -> Sequence[e.Event]:
    """Between rounds only: a player who has bet knew what was offered."""
    paragraph = table.irregularities.no_insurance.rule
    known = table.layout.insurance and table.policies.private_table.value is not PrivateTable.SAME
    if not known or not (table.settings.private or table.settings.no_insurance):
        raise Refused("no_insurance.not_private", paragraph or table.book.uncovered.paragraph)
    person = find_player(table, body.person)
    if table.round is not None:
        raise Refused("round_open", table.procedures.round.rule, round=table.round.number)
    if table.settings.no_insurance is not body.offered:
        raise Refused("no_insurance.as_it_is", paragraph)
    return (e.InsuranceWaived(person.id, command.actor, body.offered, table.rounds + 1, paragraph),)
