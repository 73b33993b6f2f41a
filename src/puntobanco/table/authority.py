"""Who may give which command (reading S). The same table feeds the engine, the views and the documentation."""

from __future__ import annotations

from typing import get_args

from puntobanco.rules.model import NO_RANK, USUAL_POWERS, USUAL_RANKS, Power, Powers, Rank, RuleBook
from puntobanco.table import commands as c
from puntobanco.table.base import DEALS as DEALS
from puntobanco.table.base import HOUSE
from puntobanco.table.base import OWN as OWN
from puntobanco.table.base import Need as Need
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Table

NEEDS: dict[type[c.Body], Need] = {body: body.needs for body in get_args(c.AnyCommand)}
"""Command → what the book must let somebody do."""


def rank_for(book: RuleBook | None, need: Need) -> Rank:
    """The lowest rank of a book that may give what needs this; the usual one before a table has a book."""
    if need in ("own", "anybody"):
        return NO_RANK
    ranks, powers = (USUAL_RANKS, USUAL_POWERS) if book is None else (book.ranks, book.authority)
    if need == DEALS:
        return ranks.lowest
    return ranks.of(_power(powers, need).rank)


def _power(powers: Powers, need: Need) -> Power:
    """What the book lets a rank do."""
    if need == "bars_squeeze":
        return powers.bars_squeeze or powers.manages
    if need in ("disputes_first", "disputes_decided"):
        return powers.disputes_first if need == "disputes_first" else powers.disputes_decided
    return powers.house if need == "speaks" else powers.manages


def lacking_rank(book: RuleBook | None, need: Need, *, in_person: bool = False) -> Refused:
    """The refusal of what needs a higher rank, by the paragraph that gives it to that rank in this case."""
    rank = rank_for(book, need)
    by_name = need in (OWN, "anybody", DEALS)
    paragraph = rank.paragraph if book is None or by_name else _power(book.authority, need).paragraph
    return Refused("rank.in_person" if in_person else "rank.needed", paragraph, rank=rank.code)


def check_authority(table: Table | None, actor: str, body: c.Body) -> None:
    """Refuse a command from somebody without the right to give it. The House's own system deals and administers."""
    need = body.needs
    if actor == HOUSE:
        if type(body) not in HOUSE_MAY:
            raise lacking_rank(table.book if table else None, need, in_person=True)
    elif need is OWN:
        person: str = body.person  # type: ignore[attr-defined]
        if actor != person and (table is None or table.rank_of(actor) is NO_RANK):
            paragraph = table.procedures.staff_bets.rule if table else ""
            raise Refused("not_yours.person", paragraph, actor=actor, person=person)
    else:
        book = table.book if table else None
        if table is None or table.rank_of(actor) < rank_for(book, need):
            raise lacking_rank(book, need)


HOUSE_MAY = {
    *(body for body, need in NEEDS.items() if need in (OWN, "anybody", DEALS)),
    *(c.OpenTable, c.CloseTable, c.SignOn, c.EndShoe),
}
"""What the House's system may do: what needs no rank above the dealer's, and administration."""
