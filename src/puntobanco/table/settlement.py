"""The result and the money: announcement, takes and pays box by box, confirmations, and a round without result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter

from msgspec.structs import replace

from puntobanco.bets import Result, payoffs
from puntobanco.cards import Side
from puntobanco.insurance import insurance_verdict
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.again import returned, settled_again
from puntobanco.table.commands import Command
from puntobanco.table.events import SettledLine, Transfer
from puntobanco.table.evolve import evolve
from puntobanco.table.ledger import moves
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import Step
from puntobanco.table.standing import original_bet, stakes_stand
from puntobanco.table.state import BANKER, COMMISSION, TRAY, InsuranceWager, Round, Table, about, chips_of, layout_of

LOST = Result.LOST


def _finished(table: Table) -> Round:
    current = table.round
    if current is None or current.settled or current.voided:
        raise Refused("no_round", "there is no round to settle", table.cite("round"))
    if not current.closed or not current.finished or current.window is not None:
        raise Refused("not_finished", "the round is not finished", table.cite("table_of_play"))
    check_clear(table)
    return current


def check_clear(table: Table) -> None:
    """Refuse to go on while an incident waits for a ruling, or players for their options."""
    if incident := table.blocked:
        raise Refused("flagged", f"waits for a ruling: {incident.about}", incident.paragraph)
    if table.round is not None and (options := table.round.options):
        raise Refused("flagged", f"waits for the answer of {', '.join(sorted(options.waiting))}", options.go_on)


def _announced(table: Table, current: Round, called: str = "") -> e.ResultAnnounced:
    coup, winner = current.coup, current.coup.winner
    result = winner.value if winner else "tie"
    paragraph = table.cite("winner" if winner else "tie")
    wrong = called if called != result else ""
    if wrong:
        paragraph = table.irregularity("wrong_call") or paragraph
    return e.ResultAnnounced(coup.player.total, coup.banker.total, result, paragraph, wrong)  # type: ignore[arg-type]


def announce(table: Table, command: Command, body: c.Announce) -> Sequence[e.Event]:
    """The dealer calls the result; the cards decide, whatever was called."""
    current = _finished(table)
    if current.announced:
        raise Refused("already_there", "the result is announced", table.cite("announcement"))
    return (_announced(table, current, body.result),)


def settle(table: Table, command: Command, body: c.Settle) -> Sequence[e.Event]:
    current = _finished(table)
    if not current.announced:
        raise Refused(
            "not_finished",
            "the result is announced first",
            table.cite("announcement") or table.cite("winner"),
        )
    return _settlement(table, current)


def follow_up(table: Table, now: int) -> Sequence[e.Event]:
    """Announce and settle by itself, as far as the table is set to."""
    current = table.round
    assert current is not None
    steps = table.settings.automated
    if not current.finished or current.window is not None or current.options is not None or table.blocked:
        return ()
    announced: tuple[e.Event, ...] = ()
    if not current.announced:
        if Step.ANNOUNCE not in steps:
            return ()
        announced = (_announced(table, current),)
    return (*announced, *_settlement(table, current)) if Step.SETTLE in steps else announced


def end_round(table: Table, now: int) -> Sequence[e.Event]:
    """Confirm by itself where the table does, and end the round when all boxes are done."""
    current = table.round
    assert current is not None
    if table.blocked:
        return ()
    ended = e.RoundEnded(current.number, table.shoe.discards + len(current.cards))
    if not current.unconfirmed:
        return (ended,)
    if Step.CONFIRM in table.settings.automated:
        return (e.BoxesConfirmed(tuple(sorted(current.unconfirmed))), ended)
    return ()


def _settlement(table: Table, current: Round) -> tuple[e.Event, ...]:
    """Takes and pays, after what stands of bets that nobody noticed in time."""
    events: list[e.Event] = _moved_over(table, current)
    if current.unnoticed and not current.paid:
        events.append(stakes_stand(table, current))
    for event in events:
        table = evolve(table, event)
    current = table.round or current
    if current.paid:
        return (*events, settled_again(table, current, lines_of(table, current), table.cite("table_of_play")))
    return (*events, _settled(table, current))


def _moved_over(table: Table, current: Round) -> list[e.Event]:
    """Insurance that is known to lie in the wrong box is settled where it belongs (tiger-buffalo 5.18)."""
    lying = ((taken.person, taken.box, taken.hand) for taken in current.insurance if taken.misplaced)
    events: list[e.Event] = []
    for person, box, hand in dict.fromkeys(lying):
        paragraph = table.irregularity("insurance_misplaced", 1 if hand is BANKER else 2)
        events.append(e.InsuranceMoved(person, box, hand, paragraph, current.number))
        flag = ("insurance_misplaced", about(person, box, f"{hand.value}_insurance"))
        if flag in table.flags:
            events.append(e.FlagCleared(*flag))
    return events


def _settled(table: Table, current: Round) -> e.RoundSettled:
    lines = lines_of(table, current)
    return e.RoundSettled(current.number, str(current.coup), lines, _transfers(lines))


def lines_of(table: Table, current: Round) -> tuple[SettledLine, ...]:
    """What every wager comes to: by box in ascending order, and in a box in the order the bets were placed."""
    lines: list[SettledLine] = []
    book, rounding = table.book, table.settings.rounding
    outcome = book.space.outcome_of(current.coup)
    table_of_payoffs = payoffs(book)
    commission = "commission" in book.procedures
    for wager in current.wagers.values():
        person, box, bet, stake = wager.person, wager.box, wager.bet, wager.stake
        verdict = table_of_payoffs[bet].verdict(outcome)
        if verdict.result is LOST:
            lines.append(SettledLine(person, box, bet, stake, LOST, -stake, verdict.paragraph))
        else:
            profit = verdict.profit(stake, rounding)
            # what even money would have paid more on a winning Banker bet
            kept = max(stake - profit, 0) if commission and verdict.odds and book.bets[bet].hand is BANKER else 0
            lines.append(SettledLine(person, box, bet, stake, verdict.result, profit, verdict.paragraph, False, kept))
    won_late: dict[tuple[str, int, Side], int] = defaultdict(int)
    for insurance in current.insurance:
        row = insurance.row
        if insurance.off:
            lines.append(_gone_back(insurance))
            continue
        if insurance.misplaced:
            # as it lies there, until somebody moves it (tiger-buffalo 5.18)
            row = replace(row, hand=insurance.hand, tie_pays=False)
        verdict = insurance_verdict(row, current.coup)
        bet = f"{insurance.hand.value}_insurance"
        stake = insurance.stake
        profit = verdict.profit(stake, rounding)
        if insurance.late and profit > 0:
            # all of it together wins the Original Bet at most, also where its row is another now (tiger-buffalo 5.17.1)
            place = (insurance.person, insurance.box, row.hand)
            profit = min(profit, original_bet(table, current, *place) - won_late[place])
            won_late[place] += profit
        lines.append(
            SettledLine(insurance.person, insurance.box, bet, stake, verdict.result, profit, verdict.paragraph, True)
        )
    lines.sort(key=attrgetter("box"))
    return tuple(lines)


def _gone_back(insurance: InsuranceWager) -> SettledLine:
    """Insurance at no row of the pay table."""
    bet, paragraph = f"{insurance.hand.value}_insurance", insurance.row.paragraph
    return SettledLine(insurance.person, insurance.box, bet, insurance.stake, Result.RETURNED, 0, paragraph, True)


def _transfers(lines: Sequence[SettledLine]) -> tuple[Transfer, ...]:
    """What the lines come to for each person in each box: takes, stakes back, pays, and the commission kept."""
    sums: dict[tuple[int, str], list[int]] = {}
    commission = 0
    for line in lines:
        key = (line.box, line.person)
        each = sums.get(key)
        if each is None:
            each = sums[key] = [0, 0, 0]
        if line.result is LOST:
            each[0] += line.stake
        else:
            each[1] += line.stake
            each[2] += line.profit
            commission += line.commission
    transfers: list[Transfer] = []
    for (_, person), (take, back, pay) in sums.items():
        chips, layout = chips_of(person), layout_of(person)
        if take:
            transfers.append(Transfer(layout, TRAY, take))
        if back:
            transfers.append(Transfer(layout, chips, back))
        if pay:
            transfers.append(Transfer(TRAY, chips, pay))
    if commission:
        transfers.append(Transfer(TRAY, COMMISSION, commission))
    return tuple(transfers)


def confirm(table: Table, command: Command, body: c.Confirm) -> Sequence[e.Event]:
    if table.round is None or body.box not in table.round.unconfirmed:
        raise Refused("confirmations", f"box {body.box} has nothing to confirm", table.cite("round"))
    return (e.BoxesConfirmed((body.box,), body.by_reader),)


def override_confirmation(table: Table, command: Command, body: c.OverrideConfirmation) -> Sequence[e.Event]:
    if table.round is None or not table.round.unconfirmed:
        raise Refused("confirmations", "nothing is left to confirm", table.cite("round"))
    if not body.reason.strip():
        raise Refused("bad_amount", "say why the confirmations are passed over")
    return (e.ConfirmationOverridden(tuple(sorted(table.round.unconfirmed)), body.reason.strip()),)


def void_without_cards(table: Table, now: int) -> Sequence[e.Event]:
    """A round that is due a card from an empty shoe is void."""
    current = table.round
    assert current is not None
    if table.shoe.left or table.carried or current.due is None or current.window is not None:
        return ()
    if table.blocked or current.options is not None:
        return ()
    paragraph = table.irregularity("shoe_empty") or table.book.uncovered.paragraph
    return (voided(table, current, paragraph, "the shoe ran out"),)


def voided(table: Table, current: Round, paragraph: str, reason: str) -> e.RoundVoided | e.RoundSettledAgain:
    """Everything that lies on the layout goes back to whose it is; what was settled before is undone."""
    if current.paid:
        return settled_again(table, current, returned(current.before, paragraph), paragraph, void=True, reason=reason)
    return e.RoundVoided(current.number, paragraph, _all_back(current), reason)


def on_layout(current: Round) -> dict[str, int]:
    """What each person has on the layout, insurance included."""
    amounts: dict[str, int] = defaultdict(int)
    for wager in current.wagers.values():
        amounts[wager.person] += wager.stake
    for insurance in current.insurance:
        amounts[insurance.person] += insurance.stake
    return amounts


def _all_back(current: Round) -> tuple[Transfer, ...]:
    """Everything on the layout to whose it is."""
    return moves(*((layout_of(person), chips_of(person), amount) for person, amount in on_layout(current).items()))


def wagers_off(table: Table) -> tuple[e.FreeHandCalled, ...]:
    """The hand that bets are called for has not begun and becomes a Free Hand, where the book knows it."""
    current = table.round
    if current is None or current.cards or current.free or current.voided or not table.irregularity("free_hand"):
        return ()
    last = table.shoe.rounds_left == 0
    return (e.FreeHandCalled(current.number, table.irregularity("free_hand", 4 if last else 3), _all_back(current)),)
