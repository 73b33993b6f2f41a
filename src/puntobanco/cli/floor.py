"""The floor on the command line: serve it, and administer people, tables, stops and keys."""

from __future__ import annotations

import getpass
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

from cyclopts import App, Parameter

from puntobanco.cli.common import UsageError, unwrapped
from puntobanco.cli.render import console, new_table, say
from puntobanco.currencies import in_words, is_code
from puntobanco.rules.model import Authority

if TYPE_CHECKING:
    from puntobanco.floor.floor import Floor
    from puntobanco.floor.people import Person
    from puntobanco.floor.settings import FloorSettings
    from puntobanco.floor.wire import PersonSeen

# The service and what is behind it take a while to load, which no other command should pay for.

Config = Annotated[str | None, Parameter(metavar="FILE", help="Settings in TOML; puntobanco help floor lists them.")]
Folder = Annotated[str | None, Parameter(metavar="DIR", help="Keys, vault, witness file and embedded record.")]
StoreOption = Annotated[str | None, Parameter(metavar="STORE", help="The record: a SQLite file, or postgresql://…")]
PASSWORD = "PUNTOBANCO_PASSWORD"


def serve(
    *,
    config: Config = None,
    folder: Folder = None,
    store: StoreOption = None,
    host: Annotated[str | None, Parameter(metavar="ADDRESS", help="Where to listen (127.0.0.1).")] = None,
    port: Annotated[int | None, Parameter(metavar="PORT", help="Where to listen (8000); 0 takes a free one.")] = None,
    books: Annotated[str | None, Parameter(metavar="DIR", help="A folder of books of your own.")] = None,
) -> None:
    """Serve a floor until told to stop; then finish what is under way, so that nothing is lost.

    Settings come from the file, the environment (PUNTOBANCO_PORT=8000 and so on) and the options; later
    ones override earlier ones. With PostgreSQL any number of processes serve the same tables; only one may serve a
    SQLite file.
    """
    from puntobanco.floor.floor import open_floor
    from puntobanco.floor.serve import address_of, listen
    from puntobanco.floor.serve import serve as serve_floor

    settings = _settings(config, folder=folder, store=store, host=host, port=port, books=books)
    with _clearly(), listen(settings) as listening:
        floor = open_floor(settings)
        print(f"serving at {address_of(listening, settings)}", flush=True)
        serve_floor(settings, listening, floor)


admin = App(
    name="admin",
    help="People, tables, stops and keys of a floor that this machine can reach.",
    help_format="plaintext",
    sort_key=100,
)


def _command(command: Callable[..., None]) -> Callable[..., None]:
    admin.command(command, help=unwrapped(command))
    return command


@_command
def people(*, config: Config = None, folder: Folder = None, store: StoreOption = None) -> None:
    """List everybody known to the floor."""
    with _office(config, folder, store, new=False) as floor:
        found = floor.people.all(_now(), floor.store.accounts())
    table = new_table("name", "role", "rank", "account", "sessions", "")
    for person in found:
        remark = person.stopped or ("locked" if person.locked else "")
        balances = "\n".join(in_words(each.balance, each.currency) for each in person.balances)
        table.add_row(person.name, person.role, _rank(person), balances, str(person.sessions), remark)
    console().print(table)


@_command
def add_person(
    name: str,
    role: Annotated[str, Parameter(help="player, dealer, pit, surveillance or admin")],
    /,
    *,
    rank: Annotated[
        str | None, Parameter(help="Of the pit: pit_supervisor, dealer_inspector, pit_manager and above.")
    ] = None,
    config: Config = None,
    folder: Folder = None,
    store: StoreOption = None,
) -> None:
    """Add a person; asks for the password (or takes it from PUNTOBANCO_PASSWORD)."""
    import msgspec

    from puntobanco.floor.wire import NewPerson

    _check_place(role, rank)
    new = msgspec.convert({"name": name, "role": role, "password": _password(), "rank": rank}, NewPerson)
    with _office(config, folder, store) as floor:
        person = floor.people.add(_actor(), _now(), new)
    say(f"{person.name}: {_place(person)}")


