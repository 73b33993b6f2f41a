"""The command line: games, rules, deal, settle, decided, odds, roads, run, history, verify, export."""

from puntobanco.cli.app import main

__all__ = ["main"]
