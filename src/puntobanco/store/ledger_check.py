"""A ledger beside the table's: it knows nothing but the transfers of a log."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table.events import Transfer
from puntobanco.table.state import Table

_PEOPLES = ("chips:", "layout:")
"""Accounts that cannot hold less than nothing: what people have at the table."""


class Ledger:
    """Every account as the transfers so far left it; what leaves one reaches another, so that the sum is zero."""

    def __init__(self) -> None:
        self._balances: dict[str, int] = {}

    def post(self, transfers: Sequence[Transfer]) -> str | None:
        """Move money; what is wrong with that, if something is."""
        if not transfers:
            return None
        balances = self._balances
        get = balances.get
        for transfer in transfers:
            source, target, amount = transfer.source, transfer.target, transfer.amount
            if amount <= 0 or source == target:
                return f"a transfer of {amount} from {source} to {target}"
            balances[source] = get(source, 0) - amount
            balances[target] = get(target, 0) + amount
        # a settlement may take before it gives: what counts is what an event leaves behind
        for transfer in transfers:
            source = transfer.source
            if balances[source] < 0 and source.startswith(_PEOPLES):
                return f"{source} is overdrawn: {balances[source]}"
        return None

    def left_on_layout(self) -> str | None:
        """After a round nothing lies on the layout."""
        for account, balance in self._balances.items():
            if balance and account.startswith("layout:"):
                return f"{balance} is left on {account} after the round"
        return None

    def differs(self, table: Table) -> str | None:
        """The account of which the table says something else."""
        for account in self._balances.keys() | table.balances.keys():
            own, other = self._balances.get(account, 0), table.balances.get(account, 0)
            if own != other:
                return f"{account} holds {own} by the transfers, and {other} by the table"
        return None
