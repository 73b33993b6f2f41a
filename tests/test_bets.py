"""Settlement, and what is decided before the end, against deals completed in every way by brute force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco import bets
from puntobanco.bets import Decided, Result, Verdict, decided, members, payoffs, settle, sure_to_be_decided
from puntobanco.cards import CARDS, Card, parse_cards
from puntobanco.coup import Coup, DealError, deal_finished, reconstruct
from puntobanco.literal import literal_profit
from puntobanco.money import MoneyError, Odds, Rounding, RoundingMode
from puntobanco.rules.load import GAMES, find_book
from puntobanco.rules.model import UnknownName

TIGER_BUFFALO = find_book("tiger-buffalo")

# tiger-buffalo 4.1.2 to 4.1.13: which bets a layout carries
CARRIED = {
    "player banker tie": "ABCDEFGHIJKLMNOPQ",
    "player_pair banker_pair": "ABDEGJK",
    "big_tiger small_tiger big_buffalo small_buffalo player_char_siu banker_char_siu": "ABCDEFGHIJKLNOPQ",
    "tiger_buffalo": "CFHI",
    "tiger_tie": "LNOPQ",
    "wu_dalang": "CFHIM",
    "banker_big_7 banker_small_7 player_big_7 player_small_7 tiger_pair tiger": "M",
}
LAYOUT_BETS = {
    layout: {bet for bets, layouts in CARRIED.items() if layout in layouts for bet in bets.split()}
    for layout in "ABCDEFGHIJKLMNOPQ"
}


# --- brute force: ranks 0 to 12 as plain numbers, every deal completed in every way -----------------

ZERO_TO_TWELVE = range(13)


def value(rank: int) -> int:
    return rank + 1 if rank < 9 else 0


class End(NamedTuple):
    """How a deal of ranks ended."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    pairs: tuple[bool, bool, bool]
    """Whether Player's hand opens with a pair, whether Banker's does, and whether the two are alike."""


def banker_takes(banker: int, third: int) -> bool:
    if banker <= 2:
        return True
    return third in {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: range(2, 8), 5: range(4, 8), 6: (6, 7)}.get(banker, ())


@cache
def completed(dealt: tuple[int, ...]) -> frozenset[End]:
    """Every end of the coup that begins with these ranks."""
    if len(dealt) < 4:
        return frozenset().union(*(completed(tidy((*dealt, rank))) for rank in ZERO_TO_TWELVE))
    player = (value(dealt[0]) + value(dealt[2])) % 10
    banker = (value(dealt[1]) + value(dealt[3])) % 10
    pairs = (dealt[0] == dealt[2], dealt[1] == dealt[3], dealt[0] == dealt[2] == dealt[1] == dealt[3])
    if player >= 8 or banker >= 8 or (player >= 6 and banker >= 6):
        return frozenset({End(player, banker, 2, 2, pairs)})
    if player >= 6:
        fifths: Iterable[int] = dealt[4:5] or ZERO_TO_TWELVE
        return frozenset(End(player, (banker + value(rank)) % 10, 2, 3, pairs) for rank in fifths)
    ends = set()
    for fifth in dealt[4:5] or ZERO_TO_TWELVE:
        total = (player + value(fifth)) % 10
        if banker_takes(banker, value(fifth)):
            sixths = dealt[5:6] or ZERO_TO_TWELVE
            ends |= {End(total, (banker + value(rank)) % 10, 3, 3, pairs) for rank in sixths}
        else:
            ends.add(End(total, banker, 3, 2, pairs))
    return frozenset(ends)


def tidy(dealt: tuple[int, ...]) -> tuple[int, ...]:
    """The same deal with the cards of each opening in order, which changes no end."""
    if len(dealt) != 4:
        return dealt
    (first, third), (second, fourth) = sorted(dealt[0::2]), sorted(dealt[1::2])
    return (first, second, third, fourth)


@cache
def result_in(game: str, bet: str, end: End) -> Result:
    """What becomes of a bet, by the paragraphs, in a coup that ends like this."""
    gain = literal_profit(game, bet, coup_of(end))
    return Result.WON if gain > 0 else Result.LOST if gain < 0 else Result.RETURNED


