"""What each ruling on a round does. What a ruling undoes is undone by new events and new transfers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import islice
from typing import Any

from puntobanco.rules.model import NO_RANK
from puntobanco.rules.policies import Unrepairable, Unrepaired
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import about_bet
from puntobanco.table.cards import reconstruction
from puntobanco.table.cases import options
from puntobanco.table.cases.incidents import IDENTITY, round_being_dealt
from puntobanco.table.cases.remedies import ORDER_FAMILIES, Case, put_right
from puntobanco.table.cases.state import Incident
from puntobanco.table.cash.accounts import CAGE, RECEIVABLES, chips_of, layout_of, owed_by
from puntobanco.table.fold_helpers import current_round
from puntobanco.table.folds import evolve
from puntobanco.table.insurance import misplaced, missed_remedies
from puntobanco.table.ledger import moves
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement import debts
from puntobanco.table.settlement.reopening import opened_again, still_paying
from puntobanco.table.settlement.voiding import voided
from puntobanco.table.shoe import forgotten_burn
from puntobanco.table.state import PAYING, Round, Table


def carry_out(case: Case, ruling: r.Ruling) -> Sequence[e.Event]:
    """The events that a ruling leads to; refused where it cannot be carried out."""
    return EFFECTS[type(ruling)](case, ruling)


def _reconstruct(case: Case, ruling: r.Reconstruct) -> Sequence[e.Event]:
    table, incident, paragraph = case.table, case.incident, case.paragraph
    current = round_being_dealt(table)
    _check_known(table, _UNKNOWN)
    order = [drawn.number for drawn in current.cards]
    return _put_right(table, reconstruction.reconstructed(table, current, order, paragraph), incident)


_UNKNOWN = ("simultaneous", *IDENTITY)
"""Order and identity of every drawn card must be known before they are dealt again."""


def _check_known(table: Table, unknown: Collection[str] = IDENTITY) -> None:
    """Refuse while an incident of these families is open: it names a card by its number, which would not be its own."""
    for found in table.incidents.values():
        if found.family in unknown:
            detail = "flagged.identity" if found.family in IDENTITY else "flagged.order"
            raise Refused(detail, found.paragraph, about=found.about)


def _order(case: Case, ruling: r.DecideOrder) -> Sequence[e.Event]:
    """Of all cards drawn at once, on one occasion or several: what comes later depends on what came before."""
    table, incident, paragraph = case.table, case.incident, case.paragraph
    current = round_being_dealt(table)
    _check_known(table)
    together = reconstruction.drawn_at_once(table)
    slots = [number for cards in together for number in cards]
    decided = iter(ruling.cards)
    fits = all(sorted(islice(decided, len(cards))) == list(cards) for cards in together)
    if not fits or len(ruling.cards) != len(slots):
        raise Refused("cards.order", paragraph, groups=[" ".join(map(str, cards)) for cards in together])
    order = [drawn.number for drawn in current.cards]
    for slot, number in zip(slots, ruling.cards, strict=True):
        order[current.place(slot) - 1] = number
    return _put_right(table, reconstruction.reconstructed(table, current, order, paragraph), incident)


def _as_it_lies(case: Case, ruling: r.AsItLies) -> Sequence[e.Event]:
    table, incident, paragraph = case.table, case.incident, case.paragraph
    current = round_being_dealt(table)
    _check_known(table)
    return _put_right(table, reconstruction.as_it_lies(table, current, paragraph), incident)


def _put_right(table: Table, arranged: e.CardsArranged, incident: Incident | None) -> Sequence[e.Event]:
    """Everything about the order of the cards is answered; then come the options, if any of it gives them."""
    assert incident is not None
    current = round_being_dealt(table)
    if current.options is not None:
        raise Refused("flagged.answer", current.options.go_on, people=sorted(current.options.waiting))
    after = evolve(table, arranged)
    assert after.round is not None
    answered = [found for found in table.incidents.values() if found.blocks and found.family in ORDER_FAMILIES]
    repaired = arranged.how == "reconstructed"
    # cards that cannot be put right give the options whatever the family, where the book knows them
    unmended = not repaired and table.policies.options_when_unrepaired.value is Unrepaired.ALWAYS
    events: list[e.Event] = [arranged, *(e.IncidentClosed(found.number) for found in answered)]
    for number in sorted((found.number for found in answered), key=lambda number: number != incident.number):
        found = after.incidents[number]
        if found.covered and (unmended or options.due(table, after.round, found, repaired=repaired)):
            events += options.given(table, after.round, found, reconstructed=repaired)
            break
    return events


def _value(case: Case, ruling: r.ValueCard) -> Sequence[e.Event]:
    table, incident, paragraph = case.table, case.incident, case.paragraph
    assert incident is not None
    round_being_dealt(table)
    if ruling.number not in incident.cards:
        raise Refused("cards.matter", paragraph, number=incident.cards[0])
    return (e.CardValued(ruling.number, ruling.card, paragraph), *case.closed)


def _replace_shoe(case: Case, ruling: r.ReplaceShoe) -> Sequence[e.Event]:
    table, paragraph = case.table, case.paragraph
    if table.shoe.ended:
        raise Refused("no_shoe", paragraph)
    if table.shoe.to_replace:
        raise Refused("already_there.shoe", paragraph)
    return (e.ShoeToBeReplaced(paragraph, case.reason),)


def _play_on(case: Case, ruling: r.PlayOn) -> Sequence[e.Event]:
    table, incident = case.table, case.incident
    assert incident is not None
    current = table.round
    events: list[e.Event] = list(case.closed)
    if incident.family == "burn_forgotten":
        return (*events, *forgotten_burn.played_out(case))
    if incident.family == "insurance_missed" and missed_remedies.late_offers(table):
        offered = table.irregularities.insurance_missed.offered_late
        raise Refused("ruling.offer_now", offered or case.paragraph)
    chosen = current is not None and current.closed and incident.covered  # before the close everybody may withdraw
    if current is not None and chosen and options.due(table, current, incident, repaired=False):
        events += options.given(table, current, incident, reconstructed=False)
    return events


def _void(case: Case, ruling: r.VoidRound) -> Sequence[e.Event]:
    table, incident, paragraph = case.table, case.incident, case.paragraph
    current = _unsettled(table)
    if (
        incident is not None
        and incident.family in ORDER_FAMILIES
        and incident.covered
        and _as_it_lies_first(table, current)
    ):
        raise Refused("ruling.as_it_lies", table.irregularities.options.as_it_lies)
    return (voided(table, current, paragraph or table.irregularities.void.rule, case.reason), *case.closed)


def _as_it_lies_first(table: Table, current: Round) -> bool:
    as_it_lies = table.policies.unrepairable.value is Unrepairable.AS_IT_LIES
    return as_it_lies and reconstruction.count_is_right(current)


def _unsettled(table: Table) -> Round:
    """The round in progress, which lasts until every box is paid (reading L)."""
    current = table.round
    if current is None or (table.phase is PAYING and still_paying(table) is None):
        raise Refused("no_round", table.irregularities.void.rule)
    return current


def _options(case: Case, ruling: r.GiveOptions) -> Sequence[e.Event]:
    """Before the cards are put right, and after it where the book sets no such bound; until the settlement."""
    paragraph = case.paragraph
    _unsettled(case.table)
    again, table = opened_again(case.table, paragraph)
    incident, current = case.incident or put_right(table), current_round(table)
    if not current.closed:
        raise Refused("bets_open", table.procedures.close.rule)
    given = options.given(table, current, incident, reconstructed=False)
    if not given:
        raise Refused("no_options", paragraph)
    return (*again, *given)


def _stake(case: Case, ruling: r.SetStake) -> Sequence[e.Event]:
    table, incident, paragraph = case.table, case.incident, case.paragraph
    current = _unsettled(table)
    wager = current.wagers.get((ruling.person, ruling.box, ruling.bet))
    if wager is None or incident is None or incident.about != about_bet(ruling.person, ruling.box, ruling.bet):
        raise Refused("no_wager.ruled", paragraph, person=ruling.person, bet=ruling.bet)
    if not 0 <= ruling.stands <= wager.stake:
        raise Refused("bad_amount.bet", paragraph, wager.stake, amount=wager.stake)
    # of a round that was paid the chips are in the tray: it is settled again by difference
    off = 0 if current.paid else wager.stake - ruling.stands
    back = moves((layout_of(wager.person), chips_of(wager.person), off))
    ruled = e.StakeRuled(ruling.person, ruling.box, ruling.bet, ruling.stands, back, paragraph, case.reason)
    return (ruled, *case.closed)


def _pay(case: Case, ruling: r.Pay) -> Sequence[e.Event]:
    table, paragraph = case.table, case.paragraph
    known = ruling.person in table.people or chips_of(ruling.person) in table.balances
    if not ruling.dispute and (not known or table.rank_of(ruling.person) is not NO_RANK):
        raise Refused("unknown_person.player", paragraph, person=ruling.person)
    if ruling.amount == 0:
        raise Refused("bad_amount.payment", paragraph)
    # a table that is closed has given its tray up: the cage pays
    moved = (
        debts.post(table, ruling.person, ruling.amount)
        if table.open
        else debts.pay(table, ruling.person, ruling.amount, CAGE)
    )
    return (e.MoneyRuled(ruling.person, ruling.amount, moved, paragraph, case.reason),)


def _collect(case: Case, ruling: r.Collect) -> Sequence[e.Event]:
    table, incident = case.table, case.incident
    assert incident is not None
    person, owes = incident.person, -table.balances[owed_by(incident.person)]
    most = sum(transfer.amount for transfer in debts.to_hand(table, person, owes))
    if not 0 < ruling.amount <= most:
        raise Refused("funds.debt", "", most, person=person, amount=most, owes=owes)
    had = debts.to_hand(table, person, ruling.amount)
    moved = (*had, *moves((RECEIVABLES, owed_by(person), ruling.amount)))
    paid = e.DebtSettled(person, ruling.amount, "collected", moved)
    return (paid, *case.closed) if ruling.amount == owes else (paid,)


def _write_off(case: Case, ruling: r.WriteOff) -> Sequence[e.Event]:
    table, incident = case.table, case.incident
    assert incident is not None
    person, owes = incident.person, -table.balances[owed_by(incident.person)]
    moved = moves((RECEIVABLES, owed_by(person), owes))
    return (e.DebtSettled(person, owes, "written_off", moved), *case.closed)


def _dismiss(case: Case, ruling: r.Dismiss) -> Sequence[e.Event]:
    assert case.incident is not None
    return (e.IncidentClosed(case.incident.number, unfounded=True),)


def _let_stand(case: Case, ruling: r.LetStand) -> Sequence[e.Event]:
    return case.closed


EFFECTS: dict[type[r.Ruling], Callable[[Case, Any], Sequence[e.Event]]] = {
    r.Reconstruct: _reconstruct,
    r.AsItLies: _as_it_lies,
    r.DecideOrder: _order,
    r.ValueCard: _value,
    r.ReplaceShoe: _replace_shoe,
    r.BurnNow: forgotten_burn.burn_now,
    r.PlayOn: _play_on,
    r.VoidRound: _void,
    r.GiveOptions: _options,
    r.SetStake: _stake,
    r.OfferLate: missed_remedies.offer_late,
    r.ReturnBets: missed_remedies.return_bets,
    r.MoveInsurance: misplaced.move_insurance,
    r.LetStand: _let_stand,
    r.Dismiss: _dismiss,
    r.Pay: _pay,
    r.Collect: _collect,
    r.WriteOff: _write_off,
}
"""Ruling → what it leads to."""
