"""The verifier: what is right passes, and whatever was done to a log is found and named."""

from __future__ import annotations

import hashlib
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace
from puntobanco.store.posting_check import CHECKS
from tests.script.mishaps import MISHAPS
from tests.store.build import KEY, NOW, Player, log_of, play, settings
from tests.store.independent_verifier import Verifier
from tests.table.walk import Walk

from puntobanco.bets import Result
from puntobanco.cards import CARDS, Card
from puntobanco.money import Odds
from puntobanco.rules.load import GAMES, find_book, load_book
from puntobanco.script import format_log, parse_script
from puntobanco.script import play as play_script
from puntobanco.shoes.commit import Reveal
from puntobanco.shoes.history import ShoeHistory
from puntobanco.store import Keeper, MemoryStore, PrivateKey, PublicKey, Report, verify_log
from puntobanco.store.chain import (
    FIRST,
    Checkpoints,
    encode,
    hash_of,
    kind_of,
    read_checkpoint,
    read_line,
    seal,
)
from puntobanco.store.verify import _RETURNING, SeenError, parse_seen
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, execute
from puntobanco.table.events import AnyEvent, Record
from puntobanco.table.state import Table

OTHER = PrivateKey.generate()
ROOT = Path(__file__).parents[2]
Lines = list[bytes]


@cache
def honest(rounds: int = 8, *, closed: bool = True) -> tuple[bytes, ...]:
    """The lines of a good log."""
    keeper, player = play(rounds, seed=3)
    if closed:
        player.close()
    return tuple(log_of(keeper).splitlines())


def check(lines: Sequence[bytes], key: PublicKey | None = KEY.public, seen: Sequence[bytes] = ()) -> Report:
    return verify_log(b"\n".join([*lines, b""]), key, parse_seen(b"\n".join(seen), "seen"))


def independent(lines: Sequence[bytes], key: str = KEY.public.hex) -> bool:
    """Whether the other verifier finds nothing."""
    try:
        Verifier(key).read(b"\n".join([*lines, b""]))
    except (AssertionError, KeyError, ValueError):
        return False
    return True


def event_at(lines: Sequence[bytes], version: int) -> int:
    """The place of an event among the lines."""
    return next(
        place for place, line in enumerate(lines) if kind_of(line) == "event" and read_line(line).version == version
    )


def events_of(lines: Sequence[bytes]) -> list[Record]:
    return [read_line(line).record for line in lines if kind_of(line) == "event"]


def witness(lines: Sequence[bytes]) -> Lines:
    return [line for line in lines if kind_of(line) == "checkpoint"]


def rewrite(records: Sequence[Record], key: PrivateKey | None, table: str = "T1") -> Lines:
    """A log with a good chain over these records, and checkpoints by the key."""
    sealed = seal(records, FIRST)
    signed = dict(Checkpoints(table).sign(records, sealed, key or KEY))
    return [
        each
        for record, line in zip(records, sealed, strict=True)
        for each in (line, signed.get(record.version))
        if each is not None
    ]


# --- what is right


@pytest.mark.parametrize("game", GAMES)
def test_a_good_log_of_every_game(game: str) -> None:
    keeper, player = play(40, game=game, seed=5)
    player.close()
    lines = log_of(keeper).splitlines()
    report = check(lines, seen=witness(lines)[::3])
    assert report.problem is None
    assert (report.table, report.checkpoints, report.closed, report.unsigned) == ("T1", 41, True, 0)
    assert (report.trusted, report.literal, report.seen) == (True, True, 14)
    assert report.rounds <= 40
    assert independent(lines)


def test_without_a_key_the_logs_own_is_used() -> None:
    report = check(honest(), None)
    assert report.problem is None
    assert not report.trusted
    assert report.key == KEY.public


def test_events_after_the_last_checkpoint_are_counted() -> None:
    report = check(honest(closed=False)[:-3], None)
    assert report.problem is None or "checkpoint" in report.problem.message
    keeper, player = play(2)
    player.do(c.Call())
    player.do(c.Close())
    report = check(log_of(keeper).splitlines())
    assert (report.problem, report.unsigned) == (None, 2)


def test_every_playthrough_verifies() -> None:
    """Records that the rules made, whatever happened at the table."""
    files = sorted((ROOT / "tests" / "playthroughs").rglob("*.txt"))
    assert files
    for file in files:
        played = play_script(parse_script(file.read_text(encoding="utf-8"), str(file)))
        assert played.table is not None
        name = played.table.settings.table
        report = check(rewrite(played.records, KEY, name))
        assert report.problem is None, f"{file}: {report.problem}"
        assert format_log(played.records)