@cache
def coup_of(end: End) -> Coup:
    """A coup with these points, cards and pairs. How it was dealt matters to no bet."""
    player_pair, banker_pair, twin = end.pairs
    for player, banker in product(openings(player_pair), openings(banker_pair)):
        if player_pair and banker_pair and (player == banker) is not twin:
            continue
        opening = reconstruct(card(rank) for rank in (player[0], banker[0], player[1], banker[1])).coup
        for coup in ends_of(opening):
            if (coup.player.total, coup.banker.total, len(coup.player), len(coup.banker)) == end[:4]:
                return coup
    raise AssertionError(end)


def ends_of(coup: Coup) -> Iterator[Coup]:
    if coup.finished:
        yield coup
    else:
        for rank in range(10):
            yield from ends_of(coup.receive(card(rank)))


def openings(pair: bool) -> list[tuple[int, int]]:
    """Two ranks for each total and, of pairs, each rank."""
    return [(rank, rank) for rank in ZERO_TO_TWELVE] if pair else [(11, rank) for rank in range(10)]


def card(rank: int) -> Card:
    return CARDS[4 * rank]


@cache
def ends_as_bits(dealt: tuple[int, ...]) -> int:
    """The same set of ends as a number, so that many of them compare quickly."""
    return sum(1 << number_of(end) for end in completed(tidy(dealt)))


_numbers: dict[End, int] = {}


def number_of(end: End) -> int:
    return _numbers.setdefault(end, len(_numbers))


@cache
def winning_ends(game: str) -> dict[str, dict[Result, int]]:
    """Bet → result → the ends that give it."""
    found = {}
    for bet in find_book(game).bets:
        sets = dict.fromkeys(Result, 0)
        for end in completed(()):
            sets[result_in(game, bet, end)] |= 1 << number_of(end)
        found[bet] = sets
    return found


def brute_force(game: str, dealt: tuple[int, ...]) -> dict[str, Result]:
    ends = ends_as_bits(dealt)
    return {
        bet: result for bet, sets in winning_ends(game).items() for result, bits in sets.items() if ends & ~bits == 0
    }


def deals(cards: int) -> Iterator[tuple[int, ...]]:
    """Deals of so many ranks: all of up to three cards, then one for each pair of openings that differ."""
    if cards <= 3:
        yield from product(ZERO_TO_TWELVE, repeat=cards)
        return
    for (first, third), (second, fourth) in product(openings(True) + openings(False), repeat=2):
        opening = (first, second, third, fourth)
        if cards == 4:
            yield opening
        elif reconstruct(map(card, opening)).coup.due:
            yield from ((*opening, fifth) for fifth in (9, *range(9)))


def test_the_brute_force_knows_every_end() -> None:
    assert len(completed(())) == 779
    assert len({end[:4] for end in completed(())}) == 205


@pytest.mark.parametrize("cards", range(6))
@pytest.mark.parametrize("game", GAMES)
def test_decided(game: str, cards: int) -> None:
    book = find_book(game)
    for dealt in deals(cards):
        found = decided(book, reconstruct(map(card, dealt)).coup)
        assert found.bets == brute_force(game, dealt), dealt


@pytest.mark.parametrize("layout", LAYOUT_BETS)
def test_decided_on_a_layout(layout: str) -> None:
    """What a layout does not carry is neither decided nor counted."""
    cloth = TIGER_BUFFALO.layout(layout)
    for cards in range(5):
        for dealt in deals(cards):
            expected = {
                bet: result for bet, result in brute_force("tiger-buffalo", dealt).items() if bet in LAYOUT_BETS[layout]
            }
            found = decided(TIGER_BUFFALO, reconstruct(map(card, dealt)).coup, cloth)
            assert found.bets == expected, dealt
            assert found.established == bool(expected)


TABLES = [(game, code) for game in GAMES for code in find_book(game).layouts]


@pytest.mark.parametrize(("game", "layout"), TABLES)
def test_established(game: str, layout: str) -> None:
    """The figures of reading E, on every layout of every game."""
    book = find_book(game)
    cloth = book.layout(layout)

    def established(dealt: tuple[int, ...]) -> bool:
        return decided(book, reconstruct(map(card, dealt)).coup, cloth).established

    for cards in (0, 1, 2):
        assert not any(map(established, deals(cards)))
    for first, second, third in deals(3):
        pair, total = first == third, (value(first) + value(third)) % 10
        open_still = game == "da-hu-ying-xiong" and not pair and total <= 5
        assert established((first, second, third)) is not open_still
    assert all(map(established, deals(4)))


