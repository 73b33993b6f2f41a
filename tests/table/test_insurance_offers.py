"""Insurance at the table (reading F): every row of the pay table, who is asked, how much, and who has forgone it."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from tests.rules import at_table
from tests.rules.at_table import called, place
from tests.table.build import DEALER, SHIFT, Play, open_table

from puntobanco.bets import Result
from puntobanco.cards import Side, parse_cards
from puntobanco.money import Odds
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE
from puntobanco.table.insurance.offers import nobody_is_asked
from puntobanco.table.rulings import CorrectBet, GiveOptions
from puntobanco.table.settings import ELECTRONIC, BetLimits, Differential, Step, in_order
from puntobanco.table.state import Phase, Round

QUICK = in_order({Step.OFFER, Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM})
PLAYER, BANKER = Side
LIMITS = BetLimits(minimum=25_00, maximum=4_000_00, step=5_00)


def told(play: Play, body: c.AnyCommand, actor: str) -> tuple[str, str]:
    refusal = play.refused(body, actor)
    return refusal.code, refusal.paragraph


def current(play: Play) -> Round:
    assert play.table.round is not None
    return play.table.round


def betting(**changes: Any) -> Play:
    """Ann at box 1, Bob at box 2, Cho standing behind box 1; bets are called for."""
    play = open_table(**{"automated": QUICK, "limits": LIMITS, **changes})
    play.sit("ann", 1)
    play.sit("bob", 2)
    play.sit("cho", 1, seated=False)
    play.shoe()
    play.call()
    return play


def dealt(cards: str, bets: dict[str, dict[str, int]] | None = None, **changes: Any) -> Play:
    """Bets in whole currency units (Ann 100 on Player, Bob 100 on Banker), closed, and these cards at once."""
    play = betting(**changes)
    for person, wagers in (bets or {"ann": {"player": 100}, "bob": {"banker": 100}}).items():
        play.bet(person, {bet: amount * 100 for bet, amount in wagers.items()})
    play.close()
    deal(play, cards)
    return play


def deal(play: Play, cards: str) -> tuple[e.Event, ...]:
    """As many cards as may come at once; a window in between must be closed by the test."""
    events: tuple[e.Event, ...] = ()
    for card in parse_cards(cards):
        events += play.do(c.Deal((card,)), play.runner)
    return events


def insure(play: Play, person: str, hand: Side, amount: int, box: int | None = None) -> tuple[e.Event, ...]:
    body = c.Insure(person, box or play.table.people[person].box, hand, amount * 100)
    return play.do(body, person)


def offers(play: Play) -> list[tuple[Side, str, tuple[str, ...]]]:
    """What is on offer: hand, odds, to whom."""
    window = current(play).window if play.table.round else None
    return [(offer.hand, str(offer.odds), offer.people) for offer in window.offers] if window else []


# --- every row, paid, lost and returned

ROWS = """
# after four cards: whose insurance, own and other points | odds
P 5    4   | 3 to 2
P 6    0-5 | 5 to 2
P 7    0-5 | 4 to 1
B 4    0-3 | 3 to 2
B 5    0-4 | 3 to 2
B 6    0-5 | 5 to 2
B 7    0-5 | 4 to 1
# after Player's third card
P3 5   0-4 | 3 to 2
P3 6   0-5 | 5 to 2
P3 7   0-6 | 4 to 1
P3 8   0-6 | 10 to 1
P3 9   0-6 | 10 to 1
B3 1-6 0   | 10 to 1
B3 1   1   | 6 to 1
B3 2-6 1   | 10 to 1
B3 3-6 2   | 4 to 1
B3 4   3   | 5 to 2
"""
BANKER_DRAWS_AGAINST = {
    **dict.fromkeys((0, 1, 2), "0123456789"),
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}


def spread(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def printed() -> dict[tuple[str, int, int], str]:
    """(Window and hand, Player's points, Banker's points) → odds, as printed."""
    found = {}
    for line in ROWS.splitlines():
        if line and not line.startswith("#"):
            what, odds = (cell.strip() for cell in line.split("|"))
            where, own, other = what.split()
            for mine in spread(own):
                for theirs in spread(other):
                    points = (mine, theirs) if where.startswith("P") else (theirs, mine)
                    found[(where, *points)] = odds
    return found


def card(points: int, suit: str) -> str:
    return ("T" if points == 0 else "A" if points == 1 else str(points)) + suit


class Situation(NamedTuple):
    """Cards on the table while another is due, and who has how much."""

    cards: str
    player: int
    banker: int
    third: bool
    """Whether Player's third card is out."""


