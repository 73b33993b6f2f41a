"""The table and its round as values, composed of what each concern knows. Nothing here changes; the folds replace."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from puntobanco import roads
from puntobanco.cards import Side, Symbol
from puntobanco.coup import Coup, Hand, sure_third
from puntobanco.rules.model import NO_RANK, Layout, Rank, RuleBook, Window
from puntobanco.rules.policies import FirstCard, Policies
from puntobanco.rules.slots import Irregularities, Procedures
from puntobanco.table.amendments.rulings import AmendingRuling, Amendment, CorrectCard
from puntobanco.table.base import BANKER as BANKER
from puntobanco.table.base import PLAYER as PLAYER
from puntobanco.table.base import Event
from puntobanco.table.bets.state import *
from puntobanco.table.cards.state import *
from puntobanco.table.cases.state import *
from puntobanco.table.cash.accounts import *
from puntobanco.table.cash.state import *
from puntobanco.table.commands import Command
from puntobanco.table.disputes.state import *
from puntobanco.table.insurance.state import *
from puntobanco.table.people.state import *
from puntobanco.table.settings import TableSettings
from puntobanco.table.settlement.events import SettledLine
from puntobanco.table.shoe.state import *
from puntobanco.table.squeeze.state import *


class Phase(Symbol):
    """Where the table stands."""

    CLOSED = "closed"
    IDLE = "idle"
    BETTING = "betting"
    DEALING = "dealing"
    PAYING = "paying"


CLOSED, IDLE, BETTING, DEALING, PAYING = Phase
"""Named once, as the hands are: an enumeration takes a while to find its members in Python 3.11."""


class Round(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A coup with its bets, from the call to the last confirmation."""

    number: int
    until: int
    since: int
    """The version at which it was called."""
    settings: TableSettings
    """The sign as it stood then: limits that change later are not this round's."""
    wagers: Mapping[WagerKey, Wager] = {}
    placements: int = 0
    on_player: int = 0
    on_banker: int = 0
    """All Original Bets on each hand."""
    closed: bool = False
    card_out: bool = False
    """Whether a card left the shoe between the call and the close."""
    found: bool = False
    """Whether bets were found that nobody asked for."""
    unnoticed: bool = False
    """Whether some were found after the close; what stands of them is decided at the settlement."""
    small: frozenset[WagerKey] = frozenset()
    """Bets that were below the minimum before anything else came off, when what stands was decided."""
    counted: frozenset[str] = frozenset()
    """Who had a bet below the minimum settled in it, as it was settled last (reading M)."""
    former: frozenset[str] = frozenset()
    """Who has left the table since it was settled: what was decided on small bets then is of another stay."""
    ruled: dict[WagerKey, Wager] = {}
    """Bets of which somebody has ruled what stands, as they lay before: that stays ruled (reading Y)."""
    laid: Mapping[WagerKey, Wager] = {}
    """The bets as they lay at the close, once it was decided what stands of them."""
    cut_first: bool = False
    """Whether the Cut Card came before any card of the round."""
    cards: tuple[Drawn, ...] = ()
    """In the order in which they are dealt."""
    discarded: tuple[Drawn, ...] = ()
    """Cards that it had no use for, and that went to the discard holder."""
    numbered: int = 0
    """How many numbers the cards of the round have had."""
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
    lines: tuple[SettledLine, ...] = ()
    unconfirmed: frozenset[int] = frozenset()
    unpaid: frozenset[int] = frozenset()
    """Boxes that were not confirmed yet when the round was opened again."""
    free: bool = False
    """Whether it is played without wagers: a Free Hand."""
    simultaneous: frozenset[int] = frozenset()
    """The incidents of cards drawn at once."""
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
    out_when_paid: int = 0
    """How many cards were out when it was opened again: insurance before the next was passed over."""
    sent_back: tuple[SettledLine, ...] = ()
    """Insurance that turned out to be none, or too much, after it was settled: it goes back."""
    waiting: int = 0
    """How many cards were out, and waited for it, when it was called."""
    back: bool = False
    """Whether its cards are back in the shuffler: nobody can lay them out again."""

    def place(self, number: int) -> int:
        """Where the card of that number comes among those dealt, from 1; 0 where it is not there."""
        cards = self.cards
        if 0 < number <= len(cards) and cards[number - 1].number == number:
            return number
        return next((place for place, drawn in enumerate(cards, 1) if drawn.number == number), 0)

    def card(self, number: int) -> Drawn:
        """The card of that number, which is there."""
        return self.cards[self.place(number) - 1]

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
        """Whether no card lies face down."""
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


class JournalStep(msgspec.Struct, frozen=True, gc=False):
    """A command that was carried out, with what it led to."""

    command: Command
    events: tuple[Event, ...]
    waiting: tuple[Drawn, ...] = ()
    """Cards that had left the shoe since the settlement, and waited, when the round was opened again."""


class Journal(msgspec.Struct, frozen=True, gc=False):
    """What is remembered of a live round, so that it can be played again with its record put right."""

    round: int
    start: Table
    """The table right after the close."""
    steps: tuple[JournalStep, ...] = ()
    """What was done since, in order."""
    amendments: tuple[Amendment, ...] = ()
    """Entries of the record that were put right."""


