"""What every request passes: who sends it, from which site, how often; and how errors are told."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from puntobanco.floor.doorway import KNOWN, place_of
from puntobanco.floor.host import Host
from puntobanco.floor.office import FloorError
from puntobanco.floor.people import Identity, csrf_of
from puntobanco.floor.wire import FLOOR_CODES, REFUSED, Problem
from puntobanco.store.base import BadNameError, StoreError, outside

log = logging.getLogger(__name__)

COOKIE = "puntobanco_session"
HOST_COOKIE = f"__Host-{COOKIE}"
"""Under TLS: a browser takes it from this very host only, and sends it to no other."""
CSRF = "x-csrf-token"
GONE = "client disconnected prematurely"
"""How the framework says that a body has not come whole: anybody can do that, and the server is not to blame."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_CODE_OF = {status: code for code, (status, _) in reversed(FLOOR_CODES.items())}

Connection = ASGIConnection[Any, Any, Any, State]


def status_of(problem: Problem) -> int:
    """The HTTP status of a problem: a table's refusals have one for all."""
    return FLOOR_CODES[problem.code][0] if problem.code in FLOOR_CODES else REFUSED


def problem_response(problem: Problem) -> Response[Problem]:
    """A problem as an answer, with the status of its code."""
    return Response(problem, status_code=status_of(problem))


class Rates(msgspec.Struct, frozen=True):
    """How often one address may ask: requests a second, and at once after a pause; sign-ins a minute.

    And how many websockets one person may have.
    """

    rate: float
    burst: int
    sign_ins: float
    streams: int


class Buckets:
    """How often somebody may ask: so many a second, and so many at once after a pause."""

    def __init__(self, rate: float, burst: int, now: Callable[[], float]) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> bool:
        now = self._now()
        left, at = self._left.get(key, (float(self._burst), now))
        left = min(self._burst, left + (now - at) * self._rate)
        if len(self._left) > 100_000:  # anybody who was away has a full bucket anyway
            self._left.clear()
        self._left[key] = (max(left - 1, 0), now)
        return left >= 1


class Bucket:
    """The same for one who is made to wait instead of being refused."""

    def __init__(self, rate: float, burst: int, now: Callable[[], float]) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left, self._at = float(burst), now()

    def take(self) -> float:
        """The seconds to wait before the next."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate) - 1
        self._at = now
        return max(0.0, -self._left / self._rate)


class Gate:
    """Checks connections of both kinds."""

    def __init__(
        self, host: Host, limits: Rates, origins: tuple[str, ...], now: Callable[[], float], *, secure: bool = False
    ) -> None:
        self._host, self._limits, self._now = host, limits, now
        self.secure = secure
        """Whether browsers come by TLS."""
        self.cookie = HOST_COOKIE if secure else COOKIE
        self._requests = Buckets(limits.rate, limits.burst, now)
        self._sign_ins = Buckets(limits.sign_ins / 60, max(1, round(limits.sign_ins)), now)
        self._origins = frozenset(origins)

    def frames(self) -> Bucket:
        """How often one connection may send frames."""
        return Bucket(self._limits.rate, self._limits.burst, self._now)

    def check_streams(self, person: str, open_now: int) -> None:
        if open_now >= self._limits.streams:
            raise FloorError("too_many", f"{person} has {open_now} connections open: close one of them")

    def check_rate(self, connection: Connection, *, sign_in: bool = False) -> None:
        where = address_of(connection)
        if not (self._sign_ins if sign_in else self._requests).take(where):
            raise FloorError("too_many", f"too many requests from {where}: wait a moment")

    def check_origin(self, connection: Connection) -> None:
        """A page of another site may not act for the person who has it open."""
        origin = connection.headers.get("origin")
        if origin is None or origin in self._origins:
            return
        try:
            site = urlsplit(origin).netloc
        except ValueError:
            site = ""
        if not site or site != connection.headers.get("host"):
            raise FloorError("origin", f"{origin} is another site")

    async def identify(self, connection: Connection) -> Identity:
        """Who sends this. By cookie it must come from our own page, and carry its token if it changes anything."""
        token, by_cookie = _bearer(connection), False
        if not token:
            token, by_cookie = connection.cookies.get(self.cookie, ""), True
        if not token:
            raise FloorError("sign_in", "sign in first")
        identity = await self._host.in_thread(self._host.people.who, token, self._host.clock())
        if identity is None:
            raise FloorError("sign_in", "the session is over: sign in again")
        if isinstance(connection, Request) and by_cookie and connection.method not in SAFE:
            self.check_origin(connection)
            if not hmac.compare_digest(connection.headers.get(CSRF, "").encode(), csrf_of(token).encode()):
                raise FloorError("csrf", f"the header {CSRF} must carry the token of the session")
        connection.scope[KNOWN] = True  # type: ignore[literal-required]
        return identity

    def token_of(self, connection: Connection) -> str:
        """The token that a connection brings, as a bearer's or in the cookie."""
        return _bearer(connection) or connection.cookies.get(self.cookie, "")


def _bearer(connection: Connection) -> str:
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def address_of(connection: Connection) -> str:
    """The address that a connection comes from, as far as it stands for one place."""
    return place_of(connection.client.host) if connection.client else "nowhere"


# --- errors


def on_floor_error(_: Request[Any, Any, State], error: FloorError) -> Response[Problem]:
    """The answer to what the floor refuses."""
    return problem_response(error.problem)


def on_store_error(_: Request[Any, Any, State], error: StoreError) -> Response[Problem]:
    """The answer where the store refuses or does not answer."""
    if isinstance(error, BadNameError):
        return problem_response(Problem("bad_request", str(error)))
    log.debug("the store: %s", error)  # floor.pulse says once that it does not answer, and once that it does
    return problem_response(Problem("unavailable", f"{outside(error)}: send the same again"))


def on_http_error(request: Request[Any, Any, State], error: HTTPException) -> Response[Problem]:
    """What the framework refuses: a path, a method, a body; or cannot do itself."""
    status = error.status_code
    if error.detail == GONE:
        return problem_response(Problem("bad_request", "the request has not come whole"))  # to nobody
    if status >= 500:
        return on_any_error(request, error)
    problem = Problem(_CODE_OF.get(status, "bad_request" if status < 500 else "failed"), _words(error))
    return Response(problem, status_code=status, headers=error.headers)


def on_deep_nesting(_: Request[Any, Any, State], error: RecursionError) -> Response[Problem]:
    """The answer to a body that is nested too deep to be read."""
    return problem_response(Problem("bad_request", "the body is nested too deeply"))


def on_any_error(request: Request[Any, Any, State], error: Exception) -> Response[Problem]:
    """A fault of the server: it goes into the log, and the answer says no more than that."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return problem_response(Problem("failed", "the server could not do this; it is in its log"))


def _words(error: HTTPException) -> str:
    if not error.extra:
        return error.detail
    try:
        return f"{error.detail}: {msgspec.json.encode(error.extra).decode()}"
    except (TypeError, ValueError):
        return error.detail
