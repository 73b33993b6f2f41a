"""Builds the site: guides, docs, and an API reference made from docstrings and types.

``python -m scripts.tools.site [FOLDER]`` writes static pages that fetch nothing from elsewhere. It warns of links that
lead nowhere and of public names without a docstring, and then exits with 1. ``--check`` keeps nothing.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import pkgutil
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from markdown_it import MarkdownIt

import puntobanco

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PARTS = (
    ("Start", ("README.md", "docs/tour.md", "docs/installing.md", "docs/demo.md", "docs/glossary.md")),
    ("Guides", "docs/guides/*.md"),
    ("Reference", "docs/*.md"),
    ("Project", ("CONTRIBUTING.md", "CHANGELOG.md")),
)
COPIED = ("docs/pictures", "docs/par", "docs/lab.ipynb", "examples", "LICENSE", "src/puntobanco/rules/books")
"""What pages link to beside each other."""
SOURCES = ("tests", "scripts", "src", "web", "deploy", "benchmarks", "requirements")
"""Links into these lead to the repository: they are shown as names."""
PRIVATE = re.compile(r"(^|\.)_|\.__main__$|_kernel$|\.kernels$|\.cuda$|^puntobanco\.(cli|demo)\b")
"""Kernels and programs: what nobody imports."""
STYLE = """
:root { --ink: #1d2620; --soft: #56625a; --line: #dfe4e0; --mark: #17603a; --back: #fbfcfb } * { box-sizing:
border-box } body { color: var(--ink); display: grid; font: 16px/1.6 system-ui, sans-serif;
grid-template-columns: 17rem minmax(0, 1fr); margin: 0 } nav { background: var(--back); border-right: 1px
solid var(--line); font-size: .9rem; height: 100vh; overflow: auto; padding: 1rem; position: sticky; top: 0 }
nav b { display: block; margin: 1rem 0 .2rem } nav a { color: var(--soft); display: block; padding: .1rem 0;
text-decoration: none } nav a.here, nav a:hover { color: var(--mark) } main { max-width: 56rem; padding: 1rem
2rem 6rem } a { color: var(--mark) } h1, h2, h3 { line-height: 1.25; margin: 2rem 0 .6rem } h2 {
border-bottom: 1px solid var(--line) } code, pre { font-family: ui-monospace, monospace; font-size: .9em } pre
{ background: var(--back); border: 1px solid var(--line); border-radius: 6px; overflow: auto; padding: .7rem
1rem; line-height: 1.4 } table { border-collapse: collapse; display: block; overflow: auto } td, th { border:
1px solid var(--line); padding: .25rem .6rem; text-align: left; vertical-align: top } img { max-width: 100% }
dt { margin-top: 1rem } @media (max-width: 50rem) { body { display: block } nav { border: 0; height: auto;
position: static } main { padding: 1rem } }
"""


class Page(NamedTuple):
    """A page of the site: where it lies there, its title, its source's place, and its text as Markdown."""

    path: str
    title: str
    source: str
    text: str
    part: str


# --- what there is


def pages() -> Iterator[Page]:
    """Every page, in the order of the navigation."""
    taken: set[str] = set()
    for part, wanted in PARTS:
        names = wanted if isinstance(wanted, tuple) else _matching(wanted)
        for name in names:
            if name in taken:
                continue
            taken.add(name)
            text = (ROOT / name).read_text("utf-8")
            path = "index.html" if name == "README.md" else str(Path(name).with_suffix(".html"))
            yield Page(path, text.split("\n", 1)[0].removeprefix("# "), name, text, part)
    for module in modules():
        yield Page(f"api/{module.__name__}.html", module.__name__, "", _module_text(module), "API")


def _matching(pattern: str) -> tuple[str, ...]:
    return tuple(sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob(pattern)))


def modules() -> Iterator[ModuleType]:
    """Every module that others may use."""
    yield puntobanco
    for found in sorted(pkgutil.walk_packages(puntobanco.__path__, "puntobanco."), key=lambda found: found.name):
        if not PRIVATE.search(found.name):
            yield importlib.import_module(found.name)


