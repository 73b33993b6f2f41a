"""Minimum, maximum, step, the Differential (reading B) and the rounding of payouts (reading D), case by case.

In the tables, ``1`` is the player seated at box 1; ``1x`` and ``1y`` stand behind it, and ``1@2`` is the player of box
1 betting behind box 2. ``1 B300`` puts 300 on Banker, ``1 B-100`` takes 100 of it back, ``1 B300+P100`` is one request.
``T`` is the Tie. Minimum 25, maximum 2,000, step 5; on the Tie 10, 100 and 10. Refusals name what would fit.
"""

from __future__ import annotations

import random
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

import pytest
from tests.rules.at_table import LAYOUTS, PLAYER_WINS, QUICK, called, current, find, only, place, stakes_of, told
from tests.table.build import DEALER, Play, book_without, open_table

from puntobanco.cards import Side, parse_cards
from puntobanco.money import Rounding, RoundingMode
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import about_bet
from puntobanco.table.bets.limits import lead, make_room, room_for
from puntobanco.table.engine import Done
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import BetLimits, Differential, SettingsError, Step, check_settings, in_order
from puntobanco.words import notation

GAMES: dict[str, dict[str, Any]] = {
    "DH": {"game": "da-hu-ying-xiong", "layout": "A", "positions": 7},
    "S6": {"game": "super-six", "layout": "A", "positions": 9},
    "RB": {"game": "rws-baccarat", "layout": "A", "positions": 7},
    "TB": {"game": "tiger-buffalo", "layout": "A", "positions": 6},
    "HO": {"game": "dragon-tiger-commission", "layout": "A4", "positions": 5},
}
ALIASES = {"all": tuple(GAMES), "RWS": ("DH", "RB", "TB")}
OVER_PARAGRAPH = {"DH": "5.1", "S6": "reading L", "RB": "5.1", "TB": "5.1", "HO": "4.3.1"}
LIMITS_PARAGRAPH = {"DH": "3.5", "S6": "reading L", "RB": "3.5", "TB": "3.5", "HO": "4.4"}
CAST = ("1", "2", "3", "1x", "1y", "2x", "3x")