def test_a_game_of_ones_own_is_settled_by_its_book() -> None:
    book = load_book(ROOT / "examples" / "books" / "ez-baccarat.toml")

    def books(game: str) -> Any:
        return book if game == book.id else find_book(game)

    keeper = Keeper(MemoryStore(), KEY, books=books)
    layout = next(iter(book.layouts.values()))
    own = msgspec.structs.replace(
        settings("T1", "super-six"), game=book.id, layout=layout.code, positions=max(layout.positions)
    )
    player = Player(keeper, "T1", 1)
    player.settings, player.bets = own, layout.bets
    player.open()
    player.rounds(10)
    report = verify_log(log_of(keeper), KEY.public, books=books)
    assert (report.problem, report.literal) == (None, False)
    assert verify_log(log_of(keeper), KEY.public).problem is not None


def test_the_independent_verifier_as_a_program(tmp_path: Path) -> None:
    program = [sys.executable, str(ROOT / "tests" / "store" / "independent_verifier.py")]
    (tmp_path / "log").write_bytes(b"\n".join([*honest(), b""]))
    run = subprocess.run([*program, tmp_path / "log", KEY.public.hex], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert "8 checkpoints" in run.stdout or "9 checkpoints" in run.stdout
    (tmp_path / "log").write_bytes(b"\n".join([*honest()[1:], b""]))
    run = subprocess.run([*program, tmp_path / "log"], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    text = (ROOT / "tests" / "store" / "independent_verifier.py").read_text()
    assert "import puntobanco" not in text
    assert "from puntobanco" not in text
    assert len(text.splitlines()) <= 125


# --- tampering without a key


def tampered(change: Callable[[Lines, int], None]) -> list[tuple[int, Report, Lines]]:
    """The change at every event of a log, and what the verifier says."""
    found = []
    total = len(events_of(honest()))
    for version in range(1, total):
        lines = list(honest())
        change(lines, event_at(lines, version))
        if lines != list(honest()):
            found.append((version, check(lines, seen=witness(honest())), lines))
    assert len(found) > total // 2
    return found


def change_bytes(lines: Lines, place: int) -> None:
    """Another time, which changes nothing in the game."""
    line = read_line(lines[place])
    lines[place] = lines[place].replace(f'"at":{line.at}'.encode(), f'"at":{line.at + 1}'.encode())


def change_amount(lines: Lines, place: int) -> None:
    """A cent more, wherever there is an amount."""
    text = lines[place].decode()
    if '"transfers":[["' in text:
        head, _, rest = text.partition('"transfers":[["')
        first, _, after = rest.partition("]")
        names, _, amount = first.rpartition(",")
        lines[place] = f'{head}"transfers":[["{names},{int(amount) + 1}]{after}'.encode()
    else:
        change_bytes(lines, place)


def drop(lines: Lines, place: int) -> None:
    del lines[place]


def swap(lines: Lines, place: int) -> None:
    other = next(later for later in range(place + 1, len(lines)) if kind_of(lines[later]) == "event")
    lines[place], lines[other] = lines[other], lines[place]


def double(lines: Lines, place: int) -> None:
    lines.insert(place, lines[place])


def spaces(lines: Lines, place: int) -> None:
    lines[place] = lines[place].replace(b",", b", ", 1)


def garbage(lines: Lines, place: int) -> None:
    lines[place] = lines[place][: len(lines[place]) // 2]


def blank(lines: Lines, place: int) -> None:
    lines.insert(place, b"")


@pytest.mark.parametrize("change", [change_bytes, change_amount, drop, swap, spaces, garbage, blank])
def test_a_change_names_its_event(change: Callable[[Lines, int], None]) -> None:
    for version, report, lines in tampered(change):
        assert report.problem is not None, (version, change)
        assert (report.problem.event, report.problem.last) == (version, version), report.problem
        assert str(report.problem).startswith(f"event {version}: ")
        assert not independent(lines) or change is spaces


def test_a_doubled_event_is_named() -> None:
    for version, report, _ in tampered(double):
        assert report.problem is not None
        assert report.problem.event == version + 1


def test_checkpoints_that_were_changed_dropped_or_swapped() -> None:
    places = [place for place, line in enumerate(honest()) if kind_of(line) == "checkpoint"]
    for number, place in enumerate(places, 1):
        version = read_checkpoint(honest()[place]).checkpoint.version
        for change in ("drop", "number", "head", "root", "before", "at", "signature", "key", "double", "garbage"):
            lines = list(honest())
            if change == "drop":
                del lines[place]
            elif change == "double":
                lines.insert(place, lines[place])
            elif change == "garbage":
                lines[place] = lines[place][:50]
            else:
                fields = json.loads(lines[place])
                part = fields if change in fields else fields["checkpoint"]
                value = part[change]
                part[change] = (
                    value + 1 if isinstance(value, int) else ("00" if value[:2] != "00" else "11") + value[2:]
                )
                lines[place] = encode(fields)
            report = check(lines)
            assert report.problem is not None, (number, change)
            assert report.problem.event <= version + 1
            assert report.problem.last >= version
            assert not independent(lines), (number, change)


def test_bytes_at_random() -> None:
    chance = random.Random(1)
    whole = b"\n".join([*honest(), b""])
    for _ in range(300):
        place = chance.randrange(len(whole))
        damaged = bytearray(whole)
        damaged[place] ^= 1 << chance.randrange(8)
        report = verify_log(bytes(damaged), KEY.public)
        assert report.problem is not None, place
        broken = whole.count(b"\n", 0, place) + 1
        assert abs(report.problem.line - broken) <= 2


def test_the_last_line_ends_like_all_others() -> None:
    log = b"\n".join([*honest(), b""])
    assert verify_log(log).problem is None
    problem = verify_log(log[:-1]).problem
    assert problem is not None
    assert "does not end" in problem.message


def test_input_that_is_no_log() -> None:
    for data in (b"", b"\n", b"\n\n", b"hello", b"{}", b"[]", b"\xff\xfe\x00", b"null\n" * 3, witness(honest())[0]):
        report = verify_log(data)
        assert report.problem is not None
        assert report.problem.event == 1


# --- truncation, other keys, and rewriting


def test_what_is_cut_off_behind_a_seen_checkpoint_is_named() -> None:
    seen = witness(honest())
    for place in range(1, len(honest())):
        lines = list(honest()[:place])
        report = check(lines, seen=seen[-1:])
        assert report.problem is not None
        last = read_checkpoint(seen[-1]).checkpoint.version
        events = len(events_of(lines))
        if "cut off" in report.problem.message:
            assert (report.problem.event, report.problem.last) == (min(events + 1, last), last)
        else:
            assert report.problem.event == events, report.problem


def test_what_is_cut_off_behind_nothing_seen_passes_as_an_open_table() -> None:
    lines = list(honest())
    while kind_of(lines[-1]) != "checkpoint" or len(lines) == len(honest()):
        lines.pop()
    report = check(lines)
    assert (report.problem, report.closed) == (None, False)


def test_a_log_signed_again_by_another_key() -> None:
    lines = rewrite(events_of(honest()), OTHER)
    report = check(lines)
    assert report.problem is not None
    assert OTHER.public.fingerprint in report.problem.message
    assert report.problem.event == 1
    assert check(lines, None).problem is None
    # a checkpoint that was seen tells the same without the key
    seen = witness(honest())
    report = check(lines, None, seen[:1])
    assert report.problem is not None
    assert "rewritten" in report.problem.message
    assert not independent(lines)


def test_one_checkpoint_signed_by_another_key() -> None:
    lines = list(honest())
    places = [place for place, line in enumerate(lines) if kind_of(line) == "checkpoint"]
    lines[places[3]] = witness(rewrite(events_of(lines), OTHER))[3]
    report = check(lines, None)
    assert report.problem is not None
    assert "not that of the checkpoints before" in report.problem.message
    assert report.problem.last == read_checkpoint(honest()[places[3]]).checkpoint.version


def test_a_rewrite_with_the_same_key_shows_against_what_was_seen() -> None:
    """The hardest case: the house itself writes another, perfectly good story."""
    records = events_of(honest())
    seen = [read_checkpoint(line).checkpoint for line in witness(honest())]
    for version in range(1, len(records) + 1):
        changed = list(records)
        changed[version - 1] = Record(version, NOW, "x", "y", records[version - 1].event)
        lines = rewrite(changed, KEY)
        assert check(lines).problem is None
        report = check(lines, seen=witness(honest()))
        assert report.problem is not None
        assert "rewritten" in report.problem.message
        before = max((each.version for each in seen if each.version < version), default=0)
        after = min(each.version for each in seen if each.version >= version)
        assert (report.problem.event, report.problem.last) == (before + 1, after)


def test_a_rewritten_chain_without_the_key_shows_at_the_next_checkpoint() -> None:
    records = events_of(honest())
    for version in range(1, len(records)):
        changed = list(records)
        changed[version - 1] = Record(version, NOW, "x", "y", records[version - 1].event)
        sealed = iter(seal(changed, FIRST))
        lines = [next(sealed) if kind_of(line) == "event" else line for line in honest()]
        report = check(lines)
        assert report.problem is not None
        assert "signs other events" in report.problem.message
        assert report.problem.event <= version <= report.problem.last


def test_seen_files() -> None:
    seen = witness(honest())
    other_table = witness(rewrite(events_of(honest()), KEY, "T2"))
    assert check(honest(), seen=[*seen, *other_table]).seen == len(seen)
    assert check(honest(), seen=[seen[0], seen[0]]).seen == 2
    assert check(honest(), seen=honest()[:40]).seen == len(witness(honest()[:40])) > 1
    assert parse_seen(b"\r\n".join(seen), "seen") == parse_seen(b"\n".join([*seen, b"", b""]), "seen")
    for bad in (b"hello", b"{}", seen[0][:-5], seen[0].replace(b'"number":1', b'"number":2')):
        with pytest.raises(SeenError, match=r"file:2: this (is no )?checkpoint|file:2: this"):
            parse_seen(b"\n" + bad, "file")
    with pytest.raises(SeenError, match="another key"):
        parse_seen(seen[0], "file", OTHER.public)


# --- what the rules forbid, written and signed by the house itself


def with_event(kind: type[e.Event], **changes: Any) -> Report:
    """The log with the last event of a kind changed, chained and signed anew."""
    records = events_of(honest())
    place = max(place for place, record in enumerate(records) if isinstance(record.event, kind))
    fields = {name: getattr(records[place].event, name) for name in records[place].event.__struct_fields__}
    for name, change in changes.items():
        fields[name] = change(fields[name])
    record = records[place]
    records[place] = Record(record.version, record.at, record.actor, record.command, kind(**fields))  # type: ignore[arg-type]
    report = check(rewrite(records, KEY))
    assert report.problem is not None
    assert report.problem.event == record.version, report.problem
    return report


def line_changed(**changes: Any) -> Callable[[tuple[e.SettledLine, ...]], tuple[e.SettledLine, ...]]:
    def change(lines: tuple[e.SettledLine, ...]) -> tuple[e.SettledLine, ...]:
        fields = {name: getattr(lines[0], name) for name in lines[0].__struct_fields__}
        return (e.SettledLine(**fields | changes), *lines[1:])

    return change


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lines": line_changed(profit=1_000_000_00)}, "by the rules"),
        ({"lines": line_changed(stake=1)}, "settles 1"),
        ({"lines": line_changed(person="eve")}, "of eve"),
        ({"lines": line_changed(commission=5)}, "commission"),
        ({"lines": lambda lines: lines[1:]}, "wagers"),
        ({"lines": lambda lines: (*lines, lines[0])}, "wagers"),
        ({"coup": lambda _: "P 9h9d B 8s8c"}, "the cards are"),
        ({"number": lambda number: number + 1}, "it is round"),
        ({"transfers": lambda transfers: transfers[1:]}, "more than the lines"),
        ({"transfers": lambda transfers: (*transfers, e.Transfer("tray", "chips:ann", 5))}, "more than the lines"),
        ({"transfers": lambda transfers: (*transfers, e.Transfer("tray", "chips:ann", 0))}, "a transfer of 0"),
        ({"transfers": lambda transfers: (*transfers, e.Transfer("layout:ann", "tray", 5))}, "overdrawn"),
    ],
)
def test_a_settlement_against_the_rules(changes: dict[str, Any], message: str) -> None:
    problem = with_event(e.RoundSettled, **changes).problem
    assert problem is not None
    assert message in problem.message


@pytest.mark.parametrize(
    ("field", "message"),
    [("opening", "not those"), ("drop", "not those"), ("result", "does not follow"), ("difference", "differ by")],
)
def test_a_reckoning_that_is_wrong(field: str, message: str) -> None:
    problem = with_event(e.TableClosed, **{field: lambda amount: amount + 1}).problem
    assert problem is not None
    assert message in problem.message


def test_a_result_that_the_cards_do_not_show() -> None:
    problem = with_event(e.ResultAnnounced, player_total=lambda total: (total + 1) % 10).problem
    assert problem is not None
    assert "the cards make" in problem.message


def test_an_irregularity_that_nobody_knows() -> None:
    records = events_of(honest())
    number = len(records) + 1
    for event in (e.IncidentOpened(99, "zzz", "", ""), e.Noted("zzz", "", "")):
        report = check(rewrite([*records, Record(number, NOW, HOUSE, "z", event)], KEY))
        assert report.problem is not None
        assert report.problem.event == number
        assert "there is no irregularity 'zzz'" in report.problem.message


def test_an_event_that_cannot_be() -> None:
    records = events_of(honest())
    late = Record(len(records) + 1, NOW, HOUSE, "z", e.RoundEnded(99, 0))
    report = check(rewrite([*records, late], KEY))
    assert report.problem is not None
    assert "cannot follow" in report.problem.message
    early = Record(len(records) + 1, -1, HOUSE, "z", e.CameBack("ann"))
    report = check(rewrite([*records, early], KEY))
    assert report.problem is not None
    assert "no time" in report.problem.message


def ten_times(amount: int) -> int:
    return 10 * amount


def first_moves(**changes: Any) -> Callable[[tuple[e.Transfer, ...]], tuple[e.Transfer, ...]]:
    return lambda transfers: (msgspec.structs.replace(transfers[0], **changes), *transfers[1:])


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    [
        (e.MoneyMoved, {"transfers": lambda found: tuple(replace(x, amount=10 * x.amount) for x in found)}, "moves"),
        (e.MoneyMoved, {"amount": ten_times}, "belongs to what it says"),
        (e.MoneyMoved, {"amount": lambda amount: -amount}, "no amount"),
        (e.MoneyMoved, {"transfers": first_moves(target="dropx")}, "to dropx"),
        (e.MoneyMoved, {"person": lambda _: "eve"}, "eve is no player"),
        (e.MoneyMoved, {"via": lambda _: "tip box"}, "by way of"),
        (e.MoneyMoved, {"transfers": lambda _: ()}, "moves nothing"),
        (e.TableOpened, {"opening_float": lambda _: {100_00: 5}}, "moves nothing, where 50000 from cage to tray"),
        (e.TableOpened, {"opening_float": lambda _: {100_00: -5}}, "-5 chips"),
        (e.TableOpened, {"opening_float": lambda _: {77: 5}}, "5 chips of 77"),
        (e.TableOpened, {"transfers": lambda _: (e.Transfer("cage", "tray", 5),)}, "where nothing belongs"),
        (e.WagersPlaced, {"wagers": lambda found: {bet: 2 * stake for bet, stake in found.items()}}, "belongs"),
        (e.WagersPlaced, {"wagers": lambda found: {bet: -stake for bet, stake in found.items()}}, "cannot be"),
        (e.WagersPlaced, {"transfers": first_moves(source="chips:ben", target="layout:ben")}, "belongs|overdrawn"),
        (e.WagersPlaced, {"box": lambda _: 99}, "no box 99"),
        (e.PlayerJoined, {"transfers": lambda _: (e.Transfer("tray", "chips:cam", 5),)}, "where nothing belongs"),
        (e.PlayerJoined, {"box": lambda _: 0}, "no box 0"),
        (e.PlayerLeft, {"transfers": first_moves(target="tips")}, "to tips"),
        (e.ShoeStarted, {"cards": lambda _: 415}, "of 416 belongs"),
        (e.ShoeStarted, {"number": lambda number: number + 1}, "belongs"),
        (e.RoundCalled, {"number": lambda _: -1}, "round -1 is called"),
        (e.RoundEnded, {"number": lambda _: -1}, "round -1 ends"),
        (e.RoundEnded, {"discards": lambda discards: discards + 1}, "discard holder"),
    ],
)
def test_what_an_event_moves_is_what_it_says(kind: type[e.Event], changes: dict[str, Any], message: str) -> None:
    problem = with_event(kind, **changes).problem
    assert problem is not None
    assert re.search(message, problem.message), problem.message


