"""The table's money: every movement is a transfer, sums are always zero, the closing count tells what is missing."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.table.build import DEALER, DIRECTOR, MANAGER, SHIFT, SUPERVISOR, Play, open_table

from puntobanco.cards import parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.engine import Done, execute, fold
from puntobanco.table.ledger import break_down
from puntobanco.table.settings import ELECTRONIC, BetLimits, Step, in_order
from puntobanco.views.payments import payments

QUICK = in_order({Step.OFFER, Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM})
OPENING = 121_000_00
"""100 chips of 1,000, 200 of 100 and 200 of 5, as tests.table.build opens its tables."""


def told(play: Play, body: c.AnyCommand, actor: str) -> tuple[str, str]:
    refusal = play.refused(body, actor)
    return refusal.code, refusal.paragraph


def joined(**changes: Any) -> Play:
    """Ann at box 1, without chips yet."""
    play = open_table(**changes)
    play.do(c.Join("ann", 1), "ann")
    return play


def changes_of(play: Play, body: c.AnyCommand, actor: str) -> dict[str, int]:
    """Carry the command out; account → by how much it changed."""
    before = play.table.balances
    play.do(body, actor)
    after = play.table.balances
    assert sum(after.values()) == 0
    names = {*before, *after}
    changed = {name: after.get(name, 0) - before.get(name, 0) for name in names}
    return {name: amount for name, amount in changed.items() if amount}


# --- chips in and out


def test_opening_takes_the_float_from_the_cage() -> None:
    play = open_table()
    assert play.table.balances == {"cage": -OPENING, "tray": OPENING}
    assert play.table.reckoning.opening == OPENING


def test_cash_goes_down_the_drop_box() -> None:
    play = joined()
    assert changes_of(play, c.BuyIn("ann", 500_00), DEALER) == {
        "cash": -500_00,
        "drop": 500_00,
        "tray": -500_00,
        "chips:ann": 500_00,
    }
    assert told(play, c.BuyIn("ann", 500_00), "ann")[0] == "rank"  # cash is taken by the dealer
    assert told(play, c.BuyIn("ann", 0), DEALER)[0] == "bad_amount"
    assert told(play, c.BuyIn("stranger", 500_00), DEALER)[0] == "unknown_person"
    assert told(play, c.BuyIn("ann", 500_00), "bob")[0] == "not_yours"


def test_money_on_account_becomes_chips_and_comes_back() -> None:
    play = joined()
    assert changes_of(play, c.BuyIn("ann", 500_00, "account"), "ann") == {
        "account:ann": -500_00,
        "drop": 500_00,
        "tray": -500_00,
        "chips:ann": 500_00,
    }
    assert changes_of(play, c.CashOut("ann", 200_00), "ann") == {
        "account:ann": 200_00,
        "drop": -200_00,
        "tray": 200_00,
        "chips:ann": -200_00,
    }
    refusal = play.refused(c.CashOut("ann", 300_01), "ann")
    assert (refusal.code, refusal.fits) == ("funds", 300_00)
    assert told(play, c.CashOut("ann", -1), "ann")[0] == "bad_amount"


def test_chips_walk_in_and_out() -> None:
    play = joined()
    assert changes_of(play, c.ChipsIn("ann", 700_00), DEALER) == {"floor": -700_00, "chips:ann": 700_00}
    assert changes_of(play, c.ChipsOut("ann", 100_00), DEALER) == {"floor": 100_00, "chips:ann": -100_00}
    for body in (c.ChipsIn("ann", 1), c.ChipsOut("ann", 1)):
        assert told(play, body, "ann")[0] == "rank"
    refusal = play.refused(c.ChipsOut("ann", 600_01), DEALER)
    assert (refusal.code, refusal.fits) == ("funds", 600_00)


def test_tips_go_to_the_tip_box() -> None:
    play = joined()
    play.do(c.BuyIn("ann", 100_00), DEALER)
    assert changes_of(play, c.Tip("ann", 15_00), "ann") == {"chips:ann": -15_00, "tips": 15_00}
    refusal = play.refused(c.Tip("ann", 85_01), "ann")
    assert (refusal.code, refusal.fits) == ("funds", 85_00)
    assert told(play, c.Tip("ann", 0), "ann")[0] == "bad_amount"


def test_who_leaves_takes_the_chips() -> None:
    live = joined()
    live.do(c.BuyIn("ann", 100_00), DEALER)
    assert changes_of(live, c.Leave("ann"), "ann") == {"chips:ann": -100_00, "floor": 100_00}
    assert "ann" not in live.table.people
    electronic = joined(automated=ELECTRONIC)
    electronic.do(c.BuyIn("ann", 100_00, "account"), "ann")
    assert changes_of(electronic, c.Leave("ann"), "ann") == {
        "chips:ann": -100_00,
        "tray": 100_00,
        "drop": -100_00,
        "account:ann": 100_00,
    }


def test_nobody_leaves_with_bets_on_the_layout() -> None:
    play = joined(automated=QUICK)
    play.do(c.BuyIn("ann", 100_00), DEALER)
    play.shoe()
    play.call()
    play.bet("ann", {"player": 50_00})
    assert told(play, c.Leave("ann"), "ann") == ("bets_on_layout", "5.3.1")
    assert told(play, c.Join("ann", 2), "ann")[0] == "bets_on_layout"  # nor changes seats
    play.close()
    play.deal("9h 8c Kd Ks")
    play.do(c.Leave("ann"), "ann")
    assert play.table.balances["floor"] == 150_00


def test_bets_are_made_with_chips_at_the_table() -> None:
    play = joined()
    play.do(c.BuyIn("ann", 100_00), DEALER)
    play.shoe()
    play.call()
    refusal = play.refused(c.Place("ann", 1, {"player": 60_00, "tie": 45_00}), "ann")
    assert (refusal.code, refusal.fits) == ("funds", None)
    refusal = play.refused(c.Place("ann", 1, {"player": 105_00}), "ann")
    assert (refusal.code, refusal.fits) == ("funds", 100_00)
    assert changes_of(play, c.Place("ann", 1, {"player": 60_00, "tie": 40_00}), "ann") == {
        "chips:ann": -100_00,
        "layout:ann": 100_00,
    }
    assert changes_of(play, c.Withdraw("ann", 1, "tie"), "ann") == {"chips:ann": 40_00, "layout:ann": -40_00}


# --- fills and credits


def test_a_fill_moves_chips_over_two_signatures() -> None:
    play = open_table()
    requested = play.do(c.RequestFill("f1", "fill", {1_000_00: 5, 100_00: 10}), DEALER)
    assert requested == (e.FillRequested("f1", "fill", {1_000_00: 5, 100_00: 10}, DEALER),)
    assert play.table.balances["tray"] == OPENING  # nothing moves before the second signature
    assert told(play, c.SignFill("f1"), DEALER)[0] == "second_person"
    assert told(play, c.SignFill("f1"), HOUSE)[0] == "second_person"
    assert changes_of(play, c.SignFill("f1"), SUPERVISOR) == {"cage": -6_000_00, "tray": 6_000_00}
    assert play.events[-1] == e.FillSigned(
        "f1", "fill", 6_000_00, (DEALER, SUPERVISOR), (e.Transfer("cage", "tray", 6_000_00),)
    )
    assert told(play, c.SignFill("f1"), SUPERVISOR)[0] == "unknown_request"
    assert (play.table.reckoning.fills, play.table.reckoning.credits) == (6_000_00, 0)


def test_a_credit_is_the_reverse() -> None:
    play = open_table()
    play.do(c.RequestFill("c1", "credit", {100_00: 20}), SUPERVISOR)
    assert changes_of(play, c.SignFill("c1"), DEALER) == {"cage": 2_000_00, "tray": -2_000_00}
    assert (play.table.reckoning.fills, play.table.reckoning.credits) == (0, 2_000_00)


@pytest.mark.parametrize("above", [SUPERVISOR, MANAGER, SHIFT, DIRECTOR])
def test_one_signature_is_a_supervisors_or_above(above: str) -> None:
    play = open_table()
    play.do(c.SignOn("dora", play.table.people[DEALER].rank), SUPERVISOR)
    play.do(c.RequestFill("f1", "fill", {5_00: 1}), DEALER)
    assert told(play, c.SignFill("f1"), "dora")[0] == "rank"  # two dealers are not enough
    play.do(c.SignFill("f1"), above)
    play.do(c.RequestFill("f2", "fill", {5_00: 1}), above)
    play.do(c.SignFill("f2"), "dora")


def test_fills_that_cannot_be() -> None:
    play = open_table()
    assert told(play, c.RequestFill("f1", "fill", {}), DEALER)[0] == "bad_amount"
    assert told(play, c.RequestFill("f1", "fill", {7_00: 1}), DEALER)[0] == "bad_amount"  # no such chip
    assert told(play, c.RequestFill("f1", "fill", {5_00: -1}), DEALER)[0] == "bad_amount"
    assert told(play, c.RequestFill("f1", "fill", {5_00: 1}), HOUSE)[0] == "second_person"
    assert told(play, c.RequestFill("f1", "fill", {5_00: 1}), "ann")[0] == "rank"
    play.do(c.RequestFill("f1", "fill", {5_00: 1}), DEALER)
    assert told(play, c.RequestFill("f1", "credit", {5_00: 1}), SUPERVISOR)[0] == "already_there"
    play.do(c.CancelFill("f1"), SUPERVISOR)
    assert told(play, c.CancelFill("f1"), SUPERVISOR)[0] == "unknown_request"
    assert told(play, c.SignFill("f1"), SUPERVISOR)[0] == "unknown_request"
    assert play.table.balances["tray"] == OPENING


# --- a day at the table


def a_day() -> Play:
    """Da Hu Ying Xiong: 2,000 in cash, a fill of 1,000, a credit of 500; Ann wins 95 and loses 300, and tips 10."""
    play = joined(game="da-hu-ying-xiong", layout="A", positions=7, automated=QUICK)
    play.do(c.BuyIn("ann", 2_000_00), DEALER)
    play.round({"ann": {"banker": 100_00}}, "8h 9c Kd Ks")
    play.round({"ann": {"player": 300_00}}, "8h 9c Kd Ks")
    play.do(c.Tip("ann", 10_00), "ann")
    play.do(c.RequestFill("f1", "fill", {1_000_00: 1}), DEALER)
    play.do(c.SignFill("f1"), SUPERVISOR)
    play.do(c.RequestFill("c1", "credit", {100_00: 5}), DEALER)
    play.do(c.SignFill("c1"), SUPERVISOR)
    return play


def test_the_commission_is_an_account_of_its_own_in_the_tray() -> None:
    play = a_day()
    assert play.table.balances["commission"] == 5_00
    # opening − bought in − paid (95, and 5 kept) + taken + fill − credit
    assert play.table.balances["tray"] == OPENING - 2_000_00 - 100_00 + 300_00 + 1_000_00 - 500_00
    assert play.table.balances["chips:ann"] == 2_000_00 + 95_00 - 300_00 - 10_00


def count_of(amount: int) -> dict[int, int]:
    chips, rest = break_down(amount, (1_000_00, 100_00, 5_00, 1_00))
    assert rest == 0
    return chips


@pytest.mark.parametrize("missing", [0, 5_00, -100_00])
def test_the_closing_count_reckons_the_day(missing: int) -> None:
    play = a_day()
    in_tray = OPENING - 2_000_00 - 95_00 + 300_00 + 1_000_00 - 500_00
    play.do(c.Leave("ann"), "ann")
    count = count_of(in_tray - missing)
    (closed,) = play.do(c.CloseTable(count), SUPERVISOR)
    assert closed == e.TableClosed(
        count=count,
        opening=OPENING,
        closing=in_tray - missing,
        fills=1_000_00,
        credits=500_00,
        drop=2_000_00,
        result=205_00 - missing,  # what Ann lost: 300 less 95
        difference=-missing,
    )
    assert not play.table.open
    assert told(play, c.Call(), DEALER)[0] == "table_closed"


def test_a_table_is_closed_between_rounds_when_nothing_is_open() -> None:
    play = joined()
    play.shoe()
    play.call()
    assert told(play, c.CloseTable({}), SUPERVISOR)[0] == "round_open"
    play.close()
    play.deal("9h 8c Kd Ks")
    play.finish()
    play.do(c.RequestFill("f1", "fill", {5_00: 1}), DEALER)
    assert told(play, c.CloseTable({}), SUPERVISOR)[0] == "unknown_request"
    play.do(c.CancelFill("f1"), DEALER)
    play.do(c.ChipsIn("ann", 5_00), DEALER)
    assert told(play, c.CloseTable({}), SUPERVISOR)[0] == "players"  # Ann has chips here
    play.do(c.ChipsOut("ann", 5_00), DEALER)
    assert told(play, c.CloseTable({3_00: 1}), SUPERVISOR)[0] == "bad_amount"
    assert told(play, c.CloseTable({}), DEALER)[0] == "rank"
    (closed,) = play.do(c.CloseTable({}), SUPERVISOR)
    assert isinstance(closed, e.TableClosed)
    assert (closed.closing, closed.difference) == (0, -OPENING)


def test_a_table_is_not_closed_over_a_matter_that_is_open() -> None:
    """Nobody could rule on it any more."""

    def told_why(detail: str, *numbers: int) -> None:
        refusal = play.refused(c.CloseTable({}), SUPERVISOR)
        assert (refusal.detail, refusal.values) == (detail, {"numbers": list(numbers)})

    play = joined(game="rws-baccarat", positions=7, automated=QUICK)
    play.do(c.ChipsIn("ann", 100_00), DEALER)
    play.round({"ann": {"player": 100_00}}, "9h 8c Kd Ks")
    play.do(c.ChipsOut("ann", 200_00), DEALER)
    play.rule(r.CorrectCard(1, parse_cards("7h")[0], 1), reason="a seven", by=MANAGER)
    play.do(c.RaiseDispute("ann", "it was a nine", 1), "ann")
    play.do(c.ReportRound(1, parse_cards("5h 8c Kd Ks"), "a five"), DEALER)
    told_why("flagged.incidents", 1, 2)
    play.rule(r.WriteOff(), 1, "let go", MANAGER)
    told_why("flagged.incidents", 2)
    play.rule(r.Dismiss(), 2, "it was a seven", MANAGER)
    play.do(c.Leave("ann"), "ann")
    play.do(c.CloseTable({}), SUPERVISOR)
    assert not play.table.open
    play.do(c.NoteOnDispute(1, "resolved", "she agrees"), SUPERVISOR)  # a dispute outlives its table
    assert not play.table.disputes


def test_chips_that_walk_are_not_won() -> None:
    """What a player brings from the floor and takes back there leaves the table's result alone."""
    play = joined(automated=QUICK)
    play.do(c.ChipsIn("ann", 1_000_00), DEALER)
    play.do(c.ChipsOut("ann", 400_00), DEALER)
    play.round({"ann": {"player": 100_00}}, "8h 9c Kd Ks")
    play.do(c.Leave("ann"), "ann")
    (closed,) = play.do(c.CloseTable(count_of(OPENING + 100_00)), SUPERVISOR)
    assert isinstance(closed, e.TableClosed)
    assert (closed.result, closed.difference) == (100_00, 0)


