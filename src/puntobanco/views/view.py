"""What each kind of viewer sees of a table, and what this one may do now (``docs/views.md`` has the list).

Everything is denied unless it is put in here: every part is built field by field for the viewers who may have
it. No view holds a card that is not turned, the shoe's order, or money outside the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

import msgspec
from msgspec.structs import replace

from puntobanco.cards import Side
from puntobanco.money import Odds
from puntobanco.rules.model import NO_RANK, Window
from puntobanco.table.about import Words
from puntobanco.table.commands import HOUSE
from puntobanco.table.insurance import caps
from puntobanco.table.settlement.commission import marked
from puntobanco.table.squeeze.rights import right_holder
from puntobanco.table.state import (
    COMMISSION,
    DROP,
    RECEIVABLES,
    SUSPECT,
    TIPS,
    TRAY,
    Round,
    Table,
    held_for,
    layout_of,
)
from puntobanco.views import actions as commands
from puntobanco.views.actions import beside_others, insurable, player_actions, staff_actions
from puntobanco.views.difference import Difference, difference
from puntobanco.views.exposure import Exposure, exposures
from puntobanco.views.judge import Action, Memory, late
from puntobanco.views.matters import Claims, Matters, OwnOption, claims, matters, own_option
from puntobanco.views.payments import Chips, Payment, chips_seen, payments, payments_again
from puntobanco.views.public import Public, public
from puntobanco.views.relevant import touched, untouched, wagers_of
from puntobanco.views.steps import NextStep, next_step

ViewerKind = Literal["player", "dealer", "pit", "surveillance", "display"]


class Viewer(msgspec.Struct, frozen=True):
    """Who looks. The caller vouches for the person; nobody at the table sees beyond the rank held there."""

    kind: ViewerKind
    person: str = ""


class WagerSeen(msgspec.Struct, frozen=True):
    """Chips on a bet, and whose they are."""

    person: str
    box: int
    bet: str
    stake: int
    seated: bool


class InsuranceSeen(msgspec.Struct, frozen=True):
    """Insurance that was taken, at the odds of its row."""

    person: str
    box: int
    hand: Side
    stake: int
    odds: Odds
    window: Window


class OfferSeen(msgspec.Struct, frozen=True):
    """Insurance that the player may take: on what, at which odds, and how much at most."""

    box: int
    hand: Side
    odds: Odds
    most: int


class SqueezeSeen(msgspec.Struct, frozen=True):
    """A squeeze asked for; ``granted`` is None as long as nobody has answered."""

    person: str
    hand: Side
    early: str
    granted: bool | None


class Own(msgspec.Struct, frozen=True):
    """A player's own things."""

    person: str
    box: int
    seated: bool
    stack: int
    on_layout: int
    wagers: tuple[WagerSeen, ...]
    insurance: tuple[InsuranceSeen, ...]
    offers: tuple[OfferSeen, ...]
    forgone: bool
    squeezes: tuple[SqueezeSeen, ...]
    barred: bool
    payments: tuple[Payment, ...]
    """Of this round once it is settled, until then of the round before."""
    again: tuple[Payment, ...]
    """Of rounds of this shoe that were settled again since."""
    option: OwnOption | None
    """To go on or to take back, where it is asked and not answered."""
    marked: int
    """Commission that is marked and to be paid."""


class PlayerSeen(msgspec.Struct, frozen=True):
    """A player at a box or behind it, with the chips beside and on the layout."""

    person: str
    box: int
    seated: bool
    stack: int
    on_layout: int
    marked: int
    """Commission that is marked and to be collected."""


class StaffSeen(msgspec.Struct, frozen=True):
    """Staff at the table."""

    person: str
    rank: str


class FillSeen(msgspec.Struct, frozen=True):
    """A fill or credit that waits for its second signature."""

    request: str
    kind: str
    amount: int
    chips: tuple[Chips, ...]
    by: str


