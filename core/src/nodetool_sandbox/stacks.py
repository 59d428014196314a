"""What a guest says about where it failed: made short, safe to print, and moved to the user's lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from nodetool_sandbox.entry import Entry
from nodetool_sandbox.limits import MAX_STACK_LINE_CHARACTERS, MAX_STACK_LINES

_KEPT: Final = ("user-code", "<evalScript>", "agent-js", "evalmachine")
_DROPPED: Final = ("node:", "node_modules")
_USER_POSITION: Final = re.compile(r"user-code:(-?[0-9]{1,9}):([0-9]{1,9})")
_WRAPPER_FRAME: Final = re.compile(r"    at <anonymous> \(user-code:([0-9]{1,9}):1\)")
_MAX_LINES_READ: Final = 1_000


def clean_stack(text: str, entry: Entry | None = None) -> str:
    """The first lines of a stack that say something about the program, at the program's own lines.

    Lines of a Node.js runtime and of the wrapper around the program are left out. Lines are cut at
    `MAX_STACK_LINE_CHARACTERS` and otherwise stay as they are: a program writes into its own stack
    what it likes, so it is data (`printable` makes it fit for a terminal).
    """
    lines: list[str] = []
    for line in _clean_lines(text, entry):
        if len(lines) == MAX_STACK_LINES:
            break
        lines.append(line)
    return "\n".join(lines)


def stack_position(text: str, entry: Entry | None = None) -> tuple[int, int] | None:
    """The line and column of the innermost place in the program that a stack names, or None."""
    for line in _clean_lines(text, entry):
        found = _USER_POSITION.search(line)
        if found:
            return int(found[1]), int(found[2])
    return None


def _clean_lines(text: str, entry: Entry | None) -> Iterator[str]:
    begin = 0
    for _ in range(_MAX_LINES_READ):
        end = text.find("\n", begin)
        # No more of a line is looked at than is shown.
        line = text[begin : len(text) if end < 0 else end][:MAX_STACK_LINE_CHARACTERS]
        if _is_kept(line) and (moved := _moved(line, entry)) is not None:
            yield moved[:MAX_STACK_LINE_CHARACTERS]
        if end < 0:
            return
        begin = end + 1


def _is_kept(line: str) -> bool:
    if any(mark in line for mark in _KEPT):
        return True
    return bool(line.strip()) and not any(mark in line for mark in _DROPPED)


def _moved(line: str, entry: Entry | None) -> str | None:
    """The line with the program's own positions, or None for a line of the wrapper."""
    if entry is None:
        return line
    wrapper = _WRAPPER_FRAME.fullmatch(line)
    if wrapper and int(wrapper[1]) > entry.code.count("\n") + 1:
        return None  # where our own text behind the program calls it
    parts: list[str] = []
    end = 0
    for found in _USER_POSITION.finditer(line):
        position = entry.user_position(int(found[1]), int(found[2]))
        if position is None:
            return None
        parts += line[end : found.start()], f"user-code:{position[0]}:{position[1]}"
        end = found.end()
    return "".join([*parts, line[end:]])


# Controls, line separators, marks that reorder or hide text, and half characters, which no stream takes.
_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str, *, keep_newlines: bool = False) -> str:
    r"""Text of a guest as it may be shown on a terminal or in a log file: nothing in it acts.

    A line break becomes `\n` too, so that an entry cannot look like two; `keep_newlines` keeps it
    where the text stands alone.
    """

    def shown(found: re.Match[str]) -> str:
        character = found.group()
        if character == "\n" and keep_newlines:
            return character
        return character.encode("unicode_escape").decode("ascii")

    return _UNPRINTABLE.sub(shown, text)
