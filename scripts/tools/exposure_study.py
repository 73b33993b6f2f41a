"""Writes docs/exposure.md: ``scripts/exposure-study [SHOES]``, ten million of every game by default."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from scripts.tools.arguments import counts

from puntobanco.lab.exposure import Exposure, exposure
from puntobanco.lab.gpu import find_gpu
from puntobanco.lab.runs import OnGpu, Runner
from puntobanco.lab.shoes import SimulationError
from puntobanco.lab.simulate import number_of_cores
from puntobanco.lab.worth import Worth
from puntobanco.rules.load import GAMES, find_book

SHOES = 10_000_000
SEED = 1
PAGE = Path(__file__).resolve().parents[2] / "docs" / "exposure.md"
ABOUT = """# What card counting is worth

Perfect knowledge of the cards left, and a count, for every bet of every game: units won a shoe by a player who bets one
unit whenever that is right, with the standard error. Made by `scripts/exposure-study`; the
[laboratory](lab.md#counting-exposure) says what perfect and counted mean.
"""


def main(shoes: int) -> None:
    runner: Runner | None = None
    try:
        gpu = find_gpu()
        runner, where = OnGpu(gpu), gpu.name
    except SimulationError as error:
        where = f"{number_of_cores(None)} cores"
        print(f"not run on a GPU: {error}")
    parts, seconds, rounds = [], 0.0, 0
    for game in GAMES:
        book = find_book(game)
        begun = time.perf_counter()
        study = exposure(book, shoes=shoes, seed=SEED, runner=runner, cores=number_of_cores(None))
        took = time.perf_counter() - begun
        print(f"{game}: {study.rounds:,} rounds in {took:.1f} s, {study.rounds / took / 1e6:.2f} million/s", flush=True)
        seconds, rounds = seconds + took, rounds + study.rounds
        parts.append("\n".join(section(book.title, {code: bet.name for code, bet in book.bets.items()}, study)))
    command = f"`puntobanco exposure GAME --shoes {shoes}{' --gpu' if runner else ''} --seed {SEED}`"
    summary = (
        f"{shoes:,} shoes of each game, in all {rounds:,} times the exact odds of every bet: {seconds:,.0f} s on "
        f"{where}.\nOne game by itself: {command}.\n"
    )
    PAGE.write_text("\n".join((ABOUT, summary, *parts)), encoding="utf-8")


def section(title: str, names: dict[str, str], study: Exposure) -> Iterator[str]:
    dealing = study.dealing
    yield f"## {title}\n"
    dealt = f"{dealing.decks} decks, Cut Card {dealing.cut} from the end"
    yield f"{dealt}, {study.rounds:,} rounds in {study.shoes:,} shoes.\n"
    yield "| bet | perfect, a shoe | ± | of rounds | edge then | counted, a shoe | ± | from | of rounds |"
    yield "| --- | --: | --: | --: | --: | --: | --: | --: | --: |"
    for code, bet in study.bets.items():
        counted = bet.counted
        with_count = (
            ("", "", "", "")
            if counted.trigger is None
            else (figure(counted.per_shoe), figure(counted.se), f"{counted.trigger:+g}", f"{counted.share:.3%}")
        )
        yield f"| {names[code]} | {' | '.join((*perfect(bet.perfect), *with_count))} |"
    if study.insurance:
        yield "\n| insurance | perfect, a shoe | ± | of those offered | edge then | offered, of rounds |"
        yield "| --- | --: | --: | --: | --: | --: |"
        for name, row in study.insurance.items():
            worth = row.perfect
            edge = worth.per_100 / 100 / (worth.share * row.offered) if worth.share else 0.0
            cells = (
                figure(worth.per_shoe),
                figure(worth.se),
                f"{worth.share:.3%}",
                f"{edge:.3%}",
                f"{row.offered:.3%}",
            )
            yield f"| {name.replace('_', ' ')} | {' | '.join(cells)} |"
    yield ""


def perfect(worth: Worth) -> tuple[str, str, str, str]:
    return figure(worth.per_shoe), figure(worth.se), f"{worth.share:.3%}", f"{worth.edge:.3%}"


def figure(number: float) -> str:
    """Five places, or as many as show something."""
    return f"{number:.5f}" if number >= 0.001 or not number else f"{number:.2e}"


if __name__ == "__main__":
    main(*counts(sys.argv[1:], __doc__, 1) or [SHOES])
