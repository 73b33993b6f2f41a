"""What viewers see of events: nothing that is not theirs, whatever happens, and all that is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace
from tests import test_harbour_house as harbour_house
from tests.script.mishaps import MISHAPS
from tests.table.build import DEALER, DIRECTOR, Play, open_table
from tests.test_playthroughs import FILES, played
from tests.views.test_views import other_cards
from tests.views.watch import mishap, moments, people_in, renamed, walked

from puntobanco.cards import CARDS, Card, Side
from puntobanco.rules.load import find_book
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE
from puntobanco.table.engine import FindBook, fold
from puntobanco.table.entry import Entry, records_of
from puntobanco.table.events import Record
from puntobanco.table.folds import evolve
from puntobanco.table.rulings import ValueCard
from puntobanco.table.state import Table
from puntobanco.views import Seen, Viewer, ViewerKind, concerned, seen, view
from puntobanco.views.seen import RULES, SEEN_TYPES, Part, Sight

EVENTS: tuple[type[e.Event], ...] = get_args(e.AnyEvent)
WALKS = range(24)
STAFF: tuple[ViewerKind, ...] = ("dealer", "pit", "surveillance")
PUBLIC = Viewer("display")

TEXTS = {"reason", "about", "note", "evidence", "decision", "finding", "via"}
"""Fields that people fill with words."""
BOOKS = {"transfers", "opening_float", "count", "opening", "closing", "fills", "credits", "drop", "difference"}
"""Fields with the table's money."""
NOT_TOLD = {"by", "reason", "note", "to_person"}
"""What is missing even of an event about oneself: who of the staff did it, and why."""
TOLD_ANYWAY = (
    *(e.IncidentOpened, e.CardsArranged, e.CardsRetrieved, e.CardCorrected, e.ShoeKept),
    *(e.PlayInterrupted, e.RoundSettledAgain, e.CardPut, e.CardTurned),
    *(e.HandCorrected, e.CardStruck, e.CardAdded, e.OrderCorrected),
    *(e.LimitsSet, e.DifferentialSet),
)
"""Events of open cards, bets and why play waits that at times leave a view as it was: a second incident of a kind,
cards put where they lie, none to put back, a card of an earlier round or of one to come, a round settled for the
third time, a sign set as it stands."""
CARD = re.compile(rf"(?<![\w])(?:{'|'.join(card.value for card in CARDS)})+(?![\w])")


def encoded(what: Seen) -> str:
    return msgspec.json.encode(what).decode()


def shown(what: Seen) -> dict[str, Any]:
    """The fields of an event that are shown."""
    return fields_of(what.event) if what.event is not None else {}


def fields_of(event: msgspec.Struct) -> dict[str, Any]:
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    plain: dict[str, Any] = json.loads(
        msgspec.json.encode({name: value for name, value in fields.items() if value is not UNSET})
    )
    return plain


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for each in value.values():
            yield from leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each)
    else:
        yield value


def cards_in(value: Any) -> set[str]:
    """Every card that is named, in texts too."""
    texts = [text for text in leaves(value) if isinstance(text, str)]
    return {found[at : at + 2] for text in texts for found in CARD.findall(text) for at in range(0, len(found), 2)}


def open_cards(table: Table) -> set[str]:
    """Cards of this shoe and the one before that lie, or lay, open."""
    rounds = [*table.previous, *table.past, table.round, table.last]
    drawn = [*table.carried, *(each for found in rounds if found is not None for each in found.cards)]
    return {each.card.value for each in drawn if each.turned and each.card is not None}


# --- whatever happens


def watch(entries: Iterable[Entry], books: FindBook = find_book) -> None:
    """Look at a whole history with everybody's eyes."""
    entries = renamed(entries)
    records = records_of(entries)
    everybody = people_in(records)
    staff = {record.event.person for record in records if isinstance(record.event, e.StaffSignedOn)}
    before: Table | None = None
    for number, (record, table) in enumerate(moments(entries, books), 1):
        assert record.version == number
        check_moment(record, table, everybody - staff, everybody)
        if before is not None:
            check_against_views(record, before, table)
        before = table


