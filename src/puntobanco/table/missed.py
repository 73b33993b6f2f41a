"""Insurance that was not offered (reading G), and insurance that staff put in the wrong box (reading T)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.bets import Result
from puntobanco.cards import Side
from puntobanco.coup import reconstruct
from puntobanco.insurance import insurance_verdict, window_of
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.again import settled_again
from puntobanco.table.change import open_prefix
from puntobanco.table.commands import Command
from puntobanco.table.cover import offers_on
from puntobanco.table.evolve import evolve
from puntobanco.table.incidents import IDENTITY, dealing, is_open, opened
from puntobanco.table.late import check_ruled
from puntobanco.table.ledger import moves
from puntobanco.table.people import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.remedies import Case
from puntobanco.table.reread import row_on
from puntobanco.table.settlement import lines_of
from puntobanco.table.state import InsuranceWager, Round, Table, about, chips_of, layout_of


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
    incident = opened(table, "insurance_missed", "insurance was not offered before the card")
    return (e.InsuranceMissed(window, offers, incident.paragraph), incident)


def meant(table: Table, command: Command, body: c.MeantToInsure) -> Sequence[e.Event]:
    """The dealer records what a player had meant to do when nothing was offered."""
    person = find_player(table, body.person)
    current = dealing(table)
    paragraph = table.irregularity("insurance_missed", 2)
    if any((known.person, known.hand) == (person.id, body.hand) for known in current.intentions):
        raise Refused("already_there", f"that {person.id} meant to insure {body.hand.value} is noted", paragraph)
    for missed in current.missed:
        for offer in missed.offers:
            if offer.hand is body.hand and person.id in offer.people:
                return (e.IntentionNoted(person.id, body.hand, missed.window, offer.own, offer.other, paragraph),)
    raise Refused("no_insurance", f"no insurance on {body.hand.value} was missed by {person.id}", paragraph)


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
    table, current = case.table, dealing(case.table)
    if not current.finished:
        raise Refused("not_finished", "whether the insurance would have won is not known yet", case.paragraph)
    hands = table.book.original_bets
    lucky = {
        (intention.person, intention.hand)
        for intention in current.intentions
        if (row := row_on(table, current.coup, intention.row.window, intention.hand))
        and insurance_verdict(row, current.coup).result is Result.WON
    }
    keys = tuple(key for key, wager in current.wagers.items() if (wager.person, hands.get(wager.bet)) in lucky)
    if not keys:
        raise Refused("no_wager", "nobody is known to have meant to insure and would have won", case.paragraph)
    back: dict[str, int] = defaultdict(int)
    for key in keys:
        back[key[0]] += current.wagers[key].stake
    transfers = moves(*((layout_of(person), chips_of(person), amount) for person, amount in back.items()))
    return (e.BetsReturned(keys, transfers, case.paragraph), *case.closed)


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
