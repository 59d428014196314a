"""From the arguments of one call to its exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from nodetool_sandbox.cli.arguments import RunOptions, SurfaceOptions, parse_arguments
from nodetool_sandbox.cli.endings import INTERNAL, INTERRUPTED, READER_GONE, USAGE, UsageError
from nodetool_sandbox.cli.pack_arguments import (
    CheckOptions,
    CompileOptions,
    InfoOptions,
    ListOptions,
    LockOptions,
    NewOptions,
    PacksOptions,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status of one call; `arguments` are those of the process by default."""
    from nodetool_sandbox import InternalError  # noqa: PLC0415 - `--help` answers before the runtime loads

    options = parse_arguments(arguments)
    try:
        return _do(options)
    except UsageError as error:
        _complain(f"error: {error}")
        return USAGE
    except InternalError as error:
        _complain(f"internal error: {error}")
        return INTERNAL
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes standard output once more while it ends: into nothing, then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE


def _do(options: RunOptions | PacksOptions | SurfaceOptions) -> int:
    match options:
        case RunOptions():
            from nodetool_sandbox.cli.running import run_program  # noqa: PLC0415

            return run_program(options)
        case SurfaceOptions():
            from nodetool_sandbox.cli.surface import show_surface  # noqa: PLC0415

            return show_surface(options)
        case _:
            return _do_packs(options)


def _do_packs(options: PacksOptions) -> int:
    match options:
        case ListOptions() | InfoOptions():
            from nodetool_sandbox.cli.packs import show_packs  # noqa: PLC0415

            return show_packs(options)
        case LockOptions():
            from nodetool_sandbox.cli.locking import lock_packs  # noqa: PLC0415

            return lock_packs(options)
        case NewOptions():
            from nodetool_sandbox.cli.authoring.new import write_pack  # noqa: PLC0415

            return write_pack(options)
        case CheckOptions():
            from nodetool_sandbox.cli.authoring.check import check_pack  # noqa: PLC0415

            return check_pack(options)
        case CompileOptions():
            from nodetool_sandbox.cli.authoring.compiling import compile_packs  # noqa: PLC0415

            return compile_packs(options)


def _complain(line: str) -> None:
    from nodetool_sandbox.cli.terminal import Terminal, guest_text  # noqa: PLC0415

    Terminal(sys.stderr).say(f"nodetool-sandbox: {guest_text(line)}")
