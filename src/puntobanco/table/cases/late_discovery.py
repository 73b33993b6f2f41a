"""Rounds found wrong after they were settled: put right before the next round begins, later by reading J."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from puntobanco.bets import Payoff, Result, members, payoffs
from puntobanco.cards import Card
from puntobanco.coup import Coup, reconstruct
from puntobanco.money import Rounding
from puntobanco.rules.policies import Decided, LeftOver
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About
from puntobanco.table.amendments.folds import amendment_of
from puntobanco.table.amendments.rerun import play_again
from puntobanco.table.cards.free_hand import made_free
from puntobanco.table.cards.state import Drawn
from puntobanco.table.cases.effects import carry_out
from puntobanco.table.cases.remedies import LATE, Case
from puntobanco.table.cases.settled_rounds import check_live, check_revealed, find_settled, found_wrong, in_time
from puntobanco.table.cases.state import Incident
from puntobanco.table.commands import Command
from puntobanco.table.fold_helpers import current_round
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.events import SettledLine
from puntobanco.table.settlement.lines import lines_of
from puntobanco.table.settlement.paying import standing
from puntobanco.table.settlement.resettle import returned, settled_again
from puntobanco.table.settlement.voiding import voided
from puntobanco.table.shoe.state import Shoe
from puntobanco.table.state import Round, Table


def report_round(table: Table, command: Command, body: c.ReportRound) -> Sequence[e.Event]:
    """The cards of a settled round as they really left the shoe, in that order."""
    found = find_settled(table, body.round)
    check_revealed(table, found)
    if not body.about.strip():
        raise Refused("bad_amount.what_happened")
    if len(body.cards) < 4 or len(body.cards) > 12:
        raise Refused("cards.all")
    if tuple(drawn.card for drawn in found.cards) == body.cards:
        raise Refused("cards.same", table.procedures.table_of_play.rule)
    if any(incident.round == body.round and incident.true_cards for incident in table.incidents.values()):
        raise Refused("already_there.reported")
    return (replace(found_wrong(table, body.round, body.cards, body.about.strip()), reported=True),)


def rectify(case: Case, ruling: r.Rectify) -> Sequence[e.Event]:
    """Dealt again by the Table of Play and settled again; a card that is lacking is drawn while there is time."""
    table, incident = case.table, _late(case)
    settled = find_settled(table, incident.round)
    check_live(table, case.paragraph)
    cards = _with_waiting(table, settled, incident.true_cards)
    dealt = reconstruct(cards)
    timely, here = in_time(table, incident.round), table.of_this_shoe(settled)
    if here and len(incident.true_cards) - len(settled.cards) > table.shoe.left:
        raise Refused("cards.left", table.irregularities.wrong_card_set.rule, left=table.shoe.left)
    if not dealt.coup.finished:
        if not timely or not here or not _can_give(table.shoe, electronic=table.settings.electronic):
            left_out = "" if timely else table.irregularities.rectified_late.missing
            paragraph = left_out or case.paragraph
            raise Refused("cards.lacking", paragraph)
        told = e.CardsTold(settled.number, cards)
        anew = e.RoundPlayedAgain(settled.number, str(dealt.coup), (), case.paragraph)
        reopened = e.RoundReopened(settled.number, case.paragraph)
        return (*_called_off(table, settled), told, anew, reopened, *case.closed)
    # where the next hand is called for and has not begun, it becomes a Free Hand, even the last of the shoe
    left_over = table.policies.left_over.value
    unseen = Counter(drawn.card for drawn in table.carried if drawn.card and not drawn.free)  # they stay as they wait
    free = left_over is LeftOver.FREE_HAND and bool(Counter(dealt.left_over) - unseen)
    off = made_free(table) if timely and free else ()
    another = bool(off) or table.shoe.rounds_left != 0
    goes_on = here and not table.shoe.ended and not table.shoe.to_replace
    carried = bool(dealt.left_over) and timely and another and goes_on and left_over is not LeftOver.DISCARD
    told = e.CardsTold(
        settled.number,
        cards,
        dealt.left_over,
        carried,
        free=carried and free,
        face_down=_face_down(table, settled, dealt.left_over),
    )
    journal = table.journal_of(settled.number)
    after = standing(play_again(journal, (*journal.amendments, amendment_of(told))))
    lines = lines_of(after, current_round(after))
    again = settled_again(table, replace(settled, coup=dealt.coup), lines, case.paragraph, reason=case.reason)
    anew = e.RoundPlayedAgain(settled.number, str(dealt.coup), (), case.paragraph)
    return (told, anew, again, *case.closed, *(off if carried else ()))


def _face_down(table: Table, settled: Round, left_over: Sequence[Card]) -> tuple[Card, ...]:
    """Of the cards left over, what lies there and was never turned."""
    hidden = Counter(drawn.card for drawn in (*settled.cards, *table.carried) if drawn.card and not drawn.turned)
    return tuple((Counter(left_over) & hidden).elements())


def _with_waiting(table: Table, settled: Round, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of a round as they really left the shoe, with those it left over that nobody named and that wait."""
    journal = table.journal_of(settled.number)
    keyed = play_again(journal, tuple(each for each in journal.amendments if not isinstance(each, r.TrueCards)))
    # the cards as they were keyed: earlier reports were wrong, and what they told of beyond these never left the shoe
    withdrawn = tuple(drawn.card for drawn in current_round(keyed).cards) == cards
    left = (keyed if withdrawn else play_again(journal, journal.amendments)).carried
    here = table.of_this_shoe(settled)
    if table.carried[: len(left)] != left:
        return _but_drawn_since(cards, settled, table.carried) if here else cards
    if here:
        cards = _but_drawn_since(cards, settled, table.carried[len(left) :], len(left))
    beyond = Counter(cards) - Counter(drawn.card for drawn in settled.cards if drawn.card is not None)
    waiting = (drawn.card for drawn in left if drawn.card is not None)
    return (*cards, *(Counter(waiting) - beyond).elements())


