"""What goes over the network: requests and answers of the HTTP interface, and the frames of the websocket.

``docs/floor.md`` describes the protocol; ``puntobanco schema`` writes all of it as JSON Schema.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from puntobanco.cards import Side
from puntobanco.currencies import digits_of
from puntobanco.money import Odds
from puntobanco.reports.course import BetCourse, CoursePoint, PersonCourse
from puntobanco.rules.model import Authority, Window
from puntobanco.shoes.scanner import RoundResult
from puntobanco.table.commands import AnyCommand
from puntobanco.table.refusals import Refusal, Value
from puntobanco.table.settings import TableSettings
from puntobanco.table.state import Phase, Table
from puntobanco.views.public import BetSign
from puntobanco.views.seen import Seen
from puntobanco.views.view import View
from puntobanco.words import Language, Terms, worded

Role = Literal["player", "dealer", "pit", "surveillance", "admin"]
ROLES: tuple[Role, ...] = ("player", "dealer", "pit", "surveillance", "admin")
DeviceKind = Literal["scanner", "shoe", "display"]
StopKind = Literal["person", "table", "game", "everything"]


# --- people


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password; of those who have a second factor, its code of now."""

    name: str
    password: str
    code: str = ""


class OwnFactor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The signed-in person's password, to set up an authenticator."""

    password: str


class FactorCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A code of the authenticator that one was just given."""

    code: str


class FactorGiven(msgspec.Struct, frozen=True):
    """What to show the authenticator; it holds the secret, and is shown once."""

    address: str


class OwnPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One's password, and the one that takes its place."""

    old: str
    new: str


class SignedIn(msgspec.Struct, frozen=True):
    """Who is signed in. ``csrf`` goes into the header ``X-CSRF-Token`` of every request that changes something."""

    person: str
    role: Role
    rank: Authority
    csrf: str
    token: str = ""
    """For clients without cookies: ``Authorization: Bearer …``. Told once, at the sign-in."""


class Balance(msgspec.Struct, frozen=True):
    """What is on somebody's account in one currency, in its minor units."""

    currency: str
    digits: int
    """After the point."""
    balance: int


class Seat(msgspec.Struct, frozen=True):
    """Where somebody is in play, with the chips beside and on the layout."""

    table: str
    box: int
    currency: str
    digits: int
    chips: int


class Account(msgspec.Struct, frozen=True):
    """What is on somebody's account, by currency, and beside it at tables."""

    person: str
    balances: tuple[Balance, ...]
    seats: tuple[Seat, ...] = ()
    """Somebody's own account, as that person sees it."""

    def holds(self, currency: str) -> int:
        return next((each.balance for each in self.balances if each.currency == currency), 0)


class OwnLoss(msgspec.Struct, frozen=True):
    """How much somebody may lose in twenty-four hours in one currency."""

    currency: str
    digits: int
    most: int | None
    """None where only a later limit is known."""
    lost: int
    """So far, with the chips that lie on layouts; below zero where it was won."""
    later: int | None = None
    """What it becomes at ``later_at``: None is no limit."""
    later_at: int = 0
    """When a limit that is less strict begins to hold; 0 where none waits."""


class OwnSeen(msgspec.Struct, frozen=True):
    """What a player has asked of himself."""

    losses: tuple[OwnLoss, ...]
    """In each currency with a limit."""
    reminder: int
    """Minutes between two reminders of the time; 0 for none."""
    away_until: int
    """Until when the player plays nowhere; 0 where there is no break."""


class OwnChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player asks of himself. What is stricter holds at once, what is less strict a day later."""

    losses: dict[str, int | None] = {}
    """The most that may be lost in twenty-four hours, by currency; null takes the limit away."""
    reminder: int | None = None
    """Minutes between two reminders of the time: 0 (none), 15, 30, 60 or 120."""
    away: int = 0
    """Hours of a break from play, which can only be made longer."""


def balances_of(amounts: dict[str, int]) -> tuple[Balance, ...]:
    """What a store has of an account."""
    return tuple(Balance(currency, digits_of(currency), amount) for currency, amount in amounts.items())


class PersonSeen(msgspec.Struct, frozen=True):
    """Somebody known to the floor, as the pit sees it."""

    name: str
    role: Role
    rank: Authority
    stopped: str = ""
    """Why nothing new starts for this person."""
    locked: bool = False
    """Too many failed sign-ins; for a while nobody can sign in under this name."""
    sessions: int = 0
    balances: tuple[Balance, ...] = ()


class NewPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody to be made known to the floor."""

    name: str
    role: Role
    password: str
    rank: Authority | None = None
    """Of staff; by default the lowest of the role."""
    pin: str = ""


class ChangePerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be another; the rest stays."""

    why: str
    role: Role | None = None
    rank: Authority | None = None
    password: str | None = None
    pin: str | None = None


class Money(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Money that comes to a player's account from outside, or leaves it (below zero). The id makes retries harmless."""

    id: str
    amount: int
    currency: str


# --- tables


class Brief(msgspec.Struct, frozen=True):
    """A table as the lobby shows it."""

    table: str
    game: str
    title: str
    layout: str
    phase: Phase
    currency: str
    digits: int
    bets: tuple[BetSign, ...]
    boxes: tuple[int, ...]
    """The numbers printed at its boxes, from the dealer's left on."""
    free: tuple[int, ...]
    """Boxes where nobody sits."""
    players: int
    rounds: int
    """Rounds of this shoe so far."""
    beads: tuple[str, ...]
    """The last results: ``player``, ``banker``, ``tie``."""
    electronic: bool
    differential: int | None = None
    insurance: bool = False
    stopped: str = ""
    fault: str = ""
    waits: bool = False
    """Whether play waits for a ruling or an answer."""


class OpenPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to open: its settings, and the chips in its tray by value."""

    settings: TableSettings
    opening_float: dict[int, int] = {}


class Give(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command for a table. The same id again has no second effect and gets the first answer."""

    id: str
    body: AnyCommand
    against: int | None = None


class GiveFor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command that a second person gives at the dealer's console, by name and PIN."""

    person: str
    pin: str
    give: Give