class Felt(msgspec.Struct, frozen=True):
    """What the dealer sees on the felt: who has put what where, what to take and pay, who asks for what."""

    players: tuple[PlayerSeen, ...]
    staff: tuple[StaffSeen, ...]
    wagers: tuple[WagerSeen, ...]
    insurance: tuple[InsuranceSeen, ...]
    unanswered: tuple[str, ...]
    """Who is offered insurance and has not answered."""
    forgone: tuple[str, ...]
    squeezes: tuple[SqueezeSeen, ...]
    player_squeezer: str | None
    """Who has the right to squeeze that hand."""
    banker_squeezer: str | None
    payments: tuple[Payment, ...]
    unconfirmed: tuple[int, ...]
    fills: tuple[FillSeen, ...]


class Books(msgspec.Struct, frozen=True):
    """The table's money: the tray and boxes by the ledger, the day so far, and what the round may cost."""

    tray: int
    drop: int
    commission: int
    tips: int
    opening: int
    fills: int
    credits: int
    result: int
    staked: int
    receivables: int
    """What players owe."""
    held: int
    """Chips kept for people who are not at the table."""
    exposure: tuple[Exposure, ...]
    suspect: int = 0
    """Chips and cash that may be counterfeit, held apart and in no count."""


class Flag(msgspec.Struct, frozen=True):
    """Something that is not as the book wants it. ``about`` is for staff."""

    flag: str
    about: Words
    paragraph: str


class View(msgspec.Struct, frozen=True):
    """A table as one viewer sees it. ``viewer.kind`` is what was granted, perhaps less than was asked for."""

    version: int
    now: int
    viewer: Viewer
    public: Public
    own: Own | None
    claims: Claims | None
    felt: Felt | None
    matters: Matters | None
    books: Books | None
    flags: tuple[Flag, ...]
    next_step: NextStep | None
    actions: tuple[Action, ...]


MOMENTS = 16
"""Moments since which it is known whom what has happened concerns."""


class Common:
    """What all who look at a table at one moment share; each part is made once, for the first who sees it."""

    def __init__(self, table: Table, now: int, before: Common | None = None) -> None:
        self.table = table
        self.now = now
        self._sign = before.public.sign if before is not None and _same_sign(before.table, table) else None
        self._since: tuple[Public, Difference] | None = None
        self.moment = object()
        self._touched = self._since_before(before) if before is not None else {}

    def _since_before(self, before: Common) -> dict[object, frozenset[str]]:
        """By moment the accounts touched since, for as long as nothing else has happened that anybody could see."""
        found = touched(before.table, self.table)
        if found is None or late(before.table, before.now) != late(self.table, self.now) or before.step != self.step:
            return {}
        known = {moment: earlier | found for moment, earlier in before._touched.items()}
        while len(known) >= MOMENTS:
            del known[next(iter(known))]
        return known | {before.moment: found}

    def spares(self, moment: object, person: str) -> bool:
        """Whether nothing has changed since that moment for a person who plays, but what all see."""
        if moment is self.moment:
            return True
        found = self._touched.get(moment)
        return found is not None and untouched(found, person)

    @cached_property
    def public(self) -> Public:
        return public(self.table, self.now, self._sign)

    @cached_property
    def step(self) -> NextStep | None:
        return next_step(self.table)

    @cached_property
    def felt(self) -> Felt:
        return _felt(self.table)

    @cached_property
    def matters(self) -> Matters:
        return matters(self.table, self.now)

    @cached_property
    def books(self) -> Books:
        return _books(self.table)

    def public_since(self, before: Public) -> Difference:
        """How the public part differs from an earlier one, which for most is the same."""
        if self._since is None or self._since[0] is not before:
            self._since = before, difference(before, self.public, "public")
        return self._since[1]


def _same_sign(before: Table, after: Table) -> bool:
    """Whether what stands at the table all day is the same; another table has other settings."""
    return before.book is after.book and before.settings is after.settings and before.terms is after.terms


def view(table: Table, viewer: Viewer, now: int) -> View:
    """The table as this viewer may see it at that moment.

    >>> from puntobanco.table import HOUSE, Command, TableSettings, execute
    >>> from puntobanco.table.commands import OpenTable
    >>> settings = TableSettings(table="T1", game="super-six", layout="A", positions=6, decks=8)
    >>> table = execute(None, Command("1", HOUSE, 0, OpenTable(settings))).table
    >>> seen = view(table, Viewer("display"), now=0)
    >>> seen.public.phase.value, seen.next_step.do, seen.next_step.who
    ('idle', 'new_shoe', 'dealer')
    """
    return look(Common(table, now), viewer)


