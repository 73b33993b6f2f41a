"""The site of guides, docs and API reference builds without a warning."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from scripts.tools import site


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    folder = tmp_path_factory.mktemp("site")
    return folder, site.build(folder)


def test_nothing_is_wrong_with_it(built: tuple[Path, list[str]]) -> None:
    """No dead link, and every public name has a docstring."""
    _, problems = built
    assert problems == []


def test_a_method_without_a_docstring_is_named() -> None:
    """Of a class that a module exports: methods, class methods and properties, unless what they carry out says it."""

    class Asked:
        """What a thing must do."""

        def told(self) -> None:
            """Said here."""

    class Thing(Asked):
        """A thing."""

        def told(self) -> None: ...

        def bare(self) -> None: ...

        @classmethod
        def made(cls) -> None: ...

        @property
        def length(self) -> int:
            return 0

        def _mine(self) -> None: ...

    module = ModuleType("things", "Things.")
    vars(module).update(Thing=Thing, __all__=["Thing"])
    where = f"{__name__}.{Thing.__qualname__}"
    assert site.undescribed([module]) == [f"{where}.bare", f"{where}.length", f"{where}.made"]


def test_guides_and_the_api_are_there_and_fetch_nothing(built: tuple[Path, list[str]]) -> None:
    folder, _ = built
    index = (folder / "index.html").read_text("utf-8")
    assert "docs/guides/pit-manager.html" in index
    api = (folder / "api" / "puntobanco.bets.html").read_text("utf-8")
    assert 'id="settle"' in api
    assert "<script" not in index + api
    assert (folder / "docs" / "pictures" / "settle.svg").is_file()


def test_what_is_wrong_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = site.Page(
        "docs/x.html", "X", "docs/x.md", "# X\n\n[no](nowhere.md) [none](#there) [fine](#x)\n", "Reference"
    )
    monkeypatch.setattr(site, "pages", lambda: [page])
    monkeypatch.setattr(site, "undescribed", lambda: ["puntobanco.y"])
    monkeypatch.setattr(site, "COPIED", ())
    assert site.build(tmp_path) == [
        "puntobanco.y has no docstring",
        "docs/x.html: nowhere.md leads nowhere",
        "docs/x.html: #there has no such heading",
    ]
