// Written by scripts/tools/page_types.py from the schema of the wire; do not edit.

/** Something that the table says itself. Its sentences are in `puntobanco.words`. */
export interface About {
  code: string;
  /** Codes, names and numbers, by a name that says their kind; amounts are in minor units. */
  values?: { [key: string]: string | number | string[] };
}

/** What is on somebody's account, by currency, and beside it at tables. */
export interface Account {
  person: string;
  balances: Balance[];
  /** Somebody's own account, as that person sees it. */
  seats?: Seat[];
}

/** A command that the viewer might give: what is fixed, what is left to choose; or why it is refused. */
export interface Action {
  do: string;
  allowed: boolean;
  /** By field, which may be a path as in `Ask`. */
  fixed?: { [key: string]: string | number | boolean | number[] };
  asks?: Ask[];
  code?: string;
  detail?: string;
  /** Of the refusal, which `worded` puts into a sentence. */
  values?: { [key: string]: string | number | (string | number)[] | About };
  /** Of the refusal; of a ruling that is allowed, the one it is given by. */
  paragraph?: string;
  fits?: number | null;
  /** Of a ruling: the lowest rank that may give it. */
  rank?: string;
  /** Of a ruling: whether it waits until another person of that rank approves. */
  approval?: boolean;
  /** Of a call or a payment: whether it would be recorded as one that should not have been made now. */
  out_of_turn?: boolean;
}

/** A card left the shoe after another one (0: before all) and was never keyed. */
export interface AddCard {
  ruling: "add_card";
  card: Card;
  hand: Side;
  after: number;
  round?: number;
  /** Its number, once it has one. */
  number?: number;
}

/** The dealer calls the result. */
export interface Announce {
  do: "announce";
  result: "banker" | "player" | "tie";
}

/** The player agrees with the decision, or does not. */
export interface AnswerDispute {
  do: "answer_dispute";
  person: string;
  dispute: number;
  agrees: boolean;
}

/** The House consents to a squeeze that was asked for, or does not. */
export interface AnswerSqueeze {
  do: "answer_squeeze";
  person: string;
  granted: boolean;
}

/** Any command, told by `do`. */
export type AnyCommand =
  | OpenTable
  | CloseTable
  | BuyIn
  | CashOut
  | ChipsIn
  | ChipsOut
  | Tip
  | RequestFill
  | SignFill
  | CancelFill
  | HoldSuspect
  | ResolveSuspect
  | SignOn
  | SignOff
  | Join
  | Leave
  | WalkAway
  | ComeBack
  | NewShoe
  | CutShoe
  | PledgeSeed
  | ShowSeed
  | CloseSeeds
  | Burn
  | CutCard
  | EndShoe
  | ReturnCards
  | ReportCards
  | SetLimits
  | SetDifferential
  | Call
  | Place
  | Withdraw
  | RefuseBalance
  | Close
  | FindBet
  | LateChips
  | Deal
  | Draw
  | PutCard
  | Turn
  | AskSqueeze
  | AskEarlySqueeze
  | AnswerSqueeze
  | BarSqueeze
  | OfferInsurance
  | Insure
  | PassInsurance
  | CloseInsurance
  | MeantToInsure
  | WaiveInsurance
  | Announce
  | Settle
  | Confirm
  | OverrideConfirmation
  | Report
  | ReportInterruption
  | ReportRound
  | Propose
  | Approve
  | Decline
  | TakeOption
  | RaiseDispute
  | NoteOnDispute
  | DecideDispute
  | AnswerDispute;

/** Any event, told by `event`. */
export type AnyEvent =
  | TableOpened
  | TableClosed
  | MoneyMoved
  | FillRequested
  | FillSigned
  | FillCancelled
  | SuspectHeld
  | SuspectResolved
  | StaffSignedOn
  | StaffSignedOff
  | PlayerJoined
  | PlayerLeft
  | WalkedAway
  | CameBack
  | ShoeStarted
  | ShoeCut
  | SeedsAsked
  | SeedPledged
  | SeedsDue
  | SeedShown
  | ShoeMixed
  | CardsBurnt
  | CutCardAppeared
  | ShoeEnded
  | CardsRetrieved
  | CardsReturned
  | ShoeToBeReplaced
  | ShoeChoiceDue
  | ShoeChoiceGiven
  | ShoeChosen
  | ShoeKept
  | CardsAtFault
  | LimitsSet
  | DifferentialSet
  | RoundCalled
  | WagersPlaced
  | WagerReduced
  | BetsClosed
  | BetFound
  | LateChipsRefused
  | StakesStand
  | StakeRuled
  | CardsDealt
  | CardDrawn
  | CardPut
  | CardTurned
  | CardsArranged
  | CardValued
  | EarlyCardDrawn
  | CarriedCardsDealt
  | FreeHandCalled
  | PlayedFree
  | SqueezeAsked
  | SqueezeAnswered
  | SqueezeBarred
  | InsuranceOffered
  | Insured
  | InsurancePassed
  | InsuranceClosed
  | InsuranceMissed
  | IntentionNoted
  | InsuranceMoved
  | InsuranceReread
  | BetsReturned
  | InsuranceWaived
  | ResultAnnounced
  | ResultCalled
  | RoundSettled
  | RoundVoided
  | BoxesConfirmed
  | ConfirmationOverridden
  | RoundEnded
  | RoundReopened
  | RoundSettledAgain
  | MoneyRuled
  | DebtSettled
  | CommissionCollected
  | IncidentOpened
  | IncidentClosed
  | Noted
  | RulingProposed
  | RulingGiven
  | RulingDeclined
  | OptionsGiven
  | OptionTaken
  | PlayInterrupted
  | Flagged
  | FlagCleared
  | CardCorrected
  | HandCorrected
  | CardStruck
  | CardAdded
  | OrderCorrected
  | CardsTold
  | BetCorrected
  | InsuranceCorrected
  | CallCorrected
  | ConfirmationCorrected
  | RoundPlayedAgain
  | DisputeRaised
  | DisputeNoted
  | DisputeDecided
  | DisputeAnswered;

/** Any ruling, told by `ruling`. */
export type AnyRuling =
  | Reconstruct
  | AsItLies
  | DecideOrder
  | ValueCard
  | ReplaceShoe
  | BurnNow
  | SetStake
  | OfferLate
  | ReturnBets
  | MoveInsurance
  | Rectify
  | LetStand
  | Pay
  | Collect
  | WriteOff
  | PlayOn
  | VoidRound
  | GiveOptions
  | Dismiss
  | CorrectCard
  | CorrectHand
  | StrikeCard
  | AddCard
  | CorrectOrder
  | CorrectBet
  | CorrectCall
  | CorrectPayout;

/** Somebody with the rank for it approves a ruling that another person proposed. */
export interface Approve {
  do: "approve";
  proposal: number;
}

/** They cannot be put back: play goes on with the hands as they lie. */
export interface AsItLies {
  ruling: "as_it_lies";
}

/** A part of a command that is left to the viewer. `field` may be a path: `wagers.tie`, `ruling.card`. */
export interface Ask {
  field: string;
  kind: "amount" | "card" | "cards" | "chips" | "choice" | "name" | "some" | "text";
  least?: number | null;
  most?: number | null;
  step?: number;
  choices?: (string | number | boolean | number[])[];
  /** How many cards, where the rank of the first one decides. */
  counts?: { [key: string]: number };
  /** Whether cards may be null: nobody saw them. */
  unseen?: boolean;
  /** The card or amount that the record has: to name it again corrects nothing. */
  but?: string | number | null;
  optional?: boolean;
}

/** The highest bettor asks to see Banker's third card before Player's third is opened. */
export interface AskEarlySqueeze {
  do: "ask_early_squeeze";
  person: string;
  how: "expose" | "squeeze";
}

/** The highest bettor asks to squeeze a hand's cards. */
export interface AskSqueeze {
  do: "ask_squeeze";
  person: string;
  hand: Side;
}

/** The ranks of our own books, lowest first (reading S). Two of one level differ in name alone. */
export type Authority =
  | "player"
  | "dealer"
  | "pit_supervisor"
  | "dealer_inspector"
  | "pit_manager"
  | "shift_manager"
  | "assistant_director";

/** A frame that cannot be read or served; the connection goes on. `table` is the one that it was about, if any. */
export interface Bad {
  m: "bad";
  code: string;
  message: string;
  table?: string;
}

/** What is on somebody's account in one currency, in its minor units. */
export interface Balance {
  currency: string;
  /** After the point. */
  digits: number;
  balance: number;
}

/** No squeezing for this person in this round. */
export interface BarSqueeze {
  do: "bar_squeeze";
  person: string;
  reason?: string;
}

/** How a player bends the card that is his to squeeze. Everybody who watches the table sees it; no record has it. */
export interface Bend {
  op: "bend";
  table: string;
  /** Its number in the round. */
  card: number;
  /** Where it is held, in shares of its width and height from the upper left corner. */
  grip: [number, number];
  /** Where that point is now. */
  at: [number, number];
  /** Whether the card is let go. */
  done?: boolean;
}

/** Somebody bends a card, as in `Bend`; nothing is told of what is on it. */
export interface Bent {
  m: "bent";
  table: string;
  /** Its number in the round. */
  card: number;
  /** Where it is held, in shares of its width and height from the upper left corner. */
  grip: [number, number];
  /** Where that point is now. */
  at: [number, number];
  /** Whether the card is let go. */
  done: boolean;
}

/** A bet against a shoe: what the House keeps of a stake on average, and how often each line comes. */
export interface BetChances {
  code: string;
  name: string;
  paragraph: string;
  edge: Share;
  /** The standard deviation of the gain per unit staked. */
  sd: number;
  lines: LineChance[];
}

/** The record of a bet was wrong. */
export interface BetCorrected {
  event: "bet_corrected";
  round: number;
  person: string;
  box: number;
  bet: string;
  was: number;
  stake: number;
  to_box: number;
  to_bet: string;
  /** What moved, where bets were still open. */
  transfers: Transfer[];
  reason: string | About;
  to_person?: string;
}

/** The record of a bet was wrong. */
export interface BetCorrectedSeen {
  event: "bet_corrected";
  round?: number;
  person?: string;
  box?: number;
  bet?: string;
  was?: number;
  stake?: number;
  to_box?: number;
  to_bet?: string;
  /** What moved, where bets were still open. */
  transfers?: Transfer[];
  reason?: string | About;
  to_person?: string;
}

/** One bet over the day. */
export interface BetCourse {
  bet: string;
  wagers: number;
  handle: number;
  win: number;
  /** The House's edge of the bet times its handle. */
  theoretical: number;
}

/** Chips lay on a bet that nobody asked for; `noticed` when that was before the close. */
export interface BetFound {
  event: "bet_found";
  person: string;
  box: number;
  bet: string;
  amount: number;
  noticed: boolean;
  transfers: Transfer[];
  paragraph?: string;
}

/** Chips lay on a bet that nobody asked for; `noticed` when that was before the close. */
export interface BetFoundSeen {
  event: "bet_found";
  box: number;
  bet: string;
  amount: number;
  person?: string;
  noticed?: boolean;
  transfers?: Transfer[];
  paragraph?: string;
}

/** Limits of one bet, in minor units; no maximum is `null`. */
export interface BetLimits {
  minimum?: number;
  maximum?: number | null;
  step?: number;
}

/** A bet of the layout with what it pays and its limits. */
export interface BetSign {
  code: string;
  name: string;
  pays: PaySign[];
  paragraph: string;
  minimum: number;
  step: number;
  maximum?: number | null;
  hand?: Side | null;
}

/** No more bets. */
export interface BetsClosed {
  event: "bets_closed";
  paragraph: string;
}

/** No more bets. */
export interface BetsClosedSeen {
  event: "bets_closed";
  paragraph: string;
}

/** Wagers went back by a ruling. */
export interface BetsReturned {
  event: "bets_returned";
  wagers: ([string, number, string])[];
  transfers: Transfer[];
  paragraph: string;
  /** A round that was settled, and is settled again without them; 0 is the one in progress. */
  round?: number;
}

/** Wagers went back by a ruling. */
export interface BetsReturnedSeen {
  event: "bets_returned";
  wagers?: ([string, number, string])[];
  transfers?: Transfer[];
  paragraph?: string;
  /** A round that was settled, and is settled again without them; 0 is the one in progress. */
  round?: number;
}

/** The table's money: the tray and boxes by the ledger, the day so far, and what the round may cost. */
export interface Books {
  tray: number;
  drop: number;
  commission: number;
  tips: number;
  opening: number;
  fills: number;
  credits: number;
  result: number;
  staked: number;
  /** What players owe. */
  receivables: number;
  /** Chips kept for people who are not at the table. */
  held: number;
  exposure: Exposure[];
  /** Chips and cash that may be counterfeit, held apart and in no count. */
  suspect?: number;
}

/** A box of a position: a bet's, or `player_insurance` or `banker_insurance`. */
export interface Box {
  bet: string;
  /** Its share of the row. */
  width?: number;
  /** What is printed in it, where that is not the bet's name. */
  label?: string;
  /** The Chinese characters printed in it, where the cloth has them. */
  chinese?: string;
}

/** Whether somebody sits at a box, and how many stand behind it. */
export interface BoxSeen {
  number: number;
  seated: boolean;
  standing: number;
}

/** Takes and pays are done there. */
export interface BoxesConfirmed {
  event: "boxes_confirmed";
  boxes: number[];
  by_reader?: boolean;
}

/** Takes and pays are done there. */
export interface BoxesConfirmedSeen {
  event: "boxes_confirmed";
  boxes?: number[];
  by_reader?: boolean;
}

/** A table as the lobby shows it. */
export interface Brief {
  table: string;
  game: string;
  title: string;
  layout: string;
  phase: Phase;
  currency: string;
  digits: number;
  bets: BetSign[];
  /** The numbers printed at its boxes, from the dealer's left on. */
  boxes: number[];
  /** Boxes where nobody sits. */
  free: number[];
  players: number;
  /** Rounds of this shoe so far. */
  rounds: number;
  /** The last results: `player`, `banker`, `tie`. */
  beads: string[];
  electronic: boolean;
  differential?: number | null;
  insurance?: boolean;
  stopped?: string;
  fault?: string;
  /** Whether play waits for a ruling or an answer. */
  waits?: boolean;
}

/** Cards taken out before the first round; the first one may have been shown. */
export interface Burn {
  do: "burn";
  cards: (Card | null)[];
}

