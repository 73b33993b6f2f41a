"""How a floor is set up: one table of settings, from a file in TOML and from the environment.

``docs/floor.md`` lists them, written by ``scripts/floor-reference`` from here. The environment overrides the file:
``PUNTOBANCO_PORT=8000`` is ``port = 8000``.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from puntobanco.floor.clock import Pace
from puntobanco.floor.doorway import Doorway
from puntobanco.floor.duties import Caps
from puntobanco.floor.gate import Rates
from puntobanco.floor.people import Limits
from puntobanco.store.logs import EMBEDDED

PREFIX = "PUNTOBANCO_"
NO_SETTINGS = frozenset({"PUNTOBANCO_PASSWORD"})
"""Variables of that prefix that are for a command; any other is a setting, or a mistake."""
MOST = 1_000_000_000
LISTS = ("origins", "proxies")
"""Settings of several values, separated by commas in the environment."""

OF_A_PROCESS = frozenset(
    [
        "folder",
        "store",
        "host",
        "port",
        "certificate",
        "private_key",
        "page",
        "books",
        "log_level",
        "log_format",
        "grace",
    ],
)
"""Settings that need no approval: where a process finds things and how it talks, not what the house allows."""


class SettingsError(ValueError):
    """Settings that cannot be read or do not fit; the message names where, what and what would be right."""


class Setting(msgspec.Struct, frozen=True):
    """A setting for the documentation."""

    name: str
    default: str
    about: str


class FloorSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything that a floor is told when it starts."""

    folder: str = "floor"
    store: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
    https: bool = False
    certificate: str = ""
    private_key: str = ""
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    page: str = ""
    books: str = ""
    log_level: str = "info"
    log_format: str = "text"
    rate: float = 200.0
    burst: int = 1_000
    sign_ins: float = 30.0
    streams: int = 50
    connections: int = 800
    connections_each: int = 200
    silent: float = 10.0
    unread: float = 20.0
    failures: int = 5
    lockout: int = 15
    idle: int = 30
    longest: int = 720
    second_factor: bool = False
    assigned: bool = True
    dealer_alone: int = 10
    supervisor_alone: int = 50
    manager_alone: int = 200
    between_rounds: int = 4_000
    between_cards: int = 700
    for_cut: int = 8_000
    for_squeeze: int = 15_000
    grace: int = 10
    retention: int = 0

    @property
    def address(self) -> str:
        """Where the record is."""
        return self.store or str(Path(self.folder) / EMBEDDED)

    @property
    def of_the_house(self) -> dict[str, str]:
        """What somebody has to approve."""
        values = msgspec.structs.asdict(self)
        return {name: _shown(value) for name, value in values.items() if name not in OF_A_PROCESS}

    @property
    def limits(self) -> Limits:
        return Limits(self.failures, self.lockout, self.idle, self.longest, self.second_factor)

    @property
    def secure(self) -> bool:
        """Whether browsers come by TLS, which ends here or at a proxy."""
        return self.https or bool(self.certificate)

    @property
    def doorway(self) -> Doorway:
        return Doorway(self.connections, self.connections_each, self.silent, self.proxies, self.unread)

    @property
    def caps(self) -> Caps:
        return Caps(self.dealer_alone, self.supervisor_alone, self.manager_alone)

    @property
    def rates(self) -> Rates:
        return Rates(self.rate, self.burst, self.sign_ins, self.streams)

    @property
    def pace(self) -> Pace:
        return Pace(self.between_rounds, self.between_cards, self.for_cut, self.for_squeeze)


ABOUT: dict[str, str] = {
    "folder": "where keys, the vault of electronic shoes, the witness file and the embedded record lie",
    "store": "the record: a SQLite file, or postgresql://… (empty: record.db in the folder)",
    "host": "the address to listen on",
    "port": "the port to listen on; 0 takes a free one",
    "https": "whether browsers reach the floor by https: cookies are then sent over https only",
    "certificate": "the file of the TLS certificate, if the floor itself speaks TLS",
    "private_key": "the file of its private key",
    "origins": "other addresses of the page (scheme, host, port) that may use this floor, separated by commas",
    "proxies": "addresses of proxies, separated by commas: a request from there counts as one from the client it names",
    "page": "the folder of the built page (empty: the one that is installed)",
    "books": "a folder of books of your own (puntobanco help books), or one file; their games join the six",
    "log_level": "debug, info, warning or error",
    "log_format": "text for people, json for machines",
    "rate": "requests a second from one address",
    "burst": "requests at once from one address after a pause",
    "sign_ins": "sign-ins a minute from one address",
    "streams": "websockets that one person or device may have open at a time",
    "connections": "connections that are open at a time; keep it below the files that the process may open",
    "connections_each": "of them from one address that is not a proxy's",
    "silent": "seconds that a connection may take for the headers of a request",
    "unread": "seconds after which a connection ends that reads nothing of what is waiting for it",
    "failures": "failed sign-ins in a row that lock a name at an address",
    "lockout": "minutes that a name stays locked",
    "idle": "minutes after which an unused session ends",
    "longest": "minutes after which any session ends",
    "second_factor": "whether everybody but players signs in with the code of an authenticator as well",
    "assigned": "whether dealers work only at tables where the pit has signed them on",
    "dealer_alone": "chips of the table's highest value that a dealer moves for players within an hour, alone",
    "supervisor_alone": "the same for a Pit Supervisor",
    "manager_alone": "the same for a Pit Manager and above; beyond that it takes two people",
    "between_rounds": "milliseconds between two rounds of an electronic table",
    "between_cards": "milliseconds between two cards of an electronic table",
    "for_cut": "milliseconds that the burn of an electronic shoe waits for a cut",
    "for_squeeze": "milliseconds that a card may be squeezed at an electronic table",
    "grace": "seconds that a shutdown waits for requests in progress",
    "retention": "days that a log is kept after its last event (0: as the store is set, five years to begin with)",
}


