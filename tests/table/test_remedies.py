"""Which rulings each book allows on what went wrong, who may give them, and by which paragraph.

The table is held by hand, book beside it; ``docs/reference.md`` has the same from the code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from tests.table.build import open_table

from puntobanco.table import rulings as r
from puntobanco.table.cases.remedies import RULINGS, choices
from puntobanco.table.state import Incident, Table

BOOKS: dict[str, dict[str, Any]] = {
    "DH": {"game": "da-hu-ying-xiong", "layout": "A", "positions": 7},
    "S6": {"game": "super-six", "layout": "A", "positions": 9},
    "RB": {"game": "rws-baccarat", "layout": "A", "positions": 7},
    "TB": {"game": "tiger-buffalo", "layout": "A", "positions": 6},
    "HO": {"game": "dragon-tiger-commission", "layout": "A4", "positions": 5},
}
RANKS = {
    "dea": "dealer",
    "sup": "pit_supervisor",
    "man": "pit_manager",
    "shi": "shift_manager",
    "dir": "assistant_director",
}
TABLE = """
# family               ruling       DH           S6           RB           TB           HO
wrong_number           reconstruct  -            sup:5.1.2    -            -            -
wrong_number           as_it_lies   -            sup:5.1.2    -            -            -
wrong_number           void         -            sup:5.1.2    -            -            -
excess_cards           reconstruct  sup:5.7      -            sup:5.7      sup:5.8      sup:7.5
excess_cards           as_it_lies   sup:5.12.1   -            sup:5.12.1   sup:5.16.1   -
excess_cards           void         sup:5.5.3    -            sup:5.5.3    sup:5.5.3    sup:7.3
third_to_player        reconstruct  -            -            -            -            sup:7.6
third_to_player        void         -            -            -            -            sup:7.3
third_to_banker        reconstruct  -            -            -            -            sup:7.7
third_to_banker        void         -            -            -            -            sup:7.3
exposed_cards          reconstruct  sup:5.7      shi          sup:5.7      sup:5.8      dea:7.5
exposed_cards          as_it_lies   sup:5.12.1   shi          sup:5.12.1   sup:5.16.1   -
exposed_cards          void         sup:5.5.3    shi          sup:5.5.3    sup:5.5.3    sup:7.3
exposed_cards          options      -            shi          -            -            -
wrong_side             reconstruct  sup:5.8.1    shi          sup:5.8.1    sup:5.9.1    sup:7.9
wrong_side             as_it_lies   sup:5.12.1   shi          sup:5.12.1   sup:5.16.1   -
wrong_side             void         sup:5.5.3    shi          sup:5.5.3    sup:5.5.3    sup:7.3
wrong_side             options      -            shi          -            -            shi:7.9
squeeze_delivery       reconstruct  sup:5.8.2    shi          sup:5.8.2    sup:5.9.2    sup:7.10
squeeze_delivery       as_it_lies   sup:5.12.1   shi          sup:5.12.1   sup:5.16.1   -
squeeze_delivery       void         sup:5.5.3    shi          sup:5.5.3    sup:5.5.3    sup:7.3
squeeze_delivery       options      -            shi          -            -            shi:7.10.2
simultaneous_in_order  reconstruct  sup:5.10.1   shi          sup:5.10.1   sup:5.11.1   sup:7.12
simultaneous_in_order  as_it_lies   sup:5.12.1   shi          sup:5.12.1   sup:5.16.1   -
simultaneous_in_order  void         sup:5.5.3    shi          sup:5.5.3    sup:5.5.3    sup:7.3
simultaneous_in_order  options      -            shi          -            -            shi:7.12
dealing_error          reconstruct  sup:5.12     shi          sup:5.12     sup:5.16     dir:7.20
dealing_error          as_it_lies   sup:5.12.1   shi          sup:5.12.1   sup:5.16.1   dir:7.20
dealing_error          void         sup:5.5.3    shi          sup:5.5.3    sup:5.5.3    dir:7.20
dealing_error          options      -            shi          -            -            dir:7.20
simultaneous           order        sup:5.10     shi          sup:5.10     sup:5.11     man:7.13
simultaneous           as_it_lies   sup:5.12.1   shi          sup:5.12.1   sup:5.16.1   -
simultaneous           void         sup:5.5.3    shi          sup:5.5.3    sup:5.5.3    -
simultaneous           options      -            shi          -            -            -
face_up                play_on      dea:5.9      shi          dea:5.9      dea:5.10     dir:7.20
face_up                void         -            shi          -            -            dir:7.20
face_up                options      -            shi          -            -            dir:7.20
face_up_in_shoe        play_on      sup:5.7      shi          sup:5.7      sup:5.8      dea:7.4
face_up_in_shoe        void         -            shi          -            -            -
face_up_in_shoe        options      -            shi          -            -            -
squeeze_not_delivered  play_on      shi:5.17     shi          shi:5.17     shi:5.23     dea:7.15
squeeze_not_delivered  void         shi:5.17     shi          shi:5.17     shi:5.23     -
squeeze_not_delivered  options      shi:5.17     shi          shi:5.17     shi:5.23     -
cut_card_not_offered   play_on      shi:5.17     shi          shi:5.17     dea:5.7.3    dir:7.20
cut_card_not_offered   void         shi:5.17     shi          shi:5.17     -            dir:7.20
cut_card_not_offered   options      shi:5.17     shi          shi:5.17     -            dir:7.20
shoe_fault             play_on      shi:5.17     shi          shi:5.17     dea:5.12     dir:7.20
shoe_fault             void         shi:5.17     shi          shi:5.17     -            dir:7.20
shoe_fault             options      shi:5.17     shi          shi:5.17     -            dir:7.20
interruption           play_on      -            shi          -            -            dir:7.20
interruption           void         -            shi          -            -            dir:7.20
interruption           options      -            shi          -            -            dir:7.20
cards_at_fault         play_on      -            shi          -            -            -
cards_at_fault         void         -            shi          -            -            -
cards_at_fault         options      -            shi          -            -            -
card_mismatch          value        dea:5.14     dea:3.6      dea:5.14     dea:5.20     dea:7.16
damaged_card           value        shi:5.17     shi          shi:5.17     sup:5.13.1   dir:7.20
damaged_card           void         shi:5.17     shi          shi:5.17     sup:5.13.2   dir:7.20
damaged_card           options      shi:5.17     shi          shi:5.17     -            dir:7.20
burn_forgotten         burn_now     shi:5.17     shi          shi:5.17     shi:5.23     dea:7.11.1
burn_forgotten         play_on      shi:5.17     shi          shi:5.17     shi:5.23     dea:7.11.2
burn_forgotten         void         shi:5.17     shi          shi:5.17     shi:5.23     -
burn_forgotten         options      shi:5.17     shi          shi:5.17     shi:5.23     -
wrong_burn             play_on      shi:5.17     shi          shi:5.17     shi:5.23     dir:7.20
wrong_burn             void         shi:5.17     shi          shi:5.17     shi:5.23     dir:7.20
wrong_burn             options      shi:5.17     shi          shi:5.17     shi:5.23     dir:7.20
above_maximum          stake        shi:5.17     -            shi:5.17     shi:5.23     -
above_maximum          void         shi:5.17     -            shi:5.17     shi:5.23     -
above_maximum          options      shi:5.17     -            shi:5.17     shi:5.23     -
late_withdrawal        stake        -            -            -            -            dir:7.20
late_withdrawal        play_on      -            -            -            -            dir:7.20
late_withdrawal        void         -            -            -            -            dir:7.20
late_withdrawal        options      -            -            -            -            dir:7.20
insurance_missed       offer_late   -            -            -            man:5.17.1   -
insurance_missed       return_bets  -            -            -            man:5.17.2   -
insurance_missed       play_on      -            -            -            man:5.17     -
wrong_round            rectify      sup:5.5.3    sup:5.1.2    sup:5.5.3    sup:5.5.3    sup:7.3
wrong_round            void         sup:5.5.3    sup:5.1.2    sup:5.5.3    sup:5.5.3    sup:7.3
late_discovery         let_stand    sup:5.11     shi          sup:5.11     -            dir:7.20
late_discovery         rectify      shi:5.17     shi          shi:5.17     -            dir:7.20
late_discovery         void         shi:5.17     shi          shi:5.17     -            dir:7.20
late_discovery         options      -            shi          -            -            dir:7.20
rectified_late         rectify      -            -            -            sup:5.15.2   -
rectified_late         void         -            -            -            sup:5.15.1   -
other                  play_on      shi:5.17     shi          shi:5.17     shi:5.23     dir:7.20
other                  void         shi:5.17     shi          shi:5.17     shi:5.23     dir:7.20
other                  options      shi:5.17     shi          shi:5.17     shi:5.23     dir:7.20
debt                   collect      man          man          man          man          man
debt                   write_off    man          man          man          man          man
"""


class Row(NamedTuple):
    family: str
    book: str
    allowed: dict[str, tuple[str, str]]


def rows() -> list[Row]:
    """A dash on every line of a family: the book never opens such an incident."""
    found: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}
    for line in TABLE.splitlines():
        if line and not line.startswith("#"):
            family, kind, *cells = line.split()
            for book, cell in zip(BOOKS, cells, strict=True):
                if cell != "-":
                    rank, _, paragraph = cell.partition(":")
                    found.setdefault((family, book), {})[kind] = (RANKS[rank], paragraph)
    return [Row(family, book, allowed) for (family, book), allowed in found.items()]


def incident_of(table: Table, family: str) -> Incident:
    if family == "debt":
        return Incident(number=1, family=family, about="", paragraph="", covered=False)
    named = "wrong_number" if family == "wrong_round" else family
    slots = table.irregularities.of(named)
    return Incident(
        number=1,
        family=family,
        about="",
        paragraph=slots.main or table.book.uncovered.paragraph,
        covered=slots.covered,
    )


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.family} {row.book}")
def test_who_may_rule_what(row: Row) -> None:
    table = open_table(**BOOKS[row.book]).table
    found = choices(table, incident_of(table, row.family))
    assert {r.kind_of(choice.kind): (choice.by.code, choice.paragraph) for choice in found} == row.allowed
    for choice in found:
        assert choice.second == (choice.by.code != "dealer" or row.family == "card_mismatch")


def test_every_family_stands_in_the_table() -> None:
    assert {row.family for row in rows()} == set(RULINGS)
