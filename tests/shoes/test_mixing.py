"""The mixing of a shoe by players' seeds, held against a second implementation from the text of docs/shoes.md."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.entries import as_entries
from tests.shoes.electronic import PLAYERS, ElectronicTable, settings

from puntobanco.cards import CARDS
from puntobanco.shoes.audit import check_shoes
from puntobanco.shoes.commit import CommitmentError
from puntobanco.shoes.history import ShoeHistory, shoes_of
from puntobanco.shoes.mixing import mixed, mixing, mixing_key, words_of
from puntobanco.shoes.receipt import Pledge, ShoeReceipt, SignedReceipt, check_receipt, parse_receipt, receipt_of
from puntobanco.table import commands as c
from puntobanco.table import events as e

# --- from the text alone: JSON and hashes


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def dealt_order(receipt: dict[str, Any]) -> list[str]:
    """The cards of a receipt as the shoe deals them; fails where it is not what was committed to and pledged."""
    unhex = bytes.fromhex
    order = [receipt["order"][place : place + 2] for place in range(0, len(receipt["order"]), 2)]
    commitment = unhex(receipt["commitment"])
    assert sha(unhex(receipt["salt"]), unhex(receipt["book"]), receipt["order"].encode()) == commitment
    seeds = b""
    for each in receipt["pledges"]:
        if each["seed"]:
            assert sha(b"puntobanco seed pledge 1\0", commitment, unhex(each["seed"])) == unhex(each["pledge"])
            seeds += unhex(each["seed"])
    if seeds:
        key, used, stream = sha(b"puntobanco shoe seeds 1\0", commitment, seeds), 0, b""
        for last in range(len(order) - 1, 0, -1):
            while True:
                if used + 2 > len(stream):
                    stream += sha(b"puntobanco shoe mix 1\0", key, (len(stream) // 32).to_bytes(8, "big"))
                number = 256 * stream[used] + stream[used + 1]
                used += 2
                if number < 65_536 // (last + 1) * (last + 1):
                    break
            other = number % (last + 1)
            order[last], order[other] = order[other], order[last]
    for position in receipt["cuts"]:
        order = order[position:] + order[:position]
    return order


# --- tables


class MixedTable(ElectronicTable):
    """An electronic table whose players give seeds, and now and then withhold one."""

    def __init__(self, folder: Path, chance: Random, **changes: Any) -> None:
        self.seeds: list[str] = []
        super().__init__(folder, chance, settings("tiger-buffalo", seeds="asked", seed_countdown=1, **changes))

    def cut(self) -> None:
        seeds = {player: self.chance.randbytes(32).hex() for player in PLAYERS}
        commitment = bytes.fromhex(self.table.shoe.commitment)
        for player in PLAYERS:
            pledge = sha(b"puntobanco seed pledge 1\0", commitment, bytes.fromhex(seeds[player])).hex()
            self.do(c.PledgeSeed(player, pledge), player)
        for player in reversed(PLAYERS):
            self.do(c.ShowSeed(player, seeds[player]), player)
        self.seeds = list(seeds.values())
        super().cut()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> MixedTable:
    table = MixedTable(tmp_path_factory.mktemp("mixed"), Random(3), burn="first_card")
    for _ in table.play(2):
        pass
    return table


@pytest.fixture(scope="module")
def receipts(played: MixedTable) -> list[ShoeReceipt]:
    book = played.table.settings.book_hash
    shoes = {shoe.number: shoe for shoe in shoes_of(played.events)}
    return [receipt_of("E1", book, shoes[reveal.shoe], reveal) for reveal in played.reveals]


def test_a_stranger_gets_the_same_cards(played: MixedTable, receipts: list[ShoeReceipt]) -> None:
    for receipt in receipts:
        dealt = dealt_order(json.loads(bytes(receipt)))
        assert all(card is None or str(card) == dealt[place] for place, card in enumerate(receipt.cards))
        assert sum(card is not None for card in receipt.cards) > 300
        assert len(receipt.seeds) == 2
        assert dealt != dealt_order(json.loads(bytes(receipt)) | {"pledges": []}), "the seeds have moved the cards"
        check_receipt(receipt)
    assert receipts[-1].seeds == tuple(played.seeds)
    assert check_shoes(played.events, played.reveals) == 2
    assert list(as_entries(played.events))


@pytest.mark.parametrize("size", [1, 2, 3, 52, 416])
def test_every_size_is_mixed_as_the_text_says(size: int) -> None:
    chance = Random(size)
    for _ in range(20):
        commitment, seed = chance.randbytes(32).hex(), chance.randbytes(32).hex()
        found = mixing(size, mixing_key(commitment, [seed]))
        assert sorted(found) == list(range(size))
        order = "".join(str(CARDS[place % 52]) for place in range(size))
        ours = mixed(bytes([place % 52 for place in range(size)]), commitment, [seed])
        theirs = _mixed_only(order, commitment, [seed])
        assert [str(CARDS[card]) for card in ours] == theirs


def _mixed_only(order: str, commitment: str, seeds: list[str]) -> list[str]:
    """The oracle's mixing, for orders that nobody committed to."""
    key = sha(b"puntobanco shoe seeds 1\0", bytes.fromhex(commitment), *map(bytes.fromhex, seeds))
    stream = b"".join(sha(b"puntobanco shoe mix 1\0", key, block.to_bytes(8, "big")) for block in range(64))
    numbers = iter([256 * high + low for high, low in zip(stream[::2], stream[1::2], strict=True)])
    cards = [order[place : place + 2] for place in range(0, len(order), 2)]
    for count in range(len(cards), 1, -1):
        number = next(number for number in numbers if number < 65_536 - 65_536 % count)
        cards[count - 1], cards[number % count] = cards[number % count], cards[count - 1]
    return cards


