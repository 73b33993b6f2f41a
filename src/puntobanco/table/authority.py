"""Who may give which command (reading S). The same table feeds the engine, the views and the documentation."""

from __future__ import annotations

from puntobanco.rules.model import Authority
from puntobanco.table import commands as c
from puntobanco.table.base import HOUSE
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Table

OWN = "own"
"""A player for himself; staff for any player."""
NEEDS: dict[type[c.Body], Authority | str] = {
    c.OpenTable: Authority.PIT_MANAGER,
    c.CloseTable: Authority.PIT_SUPERVISOR,
    c.SetLimits: Authority.PIT_MANAGER,
    c.SetDifferential: Authority.PIT_MANAGER,
    c.SignOn: Authority.PIT_SUPERVISOR,
    c.SignOff: Authority.DEALER,
    c.Join: OWN,
    c.Leave: OWN,
    c.BuyIn: OWN,
    c.CashOut: OWN,
    c.ChipsIn: Authority.DEALER,
    c.ChipsOut: Authority.DEALER,
    c.Tip: OWN,
    c.RequestFill: Authority.DEALER,
    c.SignFill: Authority.DEALER,
    c.CancelFill: Authority.DEALER,
    c.NewShoe: Authority.DEALER,
    c.Cut: OWN,
    c.Burn: Authority.DEALER,
    c.CutCard: Authority.DEALER,
    c.EndShoe: Authority.PIT_SUPERVISOR,
    c.Call: Authority.DEALER,
    c.Place: OWN,
    c.Withdraw: OWN,
    c.RefuseBalance: OWN,
    c.Close: Authority.DEALER,
    c.AskSqueeze: OWN,
    c.AskEarlySqueeze: OWN,
    c.AnswerSqueeze: Authority.DEALER,
    c.BarSqueeze: Authority.PIT_MANAGER,
    c.Deal: Authority.DEALER,
    c.Draw: Authority.DEALER,
    c.PutCard: Authority.DEALER,
    c.Turn: Authority.PLAYER,
    c.OfferInsurance: Authority.DEALER,
    c.Insure: OWN,
    c.PassInsurance: OWN,
    c.CloseInsurance: Authority.DEALER,
    c.Announce: Authority.DEALER,
    c.Settle: Authority.DEALER,
    c.Confirm: Authority.DEALER,
    c.OverrideConfirmation: Authority.PIT_MANAGER,
    c.FindBet: Authority.DEALER,
    c.LateChips: Authority.DEALER,
    c.WalkAway: Authority.DEALER,
    c.ComeBack: OWN,
    c.ReportCards: Authority.DEALER,
    c.Report: Authority.DEALER,
    c.ReportInterruption: Authority.DEALER,
    c.ReportRound: Authority.DEALER,
    c.MeantToInsure: Authority.DEALER,
    c.Propose: Authority.DEALER,
    c.Approve: Authority.DEALER,
    c.Decline: Authority.DEALER,
    c.TakeOption: OWN,
    c.RaiseDispute: OWN,
    c.NoteOnDispute: Authority.PIT_SUPERVISOR,
    c.DecideDispute: Authority.PIT_MANAGER,
    c.AnswerDispute: OWN,
}
"""Command → the lowest rank that may give it."""


def check_authority(table: Table | None, actor: str, body: c.Body) -> None:
    """Refuse a command from somebody without the right to give it. The House's own system deals and administers."""
    need = NEEDS[type(body)]
    if actor == HOUSE:
        if type(body) not in HOUSE_MAY:
            assert isinstance(need, Authority), need
            raise Refused("rank", f"this needs {need.with_article} or above in person", _paragraph(table, need))
    elif need is OWN:
        person: str = body.person  # type: ignore[attr-defined]
        if actor != person and (table is None or table.rank_of(actor) < Authority.DEALER):
            paragraph = table.cite("staff_bets") if table else ""
            raise Refused("not_yours", f"{actor} may not do that for {person}", paragraph)
    else:
        assert isinstance(need, Authority), need
        if table is None or table.rank_of(actor) < need:
            raise Refused("rank", f"this needs {need.with_article} or above", _paragraph(table, need))


HOUSE_MAY = {
    *(body for body, need in NEEDS.items() if need in (OWN, Authority.PLAYER, Authority.DEALER)),
    *(c.OpenTable, c.CloseTable, c.SignOn, c.EndShoe),
}
"""What the House's system may do: what needs no rank above the dealer's, and administration."""


def _paragraph(table: Table | None, rank: Authority) -> str:
    return table.book.ranks.get(rank.value, "") if table else ""
