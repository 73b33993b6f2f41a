"""What a line need not say: who acts, in which box, and the settings that the book knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from puntobanco.rules.model import Rank, UnknownName
from puntobanco.rules.policies import SqueezeBar
from puntobanco.script.lines import DAY, After, Clock, Time
from puntobanco.table import commands as c
from puntobanco.table import rulings as r
from puntobanco.table.authority import NEEDS, OWN, Need, rank_for
from puntobanco.table.commands import HOUSE
from puntobanco.table.disputes.procedure import deciding_rank, noting_rank
from puntobanco.table.engine import FindBook
from puntobanco.table.settings import TableSettings
from puntobanco.table.state import Table
from puntobanco.table.word import NOT_TAKEN, word_of


def default_actor(table: Table | None, body: c.Body) -> str:
    """Players for themselves, the House where no person's word counts, else the first who came of the lowest rank
    that may.

    What takes two people, a fill or a ruling, comes from somebody other than the one who asked for it.
    """
    if table is None or isinstance(body, c.OpenTable | c.SignOn):
        return HOUSE
    if table.settings.electronic and _is_the_machines(table, body):
        return HOUSE
    if isinstance(body, c.SignOff):
        return body.person
    need = NEEDS[type(body)]
    if need == OWN and not (isinstance(body, c.BuyIn) and body.source == "cash"):
        return str(body.person)  # type: ignore[attr-defined]
    rank, besides = _who_may(table, body, need)
    staff = [person.id for person in table.people.values() if person.staff and person.id != besides]
    may = [person for person in staff if table.rank_of(person) >= rank]
    if not may and _needs_a_witness(table, body):
        may = [person for person in staff if table.rank_of(person) >= table.book.deals]
    return min(may, key=table.rank_of) if may else HOUSE


def _needs_a_witness(table: Table, body: c.Body) -> bool:
    """Whether who proposed has the rank that decides: then the second person is a witness of any rank (reading Z)."""
    proposal = table.proposals.get(body.proposal) if isinstance(body, c.Approve) else None
    return proposal is not None and proposal.rank >= table.book.ranks.of(proposal.needs)


def _is_the_machines(table: Table, body: c.Body) -> bool:
    """Whether nobody but the table's own system can say so."""
    return isinstance(body, c.Turn) or word_of(table.settings.kind, body) in NOT_TAKEN


def _who_may(table: Table, body: c.Body, need: Need) -> tuple[Rank, str]:
    """The rank that may, and who may not all the same."""
    match body:
        case c.SignFill() if body.request in table.fills:
            by = table.fills[body.request].by
            supervised = table.rank_of(by) >= table.book.speaks
            return table.book.deals if supervised else table.book.speaks, by
        case c.Approve() | c.Decline() if body.proposal in table.proposals:
            proposal = table.proposals[body.proposal]
            return table.book.ranks.of(proposal.needs), proposal.by
        case c.AnswerSqueeze() if not body.granted and table.policies.squeeze_bar.value is SqueezeBar.MAY_BE_BARRED:
            return rank_for(table.book, "bars_squeeze"), ""
        case c.AnswerSqueeze() if _asked_early(table, body.person):
            return table.book.speaks, ""
        case c.NoteOnDispute():
            return noting_rank(table, body.what), ""
        case c.DecideDispute():
            return deciding_rank(table), ""
    # the dealer takes cash, and opens cards that nobody squeezes
    return max(rank_for(table.book, need), table.book.deals), ""


def _asked_early(table: Table, person: str) -> bool:
    squeezes = table.round.squeezes if table.round else ()
    return any(asked.early and asked.person == person and asked.granted is None for asked in squeezes)


def own_box(table: Table | None, person: str) -> int:
    """The box where somebody is; 0 for somebody who is not at the table."""
    found = table.people.get(person) if table else None
    return found.box if found else 0


IN_A_BOX = (c.Place, c.Withdraw, c.Insure, c.FindBet, c.LateChips, r.SetStake, r.MoveInsurance, r.CorrectBet)
"""Commands and rulings whose lines need not name the box where it is the person's own."""


def with_box(table: Table | None, body: c.Body) -> c.Body:
    """The command with the person's own box where the line names none."""
    return _change_box(body, lambda person, box: box or own_box(table, person))


def without_box(table: Table | None, body: c.Body) -> c.Body:
    """The other way round: the person's own box is left out."""
    return _change_box(body, lambda person, box: 0 if box == own_box(table, person) else box)


def _change_box(body: c.Body, change: Callable[[str, int], int]) -> c.Body:
    item = body.ruling if isinstance(body, c.Propose) else body
    if not isinstance(item, IN_A_BOX):
        return body
    item = msgspec.structs.replace(item, box=change(item.person, item.box))
    return msgspec.structs.replace(body, ruling=item) if isinstance(body, c.Propose) else item  # type: ignore[return-value]


def open_table(fields: dict[str, Any], books: FindBook) -> c.OpenTable:
    """The opening with these settings; what they leave out is as in the book."""
    fields = fields.copy()
    opening = fields.pop("opening_float", {})
    usual: dict[str, Any] = {"table": "t1", "game": "", "layout": "", "positions": 1, "decks": 1}
    try:
        book = books(fields.get("game", ""))
        layout = book.layout(fields.get("layout", next(iter(book.layouts))))
        assert layout is not None
        usual |= {"layout": layout.code, "positions": max(layout.positions), "decks": book.decks.default}
    except UnknownName:
        pass  # the table refuses a game or layout that is not there
    return c.OpenTable(TableSettings(**usual | fields), opening)


def later(clock: int, time: Time | None) -> int:
    """The time of an act, in milliseconds since the epoch, when the clock stood there before."""
    if time is None:
        return clock
    if isinstance(time, After):
        return clock + time.milliseconds
    if isinstance(time, Clock):
        return clock + (time.milliseconds - clock) % DAY
    return time.milliseconds
