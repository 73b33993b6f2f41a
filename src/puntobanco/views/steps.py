"""What should happen next at a table, who does it, and the paragraph that wants it."""

from __future__ import annotations

import msgspec

from puntobanco.cards import Side
from puntobanco.rules.model import Rank
from puntobanco.table import rulings as r
from puntobanco.table.about import Words
from puntobanco.table.cards.misdealt import due_hand
from puntobanco.table.cases.proposals import can_carry_out
from puntobanco.table.cases.remedies import AMENDMENTS, Case, Choice, choice_for, choices
from puntobanco.table.commands import HOUSE, Command, Propose
from puntobanco.table.engine import refusal
from puntobanco.table.insurance import offers
from puntobanco.table.refusals import Refusal, Refused, Value
from puntobanco.table.shoe.seeds import cut_missing
from puntobanco.table.squeeze.rights import still_holds
from puntobanco.table.state import Drawn, Incident, Phase, Proposal, Round, Squeeze, Table
from puntobanco.views.matters import options
from puntobanco.views.ruling_actions import REASON, example_of
from puntobanco.words import Language, Terms, sentence

CARDS_OF_A_ROUND = 6
"""The most that a round takes; a shoe with fewer cannot be sure to give one."""

PLAYER, DEALER = "player", "dealer"


class NextStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """The next proper step. ``who`` is ``house`` (the table itself), ``player``, or the lowest rank."""

    do: str
    who: str
    paragraph: str = ""
    number: int = 0
    """The card it is about, counted from 1."""
    box: int = 0
    hand: Side | None = None
    people: tuple[str, ...] = ()
    """The people that the step waits for, or is about; shown to staff, and to a player who is one of them."""
    incident: int = 0
    """What is to be ruled on."""
    proposal: int = 0
    """What is to be approved."""
    family: str = ""
    """What kind of thing went wrong."""
    rulings: tuple[str, ...] = ()
    """Those that are open, or the one to approve."""
    detail: str = ""
    """Which of its sentences a step has, where it has several: `turn.squeezed`."""
    about: Words = ""
    """What went wrong; for staff."""
    yours: bool = False
    """Whether this viewer may take the step."""


def step_words(step: NextStep, language: Language = "en", terms: Terms | None = None) -> str:
    """A step in a sentence."""
    values: dict[str, Value] = {
        "number": step.number,
        "box": step.box,
        "hand": step.hand.value if step.hand else "",
        "people": step.people,
        "family": step.family,
    }
    return sentence("step", step.detail or step.do, values, language, terms)


def next_step(table: Table) -> NextStep | None:
    """None at a table that is closed."""
    phase = table.phase
    if phase is Phase.CLOSED:
        return None
    current = table.round
    if step := _unsettled(table, current):
        return step
    if table.to_return and (table.settings.electronic or phase is Phase.BETTING):
        # a dealer waits for the call, for until then the round before may still be looked at
        return NextStep("return_cards", _runner(table))
    if current is None:
        return _between_rounds(table)
    if table.to_burn and phase is not Phase.PAYING:
        return _burn(table)
    if phase is Phase.BETTING:
        return NextStep("close", _runner(table), table.procedures.close.rule)
    if phase is Phase.PAYING:
        box = min(current.unconfirmed, default=0)
        return NextStep("confirm", DEALER, table.procedures.round.rule, box=box)
    return _waiting(table, current) or _cards(table, current) or _result(table, current)


# --- what went wrong


def _unsettled(table: Table, current: Round | None) -> NextStep | None:
    """What play waits for after something went wrong: players' answers, an approval, a ruling."""
    if asked := options(table):
        detail = "take_option.shoe" if asked.about == "shoe" else ""
        return NextStep("take_option", PLAYER, asked.go_on, people=asked.waiting, detail=detail)
    incident = _matter(table, current)
    for proposal in table.proposals.values():
        holds = incident is not None and proposal.incident == incident.number
        about_round = _about_round(proposal, current) or proposal is table.card_in_question
        if (holds or about_round) and _can_be_given(table, proposal):
            return _approval(table, proposal)
    if incident is None:
        # the settlement waits until it is approved or declined; boxes are paid meanwhile
        unsettled = current is not None and current.finished and not (current.settled or current.voided)
        amended = table.in_question if unsettled else None
        return _approval(table, amended) if amended is not None else None
    refusals = [_refused(table, incident, choice) for choice in choices(table, incident)]
    if current is not None and current.hidden and refusals[0] is not None and refusals[0].code == "cards":
        # what lies face down may be what is missing to put the cards right
        down = next(drawn.number for drawn in current.cards if not drawn.turned)
        return _turn(table, current, down, current.cards[down - 1])
    # where nothing can be ruled yet, as when the bets were opened again, play comes first
    return _ruling(table, incident) if None in refusals else None


