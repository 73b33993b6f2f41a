"""The application: its addresses, its errors, the page, and how a process serves them."""

from __future__ import annotations

import gzip
import hashlib
import logging
import mimetypes
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import msgspec
from litestar import Litestar, Response, get
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath
from litestar.types import Message

import puntobanco
from puntobanco.floor import desk, house, odds_desk, play
from puntobanco.floor.access import AnyRequest, floor_of
from puntobanco.floor.floor import Floor
from puntobanco.floor.gate import on_any_error, on_deep_nesting, on_floor_error, on_http_error, on_store_error
from puntobanco.floor.interface import ABOUT, AsyncJson, Json
from puntobanco.floor.interface import Page as PageOfInterface
from puntobanco.floor.office import FloorError
from puntobanco.floor.wire import Health
from puntobanco.store.base import StoreError

log = logging.getLogger(__name__)

LARGEST_BODY = 64 * 1024
PAGE = Path(__file__).parent / "page"
NO_PAGE = """The floor is open, but its page is not here: it was not built.

In a working copy run scripts/build-page and start the server again. A wheel or source distribution of puntobanco
has the page in it. The setting "page" names a folder with another one.

The interface works without it: /api/docs describes it, /health says how the floor is.
"""
SECURITY = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; connect-src 'self';"
        " frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


# --- operations


@get("/health", sync_to_thread=False)
def health(request: AnyRequest) -> Health:
    """Whether the process is alive; it may be out of order all the same."""
    return _health(floor_of(request.app.state))


@get("/ready", sync_to_thread=False, responses={503: ResponseSpec(Health, generate_examples=False)})
def ready(request: AnyRequest) -> Response[Health]:
    """Whether requests are served."""
    found = _health(floor_of(request.app.state))
    return Response(found, status_code=200 if found.status == "ok" else 503)


def _health(floor: Floor) -> Health:
    faults = {name: fault.reason for name, fault in floor.host.keeper.faults.items()}
    status: Literal["ok", "not ready"] = "ok" if floor.serving else "not ready"
    return Health(status, puntobanco.__version__, len(floor.host.tables()), faults, floor.problems)


@get("/metrics", sync_to_thread=False, media_type="text/plain; version=0.0.4")
def metrics(request: AnyRequest) -> str:
    """Figures for Prometheus."""
    return floor_of(request.app.state).metrics()


# --- the page


class _File(msgspec.Struct, frozen=True):
    data: bytes
    packed: bytes
    media_type: str
    tag: str


class Page:
    """The built page, held in memory; every address outside the interface shows it."""

    def __init__(self, folder: Path) -> None:
        self._files: dict[str, _File] = {}
        for file in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if file.is_file() and not file.is_symlink():
                data = file.read_bytes()
                media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
                tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
                name = file.relative_to(folder).as_posix()
                self._files[name] = _File(data, gzip.compress(data, 9, mtime=0), media_type, tag)

    def answer(self, path: str, accepts: str, known: str) -> Response[bytes]:
        file = self._files.get(path) or (self._files.get("index.html") if "." not in path.split("/")[-1] else None)
        if file is None and not self._files:
            return Response(NO_PAGE.encode(), status_code=503, media_type="text/plain")
        if file is None:
            raise FloorError("not_found", f"there is nothing at /{path}")
        # names of built files change with their content
        caching = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
        headers = {"etag": file.tag, "cache-control": caching, "vary": "accept-encoding"}
        if _knows(known, file.tag):
            return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
        if _takes_gzip(accepts) and len(file.packed) < len(file.data):
            headers["content-encoding"] = "gzip"
            return Response(file.packed, headers=headers, media_type=file.media_type)
        return Response(file.data, headers=headers, media_type=file.media_type)


def _knows(known: str, tag: str) -> bool:
    """Whether a browser that has these versions has this one; proxies mark them as weak."""
    return known.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in known.split(","))


def _takes_gzip(accepts: str) -> bool:
    for each in accepts.lower().split(","):
        coding, _, weight = each.partition(";")
        if coding.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


@get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
def page(request: AnyRequest, path: FromPath[str] = "") -> Response[bytes]:
    path = path.strip("/")
    if path.startswith("api/"):
        raise FloorError("not_found", f"there is nothing at /{path}")
    served = request.app.state["page"]
    assert isinstance(served, Page)
    headers = request.headers
    return served.answer(path, headers.get("accept-encoding", ""), headers.get("if-none-match", ""))


# --- the application


STRICT = "max-age=63072000"
"""Two years of TLS and nothing else, once a browser has come by TLS."""


class Outside:
    """Around everything, refusals of the framework as well: how long requests take, headers that keep browsers safe."""

    def __init__(self, app: Litestar, floor: Floor) -> None:
        self.app, self._floor = app, floor

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.encode(), value.encode()) for name, value in SECURITY.items()]
                if self._floor.gate.secure:
                    extra.append((b"strict-transport-security", STRICT.encode()))
                if scope["path"].startswith("/api/"):
                    extra.append((b"cache-control", b"no-store"))
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        try:
            await self.app(scope, receive, safely)
        finally:
            self._floor.answered.observe(time.perf_counter() - begun)


def create_app(floor: Floor) -> Outside:
    """The application that serves a floor; starting and stopping it starts and stops the floor."""

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await floor.start()
        try:
            yield
        finally:
            await floor.close()

    folder = Path(floor.settings.page) if floor.settings.page else PAGE
    handlers: dict[Any, Any] = {
        FloorError: on_floor_error,
        StoreError: on_store_error,
        HTTPException: on_http_error,
        RecursionError: on_deep_nesting,
        Exception: on_any_error,
    }
    app = Litestar(
        [*play.HANDLERS, *house.HANDLERS, *desk.HANDLERS, *odds_desk.HANDLERS, health, ready, metrics, page],
        lifespan=[lifespan],
        state=State({"floor": floor, "page": Page(folder)}),
        exception_handlers=handlers,
        type_encoders={Fraction: str},
        request_max_body_size=LARGEST_BODY,
        openapi_config=OpenAPIConfig(
            title="puntobanco",
            version=puntobanco.__version__,
            description=ABOUT,
            path="/api/docs",
            render_plugins=[PageOfInterface(), Json(), AsyncJson()],
            use_handler_docstrings=True,
        ),
        logging_config=None,
        debug=False,
    )
    return Outside(app, floor)
