"""A view never shows what its viewer may not see; what it calls allowed is accepted; its next step leads to the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace
from tests.table.build import DEALER, DIRECTOR, MANAGER, SHIFT, STAFF, SUPERVISOR, Play, open_table

from puntobanco.cards import CARDS, Side, parse_cards
from puntobanco.rules.model import Authority
from puntobanco.table import commands as c
from puntobanco.table.commands import HOUSE, AnyCommand
from puntobanco.table.decide import Done
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import ELECTRONIC, LIVE, BetLimits, Differential, Step
from puntobanco.table.state import Phase, Round, Table
from puntobanco.views import View, Viewer, ViewerKind, granted, view
from puntobanco.views.actions import Action, Ask, Value, fill

KINDS: tuple[ViewerKind, ...] = get_args(ViewerKind)
STACKS = {"alice": 7_003_17, "bruno": 6_101_29, "chloe": 5_207_31}
"""Odd sums, so that they are found wherever they stand."""

VIEWERS = (
    *(Viewer("player", person) for person in STACKS),
    Viewer("player", "stranger"),
    Viewer("player"),
    *(Viewer("dealer", person) for person in (DEALER, HOUSE)),
    *(Viewer("pit", person) for person in (SUPERVISOR, MANAGER, SHIFT, DIRECTOR)),
    Viewer("pit", "not signed on"),
    Viewer("surveillance", "sam"),
    Viewer("display"),
)


def seated_play(**changes: Any) -> Play:
    """Alice and Bruno at boxes 1 and 2, Chloe standing behind Alice."""
    play = open_table(**changes)
    play.sit("alice", 1, STACKS["alice"])
    play.sit("bruno", 2, STACKS["bruno"])
    play.sit("chloe", 1, STACKS["chloe"], seated=False)
    return play


# --- rounds, step by step


def electronic_round(play: Play) -> Iterator[None]:
    """Insurance after four cards and after Player's third, on both hands."""
    play.shoe()
    yield
    play.call()
    yield
    play.bet("alice", {"banker": 500_00, "tie": 50_00})
    yield
    play.bet("bruno", {"player": 300_00, "player_pair": 25_00})
    play.bet("chloe", {"banker": 100_00})
    yield
    play.do(c.Withdraw("chloe", 1, "banker"), "chloe")
    play.wait(19)
    yield
    play.close()
    yield
    play.do(c.Deal(parse_cards("2h 4c Kd Ks")), HOUSE)  # Player 2, Banker 4: Banker can insure
    assert play.table.round is not None
    assert play.table.round.window is not None
    yield
    play.do(c.Insure("alice", 1, Side.BANKER, 123_00), "alice")
    yield
    play.do(c.Deal(parse_cards("4s")), HOUSE)  # Player 6 on three: both can insure
    yield
    play.do(c.CloseInsurance(), HOUSE)
    yield
    play.do(c.Deal(parse_cards("3d")), HOUSE)
    yield


def round_without_insurance(play: Play) -> Iterator[None]:
    """Straight through where others would be offered some."""
    play.shoe()
    yield
    play.call()
    play.bet("alice", {"banker": 500_00})
    play.close()
    yield
    play.deal("2h 4c Kd Ks 4s 3d")
    yield


def live_round(play: Play) -> Iterator[None]:
    """A dealer's round, every fact on its own, to the last confirmation."""
    play.shoe()
    yield
    play.call()
    play.bet("alice", {"banker": 500_00})
    play.bet("bruno", {"player": 300_00})
    play.bet("chloe", {"banker": 100_00}, 2)
    yield
    play.close()
    yield
    for number, card in enumerate(parse_cards("9h 8c Kd Ks"), 1):
        play.do(c.Draw(card))
        yield
        play.do(c.PutCard(number, Side.PLAYER if number % 2 else Side.BANKER))
        yield
    for number in (1, 2, 3, 4):
        play.do(c.Turn(number))
        yield
    play.do(c.Announce("player"))
    yield
    if play.table.phase is not Phase.PAYING:
        play.do(c.Settle())
        yield
    play.do(c.Confirm(2))
    yield
    play.do(c.Confirm(1))
    yield


