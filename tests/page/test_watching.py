"""Those who look on: a round step by step, the log searched, the record verified and taken away, a live shoe's odds."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.page.casino import Casino
from tests.page.conftest import Crowd
from tests.page.reading import expected, read, same
from tests.page.screens import SurveillanceScreen
from tests.views.watch import moments

from puntobanco.cards import Card, Rank, Side, parse_cards
from puntobanco.client import ClientError
from puntobanco.coup import OPENING
from puntobanco.store import verify_log
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.views import past_view

ROUND = "2h 6c 3d Ks 9h"
"""Player 4, Banker 6."""


def bet_on(crowd: Crowd) -> str:
    """A table at which ann has won on Banker in the second round."""
    casino = crowd.casino
    table = casino.open_table("dragon-tiger-commission", ["8h 2c Kd 5s"])
    ann = f"ann-{crowd.number}"
    casino.give(ann, table, c.Join(ann, 1), c.BuyIn(ann, 1_000_00, "account"))
    casino.give("dan", table, c.Call())
    casino.give(ann, table, c.Place(ann, 1, {"banker": 100_00}))
    hands = (*OPENING, Side.PLAYER)
    drawn = (c.Draw(card, hand, True) for card, hand in zip(parse_cards(ROUND), hands, strict=True))
    casino.give("dan", table, c.Close(), *drawn, c.Announce("banker"), c.Confirm(1))
    return table


def test_a_round_is_replayed_step_by_step(crowd: Crowd) -> None:
    """Every step shows the table as the log has it after that event; by a button on, by keys to both ends."""
    table = bet_on(crowd)
    sue = crowd.surveillance(table)
    sue.at("round-1-2").click()
    found = list(moments(crowd.casino.entries(table)))
    first = max(place for place, (record, _) in enumerate(found) if isinstance(record.event, e.RoundCalled))
    steps = found[first:]
    for number, (record, state) in enumerate(steps, 1):
        expect(sue.at("replay-step")).to_contain_text(f"{number} of {len(steps)}")
        expect(sue.at("replay")).to_contain_text(f"#{record.version}")
        shown = read(sue.page)
        same(shown, expected(past_view(state, sue.viewer, record.at), shown.roads), f"step {number}")
        if number < len(steps):
            sue.at("replay-on").click()
    expect(sue.at("replay-on")).to_be_disabled()
    expect(sue.at("replay")).to_contain_text("+95.00")
    sue.page.keyboard.press("Home")
    expect(sue.at("replay-back")).to_be_disabled()
    sue.page.keyboard.press("ArrowRight")
    expect(sue.at("replay-step")).to_contain_text("2 of")
    sue.page.keyboard.press("End")
    expect(sue.at("replay-on")).to_be_disabled()


def test_a_replay_that_is_refused_says_so_and_lets_one_go_back(crowd: Crowd) -> None:
    """To surveillance beside the list of rounds, to a player in front of the table."""
    table = bet_on(crowd)
    refusal = '{"code": "forbidden", "message": "this round is not for you"}'
    sue, ann = crowd.surveillance(table), crowd.player(table, "ann")
    for screen, number in ((sue, "round-1-2"), (ann, "round-2")):
        page = screen.page
        page.route(
            "**/replay?*", lambda route: route.fulfill(status=403, content_type="application/json", body=refusal)
        )
        if screen is ann:
            ann.open_tab("rounds")
        screen.at(number).click()
        expect(page.get_by_role("alert")).to_contain_text("this round is not for you")
        expect(page.locator("main")).not_to_contain_text("Loading")
        screen.at("replay-leave").click()
        expect(page.get_by_role("alert")).to_have_count(0)
        page.unroute("**/replay?*")
        screen.at(number).click()
        screen.at("replay-on").click()


@pytest.mark.parametrize(
    ("name", "path"), [("ann", "table"), ("dan", "dealer"), ("sue", "display"), ("sue", "surveillance/t")]
)
def test_a_table_that_is_not_there_says_so(crowd: Crowd, name: str, path: str) -> None:
    name = f"{name}-{crowd.number}" if name == "ann" else name
    page = crowd.visit(name, f"/{path}/NOWHERE")
    gone = page.get_by_test_id("no-table")
    expect(gone).to_contain_text("NOWHERE")
    expect(page.locator("main")).not_to_contain_text("Loading")
    gone.get_by_role("link").click()
    page.wait_for_url("**/")


def test_the_log_is_searched_and_follows_the_table(crowd: Crowd) -> None:
    casino = crowd.casino
    table = bet_on(crowd)
    sue = crowd.open(SurveillanceScreen, f"{table}/log", "sue", "surveillance/t")
    rows = sue.at("event-log").locator("tbody tr")
    events = casino.events(table)
    expect(rows).to_have_count(len(events))
    search = sue.at("log-search")
    search.fill("card_turned")
    expect(rows).to_have_count(events.count("card_turned"))
    search.fill("9 of hearts")
    expect(rows.first).to_contain_text("9 of Hearts")
    search.fill(f"ann-{crowd.number} banker")
    expect(rows.last).to_contain_text("100.00")
    search.fill("nothing like that")
    expect(rows).to_have_count(0)
    search.fill("")
    sue.at("event-log").get_by_role("combobox").select_option("people")
    expect(rows.filter(has_text="dan").first).to_be_visible()
    assert all("9 of Hearts" not in text for text in rows.all_inner_texts())
    sue.at("event-log").get_by_role("combobox").select_option("")
    casino.give("dan", table, c.Call())
    expect(rows).to_have_count(len(events) + 1)
    rows.first.get_by_role("button").click()
    expect(sue.page.locator("pre")).to_contain_text('"event": "round_called"')


def test_the_record_is_verified_and_taken_away(crowd: Crowd) -> None:
    """Whole at first; when somebody has changed a stake in the store, it says so and where."""
    casino = crowd.casino
    table = bet_on(crowd)
    sue = crowd.open(SurveillanceScreen, f"{table}/chain", "sue", "surveillance/t")
    sue.at("verify").click()
    expect(sue.at("verdict")).to_have_class(re.compile("ok"))
    events = len(casino.records(table))
    expect(sue.at("record-state").locator("dl div").first.locator("dd")).to_have_text(str(events))
    with sue.page.expect_download() as kept:
        sue.at("export-log").click()
    assert kept.value.suggested_filename == f"{table}.jsonl"
    report = verify_log(Path(kept.value.path()).read_bytes())
    assert (report.problem, report.events) == (None, events)
    placed = casino.events(table).index("wagers_placed") + 1
    with changed(casino, table, placed, b"10000", b"90000"):
        sue.at("verify").click()
        expect(sue.at("verdict")).not_to_have_class(re.compile("ok"))
        expect(sue.at("verdict")).to_contain_text(str(placed))


@contextmanager
def changed(casino: Casino, table: str, version: int, old: bytes, new: bytes) -> Iterator[None]:
    """Past all doors: somebody with the store's file writes another thing into a line of it."""
    store = sqlite3.connect(casino.house.folder / "record.db", isolation_level=None)
    (log, line, first), *others = store.execute(
        "select log, line, version from entries where ? between version and last and instr(log, ?) > 0",
        (version, table),
    ).fetchall()
    assert (others, old in line) == ([], True)
    write = "update entries set line = ? where log = ? and version = ?"
    try:
        store.execute(write, (line.replace(old, new), log, first))
        yield
    finally:
        store.execute(write, (line, log, first))
        store.close()


