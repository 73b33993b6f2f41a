"""The process that serves the demo floor, at a socket that its parent has opened."""

from __future__ import annotations

import socket
import sys

import msgspec
from argon2 import PasswordHasher

from puntobanco.demo.child import stop_with_parent
from puntobanco.demo.plan import CAGE
from puntobanco.floor.floor import open_floor
from puntobanco.floor.serve import serve
from puntobanco.floor.settings import FloorSettings
from puntobanco.floor.wire import NewPerson


class ServerPlan(msgspec.Struct, frozen=True):
    """What the process is told on its command line, as JSON."""

    settings: FloorSettings
    socket: int
    """The number of the listening socket's file."""
    secret: str


def hasher() -> PasswordHasher:
    """Quick enough for forty bots that sign in at once: the bots' password is long, and the others are no secret."""
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def main() -> None:
    plan = msgspec.json.decode(sys.stdin.buffer.readline(), type=ServerPlan)
    listening = socket.socket(fileno=plan.socket)
    floor = open_floor(plan.settings, hasher())
    if floor.people.person(CAGE) is None:
        floor.people.add("demo", floor.host.clock(), NewPerson(CAGE, "admin", plan.secret))
    # a demo plays whatever is checked out; a real floor has somebody approve it
    floor.sign_manifest("demo", "the demo takes what is installed")
    stop_with_parent()
    serve(plan.settings, listening, floor)


if __name__ == "__main__":
    main()
