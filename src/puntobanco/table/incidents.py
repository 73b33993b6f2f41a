"""What went wrong, as it is seen or reported: each incident waits for a ruling, and play waits with it.

The fact is recorded whatever the book says (reading A). Where the book has no paragraph for it, the matter goes to the
person whom the book lets decide what it does not cover.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from msgspec.structs import replace

from puntobanco.bets import decided, sure_to_be_decided
from puntobanco.cards import Side
from puntobanco.coup import OPENING, Coup, reconstruct
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.betting import flag_changes
from puntobanco.table.change import hands_for, open_prefix
from puntobanco.table.commands import Command
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import BetLimits
from puntobanco.table.settlement import voided, wagers_off
from puntobanco.table.shoe import check_shoe
from puntobanco.table.state import DEALING, PAYING, WITHDRAWN, Incident, OpenWindow, Round, Table
from puntobanco.table.state import about as bet_of

ABOUT_CARDS = frozenset(
    {
        "exposed_cards",
        "wrong_side",
        "squeeze_delivery",
        "face_up",
        "simultaneous",
        "simultaneous_in_order",
        "damaged_card",
    }
)
"""What is reported of certain cards."""

IDENTITY = ("damaged_card", "card_mismatch")
"""While one of these waits for a ruling, it is not known what a card is."""


def opened(
    table: Table,
    family: str,
    about: str,
    cards: tuple[int, ...] = (),
    *,
    after: int = 0,
    blocks: bool = True,
    paragraph: str = "",
) -> e.IncidentOpened:
    """An incident of the round in progress; ``after`` others that are opened along with it."""
    covered = family in table.book.irregularities
    return e.IncidentOpened(
        table.incidents_so_far + after + 1,
        family,
        about,
        paragraph or table.irregularity(family) or table.book.uncovered.paragraph,
        table.round.number if table.round else 0,
        cards,
        blocks=blocks,
        covered=covered,
    )


def unruled_maximum(table: Table, limits: BetLimits, stake: int) -> bool:
    """Whether a stake that nobody noticed is over the maximum, and the book does not say what stands of it."""
    covered = table.irregularity("above_maximum_unnoticed") or not table.cite("limits")
    return limits.maximum is not None and stake > limits.maximum and not covered


def cards_count(table: Table) -> str:
    """The paragraph by which the cards on the table decide, and not what was displayed, read or called."""
    return table.irregularity("display") or table.irregularity("wrong_call") or table.cite("table_of_play")


def is_open(table: Table, *families: str) -> bool:
    """Whether an incident of one of these families waits for a ruling."""
    return any(incident.family in families for incident in table.incidents.values())


def dealing(table: Table) -> Round:
    """The round in which cards are out or coming; refused between rounds and while bets are taken."""
    current = table.round
    if current is None or table.phase is PAYING:
        raise Refused("no_round", "no cards are dealt between rounds", table.cite("call"))
    if not current.closed:
        raise Refused("bets_open", "the bets are not closed", table.cite("close"))
    return current


def established(table: Table, coup: Coup, out: int) -> bool:
    """Whether a bet on this table's layout is decided whatever comes (reading E).

    By the cards that are known, or by how many are out: with four something is, be they open or face down.
    """
    if decided(table.book, coup, table.layout).established:
        return True
    return sure_to_be_decided(table.book, table.layout, min(out, len(OPENING)))


def noticed(current: Round, incident: Incident) -> Coup:
    """What the cards told that lay open when the error was noticed, where they lie now (reading E)."""
    cards = tuple(
        drawn if number in incident.seen else replace(drawn, turned=False)
        for number, drawn in enumerate(current.cards, 1)
    )
    hidden = sum(not drawn.turned for drawn in cards)
    return replace(current, cards=cards, hidden=hidden, coup=reconstruct(open_prefix(cards)).coup).known


def game_decided(table: Table, coup: Coup) -> bool:
    """Whether Player, Banker or Tie is settled whatever comes: Hoiana's narrower 'game outcome' (reading E)."""
    space = table.book.space
    reachable = space.reachable(coup)
    return any(not reachable & ~space.where({"winner": (winner,)}) for winner in ("player", "banker", "tie"))


