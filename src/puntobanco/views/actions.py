"""What somebody may do now: every command with what is left to choose, or the refusal it would meet.

No rule is stated here. Each command is made up with an example of what is to be chosen, and the engine is
asked whether it would take it (:func:`puntobanco.table.engine.refusal`); the amounts at both ends are settled
with it, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from puntobanco.cards import CARDS, RANKS, Card, Side
from puntobanco.insurance import BOXES
from puntobanco.rules.model import NO_RANK, Window
from puntobanco.table import commands as c
from puntobanco.table.bets.limits import room_for, room_in_box
from puntobanco.table.commands import HOUSE
from puntobanco.table.insurance import caps
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import Kind
from puntobanco.table.settlement.announcing import may_be_called
from puntobanco.table.shoe.burning import cards_to_burn
from puntobanco.table.state import DEALING, Person, Round, Table, Wager, layout_of
from puntobanco.table.word import PLAIN_REPORTS, WORDS, Word
from puntobanco.views import dispute_actions as disputes
from puntobanco.views import ruling_actions as rulings
from puntobanco.views.judge import Action, Ask, Judge, Memory, Value, action_of, fill
from puntobanco.views.relevant import Relevant, aside_from_bets

__all__ = ["Action", "Ask", "Value", "fill", "insurable", "player_actions", "round_actions", "staff_actions"]


def player_actions(table: Table, name: str, now: int, memory: Memory | None = None) -> tuple[Action, ...]:
    """What players may do themselves; somebody who is not at the table yet may join it."""
    if not table.open or not name or name == HOUSE:
        return ()
    judge = Judge(table, name, now, memory)
    person = table.people.get(name)
    if person is None:
        return (*_seats(judge, name), *disputes.of_player(judge, name))
    if person.staff:
        return ()
    relevant = Relevant(table, name)
    if beside_others(table):
        return tuple(_by_player(judge, person, relevant))
    return tuple(judge.kept("all", lambda: relevant.own, partial(_by_player, person=person, relevant=relevant)))


def round_actions(table: Table, name: str, number: int, now: int) -> tuple[Action, ...]:
    """Corrections that staff may propose of any round of this shoe or the last; those of the latest are in the view."""
    judge = Judge(table, name, now)
    if not _works(table, name):
        return ()
    found = next((each for each in table.known_rounds if each.number == number), None)
    return tuple(rulings.corrections(judge, found)) if found is not None else ()


def _works(table: Table, name: str) -> bool:
    return table.open and (name == HOUSE or table.rank_of(name) is not NO_RANK)


HEARD: dict[Kind, frozenset[str]] = {
    kind: frozenset(
        str(body.__struct_config__.tag) for body, words in WORDS.items() if words[kind is Kind.MACHINE] is Word.HEARD
    )
    if kind is not Kind.LIVE
    else frozenset()
    for kind in Kind
}
"""The commands that open an incident and do nothing else, by the kind of table."""


def staff_actions(table: Table, name: str, now: int, memory: Memory | None = None) -> tuple[Action, ...]:
    """What staff at the table, or the table's own system, may do, and what would need a higher rank."""
    if not _works(table, name):
        return ()
    found = _by_staff(Judge(table, name, now, memory))
    return tuple(found if name == HOUSE else _believed(table.settings.kind, found))


def _believed(kind: Kind, actions: Iterable[Action]) -> Iterator[Action]:
    """What nobody's word brings about at this kind of table is not offered, though it is heard (table.word)."""
    for action in actions:
        if action.do not in HEARD[kind] or action.do == "turn":
            yield action
        elif action.do == "report":
            ask = next(ask for ask in action.asks if ask.field == "what")
            if taken := tuple(what for what in ask.choices if what in PLAIN_REPORTS):
                asks = (replace(each, choices=taken) if each is ask else each for each in action.asks)
                yield replace(action, asks=tuple(asks))


MOST_BURNT = 20
"""More than any dealer takes out by mistake."""

# --- players


