"""Exact odds: against brute force for every game and any shoe, and against published figures."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import oracle
from tests.oracle import End, count_cards, count_ranks, deal_every_kind, deal_every_order, literal_gains

from puntobanco.cards import CARDS, RANKS, Card, CardError, Composition
from puntobanco.coup import Coup, Hand, reconstruct
from puntobanco.odds import (
    BetOdds,
    Menu,
    ShoeTooShort,
    Weights,
    joint_odds,
    kernels,
    odds,
    odds_after,
    weights,
    weights_after,
)
from puntobanco.odds.deals import PATHS, count_paths
from puntobanco.outcomes import PLAIN, SUITED
from puntobanco.rules.load import GAMES, find_book, parse_book
from puntobanco.rules.model import RuleBook, UnknownName

EIGHT_DECKS = Composition.of_decks(8)
GAMES_AND_DECKS = [
    (game, decks) for game in GAMES for decks in range(find_book(game).decks.least, find_book(game).decks.most + 1)
]


# --- books written for a test ---------------------------------------------------------------------------


def pays(odds: str, when: str) -> str:
    return f'{{ odds = "{odds}", when = {{ {when} }}, paragraph = "1" }}'


def bet(code: str, *lines: str, returns: str = "") -> str:
    """A bet with these pay lines; conditions that return it are told apart by semicolons."""
    back = ", ".join(f'{{ when = {{ {when} }}, paragraph = "1" }}' for when in returns.split(";") if when)
    return "\n".join(
        [
            "[[bets]]",
            f'code = "{code}"',
            'paragraph = "1"',
            f"pays = [{', '.join(lines)}]",
            f"returns = [{back}]",
        ]
    )


def book_of(*bets: str, suited: bool = False) -> RuleBook:
    features = 'features = ["suited"]' if suited else ""
    decks = '[decks]\nleast = 1\nmost = 10\nparagraph = "1"'
    return parse_book("\n".join(['id = "test"', 'title = "Test"', features, decks, *bets]))


SUITED_BOOK = book_of(
    bet("player", pays("1 to 1", 'winner = "player"'), returns='winner = "tie"'),
    bet("perfect_pair", pays("25 to 1", "suited_pairs = 1"), pays("200 to 1", "suited_pairs = 2")),
    bet("player_perfect", pays("30 to 1", "player_suited_pair = true")),
    bet("mixed_twin", pays("99 to 1", 'pair = "twin", player_suited_pair = false, banker_suited_pair = true')),
    suited=True,
)
SUITED_GAINS: dict[str, Callable[[End], int]] = {
    "player": lambda end: {"player": 1, "tie": 0, "banker": -1}[end.winner],
    "perfect_pair": lambda end: {0: -1, 1: 25, 2: 200}[
        (end.player_pair == oracle.SUITED) + (end.banker_pair == oracle.SUITED)
    ],
    "player_perfect": lambda end: 30 if end.player_pair == oracle.SUITED else -1,
    "mixed_twin": lambda end: 99 if end.twin and end.player_pair < 2 and end.banker_pair == 2 else -1,
}


# --- shoes ----------------------------------------------------------------------------------------------

few = st.sampled_from([0, 0, 1, 2, 3, 4])
many = st.integers(0, 40)
rank_counts = st.one_of(
    st.lists(many, min_size=13, max_size=13),
    st.lists(few, min_size=13, max_size=13),
    # two ranks left, in any numbers
    st.tuples(st.permutations(range(13)), st.integers(1, 20), st.integers(1, 400)).map(
        lambda drawn: [
            drawn[1] if rank == drawn[0][0] else drawn[2] if rank == drawn[0][1] else 0 for rank in range(13)
        ]
    ),
    # six cards exactly
    st.lists(st.integers(0, 12), min_size=6, max_size=6).map(lambda ranks: [ranks.count(rank) for rank in range(13)]),
)
shoes = rank_counts.filter(lambda counts: sum(counts) >= 6).map(lambda counts: Composition(tuple(counts)))
card = st.sampled_from(CARDS)


# --- what the library says, in the oracle's terms -------------------------------------------------------


def ends(found: Weights) -> Counter[End]:
    """Weights by the way a coup ends; whatever the space says cannot occur must have none."""
    assert len(found.counts) == found.space.size
    assert sum(map(int, found.counts)) == sum(found[number] for number in found.space.numbers) == found.total
    by_end: Counter[End] = Counter()
    for number in found.space.numbers:
        outcome = found.space[number]
        pairs = outcome.pairs
        end = End(
            outcome.player_total,
            outcome.banker_total,
            outcome.player_cards,
            outcome.banker_cards,
            int(pairs.player),
            int(pairs.banker),
            pairs.twin,
        )
        by_end[end] = found[number]
    return +by_end


def by_gain(counted: Mapping[End, int], gains: Mapping[End, Fraction]) -> Counter[Fraction]:
    found: Counter[Fraction] = Counter()
    for end, ways in counted.items():
        found[gains[end]] += ways
    return found


def plain(counted: Mapping[End | None, int]) -> Counter[End]:
    """Ends of complete deals, suits left aside."""
    found: Counter[End] = Counter()
    for end, ways in counted.items():
        assert end is not None
        found[end.plain] += ways
    return found


def check_bet(found: BetOdds, expected: Counter[Fraction]) -> None:
    total = sum(expected.values())
    mean = sum((gain * ways for gain, ways in expected.items()), Fraction(0)) / total
    square = sum(((gain - mean) ** 2 * ways for gain, ways in expected.items()), Fraction(0)) / total
    assert +Counter(found.ways) == +expected
    assert found.total == total
    assert found.win == sum(ways for gain, ways in expected.items() if gain > 0)
    assert found.push == expected[Fraction(0)]
    assert found.lose == expected[Fraction(-1)]
    assert (found.ev, found.variance) == (mean, square)
    assert found.edge == float(-mean)
    assert found.sd == math.sqrt(square)
    assert found.hit == found.win / total


def check_game(game: str, shoe: Composition) -> None:
    """Every bet of a game, and the menu's integers, against brute force and the literal settlement."""
    counted = count_ranks(shoe.ranks)
    book = find_book(game)
    found = odds(book, shoe)
    solution = Menu(book).solve(shoe)
    assert list(found) == list(book.bets)
    assert ends(solution.weights) == counted
    for code, numerator, scale in zip(book.bets, solution.numerators, solution.scales, strict=True):
        check_bet(found[code], by_gain(counted, literal_gains(game, code)))
        assert Fraction(numerator, scale * solution.total) == found[code].ev