def squeezed_round(play: Play) -> Iterator[None]:
    """Alice squeezes Banker's cards, Banker's third before Player's."""
    play.shoe()
    play.call()
    play.bet("alice", {"banker": 500_00})
    play.bet("bruno", {"player": 300_00})
    play.close()
    yield
    play.do(c.AskSqueeze("alice", Side.BANKER), "alice")
    yield
    play.do(c.AnswerSqueeze("alice", True))
    yield
    for number, card in enumerate(parse_cards("2h Kc Qd Ks"), 1):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER))
        yield
    play.do(c.Turn(1))
    play.do(c.Turn(3))
    yield
    play.do(c.Turn(2), "alice")
    play.do(c.Turn(4), "alice")
    yield
    play.do(c.AskEarlySqueeze("alice", "squeeze"), "alice")
    yield
    play.do(c.AnswerSqueeze("alice", True), SUPERVISOR)
    yield
    play.do(c.Draw(parse_cards("7h")[0], Side.PLAYER))
    play.do(c.Draw(parse_cards("6d")[0], Side.BANKER))
    yield
    play.do(c.Turn(6), "alice")
    yield
    play.do(c.Turn(5))
    yield
    play.finish()
    yield


def offered_round(play: Play) -> Iterator[None]:
    """Insurance that the dealer offers."""
    play.shoe()
    play.call()
    play.bet("alice", {"banker": 500_00})
    play.close()
    play.deal("2h 4c Kd Ks")
    yield
    play.do(c.OfferInsurance())
    yield
    play.do(c.PassInsurance("alice"), "alice")
    yield


def flagged_round(play: Play) -> Iterator[None]:
    """A card at the wrong side, one too many, the pit's ruling; and fills and credits meanwhile."""
    play.shoe()
    play.call()
    play.bet("alice", {"player": 500_00})
    play.do(c.RequestFill("f1", "fill", {100_00: 20}))
    yield
    play.do(c.SignFill("f1"), SUPERVISOR)
    play.do(c.RequestFill("k1", "credit", {5_00: 20}), SUPERVISOR)
    yield
    play.close()
    play.do(c.Draw(parse_cards("9h")[0], Side.BANKER))
    yield
    play.do(c.VoidRound("cards mixed up"), DIRECTOR)
    yield
    play.call()
    play.bet("bruno", {"tie": 35_00})
    play.close()
    for number in range(1, 6):
        play.do(c.Draw(hand=Side.PLAYER if number % 2 else Side.BANKER))
    yield
    play.do(c.Turn(1, parse_cards("4h")[0]))
    yield
    play.do(c.VoidRound("a card too many"), DIRECTOR)
    yield


def faulty_round(play: Play) -> Iterator[None]:
    """Chips found before and after the close, a ruling on them, somebody who walks away, and a foreign card."""
    play.shoe()
    play.call()
    play.do(c.FindBet("alice", 1, "banker", 15_00))  # below the minimum
    yield
    play.do(c.FindBet("bruno", 2, "player", 425_00))
    yield
    play.bet("alice", {"banker": 10_00})
    play.do(c.Withdraw("bruno", 2, "player", 25_00), "bruno")
    yield
    play.close()
    play.do(c.FindBet("chloe", 1, "banker", 500_00))  # above the maximum
    yield
    play.do(c.LateChips("alice", 1, "tie", 25_00, "placed"))
    play.do(c.WalkAway("bruno"))
    yield
    play.do(c.RuleStake("chloe", 1, "banker", 400_00, "the sign was covered"), SHIFT)
    yield
    play.deal("2h 4c Kd Ks")
    yield
    play.do(c.CloseInsurance())
    play.do(c.ComeBack("bruno"), "bruno")
    yield
    play.do(c.ReportCards("foreign_card", "a blue back"))
    yield


