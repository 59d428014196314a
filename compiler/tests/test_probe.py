"""The one place where a library's code runs while it is compiled: a guest that has nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from nodetool_sandbox_compiler import probe as compiler_probe
from nodetool_sandbox_compiler.options import MAX_EXPORTS, PROBE_LOG_LINE_CHARS
from nodetool_sandbox_compiler.outcomes import EndsShort
from nodetool_sandbox_compiler.probe import probe
from nodetool_sandbox_registry.codes import Code

SOON = replace(compiler_probe._LIMITS, timeout_ms=300)


def refusal(source: str, *, soon: bool = False) -> str:
    with pytest.raises(EndsShort) as caught:
        probe(source, limits=SOON if soon else compiler_probe._LIMITS)
    assert caught.value.code is Code.NPM_MODULE_PROBE_FAILED
    assert "Traceback" not in caught.value.detail
    return caught.value.detail


def test_a_module_tells_its_exports_sorted_and_what_it_logged() -> None:
    probed = probe("console.log('up'); export const b = 1; export default 2; export { b as a };")
    assert (probed.exports, probed.logs) == (("a", "b", "default"), ("up",))


def test_an_export_that_is_no_value_yet_is_an_export() -> None:
    assert probe("export let later; export { later as then };").exports == ("later", "then")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("throw new TypeError('refuses to initialize');", "TypeError: refuses to initialize"),
        ("throw 7;", "7"),
        ("throw { toString() { throw 1; } };", "loading it"),
        ("null.x;", "TypeError"),
        ("await new Promise(() => {});", "loading it"),
        ("const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));", "memory"),
        ("(function f() { f(); })();", "RangeError"),
        ("await sleep(5000);", "loading it"),
        ("export const = 1;", "SyntaxError"),
        ("process.exit();", "process is not defined"),
    ],
)
def test_a_module_that_does_not_get_through_its_first_lines_is_refused(source: str, said: str) -> None:
    assert said in refusal(source)


@pytest.mark.parametrize(
    "source", ["for (;;) {}", "[].sort.call({ length: 1e9 }, () => 1);", "while (await 1);"]
)
def test_a_module_that_goes_on_for_ever_is_stopped(source: str) -> None:
    assert "did not get through its first lines" in refusal(source, soon=True)


@pytest.mark.parametrize(
    "specifier",
    [
        "left-pad",
        "node:fs",
        "./other.js",
        "nodetool:host-bridge",
        "@nodetool-ai/sandbox-csv",
        "/etc/hostname",
        "std",
    ],
)
def test_a_module_that_asks_for_another_is_told_that_there_is_none(specifier: str) -> None:
    said = refusal(f'import "{specifier}";')
    assert "requested" in said or "not a" in said or "private" in said


@pytest.mark.parametrize(
    "source",
    [
        "if (typeof fetch !== 'undefined' || typeof workspace !== 'undefined') throw 1;",
        "if (typeof process !== 'undefined' || typeof require !== 'undefined') throw 1;",
        "if (Object.getOwnPropertyNames(globalThis).some((name) => /dispatch|__call|bridge/i.test(name))) throw 1;",
        "let made = false; try { (() => {}).constructor('return 1')(); made = true; } catch {} if (made) throw 1;",
        "let got = false; try { await import('node:fs'); got = true; } catch {} if (got) throw 1;",
        "let got = false; try { await sleep(1); got = true; } catch {} if (got) throw 1;",
    ],
    ids=range(6),
)
def test_a_module_finds_no_power_in_the_probe(source: str) -> None:
    probe(source)


@pytest.mark.parametrize(
    "source",
    [
        "Reflect.ownKeys = () => ({ length: 1e9 });",
        "Reflect.ownKeys = () => [1, {}, Symbol()];",
        f"Reflect.ownKeys = () => Array({MAX_EXPORTS + 1}).fill('a');",
        "Reflect.ownKeys = () => ['a'.repeat(1e6)];",
        "Array.prototype.filter = () => null;",
        "Array.prototype.sort = function () { for (;;); };",
        "Reflect.ownKeys = () => { throw 1; };",
    ],
    ids=range(7),
)
def test_a_module_that_lies_about_its_exports_is_refused_or_believed_in_bounds(source: str) -> None:
    found = outcome(source)
    if not isinstance(found, Code):
        assert all(isinstance(each, str) and len(each) < 1000 for each in found)
        assert len(found) <= MAX_EXPORTS


def outcome(source: str) -> Code | tuple[str, ...]:
    try:
        return probe(source, limits=SOON).exports
    except EndsShort as ended:
        return ended.code


def test_a_module_may_export_as_many_names_as_the_cap_says_and_no_more() -> None:
    def exporting(count: int) -> str:
        return "const a = 1;" + "".join(f"export {{ a as e{index} }};" for index in range(count))

    assert len(probe(exporting(MAX_EXPORTS)).exports) == MAX_EXPORTS
    assert "exports more than" in refusal(exporting(MAX_EXPORTS + 1))


def test_a_chatty_module_is_cut() -> None:
    logs = probe("for (let i = 0; i < 1000; i++) console.log('x'.repeat(10000)); export {};").logs
    assert len(logs) <= 21
    assert all(len(line) <= PROBE_LOG_LINE_CHARS for line in logs)
