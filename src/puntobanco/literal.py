"""The settlement a second time: slow, paragraph by paragraph, and sharing nothing with the book files.

:mod:`puntobanco.bets` settles by tables made from the book files. This module says the same as the paragraphs say it,
one branch for each, and knows neither those files nor the outcome space. The tests compare the two over every way a
coup can end; the verifier of logs does so for every round it reads.

Results are exact gains per unit staked: 8 for odds of 8 to 1, 0 for a bet returned, -1 for a bet lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from puntobanco.cards import Card, Side
from puntobanco.coup import Coup, Hand, reconstruct

LOST = Fraction(-1)
RETURNED = Fraction(0)

# da-hu-ying-xiong 4.1.1, super-six 4.1.1, dragon-tiger 2.2.6
COMMISSION = Fraction(5, 100)
"""What the house keeps of a winning Banker bet."""


def literal_profit(game: str, bet: str, coup: Coup) -> Fraction:
    """What one unit on a bet gains in a finished coup."""
    return literal_gain(game, bet, ending(coup))


@cache
def literal_gain(game: str, bet: str, end: End) -> Fraction:
    """What one unit on a bet gains when a coup ended like that."""
    if game == "da-hu-ying-xiong":
        gain = _da_hu_ying_xiong(bet, end)
    elif game == "super-six":
        gain = _super_six(bet, end)
    elif game == "rws-baccarat":
        gain = _rws_baccarat(bet, end)
    elif game == "tiger-buffalo":
        gain = _tiger_buffalo(bet, end)
    elif game == "dragon-tiger-commission":
        gain = _dragon_tiger_commission(bet, end)
    elif game == "dragon-tiger-non-commission":
        gain = _dragon_tiger_non_commission(bet, end)
    else:
        raise ValueError(f"none of the five rule books has a game {game!r}")
    if gain is None:
        raise ValueError(f"{game} has no bet {bet!r}")
    return gain


def literal_settle(game: str, bet: str, stake: int, coup: Coup) -> int:
    """What a stake gains in a finished coup, in minor units, fractions of one rounded down (reading D)."""
    return _round_down(stake * literal_profit(game, bet, coup))


def literal_insurance_odds(coup_so_far: Coup, hand: Side) -> Fraction | None:
    """The odds at which insurance of a hand is on offer at tiger-buffalo, on the cards dealt so far."""
    # tiger-buffalo 3.12.1, reading F: only while a card is still to be drawn
    if coup_so_far.finished:
        return None
    player, banker = point_total(coup_so_far.player.cards), point_total(coup_so_far.banker.cards)
    dealt = (len(coup_so_far.player), len(coup_so_far.banker))
    # tiger-buffalo 3.12: there are two occasions, after four cards and after Player's third
    if dealt == (2, 2):
        if hand is Side.PLAYER:
            return _player_insurance_after_four_cards(player, banker)
        return _banker_insurance_after_four_cards(banker, player)
    if dealt == (3, 2):
        if hand is Side.PLAYER:
            return _player_insurance_after_third_card(player, banker)
        return _banker_insurance_after_third_card(banker, player)
    return None


def literal_insurance_profit(window: str, hand: Side, coup: Coup) -> Fraction:
    """What one unit of insurance gains in a finished coup; ``window`` is four_cards or player_third."""
    end = ending(coup, as_it_lies=True)
    odds = literal_insurance_odds(_dealt_when_placed(window, coup), hand)
    if odds is None:
        raise ValueError(f"no insurance of {hand} was on offer at {window} in {coup}")
    if end.tie:
        # tiger-buffalo 4.2.1.a, 3.17: placed after Player's third card on a 9, and Banker draws to 9
        if window == "player_third" and hand is Side.PLAYER and end.player == 9:
            return odds
        # tiger-buffalo 4.2.1.b: placed after Player's third card made 0, and Banker, with 1 to 6, draws to 0
        banker_before = point_total(coup.banker.cards[:2])
        if window == "player_third" and hand is Side.BANKER and end.player == 0 and 1 <= banker_before <= 6:
            return odds
        # tiger-buffalo 4.2.1: any other tie returns it
        return RETURNED
    # tiger-buffalo 3.11: it is paid when the insured hand loses
    insured_hand_loses = end.banker_wins if hand is Side.PLAYER else end.player_wins
    return odds if insured_hand_loses else LOST


def literal_insurance_settle(window: str, hand: Side, stake: int, coup: Coup) -> int:
    """What a stake on insurance gains in a finished coup, in minor units, rounded down."""
    return _round_down(stake * literal_insurance_profit(window, hand, coup))


@cache
def card_value(card: Card) -> int:
    """What a card counts. Some books count a ten as zero, which makes the same point totals."""
    # da-hu-ying-xiong 3.2, super-six 3.7, rws-baccarat 3.2, tiger-buffalo 3.2, dragon-tiger 4.11
    if card.rank.value == "A":
        return 1
    if card.rank.value in ("J", "Q", "K"):
        return 0
    if card.rank.value == "T":
        return 10
    return int(card.rank.value)


def point_total(cards: Sequence[Card]) -> int:
    """The points of a hand: a total of two digits counts by its second."""
    # da-hu-ying-xiong 1.14, super-six 3.7, rws-baccarat 1.17, tiger-buffalo 1.25, dragon-tiger 4.12
    total = sum(card_value(card) for card in cards)
    return int(str(total)[1]) if total > 9 else total


class End(NamedTuple):
    """What the paragraphs ask about a finished coup."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    player_pair: str | None
    banker_pair: str | None
    """The rank of which the first two cards are a pair; a ten and a king are none."""

    @property
    def player_wins(self) -> bool:
        # da-hu-ying-xiong 3.13, super-six 3.7, rws-baccarat 3.13, tiger-buffalo 3.16, dragon-tiger 6.1
        return self.player > self.banker

    @property
    def banker_wins(self) -> bool:
        # da-hu-ying-xiong 3.13, super-six 3.7, rws-baccarat 3.13, tiger-buffalo 3.16, dragon-tiger 6.1
        return self.banker > self.player

    @property
    def tie(self) -> bool:
        # da-hu-ying-xiong 1.20, super-six 1, rws-baccarat 1.22, tiger-buffalo 1.32, dragon-tiger 2.2.21
        return self.player == self.banker

    @property
    def cards(self) -> int:
        return self.player_cards + self.banker_cards


