"""The CUDA kernels, as plain C++ on this machine, hold against the CPU's own; on a GPU as well, where there is one."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.lab.plain_device import COMPILER, PlainDevice
from tests.test_cli import refused

from puntobanco.lab.batch import Batch
from puntobanco.lab.device import Device, DeviceInsurance, DeviceOdds, DeviceShoes
from puntobanco.lab.ends import ends_of
from puntobanco.lab.exposure import exposure
from puntobanco.lab.gpu import find_gpu
from puntobanco.lab.insurance_kernel import value_offers
from puntobanco.lab.known import deal_known, offers, ranks_of, values_of
from puntobanco.lab.runs import OnGpu
from puntobanco.lab.shoes import Dealing, SimulationError, check_seed
from puntobanco.lab.simulate import Simulator, simulate
from puntobanco.rules.load import GAMES, find_book, load_book
from puntobanco.rules.model import RuleBook

EXAMPLES = Path(__file__).parents[2] / "examples" / "books"
BONUS = load_book(EXAMPLES / "bonus.toml")
SUPER_SIX, TIGER = find_book("super-six"), find_book("tiger-buffalo")
BOOKS = [*map(find_book, GAMES), BONUS]
DEALINGS = [
    Dealing(decks=8, cut=14),
    Dealing(decks=1, cut=12, after=1),
    Dealing(decks=5, cut=30, burn=3, after="unless_first"),
    Dealing(decks=10, cut=6, burn="value"),
]


def a_gpu() -> str | None:
    """Why the tests do not run on a GPU."""
    try:
        find_gpu()
    except SimulationError as error:
        return str(error)
    return None


NO_GPU = a_gpu()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For what is compiled."""
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("plain", marks=pytest.mark.skipif(COMPILER is None, reason="no C++ compiler: kernels not run")),
        pytest.param("gpu", marks=pytest.mark.skipif(NO_GPU is not None, reason=f"not run on a GPU: {NO_GPU}")),
    ],
)
def device(request: pytest.FixtureRequest, folder: Path) -> Device:
    return find_gpu() if request.param == "gpu" else PlainDevice(folder)


def same(device: Device, theirs: Any, ours: Any) -> bool:
    return np.array_equal(device.host(theirs), ours)


@pytest.mark.parametrize("dealing", DEALINGS, ids=[f"{dealing.decks} decks" for dealing in DEALINGS])
@pytest.mark.parametrize("book", [SUPER_SIX, BONUS], ids=["ranks", "suits"])
def test_the_same_shoes_are_dealt_and_counted(device: Device, book: RuleBook, dealing: Dealing) -> None:
    seed, first, shoes = 2**63 + 5, 2**33 - 400, 1300
    outcomes, lengths = DeviceShoes(device, book, dealing, seed).count(first, shoes)
    counted = Simulator(book, dealing, seed).play(first, shoes)
    assert np.array_equal(outcomes, counted.outcomes)
    assert np.array_equal(lengths, counted.lengths)


@pytest.mark.parametrize("dealing", DEALINGS[:3], ids=[f"{dealing.decks} decks" for dealing in DEALINGS[:3]])
@pytest.mark.parametrize("book", [TIGER, BONUS], ids=["ranks", "suits"])
def test_the_same_is_known_before_every_round(device: Device, book: RuleBook, dealing: Dealing) -> None:
    found = DeviceShoes(device, book, dealing, 7).know(5, 40)
    known, rounds = deal_known(book, dealing, check_seed(7), 5, 40)
    assert found.rounds == rounds
    for theirs, ours in (
        (found.unseen, known.unseen[:rounds].T),
        (found.cards, known.cards[:rounds].T),
        (found.places, known.places[:rounds]),
        (found.shoes, known.shoes[:rounds]),
    ):
        assert same(device, theirs, ours)