def check_moment(record: Record, table: Table, players: set[str], everybody: set[str]) -> None:
    public = seen(record, table, PUBLIC)
    check_any(record, table, public)
    check_public(public, everybody)
    check_cards(table, public)
    for name in players:
        own = seen(record, table, Viewer("player", name))
        check_player(record, own, public, name, name in concerned(record, table))
        check_public(without_own_words(own), everybody - {name})
        check_cards(table, own)
    check_dealer(record, seen(record, table, Viewer("dealer", HOUSE)))
    check_books(record, seen(record, table, Viewer("pit", HOUSE)))
    assert seen(record, table, Viewer("surveillance")) == seen(record, table, Viewer("pit"))
    check_disguised(record, table)


def check_against_views(record: Record, before: Table, after: Table) -> None:
    """What changes nothing in the view of a display shows it nothing."""
    told = seen(record, after, PUBLIC)
    if not told.hidden and not isinstance(record.event, TOLD_ANYWAY):
        looks = [view(table, PUBLIC, record.at) for table in (before, after)]
        old, new = ((look.public, look.flags, look.next_step) for look in looks)
        assert old != new, record


def check_any(record: Record, table: Table, public: Seen) -> None:
    for kind in (*STAFF, "display"):
        what = seen(record, table, Viewer(kind, HOUSE))
        assert (what.version, what.at) == (record.version, record.at)
        assert msgspec.json.decode(msgspec.json.encode(what), type=Seen) == what
        assert what.event is None or what.event.__struct_config__.tag == type(record.event).__struct_config__.tag
    # who asks for more than his place allows, or has none, sees what anybody sees
    for viewer in (
        Viewer("dealer", "nobody"),
        Viewer("player", ""),
        Viewer("player", HOUSE),
        Viewer("player", "nobody"),
    ):
        assert seen(record, table, viewer) == public


def check_public(what: Seen, others: set[str]) -> None:
    text = encoded(what)
    assert not [name for name in others if name in text], text


def without_own_words(what: Seen) -> Seen:
    """A player's own dispute holds what he said, and what he was told, whoever is named there."""
    if not isinstance(what.event, SEEN_TYPES[e.DisputeRaised] | SEEN_TYPES[e.DisputeDecided]):
        return what
    said = {name: UNSET for name in what.event.__struct_fields__ if name in TEXTS}
    return replace(what, event=replace(what.event, **said))


def check_cards(table: Table, what: Seen) -> None:
    assert cards_in(shown(what)) <= open_cards(table), what


def check_player(record: Record, own: Seen, public: Seen, name: str, about_him: bool) -> None:
    """Who is not concerned sees what anybody sees; who is sees that and his own, which is whole."""
    if not about_him:
        assert own == public
        return
    assert (own.actor, own.command) == ((name, record.command) if record.actor == name else ("", ""))
    fields, there = shown(own), fields_of(record.event)
    assert shown(public).keys() <= fields.keys()
    event = record.event
    if getattr(event, "person", "") != name or isinstance(event, e.IncidentOpened):
        return
    # what staff found suspicious is said among themselves
    suspicion = {"about", "finding"} if isinstance(event, e.SuspectHeld | e.SuspectResolved) else set()
    assert there.keys() - fields.keys() <= NOT_TOLD | suspicion, own
    for field, value in fields.items():
        mine = [line for line in value if name in json.dumps(line)] if field == "transfers" else value
        assert value == mine
        assert value == there[field] or (field == "transfers" and all(line in there[field] for line in value))


def check_dealer(record: Record, what: Seen) -> None:
    """The felt, but nothing of the tray and the boxes, and no card that is not turned."""
    fields = shown(what)
    assert not fields.keys() & BOOKS
    assert not {"tray", "drop", "commission", "tips", "cage", "receivables"} & set(leaves(fields))
    assert (what.actor, what.command) == (record.actor, record.command)
    missing = fields_of(record.event).keys() - fields.keys() - BOOKS
    if isinstance(record.event, e.TableClosed | e.FillSigned):
        assert {"result", "amount"} & missing
        missing -= {"result", "amount"}
    assert missing <= {"card", "ruling", "was"}, what


def check_books(record: Record, what: Seen) -> None:
    """Everything but cards that nobody has seen."""
    fields, there = shown(what), fields_of(record.event)
    hidden = there.keys() - fields.keys()
    match record.event:
        case e.CardDrawn():
            assert hidden == {"card"}
        case e.EarlyCardDrawn(turned=turned):
            assert hidden == (set() if turned else {"card"})
        case e.CardsBurnt(cards=cards):
            assert fields["cards"] == [None] * len(cards)
            return
        case e.RulingProposed(ruling=ruling) | e.RulingGiven(ruling=ruling):
            assert hidden <= ({"ruling"} if hasattr(ruling, "card") else set())
        case _:
            assert not hidden, what
    assert all(fields[name] == there[name] for name in fields)


