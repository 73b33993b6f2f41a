"""What went wrong and the table cannot see by itself: somebody reports it, in whichever phase (reading A).

While cards are out it waits for a ruling on the round. While boxes are still to be paid the round is opened again for
it (reading L). Before the cards play waits all the same, but for nothing that is about cards; of a round that is over
it is recorded, and nothing changes by itself (reading J).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.rules.policies import BurnForgotten, ExposedInHand, FirstCard, NotDelivered
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.bets.withdrawing import may_withdraw_late
from puntobanco.table.cards.free_hand import into_free_hand
from puntobanco.table.cards.lying import hands_for
from puntobanco.table.cards.waiting import waiting_card
from puntobanco.table.cases.commands import ABOUT_CARDS, OF_A_ROUND
from puntobanco.table.cases.incidents import is_open, opened
from puntobanco.table.cases.settled_rounds import in_time
from puntobanco.table.commands import Command
from puntobanco.table.fold_helpers import current_round
from puntobanco.table.folds import evolve
from puntobanco.table.insurance.missed import FAMILY, found_late, in_play, missed_between, never_offered
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.reopening import opened_again, still_paying
from puntobanco.table.state import BETTING, DEALING, PAYING, Round, Table

LATE = "late_discovery"
"""The family of what comes to light about a round that is over."""


def report(table: Table, command: Command, body: c.Report) -> Sequence[e.Event]:
    """What the table cannot see by itself: of the round in progress, or of one that is over."""
    about = body.about.strip()
    if not about:
        raise Refused("bad_amount.what_happened")
    if body.person and body.what != FAMILY:
        raise Refused("bad_amount.nobody")
    body = replace(body, about=about, round=_meant(table, body))
    if body.round and _is_over(table, body):
        return found_late(table, body) if body.what == FAMILY else _of_a_round_over(table, body)
    if body.what == "display":
        paragraph = table.irregularities.display.rule or table.book.uncovered.paragraph
        return (e.Noted("display", about, paragraph),)
    if body.what == "other":
        return (opened(table, "other", about, blocks=body.holds, reported=True),)
    if body.what == "face_up_in_shoe" and (shown := _next_shows(table, body)):
        return shown
    if body.cards and all(waiting_card(table, number) for number in body.cards):
        return _before_their_round(table, body)
    if table.phase is DEALING:
        return _report_in_play(table, body)
    again, after = opened_again(table, table.irregularities.of(body.what).main or table.book.uncovered.paragraph)
    if again:
        return (*again, *_report_in_play(after, body))
    return _before_the_cards(table, body)


def _meant(table: Table, body: c.Report) -> int:
    """The round that a report is about, where it must be one that is over; 0 for the one in progress, or none."""
    current = table.round
    of_a_round = body.what in OF_A_ROUND or (body.what == "dealing_error" and current is None)
    if body.round or not of_a_round or any(waiting_card(table, number) for number in body.cards):
        return body.round
    if current is not None and current.closed:
        over = table.phase is PAYING and (still_paying(table) is None or body.what == FAMILY)
        return current.number if over else 0
    return table.last.number if table.last is not None else 0


def _is_over(table: Table, body: c.Report) -> bool:
    """Whether the round it is about is over: until every box is paid it is not (reading L), but for insurance."""
    current = still_paying(table)
    paying = current is not None and current.number == body.round and body.what != FAMILY
    return not paying and not in_play(table, body.round)


def _report_in_play(table: Table, body: c.Report) -> Sequence[e.Event]:
    """Something that the table cannot see by itself, while cards are out or coming."""
    current, about = current_round(table), body.about
    _check_cards(table, current, body)
    stated = table.policies
    if body.what == "squeeze_not_delivered" and stated.squeeze_not_delivered.value is NotDelivered.GOES_ON:
        return (e.Noted(body.what, about, table.irregularities.squeeze_not_delivered.rule),)
    known = next(
        (
            incident
            for incident in table.incidents.values()
            if (incident.family, incident.cards, incident.round) == (body.what, tuple(body.cards), current.number)
        ),
        None,
    )
    if known is not None and not known.reported and not all(current.card(number).seen for number in body.cards):
        # the table has flagged a card that lies there; that somebody looked at it is another thing
        return (e.Noted(body.what, about, known.paragraph, cards=known.cards),)
    if known is not None:
        raise Refused("already_there.reported")
    if body.what == FAMILY:
        return never_offered(table, current, about, body.person)
    found = opened(table, body.what, about, tuple(body.cards), reported=True)
    silent = stated.exposed_in_hand.value is ExposedInHand.NOT_COVERED
    if silent and body.what == "exposed_cards" and _of_the_hand(current, body.cards):
        return _seen_in_hand(table, found)
    if not body.what.startswith("simultaneous"):
        return (found,)
    return (found, *missed_between(table, current, body.cards))


def _before_the_cards(table: Table, body: c.Report) -> Sequence[e.Event]:
    """Between rounds, or while bets are open: nothing is at stake yet, and play waits for somebody to look at it."""
    if body.cards or body.what in OF_A_ROUND:
        paragraph = table.irregularities.of(body.what).main
        raise Refused("cards.none_out", paragraph)
    if is_open(table, body.what):
        raise Refused("already_there.reported")
    return (opened(table, body.what, body.about, reported=True),)


def _before_their_round(table: Table, body: c.Report) -> Sequence[e.Event]:
    """Of cards that wait for their round. One that somebody looked at is as if it had left the shoe face up."""
    paragraph = table.irregularities.of(body.what).main or table.book.uncovered.paragraph
    noted = e.Noted(body.what, body.about, paragraph, cards=tuple(body.cards))
    current = table.round
    # one that left the shoe after the call has begun the round, which is played with the bets that lie there
    before = current is not None and any(number - current.numbered <= current.waiting for number in body.cards)
    seen = body.what == "exposed_cards" and table.phase is BETTING and before
    return (noted, *(into_free_hand(table) if seen else ()))


def _of_a_round_over(table: Table, body: c.Report) -> Sequence[e.Event]:
    """It is recorded under its round; what was settled stands unless somebody rules otherwise at discretion."""
    if not 0 < body.round <= table.rounds:
        raise Refused("no_round.unknown", table.procedures.round.rule, round=body.round)
    if body.what == "display":
        return (e.Noted("display", body.about, table.irregularities.display.rule, body.round),)
    known = (found for found in table.incidents.values() if found.family == LATE and found.round == body.round)
    if any((found.about, found.cards) == (body.about, body.cards) for found in known):
        raise Refused("already_there.reported")
    late = table.irregularities.of(LATE).main
    paragraph = table.irregularities.of(body.what).main if late and in_time(table, body.round) else ""
    found = opened(table, LATE, body.about, tuple(body.cards), blocks=False, paragraph=paragraph, reported=True)
    return (replace(found, round=body.round, what=body.what),)


def _of_the_hand(current: Round, cards: Sequence[int]) -> bool:
    """Whether all these cards belong to the hand in play: none of them opens the next."""
    return max(map(current.place, cards)) <= len(hands_for(current.cards))


def _seen_in_hand(table: Table, found: e.IncidentOpened) -> Sequence[e.Event]:
    """A card of the hand in play was seen before its time: a book may know of that in a hand without a burn alone."""
    ruled = table.policies.burn_forgotten_seen.value is not BurnForgotten.NOT_COVERED
    if ruled and (is_open(table, "burn_forgotten") or table.shoe.choice_due):
        played_out = replace(found, paragraph=table.irregularities.burn_forgotten.seen, blocks=False)
        return (played_out, e.IncidentClosed(found.number))
    return (replace(found, paragraph=table.book.uncovered.paragraph, covered=False),)


def _next_shows(table: Table, body: c.Report) -> Sequence[e.Event]:
    """The next card of the shoe is, for all that is known, the first of a hand: where the book knows it, a Free Hand.

    Elsewhere it is played where it is due; seen before the close it gives nobody options. With the burn still to come
    it is a card to be burnt, and opens no hand.
    """
    current = table.round
    paragraph = table.irregularities.face_up_in_shoe.next_hand or table.book.uncovered.paragraph
    free = table.policies.first_card_seen.value is FirstCard.FREE_HAND
    coming = current is not None and table.phase is DEALING
    if current is not None and coming and (current.cards or not free) and not (free and current.finished):
        return ()
    if body.cards:
        raise Refused("cards.not_about", paragraph)
    if table.shoe.left == 0:
        raise Refused("cards.empty", table.irregularities.shoe_empty.rule)
    if table.shoe.shown == table.shoe.drawn or (current is not None and current.free and not current.cards):
        raise Refused("already_there.reported", paragraph)
    noted = e.Noted(body.what, body.about, paragraph)
    return (noted,) if table.to_burn or table.shoe.ended else (noted, *into_free_hand(evolve(table, noted)))


def _check_cards(table: Table, current: Round, body: c.Report) -> None:
    """The cards that a report names are out, and make sense for it."""
    paragraph = table.irregularities.of(body.what).main
    out = len(current.cards)
    if body.what in ABOUT_CARDS:
        needed = 2 if body.what.startswith("simultaneous") else 1
        if len(body.cards) < needed:
            raise Refused("cards.which", paragraph, count=needed)
        if body.what == "damaged_card" and len(body.cards) > 1:
            raise Refused("cards.one_each", paragraph)
        if len(set(body.cards)) != len(body.cards):
            raise Refused("cards.twice", paragraph)
        for number in body.cards:
            if not current.place(number):
                raise Refused("cards.unknown", paragraph, number=number)
    elif body.cards:
        raise Refused("cards.not_about", paragraph)
    places = [current.place(number) for number in body.cards]
    if body.what.startswith("simultaneous") and places != list(range(min(places), max(places) + 1)):
        raise Refused("cards.in_order", paragraph)
    if body.what == "face_up" and not table.settings.face_down:
        raise Refused("cards.face_up", paragraph)
    if body.what == "face_up" and not all(current.card(number).turned for number in body.cards):
        raise Refused("cards.open", paragraph)
    if body.what == "cut_card_not_offered" and not (may_withdraw_late(table, current) and out):
        raise Refused("cards.cut_card", paragraph)