# --- every game against brute force ---------------------------------------------------------------------


@pytest.mark.parametrize(("game", "decks"), GAMES_AND_DECKS)
def test_every_bet_of_every_game_and_every_number_of_decks(game: str, decks: int) -> None:
    check_game(game, Composition.of_decks(decks))


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20, deadline=None)
@given(shoe=shoes)
def test_every_bet_of_every_game_for_depleted_shoes(game: str, shoe: Composition) -> None:
    check_game(game, shoe)


@settings(max_examples=300, deadline=None)
@given(shoe=shoes)
def test_weights_of_depleted_shoes(shoe: Composition) -> None:
    found = weights(shoe, PLAIN)
    assert found.total == math.perm(shoe.size, 6)
    assert ends(found) == count_ranks(shoe.ranks)


@settings(max_examples=40, deadline=None)
@given(cards=st.lists(card, min_size=6, max_size=8))
def test_weights_of_a_handful_of_cards_dealt_in_every_order(cards: list[Card]) -> None:
    counted = deal_every_order([card.value for card in cards])
    shoe = Composition.of_cards(cards)
    assert ends(weights(shoe, SUITED)) == counted
    assert ends(weights(shoe, PLAIN)) == plain(counted)
    assert ends(weights(Composition(shoe.ranks), PLAIN)) == plain(counted)


def test_nine_cards_dealt_in_every_order() -> None:
    cards = ["As", "As", "Ah", "5c", "5c", "5c", "Kd", "Kd", "9s"]
    counted = deal_every_order(cards)
    assert sum(counted.values()) == 60_480
    assert ends(weights(Composition.of_cards(map(Card, cards)), SUITED)) == counted


# --- suits ----------------------------------------------------------------------------------------------


def test_a_full_shoe_by_cards() -> None:
    shoe = Composition.of_decks(8, suited=True)
    counted = count_cards(shoe.counts)
    assert ends(weights(shoe, SUITED)) == counted
    found = odds(SUITED_BOOK, shoe)
    for code, gain in SUITED_GAINS.items():
        check_bet(found[code], by_gain(counted, {end: Fraction(gain(end)) for end in counted}))


@settings(max_examples=60, deadline=None)
@given(kinds=st.lists(st.tuples(card, st.integers(1, 9)), min_size=1, max_size=14))
def test_depleted_shoes_by_cards(kinds: list[tuple[Card, int]]) -> None:
    shoe = Composition.of_cards([card for card, count in kinds for _ in range(count)])
    if shoe.size < 6:
        return
    counted = count_cards(shoe.counts)
    assert ends(weights(shoe, SUITED)) == counted
    found = odds(SUITED_BOOK, shoe)
    solution = Menu(SUITED_BOOK).solve(shoe)
    for code, numerator in zip(found, solution.numerators, strict=True):
        gain = SUITED_GAINS[code]
        check_bet(found[code], by_gain(counted, {end: Fraction(gain(end)) for end in counted}))
        assert Fraction(numerator, solution.total) == found[code].ev


def test_a_shoe_by_cards_serves_games_that_do_not_ask_for_suits() -> None:
    for game in GAMES:
        assert odds(find_book(game), Composition.of_decks(6, suited=True)) == odds(
            find_book(game), Composition.of_decks(6)
        )


@pytest.mark.parametrize("size", [8, 0])
def test_a_game_that_asks_for_suits_needs_a_shoe_by_cards(size: int) -> None:
    shoe = Composition((size,) * 13)
    with pytest.raises(CardError, match="count it by cards, as in Ah:8"):
        odds(SUITED_BOOK, shoe)
    with pytest.raises(CardError, match="count it by cards, as in Ah:8"):
        Menu(SUITED_BOOK).solve(shoe)
    with pytest.raises(CardError, match="count it by cards, as in Ah:8"):
        odds_after(SUITED_BOOK, reconstruct([Card("Ah")]).coup, shoe)


