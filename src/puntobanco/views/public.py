"""What anybody may see of a table: its sign, open cards, chips on the layout without names, why play waits, roads."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import msgspec

from puntobanco.cards import Card, Side
from puntobanco.coup import points
from puntobanco.money import Odds
from puntobanco.roads import Winner
from puntobanco.rules.geometry import geometry_of
from puntobanco.rules.model import Geometry, Window, insurance_box
from puntobanco.table.bets.limits import room_for
from puntobanco.table.cards.misdealt import due_hand
from puntobanco.table.shoe.state import Seeds
from puntobanco.table.state import Phase, Round, Table
from puntobanco.views.scoreboard import Scoreboard, scoreboard


class PaySign(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a bet pays, and for what where it pays for several things."""

    odds: Odds
    name: str = ""


class BetSign(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bet of the layout with what it pays and its limits."""

    code: str
    name: str
    pays: tuple[PaySign, ...]
    paragraph: str
    minimum: int
    step: int
    maximum: int | None = None
    hand: Side | None = None


class InsurancePaySign(msgspec.Struct, frozen=True):
    """A row of the insurance pay table: at which points of the insured hand and of the other it pays what."""

    window: Window
    hand: Side
    own: tuple[int, ...]
    other: tuple[int, ...]
    odds: Odds


class Sign(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands at the table all day."""

    table: str
    game: str
    title: str
    book_hash: str
    layout: str
    positions: int
    decks: int
    currency: str
    digits: int
    chips: tuple[int, ...]
    bets: tuple[BetSign, ...]
    geometry: Geometry
    """How the layout is drawn. Its first ``positions`` numbers are in use."""
    differential: int | None = None
    differential_scope: Literal["table", "box"] = "table"
    insurance: bool = False
    insurance_pays: tuple[InsurancePaySign, ...] = ()
    limits_change: bool = False
    """Whether the next round has other limits or another Differential."""
    notice: str = ""
    notice_paragraph: str = ""
    face_down: bool = False
    electronic: bool = False
    maximum_per: Literal["person", "box"] = "person"
    shuffler: bool = False
    """Whether a shuffler deals, into which discards go back."""


class Room(msgspec.Struct, frozen=True):
    """What the Differential still lets onto each hand, at the table (box 0) or in a box."""

    box: int
    player: int
    banker: int


class BoxSeen(msgspec.Struct, frozen=True):
    """Whether somebody sits at a box, and how many stand behind it."""

    number: int
    seated: bool
    standing: int


class Stake(msgspec.Struct, frozen=True):
    """All chips on a bet in a box, whosever they are; insurance is bet ``player_insurance`` and so on."""

    box: int
    bet: str
    amount: int


class CardSeen(msgspec.Struct, frozen=True):
    """A card on the table; one that is not turned has no name, for anybody."""

    number: int
    hand: Side | None
    card: Card | None


class InsuranceSign(msgspec.Struct, frozen=True):
    """Insurance on offer: the hand, its odds, and the points of that hand and of the other."""

    hand: Side
    odds: Odds
    own: int
    other: int


class Wait(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why play waits: for a ruling on something that went wrong, or for players' answers about bets or shoe."""

    what: Literal["ruling", "options", "shoe"]
    paragraph: str
    family: str = ""
    """What went wrong."""


class RoundSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cards and result of a round. Totals count open cards only."""

    number: int
    cards: tuple[CardSeen, ...]
    player_total: int | None = None
    banker_total: int | None = None
    due: Side | None = None
    result: Winner | None = None
    settled: bool = False
    voided: bool = False
    void_paragraph: str = ""
    free: bool = False
    """Whether it is a Free Hand, played without wagers."""
    reopened: bool = False
    """Whether it was settled, and is played on because a card was missing."""
    again: bool = False
    """Whether it was settled again, or voided, after it had been settled."""


class PastRound(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a round of this shoe counts now; the roads follow it."""

    number: int
    result: Winner | None = None
    voided: bool = False
    free: bool = False
    again: bool = False


class SeedsSeen(msgspec.Struct, frozen=True):
    """Seeds for the mixing of the shoe."""

    due: bool
    """Whether those that were pledged are shown now; else they are pledged."""
    until: int
    pledges: tuple[str, ...]
    """In their order: of which the shoe will be mixed, by those who keep them."""
    shown: int


class ShoeSeen(msgspec.Struct, frozen=True):
    """The shoe in use: how far it is, nothing of its order."""

    number: int
    size: int
    left: int
    burnt: int
    rounds: int
    cut_card_seen: bool
    last_round: bool
    ended: bool
    to_replace: bool
    """Whether the cards are replaced when the round is over."""
    seeds: SeedsSeen | None
    """What is asked of players before the shoe is mixed; None where nothing is."""
    commitment: str
    """What an electronic shoe published about its order before the first card; empty for cards dealt by hand."""


class Public(msgspec.Struct, frozen=True):
    """What anybody may see."""

    sign: Sign
    phase: Phase
    time_left: int | None
    """Milliseconds for bets or for insurance; None where no time runs."""
    waits: tuple[Wait, ...]
    round: RoundSeen | None
    last: RoundSeen | None
    rounds: tuple[PastRound, ...]
    """Those of this shoe that are over."""
    boxes: tuple[BoxSeen, ...]
    stakes: tuple[Stake, ...]
    room: tuple[Room, ...]
    insurance: tuple[InsuranceSign, ...]
    shoe: ShoeSeen
    roads: Scoreboard


def public(table: Table, now: int, sign: Sign | None = None) -> Public:
    """The part of every view. What stands at the table all day need not be made again."""
    current, last = table.round, table.last
    return Public(
        _sign(table) if sign is None else sign,
        table.phase,
        time_left(table, now),
        _waits(table),
        _round(current, table.due) if current else None,
        _round(last, last.due) if last else None,
        tuple(
            PastRound(each.number, _result(each), each.voided, each.free, settled_again(each)) for each in table.past
        ),
        _boxes(table),
        _stakes(current) if current else (),
        _rooms(table, current) if current and not current.closed else (),
        _offers(current) if current else (),
        _shoe(table),
        scoreboard(table.results),
    )


def time_left(table: Table, now: int) -> int | None:
    """Milliseconds until the time for bets, or for insurance, is over."""
    current = table.round
    if current is None or current.settled or current.voided:
        return None
    if not current.closed:
        return max(0, current.until - now)
    return max(0, current.window.until - now) if current.window else None


def _waits(table: Table) -> tuple[Wait, ...]:
    """Nothing of what an incident is about, or whom: that is for staff."""
    waits = [
        Wait("ruling", incident.paragraph, incident.family) for incident in table.incidents.values() if incident.blocks
    ]
    if table.round is not None and table.round.options is not None:
        waits.append(Wait("options", table.round.options.go_on))
    if table.shoe.choosing:
        waits.append(Wait("shoe", shoe_paragraph(table)))
    return tuple(dict.fromkeys(waits))


def shoe_paragraph(table: Table) -> str:
    """By which paragraph players choose whether a shoe goes on."""
    return table.irregularities.burn_forgotten.players_choose or table.book.uncovered.paragraph


def settled_again(current: Round) -> bool:
    """Whether a round that had been settled was settled again or voided since."""
    return bool(current.lines and current.voided) or bool(current.before and not current.paid)


def _sign(table: Table) -> Sign:
    settings, book, layout = table.terms, table.book, table.layout
    bets = []
    for bet in book.menu(layout):
        limits = settings.limits_of(bet.code)
        pays = tuple(PaySign(line.odds, line.name) for line in bet.pays)
        bets.append(
            BetSign(bet.code, bet.name, pays, bet.paragraph, limits.minimum, limits.step, limits.maximum, bet.hand)
        )
    differential = settings.differential
    insurance = layout.insurance and not settings.no_insurance
    rows = book.insurance.rows if insurance and book.insurance else ()
    return Sign(
        table=settings.table,
        game=book.id,
        title=book.title,
        book_hash=settings.book_hash,
        layout=layout.code,
        positions=settings.positions,
        decks=settings.decks,
        currency=settings.currency,
        digits=settings.digits,
        chips=settings.chips,
        bets=tuple(bets),
        geometry=geometry_of(book, layout),
        differential=differential.limit if differential else None,
        differential_scope=differential.scope if differential else "table",
        insurance=insurance,
        insurance_pays=tuple(InsurancePaySign(row.window, row.hand, row.own, row.other, row.odds) for row in rows),
        limits_change=settings != table.settings,
        notice="no insurance is offered at this table" if settings.no_insurance else "",
        notice_paragraph=table.irregularities.no_insurance.rule if settings.no_insurance else "",
        face_down=settings.face_down,
        electronic=settings.electronic,
        maximum_per=settings.maximum_per,
        shuffler=settings.shuffler,
    )


def _round(current: Round, due: Side | None) -> RoundSeen:
    cards = []
    for place, drawn in enumerate(current.cards, 1):
        number = drawn.number
        if drawn.turned:
            cards.append(CardSeen(number, drawn.hand or due_hand(current, place), drawn.card))
        else:
            cards.append(CardSeen(number, drawn.hand, None))
    return RoundSeen(
        current.number,
        tuple(cards),
        _total(cards, Side.PLAYER),
        _total(cards, Side.BANKER),
        due if current.closed and not current.voided else None,
        _result(current),
        current.settled,
        current.voided,
        current.void_paragraph,
        current.free,
        current.paid,
        settled_again(current),
    )


def _result(current: Round) -> Winner | None:
    """None before the call, and of a round that is void."""
    if current.voided or not (current.announced or current.settled):
        return None
    winner = current.coup.winner
    return winner.value if winner else "tie"


def _total(cards: list[CardSeen], hand: Side) -> int | None:
    open_cards = [seen.card for seen in cards if seen.hand is hand and seen.card is not None]
    return points(open_cards) if open_cards else None


def _boxes(table: Table) -> tuple[BoxSeen, ...]:
    players = [person for person in table.people.values() if not person.staff]
    seated = {person.box for person in players if person.seated}
    standing = Counter(person.box for person in players if not person.seated)
    return tuple(BoxSeen(box, box in seated, standing[box]) for box in table.boxes)


def _stakes(current: Round) -> tuple[Stake, ...]:
    amounts: Counter[tuple[int, str]] = Counter()
    if current.settled or current.voided:
        return ()
    for wager in current.wagers.values():
        amounts[wager.box, wager.bet] += wager.stake
    for insurance in current.insurance:
        amounts[insurance.box, insurance_box(insurance.hand)] += insurance.stake
    return tuple(Stake(box, bet, amount) for (box, bet), amount in amounts.items())


def _rooms(table: Table, current: Round) -> tuple[Room, ...]:
    differential = table.terms.differential
    if differential is None:
        return ()
    boxes = table.boxes if differential.scope == "box" else (0,)
    rooms = []
    for box in boxes:
        player, banker = (room_for(table, current, box, hand) or 0 for hand in Side)
        rooms.append(Room(box, max(0, player), max(0, banker)))
    return tuple(rooms)


def _offers(current: Round) -> tuple[InsuranceSign, ...]:
    if current.window is None:
        return ()
    return tuple(InsuranceSign(offer.hand, offer.odds, offer.own, offer.other) for offer in current.window.offers)


def _shoe(table: Table) -> ShoeSeen:
    shoe = table.shoe
    return ShoeSeen(
        shoe.number,
        shoe.size,
        shoe.left,
        shoe.burnt,
        shoe.rounds,
        shoe.cut_seen,
        not shoe.ended and shoe.rounds_left == (0 if table.round else 1),
        shoe.ended,
        shoe.to_replace,
        _seeds(shoe.seeds) if shoe.seeds else None,
        shoe.commitment,
    )


def _seeds(seeds: Seeds) -> SeedsSeen:
    return SeedsSeen(seeds.due, seeds.until, tuple(seeds.pledges.values()), len(seeds.shown))