TABLE = """
# books | limit   | bets before                       | request     | answer             | who gives back how much

# over the table: all Banker bets against all Player bets, and no others
all     | 500     |                                   | 1 B500      | yes                |
all     | 500     |                                   | 1 B505      | differential 500   |
all     | 500     |                                   | 1 P505      | differential 500   |
all     | 500     | 1 B500                            | 2 B25       | differential 0     |
all     | 500     | 1 B500, 2 P300                    | 3 B300      | yes                |
all     | 500     | 1 B500, 2 P300                    | 3 B305      | differential 300   |
all     | 500     | 1 B500                            | 2 P1000     | yes                |
all     | 500     | 1 B500                            | 2 P1005     | differential 1000  |
all     | 500     | 1 B500, 2 T100, 3 T100            | 3 P1000     | yes                |
all     | 500     | 1 B500, 2 T100, 3 T100            | 3 P1005     | differential 1000  |
all     | none    |                                   | 1 B2000     | yes                |

# both hands in one request: only what one has over the other counts
all     | 500     |                                   | 1 B700+P200 | yes                |
all     | 500     |                                   | 1 B705+P200 | differential 700   |
all     | 500     | 1 B500                            | 2 B800+P800 | yes                |
all     | 500     | 1 B500                            | 2 B805+P800 | differential 800   |

# what fits is an amount that would be taken: no less than the minimum, unless chips are there already
all     | 500     | 1 B480                            | 2 B25       | differential 0     |
all     | 500     | 1 B480                            | 1 B25       | differential 20    |
all     | 502     | 1 B480                            | 1 B25       | differential 20    |
all     | 507     |                                   | 1 B510      | differential 505   |

# seated players come first: standing bets on that hand yield, behind the same box before others, the latest first
RWS     | 500     | 1x B500                           | 1 B200      | yes                | 1x 200
RWS     | 500     | 1x B500                           | 2 B200      | yes                | 1x 200
RWS     | 500     | 1x B200, 2x B300                  | 1 B200      | yes                | 1x 200
RWS     | 500     | 1x B200, 2x B300                  | 2 B200      | yes                | 2x 200
RWS     | 500     | 2x B200, 3x B300                  | 1 B200      | yes                | 3x 200
RWS     | 500     | 1x B100, 1y B200, 2x B200         | 1 B200      | yes                | 1y 200
RWS     | 500     | 1x B100, 1y B200, 2x B200         | 1 B300      | yes                | 1y 200, 1x 100
RWS     | 500     | 1x B100, 1y B200, 2x B200         | 1 B350      | yes                | 1y 200, 1x 100, 2x 50
RWS     | 500     | 1x P500                           | 1 P500      | yes                | 1x 500
RWS     | 500     | 1x B500                           | 1 B505      | differential 500   |
RWS     | 500     | 2 B200, 1x B300                   | 1 B300      | yes                | 1x 300
RWS     | 500     | 2 B200, 1x B300                   | 1 B305      | differential 300   |
RWS     | 500     | 1 B200, 1x B300                   | 1 B300      | yes                | 1x 300

# no more yields than must, but what would be left under the minimum goes back whole
RWS     | 500     | 1x B500                           | 1 B475      | yes                | 1x 475
RWS     | 500     | 1x B500                           | 1 B480      | yes                | 1x 500
RWS     | 500     | 1x B100, 2x B400                  | 1 B80       | yes                | 1x 100
RWS     | 500     | 1x B100, 2x B400                  | 1 B105      | yes                | 1x 100, 2x 5

# bets on the other hand, seated bets and bets of standing players' own requests make no room
RWS     | 500     | 1x P100, 2 B600                   | 1 B25       | differential 0     |
RWS     | 500     | 1 B500                            | 1x B25      | differential 0     |
RWS     | 500     | 1x B500                           | 1y B25      | differential 0     |
RWS     | 500     | 1x B500                           | 2x B25      | differential 0     |

# behind another box a seated player stands
RWS     | 500     | 1x B500                           | 2@1 B25     | differential 0     |
RWS     | 500     | 1@2 B500                          | 2 B100      | yes                | 1@2 100
RWS     | 500     | 1@2 B500                          | 1 B100      | yes                | 1@2 100

# a raise makes a bet as late as the raise
RWS     | 500     | 1x B200, 1y B100, 1x B200         | 1 B100      | yes                | 1x 100

# Hoiana and super-six know no priority
S6 HO   | 500     | 1x B500                           | 1 B25       | differential 0     |
S6 HO   | 500     | 1x B300                           | 1 B205      | differential 200   |

# in each box alone
all     | 500/box | 1 B500                            | 2 B500      | yes                |
all     | 500/box | 1 B500                            | 1x B25      | differential 0     |
all     | 500/box | 1 B500, 2 P500                    | 1x B25      | differential 0     |
all     | 500/box | 1 B500                            | 2 P505      | differential 500   |
all     | 500/box | 1 B500, 1x P200                   | 1y B200     | yes                |
RWS     | 500/box | 1x B300, 2x B300                  | 1 B500      | yes                | 1x 300
RWS     | 500/box | 1x B500, 2x B500                  | 1 B505      | differential 500   |

# taking back is always allowed; what it leaves over the limit is flagged until it is made good
all     | 500     | 2 P300, 1 B800                    | 2 P-300     | yes                | flag table
all     | 500     | 2 P300, 1 B800                    | 2 P-5       | yes                | flag table
all     | 500     | 2 P300, 1 B800                    | 1 B-800     | yes                |
all     | 500     | 2 P300, 1 B800, 2 P-300           | 1 B-300     | yes                | clear table
all     | 500     | 2 P300, 1 B800, 2 P-300           | 1 B-295     | yes                |
all     | 500     | 2 P300, 1 B800, 2 P-300           | 3 P300      | yes                | clear table
all     | 500     | 2 P300, 1 B800, 2 P-300           | 3 P295      | yes                |
all     | 500     | 2 P300, 1 B800, 2 P-300           | 3 B25       | differential 0     |
all     | 500     | 2 P300, 1 B800, 2 P-300           | 3 B25+P25   | yes                |
all     | 500/box | 1x P300, 1 B800, 2 B500           | 1x P-300    | yes                | flag box 1
all     | 500/box | 1x P300, 1 B800, 1x P-300         | 2 P300      | yes                |
all     | 500/box | 1x P300, 1 B800, 1x P-300         | 1 B-300     | yes                | clear box 1

# while it is flagged, a seated player's request pushes the excess back, too
RWS     | 500     | 2 P300, 1x B800, 2 P-300          | 1 B100      | yes                | 1x 400, clear table

# what is over at the close is rejected: standing first, the latest first, then seated, the latest first
RWS     | 500     | 2 P300, 1 B800, 2 P-300           | close       | yes                | 1 300, clear table
RWS     | 500     | 2 P300, 1x B300, 1 B500, 2 P-300  | close       | yes                | 1x 300, clear table
RWS     | 500     | 2 P500, 1 B400, 1x B200, 2x B200, 3 B200, 2 P-500 | close | yes | 2x 200, 1x 200, 3 100, clear table
RWS     | 500     | 2 P400, 3 B600, 1 B300, 2 P-400   | close       | yes                | 1 300, 3 100, clear table
RWS HO  | 500     | 2 B500, 1 P1000, 2 B-500          | close       | yes                | 1 500, clear table
RWS HO  | 500     | 2 P300, 1 B800                    | close       | yes                |
# at Hoiana whosoever came last
HO      | 500     | 2 P500, 1 B400, 1x B200, 2x B200, 3 B200, 2 P-500 | close | yes | 3 200, 2x 200, 1x 100, clear table
# under the minimum it goes back whole
RWS HO  | 500     | 2 P300, 1 B490, 1x B310, 2 P-300  | close       | yes                | 1x 310, clear table
# box by box
RWS    | 500/box | 2 P50, 2x B550, 1 P50, 1x B550, 1 P-50, 2 P-50 | close | yes | 1x 50, 2x 50, clear box 1, clear box 2
# a house limit refuses requests, and nothing more: the bets stand
S6      | 500     | 2 P300, 1 B800, 2 P-300           | close       | yes                | clear table

# minimum, maximum and step are each bet's own, whoever places it
all     | none    |                                   | 1 B20       | below_minimum 25   |
all     | none    |                                   | 1x P20      | below_minimum 25   |
all     | none    |                                   | 1 B25       | yes                |
all     | none    |                                   | 1 B2005     | above_maximum 2000 |
all     | none    | 1 B1990                           | 1 B15       | above_maximum 10   |
all     | none    | 1 B2000                           | 1x B2000    | yes                |
all     | none    | 1 B2000                           | 1@2 B2000   | yes                |
all     | none    |                                   | 1 B32       | step 30            |
all     | none    |                                   | 1 B26       | step 25            |
all     | none    | 1 B25                             | 1 B5        | yes                |
all     | none    | 1 B25                             | 1 B7        | step 5             |
all     | none    |                                   | 1 T5        | below_minimum 10   |
all     | none    |                                   | 1 T15       | step 10            |
all     | none    |                                   | 1 T110      | above_maximum 100  |
all     | none    |                                   | 1 T10       | yes                |
# all of a request or nothing of it
all     | none    |                                   | 1 B100+T5   | below_minimum 10   |
# what stays of a bet keeps within the limits, too, and going altogether is always free
all     | none    | 1 B100                            | 1 B-80      | below_minimum 75   |
all     | none    | 1 B100                            | 1 B-75      | yes                |
all     | none    | 1 B100                            | 1 B-100     | yes                |
all     | none    | 1 B100                            | 1 B-7       | step 5             |
all     | none    | 1 B100                            | 1 B-105     | bad_amount 100     |"""


