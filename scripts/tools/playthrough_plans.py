"""The tables at which the shoes of the playthroughs are played: one for every game, and every layout of Tiger Buffalo
that has bets of its own. Bets and paragraphs are copied from the rule books by hand, not read from the book files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

READING_L = '"reading L"'
"""How a history writes a reading: Super Six has no paragraphs about limits."""


@dataclass(frozen=True)
class Paragraphs:
    """Where the book says what; empty where it does not."""

    limits: str
    differential: str
    round: str
    late_bet: str
    late_withdrawal: str
    winner: str
    tie: str
    squeeze: str = ""
    standing: str = ""
    staff_bets: str = ""
    cut_card: str = ""
    cut_card_in_round: str = ""
    burn: str = ""
    pays: dict[str, str] = field(default_factory=dict)
    """Side bet → where it is paid."""


@dataclass(frozen=True)
class Plan:
    """A table for one shoe. Amounts are in minor units."""

    file: str
    game: str
    about: str
    seed: int
    layout: str
    appendix: str
    positions: int
    sides: tuple[str, ...]
    dealing: Literal["electronic", "open", "keyed", "face down"]
    minimum: int
    maximum: int
    step: int
    differential: int
    side_minimum: int
    side_maximum: int
    paragraphs: Paragraphs
    foreign_bet: str
    """A bet that this layout does not carry."""
    decks: int = 8
    currency: str = "SGD"
    digits: int = 2
    chips: str = ""
    tray: str = "1000x200 100x500 25x400 5x400 1x200"
    burn: Literal["", "first card", "2"] = ""
    behind_cut: int = 16
    rounds_after_cut: int = 0
    commission: bool = False
    insurance: bool = False
    void_rank: str = ""
    """Who may declare a round void here, where the shoe has a void round."""

    @property
    def electronic(self) -> bool:
        return self.dealing == "electronic"

    @property
    def tray_value(self) -> int:
        chips = (each.split("x") for each in self.tray.split())
        return sum(int(value) * int(count) for value, count in chips) * (100 if self.digits else 1)


def _all(bets: tuple[str, ...], paragraph: str) -> dict[str, str]:
    return dict.fromkeys(bets, paragraph)


DA_HU_SIDES = ("tie", "tiger_tie", "tiger", "big_tiger", "small_tiger", "tiger_pair")
DA_HU = Plan(
    file="da-hu-ying-xiong",
    game="da-hu-ying-xiong",
    about="Da Hu Ying Xiong at a live table: the dealer deals face up and confirms every box",
    seed=19112019,
    layout="B",
    appendix="Appendix B",
    positions=7,
    sides=DA_HU_SIDES,
    dealing="open",
    minimum=25_00,
    maximum=3_000_00,
    step=25_00,
    differential=1_000_00,
    side_minimum=10_00,
    side_maximum=500_00,
    paragraphs=Paragraphs(
        limits="3.5",
        differential="5.1",
        round="1.16",
        late_bet="5.6",
        late_withdrawal="5.6",
        winner="3.13",
        tie="3.14",
        standing="1.19",
        staff_bets="5.16",
        pays=_all(DA_HU_SIDES, "4.1.2"),
    ),
    foreign_bet="wu_dalang",
    commission=True,
    void_rank="shift manager",
)

SUPER_SIX_SIDES = ("tie", "super_six", "player_pair", "banker_pair")
SUPER_SIX = Plan(
    file="super-six",
    game="super-six",
    about="Commission Baccarat with Super Six at a live table without a scanner: the dealer keys every card",
    seed=22102013,
    layout="C",
    appendix="Appendix C",
    positions=8,
    sides=SUPER_SIX_SIDES,
    dealing="keyed",
    decks=6,
    minimum=10_00,
    maximum=2_000_00,
    step=10_00,
    differential=500_00,
    side_minimum=5_00,
    side_maximum=200_00,
    paragraphs=Paragraphs(
        limits=READING_L,
        differential=READING_L,
        round="3.1",
        late_bet="5.2",
        late_withdrawal="5.3",
        winner="3.7",
        tie="3.8",
        pays=_all(SUPER_SIX_SIDES, "4.1.2"),
    ),
    foreign_bet="big_tiger",
    behind_cut=12,
    commission=True,
)

RWS_PLAYER = tuple(f"player_wins_on_{points}" for points in range(1, 10))
RWS_BANKER = tuple(f"banker_wins_on_{points}" for points in range(1, 10))
RWS_TIE = tuple(f"tie_wins_on_{points}" for points in range(10))
RWS_OTHER = ("any_tie", "player_pair", "banker_pair")
RWS = Plan(
    file="rws-baccarat",
    game="rws-baccarat",
    about="RWS Baccarat at an electronic table: the table deals, settles and confirms by itself",
    seed=20250144,  # with this one the shoes together deal every cell of the Table of Play
    layout="A",
    appendix="Appendix A",
    positions=7,
    sides=(*RWS_OTHER, *RWS_PLAYER, *RWS_BANKER, *RWS_TIE),
    dealing="electronic",
    minimum=20_00,
    maximum=2_000_00,
    step=5_00,
    differential=800_00,
    side_minimum=5_00,
    side_maximum=100_00,
    paragraphs=Paragraphs(
        limits="3.5",
        differential="5.1",
        round="1.19",
        late_bet="5.6",
        late_withdrawal="5.6",
        winner="3.13",
        tie="3.14",
        standing="1.21",
        staff_bets="5.16",
        pays=_all(RWS_OTHER, "4.1.1") | _all(RWS_PLAYER, "4.1.2") | _all(RWS_BANKER, "4.1.3") | _all(RWS_TIE, "4.1.4"),
    ),
    foreign_bet="tie",
    behind_cut=20,
)

TIGER_BUFFALO_PAYS = {
    "tie": "4.1.2",
    "player_pair": "4.1.3",
    "banker_pair": "4.1.3",
    "big_tiger": "4.1.4",
    "small_tiger": "4.1.4",
    "big_buffalo": "4.1.5",
    "small_buffalo": "4.1.5",
    "banker_big_7": "4.1.6",
    "banker_small_7": "4.1.6",
    "player_big_7": "4.1.7",
    "player_small_7": "4.1.7",
    "tiger_buffalo": "4.1.8",
    "tiger_pair": "4.1.9",
    "tiger_tie": "4.1.10",
    "wu_dalang": "4.1.11",
    "tiger": "4.1.12",
    "player_char_siu": "4.1.13",
    "banker_char_siu": "4.1.13",
}
PAIRS = ("player_pair", "banker_pair")
TIGERS = ("big_tiger", "small_tiger", "big_buffalo", "small_buffalo", "player_char_siu", "banker_char_siu")
SEVENS = ("banker_big_7", "banker_small_7", "player_big_7", "player_small_7")


def _tiger_buffalo(layout: str, seed: int, decks: int, sides: tuple[str, ...], foreign: str) -> Plan:
    return Plan(
        file="tiger-buffalo" if layout == "A" else f"tiger-buffalo-layout-{layout.lower()}",
        game="tiger-buffalo",
        about=f"Tiger Buffalo on layout {layout} at an electronic table, with insurance",
        seed=seed,
        layout=layout,
        appendix=f"Appendix {layout}",
        positions=6,
        sides=("tie", *sides),
        dealing="electronic",
        decks=decks,
        minimum=25_00,
        maximum=2_000_00,
        step=5_00,
        differential=1_500_00,
        side_minimum=5_00,
        side_maximum=300_00,
        paragraphs=Paragraphs(
            limits="3.5",
            differential="5.1",
            round="1.27",
            late_bet="5.6",
            late_withdrawal="5.6",
            winner="3.16",
            tie="3.17",
            standing="1.31",
            staff_bets="5.22",
            cut_card="1.9",
            cut_card_in_round="5.7",
            pays=TIGER_BUFFALO_PAYS,
        ),
        foreign_bet=foreign,
        insurance=True,
    )


TIGER_BUFFALO = (
    _tiger_buffalo("A", 21112025, 8, (*PAIRS, *TIGERS), "wu_dalang"),
    _tiger_buffalo("C", 21112026, 4, (*TIGERS, "tiger_buffalo", "wu_dalang"), "player_pair"),
    _tiger_buffalo("L", 21112027, 4, ("tiger_tie", *TIGERS), "tiger_buffalo"),
    _tiger_buffalo("M", 21112028, 4, (*SEVENS, "tiger_pair", "tiger", "wu_dalang"), "big_tiger"),
)

DRAGON_SIDES = (
    "tie",
    *PAIRS,
    "small_dragon",
    "big_dragon",
    "small_tiger",
    "big_tiger",
    "dragon_tiger",
)
DRAGON_PARAGRAPHS = Paragraphs(
    limits="4.4",
    differential="4.3.1",
    round="2.2.15",
    late_bet="4.6",
    late_withdrawal="7.20",
    winner="6.1",
    tie="6.1.3",
    squeeze="4.7",
    cut_card="3.2.8",
    burn="2.2.2",
    pays=_all(DRAGON_SIDES, "5.1.3"),
)
DRAGON_COMMISSION = Plan(
    file="dragon-tiger-commission",
    game="dragon-tiger-commission",
    about="Dragon Tiger, commission version, at a live table: cards are scanned and lie face down, players squeeze",
    seed=1022025,
    layout="A4",
    appendix="Appendix A.4",
    positions=5,
    sides=DRAGON_SIDES,
    dealing="face down",
    minimum=10_00,
    maximum=1_000_00,
    step=5_00,
    differential=600_00,
    side_minimum=5_00,
    side_maximum=100_00,
    paragraphs=DRAGON_PARAGRAPHS,
    foreign_bet="tiger_tie",
    currency="USD",
    chips="1000 100 25 5 1 0.25",
    burn="first card",
    behind_cut=14,
    commission=True,
)
DRAGON_NON_COMMISSION = Plan(
    file="dragon-tiger-non-commission",
    game="dragon-tiger-non-commission",
    about="Dragon Tiger, non-commission version, at an electronic table, in a currency without cents; one round may"
    " follow the Cut Card's",
    seed=1022026,
    layout="A1",
    appendix="Appendix A.1",
    positions=3,
    sides=DRAGON_SIDES,
    dealing="electronic",
    decks=4,
    minimum=200_000,
    maximum=20_000_000,
    step=50_000,
    differential=8_000_000,
    side_minimum=50_000,
    side_maximum=1_000_000,
    paragraphs=DRAGON_PARAGRAPHS,
    foreign_bet="tiger_tie",
    currency="VND",
    digits=0,
    chips="5000000 1000000 500000 100000 50000 25000",
    tray="5000000x400 1000000x400 100000x500 50000x200",
    burn="2",
    behind_cut=18,
    rounds_after_cut=1,
)

PLANS = (DA_HU, SUPER_SIX, RWS, *TIGER_BUFFALO, DRAGON_COMMISSION, DRAGON_NON_COMMISSION)
