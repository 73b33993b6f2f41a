"""Every line a history may hold: keyword, values, what it means and an example. Reading, writing, help and the
reference in ``docs/history-format.md`` all come from these tables; a new command needs one entry here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import msgspec

from puntobanco import bets
from puntobanco.rules.model import Window
from puntobanco.script import lines as x
from puntobanco.script import notation as n
from puntobanco.script.notation import Kind
from puntobanco.script.text import Reader, Unreadable, Word, nearest, quote
from puntobanco.table import commands as c
from puntobanco.table import rulings as r
from puntobanco.table.cases.proposals import NEEDS_REASON
from puntobanco.table.cases.remedies import AT_DISCRETION
from puntobanco.table.cases.remedies import RULINGS as RULINGS_ON
from puntobanco.table.disputes.procedure import STEPS as STEPS_OF_DISPUTES
from puntobanco.table.events import AnyEvent
from puntobanco.table.refusals import CODES
from puntobanco.table.settings import AS_COUNTED, ELECTRONIC, LIVE, Step, TableSettings, in_order
from puntobanco.table.state import Phase
from puntobanco.words import reasons

Kinds = dict[str, Kind[Any]]
"""Field → how its value is written."""


@dataclass(frozen=True, eq=False)
class Form:
    """A keyword and the values that follow it, in order, each a field of what the line says."""

    keyword: str
    make: Callable[..., Any]
    values: Kinds
    about: str
    example: str
    fixed: dict[str, Any] = field(default_factory=dict)
    """Fields that the keyword itself says."""

    @property
    def usage(self) -> str:
        return " ".join(filter(None, (self.keyword, *(kind.usage for kind in self.values.values()))))

    def read(self, reader: Reader) -> Any:
        found = {name: kind.read(reader) for name, kind in self.values.items()}
        if reader.next is not None:
            raise Unreadable(f"{reader.next} cannot be read there")
        return self._build(self.fixed | found)

    def write(self, item: object, digits: int) -> str | None:
        """The line for something, or None where this form is not made for it."""
        fields = self._fields(item)
        if fields is None or any(fields[name] != value for name, value in self.fixed.items()):
            return None
        written = [text for name, kind in self.values.items() if (text := kind.write(fields[name], digits))]
        if written and self._misread(written[0]):
            written[0] = quote(written[0])
        return " ".join((self.keyword, *written))

    def _misread(self, first: str) -> bool:
        """Whether a name would make the keyword another one: somebody called card who cuts."""
        longer = f"{self.keyword} {Word(first).key}"
        return any(keyword == longer or keyword.startswith(f"{longer} ") for keyword in FORMS)

    def _build(self, fields: dict[str, Any]) -> Any:
        return self.make(**fields)

    def _fields(self, item: object) -> dict[str, Any] | None:
        if type(item) is not self.make:
            return None
        return {name: getattr(item, name) for name in (*self.fixed, *self.values)}


EVENT_TAGS: tuple[str, ...] = tuple(str(kind.__struct_config__.tag) for kind in get_args(AnyEvent))


class SettingForm(Form):
    """A line of settings, which gives one field or several that belong together."""

    @property
    def gives(self) -> frozenset[str]:
        return frozenset((*self.fixed, *self.values))

    def _build(self, fields: dict[str, Any]) -> x.Setting:
        return x.Setting(fields)

    def _fields(self, item: object) -> dict[str, Any] | None:
        return item.fields if isinstance(item, x.Setting) and item.fields.keys() == self.gives else None


class RulingForm(Form):
    """A ruling that is proposed: on which incident, its own values, and the reason."""

    def _build(self, fields: dict[str, Any]) -> c.Propose:
        incident, reason = fields.pop("incident"), fields.pop("reason")
        return c.Propose(self.make(**fields), incident, reason)

    def _fields(self, item: object) -> dict[str, Any] | None:
        if not isinstance(item, c.Propose) or type(item.ruling) is not self.make:
            return None
        return msgspec.structs.asdict(item.ruling) | {"incident": item.incident, "reason": item.reason}


def _setting(keyword: str, values: Kinds, about: str, example: str, **fixed: Any) -> SettingForm:
    return SettingForm(keyword, x.Setting, values, about, example, fixed)


_WHY: Kinds = {"reason": n.TEXT}
_MAYBE_WHY: Kinds = {"reason": n.optional(n.TEXT, "")}
_ON: Kinds = {"incident": n.after("on", n.number("INCIDENT"))}
_MAYBE_ON: Kinds = {"incident": n.optional(n.after("on", n.number("INCIDENT")), 0)}
_NEVER_ON: Kinds = {"incident": replace(_MAYBE_ON["incident"], usage="")}
"""On an incident, on one or on none, and on none that makes sense: that can be written, but is refused."""
_ON_INCIDENTS = {r.GiveOptions, r.Dismiss, *(kind for kinds in RULINGS_ON.values() for kind in kinds)}


def _ruling(keyword: str, make: type[r.Ruling], values: Kinds, about: str, example: str) -> RulingForm:
    on = _NEVER_ON if make not in _ON_INCIDENTS else _MAYBE_ON if make in AT_DISCRETION else _ON
    why = _WHY if issubclass(make, NEEDS_REASON) else _MAYBE_WHY
    return RulingForm(keyword, make, on | values | why, about, example)


# fmt: off
_PERSON: Kinds = {"person": n.name("PERSON")}
_AMOUNT: Kinds = {"amount": n.amount("AMOUNT")}
_MAYBE_AMOUNT: Kinds = {"amount": n.optional(n.amount("AMOUNT"))}
_SEAT: Kinds = _PERSON | {"box": n.number("BOX"), "accepts_no_insurance": n.flag("accepts no insurance")}
_ON_BET: Kinds = _PERSON | {"box": n.OWN_BOX, "bet": n.BET}
_HAND: Kinds = {"hand": n.HAND}
_NUMBER: Kinds = {"number": n.number("NUMBER")}
_REQUEST: Kinds = {"request": n.name("REQUEST")}
_CHIPS: Kinds = {"chips": n.CHIPS}
_ABOUT: Kinds = {"about": n.TEXT}
_RANK: Kinds = {"rank": n.RANK}
_SOURCE: Kinds = {"source": n.optional(n.choice({"cash": "cash", "account": "account"}), "cash")}
_COMMITMENT: Kinds = {"commitment": n.optional(n.after("commitment", n.HASH), "")}
_CALLED: Kinds = {"result": n.choice({"player": "player", "banker": "banker", "tie": "tie"})}
_WINDOW: Kinds = {"window": n.optional(n.after("window", n.choice({each.value: each for each in Window}, "WINDOW")))}
_NOT_ASKED: Kinds = {"person": n.optional(n.after("of", n.name("PERSON")), "")}
_SUSPECT: Kinds = {"number": n.number("NUMBER"), "finding": n.TEXT}
_IN_ROUND: Kinds = {"round": n.optional(n.after("in round", n.number("ROUND")), 0)}
_WHATS: dict[str, str] = {what.replace("_", " "): what for what in get_args(c.Incidental)}
_WHAT: Kinds = {"what": n.choice(_WHATS, "WHAT")}
_CARD_AT: Kinds = {"card": n.CARD, "hand": n.HAND, "after": n.after("after", n.number("NUMBER"))}
_NUMBERS: Kinds = {"cards": n.some(n.number("NUMBER"))}
_TRUE_CARDS: Kinds = {"round": n.number("ROUND"), "cards": n.CARDS_BEFORE_TEXT}
_DISPUTE: Kinds = {"dispute": n.number("DISPUTE")}
_ANSWERED: Kinds = {"dispute": n.after("dispute", n.number("DISPUTE"))}
_DISPUTED: dict[str, str] = {step.replace("_", " "): step for step in STEPS_OF_DISPUTES}
_GROUNDS: Kinds = {"grounds": n.some(n.choice({ground: ground for ground in c.GROUNDS}, "GROUND"))}
_PROPOSAL: Kinds = {"proposal": n.number("RULING")}
_LIMITS: Kinds = {
    "minimum": n.amount("MINIMUM"),
    "maximum": n.optional(n.after("to", n.amount("MAXIMUM"))),
    "step": n.optional(n.after("step", n.amount("STEP")), 1),
}
_DIFFERENTIAL: Kinds = {
    "limit": n.amount("AMOUNT"),
    "scope": n.optional(n.choice({"table": "table", "box": "box"}), "table"),
}
_STEP = n.choice({step.value: step for step in Step}, "STEP")
_STEPS: Kinds = {"automated": n.several(_STEP, in_order)}

SETTINGS: tuple[SettingForm, ...] = (
    _setting("table", {"table": n.name("NAME")},
             "The table's name; `t1` by default.", "table tb-1"),
    _setting("game", {"game": n.GAME},
             "Which game is played: an id that `puntobanco games` lists.", "game tiger-buffalo"),
    _setting("book", {"book_hash": n.HASH},
             "The hash of the rule book; any other book is refused.", "book 3f0a9c"),
    _setting("layout", {"layout": n.LAYOUT},
             "The layout; by default the book's first.", "layout A"),
    _setting("positions", {"positions": n.number("COUNT")},
             "How many boxes; by default as many as the layout allows.", "positions 6"),
    _setting("decks", {"decks": n.number("COUNT")},
             "Decks in a shoe; by default the book's usual number.", "decks 8"),
    _setting("currency", {"currency": n.CURRENCY, "digits": n.optional(n.DIGITS, AS_COUNTED)},
             "The currency; by default the book's. Digits after the point may follow, where they are unusual.",
             "currency JPY 0"),
    _setting("chips", {"chips": n.several(n.amount("VALUE"), tuple)},
             "The values of the table's chips, the largest first.", "chips 1000 500 100 25 5 1"),
    _setting("limits", {"limits": n.LIMITS},
             "Minimum, maximum and step of every bet.", "limits 25 to 5000 step 5"),
    _setting("limits on", {"bet_limits": n.BET_LIMITS},
             "The limits of one bet, where it has its own.", "limits on tie 5 to 500 step 5"),
    _setting("differential", {"differential": n.DIFFERENTIAL},
             "The most that Banker and Player bets may differ, over the table or in each box.",
             "differential 10000 box"),
    _setting("rounding", {"rounding": n.ROUNDING},
             "How a payout that is not a whole number of units is rounded; by default down to the smallest unit. "
             "Minimum and step of all limits are whole multiples of the unit, which is also the default step.",
             "rounding nearest to 0.50"),
    _setting("live", {},
             "A dealer deals; the table offers insurance and settles by itself. This is the default.", "live",
             automated=LIVE),
    _setting("electronic", {},
             "The table does everything by itself except call for bets.", "electronic", automated=ELECTRONIC),
    _setting("automated", _STEPS,
             f"What the table does by itself, of {', '.join(f'`{step.value}`' for step in Step)}.",
             "automated deal announce settle"),
    _setting("face down", {},
             "Cards are dealt face down.", "face down", face_down=True),
    _setting("high limit", {},
             "The table stands in a high-limit area.", "high limit", high_limit=True),
    _setting("no insurance", {},
             "No insurance is offered: a private table.", "no insurance", no_insurance=True),
    _setting("private", {},
             "A private table, where a player may ask for no insurance.", "private", private=True),
    _setting("burn rule", {"burn": n.BURN},
             "How many cards are burnt: by the first card's value, a fixed number, or none.",
             "burn rule first card"),
    _setting("shuffler", {},
             "A shuffler deals: discards go back into it, and there is neither Cut Card nor burn.", "shuffler",
             shuffler=True),
    _setting("cut card at", {"cut_card": n.number("COUNT")},
             "How many cards lie behind the Cut Card.", "cut card at 20"),
    _setting("rounds after cut", {"rounds_after_cut": n.number("COUNT")},
             "Rounds that may follow the one in which the Cut Card appears: 0 or 1.", "rounds after cut 1"),
    _setting("countdown", {"countdown": n.number("SECONDS")},
             "The time for bets.", "countdown 25"),
    _setting("insurance countdown", {"insurance_countdown": n.number("SECONDS")},
             "The time for insurance.", "insurance countdown 15"),
    _setting("forgo", {"forgo": n.choice({"round": "round", "window": "window"})},
             "For how long a player who lets insurance pass has forgone it.", "forgo window"),
    _setting("squeeze rights", {"squeeze_rights": n.choice({"one": "one", "per hand": "per_hand"})},
             "Whether there is one right to squeeze, or one for each hand.", "squeeze rights per hand"),
    _setting("unburnt shoe", {"unburnt_shoe": n.choice({many: many for many in ("any", "majority", "all")})},
             "How many players must ask to have a shoe replaced whose burn was forgotten.", "unburnt shoe majority"),
    _setting("seeds", {"seeds": n.choice({each: each for each in ("none", "asked", "required")})},
             "Whether players mix a committed shoe by their seeds, which are asked for or waited for.",
             "seeds asked"),
    _setting("seed countdown", {"seed_countdown": n.number("SECONDS")},
             "The time to pledge a seed, and again to show it.", "seed countdown 5"),
    _setting("cut is", {"cut": n.choice({each: each for each in ("asked", "required")})},
             "Whether a committed shoe waits for a cut.", "cut is required"),
    _setting("maximum per", {"maximum_per": n.choice({"person": "person", "box": "box"})},
             "Whose maximum it is: that of each person, or of all who bet in a box together.", "maximum per box"),
    _setting("shifts", {"shifts": n.SHIFTS},
             "When the gaming day begins (UTC), and its shifts in order.", "shifts 08:00 early late"),
    _setting("float", {"opening_float": n.CHIPS},
             "The chips in the tray at the opening.", "float 1000x20 100x50"),
)

ACTS: tuple[Form, ...] = (
    Form("open", x.Open, {},
         "The table opens with the settings above.", "open"),
    Form("staff", c.SignOn, _PERSON | _RANK,
         "A member of staff signs on at the table, with a rank.", "staff dora dealer"),
    Form("sign off", c.SignOff, _PERSON,
         "A member of staff signs off.", "sign off dora"),
    Form("sit", c.Join, _SEAT,
         "A player takes a seat.", "sit ann 1", {"seated": True}),
    Form("stand", c.Join, _SEAT,
         "A player stands behind a box where somebody sits.", "stand bob 1", {"seated": False}),
    Form("leave", c.Leave, _PERSON,
         "A player leaves, and takes the chips along.", "leave bob"),
    Form("buy in", c.BuyIn, _PERSON | _AMOUNT | _SOURCE,
         "Money becomes chips; cash by default.", "buy in ann 1000"),
    Form("cash out", c.CashOut, _PERSON | _AMOUNT,
         "Chips become money on the player's account.", "cash out ann 100"),
    Form("chips in", c.ChipsIn, _PERSON | _AMOUNT,
         "A player brings chips from the floor.", "chips in ann 100"),
    Form("chips out", c.ChipsOut, _PERSON | _AMOUNT,
         "A player takes chips away to the floor.", "chips out ann 50"),
    Form("tip", c.Tip, _PERSON | _AMOUNT,
         "A player tips: chips go to the tip box.", "tip ann 5"),
    Form("fill", c.RequestFill, _REQUEST | _CHIPS,
         "Somebody asks for chips from the cage.", "fill f1 100x20", {"kind": "fill"}),
    Form("credit", c.RequestFill, _REQUEST | _CHIPS,
         "Somebody asks to send chips to the cage.", "credit c1 1000x2", {"kind": "credit"}),
    Form("sign", c.SignFill, _REQUEST,
         "A second person signs a fill or credit, and the chips move.", "sign f1"),
    Form("cancel", c.CancelFill, _REQUEST,
         "A fill or credit is cancelled.", "cancel f1"),
    Form("hold chips", c.HoldSuspect, _NOT_ASKED | _AMOUNT | _ABOUT,
         "Chips that may be counterfeit are held apart: a player's, or those in the tray.",
         'hold chips of ann 500 "the lamp shows no mark"', {"what": "chips"}),
    Form("hold cash", c.HoldSuspect, _NOT_ASKED | _AMOUNT | _ABOUT,
         "Cash that may be counterfeit is held apart: what a player offers, or (a Pit Manager) from the drop box.",
         'hold cash of ann 1000 "the paper glows"', {"what": "cash"}),
    Form("genuine", c.ResolveSuspect, _SUSPECT,
         "What was held is genuine, and goes back to its owner.", 'genuine 1 "the cage has examined it"',
         {"genuine": True}),
    Form("counterfeit", c.ResolveSuspect, _SUSPECT,
         "What was held is counterfeit, and is taken out for good.", 'counterfeit 1 "handed to the police"',
         {"genuine": False}),
    Form("close table", c.CloseTable, {"count": n.CHIPS},
         "The tray is counted and the table closes.", "close table 1000x20 100x53"),
    Form("shoe", c.NewShoe, {"evidence": n.TEXT} | _COMMITMENT,
         "A new shoe: how it was shuffled and checked, and the commitment to its order where there is one.",
         'shoe "shuffled by machine 3, 416 counted"'),
    Form("cut", c.CutShoe, _PERSON | {"position": n.number("COUNT")},
         "Somebody cuts: that many cards go from the top to the bottom.", "cut ann 200"),
    Form("pledge seed", c.PledgeSeed, _PERSON | {"pledge": n.HASH},
         "A player pledges a seed for the mixing of the shoe, by its hash.", f"pledge seed ann {'6b' * 32}"),
    Form("show seed", c.ShowSeed, _PERSON | {"seed": n.HASH},
         "A player shows the seed that was pledged.", f"show seed ann {'07' * 32}"),
    Form("seeds over", c.CloseSeeds, {},
         "The time for pledges, or for seeds, is over.", "seeds over"),
    Form("burn", c.Burn, {"cards": n.MAYBE_CARDS},
         "Cards are burnt; `?` is one that nobody saw.", "burn 5h ? ? ? ? ?"),
    Form("cut card", c.CutCard, {},
         "The Cut Card appears.", "cut card"),
    Form("return cards", c.ReturnCards, _COMMITMENT,
         "The discards go back into the shuffler that deals, with the commitment to its order where there is one.",
         "return cards"),
    Form("end shoe", c.EndShoe, _MAYBE_WHY,
         "The shoe is taken out of use.", 'end shoe "a card is marked"'),
    Form("call", c.Call, {},
         "Bets are called for: a round begins.", "call"),
    Form("bet", c.Place, _PERSON | {"box": n.OWN_BOX, "wagers": n.WAGERS},
         "A player puts chips on bets, on top of what is there.", "bet ann banker 100 tie 25"),
    Form("withdraw", c.Withdraw, _ON_BET | _MAYBE_AMOUNT,
         "A player takes chips back; by default all of that bet.", "withdraw ann tie 10"),
    Form("refuse balance", c.RefuseBalance, _PERSON,
         "A seated player wants nobody to bet behind the box.", "refuse balance ann"),
    Form("close", c.Close, {},
         "No more bets.", "close"),
    Form("squeeze", c.AskSqueeze, _PERSON | _HAND,
         "A player asks to squeeze a hand's cards.", "squeeze ann player"),
    Form("early squeeze", c.AskEarlySqueeze, _PERSON,
         "A player asks to squeeze Banker's third card before Player's third is opened.",
         "early squeeze ann", {"how": "squeeze"}),
    Form("early expose", c.AskEarlySqueeze, _PERSON,
         "A player asks to have Banker's third card exposed before Player's third.",
         "early expose ann", {"how": "expose"}),
    Form("grant", c.AnswerSqueeze, _PERSON,
         "The House consents to the squeeze that the player asked for.", "grant ann", {"granted": True}),
    Form("deny", c.AnswerSqueeze, _PERSON,
         "The House does not consent.", "deny ann", {"granted": False}),
    Form("bar", c.BarSqueeze, _PERSON | _MAYBE_WHY,
         "A player may not squeeze in this round.", 'bar ann "bends the cards"'),
    Form("deal", c.Deal, {"cards": n.CARDS},
         "An electronic shoe deals cards, each where it is due.", "deal 9h Kc 4d 2s"),
    Form("draw", c.Draw, {"card": n.DRAWN, "hand": n.optional(n.HAND), "turned": n.flag("turned")},
         "A card leaves the shoe; what it is, to which hand it went and that it lies open may be said at once.",
         "draw 9h player turned"),
    Form("put", c.PutCard, _NUMBER | _HAND,
         "A card is put at a hand; cards count from 1 as they left the shoe.", "put 2 banker"),
    Form("turn", c.Turn, _NUMBER | {"card": n.optional(n.CARD)},
         "A card is turned; what it is, unless the scanner knows. Cards that wait for their round count on.",
         "turn 2 Kd"),
    Form("offer insurance", c.OfferInsurance, {},
         "The dealer offers insurance by the row that fits.", "offer insurance"),
    Form("insure", c.Insure, _PERSON | {"box": n.OWN_BOX} | _HAND | _AMOUNT,
         "A player insures the bet on a hand.", "insure ann player 50"),
    Form("pass insurance", c.PassInsurance, _PERSON,
         "A player declines insurance.", "pass insurance ann"),
    Form("close insurance", c.CloseInsurance, {},
         "The time for insurance is over.", "close insurance"),
    Form("announce", c.Announce, _CALLED,
         "The dealer calls the result.", "announce banker"),
    Form("settle", c.Settle, {},
         "Bets are taken and paid.", "settle"),
    Form("confirm", c.Confirm, {"box": n.number("BOX"), "by_reader": n.flag("reader")},
         "The takes and pays of a box are done, as the dealer keys or a chip reader sees.", "confirm 1"),
    Form("set limits", c.SetLimits, _LIMITS,
         "A Pit Manager sets the limits of all bets without their own, from the next round on.",
         "set limits 50 to 10000 step 5", {"bet": ""}),
    Form("set limits on", c.SetLimits, {"bet": n.BET} | _LIMITS,
         "A Pit Manager sets the limits of one bet.", "set limits on tie 5 to 1000"),
    Form("lift differential", c.SetDifferential, {},
         "There is no Differential from the next round on.", "lift differential", {"limit": None, "scope": "table"}),
    Form("set differential", c.SetDifferential, _DIFFERENTIAL,
         "A Pit Manager sets the Differential from the next round on.", "set differential 20000 box"),
    Form("waive insurance", c.WaiveInsurance, _PERSON,
         "The House allows a player of a private table to be offered no insurance, from the next round on.",
         "waive insurance ann", {"offered": False}),
    Form("resume insurance", c.WaiveInsurance, _PERSON,
         "Insurance is offered again, as a player asks and the House allows.", "resume insurance ann",
         {"offered": True}),
    Form("override", c.OverrideConfirmation, _WHY,
         "A Pit Manager lets play go on without the confirmations that are missing.",
         'override "ann has left, seen on camera 4"'),
    Form("find bet", c.FindBet, _ON_BET | _AMOUNT | _IN_ROUND | _WINDOW,
         "Chips are found on a bet that nobody asked for, by default in the round in progress.",
         "find bet ann banker 7000"),
    Form("late bet", c.LateChips, _ON_BET | _AMOUNT,
         "Chips were put on a bet after the close.", "late bet ann banker 100", {"what": "placed"}),
    Form("late withdrawal", c.LateChips, _ON_BET | _AMOUNT,
         "Chips were taken off a bet after the close.", "late withdrawal ann banker 100", {"what": "withdrawn"}),
    Form("walk away", c.WalkAway, _PERSON,
         "A player with bets on the layout walks away.", "walk away ann"),
    Form("come back", c.ComeBack, _PERSON,
         "The player is back.", "come back ann"),
    Form("foreign card", c.ReportCards, _ABOUT,
         "A card that does not belong to the set is found.", 'foreign card "a blue-backed 9h"',
         {"fault": "foreign_card"}),
    Form("wrong cards", c.ReportCards, _ABOUT,
         "Cards are missing, or there are too many.", 'wrong cards "415 counted"', {"fault": "wrong_card_set"}),
    Form("unshuffled cards", c.ReportCards, _ABOUT,
         "The cards were not shuffled.", 'unshuffled cards "straight from the box"', {"fault": "unshuffled"}),
    Form("report", c.Report, _WHAT | _NUMBERS | _NOT_ASKED | _IN_ROUND | {"holds": n.flag("holds play")} | _ABOUT,
         "Something went wrong that the table cannot see, by default in the round in progress, and with which cards: "
         f"{', '.join(f'`{what}`' for what in _WHATS)}. "
         "`other` is for what none of these foresees; it can hold play. `insurance missed of PERSON` names who was "
         "not asked, where others were.",
         'report simultaneous 3 4 "two cards left the shoe together"'),
    Form("report round", c.ReportRound, _TRUE_CARDS | _ABOUT,
         "A round that is settled was dealt wrongly: its cards as they really left the shoe.",
         'report round 12 9h Kc 4d 2s "a third card was drawn after a natural"'),
    Form("interruption", c.ReportInterruption, {"lost": n.flag("lost")} | _ABOUT,
         "Play is interrupted; `lost` where cards, bets or a device were lost.", 'interruption lost "power cut"'),
    Form("meant to insure", c.MeantToInsure, _PERSON | _HAND | _IN_ROUND,
         "A player had meant to insure a hand when insurance was not offered.", "meant to insure ann player"),
    Form("approve", c.Approve, _PROPOSAL,
         "A second person approves a ruling that was proposed, and it takes effect.", "approve 1"),
    Form("decline", c.Decline, _PROPOSAL | _MAYBE_WHY,
         "A ruling that was proposed is not given.", 'decline 1 "the cards can be put back"'),
    Form("go on", c.TakeOption, _PERSON,
         "A player who has the choice goes on with the round, or with the shoe.", "go on ann", {"goes_on": True}),
    Form("take back", c.TakeOption, _PERSON,
         "A player who has the choice takes all bets back, or asks to have the cards replaced.", "take back ann",
         {"goes_on": False}),
    Form("dispute", c.RaiseDispute, _PERSON | _IN_ROUND | _ABOUT,
         "A player disputes something, perhaps a given round.", 'dispute ann in round 3 "the tie was not paid"'),
    Form("note on dispute", c.NoteOnDispute, _DISPUTE | {"what": n.choice(_DISPUTED, "STEP"), "note": n.TEXT},
         f"A step in a dispute: {', '.join(f'`{step}`' for step in _DISPUTED)}.",
         'note on dispute 1 time frame "before the shift is over"'),
    Form("decide dispute", c.DecideDispute,
         _DISPUTE | _GROUNDS | {"pays": n.optional(n.after("pays", n.amount("AMOUNT")), 0), "decision": n.TEXT},
         f"The decision on its grounds, of {', '.join(f'`{ground}`' for ground in c.GROUNDS)}; what the House pays by "
         "it, or below zero the player.",
         'decide dispute 1 game_rules surveillance pays 200 "the cards show a tie"'),
    Form("agree", c.AnswerDispute, _PERSON | _ANSWERED,
         "A player agrees with the decision of a dispute.", "agree ann dispute 1", {"agrees": True}),
    Form("disagree", c.AnswerDispute, _PERSON | _ANSWERED,
         "A player does not agree with it.", "disagree ann dispute 1", {"agrees": False}),
)

RULINGS: tuple[RulingForm, ...] = (
    _ruling("rule reconstruct", r.Reconstruct, {},
            "The cards go back in the order they left the shoe and are dealt again.", "rule reconstruct on 1"),
    _ruling("rule as it lies", r.AsItLies, {},
            "They cannot be put back: play goes on with the hands as they lie.",
            'rule as it lies on 1 "nobody knows the order"'),
    _ruling("rule order", r.DecideOrder, _NUMBERS,
            "The order in which cards drawn at once count.", "rule order on 1 4 3"),
    _ruling("rule value", r.ValueCard, {"number": n.after("card", n.number("NUMBER")), "card": n.CARD},
            "What a damaged, lost or doubtful card is.", "rule value on 2 card 3 9h"),
    _ruling("rule replace shoe", r.ReplaceShoe, {},
            "The cards are replaced by a new set when the round is over.", 'rule replace shoe "it jams"'),
    _ruling("rule burn now", r.BurnNow, {},
            "The cards go back into the shoe, and the burn that was forgotten takes place.", "rule burn now on 1"),
    _ruling("rule play", r.PlayOn, {},
            "The round goes on.", "rule play on 1"),
    _ruling("rule void", r.VoidRound, {},
            "The round has no result and every bet goes back.", 'rule void "the shoe fell down"'),
    _ruling("rule options", r.GiveOptions, {},
            "The players may go on or take their bets back.", 'rule options on 1 "the hand is still open"'),
    _ruling("rule stake", r.SetStake, _ON_BET | {"stands": n.amount("AMOUNT")},
            "How much of a bet stands; the rest goes back.",
            'rule stake on 1 ann banker 5000 "the sign was covered"'),
    _ruling("rule offer late", r.OfferLate, {},
            "Insurance that was not offered is offered now.", "rule offer late on 1"),
    _ruling("rule return bets", r.ReturnBets, {},
            "Players who had meant to insure and would have won get the Original Bet back.", "rule return bets on 1"),
    _ruling("rule move insurance", r.MoveInsurance, _PERSON | {"box": n.OWN_BOX} | _HAND,
            "Insurance that staff put at this hand belongs to the other one.", "rule move insurance ann banker"),
    _ruling("rule rectify", r.Rectify, {},
            "A settled round is dealt again by the Table of Play and settled again.", "rule rectify on 1"),
    _ruling("rule let stand", r.LetStand, {},
            "What was settled stands.", 'rule let stand on 1 "three rounds ago"'),
    _ruling("rule dismiss", r.Dismiss, {},
            "The report proves unfounded: the table goes on as if it had not been made.",
            'rule dismiss on 1 "nothing of it on the tape"'),
    _ruling("rule pay", r.Pay, _PERSON | _AMOUNT,
            "A player is paid, or pays where the amount is below zero.", 'rule pay ann 100 "paid too little"'),
    _ruling("rule collect", r.Collect, _AMOUNT,
            "A player pays what is owed, or a part of it.", 'rule collect on 3 50 "from the chips at the table"'),
    _ruling("rule write off", r.WriteOff, {},
            "The House writes off what a player owes.", 'rule write off on 3 "ann has left"'),
    _ruling("correct card", r.CorrectCard, _NUMBER | {"card": n.CARD} | _IN_ROUND,
            "A card was keyed or read wrongly: it was this one; by default in the round in progress.",
            'correct card 3 9h in round 4 "misread"'),
    _ruling("correct hand", r.CorrectHand, _NUMBER | {"hand": n.HAND} | _IN_ROUND,
            "A card was keyed to the wrong hand.", 'correct hand 1 player "it lies at Player"'),
    _ruling("strike card", r.StrikeCard, _NUMBER | _IN_ROUND,
            "A card was keyed that never left the shoe.", 'strike card 5 "the key bounced"'),
    _ruling("add card", r.AddCard,
            _CARD_AT | _IN_ROUND,
            "A card left the shoe after another one (0: before all) and was never keyed.",
            'add card 4d player after 4 "it was not keyed"'),
    _ruling("correct order", r.CorrectOrder, _NUMBERS | _IN_ROUND,
            "Cards left the shoe in another order than they were keyed.",
            'correct order 4 3 "keyed the other way round"'),
    _ruling("correct bet", r.CorrectBet,
            _ON_BET | {"stake": n.amount("AMOUNT"),
                       "to_box": n.optional(n.after("to box", n.number("BOX")), 0),
                       "to_bet": n.optional(n.after("to bet", n.BET), ""),
                       "to_person": n.optional(n.after("to person", n.name("PERSON")), "")} | _IN_ROUND | _WINDOW,
            "A bet was keyed wrongly: it was this much, or none (0), and where said in another box or on another bet.",
            'correct bet ann tie 50 to box 2 "it lies behind box 2"'),
    _ruling("correct call", r.CorrectCall, _CALLED,
            "The dealer's call of the result was keyed wrongly.", 'correct call banker "keyed tie"'),
    _ruling("correct payout", r.CorrectPayout, {"box": n.after("box", n.number("BOX"))},
            "A box was confirmed by mistake: its takes and pays are not done yet.",
            'correct payout box 2 "still to be paid"'),
)

_CODE: Kinds = {"code": n.choice({code: code for code in dict.fromkeys((*CODES, *reasons()))}, "CODE")}
_EVENT: Kinds = {"event": n.choice({tag: tag for tag in EVENT_TAGS}, "EVENT")}
_MAYBE_PARAGRAPH: Kinds = {"paragraph": n.optional(n.PARAGRAPH, "")}
_FITS: Kinds = {"fits": n.optional(n.after("fits", n.amount("AMOUNT")))}
_ACCOUNT: Kinds = {"account": n.ACCOUNT}
_RESULT: Kinds = {"result": n.choice({result: result for result in ("player", "banker", "tie", "void")})}
_PHASE: Kinds = {"phase": n.choice({phase.value: phase for phase in Phase}, "PHASE")}
_POINTS: Kinds = {side: n.after(side, n.number("POINTS")) for side in ("player", "banker")}
_FAMILY: Kinds = {"family": n.choice({family: family for family in RULINGS_ON}, "FAMILY")}
_KINDS: dict[str, str] = {kind: kind for kind in map(r.kind_of, get_args(r.AnyRuling))}
_RECKONING: Kinds = {of: n.after(of, n.amount("AMOUNT")) for of in ("result", "difference")}

EXPECTATIONS: tuple[Form, ...] = (
    Form("expect refused", x.Refusal, _CODE | _MAYBE_PARAGRAPH | _FITS,
         "The act before was refused: with that code or that reason, on that paragraph, and what would fit.",
         "expect refused below_minimum 3.5 fits 25"),
    Form("expect paragraph", x.Cited, {"paragraph": n.PARAGRAPH},
         "The act before led to something that rests on this paragraph.", "expect paragraph 4.1.4"),
    Form("expect event", x.Happened, _EVENT | _MAYBE_PARAGRAPH,
         "The act before led to such an event.", "expect event insurance_offered 3.12"),
    Form("expect no event", x.NotHappened, _EVENT,
         "The act before led to no such event.", "expect no event insurance_offered"),
    Form("expect transfer", x.Moved, {"source": n.ACCOUNT, "target": n.ACCOUNT} | _AMOUNT | _MAYBE_PARAGRAPH,
         "The act before moved that much from one account to another; with a paragraph, only what moved by an event "
         "that rests on it.", "expect transfer tray chips:ann 95"),
    Form("expect balance", x.Balance, _ACCOUNT | _AMOUNT,
         "What an account holds now.", "expect balance chips:ann 1095"),
    Form("expect stack", x.Stack, _PERSON | _AMOUNT,
         "What a player has in chips now, beside those on the layout.", "expect stack ann 1095"),
    Form("expect wager", x.OnLayout, _ON_BET | _AMOUNT,
         "What a player has on a bet now; 0 is nothing.", "expect wager bob 1 banker 50"),
    Form("expect result", x.Outcome, _RESULT,
         "The result of the latest round.", "expect result banker"),
    Form("expect points", x.Points, _POINTS,
         "The points of the latest round that was announced.", "expect points player 4 banker 6"),
    Form("expect won", x.Settled, _ON_BET | _MAYBE_AMOUNT,
         "A wager won in the latest settlement, and its profit.",
         "expect won ann big_tiger 5000", {"result": bets.Result.WON}),
    Form("expect lost", x.Settled, _ON_BET | _MAYBE_AMOUNT,
         "A wager lost, and its stake.", "expect lost bob 1 banker 100", {"result": bets.Result.LOST}),
    Form("expect returned", x.Settled, _ON_BET | _MAYBE_AMOUNT,
         "A wager went back in the latest round, or a part of it, and how much: at the settlement or before.",
         "expect returned ann banker", {"result": bets.Result.RETURNED}),
    Form("expect flag", x.Flag, {"flag": n.FLAG, "about": n.optional(n.name("ABOUT"), "")},
         "Something is flagged.", "expect flag over_differential"),
    Form("expect no flags", x.NoFlags, {},
         "Nothing is flagged.", "expect no flags"),
    Form("expect phase", x.InPhase, _PHASE,
         f"Where the table stands: {', '.join(f'`{phase.value}`' for phase in Phase)}.", "expect phase dealing"),
    Form("expect offer", x.Offered, _PERSON | _HAND | {"odds": n.ODDS},
         "Insurance is on offer to a player, at these odds.", "expect offer ann player 3 to 2"),
    Form("expect no offer", x.NotOffered, {},
         "No insurance is on offer.", "expect no offer"),
    Form("expect incident", x.Matter, _NUMBER | _FAMILY | _MAYBE_PARAGRAPH,
         "Something went wrong and waits for a ruling; incidents count from 1.", "expect incident 1 excess_cards 5.8"),
    Form("expect no incidents", x.NoMatters, {},
         "Nothing waits for a ruling.", "expect no incidents"),
    Form("expect rulings", x.Choices, _ON | {"rulings": n.several(n.choice(_KINDS, "KIND"), tuple)},
         "All that would be granted on an incident now, its reason given, of "
         f"{', '.join(f'`{kind}`' for kind in _KINDS)}. That a report may be "
         "dismissed goes without saying.",
         "expect rulings on 1 reconstruct void"),
    Form("expect proposal", x.Proposed, _NUMBER | {"ruling_kind": n.choice(_KINDS, "KIND")} | _RANK,
         "A ruling waits for the approval of somebody of that rank or above; rulings that wait count from 1.",
         "expect proposal 1 reconstruct pit supervisor"),
    Form("expect options", x.Asked, {"people": n.several(n.name("PERSON"), tuple)},
         "Who may still choose to go on or to take back.", "expect options ann bob"),
    Form("expect hand", x.HandHolds, _HAND | {"cards": n.MAYBE_CARDS},
         "The cards at a hand; `?` lies face down.", "expect hand player 9h ?"),
    Form("expect carried", x.Carried, {"cards": n.MAYBE_CARDS},
         "The cards left over that wait for the next round.", "expect carried 9h"),
    Form("expect disputes", x.Disputed, {"disputes": n.several(n.number("DISPUTE"), tuple)},
         "Which disputes are open; they count from 1.", "expect disputes 1 2"),
    Form("expect owed", x.Owed, _PERSON | _AMOUNT,
         "What a player owes the House.", "expect owed ann 50"),
    Form("expect day", x.Day, _RECKONING,
         "The result of a table that has closed: what it won, and how far the count is off.",
         "expect day result -125 difference 0"),
)
# fmt: on

FORMS: dict[str, Form] = {form.keyword: form for form in (*SETTINGS, *ACTS, *RULINGS, *EXPECTATIONS)}
"""Keyword → form."""

_LONGEST = max(len(keyword.split()) for keyword in FORMS)


def find_form(reader: Reader) -> Form:
    """The form whose keyword the line begins with, the longest that fits."""
    for count in range(_LONGEST, 0, -1):
        words = reader.words[reader.at : reader.at + count]
        form = FORMS.get(" ".join(word.key for word in words))
        if form is not None:
            reader.at += len(words)
            return form
    raise Unreadable(_unknown(reader.words[reader.at :]))


_GROUPS: dict[str, tuple[Sequence[Form], str]] = {
    "expect": (EXPECTATIONS, "nothing that can be expected"),
    "rule": ([form for form in RULINGS if form.keyword.startswith("rule ")], "no ruling"),
    "correct": ([form for form in RULINGS if form.keyword.startswith("correct ")], "nothing that can be corrected"),
}
"""First words of many forms: those, and what else a line is that begins so."""


def _unknown(words: Sequence[Word]) -> str:
    first = words[0]
    typed = " ".join(word.key for word in words[:2])
    if first.key in _GROUPS:
        forms, otherwise = _GROUPS[first.key]
        rests = [form.keyword.removeprefix(f"{first.key} ") for form in forms]
        meant = nearest(" ".join(word.key for word in words[1:3]), rests) or nearest(typed.partition(" ")[2], rests)
        meant = meant or f": after {first.key} comes {', '.join(rests)}"
        return f"{typed!r} is {otherwise}{meant}"
    if begun := [keyword for keyword in FORMS if keyword.split()[0] == first.key]:
        return f"no line begins with {typed!r}; did you mean {' or '.join(begun)}?"
    longer = next((keyword for keyword in FORMS if keyword.partition(" ")[2] == first.key), "")
    meant = nearest(first.key, {keyword.split()[0] for keyword in FORMS}) or nearest(longer or typed, FORMS)
    meant = meant or f": settings are {_listed(SETTINGS)}; acts are {_listed(ACTS)}, rule …, correct …"
    return f"no line begins with {first}{meant}"


def _listed(forms: Iterable[Form]) -> str:
    return ", ".join(form.keyword for form in forms)


def forms_like(word: str) -> list[Form]:
    """All forms that begin with this word: what somebody may have meant; none where too many do."""
    return [form for keyword, form in FORMS.items() if keyword.split()[0] == word and word not in _GROUPS]


def is_act(form: Form) -> bool:
    """Whether somebody does what the line says."""
    return not isinstance(form, SettingForm) and form not in EXPECTATIONS


def write_item(item: object, digits: int) -> str:
    """The line for an item, by the first form that is made for it."""
    for form in _forms_for(item):
        if (text := form.write(item, digits)) is not None:
            return text
    raise TypeError(f"no line is made for {item!r}")


def _forms_for(item: object) -> Sequence[Form]:
    match item:
        case x.Setting():
            return SETTINGS
        case x.Expectation():
            return EXPECTATIONS
        case c.Propose():
            return RULINGS
        case _:
            return ACTS


# --- settings


_DEFAULTS: dict[str, Any] = {
    found.name: found.default for found in msgspec.structs.fields(TableSettings) if not found.required
} | {"bet_limits": {}, "book_hash": "", "opening_float": {}}


def header(body: c.OpenTable) -> list[x.Setting]:
    """The settings of a table as lines; what is as usual is left out."""
    values = {name: getattr(body.settings, name) for name in TableSettings.__struct_fields__}
    values["opening_float"] = body.opening_float
    found: list[x.Setting] = []
    for gives in dict.fromkeys(form.gives for form in SETTINGS):
        fields = {name: values[name] for name in values if name in gives}
        if "bet_limits" in gives:
            found += [x.Setting({"bet_limits": {bet: limits}}) for bet, limits in body.settings.bet_limits.items()]
        elif any(name not in _DEFAULTS or value != _DEFAULTS[name] for name, value in fields.items()):
            found.append(x.Setting(fields))
    return found


def merge(settings: list[x.Setting]) -> dict[str, Any]:
    """All fields that these lines give; a later line goes before an earlier one."""
    fields: dict[str, Any] = {}
    for setting in settings:
        for name, value in setting.fields.items():
            fields[name] = fields.get(name, {}) | value if name == "bet_limits" else value
    return fields
