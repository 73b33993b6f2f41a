"""The interface for everybody: sign in, look at tables, give commands, follow the stream."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
from litestar import Response, WebSocket, delete, get, post, put, websocket
from litestar.datastructures import Cookie, State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, FromQuery, JSONBody

from puntobanco.floor.access import STAFF, AnyRequest, floor_of, only, problems, sender, signed_in, strictly
from puntobanco.floor.doorway import WIRE, Wire
from puntobanco.floor.floor import Floor
from puntobanco.floor.gate import address_of
from puntobanco.floor.host import Host, Mailbox
from puntobanco.floor.office import FloorError
from puntobanco.floor.people import Identity, csrf_of
from puntobanco.floor.stream import Stream, as_seen, encode, viewer_of
from puntobanco.floor.wire import (
    Account,
    Brief,
    Bye,
    FactorCode,
    FactorGiven,
    Give,
    GiveFor,
    Given,
    Light,
    Opinion,
    OwnChange,
    OwnFactor,
    OwnPassword,
    OwnSeen,
    Part,
    Problem,
    Seat,
    SignedIn,
    SignIn,
    balances_of,
)
from puntobanco.table.state import layout_of
from puntobanco.views.judge import Action
from puntobanco.views.view import View, round_actions, view
from puntobanco.words import language_wanted

MOST_EVENTS = 2_000
"""Events in one answer."""

LARGEST = 2**63 - 1
"""The largest number that a store can look for."""


# --- sessions


@post("/api/session", status_code=200, responses=problems(400, 401, 403, 413, 429, 503))
async def sign_in(request: AnyRequest, data: JSONBody[SignIn]) -> Response[SignedIn]:
    """Begin a session: in a cookie for pages, as a token for other clients."""
    floor = floor_of(request.app.state)
    floor.gate.check_origin(request)
    floor.gate.check_rate(request, sign_in=True)
    people, now = floor.host.people, floor.host.clock()
    token, who = await floor.host.at_the_door(
        people.sign_in, now, data.name, data.password, address_of(request), data.code
    )
    return _begun(floor, token, who)


@post("/api/session/factor", status_code=200, **only("dealer", "pit", "surveillance", "admin"))
async def begin_factor(request: AnyRequest, data: JSONBody[OwnFactor]) -> FactorGiven:
    """A new authenticator for the signed-in person, for a password; it counts once its code is shown."""
    floor = floor_of(request.app.state)
    people, now, who = floor.host.people, floor.host.clock(), sender(request)
    found = await floor.host.at_the_door(people.begin_factor, now, who.person, data.password, address_of(request))
    return FactorGiven(found)


@put("/api/session/factor", status_code=204, **only("dealer", "pit", "surveillance", "admin"))
async def prove_factor(request: AnyRequest, data: JSONBody[FactorCode]) -> None:
    """A code of the authenticator that one was given: from now on one signs in with one."""
    floor = floor_of(request.app.state)
    who = sender(request)
    await floor.host.at_the_door(floor.host.people.factors.prove, floor.host.clock(), who.person, data.code)


@post("/api/session/password", status_code=200, **signed_in())
async def change_password(request: AnyRequest, data: JSONBody[OwnPassword]) -> Response[SignedIn]:
    """One's own new password. All sessions end, and a new one begins."""
    floor = floor_of(request.app.state)
    people, now, who = floor.host.people, floor.host.clock(), sender(request)
    token, who = await floor.host.at_the_door(
        people.change_password, now, who.person, data.old, data.new, address_of(request)
    )
    return _begun(floor, token, who)


def _begun(floor: Floor, token: str, who: Identity) -> Response[SignedIn]:
    answer = SignedIn(who.person, _role(who), who.rank, csrf_of(token), token)
    cookie = Cookie(
        floor.gate.cookie,
        value=token,
        path="/",
        httponly=True,
        samesite="strict",
        secure=floor.gate.secure,
        max_age=floor.host.people.limits.longest * 60,
    )
    return Response(answer, cookies=[cookie])


@get("/api/session", **signed_in())
async def session(request: AnyRequest) -> SignedIn:
    """Who is signed in."""
    who = sender(request)
    return SignedIn(who.person, _role(who), who.rank, csrf_of(floor_of(request.app.state).gate.token_of(request)))


@delete("/api/session", status_code=204, **signed_in())
async def sign_out(request: AnyRequest) -> Response[None]:
    """End the session."""
    floor = floor_of(request.app.state)
    await floor.host.in_thread(floor.host.people.sign_out, sender(request))
    gone = Cookie(floor.gate.cookie, value="", path="/", max_age=0, secure=floor.gate.secure)
    return Response(None, status_code=204, cookies=[gone])


def _role(who: Identity) -> Any:
    return who.role


