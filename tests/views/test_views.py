"""A view never shows what its viewer may not see; what it calls allowed is accepted; its next step leads to the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace
from tests.rules.histories import holds
from tests.search import far, search
from tests.table.build import DEALER, DIRECTOR, MANAGER, SHIFT, STAFF, SUPERVISOR, Play, open_table
from tests.table.run_down import run_down
from tests.table.strategies import random_command

from puntobanco.bets import Result
from puntobanco.cards import CARDS, Card, Side, parse_cards
from puntobanco.rules.model import USUAL_RANKS
from puntobanco.table import commands as c
from puntobanco.table import rulings as r
from puntobanco.table.about import About, about_bet
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, execute
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import ELECTRONIC, LIVE, BetLimits, Differential, Step
from puntobanco.table.state import Dispute, Drawn, Incident, Phase, Proposal, Round, Table
from puntobanco.views import NextStep, View, Viewer, ViewerKind, granted, round_actions, view
from puntobanco.views.actions import Action, Ask, Value, fill
from puntobanco.views.matters import Claims, OptionsSeen, OwnOption, Sum
from puntobanco.views.public import Wait
from puntobanco.views.steps import next_step

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


def misdealt_round(play: Play) -> Iterator[None]:
    """A card at the wrong side, put right by ruling; the players' options; and fills and credits meanwhile."""
    play.shoe()
    play.call()
    play.bet("alice", {"player": 500_00})
    play.do(c.RequestFill("f1", "fill", {100_00: 20}))
    yield
    play.do(c.SignFill("f1"), SUPERVISOR)
    play.do(c.RequestFill("k1", "credit", {5_00: 20}), SUPERVISOR)
    play.bet("bruno", {"banker": 300_00})
    play.bet("chloe", {"banker": 100_00})
    play.close()
    yield
    play.do(c.Draw(parse_cards("9h")[0], Side.BANKER, True))
    yield
    play.do(c.Propose(r.Reconstruct(), 1))
    yield
    play.do(c.Decline(1, "look again"), SUPERVISOR)
    play.do(c.Propose(r.Reconstruct(), 1))
    play.do(c.Approve(2), SUPERVISOR)
    yield
    play.do(c.TakeOption("alice", True), "alice")
    yield
    play.do(c.TakeOption("bruno", False))
    play.do(c.TakeOption("chloe", False), "chloe")
    yield
    play.do(c.Propose(r.VoidRound(), 0, "everybody is upset"))
    yield
    play.do(c.Approve(3), SHIFT)
    yield


def left_over_round(play: Play) -> Iterator[None]:
    """Cards that the scanner has read and nobody has seen: one too many, carried into the next round."""
    play.shoe()
    play.call()
    play.bet("alice", {"player": 500_00})
    play.bet("bruno", {"banker": 300_00})
    play.close()
    play.deal("9h 8c Kd Ks")
    play.do(c.Draw(parse_cards("7d")[0]))
    yield
    play.rule(r.Reconstruct(), 1, by=SUPERVISOR)
    assert play.table.carried == (Drawn(parse_cards("7d")[0], free=False),)
    yield
    play.do(c.Announce("player"))
    play.do(c.Confirm(1))
    play.do(c.Confirm(2))
    yield
    play.do(c.Draw(parse_cards("6d")[0], turned=True))
    yield
    play.call()
    play.bet("alice", {"player": 500_00})
    yield
    play.close()
    yield
    play.do(c.Draw(parse_cards("5c")[0], Side.PLAYER))
    play.do(c.Draw(parse_cards("4c")[0], Side.BANKER))
    play.do(c.Draw(parse_cards("3c")[0]))
    play.do(c.Draw(parse_cards("2c")[0]))
    yield
    play.do(c.Report("simultaneous", "stuck together", (5, 6)))
    yield
    for number, card in ((1, "7d"), (3, "5c"), (4, "4c"), (5, "3c"), (6, "2c")):
        play.do(c.Turn(number, parse_cards(card)[0]))
        yield
    play.do(c.Propose(r.DecideOrder((6, 5)), 3), SUPERVISOR)
    yield
    play.do(c.Approve(2), MANAGER)
    yield


def free_hand(play: Play) -> Iterator[None]:
    """Hoiana: a card too early is played out in a Free Hand; and a burn that was forgotten."""
    play.do(c.NewShoe("shuffled by hand"))
    play.do(c.Call())
    play.bet("alice", {"player": 500_00})
    yield
    play.close()
    play.do(c.Draw())
    yield
    play.do(c.Propose(r.BurnNow(), 1))
    yield
    play.do(c.Burn((*parse_cards("2h"), None, None)))
    play.deal("9h 8c Kd Ks")
    play.finish()
    yield
    play.do(c.Draw(parse_cards("7d")[0], turned=True))
    yield
    play.deal("8c Kd Ks")
    play.finish()
    yield


def unburnt_shoe(play: Play) -> Iterator[None]:
    """Hoiana: a burn that was forgotten until a card was seen leaves the shoe to the players."""
    play.do(c.NewShoe("shuffled by hand"))
    play.do(c.Call())
    play.bet("alice", {"player": 500_00})
    play.close()
    play.do(c.Draw(parse_cards("9h")[0], turned=True))
    play.do(c.Propose(r.PlayOn(), 1))
    for card in parse_cards("8c Kd Ks"):
        play.do(c.Draw(card, turned=True))
    yield
    play.finish()
    yield
    play.do(c.TakeOption("alice", True), "alice")
    yield
    play.do(c.TakeOption("bruno", False), "bruno")
    play.do(c.TakeOption("chloe", True))
    yield


