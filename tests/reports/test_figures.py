"""Reports against postings: what an independent reading of the log comes to, and that all parts add up to the whole."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.entries import as_entries
from tests.reports import oracle
from tests.reports.build import DEALERS, MORNING, PLAYERS, Evening, evening
from tests.script.test_walks import LoggedWalk

from puntobanco.odds import insurance_after, odds
from puntobanco.reports import Gatherer, ReportError, TableReport, report_on, report_so_far
from puntobanco.reports.chances import Chances, cards_seen
from puntobanco.reports.figures import Figures
from puntobanco.reports.periods import date_of, divided, ends_at, period_at
from puntobanco.rules.load import GAMES, find_book
from puntobanco.script.log import LATEST, LogError, format_log, parse_log
from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.engine import fold
from puntobanco.table.entry import Entry, records_of
from puntobanco.table.settings import Shifts

EXAMPLE = Path(__file__).parents[2] / "examples" / "logs" / "table-day.jsonl"
WALKS = (*range(16), 23, 31, 78, 101)


@cache
def log_of(name: str) -> tuple[Entry, ...]:
    """A log by its name: the example, an evening at one of the games, or a random walk."""
    kind, _, which = name.partition(" ")
    if kind == "example":
        return parse_log(EXAMPLE.read_bytes())
    if kind == "evening":
        layout = next(iter(find_book(which).layouts.values()))
        table = Evening(len(which), pace=900, game=which, layout=layout.code, positions=max(layout.positions))
        table.play(100)
        table.finish()
        return tuple(table.entries)
    walk = LoggedWalk(Random(f"report {which}"))
    for _ in range(150):
        walk.step()
    return spread(walk.entries)


def spread(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The same with an hour for every few seconds, so that it goes over several shifts."""
    first = entries[0].command.at

    def later(command: Command) -> Command:
        return replace(command, at=MORNING + (command.at - first) * 600)

    return tuple(replace(entry, command=later(entry.command)) for entry in entries)


@cache
def report_of(name: str) -> TableReport:
    return report_on(log_of(name))


LOGS = ["example", *(f"evening {game}" for game in GAMES), *(f"walk {seed}" for seed in WALKS)]
each_log = pytest.mark.parametrize("name", LOGS)


@each_log
def test_money_is_what_the_postings_come_to_in_every_shift(name: str) -> None:
    report, ledgers = report_of(name), oracle.read(format_log(log_of(name)))
    for (day, shift), ledger in ledgers.items():
        figures = report.select(date_of(day), shift).figures()
        found = (figures.handle, figures.win, figures.drop, figures.paid_back, figures.tips, figures.commission)
        posted = (ledger.handle, ledger.win, ledger.drop, ledger.paid_back, ledger.tips, ledger.commission)
        assert found == posted
        assert (figures.fills, figures.credits, figures.ruled) == (ledger.fills, ledger.credits, ledger.ruled)
        assert figures.owed - figures.collected - figures.written_off == ledger.owed


@each_log
def test_people_have_what_the_postings_give_them(name: str) -> None:
    report, ledgers = report_of(name), oracle.read(format_log(log_of(name)))
    for (day, shift), ledger in ledgers.items():
        people = report.select(date_of(day), shift).people()
        for person, posted in ledger.people.items():
            found = people[person]
            assert (found.handle, -found.win, found.drop) == (posted["handle"], posted["won"], posted["drop"])


@each_log
def test_nothing_in_the_ledger_is_unexplained(name: str) -> None:
    report = report_of(name)
    assert all(report.figures((period,)).unexplained == 0 for period in report.periods)


@each_log
def test_shifts_add_up_to_days_and_days_to_the_whole(name: str) -> None:
    report = report_of(name)
    days = [report.select(date_of(day)) for day in report.days]
    for day in days:
        shifts = [day.select(shift=shift) for shift in {period.shift for period in day.periods}]
        assert added(shifts) == day.figures()
    assert added(days) == report.figures()


def added(reports: Sequence[TableReport]) -> Figures:
    total = Figures()
    for report in reports:
        total.add(report.figures())
    return total


@each_log
def test_people_bets_and_dealers_add_up_to_the_table(name: str) -> None:
    report = report_of(name)
    for period in report.periods:
        part = report.select(period.date, period.shift)
        figures, people, bets = part.figures(), part.people().values(), part.figures().bets.values()
        for parts in (people, bets):
            assert sum(it.handle for it in parts) == figures.handle
            assert sum(it.win for it in parts) == figures.win
            assert sum((it.theoretical for it in parts), Fraction(0)) == figures.theoretical
        assert sum(it.drop for it in people) == figures.drop
        assert sum(it.tips for it in people) == figures.tips
        assert sum(it.ruled for it in people) == figures.ruled
        assert sum(it.rounds for it in part.staff().values()) == figures.rounds


