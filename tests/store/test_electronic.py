"""Electronic tables over a keeper with vault and dealer: whole shoes, restarts inside of rounds, reveals, the log."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.store.build import KEY, NOW, log_of, settings
from tests.store.independent_verifier import Verifier

from puntobanco.floor.shoe_receipts import ShoeReceipts
from puntobanco.rules.load import GAMES, find_book
from puntobanco.shoes.dealer import ElectronicShoe
from puntobanco.shoes.keys import create_key_file, load_key_file
from puntobanco.shoes.vault import SqliteVault
from puntobanco.store import Answer, Keeper, Posting, verify_log
from puntobanco.store.chain import read_line
from puntobanco.store.sqlite import SqliteStore
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.events import Record
from puntobanco.table.refusals import Refusal
from puntobanco.table.state import Phase, Table
from puntobanco.views.steps import next_step

PEOPLE = ("ann", "ben")
STAFF = ("eva", "art")


class House:
    """A keeper over files: store, vault and key; everything else is gone at each ``restart``."""

    def __init__(self, folder: Path, game: str = "tiger-buffalo", seed: int = 1, **changes: Any) -> None:
        self.folder = folder
        self.chance = Random(f"{game} {seed}")
        self.now = NOW
        self.number = self.restarts = 0
        create_key_file(folder / "shoes.key")
        self.open()
        self.do(c.OpenTable(settings("E1", game, **changes), {100_00: 100_000}))
        for name in STAFF:
            self.do(c.SignOn(name, "assistant_director"))
        for box, person in enumerate(PEOPLE, 1):
            self.store.post(Posting(f"first {person}", person, find_book(game).currency, 1_000_000_00, NOW))
            self.do(c.Join(person, box, accepts_no_insurance=True), person)
            self.do(c.BuyIn(person, 1_000_000_00, "account"), person)

    def open(self) -> None:
        self.store = SqliteStore(self.folder / "store.db")
        self.vault = SqliteVault(self.folder / "shoes.vault")
        shoes = ElectronicShoe(self.vault, load_key_file(self.folder / "shoes.key"))
        self.keeper = Keeper(self.store, KEY, shoes=shoes)

    def restart(self, *, takeover: bool = False) -> Table:
        self.store.close()
        self.vault.close()
        self.restarts += 1
        self.now += 60_000
        self.open()
        return self.keeper.start(self.now, takeover=takeover)["E1"]

    @property
    def table(self) -> Table:
        table = self.keeper.table("E1")
        assert table is not None
        return table

    def id(self) -> str:
        self.number += 1
        self.now += 250
        return f"c{self.number}"

    def ask(self, body: AnyCommand, actor: str = HOUSE) -> Answer | Refusal:
        return self.keeper.give("E1", Command(self.id(), actor, self.now, body))

    def do(self, body: AnyCommand, actor: str = HOUSE) -> tuple[Record, ...]:
        answer = self.ask(body, actor)
        assert isinstance(answer, Answer), (body, answer)
        return answer.records

    def deal(self) -> tuple[Record, ...] | None:
        answer = self.keeper.deal("E1", self.id(), self.now)
        assert not isinstance(answer, Refusal), answer
        return answer.records if answer is not None else None

    def step(self) -> None:
        """The shoe's turn, or else the next proper step by whoever takes it."""
        dealt = self.deal()
        if dealt is not None:
            if isinstance(dealt[0].event, e.ShoeStarted) and not self.table.settings.shuffler:
                self.do(c.CutShoe("ann", self.chance.randrange(1, self.table.shoe.size)), "ann")
            return
        step = next_step(self.table)
        assert step is not None
        match step.do:
            case "call":
                self.do(c.Call())
            case "close":
                for box, person in enumerate(PEOPLE, 1):
                    bet = self.chance.choice(self.table.layout.bets)
                    self.ask(c.Place(person, box, {bet: 5_00 * self.chance.randint(1, 9)}), person)
                self.do(c.Close())
            case "close_insurance":
                self.do(c.CloseInsurance())
            case "end_shoe":
                self.do(c.EndShoe("no round is left in it"))
            case "propose":
                assert step.incident
                self.do(c.Propose(r.PlayOn(), step.incident, "cards and bets are all there"), STAFF[0])
            case "approve":
                self.do(c.Approve(step.proposal), STAFF[1])
            case other:
                raise AssertionError(other)

    def until(self, phase: Phase) -> None:
        while self.table.phase is not phase:
            self.step()

    def until_cards(self, count: int = 4) -> None:
        """To the middle of a round: so many cards out, the next one due."""
        while (
            self.table.phase is not Phase.DEALING
            or (current := self.table.round) is None
            or len(current.cards) < count
            or current.window is not None
        ):
            self.step()

    def events(self) -> list[e.Event]:
        return [event for line in self.store.load("E1") for event in read_line(line).events]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.mark.parametrize(("game", "burn"), [*zip(GAMES, ("first_card", "none", 3) * 2, strict=True)])
