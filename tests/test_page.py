"""The page's types are those of the schema, and nothing that the page is built from names an address."""

from __future__ import annotations

import re
from pathlib import Path

from scripts.tools import page_words
from scripts.tools.page_types import FILE, check_forms, types

WEB = Path(__file__).parent.parent / "web"


def test_the_page_has_the_types_of_the_schema() -> None:
    assert FILE.read_text("utf-8") == types(), "run scripts/build-page"


def test_the_page_has_the_words_of_the_catalogue() -> None:
    assert page_words.FILE.read_text("utf-8") == page_words.words(), "run scripts/build-page"


def test_schema_and_encoding_agree_on_values_with_a_form_of_their_own() -> None:
    check_forms()


def test_the_lock_of_the_tools_names_no_address() -> None:
    lock = (WEB / "package-lock.json").read_text("utf-8")
    assert '"integrity"' in lock
    assert '"resolved"' not in lock
    assert "://" not in lock


def test_the_page_fetches_nothing_from_outside() -> None:
    for file in (*sorted(WEB.glob("src/**/*")), WEB / "index.html"):
        if file.suffix in (".ts", ".svelte", ".css", ".html") and not file.name.endswith(".test.ts"):
            assert not re.search(r"(?:src|href|url\(|import|fetch\()\W*https?:", file.read_text("utf-8")), file
