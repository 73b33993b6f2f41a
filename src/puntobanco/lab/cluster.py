"""A cluster of machines, through Dask: named here alone, and loaded only when one is asked for.

A part is played by any worker, and asked for again where a worker was lost. Parts come back in their order, so that
what is done is always the shoes from the first up to some number, whatever the cluster went through.
"""

from __future__ import annotations

import logging
import pickle
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from puntobanco.lab.runs import Job, P, blocks
from puntobanco.lab.shoes import SimulationError

LOCAL = "local"
ANSWER = 15.0
"""Seconds in which a cluster is to answer, and to show a worker."""
PATIENCE = 60.0
"""Seconds for which a run waits for a new worker when the last one is gone."""
TRIES = 5
"""Times that a part is given out which workers were lost with."""


def play_part(job: bytes, first: int, shoes: int) -> Any:
    """On a worker."""
    return _job(job).part(first, shoes)


@lru_cache(maxsize=4)
def _job(job: bytes) -> Any:
    return pickle.loads(job)


def _version() -> str:
    return version("puntobanco")


class Cluster:
    """The workers of a scheduler."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def parts(self, job: Job[P], first: int, shoes: int) -> Iterator[P]:
        data = pickle.dumps(job)
        waiting = blocks(first, shoes, job.block)
        running: deque[tuple[tuple[int, int], Any]] = deque()
        try:
            while True:
                while len(running) < self._at_a_time() and (span := next(waiting, None)) is not None:
                    running.append((span, self._submit(data, span)))
                if not running:
                    return
                yield self._result(data, *running.popleft())
        finally:
            self.client.cancel([future for _, future in running])

    def _at_a_time(self) -> int:
        """Enough that no thread of any worker waits, with new workers counted as they come."""
        return 4 + 3 * int(sum(self.client.nthreads().values()))

    def _submit(self, data: bytes, span: tuple[int, int]) -> Any:
        return self.client.submit(play_part, data, *span, pure=False)

    def _result(self, data: bytes, span: tuple[int, int], future: Any) -> Any:
        from distributed import KilledWorker

        for _ in range(TRIES):
            try:
                return self._wait(future)
            except KilledWorker:
                future = self._submit(data, span)
        raise SimulationError(
            f"{TRIES} times workers were lost while they played the same shoes: they may have too little memory"
        )

    def _wait(self, future: Any) -> Any:
        """The result, unless all workers are gone for good."""
        alone = None
        while True:
            try:
                return future.result(timeout=1.0)
            except TimeoutError:
                if self.client.nthreads():
                    alone = None
                elif alone is None:
                    alone = time.monotonic()
                elif time.monotonic() > alone + PATIENCE:
                    raise SimulationError(f"the cluster has had no worker for {PATIENCE:g} seconds") from None


@contextmanager
def connect(address: str, cores: int) -> Iterator[Cluster]:
    """The cluster at an address such as ``tcp://10.0.0.1:8786``; ``local`` starts one here, a worker for each core."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise SimulationError(
            "a cluster takes Dask, which is not installed: pip install 'puntobanco[cluster]'"
        ) from None
    with _quiet():
        yield from _connect(Client, LocalCluster, address, cores)


def _connect(client_of: Any, local_cluster: Any, address: str, cores: int) -> Iterator[Cluster]:
    if address == LOCAL:
        try:
            local = local_cluster(
                n_workers=cores, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
            )
        except (OSError, RuntimeError) as error:
            raise SimulationError(f"no cluster can be started on this machine: {error}") from None
        with local, client_of(local) as client, _errors(LOCAL):
            yield Cluster(client)
        return
    with _client(client_of, address) as client, _errors(address):
        _check(client, address)
        yield Cluster(client)


def _client(kind: Any, address: str) -> Any:
    try:
        return kind(address, timeout=ANSWER)
    except (OSError, ValueError, TimeoutError) as error:
        raise SimulationError(f"the cluster at {address} does not answer: {error}") from None


def _check(client: Any, address: str) -> None:
    """There are workers, and all play by the same rules."""
    try:
        client.wait_for_workers(1, timeout=ANSWER)
    except TimeoutError:
        raise SimulationError(f"the cluster at {address} has no workers") from None
    try:
        found = set(client.run(_version).values())
    except ImportError:
        raise SimulationError(f"the workers of the cluster at {address} lack puntobanco: install it there") from None
    if found != {_version()}:
        theirs = ", ".join(sorted(found))
        raise SimulationError(f"the workers of the cluster at {address} have puntobanco {theirs}, not {_version()}")


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the notes that Dask makes of workers that come and go: what matters is raised."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith(("distributed", "tornado", "asyncio"))]
    loggers = list(map(logging.getLogger, names))
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _errors(address: str) -> Iterator[None]:
    """What goes wrong on the way, in a sentence."""
    from concurrent.futures import CancelledError

    from distributed.comm.core import CommClosedError

    try:
        yield
    except (CancelledError, CommClosedError):
        raise SimulationError(f"the cluster at {address} was lost") from None
    except ImportError as error:
        raise SimulationError(f"a worker of the cluster at {address} cannot play: {error}") from None
    except MemoryError:
        raise SimulationError(f"a worker of the cluster at {address} has too little memory") from None