@get("/api/account", **signed_in())
async def account(request: AnyRequest) -> Account:
    """The signed-in person's account in each currency, with that person's chips at tables."""
    who = sender(request)
    host = floor_of(request.app.state).host
    balances = balances_of(await host.in_thread(host.keeper.store.balances, who.person))
    return Account(who.person, balances, tuple(_seats(host, who.person)))


@get("/api/account/limits", **only("player"))
async def own_limits(request: AnyRequest) -> OwnSeen:
    """What one has asked of oneself: how much one may lose in a day, reminders of the time, a break."""
    who, host = sender(request), floor_of(request.app.state).host
    return await host.in_thread(host.own.seen, who.person, host.clock())


@put("/api/account/limits", **only("player"))
async def set_own_limits(request: AnyRequest, data: JSONBody[OwnChange]) -> OwnSeen:
    """Ask something else of oneself; what is stricter holds at once, what is less strict a day later."""
    who, host = sender(request), floor_of(request.app.state).host
    change = await strictly(request, data)
    return await host.in_thread(host.own.change, who.person, host.clock(), change)


def _seats(host: Host, person: str) -> Iterator[Seat]:
    """Where somebody is in play."""
    for mailbox in host.tables():
        table = mailbox.table
        if table is not None and table.open and person in table.people:
            chips = table.stack(person) + table.balances.get(layout_of(person), 0)
            settings = table.settings
            yield Seat(mailbox.name, table.people[person].box, settings.currency, settings.digits, chips)


# --- tables


@get("/api/tables", **signed_in(devices=True))
async def tables(request: AnyRequest, closed: FromQuery[bool] = False) -> list[Brief]:
    """All tables that are open; for surveillance and the pit those that have closed as well."""
    who, host = sender(request), floor_of(request.app.state).host
    if closed and who.role not in ("pit", "surveillance"):
        raise FloorError("role", f"a {who.role} sees open tables only")
    found = [mailbox for mailbox in host.tables() if closed or (mailbox.table is not None and mailbox.table.open)]
    mine = [mailbox for mailbox in found if not who.table or who.table == mailbox.name]
    # stops may have to be read, and that may wait for the store
    briefs = await host.in_thread(lambda: [host.brief(mailbox) for mailbox in mine])
    if who.role in STAFF or who.role in ("surveillance", "admin"):
        return briefs
    # why staff has stopped a table is a note for staff, and no text for a display
    return [msgspec.structs.replace(each, stopped="stopped") if each.stopped else each for each in briefs]


@get("/api/tables/{table:str}", **signed_in(devices=True))
async def table_view(request: AnyRequest, table: FromPath[str], public: FromQuery[bool] = False) -> View:
    """A table as the viewer may see it, with what the viewer may do now."""
    who, host, mailbox = at_table(request, table)
    assert mailbox.table is not None
    return view(mailbox.table, viewer_of(who, as_display=public), host.clock())


@get("/api/tables/{table:str}/corrections/{number:int}", **only(*STAFF, "surveillance"))
async def corrections(request: AnyRequest, table: FromPath[str], number: FromPath[int]) -> tuple[Action, ...]:
    """Corrections of the record that may be proposed of a round of this shoe."""
    who, host, mailbox = at_table(request, table)
    assert mailbox.table is not None
    return round_actions(mailbox.table, viewer_of(who), number, host.clock())


@get("/api/tables/{table:str}/events", **signed_in(devices=True))
async def table_events(
    request: AnyRequest, table: FromPath[str], after: FromQuery[int] = 0, most: FromQuery[int] = MOST_EVENTS
) -> Part:
    """The events after a version, as the viewer may see them."""
    who, host, mailbox = at_table(request, table)
    if not 0 <= after <= LARGEST or not 1 <= most <= MOST_EVENTS:
        raise FloorError("bad_request", f"after is 0 or more, most 1 to {MOST_EVENTS}")
    records = await host.look_back(who, host.keeper.records, table, after, most)
    assert mailbox.table is not None
    # what is stored but not told yet comes with the stream
    told = [record for record in records if record.version <= mailbox.version]
    return Part(table, after, mailbox.version, as_seen(told, mailbox.table, viewer_of(who)))


def at_table(request: AnyRequest, table: str) -> tuple[Identity, Host, Mailbox]:
    """Who looks at a table; a device may use one table only."""
    who, host = sender(request), floor_of(request.app.state).host
    if who.table and who.table != table:
        raise FloorError("role", f"{who.person} may only use table {who.table}")
    return who, host, host.find(table)


@post("/api/tables/{table:str}/commands", status_code=200, **signed_in(devices=True))
async def give(request: AnyRequest, table: FromPath[str], data: JSONBody[Give]) -> Given:
    """Give a command; answered when it is durable, or refused."""
    return await _given(request, table, sender(request), await strictly(request, data))


