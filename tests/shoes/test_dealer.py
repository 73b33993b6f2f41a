"""Electronic tables played to the end of their shoes: the committed order is dealt, whatever is lost on the way."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.shoes.electronic import ElectronicTable, settings
from tests.table.build import SUPERVISOR, open_table

from puntobanco.cards import Side, parse_cards
from puntobanco.rules.load import GAMES
from puntobanco.shoes.audit import check_shoe, check_shoes
from puntobanco.shoes.commit import CommitmentError, ShoeSecret, after_cuts, check_dealt, read_order
from puntobanco.shoes.dealer import DealerError, ElectronicShoe
from puntobanco.shoes.history import follow, shoes_of
from puntobanco.shoes.keys import load_key_file, rotate_key_file
from puntobanco.shoes.vault import MemoryVault, VaultError, reseal
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About

BURNS: tuple[Any, ...] = ("none", "first_card", 3, "first_card", 1, "none")


def played(
    folder: Path, chance: Random, game: str = "tiger-buffalo", shoes: int = 1, **changes: Any
) -> ElectronicTable:
    table = ElectronicTable(folder, chance, settings(game, **changes))
    for _ in table.play(shoes):
        pass
    return table


@pytest.mark.parametrize(("game", "burn"), [*zip(GAMES, BURNS, strict=True)])
def test_whole_shoes_of_every_game_with_restarts(game: str, burn: Any, tmp_path: Path) -> None:
    table = played(tmp_path, Random(game), game, shoes=2, burn=burn)
    assert table.restarts > 5
    assert check_shoes(table.events, table.reveals) == 2
    for shoe in shoes_of(table.events):
        assert shoe.over
        assert len(shoe.dealt) > 300
        assert None not in shoe.dealt
        assert bool(shoe.burnt) == (burn != "none")
        if burn == "first_card" and shoe.burnt[0] is not None:
            assert len(shoe.burnt) == 1 + (shoe.burnt[0].points or 10)
    ends = [event.reason for event in table.events if isinstance(event, e.ShoeEnded)]
    assert ends == [About.of("shoe.last_round")] * 2


@pytest.mark.parametrize("game", ["da-hu-ying-xiong", "dragon-tiger-commission", "tiger-buffalo"])
def test_a_shuffler_deals_each_round_in_an_order_of_its_own(game: str, tmp_path: Path) -> None:
    table = played(tmp_path, Random(game), game, shoes=40, shuffler=True, face_down=True)
    assert table.restarts > 3
    orders = list(shoes_of(table.events))
    assert check_shoes(table.events, table.reveals) == 40
    assert [(order.number, order.mixed) for order in orders] == [(1, mixed) for mixed in range(40)]
    assert len({reveal.order for reveal in table.reveals}) == 40
    assert all(len(reveal.order) == 2 * 52 * table.table.settings.decks for reveal in table.reveals)
    assert not any(order.cuts or order.burnt for order in orders)
    assert all(4 <= len(order.dealt) <= 6 for order in orders)
    # committed to before bets are taken, and another order is neither revealed nor dealt on
    kinds = [type(event) for event in table.events]
    returned = [place for place, kind in enumerate(kinds) if kind is e.CardsReturned]
    assert {kinds[place + 1] for place in returned if place + 1 < len(kinds)} == {e.RoundCalled}
    swapped = [replace(reveal, mixed=39 - reveal.mixed) for reveal in table.reveals]
    with pytest.raises(CommitmentError, match="the revealed order is not the one that was committed to"):
        check_shoes(table.events, swapped)
    with pytest.raises(CommitmentError, match=r"shoe 1, order 7 is over and was not revealed"):
        check_shoes(table.events, [reveal for reveal in table.reveals if reveal.mixed != 6])
    with pytest.raises(CommitmentError, match="shoe 1, order 2 was revealed, not shoe 1"):
        check_shoe(orders[0], table.reveals[1], table.table.settings.book_hash)


def test_an_order_that_has_served_gives_no_more_cards(tmp_path: Path) -> None:
    table = played(tmp_path, Random(5), shuffler=True)
    served = table.shoe
    assert served is not None
    assert served.over
    with pytest.raises(CommitmentError, match="a card left shoe 1 after its order had served"):
        follow(served, e.CardsDealt(parse_cards("9h"), (Side.PLAYER,)))
    table.do(c.ReturnCards("ab" * 32))
    assert table.shoe is not None
    with pytest.raises(CommitmentError, match="discards went back into shoe 1 while its order was in use"):
        follow(table.shoe, e.CardsReturned(4, "cd" * 32))
    with pytest.raises(DealerError, match="in use and stays secret"):
        table.dealer.reveal(table.table)


def test_cards_for_a_squeeze_come_face_down_one_by_one(tmp_path: Path) -> None:
    table = played(tmp_path, Random(3), face_down=True)
    kinds = {type(event) for event in table.events}
    assert kinds >= {e.CardDrawn, e.CardTurned, e.CardsDealt, e.SqueezeAnswered}
    assert check_shoes(table.events, table.reveals) == 1


def test_insurance_comes_before_the_next_card(tmp_path: Path) -> None:
    table = played(tmp_path, Random(5), "tiger-buffalo")
    assert any(isinstance(event, e.InsuranceOffered) for event in table.events)


def test_the_cut_rotates_what_is_dealt_and_the_cut_card_follows(tmp_path: Path) -> None:
    table = ElectronicTable(tmp_path, Random(1), settings("super-six", cut_card=60))
    table.do(table.dealer.new_shoe(table.table))
    table.do(c.CutShoe("ann", 100), "ann")
    table.do(c.CutShoe("ben", 33), "ben")
    for _ in table.play():
        pass
    (shoe,), (reveal,) = shoes_of(table.events), table.reveals
    assert shoe.cuts == (100, 33)
    order = read_order(reveal.order)
    assert [card.index for card in shoe.dealt if card] == list((order * 2)[133 : 133 + len(shoe.dealt)])
    gone = 0
    for event in table.events:
        if isinstance(event, e.CardsDealt):
            gone += len(event.cards)
        if isinstance(event, e.CutCardAppeared):
            break
    # the first card behind it was just dealt, in one of the steps of one to four cards
    assert 416 - 60 <= gone < 416 - 60 + 4
    with pytest.raises(CommitmentError):
        check_dealt(order, (100,), shoe.burnt, shoe.dealt)


@pytest.mark.parametrize("burn", ["first_card", "none"])
def test_no_card_leaves_a_shoe_that_nobody_has_cut(burn: Any, tmp_path: Path) -> None:
    table = ElectronicTable(tmp_path, Random(1), settings("super-six", burn=burn))
    table.do(table.dealer.new_shoe(table.table))
    if burn == "none":
        table.do(c.Call())
        table.do(c.Close())
    assert table.dealer.next_command(table.table, table.shoe) is None
    uncut = ElectronicShoe(table.vault, load_key_file(tmp_path / "shoes.key"), wait_for_cut=False)
    assert uncut.next_command(table.table, table.shoe) is not None
    table.do(c.CutShoe("ann", 200), "ann")
    assert isinstance(table.dealer.next_command(table.table, table.shoe), c.Burn if burn == "first_card" else c.Deal)


def test_an_early_end_reveals_too(tmp_path: Path) -> None:
    table = ElectronicTable(tmp_path, Random(2), settings("rws-baccarat"))
    steps = table.play()
    while len(table.events) < 60 or table.table.round is not None:
        next(steps)
    with pytest.raises(DealerError, match="shoe 1 of table E1 is in use and stays secret"):
        table.dealer.reveal(table.table)
    table.do(c.EndShoe("a player asked for it"))
    assert check_shoes(table.events, table.reveals) == 1
    with pytest.raises(CommitmentError, match="shoe 1 is over and was not revealed"):
        check_shoes(table.events, [])


def test_a_table_that_closes_on_a_shoe_reveals_it(tmp_path: Path) -> None:
    table = ElectronicTable(tmp_path, Random(2), settings("super-six"))
    table.do(table.dealer.new_shoe(table.table))
    for player in ("ann", "ben"):
        table.do(c.Leave(player), player)
    table.do(c.CloseTable({100_00: 100_000}))
    assert table.shoe is not None
    assert table.shoe.over
    check_shoe(table.shoe, table.dealer.reveal(table.table), table.table.settings.book_hash)
    assert table.dealer.next_command(table.table, table.shoe) is None


def test_a_restart_under_a_new_key_continues_the_same_order(tmp_path: Path) -> None:
    table = ElectronicTable(tmp_path, Random(4), settings("da-hu-ying-xiong"))
    steps = table.play()
    while len(table.events) < 40:
        next(steps)
    reseal(table.vault, rotate_key_file(tmp_path / "shoes.key"))
    table.restart()
    for _ in steps:
        pass
    assert check_shoes(table.events, table.reveals) == 1


def test_two_shoes_in_one_log_must_not_share_a_commitment(tmp_path: Path) -> None:
    table = played(tmp_path, Random(6), shoes=2)
    first = next(event for event in table.events if isinstance(event, e.ShoeStarted))
    events = [
        replace(event, commitment=first.commitment) if isinstance(event, e.ShoeStarted) else event
        for event in table.events
    ]
    with pytest.raises(CommitmentError, match="shoe 2 has the commitment of shoe 1"):
        check_shoes(events, table.reveals)
    with pytest.raises(CommitmentError, match="shoe 1 of an electronic table was not committed to"):
        check_shoes([replace(first, commitment="") if event is first else event for event in table.events], [])


def test_shoes_in_use_and_shoes_of_live_tables_have_nothing_to_reveal(tmp_path: Path) -> None:
    table = ElectronicTable(tmp_path, Random(1), settings("super-six"))
    table.do(table.dealer.new_shoe(table.table))
    assert check_shoes(table.events, []) == 0
    live = open_table()
    live.shoe()
    live.do(c.EndShoe("worn"), SUPERVISOR)
    assert check_shoes(live.events, []) == 0


def test_one_changed_card_anywhere_is_found(tmp_path: Path) -> None:
    table = played(tmp_path, Random(7), "super-six")
    places = [place for place, event in enumerate(table.events) if isinstance(event, e.CardsDealt)]
    for place in Random(8).sample(places, 20):
        event = table.events[place]
        assert isinstance(event, e.CardsDealt)
        other = next(card for card in type(event.cards[0]) if card is not event.cards[-1])
        changed = [*table.events]
        changed[place] = replace(event, cards=(*event.cards[:-1], other))
        with pytest.raises(CommitmentError, match=r"shoe 1: card \d+ out of the shoe"):
            check_shoes(changed, table.reveals)


# --- refusals of the shoe


def test_a_log_that_disagrees_gets_no_more_cards(tmp_path: Path) -> None:
    table = ElectronicTable(tmp_path, Random(9), settings("super-six"))
    steps = table.play()
    while table.table.round is None or not table.table.round.untouched or table.table.shoe.drawn < 20:
        next(steps)
    shoe = table.shoe
    assert shoe is not None
    assert shoe.dealt[0] is not None
    other = next(card for card in type(shoe.dealt[0]) if card is not shoe.dealt[0])
    for wrong in (
        None,
        replace(shoe, number=2),
        replace(shoe, commitment="00"),
        replace(shoe, gone=shoe.gone[:-1]),
        replace(shoe, size=312),
    ):
        with pytest.raises(DealerError, match="is not as the log has it"):
            table.dealer.next_command(table.table, wrong)
    with pytest.raises(DealerError, match="card 1 of the log is not the one that the shoe gave"):
        table.dealer.next_command(table.table, replace(shoe, gone=(other, *shoe.gone[1:])))
    with pytest.raises(DealerError, match=r"card \d of the log is not the one that the shoe gave"):
        table.dealer.next_command(table.table, replace(shoe, cuts=(*shoe.cuts, 5)))


def test_a_shoe_under_another_book_gives_no_cards(tmp_path: Path) -> None:
    table = ElectronicTable(tmp_path, Random(9), settings("super-six"))
    table.do(table.dealer.new_shoe(table.table))
    table.do(c.CutShoe("ann", 1), "ann")
    table.do(c.Call())
    table.do(c.Close())
    other = replace(table.table, settings=replace(table.table.settings, book_hash="00" * 32))
    with pytest.raises(DealerError, match="committed to under another rule book"):
        table.dealer.next_command(other, table.shoe)
    lost = ElectronicShoe(MemoryVault(), load_key_file(tmp_path / "shoes.key"))
    with pytest.raises(VaultError, match="shoe 1 of table E1 is not in the vault"):
        lost.next_command(table.table, table.shoe)


def test_new_shoes_come_when_they_are_due(tmp_path: Path) -> None:
    table = ElectronicTable(tmp_path, Random(9), settings("super-six"))
    first, second = table.dealer.new_shoe(table.table), table.dealer.new_shoe(table.table)
    assert first.commitment != second.commitment  # one that was not put up does no harm
    table.do(second)
    with pytest.raises(DealerError, match="shoe 1 of table E1 is in use"):
        table.dealer.new_shoe(table.table)
    live = open_table()
    with pytest.raises(DealerError, match="table T1 is dealt by hand"):
        table.dealer.new_shoe(live.table)
    assert table.dealer.next_command(live.table, None) is None


def test_the_last_cards_of_a_shoe(tmp_path: Path) -> None:
    """A Cut Card at the very end, and a shoe that runs out inside a round."""
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        table = played(folder, Random(number), "super-six", cut_card=1, rounds_after_cut=1)
        assert check_shoes(table.events, table.reveals) == 1
        (shoe,) = shoes_of(table.events)
        assert len(shoe.gone) >= 410


def test_from_known_bytes_to_a_card() -> None:
    """A word of zero swaps with the first place each time: the deck comes out moved by one."""
    secret = ShoeSecret.fresh(1, bytes)
    assert secret.order == bytes([*range(1, 52), 0])
    assert after_cuts(secret.order, (50,))[:3] == bytes([51, 0, 1])
