"""Every command, by everybody, in every book (reading S): who may give it, and what the others are told.

Each command is tried at a table where it is in place, so that it is carried out for those who may.
"""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

import msgspec
import pytest
from tests.table.build import DEALER, DIRECTOR, MANAGER, NOW, SHIFT, SUPERVISOR, Play, open_table, settings

from puntobanco.cards import Card, Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import rulings as r
from puntobanco.table.authority import NEEDS
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import HANDLERS, Done, execute
from puntobanco.table.refusals import Refusal
from puntobanco.table.rulings import AnyRuling
from puntobanco.table.settings import Step
from puntobanco.table.shoe.seeds import pledge_of
from puntobanco.table.state import Table

GAMES: dict[str, dict[str, Any]] = {
    "DH": {"game": "da-hu-ying-xiong", "layout": "A", "positions": 7},
    "S6": {"game": "super-six", "layout": "A", "positions": 9},
    "RB": {"game": "rws-baccarat", "layout": "A", "positions": 7},
    "TB": {"game": "tiger-buffalo", "layout": "A", "positions": 6},
    "HC": {"game": "dragon-tiger-commission", "layout": "A4", "positions": 5},
    "HN": {"game": "dragon-tiger-non-commission", "layout": "A2", "positions": 5},
}
COMMITMENT, SEED = "c0" * 32, "0a" * 32
ACTORS = ("ann", "bob", "stranger", DEALER, SUPERVISOR, MANAGER, SHIFT, DIRECTOR, HOUSE)
"""The player whom the command concerns, another one, somebody else; staff by rank; the House's own system."""

