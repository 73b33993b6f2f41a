"""What a table takes and pays is what the paragraphs say, by the literal settlement, which shares nothing with it.

Rounds of every game and layout with random wagers and insurance, through the engine: each line, what each person
gets, the commission, and that nothing comes from nowhere.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import msgspec
import pytest
from tests.rules.at_table import PLAYER_WINS, QUICK, TIE, called, only, place, table_of, told
from tests.search import far, search
from tests.table.build import DEALER, MANAGER, SHIFT, SUPERVISOR, Play, open_table
from tests.table.run_down import cards_left, run_down
from tests.table.strategies import SITTING, random_settings

from puntobanco.bets import Result
from puntobanco.cards import CARDS, Card, Side
from puntobanco.coup import Coup
from puntobanco.literal import (
    literal_insurance_profit,
    literal_insurance_settle,
    literal_profit,
    literal_settle,
)
from puntobanco.money import ROUND_DOWN, Rounding, RoundingMode
from puntobanco.rules.load import GAMES, find_book
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.commands import HOUSE
from puntobanco.table.engine import Done
from puntobanco.table.folds import evolve
from puntobanco.table.rulings import Reconstruct, VoidRound
from puntobanco.table.settings import ELECTRONIC, BetLimits, Step
from puntobanco.table.state import COMMISSION, TRAY, Round, Table, chips_of, layout_of

COMMISSION_GAMES = ("da-hu-ying-xiong", "super-six", "dragon-tiger-commission")
LAYOUTS = [(game, code) for game in GAMES for code in find_book(game).layouts]
FREE = BetLimits(1, None, 1)


def check_settlement(table: Table, settled: e.RoundSettled) -> None:
    """The lines of a round against the paragraphs, and its transfers against the lines; ``table`` is as before it."""
    current, rounding = table.round, table.settings.rounding
    assert current is not None
    coup = Coup.parse(settled.coup)
    assert coup == current.coup
    check_complete(current, settled)
    insurance = sorted(current.insurance, key=lambda taken: taken.box)
    windows = [taken.row.window.value for taken in insurance]
    late = {(taken.person, taken.box, f"{taken.hand.value}_insurance") for taken in insurance if taken.late}
    for line in settled.lines:
        if line.insurance:
            gain = literal_insurance_profit(windows.pop(0), Side(line.bet.removesuffix("_insurance")), coup)
        else:
            gain = literal_profit(table.book.id, line.bet, coup)
        pays = rounded(line.stake * gain, rounding)
        # what is offered late wins the Original Bet at most: tests/rules has the amounts
        assert line.profit == pays or ((line.person, line.box, line.bet) in late and 0 <= line.profit < pays), line
        assert line.result is (Result.WON if gain > 0 else Result.LOST if gain < 0 else Result.RETURNED), line
        check_commission(table.book.id, line)
    assert not windows
    check_transfers(settled)


def check_complete(current: Round, settled: e.RoundSettled) -> None:
    """Every wager and insurance has its line: box by box, in a box in the order the bets were placed."""
    wagers = [(wager.person, wager.box, wager.bet, wager.stake) for wager in current.wagers.values()]
    wagers += [(taken.person, taken.box, f"{taken.hand.value}_insurance", taken.stake) for taken in current.insurance]
    wagers.sort(key=lambda wager: wager[1])
    assert [(line.person, line.box, line.bet, line.stake) for line in settled.lines] == wagers


def rounded(exact: Fraction, rounding: Rounding) -> int:
    """Reading D, a second time: losses and returns are whole; pays round as the table is set."""
    if exact < 0:
        assert exact.denominator == 1
        return int(exact)
    units = exact / rounding.unit
    whole = int(units)
    up = {
        RoundingMode.DOWN: False,
        RoundingMode.NEAREST: units - whole >= Fraction(1, 2),
        RoundingMode.UP: units > whole,
    }[rounding.mode]
    return (whole + up) * rounding.unit


def check_commission(game: str, line: e.SettledLine) -> None:
    """What the House keeps is what even money would have paid more: of a winning Banker bet, in three games."""
    commissioned = game in COMMISSION_GAMES and line.bet == "banker" and line.result is Result.WON
    assert line.commission == (max(line.stake - line.profit, 0) if commissioned else 0), line


def check_transfers(settled: e.RoundSettled) -> None:
    """Everybody's chips change by stake and profit of the own lines; the layout is empty; the rest is the House's."""
    moved: Counter[str] = Counter()
    for transfer in settled.transfers:
        assert transfer.amount > 0
        assert transfer.source != transfer.target
        moved[transfer.source] -= transfer.amount
        moved[transfer.target] += transfer.amount
    expected: Counter[str] = Counter()
    for line in settled.lines:
        expected[layout_of(line.person)] -= line.stake
        expected[chips_of(line.person)] += line.stake + line.profit
        expected[TRAY] -= line.profit + line.commission
        expected[COMMISSION] += line.commission
    assert {name: amount for name, amount in moved.items() if amount} == {
        name: amount for name, amount in expected.items() if amount
    }
    assert sum(moved.values()) == 0


# --- random rounds


def random_round(chance: Random, play: Play) -> e.RoundSettled:
    """A round with random wagers of everybody on everything, and insurance wherever it is offered."""
    if play.table.shoe.ended:
        play.shoe()
    if play.table.to_return:
        play.do(c.ReturnCards(), HOUSE)
    play.call()
    bets, unit = play.table.layout.bets, play.table.settings.rounding.unit
    boxes = [person.box for person in play.table.people.values() if person.seated]
    for person in SITTING:
        for where in {play.table.people[person].box, chance.choice(boxes)}:
            some = chance.sample(bets, chance.randint(1, min(6, len(bets))))
            play.bet(person, {bet: unit * chance.randint(1, 999_99 // unit) for bet in some}, where)
    play.close()
    while True:
        current = play.table.round
        if current is None:
            break
        before = play.table
        if current.window is not None:
            insure(chance, play)
            continue
        left = [card for card, count in cards_left(play.table).items() if count]
        cards = random_opening(chance, play.table) if not current.cards else (random_third(chance, left, current.coup),)
        events = play.do(c.Deal(cards), HOUSE)
        for event in events:
            if isinstance(event, e.RoundSettled):
                for each in events[: events.index(event)]:
                    before = evolve(before, each)
                check_settlement(before, event)
                return event
    raise AssertionError("the round ended without a settlement")


def random_opening(chance: Random, table: Table) -> tuple[Card, ...]:
    """Four cards, pairs more often than by chance."""
    left = cards_left(table)
    while True:
        first, second, third, fourth = (chance.choice(CARDS) for _ in range(4))
        if chance.random() < 0.3:
            third, fourth = chance.choice([first, second]), chance.choice([second, first])
        cards = (first, second, third, fourth)
        if Counter(cards) <= left:
            return cards


def random_third(chance: Random, left: list[Card], coup: Coup) -> Card:
    """A card that ties more often than by chance."""
    if coup.due is Side.BANKER and chance.random() < 0.3:
        wanted = (coup.player.total - coup.banker.total) % 10
        return chance.choice([card for card in left if card.points == wanted] or left)
    return chance.choice(left)


def insure(chance: Random, play: Play) -> None:
    """Half of those who may, each with a part of the bet; then the window is closed."""
    current = play.table.round
    assert current is not None
    assert current.window is not None
    for offer in current.window.offers:
        for wager in current.wagers.values():
            if wager.bet == offer.hand.value and chance.random() < 0.5:
                body = c.Insure(wager.person, wager.box, offer.hand, chance.randint(1, wager.stake))
                if isinstance(play.ask(body, wager.person), Done):
                    play.do(body, wager.person)
    assert play.table.round is not None
    if play.table.round.window is not None:
        play.do(c.CloseInsurance(), HOUSE)


def seated(chance: Random, game: str, layout: str, rounding: Rounding) -> Play:
    book = find_book(game)
    positions = max(book.layouts[layout].positions)
    play = open_table(
        game=game,
        layout=layout,
        positions=positions,
        decks=book.decks.most,
        limits=BetLimits(rounding.unit),
        automated=ELECTRONIC,
        rounding=rounding,
        forgo=chance.choice(["round", "window"]),
    )
    for box, person in enumerate(SITTING, 1):
        play.sit(person, box, 10**15)
    return play


@pytest.mark.parametrize(("game", "layout"), LAYOUTS, ids=[f"{game} {code}" for game, code in LAYOUTS])
def test_a_settlement_is_the_literal_settlement(game: str, layout: str) -> None:
    """On random rounds of every layout, rounding down as the literal settlement does."""
    chance = Random(f"{game} {layout}")
    play = seated(chance, game, layout, ROUND_DOWN)
    for _ in range(40):
        settled = random_round(chance, play)
        coup = Coup.parse(settled.coup)
        for line in settled.lines:
            if not line.insurance:
                assert line.profit == literal_settle(game, line.bet, line.stake, coup), line
        assert sum(play.table.balances.values()) == 0


@pytest.mark.parametrize("unit", [1, 5, 1_00, 7_77])
@pytest.mark.parametrize("mode", RoundingMode, ids=lambda mode: mode.value)
@pytest.mark.parametrize("game", GAMES)
def test_payouts_round_as_the_table_is_set(game: str, mode: RoundingMode, unit: int) -> None:
    chance = Random(f"{game} {mode.value} {unit}")
    play = seated(chance, game, next(iter(find_book(game).layouts)), Rounding(mode, unit))
    for _ in range(4):
        random_round(chance, play)


@search
def test_insurance_is_settled_literally() -> None:
    """Both windows and hands; won, lost, returned, and paid on a tie."""
    chance = Random(17)
    play = seated(chance, "tiger-buffalo", "A", ROUND_DOWN)
    ways = {(Result.WON, False), (Result.LOST, False), (Result.RETURNED, True)}
    always = {(window.value, hand, *way) for window in Window for hand in Side for way in ways}
    on_ties = {(Window.PLAYER_THIRD.value, hand, Result.WON, True) for hand in Side}
    seen: set[tuple[str, Side, Result, bool]] = set()
    for number in range(3000):
        if number >= far(300, 1500) and seen == always | on_ties:
            break
        before = len(play.events)
        settled = random_round(chance, play)
        taken = sorted(
            (event for event in play.events[before:] if isinstance(event, e.Insured)), key=lambda event: event.box
        )
        lines = [line for line in settled.lines if line.insurance]
        coup = Coup.parse(settled.coup)
        for event, line in zip(taken, lines, strict=True):
            assert line.profit == literal_insurance_settle(event.window.value, event.hand, event.amount, coup)
            seen.add((event.window.value, event.hand, line.result, coup.winner is None))
    assert seen == always | on_ties


@pytest.mark.parametrize("game", GAMES)
def test_all_results_of_all_bets_come_up(game: str) -> None:
    """The rounds are random enough: every bet is won and lost sooner or later, and the Original Bets returned."""
    chance = Random(game)
    book = find_book(game)
    missing = {(bet.code, result) for bet in book.bets.values() for result in (Result.WON, Result.LOST)}
    missing |= {(bet, Result.RETURNED) for bet in book.original_bets}
    for _ in range(20):
        for layout in book.layouts:
            play = seated(chance, game, layout, ROUND_DOWN)
            for _ in range(25):
                missing -= {(line.bet, line.result) for line in random_round(chance, play).lines}
            if not missing:
                return
    assert missing == set()


@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_any_settings_settles_literally(game: str) -> None:
    chance = Random(game)
    for _ in range(4):
        settings = random_settings(
            chance, game, limits=FREE, bet_limits={}, differential=None, automated=ELECTRONIC, countdown=20
        )
        play = open_table(**msgspec.structs.asdict(settings))
        for box, person in enumerate(SITTING, 1):
            play.sit(person, 1 + box % min(3, settings.positions), 10**12, seated=box <= settings.positions)
        for _ in range(6):
            random_round(chance, play)


GAME = "tiger-buffalo"


WINNER, LEVEL = "3.16", "3.17"


@pytest.mark.parametrize(
    ("cards", "call", "paragraph", "called_wrong"),
    [
        (PLAYER_WINS, "player", WINNER, ""),
        (TIE, "tie", LEVEL, ""),
        (PLAYER_WINS, "banker", "5.20", "banker"),
        (TIE, "player", "5.20", "player"),
    ],
)
def test_a_result_is_announced_under_its_paragraph(cards: str, call: str, paragraph: str, called_wrong: str) -> None:
    play = called(GAME, automated=())
    play.close()
    play.deal(cards)
    announced = only(play.do(c.Announce(call), DEALER), e.ResultAnnounced)  # type: ignore[arg-type]
    assert announced.result == ("tie" if cards == TIE else "player")
    assert (announced.paragraph, announced.called) == (paragraph, called_wrong)


def test_a_wrong_call_where_the_book_is_silent_stands_under_the_result() -> None:
    play = called("super-six", automated=())
    play.close()
    play.deal(PLAYER_WINS)
    announced = only(play.do(c.Announce("banker"), DEALER), e.ResultAnnounced)
    assert (announced.paragraph, announced.called) == (play.table.procedures.winner.rule, "banker")


def test_a_result_is_announced_once_and_after_the_last_card() -> None:
    play = called(GAME, automated=())
    assert play.do(c.Announce("player"), DEALER) == (e.ResultCalled("player", "5.20"),)
    assert told(play, c.Settle(), DEALER) == ("not_finished", "3.15")
    play.close()
    play.deal("9h 8c Kd")
    assert play.do(c.Announce("player"), DEALER) == (e.ResultCalled("player", "5.20"),)
    assert told(play, c.Settle(), DEALER) == ("not_finished", "3.15")
    play.deal("Ks")
    assert told(play, c.Settle(), DEALER) == ("not_finished", WINNER)
    play.do(c.Announce("player"), DEALER)
    assert told(play, c.Announce("player"), DEALER)[0] == "already_there"
    play.do(c.Settle(), DEALER)
    assert told(play, c.Settle(), DEALER) == ("no_round", "1.27")
    assert play.do(c.Announce("player"), DEALER) == (e.ResultCalled("player", "5.20"),)


def test_a_second_announcement_is_refused_under_its_own_paragraph_where_there_is_one() -> None:
    play = called("dragon-tiger-commission", automated=())
    play.close()
    play.deal(PLAYER_WINS)
    play.do(c.Announce("player"), DEALER)
    assert play.table.procedures.announcement.rule
    assert told(play, c.Announce("player"), DEALER) == ("already_there", play.table.procedures.announcement.rule)


def test_between_announcing_and_settling_by_itself_there_are_all_mixtures() -> None:
    play = called(GAME, automated=(Step.ANNOUNCE,))
    play.close()
    play.deal(PLAYER_WINS)
    assert play.table.round is not None
    assert (play.table.round.announced, play.table.round.settled) == (True, False)
    play = called(GAME, automated=(Step.SETTLE,))  # what is not announced is not settled
    play.close()
    play.deal(PLAYER_WINS)
    assert play.table.round is not None
    assert (play.table.round.announced, play.table.round.settled) == (False, False)
    only(play.do(c.Announce("player"), DEALER), e.RoundSettled)


def test_no_result_while_a_ruling_is_due() -> None:
    play = called(GAME, automated=())
    play.close()
    play.deal(PLAYER_WINS)
    play.do(c.Report("dealing_error", "a card slid from hand to hand"))
    assert play.do(c.Announce("player"), DEALER) == (e.ResultCalled("player", "5.20"),)
    play.rule(Reconstruct(), 1, "in order", SUPERVISOR)
    play.do(c.Announce("player"), DEALER)
    play.do(c.Report("dealing_error", "another one"))
    assert told(play, c.Settle(), DEALER) == ("flagged", "5.16")


def test_confirmations_are_asked_for_under_the_round() -> None:
    play = called(GAME, automated=(Step.ANNOUNCE, Step.SETTLE))
    override = c.OverrideConfirmation("the reader is out")
    assert play.do(c.Confirm(1), DEALER) == (e.Noted("paid_box", About.of("box", box=1), "1.27"),)
    assert told(play, override, MANAGER) == ("confirmations", "1.27")
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    assert told(play, override, MANAGER) == ("confirmations", "1.27")
    play.deal(PLAYER_WINS)
    assert told(play, c.OverrideConfirmation("  "), MANAGER)[0] == "bad_amount"
    play.do(override, MANAGER)
    assert told(play, override, MANAGER) == ("confirmations", "1.27")


def test_a_round_can_be_voided_until_every_box_is_paid() -> None:
    void = c.Propose(VoidRound(), 0, "the lights went out")
    play = table_of(GAME, automated=(Step.ANNOUNCE, Step.SETTLE))
    assert told(play, void, SHIFT) == ("no_round", "5.21")
    play.call()
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    play.deal(PLAYER_WINS)
    assert play.table.stack("ann") == 10_100_00
    assert only(play.void("the lights went out"), e.RoundSettledAgain).void
    assert play.table.stack("ann") == 10_000_00
    play.do(c.Confirm(1), DEALER)
    assert told(play, void, SHIFT) == ("no_round", "5.21")


def test_a_closed_round_can_be_voided() -> None:
    play = called(GAME)
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    assert only(play.void("the lights went out"), e.RoundVoided).paragraph == "5.23"


def test_the_last_cards_of_a_shoe_make_a_round_if_they_suffice() -> None:
    play = table_of(GAME, automated=QUICK, decks=4)
    run_down(play, 0)
    assert play.table.shoe.drawn == play.table.shoe.size == 208
    assert not [event for event in play.events if isinstance(event, e.RoundVoided)]