def burnt_shoe(play: Play) -> Iterator[None]:
    """The shoe from its cut to the Cut Card, with limits that bind."""
    play.do(c.NewShoe("shuffled by hand"))
    yield
    play.do(c.Cut("alice", 77), "alice")
    play.do(c.Burn((*parse_cards("3h"), None, None, None)))
    yield
    play.call()
    play.bet("chloe", {"banker": 200_00}, 1)
    yield
    play.bet("alice", {"player": 150_00})
    yield
    play.bet("bruno", {"banker": 125_00})
    play.do(c.CutCard())
    yield
    play.do(c.Withdraw("alice", 1, "player", 50_00), "alice")  # over the Differential now
    yield
    play.do(c.Withdraw("alice", 1, "player"), "alice")
    yield
    play.do(c.BarSqueeze("alice"), MANAGER)
    play.close()
    yield
    play.deal("2h 4c Kd Ks 9h")
    yield
    play.do(c.Announce("banker"))
    yield
    play.do(c.OverrideConfirmation("fire alarm"), MANAGER)
    yield


NARROW = {
    "limits": BetLimits(25_00, 400_00, 25_00),
    "bet_limits": {"tie": BetLimits(7_00, 90_00, 10_00)},
    "differential": Differential(200_00),
}
DEALINGS: dict[str, tuple[dict[str, Any], Callable[[Play], Iterator[None]]]] = {
    "electronic": ({"automated": ELECTRONIC, "differential": Differential(2_000_00)}, electronic_round),
    "electronic, called by itself": ({"automated": tuple(Step)}, electronic_round),
    "no insurance": ({"no_insurance": True, "automated": ELECTRONIC}, round_without_insurance),
    "live": ({"automated": LIVE}, live_round),
    "live, nothing by itself": ({"automated": ()}, live_round),
    "face down": ({"face_down": True}, live_round),
    "offers by the dealer": ({"automated": ()}, offered_round),
    "squeeze": ({"face_down": True, "insurance_countdown": 5}, squeezed_round),
    "flags": ({"differential": Differential(1_000_00, "box")}, flagged_round),
    "faults": (
        {"limits": BetLimits(25_00, 400_00, 5_00), "differential": Differential(200_00)},
        faulty_round,
    ),
    "Hoiana": (
        {"game": "dragon-tiger-commission", "layout": "A4", "positions": 5, "burn": "first_card", **NARROW},
        burnt_shoe,
    ),
}


def moments(name: str) -> Iterator[Play]:
    """The play of that name, step by step."""
    changes, rounds = DEALINGS[name]
    play = seated_play(**changes)
    yield play
    for _ in rounds(play):
        yield play


def encoded(seen: View) -> str:
    return msgspec.json.encode(seen).decode()


# --- what is hidden


@pytest.mark.parametrize("name", DEALINGS)
def test_a_view_hides_what_its_viewer_may_not_see(name: str) -> None:
    for play in moments(name):
        for viewer in VIEWERS:
            check_hidden(play.table, viewer, encoded(view(play.table, viewer, play.now)))


def check_hidden(table: Table, viewer: Viewer, text: str) -> None:
    opened = [drawn.card for current in (table.round, table.last) if current for drawn in current.cards if drawn.turned]
    for current in (table.round, table.last):
        for drawn in current.cards if current else ():
            if not drawn.turned and drawn.card is not None and drawn.card not in opened:
                assert f'"{drawn.card}"' not in text, (viewer, drawn)
                assert str(drawn.card) not in re.findall(r"\b[A2-9TJQK][shdc]\b", text)
    assert "account:" not in text
    assert "chips:" not in text
    assert "layout:" not in text
    kind = granted(table, viewer)
    if kind in ("dealer", "pit", "surveillance"):
        return
    for person in table.people:
        if person != viewer.person:
            assert not re.search(rf"\b{person}\b", text), (viewer, person)
    for person in STACKS:
        if person != viewer.person:
            assert str(table.stack(person)) not in re.findall(r"\d+", text), (viewer, person)
    for account in ("tray", "drop"):
        assert str(table.balances[account]) not in re.findall(r"\d+", text), (viewer, account)


