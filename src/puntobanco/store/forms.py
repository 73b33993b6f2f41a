"""The forms of stored events: a type keeps its name for ever, its fields may change, and old ones are raised when read.

What is stored never changes. When an event type gets other fields, :data:`FORMS` counts its form up, and an upcaster
says how the fields of the form before become those of the next. A line without ``form`` has form 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from puntobanco.table.events import AnyEvent

Fields = dict[str, Any]
Upcaster = Callable[[Fields], Fields]


class Forms:
    """Which form each event type has now, and the way there from earlier ones."""

    def __init__(self) -> None:
        self.current: dict[str, int] = {str(kind.__struct_config__.tag): 1 for kind in get_args(AnyEvent)}
        self._upcasters: dict[tuple[str, int], Upcaster] = {}
        self.changed: frozenset[str] = frozenset()
        """The names of types that have, or had, more than one form."""

    def upcaster(self, name: str, form: int) -> Callable[[Upcaster], Upcaster]:
        """Registers how a type's ``form`` becomes the next one; the fields may come back under another type's name."""

        def register(function: Upcaster) -> Upcaster:
            assert (name, form) not in self._upcasters, f"{name} {form} is raised already"
            self._upcasters[name, form] = function
            self.changed |= {name}
            if name in self.current:
                self.current[name] = max(self.current[name], form + 1)
            return function

        return register

    def raised(self, name: str, form: int, fields: Fields) -> Fields:
        """The fields in the current form. Raises ValueError for a form that nobody knows."""
        while (name, form) in self._upcasters:
            fields = self._upcasters[name, form](fields)
            form = form + 1 if fields.get("event", name) == name else 1
            name = fields.get("event", name)
        if self.current.get(name) != form:
            raise ValueError(f"nobody here knows form {form} of {name}")
        return fields


FORMS = Forms()
"""The forms of this version. No type has changed yet."""
