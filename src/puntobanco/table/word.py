"""What a person's word may do at each kind of table.

A live table knows what its dealer tells it. A table whose cards come from a committed shoe knows them itself, and one
that does everything by itself also knows its chips: they are money on accounts. There nobody's word makes a card, a
chip or another person's money. What somebody says against that is refused, or heard as an incident for two people and
changes nothing by itself. This one statement feeds the engine, the floor, the documentation and the tests.
"""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.cards import Symbol
from puntobanco.rules.model import NO_RANK
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About, Words
from puntobanco.table.base import HOUSE
from puntobanco.table.cases.incidents import opened
from puntobanco.table.commands import Command
from puntobanco.table.ledger import check_tray
from puntobanco.table.people.lookup import check_bet, check_box, find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import Kind
from puntobanco.table.state import Table


class Word(Symbol):
    """What comes of a command that a person gives."""

    COUNTS = "counts"
    """As the rank allows it."""
    OWN = "own"
    """For that person only, whatever the rank."""
    HEARD = "heard"
    """An incident for two people."""
    CARDS = "cards"
    MONEY = "money"
    STEP = "step"
    """Refused: the shoe has the cards, accounts have the money, or the table does it by itself."""


PLAIN_REPORTS = ("other", "display")
"""What is reported of no card: a note or an incident comes of it at any table."""
NOT_TAKEN = (Word.HEARD, Word.CARDS, Word.MONEY, Word.STEP)
"""What no person's word brings about."""
WORDS: dict[type[c.Body], tuple[Word, Word]] = {
    # the cards are those that the shoe gave
    c.NewShoe: (Word.CARDS, Word.CARDS),
    c.Deal: (Word.CARDS, Word.CARDS),
    c.ReturnCards: (Word.CARDS, Word.CARDS),
    c.CutShoe: (Word.OWN, Word.OWN),
    c.PledgeSeed: (Word.OWN, Word.OWN),
    c.ShowSeed: (Word.OWN, Word.OWN),
    c.CloseSeeds: (Word.STEP, Word.STEP),
    c.Burn: (Word.HEARD, Word.HEARD),
    c.CutCard: (Word.HEARD, Word.HEARD),
    c.ReportCards: (Word.HEARD, Word.HEARD),
    c.Draw: (Word.HEARD, Word.HEARD),
    c.PutCard: (Word.HEARD, Word.HEARD),
    c.Turn: (Word.HEARD, Word.HEARD),
    c.ReportRound: (Word.HEARD, Word.HEARD),
    c.ReportInterruption: (Word.HEARD, Word.HEARD),
    c.Report: (Word.COUNTS, Word.HEARD),
    # chips are money on accounts, which is its owner's; staff may still bet for a player who asks them to
    c.ChipsIn: (Word.COUNTS, Word.MONEY),
    c.ChipsOut: (Word.COUNTS, Word.MONEY),
    c.BuyIn: (Word.COUNTS, Word.OWN),
    c.HoldSuspect: (Word.COUNTS, Word.MONEY),
    c.Tip: (Word.COUNTS, Word.OWN),
    c.FindBet: (Word.COUNTS, Word.HEARD),
    c.LateChips: (Word.COUNTS, Word.HEARD),
    c.WalkAway: (Word.COUNTS, Word.HEARD),
    c.MeantToInsure: (Word.COUNTS, Word.HEARD),
    # the table does it when it is time
    c.Close: (Word.COUNTS, Word.STEP),
    c.OfferInsurance: (Word.COUNTS, Word.STEP),
    c.CloseInsurance: (Word.COUNTS, Word.STEP),
    c.Settle: (Word.COUNTS, Word.STEP),
    c.Announce: (Word.COUNTS, Word.HEARD),
    c.Confirm: (Word.COUNTS, Word.HEARD),
}
"""Command → what a person's word does at a table with an electronic shoe, and at an electronic one. Others count."""


