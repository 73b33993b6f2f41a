"""PAR sheets: exact figures against other counts, the documents they become, and the command."""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from importlib import resources
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.page.browser import chromium

from puntobanco import GAMES, Coup, Hand, find_book, load_book, parse_book
from puntobanco.cards import Side
from puntobanco.cli import main
from puntobanco.lab.par import ParSheet, par_sheet
from puntobanco.lab.par_bets import LEVELS
from puntobanco.lab.par_evidence import EvidenceError, SimulatedBet, Simulation, confirm, read_exposure, read_simulation
from puntobanco.lab.par_json import json_text
from puntobanco.lab.par_page import page_of
from puntobanco.lab.par_payouts import payouts
from puntobanco.lab.par_pdf import PdfError, find_browser, pdf_of
from puntobanco.lab.par_recount import NONE, _cards, recount
from puntobanco.lab.par_terms import FIRST_CARD, Limits, Terms, TermsError, players_of
from puntobanco.lab.shoes import Dealing
from puntobanco.lab.simulate import simulate
from puntobanco.literal import ending, literal_gain, literal_insurance_odds, literal_insurance_profit
from puntobanco.money import Odds, Rounding, RoundingMode
from puntobanco.odds import joint_odds, odds, weights
from puntobanco.odds.deals import PATHS
from puntobanco.rules.model import Layout, RuleBook

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "books"
TERMS = Terms(decks=8, limits=Limits(25_00, 5_000_00), differential=20_000_00)


def sheet_of(game: str, terms: Terms = TERMS) -> ParSheet:
    return par_sheet(find_book(game), terms)


@cache
def whole_sheet(game: str) -> ParSheet:
    """Of a whole table."""
    return sheet_of(game, replace(TERMS, players=players_of(find_book(game), None)))


# --- figures ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_lines_add_up_to_all_deals_and_to_the_return(game: str) -> None:
    for bet in whole_sheet(game).bets:
        assert sum(line.ways for line in bet.lines) == whole_sheet(game).total
        assert sum(line.back for line in bet.lines) == bet.back == 1 - bet.edge
        assert bet.odds == odds(find_book(game), TERMS.shoe(find_book(game)))[bet.code]


def test_figures_of_big_tiger() -> None:
    bet = next(bet for bet in whole_sheet("tiger-buffalo").bets if bet.code == "big_tiger")
    assert bet.lines[0].ways == bet.odds.win == 83_058_367_551_488
    assert f"{bet.odds.edge:.6f} {bet.odds.sd:.3f} {bet.index:.3f}" == "0.152533 6.519 10.723"
    low, high = bet.band(10_000, 95)
    assert low == pytest.approx(0.152533 - 1.96 * 6.519 / 100, abs=1e-4)
    assert high == pytest.approx(0.152533 + 1.96 * 6.519 / 100, abs=1e-4)
    assert bet.rough(1_000)
    assert not bet.rough(10_000)


def test_the_edge_without_returned_stakes() -> None:
    # Wizard of Odds: Baccarat, 8 decks, ties left out
    found = {bet.code: float(bet.resolved_edge) for bet in whole_sheet("super-six").bets}
    assert found["banker"] == pytest.approx(0.011692, abs=1e-6)
    assert found["player"] == pytest.approx(0.013650, abs=1e-6)


def test_bands_widen_with_their_level() -> None:
    bet = whole_sheet("super-six").bets[0]
    widths = [high - low for low, high in (bet.band(1_000, level) for level in sorted(LEVELS))]
    assert widths == sorted(widths)


def test_lines_that_pay_alike_are_one_top_award() -> None:
    bet = next(bet for bet in whole_sheet("tiger-buffalo").bets if bet.code == "tiger_buffalo")
    assert bet.top.ways == bet.odds.win
    assert bet.top.words == "Banker wins on 6 or Player wins on 6"


def test_removal_is_as_published() -> None:
    # percentage points for one eight less, 8 decks
    effects = whole_sheet("super-six").removal
    assert float(effects["banker"]["8"] * 100) == pytest.approx(-0.00502, abs=5e-6)
    assert float(effects["tie"]["8"] * 100) == pytest.approx(0.06543, abs=5e-6)
    assert set(effects["player_pair"].values()) == {0}


