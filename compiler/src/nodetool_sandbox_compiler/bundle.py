"""One file of an npm library and all that it imports, or the reason why there is none."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nodetool_sandbox_registry.codes import Code
from nodetool_sandbox_registry.packs import MAX_BUNDLE_BYTES

from nodetool_sandbox_compiler.inputs import Imports
from nodetool_sandbox_compiler.options import OPTIONS
from nodetool_sandbox_compiler.outcomes import EndsShort
from nodetool_sandbox_compiler.processes import Ran, run_tool
from nodetool_sandbox_compiler.tools import tool_environment

BUNDLE_TIMEOUT_S: Final = 60.0
MAX_METAFILE_BYTES: Final = 64 * 1024 * 1024

# What Node has built in, by the names that libraries import. `node:` in front says so by itself.
NODE_BUILTINS: Final = frozenset(
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain "
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl "
    "stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib".split()
)

_ENTRY: Final = "nodetool-sandbox-entry.js"
_ENTRIES: Final = frozenset({_ENTRY, "<stdin>"})
_UNRESOLVED: Final = re.compile(r'Could not resolve "([^"\n]+)"')
_ERROR: Final = re.compile(r"\[ERROR\] (.+)")
_PLACE: Final = re.compile(r"^ {4}(\S.*:\d+:\d+):$", re.MULTILINE)
_TOLD_ERRORS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The one file; `imports` tells what it was made of. `optional` are packages that it can do without."""

    source: str
    imports: Imports
    optional: tuple[str, ...]


def bundle(pack_dir: Path, npm: str, *, esbuild: Path) -> Bundle:
    """The library as it is installed for the pack, as one module with its named exports and its default one.

    Raises:
        EndsShort: it is not installed, imports what Node has built in, cannot be bundled, or is too large.
    """
    quoted = json.dumps(npm)
    both = f"export * from {quoted};\nexport {{ default }} from {quoted};\n"
    try:
        return _bundle(pack_dir, npm, both, esbuild)
    except EndsShort as ended:
        if ended.code is not Code.NPM_MODULE_BUNDLE_FAILED:
            raise
    return _bundle(pack_dir, npm, f"export * from {quoted};\n", esbuild)


def is_builtin(specifier: str) -> bool:
    """Whether Node has it built in: `fs`, `fs/promises`, `node:fs`."""
    return specifier.startswith("node:") or specifier.split("/", 1)[0] in NODE_BUILTINS


def _bundle(pack_dir: Path, npm: str, entry: str, esbuild: Path) -> Bundle:
    with tempfile.TemporaryDirectory(prefix="nodetool-sandbox-bundle-") as scratch:
        out, meta = Path(scratch, "out.js"), Path(scratch, "meta.json")
        try:
            ran = run_tool(
                [esbuild, *_arguments(), f"--outfile={out}", f"--metafile={meta}"],
                cwd=pack_dir,
                env=tool_environment(),
                timeout_s=BUNDLE_TIMEOUT_S,
                stdin=entry.encode(),
            )
        except OSError as error:
            raise EndsShort(
                Code.COMPILER_UNAVAILABLE, f"the bundler cannot be started: {error.strerror}"
            ) from None
        if ran.status != 0:
            raise _ending(ran, npm)
        size = out.stat().st_size
        if size > MAX_BUNDLE_BYTES:
            raise EndsShort(
                Code.NPM_MODULE_TOO_LARGE,
                f"{npm} is {size} bytes as one file, above the cap of {MAX_BUNDLE_BYTES} bytes; "
                "import the part that is needed, or choose a smaller library",
            )
        if meta.stat().st_size > MAX_METAFILE_BYTES:
            raise EndsShort(Code.NPM_MODULE_TOO_LARGE, f"{npm} is made of too many files to list")
        return _read(out, meta, pack_dir, npm)


def _arguments() -> list[str]:
    conditions, main_fields = OPTIONS["conditions"], OPTIONS["mainFields"]
    assert isinstance(conditions, list)  # noqa: S101 - OPTIONS is ours
    assert isinstance(main_fields, list)  # noqa: S101 - the same
    return [
        "--bundle",
        f"--format={OPTIONS['format']}",
        f"--platform={OPTIONS['platform']}",
        f"--conditions={','.join(conditions)}",
        f"--main-fields={','.join(main_fields)}",
        f"--target={OPTIONS['target']}",
        f"--charset={OPTIONS['charset']}",
        f"--legal-comments={OPTIONS['legalComments']}",
        "--tree-shaking=true",
        "--tsconfig-raw={}",  # a tsconfig.json beside the pack has no say
        "--log-level=error",
        "--color=false",
        f"--sourcefile={_ENTRY}",
    ]


