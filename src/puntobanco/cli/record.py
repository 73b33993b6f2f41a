"""The record on the command line: logs out of a store and what they prove, backups, keys."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from puntobanco.cli.common import AsJson, BookFiles, UsageError, books_with, check_named, check_used, option, read_file
from puntobanco.cli.render import console, print_json, say, styled
from puntobanco.money import format_amount
from puntobanco.printable import printable_json

if TYPE_CHECKING:
    from puntobanco.store.base import Store
    from puntobanco.store.chain import SignedCheckpoint
    from puntobanco.store.keys import PublicKey
    from puntobanco.store.verify import Report

# The stores and the cryptography behind them take a while to load, which no other command should pay for.


def verify(
    log: Annotated[
        str,
        Parameter(
            metavar="LOG", allow_leading_hyphen=True, help="A log of export, or of run --log; - reads the input."
        ),
    ],
    /,
    *,
    key: Annotated[
        str | None, Parameter(metavar="PUB", help="The house's public key, in PEM, from where you trust it.")
    ] = None,
    seen: Annotated[
        list[str] | None,
        Parameter(metavar="FILE", negative=(), help="Checkpoints held elsewhere: a witness file, a receipt."),
    ] = None,
    book: BookFiles = None,
    json: AsJson = False,
) -> None:
    """Check a table's log: chain, signatures, shoes, every settlement by the rules, every balance.

    The exit code is 1 if anything is wrong, with the first bad event named, and 2 if the files cannot be read or --seen
    has nothing about this table. Without
    --key only consistency is checked: the author of the log may have written another one as well.
    """
    from puntobanco.store.keys import load_public_key
    from puntobanco.store.verify import verify_log

    with option("--key"):
        if key is not None:
            check_named(key)
        trusted = load_public_key(key) if key is not None else None
    with option("--seen"):
        checkpoints = [found for file in seen or () for found in _checkpoints(file, trusted)]
    data, books = read_file(log), books_with(book)
    gc.disable()  # everything read is dropped at once, and nothing of it goes in circles
    try:
        report = verify_log(data, trusted, checkpoints, books)
    finally:
        gc.enable()
    check_used(books)
    if json:
        print_json(_document(log, report))
    else:
        _print_report(log, report)
    if report.problem is not None:
        raise SystemExit(1)
    if seen and not report.seen:
        _warn(f"nothing in {', '.join(seen)} is about table {report.table}: nothing shows that it was not rewritten")
        raise SystemExit(2)


def _checkpoints(file: str, trusted: PublicKey | None) -> list[SignedCheckpoint]:
    from puntobanco.store.verify import SeenError, parse_seen

    found = parse_seen(read_file(file), file, trusted, _warn)
    if not found:
        raise SeenError(f"{file} holds no checkpoint")
    return found


def _warn(message: str) -> None:
    say(f"! {message}", error=True)


StoreAddress = Annotated[str, Parameter(metavar="STORE", help="A SQLite file, or postgresql://…")]
BackupFile = Annotated[str, Parameter(metavar="FILE", help="The backup.")]


def export(store: StoreAddress, table: Annotated[str, Parameter(metavar="TABLE", help="The table's name.")], /) -> None:
    """Print a table's log from a store, for verify or for anybody who is to read it."""
    from puntobanco.store.logs import export as lines_of

    with _opened(store, read_only=True) as opened:
        if not opened.version(table):
            there = ", ".join(opened.tables()) or "none at all"
            raise UsageError(f"{store} has no table {table!r}; there are: {there}")
        sys.stdout.flush()
        fit = _fit_for_terminal if sys.stdout.isatty() else bytes
        for line in lines_of(opened, table):
            sys.stdout.buffer.write(fit(line))
        sys.stdout.buffer.flush()


def _fit_for_terminal(line: bytes) -> bytes:
    return printable_json(line.decode(errors="replace")).encode()


def backup(store: StoreAddress, file: BackupFile, /) -> None:
    """Write everything in a store to a file, as it is at one moment, while others go on writing.

    An earlier backup is replaced when the new one is complete; any other file that is there already is left alone.
    """
    from puntobanco.store.backups import backup as write_backup

    check_named(file)
    with _opened(store, read_only=True) as opened:
        try:
            rows = write_backup(opened, file)
        except OSError as error:
            raise UsageError(f"{file} cannot be written: {error.strerror}") from error
    say(f"{file}: {_count(rows, 'row')}")


