"""Bets placed, by players or by staff for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.base import BANKER, PLAYER, Transfer
from puntobanco.table.bets.limits import (
    Cutback,
    check_not_begun,
    differential_paragraph,
    make_room,
    refuse_stake,
    room_in_box,
    whole_steps,
)
from puntobanco.table.bets.outside_limits import flag_changes
from puntobanco.table.bets.state import WagerKey
from puntobanco.table.cases.holding import check_bets_held
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.commands import Command
from puntobanco.table.ledger import moves
from puntobanco.table.people.lookup import check_box, find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Round, Table


def _betting(table: Table, now: int) -> Round:
    """The round while bets are open."""
    current = table.round
    if current is None:
        raise Refused("no_round.bets", table.procedures.call.rule)
    if current.closed:
        raise Refused("bets_closed", table.irregularities.late_bet.rule or table.procedures.close.rule)
    if current.card_out:
        check_not_begun(table, current)
    if now > current.until and table.settings.electronic:
        raise Refused("bets_closed.time", table.procedures.close.rule)
    if table.incidents:
        check_bets_held(table, current)
    return current


def place(table: Table, command: Command, body: c.Place) -> Sequence[e.Event]:
    """All of the wagers or none of them."""
    current = _betting(table, command.at)
    person = find_player(table, body.person)
    name, box, wagers = person.id, body.box, body.wagers
    if not (person.box == box and person.seated):
        _check_behind(table, box)
    if not wagers:
        raise Refused("bad_amount.zero")
    carried, lying, terms = table.layout.carries, current.wagers, current.settings
    limits_of, shared = terms.limits_of, terms.maximum_per == "box"
    for bet, amount in wagers.items():
        if bet not in carried:
            raise Refused("unknown_bet", table.layout.paragraph, layout=table.layout.code, bet=bet)
        if amount < 1:
            raise Refused("bad_amount.zero")
        before = lying.get((name, box, bet))
        stake = before.stake if before else 0
        if not limits_of(bet).allow(stake + amount):
            refuse_stake(table, bet, stake, amount)
        if shared:
            _check_box_maximum(table, current, (name, box, bet), stake, amount)
    chips, total = chips_of(name), sum(wagers.values())
    if total > table.balances.get(chips, 0):
        _refuse_funds(table, name, box, wagers)
    cutbacks = _yielding(table, current, name, box, wagers)
    by, rules = command.actor if command.actor != name else "", table.book.procedures
    paragraph = (by and rules.staff_bets.rule) or rules.bet_types.rule
    placed = e.WagersPlaced(name, box, wagers, (Transfer(chips, layout_of(name), total),), by, paragraph)
    if name in table.absent:
        # staff bet for somebody who asks them to, and so is there (5.16, tiger-buffalo 5.22)
        return (e.CameBack(name), *_with_yields(table, cutbacks, placed))
    return _with_yields(table, cutbacks, placed)


def _check_box_maximum(table: Table, current: Round, key: WagerKey, stake: int, amount: int) -> None:
    """Refuse what the maximum of the box does not leave beside the others, with the balance that may be taken up."""
    most = room_in_box(current, *key)
    if most is None or stake + amount <= most:
        return
    _, box, bet = key
    maximum, room = current.settings.limits_of(bet).maximum or 0, max(0, most - stake)
    paragraph = table.procedures.balance.rule or table.procedures.limits.rule or "reading L"
    fits = whole_steps(table, bet, stake, room)
    raise Refused("above_maximum.box", paragraph, fits, bet=bet, box=box, amount=maximum, room=room)


def _yielding(table: Table, current: Round, person: str, box: int, wagers: dict[str, int]) -> list[Cutback]:
    """What must yield to the wagers. Both hands in one request balance each other: only the net side can exceed."""
    differential = current.settings.differential
    if differential is None:
        return []
    player, banker = table.on_hands(wagers)
    ahead = current.on_player + player - current.on_banker - banker
    if differential.scope == "table" and abs(ahead) <= differential.limit:
        return []
    if player > banker:
        return make_room(table, current, person, box, PLAYER, player, banker)
    return make_room(table, current, person, box, BANKER, banker, player) if banker > player else []


def _with_yields(table: Table, cutbacks: Sequence[Cutback], placed: e.WagersPlaced) -> tuple[e.Event, ...]:
    if not cutbacks and not table.flags:
        return (placed,)
    yielded = [chips_back(table, cutback, "yielded", differential_paragraph(table)) for cutback in cutbacks]
    return (*yielded, placed, *flag_changes(table, (*yielded, placed)))


def _refuse_funds(table: Table, person: str, box: int, wagers: dict[str, int]) -> NoReturn:
    """More than the stack holds; what would fit can be told where it is about one bet."""
    stack = table.stack(person)
    fits = None
    if len(wagers) == 1 and table.round is not None:
        (bet,) = wagers
        before = table.round.wagers.get((person, box, bet))
        fits = whole_steps(table, bet, before.stake if before else 0, stack)
    raise Refused("funds.stack", "", fits, person=person, amount=stack)


def _check_behind(table: Table, box: int) -> None:
    """Who does not sit at the box bets behind somebody who does."""
    check_box(table, box)
    if table.seated_at(box) is None:
        raise Refused("nobody_seated", table.procedures.standing.rule, box=box)


def chips_back(table: Table, cutback: Cutback, why: str, paragraph: str) -> e.WagerReduced:
    """The event by which chips go back."""
    wager = cutback.wager
    return e.WagerReduced(
        wager.person,
        wager.box,
        wager.bet,
        cutback.amount,
        why,  # type: ignore[arg-type]
        moves((layout_of(wager.person), chips_of(wager.person), cutback.amount)),
        paragraph,
    )


def refuse_balance(table: Table, command: Command, body: c.RefuseBalance) -> Sequence[e.Event]:
    """Nobody who bets less than the maximum can keep others from taking up the balance (3.6).

    Who bets the maximum leaves none, and cannot keep others from it either where the maximum is each person's own.
    """
    person = find_player(table, body.person)
    wagers = table.round.wagers.values() if table.round is not None else ()
    if any(wager.person == person.id and wager.stake == table.terms.limits_of(wager.bet).maximum for wager in wagers):
        detail = "balance.none" if table.terms.maximum_per == "box" else "balance.maximum"
        raise Refused(detail, table.procedures.limits.rule, person=person.id)
    raise Refused("balance.behind", table.procedures.balance.rule, person=person.id)
