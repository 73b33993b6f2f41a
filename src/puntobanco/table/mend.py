"""``evolve`` for what went wrong: incidents, rulings, cards put right, options, rounds settled again, corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from puntobanco.coup import reconstruct
from puntobanco.insurance import cards_in, find_row
from puntobanco.table import events as e
from puntobanco.table.change import (
    asked_too,
    changed,
    current_round,
    hands_for,
    in_round,
    in_shoe,
    later,
    matters_left,
    moved,
    open_prefix,
    road_result,
    small_bettors,
    without,
)
from puntobanco.table.rulings import CorrectCard
from puntobanco.table.standing import cuts_of
from puntobanco.table.state import (
    DELIVERY,
    Drawn,
    Incident,
    InsuranceWager,
    Intention,
    Missed,
    Options,
    Proposal,
    Round,
    Shoe,
    Table,
    Wager,
    WagerKey,
)

# --- incidents and rulings


def _incident_opened(table: Table, event: e.IncidentOpened) -> Table:
    incident = Incident(
        event.number,
        event.family,
        event.about,
        event.paragraph,
        event.round,
        event.cards,
        event.true_cards,
        event.person,
        event.blocks,
        event.covered,
    )
    current = table.round
    if current is not None and current.number == event.round:
        incident = replace(incident, seen=_open_cards(current), out=len(current.cards))
    if current is not None and event.family.startswith("simultaneous"):
        current = replace(current, simultaneous=True)
    if current is not None and event.family == "exposed_cards":
        current = _viewed(current, event.cards)
    return later(
        table,
        incidents=table.incidents | {event.number: incident},
        incidents_so_far=event.number,
        round=current,
        shoe=_shown(table, event.family),
    )


def _viewed(current: Round, numbers: Iterable[int]) -> Round:
    """The round, in whose hands somebody has looked at these cards."""
    cards = current.cards
    for number in numbers:
        if number <= len(hands_for(cards)):
            cards = changed(cards, number, viewed=True)
    return replace(current, cards=cards)


def _shown(table: Table, family: str) -> Shoe:
    """The shoe, where the next card in it was found face up."""
    return replace(table.shoe, shown=table.shoe.drawn) if family == "face_up_in_shoe" else table.shoe


def _open_cards(current: Round) -> frozenset[int]:
    return frozenset(number for number, drawn in enumerate(current.cards, 1) if drawn.turned)


def _incident_closed(table: Table, event: e.IncidentClosed) -> Table:
    current, closed = table.round, table.incidents.get(event.number)
    if current is not None and closed is not None and (closed.family, closed.round) == (DELIVERY, current.number):
        current = replace(current, delivered=(*current.delivered, closed))
    return later(
        table,
        round=current,
        incidents={number: incident for number, incident in table.incidents.items() if number != event.number},
        proposals={
            number: proposal for number, proposal in table.proposals.items() if proposal.incident != event.number
        },
    )


def _noted(table: Table, event: e.Noted) -> Table:
    return later(table, shoe=_shown(table, event.family))


def _ruling_proposed(table: Table, event: e.RulingProposed) -> Table:
    proposal = Proposal(
        event.number, event.incident, event.ruling, event.by, event.needs, event.paragraph, event.reason
    )
    return later(table, proposals=table.proposals | {event.number: proposal}, proposals_so_far=event.number)


def _proposal_over(table: Table, number: int) -> Table:
    return later(table, proposals={key: proposal for key, proposal in table.proposals.items() if key != number})


def _ruling_given(table: Table, event: e.RulingGiven) -> Table:
    return _proposal_over(table, event.proposal)


def _ruling_declined(table: Table, event: e.RulingDeclined) -> Table:
    return _proposal_over(table, event.proposal)


# --- cards


def _with_cards(current: Round, cards: tuple[Drawn, ...]) -> Round:
    """The round with these cards, as the Table of Play deals those that lie open."""
    hidden = sum(not drawn.turned for drawn in cards)
    coup = reconstruct(open_prefix(cards)).coup
    # insurance that was on offer was so for other points
    window = current.window if coup == current.coup else None
    after = _on_other_points(replace(current, cards=cards, hidden=hidden, coup=coup, window=window))
    if current.announced and not current.settled and coup != current.coup:
        # what was called was the result of other cards: it is called again
        return replace(after, announced=False, called="")
    return after


def _on_other_points(current: Round) -> Round:
    """Insurance that was offered on other points than the cards make is not past, for what they make was not offered.

    Before a further card it is offered now (tiger-buffalo 3.12); drawn past, it shows as missed (5.17).
    """
    if current.settled or current.paid:
        return current
    for closed in current.offered:
        then = cards_in(current.coup, closed.window)
        if then is None or closed.late or closed.points == (then.player.total, then.banker.total):
            continue
        current = replace(current, windows_past=current.windows_past - {closed.window})
        if len(current.cards) > len(then.player) + len(then.banker):
            current = replace(current, drawn_over=True)
        else:
            offered = tuple(window for window in current.offered if window is not closed)
            current = replace(current, offered=offered, forgone=current.forgone - closed.people)
    return current


def _cards_arranged(table: Table, event: e.CardsArranged) -> Table:
    current = current_round(table)
    ordered = [current.cards[number - 1] for number in event.order]
    used = tuple(replace(drawn, hand=hand) for drawn, hand in zip(ordered, event.hands, strict=False))
    early = event.goes == "next_round"
    left_over = tuple(replace(drawn, hand=None, early=early and not drawn.seen) for drawn in ordered[len(used) :])
    shoe, carried = table.shoe, table.carried
    if event.goes == "discarded":
        shoe = replace(shoe, discards=shoe.discards + len(left_over))
    else:
        carried += left_over
    places = {number: place for place, number in enumerate(event.order[: len(used)], 1)}
    delivered = tuple(_renumbered(found, places) for found in current.delivered)
    kept = [number == place for place, number in enumerate(event.order[: len(used)], 1)]
    # in the order that was decided, cards drawn at once may have gone past insurance
    drawn_over = current.drawn_over or (current.simultaneous and len(used) > 4)
    return later(
        table,
        round=replace(_with_cards(replace(current, drawn_over=drawn_over), used), delivered=delivered),
        shoe=shoe,
        carried=carried,
        incidents={
            number: _renumbered(found, places) if found.round == current.number else found
            for number, found in table.incidents.items()
        },
        proposals=_of_the_same_cards(table, current.number, kept),
    )


def _renumbered(incident: Incident, places: dict[int, int]) -> Incident:
    """What an incident knows of cards that are in another order now."""
    cards = tuple(places.get(number, number) for number in incident.cards)
    seen = frozenset(places[number] for number in incident.seen if number in places)
    return replace(incident, cards=cards, seen=seen)


def _of_the_same_cards(table: Table, number: int, kept: Sequence[bool]) -> dict[int, Proposal]:
    """What waits for approval, less corrections of cards of the round that are not in their places any more."""
    return {
        key: proposal
        for key, proposal in table.proposals.items()
        if not isinstance(ruling := proposal.ruling, CorrectCard)
        or ruling.round != number
        or (0 < ruling.number <= len(kept) and kept[ruling.number - 1])
    }


def _card_valued(table: Table, event: e.CardValued) -> Table:
    current = current_round(table)
    cards = changed(current.cards, event.number, card=event.card, turned=True)
    return later(table, round=_with_cards(current, cards))


def _cards_retrieved(table: Table, event: e.CardsRetrieved) -> Table:
    shoe = replace(table.shoe, drawn=table.shoe.drawn - event.cards, burn_due=True)
    current = table.round
    # those that wait for their round left the shoe after the others, or nothing else is out
    carried = () if event.cards > (len(current.cards) if current is not None else 0) else table.carried
    return later(table, round=None if current is None else _with_cards(current, ()), shoe=shoe, carried=carried)


def _early_card_drawn(table: Table, event: e.EarlyCardDrawn) -> Table:
    card = Drawn(event.card, turned=event.turned, early=not event.turned)
    shoe = replace(table.shoe, drawn=table.shoe.drawn + 1)
    return later(table, carried=(*table.carried, card), shoe=shoe)


def _carried_cards_dealt(table: Table, event: e.CarriedCardsDealt) -> Table:
    dealt = zip(table.carried, event.hands, strict=False)
    opening = tuple(replace(drawn, hand=hand, early=False) for drawn, hand in dealt)
    current = current_round(table)
    return later(table, round=_with_cards(current, (*current.cards, *opening)), carried=table.carried[len(opening) :])


def _free_hand_called(table: Table, event: e.FreeHandCalled) -> Table:
    if table.round is not None:
        since, until = table.round.since, table.round.until
        current = Round(
            event.number, until, since, table.round.settings, closed=True, free=True, cut_first=table.round.cut_first
        )
        return later(table, round=current, balances=moved(table.balances, event.transfers), flags={})
    left = table.shoe.rounds_left
    shoe = replace(table.shoe, rounds_left=left - 1, cut_next=False) if left else table.shoe
    called = Round(event.number, 0, table.version + 1, table.settings, closed=True, free=True)
    return later(table, round=called, rounds=event.number, shoe=shoe)


def _played_free(table: Table, event: e.PlayedFree) -> Table:
    return in_round(table, free=True, all_back=None)


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


# --- options and interruptions


def _options_given(table: Table, event: e.OptionsGiven) -> Table:
    options = Options(frozenset(event.people), event.go_on, event.take_back, event.all_back)
    return in_round(table, options=options, asked=current_round(table).asked | {event.incident})


def _option_taken(table: Table, event: e.OptionTaken) -> Table:
    current = current_round(table)
    options = current.options
    assert options is not None
    waiting = options.waiting - {event.person}
    if not event.goes_on:
        back = tuple(wager for wager in current.wagers.values() if wager.person == event.person)
        current = _off_the_layout(table, current, (key for key in current.wagers if key[0] == event.person))
        insurance = tuple(taken for taken in current.insurance if taken.person != event.person)
        window = current.window
        if window is not None:
            window = replace(window, answered=window.answered | {event.person})
        current = replace(
            current,
            insurance=insurance,
            window=window,
            forgone=current.forgone | {event.person},
            out=current.out | {event.person: event.paragraph},
            taken_back=(*current.taken_back, *back),
        )
    everybody = not waiting and not current.wagers and not event.goes_on
    current = replace(
        current,
        options=replace(options, waiting=waiting) if waiting else None,
        all_back=options if everybody else None,
    )
    return later(table, round=current, balances=moved(table.balances, event.transfers))


def _off_the_layout(table: Table, current: Round, keys: Iterable[WagerKey]) -> Round:
    cuts = [(*key, current.wagers[key].stake) for key in keys]
    return without(replace(table, round=current), cuts)


def _play_interrupted(table: Table, event: e.PlayInterrupted) -> Table:
    if event.effect != "bets_again":
        return later(table)
    # they are closed once more, and what lies there then counts; until then everybody has the choice that options give
    return in_round(table, until=event.until, closed=False, options=None, forgone=frozenset(), out={}, taken_back=())


# --- insurance missed or misplaced


def _insurance_missed(table: Table, event: e.InsuranceMissed) -> Table:
    """What was not offered is not past, and nobody has forgone it, whatever the table displayed."""
    people = {person for offer in event.offers for person in offer.people}

    def missed(current: Round) -> Round:
        return replace(
            current,
            missed=(*current.missed, Missed(event.window, event.offers)),
            windows_past=current.windows_past - {event.window},
            offered=tuple(window for window in current.offered if window.window is not event.window),
            forgone=current.forgone - people,
        )

    return _in_any(table, event.round or current_round(table).number, missed)


def _intention_noted(table: Table, event: e.IntentionNoted) -> Table:
    row = find_row(table.book, event.window, event.hand, event.own, event.other)
    assert row is not None
    intention = Intention(event.person, event.hand, row)

    def noted(current: Round) -> Round:
        return replace(current, intentions=(*current.intentions, intention))

    return _in_any(table, event.round or current_round(table).number, noted)


def _insurance_moved(table: Table, event: e.InsuranceMoved) -> Table:
    def moved_over(current: Round) -> Round:
        return replace(
            current,
            insurance=tuple(
                _other_hand(taken)
                if taken.misplaced and (taken.person, taken.box, taken.hand) == (event.person, event.box, event.hand)
                else taken
                for taken in current.insurance
            ),
        )

    return _in_any(table, event.round, moved_over)


def _insurance_reread(table: Table, event: e.InsuranceReread) -> Table:
    row = find_row(table.book, event.window, event.hand, event.own, event.other)
    if row is None:
        row = find_row(table.book, event.window, event.hand.other, event.other, event.own)

    def read_again(taken: InsuranceWager) -> InsuranceWager:
        if event.odds is None:
            return replace(taken, off=True)
        assert row is not None
        return replace(taken, row=row, points=(event.own, event.other), off=False)

    def of_it(taken: InsuranceWager) -> bool:
        place = (taken.person, taken.box, taken.hand, taken.row.window)
        return place == (event.person, event.box, event.hand, event.window)

    def in_round_of_it(current: Round) -> Round:
        insurance = tuple(read_again(taken) if of_it(taken) else taken for taken in current.insurance)
        if not current.settled and not current.paid:
            insurance = tuple(taken for taken in insurance if not taken.off)
        return replace(current, insurance=insurance)

    after = _in_any(table, event.round, in_round_of_it)
    return replace(after, balances=moved(after.balances, event.transfers))


def _other_hand(taken: InsuranceWager) -> InsuranceWager:
    own, other = taken.points
    return replace(taken, hand=taken.row.hand, points=(other, own))


def _bets_returned(table: Table, event: e.BetsReturned) -> Table:
    if event.round:
        return _in_any(table, event.round, lambda found: _returned_late(table, found, event.wagers))
    current = current_round(table)
    back = tuple(current.wagers[key] for key in event.wagers)
    current = _off_the_layout(table, replace(current, taken_back=(*current.taken_back, *back)), event.wagers)
    return later(table, round=current, balances=moved(table.balances, event.transfers))


def _returned_late(table: Table, found: Round, keys: Sequence[WagerKey]) -> Round:
    """The round that was settled, without these bets; what lay there at the close is told without them, too."""
    back = tuple(found.wagers[key] for key in keys)
    after = _off_the_layout(table, replace(found, taken_back=(*found.taken_back, *back)), keys)
    laid = {key: wager for key, wager in found.laid.items() if key not in keys}
    return replace(after, laid=laid)


# --- rounds that were settled


def _in_any(table: Table, number: int, change: Callable[[Round], Round]) -> Table:
    """A round changed, be it the one in progress or one that is over."""
    if table.round is not None and table.round.number == number:
        return later(table, round=change(table.round))

    def changed_in(rounds: tuple[Round, ...]) -> tuple[Round, ...]:
        return tuple(change(each) if each.number == number else each for each in rounds)

    past, previous = changed_in(table.past), changed_in(table.previous)
    last = change(table.last) if table.last is not None and table.last.number == number else table.last
    return later(table, past=past, previous=previous, last=last)


def _money_moved(table: Table, event: e.MoneyMoved) -> Table:
    balances = moved(table.balances, event.transfers)
    if not event.round:
        return later(table, balances=balances)
    more = event.amount if event.kind == "chips_in" else -event.amount

    def walked(found: Round) -> Round:
        return replace(found, walked_in=found.walked_in | {event.person: found.walked_in.get(event.person, 0) + more})

    return replace(_in_any(table, event.round, walked), balances=balances)


def _with_results(table: Table) -> Table:
    """The roads follow from the rounds of the shoe as they are settled now."""
    rounds = table.past if table.round is None else (*table.past, table.round)
    results = tuple(road_result(each.settled_on, each.free) for each in rounds if each.settled and not each.voided)
    return replace(table, results=results)


def _round_reopened(table: Table, event: e.RoundReopened) -> Table:
    found = table.round or next(each for each in reversed(table.past) if each.number == event.number)
    assert found.number == event.number, event
    cards = tuple(Drawn(card, turned=True) for card in event.cards)
    cards = tuple(replace(drawn, hand=hand) for drawn, hand in zip(cards, hands_for(cards), strict=True))
    dealt = reconstruct(event.cards).coup
    reopened = replace(
        found,
        cards=cards,
        hidden=0,
        coup=dealt,
        announced=False,
        called="",
        settled=False,
        before=found.lines,
        paid=True,
        lines=(),
        unconfirmed=frozenset(),
        unpaid=found.unconfirmed,
    )
    past, shoe = table.past, table.shoe
    if table.round is None:
        # the round's cards come out of the discard holder again
        past = tuple(each for each in past if each is not found)
        shoe = replace(shoe, rounds=shoe.rounds - 1, discards=shoe.discards - len(found.cards))
    if shoe.ended:
        # it is over when the card that lacked is out, and the round with it
        shoe = replace(shoe, ended=False, rounds_left=0)
    elif shoe.rounds_left is not None and event.number < table.rounds:
        # the hand after it was called off, and is to come
        shoe = replace(shoe, rounds_left=shoe.rounds_left + 1)
    shoe = _drawn_before(shoe, len(cards) - len(found.cards))
    last = past[-1] if past else None
    proposals = _of_the_same_cards(table, event.number, _in_place(found.cards, cards))
    return _with_results(later(table, round=reopened, past=past, last=last, shoe=shoe, proposals=proposals))


def _drawn_before(shoe: Shoe, more: int) -> Shoe:
    """So many more cards had left the shoe than was known; one that shows in it lies behind them."""
    return replace(shoe, drawn=shoe.drawn + more, shown=None if shoe.shown is None else shoe.shown + more)


def _round_settled_again(table: Table, event: e.RoundSettledAgain) -> Table:
    here = table.round is not None and table.round.number == event.number

    def settled(before: Round) -> Round:
        paid = before.before if before.paid else before.lines
        known = {(line.person, line.box, line.bet, line.insurance): line for line in paid}
        again = {
            line.box for line in event.lines if known.get((line.person, line.box, line.bet, line.insurance)) != line
        }
        waiting = {line.box for line in event.lines} & (before.unpaid | before.unconfirmed)
        return replace(
            before,
            settled=not event.void,
            voided=event.void,
            void_paragraph=event.paragraph if event.void else "",
            void_reason=event.reason if event.void else "",
            lines=event.lines,
            unconfirmed=frozenset(again | waiting) if here else frozenset(),
            unpaid=frozenset(),
            before=paid,
            paid=False,
            options=None,
        )

    after = _in_any(table, event.number, settled)
    under_minimum = _under_minimum(table, after, event)
    after = replace(after, balances=moved(after.balances, event.transfers), under_minimum=under_minimum)
    if event.void and here:
        # nothing is left to rule on in a round that was paid, played on, and is void now
        after = replace(after, flags={}, **matters_left(after))
    after = _with_true_cards(after, event) if event.cards else after
    after = _in_any(after, event.number, lambda each: replace(each, settled_on=each.coup))
    return _with_results(replace(after, version=table.version + 1))


def _under_minimum(table: Table, after: Table, event: e.RoundSettledAgain) -> frozenset[str]:
    """Who has had a bet below the minimum settled; a round that turns out a tie or void does not count (reading M)."""
    before = next(each for each in table.known_rounds if each.number == event.number)
    lines = (*before.lines, *before.before, *event.lines)
    people = {line.person for line in lines if (line.person, line.box, line.bet) in before.small} - before.former
    settled = {person for each in after.known_rounds for person in small_bettors(each, each.lines)}
    return (table.under_minimum - people) | (people & settled)


def _with_true_cards(table: Table, event: e.RoundSettledAgain) -> Table:
    """The round's cards are these; how many left the shoe, and where they went, follows."""
    before = next(each for each in table.known_rounds if each.number == event.number)
    known = len(before.cards)
    lying = tuple(Drawn(card, turned=True) for card in event.cards)
    cards = tuple(replace(drawn, hand=hand) for drawn, hand in zip(lying, hands_for(lying), strict=True))
    after = _in_any(table, event.number, lambda each: _with_cards(each, cards))
    after = replace(after, proposals=_of_the_same_cards(after, event.number, _in_place(before.cards, cards)))
    if not table.of_this_shoe(before):
        return replace(after, version=table.version)
    shoe, extra = after.shoe, len(event.left_over)
    over = table.round is None or table.round.number != event.number
    discarded = (len(cards) - known if over else 0) + (0 if event.carried else extra)
    shoe = replace(_drawn_before(shoe, len(cards) + extra - known), discards=shoe.discards + discarded)
    # they left the shoe before any that was drawn since
    carried = (tuple(Drawn(card, turned=True) for card in event.left_over) if event.carried else ()) + after.carried
    return replace(after, version=table.version, shoe=shoe, carried=carried)


