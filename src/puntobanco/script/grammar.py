"""Every line a history may hold: keyword, values, what it means and an example. Reading, writing, help and the
reference in ``docs/history-format.md`` all come from these tables; a new command needs one entry here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import msgspec

from puntobanco import bets
from puntobanco.rules.model import Authority
from puntobanco.script import lines as x
from puntobanco.script import notation as n
from puntobanco.script.notation import Kind
from puntobanco.script.text import Reader, Unreadable, Word, nearest, quote
from puntobanco.table import commands as c
from puntobanco.table.events import AnyEvent
from puntobanco.table.refusals import CODES
from puntobanco.table.settings import ELECTRONIC, LIVE, Step, TableSettings, in_order
from puntobanco.table.state import Phase

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
        return " ".join((self.keyword, *(kind.usage for kind in self.values.values())))

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
        written = [kind.write(fields[name], digits) for name, kind in self.values.items()]
        if written and self._misread(written[0]):
            written[0] = quote(written[0])
        return " ".join(filter(None, (self.keyword, *written)))

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


def _setting(keyword: str, values: Kinds, about: str, example: str, **fixed: Any) -> SettingForm:
    return SettingForm(keyword, x.Setting, values, about, example, fixed)


# fmt: off
_PERSON: Kinds = {"person": n.name("PERSON")}
_AMOUNT: Kinds = {"amount": n.amount("AMOUNT")}
_MAYBE_AMOUNT: Kinds = {"amount": n.optional(n.amount("AMOUNT"))}
_SEAT: Kinds = _PERSON | {"box": n.number("BOX"), "accepts_no_insurance": n.flag("accepts no insurance")}
_ON_BET: Kinds = _PERSON | {"box": n.OWN_BOX, "bet": n.name("BET")}
_HAND: Kinds = {"hand": n.HAND}
_NUMBER: Kinds = {"number": n.number("NUMBER")}
_REQUEST: Kinds = {"request": n.name("REQUEST")}
_CHIPS: Kinds = {"chips": n.CHIPS}
_WHY: Kinds = {"reason": n.TEXT}
_MAYBE_WHY: Kinds = {"reason": n.optional(n.TEXT, "")}
_RANK: Kinds = {"rank": n.choice({rank.value.replace("_", " "): rank for rank in Authority}, "RANK")}
_SOURCE: Kinds = {"source": n.optional(n.choice({"cash": "cash", "account": "account"}), "cash")}
_COMMITMENT: Kinds = {"commitment": n.optional(n.after("commitment", n.HASH), "")}
_CALLED: Kinds = {"result": n.choice({"player": "player", "banker": "banker", "tie": "tie"})}
_STEP = n.choice({step.value: step for step in Step}, "STEP")
_STEPS: Kinds = {"automated": n.several(_STEP, in_order)}

SETTINGS: tuple[SettingForm, ...] = (
    _setting("table", {"table": n.name("NAME")},
             "The table's name; `t1` unless said.", "table tb-1"),
    _setting("game", {"game": n.name("GAME")},
             "Which game is played: an id that `puntobanco games` lists.", "game tiger-buffalo"),
    _setting("book", {"book_hash": n.HASH},
             "The hash of the rule book; any other book is refused.", "book 3f0a9c"),
    _setting("layout", {"layout": n.name("CODE")},
             "The layout; the book's first unless said.", "layout A"),
    _setting("positions", {"positions": n.number("COUNT")},
             "How many boxes; as many as the layout allows unless said.", "positions 6"),
    _setting("decks", {"decks": n.number("COUNT")},
             "Decks in a shoe; the book's usual number unless said.", "decks 8"),
    _setting("currency", {"currency": n.name("CODE"), "digits": n.optional(n.DIGITS, 2)},
             "The currency, and its digits after the point where they are not 2.", "currency JPY 0"),
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
             "How a payout rounds that is no whole unit; down to the smallest unless said.",
             "rounding nearest to 0.50"),
    _setting("live", {},
             "A dealer deals; the table offers insurance and settles by itself. So unless said.", "live",
             automated=LIVE),
    _setting("electronic", {},
             "The table does everything by itself but call for bets.", "electronic", automated=ELECTRONIC),
    _setting("automated", _STEPS,
             f"What the table does by itself, of {', '.join(f'`{step.value}`' for step in Step)}.",
             "automated deal announce settle"),
    _setting("face down", {},
             "Cards are dealt face down.", "face down", face_down=True),
    _setting("high limit", {},
             "The table stands in a high-limit area.", "high limit", high_limit=True),
    _setting("no insurance", {},
             "No insurance is offered: a private table.", "no insurance", no_insurance=True),
    _setting("burn rule", {"burn": n.BURN},
             "How many cards are burnt: by the first card's value, a fixed number, or none.",
             "burn rule first card"),
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
    _setting("shifts", {"shifts": n.SHIFTS},
             "When the gaming day begins (UTC), and its shifts in order.", "shifts 08:00 early late"),
    _setting("float", {"opening_float": n.CHIPS},
             "The chips in the tray at the opening.", "float 1000x20 100x50"),
)

ACTS: tuple[Form, ...] = (
    Form("open", x.Open, {},
         "The table opens with the settings above.", "open"),
    Form("staff", c.SignOn, _PERSON | _RANK,
         "Somebody comes to work at the table, with a rank.", "staff dora dealer"),
    Form("sign off", c.SignOff, _PERSON,
         "Somebody who works here goes.", "sign off dora"),
    Form("sit", c.Join, _SEAT,
         "A player takes a seat.", "sit ann 1", {"seated": True}),
    Form("stand", c.Join, _SEAT,
         "A player stands behind a box where somebody sits.", "stand bob 1", {"seated": False}),
    Form("leave", c.Leave, _PERSON,
         "A player leaves, and takes the chips along.", "leave bob"),
    Form("buy in", c.BuyIn, _PERSON | _AMOUNT | _SOURCE,
         "Money becomes chips; it is cash unless said.", "buy in ann 1000"),
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
         "A fill or credit is not wanted any more.", "cancel f1"),
    Form("close table", c.CloseTable, {"count": n.CHIPS},
         "The tray is counted and the table closes.", "close table 1000x20 100x53"),
    Form("shoe", c.NewShoe, {"evidence": n.TEXT} | _COMMITMENT,
         "A new shoe: how it was shuffled and checked, and the commitment to its order where there is one.",
         'shoe "shuffled by machine 3, 416 counted"'),
    Form("cut", c.Cut, _PERSON | {"position": n.number("COUNT")},
         "Somebody cuts: so many cards go from the top to the bottom.", "cut ann 200"),
    Form("burn", c.Burn, {"cards": n.MAYBE_CARDS},
         "Cards are burnt; `?` is one that nobody saw.", "burn 5h ? ? ? ? ?"),
    Form("cut card", c.CutCard, {},
         "The Cut Card appears.", "cut card"),
    Form("end shoe", c.EndShoe, _MAYBE_WHY,
         "The shoe is taken out of use.", 'end shoe "a card is marked"'),
    Form("call", c.Call, {},
         "Bets are called for: a round begins.", "call"),
    Form("bet", c.Place, _PERSON | {"box": n.OWN_BOX, "wagers": n.WAGERS},
         "A player puts chips on bets, on top of what is there.", "bet ann banker 100 tie 25"),
    Form("withdraw", c.Withdraw, _ON_BET | _MAYBE_AMOUNT,
         "A player takes chips back, all of that bet unless said.", "withdraw ann tie 10"),
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
         "A card is turned; what it is, unless the scanner knows.", "turn 2 Kd"),
    Form("offer insurance", c.OfferInsurance, {},
         "The dealer offers insurance by the row that fits.", "offer insurance"),
    Form("insure", c.Insure, _PERSON | {"box": n.OWN_BOX} | _HAND | _AMOUNT,
         "A player insures the bet on a hand.", "insure ann player 50"),
    Form("pass insurance", c.PassInsurance, _PERSON,
         "A player wants no insurance.", "pass insurance ann"),
    Form("close insurance", c.CloseInsurance, {},
         "The time for insurance is over.", "close insurance"),
    Form("announce", c.Announce, _CALLED,
         "The dealer calls the result.", "announce banker"),
    Form("settle", c.Settle, {},
         "Bets are taken and paid.", "settle"),
    Form("confirm", c.Confirm, {"box": n.number("BOX"), "by_reader": n.flag("reader")},
         "The takes and pays of a box are done, as the dealer keys or a chip reader sees.", "confirm 1"),
    Form("override", c.OverrideConfirmation, _WHY,
         "A Pit Manager lets play go on without the confirmations that are missing.",
         'override "ann has left, seen on camera 4"'),
    Form("find bet", c.FindBet, _ON_BET | _AMOUNT,
         "Chips are found on a bet that nobody asked for.", "find bet ann banker 7000"),
    Form("late bet", c.LateChips, _ON_BET | _AMOUNT,
         "Chips were put on a bet after the close.", "late bet ann banker 100", {"what": "placed"}),
    Form("late withdrawal", c.LateChips, _ON_BET | _AMOUNT,
         "Chips were taken off a bet after the close.", "late withdrawal ann banker 100", {"what": "withdrawn"}),
    Form("walk away", c.WalkAway, _PERSON,
         "A player with bets on the layout walks away.", "walk away ann"),
    Form("come back", c.ComeBack, _PERSON,
         "The player is back.", "come back ann"),
    Form("foreign card", c.ReportCards, {"about": n.TEXT},
         "A card that does not belong to the set is found.", 'foreign card "a blue-backed 9h"',
         {"fault": "foreign_card"}),
    Form("wrong cards", c.ReportCards, {"about": n.TEXT},
         "Cards are missing, or too many.", 'wrong cards "415 counted"', {"fault": "wrong_card_set"}),
    Form("unshuffled cards", c.ReportCards, {"about": n.TEXT},
         "The cards were not shuffled.", 'unshuffled cards "straight from the box"', {"fault": "unshuffled"}),
    Form("rule stake", c.RuleStake, _ON_BET | {"stands": n.amount("AMOUNT")} | _WHY,
         "A ruling at discretion: how much of a bet stands that no paragraph covers.",
         'rule stake ann banker 5000 "the sign was covered"'),
    Form("void", c.VoidRound, _WHY,
         "A ruling at discretion: the round is void and every bet goes back.", 'void "the shoe fell down"'),
)

_CODE: Kinds = {"code": n.choice({code: code for code in CODES}, "CODE")}
_EVENT: Kinds = {"event": n.choice({tag: tag for tag in EVENT_TAGS}, "EVENT")}
_MAYBE_PARAGRAPH: Kinds = {"paragraph": n.optional(n.PARAGRAPH, "")}
_FITS: Kinds = {"fits": n.optional(n.after("fits", n.amount("AMOUNT")))}
_ACCOUNT: Kinds = {"account": n.ACCOUNT}
_RESULT: Kinds = {"result": n.choice({result: result for result in ("player", "banker", "tie", "void")})}
_PHASE: Kinds = {"phase": n.choice({phase.value: phase for phase in Phase}, "PHASE")}
_POINTS: Kinds = {side: n.after(side, n.number("POINTS")) for side in ("player", "banker")}
_RECKONING: Kinds = {of: n.after(of, n.amount("AMOUNT")) for of in ("result", "difference")}

EXPECTATIONS: tuple[Form, ...] = (
    Form("expect refused", x.Refusal, _CODE | _MAYBE_PARAGRAPH | _FITS,
         "The act before was refused: with that code, on that paragraph, and what would fit.",
         "expect refused below_minimum 3.5 fits 25"),
    Form("expect paragraph", x.Cited, {"paragraph": n.PARAGRAPH},
         "The act before led to something that rests on this paragraph.", "expect paragraph 4.1.4"),
    Form("expect event", x.Happened, _EVENT | _MAYBE_PARAGRAPH,
         "The act before led to such an event.", "expect event insurance_offered 3.12"),
    Form("expect no event", x.NotHappened, _EVENT,
         "The act before led to no such event.", "expect no event insurance_offered"),
    Form("expect transfer", x.Moved, {"source": n.ACCOUNT, "target": n.ACCOUNT} | _AMOUNT,
         "The act before moved that much from one account to another.", "expect transfer tray chips:ann 95"),
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
         "A wager went back, and its stake.", "expect returned ann banker", {"result": bets.Result.RETURNED}),
    Form("expect flag", x.Flag, {"flag": n.name("FLAG"), "about": n.optional(n.name("ABOUT"), "")},
         "Something stands flagged.", "expect flag over_differential"),
    Form("expect no flags", x.NoFlags, {},
         "Nothing stands flagged.", "expect no flags"),
    Form("expect phase", x.InPhase, _PHASE,
         f"Where the table stands: {', '.join(f'`{phase.value}`' for phase in Phase)}.", "expect phase dealing"),
    Form("expect offer", x.Offered, _PERSON | _HAND | {"odds": n.ODDS},
         "Insurance is on offer to a player, at these odds.", "expect offer ann player 3 to 2"),
    Form("expect no offer", x.NotOffered, {},
         "No insurance is on offer.", "expect no offer"),
    Form("expect day", x.Day, _RECKONING,
         "The reckoning of a table that has closed: what it won, and how far the count is off.",
         "expect day result -125 difference 0"),
)
# fmt: on

FORMS: dict[str, Form] = {form.keyword: form for form in (*SETTINGS, *ACTS, *EXPECTATIONS)}
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


def _unknown(words: Sequence[Word]) -> str:
    first = words[0]
    typed = " ".join(word.key for word in words[:2])
    if first.key == "expect":
        wanted = " ".join(word.key for word in words[1:3]) if typed == "expect no" else typed.removeprefix("expect ")
        meant = nearest(wanted, (form.keyword.removeprefix("expect ") for form in EXPECTATIONS))
        meant = meant or f": after expect comes {_listed(EXPECTATIONS)}"
        return f"{typed!r} is nothing that can be expected{meant}"
    meant = nearest(first.key, {keyword.split()[0] for keyword in FORMS}) or nearest(typed, FORMS)
    meant = meant or f": settings are {_listed(SETTINGS)}; acts are {_listed(ACTS)}"
    return f"no line begins with {first}{meant}"


def _listed(forms: Iterable[Form]) -> str:
    return ", ".join(form.keyword.removeprefix("expect ") for form in forms)


def forms_like(word: str) -> list[Form]:
    """All forms that begin with this word: what somebody may have meant."""
    return [form for keyword, form in FORMS.items() if keyword.split()[0] == word]


def write_item(item: object, digits: int) -> str:
    """The line for an item, by the first form that is made for it."""
    kind = SETTINGS if isinstance(item, x.Setting) else EXPECTATIONS if isinstance(item, x.Expectation) else ACTS
    for form in kind:
        if (text := form.write(item, digits)) is not None:
            return text
    raise TypeError(f"no line is made for {item!r}")


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