def missed_insurance(play: Play) -> Iterator[None]:
    """Insurance offered late, put in the wrong box and moved; then the bet of who had meant to insure goes back."""
    play.shoe()
    play.call()
    play.bet("alice", {"banker": 500_00})
    play.bet("bruno", {"player": 300_00})
    play.close()
    play.deal("3h 4c Kd Ks")
    yield
    play.do(c.Draw(parse_cards("7s")[0], Side.PLAYER, True))
    yield
    play.do(c.MeantToInsure("alice", Side.BANKER))
    yield
    play.do(c.Propose(r.OfferLate(), 1))
    yield
    play.do(c.Approve(1), MANAGER)
    yield
    play.do(c.Insure("alice", 1, Side.PLAYER, 50_00))  # the dealer puts it in the wrong box
    yield
    play.rule(r.MoveInsurance("alice", 1, Side.PLAYER))
    yield
    play.deal("3d")
    play.finish()
    play.call()
    play.bet("alice", {"banker": 500_00})
    play.close()
    play.deal("3h 4c Kd Ks")
    play.do(c.Draw(parse_cards("6s")[0], Side.PLAYER, True))
    play.do(c.MeantToInsure("alice", Side.BANKER))
    play.do(c.Draw(parse_cards("3d")[0], Side.BANKER, True))
    yield
    play.rule(r.ReturnBets(), play.table.incidents_so_far, by=MANAGER)
    yield


def late_round(play: Play) -> Iterator[None]:
    """A round found wrong when it was over: Alice has left and gets chips, Bruno owes some; then a void one."""
    play.round({"alice": {"banker": 465_00}, "bruno": {"player": 300_00}, "chloe": {"tie": 35_00}}, "9h 8c Kd Ks")
    play.do(c.Leave("bruno"), "bruno")
    play.do(c.Leave("alice"), "alice")
    yield
    play.do(c.ReportRound(1, parse_cards("8c 9h Kd Ks"), "the first two were swapped"))
    yield
    play.do(c.Propose(r.Rectify(), 1), SUPERVISOR)
    yield
    play.do(c.Approve(1), MANAGER)
    yield
    play.sit("bruno", 2, 203_19)
    play.do(c.Propose(r.Collect(150_00), 2, "chips at hand"))
    yield
    play.do(c.Approve(2), MANAGER)
    yield
    play.rule(r.WriteOff(), 2, "a good customer", MANAGER)
    play.do(c.Join("alice", 1), "alice")
    yield
    play.round({"bruno": {"player": 50_00}}, "9h 8c Kd Ks")
    play.call()
    yield
    play.do(c.ReportRound(2, parse_cards("5c 8c Kd Ks"), "no third card was drawn"))
    yield
    play.rule(r.VoidRound(), 3, "a card is missing", SUPERVISOR)
    yield


def doubtful_round(play: Play) -> Iterator[None]:
    """A round found wrong too late; cards that scanner and dealer read differently, that are damaged, or lie wrong."""
    play.round({"alice": {"banker": 500_00}}, "9h 8c Kd Ks")
    play.call()
    play.do(c.ReportRound(1, parse_cards("8c 9h Kd Ks"), "the first two were swapped"))
    yield
    play.do(c.Propose(r.LetStand(), 1, "the next round was called"), SUPERVISOR)
    play.bet("alice", {"banker": 500_00})
    play.close()
    play.do(c.Draw(parse_cards("9h")[0], Side.PLAYER))
    play.do(c.Turn(1, parse_cards("9d")[0]))
    yield
    play.do(c.Propose(r.ValueCard(1, parse_cards("9h")[0]), 2, "looked at again"))
    yield
    play.do(c.Approve(2), SUPERVISOR)
    for hand in (Side.PLAYER, Side.BANKER, Side.BANKER):
        play.do(c.Draw(parse_cards("Kd")[0], hand, True))
    yield
    play.do(c.Report("damaged_card", "torn", (2,)))
    yield
    play.do(c.Report("face_up_in_shoe", "seen in the shoe"))
    yield


def corrected_round(play: Play) -> Iterator[None]:
    """Entries put right while the round is on and afterwards; an interruption; a dispute to its end."""
    play.shoe()
    play.call()
    play.bet("alice", {"banker": 500_00})
    play.do(c.ReportInterruption("the lights went out"))
    yield
    play.close()
    play.deal("9h 8c Kd Ks")
    play.do(c.Propose(r.CorrectCard(1, parse_cards("9d")[0]), 0, "misread"))
    yield
    play.do(c.Approve(1), SUPERVISOR)
    play.rule(r.CorrectBet("alice", 1, "banker", 400_00), 0, "four chips", SUPERVISOR)
    play.do(c.Announce("banker"))
    yield
    play.do(c.Confirm(1))
    yield
    play.do(c.Propose(r.CorrectBet("chloe", 1, "player", 50_00, round=1), 0, "not keyed"))
    play.do(c.Propose(r.Pay("bruno", 20_00), 0, "goodwill"), MANAGER)
    play.do(c.Propose(r.ReplaceShoe(), 0, "a stained card"), MANAGER)
    yield
    for number in (3, 4, 5):
        play.do(c.Approve(number), SHIFT)
    yield
    play.do(c.RaiseDispute("alice", "the bet was five chips", 1), "alice")
    yield
    play.do(c.NoteOnDispute(1, "escalated", "she insists"), SUPERVISOR)
    play.do(c.NoteOnDispute(1, "facts", "four chips on the film"), SHIFT)
    play.do(c.NoteOnDispute(1, "surveillance", "asked"), SHIFT)
    yield
    play.do(c.DecideDispute(1, "it was four", ("surveillance",), 5_00), SHIFT)
    yield
    play.do(c.Approve(play.table.proposals_so_far), SUPERVISOR)
    yield
    play.do(c.AnswerDispute("alice", 1, False), "alice")
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
    play.do(c.Propose(r.SetStake("chloe", 1, "banker", 400_00), 1, "the sign was covered"))
    yield
    play.do(c.Approve(1), SHIFT)
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
    play.do(c.CutShoe("alice", 77), "alice")
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