class Case(NamedTuple):
    book: str
    limit: str
    before: str
    request: str
    answer: str
    effects: str

    def __str__(self) -> str:
        return f"{self.book} {self.limit}: {self.before or 'nothing'}; {self.request}"


def cases() -> list[Case]:
    found = []
    for line in TABLE.splitlines():
        if line and not line.startswith("#"):
            books, *cells = (cell.strip() for cell in line.split("|"))
            named = [book for name in books.split() for book in ALIASES.get(name, (name,))]
            found += [Case(book, *cells) for book in named]
    return found


def opened(book: str, limit: str) -> Play:
    """A table with the cast, bets called for."""
    amount, _, scope = limit.partition("/")
    side = "any_tie" if book == "RB" else "tie"
    changes: dict[str, Any] = {
        "limits": BetLimits(25_00, 2_000_00, 5_00),
        "bet_limits": {side: BetLimits(10_00, 100_00, 10_00)},
    }
    if amount != "none":
        changes["differential"] = Differential(int(amount) * 100, "box" if scope else "table")
    play = open_table(**GAMES[book], **changes)
    for person in CAST:
        play.sit(person, int(person[0]), seated=len(person) == 1)
    play.shoe()
    play.call()
    return play


BETS = {"P": "player", "B": "banker", "T": "tie"}


def command(text: str, book: str = "") -> tuple[c.AnyCommand, str]:
    """``1 B300`` as a command, and who gives it."""
    if text == "close":
        return c.Close(), DEALER
    who, what = text.split()
    person, _, behind = who.partition("@")
    box = int(behind or person[0])
    bets = BETS | {"T": "any_tie"} if book == "RB" else BETS
    amounts = {bets[bet]: int(amount) * 100 for bet, amount in re.findall(r"([PBT])(-?\d+)", what)}
    if "-" in what:
        ((bet, amount),) = amounts.items()
        return c.Withdraw(person, box, bet, -amount), person
    return c.Place(person, box, amounts), person


