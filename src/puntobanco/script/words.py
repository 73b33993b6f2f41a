"""What happened, in sentences: an event as a dealer would tell it, each with the paragraph it rests on."""

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
)
from puntobanco.script.words_rulings import WENT_WRONG
from puntobanco.table import events as e

__all__ = ["Told", "Voice"]


class Voice(Speaker, frozen=True):
    """Tells the events of a table."""

    def tell(self, event: e.Event) -> list[Told]:
        """The event in a sentence, and one more for each part of it that needs its own."""
        said = _WORDS[type(event)](self, event)
        first, *others = [said] if isinstance(said, str) else said
        head = Told(first, self.cite(getattr(event, "paragraph", ""))) if isinstance(first, str) else first
        return [head, *(Told(other) if isinstance(other, str) else other for other in others)]


# --- the table and its people


def _table_opened(voice: Voice, event: e.TableOpened) -> Said:
    settings = event.settings
    title = voice.book.title if voice.book else settings.game
    said = f"table {settings.table} opens: {title}, layout {settings.layout}, "
    said += f"{counted(settings.positions, 'position')}, {counted(settings.decks, 'deck')}"
    if not event.opening_float:
        return said
    return [said, f"float {voice.total(event.opening_float)}: {voice.chips(event.opening_float)}"]


def _table_closed(voice: Voice, event: e.TableClosed) -> Said:
    day = (
        f"closing {voice.money(event.closing)} + credits {voice.money(event.credits)} + drop {voice.money(event.drop)} "
        f"− opening {voice.money(event.opening)} − fills {voice.money(event.fills)} = {voice.money(event.result)}"
    )
    count = "the count agrees with the ledger"
    if event.difference:
        count = f"the count is off by {voice.signed(event.difference)}"
    return [f"the table closes with a result of {voice.signed(event.result)}", day, count]


def _limits_set(voice: Voice, event: e.LimitsSet) -> Said:
    which = voice.bet(event.bet) if event.bet else "all bets without their own"
    before, after = (voice.limits(limits) for limits in (event.before, event.limits))
    return f"limits on {which} from round {event.round}: {after} (before: {before})"


def _insurance_waived(voice: Voice, event: e.InsuranceWaived) -> Said:
    what = "insurance is offered again" if event.offered else "no insurance is offered, as the notice says"
    return f"from round {event.round} on {what}: {event.person} asked for it, and {event.by} allowed it"


def _differential_set(voice: Voice, event: e.DifferentialSet) -> Said:
    before, after = (voice.differential(limit) for limit in (event.before, event.differential))
    return f"Differential from round {event.round}: {after} (before: {before})"


def _staff_signed_on(voice: Voice, event: e.StaffSignedOn) -> Said:
    return f"{event.person} signs on as {voice.rank(event.rank).title}"


def _staff_signed_off(voice: Voice, event: e.StaffSignedOff) -> Said:
    return f"{event.person} signs off"


def _player_joined(voice: Voice, event: e.PlayerJoined) -> Said:
    said = f"{event.person} {'sits at' if event.seated else 'stands behind'} box {event.box}"
    kept = sum(move.amount for move in event.transfers)
    return f"{said} and gets {voice.money(kept)} that the House kept" if kept else said


def _player_left(voice: Voice, event: e.PlayerLeft) -> Said:
    chips = sum(move.amount for move in event.transfers if move.source.startswith("chips:"))
    return f"{event.person} leaves with {voice.money(chips)} in chips" if chips else f"{event.person} leaves"


# --- money


def _money_moved(voice: Voice, event: e.MoneyMoved) -> Said:
    amount = voice.money(event.amount)
    if event.via == "found" and event.kind == "chips_out":
        return f"{amount} of {event.person}'s chips were never there"
    if event.via == "found":
        return f"{event.person} has {amount} more in chips than was recorded"
    return {
        "buy_in": f"{event.person} buys in for {amount}, from the account"
        if event.via == "account"
        else f"{event.person} buys in for {amount} in cash",
        "cash_out": f"{event.person} cashes out {amount} to the account",
        "chips_in": f"{event.person} brings {amount} in chips from the floor",
        "chips_out": f"{event.person} takes {amount} in chips to the floor",
        "tip": f"{event.person} tips {amount}",
    }[event.kind]


def _fill_requested(voice: Voice, event: e.FillRequested) -> Said:
    amount, chips = voice.total(event.chips), voice.chips(event.chips)
    return f"{event.by} asks for {event.kind} {event.request} of {amount}: {chips}"


def _fill_signed(voice: Voice, event: e.FillSigned) -> Said:
    way = "from the cage" if event.kind == "fill" else "to the cage"
    signatures = and_words(event.signatures)
    return f"{event.kind} {event.request} of {voice.money(event.amount)} {way}, signed by {signatures}"


