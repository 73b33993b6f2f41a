"""The client leaves nothing behind, whatever the server does."""

from __future__ import annotations

import asyncio
import base64
import gc
import hashlib
import re
import socket
import subprocess
import sys
import threading
import warnings
from pathlib import Path

from tests.floor.indoors import indoors
from tests.floor.serving import PASSWORD, table_settings
from tests.patience import come_true, limit, no_hang

from puntobanco.client import AsyncClient

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""Of RFC 6455, by which a server shows that it speaks websocket."""
SAID = b'{"m":"bad","code":"frame","message":"what?"}'


class Deaf:
    """A server that takes a websocket, says one thing, and answers no goodbye."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.left = threading.Event()
        """That a goodbye has come."""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        with self._listener, self._listener.accept()[0] as met:
            asked = b""
            while b"\r\n\r\n" not in asked:
                asked += met.recv(4096)
            lines = dict(line.split(b": ", 1) for line in asked.split(b"\r\n") if b": " in line)
            key = base64.b64encode(hashlib.sha1(lines[b"Sec-WebSocket-Key"] + MAGIC).digest())
            met.sendall(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Accept: " + key + b"\r\n\r\n" + b"\x81" + bytes([len(SAID)]) + SAID
            )
            met.recv(4096)
            self.left.set()
            self._over.wait(limit())

    def end(self) -> None:
        self._over.set()
        self._thread.join()


def test_a_client_whose_goodbye_nobody_answers_leaves_no_socket_open() -> None:
    """Whoever closes it is cancelled, and then everything is, as at the end of a run."""

    async def part(server: Deaf) -> None:
        client = AsyncClient(f"http://127.0.0.1:{server.port}")
        await client.watch("T1")
        await come_true(lambda: client.bad)
        closing = asyncio.create_task(client.close())
        await come_true(server.left.is_set)
        closing.cancel()
        async with no_hang():
            await asyncio.gather(closing, return_exceptions=True)

    server = Deaf()
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            asyncio.run(part(server))
            gc.collect()
    finally:
        server.end()
    assert [str(each.message) for each in said] == []


def test_the_bot_of_the_guide_plays_at_a_real_floor(tmp_path: Path) -> None:
    """docs/guides/client.md: thirty lines, as they stand there."""
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "client.md").read_text("utf-8")
    (program,) = re.findall(r"^```python bot\.py\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    assert len([line for line in program.splitlines() if line.strip()]) <= 30
    (tmp_path / "bot.py").write_text(program, "utf-8")
    with indoors() as house:
        house.open(table_settings("T1"))
        command = [sys.executable, "bot.py", house.address, "ann", PASSWORD, "2"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=limit(), check=False)
        assert (done.returncode, done.stderr) == (0, "")
        first, second = done.stdout.splitlines()
        for line in (first, second):
            assert re.fullmatch(r"round \d+: (banker|player|tie), \d+ in chips", line)
        told = house.kinds("T1")
        assert told.count("wagers_placed") == 2
        assert told.count("player_left") == 1
