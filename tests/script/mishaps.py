"""Histories in which things go wrong: every ruling, option, correction and dispute that a table can come to."""

from __future__ import annotations

import re
from pathlib import Path

from puntobanco.table.shoe.seeds import pledge_of

TIGER_BUFFALO = """\
game tiger-buffalo
limits 25 to 2000 step 5
differential 3000
open
staff dora dealer
staff sam pit supervisor
staff max pit manager
staff eva shift manager
sit ann 1
sit bob 2
chips in ann 5000
chips in bob 5000
shoe "machine"
"""
"""A live table with staff of every rank that its book names, ann and bob with 5000 each."""

BY_HAND = TIGER_BUFFALO.replace("open\n", "automated nothing\nopen\n")

HOIANA = """\
game dragon-tiger-commission
limits 5
face down
burn rule first card
unburnt shoe majority
open
staff dora dealer
staff sam pit supervisor
staff max pit manager
staff eva shift manager
staff art assistant director
sit ann 1
sit bob 2
chips in ann 5000
chips in bob 5000
shoe "machine"
"""

SUPER_SIX = """\
game super-six
limits 5
open
staff dora dealer
staff eva shift manager
sit ann 1
chips in ann 500
shoe "machine"
"""

ORDER = """\
# a card at the wrong hand, put right; then two too many, which open the next round
call
bet ann banker 100
bet bob player 100
close
draw 9h banker turned
expect incident 1 wrong_side 5.9.1
expect rulings on 1 reconstruct void
rule reconstruct on 1
expect proposal 1 reconstruct pit supervisor
dora: approve 1
expect refused second_person
decline 1 "look at the camera first"
rule reconstruct on 1
approve 2
expect hand player 9h
expect options ann bob
go on ann
dora: take back bob
expect options nothing
draw Kc banker turned
draw Kd player turned
draw 3c banker turned
draw 7d
expect incident 2 excess_cards 5.8
turn 5 7d
draw 6d
rule as it lies on 2 "they are mixed up"
expect refused cards
rule reconstruct on 2
approve 3
expect carried 7d ?
announce player
confirm 1

# two cards at once, and everybody takes back
call
bet ann player 100
close
expect hand player 7d
expect hand banker ?
expect carried nothing
turn 2 6d
draw 2h player turned
draw 3h banker
report simultaneous 3 4 "two at once"
expect incident 3 simultaneous 5.11
rule order on 3 4 3
approve 4
expect event cards_arranged 5.11
expect options ann
rule replace shoe "they stick together"
approve 5
expect paragraph 5.11.2
take back ann
expect result void
expect event shoe_ended

# as they lie
shoe "another"
call
bet ann banker 100
bet bob player 100
close
walk away bob
draw 2h banker turned
draw 3h player turned
draw 4h player turned
draw 5h banker turned
rule as it lies on 4 "nobody knows which was which"
approve 6
expect event option_taken 5.3.1
expect options ann
rule options "once more"
expect refused no_options
"""

LATE = """\
# found before the next round: one more card had left the shoe, and then that one is lacking
call
bet ann banker 100 tie 25
bet bob player 100
close
deal 8h 2c Kd 4s
announce player
confirm 1
confirm 2
report round 1 8h 2c Kd 4s 5h "a third card was drawn after a natural"
expect incident 1 wrong_round 5.8
expect rulings on 1 rectify void
rule rectify on 1
approve 1
expect event round_settled_again 5.8
expect carried 5h
expect won bob player 100
report round 1 8h 2c 4s Kd "the cards were laid down in a wrong order"
rule rectify on 2
approve 2
expect event round_reopened
expect incident 3 insurance_missed 5.17
rule offer late on 3
approve 3
close insurance
expect hand player 8h 4s 5h
draw 7s
turn 6 7s
announce banker
expect result banker
expect points player 7 banker 9
expect stack ann 5075
confirm 1
confirm 2

# found later: by the rules of late discovery, and bob cannot pay it back
call
bet bob player 100
close
draw 5h player turned
draw 2c banker turned
draw 3d player turned
draw Ks banker turned
announce player
chips out bob 5000
expect event money_moved
confirm 2
call
expect phase betting
report round 2 2c 5h 3d Ks "read from the camera"
expect incident 4 rectified_late 5.15
expect rulings on 4 void
rule rectify on 4
expect refused cards 5.15.1
rule void on 4 "a third card was left out"
approve 4
expect paragraph 5.15.1
expect owed bob 100
expect incident 5 debt
expect result void
chips in bob 100
rule collect on 5 40 "all that bob has here"
expect proposal 5 collect pit manager
approve 5
expect owed bob 60
rule write off on 5 "a good customer"
approve 6
expect owed bob 0
expect no incidents
correct card 4 9s in round 2 "misread"
expect refused no_round
correct card 6 5s in round 1 "misread"
expect proposal 7 correct_card pit manager
approve 7
expect won ann tie 200
"""

