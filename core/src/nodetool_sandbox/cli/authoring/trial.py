"""A pack tried in the guest, without any power: its modules load, its examples give what they say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nodetool_sandbox_registry import (
    Catalog,
    Code,
    Diagnostic,
    DiscoveredModule,
    DiscoveredPack,
    ModuleKind,
    quoted,
)

from nodetool_sandbox import INSTALLED, Limits, RunResult, Sandbox

PROBE_TIMEOUT_MS: Final = 2_000
"""For a module to load: it defines things, and does nothing."""

EXAMPLE_TIMEOUT_MS: Final = 10_000

COMPILE_TIMEOUT_MS: Final = 20_000
"""For a module of WebAssembly to compile, and for one call of it."""

_TOLD_NAMES: Final = 10

# `return ...; // value` at the end of an example: the value, up to a `; ` that goes on in words.
_EXPECTED: Final = re.compile(r"^[ ]*return .*; // (.+)\n?\Z", re.MULTILINE)


class Trial:
    """One pack among the installed ones, which its examples may use too."""

    def __init__(self, pack: DiscoveredPack) -> None:
        self._pack = pack
        installed = Sandbox().packs
        others = {each.specifier: installed.pack(each.specifier) for each in installed.summaries()}
        beside = {each.name: each for each in others.values() if each is not None and each.name != pack.name}
        self._sandbox = Sandbox(packs=Catalog([*beside.values(), pack]))

    def probe(self) -> Iterator[tuple[DiscoveredModule, tuple[str, ...] | Diagnostic]]:
        """Each module that can run: the names that it exports, sorted, or why it does not load."""
        for module in self._pack.modules:
            if module.unavailable is None:
                yield module, self._exports(module)

    def _exports(self, module: DiscoveredModule) -> tuple[str, ...] | Diagnostic:
        code = f"import * as all from {json.dumps(module.specifier)}; return Object.keys(all);"
        result = self._sandbox.run_sync(
            code, modules=[module.specifier], limits=Limits(timeout_ms=PROBE_TIMEOUT_MS)
        )
        if not isinstance(result.value, list):
            message = f"{module.specifier} does not load in an empty guest: {_reason(result)}"
            return self._told(Code.MODULE_PROBE_FAILED, message, module.specifier)
        if module.kind is ModuleKind.WASM and (reason := self._why_not_compiled(module)):
            return self._told(Code.MODULE_PROBE_FAILED, reason, module.specifier)
        return tuple(sorted(str(each) for each in result.value))

    def _why_not_compiled(self, module: DiscoveredModule) -> str | None:
        """What a program would be told at its first call. Any call compiles; what it comes to is no matter."""
        (binary,) = (each.wasm for each in self._pack.files if each.id == module.module_id)
        if binary is None:
            return None
        function = binary.functions[0]
        zeros = ", ".join("0" for _ in function.params)
        code = (
            f"import {{ {function.alias} as first }} from {json.dumps(module.specifier)};\n"
            f"try {{ await first({zeros}); }} catch (error) {{ return error.message; }}"
        )
        result = self._sandbox.run_sync(
            code, modules=[module.specifier], limits=Limits(timeout_ms=COMPILE_TIMEOUT_MS)
        )
        said = str(result.value)
        # a call that fails by itself names its function, a module that does not compile does not
        is_compiled = said.startswith((f"{module.specifier}: {function.alias}: ", "WASM call "))
        return None if is_compiled or not said.startswith(module.specifier) else said

    def run_examples(self) -> Iterator[Diagnostic]:
        """Each example of SKILL.md that fails, or gives another value than its last line says."""
        for line, code in self._pack.skill.examples() if self._pack.skill is not None else ():
            result = self._run(code)
            if not result.success:
                yield self._told(
                    Code.EXAMPLE_FAILED, f"SKILL.md line {line}: the example fails: {_reason(result)}"
                )
                continue
            expected = _EXPECTED.search(code)
            wanted = self._run(f"return ({expected[1].split('; ')[0]});") if expected else None
            # What is no value (a note in words) says nothing about the result.
            if expected and wanted is not None and wanted.success and wanted.value != result.value:
                message = (
                    f"SKILL.md line {line}: the example says {quoted(expected[1])}, and the value is "
                    f"{quoted(repr(result.value))}"
                )
                yield self._told(Code.EXAMPLE_FAILED, message)

    def _run(self, code: str) -> RunResult:
        return self._sandbox.run_sync(code, modules=INSTALLED, limits=Limits(timeout_ms=EXAMPLE_TIMEOUT_MS))

    def _told(self, code: Code, message: str, specifier: str | None = None) -> Diagnostic:
        return Diagnostic(code=code, message=message, pack=self._pack.distribution, specifier=specifier)


def missing_words(pack: DiscoveredPack, exports: Mapping[str, tuple[str, ...]]) -> Iterator[Diagnostic]:
    """What SKILL.md leaves out: any example, or the name of an export."""
    if pack.skill is None:
        return
    if next(pack.skill.examples(), None) is None:
        message = "SKILL.md has no example; give each export a section with a ```js block that runs"
        yield Diagnostic(code=Code.EXAMPLE_MISSING, message=message, pack=pack.distribution)
    words = set(re.findall(r"[\w$]+", pack.skill.body))
    for specifier, names in exports.items():
        left_out = [name for name in names if name != "default" and name not in words]
        if left_out:
            message = f"SKILL.md does not name {_listed(left_out)} of {specifier}; say what it is for"
            yield Diagnostic(
                code=Code.EXAMPLE_MISSING, message=message, pack=pack.distribution, specifier=specifier
            )


def _listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - _TOLD_NAMES
    shown = ", ".join(map(quoted, names[:_TOLD_NAMES]))
    return f"{shown} and {more:,} more" if more > 0 else shown


def _reason(result: RunResult) -> str:
    error = result.error
    if error is None:
        return str(result.ended)
    at = next((line.strip() for line in error.stack.split("\n") if line.strip()), "")
    return f"{error} ({at})" if at else str(error)
