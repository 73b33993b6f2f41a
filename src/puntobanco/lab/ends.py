"""The lines of a menu for the GPU: ends of a coup that count alike for every bet are one class, added up first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puntobanco.lab.batch import CODE_OF_SLOT, PLAY, Batch
from puntobanco.lab.batch_kernel import CODES, DRAWS, IMPOSSIBLE, NO_CARD
from puntobanco.lab.shoes import SimulationError

NOTHING = 255
"""The class of what no line takes."""
ENDS = 400
"""Points of both hands, and whether each has three cards."""


class Ends(NamedTuple):
    """What the kernel adds up, and what each line takes of it."""

    draws_to: list[int]
    """By Player's third card (10: none): the highest total on which Banker draws."""
    classes: NDArray[np.uint8]
    """Of each end."""
    states: NDArray[np.uint8]
    """Of all deals of each pair state."""
    number: int
    bet_ends: list[int]
    """By bet: the line behind its last one."""
    starts: list[int]
    """By line: where its terms begin; each is a class and how often it counts."""
    terms: list[int]
    factors: NDArray[np.float64]
    gains: NDArray[np.float64]


def ends_of(batch: Batch) -> Ends:
    """The classes of ends that count alike for every bet of a batch."""
    plan = batch.plan(pairs=True)
    if plan.detailed:
        raise SimulationError(f"{batch.book.title} has a bet on pairs and points together: a GPU does not count these")
    lines = np.zeros((len(plan.gains), plan.states * CODES + plan.states))
    for line in range(len(plan.gains)):
        part = slice(plan.starts[line], plan.starts[line + 1])
        lines[line, plan.terms[part]] = plan.factors[part]
    kept, where = np.unique(lines, axis=1, return_inverse=True)
    taken = np.flatnonzero(kept.any(axis=0))
    number_of = np.full(kept.shape[1], NOTHING, np.uint8)
    number_of[taken] = np.arange(len(taken))
    cells = number_of[where.reshape(-1)]
    classes = np.full(ENDS, NOTHING, np.uint8)
    classes[CODE_OF_SLOT] = cells[:CODES]
    factors = kept[:, taken]
    used = [np.flatnonzero(row) for row in factors]
    return Ends(
        _draws_to(),
        classes,
        cells[plan.states * CODES :],
        len(taken),
        plan.ends,
        np.cumsum([0, *map(len, used)]).tolist(),
        [term for row in used for term in row.tolist()],
        np.array([factors[line, term] for line, row in enumerate(used) for term in row.tolist()]),
        plan.floats,
    )


def _draws_to() -> list[int]:
    play = PLAY.reshape(11, 10, 10)
    # what the kernel takes for granted of the Table of Play: who can draw, and that Banker's draw leaves Player's out
    drawing = play[:NO_CARD] != IMPOSSIBLE
    assert drawing[:, :6, :8].all()
    assert drawing.sum() == 10 * 6 * 8
    found = []
    for third, totals in enumerate(play):
        rows = totals[6:8] if third == NO_CARD else totals[:6]
        draws = rows == DRAWS
        assert (draws == draws[0]).all()
        found.append(int(draws[0].sum()) - 1)
    return found
