"""What stands of bets outside the limits that nobody noticed before the close, when the round is settled.

Bets under the minimum come first (reading M), then those over the maximum (N), then the Differential pro rata (C); what
becomes of each the book says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec.structs import replace

from puntobanco.bets import Result
from puntobanco.cards import Side
from puntobanco.rules.policies import AboveMaximum, BelowMinimum, OverDifferential
from puntobanco.table import events as e
from puntobanco.table.base import BANKER, PLAYER
from puntobanco.table.bets.limits import over_maximum
from puntobanco.table.bets.pro_rata import pro_rata
from puntobanco.table.bets.state import Wager
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.ledger import moves
from puntobanco.table.settings import TableSettings
from puntobanco.table.settlement.events import SettledLine
from puntobanco.table.state import Round, Table


def stakes_stand(table: Table, current: Round) -> e.StakesStand:
    """What stands of the round's bets; the rest goes back."""
    cuts = cuts_of(table, current)
    back: dict[str, int] = defaultdict(int)
    for cut in cuts:
        back[cut.person] += cut.amount
    transfers = moves(*((layout_of(person), chips_of(person), amount) for person, amount in back.items()))
    paragraph = cuts[0].paragraph if cuts else _in_full_by(table, current)
    return e.StakesStand(cuts, transfers, paragraph, _beside(table, current, cuts))


def _under_minimum(current: Round) -> list[Wager]:
    """Bets under the minimum; one that was ruled on stands by its ruling (reading Y)."""
    limits_of = current.settings.limits_of
    return [
        wager
        for key, wager in current.wagers.items()
        if wager.stake < limits_of(wager.bet).minimum and key not in current.ruled
    ]


def _in_full_by(table: Table, current: Round) -> str:
    """Why all of it stands: a bet under the minimum by its paragraph, others because the chips lie there."""
    slots = table.irregularities
    small = slots.below_minimum_unnoticed.rule if _under_minimum(current) else ""
    return small or slots.chips_decide.rule or table.procedures.close.rule


def _beside(table: Table, current: Round, cuts: tuple[e.StakeCut, ...]) -> str:
    """The paragraph by which a bet under the minimum is not shared out along with the others of its hand."""
    hands = table.book.original_bets
    shared = {hands[cut.bet] for cut in cuts if cut.why == "pro_rata"}
    back = {(cut.person, cut.box, cut.bet) for cut in cuts}
    left = (wager for wager in _under_minimum(current) if (wager.person, wager.box, wager.bet) not in back)
    whole = any(hands.get(wager.bet) in shared for wager in left)
    return table.irregularities.over_differential_unnoticed.under_minimum if whole else ""


def sent_back(table: Table, current: Round) -> tuple[SettledLine, ...]:
    """What does not stand of bets that came to light after the settlement, as lines of what went back."""
    cuts = cuts_of(table, current) if current.unnoticed else ()
    return tuple(
        SettledLine(cut.person, cut.box, cut.bet, cut.amount, Result.RETURNED, 0, cut.paragraph) for cut in cuts
    )


def cuts_of(table: Table, current: Round) -> tuple[e.StakeCut, ...]:
    """What comes off the stakes, in the order of the paragraphs."""
    stakes = {key: wager.stake for key, wager in current.wagers.items()}
    cuts: list[e.StakeCut] = []

    def cut(wager: Wager, amount: int, why: str, paragraph: str) -> None:
        if amount:
            stakes[wager.person, wager.box, wager.bet] -= amount
            cuts.append(e.StakeCut(wager.person, wager.box, wager.bet, amount, why, paragraph))  # type: ignore[arg-type]

    stated = table.policies
    small, large = stated.below_minimum_unnoticed.value, stated.above_maximum_unnoticed.value

    def beyond(wager: Wager) -> tuple[int, str, str]:
        """What the bet is too small or too large by; of one that was ruled on nothing more comes off (reading Y)."""
        if (wager.person, wager.box, wager.bet) in current.ruled:
            return 0, "", ""
        limits = current.settings.limits_of(wager.bet)
        again = small is BelowMinimum.ONCE_THEN_RETURNED and wager.person in table.under_minimum
        if wager.stake < limits.minimum and (again or small is BelowMinimum.RETURNED):
            return wager.stake, "below_minimum", table.irregularities.below_minimum_unnoticed.rule
        if over := over_maximum(current, wager):
            # where the book is silent somebody rules on it
            back = {AboveMaximum.CAPPED: over, AboveMaximum.RETURNED: wager.stake}
            return back.get(large, 0), "above_maximum", table.irregularities.above_maximum_unnoticed.rule
        return 0, "", ""

    for wager in current.wagers.values():
        cut(wager, *beyond(wager))
    over = stated.over_differential_unnoticed.value
    if over is not OverDifferential.STANDS:
        shared = table.irregularities.over_differential_unnoticed.rule
        at_close = [(wager, wager.stake - beyond(wager)[0]) for wager in _at_the_close(current)]
        for heavier, allowed in _too_heavy(table, current.settings, at_close):
            minimums = [current.settings.limits_of(wager.bet).minimum for wager, _ in heavier]
            amounts = [amount for _, amount in heavier]
            stands = pro_rata(amounts, minimums, allowed, floor=over is OverDifferential.PRO_RATA_TO_MINIMUM)
            for (wager, _), standing in zip(heavier, stands, strict=True):
                if (key := (wager.person, wager.box, wager.bet)) in current.ruled:
                    continue
                lies = stakes.get(key, 0)
                cut(wager, max(0, lies - standing), "pro_rata", shared)
    return tuple(cuts)


def _as_they_lay(current: Round) -> Iterable[Wager]:
    """The bets at the close: what went back since does not reopen the question (reading B)."""
    laid = dict(current.wagers)
    for wager in current.taken_back:
        key = (wager.person, wager.box, wager.bet)
        rest = laid[key].stake if key in laid else 0
        laid[key] = replace(wager, stake=rest + wager.stake)
    return laid.values()


def _at_the_close(current: Round) -> Iterable[Wager]:
    """What counts against the Differential: of bets that were ruled on, what lay there before (reading B)."""
    laid = {(wager.person, wager.box, wager.bet): wager for wager in _as_they_lay(current)}
    return (laid | current.ruled).values()


def original_bet(table: Table, current: Round, person: str, box: int, hand: Side) -> int:
    """What a person had on a hand in a box, even if it was returned since."""
    hands = table.book.original_bets
    lay = (wager for wager in _as_they_lay(current) if (wager.person, wager.box) == (person, box))
    return sum(wager.stake for wager in lay if hands.get(wager.bet) is hand)


def _too_heavy(
    table: Table, settings: TableSettings, amounts: list[tuple[Wager, int]]
) -> list[tuple[list[tuple[Wager, int]], int]]:
    """The bets of each side that is over the Differential, and the most they may total."""
    differential = settings.differential
    if differential is None:
        return []
    hands = table.book.original_bets
    found = []
    for box in table.boxes if differential.scope == "box" else (0,):
        sides: dict[Side, list[tuple[Wager, int]]] = {PLAYER: [], BANKER: []}
        for wager, amount in amounts:
            if wager.bet in hands and box in (0, wager.box) and amount:
                sides[hands[wager.bet]].append((wager, amount))
        sums = {side: sum(amount for _, amount in wagers) for side, wagers in sides.items()}
        for side, other in ((PLAYER, BANKER), (BANKER, PLAYER)):
            if sums[side] > sums[other] + differential.limit:
                found.append((sides[side], sums[other] + differential.limit))
    return found
