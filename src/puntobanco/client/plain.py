"""The plain client: the asynchronous one, run in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

from puntobanco.client.asynchronous import TIMEOUT, AsyncClient, Watched
from puntobanco.floor.wire import Account, Brief, Done, Given, Part, SignedIn
from puntobanco.table.commands import AnyCommand
from puntobanco.views.view import View

T = TypeVar("T")


class Client:
    """One person or device at a floor, for programs that wait for their answers.

    >>> from puntobanco.client import Client
    >>> with Client("http://127.0.0.1:8000") as client:  # doctest: +SKIP
    ...     client.sign_in("alice", "correct horse")
    ...     print([table.title for table in client.tables()])
    """

    def __init__(self, address: str, *others: str, token: str = "") -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"client of {address}", daemon=True)
        self._thread.start()
        self._client = self._wait(_made((address, *others), token))

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection; the session goes on until it is signed out of."""
        if self._loop.is_closed():
            return
        self._wait(self._client.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def sign_in(self, name: str, password: str) -> SignedIn:
        """Begin a session; raises ClientError unless name and password fit."""
        return self._wait(self._client.sign_in(name, password))

    def sign_out(self) -> None:
        """End the session at the server."""
        self._wait(self._client.sign_out())

    def account(self) -> Account:
        """The signed-in person's account."""
        return self._wait(self._client.account())

    def tables(self, *, closed: bool = False) -> list[Brief]:
        """The lobby: every open table, and with ``closed`` those that are over."""
        return self._wait(self._client.tables(closed=closed))

    def view(self, table: str) -> View:
        """What this person may see of a table now."""
        return self._wait(self._client.view(table))

    def events(self, table: str, after: int = 0) -> Part:
        """A part of what happened after a version, as this person may see it."""
        return self._wait(self._client.events(table, after))

    def log(self, table: str) -> bytes:
        """The table's log, for those who may have it."""
        return self._wait(self._client.log(table))

    def watch(self, table: str, after: int | None = None) -> Watched:
        """Follow a table; :meth:`until` waits for what it comes to."""
        return self._wait(self._client.watch(table, after))

    def until(self, watched: Watched, good: Callable[[View], bool], timeout: float = TIMEOUT) -> View:
        """The first view that is as wanted."""
        return self._wait(watched.until(good, timeout))

    def give(self, table: str, body: AnyCommand, *, id: str = "", against: int | None = None) -> Done:
        """Give a command; raises ClientError where the table refuses."""
        return self._wait(self._client.give(table, body, id=id, against=against))

    def give_for(self, table: str, person: str, pin: str, body: AnyCommand) -> Given:
        """Give a command at this console for somebody else, who signs for it with a PIN."""
        return self._wait(self._client.give_for(table, person, pin, body))


async def _made(addresses: tuple[str, ...], token: str) -> AsyncClient:
    return AsyncClient(*addresses, token=token)