def _in_place(before: Sequence[Drawn], after: Sequence[Drawn]) -> list[bool]:
    """Of the cards of a round, which are as they were known."""
    return [was.card is now.card for was, now in zip(before, after, strict=False)]


def _money_ruled(table: Table, event: e.MoneyRuled | e.DebtSettled) -> Table:
    return later(table, balances=moved(table.balances, event.transfers))


# --- corrections of the record


def _card_corrected(table: Table, event: e.CardCorrected) -> Table:
    def corrected(before: Round) -> Round:
        return _with_cards(before, changed(before.cards, event.number, card=event.card))

    return _in_any(table, event.round, corrected)


def _bet_corrected(table: Table, event: e.BetCorrected) -> Table:
    def corrected(before: Round) -> Round:
        # after the close nobody can put it right any more: what stands of it is decided at the settlement
        unnoticed = before.unnoticed or (before.closed and not before.settled)
        wagers = dict(before.laid or before.wagers)
        old = wagers.pop((event.person, event.box, event.bet), None)
        key = (event.person, event.to_box, event.to_bet)
        if event.stake:
            there = wagers.get(key)
            order = old.order if old else before.placements
            seated = old.seated if old and old.box == event.to_box else _seated(table, event.person, event.to_box)
            stake = event.stake + (there.stake if there else 0)
            wagers[key] = Wager(event.person, event.to_box, event.to_bet, stake, order, seated)
        after = replace(
            before, wagers=wagers, placements=before.placements + (old is None), unnoticed=unnoticed, found=True
        )
        after = _standing(table, after) if before.settled or before.paid else after
        player, banker = table.on_hands(_stakes(after.wagers.values()))
        after = replace(after, on_player=player, on_banker=banker)
        return asked_too(table, before, after, event.person) if event.stake else after

    after = _in_any(table, event.round, corrected)
    return replace(after, balances=moved(after.balances, event.transfers))