/** The cards go back into the shoe, and the burn that was forgotten takes place. */
export interface BurnNow {
  ruling: "burn_now";
}

/** Money becomes chips: cash by way of the dealer, or money on the player's account. */
export interface BuyIn {
  do: "buy_in";
  person: string;
  amount: number;
  source?: "account" | "cash";
}

/** The connection ends. With `again` the client may connect once more and watch from where it was. */
export interface Bye {
  m: "bye";
  code: string;
  message: string;
  again: boolean;
}

/** Place your bets. */
export interface Call {
  do: "call";
}

/** The record of the dealer's call was wrong. */
export interface CallCorrected {
  event: "call_corrected";
  was: string;
  result: "banker" | "player" | "tie";
  reason: string | About;
}

/** The record of the dealer's call was wrong. */
export interface CallCorrectedSeen {
  event: "call_corrected";
  was?: string;
  result?: "banker" | "player" | "tie";
  reason?: string | About;
}

/** A supervisor was called to a table and has not come yet. */
export interface CallSeen {
  table: string;
  by: string;
  why: string;
  at: number;
}

/** The player who walked away is back. */
export interface CameBack {
  event: "came_back";
  person: string;
}

/** The player who walked away is back. */
export interface CameBackSeen {
  event: "came_back";
  person?: string;
}

/** A fill or credit that nobody signed is dropped. */
export interface CancelFill {
  do: "cancel_fill";
  request: string;
}

/** One of the 52, as rank (A 2 3 4 5 6 7 8 9 T J Q K) and suit (s h d c): `9h`, `Td`. */
export type Card =
  | "As"
  | "Ah"
  | "Ad"
  | "Ac"
  | "2s"
  | "2h"
  | "2d"
  | "2c"
  | "3s"
  | "3h"
  | "3d"
  | "3c"
  | "4s"
  | "4h"
  | "4d"
  | "4c"
  | "5s"
  | "5h"
  | "5d"
  | "5c"
  | "6s"
  | "6h"
  | "6d"
  | "6c"
  | "7s"
  | "7h"
  | "7d"
  | "7c"
  | "8s"
  | "8h"
  | "8d"
  | "8c"
  | "9s"
  | "9h"
  | "9d"
  | "9c"
  | "Ts"
  | "Th"
  | "Td"
  | "Tc"
  | "Js"
  | "Jh"
  | "Jd"
  | "Jc"
  | "Qs"
  | "Qh"
  | "Qd"
  | "Qc"
  | "Ks"
  | "Kh"
  | "Kd"
  | "Kc";

/** A card left the shoe and was never keyed. */
export interface CardAdded {
  event: "card_added";
  round: number;
  number: number;
  card: Card;
  hand: Side;
  after: number;
  reason: string | About;
}

/** A card left the shoe and was never keyed. */
export interface CardAddedSeen {
  event: "card_added";
  round: number;
  number: number;
  card: Card;
  hand: Side;
  after: number;
  reason?: string | About;
}

/** The record of a card was wrong. */
export interface CardCorrected {
  event: "card_corrected";
  round: number;
  number: number;
  was: Card | null;
  card: Card;
  reason: string | About;
}

/** The record of a card was wrong. */
export interface CardCorrectedSeen {
  event: "card_corrected";
  round: number;
  number: number;
  was?: Card | null;
  card?: Card;
  reason?: string | About;
}

/** A card left the shoe, face down. */
export interface CardDrawn {
  event: "card_drawn";
  number: number;
  card?: Card | null;
}

/** A card left the shoe, face down. */
export interface CardDrawnSeen {
  event: "card_drawn";
  number: number;
  card?: Card | null;
}

/** Where the two hands lie: Player to the left of Banker, or Banker above Player, nearer the dealer. */
export type CardPlaces = "beside" | "stacked";

/** A card was put at a hand. */
export interface CardPut {
  event: "card_put";
  number: number;
  hand: Side;
}

/** A card was put at a hand. */
export interface CardPutSeen {
  event: "card_put";
  number: number;
  hand: Side;
}

/** A card on the table; one that is not turned has no name, for anybody. */
export interface CardSeen {
  number: number;
  hand: Side | null;
  card: Card | null;
}

/** A card was keyed that never left the shoe. */
export interface CardStruck {
  event: "card_struck";
  round: number;
  number: number;
  card: Card | null;
  reason: string | About;
}

/** A card was keyed that never left the shoe. */
export interface CardStruckSeen {
  event: "card_struck";
  round: number;
  number: number;
  card?: Card | null;
  reason?: string | About;
}

/** A card lies open. Cards that wait for their round are numbered after those of the round in progress. */
export interface CardTurned {
  event: "card_turned";
  number: number;
  card: Card;
  by?: string;
  /** What that means, where it was turned before its round. */
  paragraph?: string;
}

/** A card lies open. Cards that wait for their round are numbered after those of the round in progress. */
export interface CardTurnedSeen {
  event: "card_turned";
  number: number;
  card: Card;
  by?: string;
  /** What that means, where it was turned before its round. */
  paragraph?: string;
}

/** What a damaged, lost or doubtful card is, by ruling. */
export interface CardValued {
  event: "card_valued";
  number: number;
  card: Card;
  paragraph: string;
}

/** What a damaged, lost or doubtful card is, by ruling. */
export interface CardValuedSeen {
  event: "card_valued";
  number: number;
  card: Card;
  paragraph: string;
}

/** The round's cards in the order that now counts, each at its hand; any others are left over. */
export interface CardsArranged {
  event: "cards_arranged";
  how: "as_it_lies" | "reconstructed";
  order: number[];
  hands: Side[];
  paragraph: string;
  /** What becomes of cards left over. */
  goes?: "" | "discarded" | "free_hand" | "next_round";
}

/** The round's cards in the order that now counts, each at its hand; any others are left over. */
export interface CardsArrangedSeen {
  event: "cards_arranged";
  how: "as_it_lies" | "reconstructed";
  order: number[];
  hands: Side[];
  paragraph: string;
  /** What becomes of cards left over. */
  goes?: "" | "discarded" | "free_hand" | "next_round";
}

/** The cards in use are not as they should be; this shoe is over. */
export interface CardsAtFault {
  event: "cards_at_fault";
  fault: "foreign_card" | "unshuffled" | "wrong_card_set";
  about: string | About;
  paragraph?: string;
}

/** The cards in use are not as they should be; this shoe is over. */
export interface CardsAtFaultSeen {
  event: "cards_at_fault";
  fault?: "foreign_card" | "unshuffled" | "wrong_card_set";
  about?: string | About;
  paragraph?: string;
}

/** Cards were burnt before the first round. */
export interface CardsBurnt {
  event: "cards_burnt";
  cards: (Card | null)[];
  paragraph?: string;
}

/** Cards were burnt before the first round. */
export interface CardsBurntSeen {
  event: "cards_burnt";
  cards?: (Card | null)[];
  paragraph?: string;
}

/** Cards were drawn, each placed at the hand it was due to, and turned, all at once. */
export interface CardsDealt {
  event: "cards_dealt";
  cards: Card[];
  hands: Side[];
}

/** Cards were drawn, each placed at the hand it was due to, and turned, all at once. */
export interface CardsDealtSeen {
  event: "cards_dealt";
  cards: Card[];
  hands: Side[];
}

/** Unseen cards went back into the shoe, and the burn comes first. */
export interface CardsRetrieved {
  event: "cards_retrieved";
  cards: number;
  paragraph: string;
}

/** Unseen cards went back into the shoe, and the burn comes first. */
export interface CardsRetrievedSeen {
  event: "cards_retrieved";
  cards: number;
  paragraph: string;
}

/** The cards in the discard holder went back into the shuffler, which deals in a new order from here on. */
export interface CardsReturned {
  event: "cards_returned";
  cards: number;
  commitment?: string;
}

/** The cards in the discard holder went back into the shuffler, which deals in a new order from here on. */
export interface CardsReturnedSeen {
  event: "cards_returned";
  cards: number;
  commitment?: string;
}

/** The cards of a round as they really left the shoe. */
export interface CardsTold {
  event: "cards_told";
  round: number;
  cards: Card[];
  /** Those that the round has no use for. */
  left_over?: Card[];
  /** Whether these wait for the next round; otherwise they are discarded. */
  carried?: boolean;
  /** Whether that is a Free Hand for them. */
  free?: boolean;
  /** Of those left over, what nobody has turned. */
  face_down?: Card[];
}

/** The cards of a round as they really left the shoe. */
export interface CardsToldSeen {
  event: "cards_told";
  round?: number;
  cards?: Card[];
  /** Those that the round has no use for. */
  left_over?: Card[];
  /** Whether these wait for the next round; otherwise they are discarded. */
  carried?: boolean;
  /** Whether that is a Free Hand for them. */
  free?: boolean;
  /** Of those left over, what nobody has turned. */
  face_down?: Card[];
}

/** Cards left over from before open the round. */
export interface CarriedCardsDealt {
  event: "carried_cards_dealt";
  hands: Side[];
  paragraph: string;
}

/** Cards left over from before open the round. */
export interface CarriedCardsDealtSeen {
  event: "carried_cards_dealt";
  hands: Side[];
  paragraph: string;
}

/** Chips become money on the player's account. */
export interface CashOut {
  do: "cash_out";
  person: string;
  amount: number;
}

/** What is to be another; the rest stays. */
export interface ChangePerson {
  why: string;
  role?: "admin" | "dealer" | "pit" | "player" | "surveillance" | null;
  rank?: Authority | null;
  password?: string | null;
  pin?: string | null;
}

/** What has changed in the view since version `base`. A client without that view watches again, and gets a whole one. `parts` are fields by their path, `lists` lists by their path: of each, runs of the list before as `[from, count]`, and new items. */
export interface Changed {
  m: "changed";
  table: string;
  base: number;
  version: number;
  now: number;
  parts: { [key: string]: unknown };
  lists: { [key: string]: unknown[] };
}

/** Chips of one value. */
export interface Chips {
  value: number;
  count: number;
}

/** Chips walk in from the floor. */
export interface ChipsIn {
  do: "chips_in";
  person: string;
  amount: number;
}

/** Chips walk out to the floor. */
export interface ChipsOut {
  do: "chips_out";
  person: string;
  amount: number;
}

/** What is open between one player and the House; also for one who has left. */
export interface Claims {
  owes: number;
  held: number;
  disputes: OwnDispute[];
  /** Chips and cash of the player that may be counterfeit: held apart until that is known. */
  suspect?: number;
}

/** No more bets. */
export interface Close {
  do: "close";
}

/** The time for insurance is over. */
export interface CloseInsurance {
  do: "close_insurance";
}

/** The time for pledges, or for the seeds, is over. */
export interface CloseSeeds {
  do: "close_seeds";
}

/** The table closes with the count of its tray. */
export interface CloseTable {
  do: "close_table";
  /** The closing count by chip value. */
  count: { [key: string]: number };
}

/** A player pays what is owed, or a part of it. */
export interface Collect {
  ruling: "collect";
  amount: number;
}

/** A player who walked away is back. */
export interface ComeBack {
  do: "come_back";
  person: string;
}

/** A command in its envelope. `against` is the version of the table it was made for, if that matters. */
export interface Command {
  id: string;
  actor: string;
  /** Milliseconds since the epoch. */
  at: number;
  body: AnyCommand;
  against?: number | null;
  /** The terminal, scanner or shoe that it came from, where that is known. */
  device?: string;
}

/** Marked commission was paid; what the player's chips did not cover is owed. */
export interface CommissionCollected {
  event: "commission_collected";
  person: string;
  amount: number;
  owed: number;
  transfers: Transfer[];
  paragraph: string;
}

/** Marked commission was paid; what the player's chips did not cover is owed. */
export interface CommissionCollectedSeen {
  event: "commission_collected";
  person?: string;
  amount?: number;
  owed?: number;
  transfers?: Transfer[];
  paragraph?: string;
}

/** The takes and pays of a box are done: keyed by the dealer, or seen by a chip reader. */
export interface Confirm {
  do: "confirm";
  box: number;
  by_reader?: boolean;
}

/** A box was confirmed by mistake. */
export interface ConfirmationCorrected {
  event: "confirmation_corrected";
  box: number;
  reason: string | About;
}

/** A box was confirmed by mistake. */
export interface ConfirmationCorrectedSeen {
  event: "confirmation_corrected";
  box?: number;
  reason?: string | About;
}

/** The round may end although boxes were not confirmed. */
export interface ConfirmationOverridden {
  event: "confirmation_overridden";
  boxes: number[];
  reason: string;
}

/** The round may end although boxes were not confirmed. */
export interface ConfirmationOverriddenSeen {
  event: "confirmation_overridden";
  boxes?: number[];
  reason?: string;
}

/** A bet was keyed wrongly: it was `stake` (0: there was none), in another box or on another bet where said. */
export interface CorrectBet {
  ruling: "correct_bet";
  person: string;
  box: number;
  bet: string;
  stake: number;
  to_box?: number;
  to_bet?: string;
  round?: number;
  window?: Window | null;
  to_person?: string;
  /** So much of it was found with cards open: on record already, and a second person confirms it (reading Z). */
  found?: number;
}

/** The call of the result was keyed wrongly. */
export interface CorrectCall {
  ruling: "correct_call";
  result: "banker" | "player" | "tie";
}

/** A card was keyed or read wrongly. `round` 0 is the one in progress. */
export interface CorrectCard {
  ruling: "correct_card";
  number: number;
  card: Card;
  round?: number;
}

/** A card was keyed to the wrong hand. */
export interface CorrectHand {
  ruling: "correct_hand";
  number: number;
  hand: Side;
  round?: number;
}

/** Cards left the shoe in another order than they were keyed: by the numbers they have. */
export interface CorrectOrder {
  ruling: "correct_order";
  cards: number[];
  round?: number;
  /** What the cards of these numbers are then, the lowest number first; known once it is decided. */
  became?: Card[];
}

/** A box was confirmed by mistake: its takes and pays are not done yet. */
export interface CorrectPayout {
  ruling: "correct_payout";
  box: number;
}

/** After a round: what the House has won since the day began, and what was to be expected. */
export interface CoursePoint {
  round: number;
  handle: number;
  win: number;
  /** The exact expectation of the win, rounded. */
  expected: number;
  /** The lower end of the 99% band. */
  low: number;
  /** The upper end of the 99% band. */
  high: number;
}