def situations() -> list[Situation]:
    """Every pair of points on four cards, and on five, from which somebody still draws."""
    found: dict[tuple[bool, int, int], Situation] = {}
    for player in range(8):
        for banker in range(8):
            four = f"{card(player, 'h')} {card(banker, 'c')} Kd Ks"
            if player <= 5 or banker <= 5:
                found[False, player, banker] = Situation(four, player, banker, False)
            for third in range(10):
                if player <= 5 and str(third) in BANKER_DRAWS_AGAINST[banker]:
                    total = (player + third) % 10
                    five = f"{four} {card(third, 's')}"
                    found.setdefault((True, total, banker), Situation(five, total, banker, True))
    return list(found.values())


def final(situation: Situation) -> dict[str, str]:
    """Cards that end the round from there: one for each result that can be had."""
    found: dict[str, str] = {}
    player, banker = situation.player, situation.banker
    for next_card in range(10):
        if situation.third or player > 5:
            totals = player, (banker + next_card) % 10
            cards = card(next_card, "d")
            found.setdefault(result_of(*totals), cards)
            continue
        mine = (player + next_card) % 10
        if str(next_card) not in BANKER_DRAWS_AGAINST[banker]:
            found.setdefault(result_of(mine, banker), card(next_card, "d"))
            continue
        for last in range(10):
            cards = f"{card(next_card, 'd')} {card(last, 'd')}"
            found.setdefault(result_of(mine, (banker + last) % 10), cards)
    return found


def result_of(player: int, banker: int) -> str:
    return "player" if player > banker else "banker" if banker > player else "tie"


@pytest.mark.parametrize("third", [False, True])
def test_offers_are_the_printed_rows_and_no_others(third: bool) -> None:
    rows = printed()
    base = betting(forgo="window")
    base.bet("ann", {"player": 100_00})
    base.bet("bob", {"banker": 100_00})
    base.close()
    seen = set()
    for situation in situations():
        if situation.third is not third:
            continue
        play = Play(base.table, tuple(base.entries))
        play.deal(situation.cards)
        expected = []
        for key, hand, person in (("P", PLAYER, "ann"), ("B", BANKER, "bob")):
            row = (key + ("3" if third else ""), situation.player, situation.banker)
            if row in rows:
                expected.append((hand, rows[row], (person,)))
                seen.add(row)
        assert offers(play) == expected, situation
    assert seen == {row for row in rows if row[0].endswith("3") is third}  # each of them can come about


def insured_rounds() -> list[tuple[Situation, str, str, str, str]]:
    """Every row at each of its points: the situation, the hand, the odds, the result, the cards that lead there."""
    rows = printed()
    found = []
    for situation in situations():
        for key in ("P", "B"):
            odds = rows.get((key + ("3" if situation.third else ""), situation.player, situation.banker))
            if odds:
                found += [(situation, key, odds, result, cards) for result, cards in final(situation).items()]
    return found


