"""What should happen next at a table, who does it, and the paragraph that wants it."""

from __future__ import annotations

import msgspec

from puntobanco.cards import Side
from puntobanco.rules.model import Authority
from puntobanco.table import cover
from puntobanco.table.commands import HOUSE
from puntobanco.table.dealing import blocking_flags, due_hand
from puntobanco.table.state import ABOVE, Drawn, Phase, Round, Squeeze, Table, about

CARDS_OF_A_ROUND = 6
"""The most that a round takes; a shoe with fewer cannot be sure to give one."""

PLAYER, DEALER = Authority.PLAYER.value, Authority.DEALER.value


class NextStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """The next proper step. ``who`` is ``house`` (the table itself), ``player``, or the lowest rank."""

    do: str
    who: str
    message: str
    paragraph: str = ""
    number: int = 0
    """The card it is about, counted from 1."""
    box: int = 0
    hand: Side | None = None
    people: tuple[str, ...] = ()
    """Whom the step waits for, or is about; shown to staff, and to a player where it is himself."""
    yours: bool = False
    """Whether this viewer may take the step."""


def next_step(table: Table) -> NextStep | None:
    """None at a table that is closed."""
    phase = table.phase
    if phase is Phase.CLOSED:
        return None
    if phase is Phase.IDLE:
        return _between_rounds(table)
    current = table.round
    assert current is not None
    if phase is Phase.BETTING:
        return NextStep("close", _runner(table), "take bets, then call no more bets", table.cite("close"))
    if phase is Phase.PAYING:
        box = min(current.unconfirmed, default=0)
        return NextStep("confirm", DEALER, f"take and pay at box {box}", table.cite("round"), box=box)
    return _waiting(table, current) or _cards(table, current) or _result(table, current)


def _runner(table: Table) -> str:
    """Who keeps play going: the dealer, or the system of an electronic table."""
    return HOUSE if table.settings.electronic else DEALER


def _between_rounds(table: Table) -> NextStep:
    shoe = table.shoe
    if shoe.ended:
        return NextStep("new_shoe", _runner(table), "put up a shuffled shoe", table.cite("shoe_light"))
    if shoe.rounds_left == 0 or shoe.left < CARDS_OF_A_ROUND:
        who = Authority.PIT_SUPERVISOR.value
        return NextStep("end_shoe", who, "the shoe is over", table.cite("cut_card"))
    if shoe.burn_due:
        return NextStep("burn", _runner(table), "burn cards before the first round", table.cite("burn"))
    return NextStep("call", _runner(table), "call for bets", table.cite("call"))


def _waiting(table: Table, current: Round) -> NextStep | None:
    """What keeps the next card from being dealt: a ruling, a request to squeeze, or insurance."""
    if flags := blocking_flags(table):
        uncovered = table.book.uncovered
        paragraph = table.flags[flags[0]] or uncovered.paragraph
        who, message = uncovered.authority.value, "the round waits for a ruling"
        for wager in current.wagers.values():
            if flags[0] == (ABOVE, about(wager.person, wager.box, wager.bet)):
                return NextStep("rule_stake", who, message, paragraph, box=wager.box, people=(wager.person,))
        return NextStep("void_round", who, message, paragraph)
    asked = next((squeeze for squeeze in current.squeezes if squeeze.granted is None), None)
    if asked is not None:
        return _answer(table, asked)
    if current.window is not None:
        waiting = tuple(sorted(current.window.people - current.window.answered - table.absent - current.forgone))
        return NextStep(
            "close_insurance",
            _runner(table),
            "take insurance, then close it",
            _insurance(table),
            people=waiting,
        )
    if cover.offers_due(table):
        return NextStep("offer_insurance", _runner(table), "offer insurance", _insurance(table))
    return None


def _insurance(table: Table) -> str:
    return table.book.insurance.windows if table.book.insurance else ""


def _answer(table: Table, asked: Squeeze) -> NextStep:
    who = Authority.PIT_SUPERVISOR.value if asked.early else DEALER
    paragraph = table.cite("early_squeeze" if asked.early else "squeeze")
    message = f"answer whether {asked.hand.value}'s cards may be squeezed"
    return NextStep("answer_squeeze", who, message, paragraph, hand=asked.hand, people=(asked.person,))


def _cards(table: Table, current: Round) -> NextStep | None:
    """The card to draw or to turn. Openings of a face-down table are all drawn before any is turned."""
    down = [number for number, drawn in enumerate(current.cards, 1) if not drawn.turned]
    early = any(squeeze.early and squeeze.granted for squeeze in current.squeezes)
    lying = table.settings.face_down and len(current.cards) < 4
    if down and not lying and not (early and current.due is not None):
        # Banker's third card, squeezed early, comes before Player's (reading Q)
        number = down[-1] if early else down[0]
        return _turn(table, current, number, current.cards[number - 1])
    due = current.due
    if due is None:
        return None
    number = len(current.cards) + 1
    paragraph = table.cite("initial_deal" if number <= 4 else "third_card")
    squeezed = any(squeeze.granted for squeeze in current.squeezes)
    if table.settings.electronic and not down and not squeezed:
        return NextStep("deal", HOUSE, f"deal card {number}", paragraph, number, hand=due)
    message = f"draw card {number} for {due.value}"
    return NextStep("draw", _runner(table), message, paragraph, number, hand=due)


def _turn(table: Table, current: Round, number: int, drawn: Drawn) -> NextStep:
    """By the player who squeezes that hand if the scanner has read the card, which a player cannot key."""
    hand = drawn.hand or due_hand(current, number)
    here = [squeeze for squeeze in current.squeezes if squeeze.person not in table.absent]
    squeezers = [squeeze.person for squeeze in here if squeeze.covers(number, hand)]
    if squeezers and drawn.card is not None and drawn.hand is not None:
        message = f"card {number} is squeezed"
        return NextStep("turn", PLAYER, message, table.cite("squeeze"), number, 0, hand, (squeezers[0],))
    paragraph = table.cite("initial_deal" if number <= 4 else "third_card")
    return NextStep("turn", _runner(table), f"turn card {number}", paragraph, number, hand=hand)


def _result(table: Table, current: Round) -> NextStep:
    if not current.announced:
        paragraph = table.cite("announcement") or table.cite("winner")
        return NextStep("announce", _runner(table), "call the result", paragraph)
    return NextStep("settle", _runner(table), "take and pay", table.cite("round"))