def test_no_place_is_favoured() -> None:
    """Of all words, those that are not thrown away lead to each place equally often, for every swap of any shoe."""
    for bound in range(2, 417):
        kept = 65_536 - 65_536 % bound
        assert kept % bound == 0
        assert kept > 65_536 - bound
    key = mixing_key("00" * 32, ["01" * 32])
    words = words_of(key)
    assert [next(words) for _ in range(17)] == [
        int.from_bytes(sha(b"puntobanco shoe mix 1\0", key, bytes(7) + bytes([place // 16]))[at : at + 2], "big")
        for place in range(17)
        for at in (2 * (place % 16),)
    ]


def test_the_example_of_the_docs() -> None:
    """A vector that a stranger's implementation can be tried with."""
    order = bytes(range(52))
    found = mixed(order, "11" * 32, ["22" * 32, "33" * 32])
    text = "".join(str(CARDS[card]) for card in found)
    docs = Path("docs/shoes.md").read_text("utf-8")
    assert text in docs
    assert mixing_key("11" * 32, ["22" * 32, "33" * 32]).hex() in docs
    assert mixed(order, "11" * 32, ["33" * 32, "22" * 32]) != found, "the order of the pledges counts"
    assert mixed(order, "11" * 32, []) == order


def test_every_lie_in_a_receipt_is_seen(receipts: list[ShoeReceipt]) -> None:
    whole = msgspec.to_builtins(receipts[0])
    named = next(place for place, card in enumerate(whole["cards"]) if card)
    other = "As" if whole["cards"][named] != "As" else "Kc"
    order, first = whole["order"], whole["pledges"][0]
    lies: dict[str, dict[str, Any]] = {
        "salt": {"salt": "00" * 32},
        "book": {"book": "00" * 32},
        "commitment": {"commitment": "00" * 32},
        "order": {"order": order[2:4] + order[:2] + order[4:]},
        "short order": {"order": order[:-2]},
        "card": {"cards": [*whole["cards"][:named], other, *whole["cards"][named + 1 :]]},
        "cards moved": {"cards": whole["cards"][1:]},
        "another cut": {"cuts": [whole["cuts"][0] % 415 + 1, *whole["cuts"][1:]]},
        "no cut": {"cuts": []},
        "a cut beyond": {"cuts": [416]},
        "seed": {"pledges": [first | {"seed": "00" * 32}, *whole["pledges"][1:]]},
        "seed in capitals": {"pledges": [first | {"seed": first["seed"].upper()}, *whole["pledges"][1:]]},
        "withheld": {"pledges": [first | {"seed": ""}, *whole["pledges"][1:]]},
        "pledge of nobody": {"pledges": [{"pledge": "0" * 64, "seed": "ab" * 32}, *whole["pledges"]]},
        "turned round": {"pledges": whole["pledges"][::-1]},
        "no hexadecimal digits": {"pledges": [{"pledge": "x", "seed": "y"}]},
    }
    for changes in lies.values():
        told = msgspec.convert(whole | changes, ShoeReceipt)
        with pytest.raises(CommitmentError):
            check_receipt(told)


def test_no_text_is_a_receipt_but_a_receipt(receipts: list[ShoeReceipt]) -> None:
    signed = msgspec.json.encode(SignedReceipt(receipts[0], "", ""))
    assert parse_receipt(signed).receipt == receipts[0]
    for text in (b"", b"{}", b"\xff", b"[" * 100_000, signed[:-1], signed.replace(b'"shoe":1', b'"shoe":"1"')):
        with pytest.raises(CommitmentError, match="not a receipt of a shoe"):
            parse_receipt(text)
    with pytest.raises(CommitmentError, match="at most"):
        parse_receipt(signed + b" " * (1 << 18))


def test_a_log_that_tells_other_seeds_than_were_pledged_is_refused(played: MixedTable) -> None:
    mixing = next(event for event in played.events if isinstance(event, e.ShoeMixed))
    shown = next(event for event in played.events if isinstance(event, e.SeedShown))
    changes: dict[e.Event, e.Event] = {
        mixing: e.ShoeMixed(mixing.seeds[:1]),
        shown: e.SeedShown(shown.person, "00" * 32),
    }
    for told, instead in changes.items():
        events = [instead if event == told else event for event in played.events]
        with pytest.raises(CommitmentError, match="seed"):
            check_shoes(events, played.reveals)


def test_a_receipt_names_nobody(receipts: list[ShoeReceipt]) -> None:
    text = bytes(receipts[0]).decode()
    assert not any(player in text for player in PLAYERS)
    assert Pledge("a").seed == ""
    assert ShoeHistory(1, 416).seeds == ()