@given(st.lists(st.sampled_from(CARDS), max_size=5), st.sampled_from(GAMES))
def test_decided_is_blind_to_suits(cards: list[Card], game: str) -> None:
    dealt = tuple(one.rank.index for one in reconstruct(cards).coup.cards)
    found = decided(find_book(game), reconstruct(cards).coup)
    assert found.bets == brute_force(game, dealt)


@given(st.lists(st.sampled_from(CARDS), min_size=6, max_size=6), st.sampled_from(GAMES))
def test_a_decided_bet_keeps_its_result(cards: list[Card], game: str) -> None:
    book = find_book(game)
    coup = Coup()
    known: dict[str, Result] = {}
    for one in cards:
        if coup.finished:
            break
        coup = coup.receive(one)
        found = decided(book, coup).bets
        assert known.items() <= found.items()
        known = found
    wagers = settle(book, coup, dict.fromkeys(book.bets, 100))
    assert {wager.bet: wager.result for wager in wagers} == known


def test_nothing_decided() -> None:
    assert not Decided({}).established
    assert Decided({"tie": Result.LOST}).established


# --- settlement -------------------------------------------------------------------------------------


def test_a_round() -> None:
    coup = deal_finished(parse_cards("9h Kc 4d 2s 5c 4h"))
    assert (coup.player.total, coup.banker.total) == (8, 6)
    settled = settle(
        TIGER_BUFFALO,
        coup,
        {"player": 10000, "banker": 2500, "tie": 100, "player_pair": 100, "player_char_siu": 100},
    )
    assert [(wager.bet, wager.result, wager.profit, wager.back, wager.paragraph) for wager in settled] == [
        ("player", Result.WON, 10000, 20000, "4.1.1"),
        ("banker", Result.LOST, -2500, 0, "3.16"),
        ("tie", Result.LOST, -100, 0, "1.32"),
        ("player_pair", Result.LOST, -100, 0, "1.23"),
        ("player_char_siu", Result.LOST, -100, 0, "1.22"),
    ]
    assert settled[0].odds == Odds.of(1)
    assert settled[1].odds is None


def test_a_tie() -> None:
    coup = Coup.parse("P KsQd3h B Kh3dQc")
    settled = settle(find_book("super-six"), coup, [("player", 500), ("tie", 100), ("player", 700)])
    assert [(wager.bet, wager.result, wager.back, wager.paragraph) for wager in settled] == [
        ("player", Result.RETURNED, 500, "3.8"),
        ("tie", Result.WON, 900, "4.1.2"),
        ("player", Result.RETURNED, 700, "3.8"),
    ]


@pytest.mark.parametrize(
    ("rounding", "profit"),
    [
        (Rounding(), 97),
        (Rounding(RoundingMode.NEAREST), 98),
        (Rounding(RoundingMode.UP), 98),
        (Rounding(RoundingMode.DOWN, 25), 75),
        (Rounding(RoundingMode.NEAREST, 25), 100),
        (Rounding(RoundingMode.UP, 50), 100),
    ],
)
def test_rounding(rounding: Rounding, profit: int) -> None:
    """0.95 to 1 on 1.03 is 0.9785; a lost or returned stake is never rounded."""
    book = find_book("da-hu-ying-xiong")

    def profits(coup: str) -> list[int]:
        return [wager.profit for wager in settle(book, Coup.parse(coup), {"banker": 103}, rounding=rounding)]

    assert profits("P KsQd B 9hKd") == [profit]
    assert profits("P 9hKd B KsQd") == [-103]
    assert profits("P 9hKd B KsQd".replace("KsQd", "9sQd")) == [0]


def test_down_is_the_default() -> None:
    (wager,) = settle(find_book("da-hu-ying-xiong"), Coup.parse("P KsQd B 9hKd"), {"banker": 103})
    assert wager.profit == 97


