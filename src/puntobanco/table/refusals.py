"""Why a request is not granted: a stable code with values, a paragraph, and the amount to ask for that would fit."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from puntobanco.table.about import About

CODES: dict[str, str] = {
    # who and what
    "unknown_person": "somebody who is not at the table",
    "already_there": "somebody or something that is already at the table",
    "not_yours": "a command about somebody else's money or rights",
    "rank": "a command that needs a higher rank",
    "second_person": "a signature that must be another person's",
    "unknown_request": "a fill, credit or squeeze that nobody asked for",
    "bad_settings": "settings that do not fit the book",
    "bad_amount": "an amount or count that makes no sense",
    "reason": "a ruling without a reason",
    "machine_record": "an amendment of what an electronic table has recorded itself",
    "electronic": "what an electronic table does by itself, or somebody else's money there",
    "stale": "a command made for an earlier round, or for a future that has not happened",
    # the table
    "table_closed": "a table that is not open",
    "table_open": "a table that is already open",
    "box": "a box that the layout does not have, or that is taken",
    "nobody_seated": "standing behind a box where nobody sits",
    "notice": "joining a table without insurance without accepting its notice",
    "bets_on_layout": "leaving, or closing the table, with bets on the layout",
    "players": "closing a table where players still have chips",
    "funds": "more chips than the person has",
    "currency": "chips for money in another currency than the table's",
    # the shoe
    "no_shoe": "no shoe in use",
    "shoe_in_use": "a shoe still in use",
    "seeds": "a seed out of turn, or play before the seeds that the table promises",
    "burn": "cards to burn first, or none to burn",
    "cards": "cards that cannot be, or not now",
    # the round
    "round_open": "a round still open",
    "no_round": "no round in progress",
    "bets_closed": "a bet after the close",
    "bets_open": "bets still open",
    "unknown_bet": "a bet that the layout does not carry",
    "no_wager": "a wager that is not there",
    "below_minimum": "less than the minimum",
    "above_maximum": "more than the maximum",
    "step": "not a multiple of the step",
    "differential": "more than the Differential leaves room for",
    "balance": "refusing the balance of a box to others",
    "confirmations": "boxes still to be confirmed",
    # cards, squeeze, insurance
    "not_due": "a card that is not due",
    "not_finished": "a round that is not finished",
    "finished": "a round whose cards are all out",
    "flagged": "something that must be ruled on first",
    "ruling": "a ruling that the book does not allow there",
    "dispute": "a step of a dispute before its time, or without its grounds",
    "no_options": "an answer where nobody is asked",
    "squeeze": "a squeeze that this person, table or book does not allow",
    "no_insurance": "insurance where none is offered",
    "insurance_open": "a card while insurance is on offer",
    "insurance_cap": "more insurance than is allowed",
    "forgone": "insurance after having let it pass",
}
"""Every code, with what it stands for."""


Value = str | int | About | Sequence[str | int]
"""What a sentence has to be filled with, by a name that says its kind (:data:`puntobanco.words.KINDS`)."""


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request that was not granted. Nothing has changed. It is worded where it is shown: ``puntobanco.words``."""

    code: str
    """One of a few dozen, for programs: they ask for the code and do something about it."""
    detail: str
    """The code, and where it has several reasons which one it is: `box.taken`."""
    values: dict[str, Value] = {}
    """What it is about, as codes, names and numbers; amounts are in minor units."""
    paragraph: str = ""
    fits: int | None = None
    """The amount to ask for that would be granted."""

    @classmethod
    def of(cls, detail: str, paragraph: str = "", fits: int | None = None, /, **values: Value) -> Refusal:
        """By its detail, whose first part is its code: ``rank.unknown``."""
        code = detail.partition(".")[0]
        assert code in CODES, code
        return cls(code, detail, values, paragraph, fits)

    def __hash__(self) -> int:
        # equal ones have equal values, which cannot be hashed themselves
        return hash((self.detail, self.paragraph, self.fits))

    def matches(self, code: str) -> bool:
        """Whether this is the code, or one of its reasons."""
        return code in (self.code, self.detail)


class Refused(Exception):  # noqa: N818 - not an error of the program
    """Raised inside the table to give up on a command; ``execute`` hands out the refusal."""

    def __init__(self, detail: str, paragraph: str = "", fits: int | None = None, /, **values: Value) -> None:
        super().__init__(detail)
        self.refusal = Refusal.of(detail, paragraph, fits, **values)
