"""``python -m puntobanco`` is the command ``puntobanco``."""

from puntobanco.cli import main

main()
