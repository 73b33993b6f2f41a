"""What staff may report, propose and approve when something went wrong, and what players answer.

Which rulings there are on an incident the engine says (:func:`puntobanco.table.cases.remedies.choices`); whether one
can be given now it is asked with an example, as everything in :mod:`puntobanco.views.actions` is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations, islice, pairwise, permutations, product
from typing import Any, NamedTuple, get_args

from msgspec.structs import replace

from puntobanco.cards import CARDS, Side
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import rulings as r
from puntobanco.table.about import about_bet
from puntobanco.table.bets.stakes_that_stand import original_bet
from puntobanco.table.cards.reconstruction import drawn_at_once
from puntobanco.table.cases.commands import ABOUT_CARDS
from puntobanco.table.cases.proposals import can_propose
from puntobanco.table.cases.remedies import Choice, choice_for, choices
from puntobanco.table.commands import Command
from puntobanco.table.insurance.missed import FAMILY
from puntobanco.table.insurance.offers import on_offer_here
from puntobanco.table.insurance.repricing import row_on
from puntobanco.table.refusals import Refusal, Refused
from puntobanco.table.state import Incident, Round, Table, Wager
from puntobanco.views.judge import Action, Ask, Judge, Value, action_of
from puntobanco.views.relevant import aside_from_bets

REASON = "reason"
"""An example of what is said in words."""
MOST_ORDERS = 120
"""All orders of five cards; nobody draws more at once."""


def take_option(judge: Judge, person: str) -> Action:
    """To go on or to take all bets back; between rounds, to go on with the shoe or not."""
    return judge.choose(c.TakeOption(person, True), "goes_on", (True, False))


def meant_to_insure(judge: Judge, person: str) -> Iterator[Action]:
    """Where insurance was missed, that somebody had meant to take it."""
    table, current = judge.table, judge.table.round
    if current is not None:
        for hand in _missed_by(current, person):
            yield judge.action(c.MeantToInsure(person, hand))
    late = {found.round for found in table.incidents.values() if found.family == FAMILY and not found.blocks}
    for each in table.known_rounds:
        if each.number in late:
            for hand in _missed_by(each, person):
                yield judge.action(c.MeantToInsure(person, hand, each.number))


def _missed_by(found: Round, person: str) -> Iterable[Side]:
    offers = (offer for missed in found.missed for offer in missed.offers)
    return dict.fromkeys(offer.hand for offer in offers if person in offer.people)


# --- reports


class _Named(NamedTuple):
    """Which cards a report may name, or why it is refused."""

    refused: Refusal | None
    kind: str = ""
    cards: tuple[Any, ...] = ()
    most: int = 0

    @property
    def example(self) -> tuple[int, ...]:
        return self.cards[:1] if self.kind == "some" else self.cards[0] if self.cards else ()

    @property
    def asks(self) -> tuple[Ask, ...]:
        if self.kind == "some":
            return (Ask("cards", "some", 1, self.most, choices=self.cards),)
        return (Ask("cards", "choice", choices=self.cards),) if self.kind else ()


def reports(judge: Judge) -> Iterator[Action]:
    """What went wrong in the round, in an earlier one, or with the power: alike ones are the choices of one action."""
    alike: dict[_Named, list[c.Incidental]] = {}
    for what in get_args(c.Incidental)[:-1]:
        alike.setdefault(_named(judge, what), []).append(what)
    words = Ask("about", "text")
    holds = Ask("holds", "choice", choices=(False, True))
    yield judge.choose(c.Report("other", REASON), "what", ("other",), words, holds)
    for named, kinds in alike.items():
        body = c.Report(kinds[0], REASON, named.example)
        yield action_of(body, named.refused, (Ask("what", "choice", choices=tuple(kinds)), *named.asks, words))
    lost = Ask("lost", "choice", choices=(False, True))
    yield judge.action(c.ReportInterruption(REASON), words, lost)
    if settled := [each.number for each in judge.table.known_rounds if each.settled]:
        cards = Ask("cards", "cards", 4, 12)
        yield judge.choose(c.ReportRound(settled[0], CARDS[:1] * 4, REASON), "round", settled, cards, words)
    offered = [each.number for each in judge.table.known_rounds if each.settled and each.offered]
    if offered:
        late = judge.choose(c.Report(FAMILY, REASON, (), offered[0]), "round", offered, words)
        yield replace(late, fixed={}, asks=(Ask("what", "choice", choices=(FAMILY,)), *late.asks))


def _named(judge: Judge, what: c.Incidental) -> _Named:
    def refusal(*cards: int) -> Refusal | None:
        return judge.refusal(c.Report(what, REASON, cards))

    if what not in ABOUT_CARDS:
        return _Named(refusal())
    current = judge.table.round
    numbers = [drawn.number for drawn in current.cards] if current else []
    one = tuple(number for number in numbers if refusal(number) is None)
    if one:
        return _Named(None, "some", one, len(one) if refusal(*one) is None else 1)
    runs = tuple(tuple(numbers[first:last]) for first, last in combinations(range(len(numbers) + 1), 2))
    if taken := tuple(run for run in runs if refusal(*run) is None):
        return _Named(None, "choice", taken)
    refused = refusal(1)
    return _Named(refused) if refused == refusal() else _Named(refused, "some", (1,), 1)


# --- rulings


def rulings(judge: Judge) -> Iterator[Action]:
    """On every incident what the book allows, what may be ruled without one, and what waits for approval."""
    table = judge.table
    for incident in table.incidents.values():
        for choice in choices(table, incident):
            ruling = example_of(table, incident, choice.kind)
            if isinstance(ruling, r.DecideOrder):
                orders = tuple(islice(_orders(table), MOST_ORDERS))
                yield _propose(judge, ruling, incident=incident.number, field="ruling.cards", values=orders)
            else:
                yield _propose(judge, ruling, *_asks(judge, incident, ruling), incident=incident.number)
    without_bets = partial(aside_from_bets, table)
    yield from judge.kept("at discretion", without_bets, _at_discretion)
    yield from _payments(judge)
    yield from judge.kept("insurance moved", without_bets, _insurance_moved)
    for each in table.known_rounds[-1:]:
        yield from corrections(judge, each)
    for number, proposal in table.proposals.items():
        for action in (judge.action(c.Approve(number)), judge.action(c.Decline(number), _reason(optional=True))):
            yield replace(action, rank=proposal.needs)


def _orders(table: Table) -> Iterator[tuple[int, ...]]:
    """Every order of the cards that were drawn at once, on one occasion or several."""
    for orders in product(*map(permutations, drawn_at_once(table))):
        yield tuple(chain(*orders))


def example_of(table: Table, incident: Incident, kind: type[r.Ruling]) -> r.AnyRuling:
    """A ruling of that kind on the incident, with something for what it leaves to say."""
    if kind is r.DecideOrder:
        return r.DecideOrder(tuple(chain(*drawn_at_once(table))))
    if kind is r.ValueCard:
        return r.ValueCard(incident.cards[0], CARDS[0])
    if kind is r.SetStake:
        wager = _wager_of(table, incident)
        return r.SetStake(wager.person, wager.box, wager.bet, wager.stake)
    ruling: r.AnyRuling = r.Collect(1) if kind is r.Collect else kind()  # type: ignore[assignment]
    return ruling


def granted(table: Table, incident: Incident, now: int) -> Iterator[type[r.Ruling]]:
    """The rulings on an incident that would be granted now to somebody with the rank, who gives the reason.

    One that waits for approval already is among them.
    """
    for choice in choices(table, incident):
        ruling = example_of(table, incident, choice.kind)
        examples = map(r.DecideOrder, _orders(table)) if isinstance(ruling, r.DecideOrder) else (ruling,)
        if any(_granted(table, c.Propose(each, incident.number, REASON), now) for each in examples):
            yield choice.kind


def _granted(table: Table, body: c.Propose, now: int) -> bool:
    try:
        can_propose(table, Command("", "", now, body), body)
    except Refused as refused:
        return refused.refusal.code == "already_there"
    return True


def _wager_of(table: Table, incident: Incident) -> Wager:
    """The bet that an incident is about."""
    assert table.round is not None
    return next(wager for key, wager in table.round.wagers.items() if about_bet(*key) == incident.about)


def _asks(judge: Judge, incident: Incident, ruling: r.AnyRuling) -> Iterator[Ask]:
    """What a ruling on an incident leaves to say."""
    if isinstance(ruling, r.ValueCard):
        if len(incident.cards) > 1:
            yield Ask("ruling.number", "choice", choices=incident.cards)
        yield Ask("ruling.card", "card")
    elif isinstance(ruling, r.SetStake):
        yield Ask("ruling.stands", "amount", 0, ruling.stands)
    elif isinstance(ruling, r.Collect):
        beyond = judge.refusal(c.Propose(r.Collect(10**18), incident.number, REASON))
        yield Ask("ruling.amount", "amount", 1, beyond.fits if beyond else None)


def _at_discretion(judge: Judge) -> Iterator[Action]:
    yield _propose(judge, r.VoidRound())
    yield _propose(judge, r.GiveOptions())
    yield _propose(judge, r.ReplaceShoe())


def _insurance_moved(judge: Judge) -> Iterator[Action]:
    insured = ((taken.person, taken.box, taken.hand) for each in judge.table.known_rounds for taken in each.insurance)
    for person, box, hand in dict.fromkeys(insured):
        yield _propose(judge, r.MoveInsurance(person, box, hand))


def _payments(judge: Judge) -> Iterator[Action]:
    """To anybody who plays here, or has lately; from those who have chips."""
    table = judge.table
    players = [person.id for person in table.people.values() if not person.staff]
    gone = [wager.person for each in table.known_rounds for wager in each.wagers.values()]
    if known := tuple(dict.fromkeys((*players, *gone))):
        amount = Ask("ruling.amount", "amount", 1)
        yield _propose(judge, r.Pay(known[0], 1), Ask("ruling.person", "choice", choices=known), amount)
    for player in players:
        if stack := table.stack(player):
            yield _propose(judge, r.Pay(player, -1), Ask("ruling.amount", "amount", -stack, -1))


def _propose(
    judge: Judge,
    ruling: r.AnyRuling,
    *asks: Ask,
    incident: int = 0,
    field: str = "",
    values: Sequence[Value] = (),
) -> Action:
    """The ruling as a proposal, of the values those that the engine takes. It is asked whether it wants a reason."""
    body = c.Propose(ruling, incident)
    bare = refused = judge.refusal(body)
    if bare is not None:
        body = replace(body, reason=REASON)
        refused = judge.refusal(body)
    optional = refused == bare
    if refused is not None and refused.code == "already_there" and asks:
        refused = None  # the example is proposed by somebody; anything else may be
    asks = (*asks, _reason(optional=optional))
    action = judge.choose(body, field, values, *asks) if field else action_of(body, refused, asks)
    choice = _choice(judge.table, ruling, incident)
    if choice is None:
        return action
    paragraph = choice.paragraph if action.allowed else action.paragraph
    return replace(action, rank=choice.by.code, approval=choice.second, paragraph=paragraph)


def _reason(*, optional: bool) -> Ask:
    return Ask("reason", "text", optional=optional)


def _choice(table: Table, ruling: r.AnyRuling, incident: int) -> Choice | None:
    try:
        return choice_for(table, ruling, table.incidents.get(incident))
    except Refused:
        return None


# --- corrections


def corrections(judge: Judge, found: Round) -> Iterator[Action]:
    """Of the record of a round. Nothing is said of face-down cards: each is keyed when it is turned."""
    if found.voided:
        return
    for drawn in found.cards:
        number = drawn.number
        if drawn.turned and drawn.card is not None:
            other = next(card for card in CARDS if card is not drawn.card)
            card = Ask("ruling.card", "card", but=drawn.card.value)
            yield _propose(judge, r.CorrectCard(number, other, found.number), card)
        elsewhere = [side for side in Side if side is not drawn.hand]
        hand = Ask("ruling.hand", "choice", choices=tuple(side.value for side in elsewhere))
        yield _propose(judge, r.CorrectHand(number, elsewhere[0], found.number), hand)
        yield _propose(judge, r.StrikeCard(number, found.number))
    yield from _card_and_order(judge, found)
    yield from _bets(judge, found)
    if found is judge.table.round:
        results: tuple[Any, ...] = ("player", "banker", "tie")
        yield _propose(judge, r.CorrectCall("tie"), field="ruling.result", values=results)
        for box in sorted({line.box for line in found.lines} - found.unconfirmed):
            yield _propose(judge, r.CorrectPayout(box))


def _bets(judge: Judge, found: Round) -> Iterator[Action]:
    """Bets that the record has wrongly, and bets that it does not have; not those that went back."""
    table = judge.table
    known = {*found.wagers, *((wager.person, wager.box, wager.bet) for wager in found.taken_back)}
    boxes = Ask("ruling.to_box", "choice", choices=table.boxes, optional=True)
    bets = Ask("ruling.to_bet", "choice", choices=table.layout.bets, optional=True)
    for wager in found.wagers.values():
        body = r.CorrectBet(wager.person, wager.box, wager.bet, 0, round=found.number)
        yield _propose(judge, body, Ask("ruling.stake", "amount", 0, but=wager.stake), boxes, bets)
    for person in table.people.values():
        if person.staff:
            continue
        missing = tuple(bet for bet in table.layout.bets if (person.id, person.box, bet) not in known)
        if missing:
            body = r.CorrectBet(person.id, person.box, missing[0], 1, round=found.number)
            bet = Ask("ruling.bet", "choice", choices=missing)
            yield _propose(judge, body, bet, Ask("ruling.stake", "amount", 1))
    yield from _insurance(judge, found)


def _card_and_order(judge: Judge, found: Round) -> Iterator[Action]:
    """A card that was never keyed, and neighbours that were keyed the other way round."""
    numbers = tuple(drawn.number for drawn in found.cards)
    if not numbers:
        return
    asks = (
        Ask("ruling.card", "card"),
        Ask("ruling.hand", "choice", choices=tuple(side.value for side in Side)),
        Ask("ruling.after", "choice", choices=numbers),
    )
    yield _propose(judge, r.AddCard(CARDS[0], Side.PLAYER, numbers[-1], found.number), *asks)
    swapped = tuple((second, first) for first, second in pairwise(sorted(numbers)))
    if swapped:
        yield _propose(judge, r.CorrectOrder(swapped[0], found.number), field="ruling.cards", values=swapped)


def _insurance(judge: Judge, found: Round) -> Iterator[Action]:
    """Insurance that the record has wrongly, and what it may lack; another box is one entry less and one more."""
    table, entries = judge.table, dict[tuple[str, int, Side, Window], int]()
    for taken in found.insurance:
        place = (taken.person, taken.box, taken.hand, taken.row.window)
        entries[place] = entries.get(place, 0) + taken.stake
    for (person, box, hand, window), was in entries.items():
        body = r.CorrectBet(person, box, f"{hand.value}_insurance", 0, round=found.number, window=window)
        most = _insurable(table, found, person, box, hand, window)
        yield _propose(judge, body, Ask("ruling.stake", "amount", 0, most, but=was))
    for person, box, hand, window, most in unrecorded_insurance(table, found):
        if (person, box, hand, window) not in entries:
            body = r.CorrectBet(person, box, f"{hand.value}_insurance", 1, round=found.number, window=window)
            yield _propose(judge, body, Ask("ruling.stake", "amount", 1, most))


def unrecorded_insurance(table: Table, found: Round) -> Iterator[tuple[str, int, Side, Window, int]]:
    """Where chips may have lain as insurance, of whom, in which window, and how much with what is known to."""
    if not on_offer_here(table):
        return
    for wager in found.wagers.values():
        hand, person = table.book.original_bets.get(wager.bet), table.people.get(wager.person)
        if hand is None or person is None or person.staff:
            continue
        for window in Window:
            if most := _insurable(table, found, wager.person, wager.box, hand, window):
                yield wager.person, wager.box, hand, window, most


def _insurable(table: Table, found: Round, person: str, box: int, hand: Side, window: Window) -> int:
    """What could be insured there on the cards of that window; more than that goes back."""
    return original_bet(table, found, person, box, hand) if row_on(table, found.coup, window, hand) else 0
