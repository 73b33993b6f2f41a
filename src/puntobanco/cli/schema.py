"""The schema of what goes over the wire, on the command line."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from puntobanco.cli.common import write_file
from puntobanco.cli.render import print_json


def schema(
    *,
    part: Annotated[
        Literal["all", "commands", "log", "events", "views", "refusals", "wire", "asyncapi"],
        Parameter(help="Only what this part is made of."),
    ] = "all",
    output: Annotated[
        str | None, Parameter(name=("--output", "-o"), metavar="FILE", help="Write it to a file instead.")
    ] = None,
) -> None:
    """Print the JSON Schema (2020-12) of commands, events, views, refusals, and of the floor's wire.

    The wire is what the floor adds: the websocket's frames (FromClient, FromServer), requests and answers. The part
    asyncapi is an AsyncAPI 3.0 document of that websocket instead.
    """
    document = _document(part)
    if output is None:
        print_json(document)
        return
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    write_file(output, text.encode())


def _document(part: str) -> dict[str, Any]:
    if part == "asyncapi":
        from puntobanco.floor.interface import asyncapi

        return asyncapi()
    from puntobanco.floor.wire import SHAPES
    from puntobanco.schema import PARTS
    from puntobanco.schema import schema as document_of

    parts = PARTS if part == "all" else () if part == "wire" else (part,)
    return document_of(SHAPES if part in ("all", "wire") else None, parts=parts)