@_command
def change_person(
    name: str,
    /,
    *,
    why: str,
    role: str | None = None,
    rank: str | None = None,
    password: Annotated[bool, Parameter(negative=(), help="Ask for a new password; sessions end.")] = False,
    pin: Annotated[bool, Parameter(negative=(), help="Ask for a new PIN.")] = False,
    config: Config = None,
    folder: Folder = None,
    store: StoreOption = None,
) -> None:
    """Change a person's role, rank, password or PIN."""
    import msgspec

    from puntobanco.floor.wire import ChangePerson

    _check_place(role, rank)
    values: dict[str, Any] = {"why": why, "role": role, "rank": rank}
    values["password"] = _password() if password else None
    values["pin"] = _password("PIN") if pin else None
    change = msgspec.convert(values, ChangePerson)
    with _office(config, folder, store) as floor:
        person = floor.people.change(_actor(), _now(), name, change)
    say(f"{person.name}: {_place(person)}")


@_command
def revoke(name: str, /, *, why: str, config: Config = None, folder: Folder = None, store: StoreOption = None) -> None:
    """End all of a person's sessions."""
    with _office(config, folder, store) as floor:
        ended = floor.people.revoke(_actor(), _now(), name, why)
    say(f"{ended} session{'s' * (ended != 1)} ended")


@_command
def money(
    name: str,
    amount: Annotated[
        str, Parameter(help="In minor units; below zero it leaves the account.", allow_leading_hyphen=True)
    ],
    currency: Annotated[str, Parameter(help="Its code, as in SGD. An account holds each currency apart.")],
    /,
    *,
    id: Annotated[str, Parameter(help="Of the posting: the same again has no second effect.")],
    config: Config = None,
    folder: Folder = None,
    store: StoreOption = None,
) -> None:
    """Move money between a player's account and the world outside."""
    from puntobanco.floor.host import check_id

    with _office(config, folder, store) as floor:
        floor.people.check_player(name)
        check_id(id)
        after = floor.office.post(_now(), _actor(), name, id, _minor_units(amount), _currency(currency))
    say(f"{name}: {in_words(after, currency)}")


def _currency(text: str) -> str:
    if not is_code(text):
        raise UsageError(f"{text} is not a currency: write a code in capital letters, as in SGD")
    return text


def _minor_units(text: str) -> int:
    """Whole ones: what is typed with a point is not rounded but refused."""
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 16 or not 1 <= int(digits) <= 10**15:
        raise UsageError(f"{text} is not an amount: whole minor units, not zero, at most 15 digits")
    return int(text)


@_command
def stop(
    kind: Annotated[str, Parameter(help="person, table, game or everything")],
    name: str = "",
    /,
    *,
    why: str,
    lift: Annotated[bool, Parameter(negative=(), help="Let play begin again.")] = False,
    config: Config = None,
    folder: Folder = None,
    store: StoreOption = None,
) -> None:
    """Stop one person, one table, one game or everything: the round in progress concludes, nothing new starts."""
    import msgspec

    from puntobanco.floor.wire import Stop, StopKind

    _check_choice("what is stopped is", kind, get_args(StopKind))
    wanted = msgspec.convert({"kind": kind, "name": name, "why": why}, Stop)
    with _office(config, folder, store) as floor:
        (floor.people.lift if lift else floor.people.stop)(_actor(), _now(), wanted)
        for held in floor.people.stops():
            say(f"{held.kind} {held.name}: {held.why} ({held.by})")


@_command
def tables(*, config: Config = None, folder: Folder = None, store: StoreOption = None) -> None:
    """List all tables, open or closed, with where their logs end and whether they are out of order."""
    from puntobanco.store.keeper import DamagedError

    table = new_table("table", "game", "state", "events", "rounds", "fault")
    with _office(config, folder, store, new=False) as floor:
        keeper = floor.host.keeper
        for name, version in floor.store.tables().items():
            if name.startswith("@"):
                continue
            fault = keeper.faults.get(name) or keeper.faults.get("*")
            try:
                found = keeper.table(name)
            except DamagedError as error:
                table.add_row(name, "", "damaged", str(version), "", str(error))
                continue
            assert found is not None
            state = "open" if found.open else "closed"
            game = found.settings.game
            table.add_row(name, game, state, str(version), str(found.rounds), fault.reason if fault else "")
    console().print(table)


@_command
def selfcheck(*, config: Config = None, folder: Folder = None, store: StoreOption = None) -> None:
    """Compare books, code and settings with the signed manifest; the exit code is 1 if any differs from it.

    A difference in books or code closes the tables at once. The settings compared are those given to this command; the
    server checks its own when it starts, and once a day.
    """
    with _office(config, folder, store, new=False) as floor:
        found = floor.self_check()
    for each in found:
        say(each)
    if found:
        raise SystemExit(1)
    say("books, code and settings are as they were approved")


