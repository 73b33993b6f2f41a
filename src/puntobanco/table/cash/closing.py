"""The closing count and the day's reckoning."""

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
    """Count the tray and reckon the day: result = closing + credits + drop − opening − fills."""
    if table.round is not None:
        raise Refused("round_open", "the round is not over")
    if table.fills:
        raise Refused("unknown_request", f"waiting for a signature: {', '.join(table.fills)}")
    if staying := sorted(person.id for person in table.people.values() if table.stack(person.id)):
        raise Refused("players", f"{', '.join(staying)} still have chips here")
    if table.balances.get(MARKS):
        owing = sorted(person.id for person in table.people.values() if table.balances.get(marked_for(person.id)))
        message = f"commission of {', '.join(owing) or 'others'} is marked: it is paid when the shoe ends"
        raise Refused("players", message, table.book.commission.paragraph)
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
        paragraph = table.irregularities.disputes.raised or table.book.uncovered.paragraph
        raise Refused("dispute", f"waits for a decision: dispute {waiting}", paragraph)
    for proposal in table.proposals.values():
        if isinstance(proposal.ruling, Pay) and proposal.ruling.dispute:
            message = f"what dispute {proposal.ruling.dispute} pays is to be approved or declined first"
            raise Refused("dispute", message, proposal.paragraph)