TABLE = """
# command               books            ann bob str  dea sup man shi dir  house
open_table              all              r   r   r    r   r   r   r   r    yes
close_table             all              r   r   r    r   yes yes yes yes  yes
set_limits              all              r   r   r    r   r   yes yes yes  r
set_differential        all              r   r   r    r   r   yes yes yes  r
sign_on                 all              r   r   r    r   yes yes yes yes  yes
sign_off                all              r   r   r    yes yes yes yes yes  yes
join                    all              yes n   n    yes yes yes yes yes  yes
leave                   all              yes n   n    yes yes yes yes yes  yes
buy_in                  all              r   n   n    yes yes yes yes yes  yes
buy_in:account          all              yes n   n    yes yes yes yes yes  yes
cash_out                all              yes n   n    yes yes yes yes yes  yes
chips_in                all              r   r   r    yes yes yes yes yes  yes
chips_out               all              r   r   r    yes yes yes yes yes  yes
tip                     all              yes n   n    yes yes yes yes yes  yes
request_fill            all              r   r   r    yes yes yes yes yes  second_person
sign_fill               all              r   r   r    yes yes yes yes yes  second_person
cancel_fill             all              r   r   r    yes yes yes yes yes  yes
new_shoe                all              r   r   r    yes yes yes yes yes  yes
cut                     all              yes n   n    yes yes yes yes yes  yes
pledge_seed             all              yes n   n    no  no  no  no  no   no       electronic
show_seed               all              yes n   n    no  no  no  no  no   no       electronic
close_seeds             all              r   r   r    no  no  no  no  no   yes      electronic
burn                    all              r   r   r    yes yes yes yes yes  yes
cut_card                all              r   r   r    yes yes yes yes yes  yes
end_shoe                all              r   r   r    r   yes yes yes yes  yes
return_cards            all              r   r   r    yes yes yes yes yes  yes
hold_suspect            all              r   r   r    yes yes yes yes yes  yes
resolve_suspect         all              r   r   r    r   r   yes yes yes  r
call                    all              r   r   r    yes yes yes yes yes  yes
place                   all              yes n   n    yes yes yes yes yes  yes
withdraw                all              yes n   n    yes yes yes yes yes  yes
refuse_balance          all              no  n   n    no  no  no  no  no   no       balance
close                   all              r   r   r    yes yes yes yes yes  yes
ask_squeeze             DH RB TB HC HN   yes n   n    yes yes yes yes yes  yes
ask_squeeze             S6               no  n   n    no  no  no  no  no   no       squeeze
ask_early_squeeze       TB               yes n   n    yes yes yes yes yes  yes
ask_early_squeeze       DH S6 RB HC HN   no  n   n    no  no  no  no  no   no       squeeze
answer_squeeze          DH RB TB HC HN   r   r   r    yes yes yes yes yes  yes
answer_squeeze          S6               r   r   r    no  no  no  no  no   no       unknown_request
answer_squeeze:early    TB               r   r   r    r   yes yes yes yes  r
bar_squeeze             HC HN            r   r   r    r   r   yes yes yes  r
bar_squeeze             DH S6 RB TB      r   r   r    r   r   no  no  no   r        squeeze
deal                    all              r   r   r    yes yes yes yes yes  yes
draw                    all              r   r   r    yes yes yes yes yes  yes
put_card                all              r   r   r    yes yes yes yes yes  yes
turn                    DH RB TB HC HN   yes no  no   yes yes yes yes yes  yes      squeeze
turn                    S6               no  no  no   yes yes yes yes yes  yes      squeeze
offer_insurance         TB               r   r   r    yes yes yes yes yes  yes
offer_insurance         DH S6 RB HC HN   r   r   r    no  no  no  no  no   no       no_insurance
insure                  TB               yes n   n    yes yes yes yes yes  yes
insure                  DH S6 RB HC HN   no  n   n    no  no  no  no  no   no       no_insurance
pass_insurance          TB               yes n   n    yes yes yes yes yes  yes
pass_insurance          DH S6 RB HC HN   no  n   n    no  no  no  no  no   no       no_insurance
close_insurance         TB               r   r   r    yes yes yes yes yes  yes
close_insurance         DH S6 RB HC HN   r   r   r    no  no  no  no  no   no       no_insurance
waive_insurance         TB               r   r   r    r   yes yes yes yes  r
waive_insurance         DH S6 RB HC HN   r   r   r    r   no  no  no  no   r        no_insurance
announce                all              r   r   r    yes yes yes yes yes  yes
settle                  all              r   r   r    yes yes yes yes yes  yes
confirm                 all              r   r   r    yes yes yes yes yes  yes
override_confirmation   all              r   r   r    r   r   yes yes yes  r
find_bet                all              r   r   r    yes yes yes yes yes  yes
late_chips              all              r   r   r    yes yes yes yes yes  yes
late_chips:withdrawn    all              r   r   r    yes yes yes yes yes  yes
walk_away               all              r   r   r    yes yes yes yes yes  yes
come_back               all              yes n   n    yes yes yes yes yes  yes
report_cards            all              r   r   r    yes yes yes yes yes  yes
report                  all              r   r   r    yes yes yes yes yes  yes
report_interruption     all              r   r   r    yes yes yes yes yes  yes
report_round            all              r   r   r    yes yes yes yes yes  yes
meant_to_insure         TB               r   r   r    yes yes yes yes yes  yes
meant_to_insure         DH S6 RB HC HN   r   r   r    no  no  no  no  no   no       no_insurance
propose                 all              r   r   r    yes yes yes yes yes  yes
approve                 DH S6 RB TB      r   r   r    r   r   r   yes yes  r
approve                 HC HN            r   r   r    r   r   r   r   yes  r
approve:own             DH S6 RB TB      r   r   r    no  r   r   yes yes  r        second_person
approve:own             HC HN            r   r   r    no  r   r   r   yes  r        second_person
approve:stake           DH RB TB         r   r   r    r   r   r   yes yes  r
approve:reconstruct     all              r   r   r    r   yes yes yes yes  r
approve:order           DH RB TB         r   r   r    r   yes yes yes yes  r
approve:order           S6               r   r   r    r   r   r   yes yes  r
approve:order           HC HN            r   r   r    r   r   yes yes yes  r
approve:options         HC HN            r   r   r    r   r   r   yes yes  r
approve:offer_late      TB               r   r   r    r   r   yes yes yes  r
approve:correct_card    all              r   r   r    yes yes yes yes yes  r
approve:correct_late    all              r   r   r    r   r   yes yes yes  r
decline                 DH S6 RB TB      r   r   r    r   r   r   yes yes  r
decline                 HC HN            r   r   r    r   r   r   r   yes  r
raise_dispute           all              yes n   n    yes yes yes yes yes  yes
note_on_dispute         all              r   r   r    r   yes yes yes yes  r
note_on_dispute:facts   HC HN            r   r   r    r   r   yes yes yes  r
note_on_dispute:facts   DH S6 RB TB      r   r   r    r   r   r   yes yes  r
decide_dispute          HC HN            r   r   r    r   r   yes yes yes  r
decide_dispute          DH S6 RB TB      r   r   r    r   r   r   yes yes  r
answer_dispute          all              yes n   n    yes yes yes yes yes  yes
take_option             DH RB TB HC HN   yes n   n    yes yes yes yes yes  yes
take_option             S6               yes n   n    yes yes yes yes yes  yes
"""
SHORT = {"r": "rank", "n": "not_yours"}


