"""The rules of a game in short, in our own words, each with the paragraph of its book."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from puntobanco.coup import banker_draws
from puntobanco.lab.par_terms import FIRST_CARD, Terms
from puntobanco.rules.model import CommissionForm, RuleBook


class Rule(msgspec.Struct, frozen=True):
    """A rule of the game in short, with its paragraph."""

    topic: str
    words: str
    paragraph: str


def rules_of(book: RuleBook, terms: Terms) -> tuple[Rule, ...]:
    """What decides the figures of the sheet, from the shoe to the settlement."""
    return tuple(Rule(topic, words, _cited(book, name)) for topic, words, name in _rules(book, terms))


def _rules(book: RuleBook, terms: Terms) -> Iterator[tuple[str, str, str]]:
    allowed = book.decks
    span = f"{allowed.least} to {allowed.most}" if allowed.least < allowed.most else str(allowed.least)
    stated = "the book allows" if allowed.paragraph else "the book states no number, the sheet covers"
    yield "Shoe", f"{terms.decks} decks of 52 cards; {stated} {span}", "decks"
    yield "Burn", _burn(terms), "burn"
    yield (
        "Cut Card",
        f"{terms.cut} cards lie behind it. The round in which it appears is the last of the shoe",
        "cut_card",
    )
    yield "Card values", "Ace 1, 2 to 9 their number, ten and pictures 0; suits do not count for points", "card_values"
    yield "Points", "The last digit of the sum of a hand's cards", "point_total"
    yield "Deal", "Two cards to each hand, in turn, Player first", "initial_deal"
    yield "Natural", "8 or 9 points on two cards: neither hand draws", "natural"
    yield (
        "Third cards",
        "Player draws on 0 to 5 and stands on 6 and 7. Banker draws and stands by the Table of Play",
        "table_of_play",
    )
    yield "Result", "The hand with more points wins", "winner"
    yield "Tie", "Equal points; what becomes of each bet stands in its pay lines", "tie"
    if book.commission.form is CommissionForm.AT_ONCE:
        yield "Commission", "Taken of winning Banker bets; the odds of this sheet are after it", "commission"
    elif book.commission.form is CommissionForm.MARKED:
        names = " and ".join(book.bets[code].name for code in book.commission.bets)
        told = f"{float(book.commission.rate):.4g} of what {names} wins, marked and collected later"
        yield "Commission", f"{told}; the odds of this sheet are before it", "commission"
    if book.insurance and (terms.layout is None or terms.layout.insurance):
        yield (
            "Insurance",
            "Offered after four cards and after Player's third card, while a card is still to come, at most the "
            "Original Bet each time. It pays when the insured hand loses",
            "insurance",
        )


def _burn(terms: Terms) -> str:
    if terms.burn == FIRST_CARD:
        return "The first card is shown and burnt, with as many more as it counts; ten for a ten or a picture"
    if not terms.burn:
        return "No cards are burnt"
    return f"{terms.burn} card{'s' * (terms.burn != 1)} unseen before the first round"


def _cited(book: RuleBook, name: str) -> str:
    if name == "decks":
        return book.decks.paragraph
    if name == "insurance":
        return book.insurance.offer if book.insurance else ""
    return book.procedures.of(name).main


def table_of_play() -> tuple[tuple[int, str], ...]:
    """For Banker's 0 to 7 points: draw (D) or stand (S) on Player's third card 0 to 9, and at last without one."""
    thirds = (*range(10), None)
    return tuple(
        # Player's points matter only through the third card: 0 draws one, 6 does not
        (banker, "".join("D" if banker_draws(6 if third is None else 0, banker, third) else "S" for third in thirds))
        for banker in range(8)
    )
