"""Events as a viewer may see them: the stream beside the views, numbered without a gap.

Everything is denied unless :data:`RULES` allows it, field by field, and nobody gets a card that is not turned. A
player is shown more of what is about himself than others are; all other players of a table see what a display sees,
so that a stream is made once for all of them and once for each of :func:`concerned`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import IntEnum
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import msgspec
from msgspec import UNSET, UnsetType

from puntobanco.cards import Card
from puntobanco.rules.model import NO_RANK
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE
from puntobanco.table.rulings import AnyRuling, CorrectCard, ValueCard
from puntobanco.table.state import Table
from puntobanco.views.view import Viewer, granted


class Sight(IntEnum):
    """How much somebody sees of an event, least first; a field is for one of these and for those above."""

    ANYBODY = 0
    OWN = 1
    """A player, in events about that player."""
    STAFF = 2
    """The dealer: the felt."""
    BOOKS = 3
    """Pit and surveillance: the table's money as well."""
    NOBODY = 4


ANYBODY, OWN, STAFF, BOOKS, NOBODY = Sight
_SIGHT_OF = {"display": ANYBODY, "player": ANYBODY, "dealer": STAFF, "pit": BOOKS, "surveillance": BOOKS}

Cut = Callable[[Any, Any, Table, str], Any]
"""What is left of a field's value, by the value, the event, the table and the viewer's name; UNSET if nothing is."""


class Part(NamedTuple):
    """A field that is whole from one sight on, and for another one cut to what may be seen."""

    whole: Sight
    part: Sight
    cut: Cut


class Rule(NamedTuple):
    """Who may see which field of an event."""

    fields: Mapping[str, Sight | Part]
    known: bool
    """Whether anybody may know that it happened, though no field of it is shown."""
    of: Callable[[Any, Table], Iterable[str]]
    """The person it is about."""


def _person(event: Any, table: Table) -> Iterable[str]:
    return (event.person,)


def _nobody(event: Any, table: Table) -> Iterable[str]:
    return ()


# --- parts


def _person_of(account: str) -> str:
    return account.partition(":")[2]


def _own_transfers(transfers: tuple[e.Transfer, ...], event: Any, table: Table, name: str) -> Any:
    return tuple(each for each in transfers if name in (_person_of(each.source), _person_of(each.target)))


def _own_lines(lines: tuple[Any, ...], event: Any, table: Table, name: str) -> Any:
    return tuple(line for line in lines if line.person == name)


def _own_wagers(wagers: tuple[tuple[str, int, str], ...], event: Any, table: Table, name: str) -> Any:
    return tuple(wager for wager in wagers if wager[0] == name)


def _himself(people: tuple[str, ...], event: Any, table: Table, name: str) -> Any:
    return tuple(person for person in people if person == name)


def _if_himself(person: str, event: Any, table: Table, name: str) -> Any:
    return person if person == name else UNSET


def _without_names(offers: tuple[e.Offer, ...], event: Any, table: Table, name: str) -> Any:
    return tuple(msgspec.structs.replace(offer, people=_himself(offer.people, event, table, name)) for offer in offers)


def _face_down(cards: tuple[Card | None, ...], event: Any, table: Table, name: str) -> Any:
    return (None,) * len(cards)


def _if_open(card: Card | None, event: e.EarlyCardDrawn, table: Table, name: str) -> Any:
    return card if event.turned else UNSET


def _if_it_blocks(value: Any, event: e.IncidentOpened, table: Table, name: str) -> Any:
    """What keeps play from going on is told to everybody; other incidents are the House's."""
    return value if event.blocks else UNSET


def _if_bets_are_open(value: Any, event: e.PlayInterrupted, table: Table, name: str) -> Any:
    return value if event.effect == "bets_again" else UNSET


def _if_turned(card: Card | None, event: e.CardCorrected, table: Table, name: str) -> Any:
    return card if _lies_open(table, event.round, event.number) else UNSET


def _ruling(ruling: AnyRuling, event: Any, table: Table, name: str) -> Any:
    """A ruling may name a card before the event that turns it."""
    if isinstance(ruling, ValueCard):
        return ruling if _lies_open(table, 0, ruling.number) else UNSET
    if isinstance(ruling, CorrectCard):
        return ruling if _lies_open(table, ruling.round, ruling.number) else UNSET
    return ruling


