"""Dealing, settling, and what is decided before the round is over."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from puntobanco import bets as settlement
from puntobanco.bets import SettledWager
from puntobanco.cli.common import (
    AsJson,
    BookFile,
    Cards,
    Game,
    LayoutCode,
    UsageError,
    choose_book,
    option,
    read_cards,
    winner_of,
)
from puntobanco.cli.render import (
    STYLE_OF_RESULT,
    cards_text,
    console,
    coup_table,
    new_table,
    print_json,
    show,
    styled,
)
from puntobanco.coup import Coup, deal_finished, reconstruct
from puntobanco.money import Rounding, RoundingMode, format_amount, parse_amount
from puntobanco.rules.model import RuleBook


def deal(game: Game = None, /, *, cards: Cards, book: BookFile = None, json: AsJson = False) -> None:
    """Deal cards by the Table of Play and report what is left over."""
    found = choose_book(game, book)
    dealt = reconstruct(read_cards(cards))
    coup, due = dealt.coup, dealt.coup.due
    if json:
        print_json(
            {
                "player": [str(card) for card in coup.player.cards],
                "banker": [str(card) for card in coup.banker.cards],
                "player_total": coup.player.total,
                "banker_total": coup.banker.total,
                "finished": coup.finished,
                "winner": winner_of(coup) if coup.finished else None,
                "next": due.value if due else None,
                "left_over": [str(card) for card in dealt.left_over],
            }
        )
        return
    out = console()
    show(out, coup_table(coup))
    out.print()
    if due:
        hand = (due.value.title(), "bold")
        out.print(
            Text.assemble(
                "The next card goes to ",
                hand,
                _cite(found, "table_of_play" if len(coup.cards) >= 4 else "initial_deal"),
            )
        )
    else:
        out.print(_announcement(found, coup))
    if dealt.left_over:
        out.print(Text.assemble("Left over: ", cards_text(dealt.left_over)))


def _announcement(book: RuleBook, coup: Coup) -> Text:
    winner = winner_of(coup)
    if winner == "tie":
        return Text.assemble(("Tie", "bold"), _cite(book, "tie"))
    return Text.assemble((f"{winner.title()} wins", "bold"), _cite(book, "winner"))


def _cite(book: RuleBook, procedure: str) -> Text:
    named = book.procedures.of(procedure)
    return styled(f" ({book.cite(named.main)})", "dim") if named.covered else Text()


def settle(
    game: Game = None,
    /,
    *,
    cards: Cards,
    bet: Annotated[
        list[str],
        Parameter(
            name="--bet",
            metavar="CODE=AMOUNT",
            negative=(),
            json_list=False,
            help="A wager, as in banker=250.50; repeat for more.",
        ),
    ],
    layout: LayoutCode = None,
    rounding: Annotated[RoundingMode, Parameter(help="How a payout is rounded to whole units.")] = RoundingMode.DOWN,
    unit: Annotated[
        str,
        Parameter(metavar="AMOUNT", help="What payouts are multiples of: a cent, or a chip."),
    ] = "0.01",
    book: BookFile = None,
    json: AsJson = False,
) -> None:
    """Settle wagers on exactly one finished round."""
    found = choose_book(game, book)
    chosen = found.layout(layout)
    drawn = read_cards(cards)
    with option("--cards"):
        coup = deal_finished(drawn)
    wagers = [_wager(text) for text in bet]
    with option("--unit"):
        payout = Rounding(rounding, parse_amount(unit))
    settled = settlement.settle(found, coup, wagers, layout=chosen, rounding=payout)
    if json:
        print_json(
            {
                "player_total": coup.player.total,
                "banker_total": coup.banker.total,
                "winner": winner_of(coup),
                "wagers": [
                    {
                        "bet": wager.bet,
                        "stake": format_amount(wager.stake),
                        "result": wager.result.value,
                        "profit": format_amount(wager.profit),
                        "back": format_amount(wager.back),
                        "paragraph": wager.paragraph,
                    }
                    for wager in settled
                ],
            }
        )
        return
    out = console()
    show(out, coup_table(coup))
    out.print()
    out.print(_announcement(found, coup))
    out.print()
    show(out, _settlement_table(found, settled))


def _settlement_table(book: RuleBook, settled: tuple[SettledWager, ...]) -> Table:
    table = new_table(
        "bet",
        ">stake",
        "result",
        ">pays",
        ">profit",
        ">back",
        "paragraph",
    )
    for wager in settled:
        style = STYLE_OF_RESULT[wager.result]
        table.add_row(
            book.bets[wager.bet].name,
            format_amount(wager.stake),
            styled(wager.result.value, style),
            str(wager.odds or ""),
            styled(_signed(wager.profit), style),
            format_amount(wager.back),
            wager.paragraph,
        )
    if len(settled) > 1:
        stake, profit = sum(wager.stake for wager in settled), sum(wager.profit for wager in settled)
        footer = (
            "together",
            format_amount(stake),
            "",
            "",
            _signed(profit),
            format_amount(stake + profit),
            "",
        )
        for column, text in zip(table.columns, footer, strict=True):
            column.footer = text
        table.show_footer = True
    return table


def _signed(amount: int) -> str:
    return f"+{format_amount(amount)}" if amount > 0 else format_amount(amount)


def _wager(text: str) -> tuple[str, int]:
    code, equals, amount = text.partition("=")
    if not equals or not code.strip():
        raise UsageError(f"--bet: {text!r} cannot be read: write bet=amount, as in banker=250.50")
    with option(f"--bet {code.strip()}"):
        return code.strip(), parse_amount(amount)


def decided(
    game: Game = None,
    /,
    *,
    cards: Cards = "",
    layout: LayoutCode = None,
    book: BookFile = None,
    json: AsJson = False,
) -> None:
    """Tell which bets are decided by the cards dealt so far, whatever comes next."""
    found = choose_book(game, book)
    chosen = found.layout(layout)
    dealt = reconstruct(read_cards(cards))
    result = settlement.decided(found, dealt.coup, chosen)
    if json:
        print_json(
            {
                "established": result.established,
                "bets": {code: verdict.value for code, verdict in result.bets.items()},
            }
        )
        return
    out = console()
    show(out, coup_table(dealt.coup))
    out.print()
    if dealt.left_over:
        out.print(Text.assemble("Left over and ignored: ", cards_text(dealt.left_over)))
    if not result.established:
        out.print(Text.assemble(("No outcome is established", "bold"), ": every bet is still open"))
        return
    menu = found.menu(chosen)
    count = f": {len(result.bets)} of {len(menu)} bets decided"
    out.print(Text.assemble(("An outcome is established", "bold"), count))
    out.print()
    table = new_table("bet", "name", "result")
    for bet in menu:
        verdict = result.bets.get(bet.code)
        table.add_row(
            bet.code,
            bet.name,
            styled(verdict.value, STYLE_OF_RESULT[verdict]) if verdict else styled("open", "dim"),
        )
    show(out, table)