def at_once_and_to_squeeze(play: Play) -> Iterator[None]:
    """Hoiana: cards drawn at once, twice in a hand; cards to squeeze at the wrong player, put right, and options."""
    play.shoe()
    play.do(c.Call())
    play.bet("alice", {"player": 500_00})
    play.close()
    play.deal("2h 3c Kd 9s")
    play.do(c.Report("simultaneous", "stuck together", (1, 2)))
    play.do(c.Report("simultaneous", "stuck together", (3, 4)))
    yield
    play.do(c.Propose(r.DecideOrder((2, 1, 4, 3)), 2))
    play.do(c.Approve(1), MANAGER)
    play.do(c.TakeOption("alice", True), "alice")
    play.do(c.Report("squeeze_delivery", "to Bruno", (1, 3)))
    yield
    play.do(c.Propose(r.Reconstruct(), 3))
    play.do(c.Approve(2), SUPERVISOR)
    yield
    play.do(c.Propose(r.GiveOptions(), 0, "Bruno saw it"))
    yield
    play.do(c.Approve(3), SHIFT)
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
    "misdealt": ({"differential": Differential(1_000_00, "box")}, misdealt_round),
    "left over": ({}, left_over_round),
    "Free Hand": (
        {"game": "dragon-tiger-commission", "layout": "A4", "positions": 5, "burn": "first_card"},
        free_hand,
    ),
    "unburnt": (
        {
            "game": "dragon-tiger-commission",
            "layout": "A4",
            "positions": 5,
            "burn": "first_card",
            "unburnt_shoe": "majority",
        },
        unburnt_shoe,
    ),
    "at once": (
        {"game": "dragon-tiger-commission", "layout": "A4", "positions": 5, "face_down": True},
        at_once_and_to_squeeze,
    ),
    "missed insurance": ({"automated": ()}, missed_insurance),
    "late": ({}, late_round),
    "doubtful": ({"game": "rws-baccarat", "layout": "H", "positions": 7}, doubtful_round),
    "corrections": ({}, corrected_round),
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


@cache
def views_of(name: str) -> tuple[dict[Viewer, View], ...]:
    """What everybody sees at each of these moments: several tests look at the same."""
    return tuple({viewer: view(play.table, viewer, play.now) for viewer in VIEWERS} for play in moments(name))


def encoded(seen: View) -> str:
    return msgspec.json.encode(seen).decode()


# --- what is hidden


@pytest.mark.parametrize("name", DEALINGS)
def test_a_view_hides_what_its_viewer_may_not_see(name: str) -> None:
    for play, views in zip(moments(name), views_of(name), strict=True):
        for viewer, shown in views.items():
            check_hidden(play.table, viewer, encoded(shown))


def check_hidden(table: Table, viewer: Viewer, text: str) -> None:
    rounds = [each for each in (table.round, table.last, *table.past, *table.previous) if each]
    cards = [*(drawn for each in rounds for drawn in each.cards), *table.carried]
    opened = [drawn.card for drawn in cards if drawn.turned]
    for drawn in cards:
        if not drawn.turned and drawn.card is not None and drawn.card not in opened:
            assert f'"{drawn.card}"' not in text, (viewer, drawn)
            assert str(drawn.card) not in re.findall(r"\b[A2-9TJQK][shdc]\b", text)
    for account in ("account:", "chips:", "layout:", "owed:", "held:"):
        assert account not in text
    kind = granted(table, viewer)
    if kind in ("dealer", "pit", "surveillance"):
        return
    for person in {*table.people, *STACKS}:
        if person != viewer.person:
            assert not re.search(rf"\b{person}\b", text), (viewer, person)
    matters: list[Incident | Proposal | Dispute] = [*table.incidents.values(), *table.disputes.values()]
    for found in [*matters, *table.proposals.values()]:
        words = found.reason if isinstance(found, Proposal) else found.about
        mine = isinstance(found, Dispute) and found.person == viewer.person
        written = words if isinstance(words, str) else msgspec.json.encode(words).decode()
        assert not words or mine or written not in text, (viewer, words)
    for person in STACKS:
        if person != viewer.person and table.stack(person):
            assert str(table.stack(person)) not in re.findall(r"\d+", text), (viewer, person)
    for account in ("tray", "drop"):
        assert str(table.balances[account]) not in re.findall(r"\d+", text), (viewer, account)


@pytest.mark.parametrize("name", DEALINGS)
def test_what_is_hidden_makes_no_difference(name: str) -> None:
    """With other cards face down, and other money in other people's hands, a view is the same to the letter."""
    for play, views in zip(moments(name), views_of(name), strict=True):
        for viewer, shown in views.items():
            check_no_difference(play.table, viewer, play.now, shown)