def test_every_row_is_paid_lost_and_returned() -> None:
    base = betting(forgo="window")
    base.bet("ann", {"player": 100_00})
    base.bet("bob", {"banker": 100_00})
    base.close()
    counts = dict.fromkeys(("paid", "lost", "returned", "paid on a tie"), 0)
    rounds = insured_rounds()
    assert len({(situation, key) for situation, key, *_ in rounds}) == len(printed())
    for situation, key, odds, result, cards in rounds:
        play = Play(base.table, tuple(base.entries))
        play.deal(situation.cards)
        person, hand = ("ann", PLAYER) if key == "P" else ("bob", BANKER)
        insure(play, person, hand, 60)
        before = play.table.balances[f"chips:{person}"]
        play.deal(cards)
        assert play.table.last is not None
        (line,) = (line for line in play.table.last.lines if line.insurance)
        pays, _, to = odds.partition(" to ")
        profit = 60_00 * int(pays) // int(to)
        tie_pays = situation.third and (
            (key == "P" and situation.player == 9)
            or (key == "B" and situation.player == 0 and 1 <= situation.banker <= 6)
        )
        if result == "tie" and tie_pays:
            paragraph = "4.2.1.a" if key == "P" else "4.2.1.b"
            expected = ("paid on a tie", Result.WON, profit, paragraph)
        elif result == "tie":
            expected = ("returned", Result.RETURNED, 0, "4.2.1")
        elif result == hand.value:
            expected = ("lost", Result.LOST, -60_00, "4.1.14")
        else:
            expected = ("paid", Result.WON, profit, "4.1.14")
        assert (line.result, line.profit, line.paragraph) == expected[1:], (situation, key, result)
        counts[expected[0]] += 1
        # the money follows the lines
        own = {"tie": 100_00, hand.value: 200_00}.get(result, 0)
        own -= 50_00 if own == 200_00 and hand is BANKER and play.table.last.coup.banker.total == 6 else 0
        back = 60_00 + line.profit
        assert play.table.balances[f"chips:{person}"] == before + own + back
        assert sum(play.table.balances.values()) == 0
    assert min(counts.values()) > 10, counts


# --- to whom


def test_only_bettors_on_the_hand_are_asked() -> None:
    bets = {"ann": {"player": 100}, "bob": {"banker": 100, "tie": 50}, "cho": {"player": 50}}
    play = dealt("6h 5c Kd Ks", bets)
    assert offers(play) == [(PLAYER, "5 to 2", ("ann", "cho"))]
    assert told(play, c.Insure("bob", 2, PLAYER, 25_00), "bob") == ("no_insurance", "3.11")
    assert told(play, c.PassInsurance("bob"), "bob") == ("no_insurance", "3.12")
    assert told(play, c.Insure("ann", 1, BANKER, 25_00), "ann") == ("no_insurance", "4.1.14")
    assert told(play, c.Insure("ann", 2, PLAYER, 25_00), "ann") == ("insurance_cap", "3.12.2")  # not in that box
    assert told(play, c.Insure("stranger", 1, PLAYER, 25_00), DEALER)[0] == "unknown_person"
    assert told(play, c.Insure("ann", 1, PLAYER, 0), "ann")[0] == "bad_amount"


def test_nobody_is_asked_without_a_bet_on_that_hand() -> None:
    play = dealt("6h 5c Kd Ks", {"bob": {"banker": 100}, "cho": {"tie": 50}})
    assert offers(play) == []
    deal(play, "4s")
    assert play.table.phase is Phase.IDLE


def test_a_standing_player_insures_too() -> None:
    play = dealt("6h 5c Kd Ks", {"cho": {"player": 100}})
    insure(play, "cho", PLAYER, 100)
    assert play.table.balances["layout:cho"] == 200_00


# --- how much


def fits(play: Play, person: str, hand: Side, amount: int, box: int | None = None) -> tuple[str, str, int]:
    """The refusal of an amount in whole currency units, with what fits."""
    body = c.Insure(person, box or play.table.people[person].box, hand, amount * 100)
    refusal = play.refused(body, person)
    assert refusal.fits is not None
    return refusal.code, refusal.paragraph, refusal.fits // 100


def test_at_most_the_original_bet_and_no_minimum() -> None:
    play = dealt("6h 5c Kd Ks", {"ann": {"player": 100}, "cho": {"player": 500}})
    assert fits(play, "ann", PLAYER, 101) == ("insurance_cap", "3.12.2", 100)
    play.do(c.Insure("ann", 1, PLAYER, 1), "ann")  # a cent
    insure(play, "ann", PLAYER, 60)
    body = c.Insure("ann", 1, PLAYER, 40_00)
    assert play.refused(body, "ann").fits == 39_99  # both together
    play.do(c.Insure("ann", 1, PLAYER, 39_99), "ann")
    assert fits(play, "ann", PLAYER, 1) == ("insurance_cap", "3.12.2", 0)
    assert fits(play, "cho", PLAYER, 501) == ("insurance_cap", "3.12.2", 500)  # everybody's own


