"""Seeds of players mix a committed shoe: pledged, shown, each in its turn and by its player alone."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from tests.table.build import DEALER, Play, open_table

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE
from puntobanco.table.settings import ELECTRONIC, SettingsError, TableSettings, check_settings

COMMITMENT, SEED, OTHER = "c0" * 32, "0a" * 32, "0b" * 32


def pledge(seed: str) -> str:
    """Of docs/shoes.md, by its text."""
    return hashlib.sha256(b"puntobanco seed pledge 1\0" + bytes.fromhex(COMMITMENT) + bytes.fromhex(seed)).hexdigest()


def at_electronic(**changes: Any) -> Play:
    play = open_table(**{"automated": ELECTRONIC, "seeds": "asked", "seed_countdown": 5, **changes})
    for box, player in enumerate(("ann", "ben", "cat"), 1):
        play.do(c.Join(player, box), player)
    play.do(c.NewShoe("shuffled", COMMITMENT), HOUSE)
    return play


def test_all_who_pledged_have_shown_and_the_shoe_is_mixed() -> None:
    play = at_electronic()
    assert play.refused(c.Call(), HOUSE).detail == "seeds.first"
    play.do(c.PledgeSeed("ben", pledge(OTHER)), "ben")
    play.do(c.PledgeSeed("ann", pledge(SEED)), "ann")
    assert play.refused(c.ShowSeed("ann", SEED), "ann").detail == "seeds.early"
    assert play.refused(c.CloseSeeds(), HOUSE).detail == "seeds.open"
    play.wait(6)
    assert play.do(c.CloseSeeds(), HOUSE) == (e.SeedsDue(play.now + 5_000),)
    play.do(c.ShowSeed("ann", SEED), "ann")
    assert play.refused(c.Call(), HOUSE).detail == "seeds.first"
    # in the order of the pledges, not of the seeds
    assert play.do(c.ShowSeed("ben", OTHER), "ben") == (e.SeedShown("ben", OTHER), e.ShoeMixed((OTHER, SEED)))
    play.do(c.Call(), HOUSE)


def test_a_seed_is_its_players_own_and_given_once() -> None:
    play = at_electronic()
    for actor in (HOUSE, DEALER, "ben"):
        assert play.ask(c.PledgeSeed("ann", pledge(SEED)), actor).code in ("electronic", "not_yours")  # type: ignore[union-attr]
    assert play.refused(c.PledgeSeed(DEALER, pledge(SEED)), DEALER).code == "rank"
    assert play.refused(c.PledgeSeed("zoe", pledge(SEED)), "zoe").code == "unknown_person"
    for text in ("", "0" * 63, "0" * 65, "G" * 64, "A" * 64, "٠" * 64):
        assert play.refused(c.PledgeSeed("ann", text), "ann").detail == "seeds.digits"
    play.do(c.PledgeSeed("ann", pledge(SEED)), "ann")
    assert play.refused(c.PledgeSeed("ann", pledge(OTHER)), "ann").detail == "seeds.twice"
    play.wait(6)
    play.do(c.CloseSeeds(), HOUSE)
    # what the others pledged is known by now, but no seed: nobody joins, and nobody changes his
    assert play.refused(c.PledgeSeed("ben", pledge(OTHER)), "ben").detail == "seeds.late"
    assert play.refused(c.ShowSeed("ann", OTHER), "ann").detail == "seeds.other"
    assert play.refused(c.ShowSeed("ann", SEED.upper()), "ann").detail == "seeds.digits"
    assert play.refused(c.ShowSeed("ben", OTHER), "ben").detail == "seeds.not_pledged"
    play.do(c.ShowSeed("ann", SEED), "ann")
    assert play.refused(c.ShowSeed("ann", SEED), "ann").detail == "seeds.none"
    assert play.refused(c.CloseSeeds(), HOUSE).detail == "seeds.none"


def test_whoever_withholds_a_seed_holds_up_nobody_and_pledges_no_more() -> None:
    play = at_electronic()
    play.do(c.PledgeSeed("ann", pledge(SEED)), "ann")
    play.do(c.PledgeSeed("ben", pledge(OTHER)), "ben")
    play.wait(6)
    play.do(c.CloseSeeds(), HOUSE)
    play.do(c.ShowSeed("ann", SEED), "ann")
    assert play.refused(c.CloseSeeds(), HOUSE).detail == "seeds.open"
    play.wait(6)
    assert play.do(c.CloseSeeds(), HOUSE) == (e.ShoeMixed((SEED,), ("ben",)),)
    play.do(c.EndShoe(), HOUSE)
    play.do(c.NewShoe("shuffled", "c1" * 32), HOUSE)
    assert play.refused(c.PledgeSeed("ben", pledge(OTHER)), "ben").detail == "seeds.unkept"
    play.do(c.PledgeSeed("ann", pledge(SEED)), "ann")


def test_where_seeds_are_asked_for_a_table_never_waits_for_them() -> None:
    play = at_electronic()
    play.wait(6)
    assert play.do(c.CloseSeeds(), HOUSE) == (e.ShoeMixed(()),)
    play.do(c.Call(), HOUSE)


def test_where_seeds_are_required_there_is_no_deal_without() -> None:
    play = at_electronic(seeds="required")
    play.wait(60)
    assert play.refused(c.CloseSeeds(), HOUSE).detail == "seeds.nobody"
    play.do(c.PledgeSeed("ann", pledge(SEED)), "ann")
    play.do(c.CloseSeeds(), HOUSE)
    play.wait(6)
    assert play.do(c.CloseSeeds(), HOUSE) == (e.SeedsAsked(play.now + 5_000, ("ann",)),)
    assert play.refused(c.Call(), HOUSE).detail == "seeds.first"
    play.do(c.PledgeSeed("ben", pledge(OTHER)), "ben")
    play.wait(6)
    play.do(c.CloseSeeds(), HOUSE)
    play.do(c.ShowSeed("ben", OTHER), "ben")
    play.do(c.Call(), HOUSE)


def test_where_everybody_has_pledged_nobody_is_waited_for() -> None:
    play = at_electronic()
    play.do(c.PledgeSeed("ann", pledge(SEED)), "ann")
    play.do(c.Leave("ben"), "ben")
    assert play.do(c.PledgeSeed("cat", pledge(OTHER)), "cat")[1:] == (e.SeedsDue(play.now + 5_000),)


def test_a_shoe_without_commitment_is_not_put_up_where_seeds_mix_it() -> None:
    play = at_electronic()
    play.do(c.EndShoe(), HOUSE)
    for commitment in ("", "C0" * 32, "c0" * 31):
        assert play.refused(c.NewShoe("shuffled", commitment), HOUSE).detail == "seeds.commitment"


@pytest.mark.parametrize("burn", ["none", 3])
def test_where_a_cut_is_required_there_is_no_bet_and_no_card_without(burn: object) -> None:
    play = at_electronic(seeds="none", cut="required", burn=burn, game="super-six", layout="A", positions=7)
    first: c.AnyCommand = c.Burn((None,) * 3) if burn == 3 else c.Call()
    assert play.refused(first, HOUSE).detail == "cards.cut_first"
    play.do(c.CutShoe("ben", 100), "ben")
    play.do(first, HOUSE)


def test_what_a_live_table_cannot_promise_is_refused() -> None:
    table = at_electronic().table
    promises: tuple[dict[str, Any], ...] = ({"seeds": "asked"}, {"cut": "required"})
    for live in promises:
        settings = TableSettings(table="L", game="tiger-buffalo", layout="A", positions=6, decks=8, **live)
        with pytest.raises(SettingsError, match="electronic shoe"):
            check_settings(settings, table.book)
