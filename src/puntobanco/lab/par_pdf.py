"""A page as PDF, by the printer of a browser. Its dates are taken out, so that the same page gives the same bytes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chromium-headless-shell")
SECONDS = 180
_DATES = re.compile(rb"/(CreationDate|ModDate) \(D:\d{14}")
_NO_DATE = rb"/\1 (D:20000101000000"


class PdfError(ValueError):
    """No browser, or one that does not print."""


def find_browser() -> str | None:
    """The browser that prints, if there is one."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def pdf_of(page: str) -> bytes:
    """The page as the browser prints it."""
    browser = find_browser()
    if browser is None:
        raise PdfError(
            "a PDF is printed by a browser, and none was found: install Chromium (on Debian and Ubuntu: "
            "apt-get install chromium), or write .html and print that"
        )
    with tempfile.TemporaryDirectory(prefix="puntobanco-") as folder:
        source, target = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        _print(browser, source, target)
        if not target.exists():
            raise PdfError(f"{browser} has printed nothing")
        # The dates are the only thing in the file that is not the page's; the place of everything else stays.
        return _DATES.sub(_NO_DATE, target.read_bytes())


def _print(browser: str, source: Path, target: Path) -> None:
    command = [
        browser,
        "--headless",
        "--disable-gpu",
        "--no-first-run",
        "--no-pdf-header-footer",
        "--generate-pdf-document-outline",
        f"--user-data-dir={source.parent / 'profile'}",
        f"--print-to-pdf={target}",
        source.as_uri(),
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.insert(1, "--no-sandbox")  # which the browser cannot have under root
    try:
        subprocess.run(command, env=os.environ | {"TZ": "UTC"}, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise PdfError(f"{browser} did not print within {SECONDS} seconds") from error
    except OSError as error:
        raise PdfError(f"{browser} cannot be run: {error.strerror}") from error
