"""The page of the HTTP interface at ``/api/docs``, drawn from its OpenAPI document without anything from outside."""

from __future__ import annotations

from html import escape
from typing import Any

from litestar.connection import Request
from litestar.datastructures import State
from litestar.openapi.plugins import OpenAPIRenderPlugin

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #1d2620 }
h1 { margin-bottom: 0 } h2 { border-bottom: 1px solid #ccd3cd; margin-top: 2.5rem }
article { border: 1px solid #dde3de; border-radius: 6px; margin: 1rem 0; padding: .6rem 1rem }
article h3 { font: 600 1rem/1.4 ui-monospace, monospace; margin: 0 }
.GET { color: #17603a } .POST { color: #7a4a00 } .PATCH { color: #59308a } .DELETE { color: #9b1c1c }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
table { border-collapse: collapse } td, th { padding: .15rem 1rem .15rem 0; text-align: left; vertical-align: top }
details { margin: .4rem 0 }
"""


class InterfacePage(OpenAPIRenderPlugin):
    """Every address with what goes in and what comes out, and the shapes of both."""

    def __init__(self) -> None:
        super().__init__(path="/")

    def render(self, request: Request[Any, Any, State], openapi_schema: dict[str, Any]) -> bytes:
        info = openapi_schema["info"]
        parts = [
            "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
            f"<title>{escape(info['title'])}: the interface</title><style>{_STYLE}</style>",
            f"<h1>{escape(info['title'])} {escape(info['version'])}</h1><p>{escape(info.get('description', ''))}",
            "<p>The same for machines: <a href='/api/docs/openapi.json'>openapi.json</a>,"
            " and of the websocket: <a href='/api/docs/asyncapi.json'>asyncapi.json</a>",
            "<h2>Addresses</h2>",
        ]
        for path, methods in sorted(openapi_schema["paths"].items()):
            for method, operation in methods.items():
                if isinstance(operation, dict) and "responses" in operation:
                    parts.append(_operation(method.upper(), path, operation))
        parts.append("<h2>Shapes</h2>")
        for name, shape in sorted(openapi_schema.get("components", {}).get("schemas", {}).items()):
            parts.append(_shape(name, shape))
        return "".join(parts).encode()


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    rows = [
        (f"{each['name']} ({each['in']})", _type(each.get("schema", {}))) for each in operation.get("parameters", ())
    ]
    body = operation.get("requestBody", {}).get("content", {})
    rows += [("body", _type(each.get("schema", {}))) for each in body.values()]
    for status, answer in operation["responses"].items():
        types = ", ".join(_type(each.get("schema", {})) for each in answer.get("content", {}).values())
        rows.append((f"answers {escape(status)}", types or escape(answer.get("description", ""))))
    listed = "".join(f"<tr><td>{left}<td>{right}" for left, right in rows)
    about = escape(operation.get("description") or operation.get("summary", ""))
    title = f"<h3><span class={method}>{method}</span> {escape(path)}</h3>"
    return f"<article>{title}<p>{about}<table>{listed}</table></article>"


def _shape(name: str, shape: dict[str, Any]) -> str:
    required = shape.get("required", ())
    fields = "".join(
        f"<tr><td><code>{escape(field)}</code>{'' if field in required else ' (may be left out)'}<td>{_type(each)}"
        f"<td>{escape(each.get('description', ''))}"
        for field, each in shape.get("properties", {}).items()
    )
    values = ", ".join(escape(str(value)) for value in shape.get("enum", ()))
    about = escape(shape.get("description", ""))
    inside = f"<p>{about}</p>{f'<p>{values}</p>' if values else ''}<table>{fields}</table>"
    return f"<details id='{escape(name)}'><summary><code>{escape(name)}</code></summary>{inside}</details>"


def _type(schema: dict[str, Any]) -> str:
    """A type in a few words, linked to its shape."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rsplit("/", 1)[-1])
        return f"<a href='#{name}'>{name}</a>"
    for key in ("oneOf", "anyOf", "allOf"):
        if key in schema:
            return " or ".join(_type(each) for each in schema[key])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "const" in schema:
        return f"<code>{escape(str(schema['const']))}</code>"
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    kind = schema.get("type", "anything")
    return escape(" or ".join(kind) if isinstance(kind, list) else str(kind))