# --- beyond 64 bits -------------------------------------------------------------------------------------

MOST = max(size for size in range(2000) if math.perm(size, 6) < 2**63)
"""The most cards whose deals can be counted in 64 bits."""


@pytest.mark.parametrize("size", [MOST - 1, MOST, MOST + 1, 10**4, 10**9])
def test_large_shoes_stay_exact(size: int) -> None:
    counts = [size - 11, 0, 0, 2, 0, 3, 0, 0, 4, 1, 1, 0, 0]
    shoe = Composition(tuple(counts))
    assert shoe.size == size
    left = {rank.value + "s": count for rank, count in zip(RANKS, counts, strict=True)}
    found = weights(shoe, PLAIN)
    assert (found.counts.dtype == object) == (size > MOST)
    assert found.total == math.perm(size, 6)
    assert ends(found) == plain(deal_every_kind(left))
    check_game("tiger-buffalo", shoe)


def test_a_large_shoe_of_every_rank_stays_exact() -> None:
    counts = [10**8 + 7 * rank**3 for rank in range(13)]
    found = weights(Composition(tuple(counts)), PLAIN)
    assert found.total > 2**160
    assert ends(found) == count_ranks(counts)


def test_a_large_shoe_by_cards_stays_exact() -> None:
    kinds = {"As": 10**7, "Ah": 3, "5d": 10**6, "Kc": 10**5, "Qc": 2}
    shoe = Composition.parse(" ".join(f"{card}:{count}" for card, count in kinds.items()))
    assert ends(weights(shoe, SUITED)) == deal_every_kind(kinds)


@pytest.mark.parametrize("shoe", [EIGHT_DECKS, Composition((10**6,) * 13), Composition.parse("4:5")])
def test_odds_beyond_64_bits_stay_exact(shoe: Composition) -> None:
    book = book_of(
        bet("huge", pays("100000000000 to 0.000000001", "player_pair = true")),
        bet("odd", pays("0.333333333333 to 7", "player_pair = true"), returns="player_pair = false"),
    )
    found = odds(book, shoe)
    pair = Fraction(found["huge"].win, found["huge"].total)
    assert pair == odds(find_book("super-six"), shoe)["player_pair"].win / Fraction(found["huge"].total)
    assert found["huge"].ev == 10**20 * pair - (1 - pair)
    assert found["odd"].ev == Fraction(333333333333, 7 * 10**12) * pair
    solution = Menu(book).solve(shoe)
    assert [
        Fraction(numerator, scale * solution.total)
        for numerator, scale in zip(solution.numerators, solution.scales, strict=True)
    ] == [found["huge"].ev, found["odd"].ev]


# --- shoes too short for a round ------------------------------------------------------------------------


def check_short(cards: list[str]) -> None:
    counted = deal_every_order(cards)
    shoe = Composition.of_cards(map(Card, cards))
    book = find_book("rws-baccarat")
    if None in counted:
        for attempt in (
            lambda: weights(shoe, SUITED),
            lambda: odds(book, shoe),
            lambda: Menu(book).solve(shoe),
            lambda: joint_odds(book, shoe, "player", "banker"),
        ):
            with pytest.raises(ShoeTooShort, match=f"with {len(cards)} cards? a round may not be finished"):
                attempt()
        return
    assert ends(weights(shoe, SUITED)) == counted
    found = odds(book, shoe)
    assert ends(Menu(book).solve(shoe).weights) == plain(counted)
    for code in book.bets:
        check_bet(found[code], by_gain(plain(counted), literal_gains("rws-baccarat", code)))


@settings(max_examples=150, deadline=None)
@given(cards=st.lists(st.one_of(card, st.sampled_from([Card("4s"), Card("9h"), Card("Kd"), Card("8c")])), max_size=5))
def test_short_shoes(cards: list[Card]) -> None:
    check_short([card.value for card in cards])


@pytest.mark.parametrize(
    ("cards", "finishes"),
    [
        ("", False),
        ("9s", False),
        ("4s 4h 4d", False),
        ("4s 4h 4d 4c", True),  # 8 against 8 in any order
        ("4s 4h 4d 4c 4s", True),
        ("9s 9h Kd Kc", True),  # 9 against 9, or 8 against 0
        ("3s 3h 3d 3c", True),  # 6 against 6
        ("3s 3h 3d 3c 3s", True),
        ("2s 2h 2d 2c", False),
        ("2s 2h 2d 2c 2s", False),  # Banker draws on 4 against a 2, and there is no sixth
        ("Ks Kh 5d 5c 9s", False),
    ],
)
def test_short_shoes_by_hand(cards: str, finishes: bool) -> None:
    assert (None not in deal_every_order(cards.split())) == finishes
    check_short(cards.split())


