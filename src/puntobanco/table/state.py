"""The table as values: people, money, shoe and the round in progress. Nothing here changes; :mod:`evolve` replaces."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from puntobanco import roads
from puntobanco.cards import Card, Side, Symbol
from puntobanco.coup import Coup, Hand, sure_third
from puntobanco.rules.model import Authority, InsuranceRow, Layout, RuleBook, Window
from puntobanco.table.events import Offer, SettledLine
from puntobanco.table.rulings import AnyRuling, CorrectCard
from puntobanco.table.settings import TableSettings

TRAY, COMMISSION, DROP, TIPS = "tray", "commission", "drop", "tips"
CAGE, FLOOR, CASH = "cage", "floor", "cash"
RECEIVABLES = "receivables"
"""Accounts of the table, and of the world outside it."""

ABOVE = "above_maximum"
"""A flag that several modules know: a bet over the maximum."""
WITHDRAWN = "late_withdrawal"
"""The family of bets taken away after the close."""


DELIVERY = "squeeze_delivery"
"""The family of cards handed to the wrong person to squeeze, or the wrong cards."""


def about(person: str, box: int, bet: str) -> str:
    """What a flag on a bet is about."""
    return f"{person} box {box} {bet}"


def chips_of(person: str) -> str:
    """A person's chips at the table."""
    return f"chips:{person}"


def layout_of(person: str) -> str:
    """A person's chips on the layout."""
    return f"layout:{person}"


def account_of(person: str) -> str:
    """A person's money outside the table."""
    return f"account:{person}"


def owed_by(person: str) -> str:
    """What a person owes the House: below zero by as much."""
    return f"owed:{person}"


def held_for(person: str) -> str:
    """Chips that the House keeps for a person who is not at the table."""
    return f"held:{person}"


class Phase(Symbol):
    """Where the table stands."""

    CLOSED = "closed"
    IDLE = "idle"
    BETTING = "betting"
    DEALING = "dealing"
    PAYING = "paying"


PLAYER, BANKER = Side
CLOSED, IDLE, BETTING, DEALING, PAYING = Phase
_NO_RANK = Authority.PLAYER
"""Named once for what is asked all the time: an enumeration takes a while to find its members in Python 3.11."""


class Person(msgspec.Struct, frozen=True, gc=False):
    """Somebody at the table: a player at a box, seated or standing behind it, or staff."""

    id: str
    rank: Authority
    box: int = 0
    seated: bool = False

    @property
    def staff(self) -> bool:
        return self.rank is not _NO_RANK


class Wager(msgspec.Struct, frozen=True, gc=False):
    """One person's chips on a bet in a box. ``order`` tells who came first; a raise is as late as it was made."""

    person: str
    box: int
    bet: str
    stake: int
    order: int
    seated: bool


class InsuranceWager(msgspec.Struct, frozen=True):
    """One person's insurance at a row of the pay table."""

    person: str
    box: int
    hand: Side
    stake: int
    row: InsuranceRow
    points: tuple[int, int] = (0, 0)
    """The points of the hand where it lies and the other's when it was taken."""
    by: str = ""
    """Staff who put it down for the player."""
    off: bool = False
    """Whether no row fits the cards as they really were, or no bet was there to insure: it goes back."""
    late: bool = False
    """Whether it was missed and offered late: what it wins is capped (tiger-buffalo 5.17.1)."""

    @property
    def misplaced(self) -> bool:
        """Whether staff put it at the other hand than the one that it insures (tiger-buffalo 5.18)."""
        return self.hand is not self.row.hand


class Drawn(msgspec.Struct, frozen=True, gc=False):
    """A card that left the shoe: what it is if known, the hand it was put at, whether it lies open."""

    card: Card | None = None
    hand: Side | None = None
    turned: bool = False
    early: bool = False
    """Whether it left the shoe before its round and nobody has seen it: it waits, and is no error of a hand."""
    viewed: bool = False
    """Whether somebody has looked at it while it lies face down."""

    @property
    def seen(self) -> bool:
        return self.turned or self.viewed


class OpenWindow(msgspec.Struct, frozen=True):
    """Insurance on offer, and who has answered."""

    window: Window
    offers: tuple[Offer, ...]
    until: int
    answered: frozenset[str] = frozenset()
    late: bool = False

    @property
    def points(self) -> tuple[int, int]:
        """Player's and Banker's, on which it was offered."""
        offer = self.offers[0]
        return (offer.own, offer.other) if offer.hand is PLAYER else (offer.other, offer.own)

    def offer_on(self, hand: Side) -> Offer | None:
        return next((offer for offer in self.offers if offer.hand is hand), None)

    @property
    def people(self) -> frozenset[str]:
        return frozenset(person for offer in self.offers for person in offer.people)


