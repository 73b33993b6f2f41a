"""Pro rata (reading C): what stands of the bets on the heavier side when nobody noticed that it was too heavy."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def pro_rata(stakes: Sequence[int], minimums: Sequence[int], allowed: int, *, floor: bool) -> list[int]:
    """The stakes that stand of the heavier side's, which together may be ``allowed`` = the lighter side + the limit.

    Bets under their minimum stand in full and come off what is allowed. The others share the rest in proportion; with a
    ``floor`` none falls below its minimum for it: one that would is set there, and the rest is shared again. Where
    ``allowed`` cannot carry the minimums, each stands at its minimum. Fractions to the end, then down to whole units.
    """
    assert sum(stakes) > allowed >= 0
    standing: dict[int, Fraction] = {}
    sharing: list[int] = []
    rest = Fraction(allowed)
    for index, (stake, minimum) in enumerate(zip(stakes, minimums, strict=True)):
        if stake < minimum:
            standing[index] = Fraction(stake)
            rest -= stake
        else:
            sharing.append(index)
    while sharing:
        total = sum(stakes[index] for index in sharing)
        shares = {index: max(rest, Fraction(0)) * stakes[index] / total for index in sharing}
        low = [index for index in sharing if floor and shares[index] < minimums[index]]
        if not low:
            standing |= shares
            break
        for index in low:
            standing[index] = Fraction(minimums[index])
            rest -= minimums[index]
        sharing = [index for index in sharing if index not in low]
    return [int(standing[index]) for index in range(len(stakes))]
