"""What each viewer sees of a table and may do now: the page, bots and clients contain no rule."""

from puntobanco.views.judge import Action, Ask, fill
from puntobanco.views.public import Public
from puntobanco.views.seen import Seen, concerned, seen
from puntobanco.views.steps import NextStep, next_step
from puntobanco.views.view import View, Viewer, ViewerKind, granted, past_view, round_actions, view

__all__ = [
    "Action",
    "Ask",
    "NextStep",
    "Public",
    "Seen",
    "View",
    "Viewer",
    "ViewerKind",
    "concerned",
    "fill",
    "granted",
    "next_step",
    "past_view",
    "round_actions",
    "seen",
    "view",
]
