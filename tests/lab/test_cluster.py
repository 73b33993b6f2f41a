"""The laboratory on a cluster: workers that die and come, runs stopped and taken up again, and what cannot be done."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import Client, LocalCluster
from tests.test_cli import refused, run

from puntobanco.lab import cluster as clusters
from puntobanco.lab.cluster import Cluster, connect
from puntobanco.lab.exposure import exposure
from puntobanco.lab.shoes import Dealing, SimulationError
from puntobanco.lab.simulate import Simulator, simulate
from puntobanco.rules.load import find_book

SUPER_SIX, TIGER = find_book("super-six"), find_book("tiger-buffalo")
DEALING = Dealing(decks=8, cut=14)


@pytest.fixture(scope="module")
def local() -> Iterator[LocalCluster]:
    """Two workers, each a process."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as found:
        yield found


@pytest.fixture
def workers(local: LocalCluster) -> Iterator[Cluster]:
    with Client(local) as client:
        yield Cluster(client)


def test_a_killed_and_an_added_worker_change_nothing(local: LocalCluster, workers: Cluster) -> None:
    """One is killed in mid-run, and one more comes."""
    pids: list[int] = list(workers.client.run(os.getpid).values())

    def disturb(shoes: int, rounds: int) -> None:
        if pids:
            os.kill(pids.pop(), signal.SIGKILL)
            pids.clear()
            local.scale(3)

    shoes = 40 * Simulator.block
    found = simulate(SUPER_SIX, DEALING, shoes=shoes, seed=4, runner=workers, progress=disturb)
    assert not pids
    ours = simulate(SUPER_SIX, DEALING, shoes=shoes, seed=4)
    assert np.array_equal(found.outcomes, ours.outcomes)
    assert np.array_equal(found.lengths, ours.lengths)


def test_rounds_and_studies_come_out_the_same(workers: Cluster) -> None:
    theirs = simulate(TIGER, DEALING, rounds=2_000_000, seed=4, runner=workers)
    ours = simulate(TIGER, DEALING, rounds=2_000_000, seed=4)
    assert (theirs.shoes, theirs.rounds) == (ours.shoes, ours.rounds)
    assert np.array_equal(theirs.outcomes, ours.outcomes)
    study: dict[str, Any] = {"bets": ["tie", "big_tiger"], "shoes": 100, "seed": 4}
    assert exposure(TIGER, DEALING, **study, runner=workers) == exposure(TIGER, DEALING, **study)


def test_the_command_goes_to_an_address(local: LocalCluster) -> None:
    arguments = ("simulate", "super-six", "--rounds", "1e6", "--seed", "3", "--json")
    theirs = run(*arguments, "--cluster", local.scheduler_address).json
    assert theirs["bets"] == run(*arguments).json["bets"]


def test_the_command_starts_a_cluster_of_its_own() -> None:
    arguments = ("simulate", "super-six", "--shoes", "20000", "--seed", "3", "--json")
    theirs = run(*arguments, "--cluster", "local", "--cores", "1").json
    assert theirs["bets"] == run(*arguments).json["bets"]


# --- stopped and taken up again -------------------------------------------------------------------------


def stop_after(wanted: int) -> Any:
    def stop(shoes: int, rounds: int = 0) -> None:
        if shoes >= wanted:
            raise KeyboardInterrupt

    return stop


def test_a_run_goes_on_from_its_checkpoint_anywhere(workers: Cluster, tmp_path: Path) -> None:
    """Begun here, stopped, gone on with on a cluster, stopped, ended here."""
    file, block = str(tmp_path / "run.json"), Simulator.block
    settings: dict[str, Any] = {"shoes": 12 * block, "seed": 4, "checkpoint": file}
    begun = simulate(SUPER_SIX, DEALING, **settings, progress=stop_after(2 * block))
    assert begun.interrupted
    further = simulate(SUPER_SIX, DEALING, **settings, runner=workers, progress=stop_after(6 * block))
    assert begun.shoes < further.shoes < 12 * block
    ended = simulate(SUPER_SIX, DEALING, **settings)
    whole = simulate(SUPER_SIX, DEALING, shoes=12 * block, seed=4)
    assert not ended.interrupted
    assert ended.seconds > further.seconds > begun.seconds
    assert np.array_equal(ended.outcomes, whole.outcomes)
    assert np.array_equal(ended.lengths, whole.lengths)
    assert [file.name for file in tmp_path.iterdir()] == ["run.json"]
    # what is done is not done again, and may be gone on with
    assert np.array_equal(simulate(SUPER_SIX, DEALING, **settings).outcomes, whole.outcomes)
    assert simulate(SUPER_SIX, DEALING, **settings | {"shoes": 13 * block}).shoes == 13 * block


