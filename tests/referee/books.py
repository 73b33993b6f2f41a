"""What the books say in figures: bets and what they pay, and where they differ on what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from tests.referee.hands import BANKER, PLAYER, TIE, Deal, points

Pays = Fraction | None
"""Odds to one of a bet that won; nothing where it lost."""
PUSH = Fraction(0)
"""A bet that goes back."""

DH, S6, RB, TB = "da-hu-ying-xiong", "super-six", "rws-baccarat", "tiger-buffalo"
HOC, HON = "dragon-tiger-commission", "dragon-tiger-non-commission"
GAMES = (DH, S6, RB, TB, HOC, HON)


class Book(NamedTuple):
    """Where the books differ."""

    commission: bool
    """Banker pays 0.95 to 1; else 1 to 1, and half on 6."""
    limits: str
    """``rws`` (5.1, 5.2), ``hoiana`` (7.17-7.19) or ``none``."""
    free_hand: bool
    """Whether a card that was seen before its hand takes the wagers off (Hoiana 7.5-7.8)."""
    options: bool
    """Whether players may take bets back after a dealing error (5.12, 5.16) without anybody's leave."""
    insurance: bool = False


BOOKS = {
    DH: Book(True, "rws", False, True),
    S6: Book(True, "none", False, False),
    RB: Book(False, "rws", False, True),
    TB: Book(False, "rws", False, True, insurance=True),
    HOC: Book(True, "hoiana", True, False),
    HON: Book(False, "hoiana", True, False),
}


def odds(numerator: int, denominator: int = 1) -> Fraction:
    return Fraction(numerator, denominator)


def wins(side: str, total: int | None = None, cards: int | None = None) -> Callable[[Deal], bool]:
    """That hand wins, on that total and with that many cards where said."""

    def found(deal: Deal) -> bool:
        hand = deal.player if side == PLAYER else deal.banker
        return deal.winner == side and total in (None, points(hand)) and cards in (None, len(hand))

    return found


def ties(total: int | None = None) -> Callable[[Deal], bool]:
    return lambda deal: deal.winner == TIE and total in (None, points(deal.player))


def is_pair(hand: tuple[str, ...]) -> bool:
    """Of one rank: a ten and a king are none."""
    return hand[0][0] == hand[1][0]


def flat(found: Callable[[Deal], bool], pays: int) -> Callable[[Deal], Pays]:
    return lambda deal: odds(pays) if found(deal) else None


def pair(side: str) -> Callable[[Deal], Pays]:
    return flat(lambda deal: is_pair(deal.player if side == PLAYER else deal.banker), 11)


def tiger_pair(deal: Deal) -> Pays:
    both = is_pair(deal.player) + is_pair(deal.banker)
    if both == 2:
        return odds(100 if deal.player[0][0] == deal.banker[0][0] else 20)
    return odds(4) if both else None


def tiger(deal: Deal) -> Pays:
    return odds(12 if len(deal.banker) == 2 else 20) if wins(BANKER, 6)(deal) else None


def char_siu(side: str) -> Callable[[Deal], Pays]:
    def pays(deal: Deal) -> Pays:
        own, other = points(deal.player), points(deal.banker)
        if side == BANKER:
            own, other = other, own
        return odds({4: 10, 5: 15, 6: 50}[deal.out]) if own == other + 1 and own >= 7 else None

    return pays


def dragon_tiger(deal: Deal) -> Pays:
    found = points(deal.player) == 7 and points(deal.banker) == 6
    return odds({4: 30, 5: 40, 6: 100}[deal.out]) if found else None


WINS_ON = {
    PLAYER: {1: 160, 2: 80, 3: 50, 4: 50, 5: 30, 6: 11, 7: 8, 8: 6, 9: 5},
    BANKER: {1: 160, 2: 80, 3: 50, 4: 25, 5: 15, 6: 11, 7: 8, 8: 6, 9: 5},
    TIE: {0: 110, 1: 160, 2: 160, 3: 150, 4: 100, 5: 90, 6: 35, 7: 35, 8: 60, 9: 60},
}
BIG_AND_SMALL_TIGER = {"big_tiger": flat(wins(BANKER, 6, 3), 50), "small_tiger": flat(wins(BANKER, 6, 2), 22)}
PAIRS = {"player_pair": pair(PLAYER), "banker_pair": pair(BANKER)}
TIES = {"tie": flat(ties(), 8)}
TIGERS = {"tiger": tiger, "tiger_pair": tiger_pair, "tiger_tie": flat(ties(6), 35)}