def ending(coup: Coup, *, as_it_lies: bool = False) -> End:
    """How a finished coup ended; ``as_it_lies``: or one that was called and paid with a card lacking."""
    if not coup.finished and not as_it_lies:
        raise ValueError(f"the coup {coup} is not finished")
    player, banker = coup.player, coup.banker
    return End(
        player=point_total(player.cards),
        banker=point_total(banker.cards),
        player_cards=len(player.cards),
        banker_cards=len(banker.cards),
        player_pair=_pair(player),
        banker_pair=_pair(banker),
    )


def _pair(hand: Hand) -> str | None:
    first, second = hand.cards[0], hand.cards[1]
    return first.rank.value if first.rank.value == second.rank.value else None


def _to(pays: int, to: int) -> Fraction:
    return Fraction(pays, to)


def _round_down(exact: Fraction) -> int:
    return exact.numerator // exact.denominator


# --- da-hu-ying-xiong -----------------------------------------------------------------------------


def _da_hu_ying_xiong(bet: str, end: End) -> Fraction | None:
    if bet == "player":
        if end.tie:
            return RETURNED  # da-hu-ying-xiong 3.14
        return _to(1, 1) if end.player_wins else LOST  # da-hu-ying-xiong 4.1.2
    if bet == "banker":
        if end.tie:
            return RETURNED  # da-hu-ying-xiong 3.14
        return 1 - COMMISSION if end.banker_wins else LOST  # da-hu-ying-xiong 4.1.1, 4.1.2
    if bet == "tie":
        return _to(8, 1) if end.tie else LOST  # da-hu-ying-xiong 1.20, 4.1.2
    if bet == "tiger_tie":
        # da-hu-ying-xiong 1.22, 4.1.2
        if end.player == 6 and end.banker == 6:
            return _to(35, 1)
        return LOST
    if bet == "tiger":
        # da-hu-ying-xiong 1.21, 4.1.2
        if end.banker_wins and end.banker == 6:
            if end.banker_cards == 2:
                return _to(12, 1)
            return _to(20, 1)
        return LOST
    if bet == "big_tiger":
        # da-hu-ying-xiong 1.3, 4.1.2
        if end.banker_wins and end.banker == 6 and end.banker_cards == 3:
            return _to(50, 1)
        return LOST
    if bet == "small_tiger":
        # da-hu-ying-xiong 1.18, 4.1.2
        if end.banker_wins and end.banker == 6 and end.banker_cards == 2:
            return _to(22, 1)
        return LOST
    if bet == "tiger_pair":
        # da-hu-ying-xiong 1.23, 4.1.2; a pair is of one rank
        if end.player_pair and end.banker_pair:
            if end.player_pair == end.banker_pair:
                return _to(100, 1)
            return _to(20, 1)
        if end.player_pair or end.banker_pair:
            return _to(4, 1)
        return LOST
    return None