def settings_table() -> tuple[Setting, ...]:
    """All settings with their defaults, for the documentation."""
    defaults = msgspec.structs.asdict(FloorSettings())
    assert defaults.keys() == ABOUT.keys()
    return tuple(Setting(name, _shown(defaults[name]), about) for name, about in ABOUT.items())


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def load_settings(file: str | None, environment: Mapping[str, str] = os.environ, **given: Any) -> FloorSettings:
    """Settings from a file, then the environment, then what is given here; each goes before the last.

    Raises one :class:`SettingsError` that names every mistake.
    """
    read = _Reading()
    if file is not None:
        for name, value in _from_file(file).items():
            read.take(name, value, f"{name} = {value!r}")
    for key, text in environment.items():
        name = key.removeprefix(PREFIX).lower()
        if key.startswith(PREFIX) and key not in NO_SETTINGS:
            value = tuple(filter(None, text.split(","))) if name in LISTS else text
            read.take(name, value, f"{key}={text!r}", strict=False, variable=key)
    for name, value in given.items():
        if value is not None:
            read.take(name, value, f"{name} {value!r}")
    settings = FloorSettings(**read.values)
    if wrong := [*read.wrong.values(), *_beyond_limits(settings)]:
        where = file or "settings"
        lines = "".join(f"\n  {told}" for told in wrong)
        raise SettingsError(f"{where}: {wrong[0]}" if len(wrong) == 1 else f"{where}: these do not fit{lines}")
    return settings


def _from_file(file: str) -> dict[str, Any]:
    try:
        with Path(file).open("rb") as opened:
            return tomllib.load(opened)
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} is not TOML: {error}") from None


_TYPES: dict[str, Any] = {field.name: field.type for field in msgspec.structs.fields(FloorSettings)}
_EXPECTED: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "text",
    tuple[str, ...]: "a list of texts",
}


class _Reading:
    """Values by their names, and what is wrong with those that do not fit."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.wrong: dict[str, str] = {}

    def take(self, name: str, value: Any, told: str, *, strict: bool = True, variable: str = "") -> None:
        """A value as it was given; ``told`` is how its mistake begins. One that was given earlier counts no more."""
        if name not in ABOUT:
            first = self.wrong.keys() <= ABOUT.keys()
            unknown = f"there is no setting {name!r}" + (f" (from {variable})" if variable else "")
            self.wrong[name] = unknown + (f"; there are: {', '.join(ABOUT)}" if first else "")
            return
        try:
            self.values[name] = msgspec.convert(value, _TYPES[name], strict=strict)
            self.wrong.pop(name, None)
        except msgspec.ValidationError:
            self.wrong[name] = f"{told}: expected {_EXPECTED[_TYPES[name]]}"


_LEVELS = ("debug", "info", "warning", "error")


def _beyond_limits(settings: FloorSettings) -> list[str]:
    return [
        message
        for good, message in (
            (0 <= settings.port <= 65_535, f"port {settings.port}: 0 to 65535"),
            (settings.log_level in _LEVELS, f"log_level {settings.log_level!r}: one of {', '.join(_LEVELS)}"),
            (settings.log_format in ("text", "json"), f"log_format {settings.log_format!r}: text or json"),
            (bool(settings.certificate) == bool(settings.private_key), "certificate and private_key go together"),
            (
                0 < settings.rate < MOST and 0 < settings.burst < MOST and 0 < settings.sign_ins < MOST,
                "rate, burst and sign_ins are above zero and below a thousand million",
            ),
            (settings.streams >= 1, "streams is 1 or more"),
            (
                min(settings.connections, settings.connections_each) >= 1 and min(settings.silent, settings.unread) > 0,
                "connections and connections_each are 1 or more, silent and unread above zero",
            ),
            (
                0 <= settings.dealer_alone <= settings.supervisor_alone <= settings.manager_alone < MOST,
                "dealer_alone, supervisor_alone and manager_alone are 0 or more, and none is below the one before",
            ),
            (settings.retention >= 0, "retention is 0 or more days"),
            (
                min(settings.failures, settings.lockout, settings.idle, settings.longest) >= 1,
                "failures, lockout, idle and longest are 1 or more",
            ),
            (
                min(settings.between_rounds, settings.between_cards, settings.for_cut, settings.for_squeeze) >= 0,
                "times are 0 or more milliseconds",
            ),
            (settings.grace >= 0, "grace is 0 or more seconds"),
        )
        if not good
    ]
