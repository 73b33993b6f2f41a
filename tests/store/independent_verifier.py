"""A second verifier of logs, written from docs/record.md alone: it needs the standard library and Ed25519, no more.

    python tests/store/independent_verifier.py LOG [PUBLIC-KEY-IN-HEX]

It checks chain, checkpoints, tree, commitments and the ledger. It does not know the rules of any game.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Fields = dict[str, Any]
SIGNS = b"puntobanco checkpoint 1\n"


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def root_of(hashes: list[bytes]) -> bytes:
    """The root over leaf hashes, after RFC 6962: the left part is the largest power of two below the whole."""
    if len(hashes) == 1:
        return hashes[0]
    split = 1 << (len(hashes) - 1).bit_length() - 1
    return sha256(b"\x01" + root_of(hashes[:split]) + root_of(hashes[split:]))


def distinct(pairs: list[tuple[str, object]]) -> Fields:
    assert len(dict(pairs)) == len(pairs), "a key stands twice"
    return dict(pairs)


class Verifier:
    def __init__(self, key: str = "") -> None:
        self.key, self.table, self.version, self.head = key, "", 0, "0" * 64
        self.before = self.head
        self.leaves: list[bytes] = []
        self.balances: Counter[str] = Counter()
        self.shoes: dict[int, str] = {}
        self.shoe = 0
        self.ids: set[str] = set()
        self.due = False

    def entry(self, raw: bytes, line: Fields) -> None:
        events, given = line["events"], line["command"]["id"]
        assert not self.due, "the checkpoint is missing"
        assert line["version"] == self.version + 1, f"version {line['version']} where {self.version + 1} belongs"
        assert line["prev"] == self.head, "the chain is broken"
        assert events, "a command that led to nothing"
        assert given not in self.ids, f"the command {given} stands twice"
        self.ids.add(given)
        if self.version == 0:
            assert events[0]["event"] == "table_opened", "a log begins with the opening"
            self.table, self.book = events[0]["settings"]["table"], events[0]["settings"]["book_hash"]
        for event in events:
            self.event(event)
        self.version, self.head = self.version + len(events), sha256(raw).hex()
        self.due = any(event["event"] in ("round_ended", "table_closed") for event in events)

    def event(self, event: Fields) -> None:
        for source, target, amount in event.get("transfers", ()):
            assert amount > 0, "a transfer of nothing"
            self.balances[source] -= amount
            self.balances[target] += amount
        for account, balance in self.balances.items():
            assert balance >= 0 or not account.startswith(("chips:", "layout:")), f"{account} is overdrawn"
        if event["event"] == "shoe_started" and event.get("commitment"):
            self.shoe = event["number"]
            self.shoes[self.shoe] = event["commitment"]
        if event["event"] == "cards_returned" and event.get("commitment"):
            assert self.shoe not in self.shoes, "the order before was not revealed"
            self.shoes[self.shoe] = event["commitment"]

    def checkpoint(self, raw: bytes, line: Fields) -> None:
        body = raw[len(b'{"checkpoint":') : raw.index(b',"key":"')]
        found = line["checkpoint"]
        assert self.key in ("", line["key"]), "signed by another key"
        self.key = line["key"]
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.key)).verify(
                bytes.fromhex(line["signature"]), SIGNS + body
            )
        except InvalidSignature:
            raise AssertionError("the signature is wrong") from None
        self.leaves.append(sha256(b"\x00" + bytes.fromhex(self.head)))
        expected = (self.table, len(self.leaves), self.version, self.head, root_of(self.leaves).hex(), self.before)
        names = ("table", "number", "version", "head", "root", "before")
        assert tuple(found[name] for name in names) == expected, "the checkpoint does not fit"
        self.due, self.before = False, sha256(raw).hex()

    def reveal(self, line: Fields) -> None:
        shown = line["reveal"]
        data = bytes.fromhex(shown["salt"]) + bytes.fromhex(shown["book"]) + shown["order"].encode("ascii")
        assert shown["book"] == self.book, "another book"
        assert sha256(data).hex() == self.shoes.pop(shown["shoe"]), "another order was committed to"

    def read(self, data: bytes) -> None:
        for raw in data.removesuffix(b"\n").split(b"\n"):
            line = json.loads(raw, object_pairs_hook=distinct)
            if "events" in line:
                self.entry(raw, line)
            elif "checkpoint" in line:
                self.checkpoint(raw, line)
            else:
                self.reveal(line)
        assert not self.due, "the checkpoint is missing"


if __name__ == "__main__":
    verifier = Verifier(*sys.argv[2:3])
    try:
        with open(sys.argv[1], "rb") as log:
            verifier.read(log.read())
    except (AssertionError, KeyError, ValueError) as error:
        sys.exit(f"bad after event {verifier.version}: {error}")
    print(f"table {verifier.table}: {verifier.version} events, {len(verifier.leaves)} checkpoints, key {verifier.key}")
