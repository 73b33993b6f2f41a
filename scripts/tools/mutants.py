"""Small changes to a module's source, one at a time, each of which some test ought to notice.

A change inside a function is put into the running process: the function's code object is replaced, so that everyone
who imported it has the changed one. A change outside of functions, or in one that has run at import already, needs a
fresh import of the changed source.
"""

from __future__ import annotations

import ast
import enum
import importlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

SOURCE = Path(__file__).resolve().parents[2] / "src"

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}
CODE_OR_PARAGRAPH = re.compile(r"[\w.:-]+")
"""Texts that mean something to the program; sentences for people are left alone."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """A module of the package as source: its tree, and the edits are made in the tree and undone again."""

    name: str
    path: Path
    tree: ast.Module

    @property
    def short(self) -> str:
        """The name below the package: ``table.limits``."""
        return self.name.partition(".")[2]


@cache
def module_of(name: str) -> Module:
    """A module of the package by its full name, ``puntobanco.table.limits``."""
    base = SOURCE.joinpath(*name.split("."))
    path = base.with_suffix(".py") if base.with_suffix(".py").exists() else base / "__init__.py"
    return Module(name, path, ast.parse(path.read_text(encoding="utf-8"), str(path)))


@dataclass(frozen=True)
class Mutant:
    """One change: in that slot of ``owner``, or at that index of it, ``new`` stands for ``old``."""

    module: Module
    function: str
    """The outermost function or method that holds the change, by its qualified name; nothing at module level."""
    line: int
    last_line: int
    change: str
    owner: ast.AST
    slot: str
    index: int | None
    new: Any

    @property
    def where(self) -> str:
        return f"{self.module.short}:{self.line}" + (f" {self.function}" if self.function else "")

    @property
    def key(self) -> tuple[str, str, str]:
        """What stays the same when lines move."""
        return self.module.short, self.function, self.change

    def compiled(self) -> CodeType:
        """The changed module as code."""
        holder = getattr(self.owner, self.slot)
        if self.index is None:
            setattr(self.owner, self.slot, self.new)
        else:
            old, holder[self.index] = holder[self.index], self.new
        try:
            ast.fix_missing_locations(self.module.tree)
            code: CodeType = compile(self.module.tree, str(self.module.path), "exec")
        finally:
            if self.index is None:
                setattr(self.owner, self.slot, holder)
            else:
                holder[self.index] = old
        return code


# --- What can be changed ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Edit:
    owner: ast.AST
    slot: str
    index: int | None
    new: Any
    at: ast.AST
    change: str


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:87]}…"


def _edit(owner: ast.AST, name: str, index: int | None, new: Any, within: ast.AST, verb: str = "") -> _Edit:
    """An edit described by what ``within``, an expression or statement, reads before and after."""
    before = _shown(within)
    holder = getattr(owner, name)
    if verb:
        return _Edit(owner, name, index, new, within, f"{verb}: {before}")
    if within is (holder if index is None else holder[index]):
        after = _shown(new)
    elif index is None:
        setattr(owner, name, new)
        after = _shown(within)
        setattr(owner, name, holder)
    else:
        old, holder[index] = holder[index], new
        after = _shown(within)
        holder[index] = old
    return _Edit(owner, name, index, new, within, f"{before} → {after}")


def _slots(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield name, None, value
        elif isinstance(value, list):
            for index, child in enumerate(value):
                if isinstance(child, ast.AST):
                    yield name, index, child


def _negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def _constants(value: object) -> Iterator[bool | int | str]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
        yield value - 1
    elif isinstance(value, str) and CODE_OR_PARAGRAPH.fullmatch(value):
        yield f"{value}_"


def _expression_edits(
    owner: ast.AST, name: str, index: int | None, node: ast.expr, scope: dict[str, Any]
) -> Iterator[_Edit]:
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                yield _edit(node, "ops", at, other(), node)
    elif isinstance(node, ast.BoolOp):
        yield _edit(node, "op", None, ast.Or() if isinstance(node.op, ast.And) else ast.And(), node)
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not isinstance(node.left, ast.JoinedStr):
        yield _edit(node, "op", None, ARITHMETIC[type(node.op)](), node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield _edit(owner, name, index, node.operand, node)
    elif isinstance(node, ast.IfExp) and not isinstance(node.test, ast.Compare | ast.UnaryOp):
        yield _edit(node, "test", None, _negated(node.test), node)
    elif isinstance(node, ast.Constant):
        for value in _constants(node.value):
            yield _edit(owner, name, index, ast.copy_location(ast.Constant(value), node), _phrase(owner, node))
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
        kind = scope.get(node.value.id)
        if isinstance(kind, type) and issubclass(kind, enum.Enum) and node.attr in kind.__members__:
            members = list(kind.__members__)
            other_member = members[(members.index(node.attr) + 1) % len(members)]
            yield _edit(node, "attr", None, other_member, _phrase(owner, node))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OPPOSITES:
        yield _edit(node.func, "id", None, OPPOSITES[node.func.id], node)


def _phrase(owner: ast.AST, node: ast.expr) -> ast.AST:
    """What to quote for a change to a small thing: the expression around it, if it is short."""
    if isinstance(owner, ast.expr) and len(ast.unparse(owner)) <= 90:
        return owner
    return node


def _statement_edits(owner: ast.AST, name: str, index: int | None, node: ast.stmt) -> Iterator[_Edit]:
    removable = (
        isinstance(node, ast.AugAssign | ast.Raise | ast.Continue | ast.Break)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
        or (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute | ast.Subscript))
    )
    if isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield _edit(node, "op", None, ARITHMETIC[type(node.op)](), node)
    if removable and index is not None:
        yield _edit(owner, name, index, ast.copy_location(ast.Pass(), node), node, "removed")
    if isinstance(node, ast.If) and not isinstance(node.test, ast.Compare | ast.UnaryOp):
        yield _edit(node, "test", None, _negated(node.test), node.test)
    if isinstance(node, ast.Return) and node.value is not None and not _is_nothing(node.value):
        yield _edit(node, "value", None, ast.copy_location(ast.Constant(None), node.value), node)


def _is_nothing(node: ast.expr) -> bool:
    """None, or something empty that reads the same."""
    return (isinstance(node, ast.Constant) and not node.value) or (
        isinstance(node, ast.Tuple | ast.List) and not node.elts
    )


def _entry_edits(node: ast.AST) -> Iterator[_Edit]:
    """A table written out loses one of its entries."""
    if isinstance(node, ast.Dict):
        for at, key in enumerate(node.keys):
            rest = ast.Dict(node.keys[:at] + node.keys[at + 1 :], node.values[:at] + node.values[at + 1 :])
            if key is not None:
                yield _Edit(node, "", at, ast.copy_location(rest, node), key, f"entry removed: {_shown(key)}")


def _edits(node: ast.AST, scope: dict[str, Any]) -> Iterator[_Edit]:
    """All edits at and below a node, in the order of the source; annotations and docstrings are left alone."""
    if isinstance(node, ast.comprehension):
        for at, test in enumerate(node.ifs):
            if not isinstance(test, ast.Compare | ast.UnaryOp):
                yield _edit(node, "ifs", at, _negated(test), test)
    for name, index, child in _slots(node):
        if name in ("annotation", "returns", "decorator_list", "type_comment"):
            continue
        if isinstance(child, ast.Assert | ast.Import | ast.ImportFrom):
            continue
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if isinstance(child, ast.JoinedStr):  # sentences
            continue
        if isinstance(child, ast.stmt):
            yield from _statement_edits(node, name, index, child)
        elif isinstance(child, ast.expr):
            yield from _expression_edits(node, name, index, child, scope)
            for entry in _entry_edits(child):
                yield _Edit(node, name, index, entry.new, entry.at, entry.change)
        yield from _edits(child, scope)


def _functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, FunctionNode]]:
    """Functions and methods that are not inside another, by their qualified names."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FunctionNode):
            yield f"{prefix}{child.name}", child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")


