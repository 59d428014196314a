"""The names of the pack world: parsed once, each with a type of its own.

A *distribution* is what pip installs (`nodetool-sandbox-csv`), a *pack* is what JavaScript
calls it (`@nodetool-ai/sandbox-csv`), a *specifier* is what a program imports: the pack, or
the pack and one segment. The first-party packs have scoped names from the seed; every other
pack is called as its distribution, so nobody can publish under another's name.
"""

from __future__ import annotations

import re
from typing import Final, NewType

from nodetool_sandbox_registry.hosts import HostId
from nodetool_sandbox_registry.texts import quoted

DistName = NewType("DistName", str)
"""A distribution's name after PEP 503 normalisation."""

PackName = NewType("PackName", str)
"""What JavaScript calls a pack: the first part of all of its specifiers."""

Specifier = NewType("Specifier", str)
"""What a program writes after `from`: `name`, `name/module`, `@scope/name` or `@scope/name/module`."""

ModuleId = NewType("ModuleId", str)
"""A file of a pack: its path in the pack, `npm:<library>` or `host:<id>`."""

RESERVED_SCOPE: Final = "@nodetool-ai/"
"""Only pinned distributions publish under this scope."""

MAX_NAME_CHARS: Final = 128
"""The longest distribution name or module name."""

MAX_SPECIFIER_CHARS: Final = 2 * MAX_NAME_CHARS + len(RESERVED_SCOPE)

MAX_HOST_ID_CHARS: Final = 64

# ASCII by name, never \w or IGNORECASE: both let letters of other scripts through. And fullmatch
# everywhere, because `$` also matches before a final newline.
_DIST_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_SEPARATORS = re.compile(r"[-_.]+")
_MODULE_NAME = re.compile(r"[A-Za-z0-9._-]+")
_HOST_ID = re.compile(r"[a-z][a-z0-9-]*")
_SPECIFIER = re.compile(r"((?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*)(?:/([A-Za-z0-9._-]+))?")
_UNUSABLE_SEGMENTS: Final = frozenset({".", "..", "node_modules"})


class InvalidNameError(ValueError):
    """A text that is no name of the kind asked for. The message quotes it and says what was expected."""


def parse_dist_name(text: str) -> DistName:
    """The name as PEP 503 compares it: lower case, each run of `-`, `_` and `.` one `-`.

    Raises:
        InvalidNameError: it is not a distribution name at all (other letters, a separator at an end).
    """
    if len(text) > MAX_NAME_CHARS or _DIST_NAME.fullmatch(text) is None:
        message = f"{quoted(text)} is not a distribution name (ASCII letters and digits, with - _ . between)"
        raise InvalidNameError(message)
    return DistName(_SEPARATORS.sub("-", text).lower())


def parse_host_id(text: str) -> HostId:
    """The text, which is a host id.

    Raises:
        InvalidNameError: it is not 1 to 64 characters of `[a-z][a-z0-9-]*`.
    """
    if len(text) > MAX_HOST_ID_CHARS or _HOST_ID.fullmatch(text) is None:
        expected = f"1 to {MAX_HOST_ID_CHARS} characters: a lower-case letter, then letters, digits, -"
        message = f"{quoted(text)} is not a host id ({expected})"
        raise InvalidNameError(message)
    return HostId(text)


def parse_module_name(text: str) -> str:
    """The name of a module within its pack: `.` for the pack itself, or one path segment.

    Raises:
        InvalidNameError: it is more than one segment, or a segment that means something else.
    """
    usable = text == "." or (text not in _UNUSABLE_SEGMENTS and _MODULE_NAME.fullmatch(text) is not None)
    if not usable or len(text) > MAX_NAME_CHARS:
        message = f'{quoted(text)} is not a module name ("." or one segment of letters, digits, . _ -)'
        raise InvalidNameError(message)
    return text


def parse_specifier(text: str) -> Specifier:
    """The text, which is a module specifier.

    Raises:
        InvalidNameError: it is a URL, a path, a name of another system (`node:fs`), or three segments.
    """
    match = _SPECIFIER.fullmatch(text) if len(text) <= MAX_SPECIFIER_CHARS else None
    if match is None or match[2] in _UNUSABLE_SEGMENTS:
        expected = "name, name/module, @scope/name or @scope/name/module"
        message = f"{quoted(text)} is not a module specifier (expected {expected})"
        raise InvalidNameError(message)
    return Specifier(text)


def build_specifier(pack: PackName, name: str) -> Specifier:
    """What a program imports to get the pack's module of that name."""
    return Specifier(pack if name == "." else f"{pack}/{name}")


def pack_of(specifier: Specifier) -> PackName:
    """The pack that alone may publish under this specifier."""
    parts = specifier.split("/")
    return PackName("/".join(parts[: 2 if specifier.startswith("@") else 1]))
