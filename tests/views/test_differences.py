"""What is sent of a view after the first: with it the viewer has exactly the whole view, whatever happened between.

And what is remembered from one view to the next: whoever looks again and again is told the same as one who looks once.
"""

from __future__ import annotations

import random
from random import Random
from typing import Any

import msgspec
import pytest
from tests.search import far, search
from tests.table.strategies import random_settings
from tests.table.walk import Walk
from tests.views.test_views import seated_play
from tests.views.test_walks import TABLES, bet, chosen, take_next_step, viewers

from puntobanco.table.commands import HOUSE, BuyIn, Join, Place, Tip
from puntobanco.table.state import Phase, Table
from puntobanco.views import View, Viewer, view
from puntobanco.views.difference import applied, difference
from puntobanco.views.judge import Memory
from puntobanco.views.view import Common, look, since

_encode = msgspec.json.Encoder().encode


class Regular:
    """Somebody who looks again and again, and gets what has changed."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.memory = Memory()
        self.view: View | None = None
        self.shown: dict[str, Any] = {}
        self.sent = self.whole = 0

    def look(self, common: Common) -> None:
        seen = look(common, self.viewer, self.memory)
        plain = view(common.table, self.viewer, common.now)
        for action, expected in zip(seen.actions, plain.actions, strict=False):
            assert action == expected, self.viewer
        assert seen == plain, self.viewer
        if self.view is None:
            self.shown = msgspec.json.decode(_encode(seen))
        else:
            told = msgspec.json.decode(_encode(since(common, self.view, seen)))
            self.shown = applied(self.shown, told["parts"], told["lists"])
            self.shown |= {"version": seen.version, "now": seen.now}
            self.sent += len(_encode(told))
        self.whole += len(_encode(seen))
        self.view = seen
        assert self.shown == msgspec.json.decode(_encode(plain)), self.viewer
        assert msgspec.convert(self.shown, View, str_keys=True) == plain, self.viewer


class Regulars:
    """All who look at a table: each at some of the moments only."""

    def __init__(self, chance: Random, part: float) -> None:
        self._chance, self._part = chance, part
        self._common: Common | None = None
        self.all: dict[Viewer, Regular] = {}

    def look(self, table: Table, now: int, *who: Viewer) -> None:
        common = self._common = Common(table, now, self._common)
        for viewer in who:
            if self._chance.random() < self._part:
                self.all.setdefault(viewer, Regular(viewer)).look(common)


@search
@pytest.mark.parametrize("seed", range(0, len(TABLES), far(4, 1)))
def test_differences_lead_to_the_whole_view_in_rounds(seed: int) -> None:
    chance = random.Random(seed)
    play = seated_play(**TABLES[seed])
    regulars = Regulars(chance, 0.7)
    for _ in range(far(30, 400)):
        play.wait(chance.random() * 3)
        if play.table.round is not None and not play.table.round.closed and chance.random() < 0.5:
            bet(chance, play)
        else:
            take_next_step(chance, play)
        players = (each for each in viewers(play) if each.kind == "player")
        others = (Viewer("display"), Viewer("surveillance", "sue"), Viewer("dealer", HOUSE), Viewer("pit", "marco"))
        regulars.look(play.table, play.now, *players, *others)


@search
@pytest.mark.parametrize("seed", range(far(5, 120)))
def test_differences_lead_to_the_whole_view_on_walks(seed: int) -> None:
    chance = Random(seed)
    electronic: dict[str, Any] = {} if seed % 2 else {"differential": None}
    walk = Walk(chance, random_settings(chance, **electronic))
    regulars = Regulars(chance, 0.4)
    for _ in range(far(50, 150)):
        walk.step()
        people = [*walk.table.people.values()]
        players = [Viewer("player", person.id) for person in people if not person.staff]
        staff = [Viewer("pit", person.id) for person in people if person.staff]
        some = (*players[:3], *staff[:1], Viewer("dealer", HOUSE), Viewer("player", "stranger"))
        regulars.look(walk.table, walk.now, *some)


@search
@pytest.mark.parametrize("seed", range(far(6, 60)))
def test_whom_a_bet_does_not_touch_is_told_what_all_are_told(seed: int) -> None:
    """Bets, chips, arrivals and the end of the time, one after the other, seen by everybody or by some."""
    chance = Random(seed)
    play = seated_play(**TABLES[seed % len(TABLES)], **({} if seed % 3 == 0 else {"differential": None}))
    regulars = Regulars(chance, 1 if seed % 2 else 0.6)
    spared = 0
    for _ in range(far(60, 200)):
        name = chance.choice([each.id for each in play.table.people.values() if not each.staff])
        what = chance.randrange(8) if play.table.phase is Phase.BETTING else 9
        if what < 4:
            seen = view(play.table, Viewer("player", name), play.now)
            if places := [each for each in seen.actions if each.do == "place" and each.allowed]:
                play.do(chosen(chance, play, chance.choice(places)), name)
        elif what == 4:
            play.do(BuyIn(name, chance.randrange(1, 500_00)), play.runner)
        elif what == 5 and play.table.stack(name) > 100:
            play.do(Tip(name, chance.randrange(1, 100)), name)
        elif what == 6:
            play.wait(chance.random() * 9)
        elif what == 7:
            guest = f"guest {play.table.version}"
            agreed = play.table.settings.no_insurance
            play.do(Join(guest, play.table.people["alice"].box, False, agreed), guest)
        elif what == 9:
            take_next_step(chance, play)
        who = [each for each in viewers(play) if each.kind == "player"]
        before = {each: regulars.all[each].view for each in who if each in regulars.all}
        others = (Viewer("display"), Viewer("player", "nobody"), Viewer("pit", "marco"))
        regulars.look(play.table, play.now, *who, *others)
        for viewer, earlier in before.items():
            later = regulars.all[viewer].view
            assert later is not None
            spared += later is not earlier and earlier is not None and later.own is earlier.own
    assert spared > 5 or seed % 3 == 0, "the short cut was not taken"


def test_a_bet_of_somebody_else_costs_a_tenth_of_the_view() -> None:
    play = seated_play(**TABLES[0])
    while play.table.round is None or play.table.round.closed:
        take_next_step(random.Random(0), play)
    players = [each for each in play.table.people.values() if not each.staff]
    onlooker, dealer = Regular(Viewer("player", players[1].id)), Regular(Viewer("dealer", HOUSE))
    bets = play.table.layout.bets
    for code in ("tie", *(code for code in bets if code != "tie")):
        for each in (onlooker, dealer):
            each.look(Common(play.table, play.now))
        place = next(
            (
                each
                for each in view(play.table, Viewer("player", players[0].id), play.now).actions
                if each.do == "place"
            ),
            None,
        )
        assert place is not None
        least = next(
            ask.least
            for action in view(play.table, Viewer("player", players[0].id), play.now).actions
            for ask in action.asks
            if ask.field == f"wagers.{code}"
        )
        assert least is not None
        play.do(Place(players[0].id, players[0].box, {code: least}), players[0].id)
        break
    whole = onlooker.whole, dealer.whole
    for each in (onlooker, dealer):
        each.look(Common(play.table, play.now))
    assert onlooker.sent * 10 < whole[0], (onlooker.sent, whole[0])
    assert dealer.sent * 10 < whole[1], (dealer.sent, whole[1])


class Item(msgspec.Struct, frozen=True):
    name: str


class Sheet(msgspec.Struct, frozen=True):
    items: tuple[Item, ...]
    inner: Item | None = None
    numbers: tuple[int, ...] = ()


@pytest.mark.parametrize("seed", range(200))
def test_lists_are_told_by_what_stays_and_what_is_new(seed: int) -> None:
    chance = Random(seed)
    names = [chance.choice("abcdef") for _ in range(chance.randrange(9))]
    others = [chance.choice("abcdefgh") for _ in range(chance.randrange(9))] if chance.random() < 0.3 else list(names)
    for _ in range(chance.randrange(3)):
        if others:
            others[chance.randrange(len(others))] = chance.choice("xyzab")
    before = Sheet(tuple(map(Item, names)), chance.choice([None, Item("i")]), (1,))
    after = Sheet(tuple(map(Item, others)), chance.choice([None, Item("j")]), (1, 2))
    told = msgspec.json.decode(_encode(difference(before, after)))
    base = msgspec.json.decode(_encode(before))
    kept = msgspec.json.encode(base)
    assert applied(base, told["parts"], told["lists"]) == msgspec.json.decode(_encode(after))
    assert msgspec.json.encode(base) == kept