SIDE_BETS: dict[str, dict[str, Callable[[Deal], Pays]]] = {
    DH: TIES | TIGERS | BIG_AND_SMALL_TIGER,
    S6: TIES | PAIRS | {"super_six": flat(wins(BANKER, 6), 15)},
    RB: {"any_tie": flat(ties(), 8)}
    | PAIRS
    | {
        f"{side}_wins_on_{total}": flat(ties(total) if side == TIE else wins(side, total), pays)
        for side, lines in WINS_ON.items()
        for total, pays in lines.items()
    },
    TB: TIES
    | PAIRS
    | TIGERS
    | BIG_AND_SMALL_TIGER
    | {
        "big_buffalo": flat(wins(PLAYER, 6, 3), 35),
        "small_buffalo": flat(wins(PLAYER, 6, 2), 20),
        "banker_big_7": flat(wins(BANKER, 7, 3), 30),
        "banker_small_7": flat(wins(BANKER, 7, 2), 15),
        "player_big_7": flat(wins(PLAYER, 7, 3), 30),
        "player_small_7": flat(wins(PLAYER, 7, 2), 15),
        "tiger_buffalo": flat(lambda deal: wins(BANKER, 6)(deal) or wins(PLAYER, 6)(deal), 6),
        "wu_dalang": flat(wins(PLAYER, 1), 150),
        "player_char_siu": char_siu(PLAYER),
        "banker_char_siu": char_siu(BANKER),
    },
}
SIDE_BETS[HOC] = SIDE_BETS[HON] = (
    TIES
    | PAIRS
    | BIG_AND_SMALL_TIGER
    | {
        "big_dragon": flat(wins(PLAYER, 7, 3), 30),
        "small_dragon": flat(wins(PLAYER, 7, 2), 15),
        "dragon_tiger": dragon_tiger,
    }
)

TB_LAYOUTS = {
    **dict.fromkeys("ABDEGJK", ("player_pair", "banker_pair")),
    **dict.fromkeys("CFHI", ("tiger_buffalo", "wu_dalang")),
    **dict.fromkeys("LNOPQ", ("tiger_tie",)),
}
"""What they carry beside what all but M do."""
ALL_BUT_M = ("tie", "big_tiger", "small_tiger", "big_buffalo", "small_buffalo", "player_char_siu", "banker_char_siu")
ON_M = ("tie", "banker_big_7", "banker_small_7", "player_big_7", "player_small_7", "tiger_pair", "tiger", "wu_dalang")


def side_bets(game: str, layout: str) -> tuple[str, ...]:
    """Those that the layout carries."""
    if game != TB:
        return tuple(SIDE_BETS[game])
    return ON_M if layout == "M" else (*ALL_BUT_M, *TB_LAYOUTS[layout])


def pays(game: str, bet: str, deal: Deal) -> Pays:
    """What a bet wins to one; zero where it goes back, nothing where it lost."""
    if bet not in (PLAYER, BANKER):
        return SIDE_BETS[game][bet](deal)
    if deal.winner == TIE:
        return PUSH
    if deal.winner != bet:
        return None
    if bet == PLAYER:
        return odds(1)
    if BOOKS[game].commission:
        return odds(95, 100)
    return odds(1, 2) if points(deal.banker) == 6 else odds(1)


def established(game: str, cards: int, dealt: Deal) -> bool:
    """Whether some bet is decided whatever comes (reading E): with four cards, and nearly always with three."""
    if cards != 3:
        return cards > 3
    return game != DH or is_pair(dealt.player) or points(dealt.player) > 5


def options_due(game: str, cards: int, dealt: Deal) -> bool:
    """Whether players may take their bets back after a card at the wrong hand, too many, or seen (reading H).

    Cards are put back in their order, so all of these are given only while no outcome is established.
    """
    return BOOKS[game].options and not established(game, cards, dealt)
