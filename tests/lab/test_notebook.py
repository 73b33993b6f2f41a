"""The notebook of the docs: executed here from top to bottom, it gives the outputs that it shows."""

from __future__ import annotations

import json
from typing import Any

from scripts.tools.notebook import FILE, executed, text_of


def test_the_notebook_is_current() -> None:
    told = FILE.read_text(encoding="utf-8")
    assert text_of(executed(json.loads(told))) == told, "docs/lab.ipynb is out of date: run scripts/notebook"


def cell(source: str) -> dict[str, Any]:
    return {"cell_type": "code", "source": source.splitlines(keepends=True), "outputs": [], "execution_count": None}


def test_cells_share_names_and_show_their_last_value() -> None:
    class_of_a_picture = "class P:\n    def _repr_svg_(self): return '<svg/>'\nP()"
    cells = [cell("a = 2\nprint('x\\ny')\na + 1"), cell("a"), cell("b = a"), cell(class_of_a_picture)]
    done = executed({"cells": [{"cell_type": "markdown", "source": ["# a"]}, *cells]})["cells"]
    assert done[0] == {"cell_type": "markdown", "source": ["# a"]}
    assert done[1]["outputs"] == [
        {"name": "stdout", "output_type": "stream", "text": ["x\n", "y\n"]},
        {"data": {"text/plain": ["3"]}, "execution_count": 1, "metadata": {}, "output_type": "execute_result"},
    ]
    assert done[2]["outputs"][0]["data"] == {"text/plain": ["2"]}
    assert (done[3]["outputs"], done[3]["execution_count"]) == ([], 3)
    assert done[4]["outputs"][0]["data"] == {"image/svg+xml": ["<svg/>"], "text/plain": ["<P>"]}