def _lies_open(table: Table, number: int, card: int) -> bool:
    """Whether a card of a round (0: the latest) is turned."""
    wanted = number or table.rounds
    found = next((each for each in table.known_rounds if each.number == wanted), None)
    return found is not None and found.place(card) > 0 and found.card(card).turned


def _if_time_frame(note: str, event: e.DisputeNoted, table: Table, name: str) -> Any:
    """When the decision comes is said to the player; the rest is noted for the House."""
    return note if event.what == "time_frame" else UNSET


# --- whom an event is about


def _in_transfers(event: Any, table: Table) -> Iterator[str]:
    for transfer in event.transfers:
        yield from filter(None, (_person_of(transfer.source), _person_of(transfer.target)))


def _in_lines(event: e.RoundSettled | e.RoundSettledAgain, table: Table) -> Iterator[str]:
    yield from (line.person for line in event.lines)
    yield from _in_transfers(event, table)


def _in_returned(event: e.RoundPlayedAgain, table: Table) -> Iterator[str]:
    yield from (line.person for line in event.returned)
    yield from _in_transfers(event, table)


def _in_cuts(event: e.StakesStand, table: Table) -> Iterator[str]:
    return (cut.person for cut in event.cuts)


def _in_wagers(event: e.BetsReturned, table: Table) -> Iterator[str]:
    return (person for person, _, _ in event.wagers)


def _in_offers(event: e.InsuranceOffered, table: Table) -> Iterator[str]:
    return (person for offer in event.offers for person in offer.people)


def _asked(event: e.OptionsGiven | e.ShoeChoiceGiven, table: Table) -> Iterable[str]:
    return event.people


def _forgone(event: e.InsuranceClosed, table: Table) -> Iterable[str]:
    return event.forgone


def _turner(event: e.CardTurned, table: Table) -> Iterable[str]:
    return (event.by,)


def _disputant(event: e.DisputeNoted | e.DisputeDecided, table: Table) -> Iterable[str]:
    """What is found out stays with the House until it has decided; a dispute that is over is no longer anybody's."""
    if isinstance(event, e.DisputeNoted) and event.what in ("facts", "surveillance"):
        return ()
    dispute = table.disputes.get(event.dispute)
    return (dispute.person,) if dispute is not None else ()


# --- the rules

TRANSFERS = Part(BOOKS, OWN, _own_transfers)
LINES = Part(STAFF, OWN, _own_lines)
RETURNED = Part(STAFF, OWN, _own_lines)
OFFERS = Part(STAFF, ANYBODY, _without_names)
NAMES = Part(STAFF, OWN, _himself)
TURNER = Part(STAFF, OWN, _if_himself)
BURNT = Part(NOBODY, ANYBODY, _face_down)
IF_OPEN = Part(NOBODY, STAFF, _if_open)
IF_TURNED = Part(NOBODY, ANYBODY, _if_turned)
WAS_IF_TURNED = Part(NOBODY, STAFF, _if_turned)
IF_IT_BLOCKS = Part(STAFF, ANYBODY, _if_it_blocks)
IF_BETS_ARE_OPEN = Part(STAFF, ANYBODY, _if_bets_are_open)
RULING = Part(NOBODY, STAFF, _ruling)
TIME_FRAME = Part(STAFF, OWN, _if_time_frame)


def _rule(
    anybody: str = "",
    own: str = "",
    staff: str = "",
    books: str = "",
    nobody: str = "",
    *,
    known: bool = False,
    of: Callable[[Any, Table], Iterable[str]] = _nobody,
    **parts: Part,
) -> Rule:
    """Fields by the least sight that has them."""
    texts = {ANYBODY: anybody, OWN: own, STAFF: staff, BOOKS: books, NOBODY: nobody}
    whole: dict[str, Sight | Part] = {field: sight for sight, text in texts.items() for field in text.split()}
    return Rule(whole | parts, known, of)


