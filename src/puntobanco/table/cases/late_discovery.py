"""Rounds found wrong after they were settled: put right before the next round begins, later by reading J."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.bets import Payoff, Result, members, payoffs
from puntobanco.coup import Coup, reconstruct
from puntobanco.money import Rounding
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.cards.free_hand import into_free_hand
from puntobanco.table.cards.misdealt import surplus_family
from puntobanco.table.cases.remedies import Case
from puntobanco.table.cases.state import Incident
from puntobanco.table.commands import Command
from puntobanco.table.insurance.repricing import repriced, settled_with
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.events import SettledLine
from puntobanco.table.settlement.lines import lines_of
from puntobanco.table.settlement.resettle import returned, settled_again
from puntobanco.table.settlement.voiding import voided
from puntobanco.table.shoe.state import Shoe
from puntobanco.table.state import PAYING, Round, Table


def find_settled(table: Table, number: int) -> Round:
    """A round of this shoe, or of the one before, that was settled."""
    rounds = (*table.previous, *table.past) if table.phase is not PAYING else table.known_rounds
    found = next((each for each in rounds if each.number == number), None)
    if found is None or not found.settled:
        settled = ", ".join(str(each.number) for each in rounds if each.settled) or "none"
        message = f"round {number} is no settled round of this shoe or the one before; there are {settled}"
        raise Refused("no_round", message, table.cite("round"))
    return found


def check_revealed(table: Table, settled: Round) -> None:
    """Refuse to take other cards for those of a shoe that has shown its order."""
    if table.settings.electronic and not table.of_this_shoe(settled):
        message = f"round {settled.number} came from a shoe whose order is known: those are its cards"
        raise Refused("cards", message, table.cite("initial_deal"))


def check_ruled(table: Table, settled: Round) -> None:
    """Refuse to settle a round again while it waits for a ruling of its own."""
    waiting = next(
        (found for found in table.incidents.values() if found.true_cards and found.round == settled.number), None
    )
    if waiting is not None:
        raise Refused("flagged", f"round {settled.number} waits for a ruling first", waiting.paragraph)
    if not settled.coup.finished:
        message = f"round {settled.number} stands as it was settled: its cards make no finished round"
        raise Refused("flagged", message, table.cite("table_of_play"))


def in_time(table: Table, number: int) -> bool:
    """Whether the next round has not begun: with the call for bets, or with the first card where the book says so."""
    current = table.round
    if current is not None and current.number == number:
        return True
    by_card = table.says("round", "begins") == "first_card"
    begun = current is not None and (not by_card or bool(current.cards))
    return not begun and table.last is not None and number == table.last.number


def report_round(table: Table, command: Command, body: c.ReportRound) -> Sequence[e.Event]:
    """The cards of a settled round as they really left the shoe, in that order."""
    found = find_settled(table, body.round)
    check_revealed(table, found)
    if not body.about.strip():
        raise Refused("bad_amount", "say what was wrong")
    if len(body.cards) < 4 or len(body.cards) > 12:
        raise Refused("cards", "name all cards of the round, in the order they left the shoe")
    if tuple(drawn.card for drawn in found.cards) == body.cards:
        raise Refused("cards", "those are the cards that the round was settled on", table.cite("table_of_play"))
    if any(incident.round == body.round and incident.true_cards for incident in table.incidents.values()):
        raise Refused("already_there", "that round is reported already and waits for a ruling")
    return (found_wrong(table, body.round, body.cards, body.about.strip()),)


def found_wrong(table: Table, number: int, cards: tuple[object, ...], about: str) -> e.IncidentOpened:
    """An incident about a settled round."""
    family = _family(table, number)
    covered = family == "wrong_round" or family in table.book.irregularities
    if family == "wrong_round":
        paragraph = _surplus(table, number, cards) or table.irregularity("wrong_number")
        covered = bool(paragraph)
    else:
        paragraph = table.irregularity(family)
    return e.IncidentOpened(
        table.incidents_so_far + 1,
        family,
        about,
        paragraph or table.book.uncovered.paragraph,
        number,
        true_cards=cards,  # type: ignore[arg-type]
        blocks=in_time(table, number),
        covered=covered,
    )


def _surplus(table: Table, number: int, cards: tuple[object, ...]) -> str:
    """The paragraph of the first card too many, by the hand where it lay; empty where there is none."""
    left_over = reconstruct(cards).left_over  # type: ignore[arg-type]
    if not left_over:
        return ""
    settled, first = find_settled(table, number), len(cards) - len(left_over) + 1
    hand = settled.cards[first - 1].hand if first <= len(settled.cards) else None
    return table.irregularity(surplus_family(table, settled, first, hand))


def _family(table: Table, number: int) -> str:
    if in_time(table, number):
        return "wrong_round"
    return "rectified_late" if table.irregularity("rectified_late") else "late_discovery"


def rectify(case: Case, ruling: r.Rectify) -> Sequence[e.Event]:
    """Dealt again by the Table of Play and settled again; a card that is lacking is drawn while there is time."""
    table, incident = case.table, _late(case)
    settled = find_settled(table, incident.round)
    dealt = reconstruct(incident.true_cards)
    timely, here = in_time(table, incident.round), table.of_this_shoe(settled)
    if here and len(incident.true_cards) - len(settled.cards) > table.shoe.left:
        message = f"the shoe has {table.shoe.left} cards left: not so many can have left it"
        raise Refused("cards", message, table.irregularity("wrong_card_set"))
    if not dealt.coup.finished:
        if not timely or not here or not _can_give(table.shoe, electronic=table.settings.electronic):
            left_out = "" if timely else table.irregularity("rectified_late", 1)
            paragraph = left_out or case.paragraph
            raise Refused("cards", "a card that was due never left the shoe: the round cannot be put right", paragraph)
        reopened = e.RoundReopened(settled.number, incident.true_cards, case.paragraph)
        return (*_called_off(table, settled), reopened, *case.closed)
    rows = repriced(table, settled, dealt.coup)
    lines = lines_of(table, replace(settled_with(table, settled, rows), coup=dealt.coup))
    again = settled_again(table, replace(settled, coup=dealt.coup), lines, case.paragraph, reason=case.reason)
    used = incident.true_cards[: len(incident.true_cards) - len(dealt.left_over)]
    # where the next hand is called for and has not begun, it becomes a Free Hand, be it the last of the shoe
    off = into_free_hand(table) if timely and dealt.left_over else ()
    another = bool(off) or table.shoe.rounds_left != 0
    goes_on = here and not table.shoe.ended and not table.shoe.to_replace
    carried = bool(dealt.left_over) and timely and another and goes_on
    settled_anew = replace(again, cards=used, left_over=dealt.left_over, carried=carried)
    return (*rows, settled_anew, *case.closed, *(off if carried else ()))


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
    return (voided(table, current, table.cite("round"), f"round {settled.number} is played on first"), ended)


def _late(case: Case) -> Incident:
    assert case.incident is not None
    return case.incident


def voided_late(case: Case) -> Sequence[e.Event]:
    """Void after the fact. Side bets decided by the cards properly dealt keep their result where the book says so."""
    table, incident = case.table, _late(case)
    settled = find_settled(table, incident.round)
    dealt = reconstruct(incident.true_cards)
    lines = returned(settled.lines, case.paragraph)
    if incident.family == "rectified_late":
        kept = table.irregularity("rectified_late", 4)
        lines = tuple(_kept(table, line, dealt.coup, kept) for line in lines)
    again = settled_again(table, settled, lines, case.paragraph, void=True, reason=case.reason)
    if table.of_this_shoe(settled) and len(incident.true_cards) - len(settled.cards) <= table.shoe.left:
        # no result, but so many cards are out
        used = len(incident.true_cards) - len(dealt.left_over)
        cards = incident.true_cards[:used]
        again = replace(again, coup=str(dealt.coup), cards=cards, left_over=dealt.left_over)
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
