"""The figures of a log once more, straight from the postings in its lines, without the table or the reports."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

HOUSE = {"tray", "commission", "receivables"}
PERSONAL = {"chips", "layout", "held", "owed"}
DAY = 24 * 60 * 60 * 1000


class Ledger:
    """Sums over part of a log."""

    def __init__(self) -> None:
        self.handle = self.win = self.drop = self.paid_back = self.tips = self.commission = 0
        self.fills = self.credits = self.owed = self.ruled = 0
        self.people: dict[str, Counter[str]] = defaultdict(Counter)


def shift_of(at: int, begins: int, names: list[str]) -> tuple[int, str]:
    """The gaming day and the shift, by the clock."""
    day, into = divmod(at - begins * 60_000, DAY)
    return day, names[int(into / (DAY / len(names)))]


def read(log: bytes) -> dict[tuple[int, str], Ledger]:
    """A ledger for every shift."""
    lines = [json.loads(line) for line in log.splitlines()]
    events = [(line["command"]["at"], event) for line in lines if "events" in line for event in line["events"]]
    shifts = events[0][1]["settings"]["shifts"]
    ledgers: dict[tuple[int, str], Ledger] = defaultdict(Ledger)
    standing: dict[int, list[dict[str, Any]]] = {}
    for at, event in events:
        ledger = ledgers[shift_of(at, shifts["day_begins"], shifts["names"])]
        kind = event["event"]
        transfers = event.get("transfers", [])
        _money(ledger, kind, transfers)
        if kind in ("round_settled", "round_settled_again"):
            for sign, wagers in ((-1, standing.get(event["number"], [])), (1, _staked(event))):
                for wager in wagers:
                    ledger.handle += sign * wager["stake"]
                    ledger.people[wager["person"]]["handle"] += sign * wager["stake"]
            standing[event["number"]] = _staked(event)
    return ledgers


def _staked(event: dict[str, Any]) -> list[dict[str, Any]]:
    """Lines that count; in a void round only those that keep a result."""
    return [line for line in event["lines"] if not event.get("void") or line["result"] != "returned"]


def _money(ledger: Ledger, kind: str, transfers: Iterable[tuple[str, str, int]]) -> None:
    for source, target, amount in transfers:
        house = amount * ((target in HOUSE) - (source in HOUSE))
        if kind in ("round_settled", "round_settled_again"):
            ledger.win += house
            for account, moved in ((source, -amount), (target, amount)):
                owner, _, person = account.partition(":")
                if owner in PERSONAL:
                    ledger.people[person]["won"] += moved
        if kind in ("money_ruled", "dispute_decided"):
            ledger.ruled += house
        if target == "drop":
            ledger.drop += amount
            person = next(other.partition(":")[2] for _, other, _ in transfers if other.startswith("chips:"))
            ledger.people[person]["drop"] += amount
        ledger.paid_back += amount * (source == "drop")
        ledger.tips += amount * (target == "tips")
        ledger.commission += amount * ((target == "commission") - (source == "commission"))
        ledger.owed += amount * ((target == "receivables") - (source == "receivables"))
        if kind == "fill_signed":
            ledger.fills += amount * (source == "cage")
            ledger.credits += amount * (target == "cage")
