"""Writes the page's TypeScript types from the JSON Schema of everything that goes over the network.

``python -m scripts.tools.page_types`` writes ``web/src/lib/types.ts``; with ``--check`` it only says whether the file
is up to date. ``scripts/build-page`` calls it, so that page and server cannot drift apart.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from scripts.tools.written import written

from puntobanco.cards import CARDS, Card, Side
from puntobanco.floor import wire
from puntobanco.floor.archive import RoundEntry
from puntobanco.money import Odds
from puntobanco.rules.model import Authority
from puntobanco.schema import schema
from puntobanco.table.cases.remedies import RULINGS
from puntobanco.table.commands import Place
from puntobanco.table.state import Phase

FILE = Path(__file__).resolve().parents[2] / "web" / "src" / "lib" / "types.ts"
WIDTH = 120

Schema: TypeAlias = Mapping[str, Any]


def wire_types() -> dict[str, Any]:
    """Both directions of the websocket, and every request and answer of the HTTP interface."""
    structs = {
        name: each
        for name, each in vars(wire).items()
        if isinstance(each, type)
        and issubclass(each, msgspec.Struct)
        and each.__module__ == wire.__name__
        and each not in (wire.Frame, wire.Message)
    }
    return {"FromClient": wire.FromClient, "FromServer": wire.FromServer, "RoundEntry": RoundEntry, **structs}


def types() -> str:
    """The whole file."""
    parts = ["// Written by scripts/tools/page_types.py from the schema of the wire; do not edit."]
    parts += [_definition(name, each) for name, each in schema(wire_types(), described=False)["$defs"].items()]
    parts.append(_codes("FloorCode", wire.FLOOR_CODES, "What the floor refuses, by code."))
    parts.append(_codes("Family", RULINGS, "What can go wrong at a table, by family."))
    return "\n\n".join(parts) + "\n"


def _definition(name: str, each: Schema) -> str:
    comment = _comment(each)
    if each.get("type") != "object" or not each.get("properties"):
        return f"{comment}{_wrapped(f'export type {name} =', _type(each))}"
    required = set(each.get("required", ()))
    lines = [f"{comment}export interface {name} {{"]
    for field, value in each["properties"].items():
        optional = "" if field in required else "?"
        lines.append(_comment(value, "  ") + _wrapped(f"  {field}{optional}:", _type(value)))
    return "\n".join([*lines, "}"])


def _codes(name: str, codes: Iterable[str], about: str) -> str:
    return f"/** {about} */\n{_wrapped(f'export type {name} =', _type({'enum': list(codes)}))}"


def _comment(each: Schema, indent: str = "") -> str:
    """The first paragraph of a description."""
    text = " ".join(str(each.get("description", "")).split("\n\n")[0].split()).replace("*/", "")
    return f"{indent}/** {text} */\n" if text else ""


def _wrapped(head: str, kind: str) -> str:
    """A type behind its name; long unions have a line for each member."""
    line = f"{head} {kind};"
    if len(line) <= WIDTH or " | " not in kind:
        return line
    indent = " " * (len(head) - len(head.lstrip()) + 2)
    before, after = ("(", ")[]") if kind.startswith("(") else ("", "")
    members = kind.removeprefix(before).removesuffix(after).split(" | ")
    rows = "\n".join(f"{indent}| {member}" for member in members)
    return f"{head}{' (' if before else ''}\n{rows}{after};"


def _type(each: Schema) -> str:
    if "$ref" in each:
        return str(each["$ref"]).rpartition("/")[2]
    if "enum" in each:
        return " | ".join(json.dumps(value) for value in each["enum"])
    if "anyOf" in each:
        return " | ".join(dict.fromkeys(_type(part) for part in each["anyOf"]))
    match each.get("type"):
        case "integer" | "number":
            return "number"
        case "array":
            return _array(each)
        case "object":
            values = each.get("additionalProperties")
            kept = _type(values) if isinstance(values, Mapping) else "never" if values is False else "unknown"
            return f"{{ [key: string]: {kept} }}"  # one of our own types is called Record
        case str(plain):
            return plain
    return "unknown"


def _array(each: Schema) -> str:
    if "prefixItems" in each:
        return f"[{', '.join(_type(part) for part in each['prefixItems'])}]"
    items = each.get("items")
    item = _type(items) if isinstance(items, Mapping) else "unknown"
    return f"({item})[]" if " " in item else f"{item}[]"


def check_forms() -> None:
    """That schema and encoding agree where values have a form of their own."""
    definitions = schema(wire_types(), described=False)["$defs"]
    for kind in (Card, Side, Phase, Authority):
        assert list(definitions[kind.__name__]["enum"]) == [msgspec.to_builtins(member) for member in kind], kind
    assert msgspec.to_builtins(CARDS[0]) == "As"
    assert msgspec.to_builtins(Odds.parse("0.95 to 1")) == {"pays": 19, "to": 20}
    placed = msgspec.json.decode(msgspec.json.encode(Place("alice", 1, {"tie": 500})))
    assert placed == {"do": "place", "person": "alice", "box": 1, "wagers": {"tie": 500}}


def main(arguments: list[str]) -> int:
    check_forms()
    return written(FILE, types(), "page_types", arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