# --- settlement


def test_takes_and_pays_box_by_box() -> None:
    play = open_table(game="super-six", layout="A", positions=9)
    for person, box in (("ann", 3), ("bob", 1)):
        play.sit(person, box, 1_000_00)
    play.sit("cho", 3, 1_000_00, seated=False)
    play.shoe()
    play.call()
    play.bet("ann", {"banker": 200_00, "tie": 50_00})
    play.bet("cho", {"player": 100_00})
    play.bet("bob", {"player": 100_00, "banker": 40_00})
    play.bet("cho", {"banker": 20_00}, 1)
    play.close()
    play.deal("8h 9c Kd Ks")
    settled = next(event for event in play.do(c.Announce("banker")) if isinstance(event, e.RoundSettled))
    assert [(line.box, line.person, line.bet, line.profit, line.commission) for line in settled.lines] == [
        (1, "bob", "player", -100_00, 0),
        (1, "bob", "banker", 38_00, 2_00),
        (1, "cho", "banker", 19_00, 1_00),
        (3, "ann", "banker", 190_00, 10_00),
        (3, "ann", "tie", -50_00, 0),
        (3, "cho", "player", -100_00, 0),
    ]
    assert settled.transfers == (
        e.Transfer("layout:bob", "tray", 100_00),
        e.Transfer("layout:bob", "chips:bob", 40_00),
        e.Transfer("tray", "chips:bob", 38_00),
        e.Transfer("layout:cho", "chips:cho", 20_00),
        e.Transfer("tray", "chips:cho", 19_00),
        e.Transfer("layout:ann", "tray", 50_00),
        e.Transfer("layout:ann", "chips:ann", 200_00),
        e.Transfer("tray", "chips:ann", 190_00),
        e.Transfer("layout:cho", "tray", 100_00),
        e.Transfer("tray", "commission", 13_00),
    )
    shown = {
        (payment.box, payment.person): (payment.take, payment.back, payment.pay) for payment in payments(play.table)
    }
    assert shown == {
        (1, "bob"): (100_00, 40_00, 38_00),
        (1, "cho"): (0, 20_00, 19_00),
        (3, "ann"): (50_00, 200_00, 190_00),
        (3, "cho"): (100_00, 0, 0),
    }
    # every box is confirmed before the next call, or a Pit Manager says why not
    assert [type(event) for event in play.do(c.Confirm(2), DEALER)] == [e.Noted]
    play.do(c.Confirm(3), DEALER)
    assert told(play, c.Call(), DEALER)[0] == "confirmations"
    assert told(play, c.OverrideConfirmation("late"), SUPERVISOR)[0] == "rank"
    assert told(play, c.OverrideConfirmation("  "), MANAGER)[0] == "bad_amount"
    overridden, ended = play.do(c.OverrideConfirmation("the dealer fell ill"), MANAGER)
    assert overridden == e.ConfirmationOverridden((1,), "the dealer fell ill")
    assert isinstance(ended, e.RoundEnded)
    play.do(c.Call(), DEALER)