@_command
def sign_manifest(
    *,
    why: str,
    tables: Annotated[
        bool, Parameter(help="Approve the settings of the tables that are open now, and no others from then on.")
    ] = False,
    config: Config = None,
    folder: Folder = None,
    store: StoreOption = None,
) -> None:
    """Approve the books and the code that are installed now, and the settings given to this command.

    Use it after an upgrade or a change of the server's settings, and at no other time, with the server's own settings
    file and environment.
    """
    with _office(config, folder, store) as floor:
        floor.sign_manifest(_actor(), why, tables=tables)
    say("signed")


@_command
def clear_fault(
    table: Annotated[str, Parameter(help="The table, or * for a fault of all tables.")],
    /,
    *,
    why: str,
    config: Config = None,
    folder: Folder = None,
    store: StoreOption = None,
) -> None:
    """Let a table play again after its fault was looked into, unless its log is still damaged."""
    with _office(config, folder, store, new=False) as floor:
        floor.host.clear_fault_now(_actor(), table, why)
    say(f"{table}: cleared")


@_command
def devices(*, config: Config = None, folder: Folder = None, store: StoreOption = None) -> None:
    """List the devices that have a credential."""
    table = new_table("device", "kind", "table")
    with _office(config, folder, store, new=False) as floor:
        for device in floor.people.devices():
            table.add_row(device.name, device.kind, device.table)
    console().print(table)


@_command
def backup(
    file: Annotated[str, Parameter(metavar="FILE", help="The backup.")],
    /,
    *,
    config: Config = None,
    folder: Folder = None,
    store: StoreOption = None,
) -> None:
    """Write the whole record to a file, as it is at one moment, while the floor goes on serving."""
    from puntobanco.cli.record import backup as write_backup

    write_backup(_settings(config, folder=folder, store=store).address, file)


@_command
def drop_old(
    *,
    why: str,
    dry_run: Annotated[bool, Parameter(negative=(), help="Only say which ones.")] = False,
    config: Config = None,
    folder: Folder = None,
    store: StoreOption = None,
) -> None:
    """Drop the logs of tables whose last event is older than the retention; make a backup first."""
    from puntobanco.floor.office import Entry
    from puntobanco.store.base import DAY, is_table
    from puntobanco.store.chain import moment_of

    if not why.strip():
        raise UsageError("say why")
    with _office(config, folder, store, new=False) as floor:
        for name, version in floor.store.tables().items():
            if not is_table(name):
                continue
            (last,) = floor.store.load(name, version - 1)
            if _now() - moment_of(last) < floor.store.retention * DAY:
                continue
            if not dry_run:
                moved = floor.office.books().moved(name)  # accounts still hold what it has moved
                floor.store.drop(name, _now())
                entry = Entry("log dropped", name, f"{version} events", why=why.strip(), carried=moved)
                floor.office.record(_now(), _actor(), entry)
            say(name)


@_command
def log(
    *,
    check: Annotated[bool, Parameter(negative=(), help="Only check that the chain is whole and signed.")] = False,
    config: Config = None,
    folder: Folder = None,
    store: StoreOption = None,
) -> None:
    """Print the floor's own log: everything significant that was changed, as JSON Lines."""
    with _office(config, folder, store, new=False) as floor:
        if check:
            broken = floor.office.broken_at()
            if broken is not None:
                say(f"entry {broken} does not follow the one before, or is not as the house has signed it")
                raise SystemExit(1)
            say("the chain is whole, and every entry is signed")
            return
        sys.stdout.flush()
        for line in floor.office.export():
            sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


@_command
def factor(
    name: Annotated[str, Parameter(help="Whose.")],
    /,
    *,
    remove: Annotated[bool, Parameter(negative=(), help="Take it away: the authenticator is lost.")] = False,
    config: Config = None,
    folder: Folder = None,
    store: StoreOption = None,
) -> None:
    """Give a person a second factor: prints the address for an authenticator app, once. It is required from now on."""
    with _office(config, folder, store, new=False) as floor:
        if floor.people.person(name) is None:
            raise UsageError(f"there is nobody called {name}")
        if remove:
            floor.people.factors.remove(_actor(), _now(), name)
            print(f"{name}: removed")
        else:
            print(floor.people.factors.begin(_actor(), _now(), name, proven=True))


