"""Text of others that is fit for a terminal: what would steer it is shown, not obeyed."""

from __future__ import annotations

import re

_STEERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters but for line breaks and tabs, marks that turn the direction of writing, halves of characters."""


def printable(text: str) -> str:
    """The text with escapes in place of what a terminal would obey.

    >>> printable("\\x1b[2Jann")
    '\\\\x1b[2Jann'
    """
    return _STEERS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def printable_json(text: str) -> str:
    """The same for JSON, which has its own escapes."""
    return _STEERS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