# --- super-six ------------------------------------------------------------------------------------


def _super_six(bet: str, end: End) -> Fraction | None:
    if bet == "player":
        if end.tie:
            return RETURNED  # super-six 3.8, reading L
        return _to(1, 1) if end.player_wins else LOST  # super-six 4.1.2
    if bet == "banker":
        if end.tie:
            return RETURNED  # super-six 3.8, reading L
        return 1 - COMMISSION if end.banker_wins else LOST  # super-six 4.1.1, 4.1.2
    if bet == "tie":
        return _to(8, 1) if end.tie else LOST  # super-six 1, 4.1.2
    if bet == "super_six":
        # super-six 1, 4.1.2; the number of cards does not matter (reading W)
        if end.banker_wins and end.banker == 6:
            return _to(15, 1)
        return LOST
    if bet == "player_pair":
        return _to(11, 1) if end.player_pair else LOST  # super-six 1, 3.4, 4.1.2
    if bet == "banker_pair":
        return _to(11, 1) if end.banker_pair else LOST  # super-six 1, 3.4, 4.1.2
    return None


# --- rws-baccarat ---------------------------------------------------------------------------------


def _rws_baccarat(bet: str, end: End) -> Fraction | None:
    if bet == "player":
        if end.tie:
            return RETURNED  # rws-baccarat 3.14
        return _to(1, 1) if end.player_wins else LOST  # rws-baccarat 4.1.1
    if bet == "banker":
        if end.tie:
            return RETURNED  # rws-baccarat 3.14
        if end.banker_wins:
            return _to(1, 2) if end.banker == 6 else _to(1, 1)  # rws-baccarat 1.11, 4.1.1
        return LOST
    if bet == "any_tie":
        return _to(8, 1) if end.tie else LOST  # rws-baccarat 1.22, 4.1.1
    if bet == "player_pair":
        return _to(11, 1) if end.player_pair else LOST  # rws-baccarat 1.15, 4.1.1
    if bet == "banker_pair":
        return _to(11, 1) if end.banker_pair else LOST  # rws-baccarat 1.15, 4.1.1
    for points in range(10):
        if bet == f"player_wins_on_{points}" and points > 0:
            # rws-baccarat 1.16
            if end.player_wins and end.player == points:
                return _rws_player_wins_on(points)
            return LOST
        if bet == f"banker_wins_on_{points}" and points > 0:
            # rws-baccarat 1.2
            if end.banker_wins and end.banker == points:
                return _rws_banker_wins_on(points)
            return LOST
        if bet == f"tie_wins_on_{points}":
            # rws-baccarat 1.23
            if end.player == points and end.banker == points:
                return _rws_tie_wins_on(points)
            return LOST
    return None