class Row(msgspec.Struct, frozen=True):
    """What a command meets from each of the actors in one book."""

    command: str
    book: str
    answers: tuple[str, ...]


def rows() -> list[Row]:
    found = []
    for line in TABLE.splitlines():
        if line and not line.startswith("#"):
            name, books, cells = line[:24].strip(), line[24:41].split(), line[41:].split()
            answers, reason = cells[: len(ACTORS)], "".join(cells[len(ACTORS) :])
            whole = tuple(reason if answer == "no" else SHORT.get(answer, answer) for answer in answers)
            found += [Row(name, book, whole) for book in (GAMES if books == ["all"] else books)]
    return found


# --- a table for each command


def seated(book: str, **changes: Any) -> Play:
    """Ann and Bob with chips; a face-down table on which every step is somebody's command."""
    play = open_table(**GAMES[book] | {"automated": (), "face_down": True} | changes)
    play.sit("ann", 1)
    play.sit("bob", 2)
    return play


def betting(book: str) -> Play:
    play = seated(book)
    play.shoe()
    play.call()
    play.bet("ann", {"banker": 100_00})
    return play


def closed(book: str) -> Play:
    play = betting(book)
    play.close()
    return play


def drawn(book: str, cards: str, *, turned: bool) -> Play:
    play = closed(book)
    for number, card in enumerate(parse_cards(cards), 1):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER, turned))
    return play


def squeezed(book: str) -> Play:
    """Ann has asked to squeeze Banker's cards, where the book knows that."""
    play = closed(book)
    if book != "S6":
        play.do(c.AskSqueeze("ann", Side.BANKER), "ann")
    return play


def insurable(book: str, *, offered: bool) -> Play:
    """Banker on 6 leads Player on 4."""
    play = drawn(book, "4h 6c Kd Ks", turned=True)
    if offered and book == "TB":
        play.do(c.OfferInsurance())
    return play


def finished(book: str, *, announced: bool = False, paid: bool = False) -> Play:
    play = drawn(book, "9h 8c Kd Ks", turned=True)
    if announced or paid:
        play.do(c.Announce("player"))
    if paid:
        play.do(c.Settle())
    return play


def with_shoe(book: str, **changes: Any) -> Play:
    play = seated(book, **changes)
    play.do(c.NewShoe("shuffled"))
    return play


def with_seeds(book: str, *, due: bool = False) -> Play:
    """Seeds mix the shoe of an electronic table, and the time for pledges, or for Ann's seed, is over."""
    play = seated(book, automated=(Step.DEAL,), seeds="asked", face_down=False)
    play.now -= 60_000
    play.do(c.NewShoe("shuffled", COMMITMENT), HOUSE)
    if due:
        play.do(c.PledgeSeed("ann", pledge_of(COMMITMENT, SEED)), "ann")
        play.do(c.PledgeSeed("bob", pledge_of(COMMITMENT, SEED)), "bob")
    play.now = NOW
    return play


