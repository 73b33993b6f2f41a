"""Incidents and rulings where they meet something else, and refusals that no paragraph's own test comes by."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.rules.at_table import PLAYER_WINS, QUICK, called, current, only, place, table_of, told
from tests.table.build import DEALER, DIRECTOR, MANAGER, SHIFT, SUPERVISOR, Play, book_without, open_table

from puntobanco.cards import Side, parse_cards
from puntobanco.rules.load import find_book
from puntobanco.rules.policies import Misplaced
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About
from puntobanco.table.engine import Done
from puntobanco.table.folds import evolve
from puntobanco.table.insurance.offers import nobody_is_asked
from puntobanco.table.settings import BetLimits, Differential, Step
from puntobanco.table.state import Phase

HOIANA = "dragon-tiger-commission"


def closed(game: str = "tiger-buffalo", cards: int | None = None, **changes: Any) -> Play:
    """Bets are closed; ann has 100 on Player."""
    layout, positions = ("A", 6) if game == "tiger-buffalo" else ("A", 9)
    play = open_table(game=game, layout=layout, positions=positions, automated=(), **changes)
    play.sit("ann", 1)
    if cards is None:
        play.shoe()
    else:
        play.table = evolve(play.table, e.ShoeStarted(1, cards, "what is left of one"))
    play.call()
    play.bet("ann", {"player": 100_00})
    play.close()
    return play


def draw(play: Play, cards: str) -> None:
    for card in parse_cards(cards):
        current = play.table.round
        assert current is not None
        play.do(c.Draw(card, current.due, turned=True))


def test_a_turned_card_has_a_name_before_its_round_too() -> None:
    play = open_table()
    play.shoe()
    assert play.refused(c.Draw(turned=True)).code == "cards"
    assert play.table.phase is Phase.IDLE


@pytest.mark.parametrize(
    "report",
    [
        c.Report("damaged_card", "torn", (1, 2)),
        c.Report("damaged_card", "torn"),
        c.Report("exposed_cards", "seen", (1, 1)),
        c.Report("exposed_cards", "seen", (0,)),
        c.Report("exposed_cards", "seen", (3,)),
        c.Report("dealing_error", "the shoe fell", (1,)),
        c.Report("simultaneous", "stuck", (2, 1)),
        c.Report("face_up", "dropped", (3,)),
    ],
)
def test_reports_of_cards_that_make_no_sense(report: c.Report) -> None:
    play = closed(face_down=True)
    draw(play, "9h 8c")
    before = play.table
    assert play.refused(report).code == "cards"
    assert play.table == before


def test_a_card_dealt_face_up_lies_open() -> None:
    play = closed(face_down=True)
    play.do(c.Draw(parse_cards("9h")[0], Side.PLAYER))
    assert play.refused(c.Report("face_up", "dropped", (1,))).detail == "cards.open"


def test_hands_as_they_lie_need_every_card_at_a_hand() -> None:
    play = closed()
    play.do(c.Draw(parse_cards("9h")[0]))
    play.do(c.Report("dealing_error", "it slid away"))
    assert play.refused(c.Propose(r.AsItLies(), 1, "nobody knows")).detail == "cards.no_hand"


def test_a_note_on_a_dispute_says_something() -> None:
    play = closed()
    play.do(c.RaiseDispute("ann", "short payment"), "ann")
    assert play.refused(c.NoteOnDispute(1, "escalated", " "), SUPERVISOR).code == "bad_amount"


def test_more_found_on_the_same_bet_is_one_matter() -> None:
    play = closed()
    play.do(c.FindBet("ann", 1, "player", 5_000_00))
    assert len(play.table.incidents) == 1
    play.do(c.FindBet("ann", 1, "player", 5_00))
    assert len(play.table.incidents) == 1


def test_a_card_from_an_empty_shoe_means_that_the_set_was_wrong() -> None:
    play = closed(cards=4)
    draw(play, "9h 8c Kd Ks")
    fault, void, *_ = play.do(c.Draw())
    assert isinstance(fault, e.CardsAtFault)
    assert isinstance(void, e.RoundVoided)
    assert (fault.paragraph, void.paragraph) == ("5.5.2", "5.5.2")
    assert play.table.stack("ann") == 10_000_00


def test_and_waits_for_a_ruling_where_the_book_says_nothing_of_the_set() -> None:
    play = closed("super-six", cards=4)
    draw(play, "9h 8c Kd Ks")
    fault, opened = play.do(c.Draw())
    assert isinstance(fault, e.CardsAtFault)
    assert isinstance(opened, e.IncidentOpened)
    assert opened.family == "cards_at_fault"
    assert play.refused(c.Draw()).code == "cards"
    play.rule(r.VoidRound(), 1, "nobody knows the cards", SHIFT)
    assert play.table.shoe.ended


@pytest.mark.parametrize(
    "report", [c.ReportInterruption("lights out"), c.ReportCards("unshuffled", "a run of one suit")]
)
def test_no_bets_while_the_round_waits_for_a_ruling(report: Any) -> None:
    play = called("super-six")
    number = only(play.do(report), e.IncidentOpened).number
    assert told(play, place("ann", 1, player=100), "ann") == ("flagged", "")
    assert told(play, c.Close(), DEALER) == ("flagged", "")
    play.rule(r.PlayOn(), number, "all is well", SHIFT)
    play.do(place("ann", 1, player=100), "ann")
    play.close()


def test_a_burn_that_was_forgotten_is_not_made_up_for_after_the_hand() -> None:
    play = open_table(burn=1, automated=())
    play.sit("ann", 1)
    play.do(c.NewShoe("shuffled"))
    play.do(c.Call())
    number = next(iter(play.table.incidents))
    play.close()
    draw(play, "9h 8c Kd Ks")
    assert play.refused(c.Propose(r.BurnNow(), number, "now")).code == "burn"  # cards were seen
    play.do(c.Announce("player"))
    play.do(c.Settle())
    assert not play.table.incidents  # past the first hand the shoe goes on
    assert play.refused(c.Propose(r.BurnNow(), number, "now")).code == "unknown_request"


def test_insurance_put_down_by_staff_in_the_wrong_box_has_an_amount() -> None:
    play = closed()
    play.do(c.FindBet("ann", 1, "banker", 100_00))
    play.rule(r.CorrectBet("ann", 1, "player", 0), 0, "it was on Banker")
    draw(play, "4h 6c Kd Ks")
    play.do(c.OfferInsurance())
    assert play.refused(c.Insure("ann", 1, Side.PLAYER, 0), DEALER).code == "bad_amount"
    assert only(play.do(c.Insure("ann", 1, Side.PLAYER, 1), DEALER), e.Flagged).flag == "insurance_misplaced"


def test_insurance_in_the_wrong_box_stands_there_where_the_house_says_so() -> None:
    """A house of another mind than Tiger Buffalo's (5.18): it wins or loses with the box in which it lies."""
    book = find_book("tiger-buffalo")
    stands = replace(book.policies.insurance_misplaced, value=Misplaced.STANDS)
    play = closed(book=replace(book, policies=replace(book.policies, insurance_misplaced=stands)))
    play.do(c.FindBet("ann", 1, "banker", 100_00))
    play.rule(r.CorrectBet("ann", 1, "player", 0), 0, "it was on Banker")
    draw(play, "4h 6c Kd Ks")  # Banker leads, 6 against 4
    play.do(c.OfferInsurance())
    play.do(c.Insure("ann", 1, Side.PLAYER, 10_00), DEALER)
    assert play.refused(c.Propose(r.MoveInsurance("ann", 1, Side.PLAYER))).code == "ruling"
    draw(play, "4d")  # Player's 8 wins, and what insures Player loses
    play.do(c.Announce("player"))
    settled = only(play.do(c.Settle()), e.RoundSettled)
    assert {(line.bet, line.profit) for line in settled.lines} == {("banker", -100_00), ("player_insurance", -10_00)}


