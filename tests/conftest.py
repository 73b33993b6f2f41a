"""How the tests search: by fresh chance for whoever develops, the same way every time where a change is judged.

Hypothesis has limits of time of its own, for an example and for making one. They would say how busy the machine is.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("judge", settings.get_profile("patient"), derandomize=True)
settings.load_profile("judge" if os.environ.get("CI") else "patient")