def _rws_player_wins_on(points: int) -> Fraction:
    # rws-baccarat 4.1.2
    if points == 1:
        return _to(160, 1)
    if points == 2:
        return _to(80, 1)
    if points in (3, 4):
        return _to(50, 1)
    if points == 5:
        return _to(30, 1)
    if points == 6:
        return _to(11, 1)
    if points == 7:
        return _to(8, 1)
    if points == 8:
        return _to(6, 1)
    return _to(5, 1)


def _rws_banker_wins_on(points: int) -> Fraction:
    # rws-baccarat 4.1.3
    if points == 1:
        return _to(160, 1)
    if points == 2:
        return _to(80, 1)
    if points == 3:
        return _to(50, 1)
    if points == 4:
        return _to(25, 1)
    if points == 5:
        return _to(15, 1)
    if points == 6:
        return _to(11, 1)
    if points == 7:
        return _to(8, 1)
    if points == 8:
        return _to(6, 1)
    return _to(5, 1)


def _rws_tie_wins_on(points: int) -> Fraction:
    # rws-baccarat 4.1.4
    if points == 0:
        return _to(110, 1)
    if points in (1, 2):
        return _to(160, 1)
    if points == 3:
        return _to(150, 1)
    if points == 4:
        return _to(100, 1)
    if points == 5:
        return _to(90, 1)
    if points in (6, 7):
        return _to(35, 1)
    return _to(60, 1)


# --- tiger-buffalo --------------------------------------------------------------------------------


def _tiger_buffalo(bet: str, end: End) -> Fraction | None:
    if bet == "player":
        if end.tie:
            return RETURNED  # tiger-buffalo 3.17
        return _to(1, 1) if end.player_wins else LOST  # tiger-buffalo 4.1.1
    if bet == "banker":
        if end.tie:
            return RETURNED  # tiger-buffalo 3.17
        if end.banker_wins:
            return _to(1, 2) if end.banker == 6 else _to(1, 1)  # tiger-buffalo 1.17, 4.1.1
        return LOST
    if bet == "tie":
        return _to(8, 1) if end.tie else LOST  # tiger-buffalo 1.32, 4.1.2
    if bet == "player_pair":
        return _to(11, 1) if end.player_pair else LOST  # tiger-buffalo 1.23, 4.1.3
    if bet == "banker_pair":
        return _to(11, 1) if end.banker_pair else LOST  # tiger-buffalo 1.23, 4.1.3
    if bet == "big_tiger":
        # tiger-buffalo 1.7, 4.1.4
        if end.banker_wins and end.banker == 6 and end.banker_cards == 3:
            return _to(50, 1)
        return LOST
    if bet == "small_tiger":
        # tiger-buffalo 1.30, 4.1.4
        if end.banker_wins and end.banker == 6 and end.banker_cards == 2:
            return _to(22, 1)
        return LOST
    if bet == "big_buffalo":
        # tiger-buffalo 1.6, 4.1.5
        if end.player_wins and end.player == 6 and end.player_cards == 3:
            return _to(35, 1)
        return LOST
    if bet == "small_buffalo":
        # tiger-buffalo 1.29, 4.1.5
        if end.player_wins and end.player == 6 and end.player_cards == 2:
            return _to(20, 1)
        return LOST
    if bet == "banker_big_7":
        # tiger-buffalo 1.2, 4.1.6
        if end.banker_wins and end.banker == 7 and end.banker_cards == 3:
            return _to(30, 1)
        return LOST
    if bet == "banker_small_7":
        # tiger-buffalo 1.4, 4.1.6
        if end.banker_wins and end.banker == 7 and end.banker_cards == 2:
            return _to(15, 1)
        return LOST
    if bet == "player_big_7":
        # tiger-buffalo 1.21, 4.1.7
        if end.player_wins and end.player == 7 and end.player_cards == 3:
            return _to(30, 1)
        return LOST
    if bet == "player_small_7":
        # tiger-buffalo 1.24, 4.1.7
        if end.player_wins and end.player == 7 and end.player_cards == 2:
            return _to(15, 1)
        return LOST
    if bet == "tiger_buffalo":
        # tiger-buffalo 1.34, 4.1.8
        if (end.banker_wins and end.banker == 6) or (end.player_wins and end.player == 6):
            return _to(6, 1)
        return LOST
    if bet == "tiger_pair":
        # tiger-buffalo 1.35, 4.1.9
        if end.player_pair and end.banker_pair:
            if end.player_pair == end.banker_pair:
                return _to(100, 1)
            return _to(20, 1)
        if end.player_pair or end.banker_pair:
            return _to(4, 1)
        return LOST
    if bet == "tiger_tie":
        # tiger-buffalo 1.36, 4.1.10
        if end.player == 6 and end.banker == 6:
            return _to(35, 1)
        return LOST
    if bet == "wu_dalang":
        # tiger-buffalo 1.38, 4.1.11: Player must win, not only hold 1 (reading W)
        if end.player_wins and end.player == 1:
            return _to(150, 1)
        return LOST
    if bet == "tiger":
        # tiger-buffalo 1.33, 4.1.12
        if end.banker_wins and end.banker == 6:
            if end.banker_cards == 2:
                return _to(12, 1)
            return _to(20, 1)
        return LOST
    if bet == "player_char_siu":
        if end.player == 7 and end.banker == 6:
            return _char_siu(end)  # tiger-buffalo 1.22.1
        if end.player == 8 and end.banker == 7:
            return _char_siu(end)  # tiger-buffalo 1.22.2
        if end.player == 9 and end.banker == 8:
            return _char_siu(end)  # tiger-buffalo 1.22.3
        return LOST
    if bet == "banker_char_siu":
        if end.banker == 7 and end.player == 6:
            return _char_siu(end)  # tiger-buffalo 1.3.1
        if end.banker == 8 and end.player == 7:
            return _char_siu(end)  # tiger-buffalo 1.3.2
        if end.banker == 9 and end.player == 8:
            return _char_siu(end)  # tiger-buffalo 1.3.3
        return LOST
    return None


