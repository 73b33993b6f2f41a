"""A process of the demo that must not outlive its parent."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress


def stop_with_parent() -> None:
    """End as on SIGTERM when the parent has gone: the other end of the input is the parent's."""
    threading.Thread(target=_wait_for_end, name="waiting for the parent", daemon=True).start()


def _wait_for_end() -> None:
    with suppress(OSError):
        # not by sys.stdin, which the interpreter wants for itself when it ends
        while os.read(0, 1):
            pass
    os.kill(os.getpid(), signal.SIGTERM)
