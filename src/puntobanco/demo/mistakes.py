"""What goes wrong at a table that a bot deals: each kind knows its moment, and what the dealer then does or finds.

Nothing here knows what follows: the views say that, and the person who has to rule.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec

from puntobanco.cards import Side
from puntobanco.demo.bot import allowed, ask_of
from puntobanco.demo.plan import is_bot
from puntobanco.table.commands import AnyCommand, LateChips
from puntobanco.table.state import Phase
from puntobanco.views.judge import Action, fill
from puntobanco.views.steps import NextStep
from puntobanco.views.view import View, WagerSeen


class Moment(msgspec.Struct, frozen=True):
    """A moment at the table, as the dealer has it."""

    view: View
    step: NextStep
    draw: Callable[[Side | None], AnyCommand | None]
    """A card out of the shoe to a hand, or to none."""
    chance: Random


Mistake = Callable[[Moment], AnyCommand | None]


def wrong_side(at: Moment) -> AnyCommand | None:
    """A card goes to the other hand."""
    return at.draw(at.step.hand.other) if at.step.do == "draw" and at.step.hand is not None else None


def excess_card(at: Moment) -> AnyCommand | None:
    """A card is drawn though none is due."""
    return at.draw(at.chance.choice((Side.PLAYER, Side.BANKER, None))) if at.step.do == "announce" else None


def early_card(at: Moment) -> AnyCommand | None:
    """A card slips out while bets are taken."""
    return at.draw(None) if at.step.do == "close" and at.view.felt is not None and at.view.felt.wagers else None


def no_insurance(at: Moment) -> AnyCommand | None:
    """The next card comes before insurance was offered."""
    current = at.view.public.round
    return at.draw(current.due) if at.step.do == "offer_insurance" and current is not None else None


def no_burn(at: Moment) -> AnyCommand | None:
    """The call comes before the burn."""
    return _first(at, "call") if at.step.do == "burn" else None


def wrong_call(at: Moment) -> AnyCommand | None:
    """The result is called wrongly: any but the true one."""
    action = _action(at, "announce") if at.step.do == "announce" else None
    current = at.view.public.round
    if action is None or current is None:
        return None
    return fill(action, {"result": "tie" if current.player_total != current.banker_total else "player"})


def reported(*kinds: str) -> Mistake:
    """Something of that kind is reported of the cards that are out."""

    def report(at: Moment) -> AnyCommand | None:
        if at.step.do not in ("draw", "turn", "announce"):
            return None
        for action in allowed(at.view, "report"):
            what, cards = ask_of(action, "what"), ask_of(action, "cards")
            found = [kind for kind in what.choices if kind in kinds] if what is not None else []
            if found:
                values = {"what": at.chance.choice(found), "about": "the dealer has seen it"}
                if cards is not None:
                    card = at.chance.choice(cards.choices)
                    values["cards"] = [card] if cards.kind == "some" else card  # type: ignore[assignment]
                return fill(action, values)
        return None

    return report


def interruption(at: Moment) -> AnyCommand | None:
    """The lights go out."""
    if at.step.do not in ("close", "deal", "draw", "announce"):
        return None
    action = _action(at, "report_interruption")
    lost = at.chance.random() < 0.3
    return fill(action, {"about": "the lights went out", "lost": lost}) if action else None


def cards_at_fault(at: Moment) -> AnyCommand | None:
    """A card that does not belong to the set."""
    action = _action(at, "report_cards") if at.step.do == "draw" and at.step.number > 1 else None
    return fill(action, {"fault": "foreign_card", "about": "a card with another back"}) if action else None


def above_maximum(at: Moment) -> AnyCommand | None:
    """More chips than the limit allows lie on a bet: seen in time, or not."""
    wager = _wager(at) if at.step.do in ("close", "draw") else None
    if wager is None:
        return None
    sign = next(bet for bet in at.view.public.sign.bets if bet.code == wager.bet)
    action = _action(at, "find_bet", person=wager.person, box=wager.box)
    if sign.maximum is None or action is None:
        return None
    return fill(action, {"bet": wager.bet, "amount": sign.maximum - wager.stake + sign.minimum})


def late_chips(at: Moment) -> AnyCommand | None:
    """Chips are put down, or taken away, after the close."""
    wager = _wager(at) if at.step.do == "draw" else None
    if wager is None:
        return None
    what = at.chance.choice(("placed", "withdrawn"))
    return LateChips(wager.person, wager.box, wager.bet, wager.stake, "placed" if what == "placed" else "withdrawn")


def walk_away(at: Moment) -> AnyCommand | None:
    """Somebody leaves the table with bets on the layout."""
    found = [action for action in allowed(at.view, "walk_away") if is_bot(str(action.fixed.get("person", "")))]
    return fill(at.chance.choice(found)) if found and at.view.public.phase is Phase.DEALING else None


def wrong_round(at: Moment) -> AnyCommand | None:
    """A round that is over turns out to have been dealt in another order."""
    last = at.view.public.last
    action = _action(at, "report_round") if at.step.do == "call" else None
    if action is None or last is None or not last.settled or len(last.cards) < 4:
        return None
    cards = [seen.card.value for seen in last.cards if seen.card is not None]
    rounds = ask_of(action, "round")
    if rounds is None or last.number not in rounds.choices or cards[0] == cards[1] or len(cards) != len(last.cards):
        return None
    cards[0], cards[1] = cards[1], cards[0]
    return fill(action, {"round": last.number, "cards": cards, "about": "the first two cards were crossed"})


def _wager(at: Moment) -> WagerSeen | None:
    """A bet of a bot: nobody else's chips are touched."""
    found = [wager for wager in at.view.felt.wagers if is_bot(wager.person)] if at.view.felt else []
    return at.chance.choice(found) if found else None


def _action(at: Moment, do: str, **fixed: object) -> Action | None:
    return next(iter(allowed(at.view, do, **fixed)), None)


def _first(at: Moment, do: str) -> AnyCommand | None:
    action = _action(at, do)
    return fill(action) if action else None


KINDS: dict[str, Mistake] = {
    "wrong side": wrong_side,
    "excess card": excess_card,
    "early card": early_card,
    "insurance not offered": no_insurance,
    "burn forgotten": no_burn,
    "wrong call": wrong_call,
    "exposed card": reported("exposed_cards"),
    "cards drawn at once": reported("simultaneous", "simultaneous_in_order"),
    "damaged card": reported("damaged_card"),
    "card face up": reported("face_up", "face_up_in_shoe"),
    "fault of the shoe": reported("shoe_fault", "dealing_error"),
    "squeeze": reported("squeeze_delivery", "squeeze_not_delivered"),
    "display": reported("display"),
    "interruption": interruption,
    "foreign card": cards_at_fault,
    "above the maximum": above_maximum,
    "late chips": late_chips,
    "walked away": walk_away,
    "wrong round": wrong_round,
}
"""What can go wrong, each as likely as the others."""
