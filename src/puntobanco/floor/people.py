"""Who is known to the floor, who is signed in, and whose play was stopped.

Passwords and PINs are kept as argon2 hashes, sessions and devices by the SHA-256 of their tokens: nothing that is
stored lets anybody sign in. Everything here may wait for the disk or for argon2; call it from a thread.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec.structs import replace

from puntobanco.floor.attempts import LONGEST_NAME, MINUTE, Attempts
from puntobanco.floor.factor import Factors
from puntobanco.floor.office import Entry, FloorError, Office
from puntobanco.floor.weak import is_visible, weak_password, weak_pin
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
from puntobanco.rules.library import OURS, Library
from puntobanco.rules.model import Authority, UnknownName
from puntobanco.store.base import EVERYWHERE, FAULTS, Document, is_table
from puntobanco.table.commands import HOUSE
from puntobanco.table.people.joining import UNNAMED

NOT_IN_NAMES = "/:\\"
NO_NAMES = frozenset({HOUSE, EVERYWHERE, FAULTS, ".", ".."})
MOST_SESSIONS = 40
"""Of one person; the one that was used the longest ago gives way to another."""
SEEN_EVERY = 5 * MINUTE
"""How often a session's last use is written down, where the idle limit allows; in between it is in memory only."""
LAST = 20
"""How much more than tables argon2 leaves the processor to others, in steps of nice."""

_LOWEST: dict[Role, Authority] = {
    "player": Authority.PLAYER,
    "dealer": Authority.DEALER,
    "pit": Authority.PIT_SUPERVISOR,
    "surveillance": Authority.PLAYER,
    "admin": Authority.PLAYER,
}


class Person(msgspec.Struct, frozen=True):
    """Somebody known to the floor, as the record keeps it."""

    name: str
    role: Role
    rank: Authority


PEPPERED = "p:"
"""Before the hash of what was peppered first; hashes of earlier versions have no such thing."""


class Secret(msgspec.Struct, frozen=True):
    """The argon2 hashes of somebody's password and PIN."""

    password: str
    pin: str = ""


class Session(msgspec.Struct, frozen=True):
    """A session by its key: the SHA-256 of a token that only the client has."""

    person: str
    began: int
    seen: int
    era: int = 0
    """How often all sessions of the person had been ended before."""
    seal: str = ""
    """Made by the house, so that nobody writes a session into the database."""


class Era(msgspec.Struct, frozen=True):
    """How often all sessions of somebody were ended: those of an earlier era are over, whatever is written of them."""

    number: int


class Device(msgspec.Struct, frozen=True):
    """A scanner, shoe or display, and the table that it belongs to."""

    name: str
    kind: DeviceKind
    table: str


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
    """Of a device: the only table it may use."""

    @property
    def staff(self) -> bool:
        return self.rank >= Authority.DEALER


class Limits(msgspec.Struct, frozen=True):
    """How sign-ins and sessions are limited; times in minutes."""

    failures: int = 5
    lockout: int = 15
    idle: int = 30
    longest: int = 12 * 60
    second_factor: bool = False
    """Whether everybody but players must have one."""


def key_of(token: str) -> str:
    """The name under which a token's session is kept: its hash, not the token."""
    return hashlib.sha256(token.encode()).hexdigest()


def csrf_of(token: str) -> str:
    """What a page sends along to show that it has read the answer to its sign-in."""
    return hashlib.sha256(b"csrf\0" + token.encode()).hexdigest()[:32]


