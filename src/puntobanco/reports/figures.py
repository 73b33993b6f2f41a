"""The figures of a shift: money in whole minor units, theoretical win as an exact fraction, and counts. All add up."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Self

import msgspec

NOTHING = Fraction(0)


class Additive(msgspec.Struct):
    """Figures of which those of a day are the sum of those of its shifts."""

    def add(self, other: Additive) -> None:
        for name in self.__struct_fields__:
            mine, more = getattr(self, name), getattr(other, name)
            if isinstance(mine, Counter):
                mine.update(more)
            elif isinstance(mine, dict):
                for key, figures in more.items():
                    mine.setdefault(key, type(figures)()).add(figures)
            elif isinstance(mine, str):
                setattr(self, name, more or mine)
            else:
                setattr(self, name, mine + more)

    def copy(self) -> Self:
        """The same figures, which go their own way from here."""
        fresh = type(self)()
        fresh.add(self)
        return fresh


class Play(Additive):
    """What was staked, and what came of it for the House."""

    handle: int = 0
    """All stakes that were settled."""
    win: int = 0
    """What the House won by them, less what it lost."""
    theoretical: Fraction = NOTHING
    """The exact house edge of each bet times its stake."""

    @property
    def hold_of_handle(self) -> Fraction | None:
        return Fraction(self.win, self.handle) if self.handle else None


class BetFigures(Play):
    """One bet."""

    wagers: int = 0


class PersonFigures(Play):
    """One player. ``win`` is the House's: what the player lost."""

    milliseconds: int = 0
    rounds: int = 0
    """Rounds in which the player had a wager settled."""
    drop: int = 0
    tips: int = 0
    ruled: int = 0

    @property
    def average_bet(self) -> Fraction | None:
        """The handle by the rounds played."""
        return Fraction(self.handle, self.rounds) if self.rounds else None


class StaffFigures(Additive):
    """One of the staff."""

    rank: str = ""
    milliseconds: int = 0
    rounds: int = 0
    """Rounds of which the first card was dealt by this person."""
    rulings: int = 0
    """Rulings and corrections that took effect, proposed or given by this person."""
    approvals: int = 0
    """Those that this person approved."""


class Figures(Play):
    """A table in one shift, or in several."""

    rounds: int = 0
    """Rounds that came to a result, Free Hands among them."""
    free_hands: int = 0
    voids: int = 0
    settled_again: int = 0
    commission: int = 0
    """Part of the win."""
    cash_drop: int = 0
    account_drop: int = 0
    paid_back: int = 0
    """Out of the drop to players' accounts."""
    tips: int = 0
    opening: int = 0
    fills: int = 0
    credits: int = 0
    chips_in: int = 0
    chips_out: int = 0
    """Chips that walked in from the floor, and out to it."""
    ruled: int = 0
    """What rulings and decisions on disputes brought the House; below zero where it paid."""
    owed: int = 0
    collected: int = 0
    written_off: int = 0
    """Receivables that were opened, and closed in either way."""
    disputes: int = 0
    disputes_closed: int = 0
    late_chips: int = 0
    ledger: int = 0
    """Tray, commission, drop, receivables and marks as transfers changed them, less opening and fills, plus credits."""
    closings: int = 0
    counted: int = 0
    difference: int = 0
    """The closing count, and what it has more than the ledger."""
    bets: dict[str, BetFigures] = {}
    incidents: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)
    """By family and paragraph."""
    rulings: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)
    corrections: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)
    """By kind and paragraph."""

    @property
    def drop(self) -> int:
        """Buy-ins, for cash and from accounts."""
        return self.cash_drop + self.account_drop

    @property
    def hold(self) -> Fraction | None:
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def result(self) -> int:
        """All that the House made at the table: by wagers, by rulings, less what it wrote off."""
        return self.win + self.ruled - self.written_off

    @property
    def unexplained(self) -> int:
        """What the ledger has more than the settlements and rulings explain: nothing, unless the log is wrong."""
        return self.ledger - self.result
