"""`packs check`: everything that would be said about a pack, before it is published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nodetool_sandbox_registry import Code, Diagnostic, DiscoveredPack, quoted

from nodetool_sandbox.cli.authoring.project import Candidate, load_candidate
from nodetool_sandbox.cli.authoring.signatures import Declared, Signatures, parse_signatures
from nodetool_sandbox.cli.authoring.trial import Trial, missing_words
from nodetool_sandbox.cli.endings import FAILED, OK
from nodetool_sandbox.cli.json_form import json_text
from nodetool_sandbox.cli.output import write_standard_output
from nodetool_sandbox.cli.pack_arguments import CheckOptions
from nodetool_sandbox.cli.packs import diagnostic_document
from nodetool_sandbox.stacks import printable

Exports = Mapping[str, tuple[str, ...]]
"""What each module exports, by specifier; none for a module that does not load."""


def check_pack(options: CheckOptions) -> int:
    """Print what there is to say; the exit status.

    Raises:
        UsageError: there is nothing at the path.
    """
    candidate = load_candidate(options.path)
    exports, tried = try_pack(candidate.pack) if candidate.pack is not None else ({}, ())
    findings = (*candidate.findings, *tried)
    graves = {"error", "warning"} if options.strict else {"error"}
    is_fine = not any(each.severity in graves for each in findings)
    if options.as_json:
        write_standard_output(json_text(_document(candidate, exports, findings, is_fine=is_fine)))
    else:
        write_standard_output("\n".join(map(printable, _lines(candidate, exports, findings))))
    return OK if is_fine else FAILED


def try_pack(pack: DiscoveredPack) -> tuple[Exports, tuple[Diagnostic, ...]]:
    """What its modules export, and what is wrong with them, its signatures and its guide."""
    trial = Trial(pack)
    exports: dict[str, tuple[str, ...]] = {}
    findings: list[Diagnostic] = []
    for module, found in trial.probe():
        if isinstance(found, Diagnostic):
            findings.append(found)
        else:
            exports[module.specifier] = found
    findings += check_signatures(pack, exports)
    findings += missing_words(pack, exports)
    findings += trial.run_examples()
    return exports, tuple(findings)


def check_signatures(pack: DiscoveredPack, exports: Exports) -> Iterator[Diagnostic]:
    """Where index.d.ts and what the modules export are not the same."""
    if pack.types is None:
        return
    signatures = parse_signatures(pack.types)
    if signatures.error_line is not None:
        message = f"index.d.ts line {signatures.error_line}: this is no TypeScript declaration"
        yield Diagnostic(code=Code.TYPES_DIFFER, message=message, pack=pack.distribution)
    for specifier, names in exports.items():
        declared = _declared(pack, signatures, specifier)
        said = (
            _differences(declared, set(names))
            if declared is not None
            else [f'says nothing about it; add declare module "{specifier}" {{ ... }}']
        )
        for each in said:
            yield Diagnostic(
                code=Code.TYPES_DIFFER,
                message=f"{specifier}: index.d.ts {each}",
                pack=pack.distribution,
                specifier=specifier,
            )
    offered = {module.specifier for module in pack.modules}
    for specifier in sorted({*signatures.modules} - offered):
        message = f"index.d.ts declares the module {quoted(specifier)}, which pack.toml does not have"
        yield Diagnostic(code=Code.TYPES_DIFFER, message=message, pack=pack.distribution)


def _declared(pack: DiscoveredPack, signatures: Signatures, specifier: str) -> Declared | None:
    found = signatures.modules.get(specifier)
    is_own = specifier == pack.name or len(pack.modules) == 1
    return found if found is not None or not is_own else signatures.own


def _differences(declared: Declared, real: set[str]) -> Iterator[str]:
    absent = sorted(declared.values - real)
    if absent:
        yield f"declares {', '.join(map(quoted, absent))}, which the module does not export"
    unknown = sorted(real - declared.values - declared.possible)
    if unknown and not declared.is_open:
        yield f"leaves out {', '.join(map(quoted, unknown))}, which the module exports"


def _lines(candidate: Candidate, exports: Exports, findings: tuple[Diagnostic, ...]) -> Iterator[str]:
    pack = candidate.pack
    if pack is not None:
        size = sum(file.byte_count for file in pack.files)
        yield f"{candidate.name} {candidate.version or '(version set by the build)'}"
        for module in pack.modules:
            names = ", ".join(exports.get(module.specifier, ()))
            yield f"  {module.specifier} ({module.kind}): {names or 'not loaded'}"
        yield f"  {len(pack.files)} files, {size:,} bytes"
        if candidate.version is not None:
            yield f"  digest {pack.digest}"
        yield ""
    for each in findings:
        yield f"{each.severity}: {each.message} ({each.code})"
    counts = {
        grade: sum(each.severity == grade for each in findings) for grade in ("error", "warning", "info")
    }
    told = [
        f"{count} {grade}{'s' * (count != 1)}" for grade, count in counts.items() if count and grade != "info"
    ]
    yield f"{candidate.name}: {', '.join(told) or 'nothing is wrong'}"


def _document(
    candidate: Candidate, exports: Exports, findings: tuple[Diagnostic, ...], *, is_fine: bool
) -> dict[str, object]:
    pack = candidate.pack
    is_final = candidate.version is not None
    modules = [] if pack is None else pack.modules
    return {
        "pack": candidate.name,
        "version": candidate.version,
        "digest": pack.digest if pack is not None and is_final else None,
        "ok": is_fine,
        "modules": [
            {
                "specifier": each.specifier,
                "kind": each.kind,
                "digest": each.digest if is_final else None,
                "available": each.unavailable is None,
                "exports": list(exports.get(each.specifier, ())),
            }
            for each in modules
        ],
        "files": [
            {
                "id": each.id,
                "internal": each.internal,
                "bytes": each.byte_count,
                "sha256": each.sha256,
            }
            for each in (() if pack is None else pack.files)
        ],
        "findings": [diagnostic_document(each) for each in findings],
    }