def test_each_box_has_its_own_original_bet() -> None:
    play = betting()
    play.bet("ann", {"player": 100_00})
    play.bet("ann", {"player": 300_00}, 2)
    play.close()
    deal(play, "6h 5c Kd Ks")
    assert fits(play, "ann", PLAYER, 101) == ("insurance_cap", "3.12.2", 100)
    assert fits(play, "ann", PLAYER, 301, 2) == ("insurance_cap", "3.12.2", 300)
    insure(play, "ann", PLAYER, 100)
    assert not nobody_is_asked(play.table, current(play))  # the other box may still be insured
    insure(play, "ann", PLAYER, 300, 2)
    assert nobody_is_asked(play.table, current(play))
    assert play.table.balances["layout:ann"] == 800_00


def test_more_than_the_chips_that_are_left() -> None:
    play = dealt("6h 5c Kd Ks", {"ann": {"player": 4_000}})
    play.do(c.CashOut("ann", 5_950_00), "ann")
    refusal = play.refused(c.Insure("ann", 1, PLAYER, 60_00), "ann")
    assert (refusal.code, refusal.fits) == ("funds", 50_00)


CAPS = [
    # maximum, Differential, Original Bet → the most at 10 to 1
    (4_000, None, 4_000, 1_000),
    (4_000, None, 1_000, 1_000),
    (4_000, None, 995, 995),
    (4_000, 2_000, 2_000, 1_000),  # the maximum counts where there is one
    (None, 2_000, 2_000, 500),  # else the Differential
    (None, None, 2_000, 2_000),  # else nothing
]


@pytest.mark.parametrize(("maximum", "differential", "bet", "most"), CAPS)
@pytest.mark.parametrize("hand", [PLAYER, BANKER])
def test_at_10_to_1_a_quarter_of_the_maximum(
    hand: Side, maximum: int | None, differential: int | None, bet: int, most: int
) -> None:
    # Player 8 on three cards, Banker 3 to draw; or Player 1 on three, Banker 3 to draw
    cards = "2h 3c Kd Ks 6h" if hand is PLAYER else "2h 3c Kd Ks 9h"
    play = dealt(
        cards,
        {"ann": {hand.value: bet}},
        limits=BetLimits(25_00, maximum and maximum * 100, 5_00),
        differential=Differential(differential * 100) if differential else None,
    )
    assert [odds for _, odds, _ in offers(play)] == ["10 to 1"]
    refusal = play.refused(c.Insure("ann", 1, hand, most * 100 + 1), "ann")
    assert (refusal.code, refusal.paragraph, refusal.fits) == ("insurance_cap", "3.12.2", most * 100)
    insure(play, "ann", hand, most)


def test_a_bets_own_maximum_counts_and_odd_quarters_round_down() -> None:
    play = dealt(
        "2h 3c Kd Ks 6h",
        {"ann": {"player": 300}},
        limits=BetLimits(1, None, 1),
        bet_limits={"player": BetLimits(1, 1_000_01, 1)},
    )
    assert play.refused(c.Insure("ann", 1, PLAYER, 300_00), "ann").fits == 250_00


def test_the_quarter_is_for_all_boxes_of_a_person() -> None:
    play = betting(limits=BetLimits(25_00, 2_000_00, 5_00))
    play.bet("ann", {"player": 400_00})
    play.bet("ann", {"player": 400_00}, 2)
    play.bet("cho", {"player": 400_00})
    play.close()
    deal(play, "2h 3c Kd Ks 6h")
    insure(play, "ann", PLAYER, 400)
    assert fits(play, "ann", PLAYER, 105, 2) == ("insurance_cap", "3.12.2", 100)
    insure(play, "ann", PLAYER, 100, 2)
    insure(play, "cho", PLAYER, 400)  # hers is her own


