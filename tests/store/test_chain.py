"""Lines, their hashes and forms; checkpoints, keys, proofs, reveals."""

from __future__ import annotations

import base64
import hashlib
import json
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from tests.store.build import KEY, NOW, an_entry, log_of, play

from puntobanco.cards import CARDS
from puntobanco.shoes.commit import Reveal
from puntobanco.store import PrivateKey, PublicKey, load_private_key, load_public_key
from puntobanco.store.chain import (
    FIRST,
    Checkpoint,
    LineError,
    hash_of,
    kind_of,
    moment_of,
    read_checkpoint,
    read_line,
    read_reveal,
    seal,
    sealed,
    sign_checkpoint,
)
from puntobanco.store.keys import KeyFileError
from puntobanco.store.proofs import (
    check_consistency,
    check_inclusion,
    prove_consistency,
    prove_inclusion,
    tree_of,
)
from puntobanco.store.tree import Tree
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.entry import Entry

# --- entries


def test_a_line_byte_for_byte() -> None:
    body = c.SignOn("Zoë", "pit_manager")
    events = (e.StaffSignedOn("Zoë", "pit_manager"), e.CameBack("Zoë"))
    entry = Entry(2, Command("c7", "dana", NOW, body, 1, "pit-3"), "pit_supervisor", events)
    line = seal(entry, "ab" * 32)
    assert (
        line
        == (
            '{"version":2,"command":{"id":"c7","actor":"dana","at":1800000000000,'
            '"body":{"do":"sign_on","person":"Zoë","rank":"pit_manager"},"against":1,"device":"pit-3"},'
            '"rank":"pit_supervisor","events":[{"event":"staff_signed_on","person":"Zoë","rank":"pit_manager"},'
            '{"event":"came_back","person":"Zoë"}],"prev":"' + "ab" * 32 + '"}'
        ).encode()
    )
    read = read_line(line)
    assert (read.version, read.command, read.rank, read.events) == (2, entry.command, entry.rank, events)
    assert (read.last, read.records) == (3, entry.records)
    assert [(each.version, each.at, each.actor, each.command) for each in entry.records] == [
        (2, NOW, "dana", "c7"),
        (3, NOW, "dana", "c7"),
    ]
    assert moment_of(line) == NOW
    without = seal(Entry(2, Command("c7", "dana", NOW, body), "", events), FIRST)
    assert b'"against"' not in without
    assert b'"device"' not in without


def test_each_line_has_the_hash_of_the_one_before() -> None:
    lines = sealed([an_entry(1, after, f"c{after}") for after in range(4)], "T1", KEY)
    assert [json.loads(line)["prev"] for line in lines] == [
        FIRST,
        *(hashlib.sha256(line).hexdigest() for line in lines[:-1]),
    ]


def test_the_order_of_wagers_survives() -> None:
    wagers = {"tie": 5, "banker": 10, "player": 5}
    given = Command("c", "ann", 0, c.Place("ann", 1, wagers))
    read = read_line(seal(Entry(1, given, "player", (e.WagersPlaced("ann", 1, wagers, ()),)), FIRST))
    (found,) = read.events
    assert isinstance(found, e.WagersPlaced)
    assert isinstance(read.command.body, c.Place)
    assert list(found.wagers) == list(read.command.body.wagers) == ["tie", "banker", "player"]


GIVEN = b'{"version":1,"command":{"id":"","actor":"","at":0,"body":{"do":"call"}},"rank":"",'


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b'{"version":1}',
        GIVEN + b'"events":[{"event":"nothing"}],"prev":""}',
        GIVEN + b'"events":[{"event":"came_back","person":"a"}],"prev":"","x":1}',
        GIVEN + b'"events":[{"event":"came_back","person":"a"}]}',
        GIVEN + b'"events":[],"prev":""}',
    ],
)
def test_what_is_no_line(bad: bytes) -> None:
    with pytest.raises(LineError):
        read_line(bad)


def test_lines_without_a_time() -> None:
    assert moment_of(b'{"at":7,"entry":{}}') == 7
    for bad in (b"", b"[]", b'{"command":{}}'):
        with pytest.raises(LineError):
            moment_of(bad)


def test_what_stands_beside_the_entries_is_told_by_its_beginning() -> None:
    keeper, _ = play(2)
    kinds = [kind_of(line) for line in log_of(keeper).splitlines()]
    assert kinds.count("checkpoint") == 2
    assert set(kinds) == {"entry", "checkpoint"}


# --- keys


def test_keys_in_files(tmp_path: Path) -> None:
    key = PrivateKey.generate()
    key.save(tmp_path / "key")
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    (tmp_path / "key.pub").write_bytes(key.public.pem())
    assert load_private_key(tmp_path / "key").public == load_public_key(tmp_path / "key.pub") == key.public
    with pytest.raises(FileExistsError):
        key.save(tmp_path / "key")
    assert key.public.fingerprint == hashlib.sha256(bytes.fromhex(key.public.hex)).hexdigest()
    assert key.public != PrivateKey.generate().public
    assert len({key.public, load_public_key(tmp_path / "key.pub")}) == 1


