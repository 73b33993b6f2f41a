"""Histories of tables on the command line: playing one, and telling a log as one."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from puntobanco import roads
from puntobanco.cli.common import (
    AsJson,
    BookFiles,
    UsageError,
    books_with,
    check_apart,
    check_named,
    check_used,
    read_file,
    write_file,
)
from puntobanco.cli.render import console, new_table, print_json, say, show, styled
from puntobanco.money import format_amount
from puntobanco.printable import printable
from puntobanco.script import lines as x
from puntobanco.script.expect import transfers_of
from puntobanco.script.history import retell
from puntobanco.script.language import ScriptError, format_item, format_script, parse_script
from puntobanco.script.log import format_log, parse_log
from puntobanco.script.play import Play, Step, play
from puntobanco.script.words import Voice
from puntobanco.table import events as e
from puntobanco.table.engine import FindBook
from puntobanco.table.events import Transfer
from puntobanco.table.refusals import Refusal
from puntobanco.table.state import Table
from puntobanco.words import Terms, worded


def run(
    files: Annotated[
        list[str],
        Parameter(
            metavar="FILE",
            negative=(),
            allow_leading_hyphen=True,
            help="Histories as text (puntobanco help history-format); - reads the input.",
        ),
    ],
    /,
    *,
    quiet: Annotated[
        bool, Parameter(negative=(), show_default=False, help="Print only what is not as expected.")
    ] = False,
    log: Annotated[str | None, Parameter(metavar="OUT.jsonl", help="Write the log there, as JSON Lines.")] = None,
    book: BookFiles = None,
    json: AsJson = False,
) -> None:
    """Play a table's history: what was done, what came of it, and whether that was expected.

    The exit code is 1 at the first line that is not as expected, 2 if lines cannot be read.
    """
    if log is not None and len(files) > 1:
        raise UsageError(f"--log takes the log of one history, not of {len(files)}")
    if log is not None:
        check_named(log, "--log: ")
        check_apart("--log", log, (*files, book))
    books = books_with(book)
    scripts = _read_scripts(files, books)
    plays = [(file, play(script, books)) for file, script in scripts]
    check_used(books)
    if log is not None:
        write_file(log, format_log(plays[0][1].entries), "--log")
    if json:
        documents = [_document(file, played) for file, played in plays]
        print_json(documents if len(documents) > 1 else documents[0])
    else:
        out = console()
        for number, (file, played) in enumerate(plays):
            if not quiet:
                _print_play(out, file, played, first=number == 0)
            _print_unmet(out, file, played)
        if len(plays) > 1 and not quiet:
            _print_summary(out, plays)
    if any(played.unmet for _, played in plays):
        raise SystemExit(1)


def history(
    log: Annotated[
        str, Parameter(metavar="LOG", allow_leading_hyphen=True, help="A log as JSON Lines; - reads the input.")
    ],
    /,
    *,
    expect: Annotated[
        bool,
        Parameter(negative=(), show_default=False, help="Add expect lines: results, and the balances at the end."),
    ] = False,
    book: BookFiles = None,
) -> None:
    """Print a log as a table's history, which run plays again.

    The exit code is 1 if the log holds what does not follow from the rules, 2 if it cannot be read.
    """
    books = books_with(book)
    told = retell(parse_log(read_file(log), log), books, expect=expect, source=log)
    check_used(books)
    text = format_script(told.script)
    print(printable(text) if sys.stdout.isatty() else text, end="")  # what another program reads it reads as it is
    if told.differences:
        sys.stdout.flush()
        for difference in told.differences:
            say(f"{log}: event {difference.version}: {difference.message}", error=True)
        raise SystemExit(1)


# --- files


def _read_scripts(files: Iterable[str], books: FindBook) -> list[tuple[str, x.Script]]:
    """All histories; whatever cannot be read in any of them is one complaint."""
    scripts, wrong = [], []
    for file in files:
        try:
            script = parse_script(_read_text(file), file, books)
        except ScriptError as error:
            wrong.append(str(error))
            continue
        if not any(line.item for line in script.lines):
            wrong.append(f"{file}: there is no history in it: one begins with its game, as in game tiger-buffalo")
        scripts.append((file, script))
    if wrong:
        raise UsageError("\n".join(wrong))
    return scripts


def _read_text(file: str) -> str:
    try:
        return read_file(file).decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: this is not UTF-8 text: {error.reason} at byte {error.start}") from error


# --- for scripts


def _refused(line: int, refusal: Refusal, terms: Terms) -> dict[str, Any]:
    said: dict[str, Any] = {"line": line, "message": worded(refusal, terms=terms)}
    return {**said, **_json(refusal)}


def _document(file: str, played: Play) -> dict[str, Any]:
    table, terms = played.table, Terms.of(played.table, played.script.digits)
    return {
        "file": file,
        "events": [_json(record) for record in played.records],
        "refusals": [_refused(number, refusal, terms) for number, refusal in played.refusals],
        "balances": table.balances if table else {},
        "currency": table.settings.currency if table else None,
        "digits": table.settings.digits if table else None,
        "results": {str(shoe): roads.format_results(results) for shoe, results in played.shoes.items()},
        "expectations": played.met,
        "unmet": _json(played.unmet) if played.unmet else None,
    }


def _json(value: msgspec.Struct) -> Any:
    return msgspec.to_builtins(value, str_keys=True)


# --- for people


def _print_play(out: Console, file: str, played: Play, *, first: bool) -> None:
    if not first:
        out.print()
    out.print(styled(file, "bold"))
    steps = {step.number: step for step in played.steps}
    last = played.unmet.number if played.unmet else len(played.script.lines)
    width = len(str(last))
    gap = False
    for number, line in enumerate(played.script.lines[:last], 1):
        if line.item is None and line.note is None:
            gap = True
            continue
        if isinstance(line.item, x.Setting):
            continue
        if gap:
            out.print()
            gap = False
        unmet = played.unmet is not None and number == last and number not in steps
        _print_line(out, f"{number:>{width}}  ", line, played, unmet=unmet)
        if number in steps:
            _print_step(out, " " * (width + 2), steps[number], played)
    if played.table is not None:
        _print_end(out, played, played.table)


def _print_line(out: Console, margin: str, line: x.Line, played: Play, *, unmet: bool) -> None:
    text = styled(margin, "dim")
    if line.item is not None:
        said = format_item(line.item, played.script.digits)
        if isinstance(line.item, x.Expectation):
            text.append("✗ " if unmet else "✓ ", style="bold red" if unmet else "green").append(said)
        else:
            text.append(said, style="bold")
    if line.note is not None:
        text.append("  " if line.item is not None else "")
        text.append(f"# {line.note}".rstrip(), style="dim italic")
    out.print(text, soft_wrap=True)


def _print_step(out: Console, margin: str, step: Step, played: Play) -> None:
    voice = Voice(played.table.book if played.table else None, played.script.digits)
    if step.refusal is not None:
        refusal = step.refusal
        text = (
            Text(margin)
            .append(f"✗ refused {refusal.code}: ", style="yellow")
            .append(worded(refusal, terms=Terms.of(played.table, played.script.digits)))
        )
        if refusal.fits is not None:
            text.append(f", {voice.money(refusal.fits)} would fit")
        out.print(_cited(text, voice.cite(refusal.paragraph)), soft_wrap=True)
    for record in step.records:
        for number, told in enumerate(voice.tell(record.event)):
            text = Text(margin).append("→ " if number == 0 else "    ", style="dim").append(told.text)
            out.print(_cited(text, told.citation), soft_wrap=True)
        for transfer in transfers_of(record.event):
            out.print(styled(f"{margin}    {_transfer(transfer, voice)}", "dim"), soft_wrap=True)


def _cited(text: Text, citation: str) -> Text:
    return text.append(f"  [{citation}]", style="cyan") if citation else text


def _transfer(transfer: Transfer, voice: Voice) -> str:
    return f"{transfer.source} → {transfer.target} {voice.money(transfer.amount)}"


def _print_end(out: Console, played: Play, table: Table) -> None:
    settings = table.settings
    out.print()
    balances = new_table("account", f">{settings.currency}", title="Balances")
    for account, amount in sorted(table.balances.items(), key=_account_order):
        balances.add_row(account, format_amount(amount, settings.digits))
    show(out, balances)
    out.print()
    for number, results in played.shoes.items():
        if results:
            out.print(f"Shoe {number}: {roads.format_results(results)}")
    counts = [
        _count(sum(isinstance(record.event, e.RoundSettled) for record in played.records), "round"),
        _count(len(played.records), "event"),
        _count(len(played.refusals), "refusal"),
        f"{_count(played.met, 'expectation')} met",
    ]
    out.print(", ".join(counts))


_ORDER = (
    *("chips:", "layout:", "held:", "marked:", "owed:", "tray", "commission", "drop", "tips"),
    *("account:", "cash", "cage", "floor", "marks", "receivables"),
)


def _account_order(balance: tuple[str, int]) -> tuple[int, str]:
    """The players first, then the table, then the world outside."""
    account = balance[0]
    return next((place for place, name in enumerate(_ORDER) if account.startswith(name)), len(_ORDER)), account


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _print_unmet(out: Console, file: str, played: Play) -> None:
    unmet = played.unmet
    if unmet is None:
        return
    out.print()
    out.print(styled(f"{file}:{unmet.number}: ", "bold red") + styled(unmet.line, "bold"), soft_wrap=True)
    out.print(Text("    expected  ", style="dim").append(unmet.expected, style="default"), soft_wrap=True)
    for number, line in enumerate(unmet.found.split("\n")):
        label = "    found     " if number == 0 else "              "
        out.print(styled(label, "dim") + Text(line), soft_wrap=True)


def _print_summary(out: Console, plays: list[tuple[str, Play]]) -> None:
    out.print()
    table = new_table("history", ">acts", ">refusals", ">expectations met", "", title="Histories")
    for file, played in plays:
        verdict = (
            styled(f"not as expected in line {played.unmet.number}", "red") if played.unmet else styled("✓", "green")
        )
        table.add_row(file, str(len(played.steps)), str(len(played.refusals)), str(played.met), verdict)
    show(out, table)
    wrong = sum(played.unmet is not None for _, played in plays)
    out.print()
    out.print(f"{len(plays) - wrong} of {_count(len(plays), 'history').replace('historys', 'histories')} as expected")
