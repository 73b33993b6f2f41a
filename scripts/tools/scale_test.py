"""One seed on cores, on a GPU and on a cluster that loses a worker: ``scripts/scale-test [SHOES]``, or a million.

Every counter of a simulation must be the same, and every figure of a counting study over a hundredth of the shoes.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from scripts.tools.arguments import counts

from puntobanco.lab.cluster import LOCAL, Cluster, connect
from puntobanco.lab.exposure import exposure
from puntobanco.lab.gpu import find_gpu
from puntobanco.lab.runs import OnGpu, Progress, Runner
from puntobanco.lab.shoes import SimulationError
from puntobanco.lab.simulate import number_of_cores, simulate
from puntobanco.lab.values import encode
from puntobanco.rules.load import find_book

SHOES = 1_000_000
SEED = 19
GAME = "tiger-buffalo"
"""The game with the most: insurance as well."""

Told = Callable[[int], None]


def nothing(shoes: int) -> None:
    """Where nobody is killed."""


def killer(cluster: Cluster, after: int) -> Told:
    """Kills a worker when so many shoes are played."""
    victims = list(cluster.client.run(os.getpid).items())[:1]

    def tell(shoes: int) -> None:
        if victims and shoes >= after:
            address, pid = victims.pop()
            os.kill(pid, signal.SIGKILL)
            print(f"  killed worker {address} after {shoes:,} shoes", flush=True)

    return tell


def shoes_only(tell: Told) -> Progress:
    return lambda shoes, _: tell(shoes)


@contextmanager
def places(shoes: int) -> Iterator[Iterator[tuple[str, Runner | None, Callable[[int], Told]]]]:
    """Where it is played, one after the other."""

    def each() -> Iterator[tuple[str, Runner | None, Callable[[int], Told]]]:
        cores = number_of_cores(None)
        yield f"{cores} cores", None, lambda _: nothing
        try:
            gpu = find_gpu()
            yield gpu.name, OnGpu(gpu), lambda _: nothing
        except SimulationError as error:
            print(f"not run on a GPU: {error}")
        with connect(LOCAL, max(2, cores)) as cluster:
            yield f"a cluster of {max(2, cores)} workers, one killed", cluster, lambda after: killer(cluster, after)

    yield each()


def main(shoes: int) -> None:
    book, looked_at = find_book(GAME), max(shoes // 100, 1)
    found = set()
    with places(shoes) as all_of_them:
        for name, runner, told in all_of_them:
            begun = time.perf_counter()
            played = simulate(book, shoes=shoes, seed=SEED, runner=runner, progress=shoes_only(told(shoes // 3)))
            simulated = time.perf_counter() - begun
            study = exposure(
                book,
                shoes=looked_at,
                seed=SEED,
                runner=runner,
                cores=number_of_cores(None),
                progress=told(looked_at // 3),
            )
            counters = hashlib.sha256(played.outcomes.tobytes() + played.lengths.tobytes()).hexdigest()[:16]
            figures = hashlib.sha256(encode(study)).hexdigest()[:16]
            found.add((counters, figures))
            print(
                f"{name}: {played.rounds:,} rounds in {simulated:.1f} s, counters {counters}; "
                f"{study.rounds:,} exact odds in {time.perf_counter() - begun - simulated:.1f} s, figures {figures}",
                flush=True,
            )
    if len(found) > 1:
        print("they differ")
        raise SystemExit(1)
    print("all the same")


if __name__ == "__main__":
    main(*counts(sys.argv[1:], __doc__, 1) or [SHOES])
