"""The proxy example before a real floor: ``scripts/proxy-test``.

Takes ``deploy/nginx.conf`` as it is, but for ports, paths and the name, and goes through it as clients do: signs in by
https, plays by websocket, watches views and events, is named by its own address, and comes back when the floor does.
"""

from __future__ import annotations

import asyncio
import os
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
from tests.floor.serving import PASSWORD, House, Nursery, Server, free_port, new_house, table_settings
from tests.patience import come_true, limit, until
from websockets.asyncio.client import connect

from puntobanco.client import AsyncClient, ClientError
from puntobanco.floor.gate import COOKIE
from puntobanco.table import commands as c

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "deploy" / "nginx.conf"
PLAYERS = ("ann", "bob")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="pb-proxy-") as name, new_house("sqlite") as house, Nursery() as nursery:
        folder, port = Path(name), free_port()
        house.add_players(PLAYERS)
        server = Server(nursery, house, https=True, failures=3)
        server.start()
        with proxy(folder, port, server.port):
            try:
                asyncio.run(through(f"https://localhost:{port}", house, server))
            finally:
                server.kill()
        assert "Traceback" not in server.log(), server.log()
    print("proxy-test: https, websockets, addresses, a restart of the floor: all as without the proxy")


def configuration(folder: Path, port: int, floor: int) -> str:
    """The example where nobody is root: with other ports and paths. Each of these has to be there."""
    text = EXAMPLE.read_text()
    for there, here in (
        ("server 127.0.0.1:8000 ", f"server 127.0.0.1:{floor} "),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("    listen [::]:443 ssl;\n", ""),
        ("floor.example", "localhost"),
        ("/etc/ssl/puntobanco/fullchain.pem", str(folder / "certificate.pem")),
        ("/etc/ssl/puntobanco/privkey.pem", str(folder / "key.pem")),
    ):
        assert text.count(there) == 1, f"{EXAMPLE} has {there!r} {text.count(there)} times"
        text = text.replace(there, here)
    temporary = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off;\npid {folder}/pid;\nerror_log stderr warn;\nworker_processes 1;\nevents {{}}\n"
        f"http {{\n    access_log {folder}/access.log;\n{temporary}{text}}}\n"
    )


@contextmanager
def proxy(folder: Path, port: int, floor: int) -> Iterator[None]:
    certificate = folder / "certificate.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost", "-keyout", str(folder / "key.pem"), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    os.environ["SSL_CERT_FILE"] = str(certificate)  # for clients here
    (folder / "nginx.conf").write_text(configuration(folder, port, floor))
    with (folder / "nginx.log").open("wb") as log:
        command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]
        process = subprocess.Popen(command, stderr=log)
        try:
            until(lambda: _answers(port), f"nginx does not answer: {(folder / 'nginx.log').read_text()}")
            yield
        finally:
            process.terminate()
            process.wait(limit())


def _answers(port: int) -> bool:
    try:
        return httpx.get(f"https://localhost:{port}/health").status_code == 200
    except httpx.TransportError:
        return False


async def through(address: str, house: House, server: Server) -> None:
    async with AsyncClient(address) as root:
        await root.sign_in("root", PASSWORD)
        await house.open_tables(server, table_settings("T1"))
        await browser(address)
        async with AsyncClient(address) as ann, AsyncClient(address) as bob:
            for client, name, box in ((ann, "ann", 1), (bob, "bob", 2)):
                await client.sign_in(name, PASSWORD)
                await client.give("T1", c.Join(name, box))
                await client.give("T1", c.BuyIn(name, 500_00, "account"))
            watched = await bob.watch("T1", 0)
            await watched.until(lambda view: view.public.phase.value == "betting")
            await bets(ann)
            await watched.until(lambda view: any(stake.bet == "player" for stake in view.public.stakes))
            before = bob.reconnects
            server.kill()
            await come_true(lambda: bob.reconnects > before)
            server.start()
            done = await ann.give("T1", c.BuyIn("ann", 100_00, "account"))
            await watched.until(lambda view: view.version >= done.version)
            assert watched.gaps == 0
            assert not bob.bad, bob.bad
    guesses(address, server)


async def bets(client: AsyncClient) -> None:
    """In a round that is open; what the floor refuses is tried again in the next."""
    while True:
        try:
            await client.give("T1", c.Place("ann", 1, {"player": 100}))
        except ClientError as error:
            if error.code not in ("no_round", "bets_closed", "unavailable"):
                raise
            await asyncio.sleep(0.05)
        else:
            return


async def browser(address: str) -> None:
    """As a page does: a cookie for https only, and a websocket of the same origin."""
    async with httpx.AsyncClient(base_url=address) as page:
        page_text = await page.get("/")
        assert page_text.headers["strict-transport-security"], page_text.headers
        signed = await page.post(
            "/api/session", json={"name": "ann", "password": PASSWORD}, headers={"origin": address}
        )
        assert signed.status_code < 300, signed.text
        cookie = signed.headers["set-cookie"]
        assert "Secure" in cookie, cookie
        token = page.cookies[COOKIE]
    url = address.replace("https", "wss", 1) + "/api/stream"
    headers = {"Cookie": f"{COOKIE}={token}", "Origin": address}
    async with connect(url, additional_headers=headers, ssl=ssl.create_default_context(), proxy=None) as socket:
        hello = msgspec.json.decode(await socket.recv())
        assert (hello["m"], hello["person"]) == ("hello", "ann"), hello


def guesses(address: str, server: Server) -> None:
    """The floor locks somebody who guesses by the real address, whatever address is claimed."""
    codes = []
    for number in range(5):
        claimed = {"x-forwarded-for": f"203.0.113.{number}"}
        answer = httpx.post(f"{address}/api/session", json={"name": "bob", "password": "no"}, headers=claimed)
        codes.append(answer.json()["code"])
    assert codes[-1] == "locked", codes
    assert "203.0.113" not in server.log()


if __name__ == "__main__":
    main()
