"""Chips and cash that may be counterfeit: held apart, in no count, and given back or taken out once that is known."""

from __future__ import annotations

from tests.rules.at_table import PLAYER_WINS, QUICK, table_of
from tests.table.build import DEALER, DIRECTOR, MANAGER, SUPERVISOR, Play

from puntobanco.store.ledger_check import Ledger
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE
from puntobanco.table.settings import ELECTRONIC
from puntobanco.views import Viewer, seen, view

GAME = "dragon-tiger-commission"
LAMP = "the lamp shows no mark"


def table(**changes: object) -> Play:
    return table_of(GAME, **{"automated": QUICK, **changes})


def held(play: Play, what: str = "chips", amount: int = 500_00, person: str = "ann") -> e.SuspectHeld:
    (event,) = play.do(c.HoldSuspect(what, amount, LAMP, person))  # type: ignore[arg-type]
    assert isinstance(event, e.SuspectHeld)
    return event


def of(play: Play, account: str) -> int:
    return play.table.balances.get(account, 0)


def test_chips_of_a_player_are_held_and_come_back() -> None:
    play = table()
    event = held(play)
    assert (event.number, event.by, event.paragraph, event.about) == (1, DEALER, "3.2.7", LAMP)
    assert (of(play, "chips:ann"), of(play, "suspect")) == (9_500_00, 500_00)
    assert play.refused(c.Place("ann", 1, {"player": 9_600_00}), "ann").code == "no_round"
    (back,) = play.do(c.ResolveSuspect(1, True, "the cage has examined them"), MANAGER)
    assert isinstance(back, e.SuspectResolved)
    assert (back.genuine, back.paragraph, back.by) == (True, "3.2.7", MANAGER)
    assert (of(play, "chips:ann"), of(play, "suspect"), play.table.suspects) == (10_000_00, 0, {})


def test_what_is_counterfeit_is_taken_out() -> None:
    play = table()
    held(play)
    play.do(c.ResolveSuspect(1, False, "handed to the police"), MANAGER)
    assert (of(play, "chips:ann"), of(play, "suspect"), of(play, "counterfeit")) == (9_500_00, 0, 500_00)
    assert sum(play.table.balances.values()) == 0


def test_cash_is_held_before_it_becomes_chips() -> None:
    play = table()
    cash = of(play, "cash")
    held(play, "cash", 1_000_00)
    assert (of(play, "cash"), of(play, "suspect"), of(play, "chips:ann")) == (cash - 1_000_00, 1_000_00, 10_000_00)
    play.do(c.ResolveSuspect(1, True, "examined"), MANAGER)
    assert (of(play, "cash"), of(play, "suspect")) == (cash, 0)


