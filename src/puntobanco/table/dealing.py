"""Cards: that one left the shoe, where it was put, and that it was turned are three facts, in any order.

An electronic table does all three at once. Facts are recorded whatever they are; what is not as the Table of Play wants
it is flagged, and the round then waits for a ruling.
"""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.cards import Card, Side
from puntobanco.coup import banker_draws, player_draws
from puntobanco.rules.model import Authority
from puntobanco.table import commands as c
from puntobanco.table import cover
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import Step
from puntobanco.table.state import ABOVE, AT_FAULT, PAYING, Round, Table

EXCESS, WRONG_SIDE, MISMATCH, EMPTY = "excess_cards", "wrong_side", "card_mismatch", "shoe_empty"
BLOCKING = frozenset({EXCESS, WRONG_SIDE, MISMATCH, EMPTY, ABOVE, AT_FAULT})
"""Flags that hold the round until they are ruled on."""


OPENING = (Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER)
"""Whose the first four cards are."""


def blocking_flags(table: Table) -> list[tuple[str, str]]:
    return [key for key in table.flags if key[0] in BLOCKING] if table.flags else []


def _dealing(table: Table) -> Round:
    if table.round is None or table.phase is PAYING:
        raise Refused("no_round", "no cards are dealt between rounds", table.cite("call"))
    if not table.round.closed:
        raise Refused("bets_open", "the bets are not closed", table.cite("close"))
    return table.round


def _check_source(table: Table, command: Command) -> None:
    """At an electronic table only its own shoe says which cards come, and where they go."""
    if table.settings.electronic and command.actor != HOUSE:
        raise Refused("cards", "the cards of this table come from its electronic shoe", table.cite("initial_deal"))


def deal(table: Table, command: Command, body: c.Deal) -> Sequence[e.Event]:
    """Cards from an electronic shoe, each where the Table of Play wants it. Nobody else names its cards."""
    _check_source(table, command)
    current = _dealing(table)
    if blocking_flags(table):
        raise Refused("flagged", "the round waits for a ruling", table.irregularity(blocking_flags(table)[0][0]))
    if current.window is not None or (Step.OFFER not in table.settings.automated and cover.offers_due(table)):
        raise Refused("insurance_open", "insurance is on offer", table.cite("third_card"))
    if not body.cards:
        raise Refused("cards", "no cards were given")
    if not current.all_turned:
        raise Refused("not_due", "a card still lies face down", table.cite("table_of_play"))
    if len(body.cards) > table.shoe.left:
        raise Refused("cards", f"the shoe has {table.shoe.left} cards left", table.irregularity("shoe_empty"))
    return (e.CardsDealt(body.cards, _hands_due(table, current, body.cards)),)


def _hands_due(table: Table, current: Round, cards: tuple[Card, ...]) -> tuple[Side, ...]:
    """Where each of the cards belongs; refused where one is not due, or insurance comes before it."""
    dealt = len(current.cards)
    if dealt + len(cards) <= 4:
        return OPENING[dealt : dealt + len(cards)]
    coup = current.coup
    hands: list[Side] = []
    for card in cards:
        due = coup.due
        if due is None:
            raise Refused("finished", f"the coup is finished: {card} is not due", table.cite("table_of_play"))
        if hands and cover.offers_on(table, coup):
            raise Refused("insurance_open", f"insurance comes before {card}", table.cite("third_card"))
        hands.append(due)
        coup = coup.receive(card)
    return tuple(hands)