@pytest.mark.parametrize("name", DEALINGS)
def test_what_is_hidden_makes_no_difference_to_what_is_refused(name: str) -> None:
    """Nobody finds out by asking: with other cards face down the same is refused, in the same words."""
    chance = Random(name)
    for play in moments(name):
        table = play.table
        other = replace(table, round=other_cards(table.round), carried=tuple(map(other_card, table.carried)))
        if other == table:
            continue
        named = [c.Turn(drawn.number, Card("Qh")) for drawn in table.round.cards] if table.round else []
        named += [c.Turn(place, Card("Qh")) for place in range(1, len(table.carried) + 4)]
        chosen = [random_command(chance, table) for _ in range(20)]
        for body, actor in [*((body, DEALER) for body in named), *chosen]:
            done, answer = (execute(each, Command("c", actor, play.now, body)) for each in (table, other))
            if isinstance(done, Refusal) or isinstance(answer, Refusal):
                assert done == answer, (body, actor)


def check_no_difference(table: Table, viewer: Viewer, now: int, shown: View | None = None) -> None:
    other = replace(
        table,
        round=other_cards(table.round),
        last=other_cards(table.last),
        past=tuple(filter(None, map(other_cards, table.past))),
        previous=tuple(filter(None, map(other_cards, table.previous))),
        carried=tuple(map(other_card, table.carried)),
        balances={name: amount + other_money(table, viewer, name) for name, amount in table.balances.items()},
    )
    assert encoded(view(other, viewer, now)) == encoded(shown or view(table, viewer, now)), viewer


def other_cards(current: Round | None) -> Round | None:
    return replace(current, cards=tuple(map(other_card, current.cards))) if current is not None else None


def other_card(drawn: Drawn) -> Drawn:
    """What nobody has seen is something else."""
    if drawn.turned or drawn.card is None:
        return drawn
    return replace(drawn, card=CARDS[drawn.card.index - 7])