def test_the_message_of_a_short_shoe() -> None:
    with pytest.raises(ShoeTooShort, match=r"^the shoe is too short: with 1 card a round may not be finished$"):
        weights(Composition.parse("A:1"), PLAIN)
    coup = reconstruct(map(Card, ["2s", "3h"])).coup
    with pytest.raises(ShoeTooShort, match=r"^the shoe is too short: with 2 cards after P 2s B 3h a round may"):
        weights_after(coup, Composition.parse("A:2"), PLAIN)


# --- two bets together ----------------------------------------------------------------------------------


@settings(max_examples=80, deadline=None)
@given(data=st.data(), shoe=shoes)
def test_joint_distribution(data: st.DataObject, shoe: Composition) -> None:
    game = data.draw(st.sampled_from(GAMES))
    book = find_book(game)
    first, second = (data.draw(st.sampled_from(list(book.bets))) for _ in range(2))
    counted = count_ranks(shoe.ranks)
    one, two = literal_gains(game, first), literal_gains(game, second)
    expected: Counter[tuple[Fraction, Fraction]] = Counter()
    for end, ways in counted.items():
        expected[one[end], two[end]] += ways
    joint = joint_odds(book, shoe, first, second)
    single = odds(book, shoe)
    assert joint.ways == +expected
    assert joint.total == sum(joint.ways.values())
    assert (joint.first, joint.second) == (single[first], single[second])
    for which, alone in enumerate((joint.first, joint.second)):
        marginal: Counter[Fraction] = Counter()
        for gains, ways in joint.ways.items():
            marginal[gains[which]] += ways
        assert marginal == +Counter(alone.ways)
    product = sum((a * b * ways for (a, b), ways in expected.items()), Fraction(0)) / joint.total
    assert joint.covariance == product - single[first].ev * single[second].ev
    assert -1 <= round(joint.correlation, 12) <= 1
    spread = single[first].variance * single[second].variance
    assert joint.correlation == (float(joint.covariance) / math.sqrt(spread) if spread else 0)


def test_correlations_that_are_known() -> None:
    book = find_book("tiger-buffalo")
    assert joint_odds(book, EIGHT_DECKS, "tiger", "tiger").correlation == pytest.approx(1)
    assert joint_odds(book, EIGHT_DECKS, "player", "banker").correlation < -0.98
    pairs = joint_odds(book, EIGHT_DECKS, "player_pair", "banker_pair")
    assert pairs.correlation == joint_odds(book, EIGHT_DECKS, "banker_pair", "player_pair").correlation
    # with nothing but nines every bet is certain, and goes together with none
    assert joint_odds(book, Composition.parse("9:9"), "tie", "player_pair").correlation == 0
    with pytest.raises(UnknownName, match="no bet 'dragon'"):
        joint_odds(book, EIGHT_DECKS, "tie", "dragon")


# --- exact partial deals --------------------------------------------------------------------------------


def check_after(known: list[str], left: list[str]) -> None:
    counted = deal_every_order(left, known)
    dealt = reconstruct(map(Card, known))
    shoe = Composition.of_cards(map(Card, left))
    if None in counted:
        with pytest.raises(ShoeTooShort):
            weights_after(dealt.coup, shoe, SUITED)
        return
    assert ends(weights_after(dealt.coup, shoe, SUITED)) == counted
    assert ends(weights_after(dealt.coup, Composition(shoe.ranks), PLAIN)) == plain(counted)
    found = odds_after(find_book("tiger-buffalo"), dealt.coup, shoe)
    for code, bet_odds in found.items():
        check_bet(bet_odds, by_gain(plain(counted), literal_gains("tiger-buffalo", code)))


@settings(max_examples=80, deadline=None)
@given(cards=st.lists(card, min_size=6, max_size=9), known=st.integers(0, 6))
def test_partial_deals_dealt_on_in_every_order(cards: list[Card], known: int) -> None:
    dealt = reconstruct(cards[:known])
    at = len(dealt.coup.cards)
    check_after([card.value for card in cards[:at]], [card.value for card in cards[at : at + 6]])


@settings(max_examples=60, deadline=None)
@given(cards=st.lists(card, max_size=8), known=st.integers(1, 6))
def test_partial_deals_from_short_shoes(cards: list[Card], known: int) -> None:
    dealt = reconstruct(cards[:known])
    at = len(dealt.coup.cards)
    check_after([card.value for card in cards[:at]], [card.value for card in cards[at : at + 3]])


@pytest.mark.parametrize("known", ["As", "As 5h", "As 5h Ah", "As 5h Ah 9s", "2s 5h Ah Ks 5d", "7s 5h Ks Js 4d"])
def test_partial_deals_from_large_shoes(known: str) -> None:
    left = {"As": 9 * 10**8, "Ad": 7, "5h": 10**8, "Ks": 10**7, "9c": 3}
    shoe = Composition.parse(" ".join(f"{card}:{count}" for card, count in left.items()))
    coup = reconstruct(map(Card, known.split())).coup
    counted = deal_every_kind(left, known.split())
    assert ends(weights_after(coup, shoe, SUITED)) == counted
    assert ends(weights_after(coup, shoe, PLAIN)) == plain(counted)


