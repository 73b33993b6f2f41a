"""Cards out of the shoe before their round: they open the next one, or a Free Hand; and the burn that was forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.model import Authority
from puntobanco.table import commands as c
from puntobanco.table import cover
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.change import current_round, hands_for
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.incidents import IDENTITY
from puntobanco.table.people import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.remedies import Case
from puntobanco.table.settlement import wagers_off
from puntobanco.table.shoe import burn_forgotten, check_shoe
from puntobanco.table.state import BETTING, IDLE, Drawn, Round, Table


def early_card(table: Table, body: c.Draw) -> Sequence[e.Event]:
    """A card left the shoe before the bets were closed: it opens the next round.

    At Hoiana that is a Free Hand if the card was seen (7.5). One that lies face down tells nobody anything: it waits,
    bets stand, and it is the first card of the hand all the same.
    """
    check_shoe(table)
    if body.turned and body.card is None:
        raise Refused("cards", "a card that was turned has a name")
    if table.shoe.left == 0:
        raise Refused("cards", "the shoe is empty", table.irregularity("shoe_empty"))
    shows = table.shoe.shown == table.shoe.drawn
    if table.irregularity("free_hand") and not body.turned and not shows:
        return (e.EarlyCardDrawn(table.cite("initial_deal"), body.card),)
    drawn = e.EarlyCardDrawn(_seen_early(table), body.card, body.turned)
    return (drawn, *wagers_off(table)) if table.phase is BETTING else (drawn,)


def _seen_early(table: Table) -> str:
    """The paragraph on a card that is seen before its round."""
    seen = table.irregularity("free_hand") or table.irregularity("exposed_cards")
    return seen or table.book.uncovered.paragraph


def waiting(table: Table, number: int) -> Drawn | None:
    """The card of that number, counted on after those of the round, where it is one that waits for its round."""
    place = number - (len(table.round.cards) if table.round is not None else 0)
    return table.carried[place - 1] if 0 < place <= len(table.carried) else None


def turn_early(table: Table, command: Command, body: c.Turn, drawn: Drawn) -> Sequence[e.Event]:
    """A card that waits for its round was turned: it is as if it had left the shoe face up."""
    if drawn.turned:
        raise Refused("already_there", f"card {body.number} lies open already")
    if command.actor != HOUSE and table.rank_of(command.actor) < Authority.DEALER:
        raise Refused("squeeze", "the card waits for its round: nobody squeezes it", table.cite("squeeze"))
    card = drawn.card or body.card
    if card is None:
        raise Refused("cards", f"card {body.number} was not read by a scanner: key it")
    if body.card not in (None, card):
        raise Refused("cards", f"the scanner has read {card}: turn it as that, and correct it in its round")
    current = table.round
    closing = [] if current is None or current.window is None else [cover.closing(table, current)]
    turned = e.CardTurned(body.number, card, command.actor, _seen_early(table))
    return (*closing, turned, *(wagers_off(table) if table.phase is BETTING else ()))


def deal_carried(table: Table, now: int) -> Sequence[e.Event]:
    """Cards left over from before come first: they open the round, and go on as long as one is due."""
    current = table.round
    if not table.carried or current is None:
        return ()
    if not current.cards:
        # third cards come one by one where insurance is to be offered between them
        hands = hands_for(table.carried if table.book.insurance is None else table.carried[:4])
    elif (due := table.due) is None or _held_up(table, current):
        return ()
    else:
        # they left the shoe before what is in it still
        hands = (due,)
    return (e.CarriedCardsDealt(hands, _opened_by(table, current)),)


def _held_up(table: Table, current: Round) -> bool:
    """Whether something comes before the next card: a ruling, the players' answers, insurance."""
    waits = table.blocked is not None or current.options is not None or current.window is not None
    return waits or bool(cover.offers_due(table))


def _opened_by(table: Table, current: Round) -> str:
    """The paragraph by which cards that were out before come first."""
    if current.free:
        return table.irregularity("free_hand", 3)
    if table.irregularity("free_hand"):
        return table.cite("initial_deal" if len(current.cards) < 4 else "third_card")
    return table.irregularity("excess_cards") or table.book.uncovered.paragraph


