"""Standard error while a program runs: its log lines, and a bar for its progress on a terminal.

Nothing that a program says acts on the terminal: control characters are escaped, and a line break in
its text is followed by an indent, so that a program cannot write a line that looks like one of ours.
"""

from __future__ import annotations

import shutil
import unicodedata
from typing import Final, TextIO

from nodetool_sandbox.stacks import printable

_BAR_CELLS: Final = 24
_CLEAR_LINE: Final = "\r\x1b[2K"
_INDENT: Final = "    "


def guest_text(text: str) -> str:
    """Text of a program as it may stand on a terminal."""
    return printable(text, keep_newlines=True).replace("\n", f"\n{_INDENT}")


def cells(text: str) -> int:
    """How wide a line stands on a terminal."""
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )


class Terminal:
    """Standard error of one run."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._bar = ""
        self.log_lines = 0

    def log(self, level: str, text: str) -> None:
        """One line that the program logs."""
        self.log_lines += 1
        self.say(guest_text(text if level == "log" else f"[{level}] {text}"))

    def say(self, line: str) -> None:
        """One line, above the bar."""
        self._write(f"{_CLEAR_LINE if self._bar else ''}{line}\n{self._bar}")

    def progress(self, percent: float, message: str | None) -> None:
        """Draw the bar anew; nothing where there is no terminal."""
        if self._is_terminal:
            self._bar = progress_bar(percent, message or "", shutil.get_terminal_size().columns)
            self._write(_CLEAR_LINE + self._bar)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar:
            self._bar = ""
            self._write(_CLEAR_LINE)

    def _write(self, text: str) -> None:
        encoding = self._stream.encoding or "utf-8"
        self._stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        self._stream.flush()


def progress_bar(percent: float, message: str, columns: int) -> str:
    """`[######------]  50 % message`, no wider than the terminal."""
    full = round(_BAR_CELLS * percent / 100)
    bar = f"[{'#' * full}{'-' * (_BAR_CELLS - full)}] {percent:3.0f} %"
    room = columns - len(bar) - 2
    shown = ""
    for each in printable(message):
        if (room := room - cells(each)) < 0:
            break
        shown += each
    return f"{bar} {shown}" if shown else bar