class Squeeze(msgspec.Struct, frozen=True):
    """A squeeze that was asked for, and the answer when there is one."""

    person: str
    hand: Side
    early: str = ""
    granted: bool | None = None
    after: int = 0
    """Cards that had left the shoe by then: it was asked for too late for these."""

    def covers(self, number: int, hand: Side | None) -> bool:
        """Whether its person turns that card of the hand; one that is to be exposed is the dealer's to turn."""
        return bool(self.granted) and self.early != "expose" and self.hand is hand and number > self.after


class Intention(msgspec.Struct, frozen=True):
    """Insurance that a player had meant to take when none was offered."""

    person: str
    hand: Side
    row: InsuranceRow


class Missed(msgspec.Struct, frozen=True):
    """Insurance that should have been offered, and was not."""

    window: Window
    offers: tuple[Offer, ...]


class Options(msgspec.Struct, frozen=True):
    """Players may go on or take their bets back, and who has not answered yet."""

    waiting: frozenset[str]
    go_on: str
    take_back: str
    all_back: str


WagerKey = tuple[str, int, str]
"""Person, box, bet."""


class Round(msgspec.Struct, frozen=True):
    """A coup with its bets, from the call to the last confirmation."""

    number: int
    until: int
    since: int
    """The version at which it was called."""
    settings: TableSettings
    """The sign as it stood then: limits that change later are not this round's."""
    wagers: dict[WagerKey, Wager] = {}
    placements: int = 0
    on_player: int = 0
    on_banker: int = 0
    """All Original Bets on each hand."""
    closed: bool = False
    found: bool = False
    """Whether bets were found that nobody asked for."""
    unnoticed: bool = False
    """Whether some were found after the close; what stands of them is decided at the settlement."""
    small: frozenset[WagerKey] = frozenset()
    """Bets that were below the minimum before anything else came off, when what stands was decided."""
    former: frozenset[str] = frozenset()
    """Who has left the table since it was settled: what was decided on small bets then is of another stay."""
    laid: dict[WagerKey, Wager] = {}
    """The bets as they lay at the close, once it was decided what stands of them."""
    cut_first: bool = False
    """Whether the Cut Card came before any card of the round."""
    cards: tuple[Drawn, ...] = ()
    hidden: int = 0
    """Cards that lie face down."""
    drawn_over: bool = False
    """Whether insurance may have gone by unseen: a card was drawn after the opening while others lay face down, or
    those before it turned out to be others."""
    coup: Coup = Coup()
    """The open cards as the Table of Play deals them."""
    window: OpenWindow | None = None
    windows_past: frozenset[Window] = frozenset()
    offered: tuple[OpenWindow, ...] = ()
    """Windows that are over, as they were."""
    insurance: tuple[InsuranceWager, ...] = ()
    forgone: frozenset[str] = frozenset()
    waived: bool = False
    squeezes: tuple[Squeeze, ...] = ()
    barred: frozenset[str] = frozenset()
    announced: bool = False
    settled: bool = False
    settled_on: Coup = Coup()
    """The hands of the settlement that stands, whatever its cards turned out to be since."""
    voided: bool = False
    void_paragraph: str = ""
    void_reason: str = ""
    lines: tuple[SettledLine, ...] = ()
    unconfirmed: frozenset[int] = frozenset()
    unpaid: frozenset[int] = frozenset()
    """Boxes that were not confirmed yet when the round was opened again."""
    free: bool = False
    """Whether it is played without wagers: a Free Hand."""
    simultaneous: bool = False
    """Whether cards were drawn at once."""
    options: Options | None = None
    asked: frozenset[int] = frozenset()
    """Incidents for which the options were given."""
    delivered: tuple[Incident, ...] = ()
    """Cards delivered wrongly to be squeezed, where that was put right: options may still be allowed."""
    walked_in: dict[str, int] = {}
    """Chips of each person that came in because more was found on the layout than was in the stack."""
    out: dict[str, str] = {}
    """Who has taken all bets back under options, and the paragraph: nothing more of theirs is at stake."""
    taken_back: tuple[Wager, ...] = ()
    """What went back after the close, under options or otherwise: the Differential is asked for as of the close."""
    all_back: Options | None = None
    """The options under which everybody took the bets back: the round is over, or goes on without money."""
    missed: tuple[Missed, ...] = ()
    intentions: tuple[Intention, ...] = ()
    called: str = ""
    """What the dealer called."""
    before: tuple[SettledLine, ...] = ()
    """What was paid and taken before, where the round is played on after it was settled, or was settled again."""
    paid: bool = False
    """Whether it was settled before, and is played on."""

    @property
    def known(self) -> Coup:
        """What the open cards tell, be others face down among them: what is decided rests on these (reading E)."""
        opening = self.cards[:4]
        if not self.hidden or all(drawn.turned for drawn in opening):
            return self.coup
        player, banker = (
            Hand(tuple(drawn.card for drawn in cards if drawn.turned and drawn.card is not None))
            for cards in (opening[::2], opening[1::2])
        )
        return Coup(player, banker)

    @property
    def untouched(self) -> bool:
        """Whether the bets are closed and no card is out."""
        return self.closed and not self.cards

    @property
    def all_turned(self) -> bool:
        return self.hidden == 0

    @property
    def due(self) -> Side | None:
        """The hand that the next card from the shoe is for, as far as the open cards tell; None where they do not."""
        drawn = len(self.cards)
        if drawn < 4:
            return Side.PLAYER if drawn % 2 == 0 else Side.BANKER
        if self.hidden:
            early = any(squeeze.early and squeeze.granted for squeeze in self.squeezes)
            return Side.BANKER if early and drawn == 5 else None
        return self.coup.due

    @property
    def banker_follows(self) -> bool:
        """Whether Player's third card lies face down, and Banker draws whatever it is."""
        if len(self.cards) != 5 or self.hidden != 1 or self.cards[4].turned:
            return False
        return sure_third(self.coup.player.opening, self.coup.banker.opening)

    @property
    def finished(self) -> bool:
        """Whether all cards of the coup are out and open."""
        return len(self.cards) >= 4 and self.coup.due is None and self.all_turned