class People:
    """People, devices, sessions and stops."""

    def __init__(
        self,
        office: Office,
        limits: Limits | None = None,
        hasher: PasswordHasher | None = None,
        books: Library = OURS,
    ) -> None:
        self.office = office
        self._books = books
        self.limits = limits or Limits()
        self._hasher = hasher or PasswordHasher()
        # argon2 wants much memory, which each thread that ever ran it would keep
        self._hashing = ThreadPoolExecutor(2, thread_name_prefix="argon2", initializer=_stand_back)
        self.attempts = Attempts(office, self.limits.failures, self.limits.lockout)
        self.factors = Factors(office)
        self._persons = office.shelf("person", Person)
        self._secrets = office.shelf("secret", Secret)
        self._sessions = office.shelf("session", Session)
        self._devices = office.shelf("device", Device)
        self._eras = office.shelf("era", Era)
        self._stops = office.shelf("stop", Held)
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
            found.append(
                PersonSeen(
                    name,
                    person.role,
                    person.rank,
                    self.stopped(person=name),
                    self.attempts.locked(name, now),
                    sessions.count(name),
                    balances_of(accounts.get(name, {})),
                )
            )
        return found

    def add(self, actor: str, now: int, new: NewPerson) -> Person:
        check_name(new.name)
        if self.person(new.name) is not None:
            raise FloorError("exists", f"{new.name} already exists")
        person = Person(new.name, new.role, _rank(new.role, new.rank))
        secret = Secret(self._password(new.password, new.name), self._pin(new.pin))

        def documents() -> tuple[Document, ...]:
            if self.person(new.name) is not None:
                raise FloorError("exists", f"{new.name} already exists")
            return (self._persons.document(new.name, person), self._secrets.document(new.name, secret))

        self.office.record(now, actor, Entry("person added", new.name, after=_told(person)), documents)
        self.attempts.forget_stranger(new.name)
        return person

    def change(self, actor: str, now: int, name: str, change: ChangePerson) -> Person:
        self._person(name)
        _check_why(change.why)
        password = self._password(change.password, name) if change.password is not None else None
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
                *(self._ended(name) if password is not None else ()),
            )

        told = ", ".join([_told(person), *(f"new {word}" for word in news)])
        self.office.record(now, actor, Entry("person changed", name, before, told, change.why), documents)
        return person

    def _person(self, name: str) -> Person:
        person = self.person(name)
        if person is None:
            raise FloorError("not_found", f"there is nobody called {name}")
        return person

    def check_player(self, name: str) -> None:
        """That somebody is known and plays: nobody else has an account."""
        if self._person(name).role != "player":
            raise FloorError("bad_request", f"{name} is not a player and has no account")

    def _changed(self, name: str, change: ChangePerson) -> Person:
        person = self._person(name)
        role = change.role or person.role
        rank = change.rank if change.rank is not None else None if change.role else person.rank
        return replace(person, role=role, rank=_rank(role, rank))

    def _password(self, password: str, name: str) -> str:
        if wrong := weak_password(password, name):
            raise FloorError("bad_request", wrong)
        return self._hash(password)

    def _hash(self, text: str) -> str:
        return PEPPERED + self._hashing.submit(self._hasher.hash, self._peppered(text)).result()

    def _peppered(self, text: str) -> str:
        """With what only the key file has: four digits cannot be guessed from a stolen database or backup."""
        return self.office.mac("pepper", text)

    def _pin(self, pin: str) -> str:
        if not pin:
            return ""
        if wrong := weak_pin(pin):
            raise FloorError("bad_request", wrong)
        return self._hash(pin)

    # --- sign-in

    def sign_in(self, now: int, name: str, password: str, where: str, code: str = "") -> tuple[str, Identity]:
        """A new session: its token, and whose it is. Too many failures in a row close the name for a while."""
        era = self._era(name)
        person = self._proven(now, name, password, where, code)
        return self._session(now, person, era)

    def begin_factor(self, now: int, name: str, password: str, where: str) -> str:
        """An authenticator for the signed-in person, for a password; it counts once a code of it was shown."""
        if self.factors.has(name):
            raise FloorError("exists", "there is a second factor already: the administration takes it away")
        self._proven_again(now, name, password, where)
        return self.factors.begin(name, now, name)

    def _proven_again(self, now: int, name: str, password: str, where: str) -> Person:
        """Somebody who is signed in shows the password once more."""
        try:
            return self._proven(now, name, password, where)
        except FloorError as error:
            if error.problem.code != "sign_in":
                raise
            raise FloorError("bad_request", "the old password is wrong") from None

    def _proven(self, now: int, name: str, password: str, where: str, code: str | None = None) -> Person:
        """Somebody who has given the right password and, where one is asked for, the code."""
        with self.attempts.one(now, name, where):
            secret, person = self._secrets.get(name), self.person(name)
            if not self._matches(secret.password if secret else "", password) or person is None:
                self.attempts.failed(now, name, "sign-in", where, known=person is not None)
                raise FloorError("sign_in", "the name or the password is wrong")
            if code is not None:
                self._check_factor(now, person, code, where)
            self.attempts.passed(name, where, signed_in=True)
        return person

    def _check_factor(self, now: int, person: Person, code: str, where: str) -> None:
        name = person.name
        if not self.factors.has(name):
            if self.limits.second_factor and person.role != "player":
                raise FloorError("second_factor", f"{name} needs a second factor: puntobanco admin factor {name}")
            return
        if not code:
            raise FloorError("second_factor", "say the code of the authenticator")
        if not self.factors.check(now, name, code):
            self.attempts.failed(now, name, "second factor", where, known=True)
            raise FloorError("second_factor", "the code is wrong")

    def _session(self, now: int, person: Person, era: int) -> tuple[str, Identity]:
        token = secrets.token_urlsafe(32)
        key = key_of(token)
        self._sessions.put(key, Session(person.name, now, now, era, self._seal(key, person.name, now, era)))
        mine = [
            (max(self._seen.get(each, 0), one.seen), each)
            for each, one in self._sessions.all().items()
            if one.person == person.name and each != key
        ]
        for _, oldest in sorted(mine)[: max(0, len(mine) + 1 - MOST_SESSIONS)]:
            self._sessions.remove(oldest)
        return token, Identity(person.name, person.role, person.rank, key)

    def _seal(self, key: str, name: str, began: int, era: int) -> str:
        return self.office.mac("session", key, name, str(began), str(era))

    def _sealed(self, key: str) -> Session | None:
        """The session of that key, if the house has made it."""
        found = self._sessions.get(key)
        if found is None or found.seal != self._seal(key, found.person, found.began, found.era):
            return None
        return found

    def forged(self) -> list[str]:
        """Sessions that the house has not made."""
        sessions = self._sessions.all().items()
        return [f"a session of {found.person} is not the house's" for key, found in sessions if not self._sealed(key)]

    def change_password(self, now: int, name: str, old: str, new: str, where: str) -> tuple[str, Identity]:
        """Somebody's own new password, for the old one. All sessions end, and a new one begins."""
        password = self._password(new, name)
        person = self._proven_again(now, name, old, where)

        def documents() -> tuple[Document, ...]:
            secret = replace(self._secrets.get(name) or Secret(""), password=password)
            return (self._secrets.document(name, secret), *self._ended(name))

        self.office.record(now, name, Entry("own password changed", name), documents)
        return self._session(now, person, self._era(name))

    def check_pin(self, now: int, name: str, pin: str, where: str) -> Identity:
        """A second person at somebody else's console."""
        with self.attempts.one(now, name, where):
            secret, person = self._secrets.get(name), self.person(name)
            if not self._matches(secret.pin if secret else "", pin) or person is None:
                self.attempts.failed(now, name, "PIN", where, known=person is not None)
                raise FloorError("pin", "the name or the PIN is wrong")
            self.attempts.passed(name, where, signed_in=False)
        return Identity(name, person.role, person.rank, "")

    def _matches(self, kept: str, given: str) -> bool:
        hashed = kept or self._nobody
        if hashed.startswith(PEPPERED):
            hashed, given = hashed.removeprefix(PEPPERED), self._peppered(given)
        try:
            self._hashing.submit(self._hasher.verify, hashed, given).result()
        except (VerificationError, InvalidHashError):
            return False
        return bool(kept)

    # --- sessions and devices

    def who(self, token: str, now: int) -> Identity | None:
        """Whose token this is, as long as the session lives."""
        key = key_of(token)
        session = self._sealed(key)
        if session is not None:
            return self._in_session(key, session, now)
        device = self._devices.get(key)
        return Identity(device.name, device.kind, Authority.PLAYER, key, device.table) if device else None

    def alive(self, identity: Identity, now: int) -> bool:
        """Whether somebody who is connected may stay: revoked, ended or idle sessions may not."""
        if identity.table:
            return self._devices.get(identity.key) is not None
        session, person = self._sealed(identity.key), self.person(identity.person)
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
            self._sessions.renew(identity.key, replace(session, seen=now))

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
            self._sessions.renew(key, replace(session, seen=now))
        person = self.person(session.person)
        return Identity(person.name, person.role, person.rank, key) if person else None

    def _alive(self, session: Session, seen: int, now: int) -> bool:
        in_time = now - seen < self.limits.idle * MINUTE and now - session.began < self.limits.longest * MINUTE
        return in_time and session.era == self._era(session.person)

    def _era(self, name: str) -> int:
        era = self._eras.get(name)
        return era.number if era else 0

    def _ended(self, name: str) -> tuple[Document, ...]:
        """What ends all sessions of somebody at once, together with the entry that says so."""
        return (self._eras.document(name, Era(self._era(name) + 1)),)

    def sign_out(self, identity: Identity) -> None:
        self._sessions.remove(identity.key)

    def revoke(self, actor: str, now: int, name: str, why: str) -> int:
        """End all sessions of somebody at once; how many there were."""
        self._person(name)
        _check_why(why)
        sessions = [each for each in self._sessions.all().values() if each.person == name]
        ended = sum(self._alive(each, each.seen, now) for each in sessions)
        self.office.record(now, actor, Entry("sessions revoked", name, why=why), lambda: self._ended(name))
        return ended

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
                entry = Entry("device removed", name, f"{device.kind} of table {device.table}")
                self.office.record(now, actor, entry, gone=(("device", key),))
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
        key = _stop_key(stop.kind, stop.name)
        self.office.record(now, actor, entry, gone=(("stop", key),))

    def _check_stoppable(self, stop: Stop) -> None:
        if stop.kind == "person":
            self._person(stop.name)
        elif stop.kind == "table" and not (is_table(stop.name) and self.office.store.version(stop.name)):
            raise FloorError("not_found", f"there is no table {stop.name}")
        elif stop.kind == "game":
            try:
                self._books(stop.name)
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


def _stand_back() -> None:
    """Sign-ins wait for the tables, and no table waits for a sign-in."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LAST)


def check_name(name: str) -> None:
    """A name that can stand in a log, on a page, in an address and in an id without being taken for anything else."""
    fits = 1 <= len(name) <= LONGEST_NAME and name == name.strip() and not set(name) & set(NOT_IN_NAMES)
    if not fits or not is_visible(name):
        told = f"a name has 1 to {LONGEST_NAME} letters, digits and signs, but none of {' '.join(NOT_IN_NAMES)}"
        raise FloorError("bad_request", told)
    if name in NO_NAMES or name.startswith(UNNAMED):
        raise FloorError("bad_request", f"{name} is not a name for anybody or anything")