def effects_of(events: tuple[e.Event, ...], paragraph: str) -> str:
    """Bets that yielded to a request or were rejected at the close, and flags, in words, each with its paragraph."""
    closed = any(isinstance(event, e.BetsClosed) for event in events)
    told = []
    for event in events:
        match event:
            case e.WagerReduced(why="withdrawn"):
                pass
            case e.WagerReduced(person, box, _, amount, why):
                assert (event.paragraph, why) == (paragraph, "rejected" if closed else "yielded")
                assert event.transfers == (e.Transfer(f"layout:{person}", f"chips:{person}", amount),)
                behind = "" if box == int(person[0]) else f"@{box}"
                told.append(f"{person}{behind} {amount // 100}")
            case e.Flagged("over_differential", about):
                assert event.paragraph == paragraph
                told.append(f"flag {notation(about)}")
            case e.FlagCleared("over_differential", about):
                told.append(f"clear {notation(about)}")
            case e.WagersPlaced() | e.BetsClosed():
                pass
            case _:
                raise AssertionError(event)
    return ", ".join(told)


def worth(play: Play) -> dict[str, int]:
    """Chips in hand and on the layout."""
    balances = play.table.balances
    return {person: balances[f"chips:{person}"] + balances.get(f"layout:{person}", 0) for person in CAST}


def staked(play: Play) -> dict[str, int]:
    """What lies on the layout, by the wagers."""
    assert play.table.round is not None
    wagers = play.table.round.wagers.values()
    return {person: sum(wager.stake for wager in wagers if wager.person == person) for person in CAST}


@pytest.mark.parametrize("case", cases(), ids=str)
def test_limits(case: Case) -> None:
    play = opened(case.book, case.limit)
    for text in filter(None, case.before.split(", ")):
        play.do(*command(text, case.book))
    body, actor = command(case.request, case.book)
    done = play.ask(body, actor)
    if isinstance(done, Refusal):
        family = OVER_PARAGRAPH if done.code == "differential" else LIMITS_PARAGRAPH
        fits = None if done.fits is None else done.fits // 100
        assert f"{done.code} {fits}" == case.answer
        if done.code != "bad_amount":
            assert done.paragraph == family[case.book]
        assert case.effects == ""
        check_fits(play, body, actor, done)
        return
    play.do(body, actor)
    assert case.answer == "yes"
    assert effects_of(done.events, OVER_PARAGRAPH[case.book]) == case.effects
    assert worth(play) == dict.fromkeys(CAST, 10_000_00)
    assert staked(play) == {person: play.table.balances.get(f"layout:{person}", 0) for person in CAST}


def check_fits(play: Play, body: c.AnyCommand, actor: str, refusal: Refusal) -> None:
    """The amount told is taken in place of the one refused, and a step more (of the bet asked for) is not."""
    if isinstance(body, c.Place) and refusal.fits:
        heavier = max(body.wagers, key=body.wagers.__getitem__)
        if refusal.code == "below_minimum":
            heavier = min(body.wagers, key=body.wagers.__getitem__)
        fitting = {**body.wagers, heavier: refusal.fits}
        assert isinstance(play.ask(c.Place(body.person, body.box, fitting), actor), Done)
        if refusal.code in ("differential", "above_maximum"):
            more = {**body.wagers, heavier: refusal.fits + play.table.settings.limits_of(heavier).step}
            assert isinstance(play.ask(c.Place(body.person, body.box, more), actor), Refusal)
    if isinstance(body, c.Withdraw) and refusal.fits:
        assert isinstance(play.ask(c.Withdraw(body.person, body.box, body.bet, refusal.fits), actor), Done)


# --- a second opinion ------------------------------------------------------------------------------------
# Bets as a plain list in the order they came, chips moved one step at a time: slow, and nothing like the engine.

STEP, MINIMUM = 5, 25


class Bet:
    def __init__(self, who: str, box: int, side: str, amount: int) -> None:
        self.who, self.box, self.side, self.amount = who, box, side, amount

    @property
    def standing(self) -> bool:
        return len(self.who) > 1 or self.box != int(self.who)