# --- cards


@pytest.mark.parametrize("called", [False, True])
def test_no_card_comes_early_out_of_an_empty_shoe(called: bool) -> None:
    play = open_table(automated=())
    play.table = evolve(play.table, e.ShoeStarted(1, 1, "the last card of one"))
    if called:
        play.call()
    play.do(c.Draw())
    before = play.table
    refused = play.refused(c.Draw())
    assert (refused.code, refused.paragraph) == ("cards", play.table.irregularities.shoe_empty.rule)
    assert play.table == before


def test_a_card_face_up_in_the_shoe_before_the_first_gives_options_only_after_the_close() -> None:
    play = table_of("tiger-buffalo")
    noted = only(play.do(c.Report("face_up_in_shoe", "seen under the slot")), e.Noted)
    assert (noted.paragraph, play.table.shoe.shown) == ("5.8", 0)
    play = closed()
    seen = only(play.do(c.Report("face_up_in_shoe", "seen under the slot")), e.IncidentOpened)
    assert only(play.rule(r.PlayOn(), seen.number, "it is drawn", SUPERVISOR), e.OptionsGiven).paragraph == "5.8.1"
    play = closed()
    draw(play, "9h")
    assert only(play.do(c.Report("face_up_in_shoe", "seen under the slot")), e.IncidentOpened).blocks