def _by_player(judge: Judge, person: Person, relevant: Relevant) -> Iterator[Action]:
    table = judge.table
    yield from judge.kept("at the table", lambda: relevant.aside_from_cards, partial(_at_the_table, person=person))
    if table.shoe.size and not table.settings.shuffler:
        yield judge.action(c.CutShoe(person.id, 1), Ask("position", "amount", least=1, most=table.shoe.size - 1))
    boxes = [box for box in table.boxes if box == person.box or table.seated_at(box)]
    yield from _bets(judge, person, boxes, relevant)
    if person.seated:
        yield judge.action(c.RefuseBalance(person.id))
    yield from judge.kept("in the round", lambda: relevant.own, partial(_in_round, person=person))
    yield from judge.kept("turns", lambda: relevant.own, partial(_turns, person=person))
    disputed = partial(disputes.of_player, person=person.id)
    yield from judge.kept("disputes", lambda: relevant.aside_from_cards, disputed)


def _at_the_table(judge: Judge, person: Person) -> Iterator[Action]:
    yield from _seats(judge, person.id)
    yield judge.action(c.BuyIn(person.id, 1, "account"), Ask("amount", "amount", least=1))
    yield from _own_chips(judge, person)


def _turns(judge: Judge, person: Person) -> Iterator[Action]:
    """The cards that the person squeezes."""
    if (current := judge.table.round) is not None:
        rights = {squeeze.hand for squeeze in current.squeezes if squeeze.person == person.id and squeeze.granted}
        for drawn in current.cards:
            if drawn.hand in rights and not drawn.turned:
                yield judge.action(c.Turn(drawn.number))


def _seats(judge: Judge, name: str) -> Iterator[Action]:
    table, settings = judge.table, judge.table.settings
    notice = settings.no_insurance
    asks = (Ask("accepts_no_insurance", "choice", choices=(True,)),) if notice else ()
    # a player with bets on the layout stays: one answer stands for all boxes
    stays = name in table.people and table.balances.get(layout_of(name), 0) > 0
    boxes = table.boxes[:1] if stays else table.boxes
    for seated in (True, False):
        yield judge.choose(c.Join(name, boxes[0], seated, notice), "box", boxes, *asks)


def _own_chips(judge: Judge, person: Person) -> Iterator[Action]:
    amount = Ask("amount", "amount", least=1, most=judge.table.stack(person.id))
    yield judge.action(c.Leave(person.id))
    yield judge.action(c.CashOut(person.id, 1), amount)
    yield judge.action(c.Tip(person.id, 1), amount)


def _in_round(judge: Judge, person: Person) -> Iterator[Action]:
    """What a player, or staff for a player, may ask for while a round is in progress."""
    yield from _withdrawals(judge, person)
    for hand in Side:
        yield judge.action(c.AskSqueeze(person.id, hand))
    yield judge.choose(c.AskEarlySqueeze(person.id, "squeeze"), "how", ("squeeze", "expose"))
    yield from _insurance(judge, person)
    yield rulings.take_option(judge, person.id)


# --- bets


def _bets(judge: Judge, person: Person, boxes: Sequence[int], relevant: Relevant) -> Iterator[Action]:
    """An action per bet and set of boxes with the same answer; a single one where no bets are taken now.

    Those come first for which it matters what others have bet.
    """
    table = judge.table
    beside = beside_others(table)
    none = False
    for action in _places(judge, person, boxes, beside):
        none = action.code in NO_BETS
        yield action
    if not none:
        alone = tuple(bet for bet in table.layout.bets if bet not in beside)
        make = partial(_places, person=person, boxes=boxes, bets=alone)
        yield from judge.kept(f"bets of {person.id}", lambda: relevant.aside_from_cards, make)


NO_BETS = ("no_round", "bets_closed")
"""Refusals that are the same for every bet."""


def beside_others(table: Table) -> tuple[str, ...]:
    """The bets on which it matters what others have bet."""
    if table.terms.maximum_per == "box":
        return table.layout.bets
    if table.terms.differential is None:
        return ()
    return tuple(bet for bet in table.layout.bets if bet in table.book.original_bets)