def look(common: Common, viewer: Viewer, memory: Memory | None = None) -> View:
    """The same for one of many viewers, or for one who looks again and again and has a memory."""
    table, now = common.table, common.now
    kind = granted(table, viewer)
    if memory is not None and kind == viewer.kind and (found := _spared(common, viewer, memory)) is not None:
        return found
    staff = kind in ("dealer", "pit", "surveillance")
    actions: tuple[Action, ...] = ()
    if memory is not None:
        memory.again()
    if viewer.kind == "player":
        actions = player_actions(table, viewer.person, now, memory)
    elif kind in ("dealer", "pit"):
        actions = staff_actions(table, viewer.person, now, memory)
    step = _next(common.step, viewer.person, staff, actions)
    found = replace(_past_view(common, viewer, kind), next_step=step, actions=actions)
    if memory is not None:
        memory.seen = common.moment, found
    return found


def _spared(common: Common, viewer: Viewer, memory: Memory) -> View | None:
    """The latest view of a player or a display, with the part that all see as it is now, where no other is another."""
    if memory.seen is None or viewer.kind not in ("player", "display"):
        return None
    moment, latest = memory.seen
    assert isinstance(latest, View)
    if (viewer.kind == "player" and beside_others(common.table)) or not common.spares(moment, viewer.person):
        return None
    found = replace(latest, version=common.table.version, now=common.now, public=common.public)
    memory.seen = common.moment, found
    return found


def past_view(table: Table, viewer: Viewer, now: int) -> View:
    """The same of a moment that is over, also between two events of one command: nothing is left to do there."""
    return _past_view(Common(table, now), viewer, granted(table, viewer))


def _past_view(common: Common, viewer: Viewer, kind: ViewerKind) -> View:
    table = common.table
    staff = kind in ("dealer", "pit", "surveillance")
    return View(
        table.version,
        common.now,
        Viewer(kind, viewer.person),
        common.public,
        _own(table, viewer.person) if kind == "player" else None,
        claims(table, viewer.person) if viewer.kind == "player" and table.rank_of(viewer.person) is NO_RANK else None,
        common.felt if staff else None,
        common.matters if staff else None,
        common.books if kind in ("pit", "surveillance") else None,
        _flags(table, staff),
        None,
        (),
    )


def since(common: Common, before: View, after: View) -> Difference:
    """What turns the view that a client has into the next one."""
    return common.public_since(before.public).beside(own_since(before, after))


def own_since(before: View, after: View) -> Difference:
    """The same without what all viewers see."""
    return difference(before, after, without=("version", "now", "public"))


def round_actions(table: Table, viewer: Viewer, number: int, now: int) -> tuple[Action, ...]:
    """Corrections of the record of any round of this shoe; those of the latest are in the view."""
    may = granted(table, viewer) in ("dealer", "pit")
    return commands.round_actions(table, viewer.person, number, now) if may else ()


def granted(table: Table, viewer: Viewer) -> ViewerKind:
    """As what somebody sees the table: nobody who is there sees more than that place allows."""
    if viewer.kind == "display":
        return "display"
    person = table.people.get(viewer.person)
    if viewer.kind == "player":
        return "player" if person is not None and not person.staff else "display"
    if person is not None and table.rank_of(person.id) < table.book.speaks:
        return "dealer" if person.staff else "display"
    if viewer.kind == "dealer":
        return "dealer" if person is not None or viewer.person == HOUSE else "display"
    return viewer.kind


def _next(step: NextStep | None, person: str, staff: bool, actions: Iterable[Action]) -> NextStep | None:
    if step is None:
        return None
    about = {"number": step.number, "box": step.box, "incident": step.incident, "proposal": step.proposal}
    yours = any(
        action.allowed
        and action.do == step.do
        and all(action.fixed.get(name, value) == value for name, value in about.items() if value)
        and (not step.people or action.fixed.get("person", step.people[0]) in step.people)
        for action in actions
    )
    if staff:
        return replace(step, yours=yours)
    people = tuple(name for name in step.people if name == person)
    return replace(step, yours=yours, people=people, about="")


