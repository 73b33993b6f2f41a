"""A table's history as values: one a line. :mod:`grammar` says how each is written."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from puntobanco import bets
from puntobanco.cards import Card, Side
from puntobanco.money import MINOR_DIGITS, Odds
from puntobanco.table.commands import AnyCommand
from puntobanco.table.state import Phase

DAY = 24 * 60 * 60 * 1000
"""Milliseconds."""

# --- when


class After(msgspec.Struct, frozen=True):
    """So much later than the act before: ``+5s``."""

    milliseconds: int


class Clock(msgspec.Struct, frozen=True):
    """The next time the clock shows this, in milliseconds after midnight: ``12:00:05``."""

    milliseconds: int


class Moment(msgspec.Struct, frozen=True):
    """A date and a time, as milliseconds since the epoch: ``2026-03-01 12:00:05``."""

    milliseconds: int


Time = After | Clock | Moment


# --- what a line holds


class Setting(msgspec.Struct, frozen=True):
    """A line of the table's settings: the fields of ``TableSettings`` it gives, or ``opening_float``."""

    fields: dict[str, Any]


class Open(msgspec.Struct, frozen=True):
    """The table opens with the settings above."""


class Act(msgspec.Struct, frozen=True):
    """Somebody does something, or reports that it was done. What is not said has a sensible default."""

    body: AnyCommand | Open
    time: Time | None = None
    actor: str | None = None
    against: int | None = None
    """The version of the table that the act was meant for."""


class Pause(msgspec.Struct, frozen=True):
    """A line that only tells the time."""

    time: Time


class Expectation(msgspec.Struct, frozen=True):
    """Base of the ``expect`` lines."""


class Refusal(Expectation, frozen=True):
    """The act just before was refused."""

    code: str
    paragraph: str = ""
    fits: int | None = None


class Cited(Expectation, frozen=True):
    """What the act just before led to rests on this paragraph."""

    paragraph: str


class Happened(Expectation, frozen=True):
    """The act just before led to such an event."""

    event: str
    paragraph: str = ""


class NotHappened(Expectation, frozen=True):
    """The act before led to no such event."""

    event: str


class Moved(Expectation, frozen=True):
    """The act just before moved that much from one account to another, all its transfers together; or those only that
    rest on a paragraph."""

    source: str
    target: str
    amount: int
    paragraph: str = ""


class Balance(Expectation, frozen=True):
    """What an account holds now."""

    account: str
    amount: int


class Stack(Expectation, frozen=True):
    """What a person has in chips at the table, beside what lies on the layout."""

    person: str
    amount: int


class OnLayout(Expectation, frozen=True):
    """What a person has on a bet; box 0 is the person's own."""

    person: str
    box: int
    bet: str
    amount: int


class Outcome(Expectation, frozen=True):
    """The result of the latest round."""

    result: Literal["player", "banker", "tie", "void"]


class Points(Expectation, frozen=True):
    """The points of the latest round that was announced."""

    player: int
    banker: int


class Settled(Expectation, frozen=True):
    """What became of a wager in the latest settlement: the profit of one that won, else the stake; box 0 is any.

    What went back before the settlement, the whole of a bet or a part of it, is returned, too.
    """

    result: bets.Result
    person: str
    box: int
    bet: str
    amount: int | None = None


class Flag(Expectation, frozen=True):
    """Something is flagged."""

    flag: str
    about: str = ""


class NoFlags(Expectation, frozen=True):
    """Nothing is flagged."""


class InPhase(Expectation, frozen=True):
    """Where the table stands."""

    phase: Phase


class Offered(Expectation, frozen=True):
    """Insurance is on offer to a person."""

    person: str
    hand: Side
    odds: Odds


class NotOffered(Expectation, frozen=True):
    """No insurance is on offer to anybody."""


class Matter(Expectation, frozen=True):
    """Something went wrong and waits for a ruling."""

    number: int
    family: str
    paragraph: str = ""


class NoMatters(Expectation, frozen=True):
    """Nothing waits for a ruling."""


class Choices(Expectation, frozen=True):
    """What may be ruled on an incident now, all of it."""

    incident: int
    rulings: tuple[str, ...]


class Proposed(Expectation, frozen=True):
    """A ruling waits for approval by that rank or above."""

    number: int
    ruling_kind: str
    rank: str


class Asked(Expectation, frozen=True):
    """Who may still choose to go on, or to take back."""

    people: tuple[str, ...]


class HandHolds(Expectation, frozen=True):
    """The cards at a hand, in the round in progress or else the one before; None lies face down."""

    hand: Side
    cards: tuple[Card | None, ...]


class Carried(Expectation, frozen=True):
    """The cards left over that wait for the next round; None lies face down."""

    cards: tuple[Card | None, ...]


class Disputed(Expectation, frozen=True):
    """Which disputes are open."""

    disputes: tuple[int, ...]


class Owed(Expectation, frozen=True):
    """What a person owes the House."""

    person: str
    amount: int


class Day(Expectation, frozen=True):
    """The result at the table's closing."""

    result: int
    difference: int


Item = Setting | Act | Pause | Expectation


class Line(msgspec.Struct, frozen=True):
    """A line: what it says, and a comment. Neither is an empty line; ``gap`` is the space before the comment."""

    item: Item | None = None
    note: str | None = None
    gap: int = 0


class Script(msgspec.Struct, frozen=True):
    """A table's history. Amounts are read and written with the currency's digits."""

    lines: tuple[Line, ...]
    digits: int = MINOR_DIGITS
