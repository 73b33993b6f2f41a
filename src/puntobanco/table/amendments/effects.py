"""What each ruling about the record leads to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.amendments.amending import amend
from puntobanco.table.amendments.entries import ENTRIES
from puntobanco.table.cases.remedies import Case
from puntobanco.table.refusals import Refused


def correct_call(case: Case, ruling: r.CorrectCall) -> Sequence[e.Event]:
    """The dealer's call was keyed wrongly."""
    current = case.table.round
    if current is None or not current.announced:
        raise Refused("not_finished.no_result", case.paragraph)
    if current.called == ruling.result:
        raise Refused("already_there.result", result=ruling.result)
    return (e.CallCorrected(current.called, ruling.result, case.reason),)


def correct_confirmation(case: Case, ruling: r.CorrectPayout) -> Sequence[e.Event]:
    """A box was confirmed by mistake."""
    current = case.table.round
    boxes = {line.box for line in current.lines} if current is not None and current.settled else set()
    if current is None or ruling.box not in boxes or ruling.box in current.unconfirmed:
        raise Refused("confirmations.not_confirmed", case.table.procedures.round.rule, box=ruling.box)
    return (e.ConfirmationCorrected(ruling.box, case.reason),)


EFFECTS: dict[type[r.Ruling], Callable[[Case, Any], Sequence[e.Event]]] = {
    **dict.fromkeys(ENTRIES, amend),
    r.CorrectCall: correct_call,
    r.CorrectPayout: correct_confirmation,
}
