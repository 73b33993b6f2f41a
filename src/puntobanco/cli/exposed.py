"""What card counting is worth, as tables on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from puntobanco.cli.render import console, new_table, show, styled
from puntobanco.lab.words import WINDOWS, percent
from puntobanco.rules.model import Window

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console

    from puntobanco.lab.counting import Count
    from puntobanco.lab.exposure import BetExposure, Exposure
    from puntobanco.lab.insured import RowExposure
    from puntobanco.lab.worth import Worth
    from puntobanco.rules.model import RuleBook

CALLED_OUT = 0.1
"""Units a shoe from which a bet that can be counted is called out."""


def print_exposure(book: RuleBook, done: Exposure) -> None:
    out = console()
    dealing = done.dealing
    out.print(styled(book.title, "bold"))
    if done.interrupted:
        out.print(styled("Stopped early: this is what was done until then.", "bold yellow"))
    out.print(
        f"{done.rounds:,} rounds in {done.shoes:,} shoes of {dealing.decks} decks, Cut Card {dealing.cut} from the "
        f"end, seed {done.seed}\nUnits won a shoe by one unit whenever it is right to bet; worst for the House first\n"
    )
    show(out, _bets_table(book, done))
    if len(done.bets) == 1:
        (code,) = done.bets
        out.print()
        show(out, _effects_table(book.bets[code].name, done.bets[code]))
    if done.insurance:
        for table in (_insurance_table(done), _rows_table(done)):
            out.print()
            show(out, table)
    if len(done.rounds_a_shoe) > 1:
        _print_depths(out, book, done)
    _call_out(out, book, done)


def _bets_table(book: RuleBook, done: Exposure) -> Table:
    grid = new_table(
        "bet", ">perfect", ">±", ">per 100", ">of rounds", ">counted", ">per 100", ">from", ">of rounds", ">corr.",
        ">tags, A to T",
    )  # fmt: skip
    for code, bet in done.bets.items():
        perfect, counted = bet.perfect, bet.counted
        beaten = counted.trigger is not None
        grid.add_row(
            book.bets[code].name,
            styled(f"{perfect.per_shoe:.4f}", "bold red" if perfect.per_shoe >= CALLED_OUT else ""),
            f"{perfect.se:.4f}",
            f"{perfect.per_100:.3f}",
            percent(perfect.share, 2),
            f"{counted.per_shoe:.4f}" if beaten else "",
            f"{counted.per_100:.3f}" if beaten else "",
            _trigger(counted),
            percent(counted.share, 2) if beaten else "",
            *_tags(bet.count, bet.correlation),
        )
    return grid


def _trigger(worth: Worth) -> str:
    return "" if worth.trigger is None else f"{worth.trigger:+g}"


def _tags(count: Count, correlation: float) -> tuple[str, str]:
    if not count.any:
        return "", "nothing to count"
    return f"{correlation:.3f}", " ".join(f"{tag:g}" for tag in count.tags[:10])


def _effects_table(name: str, bet: BetExposure) -> Table:
    grid = new_table("rank", ">effect of removal", ">full count", ">count", title=name)
    for rank, effect in bet.removal.items():
        grid.add_row(rank, percent(effect), f"{bet.full_count.by_rank[rank]:+.3f}", f"{bet.count.by_rank[rank]:+g}")
    return grid


def _insurance_name(name: str) -> str:
    """``Player insurance, four cards``."""
    hand, _, window = name.partition(" ")
    return f"{hand.replace('_', ' ').capitalize()}, {WINDOWS[Window(window)]}"


def _insurance_table(done: Exposure) -> Table:
    grid = new_table(
        "insurance", ">offered", ">perfect", ">±", ">per 100", ">of offers", ">counted", ">per 100", ">of offers"
    )
    grid.columns[0].no_wrap = True
    for name, each in sorted(done.insurance.items(), key=lambda item: -item[1].perfect.per_shoe):
        perfect, counted = each.perfect, each.counted
        grid.add_row(
            _insurance_name(name), percent(each.offered, 2), f"{perfect.per_shoe:.4f}", f"{perfect.se:.4f}",
            f"{perfect.per_100:.3f}", percent(perfect.share, 2), f"{counted.per_shoe:.4f}", f"{counted.per_100:.3f}",
            percent(counted.share, 2),
        )  # fmt: skip
    return grid


def _rows(done: Exposure) -> Iterator[tuple[str, str, RowExposure]]:
    """Every insurance row as ``Player 7 v 0-5``, with the words for its window."""
    for name, each in done.insurance.items():
        hand, _, window = name.partition(" ")
        for points, row in each.rows.items():
            yield f"{hand.partition('_')[0].title()} {points}", WINDOWS[Window(window)], row


def _rows_table(done: Exposure) -> Table:
    grid = new_table(
        "insured hand", ">offered at", ">odds", ">offered", ">perfect", ">±", ">of offers", ">counted", ">from",
        ">of offers", ">corr.", ">tags, A to T", title="Insurance row by row, each with its count at the offer",
    )  # fmt: skip
    grid.columns[0].no_wrap = True
    for name, window, row in sorted(_rows(done), key=lambda row: -row[2].perfect.per_shoe):
        perfect, counted = row.perfect, row.counted
        beaten = counted.trigger is not None
        grid.add_row(
            name, window, row.odds, percent(row.offered, 2), f"{perfect.per_shoe:.4f}", f"{perfect.se:.4f}",
            percent(perfect.share, 2), f"{counted.per_shoe:.4f}" if beaten else "", _trigger(counted),
            percent(counted.share, 2) if beaten else "", *_tags(row.count, row.correlation_at_points),
        )  # fmt: skip
    return grid


def _print_depths(out: Console, book: RuleBook, done: Exposure) -> None:
    out.print(
        "\nBy Cut Card depth, in cards behind it: perfect knowledge / the count, from the trigger best at that depth"
    )
    for title, figure in (
        ("Units a shoe", lambda worth: f"{worth.per_shoe:.4f}"),
        ("Units per 100 rounds", lambda worth: f"{worth.per_100:.3f}"),
    ):
        out.print()
        show(out, _depths_table(book, done, title, figure))


def _depths_table(book: RuleBook, done: Exposure, title: str, figure: Callable[[Worth], str]) -> Table:
    cuts = list(done.rounds_a_shoe)
    exposed = {book.bets[code].name: bet.by_depth for code, bet in done.bets.items()}
    exposed |= {_insurance_name(name): each.by_depth for name, each in done.insurance.items()}
    grid = new_table(
        "bet", *(f">Cut Card {cut}" if not place else f">{cut}" for place, cut in enumerate(cuts)), title=title
    )
    grid.columns[0].no_wrap = True
    grid.add_row("rounds a shoe", *(f"{done.rounds_a_shoe[cut]:.1f}" for cut in cuts))
    for name, by_depth in exposed.items():
        grid.add_row(name, *(f"{figure(by_depth[cut].perfect)} / {figure(by_depth[cut].counted)}" for cut in cuts))
    return grid


def _call_out(out: Console, book: RuleBook, done: Exposure) -> None:
    beaten = [
        (book.bets[code].name, bet.counted, "rounds", bet.counted.edge)
        for code, bet in done.bets.items()
        if bet.counted.per_shoe >= CALLED_OUT
    ]
    beaten += [
        (f"insurance of {name} ({window})", row.counted, "offers", row.counted.edge / row.offered)
        for name, window, row in _rows(done)
        if row.counted.per_shoe >= CALLED_OUT
    ]
    for name, worth, times, edge in beaten:
        out.print(
            styled(
                f"\nA COUNTER BEATS {name}: {worth.per_shoe:.3f} units a shoe, betting on "
                f"{percent(worth.share, 1)} of the {times} at {percent(edge, 1)}",
                "bold red",
            )
        )
