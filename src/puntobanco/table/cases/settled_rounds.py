"""Rounds that are over: which can be looked at, and whether what is found about them comes in time."""

from __future__ import annotations

from collections import Counter

from puntobanco.coup import reconstruct
from puntobanco.rules.policies import LateDiscovery, RoundBegins, Unrepairable
from puntobanco.table import events as e
from puntobanco.table.about import Words
from puntobanco.table.cards.misdealt import surplus_family
from puntobanco.table.cases.incidents import cards_count
from puntobanco.table.refusals import Refused
from puntobanco.table.state import PAYING, Round, Table


def find_settled(table: Table, number: int) -> Round:
    """A round of this shoe, or of the one before, that was settled."""
    rounds = (*table.previous, *table.past) if table.phase is not PAYING else table.known_rounds
    found = next((each for each in rounds if each.number == number), None)
    if found is None or not found.settled:
        raise Refused(
            "no_round.not_settled",
            table.procedures.round.rule,
            round=number,
            rounds=[each.number for each in rounds if each.settled],
        )
    return found


def check_revealed(table: Table, settled: Round) -> None:
    """Refuse to take other cards for those of a shoe that has shown its order."""
    if table.settings.electronic and not table.of_this_shoe(settled):
        raise Refused("cards.revealed", table.procedures.initial_deal.rule, round=settled.number)


def check_live(table: Table, paragraph: str) -> None:
    """Refuse to put the record of an electronic table right: it is what lay on the felt (reading A)."""
    if table.settings.electronic:
        raise Refused("machine_record", paragraph)


def check_ruled(table: Table, settled: Round) -> None:
    """Refuse to settle a round again while it waits for a ruling of its own."""
    waiting = next(
        (found for found in table.incidents.values() if found.true_cards and found.round == settled.number), None
    )
    if waiting is not None:
        raise Refused("flagged.round", waiting.paragraph, round=settled.number)
    if not settled.coup.finished:
        raise Refused("flagged.stands", table.procedures.table_of_play.rule, round=settled.number)


def in_time(table: Table, number: int) -> bool:
    """Whether the next round has not begun: with the call for bets, their close or the first card, as the book says."""
    current = table.round
    if current is not None and current.number == number:
        return True
    begun = current is not None and _begun(table, current)
    return not begun and table.last is not None and number == table.last.number


def _begun(table: Table, current: Round) -> bool:
    """Whether a round that bets were called for has begun by the book."""
    begins = table.policies.round_begins.value
    if begins is RoundBegins.CALL:
        return True
    return bool(current.cards or current.card_out) if begins is RoundBegins.FIRST_CARD else current.closed


def found_wrong(table: Table, number: int, cards: tuple[object, ...], about: Words) -> e.IncidentOpened:
    """An incident about a settled round."""
    family = _family(table, number)
    if family == "wrong_round":
        paragraph = _what_was_wrong(table, number, cards)
    else:
        paragraph = table.irregularities.of(family).main
    return e.IncidentOpened(
        table.incidents_so_far + 1,
        family,
        about,
        paragraph or table.book.uncovered.paragraph,
        number,
        true_cards=cards,  # type: ignore[arg-type]
        blocks=in_time(table, number),
        covered=bool(paragraph),
    )


def number_is_right(cards: tuple[object, ...]) -> bool:
    """Whether so many cards, in that order, are what the Table of Play wants."""
    dealt = reconstruct(cards)  # type: ignore[arg-type]
    return bool(cards) and dealt.coup.finished and not dealt.left_over


def _what_was_wrong(table: Table, number: int, cards: tuple[object, ...]) -> str:
    """A wrong number of cards, cards that changed places, or one that was misread."""
    if not number_is_right(cards):
        return _surplus(table, number, cards) or _lacking(table, cards) or table.irregularities.wrong_number.rule
    if Counter(drawn.card for drawn in find_settled(table, number).cards) != Counter(cards):
        return cards_count(table)
    return table.irregularities.wrong_side.rule or table.policies.unrepairable.paragraph


def _surplus(table: Table, number: int, cards: tuple[object, ...]) -> str:
    """The paragraph of the first card too many, by the hand where it lay; empty where there is none."""
    left_over = reconstruct(cards).left_over  # type: ignore[arg-type]
    if not left_over:
        return ""
    settled, first = find_settled(table, number), len(cards) - len(left_over) + 1
    hand = settled.cards[first - 1].hand if first <= len(settled.cards) else None
    return table.irregularities.of(surplus_family(table, settled, first, hand)).main


def _lacking(table: Table, cards: tuple[object, ...]) -> str:
    """The paragraph by which a lacking card is drawn, where the one on misdeals is about those beyond repair."""
    beyond_repair = table.policies.unrepairable.value is Unrepairable.VOID
    due = beyond_repair and reconstruct(cards).coup.due is not None  # type: ignore[arg-type]
    return table.procedures.table_of_play.rule if due else ""


def _family(table: Table, number: int) -> str:
    if in_time(table, number):
        return "wrong_round"
    rectified = table.policies.late_discovery.value is LateDiscovery.RECTIFY
    return "rectified_late" if rectified else "late_discovery"
