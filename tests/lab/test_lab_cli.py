"""The laboratory's commands: their JSON, their files, and how they refuse bad input."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.test_cli import refused, run

from puntobanco.cards import Composition
from puntobanco.odds import odds
from puntobanco.rules.load import find_book

RANKS = "A,2,3,4,5,6,7,8,9,T,J,Q,K"
FULL = ",".join(["32"] * 13)
RICH = "20,24,22,25,20,31,12,10,9,20,21,22,20"
BONUS = str(Path(__file__).parents[2] / "examples" / "books" / "bonus.toml")


@pytest.fixture
def shoes(tmp_path: Path) -> Path:
    file = tmp_path / "shoes.csv"
    file.write_text(f"{RANKS}\n{FULL}\n\n{RICH}\n")
    return file


# --- odds --shoes ---------------------------------------------------------------------------------------


def test_odds_of_many_shoes_keep_their_contract(shoes: Path) -> None:
    data = run("odds", "tiger-buffalo", "--shoes", str(shoes), "--json").json
    assert [shoe["total"] for shoe in data["shoes"]] == ["4998398275503360", "265343617566720"]
    table = odds(find_book("tiger-buffalo"), Composition(tuple(map(int, RICH.split(",")))))
    assert data["shoes"][1]["ev"] == {code: pytest.approx(float(bet.ev)) for code, bet in table.items()}
    assert data["beatable"]["big_tiger"] == 1
    assert (
        "THE PLAYER HAS THE EDGE on Big Tiger in 1 of 2 shoes"
        in run("odds", "tiger-buffalo", "--shoes", str(shoes)).out
    )


def test_odds_of_many_shoes_as_files(shoes: Path) -> None:
    out = shoes.with_name("out.csv")
    run("odds", "super-six", "--shoes", str(shoes), "-o", str(out))
    first, second = csv.DictReader(out.read_text().splitlines())
    assert (first["shoe"], second["shoe"]) == ("1", "2")
    assert float(first["banker"]) == pytest.approx(-0.010579057842472)
    records = shoes.with_name("out.json")
    run("odds", "super-six", "--shoes", str(shoes), "-o", str(records))
    assert json.loads(records.read_text())[1]["super_six"] == float(second["super_six"])


def test_columns_may_stand_in_any_order(shoes: Path) -> None:
    turned = shoes.with_name("turned.csv")
    turned.write_text(
        ",".join(reversed(RANKS.replace("T", "10").split(","))) + "\n" + ",".join(reversed(RICH.split(",")))
    )
    one = run("odds", "super-six", "--shoes", str(shoes), "--json").json["shoes"][1]
    assert run("odds", "super-six", "--shoes", str(turned), "--json").json["shoes"] == [one]


def test_insurance_of_many_shoes(shoes: Path) -> None:
    data = run("odds", "tiger-buffalo", "--shoes", str(shoes), "--insurance", "--json").json
    assert sum(name.startswith("player_insurance") for name in data["shoes"][0]["ev"]) > 10


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        (RANKS, "has no shoe"),
        ("A,2\n1,2", "must name the columns"),
        (f"{RANKS}\n1,2", "13 counts were expected, not 2"),
        (f"{RANKS}\n{FULL.replace('32', '-1', 1)}", "'-1' under A"),
        (f"{RANKS}\n{FULL.replace('32', '1.5', 1)}", "'1.5' under A"),
        (f"{RANKS}\n{FULL.replace('32', '99999', 1)}", "1450 are the most"),
        (f"{RANKS}\n{FULL}\n{','.join(['0'] * 12)},3", "shoe 2: the shoe is too short"),
    ],
)
def test_bad_shoes_are_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(text)
    assert said in refused("odds", "super-six", "--shoes", str(file))


def test_bad_uses_of_shoes_are_refused(shoes: Path) -> None:
    assert "give it alone" in refused("odds", "super-six", "--shoes", str(shoes), "--decks", "8")
    assert "goes with --shoes" in refused("odds", "super-six", "-o", "x.csv")
    assert "would be lost" in refused("odds", "super-six", "--shoes", str(shoes), "-o", str(shoes))
    assert "must end in" in refused("odds", "super-six", "--shoes", str(shoes), "-o", "x.txt")
    assert "52 columns" in refused("odds", "--book", BONUS, "--shoes", str(shoes))
    assert "cannot be read" in refused("odds", "super-six", "--shoes", str(shoes.with_name("none.csv")))


def test_pay_lines_have_their_probability() -> None:
    bet = run("odds", "super-six", "--json").json["bets"]["banker"]
    assert [line["pays"] for line in bet["lines"]] == ["19/20", "0/1", "-1/1"]
    assert sum(line["probability"] for line in bet["lines"]) == pytest.approx(1)
    assert "45.8597%" in run("odds", "super-six", "--lines").out
    shoe = "A:20 2:24 3:22 4:25 5:20 6:31 7:12 8:10 9:9 T:20 J:21 Q:22 K:20"
    assert "THE PLAYER HAS THE EDGE on Super Six: 13.66" in run("odds", "super-six", "--shoe", shoe).out


# --- simulate -------------------------------------------------------------------------------------------


def test_a_simulation_keeps_its_contract(tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    said = run("simulate", "super-six", "--rounds", "2e4", "--seed", "3", "--json", "-o", str(out))
    data = said.json
    assert data["game"] == "super-six"
    assert data["rounds"] >= 20_000
    assert data["rate"] == pytest.approx(data["rounds"] / data["seconds"])
    assert list(data["bets"]) == list(find_book("super-six").bets)
    assert data["bets"]["banker"]["exact"] == pytest.approx(-0.010579057842472)
    assert data["bets"]["banker"].keys() >= {"ev", "se", "exact"}
    assert json.loads(out.read_text()) == data
    again = run("simulate", "super-six", "--shoes", str(data["shoes"]), "--seed", "3", "--json", "--cores", "1").json
    assert again["bets"] == data["bets"]


def test_a_simulation_as_people_see_it(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    said = run(
        "simulate", "--book", BONUS, "--shoes", "20", "--cut", "20", "--burn", "5", "--after", "1", "-o", str(out)
    )
    assert said.code == 0
    assert "in 20 shoes of 8 decks, Cut Card 20 from the end" in said.out
    assert out.read_text().splitlines()[0] == "bet,ev,se,low,high,exact"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rounds", "0"], "0 rounds"),
        (["--shoes", "0"], "0 shoes"),
        (["--rounds", "1.5"], "not a whole number"),
        (["--rounds", "many"], "not a whole number"),
        (["--rounds", "-5"], "-5 rounds"),
        (["--rounds", "1e99"], "from 1 to"),
        (["--rounds", "1", "--shoes", "1"], "not both"),
        (["--decks", "11"], "4 to 8"),
        (["--cut", "411"], "cannot be dealt"),
        (["--cut", "3"], "cannot be dealt"),
        (["--burn", "x"], "not a whole number"),
        (["--after", "7"], "0, 1 or unless_first"),
        (["--seed", "-1"], "seed -1"),
        (["--cores", "0"], "0 cores"),
        (["-o", ""], "is empty"),
        (["-o", "x.doc"], "must end in"),
        (["--layout", "Z"], "no layout"),
    ],
)
def test_bad_simulations_are_refused(arguments: list[str], said: str) -> None:
    assert said in refused("simulate", "super-six", *arguments)
