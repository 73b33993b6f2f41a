"""Insurance on offer (reading F): when, to whom, and who has forgone it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.coup import Coup
from puntobanco.insurance import find_row, window_of
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.base import BANKER, PLAYER
from puntobanco.table.commands import Command
from puntobanco.table.insurance.state import OpenWindow
from puntobanco.table.people.lookup import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import OFFER
from puntobanco.table.state import Round, Table


def _window_possible(table: Table, current: Round, window: Window, *, again: bool) -> bool:
    return (
        (again or window not in current.windows_past)
        and on_offer_here(table)
        and not (current.waived and window is Window.PLAYER_THIRD)
    )


def on_offer_here(table: Table) -> bool:
    """Whether this table has insurance at all."""
    return table.layout.insurance and not table.terms.no_insurance


def offers_on(table: Table, coup: Coup, *, again: bool = False) -> tuple[e.Offer, ...]:
    """What the open cards let people insure: a row that fits, for those with a bet on that hand.

    In a window that is over only where it is asked ``again``.
    """
    book, current, window = table.book, table.round, window_of(coup)
    if window is None or current is None or book.insurance is None:
        return ()
    if not _window_possible(table, current, window, again=again):
        return ()
    offers = []
    hands, gone = book.original_bets, current.forgone | table.absent
    player, banker = coup.player.total, coup.banker.total
    for hand, own, other in ((PLAYER, player, banker), (BANKER, banker, player)):
        row = find_row(book, window, hand, own, other)
        if row is None:
            continue
        bets = [wager for wager in current.wagers.values() if hands.get(wager.bet) is hand]
        if current.insurance:
            taken = (each for each in current.insurance if (each.row.window, each.row.hand) == (window, hand))
            insured = {(each.person, each.box) for each in taken}
            bets = [wager for wager in bets if (wager.person, wager.box) not in insured]
        people = dict.fromkeys([wager.person for wager in bets if wager.person not in gone])
        if people:
            offers.append(e.Offer(hand, row.odds, own, other, tuple(people)))
    return tuple(offers)


def offers_due(table: Table) -> tuple[e.Offer, ...]:
    """What must be offered now, before the next card."""
    current = table.round
    if current is None or table.book.insurance is None or len(current.cards) < 4 or current.hidden:
        return ()
    if current.settled or current.voided:
        return ()
    offers: tuple[e.Offer, ...] = ()
    if current.window is None:
        offers = _but_missed(current, offers_on(table, current.coup))
    elif current.window.late:
        # for those who were asked before it is a window as ever
        offers = unasked(current, current.window.window, offers_on(table, current.coup))
    return offers or _to_others(table, current)


def _but_missed(current: Round, offers: tuple[e.Offer, ...]) -> tuple[e.Offer, ...]:
    """Without what is on record as missed in this very window: that is offered late, by ruling (5.17.1)."""
    if not offers or not current.missed:
        return offers
    window = window_of(current.coup)
    missed = {
        (offer.hand, person)
        for each in current.missed
        if each.window is window
        for offer in each.offers
        for person in offer.people
    }
    left = (
        replace(offer, people=tuple(person for person in offer.people if (offer.hand, person) not in missed))
        for offer in offers
    )
    return tuple(offer for offer in left if offer.people)


def _to_others(table: Table, current: Round) -> tuple[e.Offer, ...]:
    """A window lasts until the next card: whose bet has come to light since is offered it, too (3.11, 3.12)."""
    if not current.found:
        return ()
    window = window_of(current.coup)
    if window is None:
        return ()
    return unasked(current, window, offers_on(table, current.coup, again=True))


def unasked(current: Round, window: Window, offers: Sequence[e.Offer]) -> tuple[e.Offer, ...]:
    """Of these offers, what nobody was offered, not even on other points: a player who declined then was asked."""
    missed = [each for each in current.missed if each.window is window]
    displayed = [*current.offered, *(shown for each in missed for shown in each.displayed)]
    if current.window is not None:
        displayed.append(current.window)
    told = [offer for each in displayed if each.window is window for offer in each.offers]
    told += [offer for each in missed for offer in each.offers]
    asked = {(offer.hand, person) for offer in told for person in offer.people}
    left = (
        replace(offer, people=tuple(person for person in offer.people if (offer.hand, person) not in asked))
        for offer in offers
    )
    return tuple(offer for offer in left if offer.people)


def window_now(table: Table) -> Window:
    """The window that the round's open cards have opened."""
    assert table.round is not None
    window = window_of(table.round.coup)
    assert window is not None
    return window


