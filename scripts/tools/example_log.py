"""Writes examples/logs: the record of a short table day, signed, with the public key and a witness file.

The key is made from a word that anybody can read here: it signs examples, and nothing else.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from puntobanco.script import parse_script, play
from puntobanco.store import PrivateKey
from puntobanco.store.chain import kind_of, sealed

ROOT = Path(__file__).resolve().parents[2]
HISTORY = ROOT / "examples" / "histories" / "table-day.txt"
FOLDER = ROOT / "examples" / "logs"
KEY = PrivateKey(Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"examples only").digest()))


def files() -> dict[str, bytes]:
    """The files by name."""
    played = play(parse_script(HISTORY.read_text(encoding="utf-8")))
    assert played.table is not None
    lines = sealed(played.entries, played.table.settings.table, KEY)
    log = b"".join(line + b"\n" for line in lines)
    witness = b"".join(line + b"\n" for line in lines if kind_of(line) == "checkpoint")
    return {"table-day.jsonl": log, "witness.jsonl": witness, "house.pub": KEY.public.pem()}


def main() -> int:
    if "--check" in sys.argv[1:]:
        return int(any((FOLDER / name).read_bytes() != data for name, data in files().items()))
    FOLDER.mkdir(exist_ok=True)
    for name, data in files().items():
        (FOLDER / name).write_bytes(data)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