RULES: dict[type[e.Event], Rule] = {
    # the table and its people
    e.TableOpened: _rule(staff="settings engine", books="opening_float transfers", known=True),
    e.TableClosed: _rule(books="count opening closing fills credits drop result difference", known=True),
    e.LimitsSet: _rule("bet before limits round paragraph"),
    e.DifferentialSet: _rule("before differential round paragraph"),
    e.InsuranceWaived: _rule("offered round paragraph", staff="person by"),
    e.StaffSignedOn: _rule(staff="person rank"),
    e.StaffSignedOff: _rule(staff="person"),
    e.PlayerJoined: _rule("box seated", "person paragraph", of=_person, transfers=TRANSFERS),
    e.PlayerLeft: _rule(own="person", of=_person, transfers=TRANSFERS),
    # money
    e.MoneyMoved: _rule(own="kind person amount via paragraph round", of=_person, transfers=TRANSFERS),
    e.FillRequested: _rule(staff="request kind chips by"),
    e.FillSigned: _rule(staff="request kind signatures", books="amount transfers"),
    e.FillCancelled: _rule(staff="request"),
    e.SuspectHeld: _rule(own="number what amount person paragraph", staff="about by", of=_person, transfers=TRANSFERS),
    e.SuspectResolved: _rule(
        own="number what genuine amount person paragraph", staff="finding by", of=_person, transfers=TRANSFERS
    ),
    # the shoe
    e.ShoeStarted: _rule("number cards commitment shuffler", staff="evidence"),
    e.ShoeCut: _rule(own="person position paragraph", of=_person),
    e.SeedsAsked: _rule("until", staff="unkept"),
    e.SeedPledged: _rule("pledge", "person", of=_person),
    e.SeedsDue: _rule("until"),
    e.SeedShown: _rule("seed", "person", of=_person),
    e.ShoeMixed: _rule("seeds", staff="withheld"),
    e.CardsBurnt: _rule("paragraph", cards=BURNT),
    e.CutCardAppeared: _rule("rounds_left paragraph"),
    e.ShoeEnded: _rule("number drawn", staff="discards reason"),
    e.CardsReturned: _rule("cards commitment"),
    # the round
    e.RoundCalled: _rule("number paragraph until"),
    e.WagersPlaced: _rule("box wagers", "person paragraph", "by", of=_person, transfers=TRANSFERS),
    e.WagerReduced: _rule("box bet amount", "person why paragraph", "by", of=_person, transfers=TRANSFERS),
    e.BetsClosed: _rule("paragraph"),
    e.SqueezeAsked: _rule(own="person hand paragraph early", of=_person),
    e.SqueezeAnswered: _rule(own="person hand granted paragraph early", of=_person),
    e.SqueezeBarred: _rule(own="person paragraph", staff="reason", of=_person),
    e.CardsDealt: _rule("cards hands"),
    e.CardDrawn: _rule("number", nobody="card"),
    e.CardPut: _rule("number hand"),
    e.CardTurned: _rule("number card paragraph", of=_turner, by=TURNER),
    e.InsuranceOffered: _rule("window paragraph until", "late", of=_in_offers, offers=OFFERS),
    e.Insured: _rule(
        "box hand amount", "person window odds own other paragraph", "by", of=_person, transfers=TRANSFERS
    ),
    e.InsurancePassed: _rule(own="person paragraph", of=_person),
    e.InsuranceClosed: _rule("window paragraph", staff="not_asked", of=_forgone, forgone=NAMES),
    e.ResultAnnounced: _rule("player_total banker_total result paragraph", staff="called"),
    e.ResultCalled: _rule(staff="result paragraph"),
    e.RoundSettled: _rule("number coup", staff="commission", of=_in_lines, lines=LINES, transfers=TRANSFERS),
    e.RoundVoided: _rule("number paragraph", staff="reason", of=_in_transfers, transfers=TRANSFERS),
    e.BoxesConfirmed: _rule(staff="boxes by_reader"),
    e.ConfirmationOverridden: _rule(staff="boxes reason"),
    e.RoundEnded: _rule("number", staff="discards"),
    # what went wrong
    e.BetFound: _rule("box bet amount", "person noticed paragraph", of=_person, transfers=TRANSFERS),
    e.LateChipsRefused: _rule(own="person box bet amount what paragraph waits", of=_person),
    e.WalkedAway: _rule(own="person paragraph", of=_person),
    e.CameBack: _rule(own="person", of=_person),
    e.StakesStand: _rule(own="paragraph in_full", of=_in_cuts, cuts=LINES, transfers=TRANSFERS),
    e.IncidentOpened: _rule(
        staff="number about round cards true_cards person blocks covered reported what",
        family=IF_IT_BLOCKS,
        paragraph=IF_IT_BLOCKS,
    ),
    e.IncidentClosed: _rule(staff="number unfounded"),
    e.Noted: _rule(staff="family about paragraph round cards"),
    e.RulingProposed: _rule(staff="number incident by needs paragraph reason", ruling=RULING),
    e.RulingGiven: _rule(staff="incident paragraph by approved_by proposal reason", ruling=RULING),
    e.RulingDeclined: _rule(staff="proposal by reason"),
    e.CardsArranged: _rule("how order hands paragraph goes"),
    e.CardValued: _rule("number card paragraph"),
    e.CardsRetrieved: _rule("cards paragraph"),
    e.EarlyCardDrawn: _rule(staff="paragraph turned", card=IF_OPEN),
    e.CarriedCardsDealt: _rule("hands paragraph"),
    e.FreeHandCalled: _rule("number paragraph", of=_in_transfers, transfers=TRANSFERS),
    e.PlayedFree: _rule("paragraph"),
    e.ShoeToBeReplaced: _rule("paragraph", staff="reason"),
    e.ShoeChoiceDue: _rule(staff="paragraph"),
    e.ShoeChoiceGiven: _rule("paragraph", of=_asked, people=NAMES),
    e.ShoeChosen: _rule(own="person goes_on paragraph", of=_person),
    e.ShoeKept: _rule("paragraph"),
    e.OptionsGiven: _rule("go_on", "paragraph take_back all_back", "incident", of=_asked, people=NAMES),
    e.OptionTaken: _rule(own="person goes_on paragraph", staff="by", of=_person, transfers=TRANSFERS),
    e.PlayInterrupted: _rule(
        staff="about lost", paragraph=IF_BETS_ARE_OPEN, effect=IF_BETS_ARE_OPEN, until=IF_BETS_ARE_OPEN
    ),
    e.InsuranceMissed: _rule(staff="window offers paragraph round"),
    e.IntentionNoted: _rule(own="person hand window own other paragraph round", of=_person),
    e.InsuranceMoved: _rule(own="person box hand paragraph round", of=_person),
    e.InsuranceReread: _rule(
        own="person box hand window own other odds paragraph round", of=_person, transfers=TRANSFERS
    ),
    e.BetsReturned: _rule(
        own="paragraph round", of=_in_wagers, wagers=Part(STAFF, OWN, _own_wagers), transfers=TRANSFERS
    ),
    e.RoundReopened: _rule("number paragraph"),
    e.RoundSettledAgain: _rule(
        "number coup paragraph void",
        staff="reason commission",
        of=_in_lines,
        lines=LINES,
        transfers=TRANSFERS,
    ),
    e.MoneyRuled: _rule(own="person amount paragraph", staff="reason", of=_person, transfers=TRANSFERS),
    e.CommissionCollected: _rule(own="person amount owed paragraph", of=_person, transfers=TRANSFERS),
    e.DebtSettled: _rule(own="person amount how", of=_person, transfers=TRANSFERS),
    e.CardCorrected: _rule("round number", staff="reason", card=IF_TURNED, was=WAS_IF_TURNED),
    e.BetCorrected: _rule(
        own="round person box bet was stake to_box to_bet", staff="to_person reason", of=_person, transfers=TRANSFERS
    ),
    e.InsuranceCorrected: _rule(
        own="round person box hand window was stake to_box to_hand paragraph", staff="to_person reason", of=_person
    ),
    e.HandCorrected: _rule("round number was hand", staff="reason"),
    e.CardStruck: _rule("round number", staff="card reason"),
    e.CardAdded: _rule("round number hand after card", staff="reason"),
    e.OrderCorrected: _rule("round cards became", staff="reason"),
    e.CardsTold: _rule(staff="round cards left_over carried free face_down"),
    e.RoundPlayedAgain: _rule(
        own="number paragraph", staff="coup", of=_in_returned, returned=RETURNED, transfers=TRANSFERS
    ),
    e.CallCorrected: _rule(staff="was result reason"),
    e.ConfirmationCorrected: _rule(staff="box reason"),
    e.DisputeRaised: _rule(own="number person about paragraph round", of=_person),
    e.DisputeNoted: _rule(own="dispute what paragraph", staff="by", of=_disputant, note=TIME_FRAME),
    e.DisputeDecided: _rule(own="dispute decision grounds cited paragraph pays", staff="by", of=_disputant),
    e.DisputeAnswered: _rule(own="dispute person agrees paragraph", of=_person),
    e.StakeRuled: _rule(own="person box bet stands paragraph", staff="reason", of=_person, transfers=TRANSFERS),
    e.CardsAtFault: _rule(staff="fault about paragraph"),
    e.Flagged: _rule("flag paragraph", staff="about"),
    e.FlagCleared: _rule("flag stands", staff="about"),
}


