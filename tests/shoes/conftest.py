"""A connection to the PostgreSQL server of a vault that can be cut."""

from tests.store.test_crash import proxy as proxy
