"""What an event moves, made a second time from what it says and the table before it: person, kind, amount, accounts.

Each check answers the transfers that belong to the event, or says in a sentence what else is wrong with it.
Settlements and bets that go back have checks of their own in :mod:`money_check`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from puntobanco.cards import CARDS_IN_DECK, Side
from puntobanco.insurance import find_row
from puntobanco.literal import point_total
from puntobanco.rules.model import Authority, Window
from puntobanco.table import events as e
from puntobanco.table.events import Transfer
from puntobanco.table.settings import TableSettings
from puntobanco.table.state import (
    CAGE,
    CASH,
    DROP,
    FLOOR,
    PAYING,
    RECEIVABLES,
    TIPS,
    TRAY,
    InsuranceWager,
    Round,
    Table,
    account_of,
    chips_of,
    held_for,
    layout_of,
    owed_by,
)

Transfers = tuple[Transfer, ...]
Found = Transfers | str


def wrong_opening(event: e.TableOpened) -> str | None:
    """The opening float is of the table's chips, and comes from the cage."""
    return _differs(event.transfers, _opened(event.settings, event.opening_float))


def wrong_posting(table: Table, event: e.Event) -> str | None:
    """What an event says against what it moves; ``table`` is as before it."""
    return _differs(getattr(event, "transfers", ()), CHECKS[type(event)](table, event))


def _differs(transfers: Transfers, expected: Found) -> str | None:
    if transfers == expected:
        return None
    if isinstance(expected, str):
        return expected
    return f"moves {_told(transfers)}, where {_told(expected)} belongs to what it says"


def _told(transfers: Transfers) -> str:
    return ", ".join(f"{each.amount} from {each.source} to {each.target}" for each in transfers) or "nothing"


def _moves(*moves: tuple[str, str, int]) -> Transfers:
    return tuple(Transfer(*move) for move in moves if move[2])


# --- the table and its people


def _opened(settings: TableSettings, chips: Mapping[int, int]) -> Found:
    return _wrong_chips(chips, settings) or _moves((CAGE, TRAY, _worth(chips)))


def _wrong_chips(chips: Mapping[int, int], settings: TableSettings) -> str:
    for value, count in chips.items():
        if value not in settings.chips or count < 0:
            return f"{count} chips of {value} cannot be"
    return ""


def _worth(chips: Mapping[int, int]) -> int:
    return sum(value * count for value, count in chips.items())


def _joined(table: Table, event: e.PlayerJoined) -> Found:
    if not 1 <= event.box <= table.settings.positions:
        return f"there is no box {event.box}"
    held = held_for(event.person)
    return _moves((held, chips_of(event.person), table.balances.get(held, 0)))


def _left(table: Table, event: e.PlayerLeft) -> Found:
    if wrong := _no_player(table, event.person):
        return wrong
    return _to_account(table, event.person, table.stack(event.person), electronic=table.settings.electronic)


def _to_account(table: Table, person: str, amount: int, *, electronic: bool) -> Transfers:
    if electronic:
        return _moves((chips_of(person), TRAY, amount), (DROP, account_of(person), amount))
    return _moves((chips_of(person), FLOOR, amount))


def _no_player(table: Table, name: str) -> str:
    person = table.people.get(name)
    return f"{name} is no player at the table" if person is None or person.rank is not Authority.PLAYER else ""


# --- money


def _money_moved(table: Table, event: e.MoneyMoved) -> Found:
    person, amount = event.person, event.amount
    if event.via == "found" and event.kind == "chips_out":
        return _chips_not_there(table, event)
    if wrong := _no_player(table, person) or _not_positive(amount):
        return wrong
    if event.via not in _WAYS[event.kind]:
        return f"a {event.kind} by way of {event.via!r}"
    match event.kind:
        case "buy_in":
            origin = CASH if event.via == "cash" else account_of(person)
            return _moves((origin, DROP, amount), (TRAY, chips_of(person), amount))
        case "cash_out":
            return _to_account(table, person, amount, electronic=True)
        case "chips_in":
            return _moves((FLOOR, chips_of(person), amount))
        case "chips_out":
            return _moves((chips_of(person), FLOOR, amount))
        case "tip":
            return _moves((chips_of(person), TIPS, amount))