def _standing(table: Table, settled: Round) -> Round:
    """A settled round whose bets lay there like this: what stands of them is decided anew."""
    laid, stakes = settled.wagers, {key: wager.stake for key, wager in settled.wagers.items()}
    for cut in cuts_of(replace(table, under_minimum=_used_up(table, settled)), settled):
        stakes[cut.person, cut.box, cut.bet] -= cut.amount
    wagers = {key: replace(wager, stake=stakes[key]) for key, wager in laid.items() if stakes[key]}
    small = frozenset(key for key, wager in laid.items() if wager.stake < settled.settings.limits_of(wager.bet).minimum)
    return replace(settled, wagers=wagers, small=small, laid=laid)


def _used_up(table: Table, settled: Round) -> frozenset[str]:
    """Whose bets below the minimum go back in a round that was settled (reading M)."""
    lines = settled.lines or settled.before
    # what counted in this very round still does, and a later one takes nothing from it
    since = (each for each in table.known_rounds if each.number >= settled.number)
    counts = {person for each in since for person in small_bettors(each, each.lines or each.before)}
    here = table.under_minimum - counts - settled.former
    counted = {(line.person, line.box, line.bet) for line in lines}
    return here | (settled.former & {key[0] for key in settled.small - counted})


def _seated(table: Table, person: str, box: int) -> bool:
    found = table.people.get(person)
    return found is not None and found.seated and found.box == box


