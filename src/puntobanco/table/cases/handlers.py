"""Who answers the commands of this concern."""

from __future__ import annotations

from puntobanco.table import commands as c
from puntobanco.table.base import Body
from puntobanco.table.cases.interruption import report_interruption
from puntobanco.table.cases.late_discovery import report_round
from puntobanco.table.cases.options import take
from puntobanco.table.cases.proposals import approve, decline, propose
from puntobanco.table.cases.reports import report
from puntobanco.table.handling import Handler

HANDLERS: dict[type[Body], Handler] = {
    c.Report: report,
    c.ReportInterruption: report_interruption,
    c.ReportRound: report_round,
    c.Propose: propose,
    c.Approve: approve,
    c.Decline: decline,
    c.TakeOption: take,
}
