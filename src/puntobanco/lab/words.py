"""Odds, conditions and numbers in the words that tables show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from puntobanco.money import Odds
from puntobanco.outcomes import Value
from puntobanco.rules.model import Window

WINDOWS = {Window.FOUR_CARDS: "four cards", Window.PLAYER_THIRD: "Player's third card"}


def percent(value: float | Fraction, digits: int = 4) -> str:
    """A share in percent, with that many digits after the point."""
    return f"{float(value) * 100:.{digits}f}%"


def ranges(numbers: Iterable[int]) -> str:
    """1, 2, 3, 10, 11 as ``1–3, 10–11``."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in spans)


def odds_words(lines: Iterable[Odds]) -> str:
    """Several odds in short: ``10 / 15 / 50 to 1``."""
    by_unit: dict[str, list[str]] = {}
    for text in dict.fromkeys(map(str, lines)):
        pays, _, to = text.partition(" to ")
        by_unit.setdefault(to, []).append(pays)
    return ", ".join(f"{' / '.join(pays)} to {to}" for to, pays in by_unit.items())


_TOTALS = {"player_total", "banker_total"}


def condition_words(when: Mapping[str, tuple[Value, ...]]) -> str:
    """A condition as one would say it: ``Banker wins on 6 with 3 cards``."""
    left = {name: values for name, values in when.items() if set(values) != {False, True}}
    winners = left.pop("winner", ())
    parts = []
    if len(winners) == 1 and winners[0] in ("player", "banker"):
        parts.append(_win_words(str(winners[0]), left))
    elif winners == ("tie",) and len(left.keys() & _TOTALS) == 1:
        (total,) = left.keys() & _TOTALS
        parts.append(f"tie on {_numbers(left.pop(total))}")
    elif winners:
        parts.append(" or ".join("tie" if who == "tie" else f"{str(who).title()} wins" for who in winners))
    parts += (_PHRASES[name](values) for name, values in left.items())
    return ", ".join(parts)


def _win_words(side: str, left: dict[str, tuple[Value, ...]]) -> str:
    """One side's win with all that can be said about it in the same breath; takes that out of ``left``."""
    other = "banker" if side == "player" else "player"
    words = f"{side.title()} wins"
    if f"{side}_total" in left:
        words += f" on {_numbers(left.pop(f'{side}_total'))}"
    if f"{side}_cards" in left:
        words += f" with {_numbers(left.pop(f'{side}_cards'))} cards"
    if f"{side}_natural" in left:
        words += " with a natural" if left.pop(f"{side}_natural") == (True,) else " without a natural"
    if f"{other}_total" in left:
        words += f" against {_numbers(left.pop(f'{other}_total'))}"
    if "margin" in left:
        words += f" by {_numbers(left.pop('margin'))}"
    return words


def _numbers(values: Sequence[Value]) -> str:
    return ranges(int(value) for value in values)


def _listed(values: Sequence[Value]) -> str:
    return " or ".join(str(value).lower() for value in values)


def _counted(noun: str) -> Callable[[Sequence[Value]], str]:
    def words(values: Sequence[Value]) -> str:
        return f"{_listed(values)} {noun}{'s' * (values[-1] != 1)}".replace("0 ", "no ", 1)

    return words


def _flag(words: str) -> Callable[[Sequence[Value]], str]:
    return lambda values: words if values == (True,) else f"no {words}"


_PAIRS = {
    "none": "no pair",
    "player": "pair at Player only",
    "banker": "pair at Banker only",
    "both": "two pairs of different ranks",
    "twin": "two pairs of one rank",
}


def _pair_words(values: Sequence[Value]) -> str:
    if set(values) == {"player", "banker"}:
        return "exactly one pair"
    return " or ".join(_PAIRS[str(value)] for value in values)


_PHRASES: dict[str, Callable[[Sequence[Value]], str]] = {
    "player_total": lambda values: f"Player on {_numbers(values)}",
    "banker_total": lambda values: f"Banker on {_numbers(values)}",
    "player_cards": lambda values: f"Player with {_numbers(values)} cards",
    "banker_cards": lambda values: f"Banker with {_numbers(values)} cards",
    "cards": lambda values: f"{_numbers(values)} cards in all",
    "margin": lambda values: f"{_numbers(values)} points apart",
    "player_natural": _flag("Player natural"),
    "banker_natural": _flag("Banker natural"),
    "pair": _pair_words,
    "player_pair": _flag("Player pair"),
    "banker_pair": _flag("Banker pair"),
    "pairs": _counted("pair"),
    "player_suited_pair": _flag("suited Player pair"),
    "banker_suited_pair": _flag("suited Banker pair"),
    "suited_pairs": _counted("suited pair"),
}
