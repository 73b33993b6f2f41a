"""Insurance at the table (reading F): when it is offered, to whom, how much, and who has forgone it."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.cards import Side
from puntobanco.coup import Coup
from puntobanco.insurance import find_row, window_of
from puntobanco.money import Odds
from puntobanco.rules.model import Authority, Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.ledger import check_stack, money, moves
from puntobanco.table.people import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import Step
from puntobanco.table.standing import cuts_of
from puntobanco.table.state import BANKER, PLAYER, OpenWindow, Round, Table, about, chips_of, layout_of


def _window_possible(table: Table, current: Round, window: Window) -> bool:
    return (
        window not in current.windows_past
        and not current.paid  # the bets were settled, and nothing is on the layout to insure
        and on_offer_here(table)
        and not (current.waived and window is Window.PLAYER_THIRD)
    )


def on_offer_here(table: Table) -> bool:
    """Whether this table has insurance at all."""
    return table.layout.insurance and not table.settings.no_insurance


def offers_on(table: Table, coup: Coup) -> tuple[e.Offer, ...]:
    """What the open cards let people insure: a row that fits, for those with a bet on that hand."""
    book, current, window = table.book, table.round, window_of(coup)
    if window is None or current is None or book.insurance is None or not _window_possible(table, current, window):
        return ()
    offers = []
    hands = book.original_bets
    player, banker = coup.player.total, coup.banker.total
    for hand, own, other in ((PLAYER, player, banker), (BANKER, banker, player)):
        row = find_row(book, window, hand, own, other)
        if row is None:
            continue
        insured = {
            (each.person, each.box) for each in current.insurance if (each.row.window, each.row.hand) == (window, hand)
        }
        on_it = (wager for wager in current.wagers.values() if hands.get(wager.bet) is hand)
        bets = [wager for wager in on_it if (wager.person, wager.box) not in insured]
        people = dict.fromkeys([wager.person for wager in bets if wager.person not in current.forgone | table.absent])
        if people:
            offers.append(e.Offer(hand, row.odds, own, other, tuple(people)))
    return tuple(offers)


def offers_due(table: Table) -> tuple[e.Offer, ...]:
    """What must be offered now, before the next card."""
    current = table.round
    if current is None or table.book.insurance is None or len(current.cards) < 4 or current.hidden:
        return ()
    if current.window is not None or current.settled or current.voided:
        return ()
    return offers_on(table, current.coup)


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


def follow_up(table: Table, now: int) -> Sequence[e.Event]:
    """Offer by itself where the table does, and close the window when everybody has answered."""
    current = table.round
    assert current is not None
    if table.book.insurance is None:
        return ()
    if current.window is not None:
        return (closing(table, current),) if _all_answered(table, current, current.window) else ()
    waits = table.blocked is not None or current.options is not None
    if Step.OFFER in table.settings.automated and not waits and (offers := offers_due(table)):
        return (_offered(table, offers, now),)
    return ()


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
    offers = offers_due(table)
    if not offers:
        raise Refused("no_insurance", "there is nothing to insure now", _paragraph(table, "windows"))
    return (_offered(table, offers, command.at),)


def _paragraph(table: Table, of: str) -> str:
    if table.settings.no_insurance:
        return table.irregularity("no_insurance")
    return str(getattr(table.book.insurance, of)) if table.book.insurance else ""


def insure(table: Table, command: Command, body: c.Insure) -> Sequence[e.Event]:
    """At most the Original Bet each time; at the longest odds also at most a share of the maximum. No minimum."""
    person = find_player(table, body.person)
    current = table.round
    if current is None or current.window is None:
        if current is not None and person.id in current.forgone and on_offer_here(table):
            raise Refused("forgone", f"{person.id} let insurance pass", table.irregularity("forgone_insurance"))
        raise Refused("no_insurance", "no insurance is on offer", _paragraph(table, "windows"))
    window = current.window
    if not _fits(current, window):
        raise Refused("no_insurance", "the cards are others than it was offered on", _paragraph(table, "windows"))
    if table.settings.electronic and command.at > window.until:
        raise Refused("forgone", "the time for insurance is over", table.irregularity("forgone_insurance"))
    by = "" if command.actor == person.id else command.actor
    offered = window.offer_on(body.hand)
    by_staff = table.rank_of(command.actor) >= Authority.DEALER
    if by_staff and person.id in window.people and (offered is None or person.id not in offered.people):
        return _in_the_wrong_box(table, current, window, body, by)
    if offered is None:
        raise Refused("no_insurance", f"no insurance is on offer for {body.hand.value}", _paragraph(table, "paragraph"))
    if person.id not in offered.people:
        forgone = person.id in current.forgone
        paragraph = table.irregularity("forgone_insurance") if forgone else _paragraph(table, "offer")
        code = "forgone" if forgone else "no_insurance"
        raise Refused(code, f"{person.id} has nothing on {body.hand.value} to insure now", paragraph)
    if person.id in table.absent | current.forgone:
        raise Refused("forgone", f"{person.id} has walked away", table.irregularity("forgone_insurance"))
    if body.amount < 1:
        raise Refused("bad_amount", "an amount is above zero")
    most = most_insurance(table, current, person.id, body.box, body.hand, offered.odds)
    if body.amount > most:
        raise too_much(table, most, late=window.late)
    check_stack(table, person.id, body.amount)
    return (
        e.Insured(
            person.id,
            body.box,
            body.hand,
            body.amount,
            window.window,
            offered.odds,
            offered.own,
            offered.other,
            _paragraph(table, "paragraph"),
            moves((chips_of(person.id), layout_of(person.id), body.amount)),
            by,
        ),
    )


def _fits(current: Round, window: OpenWindow) -> bool:
    """Whether the offer is still for the points on the table, and a card still to be drawn."""
    points = (current.coup.player.total, current.coup.banker.total)
    return window_of(current.coup) is window.window and all(
        (offer.own, offer.other) == (points if offer.hand is PLAYER else points[::-1]) for offer in window.offers
    )


def _in_the_wrong_box(table: Table, current: Round, window: OpenWindow, body: c.Insure, by: str) -> Sequence[e.Event]:
    """Staff put a player's insurance at the other hand: it lies there, flagged, until it is moved (5.18)."""
    right = next(offer for offer in window.offers if body.person in offer.people)
    if body.person in table.absent | current.forgone:
        raise Refused("forgone", f"{body.person} has walked away", table.irregularity("forgone_insurance"))
    if body.amount < 1:
        raise Refused("bad_amount", "an amount is above zero")
    most = most_insurance(table, current, body.person, body.box, right.hand, right.odds)
    if body.amount > most:
        raise too_much(table, most, late=window.late)
    check_stack(table, body.person, body.amount)
    moved = moves((chips_of(body.person), layout_of(body.person), body.amount))
    # the points as seen from where it lies: a row of the pay table fits only the other hand
    own, other, paragraph = right.other, right.own, _paragraph(table, "paragraph")
    return (
        e.Insured(
            body.person, body.box, body.hand, body.amount, window.window, right.odds, own, other, paragraph, moved, by
        ),
        e.Flagged(
            "insurance_misplaced",
            about(body.person, body.box, f"{body.hand.value}_insurance"),
            table.irregularity("insurance_misplaced"),
        ),
    )


