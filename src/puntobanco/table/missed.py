"""Insurance that was not offered (reading G), and insurance that staff put in the wrong box (reading T)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from puntobanco.bets import Result
from puntobanco.cards import Side
from puntobanco.coup import reconstruct
from puntobanco.insurance import insurance_verdict, window_of
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import incidents
from puntobanco.table import rulings as r
from puntobanco.table.again import settled_again
from puntobanco.table.change import open_prefix
from puntobanco.table.commands import Command
from puntobanco.table.cover import offers_on
from puntobanco.table.evolve import evolve
from puntobanco.table.incidents import IDENTITY, dealing, is_open, opened
from puntobanco.table.late import check_ruled, find_settled
from puntobanco.table.ledger import moves
from puntobanco.table.people import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.remedies import Case
from puntobanco.table.reread import row_on
from puntobanco.table.settlement import lines_of
from puntobanco.table.state import InsuranceWager, Round, Table, WagerKey, about, chips_of, layout_of

FAMILY: Literal["insurance_missed"] = "insurance_missed"
"""The family of insurance that was not offered."""


def passed_over(table: Table, now: int) -> Sequence[e.Event]:
    """Windows that went by unseen, and what was due in them: cards lay face down then, or turned out to be others."""
    current = table.round
    assert current is not None
    if not current.drawn_over or table.book.insurance is None or is_open(table, *IDENTITY):
        return ()
    known = {missed.window for missed in current.missed}
    cards = tuple(open_prefix(current.cards))
    for count in range(4, min(len(cards), len(current.cards) - 1) + 1):
        coup = reconstruct(cards[:count]).coup
        window = window_of(coup)
        if window is not None and window not in known and (offers := _unasked(current, window, offers_on(table, coup))):
            return not_offered(table, window, offers)
    return ()


def _unasked(current: Round, window: Window, offers: Sequence[e.Offer]) -> tuple[e.Offer, ...]:
    """Of these offers, what nobody was offered, be it on other points: who declined then was asked."""
    offered = [offer for each in current.offered if each.window is window for offer in each.offers]
    asked = {(offer.hand, person) for offer in offered for person in offer.people}
    left = (
        replace(offer, people=tuple(person for person in offer.people if (offer.hand, person) not in asked))
        for offer in offers
    )
    return tuple(offer for offer in left if offer.people)


def not_offered(table: Table, window: Window, offers: tuple[e.Offer, ...]) -> tuple[e.Event, ...]:
    """A card came before the offer."""
    incident = opened(table, FAMILY, "insurance was not offered before the card")
    return (e.InsuranceMissed(window, offers, incident.paragraph), incident)


def report(table: Table, command: Command, body: c.Report) -> Sequence[e.Event]:
    """What the table cannot see by itself, of the round in progress; of one that was settled, this alone."""
    if not body.round or _in_play(table, body.round):
        return incidents.report(table, command, body)
    if body.what != FAMILY:
        message = "what is reported of a round that is over are its cards, and insurance that was not offered"
        raise Refused("no_round", message, table.cite("round"))
    return _found_late(table, body)


def _in_play(table: Table, number: int) -> bool:
    return table.round is not None and table.round.number == number and not table.round.settled


def _found_late(table: Table, body: c.Report) -> Sequence[e.Event]:
    """After the settlement, as far back as rounds are known: a matter that holds nothing up (reading G)."""
    if not body.about.strip():
        raise Refused("bad_amount", "say what happened")
    if body.cards:
        raise Refused("cards", "this is not about certain cards", table.irregularity(FAMILY))
    if table.settings.no_insurance:
        raise Refused("no_insurance", "no insurance is offered at this table", table.irregularity("no_insurance"))
    found = find_settled(table, body.round)
    if any((known.family, known.round) == (FAMILY, found.number) for known in table.incidents.values()):
        raise Refused("already_there", "that is reported already and waits for a ruling")
    paragraph = table.irregularity(FAMILY, 2) or table.book.uncovered.paragraph
    events = [replace(event, round=found.number) for event in incidents.never_answered(found, paragraph)]
    number = table.incidents_so_far + 1
    return (*events, e.IncidentOpened(number, FAMILY, body.about.strip(), paragraph, found.number, blocks=False))


def meant(table: Table, command: Command, body: c.MeantToInsure) -> Sequence[e.Event]:
    """The dealer records what a player had meant to do when nothing was offered."""
    over = bool(body.round) and not _in_play(table, body.round)
    current = find_settled(table, body.round) if over else dealing(table)
    # who has left since can have meant to, all the same
    person = body.person if over else find_player(table, body.person).id
    paragraph = table.irregularity(FAMILY, 2)
    if any((known.person, known.hand) == (person, body.hand) for known in current.intentions):
        raise Refused("already_there", f"that {person} meant to insure {body.hand.value} is noted", paragraph)
    number = current.number if over else 0
    for missed in current.missed:
        for offer in missed.offers:
            if offer.hand is body.hand and person in offer.people:
                return (e.IntentionNoted(person, body.hand, missed.window, offer.own, offer.other, paragraph, number),)
    raise Refused("no_insurance", f"no insurance on {body.hand.value} was missed by {person}", paragraph)


def offer_late(case: Case, ruling: r.OfferLate) -> Sequence[e.Event]:
    """By the row that fits the open cards now, to who was not asked before: others have their window as ever."""
    table, current = case.table, dealing(case.table)
    window = window_of(current.coup)
    missed = {(offer.hand, person) for each in current.missed for offer in each.offers for person in offer.people}
    asked = (
        replace(offer, people=tuple(person for person in offer.people if (offer.hand, person) in missed))
        for offer in offers_on(table, current.coup)
    )
    offers = tuple(offer for offer in asked if offer.people)
    if window is None or not offers:
        raise Refused("no_insurance", "no row fits the cards as they are now", case.paragraph)
    until = case.now + 1000 * table.settings.insurance_countdown
    return (e.InsuranceOffered(window, offers, case.paragraph, until, late=True), *case.closed)


def return_bets(case: Case, ruling: r.ReturnBets) -> Sequence[e.Event]:
    """The Original Bet, and nothing more, to who had meant to insure it and would have won that."""
    table, incident = case.table, case.incident
    assert incident is not None
    if not _in_play(table, incident.round):
        return _returned_late(case, find_settled(table, incident.round))
    current = dealing(table)
    if not current.finished or current.paid:
        # one that is played on after its settlement is settled first: nothing lies on the layout to go back
        raise Refused("not_finished", "whether the insurance would have won is not known yet", case.paragraph)
    keys = _to_go_back(case, current)
    back: dict[str, int] = defaultdict(int)
    for key in keys:
        back[key[0]] += current.wagers[key].stake
    transfers = moves(*((layout_of(person), chips_of(person), amount) for person, amount in back.items()))
    return (e.BetsReturned(keys, transfers, case.paragraph), *case.closed)


def _to_go_back(case: Case, found: Round) -> tuple[WagerKey, ...]:
    """The Original Bets of who had meant to insure them and would have won that."""
    table, hands = case.table, case.table.book.original_bets
    lucky = {
        (intention.person, intention.hand)
        for intention in found.intentions
        if (row := row_on(table, found.coup, intention.row.window, intention.hand))
        and insurance_verdict(row, found.coup).result is Result.WON
    }
    keys = tuple(key for key, wager in found.wagers.items() if (wager.person, hands.get(wager.bet)) in lucky)
    if not keys:
        raise Refused("no_wager", "nobody is known to have meant to insure and would have won", case.paragraph)
    return keys


def _returned_late(case: Case, found: Round) -> Sequence[e.Event]:
    """After the settlement: the round is settled again without those bets, and the difference is posted."""
    table = case.table
    check_ruled(table, found)
    returned = e.BetsReturned(_to_go_back(case, found), (), case.paragraph, found.number)
    after = evolve(table, returned)
    again = next(each for each in after.known_rounds if each.number == found.number)
    return (
        returned,
        settled_again(table, found, lines_of(after, again), case.paragraph, reason=case.reason),
        *case.closed,
    )


def move_insurance(case: Case, ruling: r.MoveInsurance) -> Sequence[e.Event]:
    """To the hand where it belongs, by the row that fitted when it was taken; a settled round is settled again."""
    table = case.table
    found, taken = _find(table, ruling, case.paragraph)
    item = 1 if ruling.hand is Side.BANKER else 2
    paragraph = table.irregularity("insurance_misplaced", item)
    if not taken.by:
        binding = table.irregularity("chips_decide")
        raise Refused("not_yours", f"{taken.person} put it down in person: it stands where it lies", binding)
    if not taken.misplaced:
        raise Refused("no_insurance", f"it insures {taken.hand.value}, where it lies", paragraph)
    moved = e.InsuranceMoved(taken.person, taken.box, taken.hand, paragraph, found.number)
    if not found.settled:
        flag = ("insurance_misplaced", about(taken.person, taken.box, f"{taken.hand.value}_insurance"))
        return (moved, e.FlagCleared(*flag)) if flag in table.flags else (moved,)
    check_ruled(table, found)
    after = evolve(table, moved)
    again = next(each for each in after.known_rounds if each.number == found.number)
    return (moved, settled_again(table, found, lines_of(after, again), paragraph))


def _find(table: Table, ruling: r.MoveInsurance, paragraph: str) -> tuple[Round, InsuranceWager]:
    lying = [
        (each, taken)
        for each in reversed(table.known_rounds)
        if not each.voided
        for taken in each.insurance
        if (taken.person, taken.box, taken.hand) == (ruling.person, ruling.box, ruling.hand)
    ]
    if not lying:
        message = f"{ruling.person} has no insurance on {ruling.hand.value} in box {ruling.box}"
        raise Refused("no_wager", message, paragraph)
    return next((found for found in lying if found[1].misplaced), lying[0])