def _fill_cancelled(voice: Voice, event: e.FillCancelled) -> Said:
    return f"{event.request} is cancelled"


def _suspect_held(voice: Voice, event: e.SuspectHeld) -> Said:
    amount = voice.money(event.amount)
    of = f" of {event.person}" if event.person else " from the tray" if event.what == "chips" else " from the drop box"
    said = f"suspect {event.number}: {amount} in {event.what}{of} may be counterfeit and is held apart"
    return f"{said}{done_by(event.by)}: {event.about}"


def _suspect_resolved(voice: Voice, event: e.SuspectResolved) -> Said:
    amount = voice.money(event.amount)
    how = "is genuine and goes back" if event.genuine else "is counterfeit and is taken out"
    return f"suspect {event.number}: {amount} in {event.what} {how}, as {event.by} says: {event.finding}"


# --- the shoe


def _shoe_started(voice: Voice, event: e.ShoeStarted) -> Said:
    what = f"shuffler, set {event.number}" if event.shuffler else f"shoe {event.number}"
    said = f"{what}, {event.cards} cards: {event.evidence}"
    return [said, f"its order is committed to: {event.commitment}"] if event.commitment else said


def _shoe_cut(voice: Voice, event: e.ShoeCut) -> Said:
    return f"{event.person} cuts after {counted(event.position, 'card')}"


def _seeds_asked(voice: Voice, event: e.SeedsAsked) -> Said:
    said = "players may pledge seeds"
    return [said, f"no more of {and_words(event.unkept)}"] if event.unkept else said


def _seed_pledged(voice: Voice, event: e.SeedPledged) -> Said:
    return f"{event.person} pledges a seed: {event.pledge}"


def _seeds_due(voice: Voice, event: e.SeedsDue) -> Said:
    return "the seeds that were pledged are to be shown"


def _seed_shown(voice: Voice, event: e.SeedShown) -> Said:
    return f"{event.person} shows the seed {event.seed}"


def _shoe_mixed(voice: Voice, event: e.ShoeMixed) -> Said:
    said = f"the shoe is mixed by {counted(len(event.seeds), 'seed') if event.seeds else 'no seed'}"
    return [said, f"{and_words(event.withheld)} did not show what was pledged"] if event.withheld else said


def _cards_burnt(voice: Voice, event: e.CardsBurnt) -> Said:
    shown = " ".join(str(card) for card in event.cards if card)
    return f"{counted(len(event.cards), 'card')} burnt" + (f", shown {shown}" if shown else "")


def _cut_card_appeared(voice: Voice, event: e.CutCardAppeared) -> Said:
    left = event.rounds_left
    return "the Cut Card appears: " + (f"{counted(left, 'more round')}" if left else "this is the last round")


def _cards_returned(voice: Voice, event: e.CardsReturned) -> Said:
    said = f"{counted(event.cards, 'discard')} {'goes' if event.cards == 1 else 'go'} back into the shuffler"
    return [said, f"its order is committed to: {event.commitment}"] if event.commitment else said


def _shoe_ended(voice: Voice, event: e.ShoeEnded) -> Said:
    drawn = f"{counted(event.drawn, 'card')} drawn, {event.discards} in the discard holder"
    return f"shoe {event.number} ends, {drawn}{voice.because(event.reason)}"


# --- the round


def _round_called(voice: Voice, event: e.RoundCalled) -> Said:
    return f"round {event.number}: place your bets"


def _wagers_placed(voice: Voice, event: e.WagersPlaced) -> Said:
    bets = and_words(f"{voice.money(stake)} on {voice.bet(bet)}" for bet, stake in event.wagers.items())
    return f"{event.person} bets {bets} in box {event.box}{done_by(event.by)}"


_REDUCED = {
    "withdrawn": "{person} withdraws {amount} from {bet} in box {box}",
    "yielded": "{person} yields {amount} on {bet} in box {box} to a seated player",
    "rejected": "{person}'s {amount} on {bet} in box {box} is over the Differential and goes back",
    "below_minimum": "{person}'s {amount} on {bet} in box {box} is below the minimum and goes back",
    "above_maximum": "{person}'s {amount} on {bet} in box {box} is above the maximum and goes back",
}


def _wager_reduced(voice: Voice, event: e.WagerReduced) -> Said:
    said = _REDUCED[event.why].format(
        person=event.person, amount=voice.money(event.amount), bet=voice.bet(event.bet), box=event.box
    )
    return f"{said}, by {event.by}" if event.by else said


def _bets_closed(voice: Voice, event: e.BetsClosed) -> Said:
    return "no more bets"


