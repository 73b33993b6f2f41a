"""Long runs over shoes: split into parts, played anywhere, added up in their order, stopped and taken up again."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from puntobanco.lab.device import Device
from puntobanco.lab.shoes import SimulationError

Progress = Callable[[int, int], None]
"""Called with the shoes and rounds played so far."""

PILOT = 256
"""Shoes by which the number that a wanted number of rounds takes is guessed."""
SURE = 0.98
"""Of the shoes still wanted, those that are certainly not too many."""
SAVE_EVERY = 5.0
"""Seconds between two writings of a checkpoint."""
FORMAT = 1
MEMORY_SHARE = 0.6
"""Of a GPU's free memory, what a part may take."""
LEAST_ON_GPU = 32


class Part(Protocol):
    """What came of some shoes; parts add up, and can be kept as JSON."""

    shoes: int
    rounds: int

    def add(self, other: Any) -> None: ...

    def packed(self) -> dict[str, Any]: ...

    @classmethod
    def unpacked(cls, data: dict[str, Any]) -> Self: ...


P = TypeVar("P", bound=Part)
C = TypeVar("C", bound=Part, covariant=True)


class OnDevice(Protocol[C]):
    """A job made ready for a GPU."""

    @property
    def bytes_a_shoe(self) -> int: ...

    def part(self, first: int, shoes: int) -> C: ...


class Job(Protocol[C]):
    """Something to be done shoe by shoe. It can be pickled, and any split of its shoes adds up to the same."""

    @property
    def block(self) -> int:
        """Shoes that a core takes at a time."""

    @property
    def gpu_block(self) -> int:
        """Shoes that a GPU takes at a time, where its memory has room."""

    @property
    def identity(self) -> dict[str, Any]:
        """All that the result depends on, but for which shoes, as JSON has it."""

    def nothing(self) -> C: ...

    def part(self, first: int, shoes: int) -> C: ...

    def until(self, first: int, shoes: int, rounds: int) -> C:
        """Stops after the shoe with which so many rounds are played."""

    def on(self, device: Device) -> OnDevice[C]: ...


class Runner(Protocol):
    """Where parts are played."""

    def parts(self, job: Job[P], first: int, shoes: int) -> Iterator[P]:
        """Parts one behind the other, from the first shoe to the last."""


def blocks(first: int, shoes: int, block: int) -> Iterator[tuple[int, int]]:
    """A range of shoes in parts: the first of each and how many."""
    for start in range(first, first + shoes, block):
        yield start, min(block, first + shoes - start)


class Cores:
    """Threads on this machine: the kernels do not hold Python's lock."""

    def __init__(self, number: int) -> None:
        self._number = number

    def parts(self, job: Job[P], first: int, shoes: int) -> Iterator[P]:
        waiting = blocks(first, shoes, job.block)
        with ThreadPoolExecutor(self._number) as pool:
            running: deque[Future[P]] = deque()
            try:
                while True:
                    while len(running) <= 2 * self._number and (span := next(waiting, None)) is not None:
                        running.append(pool.submit(job.part, *span))
                    if not running:
                        return
                    yield running.popleft().result()
            finally:
                pool.shutdown(cancel_futures=True)