def _stakes(wagers: Iterable[Wager]) -> dict[str, int]:
    stakes: dict[str, int] = {}
    for wager in wagers:
        stakes[wager.bet] = stakes.get(wager.bet, 0) + wager.stake
    return stakes


def _insurance_corrected(table: Table, event: e.InsuranceCorrected) -> Table:
    """One entry in place of what the record had there."""

    def of_it(taken: InsuranceWager) -> bool:
        place = (taken.person, taken.box, taken.hand, taken.row.window)
        return place == (event.person, event.box, event.hand, event.window)

    def corrected(before: Round) -> Round:
        lying = [taken for taken in before.insurance if of_it(taken)]
        rest = tuple(taken for taken in before.insurance if not of_it(taken))
        first = before.insurance.index(lying[0]) if lying else len(rest)
        now = (_entered(table, event, lying[0].by if lying else ""),) if event.stake else ()
        after = replace(before, insurance=(*rest[:first], *now, *rest[first:]))
        return replace(after, forgone=_forgone(table, after, event))

    after = _in_any(table, event.round, corrected)
    return replace(after, balances=moved(after.balances, event.transfers))


def _entered(table: Table, event: e.InsuranceCorrected, by: str) -> InsuranceWager:
    row = find_row(table.book, event.window, event.to_hand, event.own, event.other)
    if row is None:
        row = find_row(table.book, event.window, event.to_hand.other, event.other, event.own)
    assert row is not None
    points = (event.own, event.other)
    return InsuranceWager(event.person, event.to_box, event.to_hand, event.stake, row, points, by, late=event.late)