def test_a_coup_not_begun_is_a_full_deal() -> None:
    assert odds_after(SUITED_BOOK, Coup(), Composition.of_decks(1, suited=True)) == odds(
        SUITED_BOOK, Composition.of_decks(1, suited=True)
    )


def test_a_finished_coup_is_certain() -> None:
    coup = Coup.parse("P 9hKc B 2d3s")
    found = odds_after(find_book("super-six"), coup, EIGHT_DECKS.without(coup.cards))
    assert found["player"].win == found["player"].total == math.perm(412, 2)
    assert found["tie"].lose == found["tie"].total
    assert odds_after(find_book("super-six"), coup, Composition((0,) * 13))["player"].ev == 1


@pytest.mark.parametrize("cards", ["", "3h", "3h 8s", "3h 8s Tc", "2h 3s Tc Td", "2h 3s Tc Td 6d"])
@pytest.mark.parametrize("text", ["A:3 2:4 5:2 6:3 9:1 T:5 K:4", "8:20 T:30 K:1"])
def test_the_next_card_averages_out(cards: str, text: str) -> None:
    """Odds now are the odds after each possible next card, weighted by how likely it is."""
    book = find_book("tiger-buffalo")
    shoe = Composition.parse(text)
    coup = reconstruct(map(Card, cards.split())).coup
    now = odds_after(book, coup, shoe)
    then = dict.fromkeys(now, Fraction(0))
    for rank, count in zip(RANKS, shoe.ranks, strict=True):
        if count:
            card = Card(rank.value + "s")
            after = odds_after(book, coup.receive(card), shoe.without([card]))
            for code, found in after.items():
                then[code] += Fraction(count, shoe.size) * found.ev
    assert then == {code: found.ev for code, found in now.items()}


def test_the_order_of_known_cards_matters_as_little_as_it_should() -> None:
    """Player's two first cards may be swapped; cards of the two hands may not."""
    book = find_book("rws-baccarat")
    for cards in permutations([Card("3h"), Card("8s"), Card("Tc")]):
        first, second, third = cards
        shoe = EIGHT_DECKS.without(cards)
        swapped = Coup(Hand((third, first)), Hand((second,)))
        assert odds_after(book, Coup(Hand((first, third)), Hand((second,))), shoe) == odds_after(book, swapped, shoe)


# --- compiled or not ------------------------------------------------------------------------------------


def test_a_kernel_works_where_numba_finds_no_place_for_its_cache() -> None:
    namespace: dict[str, Callable[..., None]] = {}
    exec("def double(counts):\n    counts[0] *= 2", namespace)  # a function without a file has no cache
    double = kernels._kernel(namespace["double"])
    for kind, number in ((np.int64, 21), (object, 2**70)):
        counts: kernels.Counts = np.array([number], kind)
        double(counts)
        assert counts[0] == 2 * number


# --- layouts and names ----------------------------------------------------------------------------------


def test_a_layout_has_the_odds_of_its_bets() -> None:
    book = find_book("tiger-buffalo")
    layout = book.layout("M")
    assert layout is not None
    everything = odds(book, EIGHT_DECKS)
    assert odds(book, EIGHT_DECKS, layout) == {code: everything[code] for code in layout.bets}
    coup = reconstruct([Card("As")]).coup
    assert list(odds_after(book, coup, EIGHT_DECKS, layout)) == list(layout.bets)


@pytest.mark.parametrize("game", GAMES)
def test_a_menu_can_be_solved_again(game: str) -> None:
    menu = Menu(find_book(game))
    first, other, again = map(menu.solve, (EIGHT_DECKS, Composition.of_decks(1), EIGHT_DECKS))
    assert menu.codes == tuple(find_book(game).bets)
    assert first.numerators == again.numerators != other.numerators
    assert all(type(numerator) is int for numerator in first.numerators)
    assert (first.weights.counts == again.weights.counts).all()


# --- published figures ----------------------------------------------------------------------------------

BANKER_PLAYER_TIE = {
    # Wizard of Odds, Baccarat; for 4 decks also casinoexploit.com/baccarat.html
    8: (4998398275503360, 2292252566437888, 2230518282592256, 475627426473216),
    6: (878869206895680, 403095751234560, 392220492728832, 83552962932288),
    4: (math.perm(208, 6), 34543624867840, 33608344225792, None),
}


@pytest.mark.parametrize("decks", BANKER_PLAYER_TIE)
def test_published_totals(decks: int) -> None:
    total, banker, player, tie = BANKER_PLAYER_TIE[decks]
    found = odds(find_book("super-six"), Composition.of_decks(decks))
    assert (found["banker"].total, found["banker"].win, found["player"].win) == (total, banker, player)
    assert found["tie"].win == (total - banker - player if tie is None else tie)
    assert found["banker"].push == found["player"].push == found["tie"].win
    assert found["player"].lose == banker