@pytest.mark.parametrize("kind", [e.InsuranceOffered, e.InsuranceMissed, e.Insured])
def test_insurance_at_odds_that_are_not_the_books(kind: type[e.Event]) -> None:
    def better(event: Any) -> Any:
        if isinstance(event, e.Insured):
            return replace(event, odds=Odds(99, 1))
        return replace(event, offers=tuple(replace(offer, odds=Odds(99, 1)) for offer in event.offers))

    assert places(kind)
    for name, place in places(kind):
        assert "where the book has" in changed_event(name, place, better)


@pytest.mark.parametrize(
    "kind",
    [
        e.BetFound,
        e.BetCorrected,
        e.InsuranceCorrected,
        e.InsuranceReread,
        e.MoneyRuled,
        e.DebtSettled,
        e.FillSigned,
        e.PlayerLeft,
    ],
)
def test_what_goes_wrong_moves_what_it_says(kind: type[e.Event]) -> None:
    found = [(name, place) for name, place in places(kind) if mishap(name)[place].event.transfers]  # type: ignore[union-attr]
    if kind not in (e.FillSigned, e.PlayerLeft, e.InsuranceReread, e.DebtSettled):
        assert found
    for name, place in found:
        changes: tuple[dict[str, Any], ...] = ({"target": "tipsy"}, {"amount": 1})
        for change in changes:
            changing = first_moves(**change)

            def elsewhere(event: Any, changing: Any = changing) -> Any:
                return replace(event, transfers=changing(event.transfers))

            changed = changed_event(name, place, elsewhere)
            assert re.search("belongs to what it says|whose they are|overdrawn", changed), changed