/** The Cut Card appeared. */
export interface CutCard {
  do: "cut_card";
}

/** `rounds_left` may still be played, not counting this one. */
export interface CutCardAppeared {
  event: "cut_card_appeared";
  rounds_left: number;
  paragraph?: string;
}

/** `rounds_left` may still be played, not counting this one. */
export interface CutCardAppearedSeen {
  event: "cut_card_appeared";
  rounds_left: number;
  paragraph?: string;
}

/** Somebody cuts the cards; `position` cards from the top go below. */
export interface CutShoe {
  do: "cut";
  person: string;
  position: number;
}

/** How a table's gaming day has gone so far, beside its exact expectation. */
export interface DayCourse {
  table: string;
  currency: string;
  digits: number;
  /** After each round, or after every few of a long day; amounts add up from the day's first round. */
  points: CoursePoint[];
  bets: BetCourse[];
  /** Players, whoever is furthest from expectation first. */
  people: PersonCourse[];
  /** The last twelve hours in which rounds were called. */
  hours: HourPlayed[];
  /** Those of the last twenty-four hours, the costliest family first. */
  incidents: IncidentCost[];
}

/** An electronic shoe gives cards: each is drawn, placed where it is due, and turned. */
export interface Deal {
  do: "deal";
  cards: Card[];
}

/** What a player owed was paid, in part or whole, or the House wrote it off. */
export interface DebtSettled {
  event: "debt_settled";
  person: string;
  amount: number;
  how: "collected" | "written_off";
  transfers: Transfer[];
}

/** What a player owed was paid, in part or whole, or the House wrote it off. */
export interface DebtSettledSeen {
  event: "debt_settled";
  person?: string;
  amount?: number;
  how?: "collected" | "written_off";
  transfers?: Transfer[];
}

/** The decision, its grounds, and what the player is paid by it (below zero: pays). */
export interface DecideDispute {
  do: "decide_dispute";
  dispute: number;
  decision: string;
  grounds: (
    | "accounts"
    | "game_rules"
    | "internal_controls"
    | "law"
    | "other_evidence"
    | "procedures"
    | "published_information"
    | "surveillance")[];
  pays?: number;
}

/** Which of the cards drawn at once is received first, second …; they are dealt again in that order. */
export interface DecideOrder {
  ruling: "order";
  cards: number[];
}

/** A ruling that was proposed is not given. */
export interface Decline {
  do: "decline";
  proposal: number;
  reason?: string;
}

/** A device with a credential. */
export interface DeviceSeen {
  name: string;
  kind: "display" | "scanner" | "shoe";
  table: string;
}

/** The credential of a device, told once. */
export interface DeviceToken {
  name: string;
  token: string;
}

/** The most that Banker and Player bets may differ, over the table or in each box (reading B). */
export interface Differential {
  limit: number;
  scope?: "box" | "table";
}

/** The Differential was changed or lifted; `round` is the first under the new one. */
export interface DifferentialSet {
  event: "differential_set";
  before: Differential | null;
  differential: Differential | null;
  round: number;
  paragraph?: string;
}

/** The Differential was changed or lifted; `round` is the first under the new one. */
export interface DifferentialSetSeen {
  event: "differential_set";
  before: Differential | null;
  differential: Differential | null;
  round: number;
  paragraph?: string;
}

/** The report was unfounded: the table goes on as if nobody had made it. */
export interface Dismiss {
  ruling: "dismiss";
}

/** The player agrees with the decision, or does not. */
export interface DisputeAnswered {
  event: "dispute_answered";
  dispute: number;
  person: string;
  agrees: boolean;
  paragraph: string;
}

/** The player agrees with the decision, or does not. */
export interface DisputeAnsweredSeen {
  event: "dispute_answered";
  dispute?: number;
  person?: string;
  agrees?: boolean;
  paragraph?: string;
}

/** The decision and the paragraphs of its grounds. What it pays waits for a second person (reading Z). */
export interface DisputeDecided {
  event: "dispute_decided";
  dispute: number;
  decision: string;
  grounds: string[];
  cited: string[];
  paragraph: string;
  by: string;
  pays?: number;
}

/** The decision and the paragraphs of its grounds. What it pays waits for a second person (reading Z). */
export interface DisputeDecidedSeen {
  event: "dispute_decided";
  dispute?: number;
  decision?: string;
  grounds?: string[];
  cited?: string[];
  paragraph?: string;
  by?: string;
  pays?: number;
}

/** A step in a dispute. */
export interface DisputeNoted {
  event: "dispute_noted";
  dispute: number;
  what:
    | "complaint_filed"
    | "complaint_waived"
    | "escalated"
    | "facts"
    | "resolved"
    | "right_told"
    | "surveillance"
    | "time_frame";
  note: string;
  paragraph: string;
  by: string;
}

/** A step in a dispute. */
export interface DisputeNotedSeen {
  event: "dispute_noted";
  dispute?: number;
  what?:
    | "complaint_filed"
    | "complaint_waived"
    | "escalated"
    | "facts"
    | "resolved"
    | "right_told"
    | "surveillance"
    | "time_frame";
  note?: string;
  paragraph?: string;
  by?: string;
}

/** A player disputes something. */
export interface DisputeRaised {
  event: "dispute_raised";
  number: number;
  person: string;
  about: string;
  paragraph: string;
  round?: number;
}

/** A player disputes something. */
export interface DisputeRaisedSeen {
  event: "dispute_raised";
  number?: number;
  person?: string;
  about?: string;
  paragraph?: string;
  round?: number;
}

/** A dispute that is open, and how far it has come; `agreed` is null until the player has answered. */
export interface DisputeSeen {
  number: number;
  person: string;
  about: string;
  round: number;
  escalated: boolean;
  facts: string[];
  surveillance: boolean;
  time_frame: string;
  decision: string;
  agreed: boolean | null;
  right_told: boolean;
}

/** A command for a table, as in `Give`. */
export interface Do {
  op: "do";
  table: string;
  id: string;
  body: AnyCommand;
  against?: number | null;
}

/** A command was carried out and is durable. */
export interface Done {
  m: "done";
  table: string;
  id: string;
  version: number;
  repeated?: boolean;
}

/** A card left the shoe; the scanner may have read it. Where it was put, and that it was turned, may be told too. */
export interface Draw {
  do: "draw";
  card?: Card | null;
  hand?: Side | null;
  turned?: boolean;
}

/** A card left the shoe before its round: it waits for the next one. */
export interface EarlyCardDrawn {
  event: "early_card_drawn";
  paragraph: string;
  card?: Card | null;
  turned?: boolean;
}

/** A card left the shoe before its round: it waits for the next one. */
export interface EarlyCardDrawnSeen {
  event: "early_card_drawn";
  paragraph?: string;
  card?: Card | null;
  turned?: boolean;
}

/** The shoe is taken out of use between rounds. */
export interface EndShoe {
  do: "end_shoe";
  reason?: string;
}

/** What was asked or reported, and what came of it. */
export interface Entry {
  /** That of the first event. */
  version: number;
  command: Command;
  /** The actor's, as the table knew it at that moment; `house` for the House's own system. */
  rank: string;
  events: AnyEvent[];
}

/** Events of a table, in order; the numbers of one watch have neither gap nor repeat. */
export interface Events {
  m: "events";
  table: string;
  events: Seen[];
}

/** The most that the House loses if the round ends so; below zero it wins. null: it cannot end so. */
export interface Exposure {
  result: "banker" | "player" | "tie";
  most: number | null;
}

/** A code of the authenticator that one was just given. */
export interface FactorCode {
  code: string;
}

/** What to show the authenticator; it holds the secret, and is shown once. */
export interface FactorGiven {
  address: string;
}

/** What the dealer sees on the felt: who has put what where, what to take and pay, who asks for what. */
export interface Felt {
  players: PlayerSeen[];
  staff: StaffSeen[];
  wagers: WagerSeen[];
  insurance: InsuranceSeen[];
  /** Who is offered insurance and has not answered. */
  unanswered: string[];
  forgone: string[];
  squeezes: SqueezeSeen[];
  /** Who has the right to squeeze that hand. */
  player_squeezer: string | null;
  banker_squeezer: string | null;
  payments: Payment[];
  unconfirmed: number[];
  fills: FillSeen[];
}

/** A fill or credit was dropped. */
export interface FillCancelled {
  event: "fill_cancelled";
  request: string;
}

/** A fill or credit was dropped. */
export interface FillCancelledSeen {
  event: "fill_cancelled";
  request?: string;
}

/** Chips were asked for, or are to go; a second signature is missing. */
export interface FillRequested {
  event: "fill_requested";
  request: string;
  kind: "credit" | "fill";
  chips: { [key: string]: number };
  by: string;
}

/** Chips were asked for, or are to go; a second signature is missing. */
export interface FillRequestedSeen {
  event: "fill_requested";
  request?: string;
  kind?: "credit" | "fill";
  chips?: { [key: string]: number };
  by?: string;
}

/** A fill or credit that waits for its second signature. */
export interface FillSeen {
  request: string;
  kind: string;
  amount: number;
  chips: Chips[];
  by: string;
}

/** Chips moved between tray and cage over two signatures. */
export interface FillSigned {
  event: "fill_signed";
  request: string;
  kind: "credit" | "fill";
  amount: number;
  signatures: [string, string];
  transfers: Transfer[];
}

/** Chips moved between tray and cage over two signatures. */
export interface FillSignedSeen {
  event: "fill_signed";
  request?: string;
  kind?: "credit" | "fill";
  amount?: number;
  signatures?: [string, string];
  transfers?: Transfer[];
}

/** Chips are found on a bet that nobody asked for: noticed in time before the close, not noticed after it. */
export interface FindBet {
  do: "find_bet";
  person: string;
  box: number;
  bet: string;
  amount: number;
  window?: Window | null;
  /** The round in which they lay, where that is over; 0 is the one in progress. */
  round?: number;
}

/** Something that is not as the book wants it. `about` is for staff. */
export interface Flag {
  flag: string;
  about: string | About;
  paragraph: string;
}

/** What was flagged is put right, or stands as it lies. */
export interface FlagCleared {
  event: "flag_cleared";
  flag: string;
  about: string | About;
  /** Whether nothing was put right: the book sets no limit to what lies there. */
  stands?: boolean;
}

/** What was flagged is put right, or stands as it lies. */
export interface FlagClearedSeen {
  event: "flag_cleared";
  flag: string;
  about?: string | About;
  /** Whether nothing was put right: the book sets no limit to what lies there. */
  stands?: boolean;
}

/** Something is not as the book requires; the flag stays until it is dealt with. */
export interface Flagged {
  event: "flagged";
  flag: string;
  about: string | About;
  paragraph?: string;
}

/** Something is not as the book requires; the flag stays until it is dealt with. */
export interface FlaggedSeen {
  event: "flagged";
  flag: string;
  about?: string | About;
  paragraph?: string;
}

/** A round without wagers. A round called but not begun becomes one: its bets went back. */
export interface FreeHandCalled {
  event: "free_hand_called";
  number: number;
  paragraph: string;
  transfers?: Transfer[];
}

/** A round without wagers. A round called but not begun becomes one: its bets went back. */
export interface FreeHandCalledSeen {
  event: "free_hand_called";
  number: number;
  paragraph: string;
  transfers?: Transfer[];
}

/** One of `Watch`, `Unwatch`, `Do`, `Ping`, `Bend`. */
export type FromClient = Watch | Unwatch | Do | Ping | Bend;

/** One of `Hello`, `Events`, `ViewIs`, `Changed`, `Done`, `NotDone`, `Bad`, `Pong`, `Bent`, `Bye`. */
export type FromServer = Hello | Events | ViewIs | Changed | Done | NotDone | Bad | Pong | Bent | Bye;

/** The exact odds of every bet of a layout, and of insurance, for a shoe. */
export interface GameOdds {
  game: string;
  title: string;
  layout: string;
  decks: number;
  /** How many cards of each rank the shoe holds, from the Ace to the King. */
  cards: number[];
  bets: BetChances[];
  insurance: InsuranceChances[];
}

/** A game that the floor knows. */
export interface GameSeen {
  game: string;
  title: string;
  casino: string;
  layouts: LayoutSeen[];
  least_decks: number;
  most_decks: number;
  /** How many it is played with where nobody says. */
  decks: number;
  /** Its tables are in this one where nobody says. */
  currency: string;
}

/** How a layout is drawn. All positions look the same; the first is at the dealer's left, on the players' right. */
export interface Geometry {
  shape: Shape;
  /** What is printed at the positions, from the first on. */
  numbers: number[];
  /** One position, from the dealer's side to the player's. */
  rows: Row[];
  cards: CardPlaces;
  /** The boxes whose pay tables stand in the middle of the cloth, from left to right. */
  printed?: string[];
  /** `zh` where the boxes are printed in Chinese. */
  language?: string;
}

/** A command for a table. The same id again has no second effect and gets the first answer. */
export interface Give {
  id: string;
  body: AnyCommand;
  against?: number | null;
}

/** A command that a second person gives at the dealer's console, by name and PIN. */
export interface GiveFor {
  person: string;
  pin: string;
  give: Give;
}

/** The players may go on or take their bets back. */
export interface GiveOptions {
  ruling: "options";
}

/** A command that was carried out and is durable, with what came of it as the sender may see it. */
export interface Given {
  id: string;
  version: number;
  events: Seen[];
  repeated?: boolean;
}

/** A card was keyed to the wrong hand. */
export interface HandCorrected {
  event: "hand_corrected";
  round: number;
  number: number;
  was: Side | null;
  hand: Side;
  reason: string | About;
}

/** A card was keyed to the wrong hand. */
export interface HandCorrectedSeen {
  event: "hand_corrected";
  round: number;
  number: number;
  was: Side | null;
  hand: Side;
  reason?: string | About;
}

/** How a process is. */
export interface Health {
  status: "not ready" | "ok";
  version: string;
  tables: number;
  faults?: { [key: string]: string };
  /** All that is wrong, in words, with what to do about it. */
  problems?: string[];
}

/** The first frame of a connection. */
export interface Hello {
  m: "hello";
  person: string;
  role: string;
  now: number;
  /** Milliseconds that a card may be squeezed at an electronic table. */
  for_squeeze?: number;
}

/** Chips or cash that may be counterfeit are held apart: a player's, or the House's own in tray and drop box. */
export interface HoldSuspect {
  do: "hold_suspect";
  what: "cash" | "chips";
  amount: number;
  about: string;
  person?: string;
}

