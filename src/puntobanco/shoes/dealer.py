"""The electronic shoe as a dealer: the next cards of a table, always from the place where its log stands.

It remembers nothing. Every card comes from the sealed order, opened anew and checked against the commitment, the cuts
and all cards in the log; so a restart continues the same order, and a log that disagrees gets no more cards.
"""

from __future__ import annotations

import os

from puntobanco.cards import CARDS, Card
from puntobanco.shoes.commit import Reveal, ShoeSecret, after_cuts, first_difference, write_order
from puntobanco.shoes.history import ShoeHistory
from puntobanco.shoes.keys import KeyRing
from puntobanco.shoes.mixing import mixed
from puntobanco.shoes.shuffle import Source
from puntobanco.shoes.vault import Label, Vault, seal, unseal
from puntobanco.table import commands as c
from puntobanco.table.commands import HOUSE
from puntobanco.table.shoe.burning import cards_to_burn
from puntobanco.table.state import Table
from puntobanco.views.steps import NextStep, next_step

EVIDENCE = "electronic shoe: every swap by fresh bytes of the operating system, order committed to"

ShoeCommand = c.NewShoe | c.ReturnCards | c.Burn | c.Deal | c.Draw | c.Turn


class DealerError(ValueError):
    """A shoe that cannot be dealt from, or not be revealed."""


class ElectronicShoe:
    """Deals for any number of tables. Its commands are the House's.

    With ``wait_for_cut`` no card leaves a shoe that nobody has cut: not even who shuffled has chosen the first one.
    """

    def __init__(self, vault: Vault, keys: KeyRing, source: Source = os.urandom, *, wait_for_cut: bool = True) -> None:
        self._vault = vault
        self._keys = keys
        self._source = source
        self._wait_for_cut = wait_for_cut

    def next_command(self, table: Table, shoe: ShoeHistory | None) -> ShoeCommand | None:
        """What the shoe has to do now, and None where it is not the shoe's turn, or waits for a cut.

        A command holds cards that nobody has seen: carry it out on this very table, or drop it unseen.
        """
        step = next_step(table)
        if step is None or step.who != HOUSE or not table.settings.electronic:
            return None
        if step.do == "new_shoe":
            return self.new_shoe(table)
        if step.do == "return_cards":
            return c.ReturnCards(self._fresh(table, table.shoe.number))
        uncut = self._wait_for_cut and not table.settings.shuffler
        if uncut and not table.shoe.drawn and shoe is not None and not shoe.cuts:
            return None
        match step.do:
            case "burn":
                return self._burn(table, shoe)
            case "deal" | "draw":
                return self._cards(table, shoe, step)
            case "turn":
                return c.Turn(step.number)
        return None

    def new_shoe(self, table: Table) -> c.NewShoe:
        """Shuffle, commit, seal, and keep before anybody hears of it."""
        if not table.settings.electronic:
            raise DealerError(f"table {table.settings.table} is dealt by hand")
        if not table.shoe.ended:
            raise DealerError(f"shoe {table.shoe.number} of table {table.settings.table} is in use")
        return c.NewShoe(EVIDENCE, self._fresh(table, table.shoe.number + 1))

    def _fresh(self, table: Table, number: int) -> str:
        """The commitment to an order of whole decks that nobody has seen, which is in the vault now.

        A shuffler has all its cards whenever it mixes: no round is on, and none of them waits for one.
        """
        secret = ShoeSecret.fresh(table.settings.decks, self._source)
        commitment = secret.commitment(table.settings.book_hash)
        label = Label(table.settings.table, number, commitment)
        self._vault.put(label, seal(secret, label, self._keys, self._source))
        return commitment

    def _burn(self, table: Table, shoe: ShoeHistory | None) -> c.Burn:
        """Face down, save the first where its value says how many."""
        shown = self._next(table, shoe, 1) if table.settings.burn == "first_card" else ()
        return c.Burn((*shown, *(None,) * (cards_to_burn(table, shown) - len(shown))))

    def _cards(self, table: Table, shoe: ShoeHistory | None, step: NextStep) -> c.Deal | c.Draw:
        """Card by card, as a person can follow it; face down where somebody squeezes."""
        (card,) = self._next(table, shoe, 1)
        return c.Draw(card, step.hand) if step.do == "draw" else c.Deal((card,))

    def _next(self, table: Table, shoe: ShoeHistory | None, count: int) -> tuple[Card, ...]:
        """The next cards from where the log stands, as many as there are."""
        if shoe is None or (shoe.number, shoe.commitment, shoe.size, len(shoe.gone)) != (
            table.shoe.number,
            table.shoe.commitment,
            table.shoe.size,
            table.shoe.drawn,
        ):
            raise DealerError(f"shoe {table.shoe.number} of table {table.settings.table} is not as the log has it")
        secret, gone = self._open(table), len(shoe.gone)
        # the mixed order stays in a secret, too: a program that logs an error may write its variables out
        secret = ShoeSecret(secret.salt, mixed(secret.order, shoe.commitment, shoe.seeds))
        wrong = first_difference(secret.order, shoe.cuts, shoe.gone)
        if wrong is not None:
            # what the order has there is not said: it may be a card that is still to come
            raise DealerError(f"shoe {shoe.number}: card {wrong + 1} of the log is not the one that the shoe gave")
        return tuple(CARDS[index] for index in after_cuts(secret.order, shoe.cuts)[gone : gone + count])

    def _open(self, table: Table) -> ShoeSecret:
        """The secret of the table's shoe, if it is the one that was committed to."""
        label = Label(table.settings.table, table.shoe.number, table.shoe.commitment)
        secret = unseal(self._vault.get(label), label, self._keys)
        if secret.commitment(table.settings.book_hash) != table.shoe.commitment:
            raise DealerError(f"{label} was committed to under another rule book")
        return secret

    def check(self, table: Table) -> None:
        """That the shoe in use can be opened, and is the one that was committed to. Raises what dealing would."""
        if table.open and table.settings.electronic and not table.shoe.ended and table.shoe.commitment:
            self._open(table)

    def reveal(self, table: Table) -> Reveal:
        """Salt and order of the table's shoe once it is over, early or not, or the table has closed on it.

        A shuffler's order is over with the round for which it was made.
        """
        if not table.order_over:
            raise DealerError(f"shoe {table.shoe.number} of table {table.settings.table} is in use and stays secret")
        secret = self._open(table)
        return Reveal(
            table.settings.table,
            table.shoe.number,
            secret.salt.hex(),
            table.settings.book_hash,
            write_order(secret.order),
            table.shoe.mixed,
        )
