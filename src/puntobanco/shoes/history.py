"""What a table's log tells of its shoes: how they were cut, and the cards that have left them.

Every card keeps its *place*, counted from 0 in the order in which the cards left the shoe, wherever it goes afterwards:
to a hand, to another one by a ruling, to the next round. So a card that is named late or corrected is named at its
place, and an electronic shoe deals on from the next one. What cannot be brought into that order is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from puntobanco.cards import Card
from puntobanco.shoes.commit import CommitmentError
from puntobanco.table import events as e
from puntobanco.table.shoe.seeds import pledge_of

Places = tuple[int, ...]


class ShoeHistory(msgspec.Struct, frozen=True):
    """One shoe as far as the log goes. A card that the log does not name is None."""

    number: int
    size: int
    commitment: str = ""
    shuffler: bool = False
    """Whether discards go back in, and each round has an order of its own."""
    mixed: int = 0
    """How often they did."""
    pledges: tuple[tuple[str, str, str], ...] = ()
    """Person, pledge and the seed that was shown, or nothing; in the order of the pledges."""
    seeds: tuple[str, ...] = ()
    """By which it was mixed."""
    cuts: tuple[int, ...] = ()
    gone: tuple[Card | None, ...] = ()
    """The cards that have left the shoe, in order."""
    burnt_at: Places = ()
    round: int = 0
    """The number of the round in progress, or of the last one."""
    cards: Places = ()
    """The places of that round's cards, in the order that counts."""
    numbered: Places = ()
    """The places of all cards that have had a number in that round."""
    carried: Places = ()
    """The places of cards that wait for the next round."""
    past: tuple[tuple[int, Places], ...] = ()
    """The rounds that are over, each with the places of its cards."""
    over: bool = False

    @property
    def burnt(self) -> tuple[Card | None, ...]:
        return tuple(self.gone[place] for place in self.burnt_at)

    @property
    def dealt(self) -> tuple[Card | None, ...]:
        """The cards that left the shoe and were not burnt, in order."""
        burnt = set(self.burnt_at)
        return tuple(card for place, card in enumerate(self.gone) if place not in burnt)


def follow(shoe: ShoeHistory | None, event: e.Event) -> ShoeHistory | None:
    """The shoe one event later; None before the first. Raises :class:`CommitmentError` where that cannot be told."""
    if shoe is None:
        return _started(event) if isinstance(event, e.ShoeStarted) else None
    if shoe.over and shoe.shuffler and shoe.commitment and isinstance(event, _LEAVING):
        raise CommitmentError(f"a card left shoe {shoe.number} after its order had served")
    step = _STEPS.get(type(event))
    return shoe if step is None else step(shoe, event)


def _started(event: e.ShoeStarted) -> ShoeHistory:
    return ShoeHistory(event.number, event.cards, event.commitment, event.shuffler)


def _returned(shoe: ShoeHistory, event: e.CardsReturned) -> ShoeHistory:
    """The shuffler mixes what is in it: an order of its own begins. What waits for a round stays out of it."""
    if shoe.commitment and not shoe.over:
        raise CommitmentError(f"discards went back into shoe {shoe.number} while its order was in use")
    waits = tuple(shoe.gone[place] for place in shoe.carried)
    return ShoeHistory(
        *(shoe.number, shoe.size, event.commitment, True, shoe.mixed + 1),
        gone=waits,
        round=shoe.round,
        carried=tuple(range(len(waits))),
    )


def _cut(shoe: ShoeHistory, event: e.ShoeCut) -> ShoeHistory:
    if shoe.gone:
        raise CommitmentError(f"shoe {shoe.number} was cut after its first card")
    return replace(shoe, cuts=(*shoe.cuts, event.position))


def _seeds_asked(shoe: ShoeHistory, event: e.SeedsAsked) -> ShoeHistory:
    if shoe.gone:
        raise CommitmentError(f"shoe {shoe.number}: seeds were asked for after its first card")
    return replace(shoe, pledges=())


