"""Card counts: a tag for every rank, from the effects of removal, and how well it follows them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product

import msgspec
import numpy as np
from numpy.typing import NDArray

from puntobanco.cards import RANKS

Floats = NDArray[np.float64]

LARGEST_TAG = 3
MOST_TAG = 100
"""Of a count that somebody brings."""
NAMES = tuple(str(rank.value) for rank in RANKS)
NEGLIGIBLE = 1e-12
"""Effects below this are rounding: a bet on pairs has none, as every rank makes pairs alike."""


class CountError(ValueError):
    """Text that is not a count."""


class Count(msgspec.Struct, frozen=True):
    """Tags by rank, Ace to King. The running count is their sum over the cards seen; the true one, that by decks."""

    tags: tuple[float, ...]

    @classmethod
    def parse(cls, text: str) -> Count:
        """Read ``4:-1 5:-1 8:2``; what is not named counts 0."""
        tags = dict.fromkeys(NAMES, 0.0)
        seen = set()
        for item in text.replace(",", " ").split():
            name, colon, number = item.partition(":")
            name = "T" if name == "10" else name.upper()
            try:
                tag = float(number)
            except ValueError:
                tag = math.nan
            if not colon or name not in tags or math.isnan(tag) or name in seen:
                raise CountError(f"{item!r} is not a tag: write rank:number once for a rank, as in 8:2 or 4:-1")
            if abs(tag) > MOST_TAG:
                raise CountError(f"{item!r}: a tag lies between -{MOST_TAG} and {MOST_TAG}")
            seen.add(name)
            tags[name] = tag
        if not any(tags.values()):
            raise CountError("a count has at least one tag that is not 0, as in 8:2 4:-1")
        return cls(tuple(tags.values()))

    @property
    def by_rank(self) -> dict[str, float]:
        return {name: int(tag) if tag == int(tag) else tag for name, tag in zip(NAMES, self.tags, strict=True)}

    @property
    def any(self) -> bool:
        return any(self.tags)

    def correlation(self, effects: Mapping[str, float]) -> float:
        """With the effects of removal: 1 for the best linear count, 0 where there is nothing to follow."""
        return _correlation(np.array(self.tags), np.array([effects[name] for name in NAMES]))


def _correlation(tags: Floats, effects: Floats) -> float:
    tags, effects = tags - tags.mean(), effects - effects.mean()
    spread = math.sqrt(float(tags @ tags) * float(effects @ effects))
    return float(tags @ effects) / spread if spread > NEGLIGIBLE else 0.0


def full_count(effects: Mapping[str, float]) -> Count:
    """The best linear count: the effects themselves, the largest made 1."""
    values = np.array([effects[name] for name in NAMES])
    largest = float(np.abs(values).max())
    return Count(tuple((values / largest).tolist()) if largest > NEGLIGIBLE else (0.0,) * len(NAMES))


def small_count(effects: Mapping[str, float], largest: int = LARGEST_TAG) -> Count:
    """The whole tags up to ``largest`` that follow the effects best and add up to nothing over a deck.

    The four ranks that count zero have equal tags. Many scales are tried, and every tag that is nearly half-way both up
    and down.
    """
    values = np.array([effects[name] for name in NAMES])
    top = float(np.abs(values).max())
    if top <= NEGLIGIBLE:
        return Count((0.0,) * len(NAMES))
    best, found = -1.0, np.zeros(len(NAMES))
    for scale in np.linspace(0.5, largest + 0.5, 40):
        wanted = values / top * scale
        options = [_near(float(each), largest) for each in wanted[:10]]
        for first in product(*options):
            tags = np.array([*first, *first[9:10] * 3])
            if tags.any() and tags.sum() == 0 and (fit := _correlation(tags, values)) > best + 1e-9:
                best, found = fit, tags
    return Count(tuple(found.tolist()))


def _near(wanted: float, largest: int) -> tuple[float, ...]:
    """The whole number next to a wanted tag; both neighbours where it lies between."""
    low = math.floor(wanted)
    part = wanted - low
    near = (low,) if part < 0.3 else (low + 1,) if part > 0.7 else (low, low + 1)
    return tuple(float(min(max(each, -largest), largest)) for each in near)