# --- events with parts left out


def _always(shown: Sight | Part) -> bool:
    return shown is ANYBODY


def _seen_type(kind: type[e.Event]) -> type[msgspec.Struct]:
    """An event's fields: those that everybody gets as they are, the others perhaps left out."""
    rule = RULES[kind]
    always: list[Any] = []
    perhaps: list[Any] = []
    for field in msgspec.structs.fields(kind):
        if not _always(rule.fields[field.name]):
            perhaps.append((field.name, field.type | UnsetType, UNSET))
        elif field.required:
            always.append((field.name, field.type))
        else:
            perhaps.append((field.name, field.type, field.default))
    return msgspec.defstruct(
        f"{kind.__name__}Seen",
        [*always, *perhaps],
        tag_field="event",
        tag=kind.__struct_config__.tag,
        frozen=True,
        omit_defaults=True,
        module=__name__,
        namespace={"__doc__": kind.__doc__},
    )


SEEN_TYPES: dict[type[e.Event], type[msgspec.Struct]] = {kind: _seen_type(kind) for kind in get_args(e.AnyEvent)}
"""Each event as it is shown: under the same name, without what its viewer may not have."""

if TYPE_CHECKING:
    SeenEvent = msgspec.Struct
else:
    SeenEvent = reduce(or_, SEEN_TYPES.values())