REPORTS = """\
call
bet ann banker 100
bet bob player 100
close
report display "it shows Player"
expect event noted 5.20
report dealing error "a card slid under the shoe"
expect incident 1 dealing_error 5.16
draw 2h player turned
report exposed cards 1 "the next one was seen"
expect incident 2 exposed_cards
report shoe fault "the lid jams"
expect incident 3 shoe_fault
expect rulings on 3 play_on
rule play on 3
expect event ruling_given
expect options ann bob
go on ann
go on bob
rule reconstruct on 1
approve 1
go on ann
go on bob
expect no incidents
draw 4d
report damaged card 2 "torn"
expect incident 4 damaged_card 5.13
rule value on 4 card 2 4d
approve 2
interruption "fire alarm"
expect event play_interrupted 5.4
interruption lost "the table was knocked over"
expect result void
expect paragraph 5.4.2
call
bet ann banker 100
interruption "fire alarm"
bet ann banker 100
close
draw 9h
turn 1 8h
expect incident 5 card_mismatch
rule value on 5 card 1 8h "seen on camera 2"
approve 3
expect hand player 8h
draw Kc banker turned
draw Kh player turned
draw 3d banker turned
report squeeze not delivered "nobody was given the card"
expect incident 6 squeeze_not_delivered 5.23
expect rulings on 6 play_on void options
rule options on 6 "she had asked for it"
expect proposal 4 options shift manager
approve 4
expect options ann
rule play on 6 "the hand is over anyway"
approve 5
go on ann
announce player
confirm 1
end shoe "a card lay face up"
"""

INSURANCE = """\
# not offered, and noticed when all cards are out
call
bet ann player 100
bet bob banker 100
close
deal 6h 4c Ks Kd
draw 4h banker
expect event insurance_missed 5.17
expect incident 1 insurance_missed
expect rulings on 1 offer_late
meant to insure ann player
meant to insure bob player
expect refused no_insurance
turn 5 4h
rule offer late on 1
expect refused no_insurance
rule return bets on 1
expect proposal 1 return_bets pit manager
approve 1
expect event bets_returned 5.17.2
expect stack ann 5000
announce banker
settle
confirm 2

# noticed in time: offered late
call
bet ann player 100
bet bob banker 100
close
deal Kh 4c Ks Kd
draw 2h player turned
expect incident 2 insurance_missed
rule offer late on 2
approve 2
expect event insurance_offered 5.17.1
dora: insure bob banker 5
expect event insured
draw 8h banker turned
announce tie
settle
confirm 1
confirm 2
call
bet ann player 100
close
deal 6h 5c Ks Kd
draw 2h banker
rule play on 3 "nobody wanted any"
expect refused ruling 5.17.1
rule offer late on 3
approve 3
turn 5 2h
announce banker
settle
confirm 1
rule move insurance bob banker
expect refused no_insurance 5.18.1

# put at the wrong hand by the dealer
call
bet ann player 100
close
deal 6h 5c Ks Kd
offer insurance
dora: insure ann banker 20
expect flag insurance_misplaced
rule move insurance ann banker
expect event insurance_moved 5.18.1
expect no flags

# and one of the cards was misread
correct card 3 As "misread"
approve 4
expect event insurance_reread 4.1.14

# keyed as another amount, and more chips that nobody had keyed
correct bet ann player_insurance 30 "three chips"
expect event insurance_corrected 5.19
find bet ann player_insurance 5 window four_cards
expect event insurance_corrected 5.19
correct bet ann player_insurance 101 "many chips"
expect event round_played_again          # one is over the cap and goes back
draw 2h banker turned
announce tie
settle
confirm 1
correct bet ann player_insurance 0 in round 4 window four_cards "it was no bet"
approve 5
expect event insurance_corrected 5.19
expect event round_settled_again

# displayed and never offered, which nobody says before the next call
call
bet ann player 100
bet bob banker 100
close
deal 6h 5c Ks Kd
offer insurance
close insurance
draw 4h banker turned
announce banker
settle
confirm 1
confirm 2
call
report insurance_missed in round 5 "nobody was asked"
expect event insurance_missed 5.17.2
expect rulings on 4 let_stand
meant to insure ann player in round 5
expect event intention_noted 5.17.2
rule return bets on 4
approve 6
expect event bets_returned 5.17.2
expect transfer tray chips:ann 100
"""

