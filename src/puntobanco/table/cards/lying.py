"""Cards as they lie: which are open, at which hands the Table of Play wants them, and a round with others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from puntobanco.cards import Card, Side
from puntobanco.coup import Coup, may_be_due, reconstruct
from puntobanco.insurance import window_of
from puntobanco.table.cards.state import Drawn
from puntobanco.table.insurance.other_points import on_other_points
from puntobanco.table.insurance.state import OpenWindow
from puntobanco.table.state import Round


def open_prefix(cards: tuple[Drawn, ...]) -> Iterable[Card]:
    """The cards up to the first that still lies face down: what comes after it says nothing yet."""
    for drawn in cards:
        if not drawn.turned or drawn.card is None:
            return
        yield drawn.card


def card_changed(cards: tuple[Drawn, ...], place: int, **changes: Any) -> tuple[Drawn, ...]:
    """The cards of a round with one of them changed."""
    index = place - 1
    return (*cards[:index], replace(cards[index], **changes), *cards[index + 1 :])


def hands_for(cards: Iterable[Drawn]) -> tuple[Side, ...]:
    """The hands of cards dealt from the start, as far as the Table of Play can tell from those that lie open."""
    hands, shown = list[Side](), _shown(cards)
    for place in range(len(shown)):
        due = may_be_due(shown[:place])
        hand = next(iter(due))
        if hand is None or len(due) > 1:
            break
        hands.append(hand)
    return tuple(hands)


def fits(coup: Coup, window: OpenWindow) -> bool:
    """Whether insurance was offered on the points that these cards make."""
    return window_of(coup) is window.window and window.points == (coup.player.total, coup.banker.total)


def is_open_after(cards: Iterable[Drawn]) -> bool:
    """Whether it depends on cards that lie face down if, and to which hand, another is due after these."""
    return len(may_be_due(_shown(cards))) > 1


def _shown(cards: Iterable[Drawn]) -> tuple[int | None, ...]:
    return tuple(drawn.card.points if drawn.turned and drawn.card is not None else None for drawn in cards)


def with_cards(current: Round, cards: tuple[Drawn, ...]) -> Round:
    """The round with these cards, as the Table of Play deals those that lie open."""
    hidden = sum(not drawn.turned for drawn in cards)
    coup = reconstruct(open_prefix(cards)).coup
    # insurance that was on offer was so for other points
    window = current.window if current.window is not None and fits(coup, current.window) else None
    after = on_other_points(replace(current, cards=cards, hidden=hidden, coup=coup, window=window))
    if current.announced and not current.settled and coup != current.coup:
        # what was called was the result of other cards: it is called again
        return replace(after, announced=False, called="")
    return after
