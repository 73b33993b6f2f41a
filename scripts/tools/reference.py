"""Writes docs/reference.md from the table engine itself: commands × ranks, events, refusals, settings."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec.structs import replace
from scripts.tools import duties, facts

from puntobanco.rules.load import GAMES, find_book
from puntobanco.rules.model import NO_RANK, USUAL_RANKS, OptionsGiven, Remedy
from puntobanco.rules.policies import LateDiscovery, Stated, TooMany
from puntobanco.table import commands, events, rulings
from puntobanco.table.authority import HOUSE_MAY, NEEDS, OWN, rank_for
from puntobanco.table.cases.remedies import CORRECTIONS, RULINGS, choices
from puntobanco.table.facts import REQUESTS
from puntobanco.table.refusals import CODES
from puntobanco.table.settings import TableSettings
from puntobanco.table.state import Incident, Table
from puntobanco.words import reasons

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference.md"


def first_line(kind: type) -> str:
    """The first sentence of a docstring, where somebody wrote one (structs get their signature otherwise)."""
    text = kind.__dict__.get("__doc__") or ""
    return "" if text.startswith(f"{kind.__name__}(") else " ".join(text.strip().split("\n\n")[0].split())


def tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


def fields(kind: type[msgspec.Struct]) -> str:
    return ", ".join(f"`{name}`" for name in kind.__struct_fields__)


def rank(kind: type[commands.Body]) -> str:
    need = NEEDS[kind]
    if need == "anybody":
        return "anybody with the right"
    if need is OWN:
        return "the player, or Dealer or above for the player"
    return f"{rank_for(None, need).title} or above"


def marks(kind: type[commands.Body]) -> str:
    """For each rank in order, and the House's own system, whether it may give the command."""
    need = NEEDS[kind]
    by_rank = ["yes" if rank >= rank_for(None, need) else "" for rank in LADDER]
    if need is OWN:
        by_rank[0] = "own"
    return " | ".join([*by_rank, "yes" if kind in HOUSE_MAY else ""])


LADDER = (NO_RANK, *USUAL_RANKS.named.values())
COLUMNS = {
    "da-hu-ying-xiong": "da-hu-ying-xiong",
    "super-six": "super-six",
    "rws-baccarat": "rws-baccarat",
    "tiger-buffalo": "tiger-buffalo",
    "dragon-tiger-commission": "Hoiana",
}
"""Game → the book as it stands over a column; the two games of Hoiana's book have the same rulings."""


def table_of(game: str) -> Table:
    book = find_book(game)
    layout = next(iter(book.layouts.values()))
    settings = TableSettings(
        table="t1", game=game, layout=layout.code, positions=max(layout.positions), decks=book.decks.default
    )
    return Table(book=book, layout=layout, settings=settings, open=True)


def incident_of(table: Table, family: str) -> Incident:
    """An incident of that family, as this table would open it."""
    if family == "debt":
        return Incident(number=1, family=family, about="", paragraph="", covered=False)
    named = "wrong_number" if family == "wrong_round" else family
    slots = table.irregularities.of(named)
    paragraph = slots.main or table.book.uncovered.paragraph
    return Incident(number=1, family=family, about="", paragraph=paragraph, covered=slots.covered)


def incidents_of(table: Table, family: str) -> Iterator[Incident]:
    """That one, and as it is opened after the settlement where other rulings are given then."""
    yield incident_of(table, family)
    if family == "insurance_missed":
        yield replace(incident_of(table, family), paragraph=table.irregularities.insurance_missed.decided, blocks=False)