def other_money(table: Table, viewer: Viewer, account: str) -> int:
    """What could be different in an account without the viewer knowing."""
    kind, own = granted(table, viewer), account.endswith(f":{viewer.person}")
    seen = {
        "player": own and not account.startswith("account:"),
        "display": own and viewer.kind == "player" and account.startswith(("owed:", "held:")),
        "dealer": account.startswith(("chips:", "layout:", "owed:", "held:")),
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


@search
@pytest.mark.parametrize("name", DEALINGS)
def test_what_a_view_allows_is_accepted_and_what_it_refuses_is_refused(name: str) -> None:
    tried: set[Hashable] = set()
    for number, (play, views) in enumerate(zip(moments(name), views_of(name), strict=True)):
        for viewer, shown in views.items():
            for action in shown.actions:
                for body in islice(commands_of(action), how_many(tried, number, play.table, viewer, action)):
                    check_answer(viewer, action, play.ask(body, viewer.person), body)


def how_many(tried: set[Hashable], number: int, table: Table, viewer: Viewer, action: Action) -> int:
    """Of an action's commands: all where there was none like it, then one, and none where one moment repeats itself."""
    asked = tuple(ask.field for ask in action.asks)
    shape = viewer.kind, table.phase, action.do, action.fixed.get("ruling.ruling"), action.code, asked
    here = number, shape if action.code else (viewer.kind, msgspec.json.encode(action))
    repeated, known = here in tried, shape in tried
    tried.update((here, shape))
    return far(0 if repeated else 1 if known else 1_000, 1_000)


def check_answer(viewer: Viewer, action: Action, answer: Done | Refusal, body: AnyCommand) -> None:
    known = isinstance(answer, Refusal) and answer.code == "already_there"
    if known and isinstance(body, c.Propose | c.Report) and action.asks:
        return  # by chance it is what somebody proposed or reported before
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
            assert ask.least >= (-(10**9) if ask.field in ("ruling.amount", "pays") else 0)
            if ask.most is None:
                return [ask.least]
            most = ask.most - ask.step if ask.most == ask.but else ask.most
            return [ask.least, max(most, ask.least)]
        case "choice" if ask.optional:
            return [ask.choices[0], ask.choices[-1]]
        case "choice":
            return list(ask.choices)
        case "some":
            assert ask.least == 1
            return [*([choice] for choice in ask.choices), list(ask.choices[: ask.most])]
        case "text":
            return ["because", "x" * 100]
        case "name":
            return ["newcomer"]
        case "card":
            return [card for card in ("As", "Td", "2h") if card != ask.but][:2]
        case "chips":
            values = [value for value in ask.choices if isinstance(value, int)]
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


def test_the_order_of_all_cards_drawn_at_once_is_offered() -> None:
    steps = moments("at once")
    next(steps)
    offered = [
        action for action in actions(next(steps), Viewer("dealer", DEALER), "propose") if kind(action) == "order"
    ]
    assert [action.fixed["incident"] for action in offered] == [1, 2]
    for action in offered:
        assert action.asks[0].choices == ((1, 2, 3, 4), (1, 2, 4, 3), (2, 1, 3, 4), (2, 1, 4, 3))


def test_every_command_is_in_somebody_s_view() -> None:
    seen = {
        action.do
        for name in DEALINGS
        for views in views_of(name)
        for shown in views.values()
        for action in shown.actions
        if action.allowed
    }
    dealt = seated_play(shuffler=True, burn="none")
    dealt.round({"alice": {"player": 100_00}}, "9h 8c Kd Ks")
    held = seated_play()
    held.do(c.HoldSuspect("chips", 100_00, "no mark under the lamp", "alice"))
    for play, viewer in (
        (open_table(), Viewer("pit", SUPERVISOR)),
        (dealt, Viewer("dealer", DEALER)),
        (held, Viewer("pit", MANAGER)),
    ):
        seen |= {action.do for action in view(play.table, viewer, play.now).actions if action.allowed}
    tags = {command.__struct_config__.tag for command in get_args(AnyCommand)}
    never = {"open_table", "refuse_balance"}  # a closed table has no view; 3.6 refuses the other always
    # clients pledge and show seeds as the shoe's `seeds` ask for them; the clock of an electronic table ends the time
    never |= {"pledge_seed", "show_seed", "close_seeds"}
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


def test_a_differential_by_the_box_leaves_each_box_its_own_room() -> None:
    play = seated_play(**NARROW | {"differential": Differential(200_00, "box")})
    play.sit("dora", 3)
    play.shoe()
    play.call()
    play.bet("bruno", {"banker": 150_00})
    banker = [
        (action.asks[0].choices, action.asks[1].most)
        for action in actions(play, Viewer("player", "alice"), "place")
        if action.asks[1].field == "wagers.banker"
    ]
    assert banker == [((1, 3), 200_00), ((2,), 50_00)]


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


def test_every_ruling_is_in_somebody_s_view() -> None:
    proposals = [
        action
        for name in DEALINGS
        for views in views_of(name)
        for viewer in (Viewer("dealer", DEALER), Viewer("pit", MANAGER))
        for action in views[viewer].actions
        if action.do == "propose"
    ]
    assert all(action.rank in USUAL_RANKS.named for action in proposals if action.allowed)
    kinds = {r.kind_of(ruling) for ruling in get_args(r.AnyRuling)}
    assert {action.fixed["ruling.ruling"] for action in proposals if action.allowed} == kinds


def test_ranks_in_a_staff_view() -> None:
    play = seated_play()
    play.shoe()
    play.call()
    play.bet("alice", {"tie": 5_00})
    (void,) = (action for action in actions(play, Viewer("dealer", DEALER), "propose") if kind(action) == "void")
    assert (void.allowed, void.rank, void.approval, void.paragraph) == (True, "shift_manager", True, "5.23")
    assert void.fixed == {"ruling.ruling": "void", "incident": 0}
    play.do(fill(void, {"reason": "a fire alarm"}), SHIFT)
    answers = {}
    for name in STAFF:
        (action,) = actions(play, Viewer("pit" if name != DEALER else "dealer", name), "approve")
        answers[name] = (action.allowed, action.code)
    assert answers == {
        DEALER: (True, ""),  # shirley decides, and whoever approves is the witness
        SUPERVISOR: (True, ""),
        MANAGER: (True, ""),
        SHIFT: (False, "second_person"),
        DIRECTOR: (True, ""),
    }
    matters = view(play.table, Viewer("dealer", DEALER), play.now).matters
    assert matters is not None
    (proposal,) = matters.proposals
    assert (proposal.by, proposal.needs, proposal.approvers) == (
        SHIFT,
        "shift_manager",
        (DEALER, SUPERVISOR, MANAGER, DIRECTOR),
    )
    assert (proposal.ruling, proposal.reason, proposal.paragraph) == (r.VoidRound(), "a fire alarm", "5.23")
    assert step_at(play) == ("approve", "shift_manager")


def kind(action: Action) -> Value:
    return action.fixed["ruling.ruling"]


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


def test_flags_are_told_to_all_and_their_matter_to_staff() -> None:
    play = seated_play(limits=BetLimits(25_00, 400_00, 5_00))
    play.shoe()
    play.call()
    play.do(c.FindBet("alice", 1, "banker", 15_00))
    seen = {person: view(play.table, Viewer("pit", person), play.now).flags[0] for person in (MANAGER, "alice")}
    assert (seen[MANAGER].flag, seen[MANAGER].about) == ("below_minimum", about_bet("alice", 1, "banker"))
    assert (seen["alice"].flag, seen["alice"].about) == ("below_minimum", "")


# --- what went wrong


def misplaced_card(**changes: Any) -> Play:
    """Alice and Bruno have bets, and Player's first card lies at Banker."""
    play = seated_play(**changes)
    play.shoe()
    play.call()
    play.bet("alice", {"player": 500_00})
    play.bet("bruno", {"banker": 300_00})
    play.close()
    play.do(c.Draw(parse_cards("9h")[0], Side.BANKER, True))
    return play


def test_an_incident_with_its_rulings_is_for_staff() -> None:
    play = misplaced_card(game="dragon-tiger-commission", layout="A4", positions=5)
    for viewer in VIEWERS:
        seen = view(play.table, viewer, play.now)
        assert (seen.matters is not None) == (granted(play.table, viewer) in ("dealer", "pit", "surveillance"))
        if seen.matters is None:
            continue
        (incident,) = seen.matters.incidents
        assert (incident.family, incident.about, incident.paragraph) == (
            "wrong_side",
            About.of("card.at", number=1, hand="banker"),
            "7.9",
        )
        assert (incident.blocks, incident.covered, incident.cards, incident.round) == (True, True, (1,), 1)
        assert [(way.kind, way.rank, way.paragraph, way.approval) for way in incident.rulings] == [
            ("reconstruct", "pit_supervisor", "7.9", True),
            ("void", "pit_supervisor", "7.3", True),
            ("options", "shift_manager", "7.9", True),
        ]


def test_anybody_sees_that_play_waits_and_by_which_paragraph() -> None:
    play = misplaced_card()
    seen = view(play.table, Viewer("display"), play.now)
    assert seen.public.waits == (Wait("ruling", "5.9.1", "wrong_side"),)
    step = seen.next_step
    assert step is not None
    assert (step.do, step.who, step.incident, step.paragraph) == ("propose", "pit_supervisor", 1, "5.9.1")
    assert (step.family, step.rulings) == ("wrong_side", ("reconstruct", "as_it_lies", "void"))
    assert (step.about, step.yours) == ("", False)
    staff = view(play.table, Viewer("dealer", DEALER), play.now).next_step
    assert staff is not None
    assert (staff.about, staff.yours) == (About.of("card.at", number=1, hand="banker"), True)


def test_a_ruling_from_the_view_to_the_players_options() -> None:
    play = misplaced_card()
    dealer = Viewer("dealer", DEALER)
    found = [action for action in actions(play, dealer, "propose") if action.fixed["incident"] == 1]
    assert [(kind(action), action.allowed, action.rank) for action in found] == [
        ("reconstruct", True, "pit_supervisor"),
        ("as_it_lies", False, "pit_supervisor"),
        ("void", True, "pit_supervisor"),
    ]
    assert [ask.optional for ask in found[0].asks] == [True]
    assert [ask.optional for ask in found[2].asks] == [False]
    play.do(fill(found[0]))
    assert step_at(play) == ("approve", "pit_supervisor")
    steps = {name: view(play.table, Viewer("pit", name), play.now).next_step for name in (DEALER, SUPERVISOR)}
    assert {name: step.yours for name, step in steps.items() if step} == {DEALER: False, SUPERVISOR: True}
    (approve,) = actions(play, Viewer("pit", SUPERVISOR), "approve")
    play.do(fill(approve), SUPERVISOR)
    assert view(play.table, Viewer("display"), play.now).public.waits == (Wait("options", "5.16.2"),)
    assert step_at(play) == ("take_option", "player")
    for name, waits in (("alice", True), ("bruno", True), ("chloe", False)):
        seen = view(play.table, Viewer("player", name), play.now)
        assert seen.own is not None
        assert seen.own.option == (OwnOption("bets", "5.16.2", "5.16.3") if waits else None)
        assert seen.next_step is not None
        assert (seen.next_step.yours, seen.next_step.people) == (waits, (name,) if waits else ())
        (take,) = (action for action in seen.actions if action.do == "take_option")
        assert take.allowed is waits
    play.do(fill(take_option(play, "bruno"), {"goes_on": False}), "bruno")
    matters = view(play.table, dealer, play.now).matters
    assert matters is not None
    assert matters.options == OptionsSeen("bets", ("alice",), "5.16.2", "5.16.3")
    play.do(fill(take_option(play, "alice"), {"goes_on": True}), DEALER)
    assert step_at(play) == ("draw", "dealer")
    assert play.table.stack("bruno") == STACKS["bruno"]


def take_option(play: Play, name: str) -> Action:
    (action,) = actions(play, Viewer("player", name), "take_option")
    assert action.allowed
    assert action.asks[0].choices == (True, False)
    return action


def test_cards_face_down_are_turned_before_they_can_be_put_right() -> None:
    play = seated_play(face_down=True)
    play.shoe()
    play.call()
    play.bet("alice", {"player": 500_00})
    play.close()
    for _ in range(5):
        play.do(c.Draw())
    assert play.table.blocked is not None
    for number in (1, 2, 3, 4):
        step = view(play.table, Viewer("display"), play.now).next_step
        assert step is not None
        assert (step.do, step.number) == ("turn", number)
        play.do(c.Turn(number, CARDS[20]))
    assert step_at(play) == ("propose", "pit_supervisor")


def test_a_bet_over_the_maximum_is_ruled_on() -> None:
    play = seated_play(limits=BetLimits(25_00, 400_00, 5_00))
    play.shoe()
    play.call()
    play.close()
    play.do(c.FindBet("chloe", 1, "banker", 500_00))
    (ruling,) = (action for action in actions(play, Viewer("dealer", DEALER), "propose") if kind(action) == "stake")
    assert ruling.fixed == {
        "ruling.ruling": "stake",
        "ruling.person": "chloe",
        "ruling.box": 1,
        "ruling.bet": "banker",
        "incident": 1,
    }
    assert [(ask.field, ask.least, ask.most, ask.optional) for ask in ruling.asks] == [
        ("ruling.stands", 0, 500_00, False),
        ("reason", None, None, False),
    ]
    body = fill(ruling, {"ruling.stands": 400_00, "reason": "the sign was covered"})
    assert body == c.Propose(r.SetStake("chloe", 1, "banker", 400_00), 1, "the sign was covered")
    assert "chloe" not in encoded(view(play.table, Viewer("display"), play.now))


def test_reports_ask_for_the_cards_they_are_about() -> None:
    play = misplaced_card()
    play.do(c.Draw(parse_cards("4s")[0], turned=True))
    found = {
        what: action for action in actions(play, Viewer("dealer", DEALER), "report") for what in action.asks[0].choices
    }
    assert set(found) == set(get_args(c.Incidental))
    assert found["damaged_card"].asks[1].choices == (1, 2)
    assert [(ask.field, ask.kind, ask.choices, ask.most) for ask in found["exposed_cards"].asks[1:2]] == [
        ("cards", "some", (1, 2), 2)
    ]
    assert found["simultaneous"].asks[1].choices == ((1, 2),)
    assert [ask.field for ask in found["shoe_fault"].asks] == ["what", "about"]
    assert (found["face_up"].allowed, found["face_up"].code) == (False, "cards")
    body = fill(found["simultaneous"], {"what": "simultaneous", "cards": [1, 2], "about": "stuck"})
    assert body == c.Report("simultaneous", "stuck", (1, 2))


def test_carried_cards_are_shown_to_staff_if_they_lie_open() -> None:
    seen = [
        [(card.number, card.card) for card in matters.carried]
        for play in moments("left over")
        if (matters := view(play.table, Viewer("dealer", DEALER), play.now).matters)
    ]
    assert [(1, None)] in seen
    assert [(1, None), (2, parse_cards("6d")[0])] in seen


def test_a_free_hand_is_told_to_all() -> None:
    free = [
        (seen.round.number, seen.stakes)
        for play in moments("Free Hand")
        if (seen := view(play.table, Viewer("display"), play.now).public).round and seen.round.free
    ]
    assert free
    assert set(free) == {(2, ())}
    assert [(each.number, each.free) for each in seen.rounds] == [(1, False), (2, True)]
    assert seen.roads.results == "P*(B*)"


def test_a_burn_that_was_forgotten_comes_in_the_round() -> None:
    steps = [step_at(play) for play in moments("Free Hand")]
    assert steps[:4] == [("new_shoe", "dealer"), ("burn", "dealer"), ("propose", "dealer"), ("burn", "dealer")]


def test_players_choose_whether_the_shoe_goes_on() -> None:
    asked = []
    for play in moments("unburnt"):
        seen = view(play.table, Viewer("player", "bruno"), play.now)
        assert seen.own is not None
        asked.append((seen.public.waits, seen.own.option))
    waits = (Wait("shoe", "7.11.2.1"),)
    option = OwnOption("shoe", "7.11.2.1", "7.11.2.1")
    assert asked == [((), None), ((), None), (waits, option), (waits, option), ((), None)]


def test_a_round_settled_again_is_followed_by_roads_money_and_history() -> None:
    play = seated_play()
    for _ in late_round(play):
        public = view(play.table, Viewer("display"), play.now).public
        results = [each.result for each in public.rounds if each.result]
        assert public.roads.results == "".join(f"{result[0].upper()}*" for result in results)
    assert [(each.number, each.result, each.voided, each.again) for each in public.rounds[1:]] == [
        (2, None, True, True)
    ]
    assert public.rounds[0].result == "banker"
    assert public.last is not None
    assert (public.last.voided, public.last.again, public.last.void_paragraph[:4]) == (True, True, "5.15")
    bruno = view(play.table, Viewer("player", "bruno"), play.now).own
    assert bruno is not None
    (again,) = (payment for payment in bruno.again if payment.round == 2)
    assert [(line.bet, line.stake, line.profit) for line in again.lines] == [("player", 50_00, 0)]


def test_what_a_settled_again_round_comes_to_for_each() -> None:
    """The difference to what was paid and taken, for people who have nothing in a box any more as well."""
    play = seated_play()
    play.round({"alice": {"banker": 500_00}, "bruno": {"player": 300_00}}, "9h 8c Kd Ks")
    assert play.table.last is not None
    lines = play.table.last.lines
    now = (replace(lines[0], box=3, profit=500_00, result=Result.WON), replace(lines[1], profit=250_00))
    changed = replace(play.table.last, lines=now, before=lines)
    table = replace(play.table, last=changed, past=(changed,))
    felt = view(table, Viewer("dealer", DEALER), play.now).felt
    assert felt is not None
    assert {(each.box, each.person): each.difference for each in felt.payments} == {
        (1, "alice"): 500_00,
        (2, "bruno"): -50_00,
        (3, "alice"): 500_00,
    }
    own = view(table, Viewer("player", "alice"), play.now).own
    assert own is not None
    assert own.again == own.payments == tuple(each for each in felt.payments if each.person == "alice")
    assert view(table, Viewer("display"), play.now).public.rounds[0].again


def test_debts_and_chips_held_are_for_whose_they_are_and_for_staff() -> None:
    scene = moments("late")
    for play in scene:
        if play.table.balances.get("owed:bruno"):
            break
    claims = {name: view(play.table, Viewer("player", name), play.now).claims for name in STACKS}
    assert claims == {"alice": Claims(0, 930_00, ()), "bruno": Claims(600_00, 0, ()), "chloe": None}
    for viewer in (Viewer("dealer", "bruno"), Viewer("display", "bruno"), Viewer("display")):
        assert view(play.table, viewer, play.now).claims is None
    matters = view(play.table, Viewer("dealer", DEALER), play.now).matters
    assert matters is not None
    assert matters.debts == (Sum("bruno", 600_00),)
    assert matters.held == (Sum("alice", 930_00),)
    assert [(incident.family, incident.person) for incident in matters.incidents] == [("debt", "bruno")]
    books = view(play.table, Viewer("surveillance"), play.now).books
    assert books is not None
    assert (books.receivables, books.held) == (600_00, 930_00)
    assert view(play.table, Viewer("display"), play.now).public.waits == ()
    next(scene)
    (collect,) = (action for action in actions(play, Viewer("pit", MANAGER), "propose") if kind(action) == "collect")
    assert (collect.asks[0].least, collect.asks[0].most) == (1, 203_19)


def test_corrections_of_older_rounds_are_asked_for_by_round() -> None:
    play = seated_play()
    for _ in range(4):
        play.round({"alice": {"banker": 500_00}}, "9h 8c Kd Ks")
    dealer = Viewer("dealer", DEALER)
    seen = {action.fixed.get("ruling.round") for action in actions(play, dealer, "propose")}
    assert seen == {None, 4}
    older = round_actions(play.table, dealer, 1, play.now)
    assert {action.fixed["ruling.round"] for action in older} == {1}
    card = next(action for action in older if kind(action) == "correct_card")
    assert (card.allowed, card.rank, card.approval, card.asks[0].but) == (True, "pit_manager", True, "9h")
    bet = next(action for action in older if kind(action) == "correct_bet")
    values = {"ruling.stake": 500_00, "ruling.to_bet": "player", "reason": "misread"}
    correction = r.CorrectBet("alice", 1, "banker", 500_00, to_bet="player", round=1)
    assert fill(bet, values) == c.Propose(correction, 0, "misread")
    for viewer in (Viewer("player", "alice"), Viewer("dealer", "alice"), Viewer("display"), Viewer("surveillance")):
        assert round_actions(play.table, viewer, 1, play.now) == ()
    assert round_actions(play.table, dealer, 9, play.now) == ()


def test_a_dispute_is_its_player_s_and_staff_s() -> None:
    for play in moments("corrections"):
        if play.table.disputes and play.table.disputes[1].decision:
            break
    alice = view(play.table, Viewer("player", "alice"), play.now)
    assert alice.claims is not None
    (dispute,) = alice.claims.disputes
    assert (dispute.about, dispute.decision, dispute.agreed) == ("the bet was five chips", "it was four", None)
    assert "four chips on the film" not in encoded(alice)
    (answer,) = (action for action in alice.actions if action.do == "answer_dispute")
    assert (answer.allowed, answer.asks[0].choices) == (True, (True, False))
    assert not actions(play, Viewer("player", "bruno"), "answer_dispute")
    matters = view(play.table, Viewer("surveillance"), play.now).matters
    assert matters is not None
    assert [(seen.person, seen.facts) for seen in matters.disputes] == [("alice", ("four chips on the film",))]
    play.do(c.AnswerDispute("alice", 1, False), "alice")
    (note,) = actions(play, Viewer("pit", SHIFT), "note_on_dispute")
    assert note.asks[0].choices == ("right_told",)


TROUBLE = ("misdealt", "left over", "Free Hand", "missed insurance", "late", "doubtful", "corrections", "faults")


@pytest.mark.parametrize("name", TROUBLE)
def test_the_next_step_leads_out_of_trouble(name: str) -> None:
    """From every moment of it to the next call for bets: whoever is asked has an action for it."""
    changes, _ = DEALINGS[name]
    assert Step.DEAL not in changes.get("automated", ())
    for play in moments(name):
        if not play.table.shoe.ended:
            lead_out(Play(play.table, (), play.now))


def lead_out(play: Play) -> None:
    rounds, done = play.table.rounds, list[NextStep]()
    for _ in range(60):
        step = view(play.table, Viewer("surveillance"), play.now).next_step
        assert step is not None
        actor = actor_of(play, step)
        seen = view(play.table, Viewer("player" if step.who == "player" else "dealer", actor), play.now)
        assert seen.next_step is not None
        assert seen.next_step.yours, (actor, step, done)
        play.do(command_for(seen, "2h 4c Kd Ks 4s 3d", True), actor)
        done.append(step)
        if play.table.rounds > rounds or play.table.shoe.ended:
            return
    raise AssertionError(f"no end: {done}")


def actor_of(play: Play, step: NextStep) -> str:
    """Who takes a step: the dealer what anybody of staff may, the pit what is approved."""
    if step.do == "approve":
        proposal = play.table.proposals[step.proposal]
        able = [
            name for name, rank in STAFF.items() if USUAL_RANKS.at_least(rank, proposal.needs) and name != proposal.by
        ]
        return able[0]
    if step.do == "propose":
        return DEALER
    return {"house": HOUSE, "dealer": DEALER, "player": "".join(step.people[:1])}.get(step.who, SUPERVISOR)


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
    wanted = {"number": step.number, "box": step.box, "incident": step.incident, "proposal": step.proposal}
    action = next(
        action
        for action in seen.actions
        if action.do == step.do
        and action.allowed
        and all(action.fixed.get(name, value) == value for name, value in wanted.items())
        and (not step.people or action.fixed.get("person", step.people[0]) in step.people)
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
            values[ask.field] = card or examples(ask)[0]
        elif ask.field == "hand" and step.hand is not None:
            values[ask.field] = step.hand.value
        elif not ask.optional:
            values[ask.field] = examples(ask)[0]
    return fill(action, values)


def test_a_proposal_that_came_to_nothing_holds_no_payment_up() -> None:
    """What was found while paying is on record by another ruling: the boxes are paid all the same."""
    lines = "call\nbet ann player 100\nclose\ndeal 9h 8c Kd Ks\nannounce player\nfind bet ann tie 100\n"
    lines += 'correct bet ann player 100 to bet tie "keyed wrongly"\napprove 2\n'
    played = holds("da-hu-ying-xiong", lines + "expect lost ann tie 100\n", "automated settle")
    assert played.table is not None
    step = next_step(played.table)
    assert step is not None
    assert step.do == "confirm"


def test_the_next_step_leads_out_of_a_shoe_that_ran_empty() -> None:
    play = seated_play(game="dragon-tiger-commission", layout="A4", positions=5, decks=1)
    run_down(play, 4, "2h 4c Kd Ks")
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
