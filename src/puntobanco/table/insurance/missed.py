"""Insurance that was not offered (reading G): seen by the table, reported, found late; and who had meant to take it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from puntobanco.coup import reconstruct
from puntobanco.insurance import window_of
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About, Words
from puntobanco.table.cards.lying import open_prefix
from puntobanco.table.cases.incidents import IDENTITY, is_open, opened
from puntobanco.table.cases.settled_rounds import find_settled
from puntobanco.table.commands import Command
from puntobanco.table.fold_helpers import current_round
from puntobanco.table.insurance.offers import offers_on, unasked
from puntobanco.table.insurance.state import OpenWindow
from puntobanco.table.people.lookup import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.state import DEALING, Round, Table

FAMILY: Literal["insurance_missed"] = "insurance_missed"
"""The family of insurance that was not offered."""


def passed_over(table: Table, now: int) -> Sequence[e.Event]:
    """Windows that went by unseen, and what was due in them: cards lay face down then, or turned out to be others."""
    current = table.round
    assert current is not None
    if not current.drawn_over or table.book.insurance is None or is_open(table, *IDENTITY):
        return ()
    cards = tuple(open_prefix(current.cards))
    for count in range(4, min(len(cards), len(current.cards) - 1) + 1):
        coup = reconstruct(cards[:count]).coup
        window = window_of(coup)
        if window is None:
            continue
        if offers := unasked(current, window, offers_on(table, coup, again=current.found)):
            return not_offered(table, window, offers)
    return ()


def passed_over_when_paid(table: Table, now: int) -> Sequence[e.Event]:
    """A round was settled with a card lacking, and is played on: nobody was asked about insurance before that card."""
    current = table.round
    assert current is not None
    if not current.paid or len(current.cards) > current.out_when_paid or current.hidden or table.blocked:
        return ()
    window = window_of(current.coup)
    if window is None or current.window is not None:
        return ()
    offers = unasked(current, window, offers_on(table, current.coup, again=True))
    return not_offered(table, window, offers) if offers else ()


def not_offered(table: Table, window: Window, offers: tuple[e.Offer, ...]) -> tuple[e.Event, ...]:
    """A card came before the offer."""
    incident = opened(table, FAMILY, About.of("insurance.not_offered"))
    return (e.InsuranceMissed(window, offers, incident.paragraph), incident)


def in_play(table: Table, number: int) -> bool:
    """Whether that round is in progress and not settled."""
    return table.round is not None and table.round.number == number and not table.round.settled


def found_late(table: Table, body: c.Report) -> Sequence[e.Event]:
    """After the settlement, as far back as rounds are known: an incident that holds nothing up (reading G)."""
    if body.cards:
        raise Refused("cards.not_about", table.irregularities.insurance_missed.rule)
    found = find_settled(table, body.round)
    _check_offered_here(table, found)
    if any((known.family, known.round) == (FAMILY, found.number) for known in table.incidents.values()):
        raise Refused("already_there.reported")
    paragraph = table.irregularities.insurance_missed.decided or table.book.uncovered.paragraph
    events = [replace(event, round=found.number) for event in never_answered(found, paragraph, body.person)]
    number = table.incidents_so_far + 1
    late = e.IncidentOpened(number, FAMILY, body.about, paragraph, found.number, blocks=False, reported=True)
    return (*events, late)


def _check_offered_here(table: Table, found: Round) -> None:
    """Nothing is missed in a round of which a notice says that no insurance is offered (tiger-buffalo 4.2.2)."""
    if found.settings.no_insurance:
        raise Refused("no_insurance.table", table.irregularities.no_insurance.rule)


def meant_to_insure(table: Table, command: Command, body: c.MeantToInsure) -> Sequence[e.Event]:
    """The dealer records what a player had meant to do when nothing was offered."""
    number = body.round or (table.rounds if table.phase is not DEALING else 0)
    if table.round is None and not number:
        raise Refused("no_insurance.not_yet", table.irregularities.of(FAMILY).main)
    over = bool(number) and not in_play(table, number)
    current = find_settled(table, number) if over else current_round(table)
    # who has left since can have meant to, all the same
    person = body.person if over else find_player(table, body.person).id
    _check_offered_here(table, current)
    paragraph = table.irregularities.insurance_missed.decided
    if any((known.person, known.hand) == (person, body.hand) for known in current.intentions):
        raise Refused("already_there.noted", paragraph, person=person, hand=body.hand.value)
    number = current.number if over else 0
    for missed in current.missed:
        for offer in missed.offers:
            if offer.hand is body.hand and person in offer.people:
                return (e.IntentionNoted(person, body.hand, missed.window, offer.own, offer.other, paragraph, number),)
    raise Refused("no_insurance.not_missed", paragraph, person=person, hand=body.hand.value)


def never_offered(table: Table, current: Round, about: Words, person: str = "") -> Sequence[e.Event]:
    """The table displayed insurance, and the dealer went on without offering it, to that person where one is named."""
    _check_offered_here(table, current)
    paragraph = table.irregularities.insurance_missed.rule or table.book.uncovered.paragraph
    return (*never_answered(current, paragraph, person), opened(table, FAMILY, about, reported=True))


def never_answered(current: Round, paragraph: str, person: str = "") -> list[e.InsuranceMissed]:
    """Insurance that was displayed, and that somebody neither took nor declined; refused where there is none."""
    missed = [event for window in current.offered if (event := _missed(current, window, paragraph, person))]
    if not missed and current.window is not None and not current.settled:
        raise Refused("no_insurance.open", paragraph)
    if not missed:
        raise Refused("no_insurance.all_answered", paragraph)
    return missed


def missed_between(table: Table, current: Round, cards: Sequence[int]) -> Sequence[e.Event]:
    """Cards that left the shoe together left no time for the insurance between them: it was missed."""
    before_card = {Window.FOUR_CARDS: 5, Window.PLAYER_THIRD: 6}
    paragraph = table.irregularities.insurance_missed.rule
    places = [current.place(number) for number in cards]
    windows = [window for window in current.offered if min(places) < before_card[window.window] <= max(places)]
    missed = [event for window in windows if (event := _missed(current, window, paragraph))]
    if not missed:
        return ()
    about = About.of("insurance.no_time")
    return (*missed, opened(table, FAMILY, about, after=1, reported=True))


def _missed(current: Round, window: OpenWindow, paragraph: str, person: str = "") -> e.InsuranceMissed | None:
    """A window that is over as one that was missed, by those who neither took insurance in it nor declined.

    Where the report names somebody, the others were asked: who kept silent has forgone (tiger-buffalo 5.3).
    """
    insured = {taken.person for taken in current.insurance if taken.row.window is window.window}
    asked, late = insured | window.answered | (window.people - {person} if person else frozenset()), window.late
    offers = (
        replace(offer, people=tuple(who for who in offer.people if who not in asked and (offer.hand, who) not in late))
        for offer in window.offers
    )
    unasked = tuple(offer for offer in offers if offer.people)
    return e.InsuranceMissed(window.window, unasked, paragraph) if unasked else None