/** Rounds that were called within an hour. */
export interface HourPlayed {
  /** When the hour began. */
  at: number;
  rounds: number;
}

/** The incident is dealt with, or the report was dismissed as unfounded. */
export interface IncidentClosed {
  event: "incident_closed";
  number: number;
  unfounded?: boolean;
}

/** The incident is dealt with, or the report was dismissed as unfounded. */
export interface IncidentClosedSeen {
  event: "incident_closed";
  number?: number;
  unfounded?: boolean;
}

/** What the incidents of one family cost in time. */
export interface IncidentCost {
  family: string;
  incidents: number;
  /** From each opening until it was closed, all together. */
  milliseconds: number;
}

/** Something went wrong, and waits for a ruling. `blocks`: play stops until then. */
export interface IncidentOpened {
  event: "incident_opened";
  number: number;
  family: string;
  about: string | About;
  paragraph: string;
  round?: number;
  cards?: number[];
  /** The cards of a round that is over, as they really left the shoe. */
  true_cards?: Card[];
  person?: string;
  blocks?: boolean;
  /** Whether the book has a paragraph for it. */
  covered?: boolean;
  /** Whether it rests on somebody's word alone, and can turn out unfounded. */
  reported?: boolean;
  /** What was reported of a round that is over. */
  what?: string;
}

/** Something went wrong, and waits for a ruling. `blocks`: play stops until then. */
export interface IncidentOpenedSeen {
  event: "incident_opened";
  number?: number;
  family?: string;
  about?: string | About;
  paragraph?: string;
  round?: number;
  cards?: number[];
  /** The cards of a round that is over, as they really left the shoe. */
  true_cards?: Card[];
  person?: string;
  blocks?: boolean;
  /** Whether the book has a paragraph for it. */
  covered?: boolean;
  /** Whether it rests on somebody's word alone, and can turn out unfounded. */
  reported?: boolean;
  /** What was reported of a round that is over. */
  what?: string;
}

/** What went wrong, and what may be ruled on it. */
export interface IncidentSeen {
  number: number;
  family: string;
  about: string | About;
  paragraph: string;
  round: number;
  cards: number[];
  /** The cards of a round that is over, as they were reported. */
  true_cards: Card[];
  person: string;
  blocks: boolean;
  covered: boolean;
  rulings: RulingSeen[];
}

/** Insurance of one hand at one pair of points. `edge` is null where the shoe cannot show these. */
export interface InsuranceChances {
  window: Window;
  hand: Side;
  own: number;
  other: number;
  pays: Odds;
  paragraph: string;
  edge: Share | null;
  won: Share;
  returned: Share;
  lost: Share;
}

/** Players who were offered insurance and took none have forgone it. */
export interface InsuranceClosed {
  event: "insurance_closed";
  window: Window;
  forgone: string[];
  paragraph: string;
  /** Who had not answered when the round was paid with a card lacking: no card has come, and it is missed (5.17). */
  not_asked?: string[];
}

/** Players who were offered insurance and took none have forgone it. */
export interface InsuranceClosedSeen {
  event: "insurance_closed";
  window: Window;
  paragraph: string;
  forgone?: string[];
  /** Who had not answered when the round was paid with a card lacking: no card has come, and it is missed (5.17). */
  not_asked?: string[];
}

/** The record of insurance was wrong, or left out chips that lay there. */
export interface InsuranceCorrected {
  event: "insurance_corrected";
  round: number;
  person: string;
  box: number;
  hand: Side;
  window: Window;
  was: number;
  stake: number;
  to_box: number;
  to_hand: Side;
  paragraph: string;
  reason: string | About;
  to_person?: string;
}

/** The record of insurance was wrong, or left out chips that lay there. */
export interface InsuranceCorrectedSeen {
  event: "insurance_corrected";
  round?: number;
  person?: string;
  box?: number;
  hand?: Side;
  window?: Window;
  was?: number;
  stake?: number;
  to_box?: number;
  to_hand?: Side;
  paragraph?: string;
  reason?: string | About;
  to_person?: string;
}

/** A card came although insurance should have been offered before it. */
export interface InsuranceMissed {
  event: "insurance_missed";
  window: Window;
  offers: Offer[];
  paragraph: string;
  /** Where it was found after the settlement; 0 is the round in progress. */
  round?: number;
}

/** A card came although insurance should have been offered before it. */
export interface InsuranceMissedSeen {
  event: "insurance_missed";
  window?: Window;
  offers?: Offer[];
  paragraph?: string;
  /** Where it was found after the settlement; 0 is the round in progress. */
  round?: number;
}

/** Insurance in the wrong box was moved to the other hand, by the row that fitted then. */
export interface InsuranceMoved {
  event: "insurance_moved";
  person: string;
  box: number;
  /** Where it lay. */
  hand: Side;
  paragraph: string;
  round?: number;
}

/** Insurance in the wrong box was moved to the other hand, by the row that fitted then. */
export interface InsuranceMovedSeen {
  event: "insurance_moved";
  person?: string;
  box?: number;
  /** Where it lay. */
  hand?: Side;
  paragraph?: string;
  round?: number;
}

/** Insurance is on offer. */
export interface InsuranceOffered {
  event: "insurance_offered";
  window: Window;
  offers: Offer[];
  paragraph: string;
  until?: number;
  /** Whether it had been missed: winnings are capped at the Original Bet. */
  late?: boolean;
}

/** Insurance is on offer. */
export interface InsuranceOfferedSeen {
  event: "insurance_offered";
  window: Window;
  paragraph: string;
  offers?: Offer[];
  until?: number;
  /** Whether it had been missed: winnings are capped at the Original Bet. */
  late?: boolean;
}

/** A player declined insurance. */
export interface InsurancePassed {
  event: "insurance_passed";
  person: string;
  paragraph: string;
}

/** A player declined insurance. */
export interface InsurancePassedSeen {
  event: "insurance_passed";
  person?: string;
  paragraph?: string;
}

/** A row of the insurance pay table: at which points of the insured hand and of the other it pays what. */
export interface InsurancePaySign {
  window: Window;
  hand: Side;
  own: number[];
  other: number[];
  odds: Odds;
}

/** Insurance as cards and bets really were: by the row of these points; back if none fits or no bet was there. */
export interface InsuranceReread {
  event: "insurance_reread";
  person: string;
  box: number;
  /** Where it lies. */
  hand: Side;
  window: Window;
  own: number;
  other: number;
  /** null where it goes back. */
  odds: Odds | null;
  paragraph: string;
  transfers?: Transfer[];
  round?: number;
}

/** Insurance as cards and bets really were: by the row of these points; back if none fits or no bet was there. */
export interface InsuranceRereadSeen {
  event: "insurance_reread";
  person?: string;
  box?: number;
  /** Where it lies. */
  hand?: Side;
  window?: Window;
  own?: number;
  other?: number;
  /** null where it goes back. */
  odds?: Odds | null;
  paragraph?: string;
  transfers?: Transfer[];
  round?: number;
}

/** Insurance that was taken, at the odds of its row. */
export interface InsuranceSeen {
  person: string;
  box: number;
  hand: Side;
  stake: number;
  odds: Odds;
  window: Window;
}

/** Insurance on offer: the hand, its odds, and the points of that hand and of the other. */
export interface InsuranceSign {
  hand: Side;
  odds: Odds;
  own: number;
  other: number;
}

/** From this round on insurance is no longer offered at a private table, or is offered again, as a player asked and the House allowed. */
export interface InsuranceWaived {
  event: "insurance_waived";
  person: string;
  by: string;
  offered: boolean;
  round: number;
  paragraph: string;
}

/** From this round on insurance is no longer offered at a private table, or is offered again, as a player asked and the House allowed. */
export interface InsuranceWaivedSeen {
  event: "insurance_waived";
  offered: boolean;
  round: number;
  paragraph: string;
  person?: string;
  by?: string;
}

/** A player insures the bet of a box on one hand. */
export interface Insure {
  do: "insure";
  person: string;
  box: number;
  hand: Side;
  amount: number;
}

/** Somebody took insurance. */
export interface Insured {
  event: "insured";
  person: string;
  box: number;
  hand: Side;
  amount: number;
  window: Window;
  odds: Odds;
  own: number;
  other: number;
  paragraph: string;
  transfers: Transfer[];
  /** Staff who put it down for the player. */
  by?: string;
}

/** Somebody took insurance. */
export interface InsuredSeen {
  event: "insured";
  box: number;
  hand: Side;
  amount: number;
  person?: string;
  window?: Window;
  odds?: Odds;
  own?: number;
  other?: number;
  paragraph?: string;
  transfers?: Transfer[];
  /** Staff who put it down for the player. */
  by?: string;
}

/** Insurance that somebody had meant to take when it was not offered. */
export interface Intended {
  person: string;
  hand: Side;
}

/** A player had meant to insure that hand, by this row. */
export interface IntentionNoted {
  event: "intention_noted";
  person: string;
  hand: Side;
  window: Window;
  own: number;
  other: number;
  paragraph: string;
  /** A round that was settled; 0 is the one in progress. */
  round?: number;
}

/** A player had meant to insure that hand, by this row. */
export interface IntentionNotedSeen {
  event: "intention_noted";
  person?: string;
  hand?: Side;
  window?: Window;
  own?: number;
  other?: number;
  paragraph?: string;
  /** A round that was settled; 0 is the one in progress. */
  round?: number;
}

/** A player takes a box, or stands behind one. */
export interface Join {
  do: "join";
  person: string;
  box: number;
  seated?: boolean;
  accepts_no_insurance?: boolean;
}

/** After the close somebody put chips on a bet, or took some away. */
export interface LateChips {
  do: "late_chips";
  person: string;
  box: number;
  bet: string;
  amount: number;
  what: "placed" | "withdrawn";
}

/** Chips put down after the close go back; chips taken away after it count as if they still lay there. */
export interface LateChipsRefused {
  event: "late_chips_refused";
  person: string;
  box: number;
  bet: string;
  amount: number;
  what: "placed" | "withdrawn";
  paragraph: string;
  /** Whether the book does not say so, and a ruling is to say what stands. */
  waits?: boolean;
}

/** Chips put down after the close go back; chips taken away after it count as if they still lay there. */
export interface LateChipsRefusedSeen {
  event: "late_chips_refused";
  person?: string;
  box?: number;
  bet?: string;
  amount?: number;
  what?: "placed" | "withdrawn";
  paragraph?: string;
  /** Whether the book does not say so, and a ruling is to say what stands. */
  waits?: boolean;
}

/** A layout that a table may be opened with. */
export interface LayoutSeen {
  code: string;
  name: string;
  positions: number[];
  insurance: boolean;
}

/** A player goes, with the chips. */
export interface Leave {
  do: "leave";
  person: string;
}

/** What was settled stands. */
export interface LetStand {
  ruling: "let_stand";
}

/** The result of the round as the light of a shoe shows it. */
export interface Light {
  result: "banker" | "player" | "tie";
}

/** The limits of a bet, or of all without their own (no bet named), changed; `round` is the first under them. */
export interface LimitsSet {
  event: "limits_set";
  bet: string;
  before: BetLimits;
  limits: BetLimits;
  round: number;
  paragraph?: string;
}

/** The limits of a bet, or of all without their own (no bet named), changed; `round` is the first under them. */
export interface LimitsSetSeen {
  event: "limits_set";
  bet: string;
  before: BetLimits;
  limits: BetLimits;
  round: number;
  paragraph?: string;
}

/** A line of a bet: how often it comes, out of all rounds. */
export interface LineChance {
  result: "lost" | "returned" | "won";
  name: string;
  pays: Odds | null;
  paragraph: string;
  chance: Share;
}

/** What became of one wager; `profit` excludes the stake. */
export interface LineSeen {
  person: string;
  box: number;
  bet: string;
  stake: number;
  result: Result;
  profit: number;
  commission: number;
  insurance: boolean;
  paragraph: string;
}

/** For staff: all that waits to be settled, and cards out of the shoe that wait for their round. */
export interface Matters {
  incidents: IncidentSeen[];
  proposals: ProposalSeen[];
  options: OptionsSeen | null;
  intended: Intended[];
  /** Counted on after the cards of the round, as they are when one is turned. */
  carried: CardSeen[];
  /** Who owes the House how much. */
  debts: Sum[];
  /** Chips that the House keeps for people who are not at the table. */
  held: Sum[];
  disputes: DisputeSeen[];
  suspects?: SuspectSeen[];
}

/** A player had meant to insure a hand when insurance was not offered. `round` 0 is the one in progress. */
export interface MeantToInsure {
  do: "meant_to_insure";
  person: string;
  hand: Side;
  round?: number;
}

/** Money that comes to a player's account from outside, or leaves it (below zero). The id makes retries harmless. */
export interface Money {
  id: string;
  amount: number;
  currency: string;
}

/** Buy-ins, cash-outs, chips walking in and out, tips. */
export interface MoneyMoved {
  event: "money_moved";
  kind: "buy_in" | "cash_out" | "chips_in" | "chips_out" | "tip";
  person: string;
  amount: number;
  transfers: Transfer[];
  via?: string;
  paragraph?: string;
  /** Of chips that were found: the round whose record had them. */
  round?: number;
}

/** Buy-ins, cash-outs, chips walking in and out, tips. */
export interface MoneyMovedSeen {
  event: "money_moved";
  kind?: "buy_in" | "cash_out" | "chips_in" | "chips_out" | "tip";
  person?: string;
  amount?: number;
  transfers?: Transfer[];
  via?: string;
  paragraph?: string;
  /** Of chips that were found: the round whose record had them. */
  round?: number;
}

/** A player was paid by a ruling, or paid the House; what could not be collected is owed. */
export interface MoneyRuled {
  event: "money_ruled";
  person: string;
  amount: number;
  transfers: Transfer[];
  paragraph: string;
  reason?: string | About;
}

/** A player was paid by a ruling, or paid the House; what could not be collected is owed. */
export interface MoneyRuledSeen {
  event: "money_ruled";
  person?: string;
  amount?: number;
  transfers?: Transfer[];
  paragraph?: string;
  reason?: string | About;
}

/** Insurance that staff put in the wrong box belongs to the other hand; `hand` is where it lies. */
export interface MoveInsurance {
  ruling: "move_insurance";
  person: string;
  box: number;
  hand: Side;
}

