"""What answers a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.state import Table

Handler = Callable[[Table, Command, Any], Sequence[e.Event]]