@post("/api/tables/{table:str}/commands-for", status_code=200, **only(*STAFF))
async def give_for(request: AnyRequest, table: FromPath[str], data: JSONBody[GiveFor]) -> Given:
    """A second person gives a command at this console, by name and PIN."""
    host = floor_of(request.app.state).host
    data = await strictly(request, data)
    second = await host.at_the_door(host.people.check_pin, host.clock(), data.person, data.pin, address_of(request))
    if not second.staff:
        raise FloorError("role", f"{data.person} has no rank")
    return await _given(request, table, second, data.give, sender(request))


@post("/api/tables/{table:str}/light", status_code=200, **only("shoe"))
async def light(request: AnyRequest, table: FromPath[str], data: JSONBody[Light]) -> Opinion:
    """What the light of the shoe shows, compared with the cards on record; a difference stops the round."""
    _, host, _ = at_table(request, table)
    outcome = await host.light(table, data.result)
    if isinstance(outcome, Problem):
        raise FloorError.of(outcome)
    return outcome


async def _given(request: AnyRequest, table: str, who: Identity, data: Give, witness: Identity | None = None) -> Given:
    host = floor_of(request.app.state).host
    outcome = await host.give(table, who, data, witness)
    if isinstance(outcome, Problem):
        language = language_wanted(request.headers.get("accept-language", ""))
        raise FloorError.of(host.said_in(language, table, outcome))
    seen = as_seen(outcome.records, outcome.table, viewer_of(who))
    return Given(data.id, outcome.records[-1].version, seen, outcome.repeated)


@get("/api/tables/{table:str}/receipts/{version:int}", **signed_in(devices=True))
async def receipt(request: AnyRequest, table: FromPath[str], version: FromPath[int]) -> Response[bytes]:
    """The signed checkpoint that covers an event, to keep; there is none before the end of the round."""
    who, host, _ = at_table(request, table)
    line = await host.look_back(who, host.keeper.receipt, table, version) if 0 < version <= LARGEST else None
    if line is None:
        raise FloorError("not_found", f"nothing of table {table} is signed at or after {version} yet")
    return Response(line + b"\n", media_type="application/json")


@get("/api/tables/{table:str}/shoes/{number:int}", **signed_in(devices=True))
async def shoe_receipt(request: AnyRequest, table: FromPath[str], number: FromPath[int]) -> Response[bytes]:
    """The signed receipt of a shoe that is over, for ``puntobanco verify-shoe`` or any other check."""
    who, host, _ = at_table(request, table)
    receipts = floor_of(request.app.state).shoe_receipts
    found = await host.look_back(who, receipts.of, table, number) if 0 < number <= LARGEST else None
    if found is None:
        raise FloorError("not_found", f"table {table} has no shoe {number} that is over and was committed to")
    return Response(found + b"\n", media_type="application/json")


# --- the stream


class _Socket:
    """A websocket as the stream wants it."""

    def __init__(self, socket: WebSocket[Any, Any, State]) -> None:
        self._socket = socket
        self._wire: Wire | None = socket.scope.get(WIRE)  # type: ignore[assignment]

    async def receive(self) -> str | bytes | None:
        message = await self._socket.receive()
        if message["type"] != "websocket.receive":
            return None
        text = message.get("text")
        return text if text is not None else message.get("bytes")

    async def send(self, frame: str) -> None:
        try:
            await self._socket.send_text(frame)
        except (OSError, RuntimeError, WebSocketDisconnect) as error:
            raise ConnectionResetError("the client has gone") from error

    def take(self, frame: bytes) -> bool:
        return self._wire is not None and self._wire.take(frame)


@websocket("/api/stream")
async def stream(socket: WebSocket[Any, Any, State]) -> None:
    """Follow tables and give commands; docs/floor.md has the frames."""
    floor = floor_of(socket.app.state)
    await socket.accept()
    end = _Socket(socket)
    with suppress(ConnectionError, RuntimeError, WebSocketDisconnect):  # the client may go at any moment
        if not floor.ready:
            await end.send(encode(Bye("unavailable", "the server is going down: connect again", True)).decode())
            await socket.close(1012)
            return
        try:
            floor.gate.check_origin(socket)
            floor.gate.check_rate(socket)
            who = await floor.gate.identify(socket)
            floor.gate.check_streams(who.person, sum(each.identity.person == who.person for each in floor.streams))
        except FloorError as error:
            problem = error.problem
            await end.send(encode(Bye(problem.code, problem.message, False)).decode())
            await socket.close(4401 if problem.code == "sign_in" else 4403)
            return
        language = language_wanted(socket.headers.get("accept-language", ""))
        served = Stream(floor.host, floor.gallery, end, who, floor.gate.frames(), language)
        floor.streams.add(served)
        try:
            await served.run()
        finally:
            floor.streams.discard(served)
        await socket.close()


HANDLERS = (
    sign_in,
    session,
    sign_out,
    change_password,
    begin_factor,
    prove_factor,
    account,
    own_limits,
    set_own_limits,
    tables,
    table_view,
    corrections,
    table_events,
    give,
    give_for,
    light,
    receipt,
    shoe_receipt,
    stream,
)
