"""A round without a result: everything on the layout goes back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from puntobanco.table import events as e
from puntobanco.table.about import About, Words
from puntobanco.table.base import Transfer
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.insurance.offers import nobody_is_asked
from puntobanco.table.ledger import moves
from puntobanco.table.settlement.resettle import returned, settled_again
from puntobanco.table.state import Round, Table


def void_without_cards(table: Table, now: int) -> Sequence[e.Event]:
    """A round that is due a card from an empty shoe is void."""
    current = table.round
    assert current is not None
    if table.shoe.left or table.carried or current.due is None or not nobody_is_asked(table, current):
        return ()
    if table.blocked or current.options is not None:
        return ()
    paragraph = table.irregularities.shoe_empty.rule or table.book.uncovered.paragraph
    return (voided(table, current, paragraph, About.of("shoe.empty")),)


def voided(table: Table, current: Round, paragraph: str, reason: Words) -> e.RoundVoided | e.RoundSettledAgain:
    """Everything that lies on the layout goes back to whose it is; what was settled before is undone."""
    if current.paid or current.settled:
        lines = returned(current.before if current.paid else current.lines, paragraph)
        return settled_again(table, current, lines, paragraph, void=True, reason=reason)
    return e.RoundVoided(current.number, paragraph, all_back(current), reason)


def on_layout(current: Round) -> dict[str, int]:
    """What each person has on the layout, insurance included."""
    amounts: dict[str, int] = defaultdict(int)
    for wager in current.wagers.values():
        amounts[wager.person] += wager.stake
    for insurance in current.insurance:
        amounts[insurance.person] += insurance.stake
    return amounts


def all_back(current: Round) -> tuple[Transfer, ...]:
    """Everything on the layout to whose it is."""
    return moves(*((layout_of(person), chips_of(person), amount) for person, amount in on_layout(current).items()))
