"""What designers ask of a book and no book can say, by the words that they try: refused by name, with the reason.

An outcome is both totals, the number of cards in each hand and the pairs. What is lost in that cannot be bet on.
"""

from __future__ import annotations

import re

_OUTCOME = "an outcome knows both totals, the number of cards and the pairs"
_WISHES: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"jackpot|progressive|contribution|meter|(^|_)pool"),
        "a progressive jackpot cannot be said in a book: a bet pays fixed odds out of the table's own tray",
    ),
    (
        re.compile(r"colou?r|(^|_)(red|black)(_|$)"),
        f"the colours of cards cannot be asked for: {_OUTCOME}",
    ),
    (
        re.compile(r"suit|flush|(^|_)(hearts|spades|diamonds|clubs)(_|$)"),
        f"suits can be asked for in pairs only (player_suited_pair, banker_suited_pair, suited_pairs): {_OUTCOME}",
    ),
    (
        re.compile(r"third|last_card|drawn_card"),
        f"a third card's value cannot be asked for, only whether there is one (player_cards, banker_cards): {_OUTCOME}",
    ),
    (
        re.compile(
            r"rank|(^|_)(aces?|kings?|queens?|jacks?|faces?|face_cards|pictures|monkeys?|straight|of_a_kind)(_|$)"
        ),
        f"ranks cannot be counted, only whether a hand opens with two of one (pair, pairs): {_OUTCOME}",
    ),
    (
        re.compile(r"(^|_)(streak|previous|last_round|in_a_row|rounds?)(_|$)"),
        f"a bet cannot run over several rounds: {_OUTCOME} of one coup",
    ),
)


def cannot_be_said(key: str) -> str:
    """Why a key that is not known cannot be had; empty where nobody is known to ask for such a thing."""
    reason = next((reason for words, reason in _WISHES if words.search(key.lower())), "")
    return f"{reason} (puntobanco help books: What a book cannot say)" if reason else ""