def test_shorter_odds_know_no_quarter() -> None:
    play = dealt("2h 3c Kd Ks 5h", {"ann": {"player": 4_000}})  # Player 7 on three: 4 to 1
    insure(play, "ann", PLAYER, 4_000)


def test_each_window_counts_by_itself() -> None:
    play = dealt("4h 6c Kd Ks", {"bob": {"banker": 100}})  # Banker 6 leads: 5 to 2
    insure(play, "bob", BANKER, 100)
    deal(play, "6h")  # Player 0, Banker draws: 10 to 1
    insure(play, "bob", BANKER, 100)
    assert play.table.balances["layout:bob"] == 300_00
    deal(play, "4d")  # 0 each: the first comes back, the second pays
    assert play.table.balances["chips:bob"] == 10_000_00 + 1_000_00


# --- letting it pass


def both_windows(**changes: Any) -> Play:
    """Ann and Cho on Banker are asked after four cards; after the fifth they would be asked again."""
    return dealt("4h 6c Kd Ks", {"ann": {"banker": 100}, "cho": {"banker": 100}, "bob": {"player": 100}}, **changes)


def test_who_lets_the_first_window_pass_has_forgone_the_round() -> None:
    play = both_windows()
    insure(play, "ann", BANKER, 50)
    assert play.do(c.PassInsurance("cho"), "cho") == (e.InsurancePassed("cho", "5.3"),)
    dealt = play.do(c.Deal(parse_cards("6h")), DEALER)  # everybody has answered
    assert dealt[0] == e.InsuranceClosed(Window.FOUR_CARDS, ("cho",), "5.3")
    assert offers(play) == [(BANKER, "10 to 1", ("ann",))]
    assert told(play, c.Insure("cho", 1, BANKER, 25_00), "cho") == ("forgone", "5.3")
    insure(play, "ann", BANKER, 50)


def test_who_was_not_asked_has_forgone_nothing() -> None:
    play = dealt("2h 4c Kd Ks", {"ann": {"player": 100}, "bob": {"banker": 100}})
    assert offers(play) == [(BANKER, "3 to 2", ("bob",))]
    play.do(c.CloseInsurance(), DEALER)
    deal(play, "4h")  # Player 6, Banker 4 draws
    assert offers(play) == [(PLAYER, "5 to 2", ("ann",))]


def test_where_each_window_counts_alone_nothing_is_forgone() -> None:
    play = both_windows(forgo="window")
    insure(play, "ann", BANKER, 50)
    play.do(c.PassInsurance("cho"), "cho")
    closed = play.do(c.Deal(parse_cards("6h")), DEALER)[0]
    assert closed == e.InsuranceClosed(Window.FOUR_CARDS, (), "5.3")
    assert offers(play) == [(BANKER, "10 to 1", ("ann", "cho"))]


def test_the_dealer_closes_the_window() -> None:
    play = both_windows()
    assert told(play, c.CloseInsurance(), "ann")[0] == "rank"
    (closed,) = play.do(c.CloseInsurance(), DEALER)
    assert closed == e.InsuranceClosed(Window.FOUR_CARDS, ("ann", "cho"), "5.3")
    assert told(play, c.CloseInsurance(), DEALER) == ("no_insurance", "3.12")
    assert told(play, c.Insure("ann", 1, BANKER, 25_00), "ann") == ("forgone", "5.3")
    assert told(play, c.Insure("bob", 2, PLAYER, 25_00), "bob") == ("no_insurance", "3.12")
    deal(play, "6h")
    assert offers(play) == []


def test_the_next_card_closes_the_window() -> None:
    play = both_windows()
    insure(play, "ann", BANKER, 50)
    drawn = play.do(c.Draw(parse_cards("6h")[0], PLAYER))  # at a live table the dealer may not wait
    assert drawn[0] == e.InsuranceClosed(Window.FOUR_CARDS, ("cho",), "5.3")
    assert told(play, c.Insure("cho", 1, BANKER, 25_00), "cho") == ("forgone", "5.3")


