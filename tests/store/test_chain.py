"""Lines, their hashes and forms; checkpoints, keys, proofs, reveals."""

from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path

import pytest
from puntobanco.store.forms import FORMS, Fields, Forms
from tests.store.build import KEY, NOW, log_of, play, records

from puntobanco.cards import CARDS
from puntobanco.rules.model import Authority
from puntobanco.shoes.commit import Reveal
from puntobanco.store import PrivateKey, PublicKey, load_private_key, load_public_key
from puntobanco.store.chain import (
    FIRST,
    Checkpoint,
    LineError,
    hash_of,
    is_canonical,
    kind_of,
    read_checkpoint,
    read_line,
    read_reveal,
    seal,
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
from puntobanco.table import events as e
from puntobanco.table.events import Record

# --- event lines


def test_a_line_byte_for_byte() -> None:
    record = Record(2, NOW, "dana", "c7", e.StaffSignedOn("Zoë", Authority.PIT_MANAGER))
    (line,) = seal([record], "ab" * 32)
    assert (
        line
        == (
            '{"prev":"' + "ab" * 32 + '","version":2,"at":1800000000000,"actor":"dana","command":"c7",'
            '"event":{"event":"staff_signed_on","person":"Zoë","rank":"pit_manager"}}'
        ).encode()
    )
    assert read_line(line).record == record


def test_each_line_has_the_hash_of_the_one_before() -> None:
    lines = seal(records(4), FIRST)
    assert [json.loads(line)["prev"] for line in lines] == [
        FIRST,
        *(hashlib.sha256(line).hexdigest() for line in lines[:-1]),
    ]


def test_the_order_of_wagers_survives() -> None:
    event = e.WagersPlaced("ann", 1, {"tie": 5, "banker": 10, "player": 5}, ())
    (line,) = seal([Record(1, 0, "ann", "c", event)], FIRST)
    found = read_line(line).event
    assert isinstance(found, e.WagersPlaced)
    assert list(found.wagers) == ["tie", "banker", "player"]


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b'{"version":1}',
        b'{"prev":"","version":1,"at":0,"actor":"","command":"","event":{"event":"nothing"}}',
        b'{"prev":"","version":1,"at":0,"actor":"","command":"","event":{"event":"came_back","person":"a"},"x":1}',
        b'{"prev":"","version":1,"at":0,"actor":"","command":"","event":{"event":"came_back","person":"a"},"form":2}',
    ],
)
def test_what_is_no_line(bad: bytes) -> None:
    with pytest.raises(LineError):
        read_line(bad)


def test_there_is_one_way_to_write_a_line() -> None:
    (line,) = seal(records(1), FIRST)
    assert is_canonical(line, read_line(line))
    for other in (
        line.replace(b":", b": ", 1),
        line.replace(b'"at":', b'"at":1,"at":'),
        line.replace(b"staff 1", b"\\u0073taff 1"),
        line.replace(b'"person"', b'"unknown":1,"person"'),
        line.replace(b'"person":"staff 1","rank":"dealer"', b'"rank":"dealer","person":"staff 1"'),
        line[:-1] + b',"form":1}',
    ):
        assert other != line
        assert not is_canonical(other, read_line(other)), other


def test_an_opening_is_written_as_ever() -> None:
    """Settings with another field are another form of the event (forms.py): stored lines stay canonical for ever."""
    assert is_canonical(OPENING, read_line(OPENING))


OPENING = (
    b'{"prev":"0000000000000000000000000000000000000000000000000000000000000000","version":1,"at":0,"actor":"ho'
    b'use","command":"c","event":{"event":"table_opened","settings":{"table":"T1","game":"super-six","layout":"'
    b'A","positions":9,"decks":8,"limits":{"minimum":500,"maximum":1000000,"step":500},"bet_limits":{},"differe'
    b'ntial":null,"chips":[1000000,100000,50000,10000,2500,500,100,50,5,1],"currency":"SGD","digits":2,"roundin'
    b'g":{"mode":"down","unit":1},"automated":["deal","offer","announce","settle","confirm","squeeze"],"face_do'
    b'wn":false,"high_limit":false,"no_insurance":false,"burn":"none","cut_card":16,"rounds_after_cut":0,"count'
    b'down":20,"insurance_countdown":10,"forgo":"round","squeeze_rights":"one","unburnt_shoe":"any","shifts":{"'
    b'day_begins":360,"names":["day","swing","night"]},"book_hash":""},"opening_float":{"10000":5},"transfers":'
    b'[["cage","tray",50000]]}}'
)


def test_what_stands_beside_the_events_is_told_by_its_beginning() -> None:
    keeper, _ = play(2)
    kinds = [kind_of(line) for line in log_of(keeper).splitlines()]
    assert kinds.count("checkpoint") == 2
    assert set(kinds) == {"event", "checkpoint"}


# --- forms


def came_back(fields: str, form: str = "") -> bytes:
    event = '"event":{"event":"came_back",' + fields + "}"
    return ('{"prev":"","version":1,"at":0,"actor":"","command":"",' + event + form + "}").encode()


def test_old_forms_are_raised_when_read() -> None:
    forms = Forms()

    @forms.upcaster("came_back", 1)
    def _(fields: Fields) -> Fields:
        return fields | {"who": fields.pop("name")}

    @forms.upcaster("came_back", 2)
    def _(fields: Fields) -> Fields:
        fields["person"] = fields.pop("who")
        return fields

    assert forms.current["came_back"] == 3
    ann = e.CameBack("ann")
    assert read_line(came_back('"name":"ann"'), forms).event == ann
    assert read_line(came_back('"who":"ann"', ',"form":2'), forms).event == ann
    assert read_line(came_back('"person":"ann"', ',"form":3'), forms).event == ann
    (line,) = seal([Record(1, 0, "", "", ann)], "", forms)
    assert line == came_back('"person":"ann"', ',"form":3')
    for bad in (came_back('"person":"ann"', ',"form":4'), came_back('"person":"ann"'), came_back('"name":1')):
        with pytest.raises(LineError):
            read_line(bad, forms)


def test_a_type_may_be_renamed() -> None:
    forms = Forms()

    @forms.upcaster("returned_to_table", 1)
    def _(fields: Fields) -> Fields:
        return {"event": "came_back", "person": fields["person"]}

    line = came_back('"person":"ann"').replace(b"came_back", b"returned_to_table")
    assert read_line(line, forms).event == e.CameBack("ann")
    assert is_canonical(line, read_line(line, forms), forms)


def test_every_event_type_has_a_form() -> None:
    assert set(FORMS.current.values()) == {1}
    assert FORMS.changed == frozenset()
    assert FORMS.current["round_settled"] == 1


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
    kinds = [type(line.event).__name__ for line in before]
    assert kinds == ["RoundEnded"] * 5 + ["TableClosed"]
    signed = [read_checkpoint(line).checkpoint for line in lines if kind_of(line) == "checkpoint"]
    assert [checkpoint.number for checkpoint in signed] == [1, 2, 3, 4, 5, 6]
    assert [checkpoint.version for checkpoint in signed] == [line.version for line in before]
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
