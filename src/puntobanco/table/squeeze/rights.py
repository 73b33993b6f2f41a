"""The right to squeeze (readings P and Q): the largest single bet on Player or Banker has it, the earlier of equals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from puntobanco.cards import Side
from puntobanco.coup import OPENING, sure_third
from puntobanco.rules.policies import EarlySqueeze, SqueezeBar, SqueezeBy
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import lacking_rank, rank_for
from puntobanco.table.base import HOUSE
from puntobanco.table.bets.state import Wager
from puntobanco.table.commands import Command
from puntobanco.table.people.lookup import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import Step
from puntobanco.table.squeeze.state import Squeeze
from puntobanco.table.state import Round, Table


def right_holder(table: Table, hand: Side) -> str | None:
    """Who may ask to squeeze that hand's cards."""
    who = table.policies.squeeze.value
    if who is SqueezeBy.NONE or table.round is None:
        return None
    hands = table.book.original_bets
    wagers: Iterable[Wager] = (wager for wager in table.round.wagers.values() if wager.bet in hands)
    if who is SqueezeBy.SEATED:
        # the player sits: the bet may lie behind another's box
        wagers = (wager for wager in wagers if (person := table.people.get(wager.person)) is not None and person.seated)
    if table.settings.squeeze_rights == "per_hand":
        wagers = (wager for wager in wagers if hands[wager.bet] is hand)
    largest = min(wagers, key=lambda wager: (-wager.stake, wager.order), default=None)
    return largest.person if largest else None


def _check_right(table: Table, person: str, hand: Side) -> Round:
    paragraph = table.procedures.squeeze.rule
    current = table.round
    if table.policies.squeeze.value is SqueezeBy.NONE:
        raise Refused("squeeze.game")
    if not table.settings.face_down:
        raise Refused("squeeze.face_up", paragraph)
    if current is None or not current.closed or current.settled or current.voided:
        raise Refused("squeeze.when", paragraph)
    if person in current.barred:
        raise Refused("squeeze.barred", table.procedures.squeeze_bar.rule, person=person)
    if right_holder(table, hand) != person:
        raise Refused("squeeze.highest", paragraph, person=person)
    return current


def ask(table: Table, command: Command, body: c.AskSqueeze) -> Sequence[e.Event]:
    """A player asks to squeeze a hand's cards."""
    person = find_player(table, body.person)
    current = _check_right(table, person.id, body.hand)
    if len(current.cards) >= 4 and table.due is not body.hand:
        if current.hidden and not current.coup.finished:
            raise Refused("squeeze.unknown_yet", table.procedures.squeeze.rule, hand=body.hand.value)
        raise Refused("squeeze.not_due", table.procedures.squeeze.rule, hand=body.hand.value)
    if any(_has_asked(current, squeeze, person.id, body.hand) for squeeze in current.squeezes):
        raise Refused("already_there.asked", table.procedures.squeeze.rule, person=person.id)
    asked = e.SqueezeAsked(person.id, body.hand, table.procedures.squeeze.rule)
    if Step.SQUEEZE in table.settings.automated:
        return (asked, e.SqueezeAnswered(person.id, body.hand, True, table.procedures.squeeze.rule))
    return (asked,)


def _has_asked(current: Round, squeeze: Squeeze, person: str, hand: Side) -> bool:
    """Whether that request is about the next card of the hand; one that was denied is over with its card."""
    if (squeeze.person, squeeze.hand) != (person, hand):
        return False
    if squeeze.granted is False:
        return not squeeze.early and _next_card(hand, squeeze.after) == _next_card(hand, len(current.cards))
    return True


def _next_card(hand: Side, out: int) -> int:
    """Which card of the hand comes next when so many have left the shoe; all third cards count as the fifth."""
    return next((number for number, side in enumerate(OPENING, 1) if side is hand and number > out), 5)