def _matter(table: Table, current: Round | None) -> Incident | None:
    """The incident to be ruled on now; of several, one whose remedy can be given."""
    if not table.incidents:
        return None
    waiting = [incident for incident in table.incidents.values() if _waits(table, current, incident)]
    return next((incident for incident in waiting if _able(table, incident)), waiting[0] if waiting else None)


def _able(table: Table, incident: Incident) -> bool:
    """Whether its remedy can be given, or is proposed."""
    refused = _refused(table, incident, choices(table, incident)[0])
    return refused is None or refused.code == "already_there"


def _waits(table: Table, current: Round | None, incident: Incident) -> bool:
    """Whether it comes before everything else: play stands still, or the next card or shoe would be too late for it."""
    if incident.blocks:
        return True
    if incident.family == "burn_forgotten":
        return current is not None and bool(current.cards) and table.phase is Phase.DEALING
    return table.shoe.ended and bool(incident.true_cards)


def _refused(table: Table, incident: Incident, choice: Choice) -> Refusal | None:
    """Why a ruling on an incident cannot be given now."""
    ruling = example_of(table, incident, choice.kind)
    return refusal(table, Command("", HOUSE, 0, Propose(ruling, incident.number, REASON)))


def _about_round(proposal: Proposal, current: Round | None) -> bool:
    """Whether a proposal on no incident is about the round in progress."""
    if proposal.incident or current is None or current.settled or current.voided:
        return False
    ruling = proposal.ruling
    if isinstance(ruling, AMENDMENTS):
        return ruling.round in (0, current.number)
    return isinstance(ruling, r.VoidRound | r.GiveOptions | r.CorrectCall)


def _can_be_given(table: Table, proposal: Proposal) -> bool:
    """Whether it can still be carried out as things are now."""
    incident = table.incidents.get(proposal.incident)
    try:
        choice = choice_for(table, proposal.ruling, incident)
        can_carry_out(Case(table, incident, choice.paragraph, proposal.reason, 0), proposal.ruling)
    except Refused:
        return False
    return True


def _approval(table: Table, proposal: Proposal) -> NextStep:
    incident = table.incidents.get(proposal.incident)
    return NextStep(
        "approve",
        _who(table, table.book.ranks.of(proposal.needs)),
        proposal.paragraph,
        incident=proposal.incident,
        proposal=proposal.number,
        rulings=(r.kind_of(proposal.ruling),),
        about=incident.about if incident else proposal.reason,
    )


def _ruling(table: Table, incident: Incident) -> NextStep:
    allowed = choices(table, incident)
    return NextStep(
        "propose",
        _who(table, min(choice.by for choice in allowed)),
        incident.paragraph,
        incident=incident.number,
        family=incident.family,
        rulings=tuple(r.kind_of(choice.kind) for choice in allowed),
        about=incident.about,
    )


def _who(table: Table, rank: Rank) -> str:
    """The code of a rank; who deals is called a dealer in every house."""
    return rank.code if rank > table.book.deals else DEALER


# --- proper play


def _runner(table: Table) -> str:
    """Who keeps play going: the dealer, or the system of an electronic table."""
    return HOUSE if table.settings.electronic else DEALER


