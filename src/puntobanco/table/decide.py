"""``execute(table, command)``: what the rule book makes of a command.

The answer is the table afterwards and the events that led there, or a :class:`Refusal` and nothing changed. Handlers
are grouped by concern in their own modules; this one checks who asks, finds the handler, and takes the steps that the
table is set to take by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from puntobanco.rules.load import find_book
from puntobanco.rules.model import RuleBook, UnknownName
from puntobanco.table import (
    again,
    betting,
    carry,
    cash,
    cover,
    dealing,
    disputes,
    found,
    incidents,
    late,
    missed,
    options,
    people,
    reread,
    rule,
    settlement,
    shoe,
    sign,
    squeeze,
)
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import check_authority
from puntobanco.table.commands import Command
from puntobanco.table.evolve import EVOLVE, new_table
from puntobanco.table.ledger import count_chips, moves
from puntobanco.table.refusals import Refusal, Refused
from puntobanco.table.settings import SettingsError, check_settings
from puntobanco.table.state import CAGE, RECEIVABLES, TRAY, Phase, Table

ENGINE = "2"
"""Which engine this is: counted up when the same command may lead to other events. Every log says which made it."""
FindBook = Callable[[str], RuleBook]
Handler = Callable[[Table, Command, Any], Sequence[e.Event]]

HANDLERS: dict[type[c.Body], Handler] = {
    c.CloseTable: cash.close_table,
    c.SetLimits: sign.set_limits,
    c.SetDifferential: sign.set_differential,
    c.SignOn: people.sign_on,
    c.SignOff: people.sign_off,
    c.Join: people.join,
    c.Leave: people.leave,
    c.BuyIn: cash.buy_in,
    c.CashOut: cash.cash_out,
    c.ChipsIn: cash.chips_in,
    c.ChipsOut: cash.chips_out,
    c.Tip: cash.tip,
    c.RequestFill: cash.request_fill,
    c.SignFill: cash.sign_fill,
    c.CancelFill: cash.cancel_fill,
    c.NewShoe: shoe.new_shoe,
    c.Cut: shoe.cut,
    c.Burn: shoe.burn,
    c.CutCard: shoe.cut_card,
    c.EndShoe: shoe.end_shoe,
    c.Call: betting.call,
    c.Place: betting.place,
    c.Withdraw: betting.withdraw,
    c.RefuseBalance: betting.refuse_balance,
    c.Close: betting.close,
    c.AskSqueeze: squeeze.ask,
    c.AskEarlySqueeze: squeeze.ask_early,
    c.AnswerSqueeze: squeeze.answer,
    c.BarSqueeze: squeeze.bar,
    c.Deal: dealing.deal,
    c.Draw: dealing.draw,
    c.PutCard: dealing.put_card,
    c.Turn: dealing.turn,
    c.OfferInsurance: cover.offer,
    c.Insure: cover.insure,
    c.PassInsurance: cover.pass_insurance,
    c.CloseInsurance: cover.close_window,
    c.Announce: settlement.announce,
    c.Settle: settlement.settle,
    c.Confirm: settlement.confirm,
    c.OverrideConfirmation: settlement.override_confirmation,
    c.FindBet: found.find_bet,
    c.LateChips: found.late_chips,
    c.WalkAway: found.walk_away,
    c.ComeBack: found.come_back,
    c.ReportCards: found.report_cards,
    c.Report: missed.report,
    c.ReportInterruption: incidents.report_interruption,
    c.ReportRound: late.report_round,
    c.MeantToInsure: missed.meant,
    c.Propose: rule.propose,
    c.Approve: rule.approve,
    c.Decline: rule.decline,
    c.TakeOption: options.take,
    c.RaiseDispute: disputes.raise_dispute,
    c.NoteOnDispute: disputes.note,
    c.DecideDispute: disputes.decide,
    c.AnswerDispute: disputes.answer,
}

FOLLOW_UPS: dict[Phase, tuple[Callable[[Table, int], Sequence[e.Event]], ...]] = {
    Phase.CLOSED: (),
    Phase.IDLE: (
        carry.forgotten_for_good,
        carry.shoe_choice,
        shoe.follow_up,
        carry.free_hand,
        betting.follow_up,
    ),
    Phase.BETTING: (found.maximum_kept,),
    Phase.DEALING: (
        found.maximum_kept,
        incidents.bet_gone,
        carry.deal_carried,
        options.follow_up,
        dealing.misdealt,
        reread.follow_up,
        shoe.mark_cut_card,
        betting.conclude,
        missed.passed_over,
        cover.follow_up,
        settlement.follow_up,
        settlement.void_without_cards,
    ),
    Phase.PAYING: (settlement.end_round,),
}
"""Steps that follow by themselves from where the table stands, asked in this order until none has anything to add."""


class Done(msgspec.Struct, frozen=True):
    """A command that was carried out."""

    table: Table
    events: tuple[e.Event, ...]


def execute(table: Table | None, command: Command, books: FindBook = find_book) -> Done | Refusal:
    """Carry a command out, or say why not. ``table`` is None until its opening, for which ``books`` finds the book."""
    try:
        return _open(command, books) if table is None else _execute(table, command)
    except Refused as refused:
        return refused.refusal


def decide(table: Table | None, command: Command, books: FindBook = find_book) -> tuple[e.Event, ...] | Refusal:
    """The events a command leads to, or the refusal."""
    done = execute(table, command, books)
    return done.events if isinstance(done, Done) else done


def refusal(table: Table, command: Command) -> Refusal | None:
    """Why the command would not be granted; None if it would. The page asks this which buttons are live."""
    try:
        _judge(table, command)
    except Refused as refused:
        return refused.refusal
    return None


def _judge(table: Table, command: Command) -> Sequence[e.Event]:
    """What the command itself leads to. Only here is anything refused: the steps that follow are the table's own."""
    body = command.body
    handler = HANDLERS.get(type(body))
    if handler is None:
        raise Refused("table_open", f"table {table.settings.table} is open already")
    if not table.open:
        raise Refused("table_closed", f"table {table.settings.table} is closed")
    check_authority(table, command.actor, body)
    if command.against is not None:
        _check_version(table, command.against)
    return handler(table, command, body)


