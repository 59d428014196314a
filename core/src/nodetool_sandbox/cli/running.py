"""`run`: one program, from the arguments to the exit status."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from nodetool_sandbox import (
    INSTALLED,
    Cancel,
    Ended,
    InternalError,
    Limits,
    RunResult,
    Sandbox,
    SandboxError,
)
from nodetool_sandbox.cli.arguments import ALL_MODULES, RunOptions
from nodetool_sandbox.cli.endings import FAILED, INTERRUPTED, OK, UsageError
from nodetool_sandbox.cli.failures import failure_text
from nodetool_sandbox.cli.folders import build_workspace, change_documents, end_overlay
from nodetool_sandbox.cli.granting import build_fetch, build_secrets
from nodetool_sandbox.cli.inputs import load_program, parse_inputs
from nodetool_sandbox.cli.json_form import json_form, json_text
from nodetool_sandbox.cli.locking import load_lock, locked_modules
from nodetool_sandbox.cli.output import write_result
from nodetool_sandbox.cli.terminal import Terminal, guest_text
from nodetool_sandbox.stacks import printable

MIB: Final = 1024 * 1024
_EVAL_NAME: Final = "-e"
_STANDARD_INPUT_NAME: Final = "standard input"


def run_program(options: RunOptions) -> int:
    """The exit status of the program.

    Raises:
        UsageError: nothing was run.
    """
    code = options.code if options.file is None else load_program(options.file)
    inputs = parse_inputs(options.inputs)
    if options.output is not None and not options.output.absolute().parent.is_dir():
        raise UsageError(f"--output {options.output}: there is no such folder")
    terminal = Terminal(sys.stderr)
    limits = build_limits(options, terminal)
    lock, modules = None, options.modules
    if options.lock is not None:
        lock = load_lock(options.lock)
        modules = locked_modules(lock, options) if options.locked else modules
    sandbox = Sandbox(
        limits=limits,
        lock=lock,
        on_drift="refuse" if options.locked else "warn",
        on_log=terminal.log,
        on_progress=terminal.progress,
        fetch=build_fetch(options.allow_net, allow_private_net=options.allow_private_net),
        secrets=build_secrets(options.secrets),
        workspace=build_workspace(options.workspace, is_applied=options.apply),
    )
    try:
        result = asyncio.run(_run(sandbox, code or "", modules, inputs))
    except InternalError:
        raise
    except SandboxError as refusal:
        raise UsageError(str(refusal)) from None
    finally:
        terminal.close()
    _tell(result, options, code or "", terminal)
    is_made = end_overlay(result, terminal, is_applied=options.apply, is_quiet=options.as_json)
    _deliver(result, options, terminal)
    if result.ended is Ended.CANCELLED:
        return INTERRUPTED
    return OK if result.success and is_made else FAILED


def build_limits(options: RunOptions, terminal: Terminal) -> Limits:
    """The limits that were asked for; a line says where a bound made another value of one."""
    asked = (
        ("--timeout-ms", "timeout_ms", options.timeout_ms, 1),
        ("--memory-mb", "memory_limit_bytes", options.memory_mb, MIB),
        ("--max-steps", "max_steps", options.max_steps, 1),
    )
    limits = Limits(**{name: value * unit for _, name, value, unit in asked if value is not None}).clamped()
    for option, name, value, unit in asked:
        if value is not None and (used := getattr(limits, name) // unit) != value:
            bound = "most" if used < value else "least"
            terminal.say(f"nodetool-sandbox: {option} {value} is out of bounds: {used:,} is the {bound}")
    return limits


async def _run(sandbox: Sandbox, code: str, names: Sequence[str], inputs: dict[str, object]) -> RunResult:
    cancel = Cancel()
    loop = asyncio.get_running_loop()
    # Where there is no such handler (Windows), asyncio cancels this task: main sees a KeyboardInterrupt.
    with contextlib.suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGINT, cancel.cancel)
    modules = INSTALLED if ALL_MODULES in names else names
    return await sandbox.run(code, modules=modules, globals={"inputs": inputs}, cancel=cancel)


def _tell(result: RunResult, options: RunOptions, code: str, terminal: Terminal) -> None:
    """The log lines that were not told yet, the warnings and the failure, on standard error."""
    for line in result.logs[terminal.log_lines :]:
        terminal.say(guest_text(line))
    for warning in result.warnings:
        terminal.say(f"warning: {printable(warning)}")
    if not options.as_json and not result.success:
        terminal.say(failure_text(result, code=code, file=_file_name(options)))


def _file_name(options: RunOptions) -> str:
    if options.file is None:
        return _EVAL_NAME
    return options.file if options.file != "-" else _STANDARD_INPUT_NAME


def _deliver(result: RunResult, options: RunOptions, terminal: Terminal) -> None:
    """The result, to standard output or the file."""
    if options.as_json:
        write_result(options.output, json_text(result_document(result)) + "\n")
    elif not result.success:
        return
    elif isinstance(result.value, str):
        write_result(options.output, result.value)
    elif not isinstance(result.value, bytes):
        write_result(options.output, json_text(json_form(result.value)) + "\n")
    elif options.output is None and sys.stdout.isatty():
        terminal.say(f"{len(result.value):,} bytes, not shown on a terminal: use --output FILE, or a pipe")
    else:
        write_result(options.output, result.value)


def result_document(result: RunResult) -> dict[str, object]:
    """The whole outcome, ready for JSON."""
    return {
        "ended": result.ended,
        "success": result.success,
        "value": json_form(result.value),
        "error": None if result.error is None else asdict(result.error),
        "logs": list(result.logs),
        "usage": asdict(result.usage),
        "calls": [asdict(call) for call in result.calls],
        "warnings": list(result.warnings),
        "changes": change_documents(result.changes),
    }
