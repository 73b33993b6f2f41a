"""Who is known to the floor, who is signed in, and whose play was stopped.

Passwords and PINs are kept as argon2 hashes, sessions and devices by the SHA-256 of their tokens: nothing that is
stored lets anybody sign in. Everything here may wait for the disk or for argon2; call it from a thread.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec.structs import replace

from puntobanco.floor.office import Entry, FloorError, Office
from puntobanco.floor.wire import (
    ROLES,
    ChangePerson,
    DeviceKind,
    NewDevice,
    NewPerson,
    PersonSeen,
    Role,
    Stop,
    StopKind,
    StopSeen,
    balances_of,
)
from puntobanco.rules.load import find_book
from puntobanco.rules.model import Authority, UnknownName
from puntobanco.store.base import EVERYWHERE, FAULTS, Document, is_table
from puntobanco.table.commands import HOUSE
from puntobanco.table.people.joining import UNNAMED

MINUTE = 60_000
LONGEST_NAME = 64
NOT_IN_NAMES = "/:\\"
NO_NAMES = frozenset({HOUSE, EVERYWHERE, FAULTS, ".", ".."})
SHORTEST_PASSWORD = 8
SHORTEST_PIN = 4
SEEN_EVERY = 5 * MINUTE
"""How often a session's last use is written down, where the idle limit allows; in between it is in memory only."""
MOST_STRANGERS = 10_000
"""Names that nobody has whose failed sign-ins are counted."""

_LOWEST: dict[Role, Authority] = {
    "player": Authority.PLAYER,
    "dealer": Authority.DEALER,
    "pit": Authority.PIT_SUPERVISOR,
    "surveillance": Authority.PLAYER,
    "admin": Authority.PLAYER,
}


class Person(msgspec.Struct, frozen=True):
    name: str
    role: Role
    rank: Authority


class Secret(msgspec.Struct, frozen=True):
    """The argon2 hashes of somebody's password and PIN."""

    password: str
    pin: str = ""


class Session(msgspec.Struct, frozen=True):
    """A session by its key: the SHA-256 of a token that only the client has."""

    person: str
    began: int
    seen: int


class Device(msgspec.Struct, frozen=True):
    name: str
    kind: DeviceKind
    table: str


class Failures(msgspec.Struct, frozen=True):
    """Sign-ins that failed in a row, and until when nobody may try again."""

    count: int
    last: int
    until: int = 0


class Held(msgspec.Struct, frozen=True):
    """A stop in force."""

    kind: StopKind
    name: str
    why: str
    by: str
    at: int


class Identity(msgspec.Struct, frozen=True):
    """Who sends a request: a person in a session, or a device."""

    person: str
    role: Role | DeviceKind
    rank: Authority
    key: str
    """Of the session or the device."""
    table: str = ""
    """Of a device: the only table it has to do with."""

    @property
    def staff(self) -> bool:
        return self.rank >= Authority.DEALER


class Limits(msgspec.Struct, frozen=True):
    """How sign-ins and sessions are limited; times in minutes."""

    failures: int = 5
    lockout: int = 15
    idle: int = 30
    longest: int = 12 * 60


def key_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def csrf_of(token: str) -> str:
    """What a page sends along to show that it has read the answer to its sign-in."""
    return hashlib.sha256(b"csrf\0" + token.encode()).hexdigest()[:32]


