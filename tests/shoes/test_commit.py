"""Commitments, cuts, and what anybody can check afterwards."""

from __future__ import annotations

import copy
import hashlib
import pickle

import msgspec
import pytest

from puntobanco.cards import CARDS, Card, parse_cards
from puntobanco.shoes.audit import check_shoe, check_shoes
from puntobanco.shoes.commit import (
    CommitmentError,
    Reveal,
    ShoeSecret,
    after_cuts,
    check_dealt,
    check_order,
    check_reveal,
    commitment,
    cut,
    first_difference,
    read_order,
    write_order,
)
from puntobanco.shoes.history import ShoeHistory, follow, follow_all, shoes_of
from puntobanco.table import events as e

BOOK = "ab" * 32
SALT = bytes(range(32))
NEW_DECK = bytes(range(52))
TEXT = "".join(rank + suit for rank in "A23456789TJQK" for suit in "shdc")


def cards_of(order: bytes) -> tuple[Card, ...]:
    return tuple(CARDS[index] for index in order)


def test_the_commitment_is_as_documented() -> None:
    """Written out once, so that a change of the layout cannot pass unseen."""
    assert commitment(SALT, BOOK, NEW_DECK) == hashlib.sha256(SALT + b"\xab" * 32 + TEXT.encode()).hexdigest()
    assert commitment(SALT, BOOK, NEW_DECK) == "b3428bf882129cf61d50919c82ff3ff791b9d1b8493be1b838a14b53f4fa7578"
    assert [str(CARDS[index]) for index in (0, 1, 2, 3, 4, 36, 51)] == ["As", "Ah", "Ad", "Ac", "2s", "Ts", "Kc"]


def test_what_can_be_no_commitment() -> None:
    with pytest.raises(CommitmentError, match="32 bytes, not 31"):
        commitment(SALT[1:], BOOK, NEW_DECK)
    for book in ("", "AB" * 32, "ab" * 31, "zz" * 32):
        with pytest.raises(CommitmentError, match="not the hash of a book"):
            commitment(SALT, book, NEW_DECK)


def test_an_order_is_of_whole_decks() -> None:
    check_order(NEW_DECK * 8)
    for order, message in (
        (b"", "0 cards"),
        (NEW_DECK[:-1], "51 cards"),
        (NEW_DECK * 11, "572 cards"),
        (NEW_DECK[:-1] + b"\x34", "Kc is there 0 times in 1 decks"),
        (NEW_DECK[:-1] + b"\x00", "As is there 2 times in 1 decks"),
    ):
        with pytest.raises(CommitmentError, match=message):
            check_order(order)


def test_an_order_as_text() -> None:
    assert write_order(NEW_DECK) == TEXT
    order = ShoeSecret.fresh(8).order
    assert read_order(write_order(order)) == order
    with pytest.raises(CommitmentError, match="byte 52 is not a card"):
        write_order(b"\x01\x34")
    for text in ("A", "AsK", "as", "10h", "As 9h", "A♠", "xx"):
        with pytest.raises(CommitmentError, match="is not a card: an order is two letters a card"):
            read_order(text)


def test_a_reveal_must_fit_the_commitment() -> None:
    secret = ShoeSecret.fresh(8)
    published = secret.commitment(BOOK)
    check_reveal(published, secret.salt, BOOK, secret.order)
    other = bytearray(secret.order)
    place = next(place for place in range(1, 416) if other[place] != other[0])
    other[0], other[place] = other[place], other[0]
    for salt, book, order in (
        (bytes(32), BOOK, secret.order),
        (secret.salt, "00" * 32, secret.order),
        (secret.salt, BOOK, bytes(other)),
        (secret.salt, BOOK, cut(secret.order, 1)),
    ):
        with pytest.raises(CommitmentError, match="was published"):
            check_reveal(published, salt, book, order)
    with pytest.raises(CommitmentError, match="but nothing was published"):
        check_reveal("", secret.salt, BOOK, secret.order)


