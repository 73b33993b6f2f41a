"""Whether the balances of accounts follow from the record: postings that the house has signed, and tables' logs.

A balance is what was posted, as the floor's own log has it, and what tables' logs moved since. A row that somebody has
changed, added or deleted in the database is then named, whichever of them it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from puntobanco.currencies import in_words
from puntobanco.store.base import Row, account_moves, is_table
from puntobanco.store.chain import LineError, read_line
from puntobanco.table import events as e

MOVES = b'"account:'
"""What a line holds that moves money on an account."""
Money = tuple[str, str]
"""An account and a currency."""


class Posted(msgspec.Struct, frozen=True, array_like=True):
    """A posting as the floor's log has it. One that was only accepted has no row of its own in the database."""

    id: str
    account: str
    currency: str
    amount: int
    accepted: bool = False


class _Entry(msgspec.Struct, frozen=True):
    what: str = ""
    posting: Posted | None = None
    carried: tuple[Posted, ...] = ()


class _OfficeLine(msgspec.Struct, frozen=True):
    entry: _Entry


_decode = msgspec.json.Decoder(_OfficeLine).decode


class Books:
    """What the record says of accounts, as far as its rows were read."""

    def __init__(self, office: str) -> None:
        self._office = office
        self._due: Counter[Money] = Counter()
        self._by_log: dict[str, Counter[Money]] = {}
        self._posted: dict[str, Posted] = {}
        self._currencies: dict[str, str] = {}
        self._rows: dict[str, Row] = {}
        self._found: dict[Money, object] = {}

    def read(self, rows: Iterable[tuple[str, Row]]) -> None:
        for part, row in rows:
            if part == "entries":
                self._entry(str(row[0]), bytes(row[4]))
            elif part == "accounts":
                self._found[str(row[0]), str(row[1])] = row[2]
            elif part == "postings":
                self._rows[str(row[0])] = row

    def moved(self, log: str) -> tuple[Posted, ...]:
        """What one table's log has moved: it is carried over into the floor's log when that one is dropped."""
        moves = self._by_log.get(log, Counter())
        return tuple(Posted(f"log {log}", *key, amount, accepted=True) for key, amount in sorted(moves.items()))

    def _entry(self, log: str, line: bytes) -> None:
        if log == self._office:
            self._of_office(line)
        elif is_table(log) and (log not in self._currencies or MOVES in line):
            self._of_table(log, line)

    def _of_office(self, line: bytes) -> None:
        try:
            entry = _decode(line).entry
        except (msgspec.MsgspecError, ValueError):
            return  # whoever checks the floor's log names it
        for posted in (*filter(None, (entry.posting,)), *entry.carried):
            self._due[posted.account, posted.currency] += posted.amount
            if not posted.accepted:
                self._posted[posted.id] = posted

    def _of_table(self, log: str, line: bytes) -> None:
        try:
            entry = read_line(line)
        except LineError:
            return  # whoever checks the table's log names it
        first = entry.events[0]
        if isinstance(first, e.TableOpened):
            self._currencies[log] = first.settings.currency
        currency = self._currencies.get(log, "")
        for account, amount in account_moves(entry.events).items():
            self._due[account, currency] += amount
            self._by_log.setdefault(log, Counter())[account, currency] += amount

    def problems(self) -> list[str]:
        """What does not follow, in words."""
        wrong = []
        for id, posted in self._posted.items():
            row = self._rows.get(id)
            if row is None:
                wrong.append(f"posting {id} of {in_words(posted.amount, posted.currency)} is not in the database")
            elif tuple(row[1:4]) != (posted.account, posted.currency, posted.amount):
                wrong.append(f"posting {id} is not as it was signed: {_told(row)} in the database")
        unsigned = (row for id, row in self._rows.items() if id not in self._posted)
        wrong += [f"posting {row[0]} ({_told(row)}) was never signed" for row in unsigned]
        for (account, currency), found in sorted(self._balances().items()):
            due = self._due[account, currency]
            if found != due:
                told = f"{_money(found, currency)}, and by the record {_money(due, currency)}"
                wrong.append(f"account {account} holds {told}")
        return wrong

    def differences(self) -> tuple[Posted, ...]:
        """By how much each balance differs from the record, as somebody may accept it."""
        found = ((key, value) for key, value in sorted(self._balances().items()) if isinstance(value, int))
        more = ((key, value - self._due[key]) for key, value in found)
        return tuple(Posted("accepted", *key, amount, accepted=True) for key, amount in more if amount)

    def _balances(self) -> dict[Money, object]:
        return dict.fromkeys(self._due, 0) | self._found


def _money(amount: object, currency: str) -> str:
    return in_words(amount, currency) if isinstance(amount, int) else f"{amount!r} {currency}"


def _told(row: Row) -> str:
    return f"{_money(row[3], str(row[2]))} for {row[1]}"
