"""Writes views of real tables in several phases, for several viewers, as the page's tests and drawings need them.

``python -m scripts.tools.page_fixtures`` plays a table of each game by the engine and fills ``web/fixtures/``, which
is not kept in the repository: ``scripts/check-page`` writes it anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
from tests.table.build import DEALER, MANAGER, Play, open_table
from tests.views.test_views import examples

from puntobanco.cards import CARDS, Card, Side
from puntobanco.floor.wire import FLOOR_CODES, Brief
from puntobanco.rules.load import GAMES, find_book
from puntobanco.rules.model import Layout
from puntobanco.table import commands as c
from puntobanco.table.commands import AnyCommand
from puntobanco.table.settings import ELECTRONIC, BetLimits, Differential
from puntobanco.table.state import Phase, Table
from puntobanco.views import Action, Viewer, fill, view
from puntobanco.views.public import Sign
from puntobanco.words import reasons

FOLDER = Path(__file__).resolve().parents[2] / "web" / "fixtures"
PLAYERS = ("alice", "bob", "chloe", "dinh")
ROUNDS = {
    "tiger-buffalo": 46,
    "super-six": 31,
    "rws-baccarat": 58,
    "da-hu-ying-xiong": 12,
    "dragon-tiger-commission": 24,
    "dragon-tiger-non-commission": 0,
}


class Shoe:
    """Cards in an order that a number decides."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.cards = list(CARDS) * 8
        self.chance.shuffle(self.cards)

    def draw(self) -> Card:
        return self.cards.pop()


def first_layout(game: str) -> Layout:
    return next(iter(find_book(game).layouts.values()))


def opened(game: str, number: int, **changes: Any) -> Play:
    """A table with four players, the last of them standing behind the first one's box."""
    layout = first_layout(game)
    settings: dict[str, Any] = {
        "table": f"T{number}",
        "game": game,
        "layout": layout.code,
        "positions": layout.positions[-1],
        "limits": BetLimits(minimum=25_00 * number, maximum=5_000_00 * number, step=5_00),
        "differential": Differential(20_000_00),
    }
    play = open_table(**settings | changes)
    for box, person in enumerate(PLAYERS[:-1], 1):
        play.sit(person, box, 25_000_00)
    play.sit(PLAYERS[-1], 1, 5_000_00, seated=False)
    play.shoe()
    return play


def bets(play: Play, chance: Random) -> None:
    """Everybody bets on a hand and on a side bet, as far as the view lets them."""
    for person in PLAYERS:
        sides = [bet for bet in play.table.layout.bets if bet not in ("player", "banker")]
        for bet in (chance.choice(("player", "banker")), chance.choice(sides)):
            for action in view(play.table, Viewer("player", person), play.now).actions:
                ask = next((ask for ask in action.asks if ask.field == f"wagers.{bet}"), None)
                if action.do == "place" and action.allowed and ask is not None:
                    least = ask.least or ask.step
                    most = min(ask.most or least, least * 40)
                    amount = min(most, least + ask.step * chance.randrange(0, 40))
                    box = next((each.choices[0] for each in action.asks if each.field == "box"), None)
                    values = {f"wagers.{bet}": amount} | ({"box": box} if box is not None else {})
                    play.do(fill(action, values), person)
                    break


def deal(play: Play, shoe: Shoe, most: int = 6) -> None:
    """Cards until the hands are complete, or so many lie there; insurance is let pass."""
    while play.table.round is not None and play.table.round.due is not None and len(play.table.round.cards) < most:
        play.deal(str(shoe.draw()))


def play_round(play: Play, shoe: Shoe) -> None:
    play.call()
    bets(play, shoe.chance)
    play.close()
    deal(play, shoe)
    play.finish()


def brief(table: Table) -> Brief:
    """The table as the lobby shows it."""
    seen = view(table, Viewer("display"), 0).public
    sign = seen.sign
    return Brief(
        table=sign.table,
        game=sign.game,
        title=sign.title,
        layout=sign.layout,
        phase=seen.phase,
        currency=sign.currency,
        digits=sign.digits,
        bets=sign.bets,
        boxes=tuple(box.number for box in seen.boxes),
        free=tuple(box.number for box in seen.boxes if not box.seated),
        players=sum(box.seated + box.standing for box in seen.boxes),
        rounds=seen.shoe.rounds,
        beads=tuple(past.result for past in seen.rounds if past.result is not None)[-60:],
        electronic=sign.electronic,
        differential=sign.differential,
        insurance=sign.insurance,
        waits=bool(seen.waits),
    )


