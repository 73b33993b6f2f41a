"""A connection to PostgreSQL that is cut: a proxy between client and server that counts what passes."""

from __future__ import annotations

import select
import socket
import threading
from contextlib import suppress
from pathlib import Path

SOCKET = ".s.PGSQL.5432"


class Proxy:
    """Listens like a server in its own folder. ``cut_after`` messages in a direction it hangs up, once, both ways."""

    def __init__(self, folder: Path, server: Path) -> None:
        self.folder, self._server = folder, server
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / SOCKET))
        self._listener.listen()
        self.to_server = self.to_client = 0
        self._cut: tuple[str, int, bool] | None = None
        self._open = True
        self.cuts = 0
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def address(self, of: str) -> str:
        return of.replace(f"host={self._server}", f"host={self.folder}")

    def cut_after(self, direction: str, messages: int, *, delivered: bool) -> None:
        """Hang up at so many more pieces in a direction; the last one arrives or is lost."""
        self.to_server = self.to_client = 0
        self._cut = (direction, messages, delivered)

    def _accept(self) -> None:
        while self._open:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, suppress(OSError):
            server.connect(str(self._server / SOCKET))
            while True:
                for source in select.select([client, server], [], [])[0]:
                    data = source.recv(1 << 16)
                    direction = "to_server" if source is client else "to_client"
                    setattr(self, direction, getattr(self, direction) + 1)
                    cut = self._cut is not None and self._cut[:2] == (direction, getattr(self, direction))
                    if not data or (cut and self._cut is not None and not self._cut[2]):
                        self._count(cut)
                        return
                    (server if source is client else client).sendall(data)
                    if cut:
                        self._count(cut)
                        return

    def _count(self, cut: bool) -> None:
        if cut:
            self._cut = None
            self.cuts += 1

    def close(self) -> None:
        self._open = False
        self._listener.close()