def with_discards(book: str) -> Play:
    play = seated(book, shuffler=True, burn="none", face_down=False)
    play.round({"ann": {"player": 100_00}}, "9h 8c Kd Ks")
    return play


def with_suspect(book: str) -> Play:
    play = seated(book)
    play.do(c.HoldSuspect("chips", 100_00, "the lamp shows no mark", "ann"))
    return play


def asked_for_chips(book: str) -> Play:
    play = seated(book)
    play.do(c.SignOn("sam", "pit_supervisor"), SUPERVISOR)
    play.do(c.RequestFill("f1", "fill", {5_00: 1}), "sam")
    return play


def early(book: str) -> Play:
    play = drawn(book, "2h Ac Kd Ks", turned=True)
    play.do(c.AskEarlySqueeze("ann", "squeeze"), "ann")
    return play


def card_to_squeeze(book: str) -> Play:
    play = squeezed(book)
    if book != "S6":
        play.do(c.AnswerSqueeze("ann", True))
    for card, hand in zip(parse_cards("9h 8c"), Side, strict=True):
        play.do(c.Draw(card, hand))
    return play


def emptied(book: str) -> Play:
    play = seated(book)
    for person in ("ann", "bob"):
        play.do(c.ChipsOut(person, 10_000_00))
    return play


def walked_away(book: str) -> Play:
    play = closed(book)
    play.do(c.WalkAway("ann"))
    return play


def over_the_maximum(book: str) -> Play:
    """Found after the close: a ruling is due where the book is silent about it."""
    play = closed(book)
    play.do(c.FindBet("ann", 1, "player", 5_005_00))
    return play


def opening(book: str) -> Play:
    return drawn(book, "9h 8c", turned=True)


def too_many(book: str) -> Play:
    return drawn(book, "9h 8c Kd Ks 2h", turned=True)


def two_at_once(book: str) -> Play:
    play = opening(book)
    play.do(c.Report("simultaneous", "two at once", (1, 2)))
    return play


def wrong_side(book: str) -> Play:
    play = opening(book)
    play.do(c.PutCard(1, Side.BANKER))
    return play


def not_insured(book: str) -> Play:
    """Banker's insurance was due before Player's third card."""
    play = insurable(book, offered=False)
    play.do(c.Draw(Card("6h"), Side.PLAYER, turned=True))
    return play


def with_options(book: str) -> Play:
    play = two_at_once(book)
    if book == "S6":  # the book knows no options: the Shift Manager gives them
        play.rule(r.GiveOptions(), 1, "why", SHIFT)
    else:
        play.rule(r.DecideOrder((2, 1)), 1, "", MANAGER)
    return play


def disputed(book: str, steps: int) -> Play:
    """A dispute that has come so far."""
    play = betting(book)
    way: tuple[AnyCommand, ...] = (
        c.RaiseDispute("ann", "short payment"),
        c.NoteOnDispute(1, "escalated", "no agreement"),
        c.NoteOnDispute(1, "facts", "both heard"),
        c.NoteOnDispute(1, "surveillance", "camera 4"),
        c.DecideDispute(1, "paid in full", ("game_rules",)),
    )
    for body in way[:steps]:
        play.do(body, DIRECTOR)
    return play


def proposed(build: Any, ruling: AnyRuling, incident: int = 1, by: str = "sam") -> Any:
    """A scene with a ruling that waits for approval."""

    def scene(book: str) -> Play:
        play: Play = build(book)
        play.do(c.SignOn("sam", "dealer"), SUPERVISOR)
        play.do(c.Propose(ruling, incident, "why"), by)
        return play

    return scene