def check_disguised(record: Record, table: Table) -> None:
    """Other cards face down, other words, other people and other money: nobody without a right to them can tell."""
    down = replace(record, event=other_down(record.event))
    hidden = replace(
        table,
        round=other_cards(table.round),
        last=other_cards(table.last),
        past=tuple(map(other_cards, table.past)),
        previous=tuple(map(other_cards, table.previous)),
    )
    for kind in (*STAFF, "display"):
        viewer = Viewer(kind, HOUSE)
        assert seen(down, hidden, viewer) == seen(record, table, viewer)
    told = replace(down, actor="another", command="another", event=other_words(down.event))
    assert seen(told, hidden, PUBLIC) == seen(record, table, PUBLIC)
    booked = replace(record, event=other_money(record.event))
    dealer = Viewer("dealer", HOUSE)
    assert seen(booked, table, dealer) == seen(record, table, dealer)


def other_down(event: Any) -> Any:
    match event:
        case e.CardDrawn(card=card) if card is not None:
            return replace(event, card=other(card))
        case e.EarlyCardDrawn(card=card, turned=False) if card is not None:
            return replace(event, card=other(card))
        case e.CardsBurnt(cards=cards):
            return replace(event, cards=tuple(other(card) if card else CARDS[0] for card in cards))
    return event


def other(card: Card) -> Card:
    return CARDS[card.index - 7]


def other_words(event: Any) -> Any:
    """Every word that somebody said, and every name."""
    changes: dict[str, Any] = {
        name: "other words" for name in event.__struct_fields__ if name in {*TEXTS, "person", "by", "request"}
    }
    for name in ("people", "forgone"):
        if hasattr(event, name):
            changes[name] = ("another", "and another")
    if hasattr(event, "lines"):
        changes["lines"] = ()
    if hasattr(event, "transfers"):
        changes["transfers"] = (e.Transfer("chips:another", "tray", 7),)
    return replace(event, **changes)


def other_money(event: Any) -> Any:
    changes: dict[str, Any] = {}
    for name in event.__struct_fields__:
        if name in BOOKS:
            changes[name] = {5: 5} if isinstance(getattr(event, name), dict) else 12_345
    if hasattr(event, "transfers"):
        changes["transfers"] = ()
    return replace(event, **changes)


@pytest.mark.parametrize("seed", WALKS)
def test_nobody_sees_more_than_he_may_on_random_walks(seed: int) -> None:
    watch(walked(seed).entries)


@pytest.mark.parametrize("name", [name for name in FILES if not name.startswith(("shoes/", "insurance/"))])
def test_nobody_sees_more_than_he_may_in_playthroughs(name: str) -> None:
    watch(played(name).entries)


@pytest.mark.parametrize("name", ["commission.txt", "shoe.txt"])
def test_nobody_sees_more_than_he_may_where_commission_is_marked(name: str) -> None:
    watch(harbour_house.played(name).entries, harbour_house.books)


@pytest.mark.parametrize("name", MISHAPS)
def test_nobody_sees_more_than_he_may_when_things_go_wrong(name: str) -> None:
    watch(mishap(name).entries)


def test_every_event_is_watched() -> None:
    histories = [mishap(name).records for name in MISHAPS] + [played(name).records for name in FILES]
    histories += [harbour_house.played(name).records for name in harbour_house.FILES]
    found = {type(record.event) for records in histories for record in records}
    found |= {type(record.event) for seed in WALKS for record in walked(seed).records}
    assert set(EVENTS) - found == set()


# --- the rules


def test_every_field_of_every_event_has_a_rule() -> None:
    assert RULES.keys() == set(EVENTS)
    assert {kind: set(rule.fields) for kind, rule in RULES.items()} == {
        kind: set(kind.__struct_fields__) for kind in EVENTS
    }


