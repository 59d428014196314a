"""The commands and their options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nodetool_sandbox.cli.pack_arguments import LOCK_FILE, PacksOptions, add_packs, parse_packs

ALL_MODULES: Final = "all"
STANDARD_INPUT: Final = "-"
_ALLOW_NET: Final = "--allow-net"

_RUN: Final = """\
Run a program in a fresh guest. It finds what --input gives on the global object `inputs`. What it returns
goes to standard output: text and bytes as they are, everything else as JSON. What it logs goes to
standard error.
"""
_RUN_END: Final = """\
forms of --input:
  NAME=JSON          the value itself, such as --input limit=10 or --input 'tags=["a", "b"]'
  NAME=@FILE         the text of a file
  NAME=@json:FILE    the value in a JSON file
  NAME=@bytes:FILE   the bytes of a file

powers, none of which a program has unless it is named:
  --allow-net            fetch, to every public address
  --allow-net=HOST,...   fetch, to these hosts alone: api.example.com, *.example.org, example.net:8443
  --secret NAME          getSecret("NAME") is the variable NAME of the environment
  --secret NAME=VALUE    ... is the value; others on this machine can read it in the list of processes
  --secret NAME=env:VAR  ... is the variable VAR
  --secret NAME@HOST,... the program gets a placeholder, and fetch sends the value over https: to these hosts
  --workspace DIR        the files of DIR, to read and write
  --workspace DIR:ro     ... to read
  --workspace DIR:overlay  what it writes is listed at the end, and made with --apply

exit status: 0 the program returned, 1 it failed, 2 nothing was run, 130 Ctrl-C
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """`run`: the program or the file that it is in, what it gets, and what becomes of its result."""

    code: str | None
    file: str | None
    modules: tuple[str, ...]
    inputs: tuple[str, ...]
    timeout_ms: int | None
    memory_mb: int | None
    max_steps: int | None
    as_json: bool
    output: Path | None
    lock: Path | None
    locked: bool
    allow_net: str | None
    allow_private_net: bool
    secrets: tuple[str, ...]
    workspace: str | None
    apply: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceOptions:
    """`surface`: as JSON, as TypeScript, or to read."""

    as_json: bool
    types: bool


def parse_arguments(arguments: Sequence[str] | None = None) -> RunOptions | PacksOptions | SurfaceOptions:
    """What was asked for.

    Raises:
        SystemExit: help or the version was asked for (0), or the arguments are wrong (2).
    """
    parser, run = _build_parsers()
    given, rest = parser.parse_known_args(_with_values(sys.argv[1:] if arguments is None else arguments))
    if rest and getattr(given, "packs_command", None) != "compile":
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if given.command == "packs":
        return parse_packs(given, rest)
    if given.command == "surface":
        return SurfaceOptions(as_json=given.json, types=given.types)
    if (given.file is None) == (given.eval is None):
        run.error("name a program: a FILE, - for standard input, or -e CODE (one of them)")
    return RunOptions(
        code=given.eval,
        file=given.file,
        modules=tuple(given.module),
        inputs=tuple(given.input),
        timeout_ms=given.timeout_ms,
        memory_mb=given.memory_mb,
        max_steps=given.max_steps,
        as_json=given.json,
        output=given.output,
        lock=given.lock or (Path(LOCK_FILE) if given.locked else None),
        locked=given.locked,
        allow_net=given.allow_net,
        allow_private_net=given.allow_private_net,
        secrets=tuple(given.secret),
        workspace=given.workspace,
        apply=given.apply,
    )


def _with_values(arguments: Sequence[str]) -> list[str]:
    """The arguments, with an empty list of hosts behind an `--allow-net` that has none: what follows is no host."""
    return [f"{_ALLOW_NET}=" if each == _ALLOW_NET else each for each in arguments]


def _build_parsers() -> tuple[argparse.ArgumentParser, argparse.ArgumentParser]:
    """The parser of everything, and the one of `run`."""
    from nodetool_sandbox import __version__  # noqa: PLC0415 - the one place where it stands

    parser = argparse.ArgumentParser(
        prog="nodetool-sandbox",
        description="Runs JavaScript that nobody has to trust.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = _add_run(commands)

    add_packs(commands)
    surface = commands.add_parser("surface", help="what a program finds, and its limits", allow_abbrev=False)
    form = surface.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as one JSON document")
    form.add_argument("--types", action="store_true", help="as TypeScript declarations, every power included")
    return parser, run


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    run = commands.add_parser(
        "run",
        help="run a program",
        description=_RUN,
        epilog=_RUN_END,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    run.add_argument("file", nargs="?", metavar="FILE", help="the program's file, - for standard input")
    run.add_argument("-e", "--eval", metavar="CODE", help="the program itself")
    run.add_argument(
        "--module",
        action="append",
        default=[],
        metavar="SPEC",
        help=f"a module that the program may import, {ALL_MODULES!r} for every installed one; may be repeated",
    )
    run.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a value for the program, see below; may be repeated",
    )
    run.add_argument(_ALLOW_NET, metavar="HOST,...", help="let the program fetch, from these hosts or all")
    run.add_argument(
        "--allow-private-net", action="store_true", help="let it reach this machine and its neighbours too"
    )
    run.add_argument(
        "--secret",
        action="append",
        default=[],
        metavar="NAME[=VALUE][@HOST,...]",
        help="a secret that the program may ask for, see below; may be repeated",
    )
    run.add_argument(
        "--workspace", metavar="DIR[:ro|:overlay]", help="a folder that the program may use, see below"
    )
    run.add_argument(
        "--apply", action="store_true", help="make an overlay's changes when the program succeeds"
    )
    run.add_argument("--timeout-ms", type=int, metavar="N", help="stop the program after N milliseconds")
    run.add_argument("--memory-mb", type=int, metavar="N", help="give the program N MiB of memory")
    run.add_argument(
        "--max-steps", type=int, metavar="N", help="stop the program after N steps of the engine"
    )
    run.add_argument(
        "--lock", type=Path, metavar="FILE", help="warn of modules that are not what this lock says"
    )
    run.add_argument(
        "--locked", action="store_true", help=f"refuse them, and what is not locked; of {LOCK_FILE} or --lock"
    )
    run.add_argument(
        "--json", action="store_true", help="print the whole outcome as JSON, of a failed program too"
    )
    run.add_argument(
        "--output", type=Path, metavar="FILE", help="write the result to a file, whole or not at all"
    )
    return run