class Oracle:
    """What reading B makes of a round at a table whose limit is over the table or in each box."""

    def __init__(self, limit: int, by_box: bool, priority: bool) -> None:
        self.limit, self.by_box, self.priority = limit, by_box, priority
        self.bets: list[Bet] = []
        """What was put down each time, in that order: a raise is an entry of its own."""

    def over(self, side: str, box: int) -> int:
        """How far that hand is over the limit, below zero if it is not."""
        signs = [
            (bet.amount if bet.side == side else -bet.amount) for bet in self.bets if not self.by_box or bet.box == box
        ]
        return sum(signs) - self.limit

    def whole(self, who: str, box: int, side: str) -> list[Bet]:
        """All that lies on one bet of a person, the latest last."""
        return [bet for bet in self.bets if (bet.who, bet.box, bet.side) == (who, box, side)]

    def stake(self, who: str, box: int, side: str) -> int:
        return sum(bet.amount for bet in self.whole(who, box, side))

    def place(self, who: str, box: int, side: str, amount: int) -> bool:
        kept = list(self.bets)
        amounts = [bet.amount for bet in self.bets]
        new = Bet(who, box, side, amount)
        self.bets = [*self.bets, new]
        if self.priority and not new.standing:
            victims = [b for b in reversed(self.bets) if b.standing and b.side == side]
            victims = [b for b in victims if b.box == box] + [b for b in victims if b.box != box and not self.by_box]
            self.take_back(victims, side, box)
        if self.over(side, box) > 0:
            self.bets = kept
            for bet, before in zip(kept, amounts, strict=True):
                bet.amount = before
            return False
        return True

    def take_back(self, victims: list[Bet], side: str, box: int) -> None:
        for victim in victims:
            while self.over(side, box) > 0 and victim.amount:
                victim.amount -= STEP
                parts = self.whole(victim.who, victim.box, victim.side)
                if sum(bet.amount for bet in parts) < MINIMUM and self.over(side, box) <= 0:
                    for bet in parts:
                        bet.amount = 0
        self.bets = [bet for bet in self.bets if bet.amount]

    def withdraw(self, who: str, box: int, side: str, amount: int) -> bool:
        stake = self.stake(who, box, side)
        if amount > stake or 0 < stake - amount < MINIMUM:
            return False
        for bet in reversed(self.whole(who, box, side)):
            off = min(amount, bet.amount)
            bet.amount, amount = bet.amount - off, amount - off
        self.bets = [bet for bet in self.bets if bet.amount]
        return True

    def close(self) -> None:
        for side in "PB":
            for box in (1, 2, 3):
                latest = [
                    bet for bet in reversed(self.bets) if bet.side == side and (not self.by_box or bet.box == box)
                ]
                if self.priority:
                    latest.sort(key=lambda bet: not bet.standing)
                self.take_back(latest, side, box)

    def layout(self) -> dict[tuple[str, int, str], int]:
        return {(bet.who, bet.box, BETS[bet.side]): self.stake(bet.who, bet.box, bet.side) * 100 for bet in self.bets}


def layout(play: Play) -> dict[tuple[str, int, str], int]:
    assert play.table.round is not None
    return {key: wager.stake for key, wager in play.table.round.wagers.items()}


@pytest.mark.parametrize("scope", ["table", "box"])
@pytest.mark.parametrize("book", ["DH", "TB", "HO"])
def test_limits_by_a_second_opinion(book: str, scope: str) -> None:
    chance = random.Random(f"{book} {scope}")
    granted = refused = rejected = 0
    for _ in range(12):
        limit = chance.choice([300, 500])
        play = opened(book, f"{limit}/box" if scope == "box" else str(limit))
        oracle = Oracle(limit, scope == "box", book != "HO")
        for _ in range(25):
            who, side = chance.choice(CAST), chance.choice("PB")
            box = int(who[0]) if chance.random() < 0.8 else chance.choice((1, 2, 3))
            amount = STEP * chance.randint(1, 80)
            behind = f"{who}@{box}"
            if chance.random() < 0.3:
                expected = oracle.withdraw(who, box, side, amount)
                text = f"{behind} {side}-{amount}"
            else:
                if amount + oracle.stake(who, box, side) < MINIMUM:
                    continue
                expected = oracle.place(who, box, side, amount)
                text = f"{behind} {side}{amount}"
            body, actor = command(text)
            done = play.ask(body, actor)
            assert isinstance(done, Done) == expected, (text, done)
            if isinstance(done, Done):
                play.do(body, actor)
                granted += 1
            else:
                check_fits(play, body, actor, done)
                refused += 1
            assert layout(play) == oracle.layout(), text
        lighter = chance.choice("PB")
        for who, box in list(dict.fromkeys((bet.who, bet.box) for bet in oracle.bets if bet.side == lighter))[:3]:
            stake = oracle.stake(who, box, lighter)
            play.do(*command(f"{who}@{box} {lighter}-{stake}"))
            assert oracle.withdraw(who, box, lighter, stake)
        before = layout(play)
        play.do(c.Close())
        oracle.close()
        assert layout(play) == oracle.layout()
        rejected += layout(play) != before
        assert worth(play) == dict.fromkeys(CAST, 10_000_00)
    assert min(granted, refused, rejected) >= 3, (granted, refused, rejected)


# --- settings --------------------------------------------------------------------------------------------


