"""From the call for bets to the close."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.evolve import evolve
from puntobanco.table.ledger import money, moves
from puntobanco.table.limits import (
    Cutback,
    check_rest,
    check_stake,
    differential_paragraph,
    excesses,
    make_room,
    rejected_at_close,
    whole_steps,
)
from puntobanco.table.people import check_box, find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import Step
from puntobanco.table.settlement import check_clear
from puntobanco.table.shoe import burn_forgotten, check_shoe
from puntobanco.table.state import ABOVE, BANKER, PLAYER, Person, Phase, Round, Table, Wager, about, chips_of, layout_of


def call(table: Table, command: Command, body: c.Call) -> Sequence[e.Event]:
    check_shoe(table)
    if table.round is not None:
        waiting = sorted(table.round.unconfirmed)
        if table.phase is Phase.PAYING and waiting:
            boxes = ", ".join(map(str, waiting))
            raise Refused("confirmations", f"takes and pays are not confirmed at box {boxes}", table.cite("round"))
        raise Refused("round_open", f"round {table.round.number} is not over", table.cite("round"))
    check_clear(table)
    if proposal := table.card_in_question:
        # once the next round has begun it would be an error found late
        message = f"proposal {proposal.number} on a card of round {table.rounds} is to be approved or declined first"
        raise Refused("flagged", message, table.cite("round"))
    if table.shoe.choosing:
        people = ", ".join(sorted(table.shoe.choosing))
        paragraph = table.irregularity("burn_forgotten", 3)
        raise Refused("flagged", f"waits for the choice of {people}: go on with the shoe or not", paragraph)
    called = _called(table, command.at)
    if not table.shoe.burn_due:
        return (called,)
    if table.settings.electronic or not table.to_burn:
        raise Refused("burn", "cards are to be burnt before the first round", table.cite("burn"))
    if table.first_seen and table.irregularity("free_hand"):
        # whether it opens the hand the burn decides: it may take the card that shows
        raise Refused(
            "burn", "the next card was seen: burn before bets are called for", table.irregularity("free_hand")
        )
    # what a dealer calls is called: the burn was forgotten
    return (called, burn_forgotten(table, called.number))


def _called(table: Table, now: int) -> e.RoundCalled:
    return e.RoundCalled(table.rounds + 1, table.cite("call"), now + 1000 * table.settings.countdown)


def follow_up(table: Table, now: int) -> Sequence[e.Event]:
    """An electronic table calls the next round by itself."""
    ready = (
        Step.CALL in table.settings.automated
        and table.phase is Phase.IDLE
        and not table.shoe.ended
        and not table.shoe.burn_due
        and not table.blocked
        and not table.shoe.choosing
    )
    return (_called(table, now),) if ready else ()


def _betting(table: Table, now: int) -> Round:
    """The round while bets are open."""
    if table.round is None:
        raise Refused("no_round", "bets are not called for yet", table.cite("call"))
    if table.round.closed:
        raise Refused("bets_closed", "no more bets", table.irregularity("late_bet") or table.cite("close"))
    if now > table.round.until and table.settings.electronic:
        raise Refused("bets_closed", "the time for bets is over", table.cite("close"))
    _check_held(table, table.round)
    return table.round


HOLDING = ("interruption", "cards_at_fault", "wrong_burn")
"""What can be ruled on while bets are open; the round waits for it (reading X)."""


def _check_held(table: Table, current: Round) -> None:
    """Refuse to go on with the bets of a round that waits for a ruling. Withdrawing is allowed all the same."""
    if not table.incidents:
        return
    for found in table.incidents.values():
        if found.blocks and found.family in HOLDING and found.round == current.number:
            raise Refused("flagged", f"waits for a ruling: {found.about}", found.paragraph)


def place(table: Table, command: Command, body: c.Place) -> Sequence[e.Event]:
    """All of the wagers or none of them."""
    current = _betting(table, command.at)
    person = find_player(table, body.person)
    name, box, wagers = person.id, body.box, body.wagers
    check_box(table, box)
    _check_behind(table, person, box)
    if not wagers:
        raise Refused("bad_amount", "a bet of nothing")
    offered, held = table.layout.bets, current.wagers
    for bet, amount in wagers.items():
        if bet not in offered:
            raise Refused("unknown_bet", f"layout {table.layout.code} does not carry {bet}", table.layout.paragraph)
        if amount < 1:
            raise Refused("bad_amount", "an amount is above zero")
        before = held.get((name, box, bet))
        check_stake(table, bet, before.stake if before else 0, amount)
    total = sum(wagers.values())
    if total > table.stack(name):
        _refuse_funds(table, name, box, wagers)
    cutbacks: list[Cutback] = []
    if table.terms.differential is not None:
        # both hands in one request balance each other: only the net side can exceed
        player, banker = table.on_hands(wagers)
        if player > banker:
            cutbacks = make_room(table, current, name, box, PLAYER, player, banker)
        elif banker > player:
            cutbacks = make_room(table, current, name, box, BANKER, banker, player)
    by = command.actor if command.actor != name else ""
    placed = e.WagersPlaced(
        name,
        box,
        wagers,
        (e.Transfer(chips_of(name), layout_of(name), total),),
        by,
        (by and table.cite("staff_bets")) or table.cite("bet_types"),
    )
    if name in table.absent:
        # staff bet for somebody who asks them to, and so is there (5.16, tiger-buffalo 5.22)
        return (e.CameBack(name), *_with_yields(table, cutbacks, placed))
    return _with_yields(table, cutbacks, placed)


def _with_yields(table: Table, cutbacks: Sequence[Cutback], placed: e.WagersPlaced) -> tuple[e.Event, ...]:
    if not cutbacks and not table.flags:
        return (placed,)
    yielded = [_reduced(table, cutback, "yielded", differential_paragraph(table)) for cutback in cutbacks]
    return (*yielded, placed, *flag_changes(table, (*yielded, placed)))


def _refuse_funds(table: Table, person: str, box: int, wagers: dict[str, int]) -> NoReturn:
    """More than the stack holds; what would fit can be told where it is about one bet."""
    stack = table.stack(person)
    fits = None
    if len(wagers) == 1 and table.round is not None:
        (bet,) = wagers
        before = table.round.wagers.get((person, box, bet))
        fits = whole_steps(table, bet, before.stake if before else 0, stack)
    raise Refused("funds", f"{person} has {money(table, stack)} in chips", fits=fits)


def _check_behind(table: Table, person: Person, box: int) -> None:
    """One bets in one's own box, or behind somebody who sits at another."""
    if person.box == box and person.seated:
        return
    if table.seated_at(box) is None:
        raise Refused("nobody_seated", f"nobody sits at box {box}", table.cite("standing"))


