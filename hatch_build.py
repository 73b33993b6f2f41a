"""What is built holds the page: a wheel or source distribution without it would serve nothing, so it is not made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Looks for the built page. An editable installation may do without it, and builds it later."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        page = Path(self.root) / "src" / "puntobanco" / "floor" / "page" / "index.html"
        if version != "editable" and not page.is_file():
            raise RuntimeError(
                "the page is not built, and belongs into what is installed: run scripts/build-page first"
            )
