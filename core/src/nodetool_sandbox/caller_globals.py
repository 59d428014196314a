"""What the caller gives a program in `globals`: checked names, one message, and what comes back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox.errors import LimitExceeded
from nodetool_sandbox.limits import Limits
from nodetool_sandbox.marshal import FunctionTable, to_guest
from nodetool_sandbox.surface import RESERVED, RESERVED_WORDS

_IDENTIFIER: Final = re.compile(r"[a-zA-Z_$][a-zA-Z0-9_$]*")
_NAME_SHOWN: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerGlobals:
    """The globals of one run, ready to cross. `written_back` are the dicts and lists that come back."""

    payload: bytes
    refs: bool
    functions: FunctionTable
    function_names: Mapping[int, str]
    written_back: Mapping[str, dict[str, object] | list[object]]

    @property
    def names_payload(self) -> bytes:
        """The names of what comes back, as one message; nothing where nothing does."""
        return to_guest(list(self.written_back)).payload if self.written_back else b""


def cross_globals(given: Mapping[str, object] | None, limits: Limits) -> CallerGlobals:
    """The globals as one message.

    Raises:
        TypeError, ValueError: names that cannot be given, all of them at once, or a value that cannot cross.
        LimitExceeded: more names than `max_globals`.
    """
    functions = FunctionTable()
    if not given:
        return CallerGlobals(payload=b"", refs=False, functions=functions, function_names={}, written_back={})
    if not isinstance(given, Mapping):
        raise TypeError(f"globals must be a dict, not {type(given).__name__}")
    if len(given) > limits.max_globals:
        raise LimitExceeded(limit="max_globals", allowed=limits.max_globals, seen=len(given), what="globals")
    problems = [problem for name in given if (problem := name_problem(name))]
    if problems:
        raise ValueError("globals: " + "; ".join(problems))
    # shared: what a program left in a global, a cycle too, must be fit for the next run
    message = to_guest(dict(given), at="globals", functions=functions, shared=True)
    return CallerGlobals(
        payload=message.payload,
        refs=message.refs,
        functions=functions,
        function_names=_function_names(given, functions),
        written_back={name: value for name, value in given.items() if isinstance(value, dict | list)},
    )


def name_problem(name: object) -> str | None:
    """Why a global cannot have that name, or None."""
    if not isinstance(name, str):
        return f"a name must be text, not {type(name).__name__}"
    if not _IDENTIFIER.fullmatch(name):
        return f"{name[:_NAME_SHOWN]!r} is no plain identifier (letters, digits, _ and $)"
    if name in RESERVED_WORDS:
        return f"{name!r} is a word of the language and could not be read"
    if name in RESERVED or name.startswith("__"):
        return f"{name!r} is reserved for the sandbox"
    return None


def _function_names(given: Mapping[str, object], functions: FunctionTable) -> dict[int, str]:
    """What each function is called in messages and logs: its global's name, or the name that it brings."""
    names: dict[int, str] = {}
    for number in range(len(functions)):
        function = functions.function(number)
        names[number] = str(getattr(function, "__name__", None) or "function")[:_NAME_SHOWN]
    for name, value in given.items():
        if callable(value) and not isinstance(value, Mapping | list):
            names[functions.number(value)] = name
    return names