def _offered(table: Table, offers: tuple[e.Offer, ...], now: int) -> e.InsuranceOffered:
    assert table.book.insurance is not None
    until = now + 1000 * table.settings.insurance_countdown
    return e.InsuranceOffered(window_now(table), offers, table.book.insurance.windows, until)


def offer_by_itself(table: Table, now: int) -> Sequence[e.Event]:
    """Offer where the table does that by itself."""
    current = table.round
    assert current is not None
    if table.book.insurance is None:
        return ()
    waits = table.blocked is not None or current.options is not None
    if OFFER in table.settings.automated and not waits and (offers := offers_due(table)):
        return (_offered(table, offers, now),)
    return ()


def nobody_is_asked(table: Table, current: Round) -> bool:
    """Whether insurance keeps nothing waiting: none is on offer, or all have answered.

    Until the next card leaves the shoe a player who has answered may still insure (tiger-buffalo 5.3).
    """
    return current.window is None or _all_answered(table, current, current.window)


def _all_answered(table: Table, current: Round, window: OpenWindow) -> bool:
    """Whether everybody has passed, or has something on each bet that could be insured."""
    gone = table.absent | current.forgone
    if not window.answered and not current.insurance and not gone:
        return False
    waiting = window.people - window.answered - gone
    if not waiting:
        return True
    offered = {offer.hand for offer in window.offers}
    taken = {
        (insurance.person, insurance.box, insurance.row.hand)
        for insurance in current.insurance
        if insurance.row.window is window.window
    }
    return all(
        (wager.person, wager.box, hand) in taken
        for wager in current.wagers.values()
        if wager.person in waiting and (hand := table.book.original_bets.get(wager.bet)) in offered
    )


def offer(table: Table, command: Command, body: c.OfferInsurance) -> Sequence[e.Event]:
    """Insurance is offered to those who may take it."""
    offers = offers_due(table)
    if not offers:
        raise Refused("no_insurance.nothing", insurance_paragraph(table, "windows"))
    return (_offered(table, offers, command.at),)


def insurance_paragraph(table: Table, of: str) -> str:
    """The paragraph of the book on that part of insurance."""
    if table.terms.no_insurance:
        return table.irregularities.no_insurance.rule
    return str(getattr(table.book.insurance, of)) if table.book.insurance else ""


def pass_insurance(table: Table, command: Command, body: c.PassInsurance) -> Sequence[e.Event]:
    """A player wants no insurance."""
    person = find_player(table, body.person)
    current = table.round
    if current is None or current.window is None or person.id not in current.window.people:
        raise Refused("no_insurance.person", insurance_paragraph(table, "windows"), person=person.id)
    if person.id in current.window.answered:
        raise Refused("already_there.answered", person=person.id)
    return (e.InsurancePassed(person.id, table.irregularities.forgone_insurance.rule),)


def close_window(table: Table, command: Command, body: c.CloseInsurance) -> Sequence[e.Event]:
    """The time for insurance is over."""
    if table.round is None or table.round.window is None:
        raise Refused("no_insurance", insurance_paragraph(table, "windows"))
    return (closing(table, table.round),)


def closing(table: Table, current: Round, *, lacking: bool = False) -> e.InsuranceClosed:
    """The window's end: a player who was offered insurance and took none let it pass, for the round where so set.

    Where the round is paid with a card ``lacking``, that card has not come: who had not answered has forgone nothing.
    """
    window = current.window
    assert window is not None
    insured = {insurance.person for insurance in current.insurance if insurance.row.window is window.window}
    answered = insured | window.answered | table.absent | current.forgone
    not_asked = window.people - answered if lacking else frozenset()
    passed = sorted(window.people - insured - not_asked)
    forgone = tuple(passed) if table.settings.forgo == "round" else ()
    paragraph = table.irregularities.forgone_insurance.rule if passed else insurance_paragraph(table, "windows")
    return e.InsuranceClosed(window.window, forgone, paragraph, tuple(sorted(not_asked)))
