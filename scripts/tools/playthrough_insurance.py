"""Every row of the insurance pay table at Tiger Buffalo (4.1.14), for every pair of points it covers: paid, lost and
returned, as far as cards can bring that about. What is expected comes from :mod:`puntobanco.literal`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scripts.tools.playthrough_cards import Deal, Pages, amount

from puntobanco.cards import CARDS, Card, Side
from puntobanco.literal import (
    card_value,
    literal_insurance_odds,
    literal_insurance_profit,
    literal_insurance_settle,
    literal_profit,
    literal_settle,
)

GAME = "tiger-buffalo"
STAKE, INSURANCE, FIRST = 100_00, 40_00, 10_00
"""On the hand, on the insurance that a case is about, and on one that comes before it."""
FILES = {
    ("four_cards", Side.PLAYER): "player-after-four-cards",
    ("player_third", Side.PLAYER): "player-after-third-card",
    ("four_cards", Side.BANKER): "banker-after-four-cards",
    ("player_third", Side.BANKER): "banker-after-third-card",
}
WINDOWS = {"four_cards": "after four cards", "player_third": "after Player's third card"}


@dataclass(frozen=True)
class Row:
    """A row of 4.1.14 in our words: the points of the insured hand and of the other one."""

    own: Sequence[int]
    other: Sequence[int]

    def __str__(self) -> str:
        return f"{_range(self.own)} against {_range(self.other)}"


ROWS: dict[tuple[str, Side], tuple[Row, ...]] = {
    ("four_cards", Side.PLAYER): (Row((5,), (4,)), Row((6,), range(6)), Row((7,), range(6))),
    ("player_third", Side.PLAYER): (
        Row((5,), range(5)),
        Row((6,), range(6)),
        Row((7,), range(7)),
        Row((8,), range(7)),
        Row((9,), range(7)),
    ),
    ("four_cards", Side.BANKER): (
        Row((4,), range(4)),
        Row((5,), range(5)),
        Row((6,), range(6)),
        Row((7,), range(6)),
    ),
    ("player_third", Side.BANKER): (
        Row(range(1, 7), (0,)),
        Row((1,), (1,)),
        Row(range(2, 7), (1,)),
        Row(range(3, 7), (2,)),
        Row((4,), (3,)),
    ),
}


def _range(points: Sequence[int]) -> str:
    return str(points[0]) if len(points) == 1 else f"{points[0]} to {points[-1]}"


Values = tuple[int, ...]
"""The points of the cards of a round, in the order they are dealt."""


class Box:
    """Cards for a shoe of eight decks: of each value the one that was used least."""

    def __init__(self) -> None:
        self.used: Counter[Card] = Counter()

    def take(self, value: int, beside: Card | None = None) -> Card:
        """A card of that value, and of another rank than the one beside it where there is one."""
        fitting = [card for card in CARDS if card_value(card) % 10 == value]
        if beside is not None and value == 0:
            fitting = [card for card in fitting if card.rank is not beside.rank]
        card = min(fitting, key=lambda card: self.used[card])
        self.used[card] += 1
        assert self.used[card] <= 8
        return card


def openings() -> Iterator[tuple[Values, int, int]]:
    """Four cards that show their points at a glance: a card and a picture at each hand."""
    for player in range(10):
        for banker in range(10):
            yield (player, banker, 0, 0), player, banker


def completions(values: Values) -> Iterator[Values]:
    """Every way to finish the round from these cards."""
    deal = _dealt(values)
    if deal.due is None:
        yield values
        return
    for value in range(10):
        yield from completions((*values, value))


def _dealt(values: Values) -> Deal:
    by_value = {card_value(card) % 10: card for card in CARDS}
    deal = Deal()
    for value in values:
        deal.take(by_value[value])
    return deal


def cases(window: str, hand: Side, own: int, other: int) -> dict[str, Values]:
    """Outcome → cards that bring it, the shortest and smallest there are."""
    found: dict[str, Values] = {}
    ways = _ways(window, hand, own, other)
    for way in sorted(ways, key=lambda way: (_offered_before(window, hand, way), len(way), way)):
        gain = literal_insurance_profit(window, hand, _dealt(way).coup)
        outcome = "won" if gain > 0 else "lost" if gain < 0 else "returned"
        found.setdefault(outcome, way)
    return found


def _ways(window: str, hand: Side, own: int, other: int) -> Iterator[Values]:
    player, banker = (own, other) if hand is Side.PLAYER else (other, own)
    for opening, player_two, banker_two in openings():
        if banker_two != banker or _dealt(opening).due is None:
            continue
        if window == "four_cards":
            if player_two == player:
                yield from completions(opening)
        elif _dealt(opening).due is Side.PLAYER:
            third = (player - player_two) % 10
            if _dealt((*opening, third)).due is Side.BANKER:
                yield from completions((*opening, third))


def _offered_before(window: str, hand: Side, way: Values) -> bool:
    """Whether insurance of the hand was on offer after four cards already, in a case about the third card."""
    return window == "player_third" and literal_insurance_odds(_dealt(way[:4]).coup, hand) is not None


class File:
    """One window and one hand: a shoe for each row, a round for each pair of points and outcome."""

    def __init__(self, window: str, hand: Side) -> None:
        self.window, self.hand = window, hand
        self.pages = Pages()
        self.say = self.pages.say
        self.title = f"{str(hand).title()} insurance {WINDOWS[window]}"
        self.stack = 100_000_00

    def text(self) -> str:
        self.pages.tell(f"{self.title}: every row, for every pair of points, paid, lost and returned.")
        self.pages.tell(
            "Written by scripts/playthroughs. What is expected was reckoned from 4.1.14 and 4.2.1 read literally"
            " (puntobanco.literal), not by the table that plays it."
        )
        for line in (
            f"table {FILES[self.window, self.hand]}",
            f"game {GAME}",
            "layout A",
            "limits 25 to 5000 step 5",
            "electronic",
            "float 10000x10 1000x100 100x100",
        ):
            self.say(line)
        self.say()
        self.say("open")
        self.say("sit ann 1")
        self.say(f"chips in ann {amount(self.stack)}")
        for number, row in enumerate(ROWS[self.window, self.hand]):
            self.row(number, row)
        self.say()
        self.say(f"expect stack ann {amount(self.stack)}")
        return self.pages.text

    def row(self, number: int, row: Row) -> None:
        self.say()
        if number:
            self.say('end shoe "a new one for the next row"')
        self.say(f'shoe "machine 3, 416 counted, for the row {row}"')
        box = Box()
        for own in row.own:
            for other in row.other:
                found = cases(self.window, self.hand, own, other)
                mine, theirs = ("Player", "Banker") if self.hand is Side.PLAYER else ("Banker", "Player")
                self.say()
                self.say(note=f"{mine} {own} against {theirs} {other}")
                if "returned" not in found:
                    self.say(note="Only a tie can pay it, so nothing returns it.")
                for way in found.values():
                    self.round(way, box)

    def round(self, way: Values, box: Box) -> None:
        hand = self.hand
        deal, taken = Deal(), []
        cards: list[Card] = []
        for index, value in enumerate(way):
            cards.append(box.take(value, cards[index - 2] if index in (2, 3) else None))
        self.say()
        self.say("call")
        self.say(f"bet ann {hand} {amount(STAKE)}")
        self.say("close")
        pending: list[Card] = []
        for number, card in enumerate(cards, 1):
            pending.append(card)
            deal.take(card)
            odds = literal_insurance_odds(deal.coup, hand) if number >= 4 else None
            if odds is None and number < len(cards):
                continue
            self.say(f"deal {' '.join(map(str, pending))}", str(deal))
            pending = []
            if odds is not None:
                window = "four_cards" if number == 4 else "player_third"
                self.say(f"expect offer ann {hand} {odds.numerator} to {odds.denominator}")
                if window == self.window or window == "four_cards":
                    stake = INSURANCE if window == self.window else FIRST
                    self.say(f"insure ann {hand} {amount(stake)}")
                    taken.append((window, stake))
                else:
                    self.say("pass insurance ann")
        self.settle(deal, taken)

    def settle(self, deal: Deal, taken: list[tuple[str, int]]) -> None:
        hand, coup = self.hand, deal.coup
        gain = literal_profit(GAME, str(hand), coup)
        profit = literal_settle(GAME, str(hand), STAKE, coup)
        self.expect(gain > 0, gain < 0, str(hand), STAKE, profit)
        for window, stake in taken:
            gain = literal_insurance_profit(window, hand, coup)
            profit = literal_insurance_settle(window, hand, stake, coup)
            note = f"{gain.numerator} to {gain.denominator}" if gain > 0 else ""
            self.expect(gain > 0, gain < 0, f"{hand}_insurance", stake, profit, note)
        window = taken[-1][0]
        last = literal_insurance_profit(window, hand, coup)
        paragraph = "4.1.14"
        if deal.result == "tie":
            paragraph = "4.2.1" if last == 0 else "4.2.1.a" if hand is Side.PLAYER else "4.2.1.b"
        self.say(f"expect paragraph {paragraph}")

    def expect(self, won: bool, lost: bool, bet: str, stake: int, profit: int, note: str = "") -> None:
        result = "won" if won else "lost" if lost else "returned"
        self.say(f"expect {result} ann {bet} {amount(profit if won else stake)}", note)
        self.stack += profit


def insurance() -> dict[str, str]:
    """File → text."""
    return {f"insurance/{name}.txt": File(window, hand).text() for (window, hand), name in FILES.items()}
