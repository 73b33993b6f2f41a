"""What went wrong, in sentences: incidents, rulings, options, rounds settled again, corrections, disputes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from puntobanco.cards import Side
from puntobanco.script.voice import (
    WINDOWS,
    Said,
    Speaker,
    Told,
    and_words,
    card_words,
    commission_line,
    counted,
    done_by,
    numbered,
    offer_words,
    settled_line,
    side,
    who,
)
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About, Words


def _cards(numbers: tuple[int, ...]) -> str:
    return numbered("card", "cards", numbers)


def _names_card(about: Words) -> bool:
    return isinstance(about, About) and "number" in about.values


def _incident_opened(voice: Speaker, event: e.IncidentOpened) -> Said:
    what = voice.family(event.family)
    if event.cards and not _names_card(event.about):
        what += f", {_cards(event.cards)}"
    if event.what:
        what = f"{voice.family(event.what)}, found when round {event.round} was over"
    said = [f"incident {event.number}, {what}: {voice.about(event.about)}"]
    if event.true_cards:
        said.append(f"the cards of round {event.round} left the shoe as {' '.join(map(str, event.true_cards))}")
    if not event.covered and event.family != "debt":
        said.append("the book does not cover it")
    if not event.blocks:
        said.append("play goes on meanwhile")
    return said


def _incident_closed(voice: Speaker, event: e.IncidentClosed) -> Said:
    how = "is dismissed: play goes on as if it had not been reported" if event.unfounded else "is closed"
    return f"incident {event.number} {how}"


def _noted(voice: Speaker, event: e.Noted) -> Said:
    what = voice.family(event.family)
    if event.cards:
        what += f", {_cards(event.cards)}"
    return f"noted, {what}{_of_round(event.round)}: {voice.about(event.about)}"


# --- rulings


def _reconstruct(voice: Speaker, ruling: r.Reconstruct) -> str:
    return "the cards go back in the order they left the shoe and are dealt again"


def _as_it_lies(voice: Speaker, ruling: r.AsItLies) -> str:
    return "play goes on with the hands as they lie"


def _order(voice: Speaker, ruling: r.DecideOrder) -> str:
    return f"{_cards(ruling.cards)} count in this order"


def _value(voice: Speaker, ruling: r.ValueCard) -> str:
    return f"card {ruling.number} is {ruling.card}"


def _replace_shoe(voice: Speaker, ruling: r.ReplaceShoe) -> str:
    return "the cards are replaced when the round is over"


def _burn_now(voice: Speaker, ruling: r.BurnNow) -> str:
    return "the cards go back into the shoe and the burn takes place"


def _play_on(voice: Speaker, ruling: r.PlayOn) -> str:
    return "play goes on"


def _void(voice: Speaker, ruling: r.VoidRound) -> str:
    return "the round is void"


def _options(voice: Speaker, ruling: r.GiveOptions) -> str:
    return "the players may go on or take their bets back"


def _stake(voice: Speaker, ruling: r.SetStake) -> str:
    return f"{voice.money(ruling.stands)} on {voice.wager(ruling.person, ruling.box, ruling.bet)} stand"


def _offer_late(voice: Speaker, ruling: r.OfferLate) -> str:
    return "insurance is offered now"


def _return_bets(voice: Speaker, ruling: r.ReturnBets) -> str:
    return "players who had meant to insure and would have won get the Original Bet back"


def _move_insurance(voice: Speaker, ruling: r.MoveInsurance) -> str:
    return f"{ruling.person}'s insurance in box {ruling.box}, put at {side(ruling.hand)}, belongs to the other hand"


def _dismiss(voice: Speaker, ruling: r.Dismiss) -> str:
    return "the report is unfounded and dismissed"


def _rectify(voice: Speaker, ruling: r.Rectify) -> str:
    return "the round is dealt again by the Table of Play and settled again"


def _let_stand(voice: Speaker, ruling: r.LetStand) -> str:
    return "what was settled stands"


def _pay(voice: Speaker, ruling: r.Pay | e.MoneyRuled) -> str:
    said = f"{ruling.person} is paid {voice.money(ruling.amount)}"
    if ruling.amount < 0:
        said = f"{ruling.person} pays {voice.money(-ruling.amount)}"
    if not isinstance(ruling, r.Pay) or not ruling.dispute:
        return said
    won = f"won {voice.money(ruling.given)}" if ruling.given > 0 else f"lost {voice.money(-ruling.given)}"
    return f"{said} by dispute {ruling.dispute}, beside what the round gave: {won if ruling.given else 'nothing'}"


def _collect(voice: Speaker, ruling: r.Collect) -> str:
    return f"{voice.money(ruling.amount)} of what is owed is collected"


def _write_off(voice: Speaker, ruling: r.WriteOff) -> str:
    return "the House writes off what is owed"


def _correct_card(voice: Speaker, ruling: r.CorrectCard) -> str:
    return f"card {ruling.number}{_of_round(ruling.round)} was {ruling.card}"


def _correct_hand(voice: Speaker, ruling: r.CorrectHand) -> str:
    return f"card {ruling.number}{_of_round(ruling.round)} was at {side(ruling.hand)}"


def _strike_card(voice: Speaker, ruling: r.StrikeCard) -> str:
    return f"card {ruling.number}{_of_round(ruling.round)} never left the shoe"


def _add_card(voice: Speaker, ruling: r.AddCard) -> str:
    place = f"after card {ruling.after}" if ruling.after else "first"
    return f"{ruling.card} left the shoe {place}{_of_round(ruling.round)}, for {side(ruling.hand)}"


def _correct_order(voice: Speaker, ruling: r.CorrectOrder) -> str:
    return f"{_cards(ruling.cards)}{_of_round(ruling.round)} left the shoe in this order"


def _correct_bet(voice: Speaker, ruling: r.CorrectBet) -> str:
    wager = f"{voice.wager(ruling.person, ruling.box, ruling.bet)}{_of_round(ruling.round)}"
    if ruling.found:
        return f"{voice.money(ruling.found)} were found on {wager}"
    if not ruling.stake:
        return f"there was no bet on {wager}"
    box = f" in box {ruling.to_box}" if ruling.to_box else ""
    bet = f" on {voice.bet(ruling.to_bet)}" if ruling.to_bet else ""
    whose = f", of {ruling.to_person}" if ruling.to_person else ""
    return f"the bet on {wager} was {voice.money(ruling.stake)}{bet}{box}{whose}"


def _of_round(number: int) -> str:
    return f" of round {number}" if number else ""


def _correct_call(voice: Speaker, ruling: r.CorrectCall) -> str:
    return f"the dealer called {ruling.result}"


def _correct_payout(voice: Speaker, ruling: r.CorrectPayout | e.ConfirmationCorrected) -> str:
    return f"box {ruling.box} is not confirmed yet"


RULING_WORDS: dict[type[r.Ruling], Callable[[Speaker, Any], str]] = {
    r.Reconstruct: _reconstruct,
    r.AsItLies: _as_it_lies,
    r.DecideOrder: _order,
    r.ValueCard: _value,
    r.ReplaceShoe: _replace_shoe,
    r.BurnNow: _burn_now,
    r.PlayOn: _play_on,
    r.VoidRound: _void,
    r.GiveOptions: _options,
    r.SetStake: _stake,
    r.OfferLate: _offer_late,
    r.ReturnBets: _return_bets,
    r.MoveInsurance: _move_insurance,
    r.Rectify: _rectify,
    r.LetStand: _let_stand,
    r.Dismiss: _dismiss,
    r.Pay: _pay,
    r.Collect: _collect,
    r.WriteOff: _write_off,
    r.CorrectCard: _correct_card,
    r.CorrectHand: _correct_hand,
    r.StrikeCard: _strike_card,
    r.AddCard: _add_card,
    r.CorrectOrder: _correct_order,
    r.CorrectBet: _correct_bet,
    r.CorrectCall: _correct_call,
    r.CorrectPayout: _correct_payout,
}


def ruling_words(voice: Speaker, ruling: r.Ruling) -> str:
    """What a ruling says."""
    return RULING_WORDS[type(ruling)](voice, ruling)


def _on(incident: int) -> str:
    return f" on incident {incident}" if incident else ""


def _ruling_proposed(voice: Speaker, event: e.RulingProposed) -> Said:
    said = f"{who(event.by)} proposes ruling {event.number}{_on(event.incident)}: {ruling_words(voice, event.ruling)}"
    waits = f"it waits for a second person; one of the two must be {voice.rank(event.needs).with_article} or above"
    return [said, *_reason(voice, event.reason), waits]


def _ruling_given(voice: Speaker, event: e.RulingGiven) -> Said:
    words = ruling_words(voice, event.ruling)
    if event.approved_by:
        ruling = f"ruling {event.proposal}{_on(event.incident)}, proposed by {who(event.by)}"
        said = f"{event.approved_by} approves {ruling}: {words}"
    else:
        said = f"{who(event.by)} rules{_on(event.incident)}: {words}"
    return [said, *_reason(voice, event.reason)]


def _reason(voice: Speaker, reason: Words) -> list[str]:
    return [f"for this reason: {voice.about(reason)}"] if reason else []


def _ruling_declined(voice: Speaker, event: e.RulingDeclined) -> Said:
    return f"{who(event.by)} declines ruling {event.proposal}{voice.because(event.reason)}"


def _stake_ruled(voice: Speaker, event: e.StakeRuled) -> Said:
    return _stake(voice, r.SetStake(event.person, event.box, event.bet, event.stands))


# --- cards

_GOES = {
    "": "",
    "next_round": ", left over for the next round",
    "free_hand": ", left over for a Free Hand",
    "discarded": ", left over and discarded",
}


def _cards_arranged(voice: Speaker, event: e.CardsArranged) -> Said:
    dealt = list(zip(event.order, event.hands, strict=False))
    hands = [f"{side(hand)} has {_cards(at)}" for hand in Side if (at := tuple(n for n, of in dealt if of is hand))]
    if left_over := event.order[len(event.hands) :]:
        hands.append(f"{_cards(left_over)}{_GOES[event.goes]}")
    how = "the cards are dealt again" if event.how == "reconstructed" else "the hands count as they lie"
    return f"{how}: {'; '.join(hands)}"


def _card_valued(voice: Speaker, event: e.CardValued) -> Said:
    return f"card {event.number} counts as {event.card}"


def _cards_retrieved(voice: Speaker, event: e.CardsRetrieved) -> Said:
    back = f"{counted(event.cards, 'card')} back into the shoe" if event.cards else "no card is out"
    return f"{back}: the burn comes first"


def _early_card_drawn(voice: Speaker, event: e.EarlyCardDrawn) -> Said:
    return f"a card leaves the shoe too early and waits for its round: {card_words(event.card)}"


def _carried_cards_dealt(voice: Speaker, event: e.CarriedCardsDealt) -> Said:
    return (
        f"the round opens with {counted(len(event.hands), 'card')} left over, for {and_words(map(side, event.hands))}"
    )


def _free_hand_called(voice: Speaker, event: e.FreeHandCalled) -> Said:
    back = ", and every bet goes back" if event.transfers else ""
    return f"round {event.number} is a Free Hand: it is played without bets{back}"


def _played_free(voice: Speaker, event: e.PlayedFree) -> Said:
    return "everybody took the bets back: the rest of the round is a Free Hand"


def _shoe_to_be_replaced(voice: Speaker, event: e.ShoeToBeReplaced) -> Said:
    return f"the cards are to be replaced{voice.because(event.reason)}"


def _shoe_choice_due(voice: Speaker, event: e.ShoeChoiceDue) -> Said:
    return "when the round is over, the players choose whether the shoe goes on"


def _shoe_choice_given(voice: Speaker, event: e.ShoeChoiceGiven) -> Said:
    return f"{and_words(event.people)} may go on with the shoe or ask to have the cards replaced"


def _shoe_chosen(voice: Speaker, event: e.ShoeChosen) -> Said:
    return f"{event.person} {'goes on with the shoe' if event.goes_on else 'asks to have the cards replaced'}"


def _shoe_kept(voice: Speaker, event: e.ShoeKept) -> Said:
    return "the shoe goes on"


# --- options and interruptions

_ALL_BACK = {
    "over": [],
    "free_hand": ["if everybody takes back, the rest of the round is a Free Hand"],
    "new_shoe": ["if everybody takes back, the round is void and the cards are replaced"],
}


def _options_given(voice: Speaker, event: e.OptionsGiven) -> Said:
    said: list[str | Told] = [f"{and_words(event.people)} may go on or take all bets back"]
    if event.go_on != event.paragraph:
        said.append(Told("to go on", voice.cite(event.go_on)))
    if event.take_back != event.paragraph:
        said.append(Told("to take the bets back", voice.cite(event.take_back)))
    return [*said, *_ALL_BACK[event.all_back]]


def _option_taken(voice: Speaker, event: e.OptionTaken) -> Said:
    taken = "goes on" if event.goes_on else "takes all bets back"
    return f"{event.person} {taken}{done_by(event.by, 'recorded')}"


_EFFECTS = {
    "bets_again": "no card is out: the bets stand, and the time for them starts again",
    "goes_on": "the round goes on",
    "void": "nothing is decided: the round is void",
    "ruling": "the round waits for a ruling",
}


def _play_interrupted(voice: Speaker, event: e.PlayInterrupted) -> Said:
    lost = ", and something is lost" if event.lost else ""
    return [f"play is interrupted{lost}: {event.about}", _EFFECTS[event.effect]]


# --- insurance


def _insurance_missed(voice: Speaker, event: e.InsuranceMissed) -> Said:
    return [f"insurance was not offered {WINDOWS[event.window]}", *offer_words(event.offers)]


def _intention_noted(voice: Speaker, event: e.IntentionNoted) -> Said:
    points = f"{event.own} against {event.other}"
    return f"{event.person} had meant to insure {side(event.hand)} {WINDOWS[event.window]}, {points}"


def _insurance_moved(voice: Speaker, event: e.InsuranceMoved) -> Said:
    lay, belongs = side(event.hand), side(event.hand.other)
    return f"{event.person}'s insurance in box {event.box}{_of_round(event.round)} goes from {lay} to {belongs}"


def _insurance_reread(voice: Speaker, event: e.InsuranceReread) -> Said:
    what = f"{event.person}'s insurance on {side(event.hand)} in box {event.box}{_of_round(event.round)}"
    if event.odds is None:
        return f"{what} goes back: as cards and bets count, there was nothing to insure"
    if back := sum(transfer.amount for transfer in event.transfers):
        return f"{voice.money(back)} of {what} goes back: it is over the bet as it stands"
    return f"{what} is at {event.odds}, {event.own} against {event.other} {WINDOWS[event.window]}"


def _bets_returned(voice: Speaker, event: e.BetsReturned) -> Said:
    wagers = [f"box {box}, {person}: {voice.bet(bet)}" for person, box, bet in event.wagers]
    return ["bets go back to those who had meant to insure them", *wagers]


# --- rounds that were settled


def _round_reopened(voice: Speaker, event: e.RoundReopened) -> Said:
    return f"round {event.number} is played on"


def _round_settled_again(voice: Speaker, event: e.RoundSettledAgain) -> Said:
    said = f"round {event.number} is settled again, {event.coup}"
    if event.void:
        said = f"round {event.number} is void after all{voice.because(event.reason)}"
    lines = (settled_line(voice, line) for line in event.lines)
    return [said, *lines, *commission_line(voice, event.commission)]


def _debt_settled(voice: Speaker, event: e.DebtSettled) -> Said:
    if event.how == "written_off":
        return f"the House writes off {voice.money(event.amount)} that {event.person} owes"
    return f"{event.person} pays {voice.money(event.amount)} of what is owed"


def _commission_collected(voice: Speaker, event: e.CommissionCollected) -> Said:
    said = f"{event.person} pays {voice.money(event.amount)} of commission that was marked"
    return [said, f"{voice.money(event.owed)} of it is owed"] if event.owed else said


# --- corrections of the record


def _card_corrected(voice: Speaker, event: e.CardCorrected) -> Said:
    return f"card {event.number} of round {event.round} was {event.card}, not {card_words(event.was)}"


def _bet_corrected(voice: Speaker, event: e.BetCorrected) -> Said:
    wager = voice.wager(event.person, event.box, event.bet)
    before = voice.money(event.was) if event.was else "nothing"
    if not event.stake:
        return f"there was no bet on {wager} in round {event.round}; the record had {before}"
    now = f"{voice.money(event.stake)} on {voice.wager(event.person, event.to_box, event.to_bet)}"
    if (event.to_box, event.to_bet) == (event.box, event.bet):
        return f"the bet in round {event.round} was {now}; the record had {before}"
    return f"the bet in round {event.round} was {now}; the record had {before} on {wager}"


def _insurance_corrected(voice: Speaker, event: e.InsuranceCorrected) -> Said:
    box = f"{event.hand.value}_insurance"
    before = voice.money(event.was) if event.was else "nothing"
    wager = voice.wager(event.person, event.box, box)
    if not event.stake:
        return f"there was no bet on {wager} in round {event.round}; the record had {before}"
    now = voice.wager(event.person, event.to_box, f"{event.to_hand.value}_insurance")
    said = f"the bet in round {event.round} was {voice.money(event.stake)} on {now}"
    if now == wager:
        return f"{said}; the record had {before}"
    return f"{said}; the record had {before} on {wager}"


def _hand_corrected(voice: Speaker, event: e.HandCorrected) -> Said:
    was = f", not at {side(event.was)}" if event.was else ""
    return f"card {event.number} of round {event.round} lies at {side(event.hand)}{was}"


def _card_struck(voice: Speaker, event: e.CardStruck) -> Said:
    return f"card {event.number} of round {event.round} never left the shoe; the record had {card_words(event.card)}"


def _card_added(voice: Speaker, event: e.CardAdded) -> Said:
    place = f"after card {event.after}" if event.after else "before all others"
    card = f"{event.card}, card {event.number}"
    return f"{card}, left the shoe in round {event.round} {place}, for {side(event.hand)}"


def _order_corrected(voice: Speaker, event: e.OrderCorrected) -> Said:
    became = zip(sorted(event.cards), event.became, strict=True)
    return f"in round {event.round} " + ", ".join(f"card {number} was {card}" for number, card in became)


def _cards_told(voice: Speaker, event: e.CardsTold) -> Said:
    said = f"in round {event.round} {' '.join(map(str, event.cards))} left the shoe"
    if not event.left_over:
        return said
    goes = _GOES["next_round" if event.carried else "discarded"]
    return [said, f"{' '.join(map(str, event.left_over))}{goes}"]


def _round_played_again(voice: Speaker, event: e.RoundPlayedAgain) -> Said:
    said = f"round {event.number} is played again, {event.coup}"
    return [said, *(settled_line(voice, line) for line in event.returned)]


def _call_corrected(voice: Speaker, event: e.CallCorrected) -> Said:
    return f"the dealer called {event.result}, not {event.was}"


# --- disputes


def _dispute_raised(voice: Speaker, event: e.DisputeRaised) -> Said:
    about = f" about round {event.round}" if event.round else ""
    return f"{event.person} raises dispute {event.number}{about}: {event.about}"


_STEPS = {
    "resolved": "dispute {} is resolved",
    "escalated": "dispute {} is escalated",
    "facts": "facts on dispute {} are noted",
    "surveillance": "Surveillance is informed of dispute {}",
    "time_frame": "a time frame is given for dispute {}",
    "right_told": "the player of dispute {} is told of the right to complain",
    "complaint_filed": "a complaint is filed over dispute {}",
    "complaint_waived": "no complaint is filed over dispute {}",
}


def _dispute_noted(voice: Speaker, event: e.DisputeNoted) -> Said:
    return f"{_STEPS[event.what].format(event.dispute)}, by {event.by}: {event.note}"


def _dispute_decided(voice: Speaker, event: e.DisputeDecided) -> Said:
    said: list[str | Told] = [f"{event.by} decides dispute {event.dispute}: {event.decision}"]
    for ground, paragraph in zip(event.grounds, event.cited, strict=True):
        said.append(Told(f"on the ground of {ground.replace('_', ' ')}", voice.cite(paragraph)))
    if event.pays:
        said.append(f"the {'House' if event.pays > 0 else 'player'} pays {voice.money(abs(event.pays))}")
    return said


def _dispute_answered(voice: Speaker, event: e.DisputeAnswered) -> Said:
    agrees = "agrees" if event.agrees else "does not agree"
    return f"{event.person} {agrees} with the decision of dispute {event.dispute}"


WENT_WRONG: dict[type[e.Event], Callable[[Speaker, Any], Said]] = {
    e.IncidentOpened: _incident_opened,
    e.IncidentClosed: _incident_closed,
    e.Noted: _noted,
    e.RulingProposed: _ruling_proposed,
    e.RulingGiven: _ruling_given,
    e.RulingDeclined: _ruling_declined,
    e.StakeRuled: _stake_ruled,
    e.CardsArranged: _cards_arranged,
    e.CardValued: _card_valued,
    e.CardsRetrieved: _cards_retrieved,
    e.EarlyCardDrawn: _early_card_drawn,
    e.CarriedCardsDealt: _carried_cards_dealt,
    e.FreeHandCalled: _free_hand_called,
    e.PlayedFree: _played_free,
    e.ShoeToBeReplaced: _shoe_to_be_replaced,
    e.ShoeChoiceDue: _shoe_choice_due,
    e.ShoeChoiceGiven: _shoe_choice_given,
    e.ShoeChosen: _shoe_chosen,
    e.ShoeKept: _shoe_kept,
    e.OptionsGiven: _options_given,
    e.OptionTaken: _option_taken,
    e.PlayInterrupted: _play_interrupted,
    e.InsuranceMissed: _insurance_missed,
    e.IntentionNoted: _intention_noted,
    e.InsuranceMoved: _insurance_moved,
    e.InsuranceReread: _insurance_reread,
    e.BetsReturned: _bets_returned,
    e.RoundReopened: _round_reopened,
    e.RoundSettledAgain: _round_settled_again,
    e.MoneyRuled: _pay,
    e.DebtSettled: _debt_settled,
    e.CommissionCollected: _commission_collected,
    e.CardCorrected: _card_corrected,
    e.BetCorrected: _bet_corrected,
    e.InsuranceCorrected: _insurance_corrected,
    e.HandCorrected: _hand_corrected,
    e.CardStruck: _card_struck,
    e.CardAdded: _card_added,
    e.OrderCorrected: _order_corrected,
    e.CardsTold: _cards_told,
    e.RoundPlayedAgain: _round_played_again,
    e.CallCorrected: _call_corrected,
    e.ConfirmationCorrected: _correct_payout,
    e.DisputeRaised: _dispute_raised,
    e.DisputeNoted: _dispute_noted,
    e.DisputeDecided: _dispute_decided,
    e.DisputeAnswered: _dispute_answered,
}
"""Event → its sentence."""