def draw(table: Table, command: Command, body: c.Draw) -> Sequence[e.Event]:
    """A card left the shoe, was perhaps put somewhere, and perhaps turned."""
    _check_source(table, command)
    current = _dealing(table)
    events: list[e.Event] = []
    if current.window is not None:
        events.append(cover.closing(table, current))
    number = len(current.cards) + 1
    due = current.due
    if table.shoe.left == 0:
        return (*events, e.Flagged(EMPTY, f"card {number}", table.irregularity("shoe_empty")))
    if body.turned and body.card is None:
        raise Refused("cards", "a card that was turned has a name")
    if due is None:
        if not current.finished and current.cards and not current.all_turned:
            about = f"card {number}, drawn while others lie face down"
        else:
            about = f"card {number}"
        events.append(e.Flagged(EXCESS, about, table.irregularity("excess_cards")))
    events.append(e.CardDrawn(number, body.card))
    if body.hand is not None:
        events += _put(table, number, body.hand, due)
    if body.turned:
        assert body.card is not None
        events.append(e.CardTurned(number, body.card, command.actor))
    return events


def due_hand(current: Round, number: int) -> Side | None:
    """The hand that the card was for when it left the shoe; None where that cannot be told, or it was for none."""
    if number <= 4:
        return OPENING[number - 1]
    coup = current.coup
    if len(coup.player) < 2 or len(coup.banker) < 2:
        return None
    player, banker, third = coup.player.opening, coup.banker.opening, coup.player.third
    if player_draws(player, banker):
        if number == 5:
            return Side.PLAYER
        if number > 6:
            return None
        # while Player's third lies face down, Banker is known to draw only where any card makes it draw
        thirds = (third.points,) if third else range(10)
        return Side.BANKER if all(banker_draws(player, banker, points) for points in thirds) else None
    return Side.BANKER if number == 5 and banker_draws(player, banker, None) else None


def _put(table: Table, number: int, hand: Side, due: Side | None) -> list[e.Event]:
    events: list[e.Event] = [e.CardPut(number, hand)]
    if due is not None and due is not hand:
        about = f"card {number} at {hand.value}"
        events.append(e.Flagged(WRONG_SIDE, about, table.irregularity("wrong_side")))
    return events


def _card(current: Round, number: int) -> None:
    if not 1 <= number <= len(current.cards):
        raise Refused("cards", f"{len(current.cards)} cards have left the shoe: there is no card {number}")


def put_card(table: Table, command: Command, body: c.PutCard) -> Sequence[e.Event]:
    _check_source(table, command)
    current = _dealing(table)
    _card(current, body.number)
    if current.cards[body.number - 1].hand is body.hand:
        raise Refused("already_there", f"card {body.number} lies there already")
    return _put(table, body.number, body.hand, due_hand(current, body.number))


def turn(table: Table, command: Command, body: c.Turn) -> Sequence[e.Event]:
    """By the dealer, or by the player who squeezes that hand."""
    current = _dealing(table)
    _card(current, body.number)
    drawn = current.cards[body.number - 1]
    if drawn.turned:
        raise Refused("already_there", f"card {body.number} lies open already")
    if command.actor != HOUSE and table.rank_of(command.actor) < Authority.DEALER:
        _check_squeezer(table, current, command.actor, body.number)
        if body.card is not None:
            raise Refused("rank", "cards are keyed by the dealer", table.book.ranks.get("dealer", ""))
    if body.card is not None:
        _check_source(table, command)
    card = body.card or drawn.card
    if card is None:
        raise Refused("cards", f"card {body.number} was not read by a scanner: key it")
    events: list[e.Event] = []
    hand = drawn.hand or due_hand(current, body.number)
    if drawn.hand is None and hand is not None:
        events.append(e.CardPut(body.number, hand))
    if drawn.card is not None and drawn.card is not card:
        about = f"card {body.number}: read {drawn.card}, keyed {card}"
        events.append(e.Flagged(MISMATCH, about))
        card = drawn.card
    return (*events, e.CardTurned(body.number, card, command.actor))


def _check_squeezer(table: Table, current: Round, person: str, number: int) -> None:
    hand = current.cards[number - 1].hand
    if not any(squeeze.person == person and squeeze.covers(number, hand) for squeeze in current.squeezes):
        raise Refused("squeeze", f"{person} may not turn this card", table.cite("squeeze"))
