"""``execute(table, command)``: what the rule book makes of a command.

The answer is the table afterwards and the events that led there, or a :class:`Refusal` and nothing changed. Handlers
are grouped by concern in their own modules; this one checks who asks, finds the handler, and takes the steps that the
table is set to take by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from puntobanco.rules.load import find_book
from puntobanco.rules.model import RuleBook, UnknownName
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.amendments import folds as amendment_folds
from puntobanco.table.amendments import handlers as amendments
from puntobanco.table.amendments.journal import remembered
from puntobanco.table.authority import check_authority
from puntobanco.table.bets import calling, found_chips, late_chips, withdrawing
from puntobanco.table.bets import handlers as bets
from puntobanco.table.cards import free_hand, misdealt, waiting
from puntobanco.table.cards import handlers as cards
from puntobanco.table.cases import handlers as cases
from puntobanco.table.cases import options
from puntobanco.table.cases.proposals import can_propose
from puntobanco.table.cash import handlers as cash
from puntobanco.table.cash.accounts import CAGE, TRAY
from puntobanco.table.commands import Command
from puntobanco.table.disputes import handlers as disputes
from puntobanco.table.disputes.procedure import outlives
from puntobanco.table.entry import Entry
from puntobanco.table.folds import FOLDS, new_table
from puntobanco.table.handling import Handler
from puntobanco.table.insurance import handlers as insurance
from puntobanco.table.insurance import missed, offers, repricing
from puntobanco.table.ledger import count_chips, moves
from puntobanco.table.people import handlers as people
from puntobanco.table.refusals import Refusal, Refused
from puntobanco.table.settings import SettingsError, as_the_book_says, check_settings
from puntobanco.table.settlement import commission, confirming, debts, paying, voiding
from puntobanco.table.settlement import handlers as settlement
from puntobanco.table.shoe import choice, cut_card, faults, forgotten_burn, lifetime
from puntobanco.table.shoe import handlers as shoe
from puntobanco.table.squeeze import handlers as squeeze
from puntobanco.table.state import Phase, Table
from puntobanco.table.word import WORDS, by_whose_word

FOLDS.update(amendment_folds.FOLDS)

ENGINE = "3"
"""Which engine this is: counted up when the same command may lead to other events. Every log says which made it."""
FindBook = Callable[[str], RuleBook]
HANDLERS: dict[type[c.Body], Handler] = {
    **cash.HANDLERS,
    **people.HANDLERS,
    **shoe.HANDLERS,
    **bets.HANDLERS,
    **cards.HANDLERS,
    **squeeze.HANDLERS,
    **insurance.HANDLERS,
    **settlement.HANDLERS,
    **cases.HANDLERS,
    **disputes.HANDLERS,
    **amendments.HANDLERS,
}
"""Command → who answers it."""
CHECKS = HANDLERS | {c.Propose: can_propose}
"""Command → who refuses it, where that can be said for less than the answer costs."""

FollowUp = Callable[[Table, int], Sequence[e.Event]]
FOLLOW_UPS: dict[Phase, tuple[FollowUp, ...]] = {
    Phase.CLOSED: (debts.debt_opened,),
    Phase.IDLE: (
        debts.debt_opened,
        faults.flag_surplus,
        forgotten_burn.forgotten_for_good,
        choice.ask_about_shoe,
        lifetime.end_when_over,
        commission.collect_at_end,
        free_hand.call_free_hand,
        calling.call_by_itself,
    ),
    Phase.BETTING: (debts.debt_opened, found_chips.maximum_kept, faults.flag_surplus),
    Phase.DEALING: (
        debts.debt_opened,
        found_chips.maximum_kept,
        late_chips.bet_gone,
        faults.flag_surplus,
        waiting.deal_waiting,
        options.follow_up,
        misdealt.misdealt_after_all,
        misdealt.miscounted,
        repricing.reprice,
        cut_card.mark_cut_card,
        withdrawing.conclude_without_bets,
        missed.passed_over,
        missed.passed_over_when_paid,
        offers.offer_by_itself,
        paying.announce_and_settle,
        voiding.void_without_cards,
    ),
    Phase.PAYING: (debts.debt_opened, faults.flag_surplus, confirming.end_round),
}
"""Steps that follow by themselves from where the table stands, asked in this order until none has anything to add."""
OF_A_CARD = (
    faults.flag_surplus,
    misdealt.misdealt_after_all,
    offers.offer_by_itself,
    paying.announce_and_settle,
    voiding.void_without_cards,
)
USUAL: dict[Phase, dict[type[e.Event], tuple[FollowUp, ...]]] = {
    Phase.CLOSED: {},
    Phase.IDLE: {
        e.RoundEnded: (
            choice.ask_about_shoe,
            lifetime.end_when_over,
            commission.collect_at_end,
            free_hand.call_free_hand,
            calling.call_by_itself,
        ),
    },
    Phase.BETTING: {e.RoundCalled: (), e.WagersPlaced: ()},
    Phase.DEALING: {
        e.BetsClosed: (cut_card.mark_cut_card, voiding.void_without_cards),
        e.CardsDealt: (faults.flag_surplus, cut_card.mark_cut_card, *OF_A_CARD[2:]),  # each where it is due
        e.CardDrawn: OF_A_CARD,
        e.CardPut: OF_A_CARD,
        e.CardTurned: OF_A_CARD,
        e.InsuranceOffered: (),
        e.Insured: (voiding.void_without_cards,),
        e.InsuranceClosed: OF_A_CARD[2:],
        e.ResultAnnounced: (paying.announce_and_settle,),
    },
    Phase.PAYING: {e.RoundSettled: (confirming.end_round,), e.BoxesConfirmed: (confirming.end_round,)},
}
"""Of these, what can have something to add after the events of every round, where nothing is out of the ordinary."""


class Done(msgspec.Struct, frozen=True, gc=False):
    """A command that was carried out."""

    table: Table
    events: tuple[e.Event, ...]


def execute(table: Table | None, command: Command, books: FindBook = find_book) -> Done | Refusal:
    """Carry a command out, or say why not. ``table`` is None until its opening, for which ``books`` finds the book.

    >>> from puntobanco.table import HOUSE, Command, TableSettings
    >>> from puntobanco.table.commands import Call, OpenTable
    >>> settings = TableSettings(table="T1", game="super-six", layout="A", positions=6, decks=8)
    >>> opened = execute(None, Command("1", HOUSE, 0, OpenTable(settings)))
    >>> opened.table.version, type(opened.events[0]).__name__
    (1, 'TableOpened')
    >>> execute(opened.table, Command("2", HOUSE, 0, Call())).code
    'no_shoe'
    """
    try:
        if table is None:
            return _open(command, books)
        found = _judge(table, command)
    except Refused as refused:
        return refused.refusal
    before, happened = table, tuple(found)
    while True:
        for event in found:
            table = FOLDS[type(event)](table, event)
        for step in _follow_ups(table, found[-1]):
            if found := step(table, command.at):
                break
        else:
            return Done(remembered(before, command, happened, table), happened)
        happened += tuple(found)


def advance(table: Table | None, entry: Entry, book: RuleBook | None = None) -> Table:
    """The table one entry later, where a command and its events are seen together.

    The first entry is the opening, by its own book or the one given.
    """
    events: Sequence[e.Event] = entry.events
    if table is None:
        opened, *events = events
        assert isinstance(opened, e.TableOpened), "a table's history begins with its opening"
        table = new_table(opened, book or find_book(opened.settings.game))
    before = table
    for event in events:
        table = FOLDS[type(event)](table, event)
    return remembered(before, entry.command, entry.events, table)


def fold(entries: Iterable[Entry], book: RuleBook | None = None) -> Table:
    """A table from its whole log."""
    table: Table | None = None
    for entry in entries:
        table = advance(table, entry, book)
    assert table is not None, "a log has its opening at least"
    return table


def decide(table: Table | None, command: Command, books: FindBook = find_book) -> tuple[e.Event, ...] | Refusal:
    """The events a command leads to, or the refusal."""
    done = execute(table, command, books)
    return done.events if isinstance(done, Done) else done


def refusal(table: Table, command: Command) -> Refusal | None:
    """Why the command would not be granted; None if it would. The page asks this which buttons are live."""
    try:
        _judge(table, command, CHECKS)
    except Refused as refused:
        return refused.refusal
    return None


def _judge(table: Table, command: Command, handlers: Mapping[type[c.Body], Handler] = HANDLERS) -> Sequence[e.Event]:
    """What the command itself leads to. Only here is anything refused: the steps that follow are the table's own."""
    body = command.body
    handler = handlers.get(type(body))
    if handler is None:
        raise Refused("table_open", table=table.settings.table)
    if not table.open and not outlives(table, body):
        raise Refused("table_closed", table=table.settings.table)
    check_authority(table, command.actor, body)
    if command.against is not None:
        _check_version(table, command.against)
    heard = by_whose_word(table, command) if type(body) in WORDS else ()
    return heard or handler(table, command, body)


