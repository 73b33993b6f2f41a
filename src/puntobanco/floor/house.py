"""The interface for the house: the pit, surveillance, the administration."""

from __future__ import annotations

from collections.abc import Iterator

from litestar import delete, get, patch, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Stream as StreamedResponse

from puntobanco.currencies import is_code
from puntobanco.floor.access import AnyRequest, floor_of, only, sender, strictly
from puntobanco.floor.host import check_id
from puntobanco.floor.office import FloorError
from puntobanco.floor.play import LARGEST
from puntobanco.floor.wire import (
    Account,
    Brief,
    CallSeen,
    ChangePerson,
    DeviceSeen,
    DeviceToken,
    Money,
    NewDevice,
    NewPerson,
    OpenPlan,
    PersonSeen,
    Problem,
    SelfCheck,
    Significant,
    Stop,
    StopSeen,
    Verified,
    Why,
    balances_of,
)
from puntobanco.rules.model import Authority
from puntobanco.store.verify import verify_log

MOST_ENTRIES = 1_000


# --- tables


@post("/api/tables", status_code=201, **only("admin", "pit", rank=Authority.PIT_MANAGER))
async def open_table(request: AnyRequest, data: JSONBody[OpenPlan]) -> Brief:
    """Open a table."""
    who = sender(request)
    host = floor_of(request.app.state).host
    opened = await host.open_table(who.person, await strictly(request, data))
    if isinstance(opened, Problem):
        raise FloorError.of(opened)
    return await host.in_thread(host.brief, opened)


@get(
    "/api/tables/{table:str}/log",
    media_type="application/jsonl",
    **only("surveillance", "admin", "pit", rank=Authority.PIT_MANAGER),
)
async def table_log(request: AnyRequest, table: FromPath[str]) -> StreamedResponse:
    """The log as it leaves the house, for verify; while a card lies face down, as far as before it was dealt."""
    host = floor_of(request.app.state).host
    host.check_log(table)

    def lines() -> Iterator[bytes]:
        yield from host.keeper.export_open(table)

    name = f"{table}.jsonl"
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{_quoted(name)}"}
    return StreamedResponse(lines, media_type="application/jsonl", headers=headers)


def _quoted(name: str) -> str:
    from urllib.parse import quote

    return quote(name, safe="")


@post("/api/tables/{table:str}/verify", status_code=200, **only("surveillance", "admin", "pit"))
async def verify(request: AnyRequest, table: FromPath[str]) -> Verified:
    """Check chain, signatures, shoes, every settlement and every balance of a table's log."""
    floor = floor_of(request.app.state)
    floor.host.check_log(table)

    def work() -> Verified:
        report = verify_log(b"".join(floor.host.keeper.export(table)), floor.key.public, books=floor.books)
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

    return await floor.host.look_back(sender(request), work)


@post("/api/tables/{table:str}/clear-fault", status_code=204, **only("admin", "pit", rank=Authority.PIT_MANAGER))
async def clear_fault(request: AnyRequest, table: FromPath[str], data: JSONBody[Why]) -> None:
    """Somebody has looked: the table may play again. ``*`` clears a fault of all tables."""
    who = sender(request)
    await floor_of(request.app.state).host.clear_fault(who.person, table, data.why)


# --- the installation


@post("/api/self-check", status_code=200, **only("admin"))
async def self_check(request: AnyRequest) -> SelfCheck:
    """Compare books, code and settings with what was approved; what differs closes the tables."""
    host = floor_of(request.app.state).host
    found = await host.in_thread(host.keeper.self_check, host.clock())
    return SelfCheck(not found, found)


# --- people


@get("/api/people", **only("admin", "pit"))
async def people(request: AnyRequest) -> list[PersonSeen]:
    """Everybody known to the floor."""
    host = floor_of(request.app.state).host

    def work() -> list[PersonSeen]:
        return host.people.all(host.clock(), host.keeper.store.accounts())

    return await host.in_thread(work)


@post("/api/people", status_code=201, **only("admin", "pit"))
async def add_person(request: AnyRequest, data: JSONBody[NewPerson]) -> PersonSeen:
    """Make somebody known. The pit adds players; staff are added by the administration."""
    who = sender(request)
    if who.role == "pit" and data.role != "player":
        raise FloorError("role", "the pit adds players; staff are added by the administration")
    host = floor_of(request.app.state).host
    person = await host.in_thread(host.people.add, who.person, host.clock(), data)
    return PersonSeen(person.name, person.role, person.rank)


@patch("/api/people/{name:str}", **only("admin"))
async def change_person(request: AnyRequest, name: FromPath[str], data: JSONBody[ChangePerson]) -> PersonSeen:
    """Another role, rank, password or PIN."""
    who = sender(request)
    host = floor_of(request.app.state).host
    person = await host.in_thread(host.people.change, who.person, host.clock(), name, data)
    return PersonSeen(person.name, person.role, person.rank)


@post("/api/people/{name:str}/revoke", status_code=204, **only("admin", "pit", rank=Authority.PIT_MANAGER))
async def revoke(request: AnyRequest, name: FromPath[str], data: JSONBody[Why]) -> None:
    """End all sessions of somebody, at once."""
    who = sender(request)
    host = floor_of(request.app.state).host
    await host.in_thread(host.people.revoke, who.person, host.clock(), name, data.why)