/** A scanner or a shoe that reports cards of a table, or a display that shows one. */
export interface NewDevice {
  name: string;
  kind: "display" | "scanner" | "shoe";
  table: string;
}

/** Somebody to be made known to the floor. */
export interface NewPerson {
  name: string;
  role: "admin" | "dealer" | "pit" | "player" | "surveillance";
  password: string;
  /** Of staff; by default the lowest of the role. */
  rank?: Authority | null;
  pin?: string;
}

/** A shuffled shoe comes into play; `evidence` says how it was shuffled and checked. */
export interface NewShoe {
  do: "new_shoe";
  evidence: string;
  commitment?: string;
}

/** The next proper step. `who` is `house` (the table itself), `player`, or the lowest rank. */
export interface NextStep {
  do: string;
  who: string;
  paragraph?: string;
  /** The card it is about, counted from 1. */
  number?: number;
  box?: number;
  hand?: Side | null;
  /** The people that the step waits for, or is about; shown to staff, and to a player who is one of them. */
  people?: string[];
  /** What is to be ruled on. */
  incident?: number;
  /** What is to be approved. */
  proposal?: number;
  /** What kind of thing went wrong. */
  family?: string;
  /** Those that are open, or the one to approve. */
  rulings?: string[];
  /** Which of its sentences a step has, where it has several: `turn.squeezed`. */
  detail?: string;
  /** What went wrong; for staff. */
  about?: string | About;
  /** Whether this viewer may take the step. */
  yours?: boolean;
}

/** What a win of one side would add: its Big Road cell, and the colour on each derived road, if any. */
export interface NextWin {
  row: number;
  column: number;
  big_eye_boy: string | null;
  small_road: string | null;
  cockroach_pig: string | null;
}

/** A command that was not carried out. */
export interface NotDone {
  m: "refused";
  table: string;
  id: string;
  code: string;
  message: string;
  paragraph?: string;
  fits?: number | null;
  detail?: string;
  values?: { [key: string]: string | number | (string | number)[] | About };
}

/** A step on the way of a dispute, with what there is to say about it. */
export interface NoteOnDispute {
  do: "note_on_dispute";
  dispute: number;
  what:
    | "complaint_filed"
    | "complaint_waived"
    | "escalated"
    | "facts"
    | "resolved"
    | "right_told"
    | "surveillance"
    | "time_frame";
  note: string;
}

/** Something went wrong that changes nothing: the book says how it counts. */
export interface Noted {
  event: "noted";
  family: string;
  about: string | About;
  paragraph: string;
  /** The round it was in, where that is over. */
  round?: number;
  /** Cards of the round in progress; those that wait for theirs are counted on after them. */
  cards?: number[];
}

/** Something went wrong that changes nothing: the book says how it counts. */
export interface NotedSeen {
  event: "noted";
  family?: string;
  about?: string | About;
  paragraph?: string;
  /** The round it was in, where that is over. */
  round?: number;
  /** Cards of the round in progress; those that wait for theirs are counted on after them. */
  cards?: number[];
}

/** What a winning stake earns on top of itself, in lowest terms: `pays` to `to`. */
export interface Odds {
  pays: number;
  to: number;
}

/** Insurance on one hand at the odds of its row, to the people who bet on it. */
export interface Offer {
  hand: Side;
  odds: Odds;
  own: number;
  other: number;
  people: string[];
}

/** The dealer offers insurance by the row that fits. */
export interface OfferInsurance {
  do: "offer_insurance";
}

/** Insurance that was not offered is offered now; its winnings are capped at the Original Bet. */
export interface OfferLate {
  ruling: "offer_late";
}

/** Insurance that the player may take: on what, at which odds, and how much at most. */
export interface OfferSeen {
  box: number;
  hand: Side;
  odds: Odds;
  most: number;
}

/** A table to open: its settings, and the chips in its tray by value. */
export interface OpenPlan {
  settings: TableSettings;
  opening_float?: { [key: string]: number };
}

/** A table opens with its settings and the chips in its tray. */
export interface OpenTable {
  do: "open_table";
  settings: TableSettings;
  /** Chips in the tray by value: how many of each. */
  opening_float?: { [key: string]: number };
}

/** What the cards on record make of a round beside the light; `version` is where a difference is noted. */
export interface Opinion {
  round: number;
  cards: "banker" | "player" | "tie";
  agrees: boolean;
  version?: number | null;
}

/** A player goes on, or took all bets back. */
export interface OptionTaken {
  event: "option_taken";
  person: string;
  goes_on: boolean;
  paragraph: string;
  transfers?: Transfer[];
  by?: string;
}

/** A player goes on, or took all bets back. */
export interface OptionTakenSeen {
  event: "option_taken";
  person?: string;
  goes_on?: boolean;
  paragraph?: string;
  transfers?: Transfer[];
  by?: string;
}

/** Each player with bets goes on or takes them back; play waits for the answers. */
export interface OptionsGiven {
  event: "options_given";
  people: string[];
  paragraph: string;
  /** The paragraph of going on. */
  go_on: string;
  /** The paragraph of taking back. */
  take_back: string;
  /** What they are given for, if for something in particular. */
  incident?: number;
  /** What follows if everybody takes back: the round is over, goes on without money, or takes the shoe along. */
  all_back?: "free_hand" | "new_shoe" | "over";
}

/** Each player with bets goes on or takes them back; play waits for the answers. */
export interface OptionsGivenSeen {
  event: "options_given";
  /** The paragraph of going on. */
  go_on: string;
  people?: string[];
  paragraph?: string;
  /** The paragraph of taking back. */
  take_back?: string;
  /** What they are given for, if for something in particular. */
  incident?: number;
  /** What follows if everybody takes back: the round is over, goes on without money, or takes the shoe along. */
  all_back?: "free_hand" | "new_shoe" | "over";
}

/** Who has not said yet whether the bets, or the shoe, go on. */
export interface OptionsSeen {
  about: "bets" | "shoe";
  waiting: string[];
  go_on: string;
  take_back: string;
}

/** Cards left the shoe in another order than they were keyed. */
export interface OrderCorrected {
  event: "order_corrected";
  round: number;
  /** Their numbers, by the order in which they left. */
  cards: number[];
  /** What the cards of these numbers are now, the lowest number first. */
  became: Card[];
  reason: string | About;
}

/** Cards left the shoe in another order than they were keyed. */
export interface OrderCorrectedSeen {
  event: "order_corrected";
  round: number;
  /** Their numbers, by the order in which they left. */
  cards: number[];
  /** What the cards of these numbers are now, the lowest number first. */
  became: Card[];
  reason?: string | About;
}

/** A Pit Manager lets the next round start without the confirmations that are missing. */
export interface OverrideConfirmation {
  do: "override_confirmation";
  reason: string;
}

/** A player's own things. */
export interface Own {
  person: string;
  box: number;
  seated: boolean;
  stack: number;
  on_layout: number;
  wagers: WagerSeen[];
  insurance: InsuranceSeen[];
  offers: OfferSeen[];
  forgone: boolean;
  squeezes: SqueezeSeen[];
  barred: boolean;
  /** Of this round once it is settled, until then of the round before. */
  payments: Payment[];
  /** Of rounds of this shoe that were settled again since. */
  again: Payment[];
  /** To go on or to take back, where it is asked and not answered. */
  option: OwnOption | null;
  /** Commission that is marked and to be paid. */
  marked: number;
}

/** What a player asks of himself. What is stricter holds at once, what is less strict a day later. */
export interface OwnChange {
  /** The most that may be lost in twenty-four hours, by currency; null takes the limit away. */
  losses?: { [key: string]: number | null };
  /** Minutes between two reminders of the time: 0 (none), 15, 30, 60 or 120. */
  reminder?: number | null;
  /** Hours of a break from play, which can only be made longer. */
  away?: number;
}

/** A player's own dispute; what was found out stays with the House until it has decided. */
export interface OwnDispute {
  number: number;
  about: string;
  round: number;
  escalated: boolean;
  time_frame: string;
  decision: string;
  agreed: boolean | null;
  right_told: boolean;
}

/** The signed-in person's password, to set up an authenticator. */
export interface OwnFactor {
  password: string;
}

/** How much somebody may lose in twenty-four hours in one currency. */
export interface OwnLoss {
  currency: string;
  digits: number;
  /** null where only a later limit is known. */
  most: number | null;
  /** So far, with the chips that lie on layouts; below zero where it was won. */
  lost: number;
  /** What it becomes at `later_at`: null is no limit. */
  later?: number | null;
  /** When a limit that is less strict begins to hold; 0 where none waits. */
  later_at?: number;
}

/** What a player is asked: go on, or take the bets back (ask for new cards), each by its paragraph. */
export interface OwnOption {
  about: "bets" | "shoe";
  go_on: string;
  take_back: string;
}

/** One's password, and the one that takes its place. */
export interface OwnPassword {
  old: string;
  new: string;
}

/** What a player has asked of himself. */
export interface OwnSeen {
  /** In each currency with a limit. */
  losses: OwnLoss[];
  /** Minutes between two reminders of the time; 0 for none. */
  reminder: number;
  /** Until when the player plays nowhere; 0 where there is no break. */
  away_until: number;
}

/** A part of a table's stream: the events after a version, in order and without a gap. */
export interface Part {
  table: string;
  after: number;
  /** Where the table stands; there is more to ask for as long as the last event is an earlier one. */
  version: number;
  events: Seen[];
}

/** A player declines what is offered. */
export interface PassInsurance {
  do: "pass_insurance";
  person: string;
}

/** How a round of this shoe counts now; the roads follow it. */
export interface PastRound {
  number: number;
  result?: "banker" | "player" | "tie" | null;
  voided?: boolean;
  free?: boolean;
  again?: boolean;
}

/** A player is paid, or pays where the amount is below zero. */
export interface Pay {
  ruling: "pay";
  person: string;
  amount: number;
  /** The dispute in which it was decided: another person confirms it before it is paid. */
  dispute?: number;
  /** What the disputed round gave the person, as far as it is known: who confirms the rest is to see it. */
  given?: number;
}

/** What a bet pays, and for what where it pays for several things. */
export interface PaySign {
  odds: Odds;
  name?: string;
}

/** What the dealer takes from a person in a box, leaves there and pays; `rest` no chip can show. */
export interface Payment {
  round: number;
  person: string;
  box: number;
  take: number;
  take_chips: Chips[];
  back: number;
  pay: number;
  pay_chips: Chips[];
  rest: number;
  lines: LineSeen[];
  /** Where the round was settled before: what the person gets on top of that, or gives back if below zero. */
  difference?: number | null;
}

/** One player over the day; `result` is the player's own. */
export interface PersonCourse {
  person: string;
  rounds: number;
  handle: number;
  result: number;
  /** What was to be expected of it. */
  expected: number;
  /** Its standard deviation. */
  sd: number;
  /** How likely honest play is as far off, to either side. */
  chance: number;
  /** Whether there is enough play to judge. */
  judged: boolean;
  /** Whether it stands out among all players of the table together. */
  outstanding: boolean;
}

/** Somebody known to the floor, as the pit sees it. */
export interface PersonSeen {
  name: string;
  role: "admin" | "dealer" | "pit" | "player" | "surveillance";
  rank: Authority;
  /** Why nothing new starts for this person. */
  stopped?: string;
  /** Too many failed sign-ins; for a while nobody can sign in under this name. */
  locked?: boolean;
  sessions?: number;
  balances?: Balance[];
}

/** Where the table stands. */
export type Phase = "closed" | "idle" | "betting" | "dealing" | "paying";

/** Ask whether the connection lives; answered with `pong`. */
export interface Ping {
  op: "ping";
  id?: string;
}

/** Put chips on bets: amounts are added to what is there. */
export interface Place {
  do: "place";
  person: string;
  box: number;
  wagers: { [key: string]: number };
}

/** Play was interrupted. `until` is the new end of the betting time, where it starts again. */
export interface PlayInterrupted {
  event: "play_interrupted";
  about: string;
  lost: boolean;
  paragraph: string;
  effect: "bets_again" | "goes_on" | "ruling" | "void";
  until?: number;
}

/** Play was interrupted. `until` is the new end of the betting time, where it starts again. */
export interface PlayInterruptedSeen {
  event: "play_interrupted";
  about?: string;
  lost?: boolean;
  paragraph?: string;
  effect?: "bets_again" | "goes_on" | "ruling" | "void";
  until?: number;
}

/** The round goes on. */
export interface PlayOn {
  ruling: "play_on";
}

/** Everybody took the bets back: the rest of the round is a Free Hand. */
export interface PlayedFree {
  event: "played_free";
  paragraph: string;
}

/** Everybody took the bets back: the rest of the round is a Free Hand. */
export interface PlayedFreeSeen {
  event: "played_free";
  paragraph: string;
}

/** A player sat down, or stands behind a box. */
export interface PlayerJoined {
  event: "player_joined";
  person: string;
  box: number;
  seated: boolean;
  paragraph?: string;
  /** Chips that the House kept for the player. */
  transfers?: Transfer[];
}

/** A player sat down, or stands behind a box. */
export interface PlayerJoinedSeen {
  event: "player_joined";
  box: number;
  seated: boolean;
  person?: string;
  paragraph?: string;
  /** Chips that the House kept for the player. */
  transfers?: Transfer[];
}

/** A player is gone; on a live table the chips go along to the floor. */
export interface PlayerLeft {
  event: "player_left";
  person: string;
  transfers?: Transfer[];
}

/** A player is gone; on a live table the chips go along to the floor. */
export interface PlayerLeftSeen {
  event: "player_left";
  person?: string;
  transfers?: Transfer[];
}

/** A player at a box or behind it, with the chips beside and on the layout. */
export interface PlayerSeen {
  person: string;
  box: number;
  seated: boolean;
  stack: number;
  on_layout: number;
  /** Commission that is marked and to be collected. */
  marked: number;
}

/** A player pledges a seed for the mixing of the shoe: `pledge` is its hash. */
export interface PledgeSeed {
  do: "pledge_seed";
  person: string;
  pledge: string;
}

/** The answer to `ping`, with its id. */
export interface Pong {
  m: "pong";
  id: string;
  now: number;
}

/** Why a request is not granted. `code` is stable: of the table (docs/table.md), or of the floor (FLOOR_CODES). */
export interface Problem {
  code: string;
  message: string;
  paragraph?: string;
  fits?: number | null;
  /** Of a table's refusal: the reason, and the values that its sentence is made of. */
  detail?: string;
  values?: { [key: string]: string | number | (string | number)[] | About };
}

