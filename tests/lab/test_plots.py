"""Pictures: what they show has the size of the figures, and the commands that draw them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.test_cli import refused, run

from puntobanco.lab.compare import Entry, compare
from puntobanco.lab.exposure import exposure
from puntobanco.lab.plots import compare_plot, exposure_plot, simulation_plot, strategy_plot
from puntobanco.lab.simulate import simulate
from puntobanco.lab.strategies import Strategy, play
from puntobanco.lab.svg import percent, plain, ticks
from puntobanco.rules.load import find_book

SUPER_SIX = find_book("super-six")
NAMES = {code: bet.name for code, bet in SUPER_SIX.bets.items()}


def drawn(plot: str, kind: str) -> list[dict[str, str]]:
    """The attributes of everything of a class."""
    return [dict(each.attrib) for each in ElementTree.fromstring(plot).iter() if each.get("class") == kind]


def words(plot: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(plot).iter() if each.tag.endswith("text")]


def test_bars_are_as_long_as_the_figures() -> None:
    found = exposure(SUPER_SIX, shoes=40, seed=3)
    plot = exposure_plot(found, NAMES)
    _, *bars = (float(each["width"]) for each in drawn(plot, "bar"))  # the first is the legend's
    gains = [bet.perfect.per_shoe for bet in found.bets.values()]
    assert gains[0] > 0.1
    assert bars == pytest.approx([gain / gains[0] * bars[0] for gain in gains], abs=0.06)
    assert [word for word in words(plot) if word in NAMES.values()] == [NAMES[code] for code in found.bets]


def test_a_simulation_is_drawn_by_its_standard_errors() -> None:
    found = simulate(SUPER_SIX, shoes=300, seed=1, cores=1)
    plot = simulation_plot(found, NAMES)
    zero = float(drawn(plot, "zero")[0]["d"][1:].split()[0])
    places = [float(each["x"]) + 3.5 for each in drawn(plot, "bar")]
    far, sigmas = max(zip(places, (bet.sigmas for bet in found.bets.values()), strict=True))
    scale = (far - zero) / sigmas
    assert places == pytest.approx([zero + scale * bet.sigmas for bet in found.bets.values()], abs=0.2)
    assert "300 shoes" in words(plot)[0]


def test_bankrolls_are_drawn_bet_by_bet() -> None:
    plan = Strategy(bet="banker", system="martingale", bankroll=31)
    found = play(SUPER_SIX, plan, sessions=50, seed=2, paths=10)
    plot = strategy_plot(found)
    walks = [*drawn(plot, "path"), *drawn(plot, "path ruin")]
    assert sorted(each["d"].count("L") for each in walks) == sorted(found.bets[:10].tolist())
    assert len(drawn(plot, "path ruin")) == int(found.ruined[:10].sum()) > 0
    longest = sum(float(each["width"]) for each in drawn(plot, "bar"))
    assert longest > 200  # the fullest bin reaches across, and all others are shown


def test_long_bankrolls_are_thinned_to_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    found = play(SUPER_SIX, Strategy(bet="tie", bankroll=5000, shoes=20), sessions=2, seed=2, paths=2)
    assert found.bets.min() > 1500
    walks = [each["d"] for each in drawn(strategy_plot(found), "path")]
    assert all(300 < walk.count("L") <= 400 for walk in walks)
    monkeypatch.setattr("puntobanco.lab.plots.POINTS", 10_000)
    whole = [each["d"] for each in drawn(strategy_plot(found), "path")]
    assert [walk.split("L")[-1] for walk in walks] == [walk.split("L")[-1] for walk in whole]
    assert [walk.count("L") for walk in whole] == found.bets.tolist()


def test_two_games_side_by_side() -> None:
    both = (Entry(SUPER_SIX, 8), Entry(find_book("tiger-buffalo"), 8))
    plot = compare_plot(("A", "B <&>"), compare(*both))
    assert len(drawn(plot, "bar")) == 1 + len(SUPER_SIX.bets)
    assert len(drawn(plot, "second")) == 1 + len(both[1].book.bets)
    assert "B <&>" in words(plot)


def test_a_plot_is_a_picture_in_a_notebook() -> None:
    plot = simulation_plot(simulate(SUPER_SIX, shoes=5, cores=1), NAMES)
    assert plot._repr_svg_() == plot
    assert plot == simulation_plot(simulate(SUPER_SIX, shoes=5, cores=1), NAMES)


def test_axes_have_round_numbers() -> None:
    assert ticks(-0.07, 0.12) == pytest.approx([-0.05, 0, 0.05, 0.1])
    assert (percent(-0.05), percent(0.15), plain(-2.0)) == ("−5%", "15%", "−2")


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", "super-six", "--shoes", "5"],
        ["exposure", "super-six", "--shoes", "2"],
        ["exposure", "super-six", "--shoes", "2", "--bet", "player_pair"],
        ["strategy", "super-six", "--sessions", "2"],
        ["compare", "super-six", "tiger-buffalo"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_draw(tmp_path: Path, arguments: list[str]) -> None:
    file = tmp_path / "a.svg"
    assert run(*arguments, "--plot", str(file)).code == 0
    assert ElementTree.fromstring(file.read_text(encoding="utf-8")).tag.endswith("svg")
    assert "must end in .svg" in refused(*arguments, "--plot", str(tmp_path / "a.png"))
    assert "is empty" in refused(*arguments, "--plot", "")
    assert "cannot be written" in refused(*arguments, "--plot", str(tmp_path / "none" / "a.svg"))
