"""Draws docs/pictures: runs commands as in a terminal and turns what they print into SVG.

--check compares instead of writing.
"""

from __future__ import annotations

import argparse
import io
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from puntobanco.cli import main as puntobanco

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"

SHOE = "PBBBTPPBPBBBBBBB^BPPPB*PPPPTPBPBPBBBP_PBBTBPPPPPPPPB_BPP"

PICTURES = {
    # file: columns, command
    "odds.svg": (110, "puntobanco odds tiger-buffalo"),
    "settle.svg": (
        80,
        'puntobanco settle tiger-buffalo --cards "2h Ks Qd 3c 2d 3h" '
        "--bet banker=500 --bet big_tiger=100 --bet player_pair=50",
    ),
    "roads.svg": (80, f"puntobanco roads {SHOE}"),
}

THEME = TerminalTheme(
    background=(22, 27, 34),
    foreground=(201, 209, 217),
    normal=[
        (72, 79, 88),
        (255, 123, 114),
        (63, 185, 80),
        (227, 179, 65),
        (88, 166, 255),
        (188, 140, 255),
        (57, 197, 207),
        (201, 209, 217),
    ],
)

# rich's own frame fetches a font from the network; this one takes what the reader has
FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
    <style>
    .{unique_id}-matrix {{
        font-family: ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
        font-size: {char_height}px;
        line-height: {line_height}px;
        font-variant-east-asian: full-width;
    }}
    .{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
    {styles}
    </style>
    <defs>
    <clipPath id="{unique_id}-clip-terminal">
      <rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
    </clipPath>
    {lines}
    </defs>
    {chrome}
    <g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
    {backgrounds}
    <g class="{unique_id}-matrix">
    {matrix}
    </g>
    </g>
</svg>
"""


@contextmanager
def terminal(columns: int) -> Iterator[io.StringIO]:
    """A colour terminal of that width; gives what is printed to it."""
    before = dict(os.environ)
    os.environ.update(COLUMNS=str(columns), FORCE_COLOR="1", TERM="xterm-256color")
    os.environ.pop("NO_COLOR", None)
    screen = io.StringIO()
    try:
        with redirect_stdout(screen):
            yield screen
    finally:
        os.environ.clear()
        os.environ.update(before)


def printed(columns: int, command: str) -> str:
    """What a command prints, colours included."""
    with terminal(columns) as screen:
        puntobanco(shlex.split(command)[1:])
    return screen.getvalue()


def draw(name: str) -> str:
    """The SVG of one picture."""
    columns, command = PICTURES[name]
    text = Text.from_ansi(f"$ {command}\n\n{printed(columns, command).rstrip()}\n")
    lines = text.wrap(Console(width=columns), columns)
    for line in lines:
        line.rstrip()
    console = Console(record=True, file=io.StringIO(), width=max(cell_len(line.plain) for line in lines))
    console.print(Text("\n").join(lines))
    title = " ".join(command.split()[:2])
    svg = console.export_svg(title=title, theme=THEME, code_format=FRAME, unique_id=name.removesuffix(".svg"))
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    FOLDER.mkdir(exist_ok=True)
    stale = [name for name in PICTURES if not same(name)]
    for name in stale:
        if check:
            print(f"pictures: docs/pictures/{name} is out of date: run scripts/pictures", file=sys.stderr)
        else:
            (FOLDER / name).write_text(draw(name), encoding="utf-8")
    return 1 if check and stale else 0


def same(name: str) -> bool:
    file = FOLDER / name
    return file.exists() and file.read_text(encoding="utf-8") == draw(name)


if __name__ == "__main__":
    sys.exit(main())