def _but_drawn_since(
    cards: tuple[Card, ...], settled: Round, since: Sequence[Drawn], left: int = 0
) -> tuple[Card, ...]:
    """Without those at the end that were drawn after the round and wait: a card is in one place, and they are there.

    Where the round lacks one of them it is dealt to it, as whatever waits is when a card is due.
    """
    known = [drawn.card for drawn in since if drawn.turned]
    for more in range(min(len(cards) - len(settled.cards) - left, len(known)), 0, -1):
        if list(cards[-more:]) == known[:more]:
            return cards[:-more]
    return cards


def _can_give(shoe: Shoe, *, electronic: bool) -> bool:
    """Whether a card that lacks can be drawn: also from a shoe that is over, but still there and sound."""
    return not shoe.ended or (shoe.left > 0 and not shoe.at_fault and not electronic)


def _called_off(table: Table, settled: Round) -> Sequence[e.Event]:
    """Bets that are called for a round which has not begun go back: the one before it is played on first."""
    current = table.round
    if current is None or current.number == settled.number:
        return ()
    ended = e.RoundEnded(current.number, table.shoe.discards)
    if current.voided:
        return (ended,)
    return (
        voided(table, current, table.procedures.round.rule, About.of("played_first", round=settled.number)),
        ended,
    )


def _late(case: Case) -> Incident:
    assert case.incident is not None
    return case.incident


def voided_late(case: Case) -> Sequence[e.Event]:
    """Void after the fact. Side bets decided by the cards properly dealt keep their result where the book says so."""
    table, incident = case.table, _late(case)
    settled = find_settled(table, incident.round)
    dealt = reconstruct(incident.true_cards)
    lines = returned(settled.lines, case.paragraph)
    if table.policies.decided_on_late_void.value is Decided.KEPT and incident.family == "rectified_late":
        kept = table.irregularities.rectified_late.kept
        lines = tuple(_kept(table, line, dealt.coup, kept) for line in lines)
    again = settled_again(table, settled, lines, case.paragraph, void=True, reason=case.reason)
    live = not table.settings.electronic and bool(incident.true_cards)
    if live and table.of_this_shoe(settled) and len(incident.true_cards) - len(settled.cards) <= table.shoe.left:
        # no result, but so many cards are out
        told = e.CardsTold(settled.number, incident.true_cards, dealt.left_over)
        anew = e.RoundPlayedAgain(settled.number, str(dealt.coup), (), case.paragraph)
        return (told, anew, replace(again, coup=str(dealt.coup)), *case.closed)
    return (again, *case.closed)


def _kept(table: Table, line: SettledLine, dealt: Coup, paragraph: str) -> SettledLine:
    """A side bet's line, if every way the round could have ended gives it the same result at the same odds."""
    if line.insurance or table.book.bets[line.bet].hand is not None:
        return line
    payoff = payoffs(table.book)[line.bet]
    profit = _certain(payoff, line.stake, table.book.space.reachable(dealt), table.settings.rounding)
    if profit is None:
        return line
    result = Result.WON if profit > 0 else Result.LOST if profit < 0 else Result.RETURNED
    return replace(line, result=result, profit=profit, paragraph=paragraph)


def _certain(payoff: Payoff, stake: int, reachable: int, rounding: Rounding) -> int | None:
    profits = {payoff.verdict(outcome).profit(stake, rounding) for outcome in members(reachable)}
    return profits.pop() if len(profits) == 1 else None


def _void(case: Case, ruling: r.VoidRound) -> Sequence[e.Event]:
    """The round in progress, or one that was found wrong after its settlement."""
    late = case.incident is not None and case.incident.family in LATE
    return voided_late(case) if late else carry_out(case, ruling)


EFFECTS: dict[type[r.Ruling], Callable[[Case, Any], Sequence[e.Event]]] = {r.Rectify: rectify, r.VoidRound: _void}