@pytest.mark.parametrize("name", DEALINGS)
def test_what_is_hidden_makes_no_difference(name: str) -> None:
    """With other cards face down, and other money in other people's hands, a view is the same to the letter."""
    for play in moments(name):
        for viewer in VIEWERS:
            check_no_difference(play.table, viewer, play.now)


def check_no_difference(table: Table, viewer: Viewer, now: int) -> None:
    other = replace(
        table,
        round=other_cards(table.round),
        last=other_cards(table.last),
        balances={name: amount + other_money(table, viewer, name) for name, amount in table.balances.items()},
    )
    assert encoded(view(other, viewer, now)) == encoded(view(table, viewer, now)), viewer


def other_cards(current: Round | None) -> Round | None:
    if current is None:
        return None
    cards = (
        drawn if drawn.turned or drawn.card is None else replace(drawn, card=CARDS[drawn.card.index - 7])
        for drawn in current.cards
    )
    return replace(current, cards=tuple(cards))


def other_money(table: Table, viewer: Viewer, account: str) -> int:
    """What could be different in an account without the viewer knowing."""
    kind, own = granted(table, viewer), account.endswith(f":{viewer.person}")
    seen = {
        "player": own and not account.startswith("account:"),
        "display": False,
        "dealer": account.startswith(("chips:", "layout:")),
        "pit": not account.startswith("account:"),
        "surveillance": not account.startswith("account:"),
    }[kind]
    return 0 if seen else 1_234_57


def test_the_house_s_money_is_for_the_pit_and_surveillance() -> None:
    play = seated_play()
    for viewer in VIEWERS:
        seen = view(play.table, viewer, play.now)
        assert (seen.books is not None) == (viewer.kind in ("pit", "surveillance")), viewer
        assert (seen.felt is not None) == (viewer.kind in ("dealer", "pit", "surveillance")), viewer
        assert (seen.own is not None) == (viewer.person in STACKS), viewer


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_sees_more_than_the_place_at_the_table_allows(kind: ViewerKind) -> None:
    table = seated_play().table
    assert granted(table, Viewer(kind, "alice")) == ("player" if kind == "player" else "display")
    expected = "display" if kind in ("player", "display") else "dealer"
    assert granted(table, Viewer(kind, DEALER)) == expected
    strange = {"pit": "pit", "surveillance": "surveillance"}.get(kind, "display")
    assert granted(table, Viewer(kind, "nobody here")) == strange
    assert view(table, Viewer(kind, "alice"), 0).felt is None


@pytest.mark.parametrize("kind", ["dealer", "pit", "surveillance", "display"])
def test_a_player_who_claims_another_screen_may_do_nothing_there(kind: ViewerKind) -> None:
    assert view(seated_play().table, Viewer(kind, "alice"), 0).actions == ()


def test_a_closed_table_offers_nothing() -> None:
    play = open_table()
    play.do(c.CloseTable({}), SUPERVISOR)
    for viewer in VIEWERS:
        seen = view(play.table, viewer, play.now)
        assert (seen.actions, seen.next_step, seen.public.phase) == ((), None, Phase.CLOSED)


# --- what may be done


@pytest.mark.parametrize("name", DEALINGS)
def test_what_a_view_allows_is_accepted_and_what_it_refuses_is_refused(name: str) -> None:
    for play in moments(name):
        for viewer in VIEWERS:
            for action in view(play.table, viewer, play.now).actions:
                for body in commands_of(action):
                    check_answer(viewer, action, play.ask(body, viewer.person), body)


def check_answer(viewer: Viewer, action: Action, answer: Done | Refusal, body: AnyCommand) -> None:
    if action.allowed:
        assert isinstance(answer, Done), (viewer, body, answer)
        assert not action.code, action
    else:
        assert isinstance(answer, Refusal), (viewer, body)
        assert (answer.code, answer.paragraph) == (action.code, action.paragraph), (viewer, body, answer)


def commands_of(action: Action) -> Iterator[AnyCommand]:
    """The command with the least and with the most of everything, and with every choice."""
    required = {ask.field: examples(ask)[0] for ask in action.asks if not ask.optional}
    yield fill(action, required)
    for ask in action.asks:
        for value in examples(ask):
            yield fill(action, required | {ask.field: value})


