"""The HTTP interface against its own OpenAPI document: schemathesis makes requests, right and wrong ones, from it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from jsonschema import Draft202012Validator
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from tests.floor.indoors import Indoors, indoors
from tests.patience import limit
from tests.search import far, search

from puntobanco.floor.interface import asyncapi
from puntobanco.floor.wire import FromClient, FromServer

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
NAMES = {"table": ("T1", "T2", "nowhere"), "name": ("ann", "eye", "nobody of that name")}
ASKERS = ("root", "mia", "sam", "dan", "ann", "sue", "eye", "")


@pytest.fixture(scope="module")
def house() -> Iterator[Indoors]:
    with indoors() as found:
        found.open_live("T1")
        found.open_live("T2", "tiger-buffalo")
        found.add_device("eye", "scanner", "T1")
        yield found


@pytest.fixture(scope="module")
def interface(house: Indoors) -> Any:
    return schemathesis.openapi.from_url(f"{house.address}/api/docs/openapi.json")


whole = schemathesis.pytest.from_fixture("interface")
LARGE = "(commands|commands-for|tables)$"
"""Addresses whose bodies have every command in them, or every setting."""
TRIED = LARGE if far(0, 1) else "(commands|tables)$"
"""Those that are tried: what it takes to make a body does not depend on how many are made."""
BOUNDED = settings(
    max_examples=far(6, 12),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


@search
@whole.exclude(method="POST", path_regex=LARGE).parametrize()
@BOUNDED
def test_the_interface_does_what_its_document_says(case: Any, house: Indoors) -> None:
    check(case, house)


@search
@whole.include(method="POST", path_regex=TRIED).parametrize()
@settings(BOUNDED, max_examples=far(2, 5))
def test_commands_and_settings_are_taken_as_the_document_says(case: Any, house: Indoors) -> None:
    check(case, house)


def check(case: Any, house: Indoors) -> None:
    """Send it as somebody, mostly to names that there are, and hold the answer against the document."""
    chance = random.Random(repr(case))
    for name, known in NAMES.items():
        if name in case.path_parameters and chance.random() < 0.7:
            case.path_parameters[name] = chance.choice(known)
    asker = chance.choice(ASKERS) if chance.random() < 0.5 else "root"
    if asker not in ("", "eye") and case.operation.path in ("/api/session", "/api/people/{name}/revoke"):
        house.sign_in(asker)
    case.call_and_validate(headers=house.headers(asker), checks=CHECKS, timeout=limit())


def test_the_document_says_how_every_address_refuses(house: Indoors) -> None:
    document = house.must("", "GET", "/api/docs/openapi.json")
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            answers = operation["responses"]
            if path.startswith("/api/") and path != "/api/key" and (method, path) != ("post", "/api/session"):
                assert {"400", "401", "403", "404", "409", "413", "429", "503"} <= set(answers), (method, path)
            for status, answer in answers.items():
                if status >= "400" and path != "/ready":
                    (shape,) = answer["content"].values()
                    assert shape["schema"]["$ref"].endswith("/Problem"), (method, path, status)
            assert operation["description"], (method, path)


def test_the_page_of_the_interface_shows_every_address_and_asks_nobody_else(house: Indoors) -> None:
    document = house.must("", "GET", "/api/docs/openapi.json")
    page = house.ask("", "GET", "/api/docs")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert all(path in page.text for path in document["paths"])
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert "<script" not in page.text


@pytest.fixture
def quiet_house() -> Iterator[Indoors]:
    """One in which nobody has tried anything else."""
    with indoors() as found:
        yield found


def test_a_refusal_has_its_reason_its_values_and_the_language_of_who_asks(quiet_house: Indoors) -> None:
    house = quiet_house
    house.open_live("TB", "tiger-buffalo")
    taken = {"do": "join", "person": "ann", "box": 5, "seated": False}
    told = {"code": "nobody_seated", "detail": "nobody_seated", "values": {"box": 5}}
    words = {"": "nobody sits at box 5", "zh-CN,en": "5 号位无人就座", "vi": "không ai ngồi ở ô 5"}
    for number, (language, message) in enumerate(words.items()):
        headers = {"accept-language": language}
        answer = house.ask("ann", "POST", "/api/tables/TB/commands", {"id": f"h{number}", "body": taken}, **headers)
        assert answer.status_code == 409
        assert answer.json().items() >= (told | {"message": message}).items()
        with house.socket("ann", hello=True, **headers) as socket:
            assert socket.do("TB", f"s{number}", taken).items() >= (told | {"message": message}).items()
    role = house.ask("ann", "POST", "/api/tables", {}, **{"accept-language": "vi"}).json()
    assert "detail" not in role


# --- what the documents say


def test_every_shape_field_and_parameter_of_the_document_is_described(house: Indoors) -> None:
    document = house.must("", "GET", "/api/docs/openapi.json")
    schemas = document["components"]["schemas"]
    mute = [name for name, shape in schemas.items() if not shape.get("description")]
    for name, shape in schemas.items():
        for field, found in shape.get("properties", {}).items():
            if not found.get("description"):
                mute.append(f"{name}.{field}")
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            mute += [
                f"{method} {path} {each['name']}" for each in operation.get("parameters", ()) if not each["description"]
            ]
            assert set(operation["tags"]) <= {tag["name"] for tag in document["tags"]}, (method, path)
            guarded = "401" in operation["responses"] and (method, path) != ("post", "/api/session")
            assert bool(operation["security"]) == guarded, (method, path)
    assert mute == []
    assert set(document["components"]["securitySchemes"]) == {"bearer", "cookie"}
    given = document["paths"]["/api/tables/{table}/commands"]["post"]["responses"]["409"]
    assert "RefusalCode" in given["description"]
    assert "below_minimum" in schemas["RefusalCode"]["enum"]


def test_the_websocket_is_described_by_its_types(house: Indoors) -> None:
    document = house.must("", "GET", "/api/docs/asyncapi.json")
    assert document == json.loads(json.dumps(asyncapi()))
    frames = {kind.__name__ for kind in (*get_args(FromClient), *get_args(FromServer))}
    components = document["components"]
    assert set(components["messages"]) == set(document["channels"]["stream"]["messages"]) == frames
    said = {each["$ref"].rsplit("/", 1)[-1] for way in document["operations"].values() for each in way["messages"]}
    assert said == frames
    for reference in re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document)):
        at = document
        for part in reference.split("/"):
            at = at[part]
    for name, shape in components["schemas"].items():
        assert shape.get("description"), name
        assert all(field.get("description") for field in shape.get("properties", {}).values()), name
    check = Draft202012Validator({**components["schemas"]["FromServer"], "components": components}).validate
    with house.socket("ann", hello=False) as socket:
        check(socket.hear())
        socket.send({"op": "ping", "id": "1"})
        check(socket.until("pong"))
        socket.send({"op": "dance"})
        check(socket.until("bad"))
