"""What a book says beyond its bets: paragraphs in named slots, policies by name, ranks; and mistakes in all that."""

from __future__ import annotations

import ast
import copy
import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from scripts.tools import policies as page
from tests.test_books import Change, cut, data_of, document, problems, put

from puntobanco.money import Rounding, RoundingMode
from puntobanco.rules import policies as p
from puntobanco.rules.catalogue import book_of
from puntobanco.rules.contradictions import BORNE_OUT_BY, NEEDS
from puntobanco.rules.load import GAMES, find_book, load_book, parse_book
from puntobanco.rules.load_policies import SECTIONS
from puntobanco.rules.model import AllBack, CommissionForm, Due, OptionsGiven, Power
from puntobanco.rules.policies import NOT_YET, Policies, choices_of
from puntobanco.rules.read import BookError
from puntobanco.rules.slots import RULED, Irregularities, Procedures
from puntobanco.table.commands import GROUNDS

ROOT = Path(__file__).parents[1]
HARBOUR = ROOT / "examples" / "books" / "harbour-house.toml"
DATA: dict[str, Any] = tomllib.loads(HARBOUR.read_text(encoding="utf-8"))
TIGER = data_of("tiger-buffalo")


def changed(*changes: Change, data: dict[str, Any] = DATA) -> str:
    data = copy.deepcopy(data)
    for change in changes:
        change(data)
    return document(data)


def policy(name: str, value: str, paragraph: str = "9") -> Change:
    return put("policies", name, to={"is": value, "paragraph": paragraph})


# --- what the books say -----------------------------------------------------------------------------


def test_a_policy_is_asked_by_name() -> None:
    harbour, tiger = load_book(HARBOUR), find_book("tiger-buffalo")
    assert harbour.policies.left_over.value is p.LeftOver.FREE_HAND
    assert tiger.policies.left_over.value is p.LeftOver.OPENS_NEXT
    assert tiger.policies.left_over.paragraph == "5.8"


def test_a_paragraph_is_asked_by_its_slot() -> None:
    harbour, tiger = load_book(HARBOUR), find_book("tiger-buffalo")
    assert harbour.irregularities.burn_forgotten.later == "4.15.4"
    assert tiger.irregularities.burn_forgotten.later == ""
    assert not tiger.irregularities.burn_forgotten.covered
    assert tiger.irregularities.of("rectified_late").main == "5.15"
    assert tiger.procedures.squeeze.rule == "3.9"
    assert not tiger.irregularities.of("debt").covered


def test_the_harbour_house_mixes_what_no_house_mixes() -> None:
    book = load_book(HARBOUR)
    assert book.policies.left_over.value is p.LeftOver.FREE_HAND
    assert book.remedies["excess_cards"].options is OptionsGiven.OPEN
    assert book.remedies["simultaneous"].all_back is AllBack.NEW_SHOE
    assert book.policies.unrepairable.value is p.Unrepairable.VOID
    commission = book.commission
    assert (commission.form, commission.rate) == (CommissionForm.MARKED, Fraction(1, 20))
    assert (commission.due, commission.bets) == ((Due.END_OF_SHOE, Due.LEAVING), ("banker",))
    assert commission.rounding == Rounding(RoundingMode.UP, 25)
    assert [line.odds.fraction for line in book.bets["banker"].pays] == [1]


def test_ranks_of_a_houses_own() -> None:
    book = load_book(HARBOUR)
    assert [(rank.code, rank.step) for rank in book.ranks.named.values()] == [
        ("croupier", 1),
        ("table_chief", 2),
        ("inspector", 2),
        ("floor_chief", 3),
        ("duty_director", 4),
    ]
    assert book.ranks.lowest.code == "croupier"
    assert book.ranks.named["duty_director"].title == "Director on Duty"
    assert book.ranks.named["inspector"].title == "Inspector"
    assert book.authority.house == Power("table_chief", "1.2")
    assert book.ranks.at_least("inspector", "table_chief")
    assert not book.ranks.at_least("croupier", "inspector")
    assert not book.ranks.at_least("player", "croupier")


def test_a_hand_that_cannot_be_put_right() -> None:
    """Reading I and Hoiana's 7.3."""
    values = {game: find_book(game).policies.unrepairable.value.value for game in GAMES}
    assert values == {
        "da-hu-ying-xiong": "as_it_lies",
        "super-six": "either",
        "rws-baccarat": "as_it_lies",
        "tiger-buffalo": "as_it_lies",
        "dragon-tiger-commission": "void",
        "dragon-tiger-non-commission": "void",
    }