def _without_functions(node: ast.AST, scope: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, _Edit]]:
    """Edits of what runs at import: module and class bodies, with the class's name."""
    assert isinstance(node, ast.Module | ast.ClassDef)
    for index, child in enumerate(node.body):
        if isinstance(child, ast.ClassDef):
            yield from _without_functions(child, scope, f"{prefix}{child.name}.")
        elif isinstance(child, FunctionNode):
            for edit in _edits(child.args, scope):
                yield f"{prefix}{child.name}", edit
        elif isinstance(child, ast.Assign | ast.AnnAssign) and child.value is not None:
            named = [node for target in _targets(child) for node in ast.walk(target)]
            names = [node.id for node in named if isinstance(node, ast.Name)]
            holder = ast.Expr(child.value)
            for edit in _edits(holder, scope):
                if edit.owner is holder:
                    edit = _Edit(child, "value", None, edit.new, edit.at, edit.change)
                yield f"{prefix}{names[0] if names else index}", edit


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _lines(node: ast.AST) -> tuple[int, int]:
    first: int = getattr(node, "lineno", 0)
    return first, getattr(node, "end_lineno", None) or first


def _mutants(module: Module, edits: Iterator[tuple[str, _Edit]]) -> Iterator[Mutant]:
    seen: Counter[tuple[str, str]] = Counter()
    for name, edit in edits:
        seen[name, edit.change] += 1
        times = seen[name, edit.change]
        change = edit.change if times == 1 else f"{edit.change} ({times})"
        first, last = _lines(edit.at)
        yield Mutant(module, name, first, last, change, edit.owner, edit.slot, edit.index, edit.new)


def function_mutants(module_name: str, under: str = "") -> list[Mutant]:
    """Changes inside the bodies of functions: of all, or of one function or all methods of one class."""
    module = module_of(module_name)
    scope = vars(importlib.import_module(module_name))

    def edits() -> Iterator[tuple[str, _Edit]]:
        for name, node in _functions(module.tree):
            if _is_under(name, under) and not _is_overload(node):
                body = ast.Module(node.body, [])
                for edit in _edits(body, scope):
                    owner = node if edit.owner is body else edit.owner
                    yield name, _Edit(owner, edit.slot, edit.index, edit.new, edit.at, edit.change)

    return list(_mutants(module, edits()))