@each_log
def test_rounds_and_what_is_open_agree_with_the_table(name: str) -> None:
    report, entries = report_of(name), log_of(name)
    figures, table = report.figures(), fold(entries)
    events = [event for entry in entries for event in entry.events]
    settled = sum(isinstance(event, e.RoundSettled) for event in events)
    late = sum(isinstance(event, e.RoundSettledAgain) and event.void for event in events)
    voided = sum(isinstance(event, e.RoundVoided) for event in events)
    assert (figures.rounds, figures.voids) == (settled - late, voided + late)
    assert report.disputes_after(report.periods[-1]) == len(table.disputes)
    assert report.receivables_after(report.periods[-1]) == table.balances.get("receivables", 0)
    given_rulings = sum(isinstance(event, e.RulingGiven) for event in events)
    assert figures.rulings.total() + figures.corrections.total() == given_rulings
    assert sum(it.rulings for it in report.staff().values()) == given_rulings


def test_the_walks_meet_what_reports_are_about() -> None:
    seen = Figures()
    for seed in WALKS:
        seen.add(report_of(f"walk {seed}").figures())
    counts = (seen.voids, seen.settled_again, seen.owed, seen.disputes, seen.free_hands, seen.late_chips)
    assert all(counts), counts
    assert seen.corrections
    assert seen.ruled


def test_the_days_reckoning_is_the_result_of_the_house() -> None:
    """Without the missing chips, the count of a closed table comes to the win."""
    for name in ["example", *(f"evening {game}" for game in GAMES)]:
        closing = next(each.event for each in records_of(log_of(name)) if isinstance(each.event, e.TableClosed))
        figures = report_of(name).figures()
        assert figures.result == closing.result - closing.difference
        assert (figures.counted, figures.difference) == (closing.closing, closing.difference)


# --- theoretical win


@pytest.mark.parametrize("game", GAMES)
def test_theoretical_win_is_edge_times_stake(game: str) -> None:
    report = report_of(f"evening {game}")
    exact = odds(report.book, Chances(report.book, report.settings).shoe)
    for code, bet in report.figures().bets.items():
        if code in exact:
            assert bet.theoretical == -exact[code].ev * bet.handle


def test_insurance_is_judged_by_the_cards_on_which_it_was_taken() -> None:
    records = records_of(log_of("evening tiger-buffalo"))
    report = report_of("evening tiger-buffalo")
    shoe = Chances(report.book, report.settings).shoe
    expected, taken = Fraction(0), list[e.Insured]()
    for record in records:
        event = record.event
        if isinstance(event, e.Insured):
            taken.append(event)
        elif isinstance(event, e.RoundSettled) and taken:
            coup = fold(as_entries(it.event for it in records[: record.version])).round
            assert coup is not None
            for insured in taken:
                seen = cards_seen(coup.coup, insured.window)
                (row,) = (
                    row
                    for row in insurance_after(report.book, seen, shoe.without(seen.cards))
                    if row.hand is insured.hand
                )
                assert row.ev is not None
                expected -= row.ev * insured.amount
            taken.clear()
    bets = report.figures().bets
    assert bets["player_insurance"].theoretical + bets["banker_insurance"].theoretical == expected != 0


# --- people and time


def test_time_at_the_table_is_divided_among_the_shifts() -> None:
    report = report_of("evening tiger-buffalo")
    stay = log_of("evening tiger-buffalo")[-1].command.at - MORNING
    assert {name: it.milliseconds for name, it in report.people().items()} == dict.fromkeys(PLAYERS, stay)
    for period in report.periods[:-1]:
        spent = report.select(period.date, period.shift).staff()[DEALERS[0]].milliseconds
        assert spent == 8 * 60 * 60 * 1000
    assert report.staff()[DEALERS[0]].rank == "Dealer"


def test_who_is_still_there_stays_until_now() -> None:
    entries = evening(3, 2)
    later = entries[-1].command.at + 3_600_000
    people, staying = report_on(entries).people(), report_on(entries, until=later).people()
    assert staying["ann"].milliseconds == people["ann"].milliseconds + 3_600_000


def test_average_bet_is_handle_by_rounds() -> None:
    for figures in report_of("evening super-six").people().values():
        assert figures.rounds == 100
        assert figures.average_bet == Fraction(figures.handle, 100)