def _follow_ups(table: Table, latest: e.Event) -> tuple[FollowUp, ...]:
    """The steps that may have something to add where the table stands after its latest event."""
    phase = table.phase
    usual = USUAL[phase].get(type(latest))
    return FOLLOW_UPS[phase] if usual is None or table.out_of_the_ordinary else usual


def _check_version(table: Table, against: int) -> None:
    """A command made in an earlier round must not land in this one, nor after it."""
    if against > table.version:
        raise Refused("stale.future", version=against, now=table.version)
    latest = table.round or table.last
    if latest is not None and against < latest.since:
        raise Refused("stale.earlier", version=against, round=latest.number, since=latest.since)


def _open(command: Command, books: FindBook) -> Done:
    body = command.body
    if not isinstance(body, c.OpenTable):
        raise Refused("table_closed.not_yet")
    check_authority(None, command.actor, body)
    try:
        book = books(body.settings.game)
        check_settings(body.settings, book)
    except (SettingsError, UnknownName) as error:
        raise Refused("bad_settings.invalid", problem=str(error)) from error
    amount = count_chips(body.opening_float, body.settings.chips)
    settings = msgspec.structs.replace(as_the_book_says(body.settings, book), book_hash=book.hash)
    event = e.TableOpened(settings, body.opening_float, moves((CAGE, TRAY, amount)), ENGINE)
    return Done(new_table(event, book), (event,))