def test_files_without_a_key(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no key")
    # a key of another kind, on the curve P-256
    (tmp_path / "other").write_text(
        "-----BEGIN PUBLIC KEY-----\n"
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\n"
        "6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n"
        "-----END PUBLIC KEY-----\n"
    )
    for file in ("text", "other", "nothing", "with\0nul"):
        with pytest.raises(KeyFileError):
            load_public_key(tmp_path / file)
        with pytest.raises(KeyFileError):
            load_private_key(tmp_path / file)
    with pytest.raises(KeyFileError):
        PublicKey(b"short")


def test_a_key_file_with_any_byte_changed_is_refused_or_another_key(tmp_path: Path) -> None:
    """Another curve's name over a key this short makes the cryptographic library itself fail."""
    path = tmp_path / "house.key"
    KEY.save(path)
    first, *lines, last = path.read_text().splitlines()
    good = base64.b64decode("".join(lines))
    for place in range(len(good)):
        for value in {good[place] ^ 1, good[place] ^ 0x80, 0, 0x6F, 0x71, 0xFF}:
            changed = bytes((*good[:place], value, *good[place + 1 :]))
            path.write_text("\n".join((first, base64.b64encode(changed).decode(), last, "")))
            with suppress(KeyFileError):
                assert (load_private_key(path).public == KEY.public) is (changed == good)


# --- checkpoints and proofs


def test_a_checkpoint_byte_for_byte() -> None:
    line = sign_checkpoint(Checkpoint("T1", 3, 57, NOW, "aa" * 32, "bb" * 32, "cc" * 32), KEY)
    body = (
        '{"table":"T1","number":3,"version":57,"at":1800000000000,"head":"'
        + "aa" * 32
        + '","root":"'
        + "bb" * 32
        + '","before":"'
        + "cc" * 32
        + '"}'
    ).encode()
    signature = KEY.sign(b"puntobanco checkpoint 1\n" + body).hex()
    assert line == b'{"checkpoint":' + body + f',"key":"{KEY.public.hex}","signature":"{signature}"}}'.encode()
    signed = read_checkpoint(line)
    assert signed.signed_by(KEY.public)
    assert not signed.signed_by(PrivateKey.generate().public)
    assert not read_checkpoint(line.replace(b'"signature":"', b'"signature":"zz')).signed_by(KEY.public)
    with pytest.raises(LineError):
        read_checkpoint(line.replace(b":", b": ", 1))


def test_checkpoints_follow_rounds_and_the_close() -> None:
    keeper, player = play(5)
    player.close()
    lines = log_of(keeper).splitlines()
    before = [read_line(lines[place - 1]) for place, line in enumerate(lines) if kind_of(line) == "checkpoint"]
    kinds = [type(line.events[-1]).__name__ for line in before]
    assert kinds == ["RoundEnded"] * 5 + ["TableClosed"]
    signed = [read_checkpoint(line).checkpoint for line in lines if kind_of(line) == "checkpoint"]
    assert [checkpoint.number for checkpoint in signed] == [1, 2, 3, 4, 5, 6]
    assert [checkpoint.version for checkpoint in signed] == [line.last for line in before]
    tree = Tree(bytes.fromhex(checkpoint.head) for checkpoint in signed)
    sealed = [line for line in lines if kind_of(line) == "checkpoint"]
    assert [checkpoint.before for checkpoint in signed] == [FIRST, *(hash_of(line) for line in sealed[:-1])]
    assert [checkpoint.root for checkpoint in signed] == [tree.root(size).hex() for size in range(1, 7)]


def test_proofs_between_checkpoints() -> None:
    keeper, _ = play(21)
    found = [read_checkpoint(each.line).checkpoint for each in keeper.store.beside("T1")]
    tree = tree_of(keeper.store, "T1")
    other = Checkpoint("T2", 3, 57, NOW, "aa" * 32, "bb" * 32, FIRST)
    for held in found:
        for later in found[held.number - 1 :]:
            inclusion = prove_inclusion(tree, held.number, later.number)
            consistency = prove_consistency(tree, held.number, later.number)
            assert check_inclusion(held, later, inclusion)
            assert check_consistency(held, later, consistency)
            assert max(len(inclusion), len(consistency)) <= (later.number - 1).bit_length()
            assert not check_inclusion(other, later, inclusion)
            assert not check_consistency(other, later, consistency)


def test_a_million_rounds_take_twenty_hashes() -> None:
    tree = Tree(number.to_bytes(32) for number in range(1_000_000))
    for number in (1, 2, 3, 5, 524_287, 524_289, 699_051, 786_431, 983_039, 999_999):
        assert len(prove_inclusion(tree, number, 1_000_000)) <= 20
        assert len(prove_consistency(tree, number, 1_000_000)) <= 20


# --- reveals


def test_a_commitment_byte_for_byte() -> None:
    order = "".join(card.value for card in CARDS)
    reveal = Reveal("T1", 1, "01" * 32, "02" * 32, order)
    assert reveal.commitment == hashlib.sha256(b"\x01" * 32 + b"\x02" * 32 + order.encode()).hexdigest()
    line = ('{"reveal":{"table":"T1","shoe":1,"salt":"' + "01" * 32 + '","book":"' + "02" * 32).encode()
    line += f'","order":"{order}"}}}}'.encode()
    assert read_reveal(line) == reveal
    assert kind_of(line) == "reveal"
    with pytest.raises(LineError):
        read_reveal(line + b" ")


def test_the_hash_of_a_line_is_of_its_bytes() -> None:
    assert hash_of(b"abc") == hashlib.sha256(b"abc").hexdigest()