def test_a_shoe_that_runs_out_waits_for_the_ruling_that_is_due() -> None:
    play = closed(cards=4)
    draw(play, "2h 3c Kd")
    play.do(c.Report("dealing_error", "the shoe was shaken"))
    draw(play, "Qs")
    assert (play.table.shoe.left, current(play).due) == (0, Side.PLAYER)
    assert play.table.phase is Phase.DEALING
    events = play.rule(r.Reconstruct(), 1, "in order", SUPERVISOR)
    assert not [event for event in events if isinstance(event, e.RoundVoided)]  # ann is asked first
    void = only(play.do(c.TakeOption("ann", True), "ann"), e.RoundVoided)
    assert (void.paragraph, void.reason) == (play.table.irregularities.shoe_empty.rule, About.of("shoe.empty"))
    assert play.table.stack("ann") == 10_000_00


def test_cards_out_before_their_round_come_before_the_shoe_and_after_insurance() -> None:
    play = called("tiger-buffalo", face_down=True, automated=())
    play.do(place("ann", 1, banker=100), "ann")
    for _ in range(6):
        play.do(c.Draw())
    play.close()
    assert (len(current(play).cards), len(play.table.carried)) == (4, 2)
    for number, card in enumerate(parse_cards("4h 6c Kd Ks"), 1):
        play.do(c.Turn(number, card))
    assert len(play.table.carried) == 2  # 4 against 6: insurance comes before Player's third card
    play.do(c.OfferInsurance())
    assert len(play.table.carried) == 2
    dealt = only(play.do(c.CloseInsurance()), e.CarriedCardsDealt)
    assert (dealt.hands, dealt.paragraph) == ((Side.PLAYER,), "5.8")
    assert (len(current(play).cards), play.table.shoe.drawn) == (5, 6)


def test_cards_that_wait_keep_an_empty_shoe_from_ending_the_round() -> None:
    play = open_table(automated=(), face_down=True)
    play.sit("ann", 1)
    play.table = evolve(play.table, e.ShoeStarted(1, 5, "the last cards of one"))
    play.call()
    play.bet("ann", {"banker": 100_00})
    for _ in range(5):
        play.do(c.Draw())
    play.close()
    for number, card in enumerate(parse_cards("4h 6c Kd Ks"), 1):
        play.do(c.Turn(number, card))
    assert current(play).due is Side.PLAYER
    assert not [event for event in play.events if isinstance(event, e.RoundVoided)]
    play.do(c.OfferInsurance())
    only(play.do(c.CloseInsurance()), e.CarriedCardsDealt)


def test_a_shoe_is_replaced_while_it_is_in_use() -> None:
    play = open_table()
    assert told(play, c.Propose(r.ReplaceShoe(), 0, "worn"), DEALER) == ("no_shoe", "5.23")
    play.shoe()
    play.rule(r.ReplaceShoe(), 0, "worn", SHIFT)
    assert play.table.shoe.ended


# --- the burn that was forgotten


def unburnt(**changes: Any) -> Play:
    """The first round of a shoe is called, with ann's bet, and nothing was burnt."""
    play = table_of(HOIANA, burn=3, automated=(Step.ANNOUNCE, Step.SETTLE), **changes)
    play.do(c.EndShoe(), SUPERVISOR)
    play.do(c.NewShoe("shuffled"))
    play.call()
    play.bet("ann", {"player": 100_00})
    return play


def test_no_burn_while_the_first_hand_is_being_paid() -> None:
    play = unburnt()
    play.close()
    draw(play, PLAYER_WINS)
    assert play.table.phase is Phase.PAYING
    refused = play.refused(c.Propose(r.BurnNow(), 1))
    assert (refused.detail, refused.paragraph) == ("burn.over", "7.11.1")


def test_one_card_seen_among_others_is_a_card_seen() -> None:
    play = unburnt()
    play.close()
    play.do(c.Draw())
    draw(play, "8c")
    assert told(play, c.Propose(r.BurnNow(), 1), DEALER) == ("burn", "7.11.2")
    only(play.rule(r.PlayOn(), 1), e.ShoeChoiceDue)