def _between_rounds(table: Table) -> NextStep:
    shoe = table.shoe
    if shoe.ended:
        return NextStep("new_shoe", _runner(table), table.procedures.shoe_light.rule)
    if table.to_return and shoe.left < CARDS_OF_A_ROUND:
        return NextStep("return_cards", _runner(table))
    if shoe.rounds_left == 0 or shoe.left < CARDS_OF_A_ROUND:
        who = table.book.speaks.code
        return NextStep("end_shoe", who, table.procedures.cut_card.rule)
    if shoe.seeds is not None:
        waiting = tuple(person for person in shoe.seeds.pledges if shoe.seeds.due and person not in shoe.seeds.shown)
        return NextStep("close_seeds", HOUSE, people=waiting)
    if cut_missing(table):
        return NextStep("cut", PLAYER, table.procedures.cut_card.cuts)
    if table.to_burn:
        return _burn(table)
    return NextStep("call", _runner(table), table.procedures.call.rule)


def _burn(table: Table) -> NextStep:
    return NextStep("burn", _runner(table), table.procedures.burn.rule)


def _waiting(table: Table, current: Round) -> NextStep | None:
    """What keeps the next card from being dealt: a request to squeeze, or insurance."""
    asked = next((squeeze for squeeze in current.squeezes if squeeze.granted is None), None)
    if asked is not None:
        return _answer(table, asked)
    if offers.offers_due(table):
        return NextStep("offer_insurance", _runner(table), _insurance(table))
    if not offers.nobody_is_asked(table, current):
        assert current.window is not None
        waiting = tuple(sorted(current.window.people - current.window.answered - table.absent - current.forgone))
        return NextStep(
            "close_insurance",
            _runner(table),
            _insurance(table),
            people=waiting,
        )
    return None


def _insurance(table: Table) -> str:
    return table.book.insurance.windows if table.book.insurance else ""


def _answer(table: Table, asked: Squeeze) -> NextStep:
    who = table.book.speaks.code if asked.early else DEALER
    paragraph = (table.procedures.early_squeeze if asked.early else table.procedures.squeeze).rule
    return NextStep("answer_squeeze", who, paragraph, hand=asked.hand, people=(asked.person,))


def _cards(table: Table, current: Round) -> NextStep | None:
    """The card to draw or to turn. Openings of a face-down table are all drawn before any is turned."""
    down = [drawn.number for drawn in current.cards if not drawn.turned]
    early = any(squeeze.early and squeeze.granted for squeeze in current.squeezes)
    lying = table.settings.face_down and len(current.cards) < 4
    if down and not lying and not (early and current.due is not None):
        # Banker's third card, squeezed early, comes before Player's (reading Q)
        number = down[-1] if early else down[0]
        return _turn(table, current, number, current.card(number))
    due = current.due
    if due is None:
        return None
    number = current.numbered + 1
    paragraph = (table.procedures.initial_deal if len(current.cards) < 4 else table.procedures.third_card).rule
    squeezed = any(squeeze.granted for squeeze in current.squeezes)
    if table.settings.electronic and not down and not squeezed:
        return NextStep("deal", HOUSE, paragraph, number, hand=due)
    return NextStep("draw", _runner(table), paragraph, number, hand=due)


def _turn(table: Table, current: Round, number: int, drawn: Drawn) -> NextStep:
    """By the player who squeezes that hand if the scanner has read the card, which a player cannot key."""
    hand = drawn.hand or due_hand(current, current.place(number))
    here = [squeeze for squeeze in current.squeezes if squeeze.person not in table.absent]
    squeezers = [
        squeeze.person for squeeze in here if squeeze.covers(number, hand) and still_holds(table, current, squeeze)
    ]
    if squeezers and drawn.card is not None and drawn.hand is not None:
        rule = table.procedures.squeeze.rule
        return NextStep("turn", PLAYER, rule, number, 0, hand, (squeezers[0],), detail="turn.squeezed")
    paragraph = (table.procedures.initial_deal if current.place(number) <= 4 else table.procedures.third_card).rule
    return NextStep("turn", _runner(table), paragraph, number, hand=hand)


def _result(table: Table, current: Round) -> NextStep:
    if not current.announced:
        paragraph = table.procedures.announcement.rule or table.procedures.winner.rule
        return NextStep("announce", _runner(table), paragraph)
    return NextStep("settle", _runner(table), table.procedures.round.rule)
