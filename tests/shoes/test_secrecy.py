"""Somebody who has the log, the vault without its key, every view and every message tries to learn a card to come."""

from __future__ import annotations

import base64
import gc
import pickle
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace
from tests.entries import as_entries
from tests.search import far, search
from tests.shoes.electronic import ElectronicTable, settings

from puntobanco.cards import CARDS
from puntobanco.rules.load import GAMES
from puntobanco.script.log import format_log
from puntobanco.shoes.commit import ShoeSecret, after_cuts, commitment, read_order
from puntobanco.shoes.dealer import EVIDENCE, ElectronicShoe
from puntobanco.shoes.history import follow_all
from puntobanco.shoes.keys import Key, KeyRing, load_key_file
from puntobanco.shoes.vault import Label, MemoryVault, seal, unseal
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.engine import Done, execute, fold
from puntobanco.table.folds import evolve
from puntobanco.table.state import Table
from puntobanco.views import Viewer, ViewerKind, view

PEOPLE = ("ann", "ben", HOUSE, "zoe", "")
WINDOW = 6
"""So many cards in a row are not found by chance."""


def mid_shoe(folder: Path, chance: Random, game: str = "tiger-buffalo", **changes: Any) -> ElectronicTable:
    """A table with its second shoe in use, at any moment at which enough cards are out.

    Of a few cards by chance some are alike in another order, and that it is another one goes unnoticed.
    """
    table = ElectronicTable(folder, chance, settings(game, **changes))
    for _ in table.play():
        pass
    steps, wanted = table.play(), chance.randrange(40, 300)
    while table.table.shoe.number < 2 or table.table.shoe.drawn < wanted:
        next(steps)
    assert not table.table.shoe.ended
    return table


def secret_of(table: ElectronicTable) -> ShoeSecret:
    """What the attacker wants, by the key that he does not have."""
    shoe = table.table.shoe
    label = Label(table.table.settings.table, shoe.number, shoe.commitment)
    return unseal(table.vault.get(label), label, load_key_file(table.folder / "shoes.key"))


# --- what the attacker has


def records(events: list[e.Event]) -> bytes:
    return format_log(as_entries(events))


def views(table: Table) -> bytes:
    """As everybody sees the table: each kind of viewer, each person, at several moments."""
    kinds: tuple[ViewerKind, ...] = get_args(ViewerKind)
    seen = [view(table, Viewer(kind, person), now) for kind in kinds for person in PEOPLE for now in (0, 10_000)]
    return msgspec.json.encode(seen)


def own_frames(error: BaseException) -> Iterator[str]:
    """What a careless program logs of an error: its message, and every local variable of the package's frames."""
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    yield from told.format_exception_only()
    yield from (f"{frame.name} {frame.locals}" for frame in told.stack if "/puntobanco/" in frame.filename)


def complaints(table: ElectronicTable) -> str:
    """Everything that goes wrong when the shoe is misused."""
    dealer, now, shoe = table.dealer, table.table, table.shoe
    assert shoe is not None
    label = Label(now.settings.table, shoe.number, shoe.commitment)
    sealed = table.vault.get(label)
    other_key = KeyRing([Key.fresh()])
    book = replace(now, settings=replace(now.settings, book_hash="00" * 32))
    attempts: list[Callable[[], object]] = [
        lambda: dealer.reveal(now),
        lambda: dealer.reveal(replace(book, shoe=replace(now.shoe, ended=True))),
        lambda: dealer.new_shoe(now),
        lambda: dealer._next(now, None, 1),
        lambda: dealer._next(book, shoe, 1),
        lambda: dealer._next(now, replace(shoe, cuts=(*shoe.cuts, 1)), 1),
        lambda: dealer._next(now, replace(shoe, gone=(*shoe.gone[1:], CARDS[0])), 1),
        lambda: unseal(sealed[:-1], label, load_key_file(table.folder / "shoes.key")),
        lambda: unseal(sealed, label, other_key),
        lambda: unseal(sealed, Label("T9", 1, ""), load_key_file(table.folder / "shoes.key")),
        lambda: table.vault.put(label, b"x"),
        lambda: pickle.dumps(dealer),
        lambda: pickle.dumps(secret_of(table)),
        lambda: pickle.dumps(load_key_file(table.folder / "shoes.key")),
    ]
    told: list[str] = []
    for attempt in attempts:
        with pytest.raises((ValueError, TypeError)) as caught:
            attempt()
        told += own_frames(caught.value)
    return "\n".join(told)