def test_the_money_of_every_event_is_looked_at() -> None:
    moving = {kind for kind in get_args(AnyEvent) if "transfers" in kind.__struct_fields__}
    returning = {e.RoundSettled, e.RoundSettledAgain} | _RETURNING
    assert moving == {e.TableOpened} | (moving & CHECKS.keys()) | returning


# --- committed shoes


def committed(*, cut: int = 0, wrong: str = "", close_after: int = 0) -> Report:
    """A table with an electronic shoe that was committed to, cut, played out and revealed."""
    chance = random.Random(8)
    order = chance.sample(CARDS * 8, 416)
    opened = settings(cut_card=350)
    book = find_book(opened.game).hash
    secret = Reveal("T1", 1, "5a" * 32, book, "".join(card.value for card in order))
    shown = secret
    if wrong == "order":
        shown = Reveal("T1", 1, "5a" * 32, book, "".join(card.value for card in order[::-1]))
    elif wrong == "book":
        secret = shown = Reveal("T1", 1, "5a" * 32, "00" * 32, shown.order)
    elif wrong == "decks":
        secret = shown = Reveal("T1", 1, "5a" * 32, book, "9h" * 416)
    elif wrong == "hex":
        shown = Reveal("T1", 1, "zz" * 32, book, shown.order)
    elif wrong == "shoe":
        shown = Reveal("T1", 2, "5a" * 32, book, shown.order)

    class Shoes:
        def next_command(self, table: Table, shoe: ShoeHistory | None) -> None:
            raise AssertionError("the test deals")

        def reveal(self, table: Table) -> Reveal | None:
            assert table.shoe.ended or not table.open
            return shown if wrong not in ("nothing", "nothing at the close") else None

    keeper = Keeper(MemoryStore(), KEY, shoes=Shoes())
    player = Player(keeper, "T1", 1)
    player.settings = opened
    player.open()
    player.do(c.NewShoe("drawn by the system", secret.commitment))
    if cut:
        player.do(c.Cut("ann", cut))
    cards: list[Card] = [*order[cut:], *order[:cut]]
    if wrong == "cards":
        cards[10] = next(card for card in CARDS if card is not cards[10])

    def deal(count: int) -> tuple[Card, ...]:
        taken, cards[:count] = tuple(cards[:count]), []
        return taken

    player.cards = deal  # type: ignore[method-assign]
    table = keeper.table("T1")
    while table is not None and not table.shoe.ended:
        if close_after and table.rounds == close_after and table.round is None:
            player.close()
            break
        player.step()
        table = keeper.table("T1")
    if wrong == "nothing":
        player.do(c.NewShoe("another", "ab" * 32))
    if wrong == "again":
        player.do(c.NewShoe("the same once more", secret.commitment))
    log = log_of(keeper)
    assert verify_log(log).problem is None or wrong
    return verify_log(log, KEY.public)