def test_a_hand_without_cards_is_no_first_hand() -> None:
    """Called off before a card is dealt, it leaves the burn due; forgotten again, it can be made up for."""
    play = unburnt()
    events = play.void("the lights went out", DIRECTOR)
    assert play.table.incidents == {}
    assert not [event for event in events if isinstance(event, e.Noted)]
    only(events, e.IncidentClosed)
    assert play.table.to_burn
    play.call()
    (again,) = play.table.incidents.values()
    assert (again.number, again.family) == (2, "burn_forgotten")
    play.close()
    play.do(c.Draw())
    retrieved = only(play.rule(r.BurnNow(), 2), e.CardsRetrieved)
    assert (retrieved.cards, retrieved.paragraph) == (1, "7.11.1")
    play.do(c.Burn((None,) * 3))
    draw(play, PLAYER_WINS)
    assert not [event for event in play.events if isinstance(event, e.ShoeChoiceGiven)]


def test_a_card_seen_in_the_first_hand_with_cards_gives_the_choice() -> None:
    play = unburnt()
    play.void("the lights went out", DIRECTOR)
    play.call()
    play.close()
    draw(play, "9h")
    assert only(play.rule(r.PlayOn(), 2), e.ShoeChoiceDue).paragraph == "7.11.2"
    draw(play, "8c Kd Ks")
    assert only(tuple(play.events), e.ShoeChoiceGiven).people == ("ann", "bob", "cho")


# --- a round that was settled


def settled_round(game: str, **changes: Any) -> Play:
    """ann has won 100 on Player in round 1; round 2 is not called yet."""
    play = table_of(game, automated=QUICK, **changes)
    play.round({"ann": {"player": 100_00}}, PLAYER_WINS)
    return play


def test_a_round_that_waits_for_a_ruling_is_not_corrected() -> None:
    play = settled_round("tiger-buffalo")
    play.do(c.ReportRound(1, parse_cards("9h 8c Kd 9s"), "the last card was a nine"))
    bet = c.Propose(r.CorrectBet("ann", 1, "player", 200_00, round=1), 0, "two chips")
    assert told(play, bet, DEALER) == ("flagged", play.table.incidents[1].paragraph)
    card = c.Propose(r.CorrectCard(1, parse_cards("8h")[0], 1), 0, "misread")
    assert told(play, card, DEALER) == ("flagged", play.table.incidents[1].paragraph)


def test_a_round_let_stand_on_cards_that_do_not_finish_it_is_not_settled_again() -> None:
    play = table_of("da-hu-ying-xiong", automated=QUICK)
    play.round({"ann": {"player": 100_00}}, "7h 6c Kd Ks")
    play.call()
    play.rule(r.CorrectCard(1, parse_cards("2h")[0], 1), 0, "misread", MANAGER)  # on 2 a card was due
    (late,) = play.table.incidents.values()
    assert late.family == "late_discovery"
    play.rule(r.LetStand(), late.number, "long ago", SUPERVISOR)
    refused = play.refused(c.Propose(r.CorrectBet("ann", 1, "player", 200_00, round=1), 0, "two chips"))
    assert (refused.code, refused.paragraph) == ("flagged", play.table.procedures.table_of_play.rule)
    assert (refused.detail, refused.values) == ("flagged.stands", {"round": 1})


def lacking_a_card(play: Play) -> None:
    """Round 1 turns out to have been Player 2 against Banker 3: a third card never left the shoe."""
    play.do(c.ReportRound(1, parse_cards("2h 3c Kd Ks"), "it was no nine"))
    assert play.table.blocked is not None


def played_on(play: Play) -> None:
    """Round 1 is open again; Player's third card is due."""
    proposed = play.do(c.Propose(r.Rectify(), 1, "play it on"))[0]
    assert isinstance(proposed, e.RulingProposed)
    play.do(c.Approve(proposed.number), DIRECTOR)
    assert (current(play).number, current(play).due) == (1, Side.PLAYER)


def test_the_next_round_called_off_already_makes_way_for_the_one_before() -> None:
    play = settled_round(HOIANA)
    play.call()
    play.bet("bob", {"banker": 200_00})
    lacking_a_card(play)
    play.void("the lights went out", DIRECTOR)
    assert (current(play).number, current(play).voided) == (2, True)  # it waits with its end for the ruling
    played_on(play)
    assert len([event for event in play.events if isinstance(event, e.RoundVoided)]) == 1
    draw(play, "5h 9d")
    assert play.table.stack("ann") == 10_100_00
    assert play.table.stack("bob") == 10_000_00
    play.call()
    assert current(play).number == 3


