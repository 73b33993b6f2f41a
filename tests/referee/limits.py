"""Limits: what may be bet (readings A, B), what goes back at the close, what stands of the rest (readings C, M, N)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from tests.referee.books import BOOKS
from tests.referee.hands import BANKER, PLAYER

Key = tuple[str, int, str]
"""Person, box, bet."""
ORIGINAL = (PLAYER, BANKER)


class Sign(NamedTuple):
    """What stands on the table's sign, and who may sit where."""

    game: str
    layout: str
    minimum: int
    maximum: int | None
    step: int
    differential: int | None
    by_box: bool
    forgo: str = "round"

    @property
    def kind(self) -> str:
        return BOOKS[self.game].limits


class Lot(NamedTuple):
    """Chips put down at one time; of a bet that is raised only the raise is as late as the raise."""

    person: str
    box: int
    bet: str
    amount: int
    seated: bool

    @property
    def key(self) -> Key:
        return self.person, self.box, self.bet


def stakes(lots: Iterable[Lot]) -> dict[Key, int]:
    """What lies on each bet of each person, in the order in which the bets came."""
    found: dict[Key, int] = {}
    for lot in lots:
        found[lot.key] = found.get(lot.key, 0) + lot.amount
    return found


def scope(sign: Sign, box: int) -> int:
    """The box that the Differential is counted over; 0 for the whole table."""
    return box if sign.by_box else 0


def excess(sign: Sign, laid: dict[Key, int], box: int = 0) -> tuple[str, int]:
    """The heavier hand, and how much is over the Differential there."""
    if sign.differential is None:
        return BANKER, 0
    on = dict.fromkeys(ORIGINAL, 0)
    for (_, where, bet), amount in laid.items():
        if bet in ORIGINAL and box in (0, where):
            on[bet] += amount
    heavier = max(ORIGINAL, key=lambda hand: on[hand])
    return heavier, max(0, abs(on[PLAYER] - on[BANKER]) - sign.differential)


def give_way(sign: Sign, lots: list[Lot], hand: str, over: int, box: int, order: Iterable[int]) -> list[Lot]:
    """So much of the hand goes back, in that order of lots; a bet that would be left too small goes back whole."""
    left = list(lots)
    for place in order:
        lot = left[place]
        if over <= 0:
            break
        if lot.bet != hand or box not in (0, lot.box) or not lot.amount:
            continue
        whole = sum(each.amount for each in left if each.key == lot.key)
        taken = min(lot.amount, over)
        if whole - taken < sign.minimum:
            left = [each._replace(amount=0) if each.key == lot.key else each for each in left]
            over -= whole
        else:
            left[place] = lot._replace(amount=lot.amount - taken)
            over -= taken
    return left


def ask(sign: Sign, lots: list[Lot], new: Lot) -> list[Lot] | None:
    """The chips on the layout after a request, or nothing where it is refused."""
    whole = stakes(lots).get(new.key, 0) + new.amount
    if whole < sign.minimum or (sign.maximum is not None and whole > sign.maximum) or whole % sign.step:
        return None
    after = [*lots, new]
    box = scope(sign, new.box)
    heavier, over = excess(sign, stakes(after), box)
    if not over or new.bet != heavier:
        return after
    if not new.seated or sign.kind != "rws":
        return None  # only the RWS books let standing players give way to a seated one
    standing = [place for place in reversed(range(len(lots))) if not lots[place].seated]
    order = sorted(standing, key=lambda place: lots[place].box != new.box)
    yielded = give_way(sign, after, new.bet, over, box, order)
    return None if excess(sign, stakes(yielded), box)[1] else [lot for lot in yielded if lot.amount]


def close(sign: Sign, lots: list[Lot]) -> list[Lot]:
    """What lies on the layout after the close: what was noticed and not put right goes back."""
    if sign.kind == "none":
        return lots
    left = []
    laid = stakes(lots)
    for place, lot in enumerate(lots):
        over = laid[lot.key] - sign.maximum if sign.maximum is not None else 0
        later = sum(each.amount for each in lots[place + 1 :] if each.key == lot.key)
        amount = lot.amount - max(0, min(lot.amount, over - later))
        left.append(lot._replace(amount=0 if laid[lot.key] < sign.minimum else amount))
    boxes = sorted({lot.box for lot in lots}) if sign.by_box else [0]
    for box in boxes:
        hand, over = excess(sign, stakes(left), box)
        latest = list(reversed(range(len(left))))
        order = sorted(latest, key=lambda place: left[place].seated) if sign.kind == "rws" else latest
        left = give_way(sign, left, hand, over, box, order)
    return [lot for lot in left if lot.amount]


def stand(sign: Sign, laid: dict[Key, int], used: frozenset[str]) -> dict[Key, int]:
    """What stands of the bets as they lay at the close, found ones among them, where nobody noticed a breach."""
    if sign.kind == "none":
        return dict(laid)
    left = dict(laid)
    small = {key for key, amount in laid.items() if amount < sign.minimum}
    if sign.kind == "hoiana":
        left = {key: amount for key, amount in left.items() if not (key in small and key[0] in used)}  # 7.17
        if sign.maximum is not None:
            left = {key: min(amount, sign.maximum) for key, amount in left.items()}  # 7.18
    for box in sorted({box for _, box, _ in laid}) if sign.by_box else [0]:
        hand, over = excess(sign, left, box)
        if over:
            heavy = {key: amount for key, amount in left.items() if key[2] == hand and box in (0, key[1])}
            left |= shared(sign, heavy, sum(heavy.values()) - over, small)
    return {key: amount for key, amount in left.items() if amount}


def shared(sign: Sign, heavy: dict[Key, int], allowed: int, small: set[Key]) -> dict[Key, int]:
    """Pro rata: small bets stand in full, the others share the rest, at RWS none below the minimum (reading C)."""
    shares = {key: Fraction(amount) for key, amount in heavy.items() if key in small}
    rest = Fraction(allowed) - sum(shares.values())
    others = {key: amount for key, amount in heavy.items() if key not in small}
    while others:
        whole = sum(others.values())
        part = {key: max(Fraction(0), rest * amount / whole) for key, amount in others.items()}
        low = [key for key, share in part.items() if sign.kind == "rws" and share < sign.minimum]
        if not low:
            shares |= part
            break
        for key in low:
            shares[key] = Fraction(sign.minimum)
            rest -= sign.minimum
            del others[key]
    return {key: int(share) for key, share in shares.items()}