class Shoe(msgspec.Struct, frozen=True):
    """The shoe in use. Cards are counted, their order is not known here."""

    number: int = 0
    size: int = 0
    commitment: str = ""
    """What an electronic shoe published about its order."""
    drawn: int = 0
    burnt: int = 0
    burn_due: bool = False
    discards: int = 0
    shown: int | None = None
    """How many cards had left the shoe when the next one was found face up in it; None where none was."""
    rounds: int = 0
    rounds_left: int | None = None
    """After the Cut Card: rounds that may still be called."""
    cut_seen: bool = False
    cut_next: bool = False
    """Whether the Cut Card was seen between rounds: it is the first card of the next."""
    at_fault: bool = False
    to_replace: bool = False
    """Whether the cards are replaced when the round is over."""
    choice_due: bool = False
    """Whether the players are asked after the round if the shoe goes on."""
    choosing: frozenset[str] | None = None
    """Who has not answered that yet; None where nobody is asked."""
    choices: int = 0
    asking: int = 0
    """Of those asked, how many want the cards replaced."""
    ended: bool = True

    @property
    def left(self) -> int:
        return self.size - self.drawn


class Fill(msgspec.Struct, frozen=True):
    """Chips asked for from the cage, or to be sent there, waiting for the second signature."""

    kind: str
    chips: dict[int, int]
    by: str

    @property
    def amount(self) -> int:
        return sum(value * count for value, count in self.chips.items())


class Incident(msgspec.Struct, frozen=True):
    """Something that went wrong and waits for a ruling."""

    number: int
    family: str
    about: str
    paragraph: str
    round: int = 0
    cards: tuple[int, ...] = ()
    true_cards: tuple[Card, ...] = ()
    person: str = ""
    blocks: bool = True
    covered: bool = True
    seen: frozenset[int] = frozenset()
    """The cards that lay open when it was noticed."""
    out: int = 0
    """How many were out then."""


class Proposal(msgspec.Struct, frozen=True):
    """A ruling that waits for approval."""

    number: int
    incident: int
    ruling: AnyRuling
    by: str
    needs: Authority
    paragraph: str
    reason: str


class Dispute(msgspec.Struct, frozen=True):
    """A dispute that is open, and how far it has come."""

    number: int
    person: str
    about: str
    round: int = 0
    escalated: bool = False
    facts: tuple[str, ...] = ()
    surveillance: bool = False
    time_frame: str = ""
    decision: str = ""
    agreed: bool | None = None
    right_told: bool = False


class Reckoning(msgspec.Struct, frozen=True):
    """What the table got and gave beside the play."""

    opening: int = 0
    fills: int = 0
    credits: int = 0


