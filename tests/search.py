"""How far tests search: a part of the way in ``scripts/test``, all of it in ``scripts/long-table-test``.

A test that does so is marked ``search``, and holds the same on either way.
"""

from __future__ import annotations

import os

import pytest

WHOLE = "WHOLE_SEARCH"
"""The variable that is set where there is time."""

search = pytest.mark.search


def far(part: int, whole: int) -> int:
    """How far to go."""
    return whole if os.environ.get(WHOLE) else part
