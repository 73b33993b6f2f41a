"""The interface for the house: the pit, surveillance, the administration."""

from __future__ import annotations

from collections.abc import Iterator

from litestar import Response, delete, get, patch, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Stream as StreamedResponse

from puntobanco.floor.gate import problem_response
from puntobanco.floor.host import Mailbox
from puntobanco.floor.office import Entry, FloorError
from puntobanco.floor.people import Identity
from puntobanco.floor.play import AnyRequest, floor_of, signed_in
from puntobanco.floor.wire import (
    Balance,
    Brief,
    ChangePerson,
    DeviceToken,
    Money,
    NewDevice,
    NewPerson,
    OpenPlan,
    PersonSeen,
    Problem,
    Role,
    Significant,
    Stop,
    StopSeen,
    Verified,
)
from puntobanco.rules.model import Authority
from puntobanco.store.base import EVERYWHERE, OverdrawnError, Posting
from puntobanco.store.verify import verify_log

MOST_ENTRIES = 1_000


async def allowed(request: AnyRequest, *roles: Role, rank: Authority = Authority.PLAYER) -> Identity:
    """Whoever is signed in, if it is one of these."""
    who = await signed_in(request)
    if who.role not in roles or (who.role == "pit" and who.rank < rank):
        needed = " or ".join(roles) + (f" ({rank.title} or above)" if rank > Authority.PLAYER else "")
        raise FloorError("role", f"this needs {needed}")
    return who


# --- tables


@post("/api/tables", status_code=201)
async def open_table(request: AnyRequest, data: JSONBody[OpenPlan]) -> Response[Brief] | Response[Problem]:
    """Open a table."""
    who = await allowed(request, "admin", "pit", rank=Authority.PIT_MANAGER)
    host = floor_of(request.app.state).host
    opened = await host.open_table(who.person, data)
    if isinstance(opened, Mailbox):
        return Response(host.brief(opened), status_code=201)
    return problem_response(opened)


@get("/api/tables/{table:str}/log")
async def table_log(request: AnyRequest, table: FromPath[str]) -> StreamedResponse:
    """The whole log as it leaves the house, for verify."""
    await allowed(request, "surveillance", "admin", "pit", rank=Authority.PIT_MANAGER)
    host = floor_of(request.app.state).host
    host.find(table)

    def lines() -> Iterator[bytes]:
        yield from host.keeper.export(table)

    name = f"{table}.jsonl"
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{_quoted(name)}"}
    return StreamedResponse(lines, media_type="application/jsonl", headers=headers)


def _quoted(name: str) -> str:
    from urllib.parse import quote

    return quote(name, safe="")


@post("/api/tables/{table:str}/verify", status_code=200)
async def verify(request: AnyRequest, table: FromPath[str]) -> Verified:
    """Check chain, signatures, shoes, every settlement and every balance of a table's log."""
    await allowed(request, "surveillance", "admin", "pit")
    floor = floor_of(request.app.state)
    floor.host.find(table)

    def work() -> Verified:
        report = verify_log(b"".join(floor.host.keeper.export(table)), floor.key.public)
        problem = report.problem
        return Verified(
            table,
            problem is None,
            report.events,
            report.rounds,
            report.checkpoints,
            report.shoes,
            report.unsigned,
            floor.key.public.fingerprint,
            problem.message if problem else "",
            problem.event or 0 if problem else 0,
        )

    return await floor.host.in_thread(work)


@post("/api/tables/{table:str}/clear-fault", status_code=204)
async def clear_fault(request: AnyRequest, table: FromPath[str], data: JSONBody[Stop]) -> None:
    """Somebody has looked: the table may play again. ``*`` clears a fault of all tables."""
    who = await allowed(request, "admin", "pit", rank=Authority.PIT_MANAGER)
    host = floor_of(request.app.state).host
    fault = host.keeper.faults.get(table)
    if fault is None:
        raise FloorError("not_found", f"{'the floor' if table == EVERYWHERE else f'table {table}'} has no fault")
    if not data.why.strip():
        raise FloorError("bad_request", "say why")

    def work() -> None:
        entry = Entry("fault cleared", table, before=fault.reason, why=data.why)
        host.office.record(host.clock(), who.person, entry)
        host.keeper.clear_fault(table)

    await host.in_thread(work)


# --- people


@get("/api/people")
async def people(request: AnyRequest) -> list[PersonSeen]:
    """Everybody known to the floor."""
    await allowed(request, "admin", "pit")
    host = floor_of(request.app.state).host

    def work() -> list[PersonSeen]:
        return host.people.all(host.clock(), host.keeper.store.accounts())

    return await host.in_thread(work)


@post("/api/people", status_code=201)
async def add_person(request: AnyRequest, data: JSONBody[NewPerson]) -> PersonSeen:
    """Make somebody known. The pit adds players; staff are added by the administration."""
    who = await allowed(request, "admin", "pit")
    if who.role == "pit" and data.role != "player":
        raise FloorError("role", "the pit adds players; staff are added by the administration")
    host = floor_of(request.app.state).host
    person = await host.in_thread(host.people.add, who.person, host.clock(), data)
    return PersonSeen(person.name, person.role, person.rank)