def test_a_round_called_off_that_waits_for_a_ruling_has_no_result_to_correct() -> None:
    play = settled_round(HOIANA)
    play.call()
    play.bet("bob", {"banker": 200_00})
    lacking_a_card(play)
    play.void("the lights went out", DIRECTOR)
    bet = c.Propose(r.CorrectBet("bob", 2, "banker", 100_00, round=2), 0, "one chip")
    assert told(play, bet, DEALER) == ("no_round", play.table.irregularities.void.rule)


def test_a_round_called_off_that_waits_for_a_ruling_takes_no_bets_and_gives_none_back_twice() -> None:
    play = settled_round(HOIANA)
    play.call()
    play.bet("bob", {"banker": 200_00})
    lacking_a_card(play)
    play.void("the lights went out", DIRECTOR)
    assert play.table.phase is Phase.PAYING
    assert told(play, place("ann", 1, player=100), "ann") == ("bets_closed", play.table.irregularities.late_bet.rule)
    assert told(play, c.Withdraw("bob", 2, "banker"), "bob") == ("no_round", play.table.procedures.call.rule)
    assert only(play.do(c.FindBet("ann", 1, "player", 100_00)), e.LateChipsRefused).what == "placed"
    assert play.table.stack("bob") == 10_000_00
    assert not any(amount for name, amount in play.table.balances.items() if name.startswith("layout:"))


def test_a_bet_corrected_in_a_round_that_is_played_on_counts_at_its_end() -> None:
    play = settled_round("tiger-buffalo")
    lacking_a_card(play)
    played_on(play)
    before = dict(play.table.balances)
    ruling = r.CorrectBet("ann", 1, "player", 300_00)
    corrected = only(play.rule(ruling, 0, "three chips", MANAGER), e.BetCorrected)  # as after any settlement
    assert (corrected.was, corrected.stake, corrected.transfers) == (100_00, 300_00, ())
    assert play.table.balances == before
    draw(play, "5h 9d")
    assert play.table.round is None
    assert play.table.stack("ann") == 10_300_00


@pytest.mark.parametrize("game", ["tiger-buffalo", HOIANA])
def test_a_round_that_is_played_on_and_called_off_leaves_nothing_to_rule_on(game: str) -> None:
    play = settled_round(game)
    lacking_a_card(play)
    played_on(play)
    play.do(c.Draw(parse_cards("5h")[0], Side.BANKER, turned=True))  # the card is Player's
    assert play.table.blocked is not None
    play.void("the lights went out", DIRECTOR)
    assert not play.table.incidents
    assert play.table.round is None
    assert play.table.stack("ann") == 10_000_00
    play.call()


# --- corrections


@pytest.mark.parametrize("game", ["tiger-buffalo", HOIANA])
def test_a_card_corrected_while_another_lies_face_down_is_no_error_yet(game: str) -> None:
    play = called(game, automated=())
    play.close()
    draw(play, "9h")
    play.do(c.Draw(None, Side.BANKER))
    events = play.rule(r.CorrectCard(1, parse_cards("2h")[0]), 0, "misread", SUPERVISOR)
    assert [type(event) for event in events] == [e.RulingGiven, e.CardCorrected, e.RoundPlayedAgain]


# --- money and insurance


def test_a_ruling_pays_players_alone() -> None:
    play = closed()
    for person in (DEALER, "zoe", ""):
        assert told(play, c.Propose(r.Pay(person, 5_00), 0, "out of courtesy"), DEALER) == ("unknown_person", "5.23")
    assert told(play, c.Propose(r.Pay("ann", 0), 0, "out of courtesy"), DEALER) == ("bad_amount", "5.23")
    play.rule(r.Pay("ann", 5_00), 0, "out of courtesy", SHIFT)
    assert play.table.stack("ann") == 9_905_00


def test_no_insurance_is_moved_where_the_game_has_none() -> None:
    play = closed("super-six")
    move = c.Propose(r.MoveInsurance("ann", 1, Side.PLAYER), 0, "wrong box")
    assert told(play, move, DEALER) == ("no_insurance", "")


