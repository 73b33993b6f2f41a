"""The example books: they load, they settle, and their odds are those published elsewhere.

Deals are of six cards from eight decks: 4,998,398,275,503,360. The figures are published at Wizard of Odds
(Michael Shackleford), on the pages named in the comments, unless those say otherwise.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from puntobanco import Composition, find_book, load_book, parse_cards, settle
from puntobanco.bets import payoffs
from puntobanco.coup import deal_finished
from puntobanco.odds import BetOdds, odds, weights
from puntobanco.rules.model import RuleBook

BOOKS = Path(__file__).parents[1] / "examples" / "books"
EIGHT = 8


@cache
def example(name: str) -> RuleBook:
    return load_book(BOOKS / f"{name}.toml")


@cache
def odds_of(name: str, decks: int = EIGHT) -> dict[str, BetOdds]:
    book = example(name)
    return odds(book, Composition.of_decks(decks, suited=book.suited))


@cache
def paid(name: str, bet: str) -> dict[Fraction, int]:
    """The deals of eight decks behind each gain of a bet, losing ones left out."""
    return deals_by_gain(example(name), bet)


def deals_by_gain(book: RuleBook, bet: str) -> dict[Fraction, int]:
    shoe = weights(Composition.of_decks(EIGHT, suited=book.suited), book.space)
    return {gain: shoe.of(outcomes) for gain, outcomes in payoffs(book)[bet].by_gain.items()}


def test_every_example_is_tested_here() -> None:
    assert {file.stem for file in BOOKS.glob("*.toml")} == {
        "ez-baccarat",
        "bonus",
        "lucky",
        "harbour-house",
        "night-market",
    }


@pytest.mark.parametrize("file", sorted(BOOKS.glob("*.toml")), ids=lambda file: file.stem)
def test_an_example_names_itself_and_says_how_to_try_it(file: Path) -> None:
    assert load_book(file).id == file.stem
    assert f"puntobanco odds --book examples/books/{file.name}" in file.read_text(encoding="utf-8")


# The edge as published, in percent.
PUBLISHED = [
    # EZ Baccarat: Banker, Dragon 7, Panda 8
    ("ez-baccarat", "banker", "1.02"),
    ("ez-baccarat", "dragon_7", "7.61"),
    ("ez-baccarat", "panda_8", "10.19"),
    # Baccarat Side Bets: Dragon Bonus
    ("bonus", "player_dragon_bonus", "2.65"),
    ("bonus", "banker_dragon_bonus", "9.37"),
    # as many guides give them, for 5 to 1 and 0.54 to 1
    ("bonus", "either_pair", "13.71"),
    ("bonus", "big", "4.35"),
    # Baccarat Side Bets, 4-5-6: four cards at 3 to 2, which is Small
    ("bonus", "small", "5.283"),
    # Perfect Pairs, version 2
    ("bonus", "perfect_pair", "6.62"),
    # Lucky 6, the pay table of Macau
    ("lucky", "lucky_6", "16.68"),
    # 3-Card Win
    ("lucky", "player_three_card_win", "5.69"),
    ("lucky", "banker_three_card_win", "8.30"),
    # the main bets
    ("bonus", "player", "1.24"),
    ("bonus", "banker", "1.06"),
    ("bonus", "tie", "14.36"),
    ("lucky", "banker", "1.46"),
]


@pytest.mark.parametrize(("name", "bet", "edge"), PUBLISHED)
def test_house_edges_are_the_published_ones(name: str, bet: str, edge: str) -> None:
    digits = len(edge.partition(".")[2])
    assert f"{odds_of(name)[bet].edge * 100:.{digits}f}" == edge


def test_small_in_six_decks() -> None:
    # Baccarat Side Bets, 4-5-6 with six decks: four cards come with a probability of 0.378925
    assert f"{odds_of('bonus', 6)['small'].hit:.6f}" == "0.378925"


# The same pages give the number of deals in which a bet wins.
WINNING = [
    ("ez-baccarat", "dragon_7", 112_633_011_329_024),
    ("ez-baccarat", "panda_8", 172_660_763_262_976),
    ("lucky", "lucky_6", 186_173_936_904_192 + 83_058_367_551_488),
    ("lucky", "player_three_card_win", 942_837_427_226_624),
    ("lucky", "banker_three_card_win", 763_885_033_768_960),
]


@pytest.mark.parametrize(("name", "bet", "win"), WINNING)
def test_winning_deals_are_the_published_ones(name: str, bet: str, win: int) -> None:
    assert odds_of(name)[bet].win == win
    assert odds_of(name)[bet].total == 4_998_398_275_503_360


def test_banker_of_the_ez_game_is_returned_on_a_three_card_seven() -> None:
    # EZ Baccarat: ties 475,627,426,473,216 and three-card sevens 112,633,011,329,024
    assert odds_of("ez-baccarat")["banker"].push == 475_627_426_473_216 + 112_633_011_329_024


def test_dragon_bonus_line_by_line() -> None:
    # Baccarat Side Bets: Dragon Bonus, both tables; naturals and wins by four share the odds of 1 to 1
    natural, tie = 812_685_054_124_032, 89_325_908_267_520
    assert paid("bonus", "player_dragon_bonus") == {
        Fraction(30): 18_409_431_764_992,
        Fraction(10): 34_097_645_543_424,
        Fraction(6): 89_590_261_473_280,
        Fraction(4): 141_238_897_317_888,
        Fraction(2): 166_169_165_987_840,
        Fraction(1): 186_780_352_174_080 + natural,
        Fraction(0): tie,
    }
    assert paid("bonus", "banker_dragon_bonus") == {
        Fraction(30): 15_390_342_909_952,
        Fraction(10): 28_305_092_784_128,
        Fraction(6): 79_517_099_278_336,
        Fraction(4): 119_200_072_366_080,
        Fraction(2): 157_275_882_332_160,
        Fraction(1): 201_147_167_287_296 + natural,
        Fraction(0): tie,
    }


def test_perfect_pairs_hand_by_hand() -> None:
    # Perfect Pairs, version 2: of 7,379,583,120 pairs of two-card hands 244,747,776 hold one perfect pair
    # and 2,101,008 two; each stands for the same number of deals
    each, rest = divmod(odds_of("bonus")["perfect_pair"].total, 7_379_583_120)
    assert rest == 0
    assert paid("bonus", "perfect_pair") == {
        Fraction(25): 244_747_776 * each,
        Fraction(250): 2_101_008 * each,
    }


def test_super_lucky_7_is_the_dragon_tiger_bet_of_our_own_book() -> None:
    # The pay tables of Lucky 7 and Super Lucky 7 are those reported from Macau (GGRAsia, 27 September 2024)
    known = find_book("dragon-tiger-commission")
    assert paid("lucky", "super_lucky_7") == deals_by_gain(known, "dragon_tiger")
    (two,) = deals_by_gain(known, "small_dragon").values()
    (three,) = deals_by_gain(known, "big_dragon").values()
    assert paid("lucky", "lucky_7") == {Fraction(6): two, Fraction(15): three}


def test_bets_common_to_two_examples_agree() -> None:
    for bet in ("player", "tie"):
        assert len({odds_of(name)[bet].ev for name in ("ez-baccarat", "bonus", "lucky")}) == 1


@pytest.mark.parametrize(
    ("name", "cards", "results"),
    [
        # Banker 2 2 3 makes 7 on three cards, against 6
        (
            "ez-baccarat",
            "4h 2c Kd 2s 2h 3d",
            {"banker": 0, "dragon_7": 4000, "player": -100, "panda_8": -100},
        ),
        ("ez-baccarat", "4h 2c Kd Ks 4h 3d", {"player": 100, "panda_8": 2500, "banker": -100}),
        # two naturals that tie return the Dragon Bonus; the fours are of two suits
        ("bonus", "4h 8c 4d Ks", {"player_dragon_bonus": 0, "either_pair": 500, "perfect_pair": -100}),
        ("bonus", "9h 3c 9h 3c", {"perfect_pair": 25000, "player_dragon_bonus": 100, "small": 150}),
        ("bonus", "Kh Ac Qd 2s 9h Td", {"player_dragon_bonus": 400, "big": 54, "small": -100}),
        ("lucky", "3h 2c 4h 4s", {"lucky_7": 600, "super_lucky_7": 3000, "player_three_card_win": -100}),
    ],
)
def test_examples_settle(name: str, cards: str, results: dict[str, int]) -> None:
    coup = deal_finished(parse_cards(cards))
    settled = settle(example(name), coup, dict.fromkeys(results, 100))
    assert {wager.bet: wager.profit for wager in settled} == results


@pytest.mark.parametrize("name", ["ez-baccarat", "bonus", "lucky"])
def test_weights_and_odds_agree(name: str) -> None:
    for code, bet in odds_of(name).items():
        by_gain = paid(name, code)
        assert bet.push == by_gain.get(Fraction(0), 0)
        assert bet.win + bet.push == sum(by_gain.values())
        gained = sum((gain * ways for gain, ways in by_gain.items()), Fraction(0))
        assert bet.ev == (gained - bet.lose) / bet.total


def test_layouts_of_an_example() -> None:
    book = example("bonus")
    assert list(book.layouts) == ["MAIN", "HIGH"]
    assert {bet.code for bet in book.menu(book.layout("high"))} == {
        "player", "banker", "tie", "player_dragon_bonus", "banker_dragon_bonus",
    }  # fmt: skip
