"""The interface described for machines: what the OpenAPI document lacks, and the websocket as AsyncAPI."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, get_args

import msgspec
from litestar.connection import Request
from litestar.datastructures import State
from litestar.openapi.plugins import JsonRenderPlugin

import puntobanco
from puntobanco.floor.gate import COOKIE
from puntobanco.floor.interface_page import InterfacePage
from puntobanco.floor.wire import SHAPES, FromClient, FromServer
from puntobanco.schema import describe_fields, schema

Document = dict[str, Any]

ABOUT = (
    "Tables of casino baccarat: commands, views, the record. Amounts are whole minor units of the table's currency,"
    " moments milliseconds since 1970 (UTC). The websocket is described at /api/docs/asyncapi.json."
)
TAGS = {
    "session": "Signing in and out, and the signed-in person's account.",
    "tables": "Tables: views, events, commands, logs.",
    "people": "Who is known to the floor, and their money.",
    "reports": "Shifts, gaming days and figures.",
    "odds": "Games and their exact odds.",
    "floor": "Stops, calls, devices, the floor's own log.",
    "operations": "Health and metrics of the process.",
}
_TAG_OF = {
    "session": "session",
    "account": "session",
    "tables": "tables",
    "people": "people",
    "reports": "reports",
    "figures": "reports",
    "games": "odds",
    "odds": "odds",
    "health": "operations",
    "ready": "operations",
    "metrics": "operations",
}
"""By what an address begins with; the rest is the floor's."""
PARAMETERS = {
    "after": "Only what comes after this version.",
    "closed": "Whether closed tables are listed, too.",
    "day": "The gaming day, as YYYY-MM-DD.",
    "decks": "How many decks; by default the book's usual number.",
    "first": "The first version wanted.",
    "game": "The id of a game.",
    "kind": "Which file: shifts, bets, rulings, people, staff or statistics.",
    "last": "The last version wanted.",
    "layout": "The code of a layout.",
    "most": "At most so many.",
    "name": "The name of a person or device.",
    "number": "The number of a round of this shoe.",
    "people": "Whether players and staff are included.",
    "public": "Whether to see it as the display does.",
    "shift": "The name of a shift.",
    "shoe": "The number of a shoe.",
    "statistics": "Whether play against expectation is included.",
    "table": "The name of a table.",
    "version": "The version of an event.",
}
SCHEMES = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a session (`POST /api/session`) or of a device.",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "Of pages. Whatever changes something also sends the header `X-CSRF-Token`.",
    },
}
_TABLE_REFUSES = "or the table refuses: `code` is then a `RefusalCode`, with the paragraph and what would fit"


@cache
def _definitions() -> Document:
    found: Document = schema(SHAPES)["$defs"]
    return found


def complete(document: Document) -> Document:
    """The OpenAPI document with descriptions, units, tags and the security schemes, all of which clients want."""
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    known = _definitions()
    schemas["RefusalCode"] = known["RefusalCode"]
    for name, shape in schemas.items():
        ours = known.get(_KNOWN_AS.get(name, name), {})
        if said := shape.get("description") or ours.get("description") or _SAID.get(name):
            shape["description"] = said
        for field, found in shape.get("properties", {}).items():
            if not found.get("description") and (told := ours.get("properties", {}).get(field, {}).get("description")):
                found["description"] = told
        describe_fields(name, shape)
        for field, found in shape.get("properties", {}).items():
            if not found.get("description") and (told := _FIELDS.get(f"{name}.{field}")):
                found["description"] = told
    components["securitySchemes"] = SCHEMES
    document["tags"] = [{"name": name, "description": said} for name, said in TAGS.items()]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            _complete_operation(path, method, operation)
    return document


_KNOWN_AS = {"bets_events_Cut": "StakeCut", "shoe_commands_Cut": "CutShoe"}
"""Where Litestar tells two types of one name apart by their modules."""
_SAID = {
    "Comparison": "A figure compared with its exact expectation.",
    "FactorCode": "A code of the authenticator that one was just given.",
    "FactorGiven": "What to show the authenticator; it holds the secret, and is shown once.",
    "OwnFactor": "The password, to begin a second factor.",
    "OwnPassword": "The password, and the one that takes its place.",
    "RoundEntry": "A round of a table: where it stands in the log, and how it counts now.",
    "SelfCheck": "Whether books and code are as they were approved, and what is not.",
    "Sheet": "A part of a report: a table of words and figures.",
    "reports_sheets_Row": "A row of a report's sheet.",
    "rules_model_Row": "A row of the boxes of a layout, from the dealer's side to the player's.",
}
"""Of types that are not among the shapes of the wire."""
_FIELDS = {
    "Comparison.band": "The 99% band, from and to.",
    "Comparison.expected": "What was to be expected.",
    "Comparison.judged": "Whether there is play enough to judge it.",
    "Comparison.observed": "What was observed.",
    "Comparison.outstanding": "Whether it stands out among all comparisons together.",
    "Comparison.sd": "The standard deviation.",
    "FactorGiven.address": "The address that an authenticator reads (otpauth://).",
    "OwnPassword.new": "The new password.",
    "OwnPassword.old": "The password until now.",
    "RoundEntry.first": "The version of the round's first event.",
    "SelfCheck.found": "What is not as it was approved.",
    "Sheet.headings": "The headings of its columns.",
    "Sheet.rows": "Its rows.",
    "Sheet.whole": "Whether it is about the whole period.",
    "Transfer.target": "The account that the money went to.",
    "reports_sheets_Row.cells": "Its cells.",
    "rules_model_Row.height": "Its share of the position's depth.",
}