def test_an_electronic_shoe_waits_for_the_window() -> None:
    play = both_windows(automated=ELECTRONIC)
    assert told(play, c.Deal(parse_cards("6h")), HOUSE) == ("insurance_open", "3.13")
    play.wait(11)
    assert told(play, c.Insure("ann", 1, BANKER, 25_00), "ann") == ("forgone", "5.3")  # the time is over
    play.do(c.CloseInsurance(), HOUSE)
    play.do(c.Deal(parse_cards("6h")), HOUSE)


def test_cards_beyond_a_window_are_not_dealt_at_once() -> None:
    play = betting()
    play.bet("bob", {"banker": 100_00})
    play.close()
    assert told(play, c.Deal(parse_cards("2h 4c Kd Ks 4h")), DEALER) == ("insurance_open", "3.13")


def test_who_passed_may_think_again_while_the_window_is_open() -> None:
    play = both_windows()
    play.do(c.PassInsurance("cho"), "cho")
    assert told(play, c.PassInsurance("cho"), "cho")[0] == "already_there"
    insure(play, "cho", BANKER, 25)
    (closed,) = play.do(c.CloseInsurance(), DEALER)
    assert closed == e.InsuranceClosed(Window.FOUR_CARDS, ("ann",), "5.3")


def test_the_next_round_begins_afresh() -> None:
    play = both_windows()
    play.do(c.CloseInsurance(), DEALER)
    play.deal("9h")
    assert play.table.phase is Phase.IDLE
    play.call()
    play.bet("ann", {"banker": 100_00})
    play.close()
    deal(play, "4h 6c Kd Ks")
    assert offers(play) == [(BANKER, "5 to 2", ("ann",))]


# --- the offer itself


def test_a_dealer_offers_where_the_table_does_not() -> None:
    play = dealt("4h 6c Kd Ks", automated=in_order({Step.SETTLE}))
    assert current(play).window is None
    assert told(play, c.Insure("bob", 2, BANKER, 25_00), "bob") == ("no_insurance", "3.12")
    assert told(play, c.Deal(parse_cards("6h")), DEALER) == ("insurance_open", "3.13")
    assert told(play, c.OfferInsurance(), "bob")[0] == "rank"
    (offered,) = play.do(c.OfferInsurance(), DEALER)
    assert offered == e.InsuranceOffered(
        Window.FOUR_CARDS,
        (e.Offer(BANKER, Odds(5, 2), 6, 4, ("bob",)),),
        "3.12",
        play.now + 10_000,
    )
    assert told(play, c.OfferInsurance(), DEALER) == ("no_insurance", "3.12")
    insure(play, "bob", BANKER, 25)


def test_face_down_cards_open_no_window() -> None:
    play = betting(face_down=True)
    play.bet("bob", {"banker": 100_00})
    play.close()
    for number, drawn in enumerate(parse_cards("4h 6c Kd Ks"), 1):
        play.do(c.Draw(drawn, PLAYER if number % 2 else BANKER))
    for number in (1, 2, 3):
        play.do(c.Turn(number))
        assert offers(play) == []
    play.do(c.Turn(4))
    assert offers(play) == [(BANKER, "5 to 2", ("bob",))]


def test_no_insurance_at_a_private_table_or_in_other_books() -> None:
    private = betting(no_insurance=True)
    private.bet("bob", {"banker": 100_00})
    private.close()
    deal(private, "4h 6c Kd Ks")
    assert offers(private) == []
    assert told(private, c.Insure("bob", 2, BANKER, 25_00), "bob") == ("no_insurance", "4.2.2")
    assert told(private, c.PassInsurance("bob"), "bob") == ("no_insurance", "4.2.2")
    for game, layout in (("da-hu-ying-xiong", "A"), ("super-six", "F"), ("rws-baccarat", "A")):
        play = betting(game=game, layout=layout, positions=5)
        play.bet("bob", {"banker": 100_00})
        play.close()
        deal(play, "4h 6c Kd Ks")
        assert offers(play) == []
        assert told(play, c.Insure("bob", 2, BANKER, 25_00), "bob") == ("no_insurance", "")
        assert told(play, c.OfferInsurance(), DEALER) == ("no_insurance", "")


# --- to the unit and to the moment


