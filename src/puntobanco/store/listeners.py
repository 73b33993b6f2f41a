"""Who listens to a store: told by a thread of its own, so that nobody who writes waits for them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable

from puntobanco.store.base import Heard

_log = logging.getLogger(__name__)


class Listeners:
    """Hands names on to everybody who listens. One that waits already is not added again, so that few ever wait."""

    def __init__(self) -> None:
        self._heard: tuple[Heard, ...] = ()
        self._strangers: tuple[Heard, ...] = ()
        """Those who need not hear of what was appended here."""
        self._waiting: dict[str, bool] = {}
        """By name whether it is news to them as well."""
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def __bool__(self) -> bool:
        """Whether anybody listens."""
        return bool(self._heard or self._strangers)

    def add(self, heard: Heard, *, own: bool = True) -> Callable[[], None]:
        """Tell somebody from now on, without ``own`` not of what was appended here; returns what ends it."""

        def mine(name: str) -> None:
            heard(name)

        def stop() -> None:
            with self._changed:
                self._heard = tuple(each for each in self._heard if each is not mine)
                self._strangers = tuple(each for each in self._strangers if each is not mine)

        with self._changed:
            if own:
                self._heard += (mine,)
            else:
                self._strangers += (mine,)
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="listeners of a store", daemon=True)
                self._thread.start()
        return stop

    def tell(self, names: Iterable[str]) -> None:
        if self:
            with self._changed:
                self._waiting.update(dict.fromkeys(names, True))
                self._changed.notify()

    def tell_own(self, names: Iterable[str]) -> None:
        """Logs that were appended to here: nobody is woken who knows that already."""
        if self._heard:
            with self._changed:
                for name in names:
                    self._waiting.setdefault(name, False)
                self._changed.notify()

    def close(self) -> None:
        """Tell what waits, then stop."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                names, self._waiting = self._waiting, {}
                if not names:
                    return
            for name, news in names.items():
                for heard in self._heard + self._strangers if news else self._heard:
                    try:
                        heard(name)
                    except Exception:
                        _log.exception("a listener failed at %s", name)
