"""What goes on beside the play: the cage, the pit, surveillance, devices at the tables, and whoever looks in."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

from tests.floor.serving import PASSWORD
from tests.simulation.people import PIN, PLAYERS, TROUBLE, Client, Person
from tests.table.build import DEALER, MANAGER, SUPERVISOR
from tests.table.strategies import one_in

from puntobanco.cards import CARDS
from puntobanco.client.asynchronous import ClientError, new_id
from puntobanco.floor.wire import (
    Account,
    DeviceKind,
    DeviceToken,
    Give,
    GiveFor,
    Given,
    Light,
    Money,
    NewDevice,
    Opinion,
    PersonSeen,
    SelfCheck,
    Stop,
    Verified,
    Why,
)
from puntobanco.shoes.receipt import check_receipt, parse_receipt
from puntobanco.store.chain import read_checkpoint
from puntobanco.table import commands as c
from puntobanco.table.state import Phase, Table

if TYPE_CHECKING:
    from tests.simulation.world import World

NOT_YET = ("not_found",)
"""What is answered where nothing is signed or over yet."""


async def visit(world: World, chance: Random) -> None:
    """Somebody comes with an old version, or none, and sees everything since then."""
    name = chance.choice(["eye", *PLAYERS])
    role = "surveillance" if name == "eye" else "player"
    tables = [table for table in world.open_tables() if world.ledger.records[table]]
    if not tables:
        return
    table = chance.choice(tables)
    known = len(world.ledger.records[table])
    after = chance.choice([0, max(0, known - chance.randrange(1, 400)), known])
    with suppress(*TROUBLE):
        async with Client(world, name, role) as client:
            await client.sign_in(name, PASSWORD)
            watched = await client.watch(table, after, public=one_in(chance, 3), views=False)
            async with asyncio.timeout(20):
                while (watched.version or 0) < known:
                    await watched.changed()
            if watched.gaps:
                world.broken(f"{name} missed {watched.gaps} events of table {table} after {after}")


async def cage(world: World) -> None:
    """Money comes and goes, and each order for it is sent twice now and then."""
    chance = Random(f"{world.seed} cage")
    while True:
        await asyncio.sleep(chance.expovariate(1 / 40))
        root = world.people["root"].client
        if root is None:
            continue
        name, amount, id = chance.choice(PLAYERS), chance.choice([1_000_00, 250_000_00, -3_000_00]), new_id()
        for _ in range(3 if one_in(chance, 4) else 1):
            with suppress(*TROUBLE):
                await root.request("POST", f"/api/people/{name}/money", Account, Money(id, amount, "SGD"))
                world.ledger.posted[f"{name}:{id}"] = (name, amount)


async def pit(world: World) -> None:
    """Calls, stops, sessions that are ended, what needs two people; what the disk has put out of order is cleared."""
    chance = Random(f"{world.seed} pit")
    while True:
        await asyncio.sleep(chance.expovariate(1 / 25))
        manager = world.people[MANAGER].client
        tables = world.open_tables()
        if manager is None or not tables:
            continue
        table = chance.choice(tables)
        with suppress(*TROUBLE):
            for name, reason in sorted(world.faults_of_the_floor().items()):
                if reason.startswith("the witness file"):
                    await manager.request("POST", f"/api/tables/{name}/clear-fault", type(None), Why("seen to"))
            match chance.randrange(8):
                case 0:
                    await manager.request("POST", f"/api/tables/{table}/call", list[Any], Why("come here"))
                case 1:
                    await manager.request("DELETE", f"/api/tables/{table}/call", type(None))
                case 2:
                    await manager.tables(closed=True)
                case 3:
                    await manager.events(table, max(0, len(world.ledger.records[table]) - 50))
                case 4:
                    await manager.request("GET", "/api/people", list[PersonSeen])
                case 5 if one_in(chance, 3):
                    await _stop(manager, chance, table, world.ledger.latest[table])
                case 6 if one_in(chance, 3):
                    name = chance.choice([*PLAYERS, DEALER])
                    await manager.request("POST", f"/api/people/{name}/revoke", type(None), Why("to sign in anew"))
                case 7:
                    await _by_two(world, chance, table)


async def _stop(manager: Client, chance: Random, table: str, known: Table) -> None:
    """One person, one table, one game or everything stands still for a moment."""
    stops = [
        Stop("table", table, "a pause"),
        Stop("game", known.settings.game, "a pause"),
        Stop("everything", "", "a pause"),
    ]
    stop = chance.choice([*stops, Stop("person", chance.choice(PLAYERS), "a pause")])
    try:
        await manager.request("POST", "/api/stops", list[Any], stop)
        await asyncio.sleep(10)
    finally:
        await manager.request("POST", "/api/stops/lift", list[Any], stop)


async def _by_two(world: World, chance: Random, table: str) -> None:
    """The supervisor gives a command at the dealer's console, with name and PIN."""
    dealer = world.people[DEALER].client
    players = [person.id for person in world.ledger.latest[table].people.values() if not person.staff]
    if dealer is None or not players:
        return
    body = c.BuyIn(chance.choice(players), chance.choice([500_00, 200_000_00]), chance.choice(["account", "cash"]))
    give = Give(new_id(), body)
    world.asks(dealer, table, f"{SUPERVISOR}:{give.id}", body)
    try:
        for _ in range(2 if one_in(chance, 4) else 1):
            asked = GiveFor(SUPERVISOR, PIN, give)
            given = await dealer.request("POST", f"/api/tables/{table}/commands-for", Given, asked)
            world.ledger.done(table, f"{SUPERVISOR}:{give.id}", given.version)
    finally:
        world.answered(table, f"{SUPERVISOR}:{give.id}")


