"""Who comes, goes, walks away from bets, and is back."""

from __future__ import annotations

from puntobanco.table.base import OWN, Body


class SignOn(Body, tag="sign_on", frozen=True):
    """Staff comes to the table with a rank."""

    needs = "speaks"
    person: str
    rank: str
    """The code of a rank of the table's book."""


class SignOff(Body, tag="sign_off", frozen=True):
    """Staff leaves the table."""

    person: str


class Join(Body, tag="join", frozen=True):
    """A player takes a box, or stands behind one."""

    needs = OWN
    person: str
    box: int
    seated: bool = True
    accepts_no_insurance: bool = False


class Leave(Body, tag="leave", frozen=True):
    """A player goes, with the chips."""

    needs = OWN
    person: str


class WalkAway(Body, tag="walk_away", frozen=True):
    """A player with bets on the layout walks away."""

    person: str


class ComeBack(Body, tag="come_back", frozen=True):
    """A player who walked away is back."""

    needs = OWN
    person: str


PeopleCommand = SignOn | SignOff | Join | Leave | WalkAway | ComeBack