def _places(judge: Judge, person: Person, boxes: Sequence[int], bets: Iterable[str]) -> Iterator[Action]:
    for bet in bets:
        answers: dict[tuple[Refusal | None, int, int | None], list[int]] = {}
        for alike in _alike(judge.table, person, boxes, bet):
            answers.setdefault(_room(judge, person, alike[0], bet), []).extend(alike)
        step = judge.table.terms.limits_of(bet).step
        for (refused, least, most), where in answers.items():
            where.sort()
            asks = (
                Ask("box", "choice", choices=tuple(where)),
                Ask(f"wagers.{bet}", "amount", least, most, step),
            )
            yield action_of(c.Place(person.id, where[0], {bet: least}), refused, asks)
            if refused is not None and refused.code in NO_BETS:
                return


def _alike(table: Table, person: Person, boxes: Sequence[int], bet: str) -> Iterable[list[int]]:
    """Boxes between which the engine sees no difference for this bet, so that it need be asked about one only.

    What makes one is who sits there, what the person has there already, and the Differential of the box.
    """
    current = table.round
    if current is None:
        return (list(boxes),)
    hand = table.book.original_bets.get(bet)
    alike: dict[tuple[bool, int, int | None], list[int]] = {}
    for box in boxes:
        before = current.wagers.get((person.id, box, bet))
        room = room_for(table, current, box, hand) if hand is not None else None
        alike.setdefault((box == person.box, before.stake if before else 0, room), []).append(box)
    return alike.values()


def _room(judge: Judge, person: Person, box: int, bet: str) -> tuple[Refusal | None, int, int | None]:
    """The least and the most that the person may add to a bet, or the refusal that the least of it meets."""
    table = judge.table
    limits = table.terms.limits_of(bet)
    before = table.round.wagers.get((person.id, box, bet)) if table.round else None
    stake = before.stake if before else 0
    least = max(limits.minimum - stake, 1)
    least += -(stake + least) % limits.step
    refused = judge.refusal(c.Place(person.id, box, {bet: least}))
    if refused is not None:
        return refused, least, None
    most = table.stack(person.id)
    if limits.maximum is not None:
        most = min(most, limits.maximum - stake)
    if table.round is not None and (room := room_in_box(table.round, person.id, box, bet)) is not None:
        most = min(most, room - stake)
    most -= (stake + most) % limits.step
    if bet in table.book.original_bets:
        # how much fits the Differential, once others have yielded, only the engine knows
        beyond = judge.refusal(c.Place(person.id, box, {bet: most}))
        if beyond is not None and beyond.fits is not None:
            most = max(least, beyond.fits - (stake + beyond.fits) % limits.step)
    return None, least, most


def _withdrawals(judge: Judge, person: Person) -> Iterator[Action]:
    current = judge.table.round
    for wager in current.wagers.values() if current else ():
        if wager.person == person.id:
            body = c.Withdraw(person.id, wager.box, wager.bet)
            yield judge.action(body, *_parts(judge, wager))


def _parts(judge: Judge, wager: Wager) -> Iterator[Ask]:
    """How much of a wager may come back so that the rest may stay; without an amount all of it does."""
    limits = judge.table.terms.limits_of(wager.bet)
    least = wager.stake % limits.step or limits.step
    most = wager.stake - limits.minimum - -limits.minimum % limits.step
    if least <= most:
        yield Ask("amount", "amount", least, most, limits.step, optional=True)


def _insurance(judge: Judge, person: Person) -> Iterator[Action]:
    table, current = judge.table, judge.table.round
    window = current.window if current else None
    if current is None or window is None or person.id not in window.people:
        yield judge.action(c.Insure(person.id, person.box, Side.PLAYER, 1))
        return
    for offer in window.offers:
        for box in insurable(table, current, person.id, offer.hand):
            most = caps.most_insurance(table, current, person.id, box, offer.hand, offer.odds)
            amount = Ask("amount", "amount", least=1, most=min(most, table.stack(person.id)))
            yield judge.action(c.Insure(person.id, box, offer.hand, 1), amount)
    yield judge.action(c.PassInsurance(person.id))


def insurable(table: Table, current: Round, person: str, hand: Side) -> list[int]:
    """The boxes where the person has an Original Bet on that hand."""
    hands = table.book.original_bets
    return [wager.box for wager in current.wagers.values() if wager.person == person and hands.get(wager.bet) is hand]


# --- staff


