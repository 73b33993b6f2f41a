"""Random tables and random commands, sensible and not, from any ``random.Random``.

A seeded one is quick; hypothesis's own (``st.randoms(use_true_random=False)``) can shrink what fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain
from random import Random
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from tests.table.build import DEALER, DIRECTOR, MANAGER, SHIFT, STAFF, SUPERVISOR

from puntobanco.cards import CARDS, Card, Side
from puntobanco.money import Rounding, RoundingMode
from puntobanco.rules.load import GAMES, find_book
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import rulings as r
from puntobanco.table.about import About
from puntobanco.table.authority import NEEDS, OWN
from puntobanco.table.cards.reconstruction import drawn_at_once
from puntobanco.table.cases.remedies import choices
from puntobanco.table.commands import HOUSE, AnyCommand
from puntobanco.table.engine import FindBook
from puntobanco.table.insurance import offers
from puntobanco.table.settings import ELECTRONIC, LIVE, BetLimits, Differential, Step, TableSettings
from puntobanco.table.squeeze.rights import right_holder
from puntobanco.table.state import Incident, InsuranceWager, Phase, Round, Table, Wager, owed_by

COMMANDS: tuple[type[c.Body], ...] = tuple(sorted(get_args(AnyCommand), key=lambda command: command.__name__))
RULINGS: tuple[type[r.Ruling], ...] = tuple(sorted(get_args(r.AnyRuling), key=lambda ruling: ruling.__name__))
"""By name: a walk goes the same way wherever they are declared."""
SITTING = ("ann", "ben", "cam")
STANDING = ("sid", "tom")
NOBODY = ("zoe", "", "@2")
EVERYBODY = (*SITTING, *STANDING, *STAFF, HOUSE, *NOBODY)
RARE = (c.CloseTable, c.OpenTable, c.ReportCards)
"""Commands that end what a walk is about, or never do anything."""
ABOUT_ANYBODY = (c.SignOn, c.SignOff, c.Join)
"""Commands about people who may not be at the table yet, or are no players."""


def one_in(chance: Random, number: int) -> bool:
    return chance.randrange(number) == 0


# --- tables


def random_rounding(chance: Random, limits: Iterable[BetLimits]) -> Rounding:
    """To a unit that minimum and step of these limits are whole multiples of."""
    taken = list(limits)
    units = [unit for unit in (1, 1, 5, 5_00) if not any(each.minimum % unit or each.step % unit for each in taken)]
    return Rounding(chance.choice(list(RoundingMode)), chance.choice(units))


def random_settings(chance: Random, game: str | None = None, find: FindBook = find_book, **fixed: Any) -> TableSettings:
    """A table of any game, more often of the one with insurance, on any of its layouts, with settings of every kind."""
    book = find(game or chance.choice([*GAMES, "tiger-buffalo", "tiger-buffalo"]))
    layout = chance.choice(list(book.layouts.values()))
    limits = random_limits(chance)
    decks = chance.choice([book.decks.least, book.decks.most])
    special = {bet: random_limits(chance) for bet in chance.sample(layout.bets, chance.randrange(3))}
    most_minimum = max(limits.minimum, *(each.minimum for each in special.values())) if special else limits.minimum
    differential = Differential(
        max(most_minimum, chance.choice([25_00, 150_00, 1_000_00])), chance.choice(["table", "box"])
    )
    settings: dict[str, Any] = {
        "table": "T1",
        "game": book.id,
        "layout": layout.code,
        "positions": chance.choice(layout.positions),
        "decks": decks,
        "limits": limits,
        "bet_limits": special,
        "differential": None if one_in(chance, 3) else differential,
        "rounding": random_rounding(chance, [fixed.get("limits", limits), *fixed.get("bet_limits", special).values()]),
        "automated": random_steps(chance),
        "face_down": one_in(chance, 2),
        "high_limit": one_in(chance, 2),
        "no_insurance": layout.insurance and one_in(chance, 8),
        "burn": chance.choice(["none", "none", "first_card", 0, 1, 3]),
        "shuffler": False,
        "cut_card": chance.choice([16, decks * 52 - 10, decks * 52 - 25]),
        "rounds_after_cut": chance.randrange(2),
        "countdown": 1 if one_in(chance, 10) else 60,
        "forgo": chance.choice(["round", "window"]),
        "squeeze_rights": chance.choice(["one", "per_hand"]),
        "unburnt_shoe": chance.choice(["any", "majority", "all"]),
        "digits": chance.choice([0, 2, 3]),
    }
    if one_in(chance, 5) and not fixed.keys() & {"burn", "rounds_after_cut", "cut_card"}:
        settings |= {"shuffler": True, "burn": "none", "rounds_after_cut": 0}
    return TableSettings(**settings | fixed)


def random_limits(chance: Random) -> BetLimits:
    return BetLimits(
        minimum=chance.choice([1, 5_00, 25_00]),
        maximum=chance.choice([None, 200_00, 5_000_00]),
        step=chance.choice([1, 5_00, 10_00]),
    )


def random_steps(chance: Random) -> tuple[Step, ...]:
    some = tuple(step for step in Step if one_in(chance, 2))
    return chance.choice([ELECTRONIC, ELECTRONIC, LIVE, LIVE, tuple(Step), (), some])


# --- commands


def random_command(chance: Random, table: Table) -> tuple[AnyCommand, str]:
    """Any command by anybody, whether it makes sense or not."""
    kind = chance.choice(COMMANDS)
    if kind in RARE and not one_in(chance, 10):
        kind = c.Place
    body = random_body(chance, table, kind)
    return body, random_actor(chance, table, body)


def random_actor(chance: Random, table: Table, body: c.Body) -> str:
    """Mostly somebody who may give the command."""
    if one_in(chance, 4):
        return chance.choice(EVERYBODY)
    need = NEEDS[type(body)]
    if need is OWN and not one_in(chance, 3):
        person: str = body.person  # type: ignore[attr-defined]
        return person
    if need in (OWN, "player", "dealer"):
        return chance.choice([DEALER, HOUSE])
    return chance.choice([DIRECTOR, MANAGER, SUPERVISOR, HOUSE])


def random_body(chance: Random, table: Table, kind: type[c.Body]) -> AnyCommand:
    """A command of that kind; most of what it names is likely, and the rest may be anything."""
    person = random_person(chance, table)
    fields = {name: random_field(chance, table, kind, person, name) for name in hints_of(kind)}
    return cast(AnyCommand, kind(**fields))


def random_field(chance: Random, table: Table, kind: type[c.Body], person: str, name: str) -> Any:
    """What a field of that name may hold; one of another name goes by its type."""
    hint = hints_of(kind)[name]
    if NoneType in get_args(hint) and one_in(chance, 2):
        return None
    match name:
        case "person":
            return chance.choice(EVERYBODY) if kind in ABOUT_ANYBODY else person
        case "settings":
            return table.settings
        case "box":
            return random_box(chance, table, person)
        case "bet":
            return random_bet(chance, table)
        case "wagers":
            return random_wagers(chance, table, person)
        case "minimum" | "step":
            return chance.choice([1, 5, 5_00, 25_00, 0])
        case "maximum" | "limit":
            return chance.choice([100_00, 500_00, 2_000_00, 1])
        case "request":
            return chance.choice([*table.fills, "f1", "f2", ""])
        case "number":
            return chance.choice([1, 2, 3, 4, 5, 6, 7, 0, -1])
        case "position":
            return chance.choice([1, 100, 0, -5, 10_000])
        case "cards":
            return random_burn(chance, table) if kind is c.Burn else random_cards(chance, table, kind)
        case "ruling":
            return random_ruling(chance, table)
        case "incident":
            return chance.choice([0, *table.incidents, 99])
        case "proposal":
            return chance.choice([*table.proposals, 0, 99])
        case "dispute":
            return chance.choice([*table.disputes, 0, 99])
        case "round":
            return chance.choice([0, table.rounds, table.rounds, table.rounds - 1, -1, 999])
        case "grounds":
            return tuple(chance.choice(c.GROUNDS) for _ in range(chance.randrange(3)))
    return random_value(chance, table, person, hint)


def random_value(chance: Random, table: Table, person: str, hint: Any) -> Any:
    """Anything of a type."""
    if get_origin(hint) is Literal:
        return chance.choice(get_args(hint))
    if get_origin(hint) in (Union, UnionType):
        hint = get_args(hint)[0]
    if get_origin(hint) is tuple:
        return tuple(random_value(chance, table, person, get_args(hint)[0]) for _ in range(chance.randrange(3)))
    if hint == dict[int, int]:
        return {chance.choice([*table.settings.chips, 3]): chance.choice([-1, 0, 1, 20])}
    if hint is bool:
        return one_in(chance, 2)
    if hint is int:
        return random_amount(chance, table, person)
    if hint is str:
        return chance.choice(["because", "because", "", "  "])
    return chance.choice(list(hint))


@cache
def hints_of(kind: type[c.Body] | type[r.Ruling]) -> dict[str, Any]:
    return {name: hint for name, hint in get_type_hints(kind).items() if name in kind.__struct_fields__}


def random_cards(chance: Random, table: Table, kind: type[c.Body]) -> tuple[Any, ...]:
    """Cards out of a shoe, or the numbers of cards on the table."""
    if kind is c.Report:
        return random_numbers(chance, table)
    if kind is c.ReportRound:
        return true_cards(chance, table)
    return tuple(chance.choice(CARDS) for _ in range(chance.choice([1, 1, 1, 2, 4, 0, 7])))


def random_numbers(chance: Random, table: Table) -> tuple[int, ...]:
    """Cards of the round that lie next to each other, mostly."""
    out = len(table.round.cards) if table.round else 0
    if not out or one_in(chance, 6):
        return chance.choice([(), (1,), (0, 1), (2, 2), (9,)])
    first = chance.randint(1, out)
    return tuple(range(first, min(out, first + chance.randrange(3)) + 1))


def true_cards(chance: Random, table: Table) -> tuple[Card, ...]:
    """The cards of a round that is over, one of them other than was thought, one too many or one too few."""
    known = [drawn.card for drawn in table.last.cards if drawn.card] if table.last else []
    cards = known or [chance.choice(CARDS) for _ in range(4)]
    match chance.randrange(4):
        case 0:
            cards[chance.randrange(len(cards))] = chance.choice(CARDS)
        case 1:
            cards.append(chance.choice(CARDS))
        case 2 if len(cards) > 4:
            cards.pop()
    return tuple(cards)


def random_ruling(chance: Random, table: Table, incident: Incident | None = None) -> r.AnyRuling:
    """Any ruling, mostly one that an incident allows, with likely values."""
    kinds = list(RULINGS)
    if incident is not None:
        kinds = [choice.kind for choice in choices(table, incident)]
    kind = chance.choice(kinds)
    person = random_person(chance, table)
    fields: dict[str, Any] = {}
    for name, hint in hints_of(kind).items():
        match name:
            case "person":
                fields[name] = person
            case "cards":
                together = (drawn_at_once(table) if incident else None) or [(1, 2)]
                fields[name] = tuple(chain(*(chance.sample(cards, len(cards)) for cards in together)))
            case "number":
                fields[name] = chance.choice(incident.cards) if incident and incident.cards else chance.randint(0, 7)
            case "box":
                fields[name] = random_box(chance, table, person)
            case "to_box":
                fields[name] = chance.choice([0, 0, random_box(chance, table, person)])
            case "bet":
                fields[name] = random_bet(chance, table)
            case "to_bet":
                fields[name] = chance.choice(["", "", random_bet(chance, table)])
            case "round":
                fields[name] = chance.choice([0, 0, table.rounds, table.rounds - 1])
            case "stands" | "stake" | "amount":
                fields[name] = chance.choice([0, 25_00, 100_00, random_amount(chance, table, person)])
            case _:
                fields[name] = random_value(chance, table, person, hint)
    if kind is r.SetStake and incident is not None:
        assert isinstance(incident.about, About)
        fields |= incident.about.values
    if kind is r.Collect and incident is not None:
        fields["amount"] = chance.choice([1, -table.balances.get(owed_by(incident.person), 0)])
    return cast(r.AnyRuling, kind(**fields))


def random_person(chance: Random, table: Table) -> str:
    players = [person.id for person in table.people.values() if not person.staff]
    if not players or one_in(chance, 6):
        return chance.choice(EVERYBODY)
    return chance.choice(players)


def random_box(chance: Random, table: Table, person: str) -> int:
    found = table.people.get(person)
    if found is not None and not found.staff and not one_in(chance, 3):
        return found.box
    return chance.choice([*table.boxes[:3], 0, -1, table.boxes[-1], table.boxes[-1] + 1])


def random_amount(chance: Random, table: Table, person: str) -> int:
    limits = table.terms.limits
    return chance.choice(
        [
            limits.minimum,
            25_00,
            100_00,
            chance.randrange(1, 400_00),
            limits.maximum or 1,
            table.stack(person),
            table.stack(person) + 1,
            1,
            0,
            -100,
            10**12,
            10**30,
        ]
    )


def random_bet(chance: Random, table: Table) -> str:
    bets = table.layout.bets
    if one_in(chance, 8):
        return chance.choice(["", "nonsense", "player_insurance", "tiger_tie", "super_six"])
    return chance.choice(["player", "banker", chance.choice(bets)])


def random_wagers(chance: Random, table: Table, person: str) -> dict[str, int]:
    count = chance.choice([1, 1, 2, 3]) if not one_in(chance, 10) else 0
    return {random_bet(chance, table): random_amount(chance, table, person) for _ in range(count)}


def random_burn(chance: Random, table: Table) -> tuple[Card | None, ...]:
    """As many cards as the table wants, most of the time."""
    rule = table.settings.burn
    first = chance.choice(CARDS)
    count = rule if isinstance(rule, int) else 1 + (first.points or 10)
    seen = first if rule == "first_card" or one_in(chance, 2) else None
    if one_in(chance, 4):
        count = chance.choice([0, 1, count + 1])
    return (seen, *[None] * (count - 1)) if count > 0 else ()


# --- commands that fit the moment


def fitting_command(chance: Random, table: Table) -> tuple[AnyCommand, str] | None:
    """What people would do now beside the next proper step, so that rounds have bets, insurance and squeezes."""
    players = [person for person in table.people.values() if not person.staff]
    away = [name for name in (*SITTING, *STANDING) if name not in table.people]
    if away and (not players or one_in(chance, 3)):
        name = chance.choice(away)
        box = chance.choice(table.boxes[:3])
        return c.Join(name, box, table.seated_at(box) is None, accepts_no_insurance=True), name
    person = chance.choice(players)
    current = table.round
    if table.stack(person.id) < 500_00 and one_in(chance, 2):
        return c.ChipsIn(person.id, 5_000_00), HOUSE
    if one_in(chance, 2) and (mistake := something_rare(chance, table)) is not None:
        return mistake
    if (matter := something_to_rule(chance, table)) is not None:
        return matter
    if one_in(chance, 8):
        found = something_found_wrong(chance, table)
        if found is not None:
            return found
    if current is not None and table.phase is not Phase.PAYING and one_in(chance, 8):
        return something_wrong(chance, table, current)
    if table.phase is Phase.BETTING and current is not None:
        if current.wagers and one_in(chance, 4):
            wager = chance.choice(list(current.wagers.values()))
            return c.Withdraw(wager.person, wager.box, wager.bet), wager.person
        boxes = [box for box in table.boxes if table.seated_at(box)]
        box = person.box if not boxes or not one_in(chance, 4) else chance.choice(boxes)
        if one_in(chance, 6):
            stack = table.stack(person.id) - table.stack(person.id) % table.terms.limits.step
            return c.Place(person.id, box, {chance.choice(["player", "banker"]): max(stack, 1)}), person.id
        wagers = [chance.choice(["player", "banker", chance.choice(table.layout.bets)]) for _ in range(3)]
        return c.Place(person.id, box, {bet: fitting_amount(chance, table, bet) for bet in wagers}), person.id
    if table.phase is Phase.PAYING:
        return c.OverrideConfirmation("fire alarm"), MANAGER
    if current is None:
        return None
    if current.window is not None:
        offer = chance.choice(current.window.offers)
        taker = chance.choice(offer.people)
        bets = [wager for wager in current.wagers.values() if wager.person == taker and wager.bet == offer.hand.value]
        if bets and not one_in(chance, 3):
            bet = chance.choice(bets)
            return c.Insure(taker, bet.box, offer.hand, chance.choice([1, bet.stake, max(1, bet.stake // 3)])), taker
        return c.PassInsurance(taker), taker
    hand = chance.choice(list(Side))
    holder = right_holder(table, hand)
    if holder is not None and table.settings.face_down:
        if len(current.coup.banker) == 2 and current.coup.banker.total <= 2:
            return c.AskEarlySqueeze(holder, chance.choice(["squeeze", "expose"])), holder
        return c.AskSqueeze(holder, hand), holder
    return None


def something_rare(chance: Random, table: Table) -> tuple[AnyCommand, str] | None:
    """Mistakes that few moments allow: no burn, insurance not offered or put in the wrong box."""
    current = table.round
    if one_in(chance, 4) and (entry := insurance_miskeyed(chance, table)) is not None:
        return entry
    if one_in(chance, 2) and (late := insurance_found_missed(chance, table)) is not None:
        return late
    if current is None:
        return (c.Call(), DEALER) if table.to_burn else None
    if burn := [found for found in table.incidents.values() if found.family == "burn_forgotten"]:
        seen = any(drawn.turned for drawn in current.cards)
        if seen or one_in(chance, 4):
            return c.Propose(r.PlayOn() if seen else r.BurnNow(), burn[0].number, "because"), DEALER
        return c.Draw(chance.choice(CARDS), turned=one_in(chance, 2)), DEALER
    taken = [insurance for insurance in current.insurance if insurance.by]
    if taken:
        misplaced = chance.choice(taken)
        return c.Propose(r.MoveInsurance(misplaced.person, misplaced.box, misplaced.hand)), DEALER
    if current.announced and not current.settled:
        return c.Propose(r.CorrectCall(chance.choice(["player", "banker", "tie"])), 0, "misheard"), DEALER
    if current.window is not None:
        offer = chance.choice(current.window.offers)
        asked = table.people.get(offer.people[0])  # who took the bets back under options may have left
        return c.Insure(offer.people[0], asked.box if asked else 1, chance.choice(list(Side)), 1), DEALER
    if missed := [found for found in table.incidents.values() if found.family == "insurance_missed" and found.blocks]:
        if current.finished and current.intentions:
            return c.Propose(r.ReturnBets(), missed[0].number), DEALER
        if current.due is not None and current.intentions:
            return c.Draw(chance.choice(CARDS), current.due, turned=True), DEALER
        offer = chance.choice(chance.choice(current.missed).offers)
        return c.MeantToInsure(offer.people[0], offer.hand), DEALER
    if offers.offers_due(table) and not table.settings.electronic:
        return c.Draw(chance.choice(CARDS), current.due, turned=True), DEALER
    return None


def something_to_rule(chance: Random, table: Table) -> tuple[AnyCommand, str] | None:
    """A ruling on what waits for one, its approval, an answer to options; a step of a dispute."""
    current = table.round
    if table.shoe.choosing and one_in(chance, 2):
        person = chance.choice(sorted(table.shoe.choosing))
        return c.TakeOption(person, goes_on=not one_in(chance, 3)), person
    if current is not None and current.options is not None and not one_in(chance, 3):
        person = chance.choice(sorted(current.options.waiting))
        return c.TakeOption(person, goes_on=not one_in(chance, 2)), chance.choice([person, DEALER])
    if table.proposals and not one_in(chance, 3):
        number = chance.choice(list(table.proposals))
        if one_in(chance, 4):
            return c.Decline(number), DIRECTOR
        return c.Approve(number), chance.choice([DIRECTOR, SHIFT, MANAGER, SUPERVISOR])
    if table.incidents and not one_in(chance, 3):
        number, incident = chance.choice(list(table.incidents.items()))
        missing = current is not None and incident.family == "insurance_missed" and current.missed
        if missing and current is not None and one_in(chance, 3):
            offer = chance.choice(chance.choice(current.missed).offers)
            return c.MeantToInsure(chance.choice(offer.people), offer.hand), DEALER
        if choices(table, incident):
            return c.Propose(random_ruling(chance, table, incident), number, "because"), DEALER
    if table.disputes and one_in(chance, 3):
        return next_in_dispute(chance, table)
    return None


def next_in_dispute(chance: Random, table: Table) -> tuple[AnyCommand, str]:
    dispute = chance.choice(list(table.disputes.values()))
    number = dispute.number
    if not dispute.escalated:
        what = "resolved" if one_in(chance, 3) else "escalated"
        return c.NoteOnDispute(number, what, "so"), SUPERVISOR  # type: ignore[arg-type]
    if not dispute.facts:
        return c.NoteOnDispute(number, "facts", "both heard"), DIRECTOR
    if not dispute.surveillance:
        return c.NoteOnDispute(number, "surveillance", "camera 4"), DIRECTOR
    if not dispute.decision:
        return c.DecideDispute(number, "so be it", ("game_rules",), chance.choice([0, 50_00, -50_00])), DIRECTOR
    if dispute.agreed is None:
        return c.AnswerDispute(dispute.person, number, one_in(chance, 2)), dispute.person
    if not dispute.right_told:
        return c.NoteOnDispute(number, "right_told", "told"), DIRECTOR
    if one_in(chance, 3):
        return c.AnswerDispute(dispute.person, number, True), dispute.person
    what = "complaint_waived" if one_in(chance, 3) else "complaint_filed"
    return c.NoteOnDispute(number, what, "so"), DIRECTOR  # type: ignore[arg-type]


def something_found_wrong(chance: Random, table: Table) -> tuple[AnyCommand, str] | None:
    """A mistake with cards or the record, found in the round or after it; an interruption; a dispute."""
    current = table.round
    person = random_person(chance, table)
    what = chance.randrange(8)
    over = (*table.previous, *table.past)
    if one_in(chance, 3) and (entry := insurance_miskeyed(chance, table)) is not None:
        return entry
    if what == 0 and over:
        return c.ReportRound(over[-1].number, true_cards(chance, table), "found out"), DEALER
    if what == 1 and over:
        settled = chance.choice(over)
        ruling: r.AnyRuling = r.CorrectCard(chance.randint(1, 4), chance.choice(CARDS), settled.number)
        if settled.wagers and one_in(chance, 2):
            bet = chance.choice(list(settled.wagers.values()))
            ruling = r.CorrectBet(
                bet.person, bet.box, bet.bet, chance.choice([0, 25_00, 2_000_00]), round=settled.number
            )
        return c.Propose(ruling, 0, "keyed wrongly"), DEALER
    if what == 2:
        return c.RaiseDispute(person, "short payment"), chance.choice([person, DEALER])
    if current is None:
        return (c.Draw(), DEALER) if what == 3 else None
    if table.phase is Phase.BETTING:
        return (c.Draw(chance.choice(CARDS), turned=True), DEALER) if what == 3 and one_in(chance, 3) else None
    if table.phase is Phase.PAYING:
        boxes = sorted({line.box for line in current.lines} - current.unconfirmed)
        return (c.Propose(r.CorrectPayout(boxes[0]), 0, "too early"), DEALER) if boxes else None
    if what == 3:
        return c.ReportInterruption("power cut", lost=one_in(chance, 2)), DEALER
    if what == 4 and current.cards:
        hand = chance.choice(list(Side))
        return c.PutCard(chance.randint(1, len(current.cards)), hand), DEALER
    if what == 5 and current.cards:
        number = chance.randint(1, len(current.cards))
        return c.Propose(r.CorrectCard(number, chance.choice(CARDS)), 0, "keyed wrongly"), DEALER
    if what == 6:
        return c.Draw(chance.choice(CARDS), chance.choice([None, *Side]), turned=one_in(chance, 2)), DEALER
    return random_body(chance, table, c.Report), DEALER


def insurance_miskeyed(chance: Random, table: Table) -> tuple[AnyCommand, str] | None:
    """Insurance of any round that was keyed wrongly, or not at all, or for another box; chips found of it."""
    rounds = [each for each in table.known_rounds if each.wagers and len(each.cards) >= 4]
    if not table.layout.insurance or not rounds:
        return None
    found = chance.choice([*rounds, rounds[-1], *(each for each in rounds if each.insurance)])
    known: list[InsuranceWager | Wager] = [*found.insurance, *found.insurance, *found.wagers.values()]
    where = chance.choice(known)
    hand = where.hand if isinstance(where, InsuranceWager) else chance.choice(list(Side))
    bet, window = f"{hand.value}_insurance", chance.choice([None, *Window])
    stake = chance.choice([0, 1, 5_00, where.stake // 2, where.stake, 2_000_00])
    if found is table.round and one_in(chance, 2):
        return c.FindBet(where.person, where.box, bet, stake, window), DEALER
    to_box, to_bet = chance.choice([0, 0, 0, 1, 2]), chance.choice(["", "", "", f"{hand.other.value}_insurance"])
    ruling = r.CorrectBet(where.person, where.box, bet, stake, to_box, to_bet, found.number, window)
    return c.Propose(ruling, 0, "keyed wrongly"), DEALER


def insurance_found_missed(chance: Random, table: Table) -> tuple[AnyCommand, str] | None:
    """That insurance was not offered in a round that was settled, who had meant to take it, and the ruling."""
    known = {each.number: each for each in table.known_rounds}
    waiting = [found for found in table.incidents.values() if found.family == "insurance_missed" and not found.blocks]
    if waiting and not one_in(chance, 4):
        matter = chance.choice(waiting)
        found = known.get(matter.round)
        if found is not None and found.missed and (not found.intentions or one_in(chance, 3)):
            offer = chance.choice(chance.choice(found.missed).offers)
            return c.MeantToInsure(chance.choice(offer.people), offer.hand, matter.round), DEALER
        ruling: r.AnyRuling = r.LetStand() if one_in(chance, 4) else r.ReturnBets()
        return c.Propose(ruling, matter.number, "because"), DEALER
    if offered := [each.number for each in known.values() if each.offered]:
        return c.Report("insurance_missed", "nobody was asked", (), chance.choice(offered)), DEALER
    return None


def something_wrong(chance: Random, table: Table, current: Round) -> tuple[AnyCommand, str]:
    """Chips found, mostly outside the limits; chips put down or taken away too late; somebody walks away or is back."""
    if current.wagers and one_in(chance, 2):
        wager = chance.choice(list(current.wagers.values()))
        if wager.person in table.absent:
            return c.ComeBack(wager.person), wager.person
        if one_in(chance, 2):
            return c.WalkAway(wager.person), DEALER
        amount = chance.choice([1, wager.stake])
        return c.LateChips(wager.person, wager.box, wager.bet, amount, chance.choice(["placed", "withdrawn"])), DEALER
    person = chance.choice([person for person in table.people.values() if not person.staff])
    bet = chance.choice(["player", "banker", chance.choice(table.layout.bets)])
    limits = table.terms.limits_of(bet)
    amount = chance.choice([1, limits.minimum, 133_33, 1_500_00, (limits.maximum or 1_000_00) + 1])
    return c.FindBet(person.id, person.box, bet, amount), chance.choice([DEALER, HOUSE])


def fitting_amount(chance: Random, table: Table, bet: str) -> int:
    """An amount that the limits of a bet mostly take, on odd minor units where they let it be."""
    limits = table.terms.limits_of(bet)
    stake = limits.minimum + limits.step * chance.choice([0, 1, 7, chance.randrange(100)])
    return -(-stake // limits.step) * limits.step