def _reduced(table: Table, cutback: Cutback, why: str, paragraph: str) -> e.WagerReduced:
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


def withdraw(table: Table, command: Command, body: c.Withdraw) -> Sequence[e.Event]:
    """Always allowed before the close, even where it leaves the table over the Differential: that is flagged."""
    if table.round is None or table.round.voided:
        raise Refused("no_round", "there are no bets to withdraw", table.cite("call"))
    current = table.round
    after_cut_card = _cut_card_first(table, current)
    if current.closed and not (after_cut_card and current.untouched):
        raise Refused(
            "bets_closed",
            "no bet may be withdrawn after the close",
            after_cut_card or table.irregularity("late_withdrawal") or table.cite("close"),
        )
    person = find_player(table, body.person)
    wager = current.wagers.get((person.id, body.box, body.bet))
    if wager is None:
        raise Refused("no_wager", f"{person.id} has no bet on {body.bet} in box {body.box}")
    amount = wager.stake if body.amount is None else body.amount
    if not 1 <= amount <= wager.stake:
        raise Refused("bad_amount", f"the bet is {money(table, wager.stake)}", fits=wager.stake)
    check_rest(table, body.bet, wager.stake, amount)
    by = command.actor if command.actor != person.id else ""
    reduced = e.WagerReduced(
        person.id,
        body.box,
        body.bet,
        amount,
        "withdrawn",
        moves((layout_of(person.id), chips_of(person.id), amount)),
        after_cut_card if current.closed else table.cite("close"),
        by,
    )
    # what goes back after the close does not reopen the question of the Differential
    return (reduced,) if current.closed else (reduced, *flag_changes(table, (reduced,)))


