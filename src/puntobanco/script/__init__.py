"""The text format of a table's history: read it, print it, play it, and tell a log in it.

>>> from puntobanco.script import parse_script, play
>>> played = play(
...     parse_script('''
... game super-six
... open
... sit ann 1
... chips in ann 100
... shoe "from the machine"
... call
... bet ann banker 5      # ann sits at box 1
... expect stack ann 95
... ''')
... )
>>> played.met, played.unmet
(1, None)

``docs/history-format.md`` describes the format in full.
"""

from puntobanco.script.history import History, retell
from puntobanco.script.language import ScriptError, format_script, parse_script
from puntobanco.script.lines import Act, Expectation, Line, Pause, Script, Setting
from puntobanco.script.log import LogError, fold_log, format_log, parse_log
from puntobanco.script.play import Play, Step, Unmet, play
from puntobanco.script.words import Told, Voice

__all__ = [
    "Act",
    "Expectation",
    "History",
    "Line",
    "LogError",
    "Pause",
    "Play",
    "Script",
    "ScriptError",
    "Setting",
    "Step",
    "Told",
    "Unmet",
    "Voice",
    "fold_log",
    "format_log",
    "format_script",
    "parse_log",
    "parse_script",
    "play",
    "retell",
]