def _by_staff(judge: Judge) -> Iterator[Action]:
    table = judge.table
    yield from judge.kept("steps", lambda: aside_from_bets(table), _steps)
    yield from judge.kept("faults", lambda: aside_from_bets(table), _faults)
    yield from rulings.rulings(judge)
    yield from disputes.of_staff(judge)
    yield from judge.kept("people", lambda: aside_from_bets(table), _people)
    yield from _tray(judge)
    yield from judge.kept("sign", lambda: aside_from_bets(table), _sign)
    for person in table.people.values():
        if not person.staff:
            yield from _for_player(judge, person)


def _steps(judge: Judge) -> Iterator[Action]:
    """What leads from one round to the next."""
    yield from _shoe(judge)
    yield judge.action(c.Call())
    yield judge.action(c.Close())
    yield from _cards(judge)
    yield judge.action(c.OfferInsurance())
    yield judge.action(c.CloseInsurance())
    yield _call(judge)
    yield judge.action(c.Settle())
    yield from _ends(judge)


def _sign(judge: Judge) -> Iterator[Action]:
    yield from _limits(judge)
    yield from _waiver(judge)


def _call(judge: Judge) -> Action:
    """The result, when it is time for it. One that was called out of turn is a fact to be told, and no next step."""
    call = judge.action(c.Announce("tie"), Ask("result", "choice", choices=("player", "banker", "tie")))
    return replace(call, out_of_turn=call.allowed and not may_be_called(judge.table))


def _shoe(judge: Judge) -> Iterator[Action]:
    table = judge.table
    committed = (Ask("commitment", "text", optional=True),) if table.settings.electronic else ()
    yield judge.action(c.NewShoe("shuffled"), Ask("evidence", "text"), *committed)
    if table.settings.shuffler:
        yield judge.action(c.ReturnCards(), *committed)
    if judge.actor != HOUSE and table.shoe.size and not table.settings.shuffler:
        position = Ask("position", "amount", least=1, most=table.shoe.size - 1)
        yield judge.action(c.CutShoe(judge.actor, 1), position)
    rule = table.settings.burn
    if rule == "first_card":
        counts = {rank.value: cards_to_burn(table, (Card(f"{rank.value}s"),)) for rank in RANKS}
        fit = {rank: count for rank, count in counts.items() if count <= table.shoe.left} or counts
        ask = Ask("cards", "cards", counts=fit, unseen=True)
        yield judge.action(c.Burn((CARDS[0], *[None] * (counts["A"] - 1))), ask)
    elif isinstance(rule, int) and rule:
        yield judge.action(c.Burn((None,) * rule), Ask("cards", "cards", rule, rule, unseen=True))
        if not table.settings.electronic and table.to_burn:
            # a wrong number is a fact, and then an incident for a ruling
            yield judge.action(c.Burn((None,)), Ask("cards", "cards", 1, min(MOST_BURNT, table.shoe.left), unseen=True))
    if not table.settings.shuffler:
        yield judge.action(c.CutCard())
    yield judge.action(c.EndShoe(), Ask("reason", "text", optional=True))


def _cards(judge: Judge) -> Iterator[Action]:
    """At an electronic table cards come from its own system only."""
    table, current = judge.table, judge.table.round
    if table.settings.electronic and judge.actor != HOUSE:
        return
    drawn = current.cards if current else ()
    most = min(max(4 - len(drawn), 1), max(table.shoe.left, 1))
    yield judge.action(c.Deal((CARDS[0],)), Ask("cards", "cards", least=1, most=most))
    hands = tuple(hand.value for hand in Side)
    hand = Ask("hand", "choice", choices=hands, optional=True)
    yield judge.action(c.Draw(), Ask("card", "card", optional=True), hand)
    yield judge.action(c.Draw(CARDS[0], turned=True), Ask("card", "card"), hand)
    for number, card in table.numbered_cards:
        waits = number > (current.numbered if current else 0)
        if not card.turned:
            keyed = Ask("card", "card", optional=card.card is not None)
            # of one that waits for its round, the scanner's word stands until it is dealt
            asks = () if waits and card.card is not None else (keyed,)
            yield judge.action(c.Turn(number, None if card.card else CARDS[0]), *asks)
        if waits:
            continue
        elsewhere = [side for side in Side if side is not card.hand]
        yield judge.choose(c.PutCard(number, elsewhere[0]), "hand", elsewhere)