# What Wizard of Odds gives as the winning combinations of each side and total, for eight decks.
WINNING_TOTALS = {
    "player": {
        1: 24639193538560,
        2: 44328525111296,
        3: 62946423310336,
        4: 86165771096064,
        5: 122838277197824,
        6: 312658895192064,
        7: 408043979470848,
        8: 555823197134848,
        9: 613074020540416,
    },
    "banker": {
        1: 24291119898624,
        2: 44681581871104,
        3: 72927778568192,
        4: 163359790133248,
        5: 216715928915968,
        6: 269232304455680,
        7: 384279324919808,
        8: 529914458673152,
        9: 586850279002112,
    },
    "tie": {
        0: 28979901420544,
        1: 20499217668352,
        2: 20006606104576,
        3: 22250510129408,
        4: 36294133463040,
        5: 39684046743808,
        6: 96170001308416,
        7: 101717538899968,
        8: 54879416675072,
        9: 55146054060032,
    },
}


@pytest.mark.parametrize("side", WINNING_TOTALS)
def test_published_wins_on_each_total(side: str) -> None:
    found = odds(find_book("rws-baccarat"), EIGHT_DECKS)
    assert WINNING_TOTALS[side] == {
        total: found[code].win for total in range(10) if (code := f"{side}_wins_on_{total}") in found
    }


ISSUE = "the issue; Wizard of Odds"
JACOBSON = "Jacobson, 888casino.com and advancedadvantageplay.com"
EDGES = [
    # game, bet, house edge of eight decks in percent to four places, source
    ("super-six", "banker", "1.0579", ISSUE),
    ("tiger-buffalo", "banker", "1.4581", ISSUE),
    ("rws-baccarat", "banker", "1.4581", ISSUE),
    ("super-six", "player", "1.2351", ISSUE),
    ("super-six", "tie", "14.3596", ISSUE),
    ("super-six", "player_pair", "10.3614", ISSUE),
    ("super-six", "banker_pair", "10.3614", ISSUE),
    ("super-six", "super_six", "13.8181", ISSUE),
    ("da-hu-ying-xiong", "tiger", "16.6836", ISSUE),
    ("da-hu-ying-xiong", "small_tiger", "14.3325", ISSUE),
    ("da-hu-ying-xiong", "big_tiger", "15.2533", ISSUE),
    ("tiger-buffalo", "big_tiger", "15.2533", JACOBSON),
    # the same side and total as at Super Baccarat and Egalite (Wizard of Odds), at the same odds
    ("rws-baccarat", "player_wins_on_8", "22.1598", "Super Baccarat"),
    ("rws-baccarat", "player_wins_on_6", "24.9378", "Super Baccarat"),
    ("rws-baccarat", "player_wins_on_1", "20.6364", "Super Baccarat"),
]


@pytest.mark.parametrize(("game", "code", "edge", "source"), EDGES)
def test_published_edges(game: str, code: str, edge: str, source: str) -> None:
    assert f"{100 * odds(find_book(game), EIGHT_DECKS)[code].edge:.4f}" == edge, source


def test_published_spreads() -> None:
    """Jacobson on Big Tiger (advancedadvantageplay.com) and, the chance, on the Pairs bet (888casino.com)."""
    found = odds(find_book("tiger-buffalo"), EIGHT_DECKS)
    tiger = found["big_tiger"]
    assert (f"{tiger.sd:.3f}", f"{float(tiger.variance):.3f}") == ("6.519", "42.503")
    assert f"{100 * tiger.hit:.3f}" == "1.662"
    assert f"{100 * found['player_pair'].hit:.3f}" == "7.470"


class Published(NamedTuple):
    """A bet that none of the five books has, as somebody else has calculated it."""

    source: str
    decks: int
    lines: tuple[tuple[str, str, int], ...]
    """Odds, condition, winning combinations."""
    edge: str
    """In percent, as printed."""
    returns: str = ""
    out_of: int = 0
    """What the combinations are out of, if not out of all six-card deals."""
    suited: bool = False


def dragon_bonus(side: str, *ways: int) -> tuple[tuple[str, str, int], ...]:
    other = f'winner = "{side}", {side}_natural = false'
    natural = f'winner = "{side}", {side}_natural = true'
    margins = zip((30, 10, 6, 4, 2, 1), range(9, 3, -1), ways, strict=True)
    lines = [(f"{odds} to 1", f"{other}, margin = {margin}", count) for odds, margin, count in margins]
    return (*lines, ("1 to 1", natural, 812685054124032))


