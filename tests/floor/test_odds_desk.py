"""The desk for odds answers with what ``puntobanco.odds`` and the reports find, exactly, and only those who may ask."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.entries import as_entries
from tests.floor.serving import Bettor, House, Nursery, Server, new_house, sit_down, stop_all, table_settings
from tests.patience import no_hang

from puntobanco.cards import CARDS, Card, Composition
from puntobanco.client import ClientError
from puntobanco.floor.odds_desk import _live
from puntobanco.floor.office import FloorError
from puntobanco.floor.wire import GameOdds, GameSeen, TableFigures, TableOdds
from puntobanco.odds import insurance_odds, odds
from puntobanco.reports import report_on
from puntobanco.rules.load import GAMES, find_book
from puntobanco.script.language import parse_script
from puntobanco.script.log import parse_log
from puntobanco.script.play import play
from puntobanco.table import events as e
from puntobanco.table.entry import records_of
from puntobanco.table.events import Record
from puntobanco.table.state import Drawn

TABLE, GAME = "T1", "tiger-buffalo"


@pytest.fixture(scope="module")
def served(nursery: Nursery) -> Iterator[tuple[House, Server]]:
    insurance_odds(
        find_book(GAME), Composition.of_decks(8)
    )  # the kernels are compiled once a machine, which takes long
    with new_house("sqlite") as house:
        house.add_players(["ann"])
        server = Server(nursery, house).start()
        try:
            yield house, server
        finally:
            server.kill()
        assert "Traceback" not in server.log()


def ask(served: tuple[House, Server], name: str, path: str, type_: type) -> object:
    house, server = served

    async def asked() -> object:
        async with house.client(name, server) as client:
            return await client.request("GET", path, type_)

    return asyncio.run(asked())


def odds_at(served: tuple[House, Server], path: str, name: str = "ann") -> GameOdds:
    found = ask(served, name, path, GameOdds)
    assert isinstance(found, GameOdds)
    return found


def check(found: GameOdds, shoe: Composition) -> None:
    """Everything exact is what the odds say, and each bet's lines lead to its edge by themselves."""
    book = find_book(found.game)
    layout = book.layout(found.layout or None)
    expected = odds(book, shoe, layout)
    assert found.cards == shoe.ranks
    assert [bet.code for bet in found.bets] == list(expected)
    for bet in found.bets:
        lines = [(line, Fraction(line.chance.exact)) for line in bet.lines]
        assert sum(chance for _, chance in lines) == 1, bet.code
        gains = [(line.pays.fraction if line.pays else -int(line.result == "lost"), chance) for line, chance in lines]
        mean = sum(gain * chance for gain, chance in gains)
        assert Fraction(bet.edge.exact) == -mean == -expected[bet.code].ev
        square = sum(gain**2 * chance for gain, chance in gains)
        assert math.isclose(bet.sd, math.sqrt(square - mean**2), rel_tol=1e-12)
        assert bet.edge.decimal == float(-mean)
        assert bet.paragraph == book.bets[bet.code].paragraph
    rows = insurance_odds(book, shoe) if layout is None or layout.insurance else ()
    assert len(found.insurance) == len(rows)
    for seen, row in zip(found.insurance, rows, strict=True):
        assert (seen.window, seen.hand, seen.own, seen.other) == (row.window, row.hand, row.own, row.other)
        if row.ev is None:
            assert seen.edge is None
            continue
        assert seen.edge is not None
        assert Fraction(seen.edge.exact) == -row.ev
        assert sum(Fraction(part.exact) for part in (seen.won, seen.returned, seen.lost)) == 1
        assert Fraction(seen.lost.exact) - seen.pays.fraction * Fraction(seen.won.exact) == -row.ev


def test_all_games_are_named_with_what_their_books_allow(served: tuple[House, Server]) -> None:
    found = ask(served, "ann", "/api/games", list[GameSeen])
    assert isinstance(found, list)
    assert [each.game for each in found] == list(GAMES)
    for each in found:
        book = find_book(each.game)
        assert (each.least_decks, each.most_decks) == (book.decks.least, book.decks.most)
        assert {layout.code: layout.positions for layout in each.layouts} == {
            layout.code: layout.positions for layout in book.layouts.values()
        }