class Table(msgspec.Struct, frozen=True):
    """A table at one moment: the fold of its events."""

    book: RuleBook
    layout: Layout
    settings: TableSettings
    version: int = 0
    open: bool = False
    people: dict[str, Person] = {}
    balances: dict[str, int] = {}
    reckoning: Reckoning = Reckoning()
    fills: dict[str, Fill] = {}
    shoe: Shoe = Shoe()
    round: Round | None = None
    last: Round | None = None
    """The round before: its cards and lines stay on the screens until the next one is over."""
    rounds: int = 0
    results: tuple[roads.Result, ...] = ()
    absent: frozenset[str] = frozenset()
    """Players who walked away from their bets, until they are back or the next round is called."""
    under_minimum: frozenset[str] = frozenset()
    """Players who have had a bet below the minimum settled in this stay (reading M)."""
    flags: dict[tuple[str, str], str] = {}
    incidents: dict[int, Incident] = {}
    """Those still open, by number."""
    incidents_so_far: int = 0
    proposals: dict[int, Proposal] = {}
    proposals_so_far: int = 0
    disputes: dict[int, Dispute] = {}
    """Those still open, by number."""
    disputes_so_far: int = 0
    carried: tuple[Drawn, ...] = ()
    """Cards out of the shoe that wait for the next round."""
    past: tuple[Round, ...] = ()
    """The rounds of this shoe that are over."""
    previous: tuple[Round, ...] = ()
    """The rounds of the shoe before: so far back the table reaches."""

    @property
    def phase(self) -> Phase:
        if not self.open:
            return CLOSED
        current = self.round
        if current is None:
            return IDLE
        if not current.closed and not current.voided:
            return BETTING
        return PAYING if current.settled or current.voided else DEALING

    @property
    def terms(self) -> TableSettings:
        """The settings that hold now: limits set in a round are those of the next."""
        return self.settings if self.round is None else self.round.settings

    @property
    def known_rounds(self) -> tuple[Round, ...]:
        """The rounds that can still be looked at and put right, the one in progress last."""
        rounds = (*self.previous, *self.past)
        return rounds if self.round is None else (*rounds, self.round)

    @property
    def card_in_question(self) -> Proposal | None:
        """What waits for approval and would change a card of the round that was just played."""
        last = self.last
        if last is None or last.voided or self.round is not None:
            return None
        for proposal in self.proposals.values():
            ruling = proposal.ruling
            if not isinstance(ruling, CorrectCard) or ruling.round != last.number:
                continue
            if any(drawn.card is not ruling.card for drawn in last.cards[ruling.number - 1 : ruling.number]):
                return proposal
        return None

    def of_this_shoe(self, found: Round) -> bool:
        """Whether the cards of the round came from the shoe that is at the table."""
        return all(each.number != found.number for each in self.previous)

    def cite(self, procedure: str) -> str:
        """The paragraph of a procedure in this table's book; empty where the book has none."""
        named = self.book.procedures.get(procedure)
        return named.paragraphs[0] if named else ""

    def says(self, procedure: str, setting: str) -> str:
        """The book's own setting for a procedure; empty where it has none."""
        named = self.book.procedures.get(procedure)
        return named.settings.get(setting, "") if named else ""

    def irregularity(self, family: str, item: int = 0) -> str:
        """A paragraph of a family of irregularities in this table's book; the first one where it has no more."""
        named = self.book.irregularities.get(family)
        if not named:
            return ""
        return named[item] if item < len(named) else named[0]

    @property
    def due(self) -> Side | None:
        """The hand that the next card from the shoe is for, as far as can be told; None where it cannot.

        Insurance comes between the two third cards: where it is offered, Banker's waits until Player's lies open.
        """
        current = self.round
        if current is None:
            return None
        insured = self.layout.insurance and not self.settings.no_insurance
        return BANKER if current.banker_follows and not insured else current.due

    @property
    def to_burn(self) -> bool:
        """Whether cards are to be burnt, and still can be: none of a round is out."""
        shoe = self.shoe
        return shoe.burn_due and shoe.drawn == len(self.carried) and not (self.round is not None and self.round.cards)

    @property
    def first_seen(self) -> bool:
        """Whether the next hand would open with cards that were seen, or are left over from a hand."""
        waiting, shoe = self.carried, self.shoe
        if any(drawn.seen or not drawn.early for drawn in waiting):
            return True
        return shoe.shown is not None and shoe.drawn - len(waiting) <= shoe.shown <= shoe.drawn

    @property
    def blocked(self) -> Incident | None:
        """The first incident that keeps play from going on."""
        if not self.incidents:
            return None
        return next((incident for incident in self.incidents.values() if incident.blocks), None)

    def on_hands(self, amounts: Mapping[str, int]) -> tuple[int, int]:
        """What of these amounts by bet is on Player and on Banker."""
        player = banker = 0
        for bet, hand in self.book.original_bets.items():
            if amount := amounts.get(bet):
                if hand is PLAYER:
                    player += amount
                else:
                    banker += amount
        return player, banker

    def rank_of(self, person: str) -> Authority:
        found = self.people.get(person)
        return found.rank if found else Authority.PLAYER

    def stack(self, person: str) -> int:
        return self.balances.get(chips_of(person), 0)

    def seated_at(self, box: int) -> Person | None:
        for person in self.people.values():
            if person.box == box and person.seated:
                return person
        return None
