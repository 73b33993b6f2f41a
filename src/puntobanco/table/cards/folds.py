"""The table after something happened to cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from puntobanco.coup import Coup, Hand, reconstruct
from puntobanco.rules.policies import FirstCard
from puntobanco.table import events as e
from puntobanco.table.base import PLAYER
from puntobanco.table.cards.lying import card_changed, open_prefix, with_cards
from puntobanco.table.cards.state import Drawn
from puntobanco.table.cases.open_matters import proposals_on_same_cards
from puntobanco.table.fold_helpers import begun, current_round, in_round, later, moved
from puntobanco.table.shoe.copies import put_aside
from puntobanco.table.state import Round, Table


def _with_more_cards(table: Table, cards: tuple[Drawn, ...], coup: Coup, drawn: int = 0, hidden: int = 0) -> Table:
    """The round with these cards; ``drawn`` more have left the shoe, ``hidden`` more lie face down."""
    current = current_round(table)
    return replace(
        table,
        version=table.version + 1,
        round=replace(
            current, cards=cards, coup=coup, hidden=current.hidden + hidden, numbered=current.numbered + drawn
        ),
        shoe=replace(table.shoe, drawn=table.shoe.drawn + drawn) if drawn else table.shoe,
    )


def _cards_dealt(table: Table, event: e.CardsDealt) -> Table:
    current = current_round(table)
    dealt, player, banker = current.cards, current.coup.player.cards, current.coup.banker.cards
    for number, (card, hand) in enumerate(zip(event.cards, event.hands, strict=True), current.numbered + 1):
        dealt += (Drawn(card, hand, True, number=number),)
        if hand is PLAYER:
            player += (card,)
        else:
            banker += (card,)
    return _with_more_cards(table, dealt, Coup(Hand(player), Hand(banker)), len(event.cards))


def _card_drawn(table: Table, event: e.CardDrawn) -> Table:
    current = current_round(table)
    if current.hidden and len(current.cards) >= 4:
        table = replace(table, round=replace(current, drawn_over=True))
    drawn = Drawn(event.card, number=event.number)
    return _with_more_cards(table, (*current.cards, drawn), current.coup, drawn=1, hidden=1)


def _card_put(table: Table, event: e.CardPut) -> Table:
    current = current_round(table)
    cards = card_changed(current.cards, current.place(event.number), hand=event.hand)
    return _with_more_cards(table, cards, current.coup)


def _card_turned(table: Table, event: e.CardTurned) -> Table:
    numbered = table.round.numbered if table.round is not None else 0
    if event.number > numbered:
        waiting = card_changed(table.carried, event.number - numbered, card=event.card, turned=True)
        if table.policies.first_card_seen.value is FirstCard.FREE_HAND:
            waiting = card_changed(waiting, event.number - numbered, free=True)
        return later(table, carried=waiting)
    current = current_round(table)
    cards = card_changed(current.cards, current.place(event.number), card=event.card, turned=True)
    return _with_more_cards(table, cards, reconstruct(open_prefix(cards)).coup, hidden=-1)


def _cards_arranged(table: Table, event: e.CardsArranged) -> Table:
    current = current_round(table)
    ordered = [current.card(number) for number in event.order]
    used = tuple(replace(drawn, hand=hand) for drawn, hand in zip(ordered, event.hands, strict=False))
    free = event.goes == "free_hand"
    left_over = tuple(replace(drawn, hand=None, free=free, number=0) for drawn in ordered[len(used) :])
    shoe, carried, discarded = table.shoe, table.carried, current.discarded
    if event.goes == "discarded":
        shoe, discarded = replace(shoe, discards=shoe.discards + len(left_over)), discarded + left_over
    else:
        carried += left_over
    # in the order that was decided, cards drawn at once may have gone past insurance
    drawn_over = current.drawn_over or (bool(current.simultaneous) and len(used) > 4)
    return later(
        table,
        round=with_cards(replace(current, drawn_over=drawn_over, discarded=discarded), used),
        shoe=shoe,
        carried=carried,
        proposals=proposals_on_same_cards(table, current.number, {drawn.number for drawn in used}),
    )


def _card_valued(table: Table, event: e.CardValued) -> Table:
    current = current_round(table)
    cards = card_changed(current.cards, current.place(event.number), card=event.card, turned=True)
    return later(table, round=with_cards(current, cards))


def _early_card_drawn(table: Table, event: e.EarlyCardDrawn) -> Table:
    stated = table.policies
    opens = stated.first_card_seen.value if event.turned else stated.first_card_unseen.value
    card = Drawn(event.card, turned=event.turned, free=opens is FirstCard.FREE_HAND)
    shoe = replace(table.shoe, drawn=table.shoe.drawn + 1)
    if shoe.ended:
        # no round comes that it could wait for
        return later(table, shoe=put_aside(replace(shoe, discards=shoe.discards + 1), (card,)))
    current = table.round
    if current is not None and not current.closed:
        current = replace(current, card_out=True)
    return later(table, carried=(*table.carried, card), shoe=shoe, round=current)


def _carried_cards_dealt(table: Table, event: e.CarriedCardsDealt) -> Table:
    dealt = zip(table.carried, event.hands, strict=False)
    current = current_round(table)
    opening = tuple(
        replace(drawn, hand=hand, free=False, number=number)
        for number, (drawn, hand) in enumerate(dealt, current.numbered + 1)
    )
    opened = with_cards(replace(current, numbered=current.numbered + len(opening)), (*current.cards, *opening))
    return later(table, round=opened, carried=table.carried[len(opening) :])


def _free_hand_called(table: Table, event: e.FreeHandCalled) -> Table:
    if table.round is not None:
        before = table.round
        current = Round(
            number=event.number,
            until=before.until,
            since=before.since,
            settings=before.settings,
            closed=True,
            free=True,
            cut_first=before.cut_first,
        )
        return begun(later(table, round=current, balances=moved(table.balances, event.transfers), flags={}))
    left = table.shoe.rounds_left
    shoe = replace(table.shoe, rounds_left=left - 1, cut_next=False) if left else table.shoe
    since = table.version + 1
    called = Round(number=event.number, until=0, since=since, settings=table.settings, closed=True, free=True)
    return begun(later(table, round=called, rounds=event.number, shoe=shoe))


def _played_free(table: Table, event: e.PlayedFree) -> Table:
    return in_round(table, free=True, all_back=None)


FOLDS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.CardsDealt: _cards_dealt,
    e.CardDrawn: _card_drawn,
    e.CardPut: _card_put,
    e.CardTurned: _card_turned,
    e.CardsArranged: _cards_arranged,
    e.CardValued: _card_valued,
    e.EarlyCardDrawn: _early_card_drawn,
    e.CarriedCardsDealt: _carried_cards_dealt,
    e.FreeHandCalled: _free_hand_called,
    e.PlayedFree: _played_free,
}
