"""Casino baccarat under real rule books: coups, bets, settlement and the paragraph behind each.

>>> from puntobanco import Coup, find_book, parse_cards, reconstruct, settle
>>> book = find_book("tiger-buffalo")
>>> coup = reconstruct(parse_cards("9h Kc 4d 2s 5c 4h")).coup
>>> [(wager.bet, wager.profit, wager.paragraph) for wager in settle(book, coup, {"big_buffalo": 100})]
[('big_buffalo', -100, '1.6')]

Exact odds live in :mod:`puntobanco.odds`, which needs numpy and numba; nothing here does. Where else to look:

- ``puntobanco.table``: a table as a pure engine, ``puntobanco.views`` what each viewer sees of it
- ``puntobanco.script``: histories and logs; ``puntobanco.store``: the record and its verification
- ``puntobanco.reports``, ``puntobanco.roads``, ``puntobanco.shoes``, ``puntobanco.lab``
- ``puntobanco.floor`` serves tables, and ``puntobanco.client`` talks to a floor

On the command line, ``puntobanco help`` lists the guides and the documentation that come with the package, and
``puntobanco help client`` has a bot in Python. In a working copy, ``scripts/docs`` builds all of it as a site.
"""

from puntobanco.bets import Decided, Result, SettledWager, decided, settle
from puntobanco.cards import BySide, Card, CardError, Composition, Rank, Side, Suit, format_cards, parse_cards
from puntobanco.coup import Coup, DealError, Hand, Reconstruction, deal_finished, reconstruct
from puntobanco.money import MoneyError, Odds, Rounding, RoundingMode, format_amount, parse_amount
from puntobanco.rules.load import GAMES, find_book, load_book, parse_book
from puntobanco.rules.model import Bet, InsuranceRow, Layout, PayLine, RuleBook, UnknownName
from puntobanco.rules.read import BookError

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Bet",
    "BookError",
    "BySide",
    "Card",
    "CardError",
    "Composition",
    "Coup",
    "DealError",
    "Decided",
    "Hand",
    "InsuranceRow",
    "Layout",
    "MoneyError",
    "Odds",
    "PayLine",
    "Rank",
    "Reconstruction",
    "Result",
    "Rounding",
    "RoundingMode",
    "RuleBook",
    "SettledWager",
    "Side",
    "Suit",
    "UnknownName",
    "deal_finished",
    "decided",
    "find_book",
    "format_amount",
    "format_cards",
    "load_book",
    "parse_amount",
    "parse_book",
    "parse_cards",
    "reconstruct",
    "settle",
]
