"""What follows from an entry put right: it is told, the round is played again with it, and the difference moves.

If the record shows a card lacking or too many once it is put right, that is an incident of its own (reading A).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from puntobanco.insurance import BOXES
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About, about_bet
from puntobanco.table.amendments.entries import ENTRIES, amended_round, lies_there, window_meant
from puntobanco.table.amendments.fixes import InsurancePlace, corrected_bet
from puntobanco.table.amendments.folds import amendment_of
from puntobanco.table.amendments.rerun import play_again
from puntobanco.table.bets.found_chips import find_bet, not_offered, uncovered_maximum
from puntobanco.table.bets.outside_limits import flag_changes
from puntobanco.table.bets.stakes_that_stand import sent_back
from puntobanco.table.bets.state import ABOVE, FOUND, WITHDRAWN
from puntobanco.table.cases.remedies import Case
from puntobanco.table.cases.settled_rounds import check_live, check_ruled, found_wrong
from puntobanco.table.cases.state import Incident
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.commands import Command
from puntobanco.table.fold_helpers import current_round
from puntobanco.table.folds import evolve
from puntobanco.table.insurance.misplaced import moved_where_it_belongs
from puntobanco.table.insurance.state import InsuranceWager
from puntobanco.table.ledger import chips_walked_in, moves
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.debts import walked_out
from puntobanco.table.settlement.lines import lines_of
from puntobanco.table.settlement.paying import standing
from puntobanco.table.settlement.resettle import settled_again
from puntobanco.table.settlement.voiding import on_layout
from puntobanco.table.shoe.faults import AT_FAULT
from puntobanco.table.state import PAYING, Round, Table

MISSED = "insurance_missed"
MISPLACED = "insurance_misplaced"


def amend(case: Case, ruling: r.AmendingRuling) -> Sequence[e.Event]:
    """Put an entry of the record right. Chips that were found are on record: a second person has confirmed them."""
    if isinstance(ruling, r.CorrectBet) and ruling.found:
        return confirmed(case.table, ruling)
    played, entry = _checked(case, ruling)
    if not played.closed:
        return _while_bets_are_open(case, played, entry)
    over = played.settled
    journal = case.table.journal_of(played.number)
    after = play_again(journal, (*journal.amendments, amendment_of(entry)))
    return (_settled_again if over else _in_progress)(case, played, after, entry)


def can_be_amended(case: Case, ruling: r.AmendingRuling) -> Sequence[e.Event]:
    """Refuse what :func:`amend` would, without playing the round again: screens ask this of every card and bet."""
    if isinstance(ruling, r.CorrectBet) and ruling.found:
        return ()
    played, entry = _checked(case, ruling)
    if not played.closed and not isinstance(entry, e.BetCorrected):
        _while_bets_are_open(case, played, entry)
    return (entry,)


def _checked(case: Case, ruling: r.AmendingRuling) -> tuple[Round, e.Event]:
    """The round and what is entered. At an electronic table the record is the felt (reading A)."""
    played = amended_round(case.table, ruling.round)
    check_live(case.table, case.paragraph)
    entry = ENTRIES[type(ruling)](case, played, ruling)
    if played.closed and played.voided:
        void = case.table.irregularities.void.rule
        raise Refused("no_round.void", void, round=played.number)
    if played.settled:
        check_ruled(case.table, played)
    return played, entry


def find_chips(table: Table, command: Command, body: c.FindBet) -> Sequence[e.Event]:
    """Chips that nobody had keyed. In an insurance box they are an amendment of what the record has there."""
    current = table.round
    insured = table.layout.insurance and body.bet in BOXES
    if not insured or current is None or table.phase is PAYING or current.free or body.amount < 1:
        return find_bet(table, command, body)
    if not_offered(current, body.bet):
        return find_bet(table, command, body)
    if not current.closed or current.paid or current.out.get(body.person):
        return find_bet(table, command, body)
    fix = r.CorrectBet(body.person, body.box, body.bet, body.amount, round=current.number, window=body.window)
    window = body.window or window_meant(table, current, fix, BOXES[body.bet])
    was = sum(taken.stake for taken in current.insurance if lies_there(taken, fix) and taken.row.window is window)
    case = Case(table, None, table.irregularities.chips_decide.rule, About.of("found"), command.at)
    return amend(case, replace(fix, stake=was + body.amount, window=window))


def confirmed(table: Table, found: r.CorrectBet) -> Sequence[e.Event]:
    """A second person has looked at chips that were found, and surveillance need not."""
    flag = (FOUND, about_bet(found.person, found.box, found.bet))
    return (e.FlagCleared(*flag),) if flag in table.flags else ()


def not_confirmed(case: Case, found: r.CorrectBet) -> Sequence[e.Event]:
    """Chips that were found go back, and what insured them (reading Z)."""
    current = case.table.round
    if current is None or current.number != found.round or case.table.phase is PAYING:
        return ()
    was = stake_there(current, found)
    less = replace(found, stake=max(was - found.found, 0), found=0)
    back = amend(case, less) if was else ()
    return (*confirmed(case.table, found), *back)


def stake_there(current: Round, fix: r.CorrectBet) -> int:
    """What the record has in that place."""
    if fix.bet in BOXES:
        lying = [taken for taken in current.insurance if lies_there(taken, fix)]
        return sum(taken.stake for taken in lying if fix.window in (None, taken.row.window))
    wager = current.wagers.get((fix.person, fix.box, fix.bet))
    return wager.stake if wager is not None else 0


def _while_bets_are_open(case: Case, played: Round, entry: e.Event) -> Sequence[e.Event]:
    """Nothing has followed from it yet: the chips move, and what is outside the limits is flagged."""
    table = case.table
    if not isinstance(entry, e.BetCorrected):
        raise Refused("bets_open", table.procedures.close.rule)
    fix = amendment_of(entry)
    assert isinstance(fix, r.CorrectBet)
    more = _more_on_layout(played, corrected_bet(table, played, fix))
    entry = replace(entry, transfers=_chips(more))
    events = [*_walked_in(table, more), entry, *_walked_out(evolve(table, entry), played, more)]
    return (*events, *flag_changes(table, events))


def _in_progress(case: Case, played: Round, after: Table, entry: e.Event) -> Sequence[e.Event]:
    """Chips go on the layout or come back from it; incidents that come up now, or no longer do, are told."""
    table, current = case.table, current_round(after)
    more = {} if played.paid else _more_on_layout(played, current)
    again = e.RoundPlayedAgain(played.number, str(current.coup), _chips(more), case.paragraph, current.sent_back)
    reread = _reread(table, played, current, entry)
    events: list[e.Event] = [*_walked_in(table, more), entry, again, *reread, *_newly_missed(case, played, current)]
    for event in events:
        table = evolve(table, event)
    events += _walked_out(table, played, more)
    events += (over := _over_the_maximum(table, entry))
    matters = _matters(case.table, played, after, table.incidents_so_far + len(over))
    return (*events, *matters, *_flags(case.table, after))


def _reread(table: Table, played: Round, current: Round, entry: e.Event) -> list[e.Event]:
    """Insurance that is by another row on these cards and bets, or by none and goes back."""
    then, now = ({_place(taken): taken for taken in each.insurance} for each in (played, current))
    if isinstance(entry, e.InsuranceCorrected):
        then.pop((entry.person, entry.box, entry.hand, entry.window), None)
    back = {(line.person, line.box, line.bet): line.paragraph for line in current.sent_back}
    events: list[e.Event] = []
    for place, taken in then.items():
        person, box, hand, window = place
        same = now.get(place)
        if same is not None and same.row != taken.row:
            own, other, odds, paragraph = *same.points, same.row.odds, _paragraph(table)
        elif same is None and (person, box, f"{hand.value}_insurance") in back:
            own, other, odds, paragraph = 0, 0, None, back[person, box, f"{hand.value}_insurance"]
        else:
            continue
        events.append(e.InsuranceReread(person, box, hand, window, own, other, odds, paragraph, round=played.number))
    return events


def _place(taken: InsuranceWager) -> InsurancePlace:
    return taken.person, taken.box, taken.hand, taken.row.window


def _paragraph(table: Table) -> str:
    return table.book.insurance.paragraph if table.book.insurance else ""


def _more_on_layout(played: Round, current: Round) -> dict[str, int]:
    """By how much each person has more on the layout now, or less."""
    now, then = on_layout(current), on_layout(played)
    return {person: now[person] - then[person] for person in dict.fromkeys((*then, *now))}


def _chips(more: Mapping[str, int]) -> tuple[e.Transfer, ...]:
    """Between stacks and the layout."""
    places = ((chips_of(person), layout_of(person), amount) for person, amount in more.items())
    return moves(*(each if each[2] > 0 else (each[1], each[0], -each[2]) for each in places))


def _walked_in(table: Table, more: Mapping[str, int]) -> list[e.Event]:
    found = (chips_walked_in(table, person, amount - table.stack(person)) for person, amount in more.items())
    return [event for events in found for event in events]


def _walked_out(table: Table, played: Round, more: Mapping[str, int]) -> list[e.Event]:
    found = (walked_out(table, played, person, -amount) for person, amount in more.items() if amount < 0)
    return [event for events in found for event in events]


def _over_the_maximum(table: Table, entry: e.Event) -> list[e.Event]:
    """A bet over the maximum that nobody noticed waits for a ruling where the book does not say what stands of it."""
    if not isinstance(entry, e.BetCorrected):
        return []
    key = (entry.to_person or entry.person, entry.to_box, entry.to_bet)
    wager = current_round(table).wagers.get(key)
    return uncovered_maximum(table, *key, wager.stake) if wager is not None else []


def _newly_missed(case: Case, played: Round, current: Round, number: int = 0) -> list[e.InsuranceMissed]:
    """Insurance that would have been offered on these cards and bets, and was not (tiger-buffalo 5.17)."""
    slots = case.table.irregularities.insurance_missed
    paragraph = (slots.decided if number else slots.rule) or case.table.book.uncovered.paragraph
    new = [missed for missed in current.missed if missed not in played.missed]
    return [e.InsuranceMissed(missed.window, missed.offers, paragraph, number) for missed in new]


def _matters(table: Table, played: Round, after: Table, so_far: int) -> list[e.Event]:
    """What waits for a ruling by the amended record and did not before, and what no longer does."""
    waiting = {number for number, found in table.incidents.items() if _of(found, played)}
    still = {number: found for number, found in after.incidents.items() if _of(found, played)}
    gone = [e.IncidentClosed(number) for number in waiting if number not in still]
    new = [found for number, found in still.items() if number not in waiting]
    return [*gone, *(_opened(found, so_far + count) for count, found in enumerate(new, 1))]


def _opened(found: Incident, number: int) -> e.IncidentOpened:
    return e.IncidentOpened(
        number,
        found.family,
        found.about,
        found.paragraph,
        found.round,
        found.cards,
        person=found.person,
        blocks=found.blocks,
        covered=found.covered,
    )


def _of(found: Incident, played: Round) -> bool:
    """Whether the incident is about how the round is played."""
    of_it = found.round == played.number and not found.true_cards and found.blocks
    return of_it and found.family not in (ABOVE, WITHDRAWN, AT_FAULT)


def _flags(table: Table, after: Table) -> list[e.Event]:
    """Flags on insurance in the wrong box are on what lies there now."""
    was = {flag: paragraph for flag, paragraph in table.flags.items() if flag[0] == MISPLACED}
    now = {flag: paragraph for flag, paragraph in after.flags.items() if flag[0] == MISPLACED}
    gone = [e.FlagCleared(*flag) for flag in was if flag not in now]
    return [*gone, *(e.Flagged(*flag, paragraph) for flag, paragraph in now.items() if flag not in was)]


def _settled_again(case: Case, played: Round, after: Table, entry: e.Event) -> Sequence[e.Event]:
    """A round that was settled is settled again, unless its cards do not make one any more."""
    table, current = case.table, current_round(after)
    back = sent_back(after, current)
    again = e.RoundPlayedAgain(played.number, str(current.coup), (), case.paragraph, back)
    matters = [found for found in after.incidents.values() if _of(found, played)]
    if not current.finished or any(found.family != MISSED for found in matters):
        cards = tuple(drawn.card for drawn in current.cards if drawn.card is not None)
        return (entry, again, found_wrong(table, played.number, cards, case.reason))
    reckoned = current_round(standing(after))
    lines = lines_of(after, reckoned)
    settled = settled_again(table, replace(played, coup=current.coup), lines, case.paragraph, reason=case.reason)
    missed = _newly_missed(case, played, current, played.number)
    moved = [event for event in moved_where_it_belongs(after, current) if isinstance(event, e.InsuranceMoved)]
    events: list[e.Event] = [entry, again, *_reread(table, played, current, entry), *moved, settled, *missed]
    for event in events:
        table = evolve(table, event)
    less = {person: amount for person, amount in _more_at_stake(played, reckoned).items() if amount < 0}
    late = [
        replace(_opened(found, table.incidents_so_far + count), blocks=False, paragraph=missed[0].paragraph)
        for count, found in enumerate(matters if missed else (), 1)
    ]
    return (*events, *_walked_out(table, played, less), *late)


def _more_at_stake(played: Round, reckoned: Round) -> dict[str, int]:
    """By how much each person had more on the layout at the settlement, or less."""
    laid = replace(played, wagers=played.laid or played.wagers)
    return _more_on_layout(laid, replace(reckoned, wagers=reckoned.laid or reckoned.wagers))
