"""What is installed from a wheel is what lies in the source folder, the rule books and the built page included."""

from __future__ import annotations

import zipfile
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[1]


def test_the_wheel_carries_everything_of_the_package(tmp_path: Path) -> None:
    source = ROOT / "src"
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path))
    with zipfile.ZipFile(wheel) as opened:
        packed = {name for name in opened.namelist() if name.startswith("puntobanco/")}
    there = {
        file.relative_to(source).as_posix()
        for file in (source / "puntobanco").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and file.suffix not in (".nbi", ".nbc")
    }
    assert packed == there
    assert "puntobanco/floor/page/index.html" in packed, "build it first: scripts/build-page"
    assert sum(name.endswith(".toml") for name in packed) >= 5
