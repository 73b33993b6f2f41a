"""Command × role × kind of table for docs/reference.md, from the engine's own statements; a test tries every cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from puntobanco.cards import CARDS
from puntobanco.rules.model import Authority
from puntobanco.table import commands as c
from puntobanco.table.authority import NEEDS, OWN, rank_for
from puntobanco.table.settings import Kind
from puntobanco.table.word import WORDS, Word, word_of

ROLES: dict[str, Authority] = {
    "player": Authority.PLAYER,
    "dealer": Authority.DEALER,
    "supervisor": Authority.PIT_SUPERVISOR,
    "manager": Authority.PIT_MANAGER,
}
VARIANTS: dict[str, tuple[type[c.Body], c.Body]] = {
    "buy_in:account": (c.BuyIn, c.BuyIn("", 1, "account")),
    "buy_in": (c.BuyIn, c.BuyIn("", 1, "cash")),
    "turn": (c.Turn, c.Turn(1)),
    "turn:keyed": (c.Turn, c.Turn(1, CARDS[0])),
    "report": (c.Report, c.Report("dealing_error", "")),
    "report:other": (c.Report, c.Report("other", "")),
}
"""Commands whose fields decide whether a person's word counts."""
OF_A_COMMITTED_SHOE = (c.PledgeSeed, c.ShowSeed, c.CloseSeeds)
"""What there is nothing of at a live table, for anybody."""
SHORT = {Word.COUNTS: "yes", Word.OWN: "own", Word.HEARD: "heard"}


def rows() -> dict[str, tuple[type[c.Body], Any]]:
    """The name of each row, its command, and a body where it depends on that."""
    found: dict[str, tuple[type[c.Body], Any]] = {}
    for kind in get_args(c.AnyCommand):
        variants = {name: row for name, row in VARIANTS.items() if row[0] is kind}
        if not variants:
            found[str(kind.__struct_config__.tag)] = (kind, None)
        found |= variants
    return found


def cell(row: tuple[type[c.Body], Any], role: str, kind: Kind) -> str:
    """What comes of the command: *yes*, *own* (for oneself), *heard*, *refused*, or nothing where the rank lacks."""
    command, body = row
    need = NEEDS[command]
    if command in OF_A_COMMITTED_SHOE and kind is Kind.LIVE:
        return ""
    if ROLES[role].level < rank_for(None, need).step:
        return ""
    if role == "player" and isinstance(body, c.BuyIn) and body.source == "cash":
        return "refused" if kind is Kind.MACHINE else ""
    if role == "player" and isinstance(body, c.Turn) and body.card is not None:
        return ""
    if kind is Kind.LIVE or command not in WORDS:
        word = Word.COUNTS
    else:
        word = word_of(kind, body) if body is not None else WORDS[command][kind is Kind.MACHINE]
    if word is Word.COUNTS and need is OWN and role == "player":
        word = Word.OWN
    if word is Word.OWN and role != "player":
        return "refused"
    return SHORT.get(word, "refused")


def lines() -> Iterator[str]:
    heads = [f"{kind.value}: {role}" if role == "player" else role for kind in Kind for role in ROLES]
    yield "| command | " + " | ".join(heads) + " |"
    yield "| --- " * (len(heads) + 1) + "|"
    for name, row in rows().items():
        yield f"| `{name}` | " + " | ".join(cell(row, role, kind) for kind in Kind for role in ROLES) + " |"
