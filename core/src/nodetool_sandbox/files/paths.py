"""What a program calls a path, as the names that lead from the root to it.

The rule is the same on every system: parts with `/` between them, `.` and `..` taken away by the text alone,
as `path.resolve` does it. No name is changed: `é` in two spellings, `A` and `a`, are two names each.
"""

from __future__ import annotations

import errno
import os
import re
from typing import Final

from nodetool_sandbox.files.refusals import OutsideError, PathRefusedError
from nodetool_sandbox.limits import MAX_WORKSPACE_DEPTH, MAX_WORKSPACE_PATH_BYTES

Parts = tuple[str, ...]
"""The names from the root to a place; none for the root itself."""

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SHOWN_CHARACTERS: Final = 200


def parse_path(text: object, *, shown_root: Parts) -> Parts:
    """The place that a program means, beneath a root that it knows under `shown_root`.

    Raises:
        PathRefusedError: it is no path; the message says why.
        OutsideError: it lies outside.
        OSError: ENAMETOOLONG.
    """
    text = _checked(text)
    if text == "~" or text.startswith("~/"):
        raise PathRefusedError(f"workspace path must begin inside the workspace, and ~ is not: {shown(text)}")
    if not text.startswith("/"):
        return _bounded(_resolved(text, start=()))
    absolute = _resolved_absolute(text, start=())
    if absolute[: len(shown_root)] != shown_root or not shown_root:
        raise OutsideError
    return _bounded(absolute[len(shown_root) :])


def parse_host_path(text: object, *, base: Parts) -> Parts:
    """The place in the whole file system: `~` is the home folder, and what is relative begins at `base`.

    Raises:
        PathRefusedError: it is no path; the message says why.
        OSError: ENAMETOOLONG.
    """
    text = _checked(text)
    if text == "~" or text.startswith("~/"):
        text = os.path.expanduser("~") + text[1:]  # noqa: PTH111 - the text alone; Path would look at the user's name too
    return _bounded(_resolved_absolute(text, start=() if text.startswith("/") else base))


def host_parts(path: str) -> Parts:
    """The names of an absolute path of this system."""
    return _resolved_absolute(path, start=())


def _checked(text: object) -> str:
    if not isinstance(text, str):
        raise PathRefusedError("path must be a string")
    try:
        length = len(text.encode())
    except UnicodeEncodeError:
        raise PathRefusedError(f"workspace path is no well-formed text: {shown(text)}") from None
    if length > MAX_WORKSPACE_PATH_BYTES:
        raise OSError(errno.ENAMETOOLONG, "")
    if "\0" in text:
        raise PathRefusedError(f"workspace path must not hold a NUL character: {shown(text)}")
    if "\\" in text:
        raise PathRefusedError(f"workspace path must have / between its parts, not \\: {shown(text)}")
    if _URL.match(text):
        raise PathRefusedError(f"workspace path is a URL: {shown(text)}")
    return text


def _resolved(text: str, *, start: Parts) -> Parts:
    names = list(start)
    for name in text.split("/"):
        if name == "..":
            if not names:
                raise OutsideError
            names.pop()
        elif name not in {"", "."}:
            names.append(name)
    return tuple(names)


def _resolved_absolute(text: str, *, start: Parts) -> Parts:
    names = list(start)
    for name in text.split("/"):
        if name == "..":
            del names[-1:]  # above the root of a system is its root
        elif name not in {"", "."}:
            names.append(name)
    return tuple(names)


def _bounded(parts: Parts) -> Parts:
    if len(parts) > MAX_WORKSPACE_DEPTH:
        raise PathRefusedError(
            f"workspace path is {len(parts)} folders deep, and {MAX_WORKSPACE_DEPTH} are allowed "
            f"(MAX_WORKSPACE_DEPTH): {shown('/'.join(parts))}"
        )
    return parts


def shown(text: str) -> str:
    """A path of the program as a message quotes it: what does not print is escaped, what is long is cut."""
    cut = text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in cut)
