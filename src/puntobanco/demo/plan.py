"""What the demo floor has: one table of each game, sign-ins for people, and the bots with their places."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from puntobanco.floor.wire import NewPerson, OpenPlan, Role
from puntobanco.rules.library import Library
from puntobanco.rules.load import find_book, load_book
from puntobanco.rules.model import Authority, RuleBook
from puntobanco.table.settings import ELECTRONIC, BetLimits, Differential, Step, TableSettings

PASSWORD = "punto-banco"
"""Of every demo sign-in; it is printed at every start."""
PIN = "2468"
BOT = "bot-"
"""How the names of bots begin."""
CAGE = f"{BOT}cage"
"""The bot that sets the floor up and puts money on the accounts of the others."""
SECRET = "bots.secret"
"""The file with the password of the bots, made by chance at the first start."""
SUPERVISOR, DIRECTOR = f"{BOT}marco", f"{BOT}helen"
"""The bots of the pit."""
PURSE = 20_000_00
"""What is on the account of a demo player at first, in each currency of the floor."""
FLOAT = {10_000_00: 20, 1_000_00: 150, 500_00: 200, 100_00: 500, 25_00: 400, 5_00: 400, 1_00: 500, 50: 200, 5: 400}
"""Chips in the tray when a table opens."""


DOLLARS = "USD"
"""What the table of a book plays in that states no currency."""
MOST_BOXES = 7
LONGEST_NAME = 20


class Seat(msgspec.Struct, frozen=True):
    """A bot's place: its own box, or behind another bot's."""

    name: str
    box: int
    seated: bool = True


class TablePlan(msgspec.Struct, frozen=True):
    """A table of the demo floor."""

    name: str
    game: str
    layout: str
    positions: int
    about: str
    seats: tuple[Seat, ...]
    dealer: str = ""
    """The bot that deals; an electronic table has none."""
    automated: tuple[Step, ...] = ELECTRONIC
    minimum: int = 25_00
    face_down: bool = False
    scanned: bool = True
    """Whether the dealer's shoe reads the cards; else they are keyed when they are turned."""

    file: str = ""
    """Where the book is, if it is not one of ours."""

    @property
    def book(self) -> RuleBook:
        return load_book(self.file) if self.file else find_book(self.game)

    @property
    def currency(self) -> str:
        """The house's own."""
        return self.book.currency or DOLLARS

    def opening(self, speed: float) -> OpenPlan:
        """The table as it opens; the time for bets is shorter on a floor that runs faster."""
        book = self.book
        layout = book.layout(self.layout)
        assert layout is not None
        least, most = self.minimum, 200 * self.minimum
        side = BetLimits(least // 5, most // 20, least // 5)
        settings = TableSettings(
            table=self.name,
            game=self.game,
            layout=self.layout,
            positions=self.positions,
            decks=book.decks.default,
            currency=self.currency,
            limits=BetLimits(least, most, 5_00),
            bet_limits={bet: side for bet in layout.bets if bet not in book.original_bets},
            differential=Differential(2 * most),
            automated=self.automated,
            face_down=self.face_down,
            high_limit=self.minimum >= 100_00,
            burn="first_card",
            rounds_after_cut=1,
            countdown=max(1, round(12 / speed)),
            insurance_countdown=max(1, round(8 / speed)),
            seeds="asked" if Step.DEAL in self.automated else "none",
            seed_countdown=max(2, round(5 / speed)),
        )
        return OpenPlan(settings, FLOAT)


def _seats(*names: str, behind: str = "") -> tuple[Seat, ...]:
    """Bots in every other box, so that there is room between them; and one who stands behind the first."""
    seated = tuple(Seat(BOT + name, 2 * place + 1) for place, name in enumerate(names))
    return (*seated, Seat(BOT + behind, 1, seated=False)) if behind else seated


TABLES: tuple[TablePlan, ...] = (
    TablePlan(
        name="TB-1",
        game="tiger-buffalo",
        layout="A",
        positions=6,
        about="live, with insurance",
        seats=_seats("wei", "mei", "arjun", behind="lena"),
        dealer=f"{BOT}dealer-tb",
        automated=(Step.SETTLE,),
    ),
    TablePlan(
        name="DH-1",
        game="da-hu-ying-xiong",
        layout="A",
        positions=7,
        about="live, face down with squeeze, high limits",
        seats=_seats("chen", "farah", "otto"),
        dealer=f"{BOT}dealer-dh",
        automated=(),
        minimum=100_00,
        face_down=True,
    ),
    TablePlan(
        name="DT-1",
        game="dragon-tiger-commission",
        layout="A4",
        positions=5,
        about="live, cards keyed by the dealer",
        seats=_seats("minh", "thuy", behind="kai"),
        dealer=f"{BOT}dealer-dt",
        automated=(Step.SETTLE,),
        scanned=False,
    ),
    TablePlan(
        name="S6-1",
        game="super-six",
        layout="A",
        positions=9,
        about="electronic",
        seats=_seats("siti", "bala", "grace", behind="hugo"),
    ),
    TablePlan(
        name="RW-1",
        game="rws-baccarat",
        layout="A",
        positions=7,
        about="electronic, all side bets, face down with squeeze",
        seats=_seats("yusuf", "ling", "emma", behind="paulo"),
        face_down=True,
    ),
    TablePlan(
        name="DN-1",
        game="dragon-tiger-non-commission",
        layout="A2",
        positions=5,
        about="electronic",
        seats=_seats("nam", "hoa", behind="jin"),
    ),
)


def own_table(book: RuleBook, file: Path, number: int = 1) -> TablePlan:
    """An electronic table of somebody's own game, on the layout that carries most.

    A book that was changed is another one, whose table has another name: what was played under the old one stays.
    """
    layout = max(book.layouts.values(), key=lambda each: len(each.bets))
    positions = max((each for each in layout.positions if each <= MOST_BOXES), default=min(layout.positions))
    names = (name if number == 1 else f"{name}-{number}" for name in ("anna", "bruno", "carla"))
    return TablePlan(
        name=f"{book.id[:LONGEST_NAME]}-{book.hash[:4]}",
        game=book.id,
        layout=layout.code,
        positions=positions,
        about=f"electronic, from {file.name}",
        seats=tuple(Seat(BOT + name, box) for name, box in zip(names, layout.printed(positions)[::2], strict=False)),
        file=str(file),
    )


def tables_of(books: str) -> tuple[TablePlan, ...]:
    """The tables of the floor; those of somebody's own games, in a file or a folder, come first."""
    if not books:
        return TABLES
    library = Library(books)
    own = (own_table(library(game), file, number) for number, (game, file) in enumerate(library.files.items(), 1))
    return (*own, *TABLES)


class SignInPlan(msgspec.Struct, frozen=True):
    """A person of the demo floor."""

    name: str
    role: Role
    about: str
    rank: Authority | None = None
    money: dict[str, int] = {}
    """On the account at first, by currency; bots are given it again when they run short."""

    def new(self, password: str) -> NewPerson:
        staff = self.role in ("dealer", "pit")
        return NewPerson(self.name, self.role, password, self.rank, PIN if staff else "")


GUESTS: tuple[SignInPlan, ...] = (
    SignInPlan("alice", "player", "a player"),
    SignInPlan("bob", "player", "another player"),
    SignInPlan("dana", "dealer", "a dealer: the bot steps back from a table where dana signs on"),
    SignInPlan("sam", "pit", "a pit supervisor", Authority.PIT_SUPERVISOR),
    SignInPlan("maria", "pit", "a pit manager", Authority.PIT_MANAGER),
    SignInPlan("victor", "surveillance", "surveillance: sees everything, does nothing"),
    SignInPlan("admin", "admin", "people, tables, devices, stops"),
)
"""Sign-ins for people."""


def guests(tables: Sequence[TablePlan] = TABLES) -> tuple[SignInPlan, ...]:
    """Sign-ins for people; players have money in every currency of the floor."""
    purses = {plan.currency: PURSE for plan in tables}
    return tuple(msgspec.structs.replace(guest, money=purses) if guest.role == "player" else guest for guest in GUESTS)


def bots(tables: Sequence[TablePlan] = TABLES) -> tuple[SignInPlan, ...]:
    """The bots' own accounts, without the cage, which is there before anybody."""
    players = (
        SignInPlan(seat.name, "player", plan.name, money={plan.currency: 10 * plan.minimum * 100})
        for plan in tables
        for seat in plan.seats
    )
    dealers = (SignInPlan(plan.dealer, "dealer", plan.name) for plan in tables if plan.dealer)
    pit = (
        SignInPlan(SUPERVISOR, "pit", "", Authority.PIT_SUPERVISOR),
        SignInPlan(DIRECTOR, "pit", "", Authority.ASSISTANT_DIRECTOR),
    )
    return (*players, *dealers, *pit)


def is_bot(name: str) -> bool:
    return name.startswith(BOT)
