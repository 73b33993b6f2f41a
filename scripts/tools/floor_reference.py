"""Fills the tables of docs/floor.md from the floor itself: codes, settings, who may use which address and command."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from litestar.handlers import HTTPRouteHandler

from puntobanco.floor import desk, house, odds_desk, play
from puntobanco.floor.access import DEVICES, Access
from puntobanco.floor.host import DEVICE_COMMANDS, GIVE_COMMANDS
from puntobanco.floor.people import Identity
from puntobanco.floor.settings import settings_table
from puntobanco.floor.wire import FLOOR_CODES, DeviceKind, Role
from puntobanco.rules.model import Authority
from puntobanco.table.authority import NEEDS, OWN, rank_for
from puntobanco.table.commands import AnyCommand, Body, OpenTable

PAGE = Path(__file__).resolve().parents[2] / "docs" / "floor.md"
COLUMNS: dict[str, tuple[Role | DeviceKind, Authority]] = {
    "player": ("player", Authority.PLAYER),
    "dealer": ("dealer", Authority.DEALER),
    "Pit Supervisor": ("pit", Authority.PIT_SUPERVISOR),
    "Pit Manager": ("pit", Authority.PIT_MANAGER),
    "surveillance": ("surveillance", Authority.PLAYER),
    "admin": ("admin", Authority.PLAYER),
    "scanner": ("scanner", Authority.PLAYER),
    "shoe": ("shoe", Authority.PLAYER),
    "display": ("display", Authority.PLAYER),
}


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def head(*names: str) -> Iterator[str]:
    yield row(*names)
    yield row(*("---" for _ in names))


def codes() -> Iterator[str]:
    yield from head("code", "status", "stands for")
    for code, (status, about) in FLOOR_CODES.items():
        yield row(f"`{code}`", str(status), about)


def settings() -> Iterator[str]:
    yield from head("setting", "default", "what it is")
    for setting in settings_table():
        yield row(f"`{setting.name}`", f"`{setting.default}`" if setting.default else "", setting.about)


def roles() -> Iterator[str]:
    yield from head("address", *COLUMNS)
    for handler in (*play.HANDLERS, *house.HANDLERS, *desk.HANDLERS, *odds_desk.HANDLERS):
        if isinstance(handler, HTTPRouteHandler) and isinstance(access := handler.opt.get("access"), Access):
            (method,), (path,) = handler.http_methods, handler.paths
            name = re.sub(r":[a-z]+}", "}", path)
            yield row(f"`{method} {name}`", *(address_mark(access, *of) for of in COLUMNS.values()))
    yield ""
    yield "Nobody has to sign in for `POST /api/session`, `GET /api/key`, `/api/docs`, `/health`, `/ready`, `/metrics`."
    yield "A device may only use its own table."
    yield ""
    yield from head("command", *COLUMNS)
    for kind in get_args(AnyCommand):
        yield row(f"`{kind.__struct_config__.tag}`", *(command_mark(kind, *of) for of in COLUMNS.values()))
    yield ""
    yield "*own*: for themselves. The table may still refuse what a rank may do: [docs/reference.md](reference.md)."


def address_mark(access: Access, role: Role | DeviceKind, rank: Authority) -> str:
    return "yes" if access.admits(Identity("", role, rank, "")) else ""


def command_mark(kind: type[Body], role: Role | DeviceKind, rank: Authority) -> str:
    if role in DEVICES:
        return "yes" if kind in DEVICE_COMMANDS.get(role, ()) else ""
    if role not in GIVE_COMMANDS or kind is OpenTable:
        return ""
    need = NEEDS[kind]
    if need is OWN:
        return "own" if rank is Authority.PLAYER else "yes"
    return "yes" if rank.level >= rank_for(None, need).step else ""


BLOCKS = {"codes": codes, "settings": settings, "roles": roles}


def filled(text: str) -> str:
    """The page with every block made anew."""
    for name, lines in BLOCKS.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
        before, _, rest = text.partition(begin)
        _, ended, after = rest.partition(end)
        assert ended, f"{PAGE.name} has no block {name}"
        made = "\n".join(lines())
        text = f"{before}{begin}\n{made}\n\n{end}{after}"
    return text


def main() -> int:
    before = PAGE.read_text(encoding="utf-8")
    now = filled(before)
    if sys.argv[1:] == ["--check"]:
        if now != before:
            print(f"{PAGE.name} is out of date: run scripts/floor-reference", file=sys.stderr)
        return int(now != before)
    PAGE.write_text(now, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