def too_much(table: Table, most: int, *, late: bool) -> Refused:
    """The refusal of more insurance than is allowed."""
    paragraph = table.irregularity("insurance_missed", 1) if late else _paragraph(table, "cap")
    return Refused("insurance_cap", f"insurance here is at most {money(table, most)}", paragraph, most)


def most_insurance(table: Table, current: Round, person: str, box: int, hand: Side, odds: Odds) -> int:
    """What may still be insured in the window that is open."""
    window = current.window
    assert window is not None
    return room_in(table, current, window.window, person, box, hand, odds, late=window.late)


def room_in(
    table: Table, current: Round, window: Window, person: str, box: int, hand: Side, odds: Odds, *, late: bool
) -> int:
    """Beside what is insured in a window: the Original Bet of the box, and a share of the maximum per person."""
    book = table.book
    assert book.insurance is not None
    bets = [current.wagers.get((person, box, bet)) for bet, on in book.original_bets.items() if on is hand]
    original = sum(wager.stake for wager in bets if wager)
    if current.unnoticed:
        cuts = cuts_of(table, current)
        original -= sum(
            cut.amount for cut in cuts if (cut.person, cut.box) == (person, box) and _is_on(table, cut, hand)
        )
    taken = [
        insurance
        for insurance in current.insurance
        if insurance.person == person and insurance.row.hand is hand and insurance.row.window is window
    ]
    most = original - sum(insurance.stake for insurance in taken if insurance.box == box)
    if late:
        # the winnings of all that is offered late are capped at the Original Bet (tiger-buffalo 5.17.1)
        all_late = (insurance for insurance in current.insurance if insurance.late)
        of_it = [each for each in all_late if (each.person, each.box, each.row.hand) == (person, box, hand)]
        wins = sum(insurance.stake * insurance.row.odds.fraction for insurance in of_it)
        most = min(most, (original - wins) // odds.fraction)
    for cap in book.insurance.caps:
        if cap.odds == odds and (ceiling := _ceiling(table, current, hand)) is not None:
            share = ceiling * cap.of_maximum.numerator // cap.of_maximum.denominator
            most = min(most, share - sum(insurance.stake for insurance in taken))
    return max(0, most)


def _is_on(table: Table, cut: e.Cut, hand: Side) -> bool:
    return table.book.original_bets.get(cut.bet) is hand


def _ceiling(table: Table, current: Round, hand: Side) -> int | None:
    """The table's maximum on the hand, or the Differential where there is none."""
    code = next(code for code, on in table.book.original_bets.items() if on is hand)
    maximum, differential = current.settings.limits_of(code).maximum, current.settings.differential
    if maximum is None and differential is not None:
        return differential.limit
    return maximum


def pass_insurance(table: Table, command: Command, body: c.PassInsurance) -> Sequence[e.Event]:
    person = find_player(table, body.person)
    current = table.round
    if current is None or current.window is None or person.id not in current.window.people:
        raise Refused("no_insurance", f"{person.id} is not offered insurance now", _paragraph(table, "windows"))
    if person.id in current.window.answered:
        raise Refused("already_there", f"{person.id} has answered")
    return (e.InsurancePassed(person.id, table.irregularity("forgone_insurance")),)


def close_window(table: Table, command: Command, body: c.CloseInsurance) -> Sequence[e.Event]:
    if table.round is None or table.round.window is None:
        raise Refused("no_insurance", "no insurance is on offer", _paragraph(table, "windows"))
    return (closing(table, table.round),)


def closing(table: Table, current: Round) -> e.InsuranceClosed:
    """The window's end: who was offered insurance and took none has let it pass, for the round where so set."""
    window = current.window
    assert window is not None
    insured = {insurance.person for insurance in current.insurance if insurance.row.window is window.window}
    passed = sorted(window.people - insured)
    forgone = tuple(passed) if table.settings.forgo == "round" else ()
    paragraph = table.irregularity("forgone_insurance") if passed else _paragraph(table, "windows")
    return e.InsuranceClosed(window.window, forgone, paragraph)