def free_hand(table: Table, now: int) -> Sequence[e.Event]:
    """Between rounds, where the book knows it: cards left over or seen are played without wagers."""
    if table.shoe.ended or not table.first_seen or not table.irregularity("free_hand"):
        return ()
    if table.shoe.choosing or (table.to_burn and not table.carried):
        return ()
    last = table.shoe.rounds_left == 1
    called = e.FreeHandCalled(table.rounds + 1, table.irregularity("free_hand", 4 if last else 3))
    # its first card is out, and no burn came before it
    return (called, burn_forgotten(table, called.number)) if table.to_burn else (called,)


# --- the burn that was forgotten


def burn_now(case: Case, ruling: r.BurnNow) -> Sequence[e.Event]:
    """Nothing was seen: the cards go back and the burn takes place."""
    table, current = case.table, current_round(case.table)
    if current.settled:
        raise Refused("burn", "the hand is over", case.paragraph)
    out = (*current.cards, *table.carried)
    if any(drawn.seen for drawn in out):
        paragraph = table.irregularity("burn_forgotten", 2) or case.paragraph
        raise Refused("burn", "a card was seen: the hand is played out", paragraph)
    matters = [found for found in table.incidents.values() if found.cards]
    for found in matters:
        if found.family in IDENTITY:
            raise Refused("flagged", f"find what the card is first: {found.about}", found.paragraph)
    # what was about the cards is over with them
    over = (e.IncidentClosed(found.number) for found in matters)
    return (e.CardsRetrieved(len(out), case.paragraph), *over, *case.closed)


def played_out(case: Case) -> Sequence[e.Event]:
    """A card of the first hand was seen: after it the players choose whether the shoe goes on."""
    table = case.table
    unseen = table.irregularity("burn_forgotten", 1)
    if unseen and not any(drawn.seen for drawn in (*current_round(table).cards, *table.carried)):
        raise Refused("burn", "no card was seen: they go back, and the burn takes place", unseen)
    return (e.ShoeChoiceDue(case.paragraph),)


def forgotten_for_good(table: Table, now: int) -> Sequence[e.Event]:
    """Past the first hand the shoe goes on to its end; where no card was dealt in it, the burn is still to come."""
    found = next((incident for incident in table.incidents.values() if incident.family == "burn_forgotten"), None)
    if found is None:
        return ()
    if table.shoe.burn_due:
        return (e.IncidentClosed(found.number),)
    paragraph = table.irregularity("burn_forgotten", 4) or found.paragraph
    noted = e.Noted("burn_forgotten", "the first hand is over: the shoe goes on to its end", paragraph)
    return (noted, e.IncidentClosed(found.number))


def shoe_choice(table: Table, now: int) -> Sequence[e.Event]:
    """The hand is over: every player at the table says whether the cards are to be replaced."""
    shoe = table.shoe
    paragraph = table.irregularity("burn_forgotten", 3) or table.book.uncovered.paragraph
    if shoe.ended:
        return ()
    if shoe.choice_due:
        players = tuple(person.id for person in table.people.values() if not person.staff)
        gone = (e.ShoeChosen(person, True, paragraph) for person in players if person in table.absent)
        return (e.ShoeChoiceGiven(players, paragraph), *gone)
    if shoe.choosing is None or shoe.choosing:
        return ()
    wanted = {"any": 1, "majority": shoe.choices // 2 + 1, "all": max(shoe.choices, 1)}[table.settings.unburnt_shoe]
    if shoe.asking >= wanted:
        return (e.ShoeToBeReplaced(paragraph, "players asked for it"),)
    return (e.ShoeKept(paragraph),)


def choose_shoe(table: Table, command: Command, body: c.TakeOption) -> Sequence[e.Event]:
    """A player's answer between rounds: go on with the shoe, or have the cards replaced."""
    person = find_player(table, body.person)
    choosing = table.shoe.choosing
    paragraph = table.irregularity("burn_forgotten", 3) or table.book.uncovered.paragraph
    if table.phase is not IDLE or choosing is None or person.id not in choosing:
        raise Refused("no_options", f"{person.id} has nothing to choose now", paragraph)
    return (e.ShoeChosen(person.id, body.goes_on, paragraph),)
