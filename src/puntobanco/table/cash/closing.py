"""The closing count and the day's result."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.cash.accounts import COMMISSION, DROP, MARKS, TRAY, marked_for
from puntobanco.table.commands import Command
from puntobanco.table.ledger import count_chips
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.rulings import Pay
from puntobanco.table.state import Table


def close_table(table: Table, command: Command, body: c.CloseTable) -> Sequence[e.Event]:
    """Count the tray and work out the day: result = closing + credits + drop − opening − fills."""
    if table.round is not None:
        raise Refused("round_open", round=table.round.number)
    if table.fills:
        raise Refused("unknown_request.signature", requests=list(table.fills))
    if staying := sorted(person.id for person in table.people.values() if table.stack(person.id)):
        raise Refused("players", people=staying)
    if table.balances.get(MARKS):
        owing = sorted(person.id for person in table.people.values() if table.balances.get(marked_for(person.id)))
        raise Refused("players.commission", table.book.commission.paragraph, people=owing)
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
    """Refuse to leave behind what nobody could rule on later. A dispute outlives its table, its payment does not."""
    if table.incidents:
        first = next(iter(table.incidents.values()))
        raise Refused("flagged.incidents", first.paragraph, numbers=list(table.incidents))
    for proposal in table.proposals.values():
        if isinstance(proposal.ruling, Pay) and proposal.ruling.dispute:
            raise Refused("dispute.unpaid", proposal.paragraph, number=proposal.ruling.dispute)