def arises(table: Table, family: str) -> bool:
    """Whether this table would ever open an incident of that family."""
    covered = table.irregularities.of(family).covered
    stated = table.policies
    if family in ("third_to_player", "third_to_banker", "rectified_late", "insurance_missed"):
        return covered
    # where the book has a paragraph it decides at once, and nobody rules
    decided: dict[str, Stated[Any]] = {
        "above_maximum": stated.above_maximum_unnoticed,
        "cards_at_fault": stated.unshuffled,
    }
    decided |= {"interruption": stated.interruption, "late_withdrawal": stated.late_withdrawal}
    if family in decided:
        return bool(decided[family].value.value == "not_covered")
    if family == "late_discovery":
        return stated.late_discovery.value is not LateDiscovery.RECTIFY
    if family == "wrong_number":
        return stated.card_too_many.value is TooMany.WRONG_NUMBER
    return family != "excess_cards" or covered


def given(table: Table, family: str, kind: type[rulings.Ruling]) -> str:
    """Who may give the ruling at this table, by which paragraph; empty where it is none there."""
    for incident in incidents_of(table, family):
        for choice in choices(table, incident):
            if choice.kind is kind:
                return f"{choice.by.title} {choice.paragraph}".strip()
    return ""


def ruling_lines() -> Iterator[str]:
    """Family × ruling × book."""
    tables = {game: table_of(game) for game in COLUMNS}
    yield "| what went wrong | ruling | " + " | ".join(COLUMNS.values()) + " |"
    yield "| --- " * (len(COLUMNS) + 2) + "|"
    for family in RULINGS:
        kinds: dict[type[rulings.Ruling], None] = {}
        for table in tables.values():
            if arises(table, family):
                for incident in incidents_of(table, family):
                    kinds |= dict.fromkeys(choice.kind for choice in choices(table, incident))
        for kind in kinds:
            cells = [given(table, family, kind) if arises(table, family) else "" for table in tables.values()]
            yield f"| `{family}` | `{rulings.kind_of(kind)}` | " + " | ".join(cells) + " |"


def option_lines() -> Iterator[str]:
    """Family × book: when the players have their options."""
    books = {game: find_book(game) for game in COLUMNS}
    yield "| what went wrong | " + " | ".join(COLUMNS.values()) + " |"
    yield "| --- " * (len(COLUMNS) + 1) + "|"
    for family in RULINGS:
        never = Remedy("")
        remedies = [book.remedies.get(family, never) for book in books.values()]
        if any(remedy.options is not OptionsGiven.NEVER for remedy in remedies):
            cells = [f"{each.options.value} {each.given}" if each.given else "" for each in remedies]
            yield f"| `{family}` | " + " | ".join(cells) + " |"
    yield ""
    given = (choice for choice in OptionsGiven if choice is not OptionsGiven.NEVER)
    yield "; ".join(f"*{choice.value}*: {choice.meaning}" for choice in given) + "."