def examples(ask: Ask) -> list[Any]:
    match ask.kind:
        case "amount":
            assert ask.least is not None
            assert ask.least >= (0 if ask.field == "stands" else 1)  # of a bet that is ruled on, nothing may stand
            if ask.most is None:
                return [ask.least]
            return [ask.least, max(ask.most, ask.least)]
        case "choice":
            return list(ask.choices)
        case "text":
            return ["because", "x" * 100]
        case "name":
            return ["newcomer"]
        case "card":
            return ["As", "Td"]
        case "chips":
            values = [int(value) for value in ask.choices]
            counts = [{values[0]: 2, values[-1]: 1}]
            return counts if ask.least else [{}, *counts]
        case "cards":
            return card_examples(ask)


def card_examples(ask: Ask) -> list[list[str | None]]:
    if ask.counts:
        return [[f"{rank}h", *[None] * (count - 1)] for rank, count in ask.counts.items()]
    assert ask.least is not None
    assert ask.most is not None
    card = None if ask.unseen else "2h"
    return [[card] * ask.least, [card] * ask.most]


def actions(play: Play, viewer: Viewer, do: str) -> list[Action]:
    return [action for action in view(play.table, viewer, play.now).actions if action.do == do]


def test_every_command_is_in_somebody_s_view() -> None:
    seen = {
        action.do
        for name in DEALINGS
        for play in moments(name)
        for viewer in VIEWERS
        for action in view(play.table, viewer, play.now).actions
        if action.allowed
    }
    empty = open_table()
    seen |= {action.do for action in view(empty.table, Viewer("pit", SUPERVISOR), empty.now).actions if action.allowed}
    tags = {command.__struct_config__.tag for command in get_args(AnyCommand)}
    never = {"open_table", "refuse_balance"}  # a closed table has no view; 3.6 refuses the other always
    assert seen & tags == tags - never


def test_amounts_respect_stack_maximum_step_and_the_differential() -> None:
    play = seated_play(**NARROW)
    play.shoe()
    play.call()
    play.bet("bruno", {"banker": 150_00})

    def amounts(bet: str) -> list[tuple[tuple[Value, ...], int | None, int | None, int]]:
        found = []
        for action in actions(play, Viewer("player", "alice"), "place"):
            box, wager = action.asks
            if wager.field == f"wagers.{bet}":
                assert action.allowed
                found.append((box.choices, wager.least, wager.most, wager.step))
        return found

    assert amounts("banker") == [((1, 2), 25_00, 50_00, 25_00)]
    assert amounts("player") == [((1, 2), 25_00, 350_00, 25_00)]
    assert amounts("tie") == [((1, 2), 10_00, 90_00, 10_00)]
    play.bet("alice", {"player": 100_00, "tie": 20_00})
    assert amounts("tie") == [((1,), 10_00, 70_00, 10_00), ((2,), 10_00, 90_00, 10_00)]
    assert amounts("player") == [((1, 2), 25_00, 250_00, 25_00)]


def test_a_seated_player_may_push_standing_ones_back() -> None:
    play = seated_play(**NARROW)
    play.shoe()
    play.call()
    play.bet("chloe", {"banker": 200_00})
    banker = [
        action
        for action in actions(play, Viewer("player", "alice"), "place")
        if action.asks[1].field == "wagers.banker"
    ]
    assert [(action.allowed, action.asks[0].choices, action.code) for action in banker] == [
        (True, (1,), ""),
        (False, (2,), "differential"),
    ]
    assert banker[0].asks[1].most == 200_00
    assert banker[1].paragraph == "5.1"


def test_part_of_a_wager_comes_back_only_where_the_rest_may_stay() -> None:
    play = seated_play(**NARROW)
    play.shoe()
    play.call()
    play.bet("alice", {"player": 100_00, "tie": 10_00})
    player, tie = actions(play, Viewer("player", "alice"), "withdraw")
    assert (player.asks[0].least, player.asks[0].most, player.asks[0].optional) == (25_00, 75_00, True)
    assert tie.asks == ()


