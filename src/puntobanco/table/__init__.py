"""The table: people, money and whole rounds of play, as a pure machine that cites its paragraphs.

``execute(table, command)`` gives the table afterwards with the events that led there, or a refusal; ``fold`` makes a
table of its events. Each concern has a folder of its own; what they ask and tell is collected in ``commands``,
``events`` and ``rulings``.
"""

from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, decide, execute, fold, refusal
from puntobanco.table.events import AnyEvent, Event, Record, Transfer
from puntobanco.table.refusals import CODES, Refusal
from puntobanco.table.settings import ELECTRONIC, LIVE, BetLimits, Differential, SettingsError, Step, TableSettings
from puntobanco.table.state import Phase, Round, Table

__all__ = [
    "CODES",
    "ELECTRONIC",
    "HOUSE",
    "LIVE",
    "AnyCommand",
    "AnyEvent",
    "BetLimits",
    "Command",
    "Differential",
    "Done",
    "Event",
    "Phase",
    "Record",
    "Refusal",
    "Round",
    "SettingsError",
    "Step",
    "Table",
    "TableSettings",
    "Transfer",
    "decide",
    "execute",
    "fold",
    "refusal",
]
