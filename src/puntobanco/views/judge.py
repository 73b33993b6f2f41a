"""A command that somebody might give, put to the engine with an example of what is left to choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from puntobanco.table import refusals
from puntobanco.table.commands import AnyCommand, Command
from puntobanco.table.engine import refusal
from puntobanco.table.refusals import Refusal
from puntobanco.table.state import Table

Value = str | int | bool | tuple[int, ...]

AskKind = Literal["amount", "choice", "some", "text", "name", "card", "cards", "chips"]
"""``some`` are several of the choices, each once; ``name`` is a text that is not in use yet, ``chips`` a count by chip
value, the rest is what it says."""


class Ask(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a command that is left to the viewer. ``field`` may be a path: ``wagers.tie``, ``ruling.card``.

    Numbers run from ``least`` to ``most`` (None: no end) in steps; for cards, chips and ``some`` they say how many or
    how much.
    """

    field: str
    kind: AskKind
    least: int | None = None
    most: int | None = None
    step: int = 1
    choices: tuple[Value, ...] = ()
    counts: dict[str, int] = {}
    """How many cards, where the rank of the first one decides."""
    unseen: bool = False
    """Whether cards may be null: nobody saw them."""
    but: str | int | None = None
    """The card or amount that the record has: to name it again corrects nothing."""
    optional: bool = False


class Action(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command that the viewer might give: what is fixed, what is left to choose; or why it is refused."""

    do: str
    allowed: bool
    fixed: dict[str, Value] = {}
    """By field, which may be a path as in :class:`Ask`."""
    asks: tuple[Ask, ...] = ()
    code: str = ""
    detail: str = ""
    values: dict[str, refusals.Value] = {}
    """Of the refusal, which :func:`puntobanco.words.worded` puts into a sentence."""
    paragraph: str = ""
    """Of the refusal; of a ruling that is allowed, the one it is given by."""
    fits: int | None = None
    rank: str = ""
    """Of a ruling: the lowest rank that may give it."""
    approval: bool = False
    """Of a ruling: whether it waits until another person of that rank approves."""
    out_of_turn: bool = False
    """Of a call or a payment: whether it would be recorded as one that should not have been made now."""


def fill(action: Action, values: Mapping[str, Any] | None = None) -> AnyCommand:
    """The command that an action comes to with these values for what it asks, by field."""
    whole: dict[str, Any] = {"do": action.do}
    for field, value in {**action.fixed, **(values or {})}.items():
        *path, name = field.split(".")
        at = whole
        for part in path:
            at = at.setdefault(part, {})
        at[name] = value
    command: AnyCommand = msgspec.convert(whole, AnyCommand)
    return command


class Memory:
    """What one viewer was last told may be done, part by part, and at which table."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Table, bool, tuple[Action, ...]]] = {}
        self._asked: dict[str, tuple[Table, bool, tuple[Action, ...]]] = {}
        self.seen: tuple[object, object] | None = None
        """The moment of the latest view, and that view."""

    def again(self) -> None:
        """A view begins: what was not asked about in the last one is forgotten."""
        self._known, self._asked = self._asked, {}

    def recall(self, part: str, table: Table, late: bool) -> tuple[Action, ...] | None:
        known = self._known.get(part)
        if known is None or known[1] is not late or known[0] != table:
            return None
        self._asked[part] = known
        return known[2]

    def keep(self, part: str, table: Table, late: bool, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        self._asked[part] = (table, late, actions)
        return actions


def late(table: Table, now: int) -> bool:
    """All that the time of day changes by itself: whether bets, or insurance, come too late."""
    current = table.round
    if current is None:
        return False
    return now > (current.window.until if current.window is not None else current.until)


class Judge:
    """Puts commands of one person to the engine. With a memory it asks again only where what matters is another."""

    def __init__(self, table: Table, actor: str, now: int, memory: Memory | None = None) -> None:
        self.table = table
        self.actor = actor
        self.now = now
        self.memory = memory

    def kept(
        self, part: str, relevant: Callable[[], Table], make: Callable[[Judge], Iterable[Action]]
    ) -> Iterable[Action]:
        """A part of the actions, asked of the table without what does not matter to it; again if that is another."""
        if self.memory is None:
            return make(self)
        table, late = relevant(), self._late
        known = self.memory.recall(part, table, late)
        if known is not None:
            return known
        return self.memory.keep(part, table, late, tuple(make(Judge(table, self.actor, self.now, self.memory))))

    @property
    def _late(self) -> bool:
        return late(self.table, self.now)

    def refusal(self, body: AnyCommand) -> Refusal | None:
        return refusal(self.table, Command("", self.actor, self.now, body))

    def action(self, body: AnyCommand, *asks: Ask) -> Action:
        """The action of which ``body`` is an example: what the asks name is left to choose."""
        return action_of(body, self.refusal(body), asks)

    def choose(self, body: AnyCommand, field: str, values: Sequence[Any], *asks: Ask) -> Action:
        """One action for those of the values that the engine takes; refused only if it takes none."""
        bodies = [_put(body, field, value) for value in values]
        refusals = [self.refusal(each) for each in bodies]
        taken = [value for value, refused in zip(values, refusals, strict=True) if refused is None]
        choices = tuple(map(msgspec.to_builtins, taken or values[:1]))
        refused = None if taken else refusals[0]
        return action_of(bodies[0], refused, (Ask(field, "choice", choices=choices), *asks))


def action_of(body: AnyCommand, refused: Refusal | None, asks: Iterable[Ask]) -> Action:
    """The action that an example and the answer to it come to."""
    asks = tuple(asks)
    fixed: dict[str, Value] = {}
    _collect(msgspec.to_builtins(body), {ask.field for ask in asks}, "", fixed)
    do = str(fixed.pop("do"))
    if refused is None:
        return Action(do, True, fixed, asks)
    return Action(do, False, fixed, asks, refused.code, refused.detail, refused.values, refused.paragraph, refused.fits)


def _collect(whole: Mapping[str, Any], asked: set[str], at: str, into: dict[str, Value]) -> None:
    """What a command holds, by path; without what is asked for, and what is left empty."""
    for name, value in whole.items():
        path = at + name
        if value is None or path in asked:
            continue
        if isinstance(value, dict):
            _collect(value, asked, f"{path}.", into)
        elif not isinstance(value, list | tuple):
            into[path] = value
        elif value:
            into[path] = tuple(value)


def _put(body: Any, field: str, value: Any) -> Any:
    """The same with another value at that path."""
    name, dot, rest = field.partition(".")
    return replace(body, **{name: _put(getattr(body, name), rest, value) if dot else value})