def _flags(table: Table, staff: bool) -> tuple[Flag, ...]:
    return tuple(Flag(flag, about if staff else "", paragraph) for (flag, about), paragraph in table.flags.items())


# --- a player's own things


def _own(table: Table, name: str) -> Own:
    person, current = table.people[name], table.round
    return Own(
        name,
        person.box,
        person.seated,
        table.stack(name),
        table.balances.get(layout_of(name), 0),
        _wagers(current, name),
        _insurance(current, name),
        _offers(table, name),
        current is not None and name in current.forgone,
        _squeezes(current, name),
        current is not None and name in current.barred,
        payments(table, name),
        payments_again(table, name),
        own_option(table, name),
        marked(table, name),
    )


def _wagers(current: Round | None, name: str | None = None) -> tuple[WagerSeen, ...]:
    """The wagers of the round, or one person's."""
    if current is None:
        return ()
    wagers = current.wagers if name is None else wagers_of(current, name)
    return tuple(WagerSeen(wager.person, wager.box, wager.bet, wager.stake, wager.seated) for wager in wagers.values())


def _insurance(current: Round | None, name: str | None = None) -> tuple[InsuranceSeen, ...]:
    if current is None:
        return ()
    return tuple(
        InsuranceSeen(taken.person, taken.box, taken.hand, taken.stake, taken.row.odds, taken.row.window)
        for taken in current.insurance
        if name in (None, taken.person)
    )


def _squeezes(current: Round | None, name: str | None = None) -> tuple[SqueezeSeen, ...]:
    if current is None:
        return ()
    return tuple(
        SqueezeSeen(squeeze.person, squeeze.hand, squeeze.early, squeeze.granted)
        for squeeze in current.squeezes
        if name in (None, squeeze.person)
    )


def _offers(table: Table, name: str) -> tuple[OfferSeen, ...]:
    current = table.round
    if current is None or current.window is None:
        return ()
    return tuple(
        OfferSeen(
            box,
            offer.hand,
            offer.odds,
            caps.most_insurance(table, current, name, box, offer.hand, offer.odds),
        )
        for offer in current.window.offers
        if name in offer.people
        for box in insurable(table, current, name, offer.hand)
    )


# --- for staff


def _felt(table: Table) -> Felt:
    current = table.round
    people = table.people.values()
    window = current.window if current else None
    return Felt(
        tuple(
            PlayerSeen(
                player.id,
                player.box,
                player.seated,
                table.stack(player.id),
                table.balances.get(layout_of(player.id), 0),
                marked(table, player.id),
            )
            for player in people
            if not player.staff
        ),
        tuple(StaffSeen(person.id, person.rank) for person in people if person.staff),
        _wagers(current),
        _insurance(current),
        tuple(sorted(window.people - window.answered)) if window else (),
        tuple(sorted(current.forgone)) if current else (),
        _squeezes(current),
        right_holder(table, Side.PLAYER),
        right_holder(table, Side.BANKER),
        payments(table),
        tuple(sorted(current.unconfirmed)) if current else (),
        tuple(
            FillSeen(name, fill.kind, fill.amount, chips_seen(fill.chips), fill.by)
            for name, fill in table.fills.items()
        ),
    )


def _books(table: Table) -> Books:
    balances, day = table.balances, table.reckoning
    tray, commission, drop = balances.get(TRAY, 0), balances.get(COMMISSION, 0), balances.get(DROP, 0)
    return Books(
        tray=tray,
        drop=drop,
        commission=commission,
        tips=balances.get(TIPS, 0),
        opening=day.opening,
        fills=day.fills,
        credits=day.credits,
        result=tray + commission + day.credits + drop - day.opening - day.fills,
        staked=sum(balances.get(layout_of(name), 0) for name in table.people),
        receivables=balances.get(RECEIVABLES, 0),
        held=sum(amount for account, amount in balances.items() if account.startswith(held_for(""))),
        exposure=exposures(table),
        suspect=balances.get(SUSPECT, 0),
    )