def shown(table: ElectronicTable) -> str:
    """The objects as a program prints them."""
    keys = load_key_file(table.folder / "shoes.key")
    secret = secret_of(table)
    things = (table.table, table.shoe, table.dealer, vars(table.dealer), table.vault, vars(table.vault), keys, [*keys])
    return "\n".join(map(repr, (*things, secret, [secret], {"secret": secret}, EVIDENCE)))


def spoils(table: ElectronicTable) -> bytes:
    files = [file for file in table.folder.iterdir() if file.name != "shoes.key"]
    assert "shoes.vault" in {file.name for file in files}
    return b"\n".join(
        [
            records(table.events),
            *(file.read_bytes() for file in files),
            views(table.table),
            complaints(table).encode(),
            shown(table).encode(),
        ]
    )


# --- what the attacker looks for


def writings(order: bytes) -> Iterator[bytes]:
    """Cards in a row in every notation that occurs to somebody."""
    texts = [str(CARDS[index]) for index in order]
    yield order
    yield order.hex().encode()
    yield bytes(reversed(order))
    yield from (between.join(texts).encode() for between in ("", " ", ",", ", ", '","', '", "', "\n"))
    yield ", ".join(f"Card('{text}')" for text in texts).encode()
    yield ", ".join(map(str, order)).encode()
    yield ",".join(map(str, order)).encode()


def written(secret: bytes) -> Iterator[bytes]:
    yield secret
    yield secret.hex().encode()
    yield repr(secret)[2:-1].encode()
    yield base64.b64encode(secret).rstrip(b"=")[:-1]


def finds(order: bytes, spoil: bytes) -> bool:
    """Whether so many cards in a row are written there.

    A row holds one of the blocks that the order is divided into, so that only rows round a block that is there are
    looked for.
    """
    block = (WINDOW + 1) // 2
    for start in range(0, len(order) - block + 1, block):
        for notation, text in enumerate(writings(order[start : start + block])):
            if text in spoil:
                for place in range(max(0, start + block - WINDOW), min(start, len(order) - WINDOW) + 1):
                    if [*writings(order[place : place + WINDOW])][notation] in spoil:
                        return True
    return False


@search
@pytest.mark.parametrize("game", GAMES[: far(2, len(GAMES))])
def test_no_card_to_come_is_written_anywhere(game: str, tmp_path: Path) -> None:
    table = mid_shoe(tmp_path, Random(game), game, burn="first_card")
    secret, shoe = secret_of(table), table.shoe
    assert shoe is not None
    spoil = spoils(table)
    dealt = after_cuts(secret.order, shoe.cuts)
    to_come = dealt[len(shoe.gone) :]
    assert len(to_come) > 50
    assert not finds(to_come, spoil)
    keys = [key.secret for key in load_key_file(tmp_path / "shoes.key")]
    assert not any(text in spoil for piece in (secret.salt, *keys) for text in written(piece))
    # the search is good: it finds the cards of the shoe before, which is revealed, once that is added
    (reveal,) = table.reveals
    assert finds(read_order(reveal.order), spoil + bytes(reveal))
    # and those of the shoe, where somebody writes them down: of what is there besides, all was searched above
    for writing in writings(to_come):
        assert finds(to_come, spoil[-1000:] + writing)


@search
def test_face_down_cards_are_in_no_view(tmp_path: Path) -> None:
    shoe = settings("tiger-buffalo", face_down=True, cut_card=far(336, 16))
    table = ElectronicTable(tmp_path, Random(11), shoe)
    hidden = 0
    for _ in table.play(restart_one_in=1000):
        current = table.table.round
        if current is None or not current.hidden:
            continue
        hidden += 1
        blank = tuple(card if card.turned else replace(card, card=CARDS[0]) for card in current.cards)
        unknown = replace(table.table, round=replace(current, cards=blank))
        assert views(unknown) == views(table.table)
    assert hidden > 10