@post("/api/people/{name:str}/money", status_code=200, **only("admin", "pit", rank=Authority.PIT_MANAGER))
async def money(request: AnyRequest, name: FromPath[str], data: JSONBody[Money]) -> Account:
    """Money that comes to a player's account from outside, or leaves it."""
    who = sender(request)
    host = floor_of(request.app.state).host
    data = await strictly(request, data)
    host.people.check_player(name)
    check_id(data.id)
    if not data.amount or abs(data.amount) > 10**15:
        raise FloorError("bad_request", "an amount is not zero and has at most 15 digits")

    if not is_code(data.currency):
        raise FloorError("bad_request", "a currency is a code in capital letters, as in SGD")

    def work() -> dict[str, int]:
        host.office.post(host.clock(), who.person, name, data.id, data.amount, data.currency)
        return host.keeper.store.balances(name)

    return Account(name, balances_of(await host.in_thread(work)))


# --- stops


@get("/api/stops", **only("admin", "pit", "surveillance"))
async def stops(request: AnyRequest) -> list[StopSeen]:
    """What was stopped, by whom and why."""
    host = floor_of(request.app.state).host
    return await host.in_thread(host.people.stops)


@post("/api/stops", status_code=201, **only("admin", "pit"))
async def stop(request: AnyRequest, data: JSONBody[Stop]) -> list[StopSeen]:
    """Stop one person, one table, one game or everything: the round in progress concludes, nothing new starts."""
    who = sender(request)
    host = floor_of(request.app.state).host
    await host.in_thread(host.people.stop, who.person, host.clock(), data)
    return await host.in_thread(host.people.stops)


@post("/api/stops/lift", status_code=200, **only("admin", "pit", rank=Authority.PIT_MANAGER))
async def lift(request: AnyRequest, data: JSONBody[Stop]) -> list[StopSeen]:
    """Let play begin again."""
    who = sender(request)
    host = floor_of(request.app.state).host
    await host.in_thread(host.people.lift, who.person, host.clock(), data)
    return await host.in_thread(host.people.stops)


# --- calls


@get("/api/calls", **only("dealer", "pit", "surveillance", "admin"))
async def calls(request: AnyRequest) -> list[CallSeen]:
    """Tables to which a supervisor was called, the longest wait first."""
    floor = floor_of(request.app.state)
    return await floor.host.in_thread(floor.calls.all)


@post("/api/tables/{table:str}/call", status_code=201, **only("dealer", "pit"))
async def call(request: AnyRequest, table: FromPath[str], data: JSONBody[Why]) -> list[CallSeen]:
    """Call a supervisor to a table; the pit is shown it until somebody clears it."""
    who = sender(request)
    floor = floor_of(request.app.state)
    floor.host.find(table)
    await floor.host.in_thread(floor.calls.call, who.person, floor.host.clock(), table, data.why)
    return await floor.host.in_thread(floor.calls.all)


@delete("/api/tables/{table:str}/call", status_code=204, **only("dealer", "pit"))
async def clear_call(request: AnyRequest, table: FromPath[str]) -> None:
    """Somebody has come, or is no longer needed."""
    who = sender(request)
    floor = floor_of(request.app.state)
    pit = who.role == "pit"
    await floor.host.in_thread(floor.calls.clear, who.person, floor.host.clock(), table, pit=pit)


# --- devices


@get("/api/devices", **only("admin"))
async def devices(request: AnyRequest) -> list[DeviceSeen]:
    """Every scanner, shoe and display with a credential; the credentials themselves nobody is told again."""
    host = floor_of(request.app.state).host
    found = await host.in_thread(host.people.devices)
    return [DeviceSeen(each.name, each.kind, each.table) for each in found]


@post("/api/devices", status_code=201, **only("admin"))
async def add_device(request: AnyRequest, data: JSONBody[NewDevice]) -> DeviceToken:
    """A credential for a scanner, a shoe or a display of one table, told once."""
    who = sender(request)
    host = floor_of(request.app.state).host
    host.find(data.table)
    return DeviceToken(data.name, await host.in_thread(host.people.add_device, who.person, host.clock(), data))


@delete("/api/devices/{name:str}", status_code=204, **only("admin"))
async def remove_device(request: AnyRequest, name: FromPath[str]) -> None:
    """The credential is no longer valid."""
    who = sender(request)
    host = floor_of(request.app.state).host
    await host.in_thread(host.people.remove_device, who.person, host.clock(), name)


# --- the floor's own log


@get("/api/significant", **only("admin", "surveillance", "pit", rank=Authority.PIT_MANAGER))
async def significant(
    request: AnyRequest, after: FromQuery[int] = 0, most: FromQuery[int] = MOST_ENTRIES
) -> list[Significant]:
    """Everything significant that was changed, with the value before and after."""
    if not 0 <= after <= LARGEST or not 1 <= most <= MOST_ENTRIES:
        raise FloorError("bad_request", f"after is 0 or more, most 1 to {MOST_ENTRIES}")
    host = floor_of(request.app.state).host
    return await host.look_back(sender(request), host.office.entries, after, most)


@get("/api/key", media_type="application/x-pem-file")
async def public_key(request: AnyRequest) -> bytes:
    """The public key that checkpoints are signed with. Take it from somebody you trust, too."""
    return floor_of(request.app.state).key.public.pem()


HANDLERS = (
    open_table,
    table_log,
    verify,
    clear_fault,
    self_check,
    people,
    add_person,
    change_person,
    revoke,
    money,
    calls,
    call,
    clear_call,
    stops,
    stop,
    lift,
    devices,
    add_device,
    remove_device,
    significant,
    public_key,
)
