"""The record: tables' logs in a durable store, chained, signed, and open to anyone's check.

>>> from puntobanco.store import Keeper, MemoryStore, PrivateKey, verify_log
>>> from puntobanco.table.commands import Command, OpenTable
>>> from puntobanco.table.settings import TableSettings
>>> keeper = Keeper(MemoryStore(), PrivateKey.generate())
>>> settings = TableSettings(table="T1", game="super-six", layout="A", positions=7, decks=8)
>>> answer = keeper.give("T1", Command("c1", "house", 0, OpenTable(settings)))
>>> [record.event.settings.table for record in answer.records]
['T1']
>>> verify_log(b"".join(keeper.export("T1"))).problem is None
True

``docs/record.md`` describes the format of a log, and what one can and cannot prove.
"""

from puntobanco.store.backups import backup, restore
from puntobanco.store.base import (
    Append,
    ConflictError,
    Document,
    Fault,
    Note,
    OverdrawnError,
    Posting,
    RepeatedError,
    StaleError,
    Store,
    StoreError,
    UnavailableError,
)
from puntobanco.store.keeper import Answer, Keeper
from puntobanco.store.keys import PrivateKey, PublicKey, load_private_key, load_public_key
from puntobanco.store.logs import export, open_store
from puntobanco.store.manifest import Manifest, make_manifest
from puntobanco.store.memory import MemoryStore
from puntobanco.store.verify import Report, verify_log

__all__ = [
    "Answer",
    "Append",
    "ConflictError",
    "Document",
    "Fault",
    "Keeper",
    "Manifest",
    "MemoryStore",
    "Note",
    "OverdrawnError",
    "Posting",
    "PrivateKey",
    "PublicKey",
    "RepeatedError",
    "Report",
    "StaleError",
    "Store",
    "StoreError",
    "UnavailableError",
    "backup",
    "export",
    "load_private_key",
    "load_public_key",
    "make_manifest",
    "open_store",
    "restore",
    "verify_log",
]