def _pledged(shoe: ShoeHistory, event: e.SeedPledged) -> ShoeHistory:
    if any(seed for _, _, seed in shoe.pledges):
        raise CommitmentError(f"shoe {shoe.number}: a seed was pledged after one was shown")
    return replace(shoe, pledges=(*shoe.pledges, (event.person, event.pledge, "")))


def _shown(shoe: ShoeHistory, event: e.SeedShown) -> ShoeHistory:
    pledges = tuple(
        (person, pledge, event.seed if person == event.person else seed) for person, pledge, seed in shoe.pledges
    )
    return replace(shoe, pledges=pledges)


def _mixed(shoe: ShoeHistory, event: e.ShoeMixed) -> ShoeHistory:
    if shoe.gone:
        raise CommitmentError(f"shoe {shoe.number} was mixed after its first card")
    if event.seeds != tuple(seed for _, _, seed in shoe.pledges if seed):
        raise CommitmentError(f"shoe {shoe.number} was mixed by other seeds than were shown")
    for person, pledge, seed in shoe.pledges:
        if seed and pledge_of(shoe.commitment, seed) != pledge:
            raise CommitmentError(f"shoe {shoe.number}: the seed of {person} is not the one that was pledged")
    return replace(shoe, seeds=event.seeds)


def _burnt(shoe: ShoeHistory, event: e.CardsBurnt) -> ShoeHistory:
    if len(shoe.gone) != len(shoe.burnt_at) + len(shoe.carried):
        raise CommitmentError(f"shoe {shoe.number} was burnt after its first round")
    return replace(shoe, gone=shoe.gone + event.cards, burnt_at=shoe.burnt_at + _next(shoe, len(event.cards)))


def _over(shoe: ShoeHistory, event: e.ShoeEnded | e.TableClosed) -> ShoeHistory:
    return replace(shoe, over=True)


def _next(shoe: ShoeHistory, count: int) -> Places:
    """The places of so many more cards."""
    drawn = len(shoe.gone)
    return tuple(range(drawn, drawn + count))


# --- rounds


def _called(shoe: ShoeHistory, event: e.RoundCalled | e.FreeHandCalled) -> ShoeHistory:
    return replace(shoe, round=event.number, cards=(), numbered=())


def _ended(shoe: ShoeHistory, event: e.RoundEnded) -> ShoeHistory:
    past = (*shoe.past, (event.number, shoe.cards))
    served = shoe.shuffler and bool(shoe.commitment) and bool(shoe.gone) and not shoe.carried
    return replace(shoe, cards=(), numbered=(), past=past, over=shoe.over or served)


def _dealt(shoe: ShoeHistory, event: e.CardsDealt) -> ShoeHistory:
    return _with(replace(shoe, gone=shoe.gone + event.cards), _next(shoe, len(event.cards)))


def _drawn(shoe: ShoeHistory, event: e.CardDrawn) -> ShoeHistory:
    return _with(replace(shoe, gone=(*shoe.gone, event.card)), _next(shoe, 1))


def _with(shoe: ShoeHistory, places: Places) -> ShoeHistory:
    """The shoe with these cards in the round in progress."""
    return replace(shoe, cards=shoe.cards + places, numbered=shoe.numbered + places)


def _turned(shoe: ShoeHistory, event: e.CardTurned) -> ShoeHistory:
    number, card = event.number, event.card
    places = shoe.numbered + shoe.carried
    if not 1 <= number <= len(places):
        raise CommitmentError(f"shoe {shoe.number}: card {number} of a round was turned before it was drawn")
    known = shoe.gone[places[number - 1]]
    if known is card:
        return shoe
    if known is not None:
        raise CommitmentError(f"shoe {shoe.number}: card {number} of a round was drawn as {known}, turned as {card}")
    return _named(shoe, places, number, card)


def _named(shoe: ShoeHistory, places: Places, number: int, card: Card) -> ShoeHistory:
    """The shoe with one card of a round named, or named otherwise."""
    if not 1 <= number <= len(places):
        raise CommitmentError(f"shoe {shoe.number}: there is no card {number} in that round")
    place = places[number - 1]
    return replace(shoe, gone=(*shoe.gone[:place], card, *shoe.gone[place + 1 :]))