class Seen(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event in the stream of one viewer. Without ``event`` something happened that is not for this viewer."""

    version: int
    at: int
    event: SeenEvent | None = None
    actor: str = ""
    """Who gave the command: for staff, and for the person concerned."""
    command: str = ""

    @property
    def hidden(self) -> bool:
        """Whether nothing is shown but the number."""
        return self.event is None


_HIDDEN = object()


def _getter(shown: Sight | Part, sight: Sight) -> Any:
    """How a field is got at for a sight: None takes it as it is."""
    if isinstance(shown, Sight):
        return None if sight >= shown else _HIDDEN
    if sight >= shown.whole:
        return None
    if shown.part is OWN and sight is not OWN:
        return _HIDDEN  # what is somebody's own is nothing to staff
    return shown.cut if sight >= shown.part else _HIDDEN


Plan = tuple[type[msgspec.Struct], tuple[tuple[str, Any], ...], bool]
"""A type to make, its fields with their cuts, and whether it is shown though every field is hidden."""


def _plan(kind: type[e.Event], sight: Sight) -> Plan | None:
    made, rule = SEEN_TYPES[kind], RULES[kind]
    fields = tuple((name, _getter(rule.fields[name], sight)) for name in made.__struct_fields__)
    if not rule.known and all(getter is _HIDDEN for _, getter in fields):
        return None
    return made, fields, rule.known


_PLANS: dict[Sight, dict[type[e.Event], Plan | None]] = {
    sight: {kind: _plan(kind, sight) for kind in RULES} for sight in (ANYBODY, OWN, STAFF, BOOKS)
}


def concerned(record: e.Record, table: Table) -> frozenset[str]:
    """The people who, as players, may see more of a record than anybody; for all others it is made once."""
    return frozenset((*RULES[type(record.event)].of(record.event, table), record.actor)) - {"", HOUSE}


def seen(record: e.Record, table: Table, viewer: Viewer) -> Seen:
    """What a viewer may see of an event; ``table`` is the table after it."""
    sight = _SIGHT_OF[granted(table, viewer)]
    name, himself = viewer.person, False
    if sight is ANYBODY and viewer.kind == "player" and name not in ("", HOUSE):
        himself = table.rank_of(name) is NO_RANK
        if himself and name in RULES[type(record.event)].of(record.event, table):
            sight = OWN
    event = _cut(record.event, table, name, sight)
    if sight >= STAFF or (himself and record.actor == name):
        return Seen(record.version, record.at, event, record.actor, record.command)
    return Seen(record.version, record.at, event)


def _cut(event: e.Event, table: Table, name: str, sight: Sight) -> msgspec.Struct | None:
    plan = _PLANS[sight][type(event)]
    if plan is None:
        return None
    made, fields, known = plan
    values = [
        UNSET
        if cut is _HIDDEN
        else getattr(event, field)
        if cut is None
        else cut(getattr(event, field), event, table, name)
        for field, cut in fields
    ]
    return made(*values) if known or any(value is not UNSET for value in values) else None