@pytest.mark.parametrize("cut", [0, 1, 100, 415])
def test_a_shoe_as_it_was_committed_to(cut: int) -> None:
    report = committed(cut=cut)
    assert (report.problem, report.shoes) == (None, 1)


def test_a_shoe_without_a_commitment_is_told() -> None:
    assert committed(cut=0).uncommitted == 0
    keeper = Keeper(MemoryStore(), KEY)
    player = Player(keeper, "T1", 1)
    player.open()
    player.do(c.NewShoe("drawn by the system"))
    report = verify_log(log_of(keeper), KEY.public)
    assert (report.problem, report.uncommitted) == (None, 1)


def test_a_shoe_in_use_is_revealed_when_the_table_closes() -> None:
    report = committed(cut=7, close_after=2)
    assert (report.problem, report.shoes, report.closed) == (None, 1, True)
    report = committed(cut=7, close_after=2, wrong="nothing at the close")
    assert report.problem is not None
    assert "was not revealed" in report.problem.message


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("order", "not the one that was committed to"),
        ("cards", "shoe 1: card 11 out of the shoe: the log has"),
        ("book", "committed to under another rule book"),
        ("decks", "times in 8 decks"),
        ("hex", "hexadecimal"),
        ("shoe", "none of that number"),
        ("nothing", "was not revealed"),
        ("again", "shoe 2 has the commitment of shoe 1"),
    ],
)
def test_a_shoe_that_was_not(wrong: str, message: str) -> None:
    report = committed(cut=100, wrong=wrong)
    assert report.problem is not None
    assert message in report.problem.message


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (e.ShoeStarted(2, 416, "machine"), "shoe 1 was committed to and is still in use"),
        (e.ShoeCut("ann", 9), "shoe 1 was cut after its first card"),
    ],
)
def test_what_cannot_happen_to_a_committed_shoe(event: AnyEvent, message: str) -> None:
    begun: list[AnyEvent] = [e.ShoeStarted(1, 416, "machine", "ab" * 32), e.CardsBurnt((None,))]
    opened = events_of(honest())[0]
    events = [opened.event, *begun, event]
    report = check(rewrite([Record(n, NOW, HOUSE, f"c{n}", each) for n, each in enumerate(events, 1)], KEY))
    assert report.problem is not None
    assert (report.problem.event, report.problem.message) == (4, message)


