"""The interface for odds: the games there are, exact odds of each, those of a shoe in play, and a day against them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction

from litestar import get
from litestar.params import FromPath, FromQuery

from puntobanco.cards import MAX_DECKS, Card, CardError, Composition
from puntobanco.floor.access import AnyRequest, floor_of, only, sender, signed_in
from puntobanco.floor.archive import Archive
from puntobanco.floor.office import FloorError
from puntobanco.floor.wire import (
    BetChances,
    DayCourse,
    GameOdds,
    GameSeen,
    HourPlayed,
    IncidentCost,
    InsuranceChances,
    LayoutSeen,
    LineChance,
    Share,
    ShoeStep,
    TableFigures,
    TableOdds,
)
from puntobanco.odds import BetOdds, InsuranceOdds, ShoeTooShort, Weights, insurance_odds, odds, weights
from puntobanco.reports import ReportError
from puntobanco.reports.course import Course, course_of
from puntobanco.reports.figures import Figures
from puntobanco.reports.periods import date_of
from puntobanco.rules.model import Bet, Layout, RuleBook, UnknownName
from puntobanco.table.state import Drawn, Table

HOUR = 3_600_000
HOURS = 12


@get("/api/games", **signed_in())
async def games(request: AnyRequest) -> list[GameSeen]:
    """The games there are, with their layouts and how many decks their books allow."""
    books = floor_of(request.app.state).books
    return [_game(books(game)) for game in books.games]


@get("/api/odds/{game:str}", **signed_in())
async def game_odds(
    request: AnyRequest, game: FromPath[str], layout: FromQuery[str] = "", decks: FromQuery[int | None] = None
) -> GameOdds:
    """Exact odds of every bet of a layout, or of the whole book, and of insurance, for a full shoe."""
    floor = floor_of(request.app.state)
    try:
        book = floor.books(game)
        cloth = book.layout(layout or None)
    except UnknownName as error:
        raise FloorError("not_found", str(error)) from None
    wanted = book.decks.default if decks is None else decks
    if not 1 <= wanted <= MAX_DECKS:
        raise FloorError("bad_request", f"a shoe is made of 1 to {MAX_DECKS} decks, not {wanted}")
    return await floor.host.look_back(sender(request), _full_shoe, book, cloth, wanted)


@get("/api/tables/{table:str}/odds", **only("pit", "surveillance"))
async def table_odds(request: AnyRequest, table: FromPath[str]) -> TableOdds:
    """Exact odds of a table's next round, by the cards of its shoe that were seen.

    Where a shuffler deals, those of the full decks, less what is out of it.
    """
    host = floor_of(request.app.state).host
    now = host.find(table).table
    assert now is not None
    return await host.look_back(sender(request), _live, now)


@get("/api/figures", **only("pit", "surveillance", "admin"))
async def figures(request: AnyRequest) -> list[TableFigures]:
    """How every open table does in the gaming day that goes on, against what was to be expected."""
    floor = floor_of(request.app.state)
    names = [mailbox.name for mailbox in floor.host.tables() if mailbox.table is not None and mailbox.table.open]
    now = floor.host.clock()

    def work() -> list[TableFigures]:
        return [_figures(floor.archives.of(name), now) for name in names]

    return await floor.host.look_back(sender(request), work)


@get("/api/tables/{table:str}/course", **only("pit", "surveillance", "admin"))
async def day_course(request: AnyRequest, table: FromPath[str]) -> DayCourse:
    """How a table's gaming day has gone so far: by round, bet and player, beside what was to be expected."""
    floor = floor_of(request.app.state)
    name = floor.host.find(table).name
    return await floor.host.look_back(sender(request), _course, floor.archives.of(name), floor.host.clock())


# --- games


def _game(book: RuleBook) -> GameSeen:
    layouts = tuple(LayoutSeen(each.code, each.name, each.positions, each.insurance) for each in book.layouts.values())
    decks = book.decks
    return GameSeen(book.id, book.title, book.casino, layouts, decks.least, decks.most, decks.default, book.currency)


_full_shoes: dict[tuple[str, str, int], GameOdds] = {}
"""By the book's hash, the layout and the decks: a floor has a few hundred of them at most."""


def _full_shoe(book: RuleBook, layout: Layout | None, decks: int) -> GameOdds:
    asked = book.hash, layout.code if layout else "", decks
    if asked not in _full_shoes:
        _full_shoes[asked] = odds_of(book, layout, decks, Composition.of_decks(decks, suited=book.suited))
    return _full_shoes[asked]


def odds_of(book: RuleBook, layout: Layout | None, decks: int, shoe: Composition) -> GameOdds:
    """Every bet of a layout, or of the book, and every row of insurance against a shoe."""
    found, deals = odds(book, shoe, layout), weights(shoe, book.space)
    bets = tuple(_bet(bet, found[bet.code], deals) for bet in book.menu(layout))
    insured = layout is None or layout.insurance
    rows = tuple(map(_row, insurance_odds(book, shoe))) if insured else ()
    return GameOdds(book.id, book.title, layout.code if layout else "", decks, shoe.ranks, bets, rows)


