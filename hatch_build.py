"""What is built holds the page: a wheel or source distribution without it would serve nothing, so it is not made.

A wheel also has the docs and the examples, for ``puntobanco help``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Looks for the built page. An editable installation may do without it, and builds it later."""

    SHARED = ("docs/*.md", "docs/guides/*.md", "examples/*/*")

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        page = Path(self.root) / "src" / "puntobanco" / "floor" / "page" / "index.html"
        if version != "editable" and not page.is_file():
            raise RuntimeError("the page is not built, and is part of what is installed: run scripts/build-page first")
        if self.target_name == "wheel" and version != "editable":
            root = Path(self.root)
            files = (file for pattern in self.SHARED for file in root.glob(pattern) if file.is_file())
            build_data["force_include"].update(
                {str(file): f"puntobanco/shared/{file.relative_to(root).as_posix()}" for file in files}
            )
