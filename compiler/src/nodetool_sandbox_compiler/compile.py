"""The steps of a compilation, in order: cached? bundle, size, cached? scan, probe, keep."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from nodetool_sandbox_registry.codes import Code
from nodetool_sandbox_registry.digests import Digest, digest_bytes
from nodetool_sandbox_registry.manifest import is_npm_name

from nodetool_sandbox_compiler.bundle import Bundle, bundle
from nodetool_sandbox_compiler.cache import CompileCache, pointer_name
from nodetool_sandbox_compiler.inputs import Inputs, build_key, load_inputs
from nodetool_sandbox_compiler.licences import collect_licences
from nodetool_sandbox_compiler.options import options_digest
from nodetool_sandbox_compiler.outcomes import Compiled, EndsShort, Skipped
from nodetool_sandbox_compiler.probe import probe
from nodetool_sandbox_compiler.scan import Finding, scan_bundle
from nodetool_sandbox_compiler.tools import require_esbuild

_TOLD_FINDINGS: Final = 5
_MAX_WARNINGS: Final = 50
_MAX_PACKAGE_BYTES: Final = 1024 * 1024


def compile_npm_module(
    pack_dir: Path | str, npm_name: str, *, cache: CompileCache | None = None, force: bool = False
) -> Compiled | Skipped:
    """The library as it is installed for the folder, as one guest module; or why it is none.

    Nothing is installed by this: the library lies in a node_modules of the folder or above it, where
    node would find it. `force` compiles it again although nothing has changed.
    """
    folder = Path(os.path.realpath(pack_dir))
    store = cache or CompileCache.open()
    try:
        return _compile(folder, npm_name, store, force=force)
    except EndsShort as ended:
        return Skipped(npm=npm_name, code=ended.code, detail=ended.detail)


def compile_staged(
    stage: Path, npm_name: str, *, cache: CompileCache, force: bool = False
) -> Compiled | Skipped:
    """The library as it is installed in a folder that holds nothing else and is about to go."""
    try:
        return _build(stage.resolve(), npm_name, cache, force=force, top=stage.resolve())
    except EndsShort as ended:
        return Skipped(npm=npm_name, code=ended.code, detail=ended.detail)


def read_compiled(
    pack_dir: Path | str, npm_name: str, *, cache: CompileCache | None = None
) -> Compiled | None:
    """What an earlier compilation gave, when every file that it was made from is as it was. No tool is started."""
    folder = Path(os.path.realpath(pack_dir))
    store = cache or CompileCache.open()
    key = store.read_pointer(pointer_name("folder", str(folder), npm_name))
    found = store.read(key) if key is not None else None
    if found is None or found[0].npm != npm_name or not found[1].still_hold(folder):
        return None
    return found[0]


def _compile(folder: Path, npm: str, cache: CompileCache, *, force: bool) -> Compiled:
    if not is_npm_name(npm):
        raise EndsShort(Code.NPM_MODULE_UNRESOLVED, f"{npm[:100]!r} is not the name of an npm package")
    if not folder.is_dir():
        raise EndsShort(Code.NPM_MODULE_UNRESOLVED, f"there is no such folder to find {npm} from")
    kept = None if force else read_compiled(folder, npm, cache=cache)
    if kept is not None:
        return kept
    compiled = _build(folder, npm, cache, force=force, top=None)
    cache.write_pointer(pointer_name("folder", str(folder), npm), compiled.key)
    return compiled


def _build(folder: Path, npm: str, cache: CompileCache, *, force: bool, top: Path | None) -> Compiled:
    made = bundle(folder, npm, esbuild=require_esbuild(cache))
    if top is not None and any(not path.startswith("node_modules/") for path in made.imports):
        raise EndsShort(Code.NPM_MODULE_UNRESOLVED, f"{npm} takes in files that no package of the lock has")
    inputs = load_inputs(folder, npm, made.imports, top=top)
    key = build_key(npm, inputs)
    found = None if force else cache.read(key)
    if found is not None:
        return found[0]
    compiled = replace(
        _admit(made, npm=npm, version=_version(folder, npm), inputs=inputs, key=key),
        licences=collect_licences(folder, made.imports),
    )
    cache.write(compiled, inputs)
    return compiled


def _admit(made: Bundle, *, npm: str, version: str, inputs: Inputs, key: Digest) -> Compiled:
    source = made.source
    report = scan_bundle(source)
    if report.rejection is not None:
        raise EndsShort(Code.NPM_MODULE_SCAN_REJECTED, f"the bundle of {npm} {report.rejection}")
    if report.errors:
        raise EndsShort(Code.NPM_MODULE_FORBIDDEN_GLOBAL, _forbidden(npm, report.errors))
    probed = probe(source)
    return Compiled(
        npm=npm,
        version=version,
        source=source,
        sha256=digest_bytes(source.encode("utf-8", "surrogatepass")),
        options_digest=options_digest(),
        inputs_digest=inputs.digest(),
        key=key,
        exports=probed.exports,
        warnings=(
            *_warnings(npm, report.warnings, "the guest has no such global, so that branch never runs"),
            *_warnings(npm, report.sometimes, "only some runs have it", verb="asks for"),
            *(
                f"{npm} tries to load {each[:100]}, which is not there, and goes on without"
                for each in made.optional
            ),
        )[:_MAX_WARNINGS],
    )


def _forbidden(npm: str, findings: tuple[Finding, ...]) -> str:
    told = "; ".join(f"{each.name} at {each.place}" for each in findings[:_TOLD_FINDINGS])
    more = len(findings) - _TOLD_FINDINGS
    names = ", ".join(sorted({each.name for each in findings}))
    return f"{npm} uses {names[:200]}, which the guest has not: {told}" + (
        f"; and {more:,} more" if more > 0 else ""
    )


def _warnings(
    npm: str, findings: tuple[Finding, ...], why: str, *, verb: str = "feature-detects"
) -> Iterable[str]:
    """One line a name, at its first place."""
    first: dict[str, Finding] = {}
    for each in findings:
        first.setdefault(each.name, each)
    for name, each in first.items():
        yield f"{npm} {verb} {name} at {each.line}:{each.column}; {why}"


def _version(folder: Path, npm: str) -> str:
    """The version that the library's own package.json states, for the record; empty where it states none."""
    for each in (folder, *folder.parents):
        place = each / "node_modules" / npm / "package.json"
        try:
            with place.open("rb") as file:
                found = json.loads(file.read(_MAX_PACKAGE_BYTES)).get("version")
        except (OSError, ValueError, AttributeError, RecursionError):
            continue
        return found[:100] if isinstance(found, str) else ""
    return ""