def _complete_operation(path: str, method: str, operation: Document) -> None:
    first = path.removeprefix("/api/").strip("/").split("/")[0]
    operation["tags"] = [_TAG_OF.get(first, "floor")]
    for parameter in operation.get("parameters", ()):
        parameter.setdefault("description", PARAMETERS.get(parameter["name"], ""))
    responses = operation["responses"]
    if "204" in responses:
        responses["204"].pop("content", None)  # nothing follows, with a cookie or without
    if "401" in responses and (method, path) != ("post", "/api/session"):
        operation["security"] = [{"bearer": []}, {"cookie": []}]
    else:
        operation["security"] = []
    if "409" in responses and path.startswith("/api/tables"):
        responses["409"]["description"] += f"; {_TABLE_REFUSES}"


# --- the websocket


@cache
def asyncapi() -> Document:
    """The protocol of ``/api/stream`` as an AsyncAPI 3.0 document, made from the types of its frames."""
    frames = {"FromClient": FromClient, "FromServer": FromServer}
    known = _moved(schema(frames, parts=("refusals",))["$defs"])
    sent, heard = ([kind.__name__ for kind in get_args(union)] for union in frames.values())
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "puntobanco: the stream", "version": puntobanco.__version__, "description": _STREAM},
        "defaultContentType": "application/json",
        "channels": {
            "stream": {
                "address": "/api/stream",
                "description": "One websocket for each person or device; it carries any number of tables.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in (*sent, *heard)},
            }
        },
        "operations": {
            "send": _operation("receive", "What a client sends.", sent),
            "hear": _operation("send", "What the server sends.", heard),
        },
        "components": {
            "messages": {
                name: {
                    "name": name,
                    "summary": known[name]["description"].split("\n")[0],
                    "payload": {"$ref": f"#/components/schemas/{name}"},
                }
                for name in (*sent, *heard)
            },
            "schemas": {name: known[name] for name in sorted(known)},
            "securitySchemes": {"bearer": SCHEMES["bearer"]},
        },
    }


_STREAM = (
    "Frames are JSON objects; from the client they have `op`, from the server `m`. Nothing is sent before it is stored."
    " A client that was away watches after the last version it has, and sends commands without an answer again under"
    " their ids. Amounts are whole minor units, moments milliseconds since 1970."
)


def _operation(action: str, summary: str, names: list[str]) -> Document:
    messages = [{"$ref": f"#/channels/stream/messages/{name}"} for name in names]
    return {"action": action, "channel": {"$ref": "#/channels/stream"}, "summary": summary, "messages": messages}


def _moved(part: Any) -> Any:
    """A schema whose references lead to the components of another document."""
    if isinstance(part, dict):
        return {key: _moved(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_moved(each) for each in part]
    return part.replace("#/$defs/", "#/components/schemas/") if isinstance(part, str) else part


# --- how they are served


class _Once:
    """A document that is drawn for the first who asks for it: nobody has to sign in for it, and it takes long."""

    _drawn = b""

    def _once(self, draw: Callable[[], bytes]) -> bytes:
        self._drawn = self._drawn or draw()
        return self._drawn


class Page(_Once, InterfacePage):
    """The page, drawn from the completed document."""

    def render(self, request: Request[Any, Any, State], openapi_schema: Document) -> bytes:
        draw = super().render
        return self._once(lambda: draw(request, complete(openapi_schema)))


class Json(_Once, JsonRenderPlugin):
    """The completed document."""

    def render(self, request: Request[Any, Any, State], openapi_schema: Document) -> bytes:
        draw = super().render
        return self._once(lambda: draw(request, complete(openapi_schema)))


class AsyncJson(_Once, JsonRenderPlugin):
    """The AsyncAPI document."""

    def __init__(self) -> None:
        super().__init__(path="/asyncapi.json")

    def render(self, request: Request[Any, Any, State], openapi_schema: Document) -> bytes:
        return self._once(lambda: msgspec.json.encode(asyncapi()))