def test_the_time_for_bets_runs_out_at_an_electronic_table() -> None:
    play = seated_play(automated=ELECTRONIC)
    play.shoe()
    play.call()
    alice = Viewer("player", "alice")
    play.wait(12)
    assert view(play.table, alice, play.now).public.time_left == 8_000
    assert all(action.allowed for action in actions(play, alice, "place"))
    play.wait(8.001)
    assert view(play.table, alice, play.now).public.time_left == 0
    assert [action.code for action in actions(play, alice, "place")] == ["bets_closed"]


def test_ranks_in_a_staff_view() -> None:
    play = seated_play()
    play.shoe()
    play.call()
    play.bet("alice", {"tie": 5_00})
    allowed = {
        name: actions(play, Viewer("pit" if name != DEALER else "dealer", name), "void_round")[0].allowed
        for name in STAFF
    }
    assert allowed == {DEALER: False, SUPERVISOR: False, MANAGER: False, SHIFT: True, DIRECTOR: True}
    refused = actions(play, Viewer("dealer", DEALER), "void_round")[0]
    assert refused.code == "rank"


def test_insurance_as_the_player_sees_it() -> None:
    play = seated_play(automated=ELECTRONIC)
    play.shoe()
    play.call()
    play.bet("alice", {"banker": 500_00})
    play.bet("bruno", {"player": 300_00})
    play.close()
    play.do(c.Deal(parse_cards("2h 4c Kd Ks")), HOUSE)
    play.wait(3)
    seen = view(play.table, Viewer("player", "alice"), play.now)
    assert seen.own is not None
    offer = seen.own.offers[0]
    assert (offer.box, offer.hand, str(offer.odds), offer.most) == (1, Side.BANKER, "3 to 2", 500_00)
    assert seen.public.time_left == 7_000
    assert [str(sign.odds) for sign in seen.public.insurance] == ["3 to 2"]
    insure = next(action for action in seen.actions if action.do == "insure")
    assert insure.fixed == {"person": "alice", "box": 1, "hand": "banker"}
    assert (insure.asks[0].least, insure.asks[0].most) == (1, 500_00)
    bruno = view(play.table, Viewer("player", "bruno"), play.now)
    assert bruno.own is not None
    assert bruno.own.offers == ()
    assert [action.code for action in bruno.actions if action.do == "insure"] == ["no_insurance"]
    dealer = view(play.table, Viewer("dealer", DEALER), play.now)
    assert dealer.felt is not None
    assert dealer.felt.unanswered == ("alice",)


def test_4_2_2_the_notice_of_a_table_without_insurance() -> None:
    play = open_table(no_insurance=True)
    seen = view(play.table, Viewer("player", "dave"), play.now)
    sign = seen.public.sign
    assert (sign.insurance, sign.notice_paragraph) == (False, "4.2.2")
    assert sign.notice
    seat = seen.actions[0]
    assert (seat.do, seat.allowed, seat.fixed) == ("join", True, {"person": "dave", "seated": True})
    assert [ask.field for ask in seat.asks] == ["box", "accepts_no_insurance"]


def test_what_the_dealer_takes_and_pays() -> None:
    play = seated_play(automated=LIVE)
    play.shoe()
    play.call()
    play.bet("alice", {"banker": 500_00, "tie": 35_00})
    play.bet("bruno", {"player": 1_625_00})
    play.close()
    play.deal("9h 8c Kd Ks")
    play.do(c.Announce("player"))
    felt = view(play.table, Viewer("dealer", DEALER), play.now).felt
    assert felt is not None
    alice, bruno = felt.payments
    assert (alice.box, alice.take, alice.back, alice.pay) == (1, 535_00, 0, 0)
    assert [(chip.value, chip.count) for chip in alice.take_chips] == [(500_00, 1), (25_00, 1), (5_00, 2)]
    assert (bruno.box, bruno.take, bruno.back, bruno.pay, bruno.rest) == (2, 0, 1_625_00, 1_625_00, 0)
    assert [(chip.value, chip.count) for chip in bruno.pay_chips] == [
        (1_000_00, 1),
        (500_00, 1),
        (100_00, 1),
        (25_00, 1),
    ]
    assert felt.unconfirmed == (1, 2)
    own = view(play.table, Viewer("player", "bruno"), play.now).own
    assert own is not None
    assert own.payments == (bruno,)
    assert [(line.bet, line.profit, line.paragraph) for line in bruno.lines] == [("player", 1_625_00, "4.1.1")]


