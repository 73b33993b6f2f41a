"""Stores for the tests: each kind in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.store.server import PostgresServer

from puntobanco.store import MemoryStore, Store
from puntobanco.store.postgres import PostgresStore
from puntobanco.store.sqlite import SqliteStore

KINDS = ("memory", "sqlite", "postgres")


OpenStore = Callable[[str], Store]


@pytest.fixture
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    """Makes new, empty stores of a kind, and closes them."""
    made: list[Store] = []

    def make(kind: str) -> Store:
        store: Store
        if kind == "memory":
            store = MemoryStore()
        elif kind == "sqlite":
            store = SqliteStore(tmp_path / f"record{len(made)}.db")
        else:
            server: PostgresServer = request.getfixturevalue("postgres")
            store = PostgresStore(server.schema())
        made.append(store)
        return store

    yield make
    for store in made:
        store.close()


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, new_store: OpenStore) -> Store:
    """An empty store of each kind."""
    return new_store(request.param)