def _ends(judge: Judge) -> Iterator[Action]:
    """Confirmations, and what the pit decides about the round."""
    current = judge.table.round
    for box in sorted(current.unconfirmed) if current else ():
        yield judge.action(c.Confirm(box))
    if current is None or not current.unconfirmed:
        boxes = judge.table.boxes
        paid = judge.action(c.Confirm(boxes[0]), Ask("box", "choice", choices=boxes))
        yield replace(paid, out_of_turn=paid.allowed)
    yield judge.action(c.OverrideConfirmation("reason"), Ask("reason", "text"))
    asking = [squeeze.person for squeeze in current.squeezes if squeeze.granted is None] if current else []
    for person in dict.fromkeys(asking):
        yield judge.choose(c.AnswerSqueeze(person, True), "granted", (True, False))


def _faults(judge: Judge) -> Iterator[Action]:
    """What went wrong with cards or bets, as far as somebody has to say so."""
    faults = ("foreign_card", "wrong_card_set", "unshuffled")
    yield judge.action(
        c.ReportCards("foreign_card", "found"), Ask("fault", "choice", choices=faults), Ask("about", "text")
    )
    yield from rulings.reports(judge)


def _people(judge: Judge) -> Iterator[Action]:
    table = judge.table
    stranger = _unused("somebody", table.people)
    ranks = list(table.book.ranks.named)
    name = Ask("person", "name")
    yield judge.choose(c.SignOn(stranger, ranks[0]), "rank", ranks, name)
    staff = [person.id for person in table.people.values() if person.staff]
    if staff:
        yield judge.choose(c.SignOff(staff[0]), "person", staff)
    for action in _seats(judge, stranger):
        fixed = {field: value for field, value in action.fixed.items() if field != "person"}
        yield replace(action, fixed=fixed, asks=(name, *action.asks))


def _unused(name: str, names: Iterable[str]) -> str:
    taken = set(names)
    while name in taken:
        name += "_"
    return name


def _tray(judge: Judge) -> Iterator[Action]:
    table = judge.table
    values = table.settings.chips
    request = c.RequestFill(_unused("request", table.fills), "fill", {values[-1]: 1})
    kinds = Ask("kind", "choice", choices=("fill", "credit"))
    yield judge.action(request, Ask("request", "name"), kinds, Ask("chips", "chips", least=1, choices=values))
    for name in table.fills:
        yield judge.action(c.SignFill(name))
        yield judge.action(c.CancelFill(name))
    yield from _suspects(judge)
    yield judge.action(c.CloseTable({}), Ask("count", "chips", least=0, choices=values))


def _suspects(judge: Judge) -> Iterator[Action]:
    """The House's own chips and cash that may be counterfeit, and what comes of all that is held apart."""
    amount, about = Ask("amount", "amount", least=1), Ask("about", "text")
    yield judge.choose(c.HoldSuspect("chips", 1, "suspect"), "what", ("chips", "cash"), amount, about)
    for number in judge.table.suspects:
        resolved = c.ResolveSuspect(number, True, "examined")
        yield judge.choose(resolved, "genuine", (True, False), Ask("finding", "text"))


def _waiver(judge: Judge) -> Iterator[Action]:
    """At a private table the House lets a player do without insurance, or have it again (tiger-buffalo 4.2.2)."""
    settings = judge.table.settings
    players = tuple(person.id for person in judge.table.people.values() if not person.staff)
    if players and (settings.private or settings.no_insurance):
        yield judge.choose(c.WaiveInsurance(players[0], settings.no_insurance), "person", players)


def _limits(judge: Judge) -> Iterator[Action]:
    """The sign of the next round: a bet's limits, or (no bet named) those of all that have none of their own."""
    settings = judge.table.settings
    differential = settings.differential
    bets = Ask("bet", "choice", choices=("", *judge.table.layout.bets))
    unit = settings.rounding.unit
    least = Ask("minimum", "amount", least=unit, most=differential.limit if differential else None, step=unit)
    most = Ask("maximum", "amount", least=unit, optional=True)
    yield judge.action(c.SetLimits(unit), bets, least, most, Ask("step", "amount", least=unit, step=unit))
    limit = Ask("limit", "amount", least=settings.limits.minimum, optional=True)
    yield judge.action(c.SetDifferential(), limit, Ask("scope", "choice", choices=("table", "box")))


