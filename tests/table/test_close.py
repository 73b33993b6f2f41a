"""No bet gets in or out after the close, and none meant for one round lands in another: every order of a few commands.

A refused command leaves the table as it was (``test_properties.py``), so what follows it follows without it as well:
walking on from accepted commands only still covers every sequence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pytest
from tests.search import far, search
from tests.table.build import DEALER, NOW, open_table

from puntobanco.cards import parse_cards
from puntobanco.rules.load import GAMES
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.amendments.journal import remembered
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, execute
from puntobanco.table.folds import evolve
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import ELECTRONIC, LIVE, BetLimits, Differential, Step
from puntobanco.table.state import Phase, Table

LAYOUTS = {"super-six": ("B", 7), "dragon-tiger-commission": ("A4", 5), "dragon-tiger-non-commission": ("A2", 5)}
TABLES = {"electronic": ELECTRONIC, "live": LIVE}
LATE = 60_000
"""Milliseconds after which the time for bets is over."""


class Try(NamedTuple):
    """Somebody's command; ``late`` after the countdown."""

    body: AnyCommand
    actor: str
    late: bool = False


def alphabet(runner: str) -> dict[str, Try]:
    """Two players, one of them standing, on one hand so that one has to yield; and who runs the table."""
    return {
        "ann bets": Try(c.Place("ann", 1, {"banker": 100_00}), "ann"),
        "ann raises": Try(c.Place("ann", 1, {"banker": 50_00, "player": 50_00}), "ann"),
        "ann withdraws": Try(c.Withdraw("ann", 1, "banker"), "ann"),
        "ann reduces": Try(c.Withdraw("ann", 1, "banker", 50_00), "ann"),
        "sid bets": Try(c.Place("sid", 1, {"banker": 150_00}), "sid"),
        "sid bets late": Try(c.Place("sid", 1, {"player": 50_00}), "sid", late=True),
        "the dealer bets for sid": Try(c.Place("sid", 1, {"player": 100_00}), DEALER),
        "call": Try(c.Call(), runner),
        "close": Try(c.Close(), runner),
        "deal": Try(c.Deal(parse_cards("8h 9c Kd Ks")), runner),
        "announce": Try(c.Announce("banker"), runner),
        "confirm": Try(c.Confirm(1), runner),
    }


def small_table(game: str, automated: tuple[Step, ...]) -> Table:
    layout, positions = LAYOUTS.get(game, ("A", 6))
    play = open_table(
        game=game,
        layout=layout,
        positions=positions,
        limits=BetLimits(50_00, 1_000_00, 50_00),
        differential=Differential(200_00),
        automated=automated,
    )
    play.sit("ann", 1)
    play.sit("sid", 1, seated=False)
    play.shoe()
    return play.table


class Path(NamedTuple):
    """A table with the way there: what happened in it, and the stakes at the close of the round."""

    table: Table
    events: tuple[e.Event, ...] = ()
    at_close: Mapping[tuple[str, int, str], int] | None = None

    def step(self, tried: Try, against: int | None = None) -> Path | Refusal:
        at = NOW + (LATE if tried.late else 0)
        command = Command("", tried.actor, at, tried.body, against)
        answer = execute(self.table, command)
        if isinstance(answer, Refusal):
            return answer
        return Path(answer.table, (*self.events, *answer.events), check_close(self, command, answer))


def stakes(table: Table) -> dict[tuple[str, int, str], int]:
    assert table.round is not None
    return {key: wager.stake for key, wager in table.round.wagers.items()}


def check_close(path: Path, command: Command, done: Done) -> Mapping[tuple[str, int, str], int] | None:
    """Between the close and the next call nothing is put down or taken back; what is settled are the stakes closed."""
    table, at_close = path.table, path.at_close
    for event in done.events:
        match event:
            case e.WagersPlaced() | e.WagerReduced():
                assert at_close is None, (path.events, event)
                assert table.phase is Phase.BETTING
            case e.RoundSettled(lines=lines):
                assert {(line.person, line.box, line.bet): line.stake for line in lines} == at_close, path.events
            case e.RoundEnded():
                at_close = None
        table = evolve(table, event)
        if isinstance(event, e.BetsClosed):
            at_close = stakes(table)
        elif at_close is not None:
            assert table.round is not None
            assert stakes(table) == at_close, (path.events, event)
    assert remembered(path.table, command, done.events, table) == done.table
    return at_close


def paths(path: Path, tries: Sequence[Try], length: int) -> Iterator[Path]:
    """Every table that up to so many accepted commands lead to."""
    yield path
    if length:
        for tried in tries:
            after = path.step(tried)
            if isinstance(after, Path):
                yield from paths(after, tries, length - 1)