def test_the_closing_count_is_without_what_is_held() -> None:
    play = table()
    tray = of(play, "tray")
    play.do(c.HoldSuspect("chips", 1_000_00, LAMP))
    assert play.refused(c.HoldSuspect("cash", 2_000_00, LAMP), DEALER).detail == "rank.needed"
    play.do(c.HoldSuspect("cash", 2_000_00, LAMP), MANAGER)
    assert (of(play, "tray"), of(play, "drop")) == (tray - 1_000_00, 28_000_00)
    for person in ("cho", "bob", "ann"):
        play.do(c.Leave(person), person)
    count = {1_00: of(play, "tray") // 100}
    (closed,) = play.do(c.CloseTable(count), SUPERVISOR)
    assert isinstance(closed, e.TableClosed)
    assert (closed.drop, closed.difference, closed.result) == (28_000_00, 0, -3_000_00)
    # and the matter outlives the table: what is genuine goes to the cage
    cage = of(play, "cage")
    play.do(c.ResolveSuspect(1, True, "examined"), MANAGER)
    play.do(c.ResolveSuspect(2, False, "handed to the police"), DIRECTOR)
    assert (of(play, "cage") - cage, of(play, "counterfeit"), of(play, "suspect")) == (1_000_00, 2_000_00, 0)
    assert play.refused(c.HoldSuspect("chips", 1_00, LAMP), DEALER).code == "table_closed"


def test_a_player_who_has_gone_finds_the_chips_kept() -> None:
    play = table()
    held(play, person="bob")
    play.do(c.Leave("bob"), "bob")
    play.do(c.ResolveSuspect(1, True, "examined"), MANAGER)
    assert of(play, "held:bob") == 500_00
    play.do(c.Join("bob", 2), "bob")
    assert of(play, "chips:bob") == 500_00


def test_a_table_that_is_closed_keeps_chips_for_their_owner() -> None:
    play = table()
    held(play)
    for person in ("cho", "bob", "ann"):
        play.do(c.Leave(person), person)
    play.do(c.CloseTable({1_00: of(play, "tray") // 100}), SUPERVISOR)
    play.do(c.SignOn("eve", "assistant_director"), HOUSE)  # who takes it on need not have worked here
    play.do(c.ResolveSuspect(1, True, "examined"), "eve")
    assert of(play, "held:ann") == 500_00


def test_who_may_say_what_it_is() -> None:
    play = table()
    play.do(c.HoldSuspect("chips", 500_00, LAMP, "ann"), MANAGER)
    for actor in (DEALER, SUPERVISOR):
        assert play.refused(c.ResolveSuspect(1, False, "seen"), actor).detail == "rank.needed"
    assert play.refused(c.ResolveSuspect(1, False, "seen"), MANAGER).detail == "second_person.found"
    assert play.refused(c.ResolveSuspect(2, False, "seen"), DIRECTOR).detail == "unknown_request.suspect"
    assert play.refused(c.ResolveSuspect(1, False, " "), DIRECTOR).code == "bad_amount"
    assert play.refused(c.HoldSuspect("chips", 1_00, LAMP, "ann"), "bob").code == "rank"
    play.do(c.ResolveSuspect(1, False, "seen"), DIRECTOR)


def test_nobody_decides_about_his_own_chips() -> None:
    play = table()
    held(play, person="bob")
    play.do(c.Leave("bob"), "bob")
    play.do(c.SignOn("bob", "pit_manager"), HOUSE)
    assert play.refused(c.ResolveSuspect(1, True, "mine"), "bob").detail == "second_person.concerned"


def test_what_cannot_have_been() -> None:
    play = table()
    assert play.refused(c.HoldSuspect("chips", 10_001_00, LAMP, "ann")).fits == 10_000_00
    assert play.refused(c.HoldSuspect("chips", 0, LAMP, "ann")).code == "bad_amount"
    assert play.refused(c.HoldSuspect("chips", 1_00, "", "ann")).code == "bad_amount"
    assert play.refused(c.HoldSuspect("chips", 1_00, LAMP, "zoe")).code == "unknown_person"


def test_an_electronic_table_has_no_chips_to_suspect() -> None:
    play = table(automated=ELECTRONIC)
    assert play.refused(c.HoldSuspect("chips", 1_00, LAMP, "ann"), DEALER).detail == "electronic.money"


def test_books_that_say_nothing_of_it_leave_it_to_who_decides() -> None:
    play = table_of("tiger-buffalo", automated=QUICK)
    (event,) = play.do(c.HoldSuspect("chips", 1_00, LAMP, "ann"))
    assert isinstance(event, e.SuspectHeld)
    assert event.paragraph == play.table.book.uncovered.paragraph


def test_who_sees_it() -> None:
    play = table()
    held(play)
    (record,) = play.entries[-1].records
    mine = seen(record, play.table, Viewer("player", "ann"))
    assert "500" in str(mine)
    assert LAMP not in str(mine)
    assert "ann" not in str(seen(record, play.table, Viewer("player", "bob")))
    assert LAMP in str(seen(record, play.table, Viewer("pit", MANAGER)))
    own = view(play.table, Viewer("player", "ann"), play.now)
    assert own.claims is not None
    assert own.claims.suspect == 500_00
    pit = view(play.table, Viewer("pit", MANAGER), play.now)
    assert pit.matters is not None
    found = [(each.number, each.person, each.amount, each.by) for each in pit.matters.suspects]
    assert found == [(1, "ann", 500_00, DEALER)]
    assert pit.books is not None
    assert pit.books.suspect == 500_00
    assert ("resolve_suspect", True) in {(each.do, each.allowed) for each in pit.actions}
    dealer = view(play.table, Viewer("dealer", DEALER), play.now)
    allowed = {(each.do, each.allowed) for each in dealer.actions}
    assert {("hold_suspect", True), ("resolve_suspect", False)} <= allowed


def test_play_goes_on_meanwhile() -> None:
    play = table()
    held(play)
    play.round({"ann": {"player": 100_00}}, PLAYER_WINS)
    assert of(play, "chips:ann") == 9_600_00
    ledger = Ledger()
    for event in play.events:
        if transfers := getattr(event, "transfers", ()):
            assert ledger.post(transfers) is None
    assert ledger.differs(play.table) is None