def test_a_table_whose_limits_leave_no_bet_is_not_opened() -> None:
    play = open_table()
    settings, book = play.table.settings, play.table.book
    for changes, part in (
        ({"limits": BetLimits(25_00, 20_00, 5_00)}, "maximum is below the minimum"),
        ({"limits": BetLimits(0, 20_00, 5_00)}, "above zero"),
        ({"differential": Differential(4_00)}, "Differential is below the minimum"),
        ({"bet_limits": {"wu_dalang": BetLimits()}}, "does not carry"),
        ({"rounding": Rounding(unit=10_00), "limits": BetLimits(20_00, None, 5_00)}, "whole multiples of what payouts"),
        ({"rounding": Rounding(unit=10_00), "limits": BetLimits(5_00, None, 10_00)}, "whole multiples of what payouts"),
    ):
        changed = {field: getattr(settings, field) for field in settings.__struct_fields__} | changes
        with pytest.raises(SettingsError, match=part):
            check_settings(type(settings)(**changed), book)


# --- rounding (reading D) --------------------------------------------------------------------------------

ROUNDING = """
# game, bet and cards                          | stake | exactly | down | nearest | up   | down 5 | nearest 5 | up 5
da-hu-ying-xiong A 7 banker 8h9cKdKs           | 1     | 0.95    | 0    | 1       | 1    | 0      | 0         | 5
da-hu-ying-xiong A 7 banker 8h9cKdKs           | 30    | 28.5    | 28   | 29      | 29   | 25     | 30        | 30
da-hu-ying-xiong A 7 banker 8h9cKdKs           | 33    | 31.35   | 31   | 31      | 32   | 30     | 30        | 35
da-hu-ying-xiong A 7 banker 8h9cKdKs           | 50    | 47.5    | 47   | 48      | 48   | 45     | 50        | 50
da-hu-ying-xiong A 7 banker 8h9cKdKs           | 100   | 95      | 95   | 95      | 95   | 95     | 95        | 95
da-hu-ying-xiong A 7 player 9h8cKdKs           | 33    | 33      | 33   | 33      | 33   | 30     | 35        | 35
da-hu-ying-xiong A 7 tie 9h9cKdKs              | 33    | 264     | 264  | 264     | 264  | 260    | 265       | 265
tiger-buffalo A 6 banker 2h6c3dKsKd            | 33    | 16.5    | 16   | 17      | 17   | 15     | 15        | 20
tiger-buffalo A 6 banker 2h6c3dKsKd            | 35    | 17.5    | 17   | 18      | 18   | 15     | 20        | 20
dragon-tiger-non-commission A2 5 banker 2h6c3dKsKd | 1 | 0.5     | 0    | 1       | 1    | 0      | 0         | 5
dragon-tiger-commission A4 5 banker 8h9cKdKs   | 33    | 31.35   | 31   | 31      | 32   | 30     | 30        | 35
super-six A 9 banker 8h9cKdKs                  | 20    | 19      | 19   | 19      | 19   | 15     | 20        | 20
"""
MODES = ("down", "nearest", "up", "down 5", "nearest 5", "up 5")
DECIMALS = {"down": ROUND_FLOOR, "nearest": ROUND_HALF_UP, "up": ROUND_CEILING}


def rounding_cases() -> list[tuple[str, int, str, int]]:
    found = []
    for line in ROUNDING.splitlines():
        if line and not line.startswith("#"):
            what, stake, exactly, *payouts = (cell.strip() for cell in line.split("|"))
            for mode, payout in zip(MODES, payouts, strict=True):
                name, _, unit = mode.partition(" ")
                whole = (Decimal(exactly) / int(unit or 1)).quantize(Decimal(1), DECIMALS[name]) * int(unit or 1)
                assert whole == int(payout), (line, mode)  # the table itself is right
                found.append((what, int(stake), mode, int(payout)))
    return found


@pytest.mark.parametrize(("what", "stake", "mode", "payout"), rounding_cases())
def test_payouts_are_rounded_as_the_table_is_set(what: str, stake: int, mode: str, payout: int) -> None:
    game, layout, positions, bet, cards = what.split()
    name, _, unit = mode.partition(" ")
    play = open_table(
        game=game,
        layout=layout,
        positions=int(positions),
        limits=BetLimits(int(unit or 1)),
        rounding=Rounding(RoundingMode(name), int(unit or 1)),
        automated=in_order({Step.OFFER, Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM}),
    )
    play.sit("ann", 1, 100)
    play.shoe()
    play.call()
    if stake % int(unit or 1):
        refused = play.refused(c.Place("ann", 1, {bet: stake}), "ann")
        assert refused.code in ("below_minimum", "step"), "it might win nothing"
        return
    play.bet("ann", {bet: stake})
    play.close()
    play.deal(cards)
    balances = play.table.balances
    assert balances["chips:ann"] == 100 + payout
    assert sum(balances.values()) == 0
    commission = game in ("da-hu-ying-xiong", "super-six", "dragon-tiger-commission") and bet == "banker"
    assert balances.get("commission", 0) == (max(0, stake - payout) if commission else 0)


