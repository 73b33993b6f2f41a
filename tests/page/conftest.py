"""A server with tables, a browser, and people in front of it. A test that fails leaves pictures of its pages."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, ViewportSize
from tests.floor.serving import PASSWORD, Nursery, new_folder
from tests.page.browser import WIDE, build_page, open_browser
from tests.page.casino import Casino
from tests.page.screens import (
    PATIENCE,
    DealerScreen,
    DisplayScreen,
    PitScreen,
    PlayerScreen,
    Screen,
    SurveillanceScreen,
    know_the_page,
)

S = TypeVar("S", bound=Screen)
PICTURES = Path(tempfile.gettempdir()) / "puntobanco-page"
"""Where the pictures of failed tests go."""
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session")
def page_built() -> None:
    build_page()


@pytest.fixture(scope="module")
def casino(page_built: None, nursery: Nursery) -> Iterator[Casino]:
    """One for the tests of a file: the pit shows every table of a floor, and the longer that is the slower it is."""
    with new_folder() as folder:
        found = Casino(nursery, folder)
        yield found
        found.server.kill()
        log = found.server.log()
        assert "Traceback" not in log, log[-4000:]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with open_browser() as found:
        yield found


@pytest.fixture(scope="session")
def spare() -> list[Page]:
    """Pages that tests have left as they found them, for the next: a new one takes twice the time."""
    return []


class Crowd:
    """Everybody of one test. Each person has a context of his own, as if at another machine."""

    def __init__(self, browser: Browser, casino: Casino, spare: list[Page]) -> None:
        self.browser, self.casino, self.spare = browser, casino, spare
        self.number = casino.number()
        casino.welcome(f"ann-{self.number}", f"bob-{self.number}")
        self.contexts: dict[str, BrowserContext] = {}
        self.usual: list[Page] = []
        """Those that the next test may have."""
        self.minded: dict[Page, Callable[[Error], None]] = {}
        self.errors: list[str] = []

    def page(
        self, who: str, viewport: ViewportSize = WIDE, locale: str = "en-US", *, new: bool = False, **options: Any
    ) -> Page:
        """A new page in a new context, where nothing moves for long; who is new to it is offered a tour."""
        still = {"reduced_motion": "reduce"}
        context = self.browser.new_context(viewport=viewport, locale=locale, **still | options)
        context.set_default_timeout(PATIENCE)
        if not new:
            know_the_page(context)
        return self._mind(who, context.new_page())

    def visit(self, person: str, path: str, **options: Any) -> Page:
        """A page for somebody who has signed in before."""
        page = self._mind(person, self.spare.pop()) if self.spare and not options else self.page(person, **options)
        if not options:
            self.usual.append(page)
        signed_in = page.context.request.post(
            f"{self.casino.address}/api/session", data={"name": person, "password": PASSWORD}
        )
        assert signed_in.ok, signed_in.text()
        page.goto(f"{self.casino.address}{path}")
        return page

    def open(self, kind: type[S], table: str, person: str, path: str, **options: Any) -> S:
        """A screen of a table."""
        return kind(self.visit(person, f"/{path}/{table}", **options), self.casino, table, person)

    def _mind(self, who: str, page: Page) -> Page:
        self.contexts[who if who not in self.contexts else f"{who} at another screen"] = page.context
        self.minded[page] = lambda error: self.errors.append(f"{who}: {error}")
        page.on("pageerror", self.minded[page])
        return page

    def leave(self, *, failed: bool) -> None:
        """Close what was opened, but for pages that are as good as new."""
        for page in () if failed else self.usual:
            if page.context.pages == [page]:
                page.remove_listener("pageerror", self.minded[page])
                page.evaluate("localStorage.clear(); sessionStorage.clear()")
                page.goto("about:blank")
                page.set_viewport_size(WIDE)
                page.unroute_all()
                page.context.clear_cookies()
                self.spare.append(page)
        kept = {page.context for page in self.spare}
        for context in self.contexts.values():
            if context not in kept:
                context.close()

    def player(self, table: str, name: str, box: int = 0, *, seated: bool = True, **options: Any) -> PlayerScreen:
        """A player in front of a table; with a box he sits there, or stands behind it, and has chips for 5,000."""
        person = f"{name}-{self.number}"
        if box:
            self.casino.seat(person, table, box, seated=seated)
        screen = self.open(PlayerScreen, table, person, "table", **options)
        if box:
            screen.at("tray").wait_for()
        return screen

    def dealer(self, table: str, **options: Any) -> DealerScreen:
        """The dealer at a table, who has signed on."""
        screen = self.open(DealerScreen, table, "dan", "dealer", **options)
        screen.sign_on()
        return screen

    def pit(self, table: str, name: str, **options: Any) -> PitScreen:
        return self.open(PitScreen, table, name, "pit/t", **options)

    def surveillance(self, table: str, **options: Any) -> SurveillanceScreen:
        return self.open(SurveillanceScreen, table, "sue", "surveillance/t", **options)

    def display(self, table: str, **options: Any) -> DisplayScreen:
        return self.open(DisplayScreen, table, "sue", "display", **options)


@pytest.fixture
def crowd(browser: Browser, casino: Casino, spare: list[Page], request: pytest.FixtureRequest) -> Iterator[Crowd]:
    found = Crowd(browser, casino, spare)
    yield found
    failed = request.node.stash.get(FAILED, False) or bool(found.errors)
    if failed:
        for who, context in found.contexts.items():
            _photograph(f"{request.node.name}-{who}", context)
    found.leave(failed=failed)
    assert not found.errors


def _photograph(name: str, context: BrowserContext) -> None:
    PICTURES.mkdir(exist_ok=True)
    for number, page in enumerate(context.pages):
        file = PICTURES / f"{re.sub('[^a-z0-9-]+', '-', name.lower())}-{number}.png"
        page.screenshot(path=file)
        print(f"picture: {file}")
