"""The two settlements against each other: tables made from the book files, and paragraphs spelt out."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.bets import Result, Verdict, payoffs, settle
from puntobanco.cards import CARDS, Card, Side, parse_cards
from puntobanco.coup import Coup, Hand, deal_finished, reconstruct
from puntobanco.insurance import insurance_verdict, rows_open
from puntobanco.literal import (
    card_value,
    literal_insurance_odds,
    literal_insurance_profit,
    literal_insurance_settle,
    literal_profit,
    literal_settle,
    point_total,
)
from puntobanco.outcomes import PLAIN
from puntobanco.rules.load import GAMES, find_book

BETS = [(game, code) for game in GAMES for code in find_book(game).bets]

OPENINGS = [
    *(f"{rank}s{rank}h" for rank in "A23456789TJQK"),
    # two ways to every total without a pair, zeros of two ranks among them
    *("TsKh", "4s6h", "As9h", "KsAh", "2s9h", "Ts2h", "3s9h", "Js3h", "As2h", "Qs4h", "As3h", "Ks5h", "2s3h"),
    *("Ts6h", "As5h", "Ks7h", "3s4h", "Js8h", "2s6h", "Qs9h", "4s5h"),
]
THIRDS = parse_cards("Qd Ad 2d 3d 4d 5d 6d 7d 8d 9d")


def finished(coup: Coup) -> list[Coup]:
    """The coup dealt to its end, with every value of the cards still due."""
    if coup.finished:
        return [coup]
    return [end for card in THIRDS for end in finished(coup.receive(card))]


@cache
def coups() -> dict[int, list[Coup]]:
    """Outcome → coups that end in it, from different openings."""
    found: dict[int, list[Coup]] = {}
    for player, banker in product(OPENINGS, repeat=2):
        first, second = parse_cards(player)
        third, fourth = parse_cards(banker)
        opening = reconstruct((first, third, second, fourth)).coup
        for coup in finished(opening):
            found.setdefault(PLAIN.outcome_of(coup), []).append(coup)
    return found


def gain(verdict: Verdict) -> Fraction:
    """What a verdict gives per unit staked."""
    if verdict.result is Result.WON:
        assert verdict.odds is not None
        return verdict.odds.fraction
    return Fraction(0) if verdict.result is Result.RETURNED else Fraction(-1)


def test_there_is_a_coup_for_every_outcome() -> None:
    assert set(coups()) == set(PLAIN.numbers)
    assert len(coups()) == 779


@pytest.mark.parametrize(("game", "bet"), BETS)
def test_every_bet_in_every_outcome(game: str, bet: str) -> None:
    payoff = payoffs(find_book(game))[bet]
    for number, endings in coups().items():
        # the first, the last and one between
        for coup in {endings[0], endings[len(endings) // 2], endings[-1]}:
            assert gain(payoff.verdict(number)) == literal_profit(game, bet, coup), str(coup)


six_cards = st.lists(st.sampled_from(CARDS), min_size=6, max_size=6)


@given(six_cards, st.integers(1, 10**9))
def test_all_bets_on_any_cards(cards: list[Card], stake: int) -> None:
    coup = reconstruct(cards).coup
    for game in GAMES:
        book = find_book(game)
        for wager in settle(book, coup, dict.fromkeys(book.bets, stake)):
            assert wager.profit == literal_settle(game, wager.bet, stake, coup), (game, wager.bet)


@pytest.mark.parametrize(
    ("game", "bet", "cards", "expected"),
    [
        # Banker wins with 6 on three cards
        ("da-hu-ying-xiong", "banker", "Ks Kh 5d Ah 9c 5s", "0.95"),
        ("super-six", "super_six", "Ks Kh 5d Ah 9c 5s", "15"),
        ("rws-baccarat", "banker", "Ks Kh 5d Ah 9c 5s", "0.5"),
        ("rws-baccarat", "banker_wins_on_6", "Ks Kh 5d Ah 9c 5s", "11"),
        ("tiger-buffalo", "big_tiger", "Ks Kh 5d Ah 9c 5s", "50"),
        ("tiger-buffalo", "small_tiger", "Ks Kh 5d Ah 9c 5s", "-1"),
        ("dragon-tiger-commission", "banker", "Ks Kh 5d Ah 9c 5s", "0.95"),
        ("dragon-tiger-non-commission", "banker", "Ks Kh 5d Ah 9c 5s", "0.5"),
        # a tie on 6, two cards each
        ("da-hu-ying-xiong", "tiger_tie", "Ks Kh 6d 6h", "35"),
        ("da-hu-ying-xiong", "tiger", "Ks Kh 6d 6h", "-1"),
        ("super-six", "player", "Ks Kh 6d 6h", "0"),
        ("rws-baccarat", "tie_wins_on_6", "Ks Kh 6d 6h", "35"),
        ("rws-baccarat", "any_tie", "Ks Kh 6d 6h", "8"),
        ("tiger-buffalo", "tiger_buffalo", "Ks Kh 6d 6h", "-1"),
        # pairs: kings against tens, kings against kings, a king with a ten
        ("tiger-buffalo", "tiger_pair", "Ks Th Kd Td 9c 2s", "20"),
        ("tiger-buffalo", "tiger_pair", "Ks Kh Kd Kc 9c 2s", "100"),
        ("da-hu-ying-xiong", "tiger_pair", "Ks Kh Td Qc 9c 2s", "-1"),
        ("dragon-tiger-commission", "player_pair", "Ks Kh Td Qc 9c 2s", "-1"),
        # Player wins with 1: Banker draws to 0
        ("tiger-buffalo", "wu_dalang", "Ks Kh Kd Ah Ac 9s", "150"),
        ("rws-baccarat", "player_wins_on_1", "Ks Kh Kd Ah Ac 9s", "160"),
        # 1 is not enough where Banker has as much
        ("tiger-buffalo", "wu_dalang", "Ks Kh Kd Ah Ac Ts", "-1"),
        # 7 over 6 on four, five and six cards
        ("dragon-tiger-commission", "dragon_tiger", "Ks Kh 7d 6h", "30"),
        ("dragon-tiger-commission", "dragon_tiger", "Ks Kh 4d 6h 3c", "40"),
        ("dragon-tiger-commission", "dragon_tiger", "Ks Kh 2d 2h 5c 4s", "100"),
        ("tiger-buffalo", "player_char_siu", "Ks Kh 7d 6h", "10"),
        ("tiger-buffalo", "player_char_siu", "Ks Kh 4d 6h 3c", "15"),
        ("tiger-buffalo", "player_char_siu", "Ks Kh 2d 2h 5c 4s", "50"),
        # a margin of one below 7 is none
        ("tiger-buffalo", "player_char_siu", "Ks Kh Ad 2h 5c 3s", "-1"),
        ("tiger-buffalo", "banker_char_siu", "Ks Kh 8d 9h", "10"),
    ],
)
def test_by_hand(game: str, bet: str, cards: str, expected: str) -> None:
    assert literal_profit(game, bet, deal_finished(parse_cards(cards))) == Fraction(expected)


def test_rounding_down() -> None:
    coup = Coup.parse("P KsQd B 9hKd")
    assert literal_settle("da-hu-ying-xiong", "banker", 103, coup) == 97
    assert literal_settle("da-hu-ying-xiong", "player", 103, coup) == -103
    six = Coup.parse("P Ks5d9c B KhAh5s")
    assert literal_settle("rws-baccarat", "banker", 5, six) == 2


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_card_values(card: Card) -> None:
    assert card_value(card) % 10 == card.points


@given(st.lists(st.sampled_from(CARDS), max_size=3))
def test_point_totals(cards: list[Card]) -> None:
    assert point_total(cards) == Hand(tuple(cards)).total


def test_what_no_book_has() -> None:
    coup = Coup.parse("P KsQd B 9hKd")
    codes = {code for _, code in BETS} | {
        "player_wins_on_0",
        "banker_wins_on_0",
        "tie_wins_on_10",
        "",
        "insurance",
    }
    for game in GAMES:
        for code in codes - set(find_book(game).bets):
            with pytest.raises(ValueError, match=f"{game} has no bet"):
                literal_profit(game, code, coup)
    with pytest.raises(ValueError, match="none of the five rule books has a game 'baccarat'"):
        literal_profit("baccarat", "player", coup)
    with pytest.raises(ValueError, match="is not finished"):
        literal_profit("super-six", "player", Coup.parse("P Ks B 9h"))


# --- insurance --------------------------------------------------------------------------------------

WINDOWS = {"four_cards": 4, "player_third": 5}


@cache
def all_endings() -> list[Coup]:
    """Every opening total against every other, with every third card."""
    found = {}
    for coup in (coup for endings in coups().values() for coup in endings if len(coup.cards) > 4):
        thirds = tuple(hand.third.points if hand.third else None for hand in coup.hands)
        found[coup.player.opening, coup.banker.opening, thirds] = coup
    return list(found.values())


def on_the_table(window: str, coup: Coup) -> Coup:
    return reconstruct(coup.cards[: WINDOWS[window]]).coup


@pytest.mark.parametrize("hand", Side)
@pytest.mark.parametrize("window", WINDOWS)
def test_every_insurance(window: str, hand: Side) -> None:
    book = find_book("tiger-buffalo")
    offered = set()
    for coup in all_endings():
        so_far = on_the_table(window, coup)
        row = rows_open(book, so_far)[hand]
        odds = literal_insurance_odds(so_far, hand)
        assert (row.odds.fraction if row else None) == odds, str(coup)
        if row is None:
            continue
        # a coup without a third card for Player never came to the second window
        assert row.window.value == window
        offered.add(row)
        assert gain(insurance_verdict(row, coup)) == literal_insurance_profit(window, hand, coup), str(coup)
    assert book.insurance is not None
    rows = {row for row in book.insurance.rows if (row.window.value, row.hand) == (window, hand)}
    assert offered == rows


@given(six_cards, st.sampled_from(sorted(WINDOWS)), st.sampled_from(Side), st.integers(1, 10**9))
def test_insurance_on_any_cards(cards: list[Card], window: str, hand: Side, stake: int) -> None:
    coup = reconstruct(cards).coup
    row = rows_open(find_book("tiger-buffalo"), on_the_table(window, coup))[hand]
    if row is None or row.window.value != window:
        with pytest.raises(ValueError, match="no insurance of"):
            literal_insurance_profit(window, hand, coup)
    else:
        expected = insurance_verdict(row, coup).profit(stake)
        assert literal_insurance_settle(window, hand, stake, coup) == expected


@pytest.mark.parametrize(
    ("window", "hand", "cards", "expected"),
    [
        # Player 7 stands, Banker draws: loses, ties, wins
        ("four_cards", Side.PLAYER, "Ks Kh 7d 5h 3c", "4"),
        ("four_cards", Side.PLAYER, "Ks Kh 7d 5h 2c", "0"),
        ("four_cards", Side.PLAYER, "Ks Kh 7d 5h Ac", "-1"),
        # placed on Player's 9 after the third card, which Banker ties: it pays
        ("player_third", Side.PLAYER, "Ks Kh 3d 3h 6c 6s", "10"),
        # the same on 8 goes back
        ("player_third", Side.PLAYER, "Ks Kh 3d 3h 5c 5s", "0"),
        # Player's third made 0 and Banker, with 3, draws to 0: it pays
        ("player_third", Side.BANKER, "Ks Kh 3d 3h 7c 7s", "10"),
        # placed after four cards, the very same tie returns it
        ("four_cards", Side.BANKER, "Ks Kh 4d 6h 6c 4s", "0"),
        ("player_third", Side.BANKER, "Ks Kh 4d 6h 6c 4s", "10"),
        # Banker with 1 on a tie of 1
        ("player_third", Side.BANKER, "Ks Kh Ad Ah Tc Ts", "0"),
        ("player_third", Side.BANKER, "Ks Kh Ad Ah Tc 9s", "6"),
    ],
)
def test_insurance_by_hand(window: str, hand: Side, cards: str, expected: str) -> None:
    assert literal_insurance_profit(window, hand, deal_finished(parse_cards(cards))) == Fraction(expected)


def test_no_insurance() -> None:
    natural = Coup.parse("P KsQd B 9hKd")
    for hand in Side:
        assert literal_insurance_odds(natural, hand) is None
        assert literal_insurance_odds(Coup.parse("P Ks B 9h"), hand) is None
        for window in WINDOWS:
            with pytest.raises(ValueError, match="no insurance of"):
                literal_insurance_profit(window, hand, natural)
    with pytest.raises(ValueError, match="at four_cards and at player_third, not at 'river'"):
        literal_insurance_profit("river", Side.PLAYER, natural)
    # Player's third is there, but Banker stands: nothing is left to insure against
    assert literal_insurance_odds(Coup.parse("P 2hKc6d B 4s3d"), Side.PLAYER) is None
