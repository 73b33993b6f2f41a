"""What the tests of the books share: rounds of every kind, and checks of what a bet does in each of them.

The rounds do not ask the library for points, draws or winners: they work them out from the cards' own names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import NamedTuple

import pytest

from puntobanco import (
    Coup,
    Result,
    Side,
    UnknownName,
    deal_finished,
    decided,
    find_book,
    parse_cards,
    reconstruct,
    settle,
)
from puntobanco.cards import Composition
from puntobanco.coup import points
from puntobanco.rules.geometry import geometry_of
from puntobanco.rules.model import CommissionForm, Geometry, InsuranceRow

VALUES = {"A": 1, **{str(n): n for n in range(2, 10)}, **dict.fromkeys("TJQK", 0)}

BANKER_DRAWS_AGAINST = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "0123456 79",
    4: "  234567  ",
    5: "    4567  ",
    6: "      67  ",
    7: "",
}
"""Banker's points on two cards → the values of Player's third card against which Banker draws."""

STAKE = 2000
"""Minor units; every odds in the books gives whole ones."""


class Round(NamedTuple):
    """A finished round in shoe order (P1 B1 P2 B2 P3 B3), and how it ended."""

    cards: str
    player: int
    banker: int
    player_cards: int
    banker_cards: int
    player_pair: bool
    banker_pair: bool
    twin: bool

    @property
    def winner(self) -> str:
        if self.player == self.banker:
            return "tie"
        return "player" if self.player > self.banker else "banker"

    @property
    def in_all(self) -> int:
        return self.player_cards + self.banker_cards


When = Callable[[Round], bool]


def player_wins(*on: int, cards: int | None = None) -> When:
    """Player wins; with these points, if any are named, and with so many cards in hand."""
    return lambda r: r.winner == "player" and (not on or r.player in on) and cards in (None, r.player_cards)


def banker_wins(*on: int, cards: int | None = None) -> When:
    """Banker wins; with these points, if any are named, and with so many cards in hand."""
    return lambda r: r.winner == "banker" and (not on or r.banker in on) and cards in (None, r.banker_cards)


def tie(*on: int) -> When:
    return lambda r: r.winner == "tie" and (not on or r.player in on)


def player_over_banker(*scores: tuple[int, int], in_all: int | None = None) -> When:
    """Player beats Banker by one of these scores, (Player, Banker), with so many cards in both hands."""
    return lambda r: (r.player, r.banker) in scores and in_all in (None, r.in_all)


def banker_over_player(*scores: tuple[int, int], in_all: int | None = None) -> When:
    """Banker beats Player by one of these scores, (Banker, Player), with so many cards in both hands."""
    return lambda r: (r.banker, r.player) in scores and in_all in (None, r.in_all)


def single_pair(r: Round) -> bool:
    return r.player_pair != r.banker_pair


def double_pair(r: Round) -> bool:
    return r.player_pair and r.banker_pair and not r.twin


def twin_pair(r: Round) -> bool:
    return r.twin


def player_pair(r: Round) -> bool:
    return r.player_pair


def banker_pair(r: Round) -> bool:
    return r.banker_pair


def value(card: str) -> int:
    return VALUES[card[0]]


def total(cards: Iterable[str]) -> int:
    return sum(map(value, cards)) % 10


def card_of(number: int, suit: str = "h") -> str:
    """A card that counts so many points."""
    return ("T" if number == 0 else "A" if number == 1 else str(number)) + suit


def opening(number: int) -> tuple[str, str]:
    """Two cards of different ranks that make so many points."""
    return card_of(number, "c"), "Kd"


def in_order(player: Iterable[str], banker: Iterable[str], *thirds: str) -> str:
    """Two opening hands and what follows, as they leave the shoe."""
    (first, third), (second, fourth) = player, banker
    return " ".join((first, second, third, fourth, *thirds))


def _finish(player: tuple[str, str], banker: tuple[str, str], player_third: int, banker_third: int) -> Round:
    hands = {"player": list(player), "banker": list(banker)}
    thirds = []
    if max(total(player), total(banker)) < 8:
        draws = total(banker) <= 5
        if total(player) <= 5:
            draws = str(player_third) in BANKER_DRAWS_AGAINST[total(banker)]
            thirds.append(card_of(player_third))
            hands["player"].append(thirds[-1])
        if draws:
            thirds.append(card_of(banker_third, "s"))
            hands["banker"].append(thirds[-1])
    return Round(
        in_order(player, banker, *thirds),
        total(hands["player"]),
        total(hands["banker"]),
        len(hands["player"]),
        len(hands["banker"]),
        player[0][0] == player[1][0],
        banker[0][0] == banker[1][0],
        player[0][0] == player[1][0] == banker[0][0] == banker[1][0],
    )


@cache
def all_rounds() -> tuple[Round, ...]:
    """One round of every kind: points, number of cards and pairs, in every combination that can occur."""
    pairs = [(f"{rank}h", f"{rank}s") for rank in VALUES]
    hands = [opening(number) for number in range(10)] + [("Qh", "Jd"), *pairs]
    found: dict[tuple[object, ...], Round] = {}
    for player in hands:
        for banker in hands:
            for player_third in range(10):
                for banker_third in range(10):
                    finished = _finish(player, banker, player_third, banker_third)
                    found.setdefault(finished[1:], finished)
                    if finished.banker_cards == 2:
                        break
                if finished.player_cards == 2:
                    break
    return tuple(found.values())


def as_fraction(odds: str) -> Fraction:
    pays, _, to = odds.partition(" to ")
    return Fraction(pays) / Fraction(to)


@cache
def finished_coup(cards: str) -> Coup:
    return deal_finished(parse_cards(cards))


class Game:
    """A game of a book, and what one expects of its bets."""

    def __init__(self, game: str) -> None:
        self.book = find_book(game)

    def play(self, bet: str, cards: str) -> tuple[Result, int, str]:
        """The result, the profit and the paragraph of a stake on that round, settled alone."""
        (wager,) = settle(self.book, finished_coup(cards), {bet: STAKE})
        assert wager.back == STAKE + wager.profit
        return wager.result, wager.profit, wager.paragraph

    def wins(self, bet: str, odds: str, *rounds: str) -> None:
        for cards in rounds:
            result, profit, _ = self.play(bet, cards)
            assert (result, Fraction(profit, STAKE)) == (Result.WON, as_fraction(odds)), cards

    def loses(self, bet: str, *rounds: str) -> None:
        for cards in rounds:
            assert self.play(bet, cards)[:2] == (Result.LOST, -STAKE), cards

    def pushes(self, bet: str, *rounds: str) -> None:
        for cards in rounds:
            assert self.play(bet, cards)[:2] == (Result.RETURNED, 0), cards

    def wins_only(self, bet: str, when: When, *, paragraph: str, returned: When | None = None, loses: str = "") -> None:
        """Over rounds of every kind: the bet wins in these, is returned in those, and loses in all others.

        ``paragraph`` defines the bet, and is what a lost one is told unless another says how it ``loses``.
        """
        assert self.book.bets[bet].paragraph == paragraph
        for finished in all_rounds():
            result, profit, cited = self.play(bet, finished.cards)
            if when(finished):
                assert result is Result.WON, finished
                assert profit > 0, finished
            elif returned and returned(finished):
                assert (result, profit) == (Result.RETURNED, 0), finished
            else:
                assert (result, profit, cited) == (Result.LOST, -STAKE, loses or paragraph), finished

    def pays(self, bet: str, paragraph: str, table: Mapping[str, When]) -> None:
        """Over rounds of every kind: the odds of the table and no others, under the paragraph they stand in.

        Each line must win somewhere, and no round may win by two.
        """
        seen = set()
        for finished in all_rounds():
            lines = [odds for odds, when in table.items() if when(finished)]
            result, profit, cited = self.play(bet, finished.cards)
            assert len(lines) == (result is Result.WON), finished
            if lines:
                assert (Fraction(profit, STAKE), cited) == (as_fraction(lines[0]), paragraph), finished
                seen.add(lines[0])
        assert seen == set(table)

    def offers(self, *bets: str) -> None:
        """The bets of the book are these, whatever their order."""
        assert sorted(self.book.bets) == sorted(bets)

    def alone(self, *side_bets: str) -> None:
        """Each of these is settled without a bet on Player or Banker; they are all bets but those two."""
        assert sorted((*side_bets, "player", "banker")) == sorted(self.book.bets)
        for bet in side_bets:
            assert self.book.bets[bet].hand is None
            assert len(settle(self.book, finished_coup("9h 9c Kd Qs"), {bet: STAKE})) == 1

    def layout(
        self,
        code: str,
        bets: Iterable[str],
        positions: Iterable[int],
        *,
        paragraph: str,
        insurance: bool = False,
        language: str = "en",
    ) -> Geometry:
        """The layout carries these bets and no others, may have so many positions, and is drawn with all of them."""
        found = self.book.layouts[code]
        assert sorted(found.bets) == sorted(bets)
        assert found.positions == tuple(positions)
        assert (found.paragraph, found.insurance, found.language) == (paragraph, insurance, language)
        drawn = geometry_of(self.book, found)
        boxes = [*bets, *(["player_insurance", "banker_insurance"] if insurance else [])]
        assert sorted(box.bet for row in drawn.rows for box in row.boxes) == sorted(boxes)
        assert len(set(drawn.numbers)) == max(found.positions)
        return drawn

    def carried_by(self, codes: str, *bets: str) -> None:
        """The bets are taken on these layouts (``ABD`` or ``A1 A2``) and refused on all others."""
        layouts = codes.split() if " " in codes else list(codes)
        coup = finished_coup("9h 9c Kd Qs")
        for code, layout in self.book.layouts.items():
            for bet in bets:
                if code in layouts:
                    assert settle(self.book, coup, {bet: STAKE}, layout=layout)[0].bet == bet
                else:
                    with pytest.raises(UnknownName, match=bet):
                        settle(self.book, coup, {bet: STAKE}, layout=layout)
        assert set(layouts) <= set(self.book.layouts)

    def decks(self, least: int, most: int, *, paragraph: str) -> None:
        """So many decks of 52 cards make a shoe, eight where nobody says."""
        decks = self.book.decks
        assert (decks.least, decks.most, decks.default, decks.paragraph) == (least, most, 8, paragraph)
        for number in range(least, most + 1):
            assert Composition.of_decks(number).size == 52 * number
            assert Composition.of_decks(number, suited=True).counts == (number,) * 52

    def original_bets(self, *, paragraph: str) -> None:
        """Player and Banker are the Original Bets, and no others are."""
        hands = {code: bet.hand for code, bet in self.book.bets.items() if bet.hand}
        assert hands == {"player": Side.PLAYER, "banker": Side.BANKER}
        assert {self.book.bets[code].paragraph for code in hands} == {paragraph}

    def tie_returns(self, *, paragraph: str) -> None:
        """On every tie, bets on Player and Banker come back."""
        for bet in ("player", "banker"):
            for finished in all_rounds():
                played = self.play(bet, finished.cards)
                assert (played == (Result.RETURNED, 0, paragraph)) == (finished.winner == "tie"), finished

    def ranks(self, *, dealer: str, pit: str, shift_manager: str) -> None:
        """Dealer, Pit Supervisor and Pit Manager, lowest first, and above them the Shift Manager."""
        ranks = self.book.ranks.named
        assert [(rank.step, rank.code, rank.paragraph) for rank in ranks.values()] == [
            (1, "dealer", dealer),
            (2, "pit_supervisor", pit),
            (3, "pit_manager", pit),
            (4, "shift_manager", shift_manager),
            (5, "assistant_director", ""),
        ]
        ascending = ("player", "dealer", "pit_supervisor", "pit_manager", "shift_manager", "assistant_director")
        steps = [self.book.ranks.of(code) for code in ascending]
        assert all(low < high for low, high in pairwise(steps))

    def uncovered(self, rank: str, paragraph: str) -> None:
        assert (self.book.uncovered.rank, self.book.uncovered.paragraph) == (rank, paragraph)

    def commission(self, paragraph: str) -> None:
        """Five in a hundred of what Banker wins, taken at once."""
        found = self.book.commission
        assert (found.form, found.rate, found.bets) == (CommissionForm.AT_ONCE, Fraction(1, 20), ("banker",))
        assert (found.paragraph, found.due) == (paragraph, ())

    def procedure(self, name: str, paragraph: str, **policies: str) -> None:
        """The paragraph of a procedure, and the policies that it states."""
        assert self.book.procedures.of(name).main == paragraph
        for policy, value in policies.items():
            stated = getattr(self.book.policies, policy)
            assert (stated.value.value, stated.paragraph) == (value, paragraph), policy


# --- Dealing ---------------------------------------------------------------------------------------------


def dealt(cards: str) -> Coup:
    """The coup after these cards left the shoe, finished or not; no card may be left over."""
    found = reconstruct(parse_cards(cards))
    assert not found.left_over, found
    return found.coup


def check_initial_deal() -> None:
    """The first and third card are Player's, the second and fourth Banker's."""
    coup = Coup()
    for card, side in zip(("2h", "3c", "4d", "5s"), (Side.PLAYER, Side.BANKER) * 2, strict=True):
        assert coup.due is side
        coup = coup.receive(parse_cards(card)[0])
    assert (str(coup.player), str(coup.banker)) == ("2h4d", "3c5s")


def check_pairs_by_first_four() -> None:
    """A third card makes and breaks no pair."""
    made = dealt("2h Kc 3d Qs 3h Qh")
    assert (made.player.pair, made.banker.pair) == (False, False)
    kept = dealt("2h Kc 2d Ks 3h Qh")
    assert (kept.player.pair, kept.banker.pair) == (True, True)


def check_pair_needs_one_rank() -> None:
    """Tens and kings pair with their own kind only."""
    for rank in VALUES:
        for other in VALUES:
            assert dealt(f"{rank}h 2c {other}s 9d").player.pair == (rank == other)
            assert dealt(f"2c {rank}h 9d {other}s").banker.pair == (rank == other)


def check_player_draws(draws: str, stands: str) -> None:
    """Player on these points takes a third card, and on those does not, while Banker has no Natural."""
    assert sorted(draws + stands) == list("01234567")
    for player in map(int, draws + stands):
        for banker in range(8):
            coup = dealt(in_order(opening(player), opening(banker)))
            assert (coup.due is Side.PLAYER) == (str(player) in draws), coup


def check_naturals_end_the_deal() -> None:
    """With 8 or 9 on two cards in either hand, nobody draws."""
    for player in range(10):
        for banker in range(10):
            if player >= 8 or banker >= 8:
                assert dealt(in_order(opening(player), opening(banker))).finished


def check_banker_draws(rows: Mapping[int, tuple[str, str]]) -> None:
    """Banker's points on two cards → Player's third cards against which Banker draws, and stands."""
    for banker, (draws, stands) in rows.items():
        assert sorted((*draws.split(), *stands.split()), key=int) == [str(n) for n in range(10)], banker
        for player in range(6):
            for third in range(10):
                coup = dealt(in_order(opening(player), opening(banker), card_of(third)))
                assert (coup.due is Side.BANKER) == (str(third) in draws.split()), coup


def check_banker_alone(draws: str, stands: str) -> None:
    """Banker's draws where Player has stood; Banker's Naturals end the deal in any case."""
    for player in (6, 7):
        for banker in map(int, draws + stands):
            coup = dealt(in_order(opening(player), opening(banker)))
            assert (coup.due is Side.BANKER) == (str(banker) in draws), coup


ANY = " ".join("0123456789")


def check_table_of_play() -> None:
    """The table as the four RWS books print it."""
    check_player_draws(draws="012345", stands="67")
    check_naturals_end_the_deal()
    check_banker_draws(
        {
            3: ("0 1 2 3 4 5 6 7 9", "8"),
            4: ("2 3 4 5 6 7", "0 1 8 9"),
            5: ("4 5 6 7", "0 1 2 3 8 9"),
            6: ("6 7", "0 1 2 3 4 5 8 9"),
            7: ("", ANY),
            0: (ANY, ""),
            1: (ANY, ""),
            2: (ANY, ""),
        }
    )


def check_reconstruction() -> None:
    """Cards are dealt again in the order they left the shoe; what no hand needs is left over."""
    again = reconstruct(parse_cards("2h 6c Kd Qs 5h 4h 3c"))
    assert (str(again.coup), [str(card) for card in again.left_over]) == ("P 2hKd5h B 6cQs", ["4h", "3c"])
    short = reconstruct(parse_cards("2h 6c Kd Qs"))
    assert (short.coup.due, short.left_over) == (Side.PLAYER, ())


# --- Points ----------------------------------------------------------------------------------------------


def check_values(worth: Mapping[str, int]) -> None:
    """Rank → points, whatever the suit."""
    for rank, number in worth.items():
        for suit in "shdc":
            (card,) = parse_cards(rank + suit)
            assert card.points == number
            assert points([card]) == number % 10


def check_point_totals() -> None:
    """Only the last digit of a sum counts."""
    for cards, number in {
        "": 0,
        "4h 5c": 9,
        "5h 5c": 0,
        "9h 9c": 8,
        "7h 8c": 5,
        "9h 9c 9d": 7,
        "Th Jc Qd": 0,
        "Kh 6c 4d": 0,
        "Ah 9c Td": 0,
        "6h 7c 8d": 1,
    }.items():
        assert points(parse_cards(cards)) == number, cards


def check_natural() -> None:
    """8 or 9 on two cards; not on three."""
    for number in range(10):
        for side, cards in (("player", in_order(opening(number), ("2h", "4d"))), ("banker", "")):
            coup = dealt(cards or in_order(("2h", "4d"), opening(number)))
            hand = coup.player if side == "player" else coup.banker
            assert hand.natural == (number in (8, 9)), coup
    both = dealt("8h 9c Kd Qs")
    assert (both.player.natural, both.banker.natural) == (True, True)
    three = dealt("2h 7c Kd Qs 6h")
    assert (three.player.total, three.player.natural) == (8, False)


def check_hand() -> None:
    """Each side has the cards dealt to it, in their order."""
    coup = dealt("2h 3c Kd Qs 5h 4h")
    assert (str(coup.player), str(coup.banker)) == ("2hKd5h", "3cQs4h")
    assert (len(coup.player), len(coup.banker)) == (3, 3)


def check_winner() -> None:
    """Of every two final totals, the higher wins."""
    for finished in all_rounds():
        winner = dealt(finished.cards).winner
        assert (winner.value if winner else "tie") == finished.winner, finished


def check_tie() -> None:
    """Hands on the same points have no winner, and no others are without one."""
    for finished in all_rounds():
        assert (dealt(finished.cards).winner is None) == (finished.player == finished.banker), finished


# --- Insurance -------------------------------------------------------------------------------------------


def insurance_table(rows: Iterable[tuple[str, str, str]]) -> dict[tuple[int, int], str]:
    """(own points, other points, odds) as printed, ``0-5`` meaning 0 to 5 → odds by both points."""

    def spread(text: str) -> range:
        first, _, last = text.partition("-")
        return range(int(first), int(last or first) + 1)

    return {(own, other): odds for owns, others, odds in rows for own in spread(owns) for other in spread(others)}


def odds_of(row: InsuranceRow | None) -> Fraction | None:
    return row.odds.fraction if row else None


# --- What is decided before the end ----------------------------------------------------------------------


def check_established(game: Game, *, cards: int, unless: Callable[[Coup], bool] = lambda _: False) -> None:
    """With so many cards out some bet of every layout is decided, save where ``unless`` holds."""
    for openings in product(VALUES, repeat=cards):
        coup = dealt(" ".join(rank + suit for rank, suit in zip(openings, "hcds", strict=False)))
        assert decided(game.book, coup).established != unless(coup), coup
        if openings[0] == "2":  # a part is enough for the layouts
            for layout in game.book.layouts.values():
                assert decided(game.book, coup, layout).established != unless(coup), (coup, layout.code)
