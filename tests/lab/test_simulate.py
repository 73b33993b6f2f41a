"""The simulation: its stream of random words, its shoes, and that it deals as the table engine does."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.lab.engine import same

from puntobanco.cards import CARDS, Composition
from puntobanco.coup import reconstruct
from puntobanco.lab import shoe_kernel as kernel
from puntobanco.lab.shoes import Dealing, SimulationError, card_of, check_seed, dealing_of, rank_of, rules_of
from puntobanco.lab.simulate import Simulator, simulate
from puntobanco.odds import weights
from puntobanco.rules.load import GAMES, find_book, load_book

SUPER_SIX = find_book("super-six")
BONUS = load_book(Path(__file__).parents[2] / "examples" / "books" / "bonus.toml")
PUBLISHED = Dealing(decks=8, cut=14)


# --- the stream, written a second time ------------------------------------------------------------------

LOW = 2**32 - 1


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Philox4x32-10 as its authors publish it."""
    c, k = list(counter), list(key)
    for _ in range(10):
        one, two = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(two >> 32) ^ c[1] ^ k[0], two & LOW, (one >> 32) ^ c[3] ^ k[1], one & LOW]
        k = [(k[0] + 0x9E3779B9) & LOW, (k[1] + 0xBB67AE85) & LOW]
    return c


