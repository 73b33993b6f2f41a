"""Debian's Chromium for the tests of the page and for its pictures.

Its headless shell is the same browser without windows and takes half the time. Where it is missing and we are root, it
is installed through apt with a font for Chinese; else the whole browser does, and where that is missing, too,
:class:`NoBrowserError` says what to do. Nothing is ever skipped.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

ROOT = Path(__file__).parents[2]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome")
PHONE: ViewportSize = {"width": 390, "height": 844}
TABLET: ViewportSize = {"width": 1024, "height": 768}
WIDE: ViewportSize = {"width": 1600, "height": 1000}
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",
)


class NoBrowserError(RuntimeError):
    """Chromium is missing and cannot be installed from here."""


def chromium() -> str:
    """The path of the browser."""
    if shell := shutil.which(SHELL):
        return shell
    with Path(tempfile.gettempdir(), "puntobanco-browser.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several tests ask at once, and apt works for one at a time
        if not shutil.which(SHELL):
            _install(SHELL)
        if not _find():
            _install("chromium")
    if found := _find():
        return found
    raise NoBrowserError(
        "the tests of the page need a browser, and there is none: install Chromium"
        f" (on Debian and Ubuntu: apt-get install {SHELL} fonts-noto-cjk) or put it on the PATH"
    )


def _find() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def _install(package: str) -> None:
    if os.geteuid() == 0 and shutil.which("apt-get"):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=False, env=environment)
        subprocess.run(["apt-get", "install", "-y", "-qq", package, "fonts-noto-cjk"], check=False, env=environment)


def build_page() -> None:
    """Build the page where it is not up to date."""
    script = ROOT / "scripts" / "build-page"
    done = subprocess.run(
        [str(script)], env=os.environ | {"PYTHON": sys.executable}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"scripts/build-page failed:\n{done.stderr}"


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(QUIET))
        try:
            yield browser
        finally:
            browser.close()
