"""What a rule book says, as values. The books are TOML files, which :mod:`puntobanco.rules.load` reads."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from functools import cached_property

import msgspec

from puntobanco.cards import Side, Symbol
from puntobanco.money import ROUND_DOWN, Odds, Rounding
from puntobanco.outcomes import Space, Value, space
from puntobanco.rules.policies import PLAIN, Choice, Policies
from puntobanco.rules.slots import Irregularities, Procedures


class Authority(Symbol):
    """The ranks of our own books, lowest first (reading S). Two of one level differ in name alone."""

    PLAYER = "player", 0
    DEALER = "dealer", 1
    PIT_SUPERVISOR = "pit_supervisor", 2
    DEALER_INSPECTOR = "dealer_inspector", 2
    """Beside the Pit Supervisor at Hoiana (8.1); elsewhere the same as a Pit Supervisor."""
    PIT_MANAGER = "pit_manager", 3
    SHIFT_MANAGER = "shift_manager", 4
    ASSISTANT_DIRECTOR = "assistant_director", 5

    level: int

    def __new__(cls, code: str, level: int) -> Authority:
        rank = object.__new__(cls)
        rank._value_ = code
        rank.level = level
        return rank

    @property
    def title(self) -> str:
        return self.name.replace("_", " ").title()

    def __lt__(self, other: Authority) -> bool:
        return self.level < other.level

    def __le__(self, other: Authority) -> bool:
        return self.level <= other.level

    def __gt__(self, other: Authority) -> bool:
        return self.level > other.level

    def __ge__(self, other: Authority) -> bool:
        return self.level >= other.level


class Window(Symbol):
    """When insurance is offered."""

    FOUR_CARDS = "four_cards"
    PLAYER_THIRD = "player_third"


class Shape(Symbol):
    """How the positions lie before the dealer: round a half-moon, round a long bean, or in a straight row."""

    ARC = "arc"
    BEAN = "bean"
    ROW = "row"


class CardPlaces(Symbol):
    """Where the two hands lie: Player to the left of Banker, or Banker above Player, nearer the dealer."""

    BESIDE = "beside"
    STACKED = "stacked"


class Decks(msgspec.Struct, frozen=True):
    """How many decks the book allows; ``default`` is what we use where nobody says."""

    least: int
    most: int
    default: int
    paragraph: str


class PayLine(msgspec.Struct, frozen=True):
    """A way for a bet to win, and what it pays."""

    odds: Odds
    when: dict[str, tuple[Value, ...]]
    paragraph: str
    name: str = ""


class ReturnLine(msgspec.Struct, frozen=True):
    """A way for a bet to neither win nor lose."""

    when: dict[str, tuple[Value, ...]]
    paragraph: str


class Bet(msgspec.Struct, frozen=True):
    """Something one can bet on. ``hand`` is set for the two Original Bets."""

    code: str
    name: str
    paragraph: str
    pays: tuple[PayLine, ...]
    returns: tuple[ReturnLine, ...] = ()
    hand: Side | None = None
    loses: str = ""
    """The paragraph by which it loses, where that is not the one that defines it."""


class Box(msgspec.Struct, frozen=True, omit_defaults=True):
    """A box of a position: a bet's, or ``player_insurance`` or ``banker_insurance``."""

    bet: str
    width: int = 1
    """Its share of the row."""
    label: str = ""
    """What is printed in it, where that is not the bet's name."""
    chinese: str = ""
    """The Chinese characters printed in it, where the cloth has them."""


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """Boxes side by side, from left to right as the player sees them."""

    boxes: tuple[Box, ...]
    height: int = 1
    """Its share of the position's depth."""
    title: str = ""
    """What is printed over the whole row."""


class Arrangement(msgspec.Struct, frozen=True, omit_defaults=True):
    """The boxes of one position, from the dealer's side to the player's, and which pay tables the cloth shows."""

    rows: tuple[Row, ...]
    printed: tuple[str, ...] = ()


