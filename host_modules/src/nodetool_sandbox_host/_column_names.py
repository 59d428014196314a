"""The names of a table's columns, from its header."""

from __future__ import annotations

from collections.abc import Sequence


def column_names(texts: Sequence[str | None], *, first_column: int = 1) -> list[str]:
    """A name for each column: its text, `col_N` without one; a name that is there already gets `_1`, `_2`.

    No two are the same, and no made name is one that a later column has. N counts from `first_column`.
    """
    taken = {each for each in texts if each is not None}
    seen: dict[str, int] = {}
    names: list[str] = []
    for place, text in enumerate(texts, first_column):
        name = first = f"col_{place}" if text is None else text
        if first in seen:
            number = seen[first]
            while (name := f"{first}_{number}") in taken:
                number += 1
            seen[first] = number + 1
        else:
            seen[first] = 1
        taken.add(name)
        names.append(name)
    return names