def _char_siu(end: End) -> Fraction:
    # tiger-buffalo 4.1.13
    if end.cards == 4:
        return _to(10, 1)
    if end.cards == 5:
        return _to(15, 1)
    return _to(50, 1)


def _dealt_when_placed(window: str, coup: Coup) -> Coup:
    """The cards on the table when the insurance was placed; a coup that was over by then is over here too."""
    # tiger-buffalo 3.12
    if window == "four_cards":
        return reconstruct(coup.cards[:4]).coup
    if window == "player_third":
        if len(coup.player) < 3:
            return coup
        return reconstruct(coup.cards[:5]).coup
    raise ValueError(f"insurance is offered at four_cards and at player_third, not at {window!r}")


def _player_insurance_after_four_cards(player: int, banker: int) -> Fraction | None:
    # tiger-buffalo 4.1.14, first part
    if player == 5 and banker == 4:
        return _to(3, 2)
    if player == 6 and 0 <= banker <= 5:
        return _to(5, 2)
    if player == 7 and 0 <= banker <= 5:
        return _to(4, 1)
    return None


def _player_insurance_after_third_card(player: int, banker: int) -> Fraction | None:
    # tiger-buffalo 4.1.14, second part
    if player == 5 and 0 <= banker <= 4:
        return _to(3, 2)
    if player == 6 and 0 <= banker <= 5:
        return _to(5, 2)
    if player == 7 and 0 <= banker <= 6:
        return _to(4, 1)
    if player == 8 and 0 <= banker <= 6:
        return _to(10, 1)
    if player == 9 and 0 <= banker <= 6:
        return _to(10, 1)
    return None