def _for_player(judge: Judge, person: Person) -> Iterator[Action]:
    """What staff does for a player, or to one: bets go in the player's own box."""
    name, relevant = person.id, Relevant(judge.table, person.id)
    yield from judge.kept(f"chips of {name}", lambda: relevant.aside_from_cards, partial(_chips_of, person=person))
    yield from _bets(judge, person, [person.box], relevant)
    yield from judge.kept(f"{name} in the round", lambda: relevant.own, partial(_in_round, person=person))
    yield from judge.kept(f"what {name} did", lambda: relevant.while_betting, partial(_done_by, person=person))


def _chips_of(judge: Judge, person: Person) -> Iterator[Action]:
    stack = judge.table.stack(person.id)
    sources = Ask("source", "choice", choices=("cash", "account"))
    yield judge.action(c.BuyIn(person.id, 1), Ask("amount", "amount", least=1), sources)
    yield judge.action(c.ChipsIn(person.id, 1), Ask("amount", "amount", least=1))
    yield judge.action(c.ChipsOut(person.id, 1), Ask("amount", "amount", least=1, most=stack))
    about = Ask("about", "text")
    yield judge.action(c.HoldSuspect("chips", 1, "suspect", person.id), Ask("amount", "amount", 1, stack), about)
    yield judge.action(c.HoldSuspect("cash", 1, "suspect", person.id), Ask("amount", "amount", least=1), about)
    yield from _own_chips(judge, person)


def _done_by(judge: Judge, person: Person) -> Iterator[Action]:
    """What staff report about a player: leaving, what was meant, and chips that nobody had asked for."""
    yield judge.action(c.BarSqueeze(person.id), Ask("reason", "text", optional=True))
    yield judge.action(c.WalkAway(person.id))
    yield judge.action(c.ComeBack(person.id))
    yield from rulings.meant_to_insure(judge, person.id)
    amount = Ask("amount", "amount", least=1)
    for bet in judge.table.layout.bets[:1]:
        bets = Ask("bet", "choice", choices=judge.table.layout.bets)
        yield judge.action(c.FindBet(person.id, person.box, bet, 1), bets, amount)
        yield judge.action(c.LateChips(person.id, person.box, bet, 1, "placed"), bets, amount)
    current = judge.table.round
    for wager in current.wagers.values() if current and current.closed else ():
        if wager.person == person.id:
            taken = c.LateChips(person.id, wager.box, wager.bet, 1, "withdrawn")
            yield judge.action(taken, Ask("amount", "amount", least=1, most=wager.stake))
    for bet in BOXES if judge.table.layout.insurance else ():
        yield judge.action(c.LateChips(person.id, person.box, bet, 1, "placed"), amount)
    own = [taken for taken in current.insurance if taken.person == person.id] if current else []
    for box, bet, window, most in _unkeyed(judge.table, current, person) if current else ():
        yield judge.action(c.FindBet(person.id, box, bet, 1, window), Ask("amount", "amount", least=1, most=most))
    for box, hand in dict.fromkeys((taken.box, taken.hand) for taken in own):
        most = sum(taken.stake for taken in own if (taken.box, taken.hand) == (box, hand))
        gone = c.LateChips(person.id, box, f"{hand.value}_insurance", 1, "withdrawn")
        yield judge.action(gone, Ask("amount", "amount", least=1, most=most))


def _unkeyed(table: Table, current: Round, person: Person) -> Iterator[tuple[int, str, Window, int]]:
    """The insurance boxes where chips of a person may lie that nobody has keyed, and how many more."""
    if table.phase is not DEALING or current.paid:
        return
    for name, box, hand, window, most in rulings.unrecorded_insurance(table, current):
        place = (name, box, hand, window)
        known = (
            taken for taken in current.insurance if (taken.person, taken.box, taken.hand, taken.row.window) == place
        )
        if name == person.id and (more := most - sum(taken.stake for taken in known)):
            yield box, f"{hand.value}_insurance", window, more
