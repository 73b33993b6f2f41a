"""Values as JSON: fractions as text, arrays as lists, keys as text."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np


def plain(value: Any) -> Any:
    """A value made of what JSON has. A fraction becomes ``-1/2``, a number that is none (as an undefined mean) null."""
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {_key(key): plain(each) for key, each in value.items()}
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(each) for each in value]
    if isinstance(value, float) and value != value:
        return None
    return value


def _key(key: Any) -> str:
    found = plain(key)
    return found if isinstance(found, str) else str(found)


def encode(value: Any) -> bytes:
    """A value as JSON."""
    return msgspec.json.encode(plain(value))