def insurance_on_banker(**changes: Any) -> Play:
    """ann and bob have 100 each on Banker, which leads with 4 to 2: insurance is on offer."""
    play = called("tiger-buffalo", automated=QUICK, **changes)
    for person, box in (("ann", 1), ("bob", 2)):
        play.do(place(person, box, banker=100), person)
    play.close()
    play.deal("2h 4c Kd Ks")
    assert current(play).window is not None
    return play


def test_nothing_is_put_down_for_who_has_walked_away_be_it_in_the_wrong_box() -> None:
    play = insurance_on_banker(forgo="window")
    play.do(c.WalkAway("bob"))
    forgone = play.table.irregularities.forgone_insurance.rule
    assert told(play, c.Insure("bob", 2, Side.PLAYER, 50_00), DEALER) == ("forgone", forgone)


def test_who_takes_the_bets_back_has_no_more_to_insure() -> None:
    play = insurance_on_banker()
    play.rule(r.GiveOptions(), 0, "a fire alarm", SHIFT)
    play.do(c.TakeOption("ann", False), "ann")
    window = current(play).window
    assert window is not None
    assert window.answered == {"ann"}
    play.do(c.TakeOption("bob", True), "bob")
    play.do(c.PassInsurance("bob"), "bob")
    assert nobody_is_asked(play.table, current(play))
    assert play.table.stack("ann") == 10_000_00


# --- what stands of bets over the Differential


def test_what_was_taken_back_under_options_leaves_the_others_their_share() -> None:
    """Found after the close: Player 600, and the Differential 500. Five sixths of each bet stand (readings B, C)."""
    limits = BetLimits(minimum=25_00, maximum=None, step=5_00)
    play = called("tiger-buffalo", automated=QUICK, limits=limits, differential=Differential(500_00))
    play.close()
    play.do(c.FindBet("ann", 1, "player", 480_00))
    play.do(c.FindBet("bob", 2, "player", 120_00))
    draw(play, "9h 8c")
    play.rule(r.GiveOptions(), 0, "a fire alarm", SHIFT)
    play.do(c.TakeOption("ann", True), "ann")
    play.do(c.TakeOption("bob", False), "bob")
    draw(play, "Kd Ks")
    stand = only(tuple(play.events), e.StakesStand)
    assert [(cut.person, cut.amount) for cut in stand.cuts] == [("ann", 80_00)]
    assert (play.table.stack("ann"), play.table.stack("bob")) == (10_400_00, 10_000_00)


# --- books that say less


def table_without(*families: str) -> Play:
    """Bets are called for at a table of a book that says nothing of some irregularities."""
    play = open_table(book=book_without(*families), automated=())
    play.sit("ann", 1)
    play.shoe()
    play.call()
    return play


def test_a_card_too_many_is_no_ground_for_a_void_where_no_paragraph_makes_it_one() -> None:
    for families, void in (((), True), (("wrong_number",), False)):
        play = table_without(*families)
        play.close()
        draw(play, PLAYER_WINS)
        play.do(c.Draw(parse_cards("5h")[0], Side.PLAYER, turned=True))
        answer = play.ask(c.Propose(r.VoidRound(), 1, "not to be put right"), DEALER)
        assert isinstance(answer, Done) is void
        if not isinstance(answer, Done):
            assert answer.detail == "ruling.other"
            assert answer.values == {"ruling": "void", "rulings": ["reconstruct", "as_it_lies"]}


def test_insurance_that_was_missed_is_a_matter_even_where_no_paragraph_speaks_of_it() -> None:
    play = table_without("insurance_missed")
    play.bet("ann", {"banker": 100_00})
    play.close()
    draw(play, "2h 4c Kd Ks")
    events = play.do(c.Draw(parse_cards("5h")[0], Side.PLAYER, turned=True))
    missed, opened = only(events, e.InsuranceMissed), only(events, e.IncidentOpened)
    assert (missed.paragraph, opened.paragraph, opened.covered) == ("5.23", "5.23", False)
    play.rule(r.PlayOn(), 1, "nobody meant to insure", SHIFT)
    assert not play.table.incidents


# --- to the unit and to the letter


def test_a_correction_is_of_this_round_and_of_the_same_box_and_bet_unless_it_says_more() -> None:
    bet, card = r.CorrectBet("ann", 1, "player", 50_00), r.CorrectCard(1, parse_cards("9h")[0])
    assert (r.kind_of(bet), bet.to_box, bet.to_bet, bet.round) == ("correct_bet", 0, "", 0)
    assert (r.kind_of(card), card.round) == ("correct_card", 0)
    play = closed()
    play.rule(bet, 0, "half as much")
    assert {key: wager.stake for key, wager in current(play).wagers.items()} == {("ann", 1, "player"): 50_00}


