"""How fast the page is: ``scripts/benchmark page``.

What a browser fetches before it shows the lobby, compressed; how long it takes from the click on a bet to the chip that
the table has confirmed, with a hundred spectators at the table, in a real browser over the loopback network; and how
long ``scripts/run`` takes until the lobby is served when everything is there already. Everything shares the processors
of one machine: the server, the spectators and the browser.
"""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Browser
from rich.console import Console
from rich.table import Table as Grid
from scripts.tools.arguments import words
from tests.floor.serving import Nursery, Wire, free_port, new_folder
from tests.page.browser import WIDE, build_page, open_browser
from tests.page.casino import Casino
from tests.page.screens import PATIENCE, PlayerScreen, know_the_page, sign_in
from websockets.exceptions import ConnectionClosed

from puntobanco.floor.wire import Watch
from puntobanco.table import commands as c

SPECTATORS = 100
BETS = 50
WANTED = 100.0
"""Milliseconds from click to confirmed chip."""
TABLE = "TB-1"
ROOT = Path(__file__).resolve().parents[1]

CLICK = """async ([selector, place]) => {
  const target = document.querySelector(selector);
  const amount = () => {
    const chips = document.querySelector(place);
    return chips && chips.dataset.state === "confirmed" ? Number(chips.dataset.amount) : 0;
  };
  const before = amount();
  const begun = performance.now();
  target.click();
  return await new Promise((resolve) => {
    const seen = new MutationObserver(() => {
      if (amount() <= before) return;
      seen.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - begun));
    });
    seen.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
}"""
"""Click a bet; milliseconds until the next frame after its chips are confirmed."""


class Spectators:
    """Connections that follow the table, in a thread of their own."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token = address, token
        self._there = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._watch_all(),), daemon=True)
        self.heard = 0

    def __enter__(self) -> Spectators:
        self._thread.start()
        assert self._there.wait(60), "the spectators do not come"
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()
        self._loop.close()

    async def _watch_all(self) -> None:
        wires = [await Wire.dial(self._address, self._token) for _ in range(SPECTATORS)]
        watching = [asyncio.ensure_future(self._watch(wire)) for wire in wires]
        self._there.set()
        await self._over.wait()
        for wire in wires:
            await wire.close()
        await asyncio.gather(*watching)

    async def _watch(self, wire: Wire) -> None:
        await wire.send(Watch(TABLE))
        with suppress(ConnectionClosed):
            while True:
                await wire.hear()
                self.heard += 1


def bets(browser: Browser) -> tuple[list[float], int]:
    """Milliseconds of each bet; and how many messages the spectators got meanwhile."""
    with Nursery() as nursery, new_folder() as folder:
        casino = Casino(nursery, folder, ("alice",))
        try:
            casino.open_table("tiger-buffalo", table=TABLE)
            context = browser.new_context(viewport=WIDE)
            know_the_page(context)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            sign_in(page, casino.address, "alice", f"/table/{TABLE}")
            alice = PlayerScreen(page, casino, TABLE, "alice")
            alice.sit(1)
            alice.buy_in(5000)
            casino.give("dan", TABLE, c.Call())
            alice.bet(1, "player", chip=25_00)
            target, place = "[data-box='1'] [data-bet=player]", "[data-testid=bet-1-player]"
            with Spectators(casino.address, casino.house.tokens["sue"]) as spectators:
                page.wait_for_timeout(1_000)
                before = spectators.heard
                took = [float(page.evaluate(CLICK, [target, place])) for _ in range(BETS)]
                page.wait_for_timeout(1_000)
                return took, spectators.heard - before
        finally:
            casino.server.kill()


def first_load(browser: Browser) -> tuple[int, int]:
    """Bytes that come over the network until the lobby is there, and in how many answers."""
    with Nursery() as nursery, new_folder() as folder:
        casino = Casino(nursery, folder, ("alice",))
        try:
            casino.open_table("tiger-buffalo", table=TABLE)
            page = browser.new_context(viewport=WIDE).new_page()
            session = page.context.new_cdp_session(page)
            session.send("Network.enable")
            sizes: list[int] = []
            session.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
            sign_in(page, casino.address, "alice")
            page.locator("[data-table]").first.wait_for()
            return sum(sizes), len(sizes)
        finally:
            casino.server.kill()


def start_again() -> float:
    """Seconds from ``scripts/run`` to a page that is served, the second time."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        took = 0.0
        for _ in range(2):
            begun = time.monotonic()
            run = subprocess.Popen(
                [str(ROOT / "scripts" / "run"), "--folder", f"{folder}/demo", "--port", str(port)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                while not _answers(port) and run.poll() is None and time.monotonic() < begun + 300:
                    time.sleep(0.05)
                took = time.monotonic() - begun
            finally:
                os.killpg(run.pid, signal.SIGINT)
                run.wait(60)
        return took


def _answers(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=2) as answer:
        return bool(answer.status == 200)
    return False


def main(*, start: bool) -> None:
    build_page()
    grid = Grid("what", "measured", "wanted")
    with open_browser() as browser:
        size, answers = first_load(browser)
        grid.add_row(
            "first load: bytes until the lobby is there", f"{size / 1000:.0f} kB in {answers} answers", "200 kB"
        )
        took, heard = bets(browser)
    median, slow = statistics.median(took), statistics.quantiles(took, n=20)[-1]
    about = f"click to confirmed chip, {SPECTATORS} spectators, {BETS} bets"
    grid.add_row(about, f"p50 {median:.0f} ms, p95 {slow:.0f} ms, most {max(took):.0f} ms", f"{WANTED:.0f} ms")
    grid.add_row("messages to spectators meanwhile", str(heard), "")
    if start:
        grid.add_row("scripts/run, the second time, until it serves", f"{start_again():.1f} s", "10 s")
    Console().print(grid)
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} processors, load of the machine meanwhile {load:.1f}")


if __name__ == "__main__":
    main(start="--start" in words(sys.argv[1:], __doc__, ("--start",)))