def test_the_last_round_stays_in_view_until_the_next_is_over() -> None:
    play = seated_play(automated=ELECTRONIC)
    play.round({"alice": {"banker": 500_00}}, "9h 8c Kd Ks")
    seen = view(play.table, Viewer("player", "alice"), play.now)
    assert seen.public.round is None
    assert seen.public.last is not None
    assert seen.public.last.result == "player"
    assert (seen.public.last.player_total, seen.public.last.banker_total) == (9, 8)
    assert seen.own is not None
    assert seen.own.payments[0].take == 500_00
    assert seen.public.roads.results == "P*"
    play.call()
    assert view(play.table, Viewer("display"), play.now).public.last == seen.public.last


def test_what_the_round_may_cost() -> None:
    play = seated_play()
    play.shoe()
    play.call()
    play.bet("alice", {"banker": 500_00})
    play.bet("bruno", {"player": 200_00, "tie": 10_00})

    def costs() -> dict[str, int | None]:
        books = view(play.table, Viewer("surveillance"), play.now).books
        assert books is not None
        return {exposure.result: exposure.most for exposure in books.exposure}

    assert costs() == {"player": -310_00, "banker": 290_00, "tie": 80_00}
    play.close()
    play.deal("9h 8c Kd Ks")
    assert costs() == {"player": -310_00, "banker": None, "tie": None}


def test_flags_and_who_may_rule() -> None:
    play = seated_play(game="dragon-tiger-commission", layout="A4", positions=5)
    play.shoe()
    play.call()
    play.bet("alice", {"player": 500_00})
    play.close()
    play.do(c.Draw(parse_cards("9h")[0], Side.BANKER))
    flag = view(play.table, Viewer("pit", MANAGER), play.now).flags[0]
    assert (flag.flag, flag.about, flag.paragraph) == ("wrong_side", "card 1 at banker", "7.9")
    assert [(ruling.do, ruling.rank, ruling.paragraph) for ruling in flag.rulings] == [
        ("void_round", Authority.ASSISTANT_DIRECTOR, "7.20")
    ]
    seen = view(play.table, Viewer("display"), play.now)
    assert seen.flags[0].about == ""
    assert seen.next_step is not None
    assert (seen.next_step.do, seen.next_step.who) == ("void_round", "assistant_director")


def test_a_view_survives_json() -> None:
    for play in moments("squeeze"):
        for viewer in VIEWERS:
            seen = view(play.table, viewer, play.now)
            assert msgspec.json.decode(msgspec.json.encode(seen), type=View) == seen


# --- the next step


GAMES: dict[str, dict[str, Any]] = {
    "live": {},
    "live, nothing by itself": {"automated": ()},
    "live, face down": {"face_down": True},
    "electronic": {"automated": ELECTRONIC},
    "electronic, called by itself": {"automated": tuple(Step)},
    "electronic, face down": {"automated": ELECTRONIC, "face_down": True},
    "super-six": {"game": "super-six", "layout": "B", "positions": 7, "burn": 3},
    "Hoiana": {
        "game": "dragon-tiger-non-commission",
        "layout": "A1",
        "positions": 3,
        "burn": "first_card",
        "face_down": True,
    },
    "da hu": {"game": "da-hu-ying-xiong", "layout": "A", "positions": 7, "automated": ()},
    "many bets": {"game": "rws-baccarat", "layout": "H", "positions": 7},
}
COUPS = ("9h 8c Kd Ks", "2h 4c Kd Ks 4s 3d", "2h Kc Qd Ks 7h 6d", "6h 4c Kd Ks 2s", "Kh 3c Kd Ks 8s")