# --- the other settlement does not let through what this one finds


def test_records_made_by_the_engine_are_what_the_verifier_expects() -> None:
    opened = execute(None, Command("c", HOUSE, NOW, c.OpenTable(settings())))
    assert isinstance(opened, Done)
    bodies: list[tuple[AnyCommand, str]] = [(c.Join("ann", 1), "ann"), (c.ChipsIn("ann", 100_00), HOUSE)]
    records, table = [Record(1, NOW, HOUSE, "c", opened.events[0])], opened.table  # type: ignore[arg-type]
    for body, actor in bodies:
        done = execute(table, Command("c", actor, NOW, body))
        assert isinstance(done, Done)
        table = done.table
        records += [Record(table.version, NOW, actor, body.__class__.__name__, event) for event in done.events]  # type: ignore[arg-type]
    lines = rewrite(records, KEY)
    assert check(lines).balances == table.balances
    assert hash_of(lines[0]) == hashlib.sha256(lines[0]).hexdigest()


def test_tables_under_random_commands_verify() -> None:
    """Whatever happens at a table, proper or not, its log is good."""
    for seed in range(8):
        walk = Walk(random.Random(seed))
        for _ in range(80):
            walk.step()
        walk.finish()
        # commands at random commit to shoes that nobody reveals, and some of them are short
        whole = walk.table.settings.decks * 52
        events = [
            msgspec.structs.replace(event, cards=whole, commitment="") if isinstance(event, e.ShoeStarted) else event
            for event in walk.events
        ]
        records = [Record(version, NOW, "x", f"c{version}", event) for version, event in enumerate(events, 1)]  # type: ignore[arg-type]
        report = check(rewrite(records, KEY, walk.table.settings.table))
        assert report.problem is None, f"seed {seed}: {report.problem}"
        assert report.balances == walk.table.balances


