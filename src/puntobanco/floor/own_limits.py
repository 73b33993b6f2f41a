"""What players ask of themselves: how much they may lose in a day, how often they are told the time, a break from play.

A limit that is stricter holds at once, one that is less strict a day later, and a break can only be made longer. What
somebody has lost is read from the tables' logs: what rounds have brought in the last twenty-four hours, and all chips
that lie on layouts count as if they were lost.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec.structs import replace

from puntobanco.currencies import digits_of, in_words, is_code
from puntobanco.floor.office import Entry, FloorError, Office
from puntobanco.floor.wire import Give, OwnChange, OwnLoss, OwnSeen, Problem
from puntobanco.store.keeper import Keeper
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.cash.accounts import layout_of
from puntobanco.table.commands import AnyCommand
from puntobanco.table.events import Record
from puntobanco.table.state import Table

HOUR = 3_600_000
DAY = 24 * HOUR
REMINDERS = (0, 15, 30, 60, 120)
"""Minutes between two reminders that one may choose."""
USUAL_REMINDER = 60
LONGEST_BREAK = 24 * 366 * 5
"""Hours."""
MOST = 10**15
RESULTS = (e.RoundSettled, e.RoundSettledAgain, e.RoundVoided, e.MoneyRuled)
"""What wins and loses money; chips that are bought, cashed or tipped are no loss."""
OWN = frozenset({"chips", "layout", "owed", "marked", "held"})
"""Accounts whose names end in the person's."""
NOT_IN_A_BREAK = (c.Join, c.BuyIn, c.ChipsIn, c.Place, c.Insure)


class Later(msgspec.Struct, frozen=True):
    """A limit that takes the place of another; None for none at all."""

    most: int | None
    at: int


class Kept(msgspec.Struct, frozen=True):
    """What one person has asked for, as the record keeps it."""

    losses: dict[str, int] = {}
    """The most that may be lost in a day, by currency."""
    later: dict[str, Later] = {}
    reminder: int = USUAL_REMINDER
    away_until: int = 0

    def most(self, currency: str, now: int) -> int | None:
        """The limit that holds now; None where there is none."""
        later = self.later.get(currency)
        return later.most if later is not None and later.at <= now else self.losses.get(currency)

    def with_loss(self, currency: str, most: int | None, now: int) -> Kept:
        """The same with another limit: at once if it is stricter."""
        held = self.most(currency, now)
        losses = {each: value for each, value in self.losses.items() if each != currency}
        later = {each: value for each, value in self.later.items() if each != currency}
        if held is None or (most is not None and most <= held):
            return replace(self, losses=losses if most is None else losses | {currency: most}, later=later)
        return replace(self, losses=losses | {currency: held}, later=later | {currency: Later(most, now + DAY)})


class _Asked(msgspec.Struct, frozen=True):
    """A bet that is on its way to its table."""

    table: str
    give: Give
    currency: str
    amount: int


class OwnLimits:
    """Keeps them, and says what they stand against."""

    def __init__(self, office: Office, keeper: Keeper, tables: Callable[[], Iterable[str]]) -> None:
        self._office = office
        self._kept = office.shelf("own", Kept)
        self._results = _Results(keeper, tables)
        self._guard = threading.Lock()
        self._asked: dict[str, list[_Asked]] = {}

    def seen(self, person: str, now: int) -> OwnSeen:
        """As the person is shown it."""
        kept = self._kept.get(person) or Kept()
        currencies = sorted(kept.losses.keys() | kept.later.keys())
        losses = [self._loss(person, kept, currency, now) for currency in currencies]
        shown = tuple(loss for loss in losses if loss.most is not None or loss.later_at)
        return OwnSeen(shown, kept.reminder, kept.away_until if kept.away_until > now else 0)

    def _loss(self, person: str, kept: Kept, currency: str, now: int) -> OwnLoss:
        later = kept.later.get(currency)
        waits = later if later is not None and later.at > now else None
        lost, staked = self._results.of(person, currency, now)
        return OwnLoss(
            currency,
            digits_of(currency),
            kept.most(currency, now),
            lost + staked,
            waits.most if waits else None,
            waits.at if waits else 0,
        )

    def change(self, person: str, now: int, change: OwnChange) -> OwnSeen:
        """Ask for something else. The floor's log has what was asked for, before and after."""
        for currency, most in change.losses.items():
            if not is_code(currency):
                raise FloorError("bad_request", "a currency is a code in capital letters, as in SGD")
            if most is not None and not 0 <= most <= MOST:
                raise FloorError("bad_request", "a loss is zero or more and has at most 15 digits")
        if change.reminder is not None and change.reminder not in REMINDERS:
            raise FloorError("bad_request", f"reminders come every {', '.join(map(str, REMINDERS))} minutes (0: never)")
        if not 0 <= change.away <= LONGEST_BREAK:
            raise FloorError("bad_request", f"a break has 1 to {LONGEST_BREAK} hours")
        before = self._kept.get(person) or Kept()
        after = before
        for currency, most in change.losses.items():
            after = after.with_loss(currency, most, now)
        if change.reminder is not None:
            after = replace(after, reminder=change.reminder)
        if change.away:
            after = replace(after, away_until=max(after.away_until, now + change.away * HOUR))
        if after != before:
            entry = Entry("own limits set", person, _told(before, now), _told(after, now))
            self._office.record(now, person, entry, lambda: (self._kept.document(person, after),))
        return self.seen(person, now)

    def problem(self, table: Table, give: Give, now: int) -> Problem | None:
        """Why a command is not granted: a break, or more than its player may still lose."""
        body = give.body
        if not isinstance(body, NOT_IN_A_BREAK):
            return None
        kept = self._kept.get(body.person)
        if kept is None:
            return None
        if kept.away_until > now:
            return Problem("own_break", "a break from play that the player has asked for is not over")
        currency, stake = table.settings.currency, staked_by(body)
        most = kept.most(currency, now)
        if most is None or not stake:
            return None
        with self._guard:
            asked = self._asked.setdefault(body.person, [])
            # the same once more happens once, and has counted
            same = table.settings.table, give.id, body
            if any((each.table, each.give.id, each.give.body) == same for each in asked):
                return None
            on_the_way = sum(each.amount for each in asked if each.currency == currency)
            room = max(most - sum(self._results.of(body.person, currency, now)) - on_the_way, 0)
            if stake <= room:
                asked.append(_Asked(table.settings.table, give, currency, stake))
                return None
        told = f"that is beyond the loss that the player allows himself in a day: {in_words(room, currency)} are left"
        return Problem("own_loss", told, fits=room or None, values={"amount": room})

    def settled(self, give: Give) -> None:
        """The command was carried out or refused: what it staked is on the table's own record now, or nowhere."""
        person = getattr(give.body, "person", "")
        with self._guard:
            left = [each for each in self._asked.get(person, ()) if each.give is not give]
            if left:
                self._asked[person] = left
            else:
                self._asked.pop(person, None)


