"""The application: its commands, and how it ends. Bad input is one clear message and exit code 2.

A log that can be read but cannot be is exit code 1, as with what verify finds wrong.
"""

from __future__ import annotations

import difflib
import inspect
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

from cyclopts import App, CoercionError, CycloptsError, MissingArgumentError, UnknownCommandError, UnusedCliTokensError

import puntobanco
from puntobanco.cli import (
    books,
    demo,
    design,
    floor,
    help,
    lab,
    odds,
    par,
    play,
    record,
    reports,
    roads,
    rounds,
    schema,
    shoes,
    strategy,
)
from puntobanco.cli.common import unwrapped
from puntobanco.cli.render import QuietConsole
from puntobanco.extras import missing
from puntobanco.printable import printable
from puntobanco.script.log import ImpossibleError

app = App(
    name="puntobanco",
    help="Casino baccarat under real rule books: tables, settlement, exact odds. New here? Try: puntobanco help",
    version=puntobanco.__version__,
    help_format="plaintext",
)
COMMANDS: tuple[Callable[..., None], ...] = (
    books.games,
    books.rules,
    rounds.deal,
    rounds.settle,
    rounds.decided,
    odds.odds,
    lab.simulate,
    lab.exposure,
    strategy.strategy,
    par.par,
    design.compare,
    design.solve,
    design.design,
    roads.roads,
    play.run,
    play.history,
    schema.schema,
    record.verify,
    shoes.verify_shoe,
    record.export,
    record.backup,
    record.restore,
    record.new_key,
    reports.report,
    floor.serve,
    demo.demo,
    help.help,
)
for place, command in enumerate(COMMANDS):
    app.command(command, sort_key=place, help=unwrapped(command))
app.command(floor.admin)
_OF_A_GAME = {command.__name__ for command in COMMANDS if "game" in inspect.signature(command).parameters}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command: returns when it worked, exits with 2 and a message when the input was bad."""
    _open_streams()
    tokens = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # ♥ must not fail where the terminal's encoding has none
    try:
        app(tokens, console=QuietConsole(), exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except ImpossibleError as error:  # the input can be read, and is wrong
        _fail(_message(error), 1)
    except (CycloptsError, ValueError) as error:
        _fail(_message(error), 2)
    except ModuleNotFoundError as error:  # an extra that was not installed
        if not (told := missing(error)):
            raise
        _fail(told, 2)
    except BrokenPipeError:  # the reader has seen enough: head, less
        _discard_output()
        raise SystemExit(0) from None
    except OSError as error:
        _discard_output()
        _fail(f"the output cannot be written: {error.strerror}", 1)


_CLOSED = {"stdin": (os.O_RDONLY, "r"), "stdout": (os.O_RDONLY, "w"), "stderr": (os.O_WRONLY, "w")}
"""What stands in for a closed stream: the input is empty, no output can be written, and no complaint is heard."""


def _open_streams() -> None:
    """Python has nothing in place of a stream that is closed, and a file opened later would get its number."""
    for name, (flags, mode) in _CLOSED.items():
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode))


def _fail(message: str, code: int) -> NoReturn:
    print(f"puntobanco: {message}", file=sys.stderr)
    raise SystemExit(code) from None


def _discard_output() -> None:
    """Keep the interpreter from trying to write the rest, and complaining, when it exits."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_LONGEST_LINE = 1000


def _message(error: Exception) -> str:
    """The complaint, fit for a terminal whatever the user's text holds."""
    if isinstance(error, CycloptsError):
        return _printable(_usage(error))
    return "\n".join(map(_printable, str(error).strip().split("\n")))


_KINDS: dict[type | None, str] = {int: "not a whole number", float: "not a number", bool: "neither true nor false"}


def _usage(error: CycloptsError) -> str:
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        name = " ".join(error.command_chain or ())
        one = f"{name} takes one game, and " if name in _OF_A_GAME else ""
        return f"unexpected {' '.join(map(repr, error.unused_tokens))}: {one}text with spaces needs quotes around it"
    if isinstance(error, UnknownCommandError) and error.unused_tokens:
        return _unknown(error.unused_tokens[0], error.command_chain or ())
    if isinstance(error, MissingArgumentError) and error.argument:
        if error.keyword:
            return f"{error.keyword} needs a value"
        command = " ".join(error.command_chain or ())
        return f"{command} needs {error.argument.name}, see puntobanco {command} --help"
    if isinstance(error, CoercionError) and error.token and error.target_type in _KINDS:
        return f"{error.token.keyword}: {error.token.value!r} is {_KINDS[error.target_type]}"
    return str(error).strip()


def _unknown(token: str, chain: Sequence[str]) -> str:
    """A command that there is not: the one that was meant, or all of them."""
    commands = [name for name in (app[chain[0]] if chain else app) if not name.startswith("-")]
    close = difflib.get_close_matches(token, commands, n=1)
    named = f"did you mean {close[0]}?" if close else f"there are {', '.join(commands)}"
    return f"there is no command {token!r}{f' of {chain[0]}' if chain else ''}; {named}"


def _printable(line: str) -> str:
    safe = printable(line).replace("\n", "\\n").replace("\t", "\\t")
    half = _LONGEST_LINE // 2
    return safe if len(safe) <= _LONGEST_LINE else f"{safe[:half]} … {safe[-half:]}"