def test_a_bet_is_corrected_under_the_close_where_no_paragraph_lets_chips_decide() -> None:
    for game, paragraph in (("tiger-buffalo", "5.19"), ("super-six", "3.2")):
        play = closed(game)
        given = only(play.rule(r.CorrectBet("ann", 1, "player", 50_00), 0, "half as much"), e.RulingGiven)
        assert given.paragraph == paragraph


def test_a_debt_is_collected_to_the_unit() -> None:
    play = closed()
    play.do(c.ChipsOut("ann", 9_900_00))
    play.rule(r.Pay("ann", -3), 0, "paid too much", SHIFT)
    (debt,) = play.table.incidents
    assert play.refused(c.Propose(r.Collect(0), debt)).fits == 0
    play.do(c.ChipsIn("ann", 10))
    for amount in (0, -1, 4):
        refused = play.refused(c.Propose(r.Collect(amount), debt))
        assert (refused.code, refused.fits) == ("funds", 3)
    play.rule(r.Collect(1), debt, by=MANAGER)
    assert debt in play.table.incidents
    play.rule(r.Collect(2), debt, by=MANAGER)
    assert not play.table.incidents
    assert play.table.stack("ann") == 7


def test_a_card_that_only_the_scanner_knows_does_not_tell_how_many_are_due() -> None:
    play = closed()
    draw(play, "2h 3c Kd Ks")
    play.do(c.Draw(parse_cards("5h")[0], Side.PLAYER))
    play.do(c.Report("dealing_error", "a card slid away"))
    assert play.refused(c.Propose(r.AsItLies(), 1, "nobody knows")).detail == "cards.wrong_number"
    play.do(c.Turn(5))
    play.rule(r.AsItLies(), 1, "nobody knows", SUPERVISOR)


@pytest.mark.parametrize(("size", "possible"), [(5, False), (6, True), (9, True)])
def test_no_more_cards_can_have_left_a_shoe_than_were_in_it(size: int, possible: bool) -> None:
    """Four cards were settled on; six, it is said, had left the shoe."""
    play = open_table(automated=QUICK)
    play.sit("ann", 1)
    play.table = evolve(play.table, e.ShoeStarted(1, size, "what is left of one"))
    play.round({"ann": {"player": 100_00}}, PLAYER_WINS)
    play.do(c.ReportRound(1, parse_cards("2h 3c Kd Ks 5h 9d"), "two more were out"))
    answer = play.ask(c.Propose(r.Rectify(), 1, "deal it again"), DEALER)
    assert isinstance(answer, Done) is possible
    if not isinstance(answer, Done):
        assert (answer.detail, answer.values) == ("cards.left", {"left": size - 4})


def test_one_persons_insurance_is_moved_and_the_others_stays() -> None:
    play = insurance_on_banker()
    for person, box in (("ann", 1), ("bob", 2)):
        play.do(c.Insure(person, box, Side.PLAYER, 50_00), DEALER)
    play.rule(r.MoveInsurance("ann", 1, Side.PLAYER), 0, "the wrong box")
    assert {taken.person: taken.hand for taken in current(play).insurance} == {"ann": Side.BANKER, "bob": Side.PLAYER}


def test_a_void_has_its_reason() -> None:
    play = settled_round("tiger-buffalo")
    play.rule(r.CorrectBet("ann", 1, "player", 200_00, round=1), 0, "two chips", MANAGER)
    assert play.table.last is not None
    assert not play.table.last.voided
    lacking_a_card(play)
    events = play.rule(r.VoidRound(), 1, "nobody knows the cards", SUPERVISOR)
    (again,) = (event for event in events if isinstance(event, e.RoundSettledAgain))
    assert (play.table.last.voided, again.reason) == (True, "nobody knows the cards")


def test_a_bet_corrected_before_the_close_was_noticed_in_time() -> None:
    play = called("tiger-buffalo")
    play.bet("ann", {"player": 100_00})
    play.rule(r.CorrectBet("ann", 1, "player", 50_00), 0, "half as much")
    assert not current(play).unnoticed
    play.close()
    play.rule(r.CorrectBet("ann", 1, "player", 75_00), 0, "counted again")
    assert current(play).unnoticed