class OnGpu:
    """A GPU, a large part after the other."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def parts(self, job: Job[P], first: int, shoes: int) -> Iterator[P]:
        try:
            yield from self._parts(job, first, shoes)
        except self._device.errors as error:
            raise SimulationError(f"{self._device.name} failed: {error}") from None

    def _parts(self, job: Job[P], first: int, shoes: int) -> Iterator[P]:
        ready = job.on(self._device)
        room = int(self._device.free() * MEMORY_SHARE) // ready.bytes_a_shoe if ready.bytes_a_shoe else job.gpu_block
        if room < LEAST_ON_GPU:
            wanted = LEAST_ON_GPU * ready.bytes_a_shoe / MEMORY_SHARE / 2**20
            free = self._device.free() / 2**20
            raise SimulationError(
                f"too little memory on {self._device.name}: {free:,.0f} MiB can be had, {wanted:,.0f} are needed"
            )
        for start, number in blocks(first, shoes, min(job.gpu_block, room)):
            yield ready.part(start, number)


class Checkpoint(Generic[P]):
    """A file that holds what a run has come to, so that it can be taken up again, anywhere and by other means."""

    def __init__(self, path: str, job: Job[P], first: int) -> None:
        self._path = Path(path)
        self._identity = json.loads(json.dumps({"format": FORMAT, "first": first, **job.identity}))
        self._saved = time.monotonic()

    def load(self, nothing: P) -> tuple[P, float, int | None]:
        """What was done, in how many seconds, and the rounds it was to reach; nothing where there is no file yet."""
        try:
            data = json.loads(self._path.read_bytes())
        except FileNotFoundError:
            self._check_place()
            return nothing, 0.0, None
        except OSError as error:
            raise SimulationError(f"the checkpoint {self._path} cannot be read: {error.strerror}") from None
        except ValueError:
            raise SimulationError(f"{self._path} is not a checkpoint") from None
        try:
            identity = data["run"]
            differs = [name for name in self._identity if identity.get(name) != self._identity[name]]
            if differs:
                raise SimulationError(
                    f"the checkpoint {self._path} is of another run: it differs in {', '.join(differs)}"
                )
            return type(nothing).unpacked(data["done"]), float(data["seconds"]), data["rounds_wanted"]
        except (KeyError, TypeError, AttributeError) as error:
            raise SimulationError(f"{self._path} is not a checkpoint, or not a whole one: {error}") from None

    def save(self, done: P, seconds: float, rounds_wanted: int | None, *, always: bool = False) -> None:
        if not always and time.monotonic() < self._saved + SAVE_EVERY:
            return
        data = {"run": self._identity, "seconds": seconds, "rounds_wanted": rounds_wanted, "done": done.packed()}
        fresh = self._path.with_name(self._path.name + ".new")
        try:
            # written beside and put in its place at once: whenever the machine stops, there is a whole file
            with fresh.open("w", encoding="utf-8") as file:
                json.dump(data, file)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        except OSError as error:
            raise SimulationError(f"the checkpoint {self._path} cannot be written: {error.strerror}") from None
        self._saved = time.monotonic()

    def _check_place(self) -> None:
        if self._path.is_dir() or not self._path.absolute().parent.is_dir():
            raise SimulationError(f"the checkpoint {self._path} cannot be written: no such folder, or it is one itself")


def run(
    job: Job[P],
    runner: Runner,
    *,
    first: int,
    shoes: int | None,
    rounds: int | None,
    checkpoint: str | None,
    progress: Progress | None,
) -> tuple[P, float, bool]:
    """What was done, in how many seconds, and whether it was interrupted. Ctrl-C keeps what was done."""
    kept = None if checkpoint is None else Checkpoint(checkpoint, job, first)
    done, before, reached = job.nothing(), 0.0, None
    if kept is not None:
        done, before, reached = kept.load(done)
        _check_kept(done, reached, shoes, rounds)
    begun = time.perf_counter()
    interrupted = False
    try:
        for part in _parts(job, runner, done, first, shoes, rounds):
            done.add(part)
            if kept is not None:
                kept.save(done, before + time.perf_counter() - begun, rounds)
            if progress is not None:
                progress(done.shoes, done.rounds)
    except KeyboardInterrupt:
        interrupted = True
        if not done.shoes:
            raise SimulationError("stopped before the first shoes were played") from None
    except MemoryError as error:
        raise SimulationError(f"too little memory: {error}") from None
    finally:
        seconds = before + time.perf_counter() - begun
        if kept is not None and done.shoes:
            kept.save(done, seconds, rounds, always=True)
    return done, seconds, interrupted


def _check_kept(done: Part, reached: int | None, shoes: int | None, rounds: int | None) -> None:
    if shoes is not None and done.shoes > shoes:
        raise SimulationError(f"the checkpoint holds {done.shoes:,} shoes, more than the {shoes:,} asked for")
    if rounds is not None and done.rounds >= rounds and reached != rounds:
        raise SimulationError(f"the checkpoint holds {done.rounds:,} rounds, no fewer than the {rounds:,} asked for")


def _parts(job: Job[P], runner: Runner, done: P, first: int, shoes: int | None, rounds: int | None) -> Iterator[P]:
    """Shoes one behind the other, until there are enough; ``done`` is what they have added up to."""
    if rounds is None:
        assert shoes is not None
        yield from runner.parts(job, first + done.shoes, shoes - done.shoes)
        return
    while done.rounds < rounds:
        # nearly all of them wherever that is fast, and the rest shoe by shoe up to the last one needed
        wanted = rounds - done.rounds
        sure = int(SURE * wanted * done.shoes / done.rounds) if done.shoes else 0
        if sure > PILOT:
            yield from runner.parts(job, first + done.shoes, sure)
        else:
            yield job.until(first + done.shoes, PILOT, wanted)
