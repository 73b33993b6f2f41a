"""Dictionaries in layers behave as plain ones do."""

from __future__ import annotations

import random

from puntobanco.table.layers import FEW, Layered, copied


def test_a_small_dictionary_is_copied_whole_and_a_large_one_in_layers() -> None:
    small, large = dict.fromkeys(range(FEW), 0), dict.fromkeys(range(FEW + 1), 0)
    assert type(copied(small)) is dict
    assert type(copied(large)) is Layered
    assert copied(small) is not small


def test_layers_are_as_a_dictionary_whatever_is_put_changed_or_taken_out() -> None:
    chance = random.Random(5)
    plain = dict.fromkeys(range(1000), 0)
    kept = [(copied(plain), plain)]
    for step in range(2000):
        layered, plain = copied(kept[-1][0]), dict(kept[-1][1])
        key = chance.randrange(1500)
        if chance.random() < 0.05 and key in plain:
            del layered[key], plain[key]
        else:
            layered[key] = plain[key] = step
        assert layered.get(key) == plain.get(key)
        assert (key in layered) == (key in plain)
        kept.append((layered, plain))
    for layered, plain in chance.sample(kept, 100):
        assert layered == plain
        assert list(layered.items()) == list(plain.items())
        assert (list(layered), list(layered.values()), list(layered.keys())) == (
            list(plain),
            list(plain.values()),
            list(plain),
        )
        assert (len(layered), bool(layered), repr(layered)) == (len(plain), True, repr(plain))


def test_emptied_layers_are_false() -> None:
    layered = copied(dict.fromkeys(range(FEW + 1), 0))
    for key in range(FEW + 1):
        del layered[key]
    assert not layered
    assert layered == {}
