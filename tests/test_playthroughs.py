"""The golden playthroughs: whole shoes, insurance, limits, squeezes, irregularities and table days, as files in the
history format.

Every file is played by the runner that ``puntobanco run`` uses. What the generated ones expect was reckoned without the
table engine (``scripts/playthroughs``), so that a file which does not hold means that one of the two is wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from scripts.tools.playthroughs import texts
from tests.script.test_walks import told_of
from tests.table.went_wrong import WENT_WRONG

from puntobanco import GAMES, find_book
from puntobanco.bets import Result
from puntobanco.cards import CARDS, Card, Side, parse_cards
from puntobanco.coup import BANKER_DRAWS_AGAINST, Coup
from puntobanco.literal import literal_insurance_odds, literal_insurance_profit
from puntobanco.rules.catalogue import BOOKS, book_of
from puntobanco.rules.load import parse_book
from puntobanco.rules.model import RuleBook
from puntobanco.script import Play, fold_log, format_log, format_script, parse_log, parse_script, play, retell
from puntobanco.script import lines as x
from puntobanco.script.expect import paragraphs_of
from puntobanco.table import events as e
from puntobanco.table.bets.pro_rata import pro_rata
from puntobanco.table.cases.proposals import EFFECTS
from puntobanco.table.cases.remedies import RULINGS
from puntobanco.table.rulings import kind_of

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "playthroughs"
FILES = sorted(file.relative_to(FOLDER).as_posix() for file in FOLDER.rglob("*.txt"))
FAMILIES = ("day", "insurance", "irregularities", "limits", "shoes", "squeeze")
SHOES = [name for name in FILES if name.startswith("shoes/")]
IRREGULARITIES = [name for name in FILES if name.startswith("irregularities/")]
DAYS = [name for name in FILES if name.startswith("day/")]


def text_of(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@cache
def played(name: str) -> Play:
    return play(parse_script(text_of(name), name))


def game_of(name: str) -> str:
    table = played(name).table
    assert table is not None
    return table.settings.game


def events_of(name: str) -> Iterator[e.Event]:
    return (record.event for record in played(name).records)


# --- every file


@pytest.mark.parametrize("name", FILES)
def test_a_playthrough_is_as_it_expects(name: str) -> None:
    result = played(name)
    assert result.unmet is None, f"{name}:{result.unmet.number}"
    assert result.met >= 4


@pytest.mark.parametrize("name", FILES)
def test_its_log_told_as_a_history_gives_the_same_log(name: str) -> None:
    entries = played(name).entries
    assert parse_log(format_log(entries)) == entries
    assert fold_log(entries) == played(name).table
    history = retell(entries, expect=True)
    assert history.differences == ()
    again = play(parse_script(format_script(history.script)))
    assert again.unmet is None
    assert [told_of(entry) for entry in again.entries] == [told_of(entry) for entry in entries]


@pytest.mark.parametrize("name", FILES)
def test_money_only_moves(name: str) -> None:
    """Every transfer is of something, from one account to another; the sums are the balances, and together nothing."""
    check_money_only_moves(played(name))


def check_money_only_moves(result: Play) -> None:
    balances: Counter[str] = Counter()
    for record in result.records:
        for transfer in getattr(record.event, "transfers", ()):
            assert transfer.amount > 0
            assert transfer.source != transfer.target
            balances[transfer.source] -= transfer.amount
            balances[transfer.target] += transfer.amount
    table = result.table
    assert table is not None
    assert balances == Counter(table.balances)
    assert sum(balances.values()) == 0


def shoes_of(name: str) -> list[list[Card | None]]:
    """The cards of each shoe in the order they left it; None for one that nobody saw."""
    shoes: list[list[Card | None]] = []
    starts: dict[int, int] = {}
    number, carried = 0, 0
    places: dict[int, int] = {}
    for event in events_of(name):
        cards = shoes[-1] if shoes else []
        match event:
            case e.ShoeStarted():
                shoes.append([])
                carried = 0
            case e.CardsBurnt() | e.CardsDealt():
                cards += event.cards
            case e.RoundCalled() | e.FreeHandCalled():
                # cards left over from before are the first of the round
                number, places = event.number, {}
                starts[number] = len(cards) - carried
            case e.CardDrawn() | e.EarlyCardDrawn():
                cards.append(event.card)
                if isinstance(event, e.CardDrawn):
                    places[event.number] = len(cards) - 1
                carried += isinstance(event, e.EarlyCardDrawn)
            case e.CarriedCardsDealt():
                carried -= len(event.hands)
            case e.CardTurned():
                cards[places.get(event.number, starts[number] + event.number - 1)] = event.card
            case e.CardsRetrieved():
                del cards[-event.cards :]
            case e.CardsArranged():
                # cards keep their numbers; what is left over comes before what is still in the shoe
                drawn, used = cards[starts[number] :], sorted(event.order[: len(event.hands)])
                cards[starts[number] :] = [drawn[each - 1] for each in (*used, *event.order[len(used) :])]
                if event.goes != "discarded":
                    carried += len(event.order) - len(event.hands)
            case e.CardsTold():
                # what was thought to be the round's cards was something else
                begin, end = starts[event.round], starts.get(event.round + 1, len(cards))
                cards[begin:end] = event.cards
                more = len(event.cards) - (end - begin)
                starts |= {each: at + more for each, at in starts.items() if each > event.round}
                carried += len(event.left_over) * event.carried
    return shoes


@pytest.mark.parametrize("name", FILES)
def test_no_card_comes_more_often_than_there_are_decks(name: str) -> None:
    table = played(name).table
    assert table is not None
    for cards in shoes_of(name):
        seen = Counter(card for card in cards if card is not None)
        assert not seen or max(seen.values()) <= table.settings.decks


# --- none is missing


def test_families() -> None:
    assert {name.partition("/")[0] for name in FILES} == set(FAMILIES)


def test_every_game_has_a_shoe() -> None:
    assert {f"shoes/{game}.txt" for game in GAMES} <= set(SHOES)
    for name in SHOES:
        assert Path(name).stem.startswith(game_of(name))


def test_every_bet_of_every_game_is_bet_on_in_a_shoe() -> None:
    placed: dict[str, set[str]] = {game: set() for game in GAMES}
    for name in SHOES:
        for event in events_of(name):
            if isinstance(event, e.WagersPlaced):
                placed[game_of(name)] |= event.wagers.keys()
    assert placed == {game: set(find_book(game).bets) for game in GAMES}


@pytest.mark.parametrize("family", ["irregularities", "limits", "squeeze"])
def test_every_book_has_limits_squeezes_and_irregularities(family: str) -> None:
    assert {book_of(game_of(name)) for name in FILES if name.startswith(f"{family}/")} == set(BOOKS)


NOT_CITED = {
    "1.24": "what void means",
    "1.37": "what void means",
    "2.2.22": "what void means",
    "4.2": "4.6 says the same of wagers that come too late",
    "5.1.2": "nothing comes off such a bet",
    "5.7": "da-hu-ying-xiong and rws-baccarat have a family there; the Cut Card of tiger-buffalo is 1.9",
    "5.14": "in tiger-buffalo 5.15 says what becomes of the round itself",
    "5.15": "a void round cites why it is void",
    "5.21": "a void round cites why it is void",
    "7.1.1": "cited as 7.1",
    "7.1.2": "nothing happens to earlier rounds",
    "7.19.1": "nothing comes off such a wager",
}
"""Paragraphs of irregularities that no event of these playthroughs can cite, and why."""


def cited(name: str) -> set[str]:
    """The paragraphs on which something in a playthrough rests: events and refusals."""
    found = {refusal.paragraph for _, refusal in played(name).refusals}
    for event in events_of(name):
        found |= set(paragraphs_of(event))
        if isinstance(event, e.OptionsGiven):
            found |= {event.go_on, event.take_back}
    return found


@pytest.mark.parametrize("book", BOOKS)
def test_every_paragraph_of_the_irregularities_is_played(book: str) -> None:
    games = [game for game in GAMES if book_of(game) == book]
    books = [find_book(game) for game in games]
    wanted = {paragraph for found in books for _, slots in found.irregularities.covered for paragraph in slots.cited}
    wanted |= {remedy.given for found in books for remedy in found.remedies.values() if remedy.given}
    played_in = [name for name in IRREGULARITIES if book_of(game_of(name)) == book]
    assert wanted - NOT_CITED.keys() <= set().union(*map(cited, played_in))


def test_every_kind_of_incident_ruling_and_event_is_played() -> None:
    """Every family of incident with rulings of its own, every ruling, and every event that an irregularity leads to."""
    events = [event for name in IRREGULARITIES for event in events_of(name)]
    assert {event.family for event in events if isinstance(event, e.IncidentOpened)} == RULINGS.keys()
    given = {kind_of(event.ruling) for event in events if isinstance(event, e.RulingGiven)}
    assert given == {kind_of(ruling) for ruling in EFFECTS}
    assert {type(event) for event in events} >= set(WENT_WRONG)


@pytest.mark.parametrize("name", IRREGULARITIES)
def test_an_irregularity_says_what_happens_and_how_the_money_stands(name: str) -> None:
    assert text_of(name).startswith("# ")
    expected = [line.item for line in played(name).script.lines]
    assert any(isinstance(item, x.Balance) and item.account == "tray" for item in expected)
    assert any(isinstance(item, x.Stack) for item in expected)


def test_the_index_names_every_playthrough() -> None:
    page = (ROOT / "docs" / "playthroughs.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\]\(\.\./tests/playthroughs/([^)]+\.txt)\)", page)) == FILES


def test_generated_playthroughs_are_up_to_date() -> None:
    made = texts()
    assert set(SHOES) < set(made) < set(FILES)
    for name, text in made.items():
        assert text_of(name) == text, f"{name}: run scripts/playthroughs"


# --- shoes


@pytest.mark.parametrize("name", SHOES)
def test_a_shoe_is_played_from_the_shuffle_to_the_last_round(name: str) -> None:
    """The cards at the top of the file are whole decks; cut where they were cut, they are those burnt and dealt."""
    table = played(name).table
    assert table is not None
    rows = re.findall(r"^#   ((?:[A2-9TJQK][shdc] ?)+)$", text_of(name), re.MULTILINE)
    shuffled = [card for row in rows for card in parse_cards(row)]
    assert Counter(shuffled) == dict.fromkeys(CARDS, table.settings.decks)
    (cut,) = (event for event in events_of(name) if isinstance(event, e.ShoeCut))
    order = [*shuffled[cut.position :], *shuffled[: cut.position]]
    (cards,) = shoes_of(name)
    assert all(found in (None, card) for found, card in zip(cards, order, strict=False))
    assert len(shuffled) - len(cards) <= table.settings.cut_card
    kinds = [type(event) for event in events_of(name)]
    assert kinds.count(e.CutCardAppeared) == kinds.count(e.ShoeEnded) == 1
    assert kinds[-1] is e.ShoeEnded


@pytest.mark.parametrize("name", SHOES)
def test_a_shoe_expects_every_result_and_every_wager(name: str) -> None:
    expected = Counter(type(line.item) for line in played(name).script.lines)
    announced = sum(isinstance(event, e.ResultAnnounced) for event in events_of(name))
    voided = sum(isinstance(event, e.RoundVoided) for event in events_of(name))
    settled = sum(len(event.lines) for event in events_of(name) if isinstance(event, e.RoundSettled))
    assert expected[x.Points] == announced
    assert expected[x.Outcome] == announced + voided
    assert expected[x.Settled] == settled
    table = played(name).table
    assert table is not None
    assert expected[x.Balance] == len(table.balances)
    assert len({type(event) for event in events_of(name)}) > 10
    assert len({refusal.code for _, refusal in played(name).refusals}) > 6


def test_the_shoes_deal_the_whole_table_of_play() -> None:
    """Banker on 0 to 7 against every third card of Player."""
    cells: set[tuple[int, int]] = set()
    for name in SHOES:
        for event in events_of(name):
            if isinstance(event, e.RoundSettled):
                coup = Coup.parse(event.coup)
                if coup.player.third is not None:
                    cells.add((coup.banker.opening, coup.player.third.points))
    assert cells == {(banker, third) for banker in range(8) for third in range(10)}


# --- insurance

Case = tuple[str, Side, int, int, Result]
"""Window, hand, its points, those of the other, and what became of the insurance."""
INSURANCE_ROWS = [f"insurance/{hand}-after-{window}.txt" for hand in Side for window in ("four-cards", "third-card")]
BY_VALUE = {0: Card("Ks"), 1: Card("As")} | {value: Card(f"{value}s") for value in range(2, 10)}


def endings(coup: Coup) -> Iterator[tuple[Coup, ...]]:
    """Every way to finish a coup from here: the stages it goes through, the finished one last."""
    if coup.finished:
        yield (coup,)
        return
    for card in BY_VALUE.values():
        for rest in endings(coup.receive(card)):
            yield (coup, *rest)


def possible() -> set[Case]:
    """Every row and pair of points with everything that can become of it."""
    found: set[Case] = set()
    for player in range(10):
        for banker in range(10):
            opening = Coup()
            for value in (player, banker, 0, 0):
                opening = opening.receive(BY_VALUE[value])
            for *stages, finished in endings(opening):
                for stage, window in zip(stages, ("four_cards", "player_third"), strict=False):
                    # without a third card for Player there is only the first window
                    if len(stage.player) == (2 if window == "four_cards" else 3):
                        found |= set(_cases(window, stage, finished))
    return found


def _cases(window: str, stage: Coup, finished: Coup) -> Iterator[Case]:
    points = {Side.PLAYER: stage.player.total, Side.BANKER: stage.banker.total}
    for hand in Side:
        if literal_insurance_odds(stage, hand) is not None:
            gain = literal_insurance_profit(window, hand, finished)
            result = Result.WON if gain > 0 else Result.LOST if gain < 0 else Result.RETURNED
            yield window, hand, points[hand], points[hand.other], result


def insured(name: str) -> Iterator[Case]:
    """What one player insured, and what became of it."""
    taken: list[e.Insured] = []
    for event in events_of(name):
        if isinstance(event, e.RoundCalled):
            taken = []
        elif isinstance(event, e.Insured):
            taken.append(event)
        elif isinstance(event, e.RoundSettled):
            for each, line in zip(taken, (line for line in event.lines if line.insurance), strict=True):
                yield each.window.value, each.hand, each.own, each.other, line.result


def test_every_insurance_row_is_paid_lost_and_returned() -> None:
    """For all 83 pairs of points of the 17 rows, whatever the cards can make of it."""
    wanted = possible()
    assert len({case[:4] for case in wanted}) == 83
    insurance = find_book("tiger-buffalo").insurance
    assert insurance is not None
    assert len(insurance.rows) == 17
    assert {case for name in INSURANCE_ROWS for case in insured(name)} == wanted


# --- days


@pytest.mark.parametrize("name", DAYS)
def test_a_day_is_closed_and_reconciled(name: str) -> None:
    *_, closed = events_of(name)
    assert isinstance(closed, e.TableClosed)
    assert closed.result == closed.closing + closed.credits + closed.drop - closed.opening - closed.fills
    won = sum(line.profit for event in events_of(name) if isinstance(event, e.RoundSettled) for line in event.lines)
    assert closed.result == closed.difference - won
    assert any(isinstance(line.item, x.Day) for line in played(name).script.lines)


def test_days_with_and_without_a_difference() -> None:
    differences = {event.difference for name in DAYS for event in events_of(name) if isinstance(event, e.TableClosed)}
    assert 0 in differences
    assert len(differences) > 1


# --- the same cases under the other games of the same house

RWS = ("da-hu-ying-xiong", "rws-baccarat", "tiger-buffalo")
HOIANA = {"dragon-tiger-commission": "A4", "dragon-tiger-non-commission": "A2"}
SHARED_BY_RWS = (
    "limits/box-scope.txt",
    "limits/differential-refused.txt",
    "limits/goes-back-whole.txt",
    "limits/seated-priority.txt",
    "limits/what-fits.txt",
    "limits/withdrawal.txt",
)


def moved(name: str, game: str) -> str:
    """The playthrough at another game: what its bets and layouts are called there."""
    text = re.sub(r"^game .*$", f"game {game}", text_of(name), flags=re.MULTILINE)
    text = re.sub(r"\b(any_)?tie (?=\d)", "any_tie " if game == "rws-baccarat" else "tie ", text)
    return re.sub(r"^layout .*$", f"layout {HOIANA.get(game, 'A')}", text, flags=re.MULTILINE)


@pytest.mark.parametrize("game", RWS)
@pytest.mark.parametrize("name", SHARED_BY_RWS)
def test_the_limits_are_the_same_at_all_rws_games_with_a_differential(name: str, game: str) -> None:
    assert play(parse_script(moved(name, game))).unmet is None


@pytest.mark.parametrize("game", RWS[:2])
def test_squeezes_are_the_same_where_only_seated_players_squeeze(game: str) -> None:
    assert play(parse_script(moved("squeeze/da-hu-ying-xiong.txt", game))).unmet is None


@pytest.mark.parametrize("game", HOIANA)
@pytest.mark.parametrize("name", ["limits/hoiana-latest-first.txt", "squeeze/dragon-tiger.txt"])
def test_both_games_of_hoiana_share_their_cases(name: str, game: str) -> None:
    assert play(parse_script(moved(name, game))).unmet is None


# --- what is broken is noticed


def book_text(game: str) -> str:
    return (resources.files("puntobanco.rules") / "books" / f"{game}.toml").read_text(encoding="utf-8")


def with_other_odds(game: str, entry: str) -> RuleBook:
    """The book with the first odds of one entry, told by its opening lines, a little better than they are."""
    text = book_text(game)
    start = text.index(entry)
    found = re.compile(r'odds = "([\d.]+) to (\d+)"').search(text, start)
    assert found is not None
    changed = text[: found.start()] + f'odds = "{found[1]} to {int(found[2]) + 1}"' + text[found.end() :]
    # commission that is taken at once must say the same as the odds
    return parse_book(changed.replace('rate = "5%"', 'rate = "52.5%"') if found[1] == "0.95" else changed)


def is_noticed(book: RuleBook, names: list[str]) -> bool:
    return any(play(parse_script(text_of(name)), lambda game: book).unmet is not None for name in names)


@pytest.mark.parametrize("game", GAMES)
def test_wrong_odds_of_any_bet_that_wins_are_noticed(game: str) -> None:
    names = [name for name in SHOES if game_of(name) == game]
    won = {
        line.bet
        for name in names
        for event in events_of(name)
        if isinstance(event, e.RoundSettled)
        for line in event.lines
        if line.result is Result.WON and not line.insurance
    }
    assert {"player", "banker"} < won
    single = [bet for bet in sorted(won) if len(find_book(game).bets[bet].pays) == 1]
    unnoticed = [bet for bet in single if not is_noticed(with_other_odds(game, f'code = "{bet}"\n'), names)]
    assert unnoticed == []


def test_wrong_odds_of_any_insurance_row_are_noticed() -> None:
    text = book_text("tiger-buffalo")
    rows = [found.start() for found in re.finditer(re.escape("[[insurance.rows]]"), text)]
    assert len(rows) == 17
    for start, end in zip(rows, [*rows[1:], text.index("[[ranks]]")], strict=True):
        entry = text[start:end]
        window = "four-cards" if '"four_cards"' in entry else "third-card"
        hand = "player" if 'hand = "player"' in entry else "banker"
        book = with_other_odds("tiger-buffalo", entry)
        assert is_noticed(book, [f"insurance/{hand}-after-{window}.txt"]), entry


BROKEN: dict[str, tuple[str, Callable[..., object], str]] = {
    "a cent too much is paid": (
        "puntobanco.bets.winnings",
        lambda stake, odds, rounding=None: stake * odds.pays // odds.to + 1,
        "shoes/super-six.txt",
    ),
    "nobody has priority": (
        "puntobanco.table.bets.limits.seated_first",
        lambda table: False,
        "limits/seated-priority.txt",
    ),
    "nothing is rejected at the close": (
        "puntobanco.table.bets.closing.rejected_at_close",
        lambda table, current: [],
        "limits/withdrawal.txt",
    ),
    "the first who sits may squeeze": (
        "puntobanco.table.squeeze.rights.right_holder",
        lambda table, hand: "ann",
        "squeeze/tiger-buffalo.txt",
    ),
    "insurance has no cap": (
        "puntobanco.table.insurance.taking.most_insurance",
        lambda table, current, person, box, hand, odds: 10**9,
        "insurance/caps-with-a-maximum.txt",
    ),
    "the tray is not counted": (
        "puntobanco.table.cash.closing.count_chips",
        lambda chips, values: 1,
        "day/balanced.txt",
    ),
    "shares fall below the minimum": (
        "puntobanco.table.bets.stakes_that_stand.pro_rata",
        lambda stakes, minimums, allowed, *, floor: pro_rata(stakes, minimums, allowed, floor=False),
        "irregularities/over-the-differential/da-hu-ying-xiong.txt",
    ),
    "shares have a floor at Hoiana": (
        "puntobanco.table.bets.stakes_that_stand.pro_rata",
        lambda stakes, minimums, allowed, *, floor: pro_rata(stakes, minimums, allowed, floor=True),
        "irregularities/over-the-differential/dragon-tiger.txt",
    ),
    "nobody is given options": (
        "puntobanco.table.cases.options.due",
        lambda table, current, incident, *, repaired: False,
        "irregularities/wrong-side/da-hu-ying-xiong.txt",
    ),
    "nothing is ever established": (
        "puntobanco.table.cases.options.established",
        lambda table, coup, out: False,
        "irregularities/wrong-side/tiger-buffalo.txt",
    ),
    "everything is established": (
        "puntobanco.table.cases.interruption.established",
        lambda table, coup, out: True,
        "irregularities/interruption/rws-baccarat.txt",
    ),
    "cards left over are lost": (
        "puntobanco.table.cards.reconstruction._destination",
        lambda table, ordered, used: "discarded",
        "irregularities/excess-cards/da-hu-ying-xiong.txt",
    ),
    "Banker gets the first card left over": (
        "puntobanco.table.cards.waiting.hands_for",
        lambda cards: tuple(Side.BANKER for _ in cards),
        "irregularities/free-hand/opens-another.txt",
    ),
    "a late error is found in time": (
        "puntobanco.table.cases.late_discovery.in_time",
        lambda table, number: True,
        "irregularities/late-discovery/tiger-buffalo-missing-card.txt",
    ),
    "decided side bets go back": (
        "puntobanco.table.cases.late_discovery._kept",
        lambda table, line, dealt, paragraph: line,
        "irregularities/late-discovery/tiger-buffalo-missing-card.txt",
    ),
    "what cannot be collected is forgotten": (
        "puntobanco.table.settlement.debts.collect",
        lambda table, person, amount: (),
        "irregularities/debts/collected.txt",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_engine_is_noticed(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    target, broken, name = BROKEN[what]
    monkeypatch.setattr(target, broken)
    assert play(parse_script(text_of(name))).unmet is not None


@pytest.mark.parametrize(("banker", "third"), [(2, 9), (3, 8), (4, 1), (5, 4), (6, 5), (6, 7), (7, 6)])
def test_a_wrong_table_of_play_is_noticed(banker: int, third: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One cell is wrong: Banker draws where it stands, or stands where it draws."""
    monkeypatch.setitem(BANKER_DRAWS_AGAINST, banker, BANKER_DRAWS_AGAINST[banker] ^ {third})
    assert any(play(played(name).script).unmet is not None for name in SHOES)


@pytest.mark.parametrize("name", SHOES)
def test_a_card_that_was_another_is_noticed(name: str) -> None:
    """The second card of the first round, as many points more or less as change the result."""
    text = text_of(name)
    first = text.index("# Round 1")
    changed = re.compile(r"\b([A2-9TJQK])([shdc])\b").sub(
        lambda found: ("2" if found[1] == "9" else "9") + found[2], text[first:], count=1
    )
    assert play(parse_script(text[:first] + changed)).unmet is not None