def test_rounds_belong_to_who_deals_the_first_card() -> None:
    rounds = {name: it.rounds for name, it in report_of("evening super-six").staff().items() if it.rounds}
    assert rounds == {"dora": 29 + 30, "dirk": 30 + 11}


names = st.lists(st.sampled_from(["day", "swing", "night", "late", "dawn"]), min_size=1, max_size=5, unique=True)
moments = st.integers(min_value=0, max_value=4_000_000_000_000)


@given(st.builds(Shifts, st.integers(0, 1439), names.map(tuple)), moments)
def test_a_period_is_the_one_that_the_table_names(shifts: Shifts, moment: int) -> None:
    period = period_at(shifts, moment)
    assert (period.day, period.shift) == shifts.at(moment)
    assert period_at(shifts, ends_at(shifts, period) - 1) == period < period_at(shifts, ends_at(shifts, period))


@given(st.builds(Shifts, st.integers(0, 1439), names.map(tuple)), moments, st.integers(0, 400_000_000))
def test_divided_time_adds_up(shifts: Shifts, start: int, length: int) -> None:
    parts = list(divided(shifts, start, start + length))
    assert sum(time for _, time in parts) == length
    assert [period for period, _ in parts] == sorted({period for period, _ in parts})


# --- a table that goes on


def test_a_report_so_far_is_that_of_the_record_so_far() -> None:
    entries = log_of("evening tiger-buffalo")
    gatherer, early = Gatherer(), None
    for number, entry in enumerate(entries, 1):
        gatherer.read(entry)
        if number == len(entries) // 2:
            early = report_so_far(gatherer)
    assert early is not None
    half = report_on(entries[: len(entries) // 2])
    for one, other in ((early, half), (report_so_far(gatherer), report_of("evening tiger-buffalo"))):
        assert one.as_text(people=True, statistics=True) == other.as_text(people=True, statistics=True)


# --- what is asked wrongly


def test_a_day_without_record_is_refused_by_name() -> None:
    with pytest.raises(ReportError, match=r"dt-7 has nothing on record for 1999-01-01; there is 2026-03-01"):
        report_of("example").select(date_of(10592))
    with pytest.raises(ReportError, match=r"no shift 'late'; there are day, swing, night"):
        report_of("example").select(shift="late")


def test_a_log_that_cannot_be_is_refused_at_its_line() -> None:
    entries = log_of("evening tiger-buffalo")
    at = first_settled(entries)
    before = entries[at].events
    place = next(place for place, event in enumerate(before) if isinstance(event, e.RoundSettled))
    settled = before[place]
    assert isinstance(settled, e.RoundSettled)
    for event in (
        replace(settled, number=settled.number + 7),
        replace(settled, lines=(replace(settled.lines[0], bet="nothing"),)),
        e.RoundSettledAgain(settled.number + 7, settled.coup, settled.lines, (), ""),
    ):
        wrong = (*entries[:at], replace(entries[at], events=(*before[:place], event)))
        with pytest.raises(LogError, match=f"event {entries[at].version + place}: "):
            report_on(wrong)


def first_settled(entries: Sequence[Entry]) -> int:
    """The place of the first entry with a settlement."""
    return next(
        place for place, entry in enumerate(entries) if any(isinstance(event, e.RoundSettled) for event in entry.events)
    )


def at_time(entry: Entry, at: int) -> Entry:
    return replace(entry, command=replace(entry.command, at=at))


def test_a_time_that_is_years_off_is_refused_at_its_event_and_at_once() -> None:
    """Somebody at the table would fill every shift of those years."""
    entries = log_of("evening tiger-buffalo")
    for place in (1, 12, len(entries) - 1):
        for at in (0, 4_000_000_000_000, LATEST):
            wrong = [*entries[:place], at_time(entries[place], at), *entries[place + 1 :]]
            with pytest.raises(LogError, match=rf"event {entries[place].version}: it is of .* more than a year"):
                report_on(wrong)


def test_a_pause_of_months_is_reported_with_everybodys_time() -> None:
    entries = log_of("evening tiger-buffalo")
    pause = 300 * 24 * 60 * 60 * 1000
    place = first_settled(entries)
    later = [*entries[:place], *(at_time(entry, entry.command.at + pause) for entry in entries[place:])]
    before, after = report_on(entries), report_on(later)
    there = {name for name, it in after.people().items() if it.milliseconds != before.people()[name].milliseconds}
    assert there
    for name in there:
        assert after.people()[name].milliseconds == before.people()[name].milliseconds + pause
    assert len(after.periods) > 890
    assert after.as_text()


def test_an_empty_log_is_refused() -> None:
    with pytest.raises(LogError, match="empty"):
        report_on(())