def report(table: Table, command: Command, body: c.Report) -> Sequence[e.Event]:
    """Something that the table cannot see by itself."""
    if not body.about.strip():
        raise Refused("bad_amount", "say what happened")
    about = body.about.strip()
    if body.what == "display":
        paragraph = table.irregularity("display") or table.book.uncovered.paragraph
        return (e.Noted("display", about, paragraph),)
    if body.what == "face_up_in_shoe" and _opens_next(table):
        return _next_shows(table, body, about)
    current = dealing(table)
    _check_cards(table, current, body)
    if body.what == "squeeze_not_delivered" and table.irregularity(body.what):
        return (e.Noted(body.what, about, table.irregularity(body.what)),)
    if any(
        incident.family == body.what and incident.cards == body.cards and incident.round == current.number
        for incident in table.incidents.values()
    ):
        raise Refused("already_there", "that is reported already and waits for a ruling")
    if body.what == "insurance_missed":
        return _never_offered(table, current, about)
    found = opened(table, body.what, about, tuple(body.cards))
    if body.what == "exposed_cards" and table.irregularity("free_hand") and _of_the_hand(current, body.cards):
        return _seen_in_hand(table, found)
    if not body.what.startswith("simultaneous"):
        return (found,)
    return (found, *_between(table, current, body.cards))


def _of_the_hand(current: Round, cards: Sequence[int]) -> bool:
    """Whether all these cards belong to the hand in play: none of them opens the next."""
    return max(cards) <= len(hands_for(current.cards))


def _seen_in_hand(table: Table, found: e.IncidentOpened) -> Sequence[e.Event]:
    """A card of the hand in play was seen before its time: Hoiana knows of that in a hand without a burn alone."""
    if is_open(table, "burn_forgotten") or table.shoe.choice_due:
        played_out = replace(found, paragraph=table.irregularity("burn_forgotten", 2), blocks=False)
        return (played_out, e.IncidentClosed(found.number))
    return (replace(found, paragraph=table.book.uncovered.paragraph, covered=False),)


def _opens_next(table: Table) -> bool:
    """Whether the next card of the shoe is, for all that is known, the first of a hand; where that makes it free."""
    current = table.round
    if not table.irregularity("free_hand"):
        return False
    return current is None or table.phase is not DEALING or not current.cards or current.finished


def _next_shows(table: Table, body: c.Report, about: str) -> Sequence[e.Event]:
    """The first card of the next hand is face up in the shoe: that is a Free Hand, now or when this one is over.

    With the burn still to come it is a card to be burnt, and opens no hand.
    """
    check_shoe(table)
    current, paragraph = table.round, table.irregularity(body.what, 1)
    if body.cards:
        raise Refused("cards", "this is not about certain cards", paragraph)
    if table.shoe.left == 0:
        raise Refused("cards", "the shoe is empty", table.irregularity("shoe_empty"))
    if table.shoe.shown == table.shoe.drawn or (current is not None and current.free and not current.cards):
        raise Refused("already_there", "that is known already", paragraph)
    noted = e.Noted(body.what, about, paragraph)
    return (noted,) if table.to_burn else (noted, *wagers_off(table))


def _never_offered(table: Table, current: Round, about: str) -> Sequence[e.Event]:
    """The table displayed insurance, and the dealer went on without offering it."""
    paragraph = table.irregularity("insurance_missed") or table.book.uncovered.paragraph
    return (*never_answered(current, paragraph), opened(table, "insurance_missed", about))


def never_answered(current: Round, paragraph: str) -> list[e.InsuranceMissed]:
    """Insurance that was displayed, and that somebody neither took nor declined; refused where there is none."""
    missed = [event for window in current.offered if (event := _missed(current, window, paragraph))]
    if not missed:
        raise Refused("no_insurance", "no insurance was displayed that somebody has not answered", paragraph)
    return missed


def _between(table: Table, current: Round, cards: Sequence[int]) -> Sequence[e.Event]:
    """Cards that left the shoe together left no time for the insurance between them: it was missed."""
    before_card = {Window.FOUR_CARDS: 5, Window.PLAYER_THIRD: 6}
    paragraph = table.irregularity("insurance_missed")
    windows = [window for window in current.offered if min(cards) < before_card[window.window] <= max(cards)]
    missed = [event for window in windows if (event := _missed(current, window, paragraph))]
    if not missed:
        return ()
    return (*missed, opened(table, "insurance_missed", "cards drawn at once left no time for insurance", after=1))


def _missed(current: Round, window: OpenWindow, paragraph: str) -> e.InsuranceMissed | None:
    """A window that is over as one that was missed, by those who neither took insurance in it nor declined."""
    insured = {taken.person for taken in current.insurance if taken.row.window is window.window}
    asked = insured | window.answered
    offers = (
        replace(offer, people=tuple(person for person in offer.people if person not in asked))
        for offer in window.offers
    )
    unasked = tuple(offer for offer in offers if offer.people)
    return e.InsuranceMissed(window.window, unasked, paragraph) if unasked and not window.late else None