RECORD = """\
# corrections of the record, before the settlement and after it
call
bet ann tie 50
bet bob player 100
correct bet ann tie 100 to box 2 to bet banker "it lay behind bob"
expect wager ann tie 0
expect wager ann 2 banker 100
correct bet bob player 6000 "dora keyed one nought too few"
expect event money_moved
expect flag chips_unrecorded
close
correct bet bob player 200 "and then one too many"
draw 9h player turned
draw 8h banker turned
draw Kc player turned
draw Kd banker turned
correct card 2 3h "misread"
expect proposal 1 correct_card dealer
approve 1
expect hand banker 3h Kd
announce tie
correct call player "keyed wrongly"
approve 2
expect event call_corrected
confirm 2
expect phase idle
correct bet bob player 300 in round 1 "another chip lay below"
approve 3
expect transfer tray chips:bob 100
correct card 1 3d "misread"
approve 4
expect incident 1 wrong_round
rule void on 1 "a third card is lacking"
approve 5
expect result void
call
bet bob player 100
close
draw 9h player turned
draw 8h banker turned
draw Kc player turned
draw Kd banker turned
announce player
confirm 2
rule options "too late"
expect refused no_round

# what no incident is needed for
call
bet ann player 100
bet bob banker 100
close
deal 9h 8c Kc Kd
correct call player "nobody called"
expect refused not_finished
announce player
confirm 1
correct payout box 1 "ann is still to be paid"
expect event confirmation_corrected
confirm 1
rule pay ann 50 "for waiting"
expect proposal 6 pay shift manager
rule pay bob -10000 "paid by mistake"
max: decline 6
expect refused rank
dora: decline 6 "no"
approve 7
expect owed bob 5000
expect incident 2 debt
confirm 2
call
bet ann tie 50
close
find bet ann tie 2000
expect incident 3 above_maximum
rule stake on 3 ann tie 1000 "the sign was covered"
approve 8
expect wager ann tie 1000
rule void "the shoe fell down"
approve 9
leave bob
rule pay bob 100 "once more"
approve 10
expect balance held:bob 100
sit bob 2
expect stack bob 100
"""