def test_the_second_philox_has_the_published_answers() -> None:
    """The known answers that come with Random123."""
    assert philox([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert philox([LOW] * 4, [LOW] * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]
    assert philox([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0]) == [
        0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1,
    ]  # fmt: skip


def order(seed: int, shoe: int, decks: int, dealt: int) -> list[int]:
    """The first cards of a shoe, by the words of docs/lab.md."""
    size = 52 * decks
    cards = [card for card in range(52) for _ in range(decks)]
    for i in range(0, min(-(-dealt // 8) * 8, size), 2):
        attempt = 0
        while True:
            words = philox([i // 8, attempt, shoe & LOW, shoe >> 32], [seed & LOW, seed >> 32])
            first = words[i % 8 // 2] * (size - i)
            second = (first & LOW) * (size - i - 1)
            if (second & LOW) >= 2**32 % ((size - i) * (size - i - 1)):
                break
            attempt += 1
        for place, source in ((i, i + (first >> 32)), (i + 1, i + 1 + (second >> 32))):
            cards[place], cards[source] = cards[source], cards[place]
    return cards[:dealt]


def orders(dealing: Dealing, seed: int, first: int, shoes: int) -> Any:
    found = np.empty((shoes, dealing.size), np.uint8)
    outcomes = np.empty((shoes, dealing.most_rounds), np.int32)
    kernel.trace_shoes(
        check_seed(seed), first, dealing.setup(suited=True), rules_of(BONUS.space), outcomes, outcomes.copy(), found
    )
    return found


@pytest.mark.parametrize(("decks", "cut"), [(8, 14), (1, 12), (6, 100), (1, 6), (3, 6), (5, 9)])
def test_shoes_are_shuffled_as_the_page_says(decks: int, cut: int) -> None:
    dealing = Dealing(decks=decks, cut=cut)
    dealt = min(dealing.size - cut + 6, dealing.size)
    for seed, first in ((0, 0), (2**64 - 1, 2**40 + 7)):
        for shoe, row in enumerate(orders(dealing, seed, first, 3).tolist()):
            assert [card_of(byte).index for byte in row[:dealt]] == order(seed, first + shoe, decks, dealt)


def test_rejected_words_are_drawn_again() -> None:
    """One word in 60,000 or so is rejected: the kernel and the second writing find the same ones."""
    dealing = Dealing(decks=10, cut=6)
    rejected = [
        shoe
        for shoe in range(400)
        if any(
            (((word * (520 - i) & LOW) * (519 - i)) & LOW) < 2**32 % ((520 - i) * (519 - i))
            for i in range(0, 520, 8)
            for part, word in enumerate(philox([i // 8, 0, shoe, 0], [3, 0]))
            for i in [i + 2 * part]
            if i < 519
        )
    ]
    assert rejected
    for shoe in rejected:
        row = orders(dealing, 3, shoe, 1)[0].tolist()
        assert [card_of(byte).index for byte in row] == order(3, shoe, 10, 520)


def test_every_place_holds_every_card_alike() -> None:
    """Ranks by place over 20,000 shoes: chi-squared within what chance allows."""
    dealing = Dealing(decks=1, cut=6)
    ranks = rank_of(orders(dealing, 5, 0, 20_000))
    table = np.stack([np.bincount(ranks[:, place], minlength=13) for place in range(52)])
    expected = 20_000 / 13
    chi = ((table - expected) ** 2 / expected).sum()
    freedom = 51 * 12
    assert abs(chi - freedom) < 5 * math.sqrt(2 * freedom)


def test_a_shuffled_shoe_is_the_same_cards() -> None:
    for row in orders(PUBLISHED, 1, 0, 5).tolist():
        assert Counter(map(card_of, row)) == Counter(CARDS * 8)


# --- against the table engine ---------------------------------------------------------------------------

LITTLE = {
    "dragon-tiger-commission": Dealing(decks=1, cut=12, after=1),
    "dragon-tiger-non-commission": Dealing(decks=1, cut=6, burn=0),
}
ENGINE = [
    *((game, dealing, 930) for game, dealing in LITTLE.items()),
    ("da-hu-ying-xiong", Dealing(decks=4, cut=16), 40),
    ("super-six", Dealing(decks=4, cut=60, burn=3, after=1), 40),
    ("rws-baccarat", Dealing(decks=4, cut=150, burn=0, after=1), 30),
    ("tiger-buffalo", Dealing(decks=8, cut=14), 30),
]


@pytest.mark.parametrize(("game", "dealing", "shoes"), ENGINE, ids=[game for game, _, _ in ENGINE])
def test_the_table_engine_deals_and_settles_the_same(game: str, dealing: Dealing, shoes: int) -> None:
    """2,000 shoes in all: every outcome of every round, every bet's gain, and where each shoe ends."""
    assert sum(shoes for _, _, shoes in ENGINE) == 2000
    assert same(game, dealing, 7, shoes) > shoes


@pytest.mark.parametrize("after", [0, 1, "unless_first"])
def test_counting_and_tracing_agree_and_so_does_the_table_of_play(after: Any) -> None:
    """With suits, which no book of ours asks for, and against the coups of the library."""
    dealing = Dealing(decks=6, cut=20, after=after)
    space, shoes = BONUS.space, 60
    outcomes = np.empty((shoes, dealing.most_rounds), np.int32)
    places, cards = np.empty_like(outcomes), np.empty((shoes, dealing.size), np.uint8)
    kernel.trace_shoes(
        check_seed(9), 0, dealing.setup(suited=True), rules_of(space), outcomes, places, cards
    )  # fmt: skip
    counted = Simulator(BONUS, dealing, 9).play(0, shoes)
    played = outcomes[outcomes >= 0]
    assert np.array_equal(np.bincount(played, minlength=space.size), counted.outcomes)
    assert counted.rounds == len(played)
    assert np.array_equal(np.bincount((outcomes >= 0).sum(axis=1), minlength=dealing.most_rounds), counted.lengths)
    for shoe in range(shoes):
        for number, at in zip(outcomes[shoe].tolist(), places[shoe].tolist(), strict=True):
            if number >= 0:
                coup = reconstruct([card_of(byte) for byte in cards[shoe, at : at + 6].tolist()]).coup
                assert space.outcome_of(coup) == number
        # rounds begun behind the Cut Card, which lies before card 292; with the Cut Card first there may be none
        begun = [at for at in places[shoe].tolist() if at >= 0]
        first = after == "unless_first" and dealing.size - dealing.cut in begun
        assert sum(at > dealing.size - dealing.cut for at in begun) == (0 if first or after == 0 else 1)


# --- any split gives the same ---------------------------------------------------------------------------


def test_any_split_gives_the_same_counters() -> None:
    simulator = Simulator(SUPER_SIX, PUBLISHED, 4)
    whole = simulator.play(0, 9000)
    parts = simulator.play(5001, 3999)
    parts.add(simulator.play(0, 5000))
    parts.add(simulator.play(5000, 1))
    for cores in (1, 3):
        run = simulate(SUPER_SIX, PUBLISHED, shoes=9000, seed=4, cores=cores)
        assert np.array_equal(run.outcomes, whole.outcomes)
        assert (run.shoes, run.rounds) == (whole.shoes, whole.rounds)
    assert np.array_equal(parts.outcomes, whole.outcomes)
    assert np.array_equal(parts.lengths, whole.lengths)
    assert not np.array_equal(whole.outcomes, Simulator(SUPER_SIX, PUBLISHED, 5).play(0, 9000).outcomes)


@pytest.mark.parametrize("rounds", [1, 80, 5_000, 3_000_000])
def test_rounds_end_with_the_first_shoe_that_makes_them_enough(rounds: int) -> None:
    run = simulate(SUPER_SIX, PUBLISHED, rounds=rounds, seed=4)
    assert run.rounds >= rounds
    assert run.shoes == 1 or simulate(SUPER_SIX, PUBLISHED, shoes=run.shoes - 1, seed=4).rounds < rounds
    assert np.array_equal(run.outcomes, simulate(SUPER_SIX, PUBLISHED, shoes=run.shoes, seed=4).outcomes)


def test_what_was_done_is_kept_on_ctrl_c() -> None:
    def stop(shoes: int, rounds: int) -> None:
        if shoes > 20_000:
            raise KeyboardInterrupt

    run = simulate(SUPER_SIX, PUBLISHED, shoes=10**9, seed=4, progress=stop)
    assert run.interrupted
    assert 20_000 < run.shoes < 100_000
    assert np.array_equal(run.outcomes, simulate(SUPER_SIX, PUBLISHED, shoes=run.shoes, seed=4).outcomes)


# --- against exact odds and published figures -----------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_bet_is_within_its_error_of_the_exact_odds(game: str) -> None:
    run = simulate(find_book(game), rounds=2_000_000, seed=11)
    assert all(abs(bet.sigmas) < 4.5 for bet in run.bets.values())
    assert set(run.bets) == set(find_book(game).bets)
    assert sum(run.outcomes) == run.rounds
    assert run.lengths @ np.arange(len(run.lengths)) == run.rounds


def test_a_game_with_suits_is_within_its_error() -> None:
    run = simulate(BONUS, rounds=2_000_000, seed=12)
    assert all(abs(bet.sigmas) < 4.5 for bet in run.bets.values())


def test_published_figures_of_a_shoe() -> None:
    """80 to 81 rounds with the Cut Card 14 from the end; 4, 5 and 6 cards by the Wizard of Odds."""
    run = simulate(SUPER_SIX, PUBLISHED, rounds=4_000_000, seed=1)
    assert 80 < run.rounds_a_shoe < 81
    exact = weights(Composition.of_decks(8), SUPER_SIX.space)
    for cards, published in ((4, 0.378868), (5, 0.303444), (6, 0.317687)):
        having = SUPER_SIX.space.where({"cards": (cards,)})
        assert exact.of(having) / exact.total == pytest.approx(published, abs=1e-6)
        share = sum(run.outcomes[n] for n in SUPER_SIX.space.numbers if having >> n & 1) / run.rounds
        assert share == pytest.approx(published, abs=4.5 * math.sqrt(published / run.rounds))


# --- what cannot be dealt -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"decks": 0}, "1 to 10"),
        ({"decks": 11}, "1 to 10"),
        ({"decks": 8, "cut": 5}, "6 to 405"),
        ({"decks": 8, "cut": 11, "after": 1}, "12 to 405"),
        ({"decks": 1, "cut": 42}, "6 to 41"),
        ({"decks": 8, "burn": 21}, "0 to 20"),
        ({"decks": 8, "burn": -1}, "0 to 20"),
        ({"decks": 8, "burn": "all"}, "or first or value"),
        ({"decks": 8, "after": 2}, "0, 1 or unless_first"),
    ],
)
def test_a_shoe_that_cannot_be_dealt_is_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(SimulationError, match=said):
        Dealing(**settings)


NONSENSE: list[tuple[dict[str, Any], str]] = [
    ({}, "not both"),
    ({"shoes": 1, "rounds": 1}, "not both"),
    ({"shoes": 0}, "0 shoes"),
    ({"rounds": -1}, "-1 rounds"),
    ({"shoes": 1, "cores": 0}, "0 cores"),
    ({"shoes": 1, "seed": -1}, "seed -1"),
    ({"shoes": 1, "seed": 2**64}, "seed"),
    ({"shoes": 1, "first": -1}, "first shoe"),
]


@pytest.mark.parametrize(("wrong", "said"), NONSENSE)
def test_numbers_that_make_no_sense_are_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(SimulationError, match=said):
        simulate(SUPER_SIX, **wrong)


def test_decks_that_the_book_does_not_allow_are_refused() -> None:
    with pytest.raises(SimulationError, match="4 to 8"):
        dealing_of(SUPER_SIX, 9)
