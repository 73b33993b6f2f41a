"""The check of docs/shoes.md written from its text alone: JSON and hashes, nothing of this package."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from tests.shoes.electronic import ElectronicTable, settings

from puntobanco.script.log import format_log
from puntobanco.table.commands import HOUSE
from puntobanco.table.events import AnyEvent, Record

DECK = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"]


def verify(log: str, reveals: str) -> list[str]:
    """What is wrong with the shoes of a log."""
    events = [json.loads(line)["event"] for line in log.splitlines()]
    opened = {reveal["shoe"]: reveal for reveal in map(json.loads, reveals.splitlines())}
    wrong: list[str] = []
    book_hash = ""
    shoe: dict[str, Any] = {}
    cuts: list[int] = []
    cards: list[str | None] = []
    first_of_round = 0
    for event in events:
        kind = event["event"]
        if kind == "table_opened":
            book_hash = event["settings"]["book_hash"]
        elif kind == "shoe_started":
            shoe, cuts, cards = event, [], []
        elif kind == "shoe_cut":
            cuts.append(event["position"])
        elif kind == "round_called":
            first_of_round = len(cards)
        elif kind in ("cards_burnt", "cards_dealt"):
            cards += event["cards"]
        elif kind == "card_drawn":
            cards.append(event.get("card"))
        elif kind == "card_turned":
            cards[first_of_round + event["number"] - 1] = event["card"]
        elif kind == "shoe_ended":
            wrong += problems(shoe, cuts, cards, opened[shoe["number"]], book_hash)
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


@pytest.mark.parametrize("face_down", [False, True])
def test_the_documented_check_is_enough(face_down: bool, tmp_path: Path) -> None:
    table = ElectronicTable(tmp_path, Random(1), settings("tiger-buffalo", burn="first_card", face_down=face_down))
    for _ in table.play(2):
        pass
    log = format_log(
        Record(number, 0, HOUSE, "c", cast("AnyEvent", event)) for number, event in enumerate(table.events, 1)
    ).decode()
    reveals = b"\n".join(map(bytes, table.reveals)).decode()
    assert verify(log, reveals) == []
    # each kind of lie is seen
    place = log.index('"cards_dealt","cards":["') + len('"cards_dealt","cards":["')
    card = log[place : place + 2]
    other = "As" if card != "As" else "Kc"
    assert len(verify(log[:place] + other + log[place + 2 :], reveals)) == 1
    salt = table.reveals[0].salt
    assert verify(log, reveals.replace(salt, salt[::-1])) == ["shoe 1: another order was committed to"]