def _cut_card_first(table: Table, current: Round) -> str:
    """The paragraph of a Cut Card that is the round's first card in a high-limit area; empty where there is none.

    Until a card is dealt bets may then be withdrawn (5.7.1), afterwards no more (5.7.2): reading K.
    """
    paragraphs = table.book.irregularities.get("cut_card")
    if not paragraphs or not table.settings.high_limit or not current.cut_first:
        return ""
    return paragraphs[1] if not current.cards else paragraphs[2]


def conclude(table: Table, now: int) -> Sequence[e.Event]:
    """A round from which every bet was withdrawn after the Cut Card is concluded; it is not void."""
    current = table.round
    assert current is not None
    if current.wagers or not current.untouched or not _cut_card_first(table, current):
        return ()
    return (e.RoundEnded(current.number, table.shoe.discards),)


OVER, BELOW = "over_differential", "below_minimum"


def flag_changes(table: Table, events: Sequence[e.Event]) -> list[e.Event]:
    """Flag what these events put outside the limits before the close, and clear what they put right."""
    after = table
    for event in events:
        after = evolve(after, event)
    assert after.round is not None
    now = breaches(after, after.round)
    return [
        *(
            e.Flagged(flag, about, paragraph)
            for (flag, about), paragraph in now.items()
            if (flag, about) not in table.flags
        ),
        *(e.FlagCleared(*key) for key in table.flags if key[0] in (OVER, BELOW, ABOVE) and key not in now),
    ]


def breaches(table: Table, current: Round) -> dict[tuple[str, str], str]:
    """What is outside the limits, with its paragraph."""
    over = {
        (OVER, f"box {excess.box}" if excess.box else "table"): differential_paragraph(table)
        for excess in excesses(table, current)
    }
    outside = {
        (flag, about(wager.person, wager.box, wager.bet)): paragraph
        for wager, flag, paragraph, _ in _outside(table, current)
    }
    return over | outside


def _outside(table: Table, current: Round) -> list[tuple[Wager, str, str, int]]:
    """Bets under the minimum or over the maximum, and what must come off; only facts can be, and not at super-six."""
    if not current.found or not table.cite("limits"):
        return []
    found = []
    for wager in current.wagers.values():
        limits = table.terms.limits_of(wager.bet)
        if wager.stake < limits.minimum:
            found.append((wager, BELOW, table.irregularity("below_minimum") or table.cite("limits"), wager.stake))
        elif limits.maximum is not None and wager.stake > limits.maximum:
            found.append((wager, ABOVE, table.cite("limits"), wager.stake - limits.maximum))
    return found


def refuse_balance(table: Table, command: Command, body: c.RefuseBalance) -> Sequence[e.Event]:
    """Nobody who bets less than the maximum can keep others from taking up the balance (3.6)."""
    person = find_player(table, body.person)
    raise Refused("balance", f"{person.id} cannot keep others from betting behind the box", table.cite("balance"))


def close(table: Table, command: Command, body: c.Close) -> Sequence[e.Event]:
    """No more bets; what is still over the Differential is rejected, where the book knows such a limit."""
    current = table.round
    if current is None:
        raise Refused("no_round", "no bets are called for", table.cite("call"))
    if current.closed:
        raise Refused("bets_closed", "the bets are closed already", table.cite("close"))
    _check_held(table, current)
    events: list[e.Event] = []
    if table.flags:
        # no request is granted beyond the limits, so where nothing is flagged nothing is outside them
        for wager, flag, paragraph, amount in _outside(table, current):
            events.append(_reduced(table, Cutback(wager, amount), flag, paragraph))
        for event in events:
            table = evolve(table, event)
        assert table.round is not None
        if table.irregularity("over_differential"):
            rejected = rejected_at_close(table, table.round)
            events += [_reduced(table, cutback, "rejected", differential_paragraph(table)) for cutback in rejected]
        events += [e.FlagCleared(*key) for key in table.flags if key[0] in (OVER, BELOW, ABOVE)]
    return (*events, e.BetsClosed(table.cite("close")))
