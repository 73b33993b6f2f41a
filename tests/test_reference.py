"""The generated reference of the table is what the code says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

from puntobanco.table.authority import NEEDS
from puntobanco.table.commands import AnyCommand, OpenTable
from puntobanco.table.engine import HANDLERS

ROOT = Path(__file__).resolve().parent.parent


def test_the_reference_is_up_to_date() -> None:
    command = [sys.executable, "-m", "scripts.tools.reference", "--check"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test_every_command_has_a_handler_and_a_rank() -> None:
    commands = set(get_args(AnyCommand))
    assert set(NEEDS) == commands
    assert set(HANDLERS) == commands - {OpenTable}
