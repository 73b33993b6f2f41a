"""Asking to squeeze, and the answer."""

from __future__ import annotations

from typing import Literal

from puntobanco.cards import Side
from puntobanco.table.base import OWN, Body


class AskSqueeze(Body, tag="ask_squeeze", frozen=True):
    """The highest bettor asks to squeeze a hand's cards."""

    needs = OWN
    person: str
    hand: Side


class AskEarlySqueeze(Body, tag="ask_early_squeeze", frozen=True):
    """The highest bettor asks to see Banker's third card before Player's third is opened."""

    needs = OWN
    person: str
    how: Literal["squeeze", "expose"]


class AnswerSqueeze(Body, tag="answer_squeeze", frozen=True):
    """The House consents to a squeeze that was asked for, or does not."""

    person: str
    granted: bool


class BarSqueeze(Body, tag="bar_squeeze", frozen=True):
    """No squeezing for this person in this round."""

    needs = "bars_squeeze"
    person: str
    reason: str = ""


SqueezeCommand = AskSqueeze | AskEarlySqueeze | AnswerSqueeze | BarSqueeze