def _chips_not_there(table: Table, event: e.MoneyMoved) -> Found:
    """No more than came in with that round's bets; what the person has carried away is owed."""
    found = next((each for each in table.known_rounds if each.number == event.round), None)
    came = found.walked_in.get(event.person, 0) if found else 0
    if not 0 < event.amount <= came:
        return f"{event.amount} go out again, of {came} that came in with round {event.round}"
    chips, held = _to_hand(table, event.person, event.amount)
    missing = event.amount - chips - held
    return _moves(
        (chips_of(event.person), FLOOR, chips),
        (held_for(event.person), FLOOR, held),
        (owed_by(event.person), RECEIVABLES, missing),
        (TRAY, FLOOR, missing),
    )


_WAYS = {
    "buy_in": ("cash", "account"),
    "cash_out": ("account",),
    "chips_in": ("floor", "found"),
    "chips_out": ("floor",),
    "tip": ("tip box",),
}


def _not_positive(amount: int) -> str:
    return f"{amount} is no amount" if amount < 1 else ""


def _fill_requested(table: Table, event: e.FillRequested) -> Found:
    return _wrong_chips(event.chips, table.settings) or _not_positive(_worth(event.chips)) or ()


def _fill_signed(table: Table, event: e.FillSigned) -> Found:
    fill = table.fills.get(event.request)
    if fill is None or (fill.kind, fill.amount, fill.by) != (event.kind, event.amount, event.signatures[0]):
        return f"signs a {event.kind} of {event.amount} that was not asked for like that"
    if event.signatures[0] == event.signatures[1]:
        return f"two signatures of {event.signatures[0]}"
    way = (CAGE, TRAY) if event.kind == "fill" else (TRAY, CAGE)
    return _moves((*way, event.amount))


def _posted(table: Table, person: str, amount: int) -> Transfers:
    """Paid to a player's chips, or kept for who is none now; collected from both, and what they lack is owed."""
    if amount > 0:
        return _moves((TRAY, held_for(person) if _no_player(table, person) else chips_of(person), amount))
    chips, held = _to_hand(table, person, -amount)
    return _moves(
        (chips_of(person), TRAY, chips),
        (held_for(person), TRAY, held),
        (owed_by(person), RECEIVABLES, -amount - chips - held),
    )


def _to_hand(table: Table, person: str, amount: int) -> tuple[int, int]:
    """Of an amount: from the chips of a person, and from what is kept for him."""
    chips = min(amount, table.stack(person))
    return chips, min(amount - chips, table.balances.get(held_for(person), 0))


def _money_ruled(table: Table, event: e.MoneyRuled) -> Found:
    if event.person not in table.people and chips_of(event.person) not in table.balances:
        return f"{event.person} was never at the table"
    return _posted(table, event.person, event.amount) if event.amount else "0 is no amount"


def _dispute_decided(table: Table, event: e.DisputeDecided) -> Found:
    return _posted(table, table.disputes[event.dispute].person, event.pays)


def _debt_settled(table: Table, event: e.DebtSettled) -> Found:
    owed, amount = owed_by(event.person), event.amount
    owes = -table.balances.get(owed, 0)
    if not 0 < amount <= owes or (event.how == "written_off" and amount != owes):
        return f"{amount} of {event.person}'s debt {event.how}, but {owes} is owed"
    chips, held = _to_hand(table, event.person, amount) if event.how == "collected" else (0, 0)
    return _moves(
        (chips_of(event.person), TRAY, chips), (held_for(event.person), TRAY, held), (RECEIVABLES, owed, amount)
    )


# --- bets