def _squeeze_asked(voice: Voice, event: e.SqueezeAsked) -> Said:
    if event.early:
        seen = "to squeeze" if event.early == "squeeze" else "to have exposed"
        return f"{event.person} asks {seen} Banker's third card before Player's"
    return f"{event.person} asks to squeeze {side(event.hand)}'s cards"


def _squeeze_answered(voice: Voice, event: e.SqueezeAnswered) -> Said:
    if not event.granted:
        return f"the House does not consent: {event.person} does not squeeze"
    if event.early:
        done = "squeezes it" if event.early == "squeeze" else "sees it"
        return f"the House consents: {event.person} {done}, and insurance after Player's third card is waived"
    return f"{event.person} squeezes {side(event.hand)}'s cards"


def _squeeze_barred(voice: Voice, event: e.SqueezeBarred) -> Said:
    return f"{event.person} may not squeeze in this round{voice.because(event.reason)}"


def _cards_dealt(voice: Voice, event: e.CardsDealt) -> Said:
    dealt = list(zip(event.hands, event.cards, strict=True))
    hands = {hand: " ".join(str(card) for of, card in dealt if of is hand) for hand in Side if hand in event.hands}
    return ", ".join(f"{side(hand)} gets {cards}" for hand, cards in hands.items())


def _card_drawn(voice: Voice, event: e.CardDrawn) -> Said:
    return f"card {event.number} leaves the shoe: {card_words(event.card)}"


def _card_put(voice: Voice, event: e.CardPut) -> Said:
    return f"card {event.number} is put at {side(event.hand)}"


def _card_turned(voice: Voice, event: e.CardTurned) -> Said:
    early = " before its round" if event.paragraph else ""
    return f"card {event.number} is turned{early}: {event.card}"


def _insurance_offered(voice: Voice, event: e.InsuranceOffered) -> Said:
    late = ", late: winnings are capped at the Original Bet" if event.late else ""
    return [f"insurance is offered {WINDOWS[event.window]}{late}", *offer_words(event.offers)]


def _insured(voice: Voice, event: e.Insured) -> Said:
    points = f"{event.own} against {event.other}"
    return (
        f"{event.person} insures {side(event.hand)} for {voice.money(event.amount)} in box {event.box}, "
        f"{points}, at {event.odds}{done_by(event.by)}"
    )


def _insurance_passed(voice: Voice, event: e.InsurancePassed) -> Said:
    return f"{event.person} takes no insurance"


def _insurance_closed(voice: Voice, event: e.InsuranceClosed) -> Said:
    if not event.forgone:
        return "no more insurance"
    have = "has" if len(event.forgone) == 1 else "have"
    return f"no more insurance: {and_words(event.forgone)} {have} forgone it for the round"


def _result_called(voice: Voice, event: e.ResultCalled) -> Said:
    return f"the dealer calls {event.result} out of turn: the cards decide"


def _result_announced(voice: Voice, event: e.ResultAnnounced) -> Said:
    winner = "tie" if event.result == "tie" else f"{event.result.title()} wins"
    said = f"{winner}: Player {event.player_total}, Banker {event.banker_total}"
    return f"{said}, though the dealer called {event.called}" if event.called else said


def _round_settled(voice: Voice, event: e.RoundSettled) -> Said:
    lines = [settled_line(voice, line) for line in event.lines]
    if not lines:
        return f"round {event.number} has no bets to settle, {event.coup}"
    return [f"round {event.number} is settled, {event.coup}", *lines, *commission_line(voice, event.commission)]


def _round_voided(voice: Voice, event: e.RoundVoided) -> Said:
    return f"round {event.number} is void and every bet goes back{voice.because(event.reason)}"


def _boxes(boxes: tuple[int, ...]) -> str:
    return numbered("box", "boxes", boxes)


def _boxes_confirmed(voice: Voice, event: e.BoxesConfirmed) -> Said:
    return f"{_boxes(event.boxes)} confirmed{' by the chip reader' if event.by_reader else ''}"


def _confirmation_overridden(voice: Voice, event: e.ConfirmationOverridden) -> Said:
    return f"play goes on without confirmation of {_boxes(event.boxes)}{voice.because(event.reason)}"


def _round_ended(voice: Voice, event: e.RoundEnded) -> Said:
    return f"round {event.number} is over"


def _bet_found(voice: Voice, event: e.BetFound) -> Said:
    when = "before the close" if event.noticed else "after the close"
    chips = f"{event.person}'s {voice.money(event.amount)} on {voice.bet(event.bet)} in box {event.box}"
    return f"{chips} is found, {when}"


