"""A PostgreSQL server for the vault that is in one."""

from tests.store.conftest import postgres as postgres