class People:
    """People, devices, sessions and stops."""

    def __init__(self, office: Office, limits: Limits | None = None, hasher: PasswordHasher | None = None) -> None:
        self.office = office
        self.limits = limits or Limits()
        self._hasher = hasher or PasswordHasher()
        # argon2 wants much memory, which each thread that ever ran it would keep
        self._hashing = ThreadPoolExecutor(2, thread_name_prefix="argon2")
        self._persons = office.shelf("person", Person)
        self._secrets = office.shelf("secret", Secret)
        self._sessions = office.shelf("session", Session)
        self._devices = office.shelf("device", Device)
        self._failures = office.shelf("failures", Failures)
        self._stops = office.shelf("stop", Held)
        self._strangers: dict[str, Failures] = {}
        self._seen: dict[str, int] = {}
        self._guard = threading.Lock()
        # what is verified for a name that nobody has, so that it takes as long
        self._nobody = self._hash(secrets.token_hex())

    # --- people

    def person(self, name: str) -> Person | None:
        return self._persons.get(name)

    def all(self, now: int, accounts: dict[str, dict[str, int]]) -> list[PersonSeen]:
        alive = (each for each in self._sessions.all().values() if self._alive(each, each.seen, now))
        sessions = [session.person for session in alive]
        found = []
        for name, person in sorted(self._persons.all().items()):
            failures = self._failures.get(name)
            found.append(
                PersonSeen(
                    name,
                    person.role,
                    person.rank,
                    self.stopped(person=name),
                    failures is not None and failures.until > now,
                    sessions.count(name),
                    balances_of(accounts.get(name, {})),
                )
            )
        return found

    def add(self, actor: str, now: int, new: NewPerson) -> Person:
        check_name(new.name)
        if self.person(new.name) is not None:
            raise FloorError("exists", f"{new.name} is known already")
        person = Person(new.name, new.role, _rank(new.role, new.rank))
        secret = Secret(self._hashed(new.password, SHORTEST_PASSWORD, "password"), self._pin(new.pin))

        def documents() -> tuple[Document, ...]:
            if self.person(new.name) is not None:
                raise FloorError("exists", f"{new.name} is known already")
            return (self._persons.document(new.name, person), self._secrets.document(new.name, secret))

        self.office.record(now, actor, Entry("person added", new.name, after=_told(person)), documents)
        with self._guard:
            self._strangers.pop(new.name, None)
        return person

    def change(self, actor: str, now: int, name: str, change: ChangePerson) -> Person:
        self._person(name)
        _check_why(change.why)
        password = self._hashed(change.password, SHORTEST_PASSWORD, "password") if change.password is not None else None
        pin = self._pin(change.pin) if change.pin is not None else None
        person = self._changed(name, change)
        before = _told(self._person(name))
        news = [word for word, new in (("password", password), ("PIN", pin)) if new is not None]

        def documents() -> tuple[Document, ...]:
            secret = self._secrets.get(name) or Secret("")
            secret = replace(
                secret,
                password=secret.password if password is None else password,
                pin=secret.pin if pin is None else pin,
            )
            return (
                self._persons.document(name, self._changed(name, change)),
                self._secrets.document(name, secret),
            )

        told = ", ".join([_told(person), *(f"new {word}" for word in news)])
        self.office.record(now, actor, Entry("person changed", name, before, told, change.why), documents)
        if password is not None:
            self._end_sessions(name)
        return person

    def _person(self, name: str) -> Person:
        person = self.person(name)
        if person is None:
            raise FloorError("not_found", f"there is nobody called {name}")
        return person

    def check_player(self, name: str) -> None:
        """That somebody is known and plays: nobody else has an account."""
        if self._person(name).role != "player":
            raise FloorError("bad_request", f"{name} is no player and has no account")

    def _changed(self, name: str, change: ChangePerson) -> Person:
        person = self._person(name)
        role = change.role or person.role
        rank = change.rank if change.rank is not None else None if change.role else person.rank
        return replace(person, role=role, rank=_rank(role, rank))

    def _hashed(self, text: str, least: int, what: str) -> str:
        if not least <= len(text) <= 256:
            raise FloorError("bad_request", f"a {what} has {least} to 256 characters")
        return self._hash(text)

    def _hash(self, text: str) -> str:
        return self._hashing.submit(self._hasher.hash, text).result()

    def _pin(self, pin: str) -> str:
        return self._hashed(pin, SHORTEST_PIN, "PIN") if pin else ""

    # --- sign-in

    def sign_in(self, now: int, name: str, password: str, where: str) -> tuple[str, Identity]:
        """A new session: its token, and whose it is. Too many failures in a row close the name for a while."""
        self._check_lock(now, name)
        secret, person = self._secrets.get(name), self.person(name)
        if not self._matches(secret.password if secret else "", password) or person is None:
            self._failed(now, name, "sign-in", where)
            raise FloorError("sign_in", "the name or the password is wrong")
        self._passed(name)
        token = secrets.token_urlsafe(32)
        self._sessions.put(key_of(token), Session(name, now, now))
        return token, Identity(name, person.role, person.rank, key_of(token))

    def check_pin(self, now: int, name: str, pin: str, where: str) -> Identity:
        """A second person at somebody else's console."""
        self._check_lock(now, name)
        secret, person = self._secrets.get(name), self.person(name)
        if not self._matches(secret.pin if secret else "", pin) or person is None:
            self._failed(now, name, "PIN", where)
            raise FloorError("pin", "the name or the PIN is wrong")
        self._passed(name)
        return Identity(name, person.role, person.rank, "")

    def _matches(self, kept: str, given: str) -> bool:
        try:
            self._hashing.submit(self._hasher.verify, kept or self._nobody, given).result()
        except (VerificationError, InvalidHashError):
            return False
        return bool(kept)

    def _check_lock(self, now: int, name: str) -> None:
        failures = self._failures.get(name) or self._strangers.get(name)
        if failures is not None and failures.until > now:
            minutes = -(-(failures.until - now) // MINUTE)
            raise FloorError("locked", f"too many failed sign-ins: try again in {minutes} min")

    def _failed(self, now: int, name: str, what: str, where: str) -> None:
        about = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
        before = self._failures.get(name) or self._strangers.get(name)
        count = before.count + 1 if before is not None and now - before.last < self.limits.lockout * MINUTE else 1
        locked = count >= self.limits.failures
        entry = Entry(f"{what} failed", about, after="locked" if locked else f"{count} in a row", why=f"from {where}")
        failures = Failures(count, now, now + self.limits.lockout * MINUTE if locked else 0)
        if self.person(name) is None:
            # counted as well, in memory: whoever tries names learns from no answer which ones there are
            with self._guard:
                if len(self._strangers) >= MOST_STRANGERS:
                    self._strangers.clear()
                self._strangers[name] = failures
            self.office.record(now, about, Entry(f"{what} failed", about, after="nobody's name", why=f"from {where}"))
            return
        self.office.record(now, about, entry, lambda: (self._failures.document(name, failures),))

    def _passed(self, name: str) -> None:
        if self._failures.get(name) is not None:
            self._failures.remove(name)

    # --- sessions and devices

    def who(self, token: str, now: int) -> Identity | None:
        """Whose token this is, as long as the session lives."""
        key = key_of(token)
        session = self._sessions.get(key)
        if session is not None:
            return self._in_session(key, session, now)
        device = self._devices.get(key)
        return Identity(device.name, device.kind, Authority.PLAYER, key, device.table) if device else None

    def alive(self, identity: Identity, now: int) -> bool:
        """Whether somebody who is connected may stay: revoked, ended or idle sessions may not."""
        if identity.table:
            return self._devices.get(identity.key) is not None
        session, person = self._sessions.get(identity.key), self.person(identity.person)
        return (
            session is not None
            and person is not None
            and (person.role, person.rank) == (identity.role, identity.rank)
            and self._alive(session, self._seen.get(identity.key, session.seen), now)
        )

    def touch(self, identity: Identity, now: int) -> None:
        """The session is in use."""
        with self._guard:
            self._seen[identity.key] = now

    def write_down(self, identity: Identity, now: int) -> None:
        """That the session is in use, for the other processes to know."""
        session = self._sessions.get(identity.key)
        if session is not None:
            self._sessions.put(identity.key, replace(session, seen=now))

    @property
    def seen_every(self) -> int:
        """How often that has to be written down."""
        return min(SEEN_EVERY, self.limits.idle * MINUTE // 4)

    def _in_session(self, key: str, session: Session, now: int) -> Identity | None:
        with self._guard:
            seen = max(self._seen.get(key, 0), session.seen)
            alive = self._alive(session, seen, now)
            if alive:
                self._seen[key] = now
            else:
                self._seen.pop(key, None)
        if not alive:
            self._sessions.remove(key)
            return None
        if now - session.seen > self.seen_every:
            self._sessions.put(key, replace(session, seen=now))
        person = self.person(session.person)
        return Identity(person.name, person.role, person.rank, key) if person else None

    def _alive(self, session: Session, seen: int, now: int) -> bool:
        return now - seen < self.limits.idle * MINUTE and now - session.began < self.limits.longest * MINUTE

    def sign_out(self, identity: Identity) -> None:
        self._sessions.remove(identity.key)

    def revoke(self, actor: str, now: int, name: str, why: str) -> int:
        """End all sessions of somebody at once."""
        self._person(name)
        _check_why(why)
        self.office.record(now, actor, Entry("sessions revoked", name, why=why))
        return self._end_sessions(name)

    def _end_sessions(self, name: str) -> int:
        keys = [key for key, session in self._sessions.all().items() if session.person == name]
        for key in keys:
            self._sessions.remove(key)
        return len(keys)

    def sweep(self, now: int) -> int:
        """Forget sessions that are over, and when those were in use that ended otherwise."""
        sessions = self._sessions.all()
        over = [
            key
            for key, session in sessions.items()
            if not self._alive(session, max(session.seen, self._seen.get(key, 0)), now)
        ]
        for key in over:
            self._sessions.remove(key)
        with self._guard:
            for key in self._seen.keys() - (sessions.keys() - over):
                del self._seen[key]
        return len(over)

    def devices(self) -> list[Device]:
        return sorted(self._devices.all().values(), key=lambda device: device.name)

    def add_device(self, actor: str, now: int, new: NewDevice) -> str:
        check_name(new.name)
        if any(device.name == new.name for device in self._devices.all().values()):
            raise FloorError("exists", f"there is a device {new.name}")
        token = secrets.token_urlsafe(32)
        device = Device(new.name, new.kind, new.table)
        self.office.record(
            now,
            actor,
            Entry("device added", new.name, after=f"{new.kind} of table {new.table}"),
            lambda: (self._devices.document(key_of(token), device),),
        )
        return token

    def remove_device(self, actor: str, now: int, name: str) -> None:
        for key, device in self._devices.all().items():
            if device.name == name:
                self.office.record(now, actor, Entry("device removed", name, f"{device.kind} of table {device.table}"))
                self._devices.remove(key)
                return
        raise FloorError("not_found", f"there is no device {name}")

    # --- stops

    def stop(self, actor: str, now: int, stop: Stop) -> None:
        if (stop.kind == "everything") == bool(stop.name):
            raise FloorError("bad_request", "name the person, table or game to stop; everything has no name")
        _check_why(stop.why)
        self._check_stoppable(stop)
        held = Held(stop.kind, stop.name, stop.why, actor, now)
        self.office.record(
            now,
            actor,
            Entry(f"{stop.kind} stopped", stop.name, why=stop.why),
            lambda: (self._stops.document(_stop_key(stop.kind, stop.name), held),),
        )

    def lift(self, actor: str, now: int, stop: Stop) -> None:
        held = self._stops.get(_stop_key(stop.kind, stop.name))
        if held is None:
            raise FloorError("not_found", f"{stop.name or 'everything'} is not stopped")
        _check_why(stop.why)
        entry = Entry(f"{stop.kind} released", stop.name, f"stopped by {held.by}: {held.why}", why=stop.why)
        self.office.record(now, actor, entry)
        self._stops.remove(_stop_key(stop.kind, stop.name))

    def _check_stoppable(self, stop: Stop) -> None:
        if stop.kind == "person":
            self._person(stop.name)
        elif stop.kind == "table" and not (is_table(stop.name) and self.office.store.version(stop.name)):
            raise FloorError("not_found", f"there is no table {stop.name}")
        elif stop.kind == "game":
            try:
                find_book(stop.name)
            except UnknownName:
                raise FloorError("not_found", f"there is no game {stop.name}") from None

    def stops(self) -> list[StopSeen]:
        return [StopSeen(each.kind, each.name, each.why, each.by, each.at) for each in self._stops.all().values()]

    def stopped(self, *, person: str = "", table: str = "", game: str = "") -> str:
        """Why nothing new may start there, or for that person; empty where it may."""
        wanted: tuple[tuple[StopKind, str], ...] = (("person", person),)
        if not person:
            wanted = (("everything", ""), ("table", table), ("game", game))
        for kind, name in wanted:
            if held := self._stops.get(_stop_key(kind, name)):
                return f"{name or 'everything'} was stopped by {held.by}: {held.why}"
        return ""


def _stop_key(kind: StopKind, name: str) -> str:
    return f"{kind}:{name}"


def _told(person: Person) -> str:
    return f"{person.role}, {person.rank.value}"


def _rank(role: Role, rank: Authority | None) -> Authority:
    """The rank that goes with a role: dealers deal, the pit rules, the others have none."""
    assert role in ROLES
    lowest = _LOWEST[role]
    if rank is None:
        return lowest
    fits = rank is lowest if role != "pit" else rank >= Authority.PIT_SUPERVISOR
    if not fits:
        raise FloorError("bad_request", f"a {role} cannot have the rank {rank.value}")
    return rank


def _check_why(why: str) -> None:
    if not why.strip():
        raise FloorError("bad_request", "say why")


def check_name(name: str) -> None:
    """A name that can stand in a log, on a page, in an address and in an id without being taken for anything else."""
    printable = all(unicodedata.category(sign)[0] in "LNPS" or sign == " " for sign in name)
    if not 1 <= len(name) <= LONGEST_NAME or not printable or name != name.strip() or set(name) & set(NOT_IN_NAMES):
        told = f"a name has 1 to {LONGEST_NAME} letters, digits and signs, but none of {' '.join(NOT_IN_NAMES)}"
        raise FloorError("bad_request", told)
    if name in NO_NAMES or name.startswith(UNNAMED):
        raise FloorError("bad_request", f"{name} is no name for anybody or anything")