def left_over(page: Page) -> dict[str, int]:
    """By rank, the cards that may still come."""
    cards = page.locator("main .cards dl div")
    return {each.locator("dt").inner_text(): int(each.locator("dd").inner_text()) for each in cards.all()}


def test_the_odds_of_a_live_shoe_follow_its_cards(crowd: Crowd) -> None:
    """For surveillance; a player is not even asked."""
    casino = crowd.casino
    table = bet_on(crowd)
    page = crowd.visit("sue", "/odds")
    page.get_by_test_id("odds-banker").wait_for()
    page.get_by_test_id("odds-source").select_option(table)
    page.locator("main .cards dl div").first.wait_for()
    out = Counter(card.rank for card in (*parse_cards("8h 2c Kd 5s"), *parse_cards(ROUND)))
    names = ("A", *map(str, range(2, 11)), "J", "Q", "K")
    whole = {name: 32 - out[rank] for name, rank in zip(names, Rank, strict=True)}
    assert left_over(page) == whole
    full = page.get_by_test_id("odds-banker").locator(".edge").get_attribute("title")
    casino.give("dan", table, c.Call(), c.Close(), c.Draw(Card("2s"), Side.PLAYER, True))
    expect(page.locator("main .cards dl div").nth(1).locator("dd")).to_have_text(str(whole["2"] - 1))
    expect(page.get_by_test_id("odds-banker").locator(".edge")).not_to_have_attribute("title", str(full))
    player = crowd.visit(f"ann-{crowd.number}", "/odds")
    player.get_by_test_id("odds-banker").wait_for()
    expect(player.get_by_test_id("odds-source")).to_have_count(0)


def test_a_late_bet_is_among_the_flags(crowd: Crowd) -> None:
    casino, ann = crowd.casino, f"ann-{crowd.number}"
    table = casino.open_table("super-six")
    page = crowd.visit("sue", f"/surveillance/t/{table}/flags")
    flags = page.get_by_test_id("flags-late")
    expect(flags.locator("h2")).to_have_text(re.compile(r"\s0$"))
    casino.give(ann, table, c.Join(ann, 1), c.BuyIn(ann, 1_000_00, "account"))
    casino.give("dan", table, c.Call(), c.Close())
    with pytest.raises(ClientError, match="no more bets"):
        casino.give(ann, table, c.Place(ann, 1, {"banker": 100_00}))
    casino.give("dan", table, c.Draw(Card("9h"), Side.PLAYER, True))
    expect(flags.locator("h2")).to_have_text(re.compile(r"\s1$"))
    expect(flags).to_contain_text(f"round 1, box 1, {ann}: Banker 100.00 SGD")