def staked_by(body: AnyCommand) -> int:
    """What a command puts at stake."""
    if isinstance(body, c.Place):
        return sum(amount for amount in body.wagers.values() if amount > 0)
    return max(body.amount, 0) if isinstance(body, c.Insure) else 0


def _told(kept: Kept, now: int) -> str:
    losses = [f"{in_words(most, currency)} a day" for currency, most in sorted(kept.losses.items())]
    later = [
        f"{'no limit in ' + currency if each.most is None else in_words(each.most, currency) + ' a day'} later"
        for currency, each in sorted(kept.later.items())
        if each.at > now
    ]
    away = [f"a break of {-(-(kept.away_until - now) // HOUR)} hours"] if kept.away_until > now else []
    return ", ".join([*losses, *later, *away, f"a reminder every {kept.reminder} minutes"])


class _Results:
    """What rounds have brought everybody in the last day, read on from the logs when somebody's limit asks for it."""

    def __init__(self, keeper: Keeper, tables: Callable[[], Iterable[str]]) -> None:
        self._keeper = keeper
        self._tables = tables
        self._guard = threading.Lock()
        self._read: dict[str, int] = {}
        self._moves: dict[tuple[str, str], deque[tuple[int, int]]] = {}
        """By person and currency: when, and how much was won."""

    def of(self, person: str, currency: str, now: int) -> tuple[int, int]:
        """What was lost in the last day, below zero where it was won; and what lies on layouts."""
        staked = 0
        with self._guard:
            for name in self._tables():
                table = self._keeper.table(name)
                if table is None or table.settings.currency != currency:
                    continue
                self._read_on(table, now - DAY)
                staked += table.balances.get(layout_of(person), 0)
            moves = self._moves.get((person, currency), deque())
            while moves and moves[0][0] <= now - DAY:
                moves.popleft()
            return -sum(amount for _, amount in moves), staked

    def _read_on(self, table: Table, since: int) -> None:
        name = table.settings.table
        if name not in self._read:
            self._read[name] = self._before(name, since, table.version)
        after = self._read[name]
        if after >= table.version:
            return
        for record in self._keeper.records(name, after):
            if record.version <= table.version:
                for person, amount in _brought(record):
                    moves = self._moves.setdefault((person, table.settings.currency), deque())
                    moves.append((record.at, amount))
        self._read[name] = table.version

    def _before(self, name: str, since: int, version: int) -> int:
        """A version after which everything is that happened since then, in a few looks at a log however long."""
        first, last = 0, version
        while first < last:
            middle = (first + last) // 2
            found = self._keeper.records(name, middle, 1)
            if found and found[0].at <= since:
                first = middle + 1
            else:
                last = middle
        return first


def _brought(record: Record) -> Iterator[tuple[str, int]]:
    event = record.event
    if not isinstance(event, RESULTS):
        return
    brought: dict[str, int] = {}
    for transfer in event.transfers:
        for account, amount in ((transfer.source, -transfer.amount), (transfer.target, transfer.amount)):
            kind, _, person = account.partition(":")
            if kind in OWN:
                brought[person] = brought.get(person, 0) + amount
    yield from ((person, amount) for person, amount in brought.items() if amount)
