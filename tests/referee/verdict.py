"""What a round comes to, from its facts alone: stakes, hands, insurance, money, cards that wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from tests.referee import books, insurance, limits
from tests.referee.hands import BANKER, PLAYER, Deal, deal
from tests.referee.insurance import FOUR, Insured
from tests.referee.limits import Key, Lot, Sign


@dataclass
class Story:
    """The facts of a round as they really were, whatever was keyed."""

    sign: Sign
    used: frozenset[str] = frozenset()
    """Who has had a bet below the minimum settled in this stay (Hoiana 7.17)."""
    lots: list[Lot] = field(default_factory=list)
    """Chips as they lay at the close, those found later among them."""
    cards: list[str] = field(default_factory=list)
    """In the order they left the shoe, those that waited for the round first."""
    insured: list[Insured] = field(default_factory=list)
    back: set[str] = field(default_factory=set)
    """Who took all bets back under options."""
    ruled: dict[Key, int] = field(default_factory=dict)
    """Stakes that somebody ruled (reading Y)."""
    returned: set[tuple[str, str]] = field(default_factory=set)
    """Whose Original Bet on which hand went back because insurance was missed (Tiger Buffalo 5.17.2)."""
    free: bool = False


class Line(NamedTuple):
    """What became of a stake; ``profit`` is without the stake."""

    person: str
    box: int
    bet: str
    stake: int
    result: str
    profit: int


def line(person: str, box: int, bet: str, stake: int, pays: Fraction | None) -> Line:
    if pays is None:
        return Line(person, box, bet, stake, "lost", -stake)
    if not pays:
        return Line(person, box, bet, stake, "returned", 0)
    return Line(person, box, bet, stake, "won", int(stake * pays))


def standing(story: Story) -> dict[Key, int]:
    """What stands of every bet of those who are still in."""
    laid = limits.stakes(story.lots)
    left = limits.stand(story.sign, laid, story.used)
    left |= {key: stake for key, stake in story.ruled.items() if key in laid}
    return {key: stake for key, stake in left.items() if stake and key[0] not in story.back}


def insured_lines(story: Story, stakes: Mapping[Key, int], dealt: Deal) -> list[Line]:
    """Insurance by the row of the cards as they were, within its caps; what is over them goes back (readings F, G)."""
    room: dict[tuple[str, int, str, str], int] = {}
    late: dict[tuple[str, int, str], Fraction] = {}
    lines = []
    for each in story.insured:
        pays = insurance.offered(deal(story.cards[: 4 if each.window == FOUR else 5])).get(each.hand)
        original = stakes.get((each.person, each.box, each.hand), 0)
        if pays is None or not original:
            continue  # there was nothing to insure, or nothing of that person: it goes back (3.11)
        key = (each.person, each.box, each.hand, each.window)
        left = room.get(key, insurance.cap(story.sign, original, pays))
        stake = min(each.amount, left)
        if each.late:
            # all of it together may win the Original Bet (5.17.1)
            could_win = late.get(key[:3], Fraction(0))
            stake = min(stake, int((original - could_win) / pays))
            late[key[:3]] = could_win + stake * pays
        room[key] = left - stake
        if not stake:
            continue
        became = insurance.becomes(dealt, each, pays)
        lines.append(line(each.person, each.box, f"{each.hand}_insurance", stake, became))
    return lines


def settled(story: Story) -> list[Line]:
    """Every stake that is in, and what became of it."""
    dealt = deal(story.cards)
    assert not dealt.due, story
    stakes = standing(story)
    lines = [
        line(person, box, bet, stake, books.pays(story.sign.game, bet, dealt))
        for (person, box, bet), stake in stakes.items()
        if (person, bet) not in story.returned
    ]
    return lines + insured_lines(story, stakes, dealt)


def used_after(story: Story) -> frozenset[str]:
    """Who has had a small bet paid or collected, once this round is over (7.17); one that a tie returns was neither."""
    if story.sign.kind != "hoiana":
        return story.used
    laid = limits.stakes(story.lots)
    small = {key for key in laid if laid[key] < story.sign.minimum and key not in story.ruled}
    paid = {each.person for each in settled(story) if each.result != "returned" and each[:3] in small}
    return story.used | paid


def by_person(lines: Sequence[Line]) -> dict[str, int]:
    """What each has won or lost."""
    found: dict[str, int] = {}
    for each in lines:
        found[each.person] = found.get(each.person, 0) + each.profit
    return {person: amount for person, amount in found.items() if amount}


def may_insure(story: Story, forgone: frozenset[str]) -> dict[tuple[str, str], tuple[int, Fraction, int]]:
    """Who may insure which hand now: the box, the odds, and the most at this window."""
    now = insurance.offered(deal(story.cards))
    return {
        (person, bet): (box, now[bet], insurance.cap(story.sign, stake, now[bet]))
        for (person, box, bet), stake in standing(story).items()
        if bet in (PLAYER, BANKER) and bet in now and person not in forgone
    }