def test_insurance_is_rounded_as_the_table_is_set() -> None:
    for mode, payout in (("down", 49), ("nearest", 50), ("up", 50)):
        play = open_table(
            limits=BetLimits(),
            rounding=Rounding(RoundingMode(mode)),
            automated=in_order({Step.OFFER, Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM}),
        )
        play.sit("ann", 1, 100)
        play.shoe()
        play.call()
        play.bet("ann", {"banker": 33})
        play.close()
        play.deal("2h 4c Kd Ks")
        play.do(c.Insure("ann", 1, Side.BANKER, 33), "ann")  # 3 to 2
        play.do(c.Deal(parse_cards("5h Kc")))  # Player 7, Banker 4
        assert play.table.balances["chips:ann"] == 100 - 33 + payout


def test_a_bet_that_goes_back_whole_leaves_no_excess_on_the_other_hand() -> None:
    """Banker's own minimum is above the Differential: what is over there takes all of it, and then Player is over."""
    play = open_table(
        limits=BetLimits(25_00, 2_000_00, 5_00),
        bet_limits={"banker": BetLimits(1_000_00, 5_000_00, 5_00)},
        differential=Differential(100_00),
    )
    play.sit("ann", 1)
    play.sit("bob", 2)
    play.shoe()
    play.call()
    play.do(c.FindBet("ann", 1, "player", 300_00), DEALER)
    play.do(c.FindBet("bob", 2, "banker", 1_200_00), DEALER)
    events = play.do(c.Close(), DEALER)
    back = [(event.person, event.amount) for event in events if isinstance(event, e.WagerReduced)]
    assert back == [("bob", 1_200_00), ("ann", 200_00)]
    assert play.table.round is not None
    assert (play.table.round.on_player, play.table.round.on_banker) == (100_00, 0)


GAME = "tiger-buffalo"


UNITS = BetLimits(minimum=1, maximum=None, step=1)


def test_what_fits_is_whole_steps_within_the_maximum() -> None:
    play = called(GAME, limits=BetLimits(minimum=25_00, maximum=2_002_00, step=5_00))
    assert play.refused(place("ann", 1, player=2_005), "ann").fits == 2_000_00
    play.do(find("ann", 1, "player", 2_500), DEALER)
    refused = play.refused(place("ann", 1, player=25), "ann")
    assert (refused.code, refused.fits) == ("above_maximum", 0)


def test_what_stays_after_a_withdrawal() -> None:
    play = called(GAME, limits=BetLimits(minimum=26_00, maximum=2_000_00, step=5_00))
    play.do(place("ann", 1, player=35), "ann")
    assert told(play, c.Withdraw("ann", 1, "player", 9_00), "ann")[0] == "step"  # 26 is just the minimum
    assert play.refused(c.Withdraw("ann", 1, "player", 9_00), "ann").fits == 5_00
    play.do(find("bob", 2, "player", 20), DEALER)
    refused = play.refused(c.Withdraw("bob", 2, "player", 5_00), "bob")
    assert (refused.code, refused.fits) == ("below_minimum", 0)  # all of it, or none


def test_the_differential_to_the_unit() -> None:
    play = called(GAME, limits=UNITS, differential=Differential(500_00))
    play.do(place("bob", 2, player=500), "bob")
    refused = play.refused(c.Place("cho", 1, {"player": 1}), "cho")
    assert (refused.code, refused.fits) == ("differential", 0)
    assert refused.values == {"limit": 500_00, "room": 0}
    play.do(c.FindBet("bob", 2, "player", 3), DEALER)
    refused = play.refused(c.Place("cho", 1, {"player": 1}), "cho")
    assert refused.fits == 0
    assert refused.values == {"limit": 500_00, "room": 0}
    play.do(c.Place("ann", 1, {"player": 7, "banker": 7}), "ann")  # a pair that changes nothing needs no room
    assert lead(play.table, current(play)) == 500_03
    assert room_for(play.table, current(play), 1, Side.BANKER) == 1_000_03


def test_room_for_just_the_minimum_is_offered() -> None:
    play = called(GAME, differential=Differential(500_00))
    play.do(place("bob", 2, banker=475), "bob")
    assert play.refused(place("cho", 1, banker=30), "cho").fits == 25_00
    assert make_room(play.table, current(play), "cho", 1, Side.BANKER, 25_00) == []


