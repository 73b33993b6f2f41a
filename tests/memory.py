"""Where the tests' files cost no waiting for a disk.

Stores sync every write, thousands of times in the suite, and each time a disk takes milliseconds in which nothing else
happens. What the tests kill are processes, never the machine: in memory the same syncs are asked for, and tests of what
is durable count them.
"""

from __future__ import annotations

import os
import shutil
import tempfile

SHARED = "/dev/shm"
ROOM = 2 << 30
"""Bytes that have to be free."""


def _in_memory() -> str | None:
    if not os.access(SHARED, os.W_OK) or os.statvfs(SHARED).f_flag & os.ST_NOEXEC:
        return None
    return SHARED if shutil.disk_usage(SHARED).free > ROOM else None


IN_MEMORY = _in_memory()
"""A folder in memory, if there is one with room; else None."""


def use_memory() -> None:
    """Temporary files go into memory, here and in every process that is started from here."""
    if IN_MEMORY and "TMPDIR" not in os.environ:
        os.environ["TMPDIR"] = IN_MEMORY
        tempfile.tempdir = None  # whoever asked before is asked again