def test_disputes_are_about_rounds_that_were_and_are_over_with_the_decision() -> None:
    play = settled_round(HOIANA)
    for number in (-1, 2):
        assert play.refused(c.RaiseDispute("ann", "short payment", number), "ann").code == "no_round"
    play.do(c.RaiseDispute("ann", "short payment", 1), "ann")
    for what, by in (("escalated", SUPERVISOR), ("facts", MANAGER), ("surveillance", MANAGER)):
        play.do(c.NoteOnDispute(1, what, "so"), by)  # type: ignore[arg-type]
    play.do(c.DecideDispute(1, "it was right", ("game_rules",)), MANAGER)
    for step in ("facts", "surveillance", "time_frame"):
        refused = play.refused(c.NoteOnDispute(1, step, "more"), MANAGER)
        assert (refused.detail, refused.values) == ("dispute.decided", {"number": 1})


def test_between_rounds_no_box_was_confirmed_too_early() -> None:
    play = settled_round("tiger-buffalo")
    assert told(play, c.Propose(r.CorrectPayout(1), 0, "too early"), DEALER) == ("confirmations", "1.27")


def test_the_last_cards_of_a_shoe_can_be_dealt() -> None:
    play = closed(cards=4)
    assert play.refused(c.Deal(parse_cards("9h 8c Kd Ks 2h"))).code == "cards"
    play.do(c.Deal(parse_cards("9h 8c Kd Ks")))
    assert play.table.shoe.left == 0


def test_no_bet_is_taken_while_the_cards_are_looked_into() -> None:
    """super-six has no word for cards that were not shuffled: the round waits for a ruling, and so do its bets."""
    play = open_table(game="super-six", layout="A", positions=9, automated=())
    play.sit("ann", 1)
    play.shoe()
    play.call()
    play.bet("ann", {"player": 100_00})
    play.do(c.ReportCards("unshuffled", "they lie in order"))
    refused = play.refused(c.Place("ann", 1, {"player": 100_00}), "ann")
    assert (refused.detail, refused.values["about"]) == ("flagged.incident", "they lie in order")
    play.do(c.Withdraw("ann", 1, "player"), "ann")


def test_a_bet_moved_onto_another_may_come_to_too_much() -> None:
    """Who rules on a bet over the maximum also rules on a correction that makes one, in a settled round, too."""
    play = open_table(limits=BetLimits(5_00, 2_000_00, 5_00), automated=(Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM))
    play.sit("ann", 1)
    play.shoe()
    play.call()
    play.bet("ann", {"player": 1_500_00, "banker": 1_500_00})
    play.close()
    play.deal("9h 8c Kd Ks")
    for stake, needs in ((400_00, "pit_manager"), (600_00, "shift_manager")):
        moved = r.CorrectBet("ann", 1, "banker", stake, to_bet="player", round=1)
        proposed = only(play.do(c.Propose(moved, 0, "miskeyed")), e.RulingProposed)
        assert proposed.needs == needs
        play.do(c.Decline(proposed.number), DEALER)


def test_where_nothing_was_settled_that_is_said() -> None:
    play = closed()
    refused = play.refused(c.ReportRound(1, parse_cards("9h 8c Kd Ks"), "a 9"))
    assert refused.values == {"round": 1, "rounds": []}
    other = open_table(automated=(Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM))
    other.sit("ann", 1)
    other.shoe()
    for _ in range(2):
        other.call()
        other.close()
        other.deal("9h 8c Kd Ks")
    assert other.refused(c.ReportRound(7, parse_cards("9h 8c Kd Ks"), "a 9")).values["rounds"] == [1, 2]


def test_a_bet_moved_onto_another_before_the_settlement_waits_for_a_ruling_if_it_is_too_much() -> None:
    play = open_table(limits=BetLimits(5_00, 2_000_00, 5_00), automated=())
    play.sit("ann", 1)
    play.shoe()
    play.call()
    play.bet("ann", {"player": 1_500_00, "banker": 1_500_00})
    play.close()
    assert not play.table.incidents
    play.rule(r.CorrectBet("ann", 1, "banker", 400_00, to_bet="player"), reason="miskeyed")
    assert not play.table.incidents
    assert current(play).wagers["ann", 1, "player"].stake == 1_900_00
    play.rule(r.CorrectBet("ann", 1, "banker", 200_00), reason="not keyed")
    play.rule(r.CorrectBet("ann", 1, "banker", 200_00, to_bet="player"), reason="miskeyed")
    (waiting,) = play.table.incidents.values()
    assert waiting.family == "above_maximum"
