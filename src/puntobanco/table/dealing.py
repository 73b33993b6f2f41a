"""Cards: that one left the shoe, where it was put, and that it was turned are three facts, in any order.

An electronic table does all three at once. Facts are recorded whatever they are; what is not as the Table of Play wants
it is flagged, and the round then waits for a ruling.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.cards import Card, Side
from puntobanco.coup import OPENING, banker_draws, player_draws, sure_third
from puntobanco.rules.model import Authority
from puntobanco.table import carry, cover
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.found import too_many_cards
from puntobanco.table.incidents import cards_count, dealing, is_open, opened, surplus_family, third_card_family
from puntobanco.table.missed import not_offered
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import Step
from puntobanco.table.settlement import check_clear, wagers_off
from puntobanco.table.squeeze import still_holds
from puntobanco.table.state import BANKER, BETTING, IDLE, PAYING, PLAYER, Round, Table

MISMATCH = "card_mismatch"
"""Scanner and dealer name different cards."""


def _check_source(table: Table, command: Command) -> None:
    """At an electronic table only its own shoe says which cards come, and where they go."""
    if table.settings.electronic and command.actor != HOUSE:
        raise Refused("cards", "the cards of this table come from its electronic shoe", table.cite("initial_deal"))


def deal(table: Table, command: Command, body: c.Deal) -> Sequence[e.Event]:
    """Cards from an electronic shoe, each where the Table of Play wants it. Nobody else names its cards."""
    _check_source(table, command)
    current = dealing(table)
    check_clear(table)
    if table.shoe.burn_due:
        raise Refused("burn", "cards are to be burnt first", table.cite("burn"))
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
    if not table.settings.electronic and table.phase in (IDLE, BETTING, PAYING):
        return carry.early_card(table, body)
    current = dealing(table)
    events: list[e.Event] = []
    if table.to_burn and table.first_seen:
        # the card that shows was to be burnt: drawn without the burn, it opens the hand
        events += wagers_off(table)
    if current.window is not None:
        events.append(cover.closing(table, current))
    elif offers := cover.offers_due(table):
        events += not_offered(table, cover.window_now(table), offers)
    number = len(current.cards) + 1
    due = table.due
    if body.turned and body.card is None:
        raise Refused("cards", "a card that was turned has a name")
    if table.shoe.left == 0:
        return (*events, *too_many_cards(table, current, f"card {number} came from a shoe that is empty"))
    misdealt = _misdealt(table, current, number, body.hand, due)
    events.append(e.CardDrawn(number, body.card))
    if body.hand is not None:
        events.append(e.CardPut(number, body.hand))
    if body.turned:
        assert body.card is not None
        events.append(e.CardTurned(number, body.card, command.actor))
    if misdealt:
        family, about = misdealt
        if family == "exposed_cards" and not body.turned:
            about += ", which lies face down"
        opened_before = sum(isinstance(event, e.IncidentOpened) for event in events)
        events.append(opened(table, family, about, (number,), after=opened_before))
    return events


def _misdealt(table: Table, current: Round, number: int, hand: Side | None, due: Side | None) -> tuple[str, str] | None:
    """The family of error that this card is, if it is one: not due, or put at the other hand."""
    if due is None:
        if is_open(table, *TOO_MANY):
            return None
        about = f"card {number}"
        if not current.finished and current.cards and not current.all_turned:
            about += ", drawn while others lie face down"
        if current.finished and hand is None and table.irregularity("free_hand"):
            return "exposed_cards", about  # at no hand: it would have been the first card of the next
        return surplus_family(table, current, number, hand), about
    if hand is not None and hand is not due:
        return third_card_family(table, current, number, hand, due) or "wrong_side", f"card {number} at {hand.value}"
    return None


def misdealt(table: Table, now: int) -> Sequence[e.Event]:
    """Cards whose value turned out otherwise may not have been due, or belong to the other hand.

    That is the matter which it would have been when the card was drawn; it comes up when no other waits.
    """
    current = table.round
    assert current is not None
    if current.hidden or not current.cards or table.blocked:
        return ()
    number, due = _first_misdealt(table, current)
    if not number:
        return ()
    before = replace(current, cards=current.cards[: number - 1])
    found = _misdealt(table, before, number, current.cards[number - 1].hand, due)
    assert found is not None
    return (opened(table, *found, (number,)),)


def _first_misdealt(table: Table, current: Round) -> tuple[int, Side | None]:
    """A card too many, else the first at the wrong hand, and the hand it was due at; 0 where open cards lie well.

    A third card to a hand that gets none comes before what was drawn after it, where the book knows that error.
    """
    coup = current.coup
    sides = (*OPENING, *[PLAYER] * (len(coup.player) - 2), *[BANKER] * (len(coup.banker) - 2))
    found: tuple[int, Side | None] = (len(sides) + 1, None) if len(current.cards) > len(sides) else (0, None)
    for number, (drawn, due) in enumerate(zip(current.cards, sides, strict=False), 1):
        if drawn.hand not in (None, due):
            own = third_card_family(table, current, number, drawn.hand, due)
            return (number, due) if own or not found[0] else found
    return found


TOO_MANY = ("wrong_number", "excess_cards", "exposed_cards", "third_to_player", "third_to_banker")
"""While one of these waits for a ruling, more cards that are not due are part of the same matter."""


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
        draws = banker_draws(player, banker, third.points) if third else sure_third(player, banker)
        return Side.BANKER if draws else None
    return Side.BANKER if number == 5 and banker_draws(player, banker, None) else None


def _card(current: Round, number: int) -> None:
    if not 1 <= number <= len(current.cards):
        raise Refused("cards", f"{len(current.cards)} cards have left the shoe: there is no card {number}")


def put_card(table: Table, command: Command, body: c.PutCard) -> Sequence[e.Event]:
    _check_source(table, command)
    current = dealing(table)
    _card(current, body.number)
    if current.cards[body.number - 1].hand is body.hand:
        raise Refused("already_there", f"card {body.number} lies there already")
    put = e.CardPut(body.number, body.hand)
    due = due_hand(current, body.number)
    if due is None or due is body.hand or any(body.number in found.cards for found in table.incidents.values()):
        return (put,)
    family = third_card_family(table, current, body.number, body.hand, due) or "wrong_side"
    return (put, opened(table, family, f"card {body.number} at {body.hand.value}", (body.number,)))


def turn(table: Table, command: Command, body: c.Turn) -> Sequence[e.Event]:
    """By the dealer, or by the player who squeezes that hand."""
    if (early := carry.waiting(table, body.number)) is not None:
        if body.card is not None:
            _check_source(table, command)
        return carry.turn_early(table, command, body, early)
    current = dealing(table)
    _card(current, body.number)
    drawn = current.cards[body.number - 1]
    if drawn.turned:
        raise Refused("already_there", f"card {body.number} lies open already")
    if command.actor != HOUSE and table.rank_of(command.actor) < Authority.DEALER:
        _check_squeezer(table, current, command.actor, body.number)
        if body.card is not None:
            raise Refused("rank", "cards are keyed by the dealer", table.book.ranks.get("dealer", ""))
        if current.window is not None:
            raise Refused("insurance_open", "insurance is on offer: others may want it first", table.cite("third_card"))
    if body.card is not None:
        _check_source(table, command)
    card = body.card or drawn.card
    if card is None:
        raise Refused("cards", f"card {body.number} was not read by a scanner: key it")
    # nobody insures once more is known: a card that the dealer turns ends the offer as one that is drawn does
    events: list[e.Event] = [] if current.window is None else [cover.closing(table, current)]
    hand = drawn.hand or due_hand(current, body.number)
    if drawn.hand is None and hand is not None:
        events.append(e.CardPut(body.number, hand))
    if drawn.card is not None and drawn.card is not card:
        about = f"card {body.number}: read {drawn.card}, keyed {card}"
        turned = e.CardTurned(body.number, drawn.card, command.actor)
        return (*events, turned, opened(table, MISMATCH, about, (body.number,), paragraph=cards_count(table)))
    return (*events, e.CardTurned(body.number, card, command.actor))


def _check_squeezer(table: Table, current: Round, person: str, number: int) -> None:
    hand = current.cards[number - 1].hand
    if not any(
        squeeze.person == person and squeeze.covers(number, hand) and still_holds(table, current, squeeze)
        for squeeze in current.squeezes
    ):
        barred = person in current.barred
        raise Refused("squeeze", f"{person} may not turn this card", table.cite("squeeze_bar" if barred else "squeeze"))