def _execute(table: Table, command: Command) -> Done:
    found = _judge(table, command)
    happened = tuple(found)
    while True:
        for event in found:
            table = EVOLVE[type(event)](table, event)
        found = _follow_up(table, command.at)
        if not found:
            return Done(table, happened)
        happened += tuple(found)


def _follow_up(table: Table, now: int) -> Sequence[e.Event]:
    if table.balances.get(RECEIVABLES) and (found := again.debt_opened(table)):
        return found
    for step in FOLLOW_UPS[table.phase]:
        if found := step(table, now):
            return found
    return ()


def _check_version(table: Table, against: int) -> None:
    """A command made in an earlier round must not land in this one, nor after it."""
    if against > table.version:
        raise Refused("stale", f"made against version {against}, but the table is at {table.version}")
    latest = table.round or table.last
    if latest is not None and against < latest.since:
        began = f"round {latest.number} began at {latest.since}"
        raise Refused("stale", f"made for an earlier round: version {against}, {began}")


def _open(command: Command, books: FindBook) -> Done:
    body = command.body
    if not isinstance(body, c.OpenTable):
        raise Refused("table_closed", "the table is not open yet")
    check_authority(None, command.actor, body)
    try:
        book = books(body.settings.game)
        check_settings(body.settings, book)
    except (SettingsError, UnknownName) as error:
        raise Refused("bad_settings", str(error)) from error
    amount = count_chips(body.opening_float, body.settings.chips)
    settings = msgspec.structs.replace(body.settings, book_hash=book.hash)
    event = e.TableOpened(settings, body.opening_float, moves((CAGE, TRAY, amount)), ENGINE)
    return Done(new_table(event, book), (event,))
