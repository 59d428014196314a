"""A failed run as text: the error, the line where it happened with a caret, the stack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nodetool_sandbox import Ended, RunResult
from nodetool_sandbox.cli.terminal import cells, guest_text
from nodetool_sandbox.stacks import printable

_SHOWN_CHARACTERS: Final = 100
"""Of a source line; around the place of the error where it is longer."""
_TAB: Final = "    "
_UNDECLARED: Final = "is not a sandbox package declared for this run"
_HINTS: Final = {
    Ended.TIMEOUT: "raise it with --timeout-ms N",
    Ended.STEPS: "raise it with --max-steps N",
}


def failure_text(result: RunResult, *, code: str, file: str) -> str:
    """What went wrong, for a person; "" for a run that succeeded."""
    return "\n".join(_lines(result, code, file))


def _lines(result: RunResult, code: str, file: str) -> Iterator[str]:
    error = result.error
    if error is None:
        return
    shown_file = printable(file)
    place = shown_file
    if error.line is not None:
        place += f":{error.line}" + (f":{error.column}" if error.column is not None else "")
    yield f"{place}: {guest_text(str(error))}"
    if error.line is not None:
        yield from source_lines(code, error.line, error.column)
    for line in error.stack.split("\n") if error.stack else ():
        yield f"  {printable(line.strip().replace('user-code:', f'{file}:'))}"
    hint = _hint(result)
    if hint:
        yield f"({hint})"


def _hint(result: RunResult) -> str | None:
    error = result.error
    if (
        error is not None
        and error.name == "Error"
        and "is not a sandbox package declared for this run" in error.message
    ):
        return "on the command line: --module SPEC, or --module all"
    return _HINTS.get(result.ended)


def source_lines(code: str, line: int, column: int | None) -> Iterator[str]:
    """A line of the program under its number, and a caret below the column."""
    lines = code.splitlines() if "\r" in code else code.split("\n")
    if not 0 < line <= len(lines):
        return
    text = lines[line - 1]
    at = min(column - 1, len(text)) if column else 0
    start = max(0, min(at - _SHOWN_CHARACTERS // 2, len(text) - _SHOWN_CHARACTERS))
    before, after = _shown(text[start:at]), _shown(text[at : start + _SHOWN_CHARACTERS])
    margin = f"  {line} | "
    yield f"{margin}{before}{after}"
    if column:
        yield f"{'| '.rjust(len(margin))}{' ' * cells(before)}^"


def _shown(text: str) -> str:
    return printable(text.replace("\t", _TAB))
