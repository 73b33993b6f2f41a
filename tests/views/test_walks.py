"""Walks through a table led by its views alone: half of the steps are the proper next ones, half are anything allowed.

On the way every allowed action is tried with amounts and choices of its own, every refused one must be refused as
the view says, and what is hidden must make no difference.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.table.build import DIRECTOR, Play
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
from puntobanco.table.commands import HOUSE, AnyCommand
from puntobanco.table.evolve import fold
from puntobanco.views import View, Viewer, view
from puntobanco.views.actions import Action, Ask, fill
from puntobanco.views.steps import next_step

TABLES = [*GAMES.values(), *(changes for changes, _ in DEALINGS.values())]
RARE = frozenset({"close_table", "end_shoe", "cut_card", "void_round", "sign_off", "leave", "report_cards"})
"""Steps that end what a walk is about."""


@pytest.mark.parametrize("seed", range(len(TABLES)))
def test_views_hold_wherever_they_lead(seed: int) -> None:
    chance = random.Random(seed)
    play = seated_play(**TABLES[seed])
    for _ in range(50):
        play.wait(chance.random() * 3)
        viewer = chance.choice(viewers(play))
        seen = view(play.table, viewer, play.now)
        for action in seen.actions:
            body = chosen(chance, play, action) if action.allowed else next(commands_of(action))
            check_answer(viewer, action, play.ask(body, viewer.person), body)
        check_no_difference(play.table, viewer, play.now)
        if chance.random() < 0.5:
            take_next_step(chance, play)
        elif usual := [action for action in seen.actions if action.allowed and action.do not in RARE]:
            do = chance.choice(sorted({action.do for action in usual}))
            action = chance.choice([action for action in usual if action.do == do])
            play.do(chosen(chance, play, action), viewer.person)
    assert fold(play.events, play.table.book) == play.table


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
    actor = {"house": HOUSE, "dealer": HOUSE, "player": "".join(step.people[:1])}.get(step.who, DIRECTOR)
    seen = view(play.table, Viewer("player" if step.who == "player" else "pit", actor), play.now)
    play.do(proper(chance, play, seen), actor)


def proper(chance: random.Random, play: Play, seen: View) -> AnyCommand:
    """The command of the next step, with cards by chance."""
    step = seen.next_step
    assert step is not None
    assert step.yours, (seen.viewer, step)
    wanted = {"number": step.number, "box": step.box}
    action = next(
        action
        for action in seen.actions
        if action.do == step.do
        and action.allowed
        and all(action.fixed.get(name, value) == value for name, value in wanted.items())
    )
    values = {ask.field: value_of(chance, play, ask) for ask in action.asks if not ask.optional}
    if step.do == "draw" and step.hand is not None:
        values["hand"] = step.hand.value
    return fill(action, values)


def chosen(chance: random.Random, play: Play, action: Action) -> AnyCommand:
    asks = [ask for ask in action.asks if not ask.optional or chance.random() < 0.4]
    return fill(action, {ask.field: value_of(chance, play, ask) for ask in asks})


def value_of(chance: random.Random, play: Play, ask: Ask) -> Any:
    match ask.kind:
        case "amount":
            assert ask.least is not None
            most = ask.least + 5_000_00 if ask.most is None else ask.most
            steps = (most - ask.least) // ask.step
            return ask.least + ask.step * chance.choice([0, steps, chance.randint(0, steps)])
        case "card":
            return chance.choice(CARDS).value
        case "cards" if not ask.unseen:
            assert ask.least is not None
            assert ask.most is not None
            return [chance.choice(CARDS).value for _ in range(chance.randint(ask.least, ask.most))]
        case "name":
            return f"n{chance.randrange(10**9)}"
        case _:
            return chance.choice(examples(ask))
