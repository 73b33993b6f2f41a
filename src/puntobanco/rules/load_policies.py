"""Reads what a book file says about ranks, procedures, irregularities and policies: all of it, or nothing at all."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from puntobanco.money import Rounding, RoundingMode
from puntobanco.rules.contradictions import tell_contradictions
from puntobanco.rules.model import (
    NO_RANK,
    USUAL_POWERS,
    USUAL_RANKS,
    AllBack,
    Bet,
    Commission,
    CommissionForm,
    Due,
    OptionsGiven,
    Power,
    Powers,
    Rank,
    Ranks,
    Remedy,
    Uncovered,
)
from puntobanco.rules.policies import NOT_YET, PLAIN, Policies, Stated, choices_of
from puntobanco.rules.read import Section, shown, suggestion
from puntobanco.rules.slots import RULED, Irregularities, Procedures, Slots, Subjects

S = TypeVar("S", bound=Subjects)

SECTIONS = ("ranks", "authority", "uncovered", "procedures", "irregularities", "remedies", "policies")
"""A file has all of these, or none: a game of which only bets and odds are known."""
NOT_COVERED = "not_covered"

_PARAGRAPH = "the number of the paragraph, as a text"
_RANK_CODE = re.compile(r"[a-z]+(_[a-z]+)*")
_PERCENT = re.compile(r"([0-9]{1,2})(?:\.([0-9]{1,2}))?%")
_MISSING = {
    "ranks": "an array of tables, the lowest rank first",
    "authority": "a table that says who may do what",
    "uncovered": "a table with the rank that decides what the book does not cover",
    "remedies": "a table that says who rules on what",
    "policies": "a table of what the house does",
}


class TableRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a book says beyond its bets."""

    ranks: Ranks = USUAL_RANKS
    authority: Powers = USUAL_POWERS
    uncovered: Uncovered = Uncovered("shift_manager", "")
    procedures: Procedures
    irregularities: Irregularities = Irregularities()
    remedies: dict[str, Remedy] = {}
    policies: Policies = PLAIN
    commission: Commission = Commission()


def read_table_rules(top: Section, bets: Mapping[str, Bet], *, insured: bool) -> TableRules:
    """All of it, consistent; or what holds for a file that says nothing of it."""
    before = top.mistakes
    stated = [name for name in SECTIONS if top.has(name)]
    if not stated:
        return TableRules(procedures=Procedures(), commission=_commission(top, bets, needed=False))
    for name in SECTIONS:
        if name not in stated:
            top.problem(name, f"missing; expected {_MISSING.get(name, 'a table')}, since the file has [{stated[0]}]")
    ranks = _ranks(top) if top.has("ranks") else USUAL_RANKS
    rules = TableRules(
        ranks=ranks,
        authority=_powers(_section(top, "authority"), ranks),
        uncovered=_uncovered(_section(top, "uncovered"), ranks),
        procedures=_subjects(_section(top, "procedures"), Procedures, "procedure"),
        irregularities=_subjects(_section(top, "irregularities"), Irregularities, "family"),
        remedies=_remedies(_section(top, "remedies"), ranks),
        policies=_policies(_section(top, "policies")),
        commission=_commission(top, bets, needed=True),
    )
    if top.mistakes == before:
        # what is misspelt is told first: the rest would only follow from it
        _tell_unruled(top, rules)
        tell_contradictions(top, rules, insured=insured)
    return rules


def _section(top: Section, name: str) -> Section:
    return top.section(name) if top.has(name) else Section({}, name, [])


# --- people


def _ranks(top: Section) -> Ranks:
    named: dict[str, Rank] = {}
    for step, at in enumerate(top.sections("ranks"), 1):
        code = at.text("code", "a code in snake case, as in pit_manager")
        title = at.text("title", "what the rank is called", _title(code))
        paragraph = at.text("paragraph", _PARAGRAPH, "")
        also = at.texts("also", "a list of codes of the same step", [])
        for each in filter(None, (code, *also)):
            if not _RANK_CODE.fullmatch(each):
                at.problem("code", f"expected lower-case words joined by underscores, found {shown(each)}")
            elif each in named or each == NO_RANK.code:
                at.problem("code", f"{each} is there twice")
            named[each] = Rank(each, step, title if each == code else _title(each), paragraph)
        at.finish()
    return Ranks(named)