# --- what went wrong at the table, and was put right


@cache
def mishap(name: str) -> tuple[Record, ...]:
    return tuple(play_script(parse_script(MISHAPS[name])).records)


@pytest.mark.parametrize("name", MISHAPS)
def test_histories_in_which_things_go_wrong_verify(name: str) -> None:
    records = mishap(name)
    report = check(rewrite(records, KEY, "t1"))
    assert report.problem is None
    kinds = (e.RoundSettled, e.RoundSettledAgain)
    assert report.rounds == sum(isinstance(record.event, kinds) for record in records)


def places(kind: type[e.Event]) -> list[tuple[str, int]]:
    """Where such events stand in the histories."""
    return [(name, n) for name in MISHAPS for n, record in enumerate(mishap(name)) if isinstance(record.event, kind)]


def changed_event(name: str, place: int, change: Callable[[Any], Any]) -> str:
    """What the verifier says of a history with one event changed."""
    records = list(mishap(name))
    record = records[place]
    records[place] = msgspec.structs.replace(record, event=change(record.event))
    report = check(rewrite(records, KEY, "t1"))
    assert report.problem is not None, (name, record)
    assert report.problem.event == record.version, report.problem
    return report.problem.message


def first_line(**changes: Any) -> Callable[[Any], Any]:
    def change(event: Any) -> Any:
        line = msgspec.structs.replace(event.lines[0], **changes)
        return msgspec.structs.replace(event, lines=(line, *event.lines[1:]))

    return change


