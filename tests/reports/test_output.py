"""Reports as text, CSV and page: golden files from the example log, what is escaped, and the command line."""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.reports.build import evening

from puntobanco.cli import main
from puntobanco.reports import COLUMNS, Parts, TableReport, csv_of, overview_of, page_of, report_on, sheets_of
from puntobanco.reports.drawing import bar_of
from puntobanco.reports.files import _written
from puntobanco.reports.sheets import text_of
from puntobanco.reports.statistics import Comparison
from puntobanco.script.log import format_log, parse_log
from puntobanco.table import events as e
from puntobanco.table.entry import Entry

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "logs" / "table-day.jsonl"
GOLDEN = Path(__file__).parent / "golden"
ALL = Parts(people=True, statistics=True)


def example() -> TableReport:
    return report_on(parse_log(EXAMPLE.read_bytes()))


def outputs() -> dict[str, str]:
    """Every golden file, as it would be written now."""
    report = example()
    return {
        "table-day.txt": report.as_text(people=True, statistics=True),
        "table-day.html": page_of([report], ALL),
        **{f"{kind}.csv": csv_of(kind, [report]) for kind in COLUMNS},
    }


def write() -> None:
    """``python -m tests.reports.test_output``: accept what is written now, after a look at the difference."""
    for name, text in outputs().items():
        (GOLDEN / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", sorted(file.name for file in GOLDEN.iterdir()))
def test_the_example_is_reported_as_before(name: str) -> None:
    assert outputs()[name] == (GOLDEN / name).read_text(encoding="utf-8")


def test_no_golden_file_is_missing() -> None:
    assert {file.name for file in GOLDEN.iterdir()} == set(outputs())


# --- text


def test_text_has_no_line_end_spaces_and_even_columns() -> None:
    for sheet in sheets_of(example(), ALL):
        lines = text_of([sheet]).splitlines()
        assert all(line == line.rstrip() for line in lines)


def test_several_tables_are_summed_where_they_have_one_currency() -> None:
    report = example()
    assert overview_of([report, report]).rows[-1].cells == (
        *("all tables", "USD", "2", "350.00", "1,600.00", "150.00", "9.38%", "3.88"),
    )
    other = report_on(evening(1, 1))
    assert len(overview_of([report, other]).rows) == 2


# --- CSV


def test_csv_says_exactly_what_the_report_does() -> None:
    report = report_on(evening(4, 40, pace=2000))
    rows = list(csv.DictReader(io.StringIO(csv_of("shifts", [report]))))
    figures = report.figures()
    assert sum(int(row["handle"]) for row in rows) == figures.handle
    assert sum(int(row["win"]) for row in rows) == figures.win
    assert [(row["day"], row["shift"]) for row in rows] == [(str(it.date), it.shift) for it in report.periods]
    people = {row["person"]: row for row in csv.DictReader(io.StringIO(csv_of("people", [report])))}
    assert {name: int(row["handle"]) for name, row in people.items()} == {
        name: it.handle for name, it in report.people().items()
    }
    compared = list(csv.DictReader(io.StringIO(csv_of("statistics", [report]))))
    assert len(compared) == sum(len(group.comparisons) for group in report.statistics.groups)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@3", "\tx", "\rx"])
def test_a_spreadsheet_takes_no_name_for_a_formula(text: str) -> None:
    assert _written(text) == f"'{text}"
    assert _written(-1) == "-1"


def test_the_columns_are_those_of_the_docs() -> None:
    text = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    for kind, columns in COLUMNS.items():
        (told,) = re.findall(rf"^\| `{kind}\.csv` \| (.+) \|$", text, re.MULTILINE)
        assert tuple(re.findall(r"`(\w+)`", told)) == columns[6:]
    (told,) = re.findall(r"^Every file begins with (.+)[.;]", text, re.MULTILINE)
    assert tuple(re.findall(r"`(\w+)`", told)) == COLUMNS["shifts"][:6]


# --- the page

NASTY = '<script>alert("x")</script>&\'"'


def renamed(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The same table with a name that means harm, for itself and for a player."""
    (opened,) = entries[0].events
    assert isinstance(opened, e.TableOpened)
    first = replace(entries[0], events=(replace(opened, settings=replace(opened.settings, table=NASTY)),))
    rest = format_log(entries).splitlines(keepends=True)[1:]
    escaped = NASTY.replace('"', '\\"').encode()
    return parse_log(format_log([first]) + b"".join(rest).replace(b'ann"', escaped + b'"'))


class Page(HTMLParser):
    """Tags that are open, and those that were met."""

    VOID = frozenset({"meta", "link", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.met: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def parsed(page: str) -> Page:
    found = Page()
    found.feed(page)
    found.close()
    assert found.open == []
    return found


def test_everything_on_the_page_is_escaped() -> None:
    report = report_on(renamed(evening(2, 12)))
    assert NASTY in report.people()
    page = page_of([report, report], ALL)
    found = parsed(page)
    assert "script" not in found.met
    assert f"Table {NASTY}" in found.text
    assert NASTY in found.text


def test_the_page_needs_nothing_from_elsewhere() -> None:
    page = page_of([example()], ALL, printed=1_772_344_800_000)
    assert not re.findall(r"(?:https?:)?//\w|@import|url\(|<link|<img|<script", page)
    assert "Printed 2026-03-01 06:00 UTC" in page
    assert {"table", "svg", "style", "h1"} <= parsed(page).met


def test_a_drawing_shows_the_band_and_points_beyond_its_ends() -> None:
    near = Comparison("pay_line", "x", "", 100, 12, Fraction(10), 3.0, (3, 18), 0.5)
    far = replace(near, observed=40)
    assert 'class="band"' in bar_of(near)
    assert "<circle" in bar_of(near)
    assert '<path d="M' in bar_of(far)
    assert "+10.00 standard deviations" in bar_of(far)
    assert bar_of(replace(near, sd=0.0)) == ""


# --- the command line


def run(*arguments: str) -> None:
    main(["report", *arguments])


def test_the_command_prints_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    run(str(EXAMPLE), "--people", "--statistics")
    shown = capsys.readouterr().out
    for words in ("Table dt-7", "Gaming day 2026-03-01", "theoretical win", "Play against expectation", "Pit Manager"):
        assert words in shown
    run(str(EXAMPLE))
    assert "Play against" not in capsys.readouterr().out


def test_the_command_reports_a_shift(capsys: pytest.CaptureFixture[str]) -> None:
    run(str(EXAMPLE), "--day", "2026-03-01", "--shift", "night")
    shown = capsys.readouterr().out
    assert "2026-03-01 night" in shown
    assert "swing" not in shown


def test_the_command_writes_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, folder = tmp_path / "page.html", tmp_path / "new" / "csv"
    run(str(EXAMPLE), "--html", str(page), "--csv", str(folder), "--people", "--statistics")
    assert capsys.readouterr().out.splitlines() == [*(str(folder / f"{kind}.csv") for kind in COLUMNS), str(page)]
    for kind in COLUMNS:
        assert (folder / f"{kind}.csv").read_bytes() == (GOLDEN / f"{kind}.csv").read_bytes()
    without_time = re.sub(r"Printed [^.]*\. ", "", page.read_text(encoding="utf-8"))
    assert without_time == (GOLDEN / "table-day.html").read_text(encoding="utf-8")


def test_a_table_without_that_day_is_passed_over_among_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(format_log(evening(1, 3, pace=30_000)))
    run(str(EXAMPLE), str(other), "--day", "2026-03-02")
    shown = capsys.readouterr()
    assert "dt-7 has nothing on record for 2026-03-02" in shown.err
    assert "Table T1" in shown.out


BAD = [
    ((), "report needs LOG"),
    (("no such file",), "no such file cannot be read"),
    ((str(ROOT / "pyproject.toml"),), "pyproject.toml:1: this is not an entry"),
    ((str(EXAMPLE), "--day", "1 March"), "--day: '1 March' is not a day: write it as in 2026-03-01"),
    ((str(EXAMPLE), "--day", "2026-02-30"), "is not a day"),
    ((str(EXAMPLE), "--day", "2026-03-05"), "nothing on record for 2026-03-05; there is 2026-03-01 swing"),
    ((str(EXAMPLE), "--shift", "late"), "no shift 'late'; there are day, swing, night"),
    ((str(EXAMPLE), "--html", "/"), "--html: / cannot be written"),
    ((str(EXAMPLE), "--csv", str(EXAMPLE)), "cannot be written"),
    ((str(EXAMPLE), "--bogus"), "--bogus"),
    (("-", "-"), "give - one time"),
    ((str(EXAMPLE), "--book", "none.toml"), "none.toml"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=lambda case: str(case)[-30:])
def test_bad_input_is_one_clear_message(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        run(*arguments)
    shown = capsys.readouterr()
    assert stop.value.code == 2
    assert message in shown.err
    assert shown.out == ""


def test_no_output_replaces_an_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, link, shifts = tmp_path / "log.jsonl", tmp_path / "link", tmp_path / "shifts.csv"
    for file in (log, shifts):
        file.write_bytes(EXAMPLE.read_bytes())
    link.symlink_to(log)
    for arguments in (
        (str(log), "--html", str(log)),
        (str(log), "--html", str(link)),
        (str(link), "--html", str(log)),
        (str(shifts), "--csv", str(tmp_path)),
    ):
        with pytest.raises(SystemExit) as stop:
            run(*arguments)
        shown = capsys.readouterr()
        assert (stop.value.code, shown.out) == (2, "")
        assert "is an input as well, and would be lost" in shown.err
    assert log.read_bytes() == shifts.read_bytes() == EXAMPLE.read_bytes()


def test_one_table_is_not_counted_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    earlier = tmp_path / "earlier.jsonl"
    earlier.write_bytes(b"".join(EXAMPLE.read_bytes().splitlines(keepends=True)[:9]))
    for one, other in ((EXAMPLE, EXAMPLE), (earlier, EXAMPLE)):
        with pytest.raises(SystemExit) as stop:
            run(str(one), str(other))
        shown = capsys.readouterr()
        assert (stop.value.code, shown.out) == (2, "")
        assert f"{one} and {other} are logs of the same table" in shown.err


def test_a_log_that_cannot_be_is_named_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = EXAMPLE.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[1:]))
    with pytest.raises(SystemExit):
        run(str(cut))
    assert "cut.jsonl:1: version 2 where 1 belongs" in capsys.readouterr().err


if __name__ == "__main__":
    write()