@patch("/api/people/{name:str}")
async def change_person(request: AnyRequest, name: FromPath[str], data: JSONBody[ChangePerson]) -> PersonSeen:
    """Another role, rank, password or PIN."""
    who = await allowed(request, "admin")
    host = floor_of(request.app.state).host
    person = await host.in_thread(host.people.change, who.person, host.clock(), name, data)
    return PersonSeen(person.name, person.role, person.rank)


@post("/api/people/{name:str}/revoke", status_code=204)
async def revoke(request: AnyRequest, name: FromPath[str], data: JSONBody[Stop]) -> None:
    """End all sessions of somebody, at once."""
    who = await allowed(request, "admin", "pit", rank=Authority.PIT_MANAGER)
    host = floor_of(request.app.state).host
    await host.in_thread(host.people.revoke, who.person, host.clock(), name, data.why)


@post("/api/people/{name:str}/money", status_code=200)
async def money(request: AnyRequest, name: FromPath[str], data: JSONBody[Money]) -> Balance:
    """Money that comes to a player's account from outside, or leaves it."""
    who = await allowed(request, "admin", "pit", rank=Authority.PIT_MANAGER)
    host = floor_of(request.app.state).host
    if host.people.person(name) is None:
        raise FloorError("not_found", f"there is nobody called {name}")
    if not data.amount or not data.id or abs(data.amount) > 10**15:
        raise FloorError("bad_request", "an amount is not zero and has at most 15 digits, and a posting has an id")

    def work() -> int:
        before = host.keeper.store.balance(name)
        try:
            after = host.keeper.store.post(Posting(f"{name}:{data.id}", name, data.amount, host.clock()))
        except OverdrawnError as error:
            raise FloorError("bad_request", f"there are {error.balance} minor units on the account") from None
        if after != before:
            entry = Entry("money posted", name, str(before), str(after), f"posting {data.id}")
            host.office.record(host.clock(), who.person, entry)
        return after

    return Balance(name, await host.in_thread(work))


# --- stops


@get("/api/stops")
async def stops(request: AnyRequest) -> list[StopSeen]:
    """What was stopped, by whom and why."""
    await allowed(request, "admin", "pit", "surveillance")
    host = floor_of(request.app.state).host
    return await host.in_thread(host.people.stops)


@post("/api/stops", status_code=201)
async def stop(request: AnyRequest, data: JSONBody[Stop]) -> list[StopSeen]:
    """Stop one person, one table, one game or everything: the round in progress concludes, nothing new starts."""
    who = await allowed(request, "admin", "pit")
    host = floor_of(request.app.state).host
    if data.kind == "person" and host.people.person(data.name) is None:
        raise FloorError("not_found", f"there is nobody called {data.name}")
    if data.kind == "table":
        host.find(data.name)
    await host.in_thread(host.people.stop, who.person, host.clock(), data)
    return await host.in_thread(host.people.stops)


@post("/api/stops/lift", status_code=200)
async def lift(request: AnyRequest, data: JSONBody[Stop]) -> list[StopSeen]:
    """Let play begin again."""
    who = await allowed(request, "admin", "pit", rank=Authority.PIT_MANAGER)
    host = floor_of(request.app.state).host
    await host.in_thread(host.people.lift, who.person, host.clock(), data)
    return await host.in_thread(host.people.stops)


# --- devices


@post("/api/devices", status_code=201)
async def add_device(request: AnyRequest, data: JSONBody[NewDevice]) -> DeviceToken:
    """A credential for a scanner or a display of one table, told once."""
    who = await allowed(request, "admin")
    host = floor_of(request.app.state).host
    host.find(data.table)
    return DeviceToken(data.name, await host.in_thread(host.people.add_device, who.person, host.clock(), data))


@delete("/api/devices/{name:str}", status_code=204)
async def remove_device(request: AnyRequest, name: FromPath[str]) -> None:
    """The credential is worth nothing any more."""
    who = await allowed(request, "admin")
    host = floor_of(request.app.state).host
    await host.in_thread(host.people.remove_device, who.person, host.clock(), name)


# --- the floor's own log


@get("/api/significant")
async def significant(
    request: AnyRequest, after: FromQuery[int] = 0, most: FromQuery[int] = MOST_ENTRIES
) -> list[Significant]:
    """Everything significant that was changed, with the value before and after."""
    await allowed(request, "admin", "surveillance", "pit", rank=Authority.PIT_MANAGER)
    if after < 0 or not 1 <= most <= MOST_ENTRIES:
        raise FloorError("bad_request", f"after is 0 or more, most 1 to {MOST_ENTRIES}")
    host = floor_of(request.app.state).host
    return await host.in_thread(host.office.entries, after, most)


@get("/api/key", media_type="application/x-pem-file")
async def public_key(request: AnyRequest) -> bytes:
    """The public key that checkpoints are signed with. Take it from somebody you trust, too."""
    return floor_of(request.app.state).key.public.pem()


HANDLERS = (
    open_table,
    table_log,
    verify,
    clear_fault,
    people,
    add_person,
    change_person,
    revoke,
    money,
    stops,
    stop,
    lift,
    add_device,
    remove_device,
    significant,
    public_key,
)
