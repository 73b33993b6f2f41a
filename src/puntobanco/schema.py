"""JSON Schema (2020-12) of what goes over the wire: commands, events, views and refusals.

Types for the page and for other clients are made from it. Every struct and enumeration is one of ``$defs`` under its
own name, described by its docstring; so is every union that has a name, and every field that has something to say.
"""

from __future__ import annotations

import ast
import enum
import inspect
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect as shapes

from puntobanco.cards import Card
from puntobanco.money import Odds
from puntobanco.table import commands, entry, events, refusals, rulings
from puntobanco.views.seen import SEEN_TYPES, Seen, SeenEvent
from puntobanco.views.view import View, Viewer

DRAFT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]

PARTS: dict[str, Mapping[str, Any]] = {
    "commands": {"Command": commands.Command, "AnyCommand": commands.AnyCommand},
    "log": {"Entry": entry.Entry},
    "events": {"Record": events.Record, "AnyEvent": events.AnyEvent, "Seen": Seen, "SeenEvent": SeenEvent},
    "views": {"View": View, "Viewer": Viewer},
    "refusals": {"Refusal": refusals.Refusal},
}
"""What each part is about; what that is made of comes along."""

_UNIONS = {
    "AnyCommand": (commands.AnyCommand, "Any command, told by `do`."),
    "AnyRuling": (rulings.AnyRuling, "Any ruling, told by `ruling`."),
    "AnyEvent": (events.AnyEvent, "Any event, told by `event`."),
    "SeenEvent": (
        SeenEvent,
        "Any event as a viewer may see it, distinguished by `event`: what is not for that viewer is left out.",
    ),
}
_DESCRIPTIONS: dict[type, str] = {
    Card: "One of the 52, as rank (A 2 3 4 5 6 7 8 9 T J Q K) and suit (s h d c): `9h`, `Td`.",
    Odds: "What a winning stake earns on top of itself, in lowest terms: `pays` to `to`.",
}
"""Where the docstring speaks of Python."""
_WHOLE_NUMBER = "^-?(0|[1-9][0-9]*)$"


class SchemaError(ValueError):
    """Types that cannot stand in one document."""


