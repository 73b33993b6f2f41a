"""A PostgreSQL server for the vault that is in one, and a connection to it that can be cut."""

from tests.store.conftest import postgres as postgres
from tests.store.test_crash import proxy as proxy