FREE_HANDS = """\
# the burn was forgotten, and a card was seen
call
expect incident 1 burn_forgotten 7.11
expect rulings on 1 burn_now
bet ann banker 100
close
draw 9h
draw 8h
rule burn now on 1
expect event cards_retrieved 7.11.1
burn 2h ? ?
draw 9h player turned
draw 8h banker turned
draw Kh player turned
draw Kd banker turned
announce player
confirm 1
end shoe
shoe "another"
call
bet ann banker 100
close
draw 9h player turned
rule burn now on 2
expect refused burn 7.11.2
rule play on 2
expect event shoe_choice_due 7.11.2
draw 8h banker turned
draw Kh player turned
draw Kd banker turned
announce player
confirm 1
expect event shoe_choice_given 7.11.2.1
expect options ann bob
call
expect refused flagged
go on ann
sam: take back bob
expect event shoe_kept
# past the first hand
end shoe
shoe "a third"
call
bet ann banker 100
close
deal 9h 8h Kh Kd
expect refused burn
draw 9h player turned
draw 8h banker turned
draw Kh player turned
draw Kd banker turned
announce player
confirm 1
expect event shoe_choice_given 7.11.2.1
go on ann
go on bob
# a Free Hand: a card is seen before the close
call
bet ann banker 100
draw 5h turned
expect event free_hand_called 7.8
expect stack ann 4700
expect hand player 5h
draw 6h banker turned
draw 7h player turned
draw 8h banker turned
draw 8c player turned
draw 3c banker turned
expect incident 4 third_to_banker 7.7
rule reconstruct on 4
approve 1
expect carried 3c
announce player
expect event free_hand_called
draw 9h banker turned
draw 7h player turned
draw Kh banker turned
announce banker
# cards to squeeze at the wrong player
call
bet ann banker 100
bet bob player 100
close
squeeze ann banker
grant ann
draw 9h player
draw 8h banker
draw Kh player
draw Kd banker
report squeeze delivery 2 "bob got it"
expect incident 5 squeeze_delivery 7.10
rule options on 5 "bob has seen it"
approve 2
take back ann
take back bob
expect event shoe_to_be_replaced 7.10.2
expect result void
shoe "a fourth"
burn 2h ? ?
call
bet ann banker 100
bet bob player 100
close
squeeze ann banker
grant ann
draw 9h player turned
draw 2h banker
draw Kh player turned
draw Kd banker
report squeeze not delivered "dora opened it"
expect event noted 7.15
turn 2
report squeeze delivery 4 "bob got it"
turn 4
report squeeze delivery 2 "bob got it, too"
rule options on 7 "bob has seen it"
approve 3
take back ann
take back bob
expect event played_free 7.10.1
expect no incidents
announce player

# late: what Hoiana does not cover
call
close
draw 2c player turned
report round 7 9h 2h Kd Kh "read from the camera"
expect incident 8 late_discovery 7.20
expect rulings on 8 let_stand rectify void
rule let stand on 8 "nobody had bets"
expect proposal 4 let_stand assistant director
approve 4
expect no incidents

# a dispute, with the supervisor and then with the Pit Manager
dispute ann in round 3 "the call was wrong"
dispute bob "the seat was mine"
expect disputes 1 2
note on dispute 2 resolved "bob sits at box 2"
note on dispute 1 escalated "ann wants to see the film"
note on dispute 1 facts "9 against 8"
note on dispute 1 surveillance "camera 4"
note on dispute 1 time frame "within the hour"
decide dispute 1 game_rules surveillance pays 50 "the call was right; a chip for the wait"
expect paragraph 8.4.1
approve 5
expect transfer tray chips:ann 50
disagree ann dispute 1
note on dispute 1 right told "the form is with sam"
note on dispute 1 complaint filed "number 17"
expect disputes nothing
dispute ann "the drinks are late"
note on dispute 3 escalated "they are"
note on dispute 3 facts "an hour"
note on dispute 3 surveillance "told"
decide dispute 3 law "drinks are no matter of the table"
agree ann dispute 3
"""

UNCOVERED = """\
call
draw
expect event early_card_drawn
bet ann banker 100
close
expect hand player ?
turn 1 9h
unshuffled cards "straight from the box"
expect incident 1 cards_at_fault
rule void on 1 "not shuffled"
approve 1
"""

FACE_DOWN = """\
# both windows of insurance go by while the cards lie face down
call
bet ann player 100
bet bob banker 200
close
draw 5h player
draw 6c banker
draw Kd player
draw Ks banker
draw 6h player
expect incident 1 excess_cards
draw 4d banker
turn 6
turn 5
turn 4
turn 3
turn 2
turn 1
expect event insurance_missed 5.17
expect incident 2 insurance_missed
expect incident 3 insurance_missed
rule reconstruct on 1
approve 1
meant to insure bob banker
rule return bets on 2
max: approve 2
rule play on 3
max: approve 3
announce player
settle
"""