async def surveillance(world: World) -> None:
    """Looks into what is signed, and has logs verified, which finds nothing."""
    chance = Random(f"{world.seed} surveillance")
    while True:
        await asyncio.sleep(chance.expovariate(1 / 60))
        eye = world.people["eye"].client
        names = [name for name, records in world.ledger.records.items() if records]
        if eye is None or not names:
            continue
        name = chance.choice(names)
        with suppress(*TROUBLE):
            match chance.randrange(6):
                case 0 if len(world.ledger.records[name]) < LONG:
                    found = await eye.request("POST", f"/api/tables/{name}/verify", Verified)
                    if not found.ok:
                        world.broken(f"the log of table {name} does not verify: {found.problem}")
                case 1:
                    root = world.people["root"].client
                    if root is not None:
                        checked = await root.request("POST", "/api/self-check", SelfCheck)
                        if not checked.ok:
                            world.broken(f"the self-check found {checked.found}")
                case 2 | 3:
                    await _receipt(world, chance, eye, name)
                case 4 | 5:
                    await _shoe_receipt(world, chance, eye, name)


LONG = 3_000
"""Events of a log that takes too long to verify while others wait."""


async def _receipt(world: World, chance: Random, eye: Client, name: str) -> None:
    """The checkpoint that covers an event is signed, and names the record as it is."""
    version = chance.randint(1, len(world.ledger.records[name]))
    try:
        line = await eye.request("GET", f"/api/tables/{name}/receipts/{version}", bytes)
    except ClientError as error:
        if error.code in NOT_YET:
            return
        raise
    checkpoint = read_checkpoint(line.rstrip(b"\n"))
    covers = checkpoint.checkpoint.table == name and checkpoint.checkpoint.version >= version
    if not covers or not any(checkpoint.signed_by(floor.key.public) for floor in world.floors()):
        world.broken(f"the receipt for {version} of table {name} is {line!r}")


async def _shoe_receipt(world: World, chance: Random, eye: Client, name: str) -> None:
    """The receipt of a shoe that is over can be checked by anybody."""
    number = chance.randint(1, max(1, world.ledger.latest[name].shoe.number))
    try:
        text = await eye.request("GET", f"/api/tables/{name}/shoes/{number}", bytes)
    except ClientError as error:
        if error.code in NOT_YET:
            return
        raise
    found = parse_receipt(text)
    check_receipt(found.receipt)


# --- devices


async def devices(world: World) -> None:
    """A scanner, a shoe with a light and a display at each table that is dealt by hand, and what they report."""
    chance = Random(f"{world.seed} devices")
    there: dict[str, dict[str, Person]] = {}
    while True:
        await asyncio.sleep(chance.expovariate(1 / 6))
        by_hand = [name for name in world.open_tables() if not world.ledger.latest[name].settings.electronic]
        if not by_hand:
            continue
        name = chance.choice(by_hand)
        if name not in there:
            there[name] = {}
        mine = there[name]
        if len(mine) < len(KINDS):
            await _plug_in(world, name, mine)
            continue
        with suppress(*TROUBLE):
            await _report(world, chance, name, mine)


KINDS: tuple[DeviceKind, ...] = ("scanner", "shoe", "display")


async def _plug_in(world: World, table: str, mine: dict[str, Person]) -> None:
    root = world.people["root"].client
    kind = next(kind for kind in KINDS if kind not in mine)
    if root is None:
        return
    with suppress(*TROUBLE):
        name = f"{kind} {new_id()[:8]}"
        made = await root.request("POST", "/api/devices", DeviceToken, NewDevice(name, kind, table))
        person = mine[kind] = Person(world, name, kind, token=made.token, tables=(table,))
        world.later(person.live(), name)


async def _report(world: World, chance: Random, name: str, mine: dict[str, Person]) -> None:
    """A card as the scanner reads it, rightly or not, or the result as the light of the shoe shows it."""
    table = world.ledger.latest[name]
    if one_in(chance, 4):
        shoe = mine["shoe"].client
        if shoe is not None and (table.round or table.last):
            light = Light(chance.choice(["player", "banker", "tie"]))
            await shoe.request("POST", f"/api/tables/{name}/light", Opinion, light)
        return
    person = mine[chance.choice(["scanner", "shoe"])]
    if person.client is None or table.phase is not Phase.DEALING:
        return
    body, id = c.Draw(chance.choice(CARDS)), new_id()
    command = f"{person.role}/{person.name}:{id}"
    world.asks(person.client, name, command, body)
    try:
        for _ in range(2 if one_in(chance, 10) else 1):
            given = await person.client.post_command(name, body, id=id)
            world.ledger.done(name, command, given.version)
    finally:
        world.answered(name, command)
