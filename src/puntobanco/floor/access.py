"""Who may use which address: said with each handler, checked before its request is read, told in docs/floor.md."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.handlers.base import BaseRouteHandler
from litestar.openapi.datastructures import ResponseSpec

from puntobanco.floor.floor import Floor
from puntobanco.floor.gate import Connection
from puntobanco.floor.office import FloorError
from puntobanco.floor.people import Identity
from puntobanco.floor.wire import FLOOR_CODES, ROLES, DeviceKind, Problem, Role
from puntobanco.rules.model import Authority

DEVICES: tuple[DeviceKind, ...] = ("scanner", "shoe", "display")
STAFF: tuple[Role, ...] = ("dealer", "pit")

AnyRequest = Request[Any, Any, State]
T = TypeVar("T")


class Access(msgspec.Struct, frozen=True):
    """Roles that are let in; the pit from a rank on."""

    roles: tuple[Role | DeviceKind, ...]
    rank: Authority = Authority.PLAYER

    def admits(self, who: Identity) -> bool:
        return who.role in self.roles and (who.role != "pit" or who.rank >= self.rank)

    @property
    def told(self) -> str:
        rank = f" ({self.rank.title} or above)" if self.rank > Authority.PLAYER else ""
        return " or ".join(self.roles) + rank


def problems(*statuses: int) -> dict[int, ResponseSpec]:
    """The answers of these statuses, for the OpenAPI document; by default all that any request may get."""
    wanted = statuses or tuple(sorted({status for status, _ in FLOOR_CODES.values()} - {405, 500}))
    codes = {status: [code for code, (at, _) in FLOOR_CODES.items() if at == status] for status in wanted}
    return {
        status: ResponseSpec(Problem, generate_examples=False, description=", ".join(found) or "refused")
        for status, found in codes.items()
    }


def only(*roles: Role | DeviceKind, rank: Authority = Authority.PLAYER) -> dict[str, Any]:
    """What a handler says about who may use it: these roles, of the pit from a rank on."""
    return {"guards": [_guard], "opt": {"access": Access(roles, rank)}, "responses": problems()}


def signed_in(*, devices: bool = False) -> dict[str, Any]:
    """What a handler says that is for everybody who is signed in, and perhaps for devices."""
    return only(*ROLES, *DEVICES) if devices else only(*ROLES)


async def _guard(connection: Connection, handler: BaseRouteHandler) -> None:
    access = handler.opt["access"]
    assert isinstance(access, Access)
    gate = floor_of(connection.app.state).gate
    gate.check_rate(connection)
    who = await gate.identify(connection)
    if not access.admits(who):
        raise FloorError("role", f"this needs {access.told}")
    connection.state["who"] = who


def sender(request: AnyRequest) -> Identity:
    """Who sends a request that was let in."""
    who = request.state["who"]
    assert isinstance(who, Identity)
    return who


def floor_of(state: State) -> Floor:
    """The floor that an application serves."""
    floor = state["floor"]
    assert isinstance(floor, Floor)
    return floor


async def strictly(request: AnyRequest, data: T) -> T:
    """The body as websockets read it: the framework takes a text for a number, and 1e2 for a hundred."""
    try:
        return msgspec.json.decode(await request.body(), type=type(data))
    except msgspec.MsgspecError as error:
        raise FloorError("bad_request", str(error)) from None