SHOES = """\
# the last round of a shoe lacked a card, which is drawn from it
call
bet ann player 100
bet bob banker 200
close
walk away bob
come back bob
cut card
deal Kh 7c 6d Ks
announce banker
confirm 1
confirm 2
expect event shoe_ended
report round 1 Kh 7c 5d Ks "seen on camera"
rule rectify on 1
approve 1
draw 4h player turned
announce player
confirm 1
confirm 2
expect event shoe_ended
# in the next shoe it turns out that bob had bet less, that card 4 was a queen, and that a sixth was out
shoe "machine"
correct bet bob banker 150 in round 1 "seen on camera"
max: approve 2
correct card 4 Qs in round 1 "seen on camera"
max: approve 3
call
report round 1 Kh 7c 5d Qs 4h 2c "seen on camera"
rule void on 2 "nobody knows"
approve 4
bet ann player 100
close
deal 9h 8c Kd Ks
announce player
confirm 1
# and of a round of this shoe that is void after all five cards were out
report round 2 9h 8c Kd Ks 2c "seen on camera"
rule void on 3 "nobody knows"
approve 5
"""

PLAYED = Path(__file__).parents[1] / "playthroughs" / "irregularities"


def _played(name: str) -> str:
    """A playthrough, at a table with the usual name."""
    text = (PLAYED / f"{name}.txt").read_text(encoding="utf-8")
    return re.sub(r"^table .*\n", "", text, flags=re.MULTILINE)


PRIVATE = """\
sam: waive insurance ann
expect event insurance_waived 4.2.2
sit dee 3 accepts no insurance
call
bet ann player 100
close
deal 9h 8c Kd Ks
announce player
confirm 1
sam: resume insurance ann
expect event insurance_waived 4.2.2
"""
"""A private table, where the House lets a player do without insurance for a while."""

_COMMITMENT = "c0" * 32
SEEDS = f"""
pledge seed ann {pledge_of(_COMMITMENT, "0a" * 32)}
pledge seed bob {pledge_of(_COMMITMENT, "0b" * 32)}
show seed bob {"0b" * 32}
show seed ann {"0c" * 32}
expect refused seeds.other
+20s seeds over
expect event shoe_mixed
pledge seed ann {"0a" * 32}
expect refused seeds.none
seeds over
expect refused seeds.none
end shoe "only to show how it is mixed"
"""
"""A committed shoe that two players mix by their seeds, of whom one withholds his."""

REFUSALS = (
    BY_HAND.partition("staff dora")[0]
    + """\
open
expect refused table_open
staff dora dealer
sit ann 1
chips in ann 5000
dora: sign off tom
expect refused unknown_person
interruption " "
expect refused bad_amount
foreign card " "
expect refused no_shoe
close
expect refused no_round
ann: announce player
expect refused rank
shoe "machine"
ann: burn 3c
expect refused rank
ann: put 1 player
expect refused rank
call
bet ann banker 100
close
draw 2h player turned
put 1 banker
"""
)
"""What makes no sense, in each case once; and a card that is moved."""

MISHAPS = {
    "keys": _played("corrections/keys"),
    "every-phase": _played("every-phase/tiger-buffalo"),
    "unfounded": _played("unfounded/da-hu-ying-xiong"),
    "other": _played("unfounded/other"),
    "order": TIGER_BUFFALO + ORDER,
    "late": TIGER_BUFFALO + LATE,
    "reports": TIGER_BUFFALO + REPORTS,
    "missed-insurance": BY_HAND + INSURANCE,
    "face-down": BY_HAND.replace("open\n", "face down\nopen\n") + FACE_DOWN,
    "shoes": TIGER_BUFFALO + SHOES,
    "record": TIGER_BUFFALO + RECORD,
    "free-hands": HOIANA + FREE_HANDS,
    "uncovered": SUPER_SIX + UNCOVERED,
    "seeds": TIGER_BUFFALO.replace("open\n", "seeds asked\nautomated deal\nopen\n").replace(
        'shoe "machine"', f'shoe "machine" commitment {_COMMITMENT}'
    )
    + SEEDS,
    "shuffler": _played("shoe-fault/shuffler"),
    "suspect": _played("suspect/dragon-tiger"),
    "refusals": REFUSALS,
    "private": TIGER_BUFFALO.replace("open\n", "private\nopen\n") + PRIVATE,
}