def test_names_texts_and_money_are_for_nobody_else() -> None:
    """Whatever a field is called in events to come: these are never for anybody."""
    for kind, rule in RULES.items():
        for name, allowed in rule.fields.items():
            least = min(allowed.whole, allowed.part) if isinstance(allowed, Part) else allowed
            if name in {"person", "by", "approved_by", "signatures", "transfers", "lines", "cuts", *TEXTS}:
                assert least > Sight.ANYBODY, (kind, name)
            if name in {"reason", "by", "evidence", "request"} and kind is not e.CardTurned:
                assert least >= Sight.STAFF, (kind, name)
            if name in BOOKS - {"transfers"}:
                assert least is Sight.BOOKS, (kind, name)


def at_the_table(**changes: Any) -> Play:
    play = open_table(game="tiger-buffalo", layout="A", positions=6, **changes)
    play.sit("alice", 1)
    play.sit("bob", 2)
    play.shoe()
    play.call()
    return play


def last_seen(play: Play, viewer: Viewer, back: int = 1) -> dict[str, Any] | None:
    """The latest event as somebody sees it."""
    version = play.table.version - back + 1
    record = Record(version, play.now, "alice", "c9", play.events[-back])  # type: ignore[arg-type]
    found: dict[str, Any] | None = json.loads(encoded(seen(record, play.table, viewer))).get("event")
    return found


def test_a_bet_is_seen_in_its_box_and_only_the_bettor_and_staff_see_whose_it_is() -> None:
    play = at_the_table()
    play.bet("alice", {"banker": 100_00})
    public = {"event": "wagers_placed", "box": 1, "wagers": {"banker": 100_00}}
    assert last_seen(play, PUBLIC) == last_seen(play, Viewer("player", "bob")) == public
    moved = [["chips:alice", "layout:alice", 100_00]]
    own = last_seen(play, Viewer("player", "alice"))
    assert own is not None
    assert own | {"paragraph": ""} == public | {"person": "alice", "transfers": moved, "paragraph": ""}
    dealer = last_seen(play, Viewer("dealer", DEALER))
    assert dealer is not None
    assert (dealer["person"], "transfers" in dealer) == ("alice", False)
    pit = last_seen(play, Viewer("pit", DIRECTOR))
    assert pit is not None
    assert pit["transfers"] == moved


def test_a_card_that_the_scanner_has_read_is_seen_when_it_is_turned() -> None:
    play = at_the_table(face_down=True)
    play.close()
    play.do(c.Draw(Card("9h")))
    drawn = {"event": "card_drawn", "number": 1}
    for viewer in (PUBLIC, Viewer("player", "alice"), Viewer("dealer", DEALER), Viewer("pit", DIRECTOR)):
        assert last_seen(play, viewer) == drawn
    play.do(c.Turn(1))
    turned = last_seen(play, PUBLIC)
    assert turned is not None
    assert (turned["event"], turned["card"]) == ("card_turned", "9h")


def test_a_card_that_a_ruling_names_is_seen_when_the_ruling_turns_it() -> None:
    play = at_the_table(face_down=True)
    play.close()
    play.do(c.Draw(Card("9h"), Side.PLAYER))
    play.do(c.Report("damaged_card", "torn", (1,)))
    (incident,) = play.table.incidents
    pit = Viewer("pit", DIRECTOR)
    play.do(c.Propose(ValueCard(1, Card("9h")), incident, "read by all"))
    proposed = last_seen(play, pit)
    assert proposed is not None
    assert "9h" not in json.dumps(proposed)
    given = play.do(c.Approve(1), DIRECTOR)
    assert [type(event) for event in given[:2]] == [e.RulingGiven, e.CardValued]
    before = evolve(fold(play.entries[:-1], play.table.book), given[0])
    record = Record(before.version, play.now, DIRECTOR, "c9", given[0])  # type: ignore[arg-type]
    assert "9h" not in encoded(seen(record, before, pit))
    assert '"card":"9h"' in encoded(seen(replace(record, event=given[1]), evolve(before, given[1]), PUBLIC))


def test_a_correction_of_a_card_that_nobody_sees_names_none() -> None:
    """No ruling leads there; a record that says so all the same tells nobody."""
    play = at_the_table(face_down=True)
    play.close()
    play.do(c.Draw(Card("9h")))
    number = play.table.rounds
    for wrong in (e.CardCorrected(number, 1, Card("9h"), Card("8h"), ""), e.CardCorrected(99, 1, None, Card("8h"), "")):
        for kind in ("display", *STAFF):
            what = seen(Record(1, 0, "", "", wrong), play.table, Viewer(kind, HOUSE))
            assert not cards_in(shown(what))