def restore(file: BackupFile, store: StoreAddress, /) -> None:
    """Fill a new, empty store of any kind from a backup."""
    from puntobanco.store.backups import restore as fill_from
    from puntobanco.store.logs import is_database
    from puntobanco.store.sqlite import files_of

    check_named(file)
    check_named(store)
    new = not is_database(store) and not Path(store).exists()
    try:
        with _opened(store) as opened:
            rows = fill_from(opened, file)
    except BaseException:
        if new:  # nothing was there, and nothing shall be
            for made in files_of(store):
                made.unlink(missing_ok=True)
        raise
    say(f"{store}: {_count(rows, 'row')}")


def new_key(
    file: Annotated[str, Parameter(metavar="FILE", help="Gets the private key; the public one goes to FILE.pub.")], /
) -> None:
    """Make the key that signs checkpoints and manifests, and print its fingerprint."""
    from puntobanco.store.keys import PrivateKey

    check_named(file)
    key, public = PrivateKey.generate(), Path(f"{file}.pub")
    if public.exists():
        raise UsageError(f"{public} cannot be written: File exists")
    try:
        key.save(file)
        public.write_bytes(key.public.pem())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{file} cannot be written: {reason}") from error
    say(key.public.fingerprint)


@contextmanager
def _opened(address: str, *, read_only: bool = False) -> Iterator[Store]:
    """A store, closed at the end; what it cannot do is the user's to know."""
    from puntobanco.store.base import StoreError
    from puntobanco.store.logs import open_store

    check_named(address)
    try:
        store = open_store(address, read_only=read_only)
        try:
            yield store
        finally:
            store.close()
    except StoreError as error:
        raise UsageError(str(error)) from error


def _print_report(log: str, report: Report) -> None:
    out = console()
    if report.table:
        state = "closed" if report.closed else "still open"
        counts = f"{_count(report.commands, 'command')}, {_count(report.events, 'event')}"
        counts += f", {_count(report.checkpoints, 'checkpoint')}" if report.chained else ""
        out.print(styled(f"{log}: ", "bold") + f"table {report.table}, {counts}, {state}", soft_wrap=True)
    if report.problem is not None:
        out.print(styled("✗ ", "bold red") + str(report.problem), soft_wrap=True)
        out.print(f"  found at line {report.problem.line}", style="dim")
        return
    rules = "the literal rules" if report.literal else "the rules of its book file"
    passed = [
        *(["the chain is whole"] if report.chained else []),
        "every command leads to its events",
        f"{_count(report.rounds, 'settlement')} by {rules}",
        f"{_count(len(report.balances), 'balance')}, which add up to {format_amount(sum(report.balances.values()), 0)}",
    ]
    if report.shoes:
        passed.append(f"{_count(report.shoes, 'shoe')} in the order that was committed to")
    if report.seen:
        passed.append(f"{_count(report.seen, 'checkpoint')} seen elsewhere, and nothing rewritten or cut off before")
    for line in passed:
        out.print(styled("✓ ", "green") + line, soft_wrap=True)
    if report.uncommitted:
        shoes = _count(report.uncommitted, "electronic shoe")
        out.print(styled("! ", "yellow") + f"{shoes} without a commitment: nothing shows that its order was fixed")
    if not report.chained:
        out.print(styled("! ", "yellow") + "there are no hashes or signatures to check in this log")
        return
    if report.unsigned:
        out.print(
            styled("! ", "yellow") + f"{_count(report.unsigned, 'event')} after the last checkpoint: not signed yet"
        )
    if report.key is None:
        out.print(styled("! ", "yellow") + "no checkpoint yet: nothing is signed")
    elif report.trusted:
        out.print(styled("✓ ", "green") + f"signed by the trusted key {report.key.fingerprint}", soft_wrap=True)
    else:
        out.print(styled("! ", "yellow") + f"signed by the key {report.key.fingerprint}", soft_wrap=True)
        out.print("  consistent, which is all that can be said without a key you trust (--key)")


def _document(log: str, report: Report) -> dict[str, Any]:
    problem = report.problem
    return {
        "file": log,
        "table": report.table,
        "ok": problem is None,
        "trusted": report.trusted,
        "fingerprint": report.key.fingerprint if report.key else None,
        "commands": report.commands,
        "events": report.events,
        "settlements": report.rounds,
        "literal": report.literal,
        "checkpoints": report.checkpoints,
        "shoes": report.shoes,
        "uncommitted": report.uncommitted,
        "seen": report.seen,
        "unsigned": report.unsigned,
        "chained": report.chained,
        "closed": report.closed,
        "problem": None
        if problem is None
        else {"line": problem.line, "event": problem.event, "last": problem.last, "message": problem.message},
    }


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
