"""How a table is set up: game, layout, limits, chips, and the options where casinos differ."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from puntobanco.cards import Symbol
from puntobanco.currencies import digits_of, is_code
from puntobanco.lazy import lazy
from puntobanco.money import ROUND_DOWN, Rounding
from puntobanco.rules.model import Layout, RuleBook
from puntobanco.rules.policies import CutCardEnds, PrivateTable, Scope


class SettingsError(ValueError):
    """Settings that do not fit the book or each other."""


class Step(Symbol):
    """A step that a table may take by itself (the rest is somebody's command)."""

    CALL = "call"
    DEAL = "deal"
    OFFER = "offer"
    ANNOUNCE = "announce"
    SETTLE = "settle"
    CONFIRM = "confirm"
    SQUEEZE = "squeeze"


CALL, DEAL, OFFER, ANNOUNCE, SETTLE, CONFIRM, SQUEEZE = Step
"""Named once, as the hands are."""


def in_order(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Steps in their one order, so that equal settings are written alike."""
    wanted = set(steps)
    return tuple(step for step in Step if step in wanted)


ELECTRONIC = in_order(set(Step) - {Step.CALL})
LIVE = in_order({Step.OFFER, Step.SETTLE})


class Kind(Symbol):
    """How much of the play is on the felt."""

    LIVE = "live"
    """Cards and chips."""
    SHOE = "electronic shoe"
    """Chips; the cards come from a committed shoe."""
    MACHINE = "electronic"
    """Nothing: the table does everything by itself but call for bets."""


class BetLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of one bet, in minor units; no maximum is ``None``."""

    minimum: int = 1
    maximum: int | None = None
    step: int = 1

    def allow(self, stake: int) -> bool:
        """Whether a stake is within them, and a multiple of the step."""
        most = self.maximum
        return self.minimum <= stake and (most is None or stake <= most) and not stake % self.step


class Differential(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The most that Banker and Player bets may differ, over the table or in each box (reading B)."""

    limit: int
    scope: Literal["table", "box"] = "table"


class Shifts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When the gaming day begins, in minutes after midnight UTC, and its shifts."""

    day_begins: int = 6 * 60
    names: tuple[str, ...] = ("day", "swing", "night")
    """Shifts of equal length, in order."""

    def at(self, moment: int) -> tuple[int, str]:
        """The gaming day (days since the epoch) and the shift of a moment in milliseconds."""
        minutes = moment // 60_000 - self.day_begins
        day, into = divmod(minutes, _DAY)
        return day, self.names[into * len(self.names) // _DAY]


_DAY = 24 * 60


AS_COUNTED = -1
"""As many digits as a currency counts after the point."""


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """Everything that is fixed when a table opens."""

    table: str
    game: str
    layout: str
    positions: int
    decks: int
    limits: BetLimits = BetLimits()
    bet_limits: dict[str, BetLimits] = {}
    differential: Differential | None = None
    chips: tuple[int, ...] = (10_000_00, 1_000_00, 500_00, 100_00, 25_00, 5_00, 1_00, 50, 5, 1)
    currency: str = ""
    """The book's by default."""
    digits: int = AS_COUNTED
    """Digits after the point; by default as many as the currency has."""
    rounding: Rounding = ROUND_DOWN
    automated: tuple[Step, ...] = LIVE
    face_down: bool = False
    high_limit: bool = False
    no_insurance: bool = False
    burn: Literal["none", "first_card"] | int = "none"
    shuffler: bool = False
    """Whether a shuffler deals: discards go back into it, and it has neither Cut Card nor burn."""
    cut_card: int = 16
    rounds_after_cut: int = 0
    countdown: int = 20
    insurance_countdown: int = 10
    forgo: Literal["round", "window"] = "round"
    squeeze_rights: Literal["one", "per_hand"] = "one"
    unburnt_shoe: Literal["any", "majority", "all"] = "any"
    """How many players must ask before a shoe whose burn was forgotten is replaced (reading O)."""
    seeds: Literal["none", "asked", "required"] = "none"
    """Whether players' seeds mix a committed shoe: asked for a while, or waited for."""
    seed_countdown: int = 10
    """Seconds to pledge a seed, and again to show it."""
    cut: Literal["asked", "required"] = "asked"
    """Whether a committed shoe waits for a cut."""
    shifts: Shifts = Shifts()
    book_hash: str = ""
    private: bool = False
    """A private table, where a player may ask to be offered no insurance (tiger-buffalo 4.2.2)."""
    maximum_per: Literal["person", "box"] = "person"
    """Whose maximum it is: each person's on a bet, or that of all who bet in a box, who take up its balance (3.6)."""

    @lazy
    def electronic(self) -> bool:
        """Whether the table deals by itself."""
        return DEAL in self.automated

    @lazy
    def kind(self) -> Kind:
        if not self.electronic:
            return Kind.LIVE
        return Kind.MACHINE if set(ELECTRONIC) <= set(self.automated) else Kind.SHOE

    def limits_of(self, bet: str) -> BetLimits:
        """Of one bet: its own, or else the table's."""
        return self.bet_limits.get(bet, self.limits)


def as_the_book_says(settings: TableSettings, book: RuleBook) -> TableSettings:
    """The settings with what the book fixes in place of what was set up; the rest it leaves to the table."""
    stated = book.policies
    fixed: dict[str, Any] = {
        "burn": stated.burn.value,
        "forgo": stated.insurance_forgone.value,
        "squeeze_rights": stated.squeeze_rights.value,
        "unburnt_shoe": stated.shoe_asked_by.value,
    }
    fixed = {name: choice.value for name, choice in fixed.items() if choice.value not in UNFIXED}
    if stated.cut_card_ends.value is not CutCardEnds.LEFT_TO_TABLE:
        fixed["rounds_after_cut"] = int(stated.cut_card_ends.value is CutCardEnds.ONE_MORE)
    if settings.shuffler:
        fixed |= {"burn": "none", "rounds_after_cut": 0}
    currency = settings.currency or book.currency
    digits = digits_of(currency) if settings.digits == AS_COUNTED else settings.digits
    fixed |= {"currency": currency, "digits": digits}
    fixed["differential"] = scoped(settings.differential, book)
    fixed["limits"] = in_units(settings.limits, settings.rounding)
    fixed["bet_limits"] = {bet: in_units(limits, settings.rounding) for bet, limits in settings.bet_limits.items()}
    return replace(settings, **fixed)


def in_units(limits: BetLimits, rounding: Rounding) -> BetLimits:
    """Limits whose step, where none was set, is what payouts are rounded to: a smaller bet might win nothing."""
    return replace(limits, step=rounding.unit) if limits.step == 1 else limits


UNFIXED = ("left_to_table", "not_covered")


def scoped(differential: Differential | None, book: RuleBook) -> Differential | None:
    """A Differential that is counted over what the book says."""
    scope = book.policies.differential_scope.value
    if differential is None or scope is Scope.LEFT_TO_TABLE:
        return differential
    return replace(differential, scope=scope.value)


def check_settings(settings: TableSettings, book: RuleBook) -> Layout:
    """Everything wrong with the settings, as one message; the layout if nothing is."""
    wrong: list[str] = []
    layout = book.layout(settings.layout)
    assert layout is not None
    if settings.positions not in layout.positions:
        allowed = ", ".join(map(str, layout.positions))
        wrong.append(
            f"positions {settings.positions}: layout {layout.code} has {allowed} ({book.cite(layout.paragraph)})"
        )
    decks = book.decks
    if not decks.least <= settings.decks <= decks.most:
        wrong.append(
            f"decks {settings.decks}: the book allows {decks.least} to {decks.most} ({book.cite(decks.paragraph)})"
        )
    if settings.book_hash not in ("", book.hash):
        wrong.append(f"the book {book.id} is not the one that the table was set up with")
    for code, limits in {"limits": settings.limits, **settings.bet_limits}.items():
        if code != "limits" and code not in layout.bets:
            wrong.append(f"limits for {code}: layout {layout.code} does not carry it")
        if limits.minimum < 1 or limits.step < 1:
            wrong.append(f"{code}: minimum and step must be above zero")
        if limits.maximum is not None and limits.maximum < limits.minimum:
            wrong.append(f"{code}: the maximum is below the minimum")
        if limits.minimum % settings.rounding.unit or (limits.step != 1 and limits.step % settings.rounding.unit):
            wrong.append(f"{code}: minimum and step must be whole multiples of what payouts round to (reading D)")
    if settings.differential is not None and settings.differential.limit < settings.limits.minimum:
        wrong.append("the Differential is below the minimum bet")
    if (
        not settings.chips
        or list(settings.chips) != sorted(set(settings.chips), reverse=True)
        or settings.chips[-1] < 1
    ):
        wrong.append("chips must be different values above zero, the largest first")
    if settings.decks > 0 and not 1 <= settings.cut_card <= settings.decks * 52 - 6:
        wrong.append(f"the Cut Card must lie 1 to {settings.decks * 52 - 6} cards before the end")
    if settings.rounds_after_cut not in (0, 1):
        wrong.append("rounds after the Cut Card: 0 or 1 (reading K)")
    if settings.shuffler and (settings.burn not in ("none", 0) or settings.rounds_after_cut):
        wrong.append("shuffler: it has no Cut Card, and nothing is burnt from it")
    if settings.shuffler and (settings.seeds != "none" or settings.cut == "required"):
        wrong.append("shuffler: it draws anew for every round, so no seeds are mixed in and nobody cuts")
    if not settings.electronic and (settings.seeds != "none" or settings.cut == "required"):
        wrong.append("seeds, and a cut that is waited for: only where the cards come from an electronic shoe")
    if settings.countdown < 1 or settings.insurance_countdown < 1 or settings.seed_countdown < 1:
        wrong.append("countdowns are at least one second")
    if isinstance(settings.burn, int) and not 0 <= settings.burn <= 20:
        wrong.append("burn 0 to 20 cards, by the first card, or none")
    if settings.no_insurance and not layout.insurance:
        wrong.append(f"no_insurance: {book.title} offers none on this layout anyway")
    elif settings.no_insurance and book.policies.private_table.value is PrivateTable.SAME:
        wrong.append(
            f"no_insurance: insurance is offered everywhere ({book.cite(book.policies.private_table.paragraph)})"
        )
    if not settings.shifts.names or not 0 <= settings.shifts.day_begins < _DAY:
        wrong.append("a gaming day begins within a day and has at least one shift")
    if settings.automated != in_order(settings.automated):
        wrong.append(f"automated steps go in their order: {', '.join(step.value for step in Step)}")
    if not settings.currency and not book.currency:
        wrong.append(f"currency: {book.title} states none, so say one, as in SGD")
    elif settings.currency and not is_code(settings.currency):
        wrong.append("currency: a code in capital letters, as in SGD")
    if settings.digits != AS_COUNTED and not 0 <= settings.digits <= 4:
        wrong.append("digits of the currency: 0 to 4")
    if wrong:
        raise SettingsError("; ".join(wrong))
    return layout