@pytest.mark.parametrize("blocks", [True, False])
def test_everybody_is_told_of_an_incident_if_play_waits_for_it(blocks: bool) -> None:
    play = at_the_table()
    opened = e.IncidentOpened(1, "debt", "alice owes", "5.1", person="alice", blocks=blocks)
    record = Record(play.table.version, play.now, DEALER, "c9", opened)
    told = json.loads(encoded(seen(record, play.table, PUBLIC))).get("event")
    assert told == ({"event": "incident_opened", "family": "debt", "paragraph": "5.1"} if blocks else None)


def test_a_buy_in_is_hidden_from_others_and_keeps_its_number() -> None:
    play = at_the_table()
    play.do(c.BuyIn("alice", 50_00))
    assert last_seen(play, Viewer("player", "bob")) is None
    record = Record(play.table.version, play.now, DEALER, "c9", play.events[-1])  # type: ignore[arg-type]
    hidden = seen(record, play.table, Viewer("player", "bob"))
    assert hidden.hidden
    assert json.loads(encoded(hidden)) == {"version": play.table.version, "at": play.now}
    own = last_seen(play, Viewer("player", "alice"))
    assert own is not None
    assert own["transfers"] == [["tray", "chips:alice", 50_00]]


def test_a_settlement_shows_everybody_the_cards_and_each_player_his_own_lines() -> None:
    play = at_the_table()
    play.bet("alice", {"banker": 100_00})
    play.bet("bob", {"player": 50_00})
    play.close()
    play.deal("9h 8c 9d 8s")
    play.finish()
    back = next(at for at, event in enumerate(reversed(play.events), 1) if isinstance(event, e.RoundSettled))
    public = last_seen(play, PUBLIC, back)
    assert public is not None
    assert public.keys() == {"event", "number", "coup"}
    for name in ("alice", "bob"):
        own = last_seen(play, Viewer("player", name), back)
        assert own is not None
        assert {line["person"] for line in own["lines"]} == {name}
    dealer = last_seen(play, Viewer("dealer", DEALER), back)
    assert dealer is not None
    assert {line["person"] for line in dealer["lines"]} == {"alice", "bob"}


def test_who_has_left_still_sees_that_he_left() -> None:
    play = at_the_table()
    play.do(c.Leave("bob"), "bob")
    own = last_seen(play, Viewer("player", "bob"))
    assert own is not None
    assert own["person"] == "bob"
    assert last_seen(play, Viewer("display", "bob")) is None


def test_staff_who_look_as_players_see_what_anybody_sees() -> None:
    play = at_the_table()
    play.do(c.SignOn("zara", "dealer"), HOUSE)
    assert last_seen(play, Viewer("player", "zara")) is None
    record = Record(play.table.version, play.now, "zara", "c9", play.events[-1])  # type: ignore[arg-type]
    assert seen(record, play.table, Viewer("player", "zara")).actor == ""


# --- the page in docs

SIGHTS = {Sight.ANYBODY: "everybody", Sight.OWN: "own", Sight.STAFF: "dealer", Sight.BOOKS: "pit"}


def rows() -> list[str]:
    """The table of docs/views.md: a field stands in the first column of those that have it; a part is in italics."""
    found = ["| event | everybody | own | dealer | pit, surveillance |", "| --- | --- | --- | --- | --- |"]
    for kind, rule in RULES.items():
        columns: dict[str, list[str]] = {column: [] for column in SIGHTS.values()}
        for name in kind.__struct_fields__:
            allowed = rule.fields[name]
            if isinstance(allowed, Part):
                columns[SIGHTS[allowed.part]].append(f"*{name}*")
                if allowed.whole in SIGHTS:
                    columns[SIGHTS[allowed.whole]].append(name)
            elif allowed in SIGHTS:
                columns[SIGHTS[allowed]].append(name)
        cells = [", ".join(names) for names in columns.values()]
        if rule.known:
            cells[0] = "that it happened"
        found.append(f"| `{kind.__struct_config__.tag}` | {' | '.join(cell or '–' for cell in cells)} |")
    return found


def test_the_page_has_the_rules() -> None:
    page = (Path(__file__).parents[2] / "docs" / "views.md").read_text(encoding="utf-8")
    assert "\n".join(rows()) in page, "\n".join(rows())