def test_whole_shoes_of_every_game_with_restarts(game: str, burn: Any, tmp_path: Path) -> None:
    house = House(tmp_path, game, burn=burn, cut_card=330)
    in_a_round = 0
    while house.table.shoe.number < 3 or house.table.rounds < 12:
        house.step()
        if house.chance.randrange(12) == 0:
            in_a_round += house.table.round is not None
            house.restart()
    assert in_a_round > 1
    while house.table.phase is not Phase.IDLE:
        house.step()
    for person in PEOPLE:
        house.do(c.Leave(person))
    house.do(c.CloseTable({}))
    in_use = not house.table.shoe.ended
    report = verify_log(log_of(house.keeper, "E1"), KEY.public)
    assert report.problem is None
    assert report.shoes == house.table.shoe.number
    assert report.closed
    interrupted = [event for event in house.events() if isinstance(event, e.PlayInterrupted)]
    assert interrupted
    waits = game == "super-six" or game.startswith("dragon-tiger")
    assert {event.effect for event in interrupted} <= ({"ruling"} if waits else {"bets_again", "goes_on"})
    # the reveals stand with the events that ended the shoes
    kinds = [(beside.version, beside.kind) for beside in house.store.beside("E1") if beside.kind == "reveal"]
    ends = [n for n, event in enumerate(house.events(), 1) if isinstance(event, e.ShoeEnded)]
    assert [version for version, _ in kinds] == [*ends, *([house.store.version("E1")] if in_use else [])]


def test_a_shuffler_reveals_each_order_with_its_round(tmp_path: Path) -> None:
    house = House(tmp_path, shuffler=True)
    while house.table.rounds < 12 or house.table.phase is not Phase.IDLE:
        house.step()
        if house.chance.randrange(12) == 0:
            house.restart()
    house.step()
    assert isinstance(house.events()[-1], e.CardsReturned)
    for person in PEOPLE:
        house.do(c.Leave(person))
    house.do(c.CloseTable({}))
    log = log_of(house.keeper, "E1")
    report = verify_log(log, KEY.public)
    assert (report.problem, report.shoes) == (None, 13)  # the last one served nobody
    second = Verifier(KEY.public.hex)
    second.read(log)
    assert not second.shoes
    kinds = [beside.version for beside in house.store.beside("E1") if beside.kind == "reveal"]
    ended = [n for n, event in enumerate(house.events(), 1) if isinstance(event, e.RoundEnded)]
    assert kinds == [*ended, house.store.version("E1")]
    receipts = ShoeReceipts(house.store, KEY)
    assert receipts.of("E1", house.table.shoe.number) is None, "which of its orders would it be of?"
    # a card that another order would have given is found, and so is an order that is never shown
    reveals = [line for line in log.splitlines(keepends=True) if line.startswith(b'{"reveal":')]
    problem = verify_log(log.replace(reveals[3], b""), KEY.public).problem
    assert problem is not None
    assert "its order was not revealed" in problem.message
    problem = verify_log(log.replace(reveals[3], reveals[4]), KEY.public).problem
    assert problem is not None


def test_a_table_that_closes_on_a_shoe_in_use_reveals_it(house: House) -> None:
    house.deal()
    for person in PEOPLE:
        house.do(c.Leave(person))
    house.do(c.CloseTable({}))
    report = verify_log(log_of(house.keeper, "E1"), KEY.public)
    assert (report.problem, report.shoes) == (None, 1)


# --- restarts (reading X)


def test_with_bets_open_they_stand_and_their_time_starts_again(house: House) -> None:
    house.until(Phase.BETTING)
    house.do(c.Place("ann", 1, {"banker": 25_00}), "ann")
    before = house.table.round
    table = house.restart()
    assert before is not None
    assert table.round is not None
    assert table.round.wagers == before.wagers
    assert table.round.until == house.now + 1000 * table.settings.countdown > before.until
    last = house.events()[-1]
    assert isinstance(last, e.PlayInterrupted)
    assert (last.effect, last.paragraph, last.lost) == ("bets_again", "5.4", False)


def test_closed_bets_without_a_card_are_open_again(house: House) -> None:
    house.until(Phase.BETTING)
    house.do(c.Close())
    assert house.table.phase is Phase.DEALING
    assert house.restart().phase is Phase.BETTING


def test_with_cards_out_the_round_goes_on_with_the_next_card_of_the_shoe(tmp_path: Path) -> None:
    house = House(tmp_path, "rws-baccarat")
    house.until_cards()
    before = house.table
    table = house.restart()
    assert table.round == before.round
    last = house.events()[-1]
    assert isinstance(last, e.PlayInterrupted)
    assert last.effect == "goes_on"
    rounds = table.rounds
    while house.table.rounds == rounds:
        house.step()
    assert verify_log(log_of(house.keeper, "E1")).problem is None


