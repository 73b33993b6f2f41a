"""Receipts of shoes that are over, for anybody who was there: made from the record, signed with the house's key."""

from __future__ import annotations

import threading
from collections import OrderedDict

import msgspec

from puntobanco.shoes.commit import CommitmentError
from puntobanco.shoes.history import ShoeHistory, follow
from puntobanco.shoes.receipt import SIGNED, SignedReceipt, receipt_of
from puntobanco.store.base import Store
from puntobanco.store.chain import LineError, read_line, read_reveal
from puntobanco.store.keys import PrivateKey
from puntobanco.store.logs import lines_of
from puntobanco.table import events as e

KEPT = 64


class ShoeReceipts:
    """Makes a receipt once and keeps the latest: a log is long, and many ask for the same shoe."""

    def __init__(self, store: Store, key: PrivateKey) -> None:
        self._store = store
        self._key = key
        self._kept: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._guard = threading.Lock()

    def of(self, table: str, number: int) -> bytes | None:
        """The signed receipt of a shoe as JSON; nothing where there is no such shoe, or it is not over."""
        with self._guard:  # one log at a time is read for this
            if (table, number) not in self._kept:
                made = self._make(table, number)
                if made is None:
                    return None
                self._kept[table, number] = made
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end((table, number))
            return self._kept[table, number]

    def _make(self, table: str, number: int) -> bytes | None:
        revealed = (each.line for each in self._store.beside(table) if each.kind == "reveal")
        try:
            reveals = [each for each in map(read_reveal, revealed) if each.shoe == number]
            reveal = reveals[0] if len(reveals) == 1 else None  # a shuffler has one for each round, and no receipts
            shoe = self._shoe(table, number) if reveal is not None else None
        except (LineError, CommitmentError):
            return None  # the table is out of order, and says so itself
        if reveal is None or shoe is None or shoe.shuffler:
            return None
        receipt = receipt_of(table, reveal.book, shoe, reveal)
        signature = self._key.sign(SIGNED + bytes(receipt)).hex()
        return msgspec.json.encode(SignedReceipt(receipt, self._key.public.hex, signature))

    def _shoe(self, table: str, number: int) -> ShoeHistory | None:
        """The shoe as it was when it was over."""
        shoe: ShoeHistory | None = None
        for kind, line in lines_of(self._store, table):
            if kind != "entry":
                continue
            for event in read_line(line).events:
                if isinstance(event, e.ShoeStarted):
                    if shoe is not None and shoe.number == number:
                        return shoe
                    shoe = None
                    if event.number != number:
                        continue
                if shoe is not None or isinstance(event, e.ShoeStarted):
                    shoe = follow(shoe, event)
        return shoe if shoe is not None and shoe.number == number and shoe.over else None
