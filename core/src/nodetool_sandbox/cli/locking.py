"""`packs lock` and `run --lock`: what was installed, as a file to compare with."""

from __future__ import annotations

import sys
from pathlib import Path

from nodetool_sandbox_registry import ImportsRefused, LockError, Specifier

from nodetool_sandbox import ModuleLock, Sandbox
from nodetool_sandbox.cli.arguments import ALL_MODULES, RunOptions
from nodetool_sandbox.cli.endings import FAILED, OK, UsageError
from nodetool_sandbox.cli.output import write_result
from nodetool_sandbox.cli.pack_arguments import LockOptions
from nodetool_sandbox.cli.terminal import Terminal
from nodetool_sandbox.stacks import printable


def lock_packs(options: LockOptions) -> int:
    """Write the lock, or compare it; the exit status.

    Raises:
        UsageError: a module cannot be had, or the file cannot be read or written.
    """
    if options.check:
        return _check(load_lock(options.file), options)
    packs = Sandbox().packs
    wanted = options.specifiers or tuple(each.specifier for each in packs.summaries() if each.available)
    try:
        lock = packs.resolve(wanted).lock()
    except ImportsRefused as refused:
        raise UsageError(str(refused)) from None
    write_result(options.file, lock.text())
    count = len(lock.modules)
    _say(f"{count} module{'' if count == 1 else 's'} locked in {options.file}")
    return OK


def _check(lock: ModuleLock, options: LockOptions) -> int:
    """Compare what is installed with the lock, module by module: those that are named, or all in the lock."""
    packs = Sandbox().packs
    told: list[str] = []
    for specifier in options.specifiers or [each.specifier for each in lock.modules]:
        if lock.find(Specifier(specifier)) is None:
            told.append(f"{specifier} is not locked.")
            continue
        try:
            packs.resolve([specifier], lock=lock, on_drift="refuse")
        except ImportsRefused as refused:
            told += [each.message for each in refused.refusals]
    for each in told:
        _say(each)
    if told:
        _say(f"{options.file} is out of date; write it anew with: nodetool-sandbox packs lock")
    return FAILED if told else OK


def _say(line: str) -> None:
    Terminal(sys.stderr).say(printable(line))


def load_lock(file: Path) -> ModuleLock:
    """The lock in a file.

    Raises:
        UsageError: it cannot be read, or is no lock.
    """
    try:
        return ModuleLock.parse(file.read_bytes())
    except OSError as error:
        raise UsageError(
            f"{file}: cannot be read: {error.strerror}; write one with: nodetool-sandbox packs lock"
        ) from None
    except LockError as error:
        raise UsageError(f"{file}: {error}") from None


def locked_modules(lock: ModuleLock, options: RunOptions) -> tuple[str, ...]:
    """What a locked run may import: the modules that are named, or for `all` every one in the lock.

    Raises:
        UsageError: a module is named that is not in the lock.
    """
    locked = tuple(str(each.specifier) for each in lock.modules)
    missing = [each for each in options.modules if each not in {ALL_MODULES, *locked}]
    if missing:
        raise UsageError(
            f"--locked: {', '.join(missing)} is not in {options.lock}; "
            "look at what it is, then write the lock anew with: nodetool-sandbox packs lock"
        )
    return locked if ALL_MODULES in options.modules else options.modules
