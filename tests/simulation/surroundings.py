"""What the product finds around it: threads, time, randomness and the file system's promises, all of the simulation.

Every module of the floor, the stores, the shoes and the clients that has imported ``threading``, ``time``, ``os``,
``secrets`` or something of ``concurrent.futures`` or ``queue`` gets the simulation's under the same name while it runs.
So no call is forgotten, and the product needs no arguments that only the simulation would give.
"""

from __future__ import annotations

import concurrent.futures
import importlib
import os
import pkgutil
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

from tests.simulation import threads

PACKAGES = ("floor", "store", "shoes", "client", "demo")
NOT_HERE = ("puntobanco.demo.process", "puntobanco.demo.child", "puntobanco.client.plain")
"""What only real processes use."""


class Around:
    """A module with some of its names replaced."""

    def __init__(self, module: ModuleType, **names: Any) -> None:
        self.__dict__.update(names)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def product() -> list[ModuleType]:
    """The modules that are played."""
    found = []
    for package in PACKAGES:
        parent = importlib.import_module(f"puntobanco.{package}")
        names = [f"{parent.__name__}.{each.name}" for each in pkgutil.iter_modules(parent.__path__)]
        found += [parent, *(importlib.import_module(name) for name in names if name not in NOT_HERE)]
    return found


@contextmanager
def surrounded(
    loop: threads.VirtualLoop, chance: Random, wall: Callable[[], float], fsync: Callable[[int], None]
) -> Iterator[None]:
    """Everything that the product does from now on, it does in the simulation."""
    real_and_played: list[tuple[Any, Any]] = [
        (
            threading,
            SimpleNamespace(
                Lock=threads.Lock,
                RLock=threads.RLock,
                Condition=threads.Condition,
                Thread=threads.Thread,
                current_thread=threads.current_thread,
            ),
        ),
        (time, Around(time, time=wall, monotonic=loop.time, perf_counter=loop.time, sleep=threads.pause)),
        (
            secrets,
            SimpleNamespace(
                token_bytes=lambda count=32: chance.randbytes(count),
                token_hex=lambda count=32: chance.randbytes(count).hex(),
                token_urlsafe=lambda count=32: (
                    secrets.base64.urlsafe_b64encode(chance.randbytes(count))  # type: ignore[attr-defined]
                    .rstrip(b"=")
                    .decode()
                ),
                randbelow=lambda most: chance.randrange(most),
                compare_digest=secrets.compare_digest,
            ),
        ),
        (os, Around(os, fsync=fsync, getpid=process_id, urandom=chance.randbytes, umask=lambda mask: mask)),
        (concurrent.futures.ThreadPoolExecutor, threads.ThreadPoolExecutor),
        (concurrent.futures.Future, threads.Future),
        (concurrent.futures.wait, threads.wait),
        (queue.SimpleQueue, threads.SimpleQueue),
    ]
    replaced: list[tuple[ModuleType, str, Any]] = []
    for module in product():
        for name, value in list(vars(module).items()):
            for real, played in real_and_played:
                if value is real:
                    replaced.append((module, name, value))
                    setattr(module, name, played)
    threads.begin(loop)
    try:
        yield
    finally:
        threads.begin(None)
        for module, name, value in replaced:
            setattr(module, name, value)


def process_id() -> int:
    """A number that each simulated process has for itself."""
    mine = threads.owner()
    return getattr(mine, "number", 1)