/** A ruling that waits for approval: who proposed it, which rank it takes, and who at the table may approve it. */
export interface ProposalSeen {
  number: number;
  incident: number;
  ruling: AnyRuling;
  by: string;
  needs: string;
  approvers: string[];
  paragraph: string;
  reason: string | About;
}

/** A ruling on an incident (0: on none in particular); it waits for approval unless the dealer may give it. */
export interface Propose {
  do: "propose";
  ruling: AnyRuling;
  incident?: number;
  reason?: string;
}

/** What anybody may see. */
export interface Public {
  sign: Sign;
  phase: Phase;
  /** Milliseconds for bets or for insurance; null where no time runs. */
  time_left: number | null;
  waits: Wait[];
  round: RoundSeen | null;
  last: RoundSeen | null;
  /** Those of this shoe that are over. */
  rounds: PastRound[];
  boxes: BoxSeen[];
  stakes: Stake[];
  room: Room[];
  insurance: InsuranceSign[];
  shoe: ShoeSeen;
  roads: Scoreboard;
}

/** A drawn card was put at a hand. Cards are counted from 1, in the order they left the shoe. */
export interface PutCard {
  do: "put_card";
  number: number;
  hand: Side;
}

/** A player disputes something; it goes to the supervisor first. */
export interface RaiseDispute {
  do: "raise_dispute";
  person: string;
  about: string;
  round?: number;
}

/** The cards go back in the order they left the shoe and are dealt again by the Table of Play. */
export interface Reconstruct {
  ruling: "reconstruct";
}

/** One event of a log: its place in the table's history, and the command that caused it. */
export interface Record {
  version: number;
  at: number;
  actor: string;
  command: string;
  event: AnyEvent;
}

/** The round is dealt again by the Table of Play and settled again. */
export interface Rectify {
  ruling: "rectify";
}

/** A request that was not granted. Nothing has changed. It is worded where it is shown: `puntobanco.words`. */
export interface Refusal {
  code: RefusalCode;
  /** The code, and where it has several reasons which one it is: `box.taken`. */
  detail: string;
  /** What it is about, as codes, names and numbers; amounts are in minor units. */
  values?: { [key: string]: string | number | (string | number)[] | About };
  paragraph?: string;
  /** The amount to ask for that would be granted. */
  fits?: number | null;
}

/** Why a command was refused. */
export type RefusalCode =
  | "unknown_person"
  | "already_there"
  | "not_yours"
  | "rank"
  | "second_person"
  | "unknown_request"
  | "bad_settings"
  | "bad_amount"
  | "reason"
  | "machine_record"
  | "electronic"
  | "stale"
  | "table_closed"
  | "table_open"
  | "box"
  | "nobody_seated"
  | "notice"
  | "bets_on_layout"
  | "players"
  | "funds"
  | "currency"
  | "no_shoe"
  | "shoe_in_use"
  | "seeds"
  | "burn"
  | "cards"
  | "round_open"
  | "no_round"
  | "bets_closed"
  | "bets_open"
  | "unknown_bet"
  | "no_wager"
  | "below_minimum"
  | "above_maximum"
  | "step"
  | "differential"
  | "balance"
  | "confirmations"
  | "not_due"
  | "not_finished"
  | "finished"
  | "flagged"
  | "ruling"
  | "dispute"
  | "no_options"
  | "squeeze"
  | "no_insurance"
  | "insurance_open"
  | "insurance_cap"
  | "forgone";

/** A seated player wants nobody to bet behind the box. */
export interface RefuseBalance {
  do: "refuse_balance";
  person: string;
}

/** The cards are replaced by a new set when the round is over. */
export interface ReplaceShoe {
  ruling: "replace_shoe";
}

/** Something went wrong that the table cannot see by itself. `cards` are counted as they left the shoe. */
export interface Report {
  do: "report";
  what:
    | "cut_card_not_offered"
    | "damaged_card"
    | "dealing_error"
    | "display"
    | "exposed_cards"
    | "face_up"
    | "face_up_in_shoe"
    | "insurance_missed"
    | "other"
    | "shoe_fault"
    | "simultaneous"
    | "simultaneous_in_order"
    | "squeeze_delivery"
    | "squeeze_not_delivered"
    | "wrong_side";
  about: string;
  cards?: number[];
  round?: number;
  /** Of something that the list does not foresee: whether play waits until it is ruled on. */
  holds?: boolean;
  /** Of insurance that was not offered: who was not asked, where others were and kept silent. */
  person?: string;
}

/** The cards are not as they should be: a foreign one, too few or too many, or not shuffled. */
export interface ReportCards {
  do: "report_cards";
  fault: "foreign_card" | "unshuffled" | "wrong_card_set";
  about: string;
}

/** Play was interrupted; `lost` says that cards, bets or a device were lost. */
export interface ReportInterruption {
  do: "report_interruption";
  about: string;
  lost?: boolean;
}

/** A round that is over was not played by the Table of Play: its cards as they really left the shoe. */
export interface ReportRound {
  do: "report_round";
  round: number;
  cards: Card[];
  about: string;
}

/** Chips to the tray (fill) or from it (credit); a second person signs before they move. */
export interface RequestFill {
  do: "request_fill";
  request: string;
  kind: "credit" | "fill";
  chips: { [key: string]: number };
}

/** What was held was found genuine, and goes back, or counterfeit, and is taken out. */
export interface ResolveSuspect {
  do: "resolve_suspect";
  number: number;
  genuine: boolean;
  finding: string;
}

/** What became of a wager. */
export type Result = "won" | "lost" | "returned";

/** The result was announced. */
export interface ResultAnnounced {
  event: "result_announced";
  player_total: number;
  banker_total: number;
  result: "banker" | "player" | "tie";
  paragraph: string;
  /** What the dealer called, where that was something else. */
  called?: string;
}

/** The result was announced. */
export interface ResultAnnouncedSeen {
  event: "result_announced";
  player_total: number;
  banker_total: number;
  result: "banker" | "player" | "tie";
  paragraph: string;
  /** What the dealer called, where that was something else. */
  called?: string;
}

/** The dealer called a result out of turn: before the cards were out, while something waits, or once more. */
export interface ResultCalled {
  event: "result_called";
  result: "banker" | "player" | "tie";
  paragraph: string;
}

/** The dealer called a result out of turn: before the cards were out, while something waits, or once more. */
export interface ResultCalledSeen {
  event: "result_called";
  result?: "banker" | "player" | "tie";
  paragraph?: string;
}

/** Players who had meant to insure and would have won get the Original Bet back. */
export interface ReturnBets {
  ruling: "return_bets";
}

/** The discards go back into the shuffler; the commitment is to the order in which it deals from there on. */
export interface ReturnCards {
  do: "return_cards";
  commitment?: string;
}

/** A cell, counted from 0, and what is drawn there: a result such as `B^`, or `R` or `B`. */
export interface RoadCell {
  row: number;
  column: number;
  mark: string;
  ties?: number;
}

/** How often each result came in this shoe. */
export interface RoadCounts {
  player: number;
  banker: number;
  tie: number;
  player_pair: number;
  banker_pair: number;
  natural: number;
}

/** What the Differential still lets onto each hand, at the table (box 0) or in a box. */
export interface Room {
  box: number;
  player: number;
  banker: number;
}

/** Bets were called for. */
export interface RoundCalled {
  event: "round_called";
  number: number;
  paragraph: string;
  /** When the betting time is over. */
  until: number;
}

/** Bets were called for. */
export interface RoundCalledSeen {
  event: "round_called";
  number: number;
  paragraph: string;
  /** When the betting time is over. */
  until: number;
}

/** The cards are in the discard holder and the next round may be called. */
export interface RoundEnded {
  event: "round_ended";
  number: number;
  discards: number;
}

/** The cards are in the discard holder and the next round may be called. */
export interface RoundEndedSeen {
  event: "round_ended";
  number: number;
  discards?: number;
}

/** A round in the index. Its events are those from `first` to `last`; a round that goes on has no end yet. */
export interface RoundEntry {
  shoe: number;
  round: number;
  first: number;
  last: number;
  at: number;
  result?: string;
  voided?: boolean;
  free?: boolean;
  /** Incidents, rulings and corrections in it. */
  matters?: number;
}

/** The round was played again by its amended record. The transfers are what changed on the layout. */
export interface RoundPlayedAgain {
  event: "round_played_again";
  number: number;
  coup: string;
  transfers: Transfer[];
  paragraph: string;
  /** What went back: insurance over its cap, at no row of the pay table, or of no bet; bets outside the limits. */
  returned?: SettledLine[];
}

/** The round was played again by its amended record. The transfers are what changed on the layout. */
export interface RoundPlayedAgainSeen {
  event: "round_played_again";
  number?: number;
  coup?: string;
  transfers?: Transfer[];
  paragraph?: string;
  /** What went back: insurance over its cap, at no row of the pay table, or of no bet; bets outside the limits. */
  returned?: SettledLine[];
}

/** A round that was settled lacks a card: it is drawn now, and the round settled again. */
export interface RoundReopened {
  event: "round_reopened";
  number: number;
  paragraph: string;
}

/** A round that was settled lacks a card: it is drawn now, and the round settled again. */
export interface RoundReopenedSeen {
  event: "round_reopened";
  number: number;
  paragraph: string;
}

/** The cards and result of a round. Totals count open cards only. */
export interface RoundSeen {
  number: number;
  cards: CardSeen[];
  player_total?: number | null;
  banker_total?: number | null;
  due?: Side | null;
  result?: "banker" | "player" | "tie" | null;
  settled?: boolean;
  voided?: boolean;
  void_paragraph?: string;
  /** Whether it is a Free Hand, played without wagers. */
  free?: boolean;
  /** Whether it was settled, and is played on because a card was missing. */
  reopened?: boolean;
  /** Whether it was settled again, or voided, after it had been settled. */
  again?: boolean;
}

/** Takes and pays, box by box. */
export interface RoundSettled {
  event: "round_settled";
  number: number;
  coup: string;
  lines: SettledLine[];
  transfers: Transfer[];
  /** The paragraph on commission, where some is due. */
  commission?: string;
}

/** Every wager of a settled round as it now stands; the transfers are the difference from what was paid and taken. */
export interface RoundSettledAgain {
  event: "round_settled_again";
  number: number;
  coup: string;
  lines: SettledLine[];
  transfers: Transfer[];
  paragraph: string;
  void?: boolean;
  reason?: string | About;
  /** The paragraph on commission, where some is due. */
  commission?: string;
}

/** Every wager of a settled round as it now stands; the transfers are the difference from what was paid and taken. */
export interface RoundSettledAgainSeen {
  event: "round_settled_again";
  number: number;
  coup: string;
  paragraph: string;
  lines?: SettledLine[];
  transfers?: Transfer[];
  void?: boolean;
  reason?: string | About;
  /** The paragraph on commission, where some is due. */
  commission?: string;
}

/** Takes and pays, box by box. */
export interface RoundSettledSeen {
  event: "round_settled";
  number: number;
  coup: string;
  lines?: SettledLine[];
  transfers?: Transfer[];
  /** The paragraph on commission, where some is due. */
  commission?: string;
}

/** The round has no result; everything on the layout went back. */
export interface RoundVoided {
  event: "round_voided";
  number: number;
  paragraph: string;
  transfers: Transfer[];
  reason?: string | About;
}

/** The round has no result; everything on the layout went back. */
export interface RoundVoidedSeen {
  event: "round_voided";
  number: number;
  paragraph: string;
  transfers?: Transfer[];
  reason?: string | About;
}

/** How a table rounds payouts (reading D): down to the minor unit unless set otherwise. */
export interface Rounding {
  mode?: RoundingMode;
  unit?: number;
}

/** Which way a payout that is not a whole number of units goes. */
export type RoundingMode = "down" | "nearest" | "up";

/** Boxes side by side, from left to right as the player sees them. */
export interface Row {
  boxes: Box[];
  /** Its share of the position's depth. */
  height?: number;
  /** What is printed over the whole row. */
  title?: string;
}

/** A ruling that was proposed is not given. */
export interface RulingDeclined {
  event: "ruling_declined";
  proposal: number;
  by: string;
  reason?: string | About;
}

/** A ruling that was proposed is not given. */
export interface RulingDeclinedSeen {
  event: "ruling_declined";
  proposal?: number;
  by?: string;
  reason?: string | About;
}

/** A ruling takes effect: approved by somebody with the rank, or given where no approval is needed. */
export interface RulingGiven {
  event: "ruling_given";
  incident: number;
  ruling: AnyRuling;
  paragraph: string;
  /** Who proposed it. */
  by: string;
  approved_by?: string;
  proposal?: number;
  reason?: string | About;
}

/** A ruling takes effect: approved by somebody with the rank, or given where no approval is needed. */
export interface RulingGivenSeen {
  event: "ruling_given";
  incident?: number;
  ruling?: AnyRuling;
  paragraph?: string;
  /** Who proposed it. */
  by?: string;
  approved_by?: string;
  proposal?: number;
  reason?: string | About;
}

/** A ruling waits for somebody of that rank or above, other than the person who proposed it. */
export interface RulingProposed {
  event: "ruling_proposed";
  number: number;
  incident: number;
  ruling: AnyRuling;
  by: string;
  needs: string;
  paragraph: string;
  reason?: string | About;
}

/** A ruling waits for somebody of that rank or above, other than the person who proposed it. */
export interface RulingProposedSeen {
  event: "ruling_proposed";
  number?: number;
  incident?: number;
  ruling?: AnyRuling;
  by?: string;
  needs?: string;
  paragraph?: string;
  reason?: string | About;
}

/** A ruling that the book allows on an incident: the lowest rank that may give it, and by which paragraph. */
export interface RulingSeen {
  kind: string;
  rank: string;
  paragraph: string;
  /** Whether a second person of that rank approves it. */
  approval: boolean;
}

/** The five roads. `results` is the shoe in the notation of `docs/roads.md`. */
export interface Scoreboard {
  results: string;
  counts: RoadCounts;
  bead_plate: RoadCell[];
  big_road: RoadCell[];
  leading_ties: number;
  big_eye_boy: RoadCell[];
  small_road: RoadCell[];
  cockroach_pig: RoadCell[];
  if_player: NextWin;
  if_banker: NextWin;
}

/** Where somebody is in play, with the chips beside and on the layout. */
export interface Seat {
  table: string;
  box: number;
  currency: string;
  digits: number;
  chips: number;
}

