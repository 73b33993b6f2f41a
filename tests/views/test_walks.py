"""Walks through a table led by its views alone: half of the steps are the proper next ones, half are anything allowed.

On the way every allowed action is tried with amounts and choices of its own, every refused one must be refused as
the view says, and what is hidden must make no difference.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from tests.search import far, search
from tests.table.build import DIRECTOR, Play
from tests.table.walk import sensible
from tests.views.test_views import (
    DEALINGS,
    GAMES,
    check_answer,
    check_no_difference,
    commands_of,
    examples,
    seated_play,
)

from puntobanco.cards import CARDS
from puntobanco.table.commands import HOUSE, AnyCommand, Propose, SetLimits, SignOn
from puntobanco.table.engine import Done, fold
from puntobanco.table.refusals import Refusal
from puntobanco.views import View, Viewer, view
from puntobanco.views.actions import Action, Ask, fill
from puntobanco.views.steps import next_step

TABLES = [*GAMES.values(), *(changes for changes, _ in DEALINGS.values())]
RARE = frozenset({"close_table", "end_shoe", "cut_card", "sign_off", "leave", "report_cards"})
"""Steps that end what a walk is about."""
TROUBLE = frozenset(
    {
        *("report", "report_interruption", "report_round", "meant_to_insure", "find_bet", "put_card", "draw", "place"),
        *("propose", "approve", "decline", "take_option", "note_on_dispute", "decide_dispute", "answer_dispute"),
    }
)
"""What makes a walk worth while."""
SECOND = "the other director"
"""Who approves what the director proposed."""


@search
@pytest.mark.parametrize("seed", range(len(TABLES)))
def test_views_hold_wherever_they_lead(seed: int) -> None:
    walk(seed)


def walk(seed: int) -> None:
    chance = random.Random(seed)
    play = seated_play(**TABLES[seed % len(TABLES)])
    for _ in range(far(15, 50)):
        play.wait(chance.random() * 3)
        viewer = chance.choice(viewers(play))
        seen = view(play.table, viewer, play.now)
        for action in seen.actions:
            body = chosen(chance, play, action) if action.allowed else next(commands_of(action))
            check_answer(viewer, action, play.ask(body, viewer.person), body)
        check_boxes(play, viewer, seen.actions)
        check_no_difference(play.table, viewer, play.now)
        way = chance.random()
        wanted = [action for action in seen.actions if action.allowed and action.do not in RARE]
        if way < 0.2:
            wanted = [action for action in wanted if action.do in TROUBLE] or wanted
        if way > 0.6:
            take_next_step(chance, play)
        elif wanted:
            do = chance.choice(sorted({action.do for action in wanted}))
            action = chance.choice([action for action in wanted if action.do == do])
            body = chosen(chance, play, action)
            if not isinstance(body, Propose) or isinstance(play.ask(body, viewer.person), Done):
                play.do(body, viewer.person)  # by chance the same may be proposed already
    assert fold(play.entries, play.table.book) == play.table


def check_boxes(play: Play, viewer: Viewer, actions: Sequence[Action]) -> None:
    """The engine gives each box of a set the same answer, and each box that is left out another one."""
    person = play.table.people.get(viewer.person)
    if viewer.kind != "player" or person is None:
        return
    boxes = play.table.boxes
    for action in actions:
        if action.do == "join":
            body = fill(action, {"box": 1})
            for box in boxes:
                taken = isinstance(play.ask(replace(body, box=box), person.id), Done)
                assert taken is (action.allowed and box in action.asks[0].choices), (viewer, action, box)
        elif action.do == "place":
            where, amount = action.asks
            for at in where.choices:
                for value in (amount.least, amount.most):
                    if value is not None:
                        body = fill(action, {"box": at, amount.field: value})
                        check_answer(viewer, action, play.ask(body, person.id), body)
                if action.allowed:
                    assert amount.most is not None
                    beyond = fill(action, {"box": at, amount.field: amount.most + amount.step})
                    assert isinstance(play.ask(beyond, person.id), Refusal), (viewer, action, at)


def viewers(play: Play) -> list[Viewer]:
    people = play.table.people.values()
    return [
        *(Viewer("pit" if person.staff else "player", person.id) for person in people),
        Viewer("dealer", HOUSE),
        Viewer("player", "stranger"),
    ]


def take_next_step(chance: random.Random, play: Play) -> None:
    step = next_step(play.table)
    assert step is not None
    if step.do == "close":
        bet(chance, play)
    actor = {"house": HOUSE, "dealer": HOUSE, "player": "".join(step.people[:1])}.get(step.who, DIRECTOR)
    if step.do == "propose":
        actor = HOUSE
    elif step.do == "approve":
        by = play.table.proposals[step.proposal].by
        actor = next(name for name in (DIRECTOR, SECOND) if name != by)
        if actor not in play.table.people:
            play.do(SignOn(actor, "assistant_director"), HOUSE)
    seen = view(play.table, Viewer("player" if step.who == "player" else "pit", actor), play.now)
    play.do(proper(chance, play, seen), actor)


def bet(chance: random.Random, play: Play) -> None:
    """Some of the players bet before the close."""
    for person in list(play.table.people.values()):
        if person.staff or chance.random() < 0.3:
            continue
        seen = view(play.table, Viewer("player", person.id), play.now)
        if places := [action for action in seen.actions if action.do == "place" and action.allowed]:
            play.do(chosen(chance, play, chance.choice(places[:3])), person.id)


def proper(chance: random.Random, play: Play, seen: View) -> AnyCommand:
    """The command of the next step, with cards by chance."""
    step = seen.next_step
    assert step is not None
    assert step.yours, (seen.viewer, step)
    wanted = {"number": step.number, "box": step.box, "incident": step.incident, "proposal": step.proposal}
    action = chance.choice(
        [
            action
            for action in seen.actions
            if action.do == step.do
            and action.allowed
            and all(action.fixed.get(name, value) == value for name, value in wanted.items())
            and (not step.people or action.fixed.get("person", step.people[0]) in step.people)
        ]
    )
    values = {ask.field: value_of(chance, play, ask) for ask in action.asks if not ask.optional}
    if step.do == "draw" and step.hand is not None:
        values["hand"] = step.hand.value
    return fill(action, values)


def chosen(chance: random.Random, play: Play, action: Action) -> AnyCommand:
    asks = [ask for ask in action.asks if not ask.optional or chance.random() < 0.4]
    body = fill(action, {ask.field: value_of(chance, play, ask) for ask in asks})
    return sensible(body) if isinstance(body, SetLimits) else body


def value_of(chance: random.Random, play: Play, ask: Ask) -> Any:
    match ask.kind:
        case "amount":
            assert ask.least is not None
            most = ask.least + 5_000_00 if ask.most is None else ask.most
            steps = (most - ask.least) // ask.step
            value = ask.least + ask.step * chance.choice([0, steps, chance.randint(0, steps)])
            return value if value != ask.but else value + ask.step
        case "some":
            assert ask.most is not None
            one_or_all = chance.choice([1, ask.most])
            return sorted(chance.sample(ask.choices, one_or_all), key=ask.choices.index)
        case "card":
            return chance.choice([card.value for card in CARDS if card.value != ask.but])
        case "cards" if not ask.unseen:
            assert ask.least is not None
            assert ask.most is not None
            return [chance.choice(CARDS).value for _ in range(chance.randint(ask.least, ask.most))]
        case "name":
            return f"n{chance.randrange(10**9)}"
        case _:
            return chance.choice(examples(ask))
