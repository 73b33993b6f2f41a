"""The check of docs/shoes.md written from its text alone: JSON and hashes, nothing of this package."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.entries import as_entries
from tests.shoes.electronic import ElectronicTable, settings
from tests.shoes.test_history import Mishap

from puntobanco.cards import Side
from puntobanco.script.log import format_log
from puntobanco.table import commands as c
from puntobanco.table import rulings as r

LEAVING = ("cards_burnt", "cards_dealt", "card_drawn", "early_card_drawn")
DECK = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"]


def verify(log: str, reveals: str) -> list[str]:
    """What is wrong with the shoes of a log."""
    events = [event for line in log.splitlines() for event in json.loads(line)["events"]]
    opened = {(reveal["shoe"], reveal.get("mixed", 0)): reveal for reveal in map(json.loads, reveals.splitlines())}
    wrong: list[str] = []
    book_hash = ""
    shoe: dict[str, Any] = {}
    mixed = 0
    cuts: list[int] = []
    cards: list[str | None] = []
    dealt: list[int] = []
    waiting: list[int] = []
    rounds: dict[int, list[int]] = {}
    for event in events:
        kind = event["event"]
        left = event.get("cards", [event.get("card")]) if kind in LEAVING else []
        places = range(len(cards), len(cards) + len(left))
        cards += left
        if kind == "table_opened":
            book_hash = event["settings"]["book_hash"]
        elif kind == "shoe_started":
            shoe, cuts, cards, dealt, waiting, rounds, mixed = event, [], [], [], [], {}, 0
        elif kind == "cards_returned":
            wrong += problems(shoe, cuts, cards, opened[shoe["number"], mixed], book_hash)
            shoe, cards, dealt, rounds, mixed = shoe | {"commitment": event["commitment"]}, [], [], {}, mixed + 1
        elif kind == "shoe_cut":
            cuts.append(event["position"])
        elif kind in ("round_called", "free_hand_called"):
            dealt = rounds[event["number"]] = []
        elif kind == "round_ended":
            dealt = []
        elif kind in ("cards_dealt", "card_drawn"):
            dealt += places
        elif kind == "early_card_drawn":
            waiting += places
        elif kind in ("card_turned", "card_valued"):
            cards[(dealt + waiting)[event["number"] - 1]] = event["card"]
        elif kind == "card_corrected":
            cards[rounds[event["round"]][event["number"] - 1]] = event["card"]
        elif kind == "cards_arranged":
            ordered = [dealt[number - 1] for number in event["order"]]
            dealt[:], rest = ordered[: len(event["hands"])], ordered[len(event["hands"]) :]
            waiting += rest if event.get("goes") != "discarded" else []
        elif kind == "carried_cards_dealt":
            dealt += waiting[: len(event["hands"])]
            del waiting[: len(event["hands"])]
        elif kind == "cards_retrieved":
            del cards[len(cards) - event["cards"] :]
            if event["cards"] > len(dealt):
                waiting = []
            dealt.clear()
        elif kind == "shoe_ended":
            wrong += problems(shoe, cuts, cards, opened[shoe["number"], mixed], book_hash)
    return wrong


def problems(
    shoe: dict[str, Any], cuts: list[int], cards: list[str | None], reveal: dict[str, Any], book_hash: str
) -> list[str]:
    number = shoe["number"]
    found = hashlib.sha256(bytes.fromhex(reveal["salt"] + book_hash) + reveal["order"].encode()).hexdigest()
    order = [reveal["order"][place : place + 2] for place in range(0, len(reveal["order"]), 2)]
    wrong = [] if shoe["commitment"] == found else [f"shoe {number}: another order was committed to"]
    if Counter(order) != dict.fromkeys(DECK, len(order) // 52) or len(order) != shoe["cards"]:
        wrong.append(f"shoe {number} is not whole")
    for position in cuts:
        order = order[position:] + order[:position]
    for place, card in enumerate(cards):
        if card is not None and card != order[place]:
            wrong.append(f"shoe {number}: card {place + 1} is {card}, not {order[place]}")
            break
    return wrong


@pytest.mark.parametrize(
    ("orders", "changes"),
    [(2, {"burn": "first_card"}), (2, {"burn": "first_card", "face_down": True}), (20, {"shuffler": True})],
)
def test_the_documented_check_is_enough(orders: int, changes: dict[str, Any], tmp_path: Path) -> None:
    table = ElectronicTable(tmp_path, Random(1), settings("tiger-buffalo", **changes))
    for _ in table.play(orders):
        pass
    log = format_log(as_entries(table.events)).decode()
    reveals = b"\n".join(map(bytes, table.reveals)).decode()
    assert verify(log, reveals) == []
    # each kind of lie is seen
    place = log.index('"cards_dealt","cards":["') + len('"cards_dealt","cards":["')
    card = log[place : place + 2]
    other = "As" if card != "As" else "Kc"
    assert len(verify(log[:place] + other + log[place + 2 :], reveals)) == 1
    salt = table.reveals[0].salt
    assert verify(log, reveals.replace(salt, salt[::-1])) == ["shoe 1: another order was committed to"]


def test_the_documented_check_is_enough_where_cards_were_put_right(tmp_path: Path) -> None:
    table = Mishap(tmp_path, "rws-baccarat")
    table.begin()
    first, second, *_ = table.next_cards(4)
    table.do(c.Draw(first, Side.BANKER, True))
    table.rule(r.Reconstruct(), next(iter(table.table.incidents)))
    table.do(c.Draw(second, Side.PLAYER, True))
    table.rule(r.Reconstruct(), next(iter(table.table.incidents)))
    table.finish()
    log = format_log(as_entries(table.events)).decode()
    assert log.count("cards_arranged") == 2
    assert verify(log, b"\n".join(map(bytes, table.reveals)).decode()) == []