@pytest.mark.parametrize(("game", "layout"), TABLES)
def test_a_layout_refuses_what_it_does_not_carry(game: str, layout: str) -> None:
    book = find_book(game)
    cloth = book.layout(layout)
    coup = Coup.parse("P KsQd B 9hKd")
    carried = LAYOUT_BETS[layout] if game == "tiger-buffalo" else set(book.bets)
    for bet in book.bets:
        if bet in carried:
            assert len(settle(book, coup, {bet: 100}, layout=cloth)) == 1
        else:
            with pytest.raises(UnknownName, match=f"no bet '{bet}' at layout {layout} of "):
                settle(book, coup, {bet: 100}, layout=cloth)


def test_no_such_bet() -> None:
    with pytest.raises(UnknownName, match=r"no bet 'super_six' at Da Hu Ying Xiong .*; there are player, banker, tie"):
        settle(find_book("da-hu-ying-xiong"), Coup.parse("P KsQd B 9hKd"), {"super_six": 100})


# typed from the books: the paragraph that says what each bet pays, and the one by which it loses
PARAGRAPHS = {
    "da-hu-ying-xiong": {
        "player banker": ("4.1.2", "3.13"),
        "tie": ("4.1.2", "1.20"),
        "tiger_tie": ("4.1.2", "1.22"),
        "tiger": ("4.1.2", "1.21"),
        "big_tiger": ("4.1.2", "1.3"),
        "small_tiger": ("4.1.2", "1.18"),
        "tiger_pair": ("4.1.2", "1.23"),
    },
    "super-six": {
        "player banker": ("4.1.2", "3.7"),
        "tie super_six player_pair banker_pair": ("4.1.2", "1"),
    },
    "rws-baccarat": {
        "player banker": ("4.1.1", "3.13"),
        "any_tie": ("4.1.1", "1.22"),
        "player_pair banker_pair": ("4.1.1", "1.15"),
        " ".join(f"player_wins_on_{points}" for points in range(1, 10)): ("4.1.2", "1.16"),
        " ".join(f"banker_wins_on_{points}" for points in range(1, 10)): ("4.1.3", "1.2"),
        " ".join(f"tie_wins_on_{points}" for points in range(10)): ("4.1.4", "1.23"),
    },
    "tiger-buffalo": {
        "player banker": ("4.1.1", "3.16"),
        "tie": ("4.1.2", "1.32"),
        "player_pair banker_pair": ("4.1.3", "1.23"),
        "big_tiger": ("4.1.4", "1.7"),
        "small_tiger": ("4.1.4", "1.30"),
        "big_buffalo": ("4.1.5", "1.6"),
        "small_buffalo": ("4.1.5", "1.29"),
        "banker_big_7": ("4.1.6", "1.2"),
        "banker_small_7": ("4.1.6", "1.4"),
        "player_big_7": ("4.1.7", "1.21"),
        "player_small_7": ("4.1.7", "1.24"),
        "tiger_buffalo": ("4.1.8", "1.34"),
        "tiger_pair": ("4.1.9", "1.35"),
        "tiger_tie": ("4.1.10", "1.36"),
        "wu_dalang": ("4.1.11", "1.38"),
        "tiger": ("4.1.12", "1.33"),
        "player_char_siu": ("4.1.13", "1.22"),
        "banker_char_siu": ("4.1.13", "1.3"),
    },
    "dragon-tiger-commission": {
        "player": ("5.1.1", "6.1.1.2"),
        "banker": ("5.1.1", "6.1.2.2"),
        "tie": ("5.1.3", "6.1.3"),
        "player_pair banker_pair": ("5.1.3", "6.2.1.2"),
        "small_dragon": ("5.1.3", "6.3.1.1"),
        "big_dragon": ("5.1.3", "6.4.1.1"),
        "small_tiger": ("5.1.3", "6.5.1.1"),
        "big_tiger": ("5.1.3", "6.6.1.1"),
        "dragon_tiger": ("5.1.3", "6.7.1.1"),
    },
}
PARAGRAPHS["dragon-tiger-non-commission"] = PARAGRAPHS["dragon-tiger-commission"] | {
    "player": ("5.1.2", "6.1.1.2"),
    "banker": ("5.1.2", "6.1.2.2"),
}
RETURNS = {
    "da-hu-ying-xiong": ("3.14", "3.14"),
    "super-six": ("3.8", "3.8"),
    "rws-baccarat": ("3.14", "3.14"),
    "tiger-buffalo": ("3.17", "3.17"),
    "dragon-tiger-commission": ("6.1.1.3", "6.1.2.3"),
    "dragon-tiger-non-commission": ("6.1.1.3", "6.1.2.3"),
}