@pytest.mark.parametrize("squeeze", [False, True], ids=["plain", "squeeze"])
@pytest.mark.parametrize("scanner", [True, False], ids=["read", "keyed"])
@pytest.mark.parametrize("game", GAMES)
def test_the_next_step_leads_from_the_opening_through_every_round(game: str, scanner: bool, squeeze: bool) -> None:
    play = seated_play(**GAMES[game])
    done: list[str] = []
    for coup in COUPS:
        done += follow_round(play, coup, scanner, squeeze and play.table.settings.face_down)
        assert play.table.results[-1].winner
    assert play.table.rounds >= len(COUPS)
    assert done.count("close") == len(COUPS)


def follow_round(play: Play, cards: str, scanner: bool, squeeze: bool) -> list[str]:
    """Take the next step, whoever's it is, until the round is over."""
    before, done = len(play.table.results), []
    for _ in range(60):
        step = view(play.table, Viewer("surveillance"), play.now).next_step
        assert step is not None
        if step.do == "close":
            play.bet("alice", {"banker": 500_00})
            play.bet("bruno", {"player": 300_00})
        actor = {"house": HOUSE, "dealer": DEALER, "player": step.people[0] if step.people else ""}.get(
            step.who, SUPERVISOR
        )
        viewer = Viewer("player" if step.who == "player" else "dealer", actor)
        seen = view(play.table, viewer, play.now)
        assert seen.next_step is not None
        assert seen.next_step.yours, (viewer, step)
        play.do(command_for(seen, cards, scanner), actor)
        done.append(step.do)
        if step.do == "close" and squeeze:
            play.do(c.AskSqueeze("alice", Side.BANKER), "alice")
        if squeeze:
            ask_early(play)
        if len(play.table.results) > before and play.table.phase in (Phase.IDLE, Phase.BETTING):
            return done
    raise AssertionError(f"no end: {done}")


def ask_early(play: Play) -> None:
    early = [
        action
        for action in view(play.table, Viewer("player", "alice"), play.now).actions
        if action.do == "ask_early_squeeze" and action.allowed
    ]
    if early:
        play.do(fill(early[0], {"how": "squeeze"}), "alice")


def command_for(seen: View, cards: str, scanner: bool) -> AnyCommand:
    """The command of the next step, with what its action asks for."""
    step = seen.next_step
    assert step is not None
    wanted = {"number": step.number, "box": step.box}
    action = next(
        action
        for action in seen.actions
        if action.do == step.do
        and action.allowed
        and all(action.fixed.get(name, value) == value for name, value in wanted.items())
    )
    all_cards = cards.split()
    card = all_cards[step.number - 1] if step.number else None
    values: dict[str, Any] = {}
    for ask in action.asks:
        if ask.kind == "cards" and ask.counts:
            values[ask.field] = card_examples(ask)[4]
        elif ask.kind == "cards":
            values[ask.field] = [None] * (ask.least or 0) if ask.unseen else [card]
        elif ask.kind == "card" and (scanner or not ask.optional):
            values[ask.field] = card
        elif ask.field == "hand" and step.hand is not None:
            values[ask.field] = step.hand.value
        elif not ask.optional:
            values[ask.field] = examples(ask)[0]
    return fill(action, values)


def test_the_next_step_leads_out_of_a_shoe_that_ran_empty() -> None:
    play = seated_play(game="dragon-tiger-commission", layout="A4", positions=5, decks=1)
    for _ in range(12):
        play.round({"alice": {"player": 5_00}}, "9h 8c Kd Ks")
    assert step_at(play) == ("end_shoe", "pit_supervisor")
    play.call()
    play.bet("alice", {"player": 5_00})
    play.close()
    play.deal("2h 4c Kd Ks")
    assert step_at(play) == ("new_shoe", "dealer")


def step_at(play: Play) -> tuple[str, str]:
    step = view(play.table, Viewer("display"), play.now).next_step
    assert step is not None
    return step.do, step.who