def begin(game: str, kind: str) -> tuple[Path, dict[str, Try]]:
    return Path(small_table(game, TABLES[kind])), alphabet(HOUSE if kind == "electronic" else DEALER)


@search
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", TABLES)
def test_no_bet_gets_in_after_the_close_in_any_order(game: str, kind: str) -> None:
    """Everything that up to six accepted commands lead to; there, every bet and withdrawal is tried."""
    start, tries = begin(game, kind)
    length = far(6, 7)
    bets = [tried for tried in tries.values() if isinstance(tried.body, c.Place | c.Withdraw)]
    seen = 0
    rounds = set()
    for path in paths(start, list(tries.values()), length):
        table = path.table
        seen += 1
        rounds.add(table.rounds)
        if table.phase is not Phase.BETTING:
            for tried in bets:
                answer = path.step(tried)
                assert isinstance(answer, Refusal), (path.events, tried)
                code = "bets_closed" if table.round else "no_round"
                assert answer.code == code, (path.events, tried, answer)
                assert answer.paragraph, answer
    assert seen > 1_000
    assert rounds >= {0, 1, 2}


@pytest.mark.parametrize("kind", TABLES)
def test_every_sequence_of_five_commands(kind: str) -> None:
    """Nothing left out, refused commands included; most of the sequences do nothing."""
    start, tries = begin("tiger-buffalo", kind)
    called = start.step(tries["call"])
    assert isinstance(called, Path)
    ends = every_sequence(called, list(tries.values()), 5, {})
    assert sum(ends.values()) == len(tries) ** 5
    assert set(ends) >= {Phase.IDLE, Phase.BETTING, Phase.DEALING}


def every_sequence(
    path: Path, tries: Sequence[Try], length: int, known: dict[tuple[int, int], tuple[Path, Counter[Phase]]]
) -> Counter[Phase]:
    """The phases that all sequences end in; whatever follows a refused command is walked once, for nothing changed."""
    if not length:
        return Counter([path.table.phase])
    if (id(path), length) not in known:
        ends: Counter[Phase] = Counter()
        for tried in tries:
            after = path.step(tried)
            ends += every_sequence(path if isinstance(after, Refusal) else after, tries, length - 1, known)
        known[id(path), length] = path, ends  # with the path, so that no other gets its id
    return known[id(path), length][1]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", TABLES)
def test_a_command_made_in_one_round_never_lands_in_another(game: str, kind: str) -> None:
    """Every version on the way is taken as the one that the command was made against."""
    start, tries = begin(game, kind)
    landed = stale = 0
    for path in paths(start, list(tries.values()), 5):
        table = path.table
        latest = table.round or table.last
        begun = latest.since if latest else 0
        for name in ("ann bets", "ann withdraws", "close", "call"):
            tried = tries[name]
            meant = isinstance(path.step(tried), Path)
            for against in range(start.table.version, table.version + 2):
                answer = path.step(tried, against)
                if begun <= against <= table.version:
                    assert isinstance(answer, Path) == meant, (path.events, name, against)
                    landed += meant
                else:
                    assert isinstance(answer, Refusal), (path.events, name, against)
                    stale += answer.code == "stale"
    assert landed > 500
    assert stale > 50


@pytest.mark.parametrize("kind", TABLES)
def test_scripts_of_three_people_in_every_interleaving(kind: str) -> None:
    """Players who act on what they saw in the first round, however late it arrives."""
    start, tries = begin("tiger-buffalo", kind)
    called = start.step(tries["call"])
    assert isinstance(called, Path)
    since = called.table.version
    end = ["announce", "confirm"] if kind == "live" else []
    scripts = {
        "ann": ["ann bets", "ann raises", "ann withdraws"],
        "sid": ["sid bets", "the dealer bets for sid"],
        "runner": ["close", "deal", *end, "call", "close", "deal", *end],
    }
    outcomes = set()

    def interleaved(path: Path, left: dict[str, list[str]]) -> Iterator[Path]:
        """Where every order of what is left leads to."""
        if not any(left.values()):
            yield path
        for person, script in left.items():
            if script:
                after = path.step(tries[script[0]], since if person != "runner" else None)
                yield from interleaved(path if isinstance(after, Refusal) else after, left | {person: script[1:]})

    for path in interleaved(called, scripts):
        settled = [event for event in path.events if isinstance(event, e.RoundSettled)]
        assert [event.number for event in settled] == [1, 2]
        assert settled[1].lines == (), "a bet that was made for the first round"
        outcomes.add(tuple((line.bet, line.person, line.stake) for line in settled[0].lines))
    assert len(outcomes) > 5
