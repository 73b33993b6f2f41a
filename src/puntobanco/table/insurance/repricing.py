"""Insurance by the row of the cards as they count, and of bets that were there.

Where a card was another than recorded, so were the points; where no bet lay there, nothing could be insured.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from puntobanco.cards import Side
from puntobanco.coup import Coup
from puntobanco.insurance import cards_in, find_row
from puntobanco.rules.model import InsuranceRow, Window
from puntobanco.table import events as e
from puntobanco.table.about import about_bet
from puntobanco.table.base import PLAYER
from puntobanco.table.bets.stakes_that_stand import original_bet
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.insurance.caps import bet_on
from puntobanco.table.insurance.offers import insurance_paragraph
from puntobanco.table.insurance.state import InsuranceWager
from puntobanco.table.ledger import moves
from puntobanco.table.state import Round, Table


def reprice(table: Table, now: int) -> Sequence[e.Event]:
    """In the round in progress, once nothing about its cards waits for a ruling."""
    current = table.round
    assert current is not None
    if not current.insurance or table.blocked is not None:
        return ()
    return repriced(table, current, current.coup)


def repriced(table: Table, found: Round, coup: Coup) -> tuple[e.Event, ...]:
    """Which insurance of the round is by another row on these cards, and which by none or of no bet: that goes back."""
    alike: dict[tuple[str, int, Side, Window], list[InsuranceWager]] = defaultdict(list)
    for taken in found.insurance:
        alike[taken.person, taken.box, taken.hand, taken.row.window].append(taken)
    events: list[e.Event] = []
    for group in alike.values():
        events += _one(table, found, coup, group)
    return tuple(events)


def over_the_bets(table: Table, current: Round) -> Iterator[e.InsuranceReread]:
    """Of insurance whose bet was cut down since: what is over the bet as it stands goes back (tiger-buffalo 3.12.2)."""
    cut = {key[:2] for key, lay in {**current.laid, **current.ruled}.items() if current.wagers.get(key) != lay}
    groups: dict[tuple[str, int, Side, Window], list[InsuranceWager]] = defaultdict(list)
    for taken in current.insurance:
        if (taken.person, taken.box) in cut:
            groups[taken.person, taken.box, taken.row.hand, taken.row.window].append(taken)
    for (person, box, hand, window), group in groups.items():
        over = sum(taken.stake for taken in group) - bet_on(table, current, person, box, hand)
        if over > 0:
            last = group[-1]
            back = moves((layout_of(person), chips_of(person), over))
            cap = insurance_paragraph(table, "cap")
            yield e.InsuranceReread(
                person, box, last.hand, window, *last.points, last.row.odds, cap, back, current.number
            )


def row_on(table: Table, coup: Coup, window: Window, hand: Side) -> InsuranceRow | None:
    """The row for a hand in a window of these cards; None where none fits."""
    then = cards_in(coup, window)
    return find_row(table.book, window, hand, *points_of(then, hand)) if then is not None else None


def _one(table: Table, found: Round, coup: Coup, group: Sequence[InsuranceWager]) -> Sequence[e.Event]:
    taken = group[0]
    window = taken.row.window
    there = _has_bet_on(table, found, taken, taken.row.hand)
    if _to_come(coup, window) and (there or taken.misplaced):
        return ()
    row = row_on(table, coup, window, taken.row.hand) if there else None
    if row is None and taken.misplaced and _has_bet_on(table, found, taken, taken.hand):
        # the chips lay where they belong, and the record was wrong
        row = row_on(table, coup, window, taken.hand)
    if (row is None and taken.off) or (row == taken.row and not taken.off):
        return ()
    then = cards_in(coup, window)
    own, other = points_of(then, taken.hand) if then is not None else (0, 0)
    back = row is None and not found.settled and not found.paid
    amount = sum(each.stake for each in group) if back else 0
    assert table.book.insurance is not None
    event = e.InsuranceReread(
        taken.person,
        taken.box,
        taken.hand,
        window,
        own,
        other,
        row.odds if row else None,
        table.book.insurance.paragraph if there else table.book.insurance.offer,
        moves((layout_of(taken.person), chips_of(taken.person), amount)),
        found.number,
    )
    flag = ("insurance_misplaced", about_bet(taken.person, taken.box, f"{taken.hand.value}_insurance"))
    if flag in table.flags and found is table.round and (row is None or row.hand is taken.hand):
        return (event, e.FlagCleared(*flag))
    return (event,)


def _to_come(coup: Coup, window: Window) -> bool:
    """Whether the cards that lie open do not tell yet."""
    fewest = min(len(coup.player), len(coup.banker))
    return fewest < 2 or (window is Window.PLAYER_THIRD and len(coup.player) == 2 and coup.due is PLAYER)


def points_of(then: Coup, hand: Side) -> tuple[int, int]:
    """A hand's points and the other's."""
    points = (then.player.total, then.banker.total)
    return points if hand is PLAYER else points[::-1]


def _has_bet_on(table: Table, found: Round, taken: InsuranceWager, hand: Side) -> bool:
    """Whether the person had an Original Bet on the hand in that box, even one returned since."""
    return original_bet(table, found, taken.person, taken.box, hand) > 0