def test_a_window_waits_for_nobody_who_has_walked_away_from_it() -> None:
    bets = {"ann": {"banker": 100}, "bob": {"banker": 100}}
    play = dealt("2h 4c Kd Ks", bets, forgo="window")
    play.do(c.WalkAway("bob"))
    assert not nobody_is_asked(play.table, current(play))
    play.do(c.PassInsurance("ann"), "ann")
    assert nobody_is_asked(play.table, current(play))


def test_insurance_is_taken_until_the_last_moment() -> None:
    play = dealt("2h 4c Kd Ks", automated=ELECTRONIC)
    window = current(play).window
    assert window is not None
    play.now = window.until + 1
    assert told(play, c.Insure("bob", 2, BANKER, 50_00), "bob") == ("forgone", "5.3")
    play.now = window.until
    insure(play, "bob", BANKER, 50)


def test_what_may_be_insured_is_what_stands_of_a_bet_that_nobody_noticed() -> None:
    """Banker 600, and the Differential 500: of each bet five sixths stand."""
    play = betting(differential=Differential(500_00))
    play.close()
    play.do(c.FindBet("ann", 1, "banker", 480_00))
    play.do(c.FindBet("bob", 2, "banker", 120_00))
    play.do(c.FindBet("ann", 1, "tie", 50_00))
    deal(play, "2h 4c Kd Ks")
    for person, box, most in (("ann", 1, 400_00), ("bob", 2, 100_00)):
        assert play.refused(c.Insure(person, box, BANKER, 480_00), person).fits == most


def test_a_bet_that_was_less_than_its_insurance_takes_no_more() -> None:
    play = dealt("2h 4c Kd Ks", {"ann": {"banker": 100}, "bob": {"banker": 100}})
    insure(play, "bob", BANKER, 100)
    play.rule(CorrectBet("bob", 2, "banker", 50_00), 0, "counted again")
    refused = play.refused(c.Insure("bob", 2, BANKER, 1), "bob")
    assert (refused.code, refused.fits) == ("insurance_cap", 0)


@pytest.mark.parametrize(
    ("changes", "told_then"),
    [
        ({"game": "super-six", "layout": "A", "positions": 9}, ("no_insurance", "")),
        ({"no_insurance": True}, ("no_insurance", "4.2.2")),
        ({}, ("forgone", "5.3")),
    ],
)
def test_who_took_the_bets_back_has_forgone_what_the_table_offers(
    changes: dict[str, Any], told_then: tuple[str, str]
) -> None:
    play = betting(**changes)
    for person in ("ann", "bob"):
        play.bet(person, {"banker": 100_00})
    play.close()
    deal(play, "2h 4c")
    play.rule(GiveOptions(), 0, "a fire alarm", SHIFT)
    play.do(c.TakeOption("ann", False), "ann")
    play.do(c.TakeOption("bob", True), "bob")
    assert told(play, c.Insure("ann", 1, BANKER, 50_00), "ann") == told_then


GAME = "tiger-buffalo"


def test_insurance_is_due_where_the_dealer_offers_it() -> None:
    play = called(GAME, automated=(Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM))
    play.do(place("bob", 2, banker=100), "bob")
    play.close()
    play.deal("2h 4c Kd Ks")  # Banker 4 leads Player 2
    assert at_table.told(play, c.Deal(parse_cards("4s")), DEALER) == ("insurance_open", "3.13")
    play.do(c.OfferInsurance(), DEALER)
    play.do(c.CloseInsurance(), DEALER)
    play.do(c.Deal(parse_cards("4s")), DEALER)


def test_who_has_walked_away_insures_nothing() -> None:
    play = called(GAME, automated=at_table.QUICK, forgo="window")
    for person, box in (("ann", 1), ("bob", 2)):
        play.do(place(person, box, banker=100), person)
    play.close()
    play.deal("2h 4c Kd Ks")
    assert at_table.current(play).window is not None
    play.do(c.WalkAway("bob"), DEALER)
    assert at_table.told(play, c.Insure("bob", 2, Side.BANKER, 50_00), DEALER) == ("forgone", "5.3")
