"""A thread that writes for everybody: whatever waits when it is free goes together."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from puntobanco.store.base import UnavailableError

J = TypeVar("J")
TOGETHER = 500
"""As many jobs at most share a transaction."""


class GroupWriter(Generic[J]):
    """Takes jobs from any thread and hands them on in groups, in the order they came."""

    def __init__(self, name: str, write: Callable[[list[J]], None]) -> None:
        self._write = write
        self._queue: SimpleQueue[J | None] = SimpleQueue()
        self._guard = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, job: J) -> None:
        with self._guard:
            if self._closed:
                raise UnavailableError("the store is closed")
            self._queue.put(job)

    def close(self) -> None:
        """Write what was put, then stop."""
        with self._guard:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        more = True
        while more:
            jobs: list[J] = []
            job = self._queue.get()
            while job is not None:
                jobs.append(job)
                if len(jobs) == TOGETHER:
                    break
                try:
                    job = self._queue.get_nowait()
                except Empty:
                    break
            more = job is not None
            if jobs:
                self._write(jobs)