class Geometry(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a layout is drawn. All positions look the same; the first is at the dealer's left, on the players' right."""

    shape: Shape
    numbers: tuple[int, ...]
    """What is printed at the positions, from the first on."""
    rows: tuple[Row, ...]
    """One position, from the dealer's side to the player's."""
    cards: CardPlaces
    printed: tuple[str, ...] = ()
    """The boxes whose pay tables stand in the middle of the cloth, from left to right."""
    language: str = "en"
    """``zh`` where the boxes are printed in Chinese."""


def insurance_box(hand: Side) -> str:
    """What the box for insurance on a hand is called among the bets."""
    return f"{hand.value}_insurance"


class Layout(msgspec.Struct, frozen=True, dict=True):
    """A cloth: which bets it carries, how many positions it may have, and what is known of how it looks."""

    code: str
    name: str
    bets: tuple[str, ...]
    positions: tuple[int, ...]
    paragraph: str
    insurance: bool = False
    language: str = "en"
    arrangement: str = ""
    """The book's arrangement of its boxes; a layout without gets one from :mod:`puntobanco.rules.geometry`."""
    shape: Shape | None = None
    cards: CardPlaces | None = None
    numbers: tuple[int, ...] = ()
    """What is printed at the positions, where that is not 1, 2, 3 and so on."""
    characters: tuple[str, ...] = ()
    """The boxes that show their Chinese name beside the English one."""

    @cached_property
    def carries(self) -> frozenset[str]:
        """Its bets, to look one up."""
        return frozenset(self.bets)

    def printed(self, positions: int) -> tuple[int, ...]:
        """The numbers that the cloth prints at that many positions: boxes are known by them."""
        return (self.numbers or tuple(range(1, positions + 1)))[:positions]

    @property
    def boxes(self) -> tuple[str, ...]:
        """What chips can be put on at a position: the bets, and insurance on either hand."""
        return self.bets + (tuple(map(insurance_box, Side)) if self.insurance else ())


class InsuranceRow(msgspec.Struct, frozen=True):
    """A row of the insurance pay table. ``own`` are the insured hand's points, ``other`` the other hand's."""

    window: Window
    hand: Side
    own: tuple[int, ...]
    other: tuple[int, ...]
    odds: Odds
    paragraph: str
    tie_paragraph: str
    tie_pays: bool = False


class InsuranceCap(msgspec.Struct, frozen=True):
    """At these odds, insurance is also capped at a share of the table's maximum."""

    odds: Odds
    of_maximum: Fraction
    paragraph: str


class Insurance(msgspec.Struct, frozen=True, dict=True):
    """The insurance a book offers, and the paragraphs that say who may take it, when and how much."""

    paragraph: str
    offer: str
    windows: str
    hands: str
    cap: str
    tie: str
    rows: tuple[InsuranceRow, ...]
    caps: tuple[InsuranceCap, ...] = ()

    @cached_property
    def by_points(self) -> dict[tuple[Window, Side, int, int], InsuranceRow]:
        """The row for a window, an insured hand, its points and the other's."""
        return {(row.window, row.hand, own, other): row for row in self.rows for own in row.own for other in row.other}


class Rank(msgspec.Struct, frozen=True):
    """A rank of the house's own ladder. Two of one step have the same authority under different names."""

    code: str
    step: int
    title: str
    paragraph: str = ""

    @property
    def with_article(self) -> str:
        return f"{'an' if self.title[0] in 'AEIOU' else 'a'} {self.title}"

    def __lt__(self, other: Rank) -> bool:
        return self.step < other.step

    def __le__(self, other: Rank) -> bool:
        return self.step <= other.step

    def __gt__(self, other: Rank) -> bool:
        return self.step > other.step

    def __ge__(self, other: Rank) -> bool:
        return self.step >= other.step


NO_RANK = Rank("player", 0, "Player")
"""A player's, below all ranks of the house."""


class Ranks(msgspec.Struct, frozen=True):
    """A book's ranks by their codes, the lowest step first. Players stand below them all."""

    named: dict[str, Rank]

    def of(self, code: str) -> Rank:
        """The rank of that code; a player's where the book has none."""
        return self.named.get(code, NO_RANK)

    def at_least(self, code: str, needed: str) -> bool:
        """Whether somebody of that rank may do what needs the other: a paragraph means the rank it names or above."""
        return self.of(code) >= self.of(needed)

    @property
    def lowest(self) -> Rank:
        """Who deals."""
        return next(iter(self.named.values()), NO_RANK)


class Power(msgspec.Struct, frozen=True):
    """Something that takes a rank, and the paragraph that says so; that rank or above."""

    rank: str
    paragraph: str = ""


class Powers(msgspec.Struct, frozen=True, kw_only=True):
    """Who may do what no remedy says."""

    house: Power
    """Speaks for the House where a paragraph says 'the House' and no rank."""
    manages: Power
    """Corrects what is settled already, sets limits, opens tables, lets debts go."""
    disputes_first: Power
    """Tries to resolve a dispute."""
    disputes_decided: Power
    """Decides it."""
    bars_squeeze: Power | None = None


class AllBack(Choice):
    """What follows when everybody takes the bets back."""

    OVER = "over", "the round is over without a result"
    NEW_SHOE = "new_shoe", "the round is void and the shoe is replaced"
    FREE_HAND = "free_hand", "the hand is played on as a Free Hand"


class OptionsGiven(Choice):
    """When players may take their bets back because of an error."""

    NEVER = "never", "nobody may take a bet back"
    OPEN = "open", "only if no outcome is established"
    UNREPAIRED = "unrepaired", "unless the cards were put right and an outcome is established"
    ALWAYS = "always", "in every case, until the settlement"
    ALLOWED = "allowed", "only if somebody of the rank named allows it"


class Remedy(msgspec.Struct, frozen=True):
    """Who puts an irregularity right, and when the players may take their bets back because of it (reading H)."""

    by: str
    """The code of a rank."""
    options: OptionsGiven = OptionsGiven.NEVER
    given: str = ""
    """The paragraph that gives the options."""
    allowed_by: str = ""
    """The rank that may allow them, where they are given only if somebody allows them."""
    all_back: AllBack = AllBack.OVER
    """What follows when everybody takes them."""
    all_back_decided: AllBack = AllBack.OVER
    """The same where an outcome is established."""


class Uncovered(msgspec.Struct, frozen=True):
    """Who decides what the book does not cover."""

    rank: str
    paragraph: str


class CommissionForm(Choice):
    """How the house takes its share of winning bets."""

    NONE = "none", "it takes none"
    AT_ONCE = "at_once", "the odds are what is left: 0.95 to 1 at five per cent"
    MARKED = "marked", "the bet is paid at its odds; what is owed is marked and collected later"


class Due(Choice):
    """When commission that was marked is collected."""

    END_OF_SHOE = "end_of_shoe", "when the shoe is over"
    LEAVING = "leaving", "when the player leaves the table"


class Commission(msgspec.Struct, frozen=True):
    """The house's share of winning bets."""

    form: CommissionForm = CommissionForm.NONE
    rate: Fraction = Fraction(0)
    bets: tuple[str, ...] = ()
    paragraph: str = ""
    due: tuple[Due, ...] = ()
    rounding: Rounding = ROUND_DOWN
    """How commission that is marked rounds."""


USUAL_RANKS = Ranks(
    {
        rank.value: Rank(rank.value, rank.level, rank.title)
        for rank in Authority
        if rank not in (Authority.PLAYER, Authority.DEALER_INSPECTOR)
    }
)
"""The ladder of a file that has none of its own."""
USUAL_POWERS = Powers(
    house=Power("pit_supervisor"),
    manages=Power("pit_manager"),
    disputes_first=Power("pit_supervisor"),
    disputes_decided=Power("shift_manager"),
)


class RuleBook(msgspec.Struct, frozen=True, dict=True):
    """One game of one rule book, complete."""

    id: str
    title: str
    casino: str
    decks: Decks
    bets: dict[str, Bet]
    layouts: dict[str, Layout]
    arrangements: dict[str, Arrangement] = {}
    chinese: dict[str, str] = {}
    """The Chinese names of boxes."""
    version: str = ""
    in_force: str = ""
    source: str = ""
    currency: str = ""
    """In which tables open unless they say another; empty where the book leaves it to each table."""
    features: tuple[str, ...] = ()
    insurance: Insurance | None = None
    ranks: Ranks = USUAL_RANKS
    authority: Powers = USUAL_POWERS
    uncovered: Uncovered = Uncovered("shift_manager", "")
    procedures: Procedures = Procedures()
    irregularities: Irregularities = Irregularities()
    remedies: dict[str, Remedy] = {}
    policies: Policies = PLAIN
    commission: Commission = Commission()

    @property
    def suited(self) -> bool:
        """Whether the book's bets tell suited pairs from others."""
        return "suited" in self.features

    @property
    def space(self) -> Space:
        """Every way a round can end that its bets tell apart."""
        return space(suited=self.suited)

    @cached_property
    def hash(self) -> str:
        """SHA-256 over everything the book says, independent of how its file is laid out."""
        text = msgspec.json.encode(self, enc_hook=_plain, order="sorted")
        return hashlib.sha256(text).hexdigest()

    @cached_property
    def original_bets(self) -> dict[str, Side]:
        """The codes of the Original Bets, and the hands they are on."""
        return {code: bet.hand for code, bet in self.bets.items() if bet.hand}

    @cached_property
    def deals(self) -> Rank:
        """The rank that deals."""
        return self.ranks.lowest

    @cached_property
    def speaks(self) -> Rank:
        """The rank that speaks for the House."""
        return self.ranks.of(self.authority.house.rank)

    @cached_property
    def manages(self) -> Rank:
        """The rank that corrects what is settled, sets limits, opens tables and lets debts go."""
        return self.ranks.of(self.authority.manages.rank)

    @cached_property
    def decides(self) -> Rank:
        """The rank that decides what the book does not cover."""
        return self.ranks.of(self.uncovered.rank)

    def cite(self, paragraph: str) -> str:
        """A paragraph the way it is quoted everywhere: ``tiger-buffalo 4.2.1``."""
        return f"{self.id} {paragraph}" if paragraph else f"{self.id}, no paragraph"

    def layout(self, code: str | None) -> Layout | None:
        """The layout of that code; None asks for no layout, which is every bet of the book."""
        if code is None:
            return None
        found = self.layouts.get(code.upper())
        if found is None:
            raise UnknownName("layout", code, list(self.layouts), self.title)
        return found

    def menu(self, layout: Layout | None = None) -> tuple[Bet, ...]:
        """The bets on a layout, or all of the book."""
        return tuple(self.bets[code] for code in layout.bets) if layout else tuple(self.bets.values())

    def bet(self, code: str, layout: Layout | None = None) -> Bet:
        """The bet of that code, if the layout carries it."""
        offered = {bet.code: bet for bet in self.menu(layout)}
        if code not in offered:
            where = f"layout {layout.code} of {self.title}" if layout else self.title
            raise UnknownName("bet", code, list(offered), where)
        return offered[code]


def rank_in(book: RuleBook, usual: Authority) -> Rank:
    """The rank in a house with its own ranks that does what this usual rank does."""
    if usual is Authority.PLAYER or usual.value in book.ranks.named:
        return book.ranks.of(usual.value)
    if usual >= Authority.SHIFT_MANAGER:
        return book.decides
    if usual is Authority.PIT_MANAGER:
        return book.manages
    return book.speaks if usual >= Authority.PIT_SUPERVISOR else book.deals


class UnknownName(ValueError):  # noqa: N818 - it reads like what it says
    """A game, layout or bet that is not there."""

    def __init__(self, kind: str, name: str, known: list[str], where: str = "") -> None:
        at = f" at {where}" if where else ""
        super().__init__(f"no {kind} {name!r}{at}; there are {', '.join(known)}")


def _plain(value: object) -> object:
    assert isinstance(value, Fraction), value
    return f"{value.numerator}/{value.denominator}"
