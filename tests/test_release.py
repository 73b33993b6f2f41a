"""What a release consists of is built, checked and prepared; nothing is published."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest
from scripts.tools import release

import puntobanco

ROOT = Path(__file__).parents[1]
TODAY = datetime.date(2026, 11, 18)
LOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Something.\n"


def test_what_is_built_has_nothing_wrong_but_its_section_of_the_changelog(tmp_path: Path) -> None:
    source, wheel = release.build(ROOT, tmp_path)
    found = [problem for problem in release.problems(ROOT, source, wheel) if "changelog" not in problem]
    assert found == []


def test_the_version_is_stated_once() -> None:
    assert release.version_of(ROOT) == puntobanco.__version__
    assert not re.search(r'^version = "', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / release.VERSION).parent.mkdir(parents=True)
    (tmp_path / release.VERSION).write_text('"""X."""\n\n__version__ = "0.1.0"\n', "utf-8")
    (tmp_path / "CHANGELOG.md").write_text(LOG, "utf-8")
    return tmp_path


def test_a_release_is_prepared(project: Path) -> None:
    release.prepare(project, "0.2.0", TODAY)
    assert release.version_of(project) == "0.2.0"
    said = (project / "CHANGELOG.md").read_text("utf-8")
    assert "## [Unreleased]\n\n## [0.2.0] - 2026-11-18\n\n### Added\n\n- Something.\n" in said
    with pytest.raises(release.ReleaseError, match=r"has a section for 0\.2\.0 already"):
        release.prepare(project, "0.2.0", TODAY)
    with pytest.raises(release.ReleaseError, match=r"nothing is under"):
        release.prepare(project, "0.3.0", TODAY)


def test_what_is_not_a_version_is_refused(project: Path) -> None:
    with pytest.raises(release.ReleaseError, match="is not a version"):
        release.prepare(project, "next", TODAY)
    assert release.version_of(project) == "0.1.0"