def _wagers_placed(table: Table, event: e.WagersPlaced) -> Found:
    person, offered, total = event.person, table.layout.bets, 0
    for bet, amount in event.wagers.items():
        if amount < 1 or bet not in offered:
            return f"{amount} on {bet}, which cannot be"
        total += amount
    if wrong := _no_player(table, person):
        return wrong
    if not 1 <= event.box <= table.settings.positions:
        return f"there is no box {event.box}"
    return (Transfer(chips_of(person), layout_of(person), total),)


def _bet_found(table: Table, event: e.BetFound) -> Found:
    return _wagers_placed(table, e.WagersPlaced(event.person, event.box, {event.bet: event.amount}, ()))


def _bet_corrected(table: Table, event: e.BetCorrected) -> Found:
    if event.stake < 0 or event.to_bet not in table.layout.bets or not 1 <= event.to_box <= table.settings.positions:
        return f"a bet corrected to {event.stake} on {event.to_bet} in box {event.to_box}"
    found = next((each for each in table.known_rounds if each.number == event.round), None)
    current = table.round
    found = current if current is not None and current.number == event.round else found
    if found is None:
        return f"there is no round {event.round} in this shoe or the one before"
    wager = (found.laid or found.wagers).get((event.person, event.box, event.bet))
    was = wager.stake if wager is not None else 0
    if event.was != was:
        return f"{event.was} corrected where {was} lay"
    if found is not current or found.paid or table.phase is PAYING:
        return ()  # another settlement posts the difference
    chips, layout, more = chips_of(event.person), layout_of(event.person), event.stake - was
    return _moves((chips, layout, more) if more > 0 else (layout, chips, -more))


def _insured(table: Table, event: e.Insured) -> Found:
    if wrong := _no_player(table, event.person) or _not_positive(event.amount):
        return wrong
    row = find_row(table.book, event.window, event.hand, event.own, event.other)
    row = row or find_row(table.book, event.window, event.hand.other, event.other, event.own)
    if row is None or row.odds != event.odds:
        return f"insurance at {event.odds}, where the book has {row.odds if row else 'no row'}"
    return _moves((chips_of(event.person), layout_of(event.person), event.amount))


def _insurance_corrected(table: Table, event: e.InsuranceCorrected) -> Found:
    """What lay there before, the row of the cards, and no more than the Original Bet where it is raised or moved."""
    current = table.round
    found = next((each for each in table.known_rounds if each.number == event.round), None)
    if found is None:
        return f"there is no round {event.round} in this shoe or the one before"
    place = event.person, event.box, event.hand, event.window
    lying = [each for each in found.insurance if (each.person, each.box, each.hand, each.row.window) == place]
    was = sum(each.stake for each in lying)
    if event.was != was or event.stake < 0:
        return f"insurance of {event.was} corrected to {event.stake} where {was} lay"
    if event.stake and (wrong := _wrong_entry(table, found, event, lying)):
        return wrong
    if found is not current or found.paid or table.phase is PAYING:
        return ()  # another settlement posts the difference
    chips, layout, more = chips_of(event.person), layout_of(event.person), event.stake - was
    return _moves((chips, layout, more) if more > 0 else (layout, chips, -more))


def _wrong_entry(table: Table, found: Round, event: e.InsuranceCorrected, lying: Sequence[InsuranceWager]) -> str:
    count = 2 if event.window is Window.FOUR_CARDS else 3
    points = point_total(found.coup.player.cards[:count]), point_total(found.coup.banker.cards[:2])
    if (event.own, event.other) != (points if event.to_hand is Side.PLAYER else points[::-1]):
        return f"insurance at {event.own} to {event.other}, which the cards do not make"
    row = find_row(table.book, event.window, event.to_hand, event.own, event.other)
    row = row or find_row(table.book, event.window, event.to_hand.other, event.other, event.own)
    if row is None or row.odds != event.odds:
        return f"insurance at {event.odds}, where the book has {row.odds if row else 'no row'}"
    where = event.person, event.to_box
    bets = {bet for bet, hand in table.book.original_bets.items() if hand is row.hand}
    original = sum(each.stake for key, each in found.wagers.items() if key[:2] == where and key[2] in bets)
    same = (event.to_box, event.to_hand) == (event.box, event.hand)
    there = sum(
        each.stake
        for each in found.insurance
        if (each.person, each.box, each.row.hand, each.row.window) == (*where, row.hand, event.window)
        and each not in lying
    )
    if event.stake + there > original and not (same and event.stake <= event.was):
        return f"insurance of {event.stake + there} on an Original Bet of {original}"
    return ""


