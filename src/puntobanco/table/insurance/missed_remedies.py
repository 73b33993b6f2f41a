"""What may be ruled on insurance that was missed: it is offered late, or bets go back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.bets import Result
from puntobanco.insurance import insurance_verdict, window_of
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.bets.state import WagerKey
from puntobanco.table.cases.incidents import round_being_dealt
from puntobanco.table.cases.remedies import Case
from puntobanco.table.cases.settled_rounds import check_ruled, find_settled
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.fold_helpers import known_round
from puntobanco.table.folds import evolve
from puntobanco.table.insurance.missed import in_play
from puntobanco.table.insurance.offers import offers_on
from puntobanco.table.insurance.repricing import row_on
from puntobanco.table.ledger import moves
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.lines import lines_of
from puntobanco.table.settlement.resettle import settled_again
from puntobanco.table.state import Round, Table


def offer_late(case: Case, ruling: r.OfferLate) -> Sequence[e.Event]:
    """By the row that fits the open cards now, to those who were not asked before: others have their window as ever."""
    table, current = case.table, round_being_dealt(case.table)
    window, offers = window_of(current.coup), late_offers(table)
    if window is None or not offers:
        raise Refused("no_insurance.no_row", case.paragraph)
    until = case.now + 1000 * table.settings.insurance_countdown
    return (e.InsuranceOffered(window, offers, case.paragraph, until, late=True), *case.closed)


def late_offers(table: Table) -> tuple[e.Offer, ...]:
    """What can be offered now to those who were not asked; while there is any, it must be (tiger-buffalo 5.17.1)."""
    current = table.round
    if current is None or not current.closed:
        return ()
    missed = {(offer.hand, person) for each in current.missed for offer in each.offers for person in offer.people}
    asked = (
        replace(offer, people=tuple(person for person in offer.people if (offer.hand, person) in missed))
        for offer in offers_on(table, current.coup, again=True)
    )
    return tuple(offer for offer in asked if offer.people)


def return_bets(case: Case, ruling: r.ReturnBets) -> Sequence[e.Event]:
    """The Original Bet, and nothing more, to those who had meant to insure it and would have won that."""
    table, incident = case.table, case.incident
    assert incident is not None
    if not in_play(table, incident.round):
        return _returned_late(case, find_settled(table, incident.round))
    current = round_being_dealt(table)
    if not current.finished or current.paid:
        # one that is played on after its settlement is settled first: nothing lies on the layout to go back
        raise Refused("not_finished.insurance", case.paragraph)
    keys = _to_go_back(case, current)
    back: dict[str, int] = defaultdict(int)
    for key in keys:
        back[key[0]] += current.wagers[key].stake
    transfers = moves(*((layout_of(person), chips_of(person), amount) for person, amount in back.items()))
    return (e.BetsReturned(keys, transfers, case.paragraph), *case.closed)


def _to_go_back(case: Case, found: Round) -> tuple[WagerKey, ...]:
    """The Original Bets of those who had meant to insure them and would have won that."""
    table, hands = case.table, case.table.book.original_bets
    lucky = {
        (intention.person, intention.hand)
        for intention in found.intentions
        if (row := row_on(table, found.coup, intention.row.window, intention.hand))
        and insurance_verdict(row, found.coup).result is Result.WON
    }
    keys = tuple(key for key, wager in found.wagers.items() if (wager.person, hands.get(wager.bet)) in lucky)
    if not keys:
        raise Refused("no_wager.meant", case.paragraph)
    return keys


def _returned_late(case: Case, found: Round) -> Sequence[e.Event]:
    """After the settlement: the round is settled again without those bets, and the difference is posted."""
    table = case.table
    check_ruled(table, found)
    returned = e.BetsReturned(_to_go_back(case, found), (), case.paragraph, found.number)
    after = evolve(table, returned)
    again = known_round(after, found.number)
    return (
        returned,
        settled_again(table, found, lines_of(after, again), case.paragraph, reason=case.reason),
        *case.closed,
    )