def _check_cards(table: Table, current: Round, body: c.Report) -> None:
    """The cards that a report names are out, and make sense for it."""
    paragraph = table.irregularity(body.what)
    out = len(current.cards)
    if body.what in ABOUT_CARDS:
        needed = 2 if body.what.startswith("simultaneous") else 1
        if len(body.cards) < needed:
            raise Refused("cards", f"say which cards: {needed} or more", paragraph)
        if body.what == "damaged_card" and len(body.cards) > 1:
            raise Refused("cards", "report each card by itself: each is valued by itself", paragraph)
        if len(set(body.cards)) != len(body.cards):
            raise Refused("cards", "a card is named twice", paragraph)
        for number in body.cards:
            if not 1 <= number <= out:
                raise Refused("cards", f"{out} cards have left the shoe: there is no card {number}", paragraph)
    elif body.cards:
        raise Refused("cards", "this is not about certain cards", paragraph)
    if body.what.startswith("simultaneous") and list(body.cards) != list(range(min(body.cards), max(body.cards) + 1)):
        raise Refused(
            "cards", "cards drawn at once left the shoe one after another: name them in that order", paragraph
        )
    if body.what == "face_up" and not table.settings.face_down:
        raise Refused("cards", "cards are dealt face up at this table", paragraph)
    if body.what == "face_up" and not all(current.cards[number - 1].turned for number in body.cards):
        raise Refused("cards", "a card that was dealt face up lies open: turn it first", paragraph)
    if body.what == "face_up_in_shoe" and not out and not table.irregularity("free_hand"):
        raise Refused("cards", "no card of the hand is out: draw the card, it opens the next hand", paragraph)
    if body.what == "cut_card_not_offered" and not (current.cut_first and table.settings.high_limit and out):
        raise Refused(
            "cards",
            "the Cut Card was not the first card of the round in a high-limit area, or no card is out",
            paragraph,
        )


def bet_gone(table: Table, now: int) -> Sequence[e.Event]:
    """No ruling is needed on a bet that was taken away too late and that does not lie there any more at all."""
    if not table.incidents:
        return ()
    current = table.round
    assert current is not None
    lying = {bet_of(*key) for key in current.wagers}
    return [
        e.IncidentClosed(number)
        for number, incident in table.incidents.items()
        if incident.family == WITHDRAWN and incident.about not in lying
    ]


def report_interruption(table: Table, command: Command, body: c.ReportInterruption) -> Sequence[e.Event]:
    """Reading X: with no card out the bets stand and the time for them starts again; cards intact, play goes on."""
    current = table.round
    if current is None:
        raise Refused("no_round", "no round is in progress: nothing is interrupted", table.cite("round"))
    if not body.about.strip():
        raise Refused("bad_amount", "say what happened")
    about, paragraph = body.about.strip(), table.irregularity("interruption")
    if table.phase is PAYING:
        # the result stands: what is left to take and pay is taken and paid
        established_by = table.irregularity("interruption", 1) or table.cite("round")
        return (e.PlayInterrupted(about, body.lost, established_by, "goes_on"),)
    if not paragraph:
        event = e.PlayInterrupted(about, body.lost, table.book.uncovered.paragraph, "ruling")
        return (event, opened(table, "interruption", about))
    if not current.cards and not current.free:
        until = command.at + 1000 * table.settings.countdown
        again = e.PlayInterrupted(about, body.lost, paragraph, "bets_again", until)
        # what was found after the close can be put right again
        return (again, *flag_changes(table, (again,)))
    if not body.lost:
        return (e.PlayInterrupted(about, False, paragraph, "goes_on"),)
    if established(table, current.known, len(current.cards)):
        return (e.PlayInterrupted(about, True, table.irregularity("interruption", 1), "goes_on"),)
    void = table.irregularity("interruption", 2)
    return (e.PlayInterrupted(about, True, void, "void"), voided(table, current, void, about))


def surplus_family(table: Table, current: Round, number: int, hand: Side | None) -> str:
    """A card too many at that hand: a wrong number of cards where the book has no word for it."""
    if third := third_card_family(table, current, number, hand, None):
        return third
    known = table.book.irregularities
    return "wrong_number" if "excess_cards" not in known and "wrong_number" in known else "excess_cards"


def third_card_family(table: Table, current: Round, number: int, hand: Side | None, due: Side | None) -> str:
    """Hoiana has paragraphs of its own for a third card to a hand that gets none; one due to Player is misplaced."""
    if number < 5 or hand is None or due is Side.PLAYER:
        return ""
    lying = (drawn.hand or side for drawn, side in zip_longest(current.cards[: number - 1], OPENING))
    if sum(side is hand for side in lying) != 2:
        return ""
    family = "third_to_player" if hand is Side.PLAYER else "third_to_banker"
    return family if family in table.book.irregularities else ""