def more_transfers(*transfers: e.Transfer) -> Callable[[Any], Any]:
    return lambda event: msgspec.structs.replace(event, transfers=(*event.transfers, *transfers))


@pytest.mark.parametrize(("name", "place"), places(e.RoundSettledAgain))
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (first_line(profit=1_000_000_00), "but (by the rules )?it"),
        (first_line(stake=1), "settles 1"),
        (first_line(person="eve"), "of eve"),
        (lambda event: msgspec.structs.replace(event, lines=event.lines[1:]), "wagers"),
        (more_transfers(e.Transfer("tray", "chips:ann", 5)), "more than the difference"),
        (more_transfers(e.Transfer("tray", "commission", 5)), "more than the difference"),
        (more_transfers(e.Transfer("owed:ann", "receivables", 5)), "more than the difference"),
        (lambda event: msgspec.structs.replace(event, number=99), "round 99|cannot follow"),
    ],
)
def test_a_round_settled_again_against_the_rules(
    name: str, place: int, change: Callable[[Any], Any], message: str
) -> None:
    assert re.search(message, changed_event(name, place, change))


@pytest.mark.parametrize("kind", [e.RoundVoided, e.BetsReturned, e.OptionTaken, e.WagerReduced, e.StakeRuled])
def test_bets_that_do_not_go_back_to_whose_they_are(kind: type[e.Event]) -> None:
    def to_the_tray(event: Any) -> Any:
        first, *rest = event.transfers
        return msgspec.structs.replace(event, transfers=(e.Transfer(first.source, "tray", first.amount), *rest))

    def a_little_less(event: Any) -> Any:
        first, *rest = event.transfers
        less = e.Transfer(first.source, first.target, first.amount - 1)
        return msgspec.structs.replace(event, transfers=(less, *rest))

    found = [(name, place) for name, place in places(kind) if mishap(name)[place].event.transfers]  # type: ignore[union-attr]
    assert found
    for name, place in found:
        assert "whose they are" in changed_event(name, place, to_the_tray)
        assert "left on" in changed_event(name, place, a_little_less)


def test_insurance_that_the_cards_do_not_offer() -> None:
    for kind in (e.InsuranceOffered, e.InsuranceMissed):
        for name, place in places(kind):

            def other_points(event: Any) -> Any:
                offer, *rest = event.offers
                offer = msgspec.structs.replace(offer, own=offer.own - 1)
                return msgspec.structs.replace(event, offers=(offer, *rest))

            assert "which the cards do not make" in changed_event(name, place, other_points)
    for name, place in places(e.Insured):
        message = changed_event(name, place, lambda event: msgspec.structs.replace(event, other=event.other - 1))
        assert re.search("not on offer|cannot follow", message)


LATE = ROOT / "tests" / "playthroughs" / "irregularities" / "late-discovery" / "tiger-buffalo-missing-card.txt"


def test_a_round_found_late_is_void_save_what_the_proper_cards_had_decided() -> None:
    """Tiger Buffalo 5.11: side bets keep a result that no card could have changed; everything else goes back."""
    records = list(play_script(parse_script(LATE.read_text(encoding="utf-8"))).records)
    places = [n for n, record in enumerate(records) if isinstance(record.event, e.RoundSettledAgain)]
    event = records[places[-1]].event
    assert isinstance(event, e.RoundSettledAgain)
    assert event.void
    assert {line.result for line in event.lines} > {Result.RETURNED}
    opened = records[0].event
    assert isinstance(opened, e.TableOpened)
    table = opened.settings.table
    assert check(rewrite(records, KEY, table)).problem is None
    for number, line in enumerate(event.lines):
        kept = line.result is not Result.RETURNED
        other = msgspec.structs.replace(
            line, result=Result.RETURNED if kept else Result.WON, profit=0 if kept else line.stake
        )
        changed = msgspec.structs.replace(event, lines=(*event.lines[:number], other, *event.lines[number + 1 :]))
        record = msgspec.structs.replace(records[places[-1]], event=changed)
        problem = check(rewrite([*records[: places[-1]], record, *records[places[-1] + 1 :]], KEY, table)).problem
        assert problem is not None
        assert problem.event == record.version
        assert "in a round that is void" in problem.message