def _title(code: str) -> str:
    return code.replace("_", " ").title()


def _rank(at: Section, name: str, ranks: Ranks) -> str:
    known = tuple(ranks.named)
    return at.choice(name, known) if known else at.text(name, "a rank")


def _power(table: Section, name: str, ranks: Ranks) -> Power:
    at = table.section(name)
    if not at.has_any:
        return Power("")
    power = Power(_rank(at, "rank", ranks), at.text("paragraph", _PARAGRAPH, ""))
    at.finish()
    return power


def _powers(at: Section, ranks: Ranks) -> Powers:
    powers = Powers(
        house=_power(at, "house", ranks),
        manages=_power(at, "manages", ranks),
        disputes_first=_power(at, "disputes_first", ranks),
        disputes_decided=_power(at, "disputes_decided", ranks),
        bars_squeeze=_power(at, "bars_squeeze", ranks) if at.has("bars_squeeze") else None,
    )
    at.finish()
    return powers


def _uncovered(at: Section, ranks: Ranks) -> Uncovered:
    uncovered = Uncovered(_rank(at, "rank", ranks), at.text("paragraph", _PARAGRAPH, ""))
    at.finish()
    return uncovered


# --- paragraphs


def _subjects(table: Section, kind: type[S], word: str) -> S:
    """Every subject of that kind: its slots, or its name in the list of what the book does not cover."""
    silent = table.texts(NOT_COVERED, f"a list of what the book says nothing of, each a {word}", [])
    known = kind.kinds()
    names = list(known)
    for name in silent:
        if name not in names:
            table.problem(NOT_COVERED, f"unknown {word} {shown(name)}; {suggestion(name, names)}")
        elif table.has(name):
            table.problem(name, f"has paragraphs and is listed under {NOT_COVERED} too")
    found: dict[str, Slots] = {}
    for name in names:
        if table.has(name):
            found[name] = _slots(table.section(name), known[name])
        elif name not in silent and table.has_any:
            table.problem(name, f"missing; expected its paragraphs, or its name in {NOT_COVERED}")
    for name in table.rest():
        table.problem(name, f"unknown {word}; {suggestion(name, names)}")
    return kind(**found)


def _slots(at: Section, kind: type[Slots]) -> Slots:
    first, *others = kind.names()
    values: dict[str, Any] = {first: at.text(first, _PARAGRAPH)}
    for name in others:
        text = at.text(name, f'{_PARAGRAPH}, or "{NOT_COVERED}"')
        values[name] = "" if text == NOT_COVERED else text
    if values[first] == NOT_COVERED:
        at.problem(first, f"a subject of which the book says nothing is listed under {NOT_COVERED}")
    values["also"] = at.texts("also", "a list of paragraph numbers", [])
    at.finish()
    return kind(**values)


# --- remedies and policies


def _remedies(table: Section, ranks: Ranks) -> dict[str, Remedy]:
    remedies: dict[str, Remedy] = {}
    families = (*RULED, "shoe_replaced")
    for name in table.names:
        if name not in families:
            table.problem(name, f"unknown family, or one that nobody rules on; {suggestion(name, families)}")
            continue
        at = table.section(name)
        rank = _rank(at, "by", ranks)
        options = at.choice("options", _values(OptionsGiven), "never")
        allowed = _rank(at, "allowed_by", ranks) if options == "allowed" or at.has("allowed_by") else ""
        if allowed and options != "allowed":
            at.problem("allowed_by", f"expected only where options are allowed, found options {options}")
        remedies[name] = Remedy(
            by=rank,
            options=OptionsGiven(options),
            given=at.text("given", _PARAGRAPH, "" if options == "never" else None),
            allowed_by=allowed,
            all_back=AllBack(at.choice("all_back", _values(AllBack), "over")),
            all_back_decided=AllBack(at.choice("all_back_decided", _values(AllBack), "over")),
        )
        at.finish()
    return remedies


def _values(kind: type[Any]) -> tuple[str, ...]:
    return tuple(choice.value for choice in kind)