@pytest.mark.parametrize("game", GAMES)
def test_every_verdict_cites_its_paragraph(game: str) -> None:
    book = find_book(game)
    table = payoffs(book)
    cited = {bet: pair for bets, pair in PARAGRAPHS[game].items() for bet in bets.split()}
    assert set(cited) == set(table)
    for bet, payoff in table.items():
        found: dict[Result, set[str]] = {result: set() for result in Result}
        for number in book.space.numbers:
            verdict = payoff.verdict(number)
            found[verdict.result].add(verdict.paragraph)
        won, lost = cited[bet]
        returned = dict(zip(("player", "banker"), RETURNS[game], strict=True)).get(bet)
        assert found == {
            Result.WON: {won},
            Result.LOST: {lost},
            Result.RETURNED: {returned} if returned else set(),
        }


@pytest.mark.parametrize("game", GAMES)
def test_the_sets_of_a_payoff(game: str) -> None:
    book = find_book(game)
    for payoff in payoffs(book).values():
        sets = payoff.sets
        assert sum(sets.values()) == book.space.all
        for result, bits in sets.items():
            assert all(payoff.verdict(number).result is result for number in members(bits))
        assert payoff.decided(book.space.all) is None
        assert sets[Result.WON]
        assert repr(payoff) == f"Payoff({payoff.bet.code})"


def test_members_of_a_bit_set() -> None:
    assert list(members(0)) == []
    assert list(members(0b1010_0001)) == [0, 5, 7]


def test_a_verdict_by_itself() -> None:
    assert Verdict(Result.WON, "1", Odds.parse("3 to 2")).profit(101) == 151
    assert Verdict(Result.LOST, "1").profit(101) == -101
    assert Verdict(Result.RETURNED, "1").profit(101) == 0


def test_an_unfinished_coup_cannot_be_settled() -> None:
    with pytest.raises(DealError, match="not finished"):
        settle(find_book("super-six"), reconstruct(parse_cards("9h 4c")).coup, {"banker": 100})


@pytest.mark.parametrize("game", GAMES)
def test_how_many_cards_decide_something_whatever_they_are(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never two; three, except at da-hu-ying-xiong; four always. No card of them has to be known."""
    monkeypatch.setattr(bets, "_sure", {})
    book = find_book(game)
    three = game != "da-hu-ying-xiong"
    for layout in book.layouts.values():
        found = [sure_to_be_decided(book, layout, count) for count in range(5)]
        assert found == [False, False, False, three, True], layout.code


@pytest.mark.parametrize("game", GAMES)
def test_a_payoff_splits_the_space_and_its_gains_are_those_of_its_verdicts(game: str) -> None:
    book = find_book(game)
    assert [result.value for result in Result] == ["won", "lost", "returned"]  # as every record has them
    for code, payoff in payoffs(book).items():
        assert (payoff.bet, payoff.space) == (book.bets[code], book.space)
        assert repr(payoff) == f"Payoff({code})"
        gains: dict[Fraction, int] = {}
        results = dict.fromkeys(Result, 0)
        for number in book.space.numbers:
            verdict = payoff.verdict(number)
            results[verdict.result] |= 1 << number
            if verdict.result is not Result.LOST:
                gain = verdict.odds.fraction if verdict.odds else Fraction(0)
                gains[gain] = gains.get(gain, 0) | 1 << number
        assert payoff.sets == results
        assert payoff.by_gain == gains


@pytest.mark.parametrize("stake", [0, -1, True, 1.5, "1"])
def test_what_is_no_stake(stake: Any) -> None:
    coup = Coup.parse("P 9hKd B 8cKs")
    with pytest.raises(MoneyError, match="is not a stake"):
        settle(find_book("super-six"), coup, {"player": stake})


def test_one_minor_unit_is_a_stake() -> None:
    (settled,) = settle(find_book("super-six"), Coup.parse("P 9hKd B 8cKs"), {"player": 1})
    assert (settled.profit, settled.back) == (1, 2)
