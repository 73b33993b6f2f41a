"""The schemas of the databases, as numbered files of DDL, and which of them a database still lacks.

There is no migration tool: the record is only ever added to, its events are raised when they are read, and so a
migration is never more than a few statements that run once, in order, in one transaction.
"""

from __future__ import annotations

import re
from importlib import resources

import msgspec

from puntobanco.store.base import SchemaError

_FILE = re.compile(r"([0-9]{4})_(\w+)\.sql")
VERSIONS = "create table if not exists schema_version (number integer primary key not null, name text not null)"
"""Where a database keeps which migrations it has had."""


class Migration(msgspec.Struct, frozen=True):
    """One step of a schema."""

    number: int
    name: str
    sql: str


def migrations(dialect: str) -> tuple[Migration, ...]:
    """All steps of a dialect, numbered 1, 2, 3 and so on."""
    folder = resources.files("puntobanco.store") / "migrations" / dialect
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    found: list[Migration] = []
    for file in files:
        match = _FILE.fullmatch(file.name)
        assert match, file.name
        found.append(Migration(int(match[1]), match[2], file.read_text(encoding="utf-8")))
    assert [migration.number for migration in found] == list(range(1, len(found) + 1)), dialect
    return tuple(found)


def pending(dialect: str, had: list[tuple[int, str]], where: str) -> tuple[Migration, ...]:
    """What a database lacks that has had these. Raises :class:`SchemaError` where that is no beginning of ours."""
    known = migrations(dialect)
    if len(had) > len(known):
        raise SchemaError(f"{where} was made by a later version: schema {len(had)}, known here are {len(known)}")
    for migration, (number, name) in zip(known, had, strict=False):
        if (migration.number, migration.name) != (number, name):
            raise SchemaError(f"{where} had migration {number} {name}, which is {migration.name} here")
    return known[len(had) :]
