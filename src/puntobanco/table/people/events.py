"""Who came and went."""

from __future__ import annotations

from puntobanco.table.base import Event, Transfer


class StaffSignedOn(Event, tag="staff_signed_on", frozen=True):
    """Staff came to the table, or changed rank."""

    person: str
    rank: str


class StaffSignedOff(Event, tag="staff_signed_off", frozen=True):
    """Staff left the table."""

    person: str


class PlayerJoined(Event, tag="player_joined", frozen=True):
    """A player sat down, or stands behind a box."""

    person: str
    box: int
    seated: bool
    paragraph: str = ""
    transfers: tuple[Transfer, ...] = ()
    """Chips that the House kept for the player."""


class PlayerLeft(Event, tag="player_left", frozen=True):
    """A player is gone; on a live table the chips go along to the floor."""

    person: str
    transfers: tuple[Transfer, ...] = ()


class WalkedAway(Event, tag="walked_away", frozen=True):
    """A player is gone, the bets stay and are settled."""

    person: str
    paragraph: str


class CameBack(Event, tag="came_back", frozen=True):
    """The player who walked away is back."""

    person: str


PeopleEvent = StaffSignedOn | StaffSignedOff | PlayerJoined | PlayerLeft | WalkedAway | CameBack
