"""The table after something happened to the shoe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from puntobanco.table import events as e
from puntobanco.table.cards.lying import with_cards
from puntobanco.table.cards.state import Drawn
from puntobanco.table.fold_helpers import current_round, in_shoe, later
from puntobanco.table.settlement.results import with_results
from puntobanco.table.shoe.copies import put_aside, surplus
from puntobanco.table.shoe.state import Seeds, Shoe
from puntobanco.table.state import Table


def _shoe_started(table: Table, event: e.ShoeStarted) -> Table:
    shoe = Shoe(
        number=event.number,
        size=event.cards,
        commitment=event.commitment,
        unkept=table.shoe.unkept,
        burn_due=table.settings.burn not in ("none", 0),
        ended=False,
    )
    # a shoe without a round leaves those of the one before it the latest
    return later(table, shoe=shoe, results=(), past=(), previous=table.past or table.previous)


def _shoe_cut(table: Table, event: e.ShoeCut) -> Table:
    return in_shoe(table, was_cut=True)


def _seeds_asked(table: Table, event: e.SeedsAsked) -> Table:
    return in_shoe(table, seeds=Seeds(event.until), unkept=table.shoe.unkept.union(event.unkept))


def _seed_pledged(table: Table, event: e.SeedPledged) -> Table:
    seeds = _asked_for(table)
    return in_shoe(table, seeds=replace(seeds, pledges=seeds.pledges | {event.person: event.pledge}))


def _seeds_due(table: Table, event: e.SeedsDue) -> Table:
    return in_shoe(table, seeds=replace(_asked_for(table), until=event.until, due=True))


def _seed_shown(table: Table, event: e.SeedShown) -> Table:
    seeds = _asked_for(table)
    return in_shoe(table, seeds=replace(seeds, shown=seeds.shown | {event.person: event.seed}))


def _shoe_mixed(table: Table, event: e.ShoeMixed) -> Table:
    return in_shoe(table, seeds=None, unkept=table.shoe.unkept.union(event.withheld))


def _asked_for(table: Table) -> Seeds:
    assert table.shoe.seeds is not None
    return table.shoe.seeds


def _cards_burnt(table: Table, event: e.CardsBurnt) -> Table:
    burnt = len(event.cards)
    shoe = put_aside(table.shoe, [Drawn(card, turned=card is not None) for card in event.cards])
    return later(
        table,
        shoe=replace(
            shoe,
            drawn=shoe.drawn + burnt,
            burnt=shoe.burnt + burnt,
            discards=shoe.discards + burnt,
            burn_due=False,
            recount=True,
        ),
    )


def _cut_card_appeared(table: Table, event: e.CutCardAppeared) -> Table:
    current = table.round
    # a card that is out already comes before it
    first = current is not None and not current.cards and not table.carried
    cut_next = current is None and not table.carried
    after = in_shoe(table, cut_seen=True, rounds_left=event.rounds_left, cut_next=cut_next)
    return replace(after, round=replace(current_round(after), cut_first=True)) if first else after


def _shoe_ended(table: Table, event: e.ShoeEnded) -> Table:
    shoe = replace(table.shoe, ended=True, seeds=None, discards=event.discards, choosing=None, choice_due=False)
    return later(table, shoe=put_aside(shoe, table.carried), carried=())


def _cards_at_fault(table: Table, event: e.CardsAtFault) -> Table:
    return in_shoe(table, at_fault=True, surplus=surplus(table).total())


def _cards_retrieved(table: Table, event: e.CardsRetrieved) -> Table:
    shoe = replace(table.shoe, drawn=table.shoe.drawn - event.cards, burn_due=True)
    current = table.round
    # those that wait for their round left the shoe after the others, or nothing else is out
    carried = () if event.cards > (len(current.cards) if current is not None else 0) else table.carried
    if current is not None:
        current = with_cards(replace(current, numbered=0, card_out=False), ())
    return later(table, round=current, shoe=shoe, carried=carried)


LOOKS_BACK = 100
"""Rounds that a table with a shuffler remembers at least, and twice as many at most: about a shoe's."""


def _cards_returned(table: Table, event: e.CardsReturned) -> Table:
    shoe = table.shoe
    drawn = shoe.drawn - event.cards
    shoe = replace(
        shoe,
        commitment=event.commitment,
        mixed=shoe.mixed + 1,
        drawn=drawn,
        burnt=0,
        discards=shoe.discards - event.cards,
        aside=(),
        faces={},
        shown=drawn if shoe.shown == shoe.drawn else None,
    )
    past = table.past if len(table.past) <= 2 * LOOKS_BACK else table.past[-LOOKS_BACK:]
    back = tuple(each if each.back else replace(each, back=True) for each in past)
    last = back[-1] if back and table.last is not None and table.last.number == back[-1].number else table.last
    after = later(table, shoe=shoe, past=back, last=last)
    return after if len(past) == len(table.past) else with_results(after)


def _shoe_to_be_replaced(table: Table, event: e.ShoeToBeReplaced) -> Table:
    return in_shoe(table, to_replace=True, choosing=None)


def _shoe_choice_due(table: Table, event: e.ShoeChoiceDue) -> Table:
    return in_shoe(table, choice_due=True, burn_due=False)


def _shoe_choice_given(table: Table, event: e.ShoeChoiceGiven) -> Table:
    return in_shoe(table, choice_due=False, choosing=frozenset(event.people), choices=len(event.people), asking=0)


def _shoe_chosen(table: Table, event: e.ShoeChosen) -> Table:
    shoe = table.shoe
    assert shoe.choosing is not None
    return in_shoe(table, choosing=shoe.choosing - {event.person}, asking=shoe.asking + (not event.goes_on))


def _shoe_kept(table: Table, event: e.ShoeKept) -> Table:
    return in_shoe(table, choosing=None)


FOLDS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.ShoeStarted: _shoe_started,
    e.ShoeCut: _shoe_cut,
    e.SeedsAsked: _seeds_asked,
    e.SeedPledged: _seed_pledged,
    e.SeedsDue: _seeds_due,
    e.SeedShown: _seed_shown,
    e.ShoeMixed: _shoe_mixed,
    e.CardsBurnt: _cards_burnt,
    e.CutCardAppeared: _cut_card_appeared,
    e.ShoeEnded: _shoe_ended,
    e.CardsAtFault: _cards_at_fault,
    e.CardsRetrieved: _cards_retrieved,
    e.CardsReturned: _cards_returned,
    e.ShoeToBeReplaced: _shoe_to_be_replaced,
    e.ShoeChoiceDue: _shoe_choice_due,
    e.ShoeChoiceGiven: _shoe_choice_given,
    e.ShoeChosen: _shoe_chosen,
    e.ShoeKept: _shoe_kept,
}