def _policies(table: Section) -> Policies:
    stated = {name: _policy(table, name) for name in Policies.__struct_fields__}
    for name in table.rest():
        table.problem(name, f"unknown policy; {suggestion(name, stated)}")
    return Policies(**stated)


def _policy(table: Section, name: str) -> Stated[Any]:
    """A value with its paragraph; what no paragraph says may stand by itself."""
    stated = _stated(table, name)
    if stated.value in NOT_YET.get(name, ()):
        possible = [choice.value for choice in choices_of(name) if choice not in NOT_YET[name]]
        table.problem(name, f"{stated.value.value} cannot be played yet; expected {' or '.join(possible)}")
    return stated


def _stated(table: Section, name: str) -> Stated[Any]:
    kind = choices_of(name)
    values = _values(kind)
    fallback: Stated[Any] = getattr(PLAIN, name)
    silent = tuple(value for value in values if value in (NOT_COVERED, "left_to_table"))
    if table.has(name) and isinstance(table.value(name), str):
        value = table.choice(name, values)
        if table.value(name) in values and value not in silent:
            table.problem(name, f'expected {{ is = "{value}", paragraph = … }}: a policy has its paragraph')
        return Stated(kind(value))
    expected = f"one of {', '.join(values)}, with its paragraph"
    data = table.take(name, dict, expected)
    if data is None:
        return fallback
    at = table.section(name)
    value = at.choice("is", values)
    paragraph = at.text("paragraph", _PARAGRAPH, "" if value in silent else None)
    at.finish()
    return Stated(kind(value), paragraph)


def _tell_unruled(top: Section, rules: TableRules) -> None:
    for name in RULED:
        if rules.irregularities.of(name).covered and name not in rules.remedies:
            top.problem(f"remedies.{name}", "missing; expected who rules on it, since the book covers it")
    for name in rules.remedies:
        if not rules.irregularities.of(name).covered:
            top.problem(f"remedies.{name}", "the book does not cover it: [uncovered] says who rules on it")


# --- commission


def _commission(top: Section, bets: Mapping[str, Bet], *, needed: bool) -> Commission:
    if not top.has("commission") and not needed:
        return Commission()
    at = top.section("commission")
    written = at.option("form", _values(CommissionForm)) if top.has("commission") else None
    if written is None:
        return Commission()
    form = CommissionForm(written)
    if form is CommissionForm.NONE:
        at.finish()
        return Commission()
    rate = at.parsed("rate", _percent, "a rate, as in 5%") or Fraction(0)
    taken = at.texts("bets", "a list of the bets it is taken on")
    _check_bets(at, taken, bets)
    marked = form is CommissionForm.MARKED
    due = at.texts("due", f"a list of {', '.join(_values(Due))}") if marked else ()
    for each in due:
        if each not in _values(Due):
            at.problem("due", f"expected {', '.join(_values(Due))}, found {shown(each)}")
    mode = at.choice("rounding", _values(RoundingMode), "down") if marked else "down"
    unit = at.integer("unit", 1, 1_000_000, 1) if marked else 1
    paragraph = at.text("paragraph", _PARAGRAPH)
    if form is CommissionForm.AT_ONCE:
        _check_odds(at, rate, taken, bets)
    at.finish()
    known = tuple(Due(each) for each in due if each in _values(Due))
    return Commission(form, rate, taken, paragraph, known, Rounding(RoundingMode(mode), unit))


def _check_bets(at: Section, taken: Collection[str], bets: Mapping[str, Bet]) -> None:
    for code in taken:
        if bets and code not in bets:
            at.problem("bets", f"unknown bet {shown(code)}; {suggestion(code, bets)}")


def _check_odds(at: Section, rate: Fraction, taken: Collection[str], bets: Mapping[str, Bet]) -> None:
    """What is taken at once is in the odds already."""
    for code in taken:
        for line in bets[code].pays if code in bets else ():
            if rate and line.odds.fraction != 1 - rate:
                at.problem("rate", f"{code} pays {line.odds}, which is not even money less the rate")


def _percent(text: str) -> Fraction:
    match = _PERCENT.fullmatch(text)
    rate = Fraction(f"{match[1]}.{match[2] or 0}") / 100 if match else Fraction(0)
    if not rate:
        raise ValueError(f"expected a rate, as in 5% or 2.5%, found {shown(text)}")
    return rate