SCENES: dict[str, tuple[Any, AnyCommand]] = {
    "close_table": (emptied, c.CloseTable({})),
    "set_limits": (seated, c.SetLimits(50_00, 9_000_00)),
    "set_differential": (seated, c.SetDifferential(9_000_00)),
    "waive_insurance": (lambda book: seated(book, private=True), c.WaiveInsurance("ann")),
    "sign_on": (seated, c.SignOn("dora", "dealer")),
    "sign_off": (seated, c.SignOff(DEALER)),
    "join": (seated, c.Join("ann", 3)),
    "leave": (seated, c.Leave("ann")),
    "buy_in": (seated, c.BuyIn("ann", 100_00)),
    "buy_in:account": (seated, c.BuyIn("ann", 100_00, "account")),
    "cash_out": (seated, c.CashOut("ann", 100_00)),
    "chips_in": (seated, c.ChipsIn("ann", 100_00)),
    "chips_out": (seated, c.ChipsOut("ann", 100_00)),
    "tip": (seated, c.Tip("ann", 5_00)),
    "request_fill": (seated, c.RequestFill("f1", "fill", {5_00: 1})),
    "sign_fill": (asked_for_chips, c.SignFill("f1")),
    "cancel_fill": (asked_for_chips, c.CancelFill("f1")),
    "new_shoe": (seated, c.NewShoe("shuffled")),
    "cut": (with_shoe, c.CutShoe("ann", 100)),
    "pledge_seed": (with_seeds, c.PledgeSeed("ann", SEED)),
    "show_seed": (lambda book: with_seeds(book, due=True), c.ShowSeed("ann", SEED)),
    "close_seeds": (with_seeds, c.CloseSeeds()),
    "burn": (lambda book: with_shoe(book, burn=1), c.Burn((None,))),
    "cut_card": (with_shoe, c.CutCard()),
    "end_shoe": (with_shoe, c.EndShoe()),
    "return_cards": (with_discards, c.ReturnCards()),
    "hold_suspect": (seated, c.HoldSuspect("chips", 100_00, "the lamp shows no mark", "ann")),
    "resolve_suspect": (with_suspect, c.ResolveSuspect(1, True, "examined")),
    "call": (with_shoe, c.Call()),
    "place": (betting, c.Place("ann", 1, {"player": 100_00})),
    "withdraw": (betting, c.Withdraw("ann", 1, "banker")),
    "refuse_balance": (betting, c.RefuseBalance("ann")),
    "close": (betting, c.Close()),
    "ask_squeeze": (closed, c.AskSqueeze("ann", Side.BANKER)),
    "ask_early_squeeze": (lambda book: drawn(book, "2h Ac Kd Ks", turned=True), c.AskEarlySqueeze("ann", "expose")),
    "answer_squeeze": (squeezed, c.AnswerSqueeze("ann", True)),
    "answer_squeeze:early": (early, c.AnswerSqueeze("ann", True)),
    "bar_squeeze": (squeezed, c.BarSqueeze("ann")),
    "deal": (closed, c.Deal(parse_cards("9h"))),
    "draw": (closed, c.Draw()),
    "put_card": (lambda book: drawn(book, "9h", turned=True), c.PutCard(1, Side.BANKER)),
    "turn": (card_to_squeeze, c.Turn(2)),
    "offer_insurance": (lambda book: insurable(book, offered=False), c.OfferInsurance()),
    "insure": (lambda book: insurable(book, offered=True), c.Insure("ann", 1, Side.BANKER, 50_00)),
    "pass_insurance": (lambda book: insurable(book, offered=True), c.PassInsurance("ann")),
    "close_insurance": (lambda book: insurable(book, offered=True), c.CloseInsurance()),
    "announce": (finished, c.Announce("player")),
    "settle": (lambda book: finished(book, announced=True), c.Settle()),
    "confirm": (lambda book: finished(book, paid=True), c.Confirm(1)),
    "override_confirmation": (lambda book: finished(book, paid=True), c.OverrideConfirmation("why")),
    "find_bet": (closed, c.FindBet("ann", 1, "player", 1_00)),
    "late_chips": (closed, c.LateChips("ann", 1, "player", 1_00, "placed")),
    "late_chips:withdrawn": (closed, c.LateChips("ann", 1, "banker", 1_00, "withdrawn")),
    "walk_away": (closed, c.WalkAway("ann")),
    "come_back": (walked_away, c.ComeBack("ann")),
    "report_cards": (closed, c.ReportCards("foreign_card", "a joker")),
    "report": (opening, c.Report("dealing_error", "the shoe was touched")),
    "report_interruption": (opening, c.ReportInterruption("power cut", lost=True)),
    "report_round": (lambda book: finished(book, paid=True), c.ReportRound(1, parse_cards("9h 8c Kd Ks 2h"), "late")),
    "meant_to_insure": (not_insured, c.MeantToInsure("ann", Side.BANKER)),
    "propose": (closed, c.Propose(r.VoidRound(), 0, "why")),
    "approve": (proposed(closed, r.VoidRound(), 0), c.Approve(1)),
    "approve:own": (proposed(closed, r.VoidRound(), 0, by=DEALER), c.Approve(1)),
    "approve:stake": (proposed(over_the_maximum, r.SetStake("ann", 1, "player", 5_000_00)), c.Approve(1)),
    "approve:reconstruct": (proposed(too_many, r.Reconstruct()), c.Approve(1)),
    "approve:order": (proposed(two_at_once, r.DecideOrder((2, 1))), c.Approve(1)),
    "approve:options": (proposed(wrong_side, r.GiveOptions()), c.Approve(1)),
    "approve:offer_late": (proposed(not_insured, r.OfferLate()), c.Approve(1)),
    "approve:correct_card": (proposed(opening, r.CorrectCard(1, Card("8h")), 0), c.Approve(1)),
    "approve:correct_late": (
        proposed(lambda book: finished(book, paid=True), r.CorrectCard(1, Card("8h")), 0),
        c.Approve(1),
    ),
    "decline": (proposed(closed, r.VoidRound(), 0), c.Decline(1)),
    "raise_dispute": (betting, c.RaiseDispute("ann", "short payment")),
    "note_on_dispute": (lambda book: disputed(book, 1), c.NoteOnDispute(1, "escalated", "no agreement")),
    "note_on_dispute:facts": (lambda book: disputed(book, 2), c.NoteOnDispute(1, "facts", "both heard")),
    "decide_dispute": (lambda book: disputed(book, 4), c.DecideDispute(1, "paid in full", ("game_rules",))),
    "answer_dispute": (lambda book: disputed(book, 5), c.AnswerDispute("ann", 1, agrees=False)),
    "take_option": (with_options, c.TakeOption("ann", False)),
}
"""How to come to a table where the command is in place, and the command."""


