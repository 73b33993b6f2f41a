"""Executes docs/lab.ipynb and writes its outputs into it; ``--check`` compares instead of writing.

A notebook needs little: cells one after the other in one namespace, what they print, and the value of a last
expression, as a picture where it is one. Outputs hold no time and no address, so that they can be compared.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs" / "lab.ipynb"


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of a fresh run from top to bottom, in the folder that it lies in."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    cells = []
    with chdir(FILE.parent):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                outputs = _run("".join(cell["source"]), namespace, count)
                cell = cell | {"execution_count": count, "outputs": outputs}
            cells.append(cell)
    return notebook | {"cells": cells}


def _run(source: str, namespace: dict[str, Any], count: int) -> list[dict[str, Any]]:
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    value = None
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.Module(body, []), f"cell {count}", "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        data = {"data": _shown(value), "execution_count": count, "metadata": {}, "output_type": "execute_result"}
        outputs.append(data)
    return outputs


def _shown(value: object) -> dict[str, list[str]]:
    picture = getattr(value, "_repr_svg_", None)
    if picture is not None:
        return {"image/svg+xml": _lines(picture()), "text/plain": [f"<{type(value).__name__}>"]}
    return {"text/plain": _lines(repr(value))}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def text_of(notebook: dict[str, Any]) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the outputs are current")
    check = parser.parse_args().check
    before = FILE.read_text(encoding="utf-8")
    after = text_of(executed(json.loads(before)))
    if not check:
        FILE.write_text(after, encoding="utf-8")
        print(f"{FILE.relative_to(ROOT)}: {len(after):,} characters")
    elif after != before:
        print(f"{FILE.relative_to(ROOT)} is out of date: run scripts/notebook", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