NOT_A_SEVEN = "banker_total = [1, 2, 3, 4, 5, 6, 8, 9]"
PUBLISHED = {
    "Dragon 7": Published(
        "Wizard of Odds, EZ Baccarat",
        8,
        (("40 to 1", 'winner = "banker", banker_total = 7, banker_cards = 3', 112633011329024),),
        "7.61",
    ),
    "Panda 8": Published(
        "Wizard of Odds, EZ Baccarat",
        8,
        (("25 to 1", 'winner = "player", player_total = 8, player_cards = 3', 172660763262976),),
        "10.19",
    ),
    "EZ Baccarat, Banker": Published(
        "Wizard of Odds, EZ Baccarat; 1.0183% at 888casino.com",
        8,
        (
            ("1 to 1", f'winner = "banker", banker_cards = 3, {NOT_A_SEVEN}', 763885033768960 - 112633011329024),
            ("1 to 1", 'winner = "banker", banker_cards = 2', 2292252566437888 - 763885033768960),
        ),
        "1.0183",
        returns='winner = "tie"; winner = "banker", banker_total = 7, banker_cards = 3',
    ),
    "Player Dragon Bonus": Published(
        "Wizard of Odds, baccarat appendix 5; 2.652% at 888casino.com",
        8,
        dragon_bonus(
            "player",
            *(18409431764992, 34097645543424, 89590261473280),
            *(141238897317888, 166169165987840, 186780352174080),
        ),
        "2.652",
        returns='winner = "tie", player_natural = true',
    ),
    "Banker Dragon Bonus": Published(
        "Wizard of Odds, baccarat appendix 5; 9.373% at 888casino.com",
        8,
        dragon_bonus(
            "banker",
            *(15390342909952, 28305092784128, 79517099278336),
            *(119200072366080, 157275882332160, 201147167287296),
        ),
        "9.373",
        returns='winner = "tie", banker_natural = true',
    ),
    "Lucky 6": Published(
        "Wizard of Odds, Lucky 6, liberal pay table",
        8,
        (
            ("12 to 1", 'winner = "banker", banker_total = 6, banker_cards = 2', 186173936904192),
            ("23 to 1", 'winner = "banker", banker_total = 6, banker_cards = 3', 83058367551488),
        ),
        "11.70",
    ),
    "Player 3 Card Win": Published(
        "Wizard of Odds, 3-Card Win",
        8,
        (("4 to 1", 'winner = "player", player_cards = 3', 942837427226624),),
        "5.69",
    ),
    "Banker 3 Card Win": Published(
        "Wizard of Odds, 3-Card Win",
        8,
        (("5 to 1", 'winner = "banker", banker_cards = 3', 763885033768960),),
        "8.30",
    ),
    "Egalite 7": Published(
        "Wizard of Odds, Egalite Bets",
        8,
        (("45 to 1", 'winner = "tie", player_total = 7', 101717538899968),),
        "6.39",
    ),
    "Egalite 1 to 3": Published(
        "Wizard of Odds, Egalite Bets",
        8,
        (("70 to 1", 'winner = "tie", player_total = [1, 2, 3]', 62756333902336),),
        "10.86",
    ),
    "Player Total 9": Published(
        "Wizard of Odds, Side Total Side Bets",
        8,
        (("5.5 to 1", "player_total = 9", 668220074600448),),
        "13.10",
    ),
    "Banker Total 6": Published(
        "Wizard of Odds, Side Total Side Bets",
        8,
        (("5.5 to 1", "banker_total = 6", 605184530090752),),
        "21.30",
    ),
    "Perfect Pair, 8 decks": Published(
        "Wizard of Odds, Perfect Pairs (Version 2)",
        8,
        (("25 to 1", "suited_pairs = 1", 244747776), ("250 to 1", "suited_pairs = 2", 2101008)),
        "6.62",
        out_of=7379583120,
        suited=True,
    ),
    "Perfect Pair, 6 decks": Published(
        "Wizard of Odds, Perfect Pairs (Version 1)",
        6,
        (("25 to 1", "suited_pairs = [1, 2]", 74114820),),
        "17.07",
        out_of=2323673820,
        suited=True,
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_side_bets(name: str) -> None:
    published = PUBLISHED[name]
    lines = [pays(odds, when) for odds, when, _ in published.lines]
    book = book_of(bet("it", *lines, returns=published.returns), suited=published.suited)
    shoe = Composition.of_decks(published.decks, suited=published.suited)
    found = odds(book, shoe)["it"]
    out_of = published.out_of or found.total
    counted = weights(shoe, book.space)
    for line, (_, _, ways) in zip(book.bets["it"].pays, published.lines, strict=True):
        assert Fraction(counted.of(book.space.where(line.when)), found.total) == Fraction(ways, out_of)
    places = len(published.edge.partition(".")[2])
    assert f"{100 * found.edge:.{places}f}" == published.edge, published.source


@pytest.mark.parametrize(
    ("decks", "chances"),
    [(6, ("0.378925", "0.303540", "0.317535")), (8, ("0.378868", "0.303444", "0.317687"))],
)
def test_published_numbers_of_cards(decks: int, chances: tuple[str, ...]) -> None:
    """Wizard of Odds, the 4-5-6 side bet."""
    bets = (bet(f"it_{cards}", pays("2 to 1", f"cards = {cards}")) for cards in (4, 5, 6))
    found = odds(book_of(*bets), Composition.of_decks(decks))
    assert tuple(f"{bet_odds.hit:.6f}" for bet_odds in found.values()) == chances


@pytest.mark.parametrize(("decks", "player", "banker"), [(4, "2.70", "9.42"), (6, "2.67", "9.39"), (8, "2.65", "9.37")])
def test_published_dragon_bonus_by_decks(decks: int, player: str, banker: str) -> None:
    """Wizard of Odds, baccarat appendix 5."""
    bets = [
        bet(
            side,
            *(pays(odds, when) for odds, when, _ in PUBLISHED[f"{side.title()} Dragon Bonus"].lines),
            returns=PUBLISHED[f"{side.title()} Dragon Bonus"].returns,
        )
        for side in ("player", "banker")
    ]
    found = odds(book_of(*bets), Composition.of_decks(decks))
    assert (f"{100 * found['player'].edge:.2f}", f"{100 * found['banker'].edge:.2f}") == (player, banker)


def test_published_7_up_baccarat() -> None:
    """Wizard of Odds, 7 Up Baccarat: six decks, and Player's first card is a seven printed on the layout."""
    book = book_of(
        bet(
            "player",
            pays("1 to 2", 'winner = "player", player_total = 7'),
            pays("1 to 1", 'winner = "player", player_total = [1, 2, 3, 4, 5, 6, 8, 9]'),
            returns='winner = "tie"',
        )
    )
    found = odds_after(book, reconstruct([Card("7s")]).coup, Composition.of_decks(6))["player"]
    assert found.total == 2862766146240
    assert found.ways == {
        Fraction(1): 818970471360,
        Fraction(1, 2): 561338904384,
        Fraction(0): 308245281984,
        Fraction(-1): 1174211488512,
    }
    assert f"{found.edge:.6f}" == "0.026049"


AFTER_PLAYERS_TWO = {
    # Wizard of Odds, baccarat appendix 3: Player's points on two cards → Player, Banker, tie
    0: ("0.278792", "0.654627", "0.066581"),
    1: ("0.282833", "0.647252", "0.069915"),
    2: ("0.290303", "0.634207", "0.075490"),
    3: ("0.303386", "0.615539", "0.081075"),
    4: ("0.322084", "0.579983", "0.097933"),
    5: ("0.358488", "0.537849", "0.103663"),
    6: ("0.430362", "0.427801", "0.141838"),
    7: ("0.572657", "0.285046", "0.142297"),
    8: ("0.810911", "0.094938", "0.094151"),
    9: ("0.905475", "0.000000", "0.094525"),
}


@pytest.mark.parametrize("points", AFTER_PLAYERS_TWO)
def test_published_chances_after_players_two_cards(points: int) -> None:
    chances: Counter[int] = Counter()
    for path, ways in zip(PATHS, count_paths(EIGHT_DECKS).tolist(), strict=True):
        if path.player == points:
            chances[(path.player_end > path.banker_end) - (path.player_end < path.banker_end)] += ways
    found = tuple(f"{chances[lead] / sum(chances.values()):.6f}" for lead in (1, -1, 0))
    assert found == AFTER_PLAYERS_TWO[points]


# --- golden numbers -------------------------------------------------------------------------------------


def fingerprint(found: Weights) -> str:
    return hashlib.sha256(" ".join(map(str, found.counts)).encode()).hexdigest()[:16]


GOLDEN = {
    (1, False): "4be2378d6009fd4e",
    (6, False): "4bf3d54eb2eabda4",
    (8, False): "dec44466cb88e087",
    (1, True): "369446c6c56d795c",
    (6, True): "84289b495510310f",
    (8, True): "2ed27a4bcc7bc347",
}


@pytest.mark.parametrize(("decks", "suited"), GOLDEN)
def test_the_weights_as_one_number(decks: int, suited: bool) -> None:
    found = weights(Composition.of_decks(decks, suited=suited), SUITED if suited else PLAIN)
    text = " ".join(map(str, found.counts))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == GOLDEN[decks, suited]


COUNTS = {
    # decks → deals of four, five and six cards; without a pair, with Player's, Banker's, both, both of one rank
    1: (
        (5570551296, 4477116224, 4610466880),
        (12985030656, 810860544, 810860544, 50678784, 703872),
    ),
    6: (
        (333025560274176, 266771777612544, 279071869008960),
        (753683781666816, 60188667162624, 60188667162624, 4494608262144, 313482641472),
    ),
    8: (
        (1893735611458560, 1516734808780800, 1587927855264000),
        (4279544271175680, 345479675314176, 345479675314176, 25994829938688, 1899823760640),
    ),
}


@pytest.mark.parametrize("decks", COUNTS)
def test_deals_by_cards_and_by_pairs(decks: int) -> None:
    found = weights(Composition.of_decks(decks), PLAIN)
    by_cards = tuple(found.of(PLAIN.where({"cards": (cards,)})) for cards in (4, 5, 6))
    by_pairs = tuple(found.of(PLAIN.where({"pair": (pair,)})) for pair in ("none", "player", "banker", "both", "twin"))
    assert (by_cards, by_pairs) == COUNTS[decks]
    assert sum(by_cards) == sum(by_pairs) == found.total


def test_the_paths_through_the_table_of_play() -> None:
    assert Counter(len(path.thirds) for path in PATHS) == {0: 40, 1: 294, 2: 3060}
    assert len(set(PATHS)) == len(PATHS)
    assert sum(count_paths(EIGHT_DECKS).tolist()) == 4998398275503360
