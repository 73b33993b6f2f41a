"""Requests that must be refused, a different one each time: too little, too much, too late, somebody else's chips."""

from __future__ import annotations

from collections.abc import Callable

from scripts.tools.playthrough_table import HANDS, Paper

from puntobanco.rules.load import find_book


def too_little(paper: Paper) -> bool:
    if paper.stake_of(paper.guests[0], 1, "player"):
        return False
    minimum, _, step = paper.limits("player")
    wanted = minimum - step or minimum // 2
    paper.refused(
        f"bet ann player {paper.money(wanted)}", "below_minimum", paper.plan.paragraphs.limits, minimum, "too little"
    )
    return True


def too_much(paper: Paper) -> bool:
    bet = paper.plan.sides[0]
    _, maximum, step = paper.limits(bet)
    before = paper.stake_of(paper.guests[0], 1, bet)
    fits = maximum - (before.amount if before else 0)
    paper.refused(
        f"bet ann {bet} {paper.money(fits + step)}",
        "above_maximum",
        paper.plan.paragraphs.limits,
        fits,
        f"the maximum on {bet} is {paper.money(maximum)}",
    )
    return True


def no_whole_step(paper: Paper) -> bool:
    bet = paper.plan.sides[0]
    if paper.stake_of(paper.guests[0], 1, bet):
        return False
    minimum, _, step = paper.limits(bet)
    paper.refused(
        f"bet ann {bet} {paper.money(minimum + step // 2)}",
        "step",
        paper.plan.paragraphs.limits,
        minimum,
        f"steps of {paper.money(step)}",
    )
    return True


def over_the_differential(paper: Paper) -> bool:
    """Cho stands: nobody yields to a standing player."""
    cho = paper.guests[2]
    for hand in HANDS:
        minimum, maximum, step = paper.limits(hand)
        room = paper.room(hand)
        wanted = max(minimum, room - room % step + step)
        if paper.stake_of(cho, cho.box, hand) or wanted > min(maximum, paper.chips(cho)):
            continue
        fits = room - room % step if room >= minimum else 0
        paper.refused(
            f"bet cho {hand} {paper.money(wanted)}",
            "differential",
            paper.plan.paragraphs.differential,
            fits,
            f"{paper.money(abs(paper.lead()))} more lie on {'Player' if paper.lead() > 0 else 'Banker'}",
        )
        return True
    return False


def foreign_bet(paper: Paper) -> bool:
    plan = paper.plan
    line = f"bet ann {plan.foreign_bet} {paper.money(plan.minimum)}"
    paper.refused(line, "unknown_bet", f'"{plan.appendix}"', note=f"layout {plan.layout} does not carry it")
    return True


def not_the_own_chips(paper: Paper) -> bool:
    bet = paper.plan.sides[0]
    line = f"cho: bet ann {bet} {paper.money(paper.plan.side_minimum)}"
    paper.refused(line, "not_yours", paper.plan.paragraphs.staff_bets, note="with ann's chips")
    return True


def empty_box(paper: Paper) -> bool:
    empty = next((box for box in (2, 3) if not any(one.box == box and one.seated for one in paper.present)), 0)
    plan = paper.plan
    fourth = find_book(plan.game).layouts[plan.layout].printed(plan.positions)[3:4]
    empty = empty or next(iter(fourth), 0)
    if not empty:
        return False
    line = f"bet cho {empty} player {paper.money(paper.plan.minimum)}"
    paper.refused(line, "nobody_seated", paper.plan.paragraphs.standing, note=f"nobody sits at box {empty}")
    return True


def more_than_there_is(paper: Paper) -> bool:
    minimum, maximum, step = paper.limits("banker")
    for guest in paper.present:
        chips = paper.chips(guest)
        most = chips - chips % step
        wanted = most + step
        if wanted <= maximum and not paper.stake_of(guest, guest.box, "banker"):
            fits = most if most >= minimum else 0
            paper.refused(f"bet {guest.name} banker {paper.money(wanted)}", "funds", fits=fits)
            return True
    return False


def card_before_the_close(paper: Paper) -> bool:
    # 4.6 at Hoiana, 3.2 at Super Six, 3.8 elsewhere: where the second call is
    paragraph = {"super-six": "3.2", "dragon-tiger-commission": "4.6", "dragon-tiger-non-commission": "4.6"}
    line = f"deal {paper.cards[paper.out]}"
    paper.refused(line, "bets_open", paragraph.get(paper.plan.game, "3.8"), note="before the close")
    return True


def too_late(paper: Paper) -> None:
    """After the close."""
    paragraphs = paper.plan.paragraphs
    if paper.chance.one_in(2):
        line = f"bet ann player {paper.money(paper.plan.minimum)}"
        paper.refused(line, "bets_closed", paragraphs.late_bet, note="after the close")
    elif paper.stakes:
        stake = paper.chance.pick(paper.stakes)
        line = f"withdraw {stake.where} {stake.bet}"
        paper.refused(line, "bets_closed", paragraphs.late_withdrawal, note="after the close")


MISTAKES: tuple[Callable[[Paper], bool], ...] = (
    too_little,
    over_the_differential,
    too_much,
    no_whole_step,
    foreign_bet,
    not_the_own_chips,
    empty_box,
    more_than_there_is,
    card_before_the_close,
)
"""Each writes its request and the refusal; or nothing, and says so, where it does not fit."""


def make_mistake(paper: Paper) -> None:
    for _ in MISTAKES:
        kind = MISTAKES[paper.next_mistake % len(MISTAKES)]
        paper.next_mistake += 1
        if kind(paper):
            return