def test_policies_differ_between_the_houses() -> None:
    """No policy that is the same everywhere would need a name; those below have values for other houses alone."""
    books = [*map(find_book, GAMES), load_book(HARBOUR)]
    same = {
        name for name in Policies.__struct_fields__ if len({getattr(book.policies, name).value for book in books}) == 1
    }
    assert same == {
        "round_ends", "late_bet", "wrong_count", "foreign_card", "shoe_empty", "decided_on_void", "first_card_unseen",
    }  # fmt: skip


def test_slots_bear_the_names_of_the_grounds() -> None:
    assert Irregularities().dispute_grounds.names() == GROUNDS


def test_what_is_ruled_on_is_a_family() -> None:
    assert set(RULED) < set(Irregularities.__struct_fields__)
    assert set(BORNE_OUT_BY) < set(Policies.__struct_fields__)
    assert {family for families in NEEDS.values() for family in families} < set(Irregularities.__struct_fields__)


# --- who names a slot, a policy or a value that does not exist ---------------------------------------


@cache
def named_in_source() -> list[tuple[str, str, str]]:
    """Every ``….irregularities.family.slot``, ``….procedures.name.slot`` and ``….policies.name`` in the package."""
    return [
        (node.value.attr, node.attr, file.name)
        for file in (ROOT / "src" / "puntobanco").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute)
    ]


@pytest.mark.parametrize(
    ("field", "kind"), [("irregularities", Irregularities), ("procedures", Procedures), ("policies", Policies)]
)
def test_nobody_asks_for_what_no_book_can_say(field: str, kind: type[Any]) -> None:
    known = {*kind.__struct_fields__, *vars(kind), "of", "covered"}
    wrong = [(name, file) for parent, name, file in named_in_source() if parent == field and name not in known]
    assert wrong == []


@cache
def table_source() -> list[tuple[str, ast.AST]]:
    """Every node of the table, and of what is made of it, with the file it stands in."""
    package = ROOT / "src" / "puntobanco"
    files = [file for part in ("table", "views", "script", "store") for file in (package / part).rglob("*.py")]
    trees = [(file.relative_to(package).as_posix(), ast.parse(file.read_text(encoding="utf-8"))) for file in files]
    return [(name, node) for name, tree in trees for node in ast.walk(tree)]


def test_no_code_asks_which_game_it_is() -> None:
    """No id of a game, of a casino or of a book in an expression; what a comment or a docstring says is no question."""
    named = {*GAMES, *map(book_of, GAMES), *(find_book(game).casino for game in GAMES), "Hoiana", "harbour-house"}
    asked = [
        (file, node.value)
        for file, node in table_source()
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in named
    ]
    # examples of the history format are written for one game or another
    assert [found for found in asked if found[0] != "script/grammar.py"] == []
    compared = [
        (file, ast.unparse(node))
        for file, node in table_source()
        if isinstance(node, ast.Compare) and {"game", "casino"} & {getattr(each, "attr", "") for each in ast.walk(node)}
    ]
    # the literal settlement is written game by game, and says which it knows
    assert [found for found in compared if found[0] != "store/money_check.py"] == []


def test_no_code_finds_a_paragraph_by_its_position_or_asks_what_a_book_lacks() -> None:
    parts = {"irregularities", "procedures", "policies", "remedies"}
    by_position = [
        (file, ast.unparse(node))
        for file, node in table_source()
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute)
        if node.value.attr in {"cited", "also", *parts}
    ]
    by_absence = [
        (file, ast.unparse(node))
        for file, node in table_source()
        if isinstance(node, ast.Compare) and any(isinstance(operator, ast.In | ast.NotIn) for operator in node.ops)
        if any(isinstance(each, ast.Attribute) and each.attr in parts for each in node.comparators)
    ]
    assert (by_position, by_absence) == ([], [])


@pytest.mark.parametrize(("name", "choice"), [(name, choice) for name in NOT_YET for choice in NOT_YET[name]])
def test_what_no_table_can_play_yet_is_refused_by_name(name: str, choice: p.Choice) -> None:
    silent = choice.value == "not_covered"
    change = put("policies", name, to=choice.value) if silent else policy(name, choice.value)
    with pytest.raises(BookError) as caught:
        parse_book(changed(change), "book.toml")
    told = [problem.message for problem in caught.value.problems if problem.key == f"policies.{name}"]
    assert told
    assert told[0].startswith(f"{choice.value} cannot be played yet; expected ")