@cache
def scene(name: str, book: str) -> tuple[Table | None, AnyCommand]:
    if name == "open_table":
        return None, c.OpenTable(settings(**GAMES[book]))
    build, body = SCENES[name]
    play: Play = build(book)
    return play.table, body


# --- the tests


def test_the_table_has_every_command() -> None:
    tags = {kind.__struct_config__.tag: kind for kind in get_args(AnyCommand)}
    named = {(row.command.partition(":")[0], row.book) for row in rows()}
    assert named == {(tag, book) for tag in tags for book in GAMES}
    assert set(NEEDS) == set(tags.values())
    assert set(HANDLERS) == set(tags.values()) - {c.OpenTable}


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.command} {row.book}")
def test_who_may_do_what(row: Row) -> None:
    table, body = scene(row.command, row.book)
    given = []
    for actor in ACTORS:
        done = execute(table, Command("x", actor, NOW, body))
        given.append("yes" if isinstance(done, Done) else done.code)
        if isinstance(done, Done) and table is not None:
            assert done.table.version > table.version
    assert tuple(given) == row.answers


RANK_PARAGRAPHS = """
# what needs the rank    book  paragraph
override_confirmation    DH    reading S
override_confirmation    RB    reading S
override_confirmation    TB    reading S
override_confirmation    HC    reading S
approve                  DH    1.5
approve                  TB    1.10
bar_squeeze              HN    4.8
end_shoe                 TB    reading S
call                     TB    1.10
call                     S6    3.1
"""