@pytest.mark.parametrize("game", ["super-six", "dragon-tiger-commission"])
def test_where_no_paragraph_covers_it_the_round_waits_for_a_ruling(game: str, tmp_path: Path) -> None:
    house = House(tmp_path, game)
    house.until_cards()
    table = house.restart()
    (incident,) = table.incidents.values()
    assert (incident.family, incident.blocks, incident.covered) == ("interruption", True, False)
    assert [type(event) for event in house.events()[-2:]] == [e.PlayInterrupted, e.IncidentOpened]
    assert house.deal() is None
    # a second restart has nothing to add
    version = table.version
    assert house.restart().version == version
    rounds = house.table.rounds
    while house.table.rounds == rounds:
        house.step()


def test_another_process_that_takes_over_is_no_interruption(house: House) -> None:
    house.until_cards()
    before = house.table
    assert house.restart(takeover=True) == before


def test_between_rounds_and_at_live_tables_nothing_is_reported(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.deal()
    assert house.restart().version == house.store.version("E1") == len(house.events())
    assert not any(isinstance(event, e.PlayInterrupted) for event in house.events())
    live = Keeper(house.store, KEY)
    bodies: list[AnyCommand] = [c.OpenTable(settings("L1", automated=())), c.NewShoe("machine"), c.Call()]
    for number, body in enumerate(bodies):
        assert isinstance(live.give("L1", Command(f"l{number}", HOUSE, NOW, body)), Answer)
    again = Keeper(house.store, KEY).start(NOW)["L1"]
    assert again == live.table("L1")
    assert again.round is not None


def test_two_processes_that_start_together_report_one_interruption(house: House) -> None:
    house.until_cards()
    other = Keeper(house.store, KEY)
    other.table("E1")
    table = house.keeper.start(house.now)["E1"]
    assert other.start(house.now)["E1"].version <= table.version + 1
    reported = [event for event in house.events() if isinstance(event, e.PlayInterrupted)]
    assert len(reported) == 1


# --- the shoe


def test_a_repeated_deal_gives_the_same_cards_and_two_keepers_deal_one_order(house: House) -> None:
    house.until_cards(0)
    first = house.keeper.deal("E1", "the deal", house.now)
    assert isinstance(first, Answer)
    other = Keeper(house.store, KEY, shoes=ElectronicShoe(house.vault, load_key_file(house.folder / "shoes.key")))
    again = other.deal("E1", "the deal", house.now)
    assert isinstance(again, Answer)
    assert again.repeated
    assert again.records == first.records
    keepers = [house.keeper, other]
    while not house.table.shoe.ended:
        house.keeper = house.chance.choice(keepers)
        house.step()
    assert verify_log(log_of(house.keeper, "E1")).problem is None


def test_a_keeper_without_shoes_and_a_live_table_deal_nothing(house: House) -> None:
    assert Keeper(house.store, KEY).deal("E1", "x", NOW) is None
    assert house.keeper.deal("nowhere", "x", NOW) is None


def test_a_shoe_that_is_not_in_the_vault_gives_no_cards_and_ends_nothing(house: House, tmp_path: Path) -> None:
    house.until_cards(0)
    empty = SqliteVault(tmp_path / "another.vault")
    keeper = Keeper(house.store, KEY, shoes=ElectronicShoe(empty, load_key_file(house.folder / "shoes.key")))
    refused = keeper.deal("E1", "x", house.now)
    assert isinstance(refused, Refusal)
    assert refused.values == {"problem": "shoe 1 of table E1 is not in the vault"}
    while house.table.round is not None:
        house.step()
    answer = keeper.give("E1", Command("y", HOUSE, house.now, c.EndShoe("worn")))
    assert isinstance(answer, Refusal)
    assert answer.values == {"problem": "the shoe cannot be revealed: shoe 1 of table E1 is not in the vault"}
    assert not house.table.shoe.ended
    house.do(c.EndShoe("worn"))
    assert verify_log(log_of(house.keeper, "E1")).problem is None


def test_a_card_of_the_shoe_is_not_corrected(house: House) -> None:
    """The machine's record is the felt (reading A): nobody says that the shoe gave another card."""
    house.until_cards()
    current = house.table.round
    assert current is not None
    was = current.cards[0].card
    assert was is not None
    other = next(card for card in type(was) if card is not was and card.rank is was.rank)
    proposal = Command(house.id(), STAFF[0], house.now, c.Propose(r.CorrectCard(1, other), 0, "it looked like that"))
    refused = house.keeper.give("E1", proposal)
    assert isinstance(refused, Refusal)
    assert refused.code == "machine_record"
    assert verify_log(log_of(house.keeper, "E1"), KEY.public).problem is None
