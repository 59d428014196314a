"""The folder that a program works in: `--workspace DIR[:ro|:overlay]`, and what becomes of an overlay's changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from nodetool_sandbox import Changes, RunResult, SandboxError, Workspace
from nodetool_sandbox.cli.endings import UsageError
from nodetool_sandbox.cli.terminal import Terminal
from nodetool_sandbox.stacks import printable

Mode = Literal["rw", "ro", "overlay"]
MODES: Final[Mapping[str, Mode]] = {"rw": "rw", "ro": "ro", "overlay": "overlay"}
"""What may stand behind the folder; `host` is for embedders alone."""


def build_workspace(given: str | None, *, is_applied: bool) -> Workspace | None:
    """The workspace that was asked for.

    Raises:
        UsageError: there is no such folder, or nothing to apply.
    """
    folder, colon, mode = (given or "").rpartition(":")
    if not colon or mode not in MODES:
        folder, mode = given or "", "rw"
    if is_applied and mode != "overlay":
        raise UsageError("--apply makes the changes of an overlay: give --workspace DIR:overlay too")
    if given is None:
        return None
    try:
        return Workspace(folder, mode=MODES[mode])
    except ValueError as refusal:
        raise UsageError(f"--workspace {given}: {refusal}") from None


def end_overlay(result: RunResult, terminal: Terminal, *, is_applied: bool, is_quiet: bool) -> bool:
    """List what an overlay's program changed, and make it so where that was asked for; whether all went well."""
    changes = result.changes
    if changes is None:
        return True
    applied = is_applied and result.success
    if not is_quiet:
        for line in change_lines(changes):
            terminal.say(line)
        terminal.say(f"workspace: {_outcome(len(changes), is_applied=is_applied, applied=applied)}")
    if not applied:
        return True
    try:
        changes.apply()
    except (SandboxError, OSError) as refusal:
        reason = refusal.strerror if isinstance(refusal, OSError) else refusal
        terminal.say(f"nodetool-sandbox: --apply: {printable(str(reason))}")
        return False
    return True


def change_lines(changes: Changes) -> list[str]:
    """One line an entry: what became of it, its path, its new size."""
    return [
        f"  {change.kind:8} {printable(change.path)}"
        + ("/" if change.is_folder else f"  {change.size:,} bytes" if change.content is not None else "")
        for change in changes
    ]


def _outcome(count: int, *, is_applied: bool, applied: bool) -> str:
    changes = f"{count:,} change{'s' if count != 1 else ''}"
    if applied:
        return f"{changes} made"
    if is_applied:
        return f"{changes} not made, because the program failed"
    return f"{changes} not made; --apply makes them" if count else changes


def change_documents(changes: Changes | None) -> list[dict[str, object]] | None:
    """The changes, ready for JSON; None where there is no overlay."""
    if changes is None:
        return None
    return [
        {"path": change.path, "kind": change.kind, "folder": change.is_folder, "bytes": change.size}
        for change in changes
    ]