def word_of(kind: Kind, body: c.Body) -> Word:
    """What comes of the command where a person gives it at a table of that kind."""
    if kind is Kind.LIVE or type(body) not in WORDS:
        return Word.COUNTS
    match body:
        case c.Turn(card=None):
            return Word.COUNTS  # no card is named
        case c.Report() if body.what in PLAIN_REPORTS:
            return Word.COUNTS
        case c.BuyIn(source="cash") if kind is Kind.MACHINE:
            return Word.MONEY
    return WORDS[type(body)][kind is Kind.MACHINE]


def by_whose_word(table: Table, command: Command) -> Sequence[e.Event]:
    """Nothing if the word of the command's giver counts; otherwise the incident that it opens, or a refusal."""
    body = command.body
    if command.actor == HOUSE or type(body) not in WORDS:
        return ()
    kind = table.settings.kind
    if kind is Kind.LIVE:
        return ()
    if WORDS[type(body)][kind is Kind.MACHINE] is Word.OWN:
        person: str = body.person  # type: ignore[union-attr]
        if command.actor != person:
            raise Refused("electronic.person", table.procedures.staff_bets.rule, actor=command.actor, person=person)
    match word_of(kind, body):
        case Word.HEARD if table.rank_of(command.actor) is not NO_RANK:
            return _heard(table, command)
        case Word.CARDS:
            raise Refused("cards.electronic", table.procedures.initial_deal.rule)
        case Word.MONEY:
            raise Refused("electronic.money", table.procedures.drop_and_tips.rule)
        case Word.STEP:
            raise Refused("electronic.step", table.procedures.round.rule)
    return ()


def _heard(table: Table, command: Command) -> tuple[e.Event, ...]:
    """The word of a person against the machine's: an incident for two people, which changes nothing by itself."""
    _check_named(table, command.body)
    about = _told(command.body)
    if any((found.family, found.about) == ("other", about) for found in table.incidents.values()):
        raise Refused("already_there.reported")
    return (opened(table, "other", about, blocks=False, reported=True),)


def _check_named(table: Table, body: c.Body) -> None:
    """Refuse what can be about nothing here: nobody, no box or bet of this table, or no chips."""
    match body:
        case c.FindBet() | c.LateChips():
            find_player(table, body.person)
            check_box(table, body.box)
            check_bet(table, body.bet)
            check_tray(table, body.amount)
        case c.WalkAway():
            find_player(table, body.person)
        case c.Confirm():
            check_box(table, body.box)


def _told(body: c.Body) -> Words:
    """What the person says."""
    match body:
        case c.FindBet():
            return About.of("told.found", person=body.person, box=body.box, bet=body.bet, amount=body.amount)
        case c.LateChips(what="placed"):
            return About.of("told.placed", person=body.person, box=body.box, bet=body.bet, amount=body.amount)
        case c.LateChips():
            return About.of("told.withdrawn", person=body.person, box=body.box, bet=body.bet, amount=body.amount)
        case c.Draw():
            return About.of("told.drawn", card=str(body.card or ""), hand=body.hand.value if body.hand else "")
        case c.PutCard():
            return About.of("card.at", number=body.number, hand=body.hand.value)
        case c.Turn():
            return About.of("told.turned", number=body.number, card=str(body.card or ""))
        case c.Burn():
            return About.of("told.burnt", count=len(body.cards))
        case c.CutCard():
            return About.of("told.cut_card")
        case c.ReportRound():
            return About.of("told.round", round=body.round, cards=tuple(map(str, body.cards)), problem=body.about)
        case c.WalkAway():
            return About.of("told.walked", person=body.person)
        case c.MeantToInsure():
            return About.of("told.meant", person=body.person, hand=body.hand.value)
        case c.Announce():
            return About.of("told.called", result=body.result)
        case c.Confirm():
            return About.of("told.paid", box=body.box)
    assert isinstance(body, c.ReportCards | c.ReportInterruption | c.Report)
    return body.about or About.of("told.at_fault")
