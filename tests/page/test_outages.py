"""Killed servers and lost networks: pages say so, come back by themselves, and nothing is lost or doubled."""

from __future__ import annotations

import re
from contextlib import closing

import apsw
import httpx
from playwright.sync_api import expect
from tests.page.casino import PAST, Casino
from tests.page.conftest import Crowd
from tests.patience import limit

from puntobanco.table import commands as c

OFFLINE = "[data-connection=offline]"


def test_the_server_is_killed_and_started_again_in_the_middle_of_a_round(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo")
    dealer, ann, bob = crowd.dealer(table), crowd.player(table, "ann", 1), crowd.player(table, "bob", 2)
    display = crowd.display(table)
    everybody = (dealer, ann, bob, display)
    casino.bets(table, {bob.person: (2, {"banker": 100_00})})
    ann.bet(1, "player", chip=100_00)
    casino.server.kill()
    for screen in everybody:
        expect(screen.page.locator(OFFLINE).first).to_be_visible()
    ann.page.locator("[data-box='1'] [data-bet='tie']").click()
    expect(ann.at("bet-1-tie")).to_have_attribute("data-state", "offline")
    casino.server.start()
    for screen in everybody:
        expect(screen.page.locator(OFFLINE)).to_have_count(0)
    ann.confirmed(1, "tie", 100_00)
    assert casino.events(table).count("wagers_placed") == 3
    casino.deal(table, "9h 4d Ts")
    expect(dealer.step).to_have_class(re.compile(r"\bbanker\b"))  # a card keyed at an older view goes to its hand
    casino.server.kill()
    casino.server.start()
    dealer.deal("4c")  # Player 9, Banker 8
    dealer.waits_for("announce")
    casino.pay(table, "player", 1, 2)
    for screen in everybody:
        screen.agrees()


def test_a_player_without_network_sees_it_and_comes_back_to_the_same_round(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("super-six")
    ann, bob = crowd.player(table, "ann", 1), crowd.player(table, "bob", 2)
    casino.give("dan", table, c.Call())
    ann.bet(1, "player", chip=100_00)
    crowd.contexts[ann.person].set_offline(True)
    expect(ann.page.locator(OFFLINE).first).to_be_visible()
    bob.bet(2, "banker", chip=100_00)
    ann.page.locator("[data-box='1'] [data-bet='player']").click()
    expect(ann.at("chips-offline")).to_be_visible()
    crowd.contexts[ann.person].set_offline(False)
    ann.confirmed(1, "player", 200_00)
    crowd.contexts[ann.person].set_offline(True)
    casino.deal(table, "2h 6c 3d Ks 9h", "banker", 1, 2)
    crowd.contexts[ann.person].set_offline(False)
    for screen in (ann, bob):
        screen.agrees()


def test_a_bet_that_is_on_its_way_when_bets_are_closed_is_refused_at_the_chip(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("super-six")
    ann = crowd.player(table, "ann", 1)
    casino.give("dan", table, c.Call())
    ann.bet(1, "player", chip=100_00)
    crowd.contexts[ann.person].set_offline(True)
    expect(ann.page.locator(OFFLINE).first).to_be_visible()
    ann.page.locator("[data-box='1'] [data-bet='banker']").click()
    casino.give("dan", table, c.Close())
    crowd.contexts[ann.person].set_offline(False)
    expect(ann.at("bet-1-banker")).to_have_count(0)
    assert casino.events(table).count("wagers_placed") == 1
    ann.agrees()


def test_a_table_whose_log_is_damaged_stands_in_the_pits_alerts(crowd: Crowd) -> None:
    casino = crowd.casino
    damaged, whole = casino.open_table("super-six", PAST[:1]), casino.open_table("super-six")
    casino.server.kill()
    change(casino, damaged, b"counted", b"doubted")
    casino.server.start()
    pit = crowd.pit(whole, "pam")
    pit.at("pit-floor").click()
    alert = pit.at("alert-standing").filter(has_text=damaged)
    expect(alert).to_contain_text(f"the log of table {damaged} is damaged at version")
    expect(pit.at(f"tile-{whole}")).to_be_visible()
    expect(pit.at(f"tile-{damaged}")).to_have_count(0)

    change(casino, damaged, b"doubted", b"counted")
    cleared = httpx.post(
        f"{casino.address}/api/tables/{damaged}/clear-fault",
        json={"why": "brought back from the backup"},
        headers={"authorization": f"Bearer {casino.house.tokens['pam']}"},
    )
    assert cleared.status_code == 204
    expect(pit.at(f"tile-{damaged}")).to_be_visible()
    expect(alert).to_have_count(0)


def change(casino: Casino, table: str, old: bytes, new: bytes) -> None:
    """Somebody gets at the database past the program."""
    every = "select line, version from entries where log = ?"
    with closing(apsw.Connection(str(casino.house.folder / "record.db"))) as database:
        database.set_busy_timeout(int(1000 * limit()))
        lines = [(bytes(line), version) for line, version in database.execute(every, (table,)) if old in bytes(line)]
        assert lines
        for line, version in lines:
            database.execute(
                "update entries set line = ? where log = ? and version = ?", (line.replace(old, new), table, version)
            )