@pytest.mark.parametrize(("game", "codes"), [("tiger-buffalo", ("banker", "big_tiger", "tiger", "tiger_pair", "tie"))])
def test_covariance_is_that_of_the_joint_odds(game: str, codes: tuple[str, ...]) -> None:
    found = whole_sheet(game).correlation
    at = {code: number for number, code in enumerate(found.codes)}
    for one, two in product(codes, repeat=2):
        joint = joint_odds(find_book(game), TERMS.shoe(find_book(game)), one, two)
        assert found.covariance[at[one]][at[two]] == joint.covariance
        assert found.coefficient(at[one], at[two]) == pytest.approx(joint.correlation)


def test_every_deck_count_is_there() -> None:
    for game, sheet in ((game, whole_sheet(game)) for game in GAMES):
        allowed = find_book(game).decks
        assert list(sheet.decks) == list(range(allowed.least, allowed.most + 1))
        assert sheet.decks[8] == {bet.code: bet.odds for bet in sheet.bets}


# --- rounding ---------------------------------------------------------------------------------------------


def test_rounding_at_the_minimum_costs_the_player() -> None:
    sheet = sheet_of("super-six", Terms(decks=8, limits=Limits(minimum=30)))
    player, banker, *_ = sheet.bets
    assert (player.step, banker.step) == (1, 20)
    at = banker.at_minimum
    assert at
    assert at.paid == ((Odds.parse("0.95 to 1"), Fraction(57, 2), 28),)
    # 28 in place of 28.5 for every win
    assert banker.odds.ev - at.ev == Fraction(banker.odds.win, 60 * sheet.total)
    assert player.at_minimum
    assert player.at_minimum.exact
    assert player.at_minimum.ev == player.odds.ev


def test_rounding_up_to_a_chip_costs_the_house() -> None:
    terms = Terms(decks=8, limits=Limits(minimum=25_00), rounding=Rounding(RoundingMode.UP, 5_00))
    _, banker, *_ = sheet_of("super-six", terms).bets
    assert banker.step == 100_00
    assert banker.at_minimum
    assert banker.at_minimum.paid == ((Odds.parse("0.95 to 1"), Fraction(23_75), 25_00),)
    assert banker.at_minimum.ev > banker.odds.ev
    # 1 to 1 in place of 0.95 to 1, on a bet that wins more often than it loses
    assert '<td class="alarm">-1.2351%</td>' in page_of(sheet_of("super-six", terms))


# --- largest payouts --------------------------------------------------------------------------------------


def path_coup(path: tuple[int, int, int | None, int | None]) -> Coup:
    thirds = [NONE if third is None else third for third in path[2:]]
    return Coup(Hand(_cards(path[0], thirds[0])), Hand(_cards(path[1], thirds[1])))


