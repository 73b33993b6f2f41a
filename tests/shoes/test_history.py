"""What a log tells of a shoe when things went wrong: cards put right, carried over, taken back, named anew."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from tests.entries import as_entries
from tests.script.mishaps import MISHAPS
from tests.script.test_walks import LoggedWalk
from tests.shoes.electronic import ElectronicTable, settings

from puntobanco.cards import Card, Side, parse_cards
from puntobanco.coup import OPENING
from puntobanco.rules.load import find_book
from puntobanco.script import parse_script, play
from puntobanco.script.log import next_tables
from puntobanco.shoes.audit import check_shoes
from puntobanco.shoes.commit import CommitmentError
from puntobanco.shoes.dealer import DealerError
from puntobanco.shoes.history import ShoeHistory, follow, follow_all
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.entry import Entry
from puntobanco.table.folds import evolve
from puntobanco.table.rulings import AnyRuling
from puntobanco.table.settings import ELECTRONIC, Step, in_order
from puntobanco.table.state import Round, Table

# --- the history of the shoe and the table tell the same


def check_history(entries: Iterable[Entry]) -> bool:
    """After every event the shoe's history has the table's cards; False where it refused to follow."""
    table: Table | None = None
    shoe: ShoeHistory | None = None
    for entry in entries:
        for event, after in zip(entry.events, next_tables(table, entry, find_book), strict=True):
            try:
                shoe = follow(shoe, event)
            except CommitmentError:
                return False
            table = after
            if shoe is not None:
                check_same(shoe, table)
    return True


def check_same(shoe: ShoeHistory, table: Table) -> None:
    assert len(shoe.gone) == table.shoe.drawn
    assert len(shoe.burnt) == table.shoe.burnt
    assert len(shoe.burnt) + len(shoe.dealt) == len(shoe.gone)
    named = [[shoe.gone[place] for place in places] for _, places in shoe.past]
    assert named == [cards_of(each) for each in table.past if not each.back]
    if table.round is not None:
        assert [shoe.gone[place] for place in shoe.cards] == cards_of(table.round)
    if not table.shoe.ended:
        assert [shoe.gone[place] for place in shoe.carried] == [drawn.card for drawn in table.carried]


def cards_of(played: Round) -> list[Card | None]:
    return [drawn.card for drawn in played.cards]


@pytest.mark.parametrize("name", MISHAPS)
def test_histories_in_which_things_go_wrong(name: str) -> None:
    played = play(parse_script(MISHAPS[name]))
    events = [record.event for record in played.records]
    # no electronic shoe has a record of its cards put right: such a history is of a live table, and is not followed
    amended = any(isinstance(event, e.CardsTold | e.CardCorrected | e.CardStruck) for event in events)
    assert check_history(played.entries) is not amended


def test_random_walks() -> None:
    followed = 0
    for seed in range(12):
        walk = LoggedWalk(Random(seed))
        for _ in range(150):
            walk.step()
        followed += check_history(walk.entries)
    assert followed > 6


# --- an electronic shoe goes on from where the log stands


class Mishap(ElectronicTable):
    """An electronic table at which the House makes mistakes, and staff put them right."""

    def __init__(self, folder: Path, game: str, by_itself: tuple[Step, ...] = ELECTRONIC, **changes: object) -> None:
        super().__init__(folder, Random(f"{game} 2"), settings(game, automated=by_itself, **changes))
        for name in ("eva", "art"):
            self.do(c.SignOn(name, "assistant_director"))

    def next_cards(self, count: int) -> tuple[Card, ...]:
        """What the shoe would give next."""
        return self.dealer._next(self.table, self.shoe, count)

    def happen(self, *events: e.Event) -> None:
        for event in events:
            self.events.append(event)
            self.table, self.shoe = evolve(self.table, event), follow(self.shoe, event)

    def begin(self) -> None:
        """To a round with its bets closed and no card out."""
        while self.table.round is None or not self.table.round.untouched:
            self.step()

    def rule(self, ruling: AnyRuling, incident: int = 0) -> None:
        happened = self.do(c.Propose(ruling, incident, "seen on camera"), "eva")
        for event in happened:
            if isinstance(event, e.RulingProposed):
                self.do(c.Approve(event.number), "art")
        while self.table.round is not None and (options := self.table.round.options) is not None:
            self.do(c.TakeOption(min(options.waiting), True), HOUSE_STAFF)

    def finish(self, rounds: int = 3) -> None:
        """Some more rounds, then the end of the shoe: all of it must be as committed to."""
        wanted = self.table.rounds + rounds
        while self.table.rounds < wanted or self.table.round is not None:
            self.step()
            self.restart()
        self.do(c.EndShoe("enough"))
        assert check_shoes(self.events, self.reveals) == len(self.reveals)
        assert check_history(as_entries(self.events))


HOUSE_STAFF = "eva"
BY_HAND = in_order({Step.DEAL, Step.SQUEEZE})
"""A table that deals, and waits for everything else."""


def kinds(table: ElectronicTable) -> set[type[e.Event]]:
    return {type(event) for event in table.events}


def test_after_a_card_at_the_wrong_hand(tmp_path: Path) -> None:
    table = Mishap(tmp_path, "rws-baccarat")
    table.begin()
    (card,) = table.next_cards(1)
    table.do(c.Draw(card, Side.BANKER, True))
    table.rule(r.Reconstruct(), next(iter(table.table.incidents)))
    assert e.CardsArranged in kinds(table)
    table.finish()


def test_after_a_card_too_many_that_opens_the_next_round(tmp_path: Path) -> None:
    table = Mishap(tmp_path, "rws-baccarat", BY_HAND)
    table.begin()
    while table.table.round is None or not table.table.round.finished:
        command = table.dealer.next_command(table.table, table.shoe)
        assert command is not None
        table.do(command)
    (card,) = table.next_cards(1)
    table.do(c.Draw(card, Side.PLAYER, True))
    table.rule(r.Reconstruct(), next(iter(table.table.incidents)))
    assert len(table.table.carried) == 1
    table.do(c.Announce("tie"))
    table.do(c.Settle())
    assert table.table.round is not None
    for box in sorted(table.table.round.unconfirmed):
        table.do(c.Confirm(box))
    table.do(c.Call())
    table.do(c.Close())
    assert e.CarriedCardsDealt in kinds(table)
    for _ in range(3):  # make the opening complete
        command = table.dealer.next_command(table.table, table.shoe)
        assert isinstance(command, c.Deal)
        assert len(command.cards) == 1
        table.do(command)
    assert table.shoe is not None
    check_same(table.shoe, table.table)


def test_after_cards_that_went_back_for_a_burn(tmp_path: Path) -> None:
    table = Mishap(tmp_path, "dragon-tiger-commission", burn="first_card", face_down=True)
    table.do(table.dealer.new_shoe(table.table))
    table.do(c.CutShoe("ann", 77), "ann")
    first, second = table.next_cards(2)
    # an electronic table burns before it calls; told by a log, it is followed all the same
    table.happen(e.RoundCalled(1, "", 0), e.BetsClosed(""), e.CardDrawn(1, first), e.CardDrawn(2, second))
    table.happen(e.CardsRetrieved(2, ""))
    assert table.table.shoe.drawn == 0
    command = table.dealer.next_command(table.table, table.shoe)
    assert isinstance(command, c.Burn)
    assert command.cards[0] is first
    table.do(command)
    table.finish()
    assert e.CardsRetrieved in kinds(table)


def test_a_card_that_the_shoe_did_not_give_stops_it(tmp_path: Path) -> None:
    table = Mishap(tmp_path, "rws-baccarat", BY_HAND)
    table.begin()
    right = table.next_cards(4)
    wrong = next(card for card in Card if card is not right[0] and card.rank is right[0].rank)
    table.do(c.Deal((wrong, *right[1:])))
    with pytest.raises(DealerError, match="is not the one that the shoe gave"):
        table.next_cards(1)


# --- rounds told anew


ROUND = [
    e.ShoeStarted(1, 416, "machine"),
    e.RoundCalled(1, "", 0),
    e.CardsDealt(parse_cards("9h 8c Kd Ks"), OPENING),
    e.RoundEnded(1, 4),
    e.RoundCalled(2, "", 0),
    e.CardsDealt(parse_cards("2h 3c 4d 5s"), OPENING),
]


def told(*events: e.Event) -> str:
    """The cards that left the shoe, by their letters."""
    shoe = follow_all([*ROUND, *events])
    assert shoe is not None
    return "".join(str(card) if card else "--" for card in shoe.gone)


def test_a_card_that_was_valued_is_named_in_its_place() -> None:
    assert told() == "9h8cKdKs2h3c4d5s"
    assert told(e.CardDrawn(5), e.CardValued(5, Card("6h"), "")) == "9h8cKdKs2h3c4d5s6h"


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([e.CardsRetrieved(3, "")], "not the last to leave it"),
        ([e.EarlyCardDrawn("", Card("As")), e.CardsRetrieved(4, "")], "not the last to leave it"),
        ([e.CardValued(5, Card("As"), "")], "there is no card 5"),
        ([e.CardsArranged("reconstructed", (1, 9), OPENING[:2], "")], "put right before it was drawn"),
        ([e.CardsBurnt((None,))], "burnt after its first round"),
    ],
)
def test_what_cannot_be_followed_is_refused(events: list[e.Event], message: str) -> None:
    with pytest.raises(CommitmentError, match=message):
        follow_all([*ROUND, *events])
