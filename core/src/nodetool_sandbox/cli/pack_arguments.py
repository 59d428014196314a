"""The commands of `packs` and their options."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOCK_FILE: Final = "sandbox.lock"

_NEW: Final = """\
Write the project of a new pack: JavaScript, its manifest, its guide, its signatures, a test. NAME is what pip
and programs call it.
"""
_CHECK: Final = """\
Say what would be said about a pack once it is installed, and more: its modules are loaded in an empty guest,
the examples of its SKILL.md run, and its index.d.ts is compared with what the modules export. PATH is the
folder of a project (with a pyproject.toml), or a wheel.
"""
_CHECK_END: Final = "exit status: 0 nothing is wrong, 1 something is, 2 there is nothing to check\n"
_LOCK: Final = """\
Write down which distribution, version and content each installed module has, for `run --lock` and
`Sandbox(lock=...)`. Without SPEC every module is locked that can run.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOptions:
    """`packs list`."""

    as_json: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InfoOptions:
    """`packs info`: a specifier, or the name of a distribution."""

    name: str
    as_json: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOptions:
    """`packs new`."""

    name: str
    folder: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """`packs check`; a strict one takes a warning for an error."""

    path: Path
    strict: bool
    as_json: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LockOptions:
    """`packs lock`; with `check` the file is compared and not written."""

    specifiers: tuple[str, ...]
    file: Path
    check: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileOptions:
    """`packs compile`; its arguments are the compiler's."""

    arguments: tuple[str, ...]


PacksOptions = ListOptions | InfoOptions | NewOptions | CheckOptions | LockOptions | CompileOptions


def add_packs(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `packs` and what stands below it."""
    packs = commands.add_parser("packs", help="installed packs, and packs of your own", allow_abbrev=False)
    about = packs.add_subparsers(dest="packs_command", required=True, metavar="COMMAND")

    listing = about.add_parser("list", help="every module that a program could import", allow_abbrev=False)
    _add_json(listing)

    info = about.add_parser("info", help="one pack: its modules, exports and guide", allow_abbrev=False)
    info.add_argument(
        "name", metavar="SPEC", help="such as @nodetool-ai/sandbox-yaml, or nodetool-sandbox-yaml"
    )
    _add_json(info)

    lock = about.add_parser(
        "lock", help="write down what is installed", description=_LOCK, allow_abbrev=False
    )
    lock.add_argument("specifiers", nargs="*", metavar="SPEC", help="a module to lock")
    lock.add_argument(
        "--output", type=Path, default=Path(LOCK_FILE), metavar="FILE", help=f"instead of {LOCK_FILE}"
    )
    lock.add_argument(
        "--check", action="store_true", help="write nothing; status 1 when the file is not what it would be"
    )

    new = about.add_parser("new", help="the project of a new pack", description=_NEW, allow_abbrev=False)
    new.add_argument("name", metavar="NAME", help="such as acme-geo")
    new.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="instead of a folder called NAME")

    check = about.add_parser(
        "check",
        help="what is wrong with a pack, before it is published",
        description=_CHECK,
        epilog=_CHECK_END,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    check.add_argument(
        "path", nargs="?", type=Path, default=Path(), metavar="PATH", help="instead of this folder"
    )
    check.add_argument("--strict", action="store_true", help="status 1 for a warning too")
    _add_json(check)

    # Its arguments are another distribution's, --help among them: `parse_packs` takes them as they are.
    about.add_parser("compile", help="compile the npm libraries of packs", add_help=False)


def parse_packs(given: argparse.Namespace, rest: list[str]) -> PacksOptions:
    """The options of the command that was named; `rest` is what the parser did not know."""
    match given.packs_command:
        case "info":
            return InfoOptions(name=given.name, as_json=given.json)
        case "lock":
            return LockOptions(specifiers=tuple(given.specifiers), file=given.output, check=given.check)
        case "new":
            return NewOptions(name=given.name, folder=given.folder)
        case "check":
            return CheckOptions(path=given.path, strict=given.strict, as_json=given.json)
        case "compile":
            return CompileOptions(arguments=tuple(rest))
        case _:
            return ListOptions(as_json=given.json)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as one JSON document")
