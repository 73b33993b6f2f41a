"""The verifier: what is right passes, and whatever was done to a log is found and named."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tests.script.mishaps import MISHAPS
from tests.store.build import KEY, Player, log_of, play, settings
from tests.store.independent_verifier import Verifier
from tests.table.walk import Walk

from puntobanco.cards import CARDS, Card
from puntobanco.rules.library import Library
from puntobanco.rules.load import GAMES, find_book
from puntobanco.script import format_log, parse_script
from puntobanco.script import play as play_script
from puntobanco.shoes.commit import Reveal
from puntobanco.shoes.history import ShoeHistory
from puntobanco.store import Keeper, MemoryStore, PrivateKey, PublicKey, Report, verify_log
from puntobanco.store.chain import Line, encode, kind_of, read_checkpoint, read_line, sealed
from puntobanco.store.verify import SeenError, parse_seen
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.engine import ENGINE
from puntobanco.table.entry import Entry
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


def entry_at(lines: Sequence[bytes], number: int) -> int:
    """The place of an entry among the lines, counted from 0."""
    return [place for place, line in enumerate(lines) if kind_of(line) == "entry"][number]


def entries_of(lines: Sequence[bytes]) -> list[Line]:
    return [read_line(line) for line in lines if kind_of(line) == "entry"]


def events_in(lines: Sequence[bytes]) -> int:
    return sum(len(entry.events) for entry in entries_of(lines))


def witness(lines: Sequence[bytes]) -> Lines:
    return [line for line in lines if kind_of(line) == "checkpoint"]


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
        report = check(sealed(played.entries, played.table.settings.table, KEY))
        assert report.problem is None, f"{file}: {report.problem}"
        report = verify_log(format_log(played.entries))
        assert (report.problem, report.chained) == (None, False), f"{file}: {report.problem}"


def test_a_game_of_ones_own_is_settled_by_its_book() -> None:
    books = Library(ROOT / "examples" / "books" / "ez-baccarat.toml")
    book = books(*books.own)
    keeper = Keeper(MemoryStore(), KEY, books=books)
    layout = next(iter(book.layouts.values()))
    own = msgspec.structs.replace(
        settings("T1", "super-six"), game=book.id, layout=layout.code, positions=max(layout.positions)
    )
    player = Player(keeper, "T1", 1)
    player.settings, player.bets, player.currency = own, layout.bets, book.currency
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


Change = Callable[[Lines, int], None]


def tampered(change: Change) -> list[tuple[Line, Report, Lines]]:
    """The change at every entry of a log, and what the verifier says."""
    found = []
    entries = entries_of(honest())
    for number, entry in enumerate(entries[:-1]):
        lines = list(honest())
        change(lines, entry_at(lines, number))
        if lines != list(honest()):
            found.append((entry, check(lines, seen=witness(honest())), lines))
    assert len(found) > len(entries) // 2
    return found


def change_bytes(lines: Lines, place: int) -> None:
    """Another device, which changes nothing in the game."""
    lines[place] = lines[place].replace(b'},"rank":', b',"device":"pit-3"},"rank":', 1)


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
    other = next(later for later in range(place + 1, len(lines)) if kind_of(lines[later]) == "entry")
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
def test_a_change_names_its_entry(change: Change) -> None:
    for entry, report, lines in tampered(change):
        problem = report.problem
        assert problem is not None, (entry, change)
        assert entry.version <= problem.event <= problem.last <= entry.last, problem
        events = "event" if problem.event == problem.last else "events"
        assert str(problem).startswith(f"{events} {problem.event}")
        assert not independent(lines) or change is spaces


def test_a_doubled_entry_is_named() -> None:
    for entry, report, _ in tampered(double):
        assert report.problem is not None
        assert report.problem.event == entry.last + 1


def test_a_command_that_is_given_twice_is_named() -> None:
    entries = list(entries_of(honest()))
    second = next(number for number, entry in enumerate(entries) if number > 20)
    given = replace(entries[second].command, id=entries[20].command.id)
    entries[second] = replace(entries[second], command=given)
    report = check(sealed(entries, "T1", KEY))
    assert report.problem is not None
    assert (report.problem.event, report.problem.last) == (entries[second].version, entries[second].version)
    assert f"was given before: event {entries[20].version} came of it" in report.problem.message
    assert not independent(sealed(entries, "T1", KEY))


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
        events = events_in(lines)
        if "cut off" in report.problem.message:
            assert (report.problem.event, report.problem.last) == (min(events + 1, last), last)
        else:
            assert report.problem.last == events, report.problem


def test_what_is_cut_off_behind_nothing_seen_passes_as_an_open_table() -> None:
    lines = list(honest())
    while kind_of(lines[-1]) != "checkpoint" or len(lines) == len(honest()):
        lines.pop()
    report = check(lines)
    assert (report.problem, report.closed) == (None, False)


def test_a_log_signed_again_by_another_key() -> None:
    lines = sealed(entries_of(honest()), "T1", OTHER)
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
    lines[places[3]] = witness(sealed(entries_of(lines), "T1", OTHER))[3]
    report = check(lines, None)
    assert report.problem is not None
    assert "not that of the checkpoints before" in report.problem.message
    assert report.problem.last == read_checkpoint(honest()[places[3]]).checkpoint.version


def test_a_rewrite_with_the_same_key_shows_against_what_was_seen() -> None:
    """The hardest case: the house itself writes another, perfectly good story."""
    seen = [read_checkpoint(line).checkpoint for line in witness(honest())]
    for number, entry in enumerate(entries_of(honest())):
        lines = sealed(elsewhere(number), "T1", KEY)
        assert check(lines).problem is None
        report = check(lines, seen=witness(honest()))
        assert report.problem is not None
        assert "rewritten" in report.problem.message
        before = max((each.version for each in seen if each.version < entry.version), default=0)
        after = min(each.version for each in seen if each.version >= entry.version)
        assert (report.problem.event, report.problem.last) == (before + 1, after)


def elsewhere(number: int) -> list[Entry]:
    """The log with one command from another device: as good as the true one."""
    entries: list[Entry] = list(entries_of(honest()))
    entries[number] = replace(entries[number], command=replace(entries[number].command, device="pit-3"))
    return entries


def test_a_rewritten_chain_without_the_key_shows_at_the_next_checkpoint() -> None:
    for number, entry in enumerate(entries_of(honest())[:-1]):
        chain = (line for line in sealed(elsewhere(number), "T1", OTHER) if kind_of(line) == "entry")
        lines = [next(chain) if kind_of(line) == "entry" else line for line in honest()]
        report = check(lines)
        assert report.problem is not None
        assert "signs other events" in report.problem.message
        assert report.problem.event <= entry.version <= report.problem.last


def test_seen_files() -> None:
    seen = witness(honest())
    other_table = witness(sealed(entries_of(honest()), "T2", KEY))
    assert check(honest(), seen=[*seen, *other_table]).seen == len(seen)
    assert check(honest(), seen=[seen[0], seen[0]]).seen == 2
    assert check(honest(), seen=honest()[:40]).seen == len(witness(honest()[:40])) > 1
    assert parse_seen(b"\r\n".join(seen), "seen") == parse_seen(b"\n".join([*seen, b"", b""]), "seen")
    for bad in (b"hello", b"{}", seen[0][:-5], seen[0].replace(b'"number":1', b'"number":2')):
        with pytest.raises(SeenError, match=r"file:2: this (is no )?checkpoint|file:2: this"):
            parse_seen(b"\n" + bad, "file")
    with pytest.raises(SeenError, match="another key"):
        parse_seen(seen[0], "file", OTHER.public)


# --- logs without hashes


def test_a_log_without_hashes_is_executed_all_the_same() -> None:
    plain = format_log(map(bare, entries_of(honest())))
    report = verify_log(plain)
    assert (report.problem, report.chained, report.key, report.checkpoints) == (None, False, None, 0)
    assert (report.events, report.commands) == (events_in(honest()), len(entries_of(honest())))
    problem = verify_log(
        plain.replace(b'"staff":', b'"rank":').replace(b'"amount":500000,"tr', b'"amount":500001,"tr')
    ).problem
    assert problem is not None
    assert "altered: the rules lead to another money_moved: amount 500000, not 500001" in problem.message


def bare(entry: Entry) -> Entry:
    return Entry(entry.version, entry.command, entry.rank, entry.events)


def test_hashes_cannot_be_left_out_of_a_log_that_somebody_trusts() -> None:
    plain = format_log(map(bare, entries_of(honest())))
    problem = verify_log(plain, KEY.public).problem
    assert problem is not None
    assert problem.message == "there are no hashes in this log: no key has signed it"
    problem = verify_log(plain, seen=parse_seen(b"\n".join(witness(honest())), "seen")).problem
    assert problem is not None
    assert "cut off" in problem.message
    lines = plain.splitlines()
    for mixed, says in (
        ([*lines[:5], honest()[5]], "changed: event 6 was written after another one"),
        ([*honest()[:5], lines[5]], "changed: event 6 was written after another one"),
        ([*lines[:5], witness(honest())[0]], "a checkpoint in a log without hashes"),
    ):
        problem = check(mixed, None).problem
        assert problem is not None
        assert problem.message == says


# --- another engine, another book


def test_another_engine_is_told_plainly() -> None:
    for engine in ("1", f"{ENGINE}1", "next"):
        first = honest()[0].replace(f'"engine":"{ENGINE}"'.encode(), f'"engine":"{engine}","more":1'.encode())
        problem = check([first, *honest()[1:]]).problem
        assert problem is not None
        assert (problem.event, problem.message) == (
            1,
            f"engine {engine} made this log, and this is engine {ENGINE}: another one may decide otherwise",
        )


def test_a_book_that_is_not_here_is_told_plainly() -> None:
    book = find_book("tiger-buffalo")
    other = [line.replace(book.hash.encode(), b"ab" * 32) for line in honest()]
    problem = check(other).problem
    assert problem is not None
    assert problem.message == (
        f"the book tiger-buffalo with the hash {'ab' * 32} made this log, and the one here has {book.hash}"
    )
    problem = check([line.replace(b'"tiger-buffalo"', b'"lion-buffalo"') for line in honest()]).problem
    assert problem is not None
    assert "lion-buffalo" in problem.message


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
        player.do(c.CutShoe("ann", cut))
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


# --- whatever happens


def test_tables_under_random_commands_verify() -> None:
    """Whatever happens at a table, proper or not, its log is good."""
    verified = 0
    for seed in range(12):
        walk = Walk(random.Random(seed))
        for _ in range(80):
            walk.step()
        walk.finish()
        if any(entry.command.id == "short" for entry in walk.entries):
            continue  # no command leads to a shoe that is nearly empty
        report = verify_log(format_log(walk.entries))
        assert report.problem is None, f"seed {seed}: {report.problem}"
        assert report.balances == walk.table.balances
        verified += 1
    assert verified > 5


# --- what went wrong at the table, and was put right


@pytest.mark.parametrize("name", MISHAPS)
def test_histories_in_which_things_go_wrong_verify(name: str) -> None:
    played = play_script(parse_script(MISHAPS[name]))
    report = check(sealed(played.entries, "t1", KEY))
    assert report.problem is None
    kinds = (e.RoundSettled, e.RoundSettledAgain)
    assert report.rounds == sum(isinstance(record.event, kinds) for record in played.records)


DEEP = b'{"a":' * 200_000
STRANGE = {
    "entry": b'{"version":1,"events":[' + DEEP,
    "checkpoint": b'{"checkpoint":' + DEEP,
    "reveal": b'{"reveal":' + DEEP,
    "nothing": DEEP,
    "no text": b"\xff\xfe",
    "invalid UTF-8": b'{"version":1,"\xff":1}',
}


@pytest.mark.parametrize("what", STRANGE)
def test_a_line_that_is_deeply_nested_or_no_text_is_named(what: str) -> None:
    lines = honest()
    for place in (0, 1, len(lines) // 2, len(lines)):
        problem = check([*lines[:place], STRANGE[what], *lines[place:]]).problem
        assert problem is not None
        assert problem.line <= place + 2, "where it stands"