def still_holds(table: Table, current: Round, squeeze: Squeeze) -> bool:
    """Whether who was granted a squeeze still has the bet that gives the right: it ends with the bet."""
    hands = table.book.original_bets
    per_hand = table.settings.squeeze_rights == "per_hand"
    return any(
        wager.person == squeeze.person
        and (hand := hands.get(wager.bet)) is not None
        and (not per_hand or bool(squeeze.early) or hand is squeeze.hand)
        for wager in current.wagers.values()
    )


def ask_early(table: Table, command: Command, body: c.AskEarlySqueeze) -> Sequence[e.Event]:
    """Banker's third card before Player's third: only where Banker draws whatever comes, on 0, 1 or 2."""
    if table.policies.early_squeeze.value is EarlySqueeze.NEVER:
        raise Refused("squeeze.early", table.procedures.squeeze.rule)
    paragraph = table.procedures.early_squeeze.rule
    person = find_player(table, body.person)
    current = _check_early(table, person.id, body.how)
    for squeeze in current.squeezes:
        if squeeze.early:
            raise Refused("already_there.asked", paragraph, person=squeeze.person)
    return (e.SqueezeAsked(person.id, Side.BANKER, paragraph, body.how),)


def _check_early(table: Table, person: str, how: str) -> Round:
    """The highest bettor, while both hands draw whatever comes and Player's third card is not open."""
    # exposed for the player who squeezes Player's third card, squeezed by the one with the right to Banker's cards
    current = _check_right(table, person, Side.PLAYER if how == "expose" else Side.BANKER)
    coup = current.coup
    if not (len(coup.player) == len(coup.banker) == 2 and sure_third(coup.player.total, coup.banker.total)):
        raise Refused("squeeze.both_draw", table.procedures.early_squeeze.rule)
    return current


def answer(table: Table, command: Command, body: c.AnswerSqueeze) -> Sequence[e.Event]:
    """The House's consent: the dealer's for a squeeze, a Pit Supervisor's for Banker's third card first.

    A book that says who may keep a player from squeezing says who may deny it.
    """
    current = table.round
    asked = next(
        (
            squeeze
            for squeeze in (current.squeezes if current else ())
            if squeeze.person == body.person and squeeze.granted is None
        ),
        None,
    )
    if asked is None:
        raise Refused("unknown_request.squeeze", table.procedures.squeeze.rule, person=body.person)
    if asked.early and (command.actor == HOUSE or table.rank_of(command.actor) < table.book.speaks):
        raise Refused("rank.needed", table.procedures.early_squeeze.rule, rank=table.book.speaks.code)
    denied = not body.granted and table.policies.squeeze_bar.value is SqueezeBar.MAY_BE_BARRED
    if denied and (command.actor == HOUSE or table.rank_of(command.actor) < rank_for(table.book, "bars_squeeze")):
        raise lacking_rank(table.book, "bars_squeeze")
    if asked.early and body.granted:
        # cards or bets may be others than when it was asked for, and consent takes everybody's insurance away
        _check_early(table, asked.person, asked.early)
    steps = table.procedures
    paragraph = (steps.early_squeeze if asked.early else steps.squeeze_bar if denied else steps.squeeze).rule
    return (e.SqueezeAnswered(asked.person, asked.hand, body.granted, paragraph, asked.early),)  # type: ignore[arg-type]


def bar(table: Table, command: Command, body: c.BarSqueeze) -> Sequence[e.Event]:
    """A Pit Manager may keep a player from squeezing where the book says so."""
    person = find_player(table, body.person)
    if table.policies.squeeze_bar.value is SqueezeBar.NEVER:
        raise Refused("squeeze.no_bar", table.procedures.squeeze.rule)
    if table.round is None or table.round.settled or table.round.voided:
        raise Refused("no_round", table.procedures.squeeze_bar.rule)
    if person.id in table.round.barred:
        raise Refused("already_there.barred", table.procedures.squeeze_bar.rule, person=person.id)
    return (e.SqueezeBarred(person.id, table.procedures.squeeze_bar.rule, body.reason),)
