"""Whether what a line expects is so, and if not, what is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from puntobanco.bets import Result
from puntobanco.cards import Card
from puntobanco.coup import Coup
from puntobanco.script import lines as x
from puntobanco.script.defaults import own_box
from puntobanco.script.log import tag_of
from puntobanco.script.notation import format_money
from puntobanco.script.text import nearest
from puntobanco.table import events as e
from puntobanco.table.events import Record
from puntobanco.table.refusals import Refusal
from puntobanco.table.rulings import Dismiss, kind_of
from puntobanco.table.state import Drawn, Table, chips_of, owed_by
from puntobanco.views.ruling_actions import granted
from puntobanco.words import Terms, about_words, notation, worded


class Sight(msgspec.Struct, frozen=True):
    """What an expectation may look at: the table now, what the last act led to, and everything before."""

    table: Table | None
    records: Sequence[Record]
    refusal: Refusal | None
    history: Sequence[Record]
    digits: int

    def money(self, amount: int) -> str:
        return format_money(amount, self.digits)

    def reason(self, refusal: Refusal) -> str:
        return worded(refusal, terms=Terms.of(self.table, self.digits))

    @property
    def events(self) -> list[e.Event]:
        return [record.event for record in self.records]

    def backwards(self) -> Iterator[e.Event]:
        """The events of the history, the latest first."""
        return (record.event for record in reversed(self.history))


def difference(expected: x.Expectation, sight: Sight) -> str | None:
    """What is there instead; None where it is as expected."""
    if sight.table is None and not isinstance(expected, x.Refusal):
        return "the table is not open"
    return _CHECKS[type(expected)](expected, sight)


def paragraphs_of(event: e.Event) -> list[str]:
    """The paragraphs that an event cites, those of its settled lines and of a decision's grounds included."""
    cited = [getattr(event, "paragraph", "")]
    if isinstance(event, e.RoundSettled | e.RoundSettledAgain):
        cited += [*(line.paragraph for line in event.lines), event.commission]
    if isinstance(event, e.StakesStand):
        cited += [*(cut.paragraph for cut in event.cuts), event.in_full]
    if isinstance(event, e.RoundPlayedAgain):
        cited += [line.paragraph for line in event.returned]
    if isinstance(event, e.DisputeDecided):
        cited += event.cited
    return [paragraph for paragraph in dict.fromkeys(cited) if paragraph]


def transfers_of(event: e.Event) -> tuple[e.Transfer, ...]:
    """The money that an event moved."""
    return getattr(event, "transfers", ())


def _either(found: Sequence[str], otherwise: str) -> str:
    return ", ".join(found) if found else otherwise


# --- about the act before


def _refusal(expected: x.Refusal, sight: Sight) -> str | None:
    refusal = sight.refusal
    if refusal is None:
        return f"carried out: {', '.join(map(tag_of, sight.events))}"
    same = (
        refusal.matches(expected.code)
        and expected.paragraph in ("", refusal.paragraph)
        and expected.fits in (None, refusal.fits)
    )
    if same:
        return None
    fits = f" fits {sight.money(refusal.fits)}" if refusal.fits is not None else ""
    return f"refused {refusal.code} {refusal.paragraph or 'without a paragraph'}{fits}: {sight.reason(refusal)}"


def _cited(expected: x.Cited, sight: Sight) -> str | None:
    found = [paragraph for event in sight.events for paragraph in paragraphs_of(event)]
    if sight.refusal is not None and sight.refusal.paragraph:
        found.append(sight.refusal.paragraph)
    return None if expected.paragraph in found else _either(list(dict.fromkeys(found)), "no paragraph")


def _happened(expected: x.Happened, sight: Sight) -> str | None:
    found = [event for event in sight.events if tag_of(event) == expected.event]
    if any(expected.paragraph in ("", *paragraphs_of(event)) for event in found):
        return None
    if found:
        cited = [paragraph for event in found for paragraph in paragraphs_of(event)]
        return f"{expected.event} on {_either(cited, 'no paragraph')}"
    if sight.refusal is not None:
        return f"refused {sight.refusal.code}: {sight.reason(sight.refusal)}"
    return _either([tag_of(event) for event in sight.events], "nothing happened")


def _not_happened(expected: x.NotHappened, sight: Sight) -> str | None:
    return f"{expected.event} happened" if expected.event in map(tag_of, sight.events) else None