def _forgone(table: Table, after: Round, event: e.InsuranceCorrected) -> frozenset[str]:
    """Who took insurance did not let it pass, and who took none in a window that is over did (tiger-buffalo 5.3)."""
    if event.stake:
        back = not event.was and event.person not in table.absent
        return after.forgone - {event.person} if back else after.forgone
    took = any(taken.person == event.person and taken.row.window is event.window for taken in after.insurance)
    over = event.window in after.windows_past and table.settings.forgo == "round"
    return after.forgone | {event.person} if over and not took else after.forgone


def _call_corrected(table: Table, event: e.CallCorrected) -> Table:
    return in_round(table, called=event.result)


def _confirmation_corrected(table: Table, event: e.ConfirmationCorrected) -> Table:
    return in_round(table, unconfirmed=current_round(table).unconfirmed | {event.box})


MEND: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.MoneyMoved: _money_moved,
    e.IncidentOpened: _incident_opened,
    e.IncidentClosed: _incident_closed,
    e.Noted: _noted,
    e.RulingProposed: _ruling_proposed,
    e.RulingGiven: _ruling_given,
    e.RulingDeclined: _ruling_declined,
    e.CardsArranged: _cards_arranged,
    e.CardValued: _card_valued,
    e.CardsRetrieved: _cards_retrieved,
    e.EarlyCardDrawn: _early_card_drawn,
    e.CarriedCardsDealt: _carried_cards_dealt,
    e.FreeHandCalled: _free_hand_called,
    e.PlayedFree: _played_free,
    e.ShoeToBeReplaced: _shoe_to_be_replaced,
    e.ShoeChoiceDue: _shoe_choice_due,
    e.ShoeChoiceGiven: _shoe_choice_given,
    e.ShoeChosen: _shoe_chosen,
    e.ShoeKept: _shoe_kept,
    e.OptionsGiven: _options_given,
    e.OptionTaken: _option_taken,
    e.PlayInterrupted: _play_interrupted,
    e.InsuranceMissed: _insurance_missed,
    e.IntentionNoted: _intention_noted,
    e.InsuranceMoved: _insurance_moved,
    e.InsuranceReread: _insurance_reread,
    e.BetsReturned: _bets_returned,
    e.RoundReopened: _round_reopened,
    e.RoundSettledAgain: _round_settled_again,
    e.MoneyRuled: _money_ruled,
    e.DebtSettled: _money_ruled,
    e.CardCorrected: _card_corrected,
    e.BetCorrected: _bet_corrected,
    e.InsuranceCorrected: _insurance_corrected,
    e.CallCorrected: _call_corrected,
    e.ConfirmationCorrected: _confirmation_corrected,
}
