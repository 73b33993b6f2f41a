"""The command line: games, rules, deal, settle, decided, odds, roads."""

from puntobanco.cli.app import main

__all__ = ["main"]