# --- mistakes ---------------------------------------------------------------------------------------

MISTAKES: dict[str, tuple[Change, str, str]] = {
    # unknown words
    "slot": (
        put("irregularities", "burn_forgotten", "latter", to="1"),
        "irregularities.burn_forgotten.latter",
        "unknown key; did you mean later?",
    ),
    "family": (
        put("irregularities", "voyd", to={"rule": "1"}),
        "irregularities.voyd",
        "unknown family; did you mean void?",
    ),
    "procedure": (
        put("procedures", "cal", to={"rule": "1"}),
        "procedures.cal",
        "unknown procedure; did you mean call?",
    ),
    "not covered": (
        put("procedures", "not_covered", to=["early_squeeze", "scoreboard", "suspect", "skoreboard"]),
        "procedures.not_covered",
        "unknown procedure 'skoreboard'; did you mean scoreboard?",
    ),
    "policy": (policy("left_overs", "discard"), "policies.left_overs", "unknown policy; did you mean left_over?"),
    "value": (
        policy("left_over", "free"),
        "policies.left_over.is",
        "expected one of opens_next, free_hand, discard, found 'free'",
    ),
    "value without a paragraph's table": (
        put("policies", "left_over", to="free"),
        "policies.left_over",
        "expected one of opens_next, free_hand, discard, found 'free'",
    ),
    "remedy": (
        put("remedies", "walk_away", to={}),
        "remedies.walk_away",
        "unknown family, or one that nobody rules on",
    ),
    "in a remedy": (put("remedies", "face_up", "bye", to="x"), "remedies.face_up.bye", "did you mean by?"),
    "options": (
        put("remedies", "excess_cards", "options", to="sometimes"),
        "remedies.excess_cards.options",
        "expected one of never, open, unrepaired, always, allowed, found 'sometimes'",
    ),
    "rank": (
        put("remedies", "face_up", "by", to="owner"),
        "remedies.face_up.by",
        "expected one of croupier, table_chief",
    ),
    "rank of the uncovered": (put("uncovered", "rank", to="owner"), "uncovered.rank", "expected one of croupier"),
    "in uncovered": (put("uncovered", "by", to="x"), "uncovered.by", "unknown key; known are paragraph, rank"),
    "power": (put("authority", "hause", to={}), "authority.hause", "unknown key; did you mean house?"),
    "in ranks": (put("ranks", 0, "titel", to="x"), "ranks[0] (croupier).titel", "did you mean title?"),
    "form": (put("commission", "form", to="weekly"), "commission.form", "expected one of none, at_once, marked"),
    "due": (
        put("commission", "due", to=["monthly"]),
        "commission.due",
        "expected end_of_shoe, leaving, found 'monthly'",
    ),
    "bet of a commission": (put("commission", "bets", to=["bankar"]), "commission.bets", "did you mean banker?"),
    "rounding": (put("commission", "rounding", to="off"), "commission.rounding", "expected one of down, nearest, up"),
    # missing ones
    "no slot": (
        cut("irregularities", "burn_forgotten", "later"),
        "irregularities.burn_forgotten.later",
        'missing; expected the number of the paragraph, as a text, or "not_covered"',
    ),
    "no family": (
        cut("irregularities", "void"),
        "irregularities.void",
        "missing; expected its paragraphs, or its name in not_covered",
    ),
    "no procedure": (cut("procedures", "call"), "procedures.call", "missing; expected its paragraphs"),
    "no policy": (
        cut("policies", "left_over"),
        "policies.left_over",
        "missing; expected one of opens_next, free_hand, discard, with its paragraph",
    ),
    "no paragraph": (
        put("policies", "left_over", to={"is": "free_hand"}),
        "policies.left_over.paragraph",
        "missing; expected the number of the paragraph",
    ),
    "a value alone": (
        put("policies", "left_over", to="free_hand"),
        "policies.left_over",
        "a policy has its paragraph",
    ),
    "no remedy": (cut("remedies", "face_up"), "remedies.face_up", "missing; expected who rules on it"),
    "no paragraph that gives options": (
        cut("remedies", "excess_cards", "given"),
        "remedies.excess_cards.given",
        "missing; expected the number",
    ),
    "nobody allows": (
        cut("remedies", "face_up", "allowed_by"),
        "remedies.face_up.allowed_by",
        "missing; expected one of",
    ),
    "no power": (cut("authority", "house"), "authority.house", "missing; expected a table"),
    "no commission": (cut("commission"), "commission", "missing; expected a table"),
    "no rate": (cut("commission", "rate"), "commission.rate", "missing; expected a rate, as in 5%"),
    "no due": (cut("commission", "due"), "commission.due", "missing; expected a list of end_of_shoe, leaving"),
    # of the wrong kind, twice, or too much
    "family a list": (put("irregularities", "void", to=["1"]), "irregularities.void", "expected a table, found ['1']"),
    "policy a list": (
        put("policies", "burn", to=["none"]),
        "policies.burn",
        "expected one of left_to_table, first_card",
    ),
    "covered and not": (
        put("procedures", "scoreboard", to={"rule": "1"}),
        "procedures.scoreboard",
        "has paragraphs and is listed under not_covered too",
    ),
    "subject not covered by its slot": (
        put("irregularities", "void", "rule", to="not_covered"),
        "irregularities.void.rule",
        "a subject of which the book says nothing is listed under not_covered",
    ),
    "rank twice": (
        put("ranks", 2, "also", to=["inspector"]),
        "ranks[2] (floor_chief).code",
        "inspector is there twice",
    ),
    "a rank for players": (put("ranks", 0, "also", to=["player"]), "ranks[0] (croupier).code", "player is there twice"),
    "rank in capitals": (
        put("ranks", 0, "also", to=["Pit Boss"]),
        "ranks[0] (croupier).code",
        "expected lower-case words",
    ),
    "rate": (put("commission", "rate", to="5"), "commission.rate", "expected a rate, as in 5% or 2.5%, found '5'"),
    "allowed for nothing": (
        put("remedies", "excess_cards", "allowed_by", to="floor_chief"),
        "remedies.excess_cards.allowed_by",
        "expected only where options are allowed, found options open",
    ),
}