def test_a_cut_rotates() -> None:
    assert cut(NEW_DECK, 2)[:3] == b"\x02\x03\x04"
    assert cut(NEW_DECK, 2)[-2:] == b"\x00\x01"
    assert after_cuts(NEW_DECK, (2, 51, 1)) == cut(NEW_DECK, 2)
    assert after_cuts(NEW_DECK, ()) == NEW_DECK
    for position in (0, 52, -1):
        with pytest.raises(CommitmentError, match="after 1 to 51 cards"):
            cut(NEW_DECK, position)


def test_cards_of_a_log_are_those_of_the_order() -> None:
    order = after_cuts(NEW_DECK, (10,))
    cards = cards_of(order)
    check_dealt(NEW_DECK, (10,), (cards[0], None, None), cards[3:])
    check_dealt(NEW_DECK, (10,), (), (None, cards[1]))
    with pytest.raises(CommitmentError, match="card 1 out of the shoe: the log has 3d, the order As"):
        check_dealt(NEW_DECK, (), (), cards)
    with pytest.raises(CommitmentError, match="card 3 out of the shoe: the log has As, the order 4s"):
        check_dealt(NEW_DECK, (10,), cards[:1], (cards[1], Card("As")))
    with pytest.raises(CommitmentError, match="53 cards left a shoe of 52"):
        check_dealt(NEW_DECK, (10,), (), (*cards, None))
    assert first_difference(NEW_DECK, (10,), cards) is None


def test_secrets_show_nothing_and_are_not_written_out() -> None:
    secret = ShoeSecret.fresh(8)
    for text in (repr(secret), str(secret), f"{secret}", f"{[secret]}", "%s" % secret):  # noqa: UP031
        assert "ShoeSecret" in text
        assert len(text) < 20
    for write in (pickle.dumps, copy.copy, copy.deepcopy, msgspec.json.encode, msgspec.to_builtins, vars):
        with pytest.raises(TypeError):
            write(secret)


# --- a log


def some_log(secret: ShoeSecret, book: str = BOOK) -> list[e.Event]:
    """Two cuts, a burn, three rounds with cards dealt in every way, an early end."""
    order = cards_of(after_cuts(secret.order, (100, 7)))
    return [
        e.ShoeStarted(1, 416, "shuffled", secret.commitment(book)),
        e.ShoeCut("ann", 100),
        e.ShoeCut("ben", 7),
        e.CardsBurnt((order[0], None, None)),
        e.RoundCalled(1, "", 0),
        e.CardsDealt(order[3:7], ()),
        e.RoundCalled(2, "", 0),
        e.CardDrawn(1),
        e.CardDrawn(2, order[8]),
        e.CardTurned(1, order[7]),
        e.CardTurned(2, order[8]),
        e.CardDrawn(3),
        e.ShoeEnded(1, 10, 10),
    ]


def revealed(secret: ShoeSecret, shoe: int = 1) -> Reveal:
    return Reveal("T1", shoe, secret.salt.hex(), BOOK, write_order(secret.order))


def test_the_log_tells_what_left_the_shoe() -> None:
    secret = ShoeSecret.fresh(8)
    shoe = follow_all(some_log(secret))
    assert shoe is not None
    order = cards_of(after_cuts(secret.order, (100, 7)))
    assert (shoe.cuts, shoe.over, len(shoe.gone)) == ((100, 7), True, 10)
    assert shoe.gone == (order[0], None, None, *order[3:9], None)
    check_shoe(shoe, revealed(secret), BOOK)


def test_nothing_is_known_before_the_first_shoe() -> None:
    assert follow_all([e.RoundCalled(1, "", 0), e.ShoeCut("ann", 3)]) is None
    assert list(shoes_of([e.RoundCalled(1, "", 0)])) == []