@pytest.mark.parametrize("game", GAMES)
def test_odds_of_every_layout_are_exact(served: tuple[House, Server], game: str) -> None:
    book = find_book(game)
    check(odds_at(served, f"/api/odds/{game}"), Composition.of_decks(book.decks.default, suited=book.suited))
    for layout in book.layouts:
        for decks in {book.decks.least, book.decks.most}:
            found = odds_at(served, f"/api/odds/{game}?layout={layout.lower()}&decks={decks}")
            assert (found.layout, found.decks) == (layout, decks)
            check(found, Composition.of_decks(decks, suited=book.suited))


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/api/odds/no-such-game", "not_found"),
        (f"/api/odds/{GAME}?layout=ZZ", "not_found"),
        (f"/api/odds/{GAME}?decks=0", "bad_request"),
        (f"/api/odds/{GAME}?decks=11", "bad_request"),
        (f"/api/odds/{GAME}?decks=eight", "bad_request"),
        ("/api/tables/nowhere/odds", "not_found"),
    ],
)
def test_what_there_is_not_is_said(served: tuple[House, Server], path: str, code: str) -> None:
    with pytest.raises(ClientError) as refused:
        ask(served, "sue", path, GameOdds)
    assert refused.value.code == code


def test_a_shoe_in_play_is_judged_by_the_cards_that_were_seen(nursery: Nursery) -> None:
    """And a day by its bets; both against the log, folded here."""
    with new_house("sqlite") as house:
        house.add_players(["ann"])
        server = Server(nursery, house).start()
        try:
            found, figures, records = asyncio.run(played(house, server))
        finally:
            server.kill()
        assert "Traceback" not in server.log()
    seen = list(cards_seen(records[: found.version]))
    assert len(seen) > 8
    book, full = find_book(GAME), Composition.of_decks(8)
    check(found.odds, full.without(seen))
    assert found.left + len(seen) + found.unseen == full.size
    assert [step.round for step in found.course] == list(range(len(found.course)))
    assert found.course[0].edges == {code: bet.edge for code, bet in odds(book, full, book.layout("A")).items()}
    report = report_on(as_entries(record.event for record in records)).figures()
    assert (figures.rounds, figures.handle, figures.win) == (report.rounds, report.handle, report.win)
    assert figures.theoretical == round(report.theoretical)
    assert figures.pace > 0


async def played(house: House, server: Server) -> tuple[TableOdds, TableFigures, tuple[Record, ...]]:
    """A few rounds at an electronic table; what the desk says in their midst, and the log."""
    settings = table_settings(TABLE, GAME, layout="A", positions=6)
    await house.open_tables(server, settings)
    async with (
        house.client("ann", server) as ann,
        house.client("sue", server) as sue,
        house.client("dan", server) as dan,
    ):
        bettor = Bettor(ann, "ann", TABLE, await sit_down(ann, TABLE, "ann", 1, 3))
        task = asyncio.create_task(bettor.play())
        async with no_hang():
            while (await sue.view(TABLE)).public.shoe.rounds < 3:
                await asyncio.sleep(0.1)
        found = await sue.request("GET", f"/api/tables/{TABLE}/odds", TableOdds)
        await stop_all([task])
        (figures,) = await sue.request("GET", "/api/figures", list[TableFigures])
        records = records_of(parse_log(await sue.log(TABLE)))
        for client in (ann, dan):
            for path in (f"/api/tables/{TABLE}/odds", "/api/figures"):
                with pytest.raises(ClientError) as refused:
                    await client.request("GET", path, TableOdds)
                assert refused.value.code == "role"
    rounds = sum(isinstance(record.event, e.RoundSettled) for record in records)
    while figures.rounds != rounds:  # one was settled between the two answers
        records = records[:-1]
        rounds = sum(isinstance(record.event, e.RoundSettled) for record in records)
    return found, figures, records


def cards_seen(records: Sequence[Record]) -> Iterator[Card]:
    """The cards that lay open in the last shoe, from events alone; an electronic table makes no mistakes."""
    begins = max(number for number, record in enumerate(records) if isinstance(record.event, e.ShoeStarted))
    for record in records[begins:]:
        match record.event:
            case e.CardTurned(card=Card() as card):
                yield card
            case e.CardsDealt(cards=cards):
                yield from cards


def test_a_shoe_that_is_too_short_is_told_as_such() -> None:
    file = Path(__file__).parents[2] / "examples" / "histories" / "every-bet.txt"
    table = play(parse_script(file.read_text(encoding="utf-8"))).table
    assert table is not None
    assert table.past
    decks = table.settings.decks
    cards = tuple(Drawn(card, turned=True) for card in CARDS * decks)
    spent = replace(table, past=(replace(table.past[0], cards=cards[:-3]),), round=None, carried=())
    with pytest.raises(FloorError, match="the shoe is too short: with 3 cards a round may not be finished"):
        _live(spent)
    impossible = replace(spent, past=(replace(table.past[0], cards=(*cards, cards[0])),))
    with pytest.raises(FloorError, match=f"the cards seen do not come from {decks} decks"):
        _live(impossible)
