"""The schema is right: real messages fit it, spoilt ones do not, and it agrees with the decoder on either."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from jsonschema import Draft202012Validator
from tests.script.mishaps import MISHAPS
from tests.search import far
from tests.test_harbour_house import FILES as HOUSE_FILES
from tests.test_harbour_house import played as at_house
from tests.test_playthroughs import DAYS, FILES, played
from tests.views.watch import mishap, moments, walked

from puntobanco.cards import CARDS
from puntobanco.cli import main
from puntobanco.floor.wire import SHAPES
from puntobanco.schema import PARTS, SchemaError, schema
from puntobanco.script.play import Step
from puntobanco.table import commands, events, refusals, rulings
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.events import Record
from puntobanco.table.refusals import Refusal
from puntobanco.views import Seen, View, Viewer, seen, view

DOCUMENT = schema()
ALL_WALKS = (*range(8), 29)
WALKS = ALL_WALKS[: far(2, len(ALL_WALKS))]
HISTORIES = [*MISHAPS, *DAYS, *(name for name in FILES if name.startswith(("squeeze/", "limits/changed")))]
KINDS = {"Command": Command, "Record": Record, "Seen": Seen, "View": View, "Refusal": Refusal}


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": DOCUMENT["$defs"]})


def plain(message: Any) -> Any:
    return json.loads(msgspec.json.encode(message))


def check(name: str, message: Any) -> None:
    wrong = next(validator(name).iter_errors(plain(message)), None)
    assert wrong is None, wrong


# --- the document


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"].removeprefix("#/$defs/")
        for each in part.values():
            yield from references(each)
    elif isinstance(part, list):
        for each in part:
            yield from references(each)


@pytest.mark.parametrize("parts", [tuple(PARTS), *[(part,) for part in PARTS]], ids="+".join)
def test_the_document_is_sound(parts: tuple[str, ...]) -> None:
    document = schema(parts=parts)
    Draft202012Validator.check_schema(document)
    names = document["$defs"].keys()
    assert set(references(document)) == names, "everything that is referred to is there, and nothing else"
    for name, definition in document["$defs"].items():
        assert re.fullmatch(r"[A-Z][A-Za-z]+", name)
        assert definition["title"] == name
        assert definition["description"].strip()
        assert not definition["description"].startswith(f"{name}(")
        assert DOCUMENT["$defs"][name] == definition, "a part says what the whole says"


def test_every_command_event_and_ruling_is_there_under_its_name() -> None:
    named = DOCUMENT["$defs"]
    for union, tag, kinds in (
        ("AnyCommand", "do", commands.AnyCommand),
        ("AnyEvent", "event", events.AnyEvent),
        ("SeenEvent", "event", events.AnyEvent),
        ("AnyRuling", "ruling", rulings.AnyRuling),
    ):
        there = [named[name]["properties"][tag]["enum"] for name in references(named[union]["anyOf"])]
        assert there == [[kind.__struct_config__.tag] for kind in get_args(kinds)]


def test_values_have_the_form_in_which_they_are_written() -> None:
    named = DOCUMENT["$defs"]
    assert named["Card"]["enum"] == [card.value for card in CARDS]
    assert named["Side"]["enum"] == ["player", "banker"]
    assert named["RefusalCode"]["enum"] == list(refusals.CODES)
    assert named["Odds"]["properties"].keys() == {"pays", "to"}
    assert named["Transfer"]["prefixItems"] == [{"type": "string"}, {"type": "string"}, {"type": "integer"}]
    assert "number" not in {part.get("type") for part in schemas(DOCUMENT)}, "nothing is written as a float"


def schemas(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        if isinstance(part.get("type", ""), str):
            yield part
        for each in part.values():
            yield from schemas(each)
    elif isinstance(part, list):
        for each in part:
            yield from schemas(each)


def test_fields_say_what_stands_under_them() -> None:
    said = DOCUMENT["$defs"]["Public"]["properties"]["time_left"]["description"]
    assert said == "Milliseconds for bets or for insurance; null where no time runs."
    assert DOCUMENT["$defs"]["RoundCalledSeen"]["properties"]["until"]["description"]


class Hello(msgspec.Struct, tag="hello", tag_field="frame"):
    """A first word."""

    last: int = 0
    """The version seen last."""


class Event(msgspec.Struct, tag="event", tag_field="frame"):
    """An event."""

    seen: Seen


def test_other_frames_can_be_added() -> None:
    document = schema({"Frame": Hello | Event})
    Draft202012Validator.check_schema(document)
    named = document["$defs"]
    assert {"Hello", "Event", "Frame"} <= named.keys()
    assert named["Hello"]["properties"]["last"]["description"] == "The version seen last."
    assert named.keys() - {"Hello", "Event", "Frame"} == DOCUMENT["$defs"].keys()
    frames = Draft202012Validator({"$ref": "#/$defs/Frame", "$defs": named})
    assert frames.is_valid({"frame": "event", "seen": {"version": 1, "at": 0}})
    assert not frames.is_valid({"frame": "event", "seen": {"version": "1", "at": 0}})
    assert not frames.is_valid({"frame": "hullo"})


def test_two_types_of_one_name_are_refused() -> None:
    other = msgspec.defstruct("View", [("number", int)])
    with pytest.raises(SchemaError, match="two types have the same name: View"):
        schema({"Other": other})


# --- real messages


def messages(seed: int) -> Iterator[tuple[str, Any]]:
    """Everything that one walk sent and got, with views now and then."""
    walk = walked(seed)
    yield from (("Command", command) for command in walk.commands)
    yield from (("Refusal", refusal) for refusal in walk.refusals)
    for record, table in moments(walk.entries):
        yield "Record", record
        viewers = [Viewer("display"), Viewer("dealer", HOUSE), Viewer("pit", HOUSE)]
        viewers += [Viewer("player", name) for name in list(table.people)[-2:]]
        for viewer in viewers:
            yield "Seen", seen(record, table, viewer)
        if record.version % 40 == 0:
            yield from (("View", view(table, viewer, record.at)) for viewer in viewers)


@pytest.mark.parametrize("seed", WALKS)
def test_what_a_walk_sends_and_gets_fits(seed: int) -> None:
    for name, message in messages(seed):
        check(name, message)


def steps_of(name: str) -> tuple[Step, ...]:
    return mishap(name).steps if name in MISHAPS else played(name).steps


@pytest.mark.parametrize("name", HISTORIES)
def test_what_a_history_is_made_of_fits(name: str) -> None:
    for step in steps_of(name):
        check("Command", step.command)
        for record in step.records:
            check("Record", record)
        if step.refusal is not None:
            check("Refusal", step.refusal)


def test_every_command_and_event_is_tried() -> None:
    steps = [step for name in HISTORIES for step in steps_of(name)]
    bodies = {type(step.command.body) for step in steps}
    happened = {type(record.event) for step in steps for record in step.records}
    for seed in ALL_WALKS:
        for command in walked(seed).commands:
            if type(command.body) not in bodies:
                bodies.add(type(command.body))
                check("Command", command)
        for record in walked(seed).records:
            if type(record.event) not in happened:
                happened.add(type(record.event))
                check("Record", record)
    refused = commands.Command("1", "ann", 0, commands.RefuseBalance("ann"))  # always, so no story need have it
    check("Command", refused)
    bodies.add(type(refused.body))
    told = chain(map(played, FILES), map(at_house, HOUSE_FILES))
    every = set(get_args(commands.AnyCommand)) | set(get_args(events.AnyEvent))
    while bodies | happened != every and (play := next(told, None)):
        for step in play.steps:
            if type(step.command.body) not in bodies:
                bodies.add(type(step.command.body))
                check("Command", step.command)
        for record in play.records:
            if type(record.event) not in happened:
                happened.add(type(record.event))
                check("Record", record)
    assert bodies == set(get_args(commands.AnyCommand))
    assert happened == set(get_args(events.AnyEvent))


# --- spoilt messages


def places(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything in a message."""
    if path:
        yield path
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, each in inside:
        yield from places(each, (*path, key))