def _ending(ran: Ran, npm: str) -> EndsShort:
    if ran.status is None:
        return EndsShort(
            Code.NPM_MODULE_BUNDLE_FAILED, f"bundling {npm} took longer than {BUNDLE_TIMEOUT_S:.0f} s"
        )
    missing = list(dict.fromkeys(_UNRESOLVED.findall(ran.output)))
    builtin = [each for each in missing if is_builtin(each)]
    if builtin:
        return EndsShort(
            Code.NPM_MODULE_BUILTIN_IMPORT,
            f"{npm} imports {', '.join(builtin[:_TOLD_ERRORS])}, which only Node has{_where(ran.output)}",
        )
    if missing:
        told = ", ".join(missing[:_TOLD_ERRORS])
        return EndsShort(
            Code.NPM_MODULE_UNRESOLVED,
            f"{told} could not be resolved{_where(ran.output)}; is it installed for the pack?",
        )
    errors = _ERROR.findall(ran.output)[:_TOLD_ERRORS] or ran.output.split("\n")[:1]
    return EndsShort(
        Code.NPM_MODULE_BUNDLE_FAILED, f"{npm} cannot be bundled: {'; '.join(errors)}{_where(ran.output)}"
    )


def _where(output: str) -> str:
    place = _PLACE.search(output)
    return f" (at {place[1]})" if place and _ENTRY not in place[1] else ""


def _read(out: Path, meta: Path, pack_dir: Path, npm: str) -> Bundle:
    source = out.read_bytes().decode("utf-8", "surrogatepass")
    found = json.loads(meta.read_bytes())["inputs"]
    imports: dict[str, tuple[str, ...]] = {}
    optional: set[str] = set()
    for path, facts in found.items():
        edges = [(each.get("original") or each["path"], each["path"]) for each in facts["imports"]]
        stray = next((asked for asked, target in edges if _strays(pack_dir, path, asked, target)), None)
        if stray is not None:
            raise EndsShort(
                Code.NPM_MODULE_UNRESOLVED,
                f"{npm} takes in {stray[:200]!r}, which is no file of the package that asks for it; "
                "a package has its own files, and other packages by name",
            )
        if path in _ENTRIES:
            continue
        imports[path] = tuple(dict.fromkeys(_package(asked) for asked, _ in edges if _is_bare(asked)))
        optional.update(each["path"] for each in facts["imports"] if each.get("external"))
    return Bundle(source=source, imports=imports, optional=tuple(sorted(optional)))


def _strays(pack_dir: Path, importer: str, asked: str, target: str) -> bool:
    """Whether an import leads out of its package by a path: to a file of the machine, which would be published."""
    if ":" in asked or asked == target:  # an address, or what stays an import: the scan has the word
        return not _is_bare(asked) and ":" not in asked
    root = _root(pack_dir, target)
    if _is_bare(asked):
        return not _is_called(pack_dir, root, _package(asked))
    if asked.startswith("#"):  # package.json's `imports`: a file of its own, or a package by name
        return root != _root(pack_dir, importer) and "node_modules/" not in target
    return importer in _ENTRIES or root != _root(pack_dir, importer)


def _root(pack_dir: Path, path: str) -> str:
    """The folder of the package that a file belongs to, relative to the pack's; a linked one is nowhere near."""
    above, found, inside = path.rpartition("node_modules/")
    if found:
        return above + found + _package(inside)
    folder = path.rpartition("/")[0]
    while folder and not (pack_dir / folder / "package.json").is_file():
        folder = folder.rpartition("/")[0]
    return folder


def _is_called(pack_dir: Path, root: str, name: str) -> bool:
    """Whether the package in this folder is the one of that name."""
    if "node_modules/" in root:
        return root.endswith(f"node_modules/{name}")
    try:
        facts = json.loads((pack_dir / root / "package.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(facts, dict) and facts.get("name") == name


def _is_bare(specifier: str) -> bool:
    return not specifier.startswith((".", "/", "#")) and ":" not in specifier


def _package(specifier: str) -> str:
    return "/".join(specifier.split("/")[: 2 if specifier.startswith("@") else 1])