def _moved(expected: x.Moved, sight: Sight) -> str | None:
    cited = [event for event in sight.events if expected.paragraph in ("", *paragraphs_of(event))]
    transfers = [transfer for event in cited for transfer in transfers_of(event)]
    way = (expected.source, expected.target)
    amount = sum(transfer.amount for transfer in transfers if (transfer.source, transfer.target) == way)
    if amount == expected.amount:
        return None
    if amount:
        return f"transfer {expected.source} {expected.target} {_off(amount, expected.amount, sight)}"
    listed = [f"{move.source} {move.target} {sight.money(move.amount)}" for move in transfers]
    return _either(listed, f"nothing was moved on {expected.paragraph}" if expected.paragraph else "nothing was moved")


def _off(found: int, expected: int, sight: Sight) -> str:
    """An amount, and how far it is off."""
    more = found - expected
    return f"{sight.money(found)} ({sight.money(abs(more))} {'more' if more > 0 else 'less'})"


# --- about the table now


def _balance(expected: x.Balance, sight: Sight) -> str | None:
    assert sight.table is not None
    found = sight.table.balances.get(expected.account)
    if found is None and expected.amount:
        return f"no account {expected.account}{nearest(expected.account, sight.table.balances)}"
    found = found or 0
    if found == expected.amount:
        return None
    return f"balance {expected.account} {_off(found, expected.amount, sight)}"


def _stack(expected: x.Stack, sight: Sight) -> str | None:
    return _balance(x.Balance(chips_of(expected.person), expected.amount), sight)


def _on_layout(expected: x.OnLayout, sight: Sight) -> str | None:
    assert sight.table is not None
    wagers = sight.table.round.wagers if sight.table.round else {}
    box = expected.box or own_box(sight.table, expected.person)
    wager = wagers.get((expected.person, box, expected.bet))
    stake = wager.stake if wager else 0
    if stake == expected.amount:
        return None
    return f"{expected.person} has {_off(stake, expected.amount, sight)} on {expected.bet} in box {box}"


def _flag(expected: x.Flag, sight: Sight) -> str | None:
    assert sight.table is not None
    flags = _flags(sight.table)
    if any(flag == expected.flag and expected.about in ("", about) for flag, about in flags):
        return None
    return _either([f"{flag} {about}" for flag, about in flags], "no flags")


def _flags(table: Table) -> list[tuple[str, str]]:
    """What is flagged, and on what, as a history writes it."""
    return [(flag, notation(about, Terms.of(table))) for flag, about in table.flags]


def _no_flags(expected: x.NoFlags, sight: Sight) -> str | None:
    assert sight.table is not None
    return ", ".join(f"{flag} {about}" for flag, about in _flags(sight.table)) or None


def _phase(expected: x.InPhase, sight: Sight) -> str | None:
    assert sight.table is not None
    return None if sight.table.phase is expected.phase else f"phase {sight.table.phase.value}"


def _offers(sight: Sight) -> list[tuple[str, e.Offer]]:
    assert sight.table is not None
    window = sight.table.round.window if sight.table.round else None
    return [(person, offer) for offer in (window.offers if window else ()) for person in offer.people]


def _offered(expected: x.Offered, sight: Sight) -> str | None:
    offers = _offers(sight)
    for person, offer in offers:
        if (person, offer.hand, offer.odds) == (expected.person, expected.hand, expected.odds):
            return None
    listed = [f"{person} {offer.hand.value} {offer.odds}" for person, offer in offers]
    return _either(listed, "no insurance is on offer")


def _not_offered(expected: x.NotOffered, sight: Sight) -> str | None:
    return ", ".join(f"{person} {offer.hand.value} {offer.odds}" for person, offer in _offers(sight)) or None


# --- about what went wrong


def _matter(expected: x.Matter, sight: Sight) -> str | None:
    assert sight.table is not None
    found = sight.table.incidents.get(expected.number)
    if found and found.family == expected.family and expected.paragraph in ("", found.paragraph):
        return None
    return _waiting(sight.table) or "nothing waits for a ruling"


def _no_matters(expected: x.NoMatters, sight: Sight) -> str | None:
    assert sight.table is not None
    return _waiting(sight.table) or None


def _waiting(table: Table) -> str:
    terms = Terms.of(table)
    return ", ".join(
        f"incident {number} {found.family} {found.paragraph or 'without a paragraph'}: "
        f"{about_words(found.about, terms=terms)}"
        for number, found in table.incidents.items()
    )


