"""``evolve(table, event)``: the table after something happened. No judgement here; that is :mod:`decide`'s."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from puntobanco.coup import Coup, Hand, reconstruct
from puntobanco.insurance import find_row
from puntobanco.rules.load import find_book
from puntobanco.rules.model import Authority, RuleBook
from puntobanco.table import disputes
from puntobanco.table import events as e
from puntobanco.table.change import (
    asked_too,
    changed,
    current_round,
    in_round,
    in_shoe,
    later,
    matters_left,
    moved,
    open_prefix,
    road_result,
    small_bettors,
    without,
)
from puntobanco.table.entry import Entry
from puntobanco.table.mend import MEND
from puntobanco.table.settings import check_settings
from puntobanco.table.state import (
    BANKER,
    PLAYER,
    Drawn,
    Fill,
    InsuranceWager,
    OpenWindow,
    Person,
    Reckoning,
    Round,
    Shoe,
    Squeeze,
    Table,
    Wager,
)


def evolve(table: Table, event: e.Event) -> Table:
    """The table one event later."""
    return EVOLVE[type(event)](table, event)


def advance(table: Table | None, entry: Entry, book: RuleBook | None = None) -> Table:
    """The table one entry later, which is where a command and its events are seen together.

    The first entry is the opening, by its own book or the one given.
    """
    events: Sequence[e.Event] = entry.events
    if table is None:
        opened, *events = events
        assert isinstance(opened, e.TableOpened), "a table's history begins with its opening"
        table = new_table(opened, book or find_book(opened.settings.game))
    for event in events:
        table = EVOLVE[type(event)](table, event)
    return table


def fold(entries: Iterable[Entry], book: RuleBook | None = None) -> Table:
    """A table from its whole log."""
    table: Table | None = None
    for entry in entries:
        table = advance(table, entry, book)
    assert table is not None, "a log has its opening at least"
    return table


def new_table(event: e.TableOpened, book: RuleBook) -> Table:
    """The table that an opening makes."""
    layout = check_settings(event.settings, book)
    opening = sum(value * count for value, count in event.opening_float.items())
    table = Table(book, layout, event.settings, open=True, version=1, reckoning=Reckoning(opening))
    return replace(table, balances=moved(table.balances, event.transfers))


# --- the table and its people


def _table_closed(table: Table, event: e.TableClosed) -> Table:
    return later(table, open=False)


def _limits_set(table: Table, event: e.LimitsSet) -> Table:
    if not event.bet:
        return later(table, settings=replace(table.settings, limits=event.limits))
    bet_limits = table.settings.bet_limits | {event.bet: event.limits}
    return later(table, settings=replace(table.settings, bet_limits=bet_limits))


def _differential_set(table: Table, event: e.DifferentialSet) -> Table:
    return later(table, settings=replace(table.settings, differential=event.differential))


def _staff_signed_on(table: Table, event: e.StaffSignedOn) -> Table:
    return later(table, people=table.people | {event.person: Person(event.person, event.rank)})


def _gone(table: Table, event: e.StaffSignedOff | e.PlayerLeft) -> Table:
    people = {name: person for name, person in table.people.items() if name != event.person}
    balances = moved(table.balances, event.transfers) if isinstance(event, e.PlayerLeft) else table.balances
    gone = {event.person}
    shoe = table.shoe
    if shoe.choosing and event.person in shoe.choosing:
        shoe = replace(shoe, choosing=shoe.choosing - gone, choices=shoe.choices - 1)
    table = _new_stay(table, event.person)
    return later(
        table,
        people=people,
        balances=balances,
        shoe=shoe,
        absent=table.absent - gone,
        under_minimum=table.under_minimum - gone,
    )


def _new_stay(table: Table, person: str) -> Table:
    """Bets below the minimum of a stay that is over do not count in the next one (reading M)."""

    def over(each: Round) -> Round:
        return replace(each, former=each.former | {person}) if each.settled or each.paid else each

    current = over(table.round) if table.round is not None else None
    last = over(table.last) if table.last is not None else None
    past, previous = tuple(map(over, table.past)), tuple(map(over, table.previous))
    return replace(table, round=current, last=last, past=past, previous=previous)


def _player_joined(table: Table, event: e.PlayerJoined) -> Table:
    person = Person(event.person, Authority.PLAYER, event.box, event.seated)
    balances = moved(table.balances, event.transfers)
    return later(table, people=table.people | {event.person: person}, balances=balances)


# --- money


def _fill_requested(table: Table, event: e.FillRequested) -> Table:
    return later(table, fills=table.fills | {event.request: Fill(event.kind, event.chips, event.by)})


def _without_fill(table: Table, request: str) -> dict[str, Fill]:
    return {name: fill for name, fill in table.fills.items() if name != request}


def _fill_signed(table: Table, event: e.FillSigned) -> Table:
    reckoning = table.reckoning
    if event.kind == "fill":
        reckoning = replace(reckoning, fills=reckoning.fills + event.amount)
    else:
        reckoning = replace(reckoning, credits=reckoning.credits + event.amount)
    balances = moved(table.balances, event.transfers)
    return later(table, fills=_without_fill(table, event.request), reckoning=reckoning, balances=balances)


def _fill_cancelled(table: Table, event: e.FillCancelled) -> Table:
    return later(table, fills=_without_fill(table, event.request))


# --- the shoe


def _shoe_started(table: Table, event: e.ShoeStarted) -> Table:
    shoe = Shoe(
        event.number,
        event.cards,
        commitment=event.commitment,
        burn_due=table.settings.burn not in ("none", 0),
        ended=False,
    )
    # a shoe without a round leaves those of the one before it the latest
    return later(table, shoe=shoe, results=(), past=(), previous=table.past or table.previous)


def _shoe_cut(table: Table, event: e.ShoeCut) -> Table:
    return later(table)


def _cards_burnt(table: Table, event: e.CardsBurnt) -> Table:
    burnt = len(event.cards)
    shoe = table.shoe
    return in_shoe(
        table,
        drawn=shoe.drawn + burnt,
        burnt=shoe.burnt + burnt,
        discards=shoe.discards + burnt,
        burn_due=False,
    )


def _cut_card_appeared(table: Table, event: e.CutCardAppeared) -> Table:
    current = table.round
    # a card that is out already comes before it
    first = current is not None and not current.cards and not table.carried
    cut_next = current is None and not table.carried
    after = in_shoe(table, cut_seen=True, rounds_left=event.rounds_left, cut_next=cut_next)
    return replace(after, round=replace(current_round(after), cut_first=True)) if first else after


def _shoe_ended(table: Table, event: e.ShoeEnded) -> Table:
    return later(
        table,
        shoe=replace(table.shoe, ended=True, discards=event.discards, choosing=None, choice_due=False),
        carried=(),
    )


# --- betting


def _round_called(table: Table, event: e.RoundCalled) -> Table:
    left = table.shoe.rounds_left
    shoe = replace(table.shoe, rounds_left=left - 1, cut_next=False) if left else table.shoe
    called = Round(event.number, event.until, table.version + 1, table.settings, cut_first=table.shoe.cut_next)
    return later(table, round=called, rounds=event.number, shoe=shoe, absent=frozenset())


def _wagers_placed(table: Table, event: e.WagersPlaced) -> Table:
    current = current_round(table)
    name, box = event.person, event.box
    person = table.people[name]
    seated = person.seated and person.box == box
    wagers = current.wagers.copy()
    order = current.placements
    for bet, amount in event.wagers.items():
        key = (name, box, bet)
        before = wagers.get(key)
        wagers[key] = Wager(name, box, bet, amount + before.stake if before else amount, order, seated)
        order += 1
    player, banker = table.on_hands(event.wagers)
    return replace(
        table,
        version=table.version + 1,
        round=replace(
            current,
            wagers=wagers,
            placements=order,
            on_player=current.on_player + player,
            on_banker=current.on_banker + banker,
        ),
        balances=moved(table.balances, event.transfers),
    )


def _wager_reduced(table: Table, event: e.WagerReduced) -> Table:
    current = current_round(table)
    wagers = current.wagers.copy()
    key = (event.person, event.box, event.bet)
    left = wagers[key].stake - event.amount
    back = current.taken_back
    if current.closed:
        back = (*back, replace(wagers[key], stake=event.amount))
    if left:
        wagers[key] = replace(wagers[key], stake=left)
    else:
        del wagers[key]
    player, banker = table.on_hands({event.bet: event.amount})
    return later(
        table,
        round=replace(
            current,
            wagers=wagers,
            on_player=current.on_player - player,
            on_banker=current.on_banker - banker,
            taken_back=back,
        ),
        balances=moved(table.balances, event.transfers),
    )


def _bets_closed(table: Table, event: e.BetsClosed) -> Table:
    return replace(table, version=table.version + 1, round=replace(current_round(table), closed=True))


# --- cards


def _squeeze_asked(table: Table, event: e.SqueezeAsked) -> Table:
    current = current_round(table)
    asked = Squeeze(event.person, event.hand, event.early, after=len(current.cards))
    return in_round(table, squeezes=(*current.squeezes, asked))


def _squeeze_answered(table: Table, event: e.SqueezeAnswered) -> Table:
    current = current_round(table)
    squeezes = tuple(
        replace(squeeze, granted=event.granted)
        if (squeeze.person, squeeze.hand, squeeze.early, squeeze.granted)
        == (event.person, event.hand, event.early, None)
        else squeeze
        for squeeze in current.squeezes
    )
    waived = current.waived or bool(event.early and event.granted)
    return in_round(table, squeezes=squeezes, waived=waived)


def _squeeze_barred(table: Table, event: e.SqueezeBarred) -> Table:
    current = current_round(table)
    squeezes = tuple(squeeze for squeeze in current.squeezes if squeeze.person != event.person)
    return in_round(table, squeezes=squeezes, barred=current.barred | {event.person})


def _with_cards(table: Table, cards: tuple[Drawn, ...], coup: Coup, drawn: int = 0, hidden: int = 0) -> Table:
    """The round with these cards; ``drawn`` more have left the shoe, ``hidden`` more lie face down."""
    current = current_round(table)
    return replace(
        table,
        version=table.version + 1,
        round=replace(current, cards=cards, coup=coup, hidden=current.hidden + hidden),
        shoe=replace(table.shoe, drawn=table.shoe.drawn + drawn) if drawn else table.shoe,
    )


def _cards_dealt(table: Table, event: e.CardsDealt) -> Table:
    current = current_round(table)
    dealt, player, banker = current.cards, current.coup.player.cards, current.coup.banker.cards
    for card, hand in zip(event.cards, event.hands, strict=True):
        dealt += (Drawn(card, hand, True),)
        if hand is PLAYER:
            player += (card,)
        else:
            banker += (card,)
    return _with_cards(table, dealt, Coup(Hand(player), Hand(banker)), len(event.cards))


def _card_drawn(table: Table, event: e.CardDrawn) -> Table:
    current = current_round(table)
    if current.hidden and len(current.cards) >= 4:
        table = replace(table, round=replace(current, drawn_over=True))
    return _with_cards(table, (*current.cards, Drawn(event.card)), current.coup, drawn=1, hidden=1)


def _card_put(table: Table, event: e.CardPut) -> Table:
    current = current_round(table)
    return _with_cards(table, changed(current.cards, event.number, hand=event.hand), current.coup)


def _card_turned(table: Table, event: e.CardTurned) -> Table:
    out = len(table.round.cards) if table.round is not None else 0
    if event.number > out:
        waiting = changed(table.carried, event.number - out, card=event.card, turned=True, early=False)
        return later(table, carried=waiting)
    cards = changed(current_round(table).cards, event.number, card=event.card, turned=True)
    return _with_cards(table, cards, reconstruct(open_prefix(cards)).coup, hidden=-1)


# --- insurance


def _insurance_offered(table: Table, event: e.InsuranceOffered) -> Table:
    return in_round(table, window=OpenWindow(event.window, event.offers, event.until, late=event.late))


def _insured(table: Table, event: e.Insured) -> Table:
    current = current_round(table)
    row = find_row(table.book, event.window, event.hand, event.own, event.other)
    if row is None:
        # staff put it in the wrong box: it insures the other hand
        belongs = BANKER if event.hand is PLAYER else PLAYER
        row = find_row(table.book, event.window, belongs, event.other, event.own)
    assert row is not None
    points = (event.own, event.other)
    late = current.window is not None and current.window.late
    taken = InsuranceWager(event.person, event.box, event.hand, event.amount, row, points, event.by, late=late)
    return later(
        table,
        round=replace(current, insurance=(*current.insurance, taken)),
        balances=moved(table.balances, event.transfers),
    )


def _insurance_passed(table: Table, event: e.InsurancePassed) -> Table:
    window = current_round(table).window
    assert window is not None
    return in_round(table, window=replace(window, answered=window.answered | {event.person}))


def _insurance_closed(table: Table, event: e.InsuranceClosed) -> Table:
    current = current_round(table)
    return in_round(
        table,
        window=None,
        windows_past=current.windows_past | {event.window},
        offered=(*current.offered, current.window) if current.window is not None else current.offered,
        forgone=current.forgone | frozenset(event.forgone),
    )


# --- the end of the round


def _result_announced(table: Table, event: e.ResultAnnounced) -> Table:
    return in_round(table, announced=True, called=event.called or event.result)


def _round_settled(table: Table, event: e.RoundSettled) -> Table:
    current = current_round(table)
    boxes = frozenset([line.box for line in event.lines])
    small = small_bettors(current, event.lines) if current.small else frozenset()
    return later(
        table,
        round=replace(current, settled=True, settled_on=current.coup, lines=event.lines, unconfirmed=boxes),
        balances=moved(table.balances, event.transfers),
        results=(*table.results, road_result(current.coup, current.free)),
        under_minimum=table.under_minimum | small if small else table.under_minimum,
    )


def _round_voided(table: Table, event: e.RoundVoided) -> Table:
    return later(
        table,
        round=replace(
            current_round(table),
            closed=True,
            voided=True,
            void_paragraph=event.paragraph,
            void_reason=event.reason,
            window=None,
            options=None,
            all_back=None,
        ),
        balances=moved(table.balances, event.transfers),
        flags={},
        **matters_left(table),
    )


def _boxes_confirmed(table: Table, event: e.BoxesConfirmed) -> Table:
    return in_round(table, unconfirmed=current_round(table).unconfirmed.difference(event.boxes))


def _confirmation_overridden(table: Table, event: e.ConfirmationOverridden) -> Table:
    return in_round(table, unconfirmed=frozenset())


def _round_ended(table: Table, event: e.RoundEnded) -> Table:
    shoe = table.shoe
    # once cards were dealt it is too late to burn
    due = shoe.burn_due and not shoe.drawn
    shoe = replace(shoe, discards=event.discards, rounds=shoe.rounds + 1, burn_due=due)
    over = current_round(table)
    return later(table, round=None, last=over, past=(*table.past, over), shoe=shoe, flags={}, **matters_left(table))


# --- what went wrong


def _bet_found(table: Table, event: e.BetFound) -> Table:
    placed = e.WagersPlaced(event.person, event.box, {event.bet: event.amount}, event.transfers)
    after = _wagers_placed(table, placed)
    current = replace(current_round(after), found=True, unnoticed=current_round(after).unnoticed or not event.noticed)
    return replace(after, round=asked_too(table, current_round(table), current, event.person))


def _nothing_but_the_record(table: Table, event: e.LateChipsRefused) -> Table:
    return later(table)


def _walked_away(table: Table, event: e.WalkedAway) -> Table:
    current = current_round(table)
    if table.book.insurance and table.settings.forgo == "round":
        # back before the end of the round, but too late for its insurance (tiger-buffalo 5.3)
        current = replace(current, forgone=current.forgone | {event.person})
    return later(table, round=current, absent=table.absent | {event.person})


def _came_back(table: Table, event: e.CameBack) -> Table:
    return later(table, absent=table.absent - {event.person})


def _stakes_stand(table: Table, event: e.StakesStand) -> Table:
    laid, limits_of = current_round(table).wagers, current_round(table).settings.limits_of
    small = frozenset(key for key, wager in laid.items() if wager.stake < limits_of(wager.bet).minimum)
    current = without(table, ((cut.person, cut.box, cut.bet, cut.amount) for cut in event.cuts))
    current = replace(current, unnoticed=False, small=small, laid=laid)
    return later(table, round=current, balances=moved(table.balances, event.transfers))


def _stake_ruled(table: Table, event: e.StakeRuled) -> Table:
    off = sum(transfer.amount for transfer in event.transfers)
    current = without(table, ((event.person, event.box, event.bet, off),) if off else ())
    return later(table, round=current, balances=moved(table.balances, event.transfers))


def _cards_at_fault(table: Table, event: e.CardsAtFault) -> Table:
    return in_shoe(table, at_fault=True)


def _flagged(table: Table, event: e.Flagged) -> Table:
    return later(table, flags=table.flags | {(event.flag, event.about): event.paragraph})


def _flag_cleared(table: Table, event: e.FlagCleared) -> Table:
    flags = {key: paragraph for key, paragraph in table.flags.items() if key != (event.flag, event.about)}
    return later(table, flags=flags)


EVOLVE: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.TableClosed: _table_closed,
    e.LimitsSet: _limits_set,
    e.DifferentialSet: _differential_set,
    e.StaffSignedOn: _staff_signed_on,
    e.StaffSignedOff: _gone,
    e.PlayerJoined: _player_joined,
    e.PlayerLeft: _gone,
    e.FillRequested: _fill_requested,
    e.FillSigned: _fill_signed,
    e.FillCancelled: _fill_cancelled,
    e.ShoeStarted: _shoe_started,
    e.ShoeCut: _shoe_cut,
    e.CardsBurnt: _cards_burnt,
    e.CutCardAppeared: _cut_card_appeared,
    e.ShoeEnded: _shoe_ended,
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
    e.RoundSettled: _round_settled,
    e.RoundVoided: _round_voided,
    e.BoxesConfirmed: _boxes_confirmed,
    e.ConfirmationOverridden: _confirmation_overridden,
    e.RoundEnded: _round_ended,
    e.BetFound: _bet_found,
    e.LateChipsRefused: _nothing_but_the_record,
    e.WalkedAway: _walked_away,
    e.CameBack: _came_back,
    e.StakesStand: _stakes_stand,
    e.StakeRuled: _stake_ruled,
    e.CardsAtFault: _cards_at_fault,
    e.Flagged: _flagged,
    e.FlagCleared: _flag_cleared,
}
EVOLVE |= MEND | disputes.EVOLVE