def test_a_study_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"bets": ["tie"], "shoes": 700, "seed": 4}
    file = str(tmp_path / "study.json")
    assert exposure(TIGER, DEALING, **settings, checkpoint=file, progress=stop_after(1)).interrupted
    assert exposure(TIGER, DEALING, **settings, checkpoint=file) == exposure(TIGER, DEALING, **settings)


def test_rounds_go_on_from_a_checkpoint(tmp_path: Path) -> None:
    file = str(tmp_path / "run.json")
    simulate(SUPER_SIX, DEALING, rounds=3_000_000, seed=4, checkpoint=file, progress=stop_after(9000))
    ended = simulate(SUPER_SIX, DEALING, rounds=3_000_000, seed=4, checkpoint=file)
    assert np.array_equal(ended.outcomes, simulate(SUPER_SIX, DEALING, rounds=3_000_000, seed=4).outcomes)
    assert simulate(SUPER_SIX, DEALING, rounds=3_000_000, seed=4, checkpoint=file).rounds == ended.rounds
    with pytest.raises(SimulationError, match="no fewer than the 1,000 asked for"):
        simulate(SUPER_SIX, DEALING, rounds=1000, seed=4, checkpoint=file)


def test_checkpoints_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    command = ("simulate", "super-six", "--checkpoint", str(file))
    run(*command, "--shoes", "30", "--seed", "3")
    assert "differs in seed" in refused(*command, "--shoes", "30", "--seed", "4")
    assert "differs in dealing" in refused(*command, "--shoes", "30", "--seed", "3", "--cut", "20")
    assert "holds 30 shoes, more than the 20" in refused(*command, "--shoes", "20", "--seed", "3")
    assert "differs in what" in refused("exposure", "super-six", "--checkpoint", str(file), "--seed", "3")
    data = json.loads(file.read_text())
    for broken in ("", "[]", "{}", json.dumps(data | {"done": {}}), json.dumps(data | {"done": {"outcomes": 1}})):
        file.write_text(broken)
        assert "is not a checkpoint" in refused(*command, "--shoes", "30", "--seed", "3")
    assert "cannot be written" in refused(*command[:3], str(tmp_path / "none" / "x"), "--shoes", "30")
    assert "cannot be read" in refused(*command[:3], str(tmp_path), "--shoes", "30")
    assert "name of the file is empty" in refused(*command[:3], "", "--shoes", "30")


# --- what cannot be done --------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "127.0.0.1:9", "nowhere://x", "", "tcp://127.0.0.1:none"])
def test_a_cluster_that_does_not_answer(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "ANSWER", 0.5)
    said = refused("simulate", "super-six", "--cluster", address, "--shoes", "5")
    assert f"the cluster at {address} does not answer" in said


def test_a_cluster_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "ANSWER", 0.5)
    with LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        said = refused("simulate", "super-six", "--cluster", empty.scheduler_address, "--shoes", "5")
    assert "has no workers" in said


def test_a_cluster_that_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """All workers go, and none comes."""
    monkeypatch.setattr(clusters, "PATIENCE", 0.5)

    def leave(shoes: int, rounds: int) -> None:
        lost.scale(0)

    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as lost,
        pytest.raises(SimulationError, match=r"no worker for|was lost"),
        connect(lost.scheduler_address, 1) as found,
    ):
        simulate(SUPER_SIX, DEALING, shoes=10**7, seed=4, runner=found, progress=leave)


def hungry(*_: Any) -> None:
    raise MemoryError


def test_too_little_memory_on_a_worker(local: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "play_part", hungry)
    said = refused("simulate", "super-six", "--cluster", local.scheduler_address, "--shoes", "5")
    assert "too little memory" in said


def test_a_gpu_and_a_cluster_are_one_too_many() -> None:
    assert "not both" in refused("simulate", "super-six", "--gpu", "--cluster", "local", "--shoes", "5")
