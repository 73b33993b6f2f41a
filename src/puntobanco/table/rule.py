"""Rulings: proposed by staff, approved or declined by another person with the rank, and then carried out.

Nobody approves an own proposal, and a proposal is approved once. What a ruling undoes is undone by new events and new
transfers. Where the book leaves nothing to judge, the dealer's word is enough and takes effect at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from puntobanco.rules.model import Authority
from puntobanco.table import again, arrange, carry, corrections, late, missed, options
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.commands import Command
from puntobanco.table.evolve import evolve
from puntobanco.table.incidents import IDENTITY, dealing
from puntobanco.table.ledger import money, moves
from puntobanco.table.refusals import Refused
from puntobanco.table.remedies import CORRECTIONS, ORDER_FAMILIES, Case, choice_for, put_right
from puntobanco.table.settlement import voided
from puntobanco.table.state import (
    PAYING,
    RECEIVABLES,
    Incident,
    Proposal,
    Round,
    Table,
    about,
    chips_of,
    layout_of,
    owed_by,
)

NEEDS_REASON = (
    r.VoidRound,
    r.AsItLies,
    r.GiveOptions,
    r.SetStake,
    r.ReplaceShoe,
    r.Pay,
    r.WriteOff,
    r.LetStand,
    *CORRECTIONS,
)
"""Rulings that somebody will want to know the reason of."""


def propose(table: Table, command: Command, body: c.Propose) -> Sequence[e.Event]:
    """A ruling that the book allows and that can be carried out now."""
    incident = _incident(table, body.incident)
    choice = choice_for(table, body.ruling, incident)
    reason = body.reason.strip()
    at_discretion = incident is not None and not incident.covered and incident.family != again.DEBT
    if not reason and (at_discretion or isinstance(body.ruling, NEEDS_REASON)):
        raise Refused("bad_amount", "this ruling needs its reason", choice.paragraph)
    effects = carry_out(Case(table, incident, choice.paragraph, reason, command.at), body.ruling)
    if choice.second:
        ruling = _of_this_round(table, body.ruling)
        if any((other.incident, other.ruling) == (body.incident, ruling) for other in table.proposals.values()):
            raise Refused("already_there", "that is proposed already", choice.paragraph)
        number = table.proposals_so_far + 1
        return (e.RulingProposed(number, body.incident, ruling, command.actor, choice.by, choice.paragraph, reason),)
    given = e.RulingGiven(body.incident, body.ruling, choice.paragraph, command.actor, reason=reason)
    return (given, *effects)


def _of_this_round(table: Table, ruling: r.AnyRuling) -> r.AnyRuling:
    """A correction of the round in progress is one of that round, whenever it is approved."""
    if isinstance(ruling, r.CorrectCard | r.CorrectBet) and not ruling.round:
        return replace(ruling, round=table.rounds)
    return ruling


def approve(table: Table, command: Command, body: c.Approve) -> Sequence[e.Event]:
    proposal = _proposal(table, body.proposal)
    if command.actor == proposal.by:
        raise Refused("second_person", f"{command.actor} proposed it: another person approves", proposal.paragraph)
    _check_rank(table, command.actor, proposal)
    incident = _incident(table, proposal.incident)
    if command.actor in (getattr(proposal.ruling, "person", ""), incident.person if incident else ""):
        raise Refused("second_person", f"it is about {command.actor}: another person approves", proposal.paragraph)
    choice = choice_for(table, proposal.ruling, incident)
    # the matter may have changed since: who may approve is asked of the table as it is now
    if table.rank_of(command.actor) < choice.by:
        raise Refused("rank", f"this needs {choice.by.with_article} or above", choice.paragraph)
    effects = carry_out(Case(table, incident, choice.paragraph, proposal.reason, command.at), proposal.ruling)
    given = e.RulingGiven(
        proposal.incident,
        proposal.ruling,
        choice.paragraph,
        proposal.by,
        command.actor,
        proposal.number,
        proposal.reason,
    )
    return (given, *effects)


def decline(table: Table, command: Command, body: c.Decline) -> Sequence[e.Event]:
    """By somebody with the rank, or taken back by who proposed it."""
    proposal = _proposal(table, body.proposal)
    if command.actor != proposal.by:
        _check_rank(table, command.actor, proposal)
    return (e.RulingDeclined(proposal.number, command.actor, body.reason.strip()),)


def _proposal(table: Table, number: int) -> Proposal:
    proposal = table.proposals.get(number)
    if proposal is None:
        raise Refused("unknown_request", f"no ruling {number} waits for approval")
    return proposal


def _check_rank(table: Table, actor: str, proposal: Proposal) -> None:
    if table.rank_of(actor) < proposal.needs:
        paragraph = table.book.ranks.get(proposal.needs.value, "") or proposal.paragraph
        raise Refused("rank", f"this needs {proposal.needs.with_article} or above", paragraph)


def _incident(table: Table, number: int) -> Incident | None:
    if number == 0:
        return None
    incident = table.incidents.get(number)
    if incident is None:
        raise Refused("unknown_request", f"no incident {number} waits for a ruling")
    return incident


# --- what each ruling does


def carry_out(case: Case, ruling: r.Ruling) -> Sequence[e.Event]:
    """The events that a ruling leads to; refused where it cannot be carried out."""
    return EFFECTS[type(ruling)](case, ruling)


def _reconstruct(case: Case, ruling: r.Reconstruct) -> Sequence[e.Event]:
    table, incident, paragraph = case.table, case.incident, case.paragraph
    current = dealing(table)
    _check_known(table, _UNKNOWN)
    order = range(1, len(current.cards) + 1)
    return _put_right(table, arrange.reconstructed(table, current, order, paragraph), incident)


_IDENTITY = dict.fromkeys(IDENTITY, "find what the card is")
_UNKNOWN = {"simultaneous": "decide the order", **_IDENTITY}
"""Order and identity of every drawn card must be known before they are dealt again."""


def _check_known(table: Table, unknown: Mapping[str, str]) -> None:
    """Refuse while a matter of these families is open: it names a card by its number, which would not be its own."""
    for found in table.incidents.values():
        if first := unknown.get(found.family):
            raise Refused("flagged", f"{first} first: {found.about}", found.paragraph)


def _order(case: Case, ruling: r.DecideOrder) -> Sequence[e.Event]:
    """Of all cards drawn at once, be it on several occasions: what comes later depends on what came before."""
    table, incident, paragraph = case.table, case.incident, case.paragraph
    current = dealing(table)
    _check_known(table, _IDENTITY)
    together = arrange.drawn_at_once(table)
    slots = [number for cards in together for number in cards]
    decided = iter(ruling.cards)
    fits = all(sorted(islice(decided, len(cards))) == list(cards) for cards in together)
    if not fits or len(ruling.cards) != len(slots):
        named = " and of cards ".join(", ".join(map(str, cards)) for cards in together)
        raise Refused("cards", f"say the order of cards {named}", paragraph)
    order = list(range(1, len(current.cards) + 1))
    for slot, number in zip(slots, ruling.cards, strict=True):
        order[slot - 1] = number
    return _put_right(table, arrange.reconstructed(table, current, order, paragraph), incident)


def _as_it_lies(case: Case, ruling: r.AsItLies) -> Sequence[e.Event]:
    table, incident, paragraph = case.table, case.incident, case.paragraph
    current = dealing(table)
    _check_known(table, _IDENTITY)
    return _put_right(table, arrange.as_it_lies(table, current, paragraph), incident)


def _put_right(table: Table, arranged: e.CardsArranged, incident: Incident | None) -> Sequence[e.Event]:
    """Everything about the order of the cards is answered; then come the options, if any of it gives them."""
    assert incident is not None
    current = dealing(table)
    if current.options is not None:
        waiting = ", ".join(sorted(current.options.waiting))
        raise Refused("flagged", f"waits for the answer of {waiting}", current.options.go_on)
    after = evolve(table, arranged)
    assert after.round is not None
    answered = [found for found in table.incidents.values() if found.blocks and found.family in ORDER_FAMILIES]
    repaired = arranged.how == "reconstructed"
    # cards that cannot be put right give the options whatever the family, where the book knows them
    unmended = not repaired and "options" in table.book.irregularities
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
    dealing(table)
    if ruling.number not in incident.cards:
        raise Refused("cards", f"the matter is card {incident.cards[0]}", paragraph)
    return (e.CardValued(ruling.number, ruling.card, paragraph), *case.closed)


def _replace_shoe(case: Case, ruling: r.ReplaceShoe) -> Sequence[e.Event]:
    table, paragraph = case.table, case.paragraph
    if table.shoe.ended:
        raise Refused("no_shoe", "there is no shoe in use", paragraph)
    if table.shoe.to_replace:
        raise Refused("already_there", "the shoe is to be replaced already", paragraph)
    return (e.ShoeToBeReplaced(paragraph, case.reason),)


def _play_on(case: Case, ruling: r.PlayOn) -> Sequence[e.Event]:
    table, incident = case.table, case.incident
    assert incident is not None
    current = table.round
    events: list[e.Event] = list(case.closed)
    if incident.family == "burn_forgotten":
        return (*events, *carry.played_out(case))
    if current is not None and incident.covered and options.due(table, current, incident, repaired=False):
        events += options.given(table, current, incident, reconstructed=False)
    return events


def _void(case: Case, ruling: r.VoidRound) -> Sequence[e.Event]:
    table, incident, paragraph = case.table, case.incident, case.paragraph
    if incident is not None and incident.true_cards:
        return late.voided_late(case)
    current = _unsettled(table)
    if (
        incident is not None
        and incident.family in ORDER_FAMILIES
        and incident.covered
        and _as_it_lies_first(table, current)
    ):
        raise Refused(
            "ruling",
            "each hand has the right number of cards: play goes on with the hands as they lie",
            table.irregularity("options", 1),
        )
    return (voided(table, current, paragraph or table.irregularity("void"), case.reason), *case.closed)


def _as_it_lies_first(table: Table, current: Round) -> bool:
    return "options" in table.book.irregularities and arrange.count_is_right(current)


def _unsettled(table: Table) -> Round:
    current = table.round
    if current is None or table.phase is PAYING:
        raise Refused("no_round", "there is no round in progress", table.irregularity("void"))
    return current


def _options(case: Case, ruling: r.GiveOptions) -> Sequence[e.Event]:
    """Before the cards are put right, and after it where the book sets no such bound; until the settlement."""
    table, paragraph = case.table, case.paragraph
    incident = case.incident or put_right(table)
    current = _unsettled(table)
    if not current.closed:
        raise Refused("bets_open", "the bets are open: everybody may withdraw", table.cite("close"))
    given = options.given(table, current, incident, reconstructed=False)
    if not given:
        raise Refused("no_options", "nobody has bets to take back, or everybody is asked already", paragraph)
    return given


def _stake(case: Case, ruling: r.SetStake) -> Sequence[e.Event]:
    table, incident, paragraph = case.table, case.incident, case.paragraph
    current = _unsettled(table)
    wager = current.wagers.get((ruling.person, ruling.box, ruling.bet))
    if wager is None or incident is None or incident.about != about(ruling.person, ruling.box, ruling.bet):
        raise Refused("no_wager", f"nothing about {ruling.bet} of {ruling.person} waits for a ruling", paragraph)
    if not 0 <= ruling.stands <= wager.stake:
        raise Refused("bad_amount", f"the bet is {money(table, wager.stake)}", paragraph, wager.stake)
    back = moves((layout_of(wager.person), chips_of(wager.person), wager.stake - ruling.stands))
    ruled = e.StakeRuled(ruling.person, ruling.box, ruling.bet, ruling.stands, back, paragraph, case.reason)
    return (ruled, *case.closed)


def _pay(case: Case, ruling: r.Pay) -> Sequence[e.Event]:
    table, paragraph = case.table, case.paragraph
    known = ruling.person in table.people or chips_of(ruling.person) in table.balances
    if not known or table.rank_of(ruling.person) is not Authority.PLAYER:
        raise Refused("unknown_person", f"{ruling.person or 'nobody'} is no player of this table", paragraph)
    if ruling.amount == 0:
        raise Refused("bad_amount", "say who is paid and how much; below zero, the person pays", paragraph)
    moved = again.post(table, ruling.person, ruling.amount)
    return (e.MoneyRuled(ruling.person, ruling.amount, moved, paragraph, case.reason),)


def _collect(case: Case, ruling: r.Collect) -> Sequence[e.Event]:
    table, incident = case.table, case.incident
    assert incident is not None
    person, owes = incident.person, -table.balances[owed_by(incident.person)]
    most = sum(transfer.amount for transfer in again.to_hand(table, person, owes))
    if not 0 < ruling.amount <= most:
        raise Refused("funds", f"{person} can pay {money(table, most)} of {money(table, owes)}", fits=most)
    had = again.to_hand(table, person, ruling.amount)
    moved = (*had, *moves((RECEIVABLES, owed_by(person), ruling.amount)))
    paid = e.DebtSettled(person, ruling.amount, "collected", moved)
    return (paid, *case.closed) if ruling.amount == owes else (paid,)


def _write_off(case: Case, ruling: r.WriteOff) -> Sequence[e.Event]:
    table, incident = case.table, case.incident
    assert incident is not None
    person, owes = incident.person, -table.balances[owed_by(incident.person)]
    moved = moves((RECEIVABLES, owed_by(person), owes))
    return (e.DebtSettled(person, owes, "written_off", moved), *case.closed)


def _let_stand(case: Case, ruling: r.LetStand) -> Sequence[e.Event]:
    return case.closed


EFFECTS: dict[type[r.Ruling], Callable[[Case, Any], Sequence[e.Event]]] = {
    r.Reconstruct: _reconstruct,
    r.AsItLies: _as_it_lies,
    r.DecideOrder: _order,
    r.ValueCard: _value,
    r.ReplaceShoe: _replace_shoe,
    r.BurnNow: carry.burn_now,
    r.PlayOn: _play_on,
    r.VoidRound: _void,
    r.GiveOptions: _options,
    r.SetStake: _stake,
    r.OfferLate: missed.offer_late,
    r.ReturnBets: missed.return_bets,
    r.MoveInsurance: missed.move_insurance,
    r.Rectify: late.rectify,
    r.LetStand: _let_stand,
    r.Pay: _pay,
    r.Collect: _collect,
    r.WriteOff: _write_off,
    r.CorrectCard: corrections.correct_card,
    r.CorrectBet: corrections.correct_bet,
    r.CorrectCall: corrections.correct_call,
    r.CorrectPayout: corrections.correct_confirmation,
}
"""Ruling → what it leads to."""
