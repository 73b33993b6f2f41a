"""What is written to a websocket as it is: the same bytes as the long way, and in the same order."""

from __future__ import annotations

import asyncio
import random
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from websockets.frames import Frame, Opcode

from puntobanco.floor.doorway import head_of
from puntobanco.floor.people import Identity
from puntobanco.floor.stream import Stream
from puntobanco.floor.wire import Bye, Pong
from puntobanco.rules.model import Authority


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
def test_a_message_begins_as_the_protocol_says(length: int) -> None:
    message = b"x" * length
    assert head_of(length) + message == Frame(Opcode.TEXT, message).serialize(mask=False)


class Moody:
    """A client that can be written to at some moments only."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.got: list[bytes] = []
        self.at_once = 0

    async def receive(self) -> str | bytes | None:
        await asyncio.Event().wait()
        return None

    async def send(self, frame: str) -> None:
        for _ in range(self._chance.randrange(3)):
            await asyncio.sleep(0)
        self.got.append(frame.encode())

    def take(self, frame: bytes) -> bool:
        if self._chance.random() < 0.4:
            return False
        self.at_once += 1
        self.got.append(frame)
        return True


@pytest.mark.parametrize("seed", range(20))
def test_nothing_overtakes_what_was_sent_before(seed: int) -> None:
    async def talk() -> Moody:
        chance = random.Random(seed)
        socket = Moody(chance)
        host = cast(Any, SimpleNamespace(clock=lambda: 0, for_squeeze=0))
        stream = Stream(host, cast(Any, None), socket, Identity("ann", "player", Authority.PLAYER, ""), cast(Any, None))
        running = asyncio.create_task(stream.run())
        await asyncio.sleep(0)
        for number in range(100):
            stream.send(Pong(str(number), number))
            for _ in range(chance.randrange(8)):
                await asyncio.sleep(0)
        stream.end(Bye("over", "that is all", False))
        stream.send(Pong("too late", 0))
        await running
        return socket

    socket = asyncio.run(talk())
    told = [msgspec.json.decode(frame) for frame in socket.got]
    assert [each["m"] for each in told] == ["hello", *["pong"] * 100, "bye"]
    assert [each["id"] for each in told[1:-1]] == [str(number) for number in range(100)]
    assert 0 < socket.at_once < 100
