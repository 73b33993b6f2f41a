"""The most that one round can cost the House at given limits: the dearest outcome, all its winning bets at the maximum.

The Differential holds for Player and Banker: what the heavier side may carry depends on the lighter. So the largest
payout (all winnings together) and the largest loss (winnings less the losing stakes) are different rounds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

import msgspec

from puntobanco.bets import Result, payoffs
from puntobanco.cards import Side
from puntobanco.insurance import find_row
from puntobanco.lab.par_terms import Terms
from puntobanco.money import Odds, winnings
from puntobanco.odds import Weights
from puntobanco.odds.deals import PATHS, Path
from puntobanco.outcomes import Outcome, PairState
from puntobanco.rules.model import InsuranceRow, RuleBook, Window, insurance_box

_Ending = tuple[int, int, int, int]
"""Points and cards of both hands: what an outcome is without its pairs."""


class Item(msgspec.Struct, frozen=True):
    """All wagers on one box in the round, whether they win or lose."""

    box: str
    result: Result
    odds: Odds | None
    stake: int
    paid: int
    """Winnings; below zero where a lost stake counts."""


class TablePayout(msgspec.Struct, frozen=True):
    """A round that costs the House most."""

    outcome: Outcome
    ways: int
    total: int
    items: tuple[Item, ...]

    @property
    def probability(self) -> Fraction:
        return Fraction(self.ways, self.total)

    @property
    def amount(self) -> int:
        return sum(item.paid for item in self.items)


class Payouts(msgspec.Struct, frozen=True):
    """The round with the largest winnings, losing stakes left aside, and the one with the largest loss."""

    winnings: TablePayout
    loss: TablePayout


def payouts(book: RuleBook, terms: Terms, found: Weights) -> Payouts | None:
    """None where not every bet has a maximum."""
    if any(terms.limits_of(bet.code).maximum is None for bet in book.menu(terms.layout)):
        return None
    ways = _insurance_paid(book, terms)
    rounds = []
    for number in found.space.numbers:
        if found[number]:
            outcome = found.space[number]
            rows = {each.rows for each in ways.get(_ending(outcome), ()) if each.fits(outcome.pairs)}
            rounds.append((number, outcome, rows or {()}))
    gross = (
        TablePayout(outcome, found[number], found.total, _round(book, terms, number, rows, net=False))
        for number, outcome, rows in rounds
    )
    net = (
        TablePayout(outcome, found[number], found.total, _round(book, terms, number, rows, net=True))
        for number, outcome, rows in rounds
    )
    return Payouts(*(max(each, key=lambda payout: (payout.amount, payout.ways)) for each in (gross, net)))


def insured_most(book: RuleBook, terms: Terms, row: InsuranceRow) -> int | None:
    """The most that one player may stake on an insurance row."""
    maximum = _maximum(book, terms, row.hand)
    if maximum is None or book.insurance is None:
        return None
    shares = [
        maximum * cap.of_maximum.numerator // cap.of_maximum.denominator
        for cap in book.insurance.caps
        if cap.odds == row.odds
    ]
    return min((maximum, *shares))


def _maximum(book: RuleBook, terms: Terms, hand: Side) -> int | None:
    codes = [code for code, on in book.original_bets.items() if on is hand]
    return terms.limits_of(codes[0]).maximum if codes else None


def _ending(outcome: Outcome) -> _Ending:
    return outcome.player_total, outcome.banker_total, outcome.player_cards, outcome.banker_cards


class _Way(msgspec.Struct, frozen=True):
    """A way to an ending: the points of both openings, and the insurance rows that are paid in the end."""

    player: int
    banker: int
    rows: tuple[InsuranceRow, ...]

    def fits(self, pairs: PairState) -> bool:
        """Whether these openings can be such pairs: a pair's points are even, and twins have the same."""
        odd = (pairs.player and self.player % 2) or (pairs.banker and self.banker % 2)
        return not odd and (not pairs.twin or self.player == self.banker)


def _insurance_paid(book: RuleBook, terms: Terms) -> Mapping[_Ending, list[_Way]]:
    if book.insurance is None or (terms.layout and not terms.layout.insurance):
        return {}
    found: dict[_Ending, list[_Way]] = defaultdict(list)
    for path in PATHS:
        cards = tuple(2 + (third is not None) for third in path[2:])
        way = _Way(path.player, path.banker, tuple(_rows_paid(book, path)))
        found[path.player_end, path.banker_end, cards[0], cards[1]].append(way)
    return found