def _late_chips(voice: Voice, event: e.LateChipsRefused) -> Said:
    chips = f"{event.person}'s {voice.money(event.amount)} on {voice.bet(event.bet)} in box {event.box}"
    if event.what == "placed":
        return f"{chips} comes too late and goes back"
    if event.waits:
        return f"{chips} is taken away too late: a ruling decides what stands"
    return f"{chips} is taken away too late and plays as if it were there"


def _walked_away(voice: Voice, event: e.WalkedAway) -> Said:
    return f"{event.person} walks away; the bets are settled as usual"


def _came_back(voice: Voice, event: e.CameBack) -> Said:
    return f"{event.person} is back"


_CUTS = {"below_minimum": "below the minimum", "above_maximum": "above the maximum", "pro_rata": "pro rata"}


def _stakes_stand(voice: Voice, event: e.StakesStand) -> Said:
    if not event.cuts:
        return "bets that nobody noticed in time stand as they are"
    cuts = [
        Told(
            f"box {cut.box}, {cut.person}: {voice.money(cut.amount)} on {voice.bet(cut.bet)} back, {_CUTS[cut.why]}",
            voice.cite(cut.paragraph),
        )
        for cut in event.cuts
    ]
    if event.in_full:
        cuts.append(Told("what is below the minimum stands in full", voice.cite(event.in_full)))
    return ["of bets that nobody noticed in time, some goes back", *cuts]


_FAULTS = {
    "foreign_card": "a foreign card is found",
    "wrong_card_set": "cards are missing or too many",
    "unshuffled": "the cards were not shuffled",
}


def _cards_at_fault(voice: Voice, event: e.CardsAtFault) -> Said:
    return f"{_FAULTS[event.fault]}: {voice.about(event.about)}"


def _flagged(voice: Voice, event: e.Flagged) -> Said:
    return f"flagged {event.flag}: {voice.about(event.about)}"


def _flag_cleared(voice: Voice, event: e.FlagCleared) -> Said:
    if event.stands:
        return f"{event.flag}: {voice.about(event.about)}, and it stands: the book sets no limit to what lies there"
    return f"no longer flagged {event.flag}: {voice.about(event.about)}"


_WORDS: dict[type[e.Event], Callable[[Voice, Any], Said]] = {
    e.TableOpened: _table_opened,
    e.TableClosed: _table_closed,
    e.LimitsSet: _limits_set,
    e.DifferentialSet: _differential_set,
    e.InsuranceWaived: _insurance_waived,
    e.StaffSignedOn: _staff_signed_on,
    e.StaffSignedOff: _staff_signed_off,
    e.PlayerJoined: _player_joined,
    e.PlayerLeft: _player_left,
    e.MoneyMoved: _money_moved,
    e.FillRequested: _fill_requested,
    e.FillSigned: _fill_signed,
    e.FillCancelled: _fill_cancelled,
    e.SuspectHeld: _suspect_held,
    e.SuspectResolved: _suspect_resolved,
    e.ShoeStarted: _shoe_started,
    e.ShoeCut: _shoe_cut,
    e.CardsBurnt: _cards_burnt,
    e.SeedsAsked: _seeds_asked,
    e.SeedPledged: _seed_pledged,
    e.SeedsDue: _seeds_due,
    e.SeedShown: _seed_shown,
    e.ShoeMixed: _shoe_mixed,
    e.CutCardAppeared: _cut_card_appeared,
    e.ShoeEnded: _shoe_ended,
    e.CardsReturned: _cards_returned,
    e.RoundCalled: _round_called,
    e.WagersPlaced: _wagers_placed,
    e.WagerReduced: _wager_reduced,
    e.BetsClosed: _bets_closed,
    e.SqueezeAsked: _squeeze_asked,
    e.SqueezeAnswered: _squeeze_answered,
    e.SqueezeBarred: _squeeze_barred,
    e.CardsDealt: _cards_dealt,
    e.CardDrawn: _card_drawn,
    e.CardPut: _card_put,
    e.CardTurned: _card_turned,
    e.InsuranceOffered: _insurance_offered,
    e.Insured: _insured,
    e.InsurancePassed: _insurance_passed,
    e.InsuranceClosed: _insurance_closed,
    e.ResultAnnounced: _result_announced,
    e.ResultCalled: _result_called,
    e.RoundSettled: _round_settled,
    e.RoundVoided: _round_voided,
    e.BoxesConfirmed: _boxes_confirmed,
    e.ConfirmationOverridden: _confirmation_overridden,
    e.RoundEnded: _round_ended,
    e.BetFound: _bet_found,
    e.LateChipsRefused: _late_chips,
    e.WalkedAway: _walked_away,
    e.CameBack: _came_back,
    e.StakesStand: _stakes_stand,
    e.CardsAtFault: _cards_at_fault,
    e.Flagged: _flagged,
    e.FlagCleared: _flag_cleared,
}
_WORDS |= WENT_WRONG
