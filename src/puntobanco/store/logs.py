"""A store by its address, and a table's log as the lines that leave the house."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from puntobanco.store.base import SchemaError, Store
from puntobanco.store.sqlite import SqliteStore

IMPATIENCE = 2.0
"""Seconds that somebody who only reads waits for a database."""


EMBEDDED = "record.db"
"""What the record of a floor is called in its folder."""


def is_database(address: str) -> bool:
    """Whether an address is that of a PostgreSQL database; else it is the name of a file."""
    return address.startswith(("postgresql://", "postgres://"))


def open_store(address: str, *, read_only: bool = False) -> Store:
    """The store behind ``postgresql://…``, or in a SQLite file; one that is only read must be there."""
    if is_database(address):
        # who keeps a file needs no client for a database
        from puntobanco.store.postgres import PostgresStore

        return PostgresStore(address, read_only=True, patience=IMPATIENCE) if read_only else PostgresStore(address)
    if Path(address).is_dir():
        inside = Path(address) / EMBEDDED
        there = f"name the record in it, {inside}" if inside.is_file() else "a record is a file in one"
        raise SchemaError(f"{address} is a folder: {there}")
    if read_only and not Path(address).is_file():
        raise SchemaError(f"there is no file {address}")
    return SqliteStore(address, read_only=read_only)


def lines_of(store: Store, table: str, after: int = 0, until: int | None = None) -> Iterator[tuple[str, bytes]]:
    """The lines of a log from a version on to where it ends now, each with its kind: entries, and what is beside.

    With ``until`` no further than that.
    """
    # the end first: what is beside an entry is there whenever the entry is
    end = store.version(table) if until is None else min(store.version(table), until)
    beside = store.beside(table, after)
    following = next(beside, None)
    for version, line in store.entries(table, after):
        if version > end:
            return
        yield "entry", line
        while following is not None and following.version == version:
            yield following.kind, following.line
            following = next(beside, None)


def export(store: Store, table: str, until: int | None = None) -> Iterator[bytes]:
    """A table's log as it leaves the house, line by line with their ends."""
    return (line + b"\n" for _, line in lines_of(store, table, until=until))
