"""A vault for several processes: a table of its own in PostgreSQL, in the log's database or, better, in another one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import psycopg

from puntobanco.shoes.vault import Label, UnreachableError, VaultError

T = TypeVar("T")
Connection = psycopg.Connection[Any]

PATIENCE = 10.0
"""Seconds to try for a new connection before giving up."""
_LOST = (psycopg.OperationalError, psycopg.InterfaceError)
_MAKING = 0x73686F65
"""The advisory lock that a process holds while it makes the table."""
_TABLE = """
    create table if not exists sealed_shoes (
        table_id text collate "C" not null,
        shoe bigint not null,
        commitment text collate "C" not null,
        sealed bytea not null,
        primary key (table_id, shoe, commitment)
    )
"""
_WHERE = "where table_id = %s and shoe = %s and commitment = %s"


class PostgresVault:
    """Sealed shoes in a PostgreSQL database, ``postgresql://…``; no part of the log's backups."""

    def __init__(self, address: str, *, patience: float = PATIENCE) -> None:
        self._address = address
        self._patience = patience
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._closed = False
        self._do(_make)

    def _do(self, work: Callable[[Connection], T]) -> T:
        """Do work in a transaction, durable when it returns; again where the connection was lost meanwhile."""
        until = time.monotonic() + self._patience
        with self._lock:
            while True:
                try:
                    connection = self._connected()
                    with connection.transaction():
                        return work(connection)
                except _LOST as error:
                    self._hang_up()
                    if time.monotonic() > until:
                        raise UnreachableError(f"the vault cannot be reached: {_reason(error)}") from None
                    time.sleep(0.05)
                except psycopg.Error as error:
                    raise UnreachableError(f"the vault fails: {_reason(error)}") from None

    def _connected(self) -> Connection:
        if self._closed:
            raise VaultError("the vault is closed")
        if self._connection is None:
            timeout = max(2, int(self._patience))
            self._connection = psycopg.connect(self._address, autocommit=True, connect_timeout=timeout)
            self._connection.execute("set synchronous_commit = on")
        return self._connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def put(self, label: Label, sealed: bytes) -> None:
        attempts = 0

        def work(connection: Connection) -> bool:
            nonlocal attempts
            attempts += 1
            query = "insert into sealed_shoes values (%s, %s, %s, %s) on conflict do nothing"
            if connection.execute(query, (*label, sealed)).rowcount:
                return True
            # no two sealings are alike: this one was put before the connection was lost
            return attempts > 1 and _get(connection, label) == sealed

        if not self._do(work):
            raise VaultError(f"{label} is already in the vault")

    def get(self, label: Label) -> bytes:
        found = self._do(lambda connection: _get(connection, label))
        if found is None:
            raise VaultError(f"{label} is not in the vault")
        return found

    def replace(self, label: Label, sealed: bytes) -> None:
        query = f"update sealed_shoes set sealed = %s {_WHERE}"
        if not self._do(lambda connection: connection.execute(query, (sealed, *label)).rowcount):
            raise VaultError(f"{label} is not in the vault")

    def labels(self) -> tuple[Label, ...]:
        query = "select table_id, shoe, commitment from sealed_shoes order by 1, 2, 3"
        return tuple(Label(*row) for row in self._do(lambda connection: connection.execute(query).fetchall()))

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._hang_up()

    def __enter__(self) -> PostgresVault:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _make(connection: Connection) -> None:
    connection.execute("select pg_advisory_xact_lock(%s)", (_MAKING,))
    connection.execute("set local client_min_messages = warning")
    connection.execute(_TABLE)


def _get(connection: Connection, label: Label) -> bytes | None:
    found = connection.execute(f"select sealed from sealed_shoes {_WHERE}", tuple(label)).fetchone()
    return bytes(found[0]) if found else None


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