def _choices(expected: x.Choices, sight: Sight) -> str | None:
    assert sight.table is not None
    incident = sight.table.incidents.get(expected.incident)
    if incident is None:
        return _waiting(sight.table) or "nothing waits for a ruling"
    found = [kind_of(kind) for kind in granted(sight.table, incident, sight.history[-1].at)]
    if (unsaid := kind_of(Dismiss)) not in expected.rulings:
        found = [kind for kind in found if kind != unsaid]
    return None if sorted(found) == sorted(expected.rulings) else _either(found, "nothing may be ruled")


def _proposed(expected: x.Proposed, sight: Sight) -> str | None:
    assert sight.table is not None
    proposals = sight.table.proposals.values()
    found = [(proposal.number, kind_of(proposal.ruling), proposal.needs) for proposal in proposals]
    if (expected.number, expected.ruling_kind, expected.rank) in found:
        return None
    listed = [f"proposal {number} {kind} {rank.replace('_', ' ')}" for number, kind, rank in found]
    return _either(listed, "no ruling waits for approval")


def _asked(expected: x.Asked, sight: Sight) -> str | None:
    assert sight.table is not None
    current = sight.table.round
    waiting = current.options.waiting if current and current.options else sight.table.shoe.choosing or frozenset()
    return None if waiting == set(expected.people) else _either(sorted(waiting), "nobody has anything to choose")


def _hand(expected: x.HandHolds, sight: Sight) -> str | None:
    assert sight.table is not None
    latest = sight.table.round or sight.table.last
    cards = [drawn for drawn in (latest.cards if latest else ()) if drawn.hand is expected.hand]
    return _cards_differ(cards, expected.cards)


def _carried(expected: x.Carried, sight: Sight) -> str | None:
    assert sight.table is not None
    return _cards_differ(sight.table.carried, expected.cards)


def _cards_differ(cards: Sequence[Drawn], expected: Sequence[Card | None]) -> str | None:
    found = [drawn.card if drawn.turned else None for drawn in cards]
    return None if found == list(expected) else " ".join(str(card or "?") for card in found) or "no cards"


def _disputed(expected: x.Disputed, sight: Sight) -> str | None:
    assert sight.table is not None
    found = [f"dispute {number} of {dispute.person}" for number, dispute in sight.table.disputes.items()]
    return None if set(sight.table.disputes) == set(expected.disputes) else _either(found, "no dispute is open")


def _owed(expected: x.Owed, sight: Sight) -> str | None:
    assert sight.table is not None
    found = -sight.table.balances.get(owed_by(expected.person), 0)
    return None if found == expected.amount else f"{expected.person} owes {_off(found, expected.amount, sight)}"


# --- about the latest round, and the day


def _latest_coup(sight: Sight) -> tuple[str, int, int] | None:
    """Result and points of the latest round that has a result, as they count now; a void one has no points."""
    settled: dict[int, e.RoundSettledAgain] = {}
    found: e.ResultAnnounced | e.RoundVoided | None = None
    for event in sight.backwards():
        if isinstance(event, e.RoundSettledAgain):
            settled.setdefault(event.number, event)
        elif isinstance(event, e.ResultAnnounced | e.RoundVoided):
            found = found or event
        elif isinstance(event, e.RoundCalled | e.FreeHandCalled):
            again = settled.get(event.number)
            if isinstance(found, e.RoundVoided) or (again and again.void):
                return "void", 0, 0
            if again:
                coup = Coup.parse(again.coup)
                return coup.winner.value if coup.winner else "tie", coup.player.total, coup.banker.total
            if found is not None:
                return found.result, found.player_total, found.banker_total
    return None


def _outcome(expected: x.Outcome, sight: Sight) -> str | None:
    found = _latest_coup(sight)
    if found is None:
        return "no round has a result"
    return None if found[0] == expected.result else f"result {found[0]}"


def _points(expected: x.Points, sight: Sight) -> str | None:
    found = _latest_coup(sight)
    if found is None:
        return "no round has a result"
    result, *points = found
    if result == "void":
        return "the round is void"
    same = points == [expected.player, expected.banker]
    return None if same else f"points player {points[0]} banker {points[1]}"


