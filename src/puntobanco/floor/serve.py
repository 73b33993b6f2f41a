"""A process that serves a floor: logging, signals, and a shutdown that loses nothing."""

from __future__ import annotations

import gc
import logging
import signal
import socket
import ssl
import sys
from datetime import UTC, datetime
from types import FrameType

import msgspec
import uvicorn

from puntobanco.floor.app import create_app
from puntobanco.floor.doorway import doors_of
from puntobanco.floor.floor import Floor, open_floor
from puntobanco.floor.settings import FloorSettings, SettingsError
from puntobanco.floor.stream import LARGEST_FRAME
from puntobanco.printable import printable

LONG_LIVED = 20_000
"""New objects after which Python looks for unused ones. While it looks through all of them, every table waits."""
SWITCH = 0.001
"""Seconds after which a thread lets another run: a command goes through four of them until it is answered."""


class JsonFormatter(logging.Formatter):
    """A line of JSON for each entry."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(entry).decode()


class TextFormatter(logging.Formatter):
    """A line for people, in which names and texts of others steer no terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


def set_up_logging(settings: FloorSettings) -> None:
    """Have the log written to standard error, as text or JSON."""
    handler = logging.StreamHandler(sys.stderr)
    if settings.log_format == "json":
        handler.setFormatter(JsonFormatter())
    else:
        handler.setFormatter(TextFormatter("%(asctime)s %(levelname)-7s %(message)s", "%H:%M:%S"))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    # one line a request is for debugging; commands and refusals are counted
    logging.getLogger("uvicorn.access").setLevel(logging.DEBUG if settings.log_level == "debug" else logging.WARNING)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)


def listen(settings: FloorSettings) -> socket.socket:
    """The socket to serve at. Raises :class:`SettingsError` where the address or the certificate cannot be had."""
    _check_certificate(settings)
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
        listening.listen(1024)
        listening.set_inheritable(True)
    except (OSError, UnicodeError) as error:
        listening.close()
        reason = error.strerror if isinstance(error, OSError) else "that is not an address"
        raise SettingsError(f"cannot listen on {settings.host}:{settings.port}: {reason}") from None
    return listening


def _check_certificate(settings: FloorSettings) -> None:
    if not settings.certificate:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(settings.certificate, settings.private_key)
    except OSError as error:  # errors of TLS are some as well
        told = f"{settings.certificate} with {settings.private_key} cannot be used: {error.strerror or error}"
        raise SettingsError(told) from None


def address_of(listening: socket.socket, settings: FloorSettings) -> str:
    """The address of a server that listens."""
    host, port = listening.getsockname()[:2]
    scheme = "https" if settings.certificate else "http"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def serve(settings: FloorSettings, listening: socket.socket | None = None, floor: Floor | None = None) -> None:
    """Serve until SIGINT or SIGTERM; then finish what was asked for."""
    set_up_logging(settings)
    sys.setswitchinterval(SWITCH)
    listening = listening or listen(settings)
    server = server_of(floor or open_floor(settings))
    gc.collect()
    gc.freeze()  # what is there now stays to the end, and need not be looked through
    gc.set_threshold(LONG_LIVED, *gc.get_threshold()[1:])
    server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """Says good-bye before connections are closed."""

    def __init__(self, config: uvicorn.Config, floor: Floor) -> None:
        super().__init__(config)
        self._floor = floor

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Asked to end, the process ends with 0, not by the signal. A second Ctrl-C does not wait."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._floor.part()
        await super().shutdown(sockets)


def server_of(floor: Floor) -> uvicorn.Server:
    """What serves a floor, once it is run."""
    settings = floor.settings
    door, wire = doors_of(settings.doorway)
    config = uvicorn.Config(
        create_app(floor),
        http=door,
        log_config=None,
        access_log=settings.log_level == "debug",
        ws=wire,
        ws_max_size=4 * LARGEST_FRAME,
        ws_per_message_deflate=False,  # changes are short, and go as they are to all who see the same
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=settings.grace,
        ssl_certfile=settings.certificate or None,
        ssl_keyfile=settings.private_key or None,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        lifespan="on",
    )
    return _Server(config, floor)
