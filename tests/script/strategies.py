"""Random lines: any command, setting and expectation there is, built from the fields of its type."""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
from hypothesis import strategies as st

from puntobanco.cards import Card
from puntobanco.money import Odds
from puntobanco.rules.model import USUAL_RANKS
from puntobanco.script import grammar
from puntobanco.script import lines as x
from puntobanco.table import commands as c
from puntobanco.table.cases.remedies import RULINGS
from puntobanco.table.events import AnyEvent
from puntobanco.table.refusals import CODES
from puntobanco.table.rulings import AddCard, AnyRuling, CorrectBet, CorrectOrder, Pay, kind_of
from puntobanco.table.settings import BetLimits, Step, TableSettings, in_order

COMMANDS: tuple[type[c.Body], ...] = get_args(c.AnyCommand)
EVENTS = get_args(AnyEvent)
EXPECTATIONS: tuple[type[x.Expectation], ...] = tuple(x.Expectation.__subclasses__())

KINDS = [kind_of(kind) for kind in get_args(AnyRuling)]

AWKWARD = [
    "",
    "card",
    "on",
    "nothing",
    "against",
    "to",
    "in",
    "box",
    "fits",
    "4711",
    "@3",
    "Ann Lee",
    'Bo "B" C',
    "a:b",
    "x\\y",
    "#1",
    "é",
    "?",
]
names = st.sampled_from(["ann", "bob", "big_tiger", "tb-1", *AWKWARD]) | st.text(max_size=6)
amounts = st.integers(-(10**9), 10**12)
numbers = st.integers(-(10**6), 10**6)
counts = st.dictionaries(st.integers(0, 10**9), st.integers(-5, 500), max_size=3)
cards = st.sampled_from(Card)
MONEY = {"amount", "fits", "limit", "minimum", "step", "result", "difference", "stake", "stands", "pays"}

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "wagers": st.dictionaries(names, amounts, max_size=3),
    "count": counts,
    "chips": counts,
    "opening_float": counts,
    "code": st.sampled_from(sorted(CODES)),
    "event": st.sampled_from(grammar.EVENT_TAGS),
    "family": st.sampled_from(sorted(RULINGS)),
    "rank": st.sampled_from([*USUAL_RANKS.named, "table_chief"]),
    "ruling_kind": st.sampled_from(KINDS),
    "rulings": st.lists(st.sampled_from(KINDS), max_size=4).map(tuple),
    "odds": st.builds(Odds.of, st.integers(1, 40), st.integers(1, 20)),
    "minimum": st.integers(0, 10**9),
    "maximum": st.none() | st.integers(0, 10**9),
    "unit": st.integers(1, 10**6),
    "digits": st.integers(0, 4),
    "day_begins": st.integers(0, 24 * 60 - 1),
}


def structs(kind: type[Any], **fixed: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Any value of a struct type."""
    known = FIELDS | fixed
    fields = {
        field.name: known[field.name] if field.name in known else values(field.type, field.name)
        for field in msgspec.structs.fields(kind)
    }
    return st.builds(kind, **fields)


def values(kind: Any, name: str = "") -> st.SearchStrategy[Any]:
    """Any value of a type that a command's field may have."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is str:
        return names
    if kind is int:
        return amounts if name in MONEY else numbers
    if kind is Card:
        return cards
    if origin in (Union, types.UnionType):
        return st.one_of(*(values(argument, name) for argument in arguments))
    if origin is Literal:
        return st.sampled_from(arguments)
    if arguments[:1] == (Step,):
        return st.sets(st.sampled_from(Step)).map(in_order)
    if origin is tuple:
        return st.lists(values(arguments[0], name), max_size=5).map(tuple)
    if kind is AddCard:
        return structs(kind, number=st.just(0))  # what is known once it is decided nobody writes
    if kind is CorrectOrder:
        return structs(kind, became=st.just(()))
    if kind is CorrectBet:
        return structs(kind, found=st.just(0))
    if kind is Pay:
        return structs(kind, dispute=st.just(0), given=st.just(0))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return structs(kind)
    return st.from_type(kind)


def _in_one_way(body: c.Body) -> c.Body:
    """A Differential that is lifted has no scope, and only one way to be written."""
    return c.SetDifferential() if isinstance(body, c.SetDifferential) and body.limit is None else body


bodies = st.one_of(*(structs(kind) for kind in COMMANDS if kind is not c.OpenTable)).map(_in_one_way)
openings = structs(
    c.OpenTable,
    settings=structs(
        TableSettings,
        bet_limits=st.dictionaries(names, structs(BetLimits), max_size=2),
        chips=st.lists(st.integers(0, 10**9), max_size=4).map(tuple),
    ),
)
times = st.one_of(
    st.builds(x.After, st.integers(0, 10**8)),
    st.builds(x.Clock, st.integers(0, x.DAY - 1)),
    st.builds(x.Moment, st.integers(0, 4 * 10**12)),
)
acts = st.builds(
    x.Act,
    bodies | st.just(x.Open()),
    st.none() | times,
    st.none() | names,
    st.none() | st.integers(0, 10**6),
)
expectations = st.one_of(*(structs(kind) for kind in EXPECTATIONS))
notes = st.none() | st.text(max_size=10).map(lambda text: " ".join(text.split()))


def line_of(item: x.Item | None, note: str | None) -> x.Line:
    return x.Line(item, note, 2 if item is not None and note is not None else 0)


lines = st.builds(line_of, st.one_of(st.none(), acts, st.builds(x.Pause, times)), notes)
