"""Electronic tables believe no dealer: what a dishonest one tries, and every command by every role at every kind."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from scripts.tools import duties
from tests.table.build import DEALER, MANAGER, NOW, SHIFT, SUPERVISOR, Play, open_table
from tests.table.test_authority import SCENES, scene

from puntobanco.cards import CARDS, Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.authority import NEEDS
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, execute
from puntobanco.table.ledger import TRAY_HOLDS
from puntobanco.table.settings import ELECTRONIC, LIVE, Kind, Step, in_order
from puntobanco.table.state import Phase, Table
from puntobanco.table.word import WORDS

KINDS: dict[Kind, tuple[Step, ...]] = {
    Kind.LIVE: (),
    Kind.SHOE: in_order({*LIVE, Step.DEAL}),
    Kind.MACHINE: ELECTRONIC,
}
ACTORS = {"player": "ann", "dealer": DEALER, "supervisor": SUPERVISOR, "manager": MANAGER}
VARIANTS: dict[str, AnyCommand] = {
    "turn:keyed": c.Turn(2, CARDS[0]),
    "report:other": c.Report("other", "the light is out"),
}


# --- role × command × kind of table


def as_kind(table: Table, kind: Kind) -> Table:
    """The same table, as if it were of that kind: who is believed is asked before anything else."""
    return replace(table, settings=replace(table.settings, automated=KINDS[kind]))


def outcome(table: Table, body: AnyCommand, actor: str) -> str:
    done = execute(table, Command("x", actor, NOW, body))
    if not isinstance(done, Done):
        if done.code == "electronic" or done.detail == "cards.electronic":
            return "refused"
        return "" if done.code in ("rank", "not_yours") else "yes"
    first = done.events[0]
    heard = isinstance(first, e.IncidentOpened) and first.family == "other" and not first.blocks
    return "heard" if heard and type(body) in WORDS and not isinstance(body, c.Report) else "yes"


@pytest.mark.parametrize("name", sorted(set(duties.rows()) - {"open_table"}))
def test_every_command_by_every_role_at_every_kind_of_table(name: str) -> None:
    row = duties.rows()[name]
    table, body = scene(name.replace(":keyed", "").replace(":other", ""), "TB")
    assert table is not None
    body = VARIANTS.get(name, body)
    for kind in Kind:
        for role, actor in ACTORS.items():
            wanted = duties.cell(row, role, kind)
            if isinstance(body, duties.OF_A_COMMITTED_SHOE) and kind is Kind.LIVE:
                assert not isinstance(execute(as_kind(table, kind), Command("x", actor, NOW, body)), Done)
                continue
            if isinstance(body, c.Report) and wanted == "heard":
                wanted = "yes"  # what comes of it is tried below: the matter looks the same
            found = outcome(as_kind(table, kind), body, actor)
            if wanted == "own":
                assert found == "yes", (kind, role)
                continue
            above = name in ("approve", "decline", "note_on_dispute", "decide_dispute")  # a ruling has its own rank
            assert found == wanted or (above and not found), (kind, role, found, wanted)


def test_the_statement_names_every_word_once() -> None:
    assert set(WORDS) <= set(NEEDS)
    assert {name.partition(":")[0] for name in SCENES} >= {str(kind.__struct_config__.tag) for kind in WORDS}


# --- what a dishonest dealer does


def machine(**changes: Any) -> Play:
    """An electronic table with a committed shoe; Ann plays with money from her account."""
    play = open_table(**{"automated": ELECTRONIC} | changes)
    play.do(c.Join("ann", 1), "ann")
    play.do(c.BuyIn("ann", 10_000_00, "account"), "ann")
    play.do(c.NewShoe("drawn by the machine", "c0ffee"), HOUSE)
    return play


def dealt(cards: str = "9h 8c", **changes: Any) -> Play:
    play = machine(**changes)
    play.call()
    play.bet("ann", {"banker": 100_00})
    play.close()
    play.deal(cards)
    return play


MONEY = {
    "chips_in": c.ChipsIn("ann", 10**14),
    "chips_in little": c.ChipsIn("ann", 100),
    "chips_out": c.ChipsOut("ann", 100_00),
    "cash": c.BuyIn("ann", 100_00),
    "tip": c.Tip("ann", 100_00),
    "account": c.BuyIn("ann", 100_00, "account"),
}


@pytest.mark.parametrize("who", [DEALER, SUPERVISOR, MANAGER, SHIFT])
@pytest.mark.parametrize("body", MONEY.values(), ids=MONEY)
def test_no_money_by_anybodys_word(body: AnyCommand, who: str) -> None:
    play = machine()
    refused = play.refused(body, who)
    assert refused.detail in ("electronic.money", "electronic.person")


def test_a_player_has_his_own_money_still() -> None:
    play = machine()
    play.do(c.BuyIn("ann", 100_00, "account"), "ann")
    play.do(c.Tip("ann", 5_00), "ann")
    play.do(c.CashOut("ann", 100_00), "ann")
    assert play.refused(c.BuyIn("ann", 100_00), "ann").detail == "electronic.money"
    assert play.table.stack("ann") == 9_995_00


HEARSAY: dict[str, AnyCommand] = {
    "find_bet on the open result": c.FindBet("ann", 1, "player", 5_000_00),
    "late_chips": c.LateChips("ann", 1, "player", 100_00, "placed"),
    "report_cards voids what he has seen": c.ReportCards("foreign_card", "a joker"),
    "an interruption that lost the cards": c.ReportInterruption("power cut", lost=True),
    "burn": c.Burn((None,)),
    "draw": c.Draw(CARDS[0], Side.BANKER, turned=True),
    "put_card": c.PutCard(1, Side.BANKER),
    "cut_card": c.CutCard(),
    "announce": c.Announce("banker"),
    "confirm": c.Confirm(1),
    "walk_away": c.WalkAway("ann"),
    "meant_to_insure": c.MeantToInsure("ann", Side.BANKER),
    "wrong side": c.Report("wrong_side", "it was for Banker", (1,)),
    "dealing error": c.Report("dealing_error", "something"),
    "a round that is over": c.ReportRound(1, parse_cards("9h 8c Kd Ks 2h"), "late"),
}


@pytest.mark.parametrize("body", HEARSAY.values(), ids=HEARSAY)
def test_his_word_about_cards_and_chips_changes_nothing(body: AnyCommand) -> None:
    play = dealt()
    before = play.table
    (matter,) = play.do(body)
    assert isinstance(matter, e.IncidentOpened)
    assert (matter.family, matter.blocks, matter.reported) == ("other", False, True)
    assert replace(play.table, incidents={}, incidents_so_far=0, version=0) == replace(
        before, incidents={}, incidents_so_far=0, version=0
    )
    assert play.refused(body).code == "already_there"
    # one person rules nothing on it: what he proposes waits for another
    assert isinstance(play.do(c.Propose(r.VoidRound(), matter.number, "look at the cards"))[0], e.RulingProposed)
    assert play.refused(c.Approve(1)).code == "second_person"
    play.deal("Kd Ks")  # play goes on meanwhile
    assert play.table.phase is Phase.IDLE
    assert play.table.last is not None
    assert not play.table.last.voided


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (c.FindBet("nobody", 1, "player", 100), "unknown_person"),
        (c.FindBet(DEALER, 1, "player", 100), "rank"),
        (c.FindBet("ann", 0, "player", 100), "box"),
        (c.FindBet("ann", 1, "horses", 100), "unknown_bet"),
        (c.LateChips("ann", 1, "player", -100, "placed"), "bad_amount"),
        (c.LateChips("ann", 1, "player", 0, "withdrawn"), "bad_amount"),
        (c.WalkAway("nobody"), "unknown_person"),
        (c.Confirm(99), "box"),
    ],
)
def test_his_word_about_nothing_that_is_there_is_refused(body: AnyCommand, code: str) -> None:
    assert dealt().refused(body).code == code


def test_nobody_puts_up_a_shoe_but_the_table() -> None:
    play = open_table(automated=ELECTRONIC)
    for actor in (DEALER, SUPERVISOR, MANAGER):
        assert play.refused(c.NewShoe("mine", "dead"), actor).detail == "cards.electronic"
    play = machine()
    for step in (c.Close(), c.Settle(), c.CloseInsurance(), c.OfferInsurance()):
        assert play.refused(step).detail == "electronic.step"


def test_the_cut_is_the_players() -> None:
    play = machine()
    play.do(c.CutShoe("ann", 100), "ann")
    assert play.refused(c.CutShoe("ann", 316), DEALER).detail == "electronic.person"
    play.do(c.CutShoe(DEALER, 7), DEALER)  # for oneself everybody may


@pytest.mark.parametrize("what", ["other", "display"])
def test_a_matter_that_is_about_no_card_is_still_reported(what: Any) -> None:
    play = dealt()
    (told,) = play.do(c.Report(what, "the light is out"))
    assert isinstance(told, e.IncidentOpened | e.Noted)


# --- live tables


LARGE = 2 * TRAY_HOLDS * 10_000_00


@pytest.mark.parametrize(
    "body",
    [
        c.ChipsIn("ann", LARGE),
        c.BuyIn("ann", LARGE),
        c.FindBet("ann", 1, "player", LARGE),
        c.RequestFill("f", "fill", {10_000_00: 2 * TRAY_HOLDS}),
    ],
    ids=lambda body: type(body).__name__,
)
def test_no_tray_holds_that_much(body: AnyCommand) -> None:
    play = open_table()
    play.sit("ann", 1)
    play.shoe()
    play.call()
    refused = play.refused(body)
    assert (refused.detail, refused.fits) == ("bad_amount.tray", TRAY_HOLDS * 10_000_00)
