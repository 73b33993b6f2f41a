"""Whether the store answers: asked every second, and after a write that failed tried with one.

A store that hangs hangs a thread here, and none that serves tables.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from concurrent.futures import Future, ThreadPoolExecutor

from puntobanco.store.base import Document, StoreError, outside
from puntobanco.store.base import Store as AnyStore

log = logging.getLogger(__name__)

BEAT = 1.0
"""Seconds between two questions."""
PATIENCE = 2.0
"""Seconds after which a store that says nothing does not answer."""
KIND = "pulse"
"""Of the documents that try whether the store can be written, one a process."""


class Pulse:
    """The state of a store; its changes are logged, once each."""

    def __init__(self, store: AnyStore) -> None:
        self.problem = ""
        """What is wrong with the store, as clients hear it; empty while it answers."""
        self._store = store
        self._since = 0.0
        self._write_failed = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pulse")
        self._asked: Future[None] | None = None

    def failed(self, error: StoreError) -> None:
        """Somebody's write was not stored: until one is, the store is not what it should be."""
        self._write_failed = True
        self._is(outside(error), str(error))

    async def watch(self) -> None:
        while True:
            await self.beat()
            await asyncio.sleep(BEAT)

    async def beat(self) -> None:
        """Ask once; a question that was not answered yet is waited for on, not asked again."""
        if self._asked is None:
            self._asked = self._thread.submit(self._ask)
        await asyncio.wait({asyncio.wrap_future(self._asked)}, timeout=PATIENCE)
        if not self._asked.done():
            self._is(self.problem or "the store does not answer")
            return
        error, self._asked = self._asked.exception(), None
        if error is None:
            self._is("")
        elif isinstance(error, StoreError):
            self._is(outside(error), str(error))
        else:
            self._is("the store cannot be asked", repr(error))

    def _ask(self) -> None:
        self._store.faults()
        if self._write_failed:
            key = f"process {os.getpid()}"
            before = self._store.document(KIND, key)
            self._store.keep(Document(KIND, key, str(time.time()).encode(), before.version if before else 0))
            self._write_failed = False

    def _is(self, problem: str, said: str = "") -> None:
        """``said`` is the same as the store has it, for the log."""
        before, self.problem = self.problem, problem
        if problem and not before:
            self._since = time.monotonic()
            log.error("not ready: %s; commands are refused until it answers, and nothing is lost", said or problem)
        elif before and not problem:
            log.info("ready: the store answers again, after %.0f s", time.monotonic() - self._since)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
