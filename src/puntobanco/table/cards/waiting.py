"""Cards out of the shoe before their round: they open the next one."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.model import NO_RANK
from puntobanco.rules.policies import FirstCard
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.base import HOUSE
from puntobanco.table.cards.free_hand import into_free_hand
from puntobanco.table.cards.lying import hands_for
from puntobanco.table.cards.state import Drawn
from puntobanco.table.commands import Command
from puntobanco.table.folds import evolve
from puntobanco.table.insurance import offers
from puntobanco.table.refusals import Refused
from puntobanco.table.shoe.lifetime import check_shoe
from puntobanco.table.state import BETTING, Round, Table


def early_card(table: Table, body: c.Draw) -> Sequence[e.Event]:
    """A card left the shoe before the bets were closed: it opens the next round.

    Where the book makes that a Free Hand it is one. A card that lies face down tells nobody anything: it waits, bets
    stand, and it is the first card of the hand all the same.
    """
    if not table.shoe.number:
        check_shoe(table)
    if body.turned and body.card is None:
        raise Refused("cards.unnamed")
    if table.shoe.left == 0:
        raise Refused("cards.empty", table.irregularities.shoe_empty.rule)
    if table.shoe.ended:
        return (e.EarlyCardDrawn(table.procedures.initial_deal.rule, body.card, body.turned),)
    seen = body.turned or table.shoe.shown == table.shoe.drawn
    paragraph = _seen_early(table) if seen else _unseen_early(table)
    drawn = e.EarlyCardDrawn(paragraph, body.card, body.turned)
    return (drawn, *into_free_hand(evolve(table, drawn))) if table.phase is BETTING else (drawn,)


def _frees(table: Table) -> bool:
    """Whether a card that is seen before its round makes that a Free Hand."""
    return table.policies.first_card_seen.value is FirstCard.FREE_HAND


def _unseen_early(table: Table) -> str:
    """The paragraph on a card that is out before its round and that nobody has seen."""
    if table.policies.first_card_unseen.value is FirstCard.FREE_HAND:
        return table.irregularities.free_hand.first_card
    return table.procedures.initial_deal.rule if _frees(table) else _seen_early(table)


def _seen_early(table: Table) -> str:
    """The paragraph on a card that is seen before its round."""
    if _frees(table):
        return table.irregularities.free_hand.first_card
    return table.irregularities.exposed_cards.rule or table.book.uncovered.paragraph


def waiting_card(table: Table, number: int) -> Drawn | None:
    """The card of that number, counted on after those of the round, where it is one that waits for its round."""
    place = number - (table.round.numbered if table.round is not None else 0)
    return table.carried[place - 1] if 0 < place <= len(table.carried) else None


def put_early(table: Table, body: c.PutCard) -> Sequence[e.Event]:
    """A card that waits for its round was put at a hand: it lies there, and is dealt where it is due."""
    if waiting_card(table, body.number) is None:
        raise Refused("cards.unknown", number=body.number)
    about = About.of("card.early", number=body.number, hand=body.hand.value)
    return (e.Noted("wrong_side", about, _seen_early(table), cards=(body.number,)),)


def turn_early(table: Table, command: Command, body: c.Turn, drawn: Drawn) -> Sequence[e.Event]:
    """A card that waits for its round was turned: it is as if it had left the shoe face up."""
    if drawn.turned:
        raise Refused("already_there.open", number=body.number)
    if command.actor != HOUSE and table.rank_of(command.actor) is NO_RANK:
        raise Refused("squeeze.waiting", table.procedures.squeeze.rule)
    if drawn.card is not None and body.card is not None:
        # whatever he names: to be told that it is another would tell him of a card that nobody has seen
        raise Refused("cards.scanned", number=body.number)
    card = drawn.card or body.card
    if card is None:
        raise Refused("cards.unread", number=body.number)
    current = table.round
    closing = [] if current is None or current.window is None else [offers.closing(table, current)]
    turned = e.CardTurned(body.number, card, command.actor, _seen_early(table))
    return (*closing, turned, *(into_free_hand(evolve(table, turned)) if table.phase is BETTING else ()))


def deal_waiting(table: Table, now: int) -> Sequence[e.Event]:
    """Cards left over from before come first: they open the round, and go on as long as one is due."""
    current = table.round
    if not table.carried or current is None:
        return ()
    if not current.cards:
        # third cards come one by one where insurance is to be offered between them
        hands = hands_for(table.carried if table.book.insurance is None else table.carried[:4])
    elif (due := table.due) is None or _held_up(table, current):
        return ()
    else:
        # they left the shoe before what is in it still
        hands = (due,)
    closed = () if current.window is None else (offers.closing(table, current),)
    return (*closed, e.CarriedCardsDealt(hands, _opened_by(table, current)))


def _held_up(table: Table, current: Round) -> bool:
    """Whether something comes before the next card: a ruling, the players' answers, insurance."""
    waits = table.blocked is not None or current.options is not None
    return waits or not offers.nobody_is_asked(table, current) or bool(offers.offers_due(table))


def _opened_by(table: Table, current: Round) -> str:
    """The paragraph by which cards that were out before come first."""
    if current.free:
        return table.irregularities.free_hand.played
    if _frees(table):
        return (table.procedures.initial_deal if len(current.cards) < 4 else table.procedures.third_card).rule
    return table.irregularities.excess_cards.rule or table.book.uncovered.paragraph