@pytest.mark.parametrize(("change", "key", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake(change: Change, key: str, message: str) -> None:
    found = problems(changed(change))
    assert message in found.pop(key)
    assert not found


@pytest.mark.parametrize("section", SECTIONS)
def test_table_rules_are_whole_or_not_there(section: str) -> None:
    found = problems(changed(cut(section)))
    assert found[section].startswith("missing; expected")
    assert "since the file has [" in found[section]
    alone = {key: DATA[key] for key in ("id", "title", "decks", "bets", "insurance", section)}
    assert set(problems(document(alone))) >= set(SECTIONS) - {section}


CONTRADICTIONS: dict[str, tuple[list[Change], str, str]] = {
    "family not covered": (
        [
            policy("walk_away", "settled"),
            cut("irregularities", "walk_away"),
            put("irregularities", "not_covered", to=["cut_card_not_offered", "walk_away"]),
        ],
        "policies.walk_away",
        "irregularities.walk_away is not covered",
    ),
    "policy not covered": (
        [put("policies", "walk_away", to="not_covered")],
        "policies.walk_away",
        "irregularities.walk_away has paragraphs: say what they do",
    ),
    "by a reading alone": (
        [policy("walk_away", "settled", "reading L")],
        "policies.walk_away",
        "settled takes a paragraph of the book",
    ),
    "a Free Hand that nothing leads to": (
        [policy(name, "opens_next") for name in ("left_over", "first_card_seen", "third_to_banker_seen")]
        + [cut("remedies", "squeeze_delivery", "all_back_decided")],
        "irregularities.free_hand",
        "no policy leads to a Free Hand",
    ),
    "becomes Banker's": (
        [policy("card_too_many", "excess")],
        "policies.third_to_player",
        "becomes_bankers needs card_too_many by_hand",
    ),
    "becomes Banker's, unrepaired": (
        [put("remedies", "third_to_player", "options", to="unrepaired")],
        "remedies.third_to_player",
        "becomes_bankers reconstructs nothing",
    ),
    "options that nothing cites": (
        [policy("options_by", "by_family")],
        "policies.options_by",
        "that nothing would cite",
    ),
    "options for a void hand": (
        [policy("options_when_unrepaired", "always")],
        "policies.options_when_unrepaired",
        "unrepairable is void",
    ),
    "a shoe that nobody replaces": (
        [cut("remedies", "shoe_replaced")],
        "policies.shoe_after_simultaneous",
        "remedies.shoe_replaced does not say by whom",
    ),
    "a shoe replaced for nothing": (
        [put("policies", "shoe_after_simultaneous", to="not_covered")],
        "remedies.shoe_replaced",
        "shoe_after_simultaneous is not_covered",
    ),
    "kept late": (
        [policy("late_discovery", "stands")],
        "policies.decided_on_late_void",
        "kept needs late_discovery rectify",
    ),
    "counts as previous": (
        [policy("cut_card_ends", "this_round")],
        "policies.cut_card_first",
        "counts_as_previous has a meaning only with cut_card_ends one_more",
    ),
    "burn now, though seen": (
        [policy("burn_forgotten_seen", "burn_now"), put("policies", "shoe_asked_by", to="not_covered")],
        "policies.burn_forgotten_seen",
        "burn_now is not possible then",
    ),
    "nothing to forget": ([policy("burn", "none")], "policies.burn_forgotten_unseen", "burn is none"),
    "nobody says how many ask": (
        [put("policies", "shoe_asked_by", to="not_covered")],
        "policies.shoe_asked_by",
        "say how many must ask",
    ),
    "nobody is asked": (
        [policy("burn_forgotten_seen", "go_on")],
        "policies.shoe_asked_by",
        "nobody is asked: expected not_covered",
    ),
    "nobody squeezes": ([policy("squeeze", "none")], "policies.squeeze_rights", "squeeze is none"),
    "no rights": (
        [put("policies", "squeeze_rights", to="not_covered")],
        "policies.squeeze_rights",
        "say how many rights there are",
    ),
    "barred by nobody": ([cut("authority", "bars_squeeze")], "authority.bars_squeeze", "missing; expected a rank"),
    "barred never": ([policy("squeeze_bar", "never")], "authority.bars_squeeze", "squeeze_bar is never"),
    "no insurance": (
        [cut("insurance"), cut("layouts", 0, "insurance")],
        "policies.insurance_forgone",
        "the book has no [insurance]",
    ),
    "insurance": (
        [put("policies", "insurance_forgone", to="not_covered")],
        "policies.insurance_forgone",
        "the book has [insurance]",
    ),
    "commission": (
        [put("commission", to={"form": "none"})],
        "commission",
        "procedures.commission is covered, and form is none",
    ),
    "manages": (
        [put("authority", "manages", "rank", to="croupier")],
        "authority.manages",
        "croupier stands below table_chief, which is house",
    ),
    "remedy of what is not covered": (
        [
            cut("irregularities", "face_up"),
            put("irregularities", "not_covered", to=["cut_card_not_offered", "face_up"]),
        ],
        "remedies.face_up",
        "the book does not cover it",
    ),
}


@pytest.mark.parametrize(("changes", "key", "message"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_contradiction(changes: list[Change], key: str, message: str) -> None:
    found = problems(changed(*changes))
    assert message in found[key]


def test_commission_taken_at_once_is_in_the_odds() -> None:
    found = problems(changed(put("commission", "rate", to="4%"), data=data_of("super-six")))
    assert "banker pays 0.95 to 1" in found.pop("commission.rate")
    assert not found


def test_commission_in_the_odds_is_never_due() -> None:
    found = problems(changed(put("commission", "due", to=["leaving"]), data=data_of("super-six")))
    assert "unknown key" in found.pop("commission.due")
    assert not found


def test_mistakes_hide_contradictions() -> None:
    found = problems(changed(policy("cut_card_ends", "this_round"), policy("left_over", "free")))
    assert set(found) == {"policies.left_over.is"}


def test_every_policy_changes_the_hash() -> None:
    hashes = {load_book(HARBOUR).hash}
    changes = [policy(name, DATA["policies"][name]["is"], "99") for name in DATA["policies"]]
    changes += [put("ranks", 3, "title", to="Chief"), put("uncovered", "rank", to="floor_chief")]
    changes += [put("commission", "unit", to=5), put("irregularities", "void", "also", to=["1"])]
    hashes |= {parse_book(changed(change)).hash for change in changes}
    assert len(hashes) == len(changes) + 1


def test_every_policy_has_a_meaning() -> None:
    for name in get_type_hints(Policies):
        kind = choices_of(name)
        assert kind.__doc__, name
        assert all(choice.meaning for choice in kind), name
        assert len(kind) > 1, name


def test_the_page_tells_every_policy_and_slot() -> None:
    """If this fails: scripts/policies."""
    text = page.PAGE.read_text(encoding="utf-8")
    assert text == page.render(text)
    assert all(f"`{name}`" in text for name in (*Policies.__struct_fields__, *Irregularities.__struct_fields__))