def brute_force(book: RuleBook, layout: Layout, most: int, apart: int) -> tuple[int, int]:
    """The most a player can win, and cost the House, over all ways through the Table of Play and a grid of stakes."""
    won = worst = 0
    for path in PATHS:
        coup = path_coup(path)
        gains = {code: literal_gain(book.id, code, ending(coup)) for code in layout.bets}
        side = sum(int(most * gain) for code, gain in gains.items() if code not in book.original_bets and gain > 0)
        insured = insurance_gains(coup) if layout.insurance else []
        for player, banker in product(range(0, most + 1, most // 4), repeat=2):
            if abs(player - banker) <= apart:
                on_hands = [int(player * gains["player"]), int(banker * gains["banker"])]
                paid = side
                for hand, pays, gain in insured:
                    stake = player if hand is Side.PLAYER else banker
                    paid += max(0, int(min(stake, most // 4 if pays == 10 else most) * gain))
                won = max(won, paid + sum(gain for gain in on_hands if gain > 0))
                worst = max(worst, paid + sum(on_hands))
    return won, worst


def insurance_gains(coup: Coup) -> list[tuple[Side, Fraction, Fraction]]:
    found = []
    for window, cards in (("four_cards", 2), ("player_third", 3)):
        then = Coup(Hand(coup.player.cards[:cards]), Hand(coup.banker.cards[:2]))
        if len(then.player.cards) == cards:
            for hand in Side:
                row = literal_insurance_odds(then, hand)
                if row is not None:
                    found.append((hand, row, literal_insurance_profit(window, hand, coup)))
    return found


@pytest.mark.parametrize(
    ("game", "apart"), [("tiger-buffalo", 100_00), ("super-six", 300_00), ("dragon-tiger-non-commission", 100_00)]
)
def test_the_largest_payouts_are_those_of_all_stakes_tried(game: str, apart: int) -> None:
    book = find_book(game)
    # without pairs, for the ways through the Table of Play do not tell them
    bets = tuple(code for code in book.bets if "pair" not in code)
    layout = Layout("X", "no pairs", bets, (1,), "", insurance=book.insurance is not None)
    terms = Terms(decks=8, layout=layout, limits=Limits(1_00, 400_00), differential=apart)
    found = payouts(book, terms, weights(terms.shoe(book), book.space))
    assert found
    assert (found.winnings.amount, found.loss.amount) == brute_force(book, layout, 400_00, apart)


def test_players_multiply_the_largest_payout_and_rounding_is_theirs() -> None:
    book = find_book("super-six")
    alone, five = (
        sheet_of("super-six", Terms(decks=8, limits=Limits(30, 30), players=players)).payouts for players in (1, 5)
    )
    assert alone
    assert five
    assert five.winnings.amount == 5 * alone.winnings.amount
    assert {item.box: item.paid for item in alone.winnings.items}["banker"] == 28
    assert sheet_of("super-six", Terms(decks=8)).payouts is None
    only = Terms(decks=8, bet_limits={code: Limits(maximum=100) for code in book.bets})
    assert sheet_of("super-six", only).payouts


# --- the second count -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_second_count_agrees(game: str) -> None:
    sheet = whole_sheet(game)
    assert [each.code for each in sheet.recount] == list(sheet.book.bets)
    assert all(each.agrees for each in (*sheet.recount, *sheet.insurance_recount))
    assert len(sheet.insurance_recount) == (83 if game == "tiger-buffalo" else 0)


def test_the_second_count_notices_a_pay_line_that_is_wrong() -> None:
    book = find_book("super-six")
    tie = book.bets["tie"]
    line = replace(tie.pays[0], odds=Odds.parse("9 to 1"))
    wrong = replace(book, bets=book.bets | {"tie": replace(tie, pays=(line,))})
    terms = Terms(decks=6)
    found = {each.code: each.agrees for each in recount(book, terms, odds(wrong, terms.shoe(book)))}
    assert [code for code, agrees in found.items() if not agrees] == ["tie"]
    assert not par_sheet(wrong, terms).covered


# --- documents --------------------------------------------------------------------------------------------


class Balanced(HTMLParser):
    """Notices a tag that is not closed, or closed twice."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("game", GAMES)
def test_the_page_is_whole_and_fetches_nothing(game: str) -> None:
    page = page_of(whole_sheet(game))
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    assert "://" not in page
    for bet in whole_sheet(game).bets:
        assert all(f"<td>{line.ways:,}</td>" in page for line in bet.lines)


def test_a_page_for_a_book_of_ones_own() -> None:
    text = (EXAMPLES / "bonus.toml").read_text(encoding="utf-8").replace('"Bonus Baccarat"', '"<b>&amp; Co"')
    book = parse_book(text)
    sheet = par_sheet(book, Terms(decks=6), options={"--book": "my game.toml"})
    page = page_of(sheet)
    assert "&lt;b&gt;&amp;amp; Co" in page
    assert "<b>&amp; Co" not in page
    command = "puntobanco par --decks 6 --players 1 --rounding down --burn 0 --cut 16 --book"
    assert command in page.replace("</span> <span>", " ")
    assert "&#39;my game.toml&#39;" in page
    assert not sheet.covered
    assert "the literal settlement is written for the six games" in page


def test_a_bet_that_favours_the_player_is_called_out() -> None:
    text = (EXAMPLES / "ez-baccarat.toml").read_text(encoding="utf-8").replace('"40 to 1"', '"50 to 1"')
    sheet = par_sheet(parse_book(text), Terms(decks=8))
    assert [bet.code for bet in sheet.favours_player] == ["dragon_7"]
    assert "The House has no edge on Dragon 7" in page_of(sheet)


def test_insurance_that_favours_the_player_is_called_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = Path(str(resources.files("puntobanco.rules") / "books" / "tiger-buffalo.toml")).read_text(encoding="utf-8")
    book = tmp_path / "generous.toml"
    book.write_text(source.replace('odds = "3 to 2"', 'odds = "2 to 1"'), encoding="utf-8")
    main(["par", "--book", str(book), "-o", str(tmp_path / "sheet.html")])
    said = capsys.readouterr().out
    assert "THE HOUSE HAS NO EDGE on banker insurance at 4 against 0, 2 to 1." in said
    page = (tmp_path / "sheet.html").read_text(encoding="utf-8")
    assert re.search(r"The House has no edge on \d+ insurance rows", page)


def test_the_json_holds_the_sheet_and_its_hash() -> None:
    text = json_text(whole_sheet("tiger-buffalo"))
    document = json.loads(text)
    told = document.pop("hash")
    plain = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert hashlib.sha256(plain.encode()).hexdigest() == told
    assert told in page_of(whole_sheet("tiger-buffalo"))
    assert document["bets"]["big_tiger"]["ev"] == "-141819481097/929761583985"
    assert document["decks"]["8"]["big_tiger"]["win"] == "83058367551488"


def test_the_sheets_of_the_docs_are_current() -> None:
    for game, sheet in ((game, whole_sheet(game)) for game in GAMES):
        burnt = replace(sheet.terms, burn=FIRST_CARD if sheet.book.procedures.burn.covered else 0)
        run = confirm(sheet.book, burnt, rounds=10_000_000)
        page = page_of(par_sheet(sheet.book, burnt, options={"--rounds": "10000000", "--seed": "0"}, simulation=run))
        told = (ROOT / "docs" / "par" / f"{game}.html").read_text(encoding="utf-8")
        assert told == page, f"docs/par/{game}.html is out of date: run scripts/par-sheets"


# --- evidence ---------------------------------------------------------------------------------------------


def test_a_simulation_stands_beside_the_exact_figures() -> None:
    book = find_book("super-six")
    exact = whole_sheet("super-six").bets[0].odds.ev
    run = Simulation("super-six", 1_000_000, 12_345, {"player": SimulatedBet(float(exact) + 0.002, 0.001)}, seed=7)
    page = page_of(par_sheet(book, TERMS, simulation=run))
    assert "1,000,000 rounds in 12,345 whole shoes, seed 7" in page
    assert "<td>−2.00</td>" in page
    assert "not run" not in page.lower()
    assert "Exposure to counting" not in page


def test_a_sheet_is_confirmed_by_shoes_of_its_own_terms() -> None:
    book = find_book("dragon-tiger-commission")
    terms = Terms(decks=6, layout=book.layout("A3"), burn=3, cut=30)
    found = confirm(book, terms, rounds=300_000, seed=5, cores=1)
    assert found == confirm(book, terms, rounds=300_000, seed=5, cores=2)
    alone = simulate(book, Dealing(decks=6, burn=3, cut=30), shoes=found.shoes, seed=5)
    assert (alone.rounds, found.decks, found.cut, found.seed) == (found.rounds, 6, 30, 5)
    assert {code: (bet.ev, bet.se) for code, bet in found.bets.items()} == {
        bet.code: (alone.bets[bet.code].ev, alone.bets[bet.code].se) for bet in book.menu(terms.layout)
    }


def test_a_sheet_without_a_simulation_says_so(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    main(["par", "super-six", "--rounds", "0", "-o", str(file)])
    page = file.read_text(encoding="utf-8")
    assert "Not run (--rounds 0)" in page
    assert "<span>--rounds</span> <span>0</span></code>" in page


def test_results_are_read_as_the_commands_print_them() -> None:
    book = find_book("super-six")
    tie = '"tie":{"ev":-0.1,"se":0.2,"exact":-0.14}'
    run = f'{{"game":"super-six","rounds":10,"shoes":1,"seconds":1.5,"rate":3,"bets":{{{tie}}}}}'
    assert read_simulation(run.encode(), book, 8).bets["tie"] == SimulatedBet(-0.1, 0.2)
    gain = '{"per_shoe":0.5,"per_100":0.6,"share":0.1,"se":0.01'
    seen = (
        '{"bets":{"tie":{"removal":{"A":0.1},"count":{"A":-1},"correlation":null,'
        f'"perfect":{gain}}},"counted":{gain},"trigger":4}}}}}},'
        f'"insurance":{{"player_insurance four_cards":{{"offered":0.5,"perfect":{gain}}}}}}}}}'
    )
    exposure = read_exposure(seen.encode(), book, 8)
    assert exposure.bets["tie"].counted.trigger == 4
    assert exposure.insurance["player_insurance four_cards"].offered == 0.5
    page = page_of(par_sheet(book, TERMS, exposure=exposure))
    assert "<td><b>0.500</b></td><td>0.010</td><td>0.600</td><td>10.00%</td>" in page


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "cannot be read"),
        (b'{"game":"x","rounds":1,"shoes":1,"bets":{}}', "is of x"),
        (b'{"game":"super-six","rounds":0,"shoes":1,"bets":{}}', "no rounds"),
        (b'{"game":"super-six","rounds":1,"shoes":1,"decks":6,"bets":{}}', "is of 6 decks, not of 8"),
        (b'{"game":"super-six","rounds":1,"shoes":1,"bets":{"moon":{"ev":0,"se":1}}}', "has no bet 'moon'"),
    ],
)
def test_results_of_something_else_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        read_simulation(data, find_book("super-six"), 8)


# --- the command ------------------------------------------------------------------------------------------


def test_the_command_writes_the_same_bytes_again_by_the_command_it_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    options = ["--minimum", "5", "--maximum", "100", "--limit", "tie=1-50", "--layout", "a3", "--cut", "20"]
    main(["par", "dragon-tiger-commission", *options, "--chip", "0.05", "-o", str(first)])
    command = json.loads(first.read_text(encoding="utf-8"))["command"].split()
    assert command[:2] == ["puntobanco", "par"]
    assert command[-8:] == ["--burn", "first", "--cut", "20", "--rounds", "10000000", "--seed", "0"]
    main([*command[1:], "-o", str(second)])
    assert first.read_bytes() == second.read_bytes()
    assert capsys.readouterr().out == f"{first}\n{second}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("super-six", "par needs -o FILE"),
        ("super-six -o a.txt", "must end in one of .html, .pdf, .json"),
        ("super-six -o a.html --decks 11", "is played with 4 to 8 decks (super-six 2.2.1)"),
        ("super-six -o a.html --decks eight", "'eight' is not a whole number"),
        ("super-six -o a.html --minimum 0", "--minimum: '0' is nothing"),
        ("super-six -o a.html --minimum 50 --maximum 5", "the maximum is below the minimum"),
        ("super-six -o a.html --limit moon=1-2", "--limit moon: no such bet"),
        ("super-six -o a.html --limit tie", "write BET=MIN-MAX"),
        ("super-six -o a.html --minimum 50 --differential 5", "the Differential is below the minimum"),
        ("super-six -o a.html --cut 417", "--cut 417: the Cut Card lies 6 to 416 cards"),
        ("super-six -o a.html --cut 5", "--cut 5: the Cut Card lies 6 to 416 cards"),
        ("super-six -o a.html --rounds -1", "-1 rounds: from 1"),
        ("super-six -o a.html --rounds some", "--rounds: 'some' is not a whole number"),
        ("super-six -o a.html --seed -1", "seed -1: a whole number from 0"),
        ("super-six -o a.html --rounds 9 --simulation b.json", "in place of --rounds and --seed"),
        ("super-six -o a.html --burn -1", "--burn -1: 0 to 20 cards"),
        ("super-six -o a.html --players 0", "--players 0: 1 to 100 players"),
        ("super-six -o a.html --rounding sideways", "'sideways' is not one of down, nearest, up"),
        ("super-six -o nowhere/a.html", "-o: nowhere/a.html cannot be written"),
        ("super-six -o a.html --simulation b.json", "--simulation b.json: b.json cannot be read"),
        ("-o book.html --book book.html", "is an input as well"),
    ],
)
def test_bad_input_is_one_message(
    arguments: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book.html").write_text("", encoding="utf-8")
    with pytest.raises(SystemExit) as stop:
        main(["par", *arguments.split()])
    said = capsys.readouterr()
    assert (stop.value.code, said.out) == (2, "")
    assert message in said.err
    assert said.err.count("\n") == 1
    assert not (tmp_path / "a.html").exists()


def test_terms_name_everything_that_is_wrong() -> None:
    with pytest.raises(TermsError, match=r"--players 0.*; --cut 999"):
        sheet_of("super-six", Terms(decks=8, players=0, cut=999))


def test_a_pdf_without_a_browser_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit) as stop:
        main(["par", "super-six", "-o", str(tmp_path / "a.pdf")])
    assert stop.value.code == 2
    assert "install Chromium" in capsys.readouterr().err


def test_a_pdf_is_the_same_bytes_again() -> None:
    assert chromium()
    assert find_browser()
    first, second = (pdf_of("<!doctype html><title>x</title><h1>PAR</h1>") for _ in range(2))
    assert first.startswith(b"%PDF-")
    assert first == second
    assert first.count(b"(D:20000101000000") == 2


def test_a_browser_that_prints_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = tmp_path / "chromium"
    browser.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(PdfError, match="has printed nothing"):
        pdf_of("<p>x</p>")


def test_own_books_are_loaded_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lucky.json"
    main(["par", "--book", str(EXAMPLES / "lucky.toml"), "-o", str(file)])
    document = json.loads(file.read_text(encoding="utf-8"))
    assert document["book_hash"] == load_book(EXAMPLES / "lucky.toml").hash
    assert document["recount"] is None
    assert re.fullmatch(r"[0-9a-f]{64}", document["hash"])
    assert capsys.readouterr().out.splitlines()[0] == str(file)