def spoilt(chance: Random, message: Any) -> Any:
    """One thing in a message is missing, is something else, or has another name."""
    copy = json.loads(json.dumps(message))
    *way, last = chance.choice(list(places(copy)))
    at = copy
    for key in way:
        at = at[key]
    what = chance.randrange(3)
    if what == 0 and isinstance(at, dict):
        del at[last]
    elif what == 1 and isinstance(at, dict):
        at["Zz"] = at.pop(last)
    else:
        at[last] = chance.choice([None, "Zz", 3.5, True, [], {}, ["Zz"], {"Zz": 1}, {"3": "Zz"}, 7, "7"])
    return copy


def accepted(kind: type, message: Any) -> bool:
    try:
        msgspec.convert(message, kind, str_keys=True)
    except msgspec.ValidationError:
        return False
    return True


@pytest.mark.parametrize("seed", WALKS)
def test_the_schema_and_the_decoder_agree_on_spoilt_messages(seed: int) -> None:
    chance = Random(seed)
    found = list(messages(seed))
    refused = 0
    for name, message in chance.sample(found, 400):
        if name == "View" and chance.randrange(4):
            continue
        broken = spoilt(chance, plain(message))
        fits = validator(name).is_valid(broken)
        refused += not fits
        # the decoder takes any word for a code, since a server may have more of them than its client
        assert fits == accepted(KINDS[name], broken) or (name == "Refusal" and "code" in broken), (name, broken)
    assert refused > 100


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Command", {"id": "1", "actor": "ann", "at": 0, "body": {"do": "call"}, "more": 1}),
        ("Command", {"id": "1", "actor": "ann", "at": 0, "body": {"do": "call", "more": 1}}),
        ("Command", {"id": "1", "actor": "ann", "at": 0, "body": {"do": "dance"}}),
        ("Command", {"id": "1", "actor": "ann", "at": 0, "body": {"do": "draw", "card": "1h"}}),
        ("Command", {"id": "1", "actor": "ann", "at": 0.5, "body": {"do": "call"}}),
        ("Command", {"id": "1", "actor": "ann", "at": 0, "body": {"do": "close_table", "count": {"five": 1}}}),
        ("Refusal", {"code": "because", "message": "no"}),
        ("Transfer", ["tray", "drop"]),
        ("Transfer", ["tray", "drop", 5, 5]),
        ("Seen", {"at": 0}),
    ],
)
def test_what_is_wrong_does_not_fit(name: str, message: Any) -> None:
    assert not validator(name).is_valid(message)


# --- the command line


@pytest.mark.parametrize("part", ["all", "wire", *PARTS])
def test_the_command_prints_a_part_or_all(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["schema", "--part", part])
    printed = json.loads(capsys.readouterr().out)
    parts = {"all": schema(SHAPES), "wire": schema(SHAPES, parts=())}
    assert printed == (parts[part] if part in parts else schema(parts=(part,)))


def test_the_command_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["schema", "-o", str(tmp_path / "schema.json")])
    assert capsys.readouterr().out == ""
    assert json.loads((tmp_path / "schema.json").read_text(encoding="utf-8")) == schema(SHAPES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "/nowhere/at/all"], "/nowhere/at/all cannot be written: No such file or directory"),
        (["-o", "a\0b"], "cannot be written"),
        (["--part", "everything"], "--part"),
    ],
)
def test_the_command_says_what_is_wrong(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(["schema", *arguments])
    assert exit.value.code == 2
    assert message in capsys.readouterr().err