class Light(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of the round as the light of a shoe shows it."""

    result: RoundResult


class Opinion(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the cards on record make of a round beside the light; ``version`` is where a difference is noted."""

    round: int
    cards: RoundResult
    agrees: bool
    version: int | None = None


class Given(msgspec.Struct, frozen=True):
    """A command that was carried out and is durable, with what came of it as the sender may see it."""

    id: str
    version: int
    events: tuple[Seen, ...]
    repeated: bool = False


class Part(msgspec.Struct, frozen=True):
    """A part of a table's stream: the events after a version, in order and without a gap."""

    table: str
    after: int
    version: int
    """Where the table stands; there is more to ask for as long as the last event is an earlier one."""
    events: tuple[Seen, ...]


class Verified(msgspec.Struct, frozen=True):
    """What verification of a table's log found."""

    table: str
    ok: bool
    events: int
    rounds: int
    checkpoints: int
    shoes: int
    unsigned: int
    fingerprint: str
    problem: str = ""
    at_event: int = 0


# --- games and their odds


class LayoutSeen(msgspec.Struct, frozen=True):
    """A layout that a table may be opened with."""

    code: str
    name: str
    positions: tuple[int, ...]
    insurance: bool


class GameSeen(msgspec.Struct, frozen=True):
    """A game that the floor knows."""

    game: str
    title: str
    casino: str
    layouts: tuple[LayoutSeen, ...]
    least_decks: int
    most_decks: int
    decks: int
    """How many it is played with where nobody says."""
    currency: str
    """Its tables are in this one where nobody says."""


class Share(msgspec.Struct, frozen=True):
    """An exact fraction, and the same as a decimal to look at."""

    exact: str
    decimal: float


class LineChance(msgspec.Struct, frozen=True):
    """A line of a bet: how often it comes, out of all rounds."""

    result: Literal["won", "returned", "lost"]
    name: str
    pays: Odds | None
    paragraph: str
    chance: Share


class BetChances(msgspec.Struct, frozen=True):
    """A bet against a shoe: what the House keeps of a stake on average, and how often each line comes."""

    code: str
    name: str
    paragraph: str
    edge: Share
    sd: float
    """The standard deviation of the gain per unit staked."""
    lines: tuple[LineChance, ...]


class InsuranceChances(msgspec.Struct, frozen=True):
    """Insurance of one hand at one pair of points. ``edge`` is None where the shoe cannot show these."""

    window: Window
    hand: Side
    own: int
    other: int
    pays: Odds
    paragraph: str
    edge: Share | None
    won: Share
    returned: Share
    lost: Share


class GameOdds(msgspec.Struct, frozen=True):
    """The exact odds of every bet of a layout, and of insurance, for a shoe."""

    game: str
    title: str
    layout: str
    decks: int
    cards: tuple[int, ...]
    """How many cards of each rank the shoe holds, from the Ace to the King."""
    bets: tuple[BetChances, ...]
    insurance: tuple[InsuranceChances, ...]


class ShoeStep(msgspec.Struct, frozen=True):
    """The house edge of every bet after a round of the shoe; round 0 is the full shoe."""

    round: int
    edges: dict[str, float]


class TableOdds(msgspec.Struct, frozen=True):
    """The odds of a table's next round, by all cards of the shoe that were seen."""

    table: str
    version: int
    """The event up to which cards were seen."""
    shoe: int
    left: int
    unseen: int
    """Cards out of the shoe that nobody saw: they may be any of those that are not known."""
    odds: GameOdds
    course: tuple[ShoeStep, ...]


class TableFigures(msgspec.Struct, frozen=True):
    """How a table does in the gaming day that goes on: for the pit, at a glance."""

    table: str
    rounds: int
    voids: int
    pace: int
    """Rounds an hour, over the last hour at most."""
    handle: int
    drop: int
    win: int
    theoretical: int
    """What the bets that were settled should have brought, rounded to a minor unit."""
    low: int
    high: int
    """The band in which the House's win lies in 99 of 100 such days."""
    judged: bool
    """Whether there are rounds enough to judge the win by that band."""
    late_chips: int
    corrections: int
    incidents: int


# --- the floor


class HourPlayed(msgspec.Struct, frozen=True):
    """Rounds that were called within an hour."""

    at: int
    """When the hour began."""
    rounds: int


class IncidentCost(msgspec.Struct, frozen=True):
    """What the incidents of one family cost in time."""

    family: str
    incidents: int
    milliseconds: int
    """From each opening until it was closed, all together."""


class DayCourse(msgspec.Struct, frozen=True):
    """How a table's gaming day has gone so far, beside its exact expectation."""

    table: str
    currency: str
    digits: int
    points: tuple[CoursePoint, ...]
    """After each round, or after every few of a long day; amounts add up from the day's first round."""
    bets: tuple[BetCourse, ...]
    people: tuple[PersonCourse, ...]
    """Players, whoever is furthest from expectation first."""
    hours: tuple[HourPlayed, ...]
    """The last twelve hours in which rounds were called."""
    incidents: tuple[IncidentCost, ...]
    """Those of the last twenty-four hours, the costliest family first."""


class Why(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reason for something, for the log."""

    why: str


class Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Stop one person, one table, one game or everything: what is in progress concludes, nothing new starts."""

    kind: StopKind
    name: str = ""
    why: str = ""


class StopSeen(msgspec.Struct, frozen=True):
    """A stop that is in force."""

    kind: StopKind
    name: str
    why: str
    by: str
    at: int


class CallSeen(msgspec.Struct, frozen=True):
    """A supervisor was called to a table and has not come yet."""

    table: str
    by: str
    why: str
    at: int


class Significant(msgspec.Struct, frozen=True):
    """An entry of the floor's own log: who did what, with the value before and after."""

    version: int
    at: int
    actor: str
    what: str
    about: str
    before: str
    after: str
    why: str


class NewDevice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scanner or a shoe that reports cards of a table, or a display that shows one."""

    name: str
    kind: DeviceKind
    table: str


class DeviceSeen(msgspec.Struct, frozen=True):
    """A device with a credential."""

    name: str
    kind: DeviceKind
    table: str


class DeviceToken(msgspec.Struct, frozen=True):
    """The credential of a device, told once."""

    name: str
    token: str


class Health(msgspec.Struct, frozen=True):
    """How a process is."""

    status: Literal["ok", "not ready"]
    version: str
    tables: int
    faults: dict[str, str] = {}
    problems: tuple[str, ...] = ()
    """All that is wrong, in words, with what to do about it."""


class SelfCheck(msgspec.Struct, frozen=True):
    """Whether books and code are as they were approved, and what is not."""

    ok: bool
    found: tuple[str, ...] = ()


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request is not granted. ``code`` is stable: of the table (docs/table.md), or of the floor (FLOOR_CODES)."""

    code: str
    message: str
    paragraph: str = ""
    fits: int | None = None
    detail: str = ""
    """Of a table's refusal: the reason, and the values that its sentence is made of."""
    values: dict[str, Value] = {}

    @classmethod
    def of(cls, refusal: Refusal, table: Table | None = None, language: Language = "en") -> Problem:
        """A refusal, in words; boxes and bets are called as the table's cloth does."""
        message = worded(refusal, language, Terms.of(table))
        return cls(refusal.code, message, refusal.paragraph, refusal.fits, refusal.detail, refusal.values)

    def said_in(self, language: Language, table: Table | None) -> Problem:
        """The same in another language; what is not a table's refusal is said in English only."""
        if not self.detail or language == "en":
            return self
        return self.of(Refusal(self.code, self.detail, self.values, self.paragraph, self.fits), table, language)


FLOOR_CODES: dict[str, tuple[int, str]] = {
    "bad_request": (400, "a request or frame that cannot be read"),
    "sign_in": (401, "nobody is signed in, or the session is over"),
    "second_factor": (401, "a sign-in without the code of its second factor, or with a wrong one"),
    "pin": (403, "a second person's name and PIN that do not match"),
    "locked": (429, "too many failed sign-ins"),
    "csrf": (403, "a request without the session's token"),
    "origin": (403, "a request that another site has caused"),
    "role": (403, "something that this role may not do"),
    "not_found": (404, "nothing there by that name"),
    "method": (405, "a method that the address does not have"),
    "exists": (409, "a name that is taken"),
    "stopped": (409, "something new where play was stopped"),
    "own_loss": (409, "a bet beyond the player's own loss limit for a day"),
    "own_break": (409, "play within a break that the player has asked for"),
    "too_large": (413, "a body or frame that is too large"),
    "too_many": (429, "too many requests"),
    "unavailable": (503, "the store does not answer, or it is not known whether it has: send the same again"),
    "failed": (500, "a fault of the server; it is in its log"),
}
"""Codes beyond those of the table: the HTTP status, and what they stand for."""
REFUSED = 409
"""The status of a table's refusal."""


# --- the websocket: from the client


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="op"):
    """Base of what clients send."""


class Watch(Frame, frozen=True, tag="watch"):
    """Follow a table: events after a version (by default from now on), and views whenever something has changed."""

    table: str
    after: int | None = None
    views: bool = True
    public: bool = False
    """See it as the display does, whatever one's role."""
    whole: bool = False
    """Every view whole, for clients that put no differences together."""


class Unwatch(Frame, frozen=True, tag="unwatch"):
    """Follow a table no longer."""

    table: str


class Do(Frame, frozen=True, tag="do"):
    """A command for a table, as in :class:`Give`."""

    table: str
    id: str
    body: AnyCommand
    against: int | None = None


class Ping(Frame, frozen=True, tag="ping"):
    """Ask whether the connection lives; answered with `pong`."""

    id: str = ""


class Bend(Frame, frozen=True, tag="bend"):
    """How a player bends the card that is his to squeeze. Everybody who watches the table sees it; no record has it."""

    table: str
    card: int
    """Its number in the round."""
    grip: tuple[float, float]
    """Where it is held, in shares of its width and height from the upper left corner."""
    at: tuple[float, float]
    """Where that point is now."""
    done: bool = False
    """Whether the card is let go."""


FromClient = Watch | Unwatch | Do | Ping | Bend


# --- the websocket: from the server


class Message(msgspec.Struct, frozen=True, tag_field="m"):
    """Base of what the server sends."""


class Hello(Message, frozen=True, tag="hello"):
    """The first frame of a connection."""

    person: str
    role: str
    now: int
    for_squeeze: int = 0
    """Milliseconds that a card may be squeezed at an electronic table."""


class Events(Message, frozen=True, tag="events"):
    """Events of a table, in order; the numbers of one watch have neither gap nor repeat."""

    table: str
    events: tuple[Seen, ...]


class ViewIs(Message, frozen=True, tag="view"):
    """The table as it is now for this viewer: the first of a watch. After it comes what changes (:class:`Changed`)."""

    table: str
    view: View


class Changed(Message, frozen=True, tag="changed"):
    """What has changed in the view since version ``base``. A client without that view watches again, and gets a whole
    one. ``parts`` are fields by their path, ``lists`` lists by their path: of each, runs of the list before as
    ``[from, count]``, and new items."""

    table: str
    base: int
    version: int
    now: int
    parts: dict[str, Any]
    lists: dict[str, tuple[Any, ...]]


class Done(Message, frozen=True, tag="done"):
    """A command was carried out and is durable."""

    table: str
    id: str
    version: int
    repeated: bool = False


class NotDone(Message, frozen=True, tag="refused", omit_defaults=True):
    """A command that was not carried out."""

    table: str
    id: str
    code: str
    message: str
    paragraph: str = ""
    fits: int | None = None
    detail: str = ""
    values: dict[str, Value] = {}


class Bad(Message, frozen=True, tag="bad"):
    """A frame that cannot be read or served; the connection goes on. ``table`` is the one that it was about, if any."""

    code: str
    message: str
    table: str = ""


class Pong(Message, frozen=True, tag="pong"):
    """The answer to `ping`, with its id."""

    id: str
    now: int


class Bent(Message, frozen=True, tag="bent"):
    """Somebody bends a card, as in :class:`Bend`; nothing is told of what is on it."""

    table: str
    card: int
    """Its number in the round."""
    grip: tuple[float, float]
    """Where it is held, in shares of its width and height from the upper left corner."""
    at: tuple[float, float]
    """Where that point is now."""
    done: bool
    """Whether the card is let go."""


class Bye(Message, frozen=True, tag="bye"):
    """The connection ends. With ``again`` the client may connect once more and watch from where it was."""

    code: str
    message: str
    again: bool


FromServer = Hello | Events | ViewIs | Changed | Done | NotDone | Bad | Pong | Bent | Bye


SHAPES: dict[str, object] = {
    "FromClient": FromClient,
    "FromServer": FromServer,
    **{
        shape.__name__: shape
        for shape in (
            *(SignIn, SignedIn, PersonSeen, NewPerson, ChangePerson, Money, Account, OwnChange, OwnSeen),
            *(Brief, OpenPlan, Give, GiveFor, Given, Light, Opinion, Part, Verified),
            *(GameSeen, GameOdds, TableOdds, TableFigures, DayCourse),
            *(Why, Stop, StopSeen, CallSeen, Significant, NewDevice, DeviceSeen, DeviceToken, Health, Problem),
        )
    },
}
"""Everything for ``puntobanco schema``: the frames of the websocket, and the shapes of requests and answers."""