/** A player pledged a seed. */
export interface SeedPledged {
  event: "seed_pledged";
  person: string;
  pledge: string;
}

/** A player pledged a seed. */
export interface SeedPledgedSeen {
  event: "seed_pledged";
  pledge: string;
  person?: string;
}

/** A player showed the seed that was pledged. */
export interface SeedShown {
  event: "seed_shown";
  person: string;
  seed: string;
}

/** A player showed the seed that was pledged. */
export interface SeedShownSeen {
  event: "seed_shown";
  seed: string;
  person?: string;
}

/** Players may pledge seeds until then, except those who did not keep an earlier pledge. */
export interface SeedsAsked {
  event: "seeds_asked";
  until: number;
  unkept?: string[];
}

/** Players may pledge seeds until then, except those who did not keep an earlier pledge. */
export interface SeedsAskedSeen {
  event: "seeds_asked";
  until: number;
  unkept?: string[];
}

/** Players who have pledged a seed must show it by then; no more are pledged. */
export interface SeedsDue {
  event: "seeds_due";
  until: number;
}

/** Players who have pledged a seed must show it by then; no more are pledged. */
export interface SeedsDueSeen {
  event: "seeds_due";
  until: number;
}

/** Seeds for the mixing of the shoe. */
export interface SeedsSeen {
  /** Whether those that were pledged are shown now; else they are pledged. */
  due: boolean;
  until: number;
  /** In their order: of which the shoe will be mixed, by those who keep them. */
  pledges: string[];
  shown: number;
}

/** An event in the stream of one viewer. Without `event` something happened that is not for this viewer. */
export interface Seen {
  version: number;
  at: number;
  event?: SeenEvent | null;
  /** Who gave the command: for staff, and for the person concerned. */
  actor?: string;
  command?: string;
}

/** Any event as a viewer may see it, distinguished by `event`: what is not for that viewer is left out. */
export type SeenEvent =
  | TableOpenedSeen
  | TableClosedSeen
  | MoneyMovedSeen
  | FillRequestedSeen
  | FillSignedSeen
  | FillCancelledSeen
  | SuspectHeldSeen
  | SuspectResolvedSeen
  | StaffSignedOnSeen
  | StaffSignedOffSeen
  | PlayerJoinedSeen
  | PlayerLeftSeen
  | WalkedAwaySeen
  | CameBackSeen
  | ShoeStartedSeen
  | ShoeCutSeen
  | SeedsAskedSeen
  | SeedPledgedSeen
  | SeedsDueSeen
  | SeedShownSeen
  | ShoeMixedSeen
  | CardsBurntSeen
  | CutCardAppearedSeen
  | ShoeEndedSeen
  | CardsRetrievedSeen
  | CardsReturnedSeen
  | ShoeToBeReplacedSeen
  | ShoeChoiceDueSeen
  | ShoeChoiceGivenSeen
  | ShoeChosenSeen
  | ShoeKeptSeen
  | CardsAtFaultSeen
  | LimitsSetSeen
  | DifferentialSetSeen
  | RoundCalledSeen
  | WagersPlacedSeen
  | WagerReducedSeen
  | BetsClosedSeen
  | BetFoundSeen
  | LateChipsRefusedSeen
  | StakesStandSeen
  | StakeRuledSeen
  | CardsDealtSeen
  | CardDrawnSeen
  | CardPutSeen
  | CardTurnedSeen
  | CardsArrangedSeen
  | CardValuedSeen
  | EarlyCardDrawnSeen
  | CarriedCardsDealtSeen
  | FreeHandCalledSeen
  | PlayedFreeSeen
  | SqueezeAskedSeen
  | SqueezeAnsweredSeen
  | SqueezeBarredSeen
  | InsuranceOfferedSeen
  | InsuredSeen
  | InsurancePassedSeen
  | InsuranceClosedSeen
  | InsuranceMissedSeen
  | IntentionNotedSeen
  | InsuranceMovedSeen
  | InsuranceRereadSeen
  | BetsReturnedSeen
  | InsuranceWaivedSeen
  | ResultAnnouncedSeen
  | ResultCalledSeen
  | RoundSettledSeen
  | RoundVoidedSeen
  | BoxesConfirmedSeen
  | ConfirmationOverriddenSeen
  | RoundEndedSeen
  | RoundReopenedSeen
  | RoundSettledAgainSeen
  | MoneyRuledSeen
  | DebtSettledSeen
  | CommissionCollectedSeen
  | IncidentOpenedSeen
  | IncidentClosedSeen
  | NotedSeen
  | RulingProposedSeen
  | RulingGivenSeen
  | RulingDeclinedSeen
  | OptionsGivenSeen
  | OptionTakenSeen
  | PlayInterruptedSeen
  | FlaggedSeen
  | FlagClearedSeen
  | CardCorrectedSeen
  | HandCorrectedSeen
  | CardStruckSeen
  | CardAddedSeen
  | OrderCorrectedSeen
  | CardsToldSeen
  | BetCorrectedSeen
  | InsuranceCorrectedSeen
  | CallCorrectedSeen
  | ConfirmationCorrectedSeen
  | RoundPlayedAgainSeen
  | DisputeRaisedSeen
  | DisputeNotedSeen
  | DisputeDecidedSeen
  | DisputeAnsweredSeen;

/** Whether books and code are as they were approved, and what is not. */
export interface SelfCheck {
  ok: boolean;
  found?: string[];
}

/** The pit changes the Differential, or lifts it, from the next round on. */
export interface SetDifferential {
  do: "set_differential";
  limit?: number | null;
  scope?: "box" | "table";
}

/** The pit changes the limits of a bet, or of all bets without their own, from the next round on. */
export interface SetLimits {
  do: "set_limits";
  minimum: number;
  maximum?: number | null;
  step?: number;
  bet?: string;
}

/** How much of a bet stands; the rest goes back. */
export interface SetStake {
  ruling: "stake";
  person: string;
  box: number;
  bet: string;
  stands: number;
}

/** Take and pay. */
export interface Settle {
  do: "settle";
}

/** What became of one wager. `profit` excludes the stake. */
export interface SettledLine {
  person: string;
  box: number;
  bet: string;
  stake: number;
  result: Result;
  profit: number;
  paragraph: string;
  insurance?: boolean;
  /** Kept of even money where it is taken at once; where it is marked, what the person owes beside the line. */
  commission?: number;
}

/** How the positions lie before the dealer: round a half-moon, round a long bean, or in a straight row. */
export type Shape = "arc" | "bean" | "row";

/** An exact fraction, and the same as a decimal to look at. */
export interface Share {
  exact: string;
  decimal: number;
}

/** When the gaming day begins, in minutes after midnight UTC, and its shifts. */
export interface Shifts {
  day_begins?: number;
  /** Shifts of equal length, in order. */
  names?: string[];
}

/** When the round is over, the players choose whether the shoe goes on. */
export interface ShoeChoiceDue {
  event: "shoe_choice_due";
  paragraph: string;
}

/** When the round is over, the players choose whether the shoe goes on. */
export interface ShoeChoiceDueSeen {
  event: "shoe_choice_due";
  paragraph?: string;
}

/** Each player says whether the cards are to be replaced. */
export interface ShoeChoiceGiven {
  event: "shoe_choice_given";
  people: string[];
  paragraph: string;
}

/** Each player says whether the cards are to be replaced. */
export interface ShoeChoiceGivenSeen {
  event: "shoe_choice_given";
  paragraph: string;
  people?: string[];
}

/** A player goes on with the shoe, or asks to have the cards replaced. */
export interface ShoeChosen {
  event: "shoe_chosen";
  person: string;
  goes_on: boolean;
  paragraph: string;
}

/** A player goes on with the shoe, or asks to have the cards replaced. */
export interface ShoeChosenSeen {
  event: "shoe_chosen";
  person?: string;
  goes_on?: boolean;
  paragraph?: string;
}

/** Somebody cut the cards. */
export interface ShoeCut {
  event: "shoe_cut";
  person: string;
  position: number;
  paragraph?: string;
}

/** Somebody cut the cards. */
export interface ShoeCutSeen {
  event: "shoe_cut";
  person?: string;
  position?: number;
  paragraph?: string;
}

/** The shoe went out of use. */
export interface ShoeEnded {
  event: "shoe_ended";
  number: number;
  drawn: number;
  discards: number;
  reason?: string | About;
}

/** The shoe went out of use. */
export interface ShoeEndedSeen {
  event: "shoe_ended";
  number: number;
  drawn: number;
  discards?: number;
  reason?: string | About;
}

/** The shoe goes on. */
export interface ShoeKept {
  event: "shoe_kept";
  paragraph: string;
}

/** The shoe goes on. */
export interface ShoeKeptSeen {
  event: "shoe_kept";
  paragraph: string;
}

/** The shoe is mixed by these seeds, in the order of their pledges; there may be none. */
export interface ShoeMixed {
  event: "shoe_mixed";
  seeds: string[];
  /** Who pledged a seed and did not show it. */
  withheld?: string[];
}

/** The shoe is mixed by these seeds, in the order of their pledges; there may be none. */
export interface ShoeMixedSeen {
  event: "shoe_mixed";
  seeds: string[];
  /** Who pledged a seed and did not show it. */
  withheld?: string[];
}

/** The shoe in use: how far it is, nothing of its order. */
export interface ShoeSeen {
  number: number;
  size: number;
  left: number;
  burnt: number;
  rounds: number;
  cut_card_seen: boolean;
  last_round: boolean;
  ended: boolean;
  /** Whether the cards are replaced when the round is over. */
  to_replace: boolean;
  /** What is asked of players before the shoe is mixed; null where nothing is. */
  seeds: SeedsSeen | null;
  /** What an electronic shoe published about its order before the first card; empty for cards dealt by hand. */
  commitment: string;
}

/** A shuffled shoe came into play, or a set of cards into the shuffler that deals. */
export interface ShoeStarted {
  event: "shoe_started";
  number: number;
  cards: number;
  evidence: string;
  commitment?: string;
  shuffler?: boolean;
}

/** A shuffled shoe came into play, or a set of cards into the shuffler that deals. */
export interface ShoeStartedSeen {
  event: "shoe_started";
  number: number;
  cards: number;
  evidence?: string;
  commitment?: string;
  shuffler?: boolean;
}

/** The house edge of every bet after a round of the shoe; round 0 is the full shoe. */
export interface ShoeStep {
  round: number;
  edges: { [key: string]: number };
}

/** The cards are replaced when the round is over. */
export interface ShoeToBeReplaced {
  event: "shoe_to_be_replaced";
  paragraph: string;
  reason?: string | About;
}

/** The cards are replaced when the round is over. */
export interface ShoeToBeReplacedSeen {
  event: "shoe_to_be_replaced";
  paragraph: string;
  reason?: string | About;
}

/** A player shows the seed that was pledged. */
export interface ShowSeed {
  do: "show_seed";
  person: string;
  seed: string;
}

/** One of the two hands of a coup. */
export type Side = "player" | "banker";

/** What stands at the table all day. */
export interface Sign {
  table: string;
  game: string;
  title: string;
  book_hash: string;
  layout: string;
  positions: number;
  decks: number;
  currency: string;
  digits: number;
  chips: number[];
  bets: BetSign[];
  /** How the layout is drawn. Its first `positions` numbers are in use. */
  geometry: Geometry;
  differential?: number | null;
  differential_scope?: "box" | "table";
  insurance?: boolean;
  insurance_pays?: InsurancePaySign[];
  /** Whether the next round has other limits or another Differential. */
  limits_change?: boolean;
  notice?: string;
  notice_paragraph?: string;
  face_down?: boolean;
  electronic?: boolean;
  maximum_per?: "box" | "person";
  /** Whether a shuffler deals, into which discards go back. */
  shuffler?: boolean;
}

/** The second signature of a fill or credit; then the chips move. */
export interface SignFill {
  do: "sign_fill";
  request: string;
}

/** A name and its password; of those who have a second factor, its code of now. */
export interface SignIn {
  name: string;
  password: string;
  code?: string;
}

/** Staff leaves the table. */
export interface SignOff {
  do: "sign_off";
  person: string;
}

/** Staff comes to the table with a rank. */
export interface SignOn {
  do: "sign_on";
  person: string;
  /** The code of a rank of the table's book. */
  rank: string;
}

/** Who is signed in. `csrf` goes into the header `X-CSRF-Token` of every request that changes something. */
export interface SignedIn {
  person: string;
  role: "admin" | "dealer" | "pit" | "player" | "surveillance";
  rank: Authority;
  csrf: string;
  /** For clients without cookies: `Authorization: Bearer …`. Told once, at the sign-in. */
  token?: string;
}

/** An entry of the floor's own log: who did what, with the value before and after. */
export interface Significant {
  version: number;
  at: number;
  actor: string;
  what: string;
  about: string;
  before: string;
  after: string;
  why: string;
}

/** A granted early squeeze waives the insurance window after Player's third card for everybody. */
export interface SqueezeAnswered {
  event: "squeeze_answered";
  person: string;
  hand: Side;
  granted: boolean;
  paragraph: string;
  early?: "" | "expose" | "squeeze";
}

/** A granted early squeeze waives the insurance window after Player's third card for everybody. */
export interface SqueezeAnsweredSeen {
  event: "squeeze_answered";
  person?: string;
  hand?: Side;
  granted?: boolean;
  paragraph?: string;
  early?: "" | "expose" | "squeeze";
}

/** Somebody asked to squeeze. */
export interface SqueezeAsked {
  event: "squeeze_asked";
  person: string;
  hand: Side;
  paragraph: string;
  early?: "" | "expose" | "squeeze";
}

/** Somebody asked to squeeze. */
export interface SqueezeAskedSeen {
  event: "squeeze_asked";
  person?: string;
  hand?: Side;
  paragraph?: string;
  early?: "" | "expose" | "squeeze";
}

/** Somebody may not squeeze in this round. */
export interface SqueezeBarred {
  event: "squeeze_barred";
  person: string;
  paragraph: string;
  reason?: string;
}

/** Somebody may not squeeze in this round. */
export interface SqueezeBarredSeen {
  event: "squeeze_barred";
  person?: string;
  paragraph?: string;
  reason?: string;
}

/** A squeeze asked for; `granted` is null as long as nobody has answered. */
export interface SqueezeSeen {
  person: string;
  hand: Side;
  early: string;
  granted: boolean | null;
}

