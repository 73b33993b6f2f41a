"""What is put right later is booked when it is put right: cases reckoned by hand, over two shifts of one day."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec.structs import replace
from tests.reports.build import MORNING
from tests.table.build import DEALER, MANAGER, SHIFT, SUPERVISOR, Play, open_table

from puntobanco.cards import Card, Composition, Side, parse_cards
from puntobanco.odds import insurance_after
from puntobanco.reports import TableReport, report_on
from puntobanco.table import commands as c
from puntobanco.table import rulings as r

EIGHT_HOURS = 8 * 60 * 60 * 1000


def seated(**changes: Any) -> Play:
    play = open_table(**changes)
    for box, person in enumerate(("ann", "bob"), 1):
        play.sit(person, box, 1_000_00)
    return play


class Reported:
    """A play in two shifts: what happened up to a point in the first, the rest in the second."""

    def __init__(self, play: Play, first: int) -> None:
        self.whole = report_on(
            replace(
                entry, command=replace(entry.command, at=MORNING + (entry.last > first) * EIGHT_HOURS, actor=DEALER)
            )
            for entry in play.entries
        )

    @property
    def day(self) -> TableReport:
        return self.whole.select(shift="day")

    @property
    def swing(self) -> TableReport:
        return self.whole.select(shift="swing")


def rounds_and_money(report: TableReport) -> tuple[int, int, int, int]:
    figures = report.figures()
    return figures.rounds, figures.voids, figures.handle, figures.win


def test_a_round_voided_late_takes_its_figures_back_but_for_side_bets_that_were_decided() -> None:
    play = seated()
    play.round({"ann": {"player": 100_00, "player_pair": 10_00}, "bob": {"banker": 200_00}}, "Kh 7c 6d Ks")
    first = len(play.events)
    play.call()
    play.do(c.ReportRound(1, parse_cards("Kh 5c 6d Ks"), "seen on the recording"))
    play.rule(r.VoidRound(), max(play.table.incidents), "no third card", SUPERVISOR)
    found = Reported(play, first)
    assert rounds_and_money(found.day) == (1, 0, 310_00, -90_00)
    assert rounds_and_money(found.swing) == (-1, 1, -300_00, 100_00)
    assert rounds_and_money(found.whole) == (0, 1, 10_00, 10_00)
    assert found.whole.figures().settled_again == 1
    pair = found.whole.figures().bets["player_pair"]
    assert (pair.wagers, found.whole.figures().theoretical) == (1, pair.theoretical)
    assert {name: it.rounds for name, it in found.whole.people().items()} == {"ann": 1, "bob": 0}
    assert found.whole.statistics.groups == ()
    assert "Banker" not in found.whole.as_text().partition("\nBets\n")[2]


def test_commission_goes_back_with_the_round_that_it_was_kept_in() -> None:
    play = seated(game="dragon-tiger-commission", layout="A3", positions=3)
    play.round({"bob": {"banker": 200_00}}, "Kh 7c 6d Ks")
    first = len(play.events)
    play.rule(r.CorrectCard(3, Card("9d"), 1), 0, "keyed wrongly", MANAGER)
    found = Reported(play, first)
    assert [it.figures().commission for it in (found.day, found.swing, found.whole)] == [10_00, -10_00, 0]
    assert [it.figures().win for it in (found.day, found.swing, found.whole)] == [-190_00, 390_00, 200_00]
    assert found.swing.figures().handle == 0
    assert dict(found.whole.figures().corrections) == {("correct_card", found_paragraph(found.whole)): 1}
    (group, *_) = found.whole.statistics.groups
    assert [each.observed for each in group.winners] == [1, 0, 0]


def found_paragraph(report: TableReport) -> str:
    ((_, paragraph),) = report.figures().corrections
    return paragraph


def test_a_bet_corrected_later_changes_the_handle_by_the_difference() -> None:
    play = seated()
    play.round({"ann": {"player": 100_00}}, "9h 8c Kd Ks")
    first = len(play.events)
    play.rule(r.CorrectBet("ann", 1, "player", 150_00, round=1), 0, "three more chips", MANAGER)
    found = Reported(play, first)
    assert rounds_and_money(found.day) == (1, 0, 100_00, -100_00)
    assert rounds_and_money(found.swing) == (0, 0, 50_00, -50_00)
    ann = found.whole.people()["ann"]
    assert (ann.rounds, ann.average_bet) == (1, Fraction(150_00))


def test_what_cannot_be_collected_is_receivable_until_it_is_let_go() -> None:
    play = seated()
    play.round({"bob": {"banker": 200_00}}, "Kh 7c 6d Ks")
    play.do(c.Leave("bob"), "bob")
    first = len(play.events)
    play.rule(r.CorrectCard(3, Card("9d"), 1), 0, "keyed wrongly", MANAGER)
    debt = max(play.table.incidents)
    owing = Reported(play, first)
    assert owing.swing.figures().owed == 400_00
    assert owing.whole.receivables_after(owing.swing.periods[0]) == 400_00
    assert owing.whole.receivables_after(owing.day.periods[0]) == 0
    play.rule(r.WriteOff(), debt, "a good guest", SHIFT)
    gone = Reported(play, first).whole
    figures = gone.figures()
    assert (figures.win, figures.written_off, figures.result, figures.collected) == (200_00, 400_00, -200_00, 0)
    assert figures.unexplained == 0
    assert gone.receivables_after(gone.periods[-1]) == 0


def test_insurance_in_the_wrong_box_is_worth_what_it_is_where_it_belongs() -> None:
    """Put down on Player by somebody who has bet on Banker: it is settled, and reckoned, by the row for Banker."""
    play = seated()
    play.shoe()
    play.call()
    play.bet("bob", {"banker": 100_00})
    play.close()
    play.deal("2h 3c 3d 4s")
    assert play.table.round is not None
    seen = play.table.round.coup
    play.do(c.Insure("bob", 2, Side.PLAYER, 20_00))
    play.deal("Kd")
    play.finish()
    figures = Reported(play, len(play.events)).whole.figures()
    book, shoe = play.table.book, Composition.of_decks(8).without(seen.cards)
    (row,) = (row for row in insurance_after(book, seen, shoe) if row.hand is Side.BANKER)
    assert row.ev is not None
    assert figures.bets["banker_insurance"].theoretical == -row.ev * 20_00
    assert figures.bets["banker_insurance"].handle == 20_00
    assert "player_insurance" not in figures.bets
    assert figures.unexplained == 0