def test_amounts_as_chips() -> None:
    assert break_down(1_234_56, (1_000_00, 100_00, 25_00, 5_00, 1_00)) == (
        {1_000_00: 1, 100_00: 2, 25_00: 1, 5_00: 1, 1_00: 4},
        56,
    )


# --- sums


GAMES = [
    ("da-hu-ying-xiong", "A", 7),
    ("super-six", "A", 9),
    ("rws-baccarat", "A", 7),
    ("tiger-buffalo", "A", 6),
    ("dragon-tiger-commission", "A4", 5),
    ("dragon-tiger-non-commission", "A2", 5),
]


@pytest.mark.parametrize(("game", "layout", "positions"), GAMES)
def test_sums_stay_zero_and_history_tells_the_same(game: str, layout: str, positions: int) -> None:
    """Rounds by chance with all bets of the layout: money is neither made nor lost, and its history finds the table."""
    chance = random.Random(game)
    play = open_table(game=game, layout=layout, positions=positions, automated=QUICK, limits=BetLimits(1, None, 1))
    people = {"ann": 1, "bob": 2, "cho": 1}
    for person, box in people.items():
        play.sit(person, box, 100_000_00, seated=person != "cho")
    play.shoe()
    ranks = [rank + suit for rank in "A23456789TJQK" for suit in "hcds"]
    for _ in range(25):
        play.call()
        for person in people:
            bets = chance.sample(play.table.layout.bets, 3)
            play.bet(person, {bet: chance.randint(1, 1_000_00) for bet in bets})
        play.close()
        while play.table.round is not None:
            window = play.table.round.window
            if window is not None:
                for offer in window.offers:
                    for person in offer.people:
                        play.do(c.Insure(person, people[person], offer.hand, 1), person)
            play.deal(chance.choice(ranks))
            assert sum(play.table.balances.values()) == 0
        on_layout = {name: amount for name, amount in play.table.balances.items() if name.startswith("layout:")}
        assert not any(on_layout.values())
    chips = sum(amount for name, amount in play.table.balances.items() if name.startswith("chips:"))
    house = play.table.balances["tray"] + play.table.balances.get("commission", 0)
    assert chips + house == OPENING
    assert fold(play.entries, play.table.book) == play.table


def test_a_table_opens_with_chips_it_has() -> None:
    play = open_table()
    body = c.OpenTable(play.table.settings, {7_00: 1})
    done = execute(None, Command("c", HOUSE, 0, body))
    assert not isinstance(done, Done)
    assert done.code == "bad_amount"