def test_a_last_unit_under_the_minimum_goes_back_too() -> None:
    play = called(GAME, limits=BetLimits(minimum=5, maximum=None, step=1), differential=Differential(500_00))
    play.do(c.Place("cho", 1, {"banker": 100}), "cho")
    play.do(c.Place("ann", 1, {"banker": 499_99}), "ann")  # 99 too many: one unit of Cho's would stay
    assert stakes_of(play) == {("ann", "banker"): 499}
    back = [event for event in play.events if isinstance(event, e.WagerReduced)]
    assert [(event.person, event.amount) for event in back] == [("cho", 100)]


def test_no_differential_is_no_limit() -> None:
    play = called(GAME)
    assert room_for(play.table, current(play), 1, Side.PLAYER) is None
    assert make_room(play.table, current(play), "ann", 1, Side.PLAYER, 1_000_000_00) == []


def test_a_unit_over_the_maximum_found_late_is_flagged() -> None:
    play = called(GAME)
    play.close()
    assert only(play.do(c.FindBet("ann", 1, "player", 2_000_01), DEALER), e.IncidentOpened).family == "above_maximum"


def test_a_bet_below_the_minimum_cites_the_limits_where_no_paragraph_is_about_it() -> None:
    play = called("dragon-tiger-commission")
    play.do(find("ann", 1, "player", 10), DEALER)
    assert play.table.flags == {("below_minimum", about_bet("ann", 1, "player")): "4.4"}


def test_the_differential_cites_its_own_paragraph_where_none_is_about_an_excess() -> None:
    play = open_table(book=book_without("over_differential"), differential=Differential(500_00))
    play.sit("ann", 1)
    play.shoe()
    play.call()
    assert told(play, place("ann", 1, player=505), "ann") == ("differential", play.table.procedures.differential.rule)


def test_what_stands_is_told_under_the_first_paragraph_that_took_something_off() -> None:
    """Hoiana: a second bet below the minimum goes back (7.17), then what is over the maximum (7.18)."""
    play = called("dragon-tiger-commission", automated=QUICK)
    play.close()
    play.do(find("bob", 2, "player", 10), DEALER)
    play.deal(PLAYER_WINS)
    play.call()
    play.close()
    play.do(find("bob", 2, "player", 10), DEALER)
    play.do(find("ann", 1, "player", 2_500), DEALER)
    play.deal(PLAYER_WINS)
    stand = [event for event in play.events if isinstance(event, e.StakesStand)][-1]
    assert [(cut.person, cut.amount, cut.paragraph) for cut in stand.cuts] == [
        ("bob", 10_00, "7.17"),
        ("ann", 500_00, "7.18"),
    ]
    assert stand.paragraph == "7.17"


def test_bets_that_change_nothing_about_the_differential_push_nobody_back() -> None:
    play = called(GAME, differential=Differential(500_00))
    play.do(find("cho", 1, "banker", 600), DEALER)
    for wagers in ({"tie": 25_00}, {"player": 25_00, "banker": 25_00}):
        only(play.do(c.Place("ann", 1, wagers), "ann"), e.WagersPlaced)
        assert current(play).wagers["cho", 1, "banker"].stake == 600_00


def test_over_the_differential_in_the_last_box_is_rejected_at_the_close() -> None:
    last = LAYOUTS[GAME][1]
    play = called(GAME, differential=Differential(500_00, "box"))
    play.do(find("ann", last, "player", 505), DEALER)
    play.do(find("bob", 1, "banker", 500), DEALER)
    back = only(play.do(c.Close(), DEALER), e.WagerReduced)
    assert (back.person, back.box, back.amount) == ("ann", last, 5_00)
    assert stakes_of(play) == {("ann", "player"): 500, ("bob", "banker"): 500}


def test_a_unit_over_the_differential_is_over_it() -> None:
    play = called(GAME, differential=Differential(500_00))
    play.do(c.FindBet("ann", 1, "player", 500_01), DEALER)
    back = only(play.do(c.Close(), DEALER), e.WagerReduced)
    assert back.amount == 1


def test_a_bet_of_just_the_minimum_is_no_small_bet() -> None:
    play = called("dragon-tiger-commission", automated=QUICK)
    for _ in range(2):
        play.close()
        play.do(find("ann", 1, "player", 10), DEALER)
        play.deal(PLAYER_WINS)
        play.call()
    play.close()
    play.do(find("ann", 1, "player", 25), DEALER)
    events = play.do(c.Deal(parse_cards(PLAYER_WINS)), DEALER)
    assert [event for event in events if isinstance(event, e.StakesStand) and event.cuts] == []
