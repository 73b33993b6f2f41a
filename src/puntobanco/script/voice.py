"""Who tells a table's events: amounts, bets and paragraphs as they are said, and turns of phrase that come again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from puntobanco.bets import Result
from puntobanco.cards import Card, Side
from puntobanco.rules.model import USUAL_RANKS, CommissionForm, Rank, RuleBook, Window
from puntobanco.script.notation import format_money, write_chips
from puntobanco.table.about import Words
from puntobanco.table.commands import HOUSE
from puntobanco.table.events import Offer, SettledLine
from puntobanco.table.settings import BetLimits, Differential
from puntobanco.words import Terms, about_words, said


class Told(msgspec.Struct, frozen=True):
    """A sentence, and the paragraph it rests on, cited in full."""

    text: str
    citation: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.citation})" if self.citation else self.text


Said = str | Sequence[str | Told]
"""An event in a sentence, and one more for each part of it that needs its own."""


HOUSE_RULES = {"reading L": "a limit of the house, on which the book is silent"}
"""What stands in the place of a paragraph where the book has none."""


class Speaker(msgspec.Struct, frozen=True):
    """Knows the names of the bets and how amounts are written."""

    book: RuleBook | None
    digits: int

    def cite(self, paragraph: str) -> str:
        """A paragraph as it is quoted everywhere; a reading is nobody's paragraph, and is told in words."""
        if paragraph.startswith("reading "):
            return HOUSE_RULES.get(paragraph, "the house's reading of the book")
        if not paragraph or self.book is None:
            return paragraph
        return self.book.cite(paragraph)

    def rank(self, code: str) -> Rank:
        """A rank of the book; of the usual ladder where the book is not known."""
        return (self.book.ranks if self.book else USUAL_RANKS).of(code)

    @property
    def marked(self) -> str:
        """What is said after commission that is not taken at once."""
        return " marked" if self.book and self.book.commission.form is CommissionForm.MARKED else ""

    def money(self, amount: int) -> str:
        return format_money(amount, self.digits)

    def signed(self, amount: int) -> str:
        return f"+{self.money(amount)}" if amount > 0 else self.money(amount)

    def bet(self, code: str) -> str:
        if code in ("player_insurance", "banker_insurance"):
            return f"insurance on {code.removesuffix('_insurance').title()}"
        bet = self.book.bets.get(code) if self.book else None
        return bet.name if bet else code

    def wager(self, person: str, box: int, bet: str) -> str:
        return f"{person}'s {self.bet(bet)} in box {box}"

    def family(self, code: str) -> str:
        """What went wrong, in the middle of a sentence."""
        name = said("family", code, "en", Terms())
        return name[:1].lower() + name[1:]

    def about(self, about: Words) -> str:
        """What somebody wrote, or what the table says by itself."""
        return about_words(about, "en", Terms(self.book, self.digits))

    def because(self, reason: Words) -> str:
        return f": {self.about(reason)}" if reason else ""

    def chips(self, chips: Mapping[int, int]) -> str:
        return write_chips(chips, self.digits)

    def total(self, chips: Mapping[int, int]) -> str:
        return self.money(sum(value * count for value, count in chips.items()))

    def limits(self, limits: BetLimits) -> str:
        most = f"to {self.money(limits.maximum)}" if limits.maximum is not None else "and above"
        steps = f" in steps of {self.money(limits.step)}" if limits.step > 1 else ""
        return f"{self.money(limits.minimum)} {most}{steps}"

    def differential(self, differential: Differential | None) -> str:
        if differential is None:
            return "none"
        scope = "in each box" if differential.scope == "box" else "over the table"
        return f"{self.money(differential.limit)} {scope}"


# --- turns of phrase

WINDOWS = {Window.FOUR_CARDS: "after four cards", Window.PLAYER_THIRD: "after Player's third card"}


def side(hand: Side) -> str:
    """The name of a hand."""
    return hand.value.title()


def card_words(card: Card | None) -> str:
    """A card in words, seen or not."""
    return str(card) if card else "a card nobody has seen"


def and_words(things: Iterable[str], nothing: str = "nobody") -> str:
    """Things as a list in words: ``ann, bob and cat``."""
    *most, last = list(things) or [nothing]
    return f"{', '.join(most)} and {last}" if most else last


def counted(count: int, noun: str) -> str:
    """A number of things: ``1 card``, ``2 cards``."""
    return f"{count} {noun}{'s' * (count != 1)}"


def numbered(noun: str, plural: str, numbers: Sequence[int]) -> str:
    """``card 3``, ``boxes 1 and 2``."""
    return f"{noun if len(numbers) == 1 else plural} {and_words(map(str, numbers))}"


def who(person: str) -> str:
    """A person's name; the house by its own."""
    return "the House" if person == HOUSE else person


def done_by(person: str, how: str = "put down") -> str:
    """Staff who did it for a player, if somebody did."""
    return f", {how} by {who(person)}" if person else ""


def offer_words(offers: Iterable[Offer]) -> list[str]:
    """Offers of insurance in words."""
    return [
        f"on {side(offer.hand)}, {offer.own} against {offer.other}, at {offer.odds}: {and_words(offer.people)}"
        for offer in offers
    ]


def settled_line(speaker: Speaker, line: SettledLine) -> Told:
    """What became of a wager."""
    stake, name = speaker.money(line.stake), speaker.bet(line.bet)
    said = f"box {line.box}, {line.person}: {stake} {'' if line.insurance else 'on '}{name}"
    if line.result is Result.LOST:
        said += " loses"
    elif line.result is Result.RETURNED:
        said += " goes back"
    else:
        said += f" wins {speaker.money(line.profit)}"
        said += f", commission {speaker.money(line.commission)}{speaker.marked}" if line.commission else ""
    return Told(said, speaker.cite(line.paragraph))


def commission_line(speaker: Speaker, paragraph: str) -> list[Told]:
    """By what paragraph commission is taken, where it is."""
    said = f"commission is {'marked' if speaker.marked else 'kept'}"
    return [Told(said, speaker.cite(paragraph))] if paragraph else []
