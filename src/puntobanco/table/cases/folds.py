"""The table after something went wrong, was ruled on, or was put right in the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from puntobanco.table import events as e
from puntobanco.table.bets.stakes_that_stand import cuts_of
from puntobanco.table.bets.state import Wager
from puntobanco.table.bets.wagers import asked_too, off_the_layout, small_bettors, stakes_by_bet
from puntobanco.table.cards.lying import card_changed, hands_for, with_cards
from puntobanco.table.cases.state import Incident, Options, Proposal
from puntobanco.table.fold_helpers import current_round, in_any_round, in_round, later, moved
from puntobanco.table.shoe.state import Shoe
from puntobanco.table.squeeze.state import DELIVERY
from puntobanco.table.state import Round, Table


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
            cards = card_changed(cards, number, viewed=True)
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
        current = off_the_layout(table, current, (key for key in current.wagers if key[0] == event.person))
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


def _play_interrupted(table: Table, event: e.PlayInterrupted) -> Table:
    if event.effect != "bets_again":
        return later(table)
    # they are closed once more, and what lies there then counts; until then everybody has the choice that options give
    return in_round(table, until=event.until, closed=False, options=None, forgone=frozenset(), out={}, taken_back=())


def _card_corrected(table: Table, event: e.CardCorrected) -> Table:
    def corrected(before: Round) -> Round:
        return with_cards(before, card_changed(before.cards, event.number, card=event.card))

    return in_any_round(table, event.round, corrected)


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
        after = _what_stands(table, after) if before.settled or before.paid else after
        player, banker = table.on_hands(stakes_by_bet(after.wagers.values()))
        after = replace(after, on_player=player, on_banker=banker)
        return asked_too(table, before, after, event.person) if event.stake else after

    after = in_any_round(table, event.round, corrected)
    return replace(after, balances=moved(after.balances, event.transfers))


def _what_stands(table: Table, settled: Round) -> Round:
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


def _call_corrected(table: Table, event: e.CallCorrected) -> Table:
    return in_round(table, called=event.result)


def _confirmation_corrected(table: Table, event: e.ConfirmationCorrected) -> Table:
    return in_round(table, unconfirmed=current_round(table).unconfirmed | {event.box})


def _flagged(table: Table, event: e.Flagged) -> Table:
    return later(table, flags=table.flags | {(event.flag, event.about): event.paragraph})


def _flag_cleared(table: Table, event: e.FlagCleared) -> Table:
    flags = {key: paragraph for key, paragraph in table.flags.items() if key != (event.flag, event.about)}
    return later(table, flags=flags)


FOLDS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.Flagged: _flagged,
    e.FlagCleared: _flag_cleared,
    e.IncidentOpened: _incident_opened,
    e.IncidentClosed: _incident_closed,
    e.Noted: _noted,
    e.RulingProposed: _ruling_proposed,
    e.RulingGiven: _ruling_given,
    e.RulingDeclined: _ruling_declined,
    e.OptionsGiven: _options_given,
    e.OptionTaken: _option_taken,
    e.PlayInterrupted: _play_interrupted,
    e.CardCorrected: _card_corrected,
    e.BetCorrected: _bet_corrected,
    e.CallCorrected: _call_corrected,
    e.ConfirmationCorrected: _confirmation_corrected,
}
