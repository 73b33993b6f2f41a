"""How bots rule: one of the rulings that the view allows on an incident, mostly the first that the book has."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from puntobanco.cards import CARDS
from puntobanco.demo.bot import allowed
from puntobanco.table.commands import AnyCommand
from puntobanco.views.judge import Action, Ask, fill
from puntobanco.views.view import View

REASON = "seen by the dealer and the pit"
FIRST = 0.75
"""How often it is the first ruling that the book has."""


def ruling_on(view: View, incident: int, chance: Random) -> AnyCommand | None:
    """A proposal on an incident, if any can be made."""
    found = [action for action in allowed(view, "propose") if action.fixed.get("incident") == incident]
    if not found:
        return None
    action = found[0] if chance.random() < FIRST else chance.choice(found)
    return filled(view, action, chance)


def filled(view: View, action: Action, chance: Random) -> AnyCommand:
    """The command with something sensible for all that it asks."""
    return fill(action, {ask.field: _answer(view, action, ask, chance) for ask in action.asks if not ask.optional})


def _answer(view: View, action: Action, ask: Ask, chance: Random) -> Any:
    match ask.kind:
        case "amount":
            return _amount(view, action, ask)
        case "choice":
            return chance.choice(ask.choices)
        case "some":
            return [chance.choice(ask.choices)]
        case "card":
            return _card(view, action, ask, chance)
        case "text":
            return REASON
        case _:
            raise ValueError(f"nothing fits {action.do} {ask.field}")


def _amount(view: View, action: Action, ask: Ask) -> int:
    """The most: what a player owes, or as much of a bet as its limit lets stand."""
    most = ask.least or 0 if ask.most is None else ask.most
    bet = next((bet for bet in view.public.sign.bets if bet.code == action.fixed.get("ruling.bet")), None)
    return most if bet is None or bet.maximum is None else min(most, bet.maximum)


def _card(view: View, action: Action, ask: Ask, chance: Random) -> str:
    """What the card shows, if it lies open; else what somebody made of it."""
    number = action.fixed.get("ruling.number")
    current = view.public.round
    seen = next((card.card for card in current.cards if card.number == number), None) if current else None
    if seen is not None and seen.value != ask.but:
        return str(seen.value)
    return _another(ask, CARDS, chance)


def _another(ask: Ask, cards: Sequence[Any], chance: Random) -> str:
    card = chance.choice(cards)
    while card.value == ask.but:
        card = chance.choice(cards)
    return str(card.value)