class Fixtures:
    """Files of the folder, by name."""

    def __init__(self) -> None:
        FOLDER.mkdir(exist_ok=True)
        for old in FOLDER.glob("*.json"):
            old.unlink()
        self.names: list[str] = []

    def write(self, name: str, value: Any) -> None:
        (FOLDER / f"{name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=1))
        self.names.append(name)

    def write_fills(self) -> None:
        """Actions with answers, and the commands that the engine's own client makes of them."""
        fills = []
        for name in self.names:
            seen = msgspec.json.decode((FOLDER / f"{name}.json").read_bytes())
            for action in msgspec.convert(seen["actions"], tuple[Action, ...]) if "actions" in seen else ():
                if action.allowed:
                    answers = {ask.field: examples(ask)[-1] for ask in action.asks if not ask.optional}
                    fills.append({"action": action, "answers": answers, "command": fill(action, answers)})
        self.write("fills", fills[::3])

    def views(self, name: str, play: Play) -> None:
        """As a display, a player, the dealer and the pit see it."""
        for kind, person in (("display", ""), ("player", "alice"), ("dealer", DEALER), ("pit", MANAGER)):
            self.write(f"{name}-{kind}", view(play.table, Viewer(kind, person), play.now))  # type: ignore[arg-type]


def phases(files: Fixtures, game: str, play: Play, shoe: Shoe) -> None:
    """One round of the table, stopped at each phase."""
    if not play.table.shoe.rounds:
        files.views(f"{game}-idle", play)
    play.call()
    play.wait(6)
    bets(play, shoe.chance)
    files.views(f"{game}-betting", play)
    play.close()
    deal(play, shoe, 4)
    files.views(f"{game}-dealing", play)
    deal(play, shoe)
    current = play.table.round
    if current is not None and not current.announced:
        winner = current.coup.winner
        play.do(c.Announce(winner.value if winner else "tie"), play.runner)
    if play.table.phase is Phase.PAYING:
        files.views(f"{game}-paying", play)
    play.finish()
    files.views(f"{game}-settled", play)


def insurance(files: Fixtures, play: Play, shoe: Shoe) -> None:
    """Rounds until insurance is on offer."""
    for _ in range(60):
        play.call()
        play.bet("alice", {"player": 500_00, "banker": 600_00})
        play.bet("bob", {"banker": 500_00})
        play.close()
        while (current := play.table.round) is not None and current.due is not None:
            play.do(c.Deal((shoe.draw(),)), play.runner)
            if play.table.round is not None and play.table.round.window is not None:
                play.wait(3)
                files.views("insurance", play)
                return
        play.finish()
    raise AssertionError("insurance was never on offer")


def incident(files: Fixtures, play: Play) -> None:
    """A card at the wrong hand, then the ruling proposed."""
    play.call()
    play.bet("alice", {"banker": 500_00})
    play.close()
    play.do(c.Draw(Card("9h"), Side.BANKER, turned=True))
    files.views("incident", play)


def signs() -> list[Sign]:
    """The sign of every layout of every game, with as many positions as it can have."""
    found = []
    for game in GAMES:
        for code, layout in find_book(game).layouts.items():
            play = open_table(game=game, layout=code, positions=layout.positions[-1])
            found.append(view(play.table, Viewer("display"), play.now).public.sign)
    return found


def main() -> None:
    files, briefs = Fixtures(), []
    for number, game in enumerate(GAMES, 1):
        electronic = number % 2 == 0
        changes: dict[str, Any] = {"automated": ELECTRONIC} if electronic else {}
        if first_layout(game).insurance and number == 4:
            changes["no_insurance"] = True
        play, shoe = opened(game, number, **changes), Shoe(number)
        for _ in range(ROUNDS[game]):
            play_round(play, shoe)
        phases(files, game, play, shoe)
        briefs.append(brief(play.table))
    insured = next(game for game in GAMES if first_layout(game).insurance)
    insurance(files, opened(insured, 1), Shoe(7))
    incident(files, opened("tiger-buffalo", 1))
    files.views("sixteen", opened("tiger-buffalo", 1, layout="K", positions=16))
    files.write_fills()
    files.write("signs", signs())
    files.write("tables", briefs)
    codes = {
        "refusals": list(reasons()),
        "floor": list(FLOOR_CODES),
        "commands": [each.__struct_config__.tag for each in get_args(AnyCommand)],
    }
    files.write("codes", codes)
    cards = {"cards": [card.text for card in CARDS], "names": files.names}
    (FOLDER / "index.json").write_text(json.dumps(cards, indent=1), "utf-8")
    print(f"page fixtures: {len(files.names)} files in web/fixtures")


if __name__ == "__main__":
    main()
