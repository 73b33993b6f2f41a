"""What the floor's tests share: one nursery of servers, and one PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.floor.serving import Nursery
from tests.store.server import PostgresServer


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    with Nursery() as found:
        yield found


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with PostgresServer() as server:
        yield server