def _settled(expected: x.Settled, sight: Sight) -> str | None:
    lines = _latest_lines(sight)
    if expected.result is Result.RETURNED:
        back = tuple(_returned_before(sight))
        lines = (*(lines or ()), *back) if lines is not None or back else None
    if lines is None:
        return "no round is settled"
    own = [line for line in lines if line.person == expected.person]
    found = [line for line in own if line.bet == expected.bet and expected.box in (0, line.box)]
    for line in found:
        if line.result is expected.result and expected.amount in (None, _amount(line)):
            return None
    listed = [
        f"{line.result.value} {line.person} {line.box} {line.bet} {sight.money(_amount(line))}" for line in found or own
    ]
    return _either(listed, f"{expected.person} had no bets")


def _latest_lines(sight: Sight) -> tuple[e.SettledLine, ...] | None:
    """The lines of the latest settlement; a void round gave every bet back."""
    for event in sight.backwards():
        if isinstance(event, e.RoundSettled | e.RoundSettledAgain):
            return event.lines
        if isinstance(event, e.RoundVoided):
            assert sight.table is not None
            rounds = (sight.table.round, sight.table.last, *sight.table.past)
            voided = next((each for each in rounds if each is not None and each.number == event.number), None)
            if voided is None:
                return ()
            bets = [(wager.person, wager.box, wager.bet, wager.stake) for wager in voided.wagers.values()]
            bets += [(it.person, it.box, f"{it.hand.value}_insurance", it.stake) for it in voided.insurance]
            return tuple(
                e.SettledLine(person, box, bet, stake, Result.RETURNED, 0, event.paragraph)
                for person, box, bet, stake in bets
            )
    return None


def _returned_before(sight: Sight) -> Iterator[e.SettledLine]:
    """What went back before a settlement, the whole of a bet or a part of it: since the call of the round that was
    settled last."""
    assert sight.table is not None
    settled = False
    for event in sight.backwards():
        match event:
            case e.RoundSettled() | e.RoundSettledAgain() | e.RoundVoided():
                settled = True
            case e.RoundCalled() | e.FreeHandCalled() if settled:
                break
            case e.WagerReduced(why=why) if why != "withdrawn":
                yield _back(event.person, event.box, event.bet, event.amount, event.paragraph)
            case e.LateChipsRefused(what="placed"):
                yield _back(event.person, event.box, event.bet, event.amount, event.paragraph)
            case e.StakesStand():
                yield from (_back(cut.person, cut.box, cut.bet, cut.amount, cut.paragraph) for cut in event.cuts)
            case e.StakeRuled():
                amount = sum(transfer.amount for transfer in event.transfers)
                yield _back(event.person, event.box, event.bet, amount, event.paragraph)
            case e.InsuranceReread() if event.transfers:
                amount = sum(transfer.amount for transfer in event.transfers)
                yield _back(event.person, event.box, f"{event.hand.value}_insurance", amount, event.paragraph)
    for found in filter(None, (sight.table.round, sight.table.last)):
        for wager in found.taken_back:
            yield _back(wager.person, wager.box, wager.bet, wager.stake, found.out.get(wager.person, ""))


def _back(person: str, box: int, bet: str, amount: int, paragraph: str) -> e.SettledLine:
    return e.SettledLine(person, box, bet, amount, Result.RETURNED, 0, paragraph)


def _amount(line: e.SettledLine) -> int:
    return line.profit if line.result is Result.WON else line.stake


def _day(expected: x.Day, sight: Sight) -> str | None:
    for event in sight.backwards():
        if isinstance(event, e.TableClosed):
            if (event.result, event.difference) == (expected.result, expected.difference):
                return None
            return f"day result {sight.money(event.result)} difference {sight.money(event.difference)}"
    return "the table has not closed"


_CHECKS: dict[type[x.Expectation], Callable[[Any, Sight], str | None]] = {
    x.Refusal: _refusal,
    x.Cited: _cited,
    x.Happened: _happened,
    x.NotHappened: _not_happened,
    x.Moved: _moved,
    x.Balance: _balance,
    x.Stack: _stack,
    x.OnLayout: _on_layout,
    x.Outcome: _outcome,
    x.Points: _points,
    x.Settled: _settled,
    x.Flag: _flag,
    x.NoFlags: _no_flags,
    x.InPhase: _phase,
    x.Offered: _offered,
    x.NotOffered: _not_offered,
    x.Matter: _matter,
    x.NoMatters: _no_matters,
    x.Choices: _choices,
    x.Proposed: _proposed,
    x.Asked: _asked,
    x.HandHolds: _hand,
    x.Carried: _carried,
    x.Disputed: _disputed,
    x.Owed: _owed,
    x.Day: _day,
}