/** Staff at the table. */
export interface StaffSeen {
  person: string;
  rank: string;
}

/** Staff left the table. */
export interface StaffSignedOff {
  event: "staff_signed_off";
  person: string;
}

/** Staff left the table. */
export interface StaffSignedOffSeen {
  event: "staff_signed_off";
  person?: string;
}

/** Staff came to the table, or changed rank. */
export interface StaffSignedOn {
  event: "staff_signed_on";
  person: string;
  rank: string;
}

/** Staff came to the table, or changed rank. */
export interface StaffSignedOnSeen {
  event: "staff_signed_on";
  person?: string;
  rank?: string;
}

/** All chips on a bet in a box, whosever they are; insurance is bet `player_insurance` and so on. */
export interface Stake {
  box: number;
  bet: string;
  amount: number;
}

/** What does not stand of a wager, and why. */
export interface StakeCut {
  person: string;
  box: number;
  bet: string;
  amount: number;
  why: "above_maximum" | "below_minimum" | "pro_rata";
  paragraph: string;
}

/** Somebody with the rank for it ruled how much of a bet stands. */
export interface StakeRuled {
  event: "stake_ruled";
  person: string;
  box: number;
  bet: string;
  stands: number;
  transfers: Transfer[];
  paragraph: string;
  reason: string | About;
}

/** Somebody with the rank for it ruled how much of a bet stands. */
export interface StakeRuledSeen {
  event: "stake_ruled";
  person?: string;
  box?: number;
  bet?: string;
  stands?: number;
  transfers?: Transfer[];
  paragraph?: string;
  reason?: string | About;
}

/** What stands of bets that were not noticed in time; the rest went back before the settlement. */
export interface StakesStand {
  event: "stakes_stand";
  cuts: StakeCut[];
  transfers: Transfer[];
  paragraph: string;
  /** The paragraph by which bets under the minimum stand in full beside those that are shared out. */
  in_full?: string;
}

/** What stands of bets that were not noticed in time; the rest went back before the settlement. */
export interface StakesStandSeen {
  event: "stakes_stand";
  cuts?: StakeCut[];
  transfers?: Transfer[];
  paragraph?: string;
  /** The paragraph by which bets under the minimum stand in full beside those that are shared out. */
  in_full?: string;
}

/** A step that a table may take by itself (the rest is somebody's command). */
export type Step = "call" | "deal" | "offer" | "announce" | "settle" | "confirm" | "squeeze";

/** Stop one person, one table, one game or everything: what is in progress concludes, nothing new starts. */
export interface Stop {
  kind: "everything" | "game" | "person" | "table";
  name?: string;
  why?: string;
}

/** A stop that is in force. */
export interface StopSeen {
  kind: "everything" | "game" | "person" | "table";
  name: string;
  why: string;
  by: string;
  at: number;
}

/** A card was keyed that never left the shoe. */
export interface StrikeCard {
  ruling: "strike_card";
  number: number;
  round?: number;
}

/** An amount and whose it is. */
export interface Sum {
  person: string;
  amount: number;
}

/** Chips or cash that may be counterfeit are held apart, and in no count. */
export interface SuspectHeld {
  event: "suspect_held";
  number: number;
  what: "cash" | "chips";
  amount: number;
  about: string;
  by: string;
  transfers: Transfer[];
  paragraph: string;
  person?: string;
}

/** Chips or cash that may be counterfeit are held apart, and in no count. */
export interface SuspectHeldSeen {
  event: "suspect_held";
  number?: number;
  what?: "cash" | "chips";
  amount?: number;
  about?: string;
  by?: string;
  transfers?: Transfer[];
  paragraph?: string;
  person?: string;
}

/** They are genuine and went back, or counterfeit and were taken out. */
export interface SuspectResolved {
  event: "suspect_resolved";
  number: number;
  what: "cash" | "chips";
  genuine: boolean;
  amount: number;
  finding: string;
  by: string;
  transfers: Transfer[];
  paragraph: string;
  person?: string;
}

/** They are genuine and went back, or counterfeit and were taken out. */
export interface SuspectResolvedSeen {
  event: "suspect_resolved";
  number?: number;
  what?: "cash" | "chips";
  genuine?: boolean;
  amount?: number;
  finding?: string;
  by?: string;
  transfers?: Transfer[];
  paragraph?: string;
  person?: string;
}

/** Chips or cash that may be counterfeit; nobody's name where they were the House's. */
export interface SuspectSeen {
  number: number;
  what: "cash" | "chips";
  amount: number;
  about: string;
  by: string;
  person: string;
}

/** The day's result: result = closing + credits + drop − opening − fills; `difference` is count less ledger. */
export interface TableClosed {
  event: "table_closed";
  count: { [key: string]: number };
  opening: number;
  closing: number;
  fills: number;
  credits: number;
  drop: number;
  result: number;
  difference: number;
}

/** The day's result: result = closing + credits + drop − opening − fills; `difference` is count less ledger. */
export interface TableClosedSeen {
  event: "table_closed";
  count?: { [key: string]: number };
  opening?: number;
  closing?: number;
  fills?: number;
  credits?: number;
  drop?: number;
  result?: number;
  difference?: number;
}

/** How a table does in the gaming day that goes on: for the pit, at a glance. */
export interface TableFigures {
  table: string;
  rounds: number;
  voids: number;
  /** Rounds an hour, over the last hour at most. */
  pace: number;
  handle: number;
  drop: number;
  win: number;
  /** What the bets that were settled should have brought, rounded to a minor unit. */
  theoretical: number;
  low: number;
  /** The band in which the House's win lies in 99 of 100 such days. */
  high: number;
  /** Whether there are rounds enough to judge the win by that band. */
  judged: boolean;
  late_chips: number;
  corrections: number;
  incidents: number;
}

/** The odds of a table's next round, by all cards of the shoe that were seen. */
export interface TableOdds {
  table: string;
  /** The event up to which cards were seen. */
  version: number;
  shoe: number;
  left: number;
  /** Cards out of the shoe that nobody saw: they may be any of those that are not known. */
  unseen: number;
  odds: GameOdds;
  course: ShoeStep[];
}

/** The table opened; its settings are fixed from here on, and which engine decides. */
export interface TableOpened {
  event: "table_opened";
  settings: TableSettings;
  opening_float: { [key: string]: number };
  transfers: Transfer[];
  engine: string;
}

/** The table opened; its settings are fixed from here on, and which engine decides. */
export interface TableOpenedSeen {
  event: "table_opened";
  settings?: TableSettings;
  opening_float?: { [key: string]: number };
  transfers?: Transfer[];
  engine?: string;
}

/** Everything that is fixed when a table opens. */
export interface TableSettings {
  table: string;
  game: string;
  layout: string;
  positions: number;
  decks: number;
  limits?: BetLimits;
  bet_limits?: { [key: string]: BetLimits };
  differential?: Differential | null;
  chips?: number[];
  /** The book's by default. */
  currency?: string;
  /** Digits after the point; by default as many as the currency has. */
  digits?: number;
  rounding?: Rounding;
  automated?: Step[];
  face_down?: boolean;
  high_limit?: boolean;
  no_insurance?: boolean;
  burn?: "first_card" | "none" | number;
  /** Whether a shuffler deals: discards go back into it, and it has neither Cut Card nor burn. */
  shuffler?: boolean;
  cut_card?: number;
  rounds_after_cut?: number;
  countdown?: number;
  insurance_countdown?: number;
  forgo?: "round" | "window";
  squeeze_rights?: "one" | "per_hand";
  /** How many players must ask before a shoe whose burn was forgotten is replaced (reading O). */
  unburnt_shoe?: "all" | "any" | "majority";
  /** Whether players' seeds mix a committed shoe: asked for a while, or waited for. */
  seeds?: "asked" | "none" | "required";
  /** Seconds to pledge a seed, and again to show it. */
  seed_countdown?: number;
  /** Whether a committed shoe waits for a cut. */
  cut?: "asked" | "required";
  shifts?: Shifts;
  book_hash?: string;
  /** A private table, where a player may ask to be offered no insurance (tiger-buffalo 4.2.2). */
  private?: boolean;
  /** Whose maximum it is: each person's on a bet, or that of all who bet in a box, who take up its balance (3.6). */
  maximum_per?: "box" | "person";
}

/** A player goes on with the round, or takes all bets back; staff may record it. */
export interface TakeOption {
  do: "take_option";
  person: string;
  goes_on: boolean;
}

/** A player tips. */
export interface Tip {
  do: "tip";
  person: string;
  amount: number;
}

/** Money from one named account to another; what leaves the one reaches the other, so sums are always zero. Written as an array: source, target, amount. */
export type Transfer = [string, string, number];

/** A card was turned; the identity is keyed unless the scanner knows it. */
export interface Turn {
  do: "turn";
  number: number;
  card?: Card | null;
}

/** Follow a table no longer. */
export interface Unwatch {
  op: "unwatch";
  table: string;
}

/** What a damaged, lost or doubtful card is. */
export interface ValueCard {
  ruling: "value";
  number: number;
  card: Card;
}

/** What verification of a table's log found. */
export interface Verified {
  table: string;
  ok: boolean;
  events: number;
  rounds: number;
  checkpoints: number;
  shoes: number;
  unsigned: number;
  fingerprint: string;
  problem?: string;
  at_event?: number;
}

/** A table as one viewer sees it. `viewer.kind` is what was granted, perhaps less than was asked for. */
export interface View {
  version: number;
  now: number;
  viewer: Viewer;
  public: Public;
  own: Own | null;
  claims: Claims | null;
  felt: Felt | null;
  matters: Matters | null;
  books: Books | null;
  flags: Flag[];
  next_step: NextStep | null;
  actions: Action[];
}

/** The table as it is now for this viewer: the first of a watch. After it comes what changes (`Changed`). */
export interface ViewIs {
  m: "view";
  table: string;
  view: View;
}

/** Who looks. The caller vouches for the person; nobody at the table sees beyond the rank held there. */
export interface Viewer {
  kind: "dealer" | "display" | "pit" | "player" | "surveillance";
  person?: string;
}

/** The round has no result and every bet goes back. */
export interface VoidRound {
  ruling: "void";
}

/** Chips came back before the cards: withdrawn, yielded to a seated player, or rejected as excess. */
export interface WagerReduced {
  event: "wager_reduced";
  person: string;
  box: number;
  bet: string;
  amount: number;
  why: "above_maximum" | "below_minimum" | "rejected" | "withdrawn" | "yielded";
  transfers: Transfer[];
  paragraph?: string;
  by?: string;
}

/** Chips came back before the cards: withdrawn, yielded to a seated player, or rejected as excess. */
export interface WagerReducedSeen {
  event: "wager_reduced";
  box: number;
  bet: string;
  amount: number;
  person?: string;
  why?: "above_maximum" | "below_minimum" | "rejected" | "withdrawn" | "yielded";
  transfers?: Transfer[];
  paragraph?: string;
  by?: string;
}

/** Chips on a bet, and whose they are. */
export interface WagerSeen {
  person: string;
  box: number;
  bet: string;
  stake: number;
  seated: boolean;
}

/** Chips went on the layout; `by` is staff who put them down for the player. */
export interface WagersPlaced {
  event: "wagers_placed";
  person: string;
  box: number;
  wagers: { [key: string]: number };
  transfers: Transfer[];
  by?: string;
  paragraph?: string;
}

/** Chips went on the layout; `by` is staff who put them down for the player. */
export interface WagersPlacedSeen {
  event: "wagers_placed";
  box: number;
  wagers: { [key: string]: number };
  person?: string;
  transfers?: Transfer[];
  by?: string;
  paragraph?: string;
}

/** Why play waits: for a ruling on something that went wrong, or for players' answers about bets or shoe. */
export interface Wait {
  what: "options" | "ruling" | "shoe";
  paragraph: string;
  /** What went wrong. */
  family?: string;
}

/** The House allows what a player of a private table asks for: that no insurance is offered, or that it is again. */
export interface WaiveInsurance {
  do: "waive_insurance";
  person: string;
  offered?: boolean;
}

/** A player with bets on the layout walks away. */
export interface WalkAway {
  do: "walk_away";
  person: string;
}

/** A player is gone, the bets stay and are settled. */
export interface WalkedAway {
  event: "walked_away";
  person: string;
  paragraph: string;
}

/** A player is gone, the bets stay and are settled. */
export interface WalkedAwaySeen {
  event: "walked_away";
  person?: string;
  paragraph?: string;
}

/** Follow a table: events after a version (by default from now on), and views whenever something has changed. */
export interface Watch {
  op: "watch";
  table: string;
  after?: number | null;
  views?: boolean;
  /** See it as the display does, whatever one's role. */
  public?: boolean;
  /** Every view whole, for clients that put no differences together. */
  whole?: boolean;
}

/** The reason for something, for the log. */
export interface Why {
  why: string;
}

/** When insurance is offered. */
export type Window = "four_cards" | "player_third";

/** Take chips back: that amount, or the whole wager. */
export interface Withdraw {
  do: "withdraw";
  person: string;
  box: number;
  bet: string;
  amount?: number | null;
}

/** The House writes off what a player owes. */
export interface WriteOff {
  ruling: "write_off";
}

/** What the floor refuses, by code. */
export type FloorCode =
  | "bad_request"
  | "sign_in"
  | "second_factor"
  | "pin"
  | "locked"
  | "csrf"
  | "origin"
  | "role"
  | "not_found"
  | "method"
  | "exists"
  | "stopped"
  | "own_loss"
  | "own_break"
  | "too_large"
  | "too_many"
  | "unavailable"
  | "failed";

/** What can go wrong at a table, by family. */
export type Family =
  | "wrong_number"
  | "excess_cards"
  | "third_to_player"
  | "third_to_banker"
  | "exposed_cards"
  | "wrong_side"
  | "squeeze_delivery"
  | "simultaneous_in_order"
  | "dealing_error"
  | "simultaneous"
  | "face_up"
  | "face_up_in_shoe"
  | "squeeze_not_delivered"
  | "cut_card_not_offered"
  | "shoe_fault"
  | "interruption"
  | "cards_at_fault"
  | "card_mismatch"
  | "damaged_card"
  | "burn_forgotten"
  | "wrong_burn"
  | "above_maximum"
  | "late_withdrawal"
  | "insurance_missed"
  | "wrong_round"
  | "late_discovery"
  | "rectified_late"
  | "debt"
  | "other";