def lines() -> Iterator[str]:
    yield "# Reference of the table"
    yield ""
    yield "Generated by `scripts/reference` from the code. [table.md](table.md) says how it all fits together."
    yield ""
    yield "## Commands and who may give them"
    yield ""
    yield "The House's own system (`house`) deals and administers, but gives nothing that needs a rank in person."
    yield ""
    yield "| command | who | fields | what it is |"
    yield "| --- | --- | --- | --- |"
    for kind in get_args(commands.AnyCommand):
        yield f"| `{tag(kind)}` | {rank(kind)} | {fields(kind)} | {first_line(kind)} |"
    yield ""
    yield "### Command × rank"
    yield ""
    yield "*own*: for themselves. Every book has the same commands; where a book does not have what a command asks for,"
    yield "it is refused to everybody. Some answers need more than the command itself: the House's consent to see"
    yield "Banker's third card first is a Pit Supervisor's, and a ruling is approved by the rank in the next table."
    yield ""
    yield "| command | " + " | ".join([*(rank.title for rank in LADDER), "house"]) + " |"
    yield "| --- " * (len(LADDER) + 2) + "|"
    for kind in get_args(commands.AnyCommand):
        yield f"| `{tag(kind)}` | {marks(kind)} |"
    yield ""
    yield "### Command × role × kind of table"
    yield ""
    yield "Where cards come from a committed shoe no report adds a card, and where the table does everything by"
    yield "itself (*electronic*) no report adds a chip: there chips are money on accounts. *heard*: it opens"
    yield "an incident for two people and changes nothing by itself; the floor tells the pit, surveillance and its"
    yield "log. *own*: for themselves only. *refused*: to everybody. Empty: the rank is too low. The House's own system"
    yield "is not bound by this."
    yield ""
    yield from duties.lines()
    yield ""
    yield "### Facts and requests"
    yield ""
    yield "A fact is recorded in every phase, whatever it is (reading A); a request may be refused. What a table of"
    yield "tiger-buffalo makes of each fact, played for this page. A dash: it cannot have been then, or is about the"
    yield "round in progress alone. `meant_to_insure` needs insurance that was missed, in whichever round."
    yield ""
    yield from facts.lines()
    yield ""
    yield "Requests: " + ", ".join(f"`{tag(kind)}`" for kind in REQUESTS) + "."
    yield "Amendments, which put a fact right that was keyed wrongly: "
    yield ", ".join(f"`{rulings.kind_of(kind)}`" for kind in CORRECTIONS) + "."
    yield ""
    yield "### Ruling × rank × book"
    yield ""
    yield "Who may give a ruling on what went wrong, and by which paragraph; that rank or above. A dealer's word is"
    yield "enough where the Dealer is named; everything else is proposed by one person and approved by another."
    yield ""
    yield from ruling_lines()
    yield ""
    yield "### When players may take their bets back"
    yield ""
    yield from option_lines()
    yield ""
    yield "### Rulings"
    yield ""
    yield "| ruling | fields | what it is |"
    yield "| --- | --- | --- |"
    for ruling in get_args(rulings.AnyRuling):
        yield f"| `{tag(ruling)}` | {fields(ruling)} | {first_line(ruling)} |"
    yield ""
    yield "What a book does not cover is decided by:"
    yield ""
    yield "| game | rank | paragraph |"
    yield "| --- | --- | --- |"
    for game in GAMES:
        uncovered = find_book(game).uncovered
        yield f"| `{game}` | {find_book(game).decides.title} or above | {uncovered.paragraph or 'none: by reading'} |"
    yield ""
    yield "## Events"
    yield ""
    yield "| event | fields | what it is |"
    yield "| --- | --- | --- |"
    for kind in get_args(events.AnyEvent):
        yield f"| `{tag(kind)}` | {fields(kind)} | {first_line(kind)} |"
    yield ""
    yield "## Refusals"
    yield ""
    yield "A code may have several reasons, each with its own sentence in the catalogues of `puntobanco.words`."
    yield ""
    yield "| code | what is refused | reasons |"
    yield "| --- | --- | --- |"
    for code, meaning in CODES.items():
        several = [reason for reason in reasons() if reason.startswith(f"{code}.")]
        yield f"| `{code}` | {meaning} | {', '.join(f'`{reason}`' for reason in several)} |"
    yield ""
    yield "## Settings"
    yield ""
    yield "| setting | default |"
    yield "| --- | --- |"
    for field in msgspec.structs.fields(TableSettings):
        yield f"| `{field.name}` | {default(field)} |"
    yield ""


def default(field: Any) -> str:
    if field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT:
        return "must be given"
    value = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    if field.name == "automated":
        return ", ".join(f"`{step.value}`" for step in value)
    if isinstance(value, msgspec.Struct):
        return ", ".join(f"{name} {plain(getattr(value, name))}" for name in value.__struct_fields__)
    return plain(value)


def plain(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    if value is None or value in ("", {}):
        return "none"
    text = str(getattr(value, "value", value))
    return text.lower() if isinstance(value, bool) else text


def main() -> int:
    page = "\n".join(lines())
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == page:
        return 0
    print("docs/reference.md is out of date: run scripts/reference", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