def _rows_paid(book: RuleBook, path: Path) -> Iterator[InsuranceRow]:
    windows = []
    if path.thirds:
        windows.append((Window.FOUR_CARDS, path.player, path.banker))
    if len(path.thirds) == 2:
        windows.append((Window.PLAYER_THIRD, path.player_end, path.banker))
    for window, player, banker in windows:
        for hand, own, other in ((Side.PLAYER, player, banker), (Side.BANKER, banker, player)):
            row = find_row(book, window, hand, own, other)
            ends = (path.player_end, path.banker_end)[:: 1 if hand is Side.PLAYER else -1]
            if row and (ends[0] < ends[1] or (ends[0] == ends[1] and row.tie_pays)):
                yield row


def _round(
    book: RuleBook, terms: Terms, number: int, insured: Iterable[tuple[InsuranceRow, ...]], *, net: bool
) -> tuple[Item, ...]:
    """The dearest wagers for an outcome: every side bet that wins, and the best mix on the hands."""
    items = []
    for bet in book.menu(terms.layout):
        verdict = payoffs(book)[bet.code].verdict(number)
        if bet.hand is None and verdict.result is Result.WON and verdict.odds:
            items.append(_item(terms, bet.code, verdict.odds, terms.players * _most(terms, bet.code)))
    on_hands = max(
        (_on_hands(book, terms, number, rows, net=net) for rows in sorted(insured, key=str)),
        key=lambda found: _cost(found, net),
    )
    return tuple(on_hands) + tuple(items)


def _most(terms: Terms, code: str) -> int:
    maximum = terms.limits_of(code).maximum
    assert maximum is not None
    return maximum


def _cost(items: Iterable[Item], net: bool) -> int:
    return sum(item.paid for item in items if net or item.paid > 0)


def _item(terms: Terms, code: str, odds: Odds, stake: int, each: int = 0) -> Item:
    """So much in all, by players who stake ``each`` and one who stakes the rest; each payout is rounded by itself."""
    full, rest = divmod(stake, each or _most(terms, code))
    paid = full * winnings(each or _most(terms, code), odds, terms.rounding)
    return Item(code, Result.WON, odds, stake, paid + (winnings(rest, odds, terms.rounding) if rest else 0))


def _on_hands(book: RuleBook, terms: Terms, number: int, rows: tuple[InsuranceRow, ...], *, net: bool) -> list[Item]:
    """What lies best on Player, Banker and insurance in this outcome, within maximum and Differential."""
    verdicts = {
        bet.hand: (bet.code, payoffs(book)[bet.code].verdict(number))
        for bet in book.menu(terms.layout)
        if bet.hand is not None
    }
    room = {hand: terms.players * _most(terms, code) for hand, (code, _) in verdicts.items()}
    apart = terms.differential if terms.differential is not None else sum(room.values())
    insured = {row.hand for row in rows}
    # What does not win by itself carries insurance, or balances the other hand.
    light = [hand for hand, (_, verdict) in verdicts.items() if verdict.odds is None]
    best: list[Item] = []
    for stakes in _stakes(terms, room, light, apart, [insured_most(book, terms, row) or 0 for row in rows]):
        items = []
        for hand, (code, verdict) in verdicts.items():
            if verdict.odds:
                items.append(_item(terms, code, verdict.odds, stakes[hand]))
            elif stakes[hand] and (net or hand in insured):
                lost = stakes[hand] if net and verdict.result is Result.LOST else 0
                items.append(Item(code, verdict.result, None, stakes[hand], -lost))
        for row in rows:
            each = insured_most(book, terms, row) or 0
            stake = min(stakes.get(row.hand, 0), terms.players * each)
            if stake:
                items.append(_item(terms, insurance_box(row.hand), row.odds, stake, each))
        items = [item for item in items if item.stake]
        if _cost(items, net) > _cost(best, net):
            best = items
    return best


def _stakes(
    terms: Terms, room: Mapping[Side, int], light: list[Side], apart: int, insured: list[int]
) -> Iterator[dict[Side, int]]:
    """The corners of what limits and Differential allow: one of them is best, for all is piecewise linear."""
    if not room:
        return
    if len(light) != 1 or len(room) != 2:  # a tie, or only one hand to bet on: both as full as they may be
        least = min(room.values())
        yield {hand: min(most, least + apart) for hand, most in room.items()}
        yield dict.fromkeys(room, 0)
        return
    (lose,) = light
    win = lose.other
    corners = {0, room[lose], room[win] - apart, *(terms.players * each for each in insured)}
    for corner in sorted(corners):
        stake = max(0, min(corner, room[lose]))
        yield {lose: stake, win: max(0, min(room[win], stake + apart))}