def _banker_insurance_after_four_cards(banker: int, player: int) -> Fraction | None:
    # tiger-buffalo 4.1.14, third part
    if banker == 4 and 0 <= player <= 3:
        return _to(3, 2)
    if banker == 5 and 0 <= player <= 4:
        return _to(3, 2)
    if banker == 6 and 0 <= player <= 5:
        return _to(5, 2)
    if banker == 7 and 0 <= player <= 5:
        return _to(4, 1)
    return None


def _banker_insurance_after_third_card(banker: int, player: int) -> Fraction | None:
    # tiger-buffalo 4.1.14, fourth part; Banker still has two cards (3.12.1)
    if 1 <= banker <= 6 and player == 0:
        return _to(10, 1)
    if banker == 1 and player == 1:
        return _to(6, 1)
    if 2 <= banker <= 6 and player == 1:
        return _to(10, 1)
    if 3 <= banker <= 6 and player == 2:
        return _to(4, 1)
    if banker == 4 and player == 3:
        return _to(5, 2)
    return None


# --- dragon-tiger ---------------------------------------------------------------------------------


def _dragon_tiger_commission(bet: str, end: End) -> Fraction | None:
    if bet == "banker" and end.banker_wins:
        return 1 - COMMISSION  # dragon-tiger 2.2.6, 5.1.1, 6.1.2.1
    return _dragon_tiger(bet, end)


def _dragon_tiger_non_commission(bet: str, end: End) -> Fraction | None:
    if bet == "banker" and end.banker_wins:
        return _to(1, 2) if end.banker == 6 else _to(1, 1)  # dragon-tiger 2.2.12, 5.1.2, 6.1.2.1
    return _dragon_tiger(bet, end)


def _dragon_tiger(bet: str, end: End) -> Fraction | None:
    """What both versions share: all but what a winning Banker bet is paid."""
    if bet == "player":
        if end.player > end.banker:
            return _to(1, 1)  # dragon-tiger 6.1.1.1, 5.1.1, 5.1.2
        if end.player < end.banker:
            return LOST  # dragon-tiger 6.1.1.2
        return RETURNED  # dragon-tiger 6.1.1.3, 2.2.19
    if bet == "banker":
        if end.banker < end.player:
            return LOST  # dragon-tiger 6.1.2.2
        return RETURNED  # dragon-tiger 6.1.2.3, 2.2.19
    if bet == "tie":
        return _to(8, 1) if end.tie else LOST  # dragon-tiger 6.1.3, 5.1.3
    if bet == "player_pair":
        return _to(11, 1) if end.player_pair else LOST  # dragon-tiger 2.2.13, 6.2.1.1, 6.2.1.2, 5.1.3
    if bet == "banker_pair":
        return _to(11, 1) if end.banker_pair else LOST  # dragon-tiger 2.2.13, 6.2.1.1, 6.2.1.2, 5.1.3
    if bet == "small_dragon":
        # dragon-tiger 2.2.16, 6.3.1.1, 5.1.3
        if end.player_wins and end.player == 7 and end.player_cards == 2:
            return _to(15, 1)
        return LOST
    if bet == "big_dragon":
        # dragon-tiger 2.2.3, 6.4.1.1, 5.1.3
        if end.player_wins and end.player == 7 and end.player_cards == 3:
            return _to(30, 1)
        return LOST
    if bet == "small_tiger":
        # dragon-tiger 2.2.17, 6.5.1.1, 5.1.3
        if end.banker_wins and end.banker == 6 and end.banker_cards == 2:
            return _to(22, 1)
        return LOST
    if bet == "big_tiger":
        # dragon-tiger 2.2.4, 6.6.1.1, 5.1.3
        if end.banker_wins and end.banker == 6 and end.banker_cards == 3:
            return _to(50, 1)
        return LOST
    if bet == "dragon_tiger":
        # dragon-tiger 2.2.7, 6.7.1.1, 5.1.3
        if end.player == 7 and end.banker == 6:
            if end.cards == 6:
                return _to(100, 1)
            if end.cards == 5:
                return _to(40, 1)
            return _to(30, 1)
        return LOST
    return None