def public_names(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The classes and functions that a module has of its own, or lists in ``__all__``."""
    listed = getattr(module, "__all__", None)
    for name in listed or vars(module):
        thing = getattr(module, name)
        if not (inspect.isclass(thing) or inspect.isroutine(thing) or hasattr(thing, "__wrapped__")):
            continue  # an alias of types, a constant
        if name.startswith("_"):
            continue
        if listed or (getattr(thing, "__module__", None) == module.__name__ and hasattr(thing, "__qualname__")):
            yield name, thing


# --- the API reference


def _module_text(module: ModuleType) -> str:
    lines = [f"# {module.__name__}", "", _markdown(inspect.getdoc(module) or ""), ""]
    for name, thing in public_names(module):
        kind = "class" if inspect.isclass(thing) else "def"
        lines += [f"## {name}", "", "```python", f"{kind} {name}{_signature(thing)}", "```", "", _said(thing), ""]
        if inspect.isclass(thing):
            for method, function in _methods(thing):
                signature = _signature(function) if inspect.isfunction(function) else ""
                lines += [f"**`{method}{signature}`**", "", _markdown(method_doc(thing, method)), ""]
    return "\n".join(lines)


def _methods(kind: type) -> Iterator[tuple[str, Any]]:
    for name, raw in vars(kind).items():
        if name.startswith("_"):
            continue
        function = raw.__func__ if isinstance(raw, classmethod | staticmethod) else raw
        if inspect.isfunction(function) or isinstance(function, property | functools.cached_property):
            yield name, function


def method_doc(kind: type, name: str) -> str:
    """What is said of a method or property, there or in the class that asks for it."""
    said = (vars(each)[name].__doc__ for each in kind.__mro__ if name in vars(each))
    return inspect.cleandoc(next((each for each in said if each), ""))


def _signature(thing: Any) -> str:
    try:
        found = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""
    return re.sub(r"<(?:function|class) '?([\w.]+)[^>]*>", r"\1", found).replace("puntobanco.", "")


def _said(thing: Any) -> str:
    return _markdown(inspect.cleandoc(thing.__doc__ or ""))


def _markdown(text: str) -> str:
    """A docstring as Markdown."""
    text = re.sub(r":\w+:`~?([\w.]+)`", r"`\1`", text).replace("``", "`")
    return re.sub(r"((?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)+)", r"```python\n\1\n```\n", text, flags=re.MULTILINE)


def undescribed(among: Iterable[ModuleType] | None = None) -> list[str]:
    """Public names without a docstring; of classes that a module exports, also their methods and properties."""
    found = []
    for module in modules() if among is None else among:
        if not module.__doc__:
            found.append(module.__name__)
        for name, thing in public_names(module):
            if not _described(thing):
                found.append(f"{module.__name__}.{name}")
            if inspect.isclass(thing) and hasattr(module, "__all__"):
                bare = (method for method, _ in _methods(thing) if not method_doc(thing, method))
                found += [f"{thing.__module__}.{thing.__qualname__}.{method}" for method in bare]
    return sorted(set(found))


def _described(thing: Any) -> bool:
    said = thing.__doc__ or ""
    # what msgspec and dataclasses write by themselves says nothing
    return bool(said.strip()) and not said.startswith(f"{getattr(thing, '__name__', '')}(")


# --- pages


def build(folder: Path) -> list[str]:
    """Write the site; what is wrong with it."""
    found = list(pages())
    known = {page.source: page for page in found if page.source}
    problems = [f"{name} has no docstring" for name in undescribed()]
    written: dict[str, str] = {}
    for page in found:
        written[page.path] = _page(page, found, known)
    for path, text in written.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    for name in COPIED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, target)
    return problems + list(_dead_links(folder, written))


def _page(page: Page, found: Sequence[Page], known: dict[str, Page]) -> str:
    up = "../" * page.path.count("/")
    body = _html(page, known)
    nav: list[str] = []
    part = ""
    for each in found:
        if each.part != part:
            part = each.part
            nav.append(f"<b>{part}</b>")
        if part == "API" and page.part != "API" and each.title != "puntobanco":
            continue
        here = " class=here" if each.path == page.path else ""
        nav.append(f"<a{here} href='{up}{each.path}'>{escape(each.title)}</a>")
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>{escape(page.title)} · puntobanco</title><link rel=icon href='data:,'><style>{STYLE}</style>"
        f"<nav>{''.join(nav)}</nav><main>{body}</main></html>\n"
    )


def _html(page: Page, known: dict[str, Page]) -> str:
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = parser.parse(page.text)
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", slug(tokens[at + 1].content))
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("href", _link(str(child.attrGet("href")), page, known))
    return str(parser.renderer.render(tokens, parser.options, {}))


def slug(heading: str) -> str:
    """The anchor of a heading, as hosts of Markdown name it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def _link(href: str, page: Page, known: dict[str, Page]) -> str:
    """A link of a source, as it is on the site."""
    path, _, anchor = href.partition("#")
    if re.match(r"[a-z]+:", href) or not path or not page.source:
        return href
    target = os.path.normpath((Path(page.source).parent / path).as_posix())
    if target in known:
        to = known[target].path
    elif target.split("/")[0] in SOURCES and not target.startswith("src/puntobanco/rules/books"):
        return f"#{slug(page.title)}"  # the repository's own files are not part of the site
    else:
        to = target
    relative = os.path.relpath(to, Path(page.path).parent)
    return f"{relative}#{anchor}" if anchor else relative


def _dead_links(folder: Path, written: dict[str, str]) -> Iterator[str]:
    ids = {path: set(re.findall(r"\bid=[\"']([^\"']+)", text)) for path, text in written.items()}
    for path, text in written.items():
        for href in re.findall(r"<(?:a|img)[^>]*? (?:href|src)=[\"']([^\"']+)", text):
            if re.match(r"[a-z]+:", href):
                continue
            to, _, anchor = href.partition("#")
            target = os.path.normpath((Path(path).parent / to).as_posix()) if to else path
            if not (folder / target).exists():
                yield f"{path}: {href} leads nowhere"
            elif anchor and target in ids and anchor not in ids[target]:
                yield f"{path}: {href} has no such heading"


def main(arguments: Sequence[str]) -> int:
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-") and arguments[0] != "--check"):
        print("usage: scripts/docs [FOLDER | --check]", file=sys.stderr)
        return 2
    if arguments == ["--check"]:
        with tempfile.TemporaryDirectory() as made:
            problems = build(Path(made))
    else:
        folder = Path(arguments[0]) if arguments else ROOT / "site"
        if not arguments:
            shutil.rmtree(folder, ignore_errors=True)
        problems = build(folder)
        print(f"docs: {folder / 'index.html'}")
    for problem in problems:
        print(f"docs: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