@_command
def audit(
    *,
    accept: Annotated[
        bool, Parameter(negative=(), help="Let balances and documents hold as they are from now on; needs --why.")
    ] = False,
    why: str = "",
    config: Config = None,
    folder: Folder = None,
    store: StoreOption = None,
) -> None:
    """Check the whole record: every table's log, the floor's own, people, sessions, and every balance.

    The exit code is 1 if anything differs from what the house has signed. Once a difference has been looked into,
    --accept signs the balances and documents as they are; a log is never accepted.
    """
    if accept and not why.strip():
        raise UsageError("say why")
    with _office(config, folder, store, new=False) as floor:
        found = floor.audit_all()
        if accept:
            floor.office.accept(_now(), _actor(), why.strip())
    for each in found:
        print(each)
    if found and not accept:
        raise SystemExit(1)
    print("accepted" if accept else "every log, balance and document is as the house has signed it")


@_command
def rotate_shoe_key(*, config: Config = None, folder: Folder = None, store: StoreOption = None) -> None:
    """Seal all electronic shoes under a fresh key, and drop keys that no longer seal anything.

    Stop the servers first: they have the old keys in memory.
    """
    from puntobanco.floor.office import Entry
    from puntobanco.shoes.keys import retire_keys, rotate_key_file
    from puntobanco.shoes.vault import keys_in_use, reseal

    with _office(config, folder, store) as floor:
        file = floor.folder / "shoes.key"
        before = floor.shoe_keys.current.id.hex()
        ring = rotate_key_file(file)
        changed = reseal(floor.vault, ring)
        ring = retire_keys(file, keys_in_use(floor.vault))
        entry = Entry("shoe key rotated", str(file.name), before, ring.current.id.hex())
        floor.office.record(_now(), _actor(), entry)
    say(f"{changed} shoe{'s' * (changed != 1)} sealed anew; {len(ring)} key{'s' * (len(ring) != 1)} in use")


# --- shared


def _settings(config: str | None, **given: Any) -> FloorSettings:
    from puntobanco.floor.settings import SettingsError, load_settings

    try:
        return load_settings(config, **given)
    except SettingsError as error:
        raise UsageError(str(error)) from None


@contextmanager
def _clearly() -> Iterator[None]:
    """What the floor or its store cannot do is the user's to know."""
    from puntobanco.floor.office import FloorError
    from puntobanco.store.base import StoreError

    try:
        yield
    except (FloorError, StoreError) as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        if error.filename is None:
            raise
        raise UsageError(f"{error.filename}: {error.strerror}") from None


@contextmanager
def _office(config: str | None, folder: str | None, store: str | None, *, new: bool = True) -> Iterator[Floor]:
    """The floor's record, without serving it. A server on the same embedded record would not hear of changes.

    Where ``new`` is false there must be one already, and nothing is made.
    """
    from puntobanco.floor.floor import open_floor
    from puntobanco.store.logs import is_database

    settings = _settings(config, folder=folder, store=store)
    needed = Path(settings.folder if is_database(settings.address) else settings.address)
    if not new and not needed.exists():
        raise UsageError(f"there is no floor: {needed} does not exist")
    with _clearly():
        floor = open_floor(settings)
        try:
            yield floor
        finally:
            floor.store.close()


def _check_place(role: str | None, rank: str | None) -> None:
    from puntobanco.floor.wire import ROLES

    _check_choice("a role is", role, ROLES)
    _check_choice("a rank is", rank, [each.value for each in Authority])


def _check_choice(what: str, given: str | None, choices: Sequence[str]) -> None:
    """What is left out is not chosen."""
    if given is not None and given not in choices:
        raise UsageError(f"{what} {', '.join(choices[:-1])} or {choices[-1]}, not {given!r}")


def _now() -> int:
    return time.time_ns() // 1_000_000


def _actor() -> str:
    """Who is at the command line, as the machine knows it."""
    return f"{getpass.getuser()} (command line)"


def _rank(person: Person | PersonSeen) -> str:
    """Of those whose role has ranks; a player's is none, nor has the administration one."""
    return person.rank.title if person.role == "pit" else ""


def _place(person: Person) -> str:
    return ", ".join(filter(None, (person.role, _rank(person))))


def _password(what: str = "password") -> str:
    given = os.environ.get(PASSWORD)
    if given is not None and what == "password":
        return given
    if not sys.stdin.isatty():
        line = sys.stdin.readline().rstrip("\r\n")
        if not line:
            variable = f", or set {PASSWORD}" if what == "password" else ""
            raise UsageError(f"there is no terminal to ask for the {what}: give it as a line of the input{variable}")
        return line
    first = getpass.getpass(f"{what}: ")
    if getpass.getpass(f"{what} again: ") != first:
        raise UsageError(f"the two {what}s differ")
    return first