class Table(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A table at one moment: the fold of its events."""

    book: RuleBook
    layout: Layout
    settings: TableSettings
    version: int = 0
    open: bool = False
    people: dict[str, Person] = {}
    seats: dict[int, str] = {}
    """Box → who sits there."""
    balances: Mapping[str, int] = {}
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
    flags: dict[FlagKey, str] = {}
    incidents: dict[int, Incident] = {}
    """Those still open, by number."""
    incidents_so_far: int = 0
    proposals: dict[int, Proposal] = {}
    proposals_so_far: int = 0
    disputes: dict[int, Dispute] = {}
    """Those still open, by number."""
    disputes_so_far: int = 0
    suspects: dict[int, Suspect] = {}
    """Chips and cash that may be counterfeit and are held apart, by number."""
    suspects_so_far: int = 0
    carried: tuple[Drawn, ...] = ()
    """Cards out of the shoe that wait for the next round."""
    past: tuple[Round, ...] = ()
    """The rounds of this shoe that are over."""
    previous: tuple[Round, ...] = ()
    """The rounds of the shoe before: so far back the table reaches."""
    journal: Journal | None = None
    """That of the round in progress, from its close on."""
    journals: dict[int, Journal] = {}
    """Those of the rounds that are over, by number."""

    def journal_of(self, number: int) -> Journal:
        """What is remembered of a live round whose bets were closed."""
        journal = self.journal
        return journal if journal is not None and journal.round == number else self.journals[number]

    @property
    def procedures(self) -> Procedures:
        """Where the table's book says how it is played."""
        return self.book.procedures

    @property
    def irregularities(self) -> Irregularities:
        """Where it says what can go wrong."""
        return self.book.irregularities

    @property
    def policies(self) -> Policies:
        """What its house does."""
        return self.book.policies

    @property
    def phase(self) -> Phase:
        """Idle, betting, dealing, paying or closed."""
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
            if last.place(ruling.number) and last.card(ruling.number).card is not ruling.card:
                return proposal
        return None

    @property
    def in_question(self) -> Proposal | None:
        """What waits for a second person and would put the record of the round in progress right."""
        current = self.round
        if current is None or not self.proposals:
            return None
        asked = (each for each in self.proposals.values() if isinstance(each.ruling, AmendingRuling))
        return next((each for each in asked if each.ruling.round == current.number), None)  # type: ignore[union-attr]

    def of_this_shoe(self, found: Round) -> bool:
        """Whether the cards of the round came from the shoe that is at the table, and are not back in the shuffler."""
        return not found.back and all(each.number != found.number for each in self.previous)

    @property
    def due(self) -> Side | None:
        """The hand that the next card from the shoe is for, as far as can be told; None where it cannot.

        Insurance comes between the two third cards: where it is offered, Banker's waits until Player's lies open.
        """
        current = self.round
        if current is None:
            return None
        insured = self.layout.insurance and not self.terms.no_insurance
        return BANKER if current.banker_follows and not insured else current.due

    @property
    def numbered_cards(self) -> list[tuple[int, Drawn]]:
        """The cards of the round with their numbers; those that wait for the next are counted on."""
        current = self.round
        cards = [(drawn.number, drawn) for drawn in current.cards] if current is not None else []
        return [*cards, *enumerate(self.carried, (current.numbered if current is not None else 0) + 1)]

    @property
    def to_burn(self) -> bool:
        """Whether cards are to be burnt, and still can be: none of a round is out."""
        shoe = self.shoe
        return shoe.burn_due and shoe.drawn == len(self.carried) and not (self.round is not None and self.round.cards)

    @property
    def to_return(self) -> bool:
        """Whether discards are to go back into the shuffler: no card of a round is out."""
        current = self.round
        if not self.settings.shuffler or self.shoe.ended or not self.shoe.discards:
            return False
        if current is not None and (current.cards or current.discarded):
            return False
        # the order that was committed to goes on while a card of it waits
        return not (self.settings.electronic and self.carried)

    @property
    def order_over(self) -> bool:
        """Whether the order that an electronic shoe deals in has served, so that it may be seen."""
        return not self.open or self.shoe.ended or self.to_return

    @property
    def next_is_free(self) -> bool:
        """Whether the next hand is a Free Hand: by a card that waits for it, or by one that shows in the shoe."""
        waiting, shoe = self.carried, self.shoe
        if waiting and any(drawn.free for drawn in waiting):
            return True
        if shoe.shown is None or self.book.policies.first_card_seen.value is not FirstCard.FREE_HAND:
            return False
        return shoe.drawn - len(waiting) <= shoe.shown <= shoe.drawn

    @property
    def blocked(self) -> Incident | None:
        """The first incident that keeps play from going on."""
        if not self.incidents:
            return None
        return next((incident for incident in self.incidents.values() if incident.blocks), None)

    @property
    def out_of_the_ordinary(self) -> bool:
        """Whether an incident is open, or the round goes on otherwise than by bets, cards and a settlement."""
        shoe = self.shoe
        if self.incidents or self.carried or shoe.at_fault or shoe.recount:
            return True
        if self.balances.get(RECEIVABLES):
            return True
        current = self.round
        if current is None:
            return False
        if not current.closed:
            return bool(current.cards or current.discarded)
        if not current.wagers or current.drawn_over or current.paid or current.all_back is not None:
            return True
        # by another row it is only where a card is another than recorded
        return bool(current.insurance) and not self.settings.electronic

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

    def rank_of(self, person: str) -> Rank:
        """Somebody's rank; that of no staff for players and strangers."""
        found = self.people.get(person)
        return self.book.ranks.of(found.rank) if found is not None and found.rank else NO_RANK

    @property
    def boxes(self) -> tuple[int, ...]:
        """By the numbers printed on the layout."""
        return self.layout.printed(self.settings.positions)

    def stack(self, person: str) -> int:
        """Somebody's chips at the table, those on the layout not counted."""
        return self.balances.get(chips_of(person), 0)

    def seated_at(self, box: int) -> Person | None:
        """Who has the box."""
        name = self.seats.get(box)
        return self.people[name] if name is not None else None