@pytest.mark.parametrize("book", BOOKS, ids=[book.id for book in BOOKS])
def test_exact_odds_are_the_same_to_the_last_bit(device: Device, book: RuleBook) -> None:
    """Every line's deals, and every bet's expectation: whole shoes down to the last cards, and shoes of few ranks."""
    solver, batch = DeviceOdds(device, Batch(book)), Batch(book)
    for dealing in (Dealing(decks=8, cut=14), Dealing(decks=1, cut=6)):
        known, rounds = deal_known(book, dealing, check_seed(3), 0, 6)
        shoes = known.unseen[:rounds].copy()
        shoes[::7, : shoes.shape[1] // 2] = 0
        shoes[::7, -1] += 6
        ours = batch.solve(shoes)
        ev, ways = solver.solve(device.xp.asarray(np.ascontiguousarray(shoes.T), np.uint8), ways=True)
        won = [line for line, (code, _) in enumerate(ours.lines[:-1]) if ours.lines[line + 1][0] == code]
        assert same(device, ways, ours.ways[:, won].T)
        assert same(device, ev, ours.ev.T)


def test_insurance_is_worth_the_same_to_the_last_bit(device: Device) -> None:
    dealing = Dealing(decks=4, cut=16)
    known, rounds = deal_known(TIGER, dealing, check_seed(7), 0, 30)
    worth, taken = np.empty((rounds, 2, 2)), np.empty((rounds, 2, 2), np.int64)
    value_offers(values_of(ranks_of(known.unseen[:rounds])), known.cards[:rounds], offers(TIGER), worth, taken)
    found, rows = DeviceInsurance(device, offers(TIGER)).value(DeviceShoes(device, TIGER, dealing, 7).know(0, 30))
    assert np.array_equal(device.host(found), worth.reshape(rounds, 4).T, equal_nan=True)
    assert np.array_equal(device.host(rows), taken.reshape(rounds, 4).T)
    assert (taken >= 0).sum() > 100


def test_a_simulation_and_a_study_come_out_the_same(device: Device) -> None:
    """By shoes and by rounds; the study with its counts, its depths and insurance."""
    dealing = Dealing(decks=8, cut=14)
    ours, theirs = (simulate(TIGER, dealing, rounds=150_000, seed=4, runner=runner) for runner in (None, OnGpu(device)))
    assert (ours.shoes, ours.rounds) == (theirs.shoes, theirs.rounds)
    assert np.array_equal(ours.outcomes, theirs.outcomes)
    assert exposure(TIGER, dealing, shoes=40, seed=4) == exposure(
        TIGER, dealing, shoes=40, seed=4, runner=OnGpu(device)
    )


def test_a_study_by_card_comes_out_the_same(device: Device) -> None:
    """Where suits matter, cards are told apart."""
    dealing = Dealing(decks=6, cut=20)
    assert exposure(BONUS, dealing, shoes=5) == exposure(BONUS, dealing, shoes=5, runner=OnGpu(device))


def test_classes_of_ends_are_few() -> None:
    assert ends_of(Batch(find_book("rws-baccarat"))).number < 40
    assert len(set(ends_of(Batch(BONUS)).terms)) == ends_of(Batch(BONUS)).number


# --- what cannot be done --------------------------------------------------------------------------------


@pytest.mark.skipif(NO_GPU is None, reason="there is a GPU")
@pytest.mark.parametrize("command", ["simulate", "exposure"])
def test_a_gpu_that_is_not_there(command: str) -> None:
    said = refused(command, "super-six", "--gpu", "--shoes", "5")
    assert "no GPU was found" in said if importlib.util.find_spec("cupy") else "CuPy, which is not installed" in said


def test_too_little_memory(folder: Path) -> None:
    class Small(PlainDevice):
        def free(self) -> int:
            return 1 << 20

    if COMPILER is None:
        pytest.skip("no C++ compiler: kernels not run")
    with pytest.raises(SimulationError, match="too little memory on plain C"):
        exposure(SUPER_SIX, Dealing(decks=8, cut=14), shoes=40, runner=OnGpu(Small(folder)))


def test_a_gpu_that_fails(folder: Path) -> None:
    class Broken(PlainDevice):
        def kernels(self, source: str, defines: dict[str, int]) -> Any:
            raise OSError("it is on fire")

    with pytest.raises(SimulationError, match=r"plain C\+\+ failed: it is on fire"):
        simulate(SUPER_SIX, shoes=40, runner=OnGpu(Broken(folder)))


def test_shoes_too_large_for_exact_odds_on_a_gpu(folder: Path) -> None:
    if COMPILER is None:
        pytest.skip("no C++ compiler: kernels not run")
    with pytest.raises(SimulationError, match="10 decks are too many"):
        exposure(TIGER, Dealing(decks=10, cut=14), shoes=4, runner=OnGpu(PlainDevice(folder)))