# --- views and events do not depend on what is to come


@search
@pytest.mark.parametrize("number", range(far(2, 6)))
def test_another_order_to_come_looks_the_same(number: int, tmp_path: Path) -> None:
    """Two shoes with the same cards up to now and others to come: log and views are the same, byte for byte."""
    table = mid_shoe(tmp_path, Random(number), burn="first_card", face_down=bool(number % 2))
    shoe, secret = table.shoe, secret_of(table)
    assert shoe is not None
    gone, dealt = len(shoe.gone), after_cuts(secret.order, shoe.cuts)
    rest = bytearray(dealt[gone:])
    Random(number).shuffle(rest)
    back = len(dealt) - sum(shoe.cuts) % len(dealt)
    uncut = after_cuts(dealt[:gone] + rest, [back] if back < len(dealt) else [])
    other = ShoeSecret(bytes(32), uncut)
    assert after_cuts(other.order, shoe.cuts)[:gone] == dealt[:gone]
    vault, keys = MemoryVault(), KeyRing([Key.fresh()])
    published = other.commitment(table.table.settings.book_hash)
    label = Label("E1", shoe.number, published)
    vault.put(label, seal(other, label, keys))

    def disguised(event: e.Event) -> e.Event:
        mine = isinstance(event, e.ShoeStarted) and event.commitment == shoe.commitment
        return replace(event, commitment=published) if mine else event

    # the other shoe gives the same cards at every step of the way
    events: list[e.Event] = []
    now: Table | None = None
    for event in map(disguised, table.events):
        if isinstance(event, e.CardsDealt) and now is not None and now.shoe.number == shoe.number:
            command = ElectronicShoe(vault, keys).next_command(now, follow_all(events))
            assert isinstance(command, c.Deal)
            assert command.cards == event.cards
            done = execute(now, Command("", HOUSE, 0, command))
            assert isinstance(done, Done)
            assert done.events[0] == event
        events.append(event)
        now = fold(as_entries(events)) if now is None else evolve(now, event)
    assert now is not None
    # every view shows the commitment, which is all that may differ
    assert published.encode() in views(now)
    assert views(now).replace(published.encode(), shoe.commitment.encode()) == views(table.table)
    assert records(events).replace(published.encode(), shoe.commitment.encode()) == records(table.events)


# --- the commitment


def test_the_commitment_cannot_be_guessed_even_where_few_orders_are_left(tmp_path: Path) -> None:
    """Near the end of a shoe there are few orders left to try. It is the salt that hides them."""
    table = mid_shoe(tmp_path, Random(21), "super-six")
    shoe, secret = table.table.shoe, secret_of(table)
    book = table.table.settings.book_hash
    assert commitment(secret.salt, book, secret.order) == shoe.commitment  # with the salt one try is enough
    label = Label("E1", shoe.number, shoe.commitment)
    sealed = table.vault.get(label)
    (reveal,) = table.reveals
    guesses = {
        bytes(32),
        bytes.fromhex(book),
        bytes.fromhex(reveal.salt),
        bytes.fromhex(shoe.commitment),
        *(sealed[place : place + 32] for place in range(len(sealed) - 31)),
    }
    assert all(commitment(salt, book, secret.order) != shoe.commitment for salt in guesses)


def test_the_seal_hides_which_order_it_holds() -> None:
    """Two orders sealed under one key differ in the nonce, and then everywhere: no bytes of one tell of the other."""
    keys, label = KeyRing([Key.fresh()]), Label("E1", 1, "c")
    secret = ShoeSecret.fresh(8)
    first, second = (seal(secret, label, keys)[21:] for _ in range(2))
    same = sum(a == b for a, b in zip(first, second, strict=True))
    assert same < 20  # of 464, two by chance


def test_the_dealer_keeps_no_order_in_memory(tmp_path: Path) -> None:
    table = mid_shoe(tmp_path, Random(31), "super-six")
    gc.collect()
    held = [thing for thing in gc.get_objects() if issubclass(type(thing), ShoeSecret)]  # asks no proxy
    assert held == []
    assert not any(isinstance(value, bytes) for value in vars(table.dealer).values())
