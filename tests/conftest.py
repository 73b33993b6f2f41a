"""How the tests search: by fresh chance for whoever develops, the same way every time where a change is judged."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("judge", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("judge")