def _bet(bet: Bet, found: BetOdds, deals: Weights) -> BetChances:
    return BetChances(bet.code, bet.name, bet.paragraph, _share(-found.ev), found.sd, tuple(_lines(bet, found, deals)))


def _lines(bet: Bet, found: BetOdds, deals: Weights) -> Iterator[LineChance]:
    """The lines that pay, those that return the stake, and what is left."""
    for pays in bet.pays:
        chance = _share(Fraction(deals.of(deals.space.where(pays.when)), deals.total))
        yield LineChance("won", pays.name, pays.odds, pays.paragraph, chance)
    for back in bet.returns:
        chance = _share(Fraction(deals.of(deals.space.where(back.when)), deals.total))
        yield LineChance("returned", "", None, back.paragraph, chance)
    yield LineChance("lost", "", None, bet.loses or bet.paragraph, _share(Fraction(found.lose, found.total)))


def _row(row: InsuranceOdds) -> InsuranceChances:
    ev = row.ev
    won, returned, lost = (_share(Fraction(part, row.total or 1)) for part in (row.win, row.push, row.lose))
    edge = None if ev is None else _share(-ev)
    return InsuranceChances(
        row.window, row.hand, row.own, row.other, row.odds, row.paragraph, edge, won, returned, lost
    )


def _share(value: Fraction) -> Share:
    return Share(str(value), float(value))


# --- a shoe in play


def _live(table: Table) -> TableOdds:
    shoe, book, decks = table.shoe, table.book, table.settings.decks
    if shoe.ended:
        raise FloorError("not_found", f"table {table.settings.table} has no shoe in use")
    full = left = Composition.of_decks(decks, suited=book.suited)
    course = [_step(book, table.layout, 0, full)]
    seen = 0
    try:
        for past in table.past:
            if past.back:
                continue  # its cards are in the shuffler, which deals from full decks again
            cards = tuple(_open(past.cards))
            left, seen = left.without(cards), seen + len(cards)
            course.append(_step(book, table.layout, past.number, left))
        current = table.round.cards if table.round is not None else ()
        cards = tuple(_open((*current, *table.carried)))
        left, seen = left.without(cards), seen + len(cards)
        found = odds_of(book, table.layout, decks, left)
    except ShoeTooShort as error:  # before the other, of which it is one
        raise FloorError("not_found", str(error)) from None
    except CardError as error:
        raise FloorError("not_found", f"the cards seen do not come from {decks} decks: {error}") from None
    # what is known to be out, but was never seen, may be any of the cards that are left to choose from
    unseen = max(0, left.size - shoe.left)
    return TableOdds(table.settings.table, table.version, shoe.number, shoe.left, unseen, found, tuple(course))


def _open(cards: Iterable[Drawn]) -> Iterator[Card]:
    return (drawn.card for drawn in cards if drawn.turned and drawn.card is not None)


def _step(book: RuleBook, layout: Layout, number: int, shoe: Composition) -> ShoeStep:
    return ShoeStep(number, {code: bet.edge for code, bet in odds(book, shoe, layout).items()})


# --- a day against its expectation


def _figures(archive: Archive, now: int) -> TableFigures:
    report = archive.report(now)
    day, _ = report.settings.shifts.at(now)
    began = [entry.at for entry in archive.rounds() if entry.at > now - HOUR]
    hours = max(now - min(began, default=now), HOUR // 12)
    pace = len(began) * HOUR // hours if began else 0
    try:
        today = report.select(date_of(day))
    except ReportError:
        nothing = Figures()
        return _as_figures(report.table, nothing, pace, (0, 0), judged=False)
    table = next((group.result for group in today.statistics.groups if group.kind == "table"), None)
    band = table.band if table else (0, 0)
    return _as_figures(report.table, today.figures(), pace, band, judged=bool(table and table.judged))


def _as_figures(table: str, figures: Figures, pace: int, band: tuple[int, int], *, judged: bool) -> TableFigures:
    return TableFigures(
        table,
        figures.rounds,
        figures.voids,
        pace,
        figures.handle,
        figures.drop,
        figures.win,
        round(figures.theoretical),
        *band,
        judged,
        figures.late_chips,
        sum(figures.corrections.values()),
        sum(figures.incidents.values()),
    )


def _course(archive: Archive, now: int) -> DayCourse:
    report = archive.report(now)
    settings = report.settings
    try:
        course = course_of(report.select(date_of(settings.shifts.at(now)[0])))
    except ReportError:
        course = Course((), (), ())
    called = Counter(entry.at // HOUR * HOUR for entry in archive.rounds() if entry.at > now - HOURS * HOUR)
    costs: dict[str, list[int]] = defaultdict(list)
    for each in archive.lasted(now - 24 * HOUR, now):
        costs[each.family].append(each.milliseconds)
    incidents = (IncidentCost(family, len(lasted), sum(lasted)) for family, lasted in costs.items())
    return DayCourse(
        report.table,
        settings.currency,
        settings.digits,
        course.points,
        course.bets,
        course.people,
        tuple(HourPlayed(at, rounds) for at, rounds in sorted(called.items())),
        tuple(sorted(incidents, key=lambda cost: (-cost.milliseconds, cost.family))),
    )


HANDLERS = (games, game_odds, table_odds, figures, day_course)
