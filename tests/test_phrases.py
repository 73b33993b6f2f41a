"""The checker of turns of phrase finds what it lists, and leaves plain English alone."""

from __future__ import annotations

import pytest
from scripts.tools.phrases import Phrase, finds_in, phrases, words_of

PHRASES = phrases()


@pytest.mark.parametrize("phrase", PHRASES, ids=lambda phrase: phrase.say)
def test_a_phrase_is_found_and_its_better_neighbours_are_not(phrase: Phrase) -> None:
    assert phrase.caught
    assert phrase.fine
    for sample in phrase.caught:
        assert list(finds_in(sample, "x.md", [phrase])), sample
    for sample in phrase.fine:
        assert not list(finds_in(sample, "x.md", [phrase])), sample


def test_a_find_has_its_line_and_may_go_over_two() -> None:
    (found,) = finds_in("One.\nThe bet is\nno amount.\n", "a.md", PHRASES)
    assert (found.file, found.line, found.text) == ("a.md", 2, "is no amount")


def test_only_words_of_a_program_are_read() -> None:
    source = 'for who in crowd: be = it\n# unless said\nx = f"{be} is no log"\n"""the own\none"""\n'
    assert [(found.line, found.text) for found in finds_in(words_of(source), "a.py", PHRASES)] == [
        (3, "is no log"),
        (4, "the own"),
        (2, "unless said"),
    ]