@pytest.mark.parametrize(
    ("place", "event", "message"),
    [
        (1, e.ShoeCut("ann", 101), "card 1 out of the shoe"),
        (3, e.CardsBurnt(parse_cards("2h")), "out of the shoe"),
        (9, e.CardTurned(1, Card("As")), "drawn as|out of the shoe"),
        (10, e.CardTurned(9, Card("As")), "turned before it was drawn"),
        (10, e.CardTurned(0, Card("As")), "turned before it was drawn"),
        (11, e.CardsDealt(parse_cards("2h" * 407), ()), "left a shoe of 416|out of the shoe"),
        (11, e.ShoeCut("ann", 5), "cut after its first card"),
        (11, e.CardsBurnt((None,)), "burnt after its first round"),
    ],
)
def test_a_log_that_was_changed_is_found(place: int, event: e.Event, message: str) -> None:
    secret = ShoeSecret(SALT, NEW_DECK * 8)
    log = some_log(secret)
    log[place] = event
    with pytest.raises(CommitmentError, match=message):
        check_log(log, revealed(secret))


def check_log(log: list[e.Event], reveal: Reveal) -> None:
    shoe = follow_all(log)
    assert shoe is not None
    check_shoe(shoe, reveal, BOOK)


def test_a_card_that_was_turned_as_another_is_found() -> None:
    shoe = ShoeHistory(1, 416)
    shoe = follow(shoe, e.CardDrawn(1, Card("9h"))) or shoe
    with pytest.raises(CommitmentError, match="drawn as 9h, turned as 8h"):
        follow(shoe, e.CardTurned(1, Card("8h")))


def test_a_reveal_of_another_shoe_or_book_is_found() -> None:
    secret = ShoeSecret.fresh(8)
    shoe = follow_all(some_log(secret))
    assert shoe is not None
    good = revealed(secret)
    for changes, message in (
        ({"shoe": 2}, "shoe 2 was revealed, not shoe 1"),
        ({"book": "00" * 32}, "another rule book"),
        ({"salt": "00" * 32}, "shoe 1: the revealed order is not the one that was committed to"),
        ({"order": "As9"}, "shoe 1: '9' is not a card"),
        ({"order": good.order.lower()}, "is not a card"),
        ({"salt": "xx"}, "shoe 1: the salt is not written as 64 hexadecimal digits in small letters"),
        ({"salt": "00"}, "shoe 1: the salt is not written as 64 hexadecimal digits"),
        ({"order": ""}, "shoe 1: 0 cards"),
    ):
        with pytest.raises(CommitmentError, match=message):
            check_shoe(shoe, msgspec.structs.replace(good, **changes), BOOK)
    smaller = msgspec.structs.replace(shoe, size=312)
    with pytest.raises(CommitmentError, match="416 cards were revealed of a shoe of 312"):
        check_shoe(smaller, good, BOOK)


def test_a_reveal_is_a_line_of_json() -> None:
    reveal = revealed(ShoeSecret.fresh(1))
    assert Reveal.parse(bytes(reveal)) == reveal
    assert b"\n" not in bytes(reveal)
    for text in (b"", b"{}", b"[1]", b'{"table": 3}', b"\xff", bytes(reveal)[:-1] + b', "more": 1}'):
        with pytest.raises(CommitmentError, match="not a revealed shoe"):
            Reveal.parse(text)


def test_a_log_of_another_beginning_has_no_shoes_to_check() -> None:
    with pytest.raises(CommitmentError, match="begins with the table's opening"):
        check_shoes([], [])


def test_a_reveal_is_written_in_one_way_only() -> None:
    """Upper-case digits, spaces between them, deep nesting and bytes that are no text are refused."""
    secret, book = ShoeSecret.fresh(1), "ab" * 32
    good = Reveal("T1", 1, secret.salt.hex(), book, write_order(secret.order))
    assert Reveal.parse(bytes(good)) == good
    for salt in ("AB" * 32, "ab " * 32, "ab" * 31, "\u0660" * 64):
        with pytest.raises(CommitmentError, match="small letters"):
            assert Reveal("T1", 1, salt, book, good.order).salt_bytes
    for text in (b'{"table":' + b"[" * 200_000, b'{"table":"\xff"}', b"\xff"):
        with pytest.raises(CommitmentError, match="not a revealed shoe"):
            Reveal.parse(text)