def _offered(table: Table, event: e.InsuranceOffered | e.InsuranceMissed) -> Found:
    for offer in event.offers:
        row = find_row(table.book, event.window, offer.hand, offer.own, offer.other)
        if row is None or row.odds != offer.odds:
            return (
                f"insurance of {offer.hand.value} at {offer.odds}, where the book has {row.odds if row else 'no row'}"
            )
    return ()


def _reread(table: Table, event: e.InsuranceReread) -> Found:
    """It goes back where no row fits, unless the round was settled: then the next settlement does that."""
    current = table.round
    if event.odds is not None:
        row = find_row(table.book, event.window, event.hand, event.own, event.other)
        row = row or find_row(table.book, event.window, event.hand.other, event.other, event.own)
        return (
            () if row is not None and row.odds == event.odds else f"insurance at {event.odds}, which is not its row's"
        )
    if current is None or current.number != event.round or current.settled or current.paid:
        return ()
    place = event.person, event.box, event.hand, event.window
    taken = (each for each in current.insurance if (each.person, each.box, each.hand, each.row.window) == place)
    return _moves((layout_of(event.person), chips_of(event.person), sum(each.stake for each in taken)))


# --- rounds and shoes


def _shoe_started(table: Table, event: e.ShoeStarted) -> Found:
    cards = table.settings.decks * CARDS_IN_DECK
    if (event.number, event.cards) != (table.shoe.number + 1, cards):
        return f"shoe {event.number} of {event.cards} cards, where shoe {table.shoe.number + 1} of {cards} belongs"
    return ()


def _shoe_ended(table: Table, event: e.ShoeEnded) -> Found:
    shoe = table.shoe
    expected = shoe.number, shoe.drawn, shoe.discards + len(table.carried)
    found = event.number, event.drawn, event.discards
    return () if found == expected else f"shoe, cards drawn and discards are {found}, but were {expected}"


def _round_called(table: Table, event: e.RoundCalled) -> Found:
    return () if event.number == table.rounds + 1 else f"round {event.number} is called after round {table.rounds}"


def _round_ended(table: Table, event: e.RoundEnded) -> Found:
    current, discards = table.round, table.shoe.discards
    if current is None or event.number != current.number:
        return f"round {event.number} ends, but it is round {current.number if current else 'none'}"
    if event.discards not in (discards, discards + len(current.cards)):
        return f"{event.discards} cards in the discard holder after {discards} and {len(current.cards)} more"
    return ()


Check = Callable[[Table, Any], Found]
CHECKS: Mapping[type[e.Event], Check] = {
    e.PlayerJoined: _joined,
    e.PlayerLeft: _left,
    e.MoneyMoved: _money_moved,
    e.FillRequested: _fill_requested,
    e.FillSigned: _fill_signed,
    e.MoneyRuled: _money_ruled,
    e.DisputeDecided: _dispute_decided,
    e.DebtSettled: _debt_settled,
    e.WagersPlaced: _wagers_placed,
    e.BetFound: _bet_found,
    e.BetCorrected: _bet_corrected,
    e.Insured: _insured,
    e.InsuranceCorrected: _insurance_corrected,
    e.InsuranceOffered: _offered,
    e.InsuranceMissed: _offered,
    e.InsuranceReread: _reread,
    e.ShoeStarted: _shoe_started,
    e.ShoeEnded: _shoe_ended,
    e.RoundCalled: _round_called,
    e.RoundEnded: _round_ended,
}
"""By the event's type; those whose money :mod:`money_check` looks at by itself are not among them."""