# --- what went wrong


def _valued(shoe: ShoeHistory, event: e.CardValued) -> ShoeHistory:
    return _named(shoe, shoe.numbered, event.number, event.card)


def _amended(shoe: ShoeHistory, event: e.Event) -> ShoeHistory:
    raise CommitmentError(f"shoe {shoe.number}: the record of its cards was corrected, which electronic shoes rule out")


def _arranged(shoe: ShoeHistory, event: e.CardsArranged) -> ShoeHistory:
    if not all(1 <= number <= len(shoe.numbered) for number in event.order):
        raise CommitmentError(f"shoe {shoe.number}: a card was put right before it was drawn")
    ordered = tuple(shoe.numbered[number - 1] for number in event.order)
    used, left_over = ordered[: len(event.hands)], ordered[len(event.hands) :]
    return replace(shoe, cards=used, carried=shoe.carried if event.goes == "discarded" else shoe.carried + left_over)


def _early(shoe: ShoeHistory, event: e.EarlyCardDrawn) -> ShoeHistory:
    return replace(shoe, gone=(*shoe.gone, event.card), carried=shoe.carried + _next(shoe, 1))


def _carried_dealt(shoe: ShoeHistory, event: e.CarriedCardsDealt) -> ShoeHistory:
    count = len(event.hands)
    return replace(_with(shoe, shoe.carried[:count]), carried=shoe.carried[count:])


def _retrieved(shoe: ShoeHistory, event: e.CardsRetrieved) -> ShoeHistory:
    """Back on top of the shoe, in the order in which they lay there: they leave it once more."""
    left = len(shoe.gone) - event.cards
    carried = () if event.cards > len(shoe.cards) else shoe.carried
    back = shoe.cards if carried else shoe.cards + shoe.carried
    if event.cards != len(back) or sorted(back) != list(range(left, len(shoe.gone))):
        raise CommitmentError(f"shoe {shoe.number}: cards went back that were not the last to leave it")
    return replace(shoe, gone=shoe.gone[:left], cards=(), numbered=(), carried=carried)


_STEPS: dict[type[e.Event], Callable[[ShoeHistory, Any], ShoeHistory]] = {
    e.ShoeStarted: lambda shoe, event: _started(event),
    e.ShoeCut: _cut,
    e.SeedsAsked: _seeds_asked,
    e.SeedPledged: _pledged,
    e.SeedShown: _shown,
    e.ShoeMixed: _mixed,
    e.CardsBurnt: _burnt,
    e.ShoeEnded: _over,
    e.TableClosed: _over,
    e.RoundCalled: _called,
    e.FreeHandCalled: _called,
    e.RoundEnded: _ended,
    e.CardsDealt: _dealt,
    e.CardDrawn: _drawn,
    e.CardTurned: _turned,
    e.CardValued: _valued,
    e.CardsArranged: _arranged,
    e.CardCorrected: _amended,
    e.CardStruck: _amended,
    e.CardAdded: _amended,
    e.OrderCorrected: _amended,
    e.CardsTold: _amended,
    e.EarlyCardDrawn: _early,
    e.CarriedCardsDealt: _carried_dealt,
    e.CardsRetrieved: _retrieved,
    e.CardsReturned: _returned,
}
_LEAVING = (e.CardsBurnt, e.CardsDealt, e.CardDrawn, e.EarlyCardDrawn)


def follow_all(events: Iterable[e.Event], shoe: ShoeHistory | None = None) -> ShoeHistory | None:
    """The shoe after all these events."""
    for event in events:
        shoe = follow(shoe, event)
    return shoe


def shoes_of(events: Iterable[e.Event]) -> Iterator[ShoeHistory]:
    """Every shoe of a log, and every order of a shuffler, each as it was last heard of."""
    shoe: ShoeHistory | None = None
    for event in events:
        if shoe is not None and isinstance(event, e.ShoeStarted | e.CardsReturned):
            yield shoe
        shoe = follow(shoe, event)
    if shoe is not None:
        yield shoe
