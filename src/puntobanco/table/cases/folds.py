"""The table after something went wrong, was ruled on, or was put right in the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from puntobanco.table import events as e
from puntobanco.table.bets.wagers import taken_back
from puntobanco.table.cards.lying import card_changed, hands_for
from puntobanco.table.cases.state import Incident, Options, Proposal
from puntobanco.table.fold_helpers import current_round, in_any_round, in_round, later, moved
from puntobanco.table.insurance.folds import offered_after_all
from puntobanco.table.shoe.copies import surplus
from puntobanco.table.shoe.state import Shoe
from puntobanco.table.squeeze.state import DELIVERY
from puntobanco.table.state import Round, Table


def _incident_opened(table: Table, event: e.IncidentOpened) -> Table:
    incident = Incident(
        number=event.number,
        family=event.family,
        about=event.about,
        paragraph=event.paragraph,
        round=event.round,
        cards=event.cards,
        true_cards=event.true_cards,
        person=event.person,
        blocks=event.blocks,
        covered=event.covered,
        reported=event.reported,
    )
    current = table.round
    if current is not None and current.number == event.round:
        incident = replace(incident, seen=_open_cards(current), out=len(current.cards))
    if current is not None and event.family.startswith("simultaneous"):
        current = replace(current, simultaneous=current.simultaneous | {event.number})
    if current is not None and event.family == "exposed_cards":
        current = _viewed(current, event.cards, anywhere=event.reported)
    return later(
        table,
        incidents=table.incidents | {event.number: incident},
        incidents_so_far=event.number,
        round=current,
        shoe=_shown(table, event.family),
    )


def _viewed(current: Round, numbers: Iterable[int], *, viewed: bool = True, anywhere: bool = True) -> Round:
    """The round, in which somebody has looked at these cards, or has not; in the hands or anywhere."""
    cards = current.cards
    for number in numbers:
        if 0 < current.place(number) <= (len(cards) if anywhere else len(hands_for(cards))):
            cards = card_changed(cards, current.place(number), viewed=viewed)
    return replace(current, cards=cards)


def _shown(table: Table, family: str) -> Shoe:
    """The shoe, where the next card in it was found face up."""
    return replace(table.shoe, shown=table.shoe.drawn) if family == "face_up_in_shoe" else table.shoe


def _open_cards(current: Round) -> frozenset[int]:
    return frozenset(drawn.number for drawn in current.cards if drawn.turned)


def _incident_closed(table: Table, event: e.IncidentClosed) -> Table:
    closed = table.incidents.get(event.number)
    if event.unfounded and closed is not None:
        table = _never_reported(table, closed)
    current = table.round
    put_right = closed is not None and not event.unfounded and closed.family == DELIVERY
    if current is not None and closed is not None and put_right and closed.round == current.number:
        current = replace(current, delivered=(*current.delivered, closed))
    return later(
        table,
        round=current,
        incidents={number: incident for number, incident in table.incidents.items() if number != event.number},
        proposals={
            number: proposal for number, proposal in table.proposals.items() if proposal.incident != event.number
        },
    )


def _never_reported(table: Table, unfounded: Incident) -> Table:
    """The table without what a report that proved unfounded had changed."""
    family, current = unfounded.family, table.round
    if family == "cards_at_fault":
        return replace(table, shoe=replace(table.shoe, at_fault=False, surplus=surplus(table).total()))
    if family == "face_up_in_shoe":
        return replace(table, shoe=replace(table.shoe, shown=None))
    if family == "insurance_missed":
        after = in_any_round(table, unfounded.round, offered_after_all)
        return replace(after, version=table.version)
    if current is None or current.number != unfounded.round:
        return table
    if family == "exposed_cards":
        current = _viewed(current, unfounded.cards, viewed=False)
    return replace(table, round=replace(current, simultaneous=current.simultaneous - {unfounded.number}))


def _noted(table: Table, event: e.Noted) -> Table:
    waiting, current = table.carried, table.round
    seen = event.cards if event.family == "exposed_cards" else ()
    for number in seen:
        if current is None or number > current.numbered:
            waiting = card_changed(waiting, number - (current.numbered if current is not None else 0), viewed=True)
    if seen and current is not None:
        current = _viewed(current, [number for number in seen if number <= current.numbered])
    return later(table, shoe=_shown(table, event.family), carried=waiting, round=current)


def _ruling_proposed(table: Table, event: e.RulingProposed) -> Table:
    rank = table.rank_of(event.by)
    proposal = Proposal(
        number=event.number,
        incident=event.incident,
        ruling=event.ruling,
        by=event.by,
        needs=event.needs,
        paragraph=event.paragraph,
        reason=event.reason,
        rank=rank,
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
        current = taken_back(table, current, event.person, event.paragraph)
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
}