def schema(
    extra: Mapping[str, Any] | None = None, parts: Iterable[str] = tuple(PARTS), *, described: bool = True
) -> Schema:
    """One document with the types of these parts and with ``extra`` ones, by name; it is valid for any of them.

    ``described`` says of the fields that have no docstring of their own what their names always mean.
    """
    roots: dict[str, Any] = {}
    for part in parts:
        roots |= PARTS[part]
    roots |= extra or {}
    definitions = _definitions(roots)
    if described:
        for name, definition in definitions.items():
            describe_fields(name, definition)
    return {
        "$schema": DRAFT,
        "title": "puntobanco",
        "description": "Messages of a baccarat table. Amounts are whole minor units, moments milliseconds since 1970.",
        "anyOf": [_reference(name) for name in roots],
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


def describe_fields(name: str, definition: Schema) -> None:
    """Say what each property means that says nothing itself."""
    words = vocabulary()
    for field, found in definition.get("properties", {}).items():
        if not found.get("description") and (
            said := words.get(f"{name.removesuffix('Seen')}.{field}", words.get(field))
        ):
            found["description"] = said


@cache
def vocabulary() -> Mapping[str, str]:
    """What the names of fields mean, and of ``Type.field`` where that is something else."""
    found: dict[str, str] = tomllib.loads((Path(__file__).parent / "fields.toml").read_text("utf-8"))
    return found


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _definitions(roots: Mapping[str, Any]) -> dict[str, Schema]:
    structs, enums = _classes(roots.values())
    classes: list[type] = [*structs, *enums]
    unions = {name: kind for name, (kind, _) in _UNIONS.items() if set(get_args(kind)) <= structs.keys()}
    made, components = msgspec.json.schema_components(
        [*unions.values(), *roots.values()], ref_template=_reference("{name}")["$ref"]
    )
    names = {_component(kind, components): kind.__name__ for kind in classes}
    if twice := sorted(name for name, count in Counter(names.values()).items() if count > 1):
        raise SchemaError(f"two types have the same name: {', '.join(twice)}")
    whole = {name: _renamed(union, names) for name, union in zip(unions, made, strict=False)}
    definitions: dict[str, Schema] = {
        name: {"title": name, "description": _UNIONS[name][1]} | union for name, union in whole.items()
    }
    for kind in classes:
        definition = _renamed(components[_component(kind, components)], names, whole)
        definitions[kind.__name__] = definition | {"title": kind.__name__, "description": _description(kind)}
    for struct, shape in structs.items():
        _complete_struct(definitions[struct.__name__], shape)
    for symbol in enums:
        definitions[symbol.__name__]["enum"] = [member.value for member in symbol]
    for name, root in zip(roots, made[len(unions) :], strict=True):
        alias = _renamed(root, names, whole)
        kinds = ", ".join(f"`{each['$ref'].rsplit('/', 1)[-1]}`" for each in alias.get("anyOf", ()))
        definitions.setdefault(name, {"title": name, "description": f"One of {kinds}."} | alias)
    if "Refusal" in definitions:
        definitions["RefusalCode"] = _REFUSAL_CODE
        definitions["Refusal"]["properties"]["code"] = _reference("RefusalCode")
    return definitions


_REFUSAL_CODE: Schema = {
    "title": "RefusalCode",
    "description": "Why a command was refused.\n\n"
    + "\n".join(f"- `{code}`: {meaning}" for code, meaning in refusals.CODES.items()),
    "enum": list(refusals.CODES),
}


# --- the types behind a document


def _classes(kinds: Iterable[Any]) -> tuple[dict[type, shapes.StructType], dict[type[enum.Enum], None]]:
    """Every struct with its shape, and every enumeration, that these types are made of."""
    structs: dict[type, shapes.StructType] = {}
    enums: dict[type[enum.Enum], None] = {}

    def visit(thing: object) -> None:
        if isinstance(thing, shapes.EnumType):
            enums[thing.cls] = None
        elif isinstance(thing, shapes.StructType):
            if thing.cls not in structs:
                structs[thing.cls] = thing
                visit(thing.fields)
        elif isinstance(thing, tuple):
            for each in thing:
                visit(each)
        elif isinstance(thing, shapes.Type | shapes.Field):
            for field in thing.__struct_fields__:
                visit(getattr(thing, field))

    visit(shapes.multi_type_info(kinds))
    return structs, enums


def _component(kind: type, components: Mapping[str, Schema]) -> str:
    """What msgspec calls a type: the module comes first where two have the same name."""
    return kind.__name__ if kind.__name__ in components else f"{kind.__module__}.{kind.__qualname__}"


def _renamed(part: Any, names: Mapping[str, str], unions: Mapping[str, Schema] | None = None) -> Any:
    """A part of a schema that refers to types by our names, and to the unions that have one."""
    if isinstance(part, list | tuple):
        return [_renamed(each, names, unions) for each in part]
    if isinstance(part, str) and part.startswith("#/$defs/"):
        return _reference(names[part.removeprefix("#/$defs/")])["$ref"]
    if not isinstance(part, dict):
        return part
    renamed = {key: _renamed(value, names, unions) for key, value in part.items()}
    for name, union in (unions or {}).items():
        if renamed.get("anyOf") == union["anyOf"]:
            kept = {key: value for key, value in renamed.items() if key not in union}
            return _reference(name) | kept
    return renamed


# --- what msgspec does not tell


def _complete_struct(definition: Schema, shape: shapes.StructType) -> None:
    """Descriptions of fields, keys that are numbers, and the length of what is written as an array."""
    if shape.array_like:
        definition |= {"maxItems": len(shape.fields), "items": False}
        definition["description"] += f" Written as an array: {', '.join(field.name for field in shape.fields)}."
        return
    said = _said_of_fields(shape.cls)
    for field in shape.fields:
        found = definition["properties"][field.encode_name]
        if _has_numbers_for_keys(field.type):
            found["propertyNames"] = {"pattern": _WHOLE_NUMBER}
        if field.name in said:
            found["description"] = said[field.name]


def _has_numbers_for_keys(shape: shapes.Type) -> bool:
    return isinstance(shape, shapes.DictType) and isinstance(shape.key_type, shapes.IntType)


def _description(kind: type) -> str:
    return _DESCRIPTIONS.get(kind) or _plain(kind.__doc__ or "")


def _plain(text: str) -> str:
    """A docstring for readers who know no Python."""
    text = re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", inspect.cleandoc(text))
    return text.replace("``", "`").replace("None", "null")


_ORIGINAL: dict[type, type] = {made: kind for kind, made in SEEN_TYPES.items()}


def _said_of_fields(kind: type) -> Mapping[str, str]:
    kind = _ORIGINAL.get(kind, kind)
    return _said_in_module(kind.__module__).get(kind.__qualname__, {})


@cache
def _said_in_module(module: str) -> Mapping[str, Mapping[str, str]]:
    """The strings that stand under fields, by class: Python does not keep them."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except OSError:  # no source there: the schema is right without them
        return {}
    return {each.name: dict(_said_in_class(each)) for each in tree.body if isinstance(each, ast.ClassDef)}


def _said_in_class(found: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, text in pairwise(found.body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(said))):
                yield name, _plain(said)