@pytest.mark.parametrize("line", [line for line in RANK_PARAGRAPHS.splitlines() if line and line[0] != "#"])
def test_who_lacks_the_rank_is_told_where_it_stands(line: str) -> None:
    name, book, paragraph = line.split(maxsplit=2)
    table, body = scene(name, book)
    done = execute(table, Command("x", "ann", NOW, body))
    assert not isinstance(done, Done)
    assert (done.code, done.paragraph) == ("rank", paragraph)


@pytest.mark.parametrize(
    ("book", "paragraph"), [("DH", "5.16"), ("RB", "5.16"), ("TB", "5.22"), ("S6", ""), ("HC", "")]
)
def test_who_bets_for_another_is_told_who_may(book: str, paragraph: str) -> None:
    table, body = scene("place", book)
    done = execute(table, Command("x", "bob", NOW, body))
    assert not isinstance(done, Done)
    assert (done.code, done.paragraph) == ("not_yours", paragraph)


# --- ranks themselves


def told(play: Play, body: AnyCommand, actor: str) -> str:
    return play.refused(body, actor).code


def test_nobody_gives_a_rank_above_the_own_one() -> None:
    ranks = open_table().table.book.ranks
    play = open_table()
    for giver in (SUPERVISOR, MANAGER, SHIFT, DIRECTOR):
        own = play.table.rank_of(giver)
        for code, rank in ranks.named.items():
            body = c.SignOn(f"new {code}", code)
            if rank <= own:
                assert isinstance(play.ask(body, giver), Done)
            else:
                assert told(play, body, giver) == "rank"
    assert told(play, c.SignOn("pat", "player"), DIRECTOR) == "rank"


def test_names_that_are_taken() -> None:
    play = open_table()
    play.sit("ann", 1)
    for name in ("ann", HOUSE, "@3"):
        assert told(play, c.SignOn(name, "dealer"), DIRECTOR) == "already_there"
    assert told(play, c.SignOn(DEALER, "dealer"), DIRECTOR) == "already_there"
    play.do(c.SignOn(DEALER, "pit_supervisor"), DIRECTOR)  # another rank is news
    assert told(play, c.Join(DEALER, 2), DEALER) == "already_there"
    assert told(play, c.Join(HOUSE, 2), HOUSE) == "unknown_person"


def test_who_signs_off_has_no_rank_left() -> None:
    play = open_table()
    play.do(c.SignOn("dora", "dealer"), SUPERVISOR)
    assert told(play, c.SignOff("dora"), DEALER) == "not_yours"  # a dealer only for oneself
    play.do(c.SignOff("dora"), "dora")
    assert told(play, c.NewShoe("shuffled"), "dora") == "rank"
    assert told(play, c.SignOff("dora"), SUPERVISOR) == "unknown_person"
    assert told(play, c.SignOff("nobody"), SUPERVISOR) == "unknown_person"


def test_staff_does_not_play() -> None:
    play = open_table()
    play.shoe()
    play.call()
    assert told(play, c.Place(DEALER, 1, {"player": 100_00}), DEALER) == "rank"
    assert told(play, c.BuyIn(DEALER, 100_00), SUPERVISOR) == "rank"


def test_who_may_open_a_table_is_named() -> None:
    answer = execute(None, Command("c0", DEALER, NOW, c.OpenTable(settings(), {})))
    assert isinstance(answer, Refusal)
    assert (answer.detail, answer.values) == ("rank.needed", {"rank": "pit_manager"})