def import_mutants(module_name: str, under: str = "") -> list[Mutant]:
    """Changes to what runs at import: constants, tables, members of classes, defaults of arguments."""
    module = module_of(module_name)
    scope = vars(importlib.import_module(module_name))
    found = _without_functions(module.tree, scope)
    return list(_mutants(module, (each for each in found if _is_under(each[0], under))))


def lines_of_function(mutant: Mutant) -> range:
    """Where the function that holds the change stands; the change's own lines outside of functions."""
    for name, node in _functions(mutant.module.tree):
        first, last = _lines(node)
        if name == mutant.function and first <= mutant.line <= last:
            return range(first, last + 1)
    return range(mutant.line, mutant.last_line + 1)


def switched_off(module_name: str, function: str) -> list[Mutant]:
    """The function's whole body gone: it does nothing and returns None."""
    module = module_of(module_name)
    nodes = [(name, node) for name, node in _functions(module.tree) if name == function and not _is_overload(node)]
    return [
        Mutant(module, name, *_lines(node), "switched off", node, "body", None, [ast.Return(ast.Constant(None))])
        for name, node in nodes
    ]


def _is_under(name: str, under: str) -> bool:
    return not under or name == under or name.startswith(f"{under}.")


def _is_overload(node: FunctionNode) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in node.decorator_list)


# --- Into the running process ----------------------------------------------------------------------------


class CannotPatch(Exception):  # noqa: N818 - it reads like what it says
    """The function is not to be found in the running process, or has other free variables now."""


def patch(mutant: Mutant) -> Callable[[], None]:
    """A step that puts the change into the running process; the compiling is done before it."""
    function = live_function(mutant.module.name, mutant.function)
    code = _find_code(mutant.compiled(), mutant.function, function.__code__.co_firstlineno)
    if code is None or code.co_freevars != function.__code__.co_freevars:
        raise CannotPatch(mutant.where)

    def put_in() -> None:
        function.__code__ = code
        if forget is not None:
            forget()

    forget = None if mutant.module.short.startswith(("table.", "views.")) else _forgetting()
    return put_in


def patch_values(mutant: Mutant) -> Callable[[], None]:
    """A step that runs the changed module aside and gives its constants and tables to all who hold the old ones."""
    live = vars(sys.modules[mutant.module.name])
    if not _is_plain(live.get(mutant.function)):
        raise CannotPatch(mutant.where)
    code = mutant.compiled()

    def put_in() -> None:
        aside = ModuleType(mutant.module.name)
        exec(code, vars(aside))
        holders = [vars(module) for name, module in sys.modules.items() if name.partition(".")[0] == "puntobanco"]
        for name, new in vars(aside).items():
            old = live.get(name)
            if not name.startswith("__") and _is_plain(old):
                for holder in holders:
                    if holder.get(name) is old:
                        holder[name] = new

    return put_in


def _is_plain(value: object) -> bool:
    """Whether it is data, which does not tie anybody to the module it was made in."""
    return isinstance(value, dict | set | frozenset | tuple | list | int | str)


def _forgetting() -> Callable[[], None]:
    """A step that drops what was worked out and kept, so that the changed program works it out again."""
    from puntobanco import bets  # not before a recorder has started: see scripts.tools.bench
    from puntobanco.outcomes import Space
    from puntobanco.rules.load import GAMES, find_book

    books = [find_book(game) for game in GAMES]  # read before the change: they stay as they are

    def forget() -> None:
        names = [name for name in sys.modules if name.partition(".")[0] in ("puntobanco", "tests")]
        things = [thing for name in names for thing in vars(sys.modules[name]).values()]
        things += [inner for thing in things if isinstance(thing, type) for inner in vars(thing).values()]
        for thing in things:
            if hasattr(thing, "cache_clear") and thing is not find_book:
                thing.cache_clear()
            elif isinstance(thing, Space):
                for name, kept in vars(Space).items():
                    if isinstance(kept, cached_property):
                        vars(thing).pop(name, None)
        for book in books:
            vars(book).clear()
        bets._tables.clear()

    return forget


def live_function(module_name: str, qualified: str) -> FunctionType:
    """The function object behind properties, caches and class methods."""
    thing: object = sys.modules[module_name]
    for part in qualified.split("."):
        thing = vars(thing).get(part)
        while not isinstance(thing, FunctionType | type):
            inner = next(
                (found for name in _WRAPPERS if (found := getattr(thing, name, None)) is not None),
                None,
            )
            if inner is None:
                raise CannotPatch(f"{module_name}.{qualified}")
            thing = inner
    if not isinstance(thing, FunctionType):
        raise CannotPatch(f"{module_name}.{qualified}")
    return thing


_WRAPPERS: Sequence[str] = ("__wrapped__", "__func__", "fget", "func", "_function")


def _find_code(code: CodeType, qualified: str, first_line: int) -> CodeType | None:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_qualname == qualified and constant.co_firstlineno == first_line:
                return constant
            if (found := _find_code(constant, qualified, first_line)) is not None:
                return found
    return None
