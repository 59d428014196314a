from __future__ import annotations

import pytest
from nodetool_sandbox_compiler import scan_bundle
from nodetool_sandbox_compiler.scan import MAX_NESTING


def found(source: str) -> tuple[list[str], list[str]]:
    """The names of errors and of warnings."""
    report = scan_bundle(source)
    assert report.rejection is None, report.rejection
    return sorted({each.name for each in report.errors}), sorted({each.name for each in report.warnings})


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("export const mode = process.env.NODE_ENV;", ["process"]),
        ("export const f = () => setTimeout(() => {}, 1);", ["setTimeout"]),
        ("export class A extends HTMLElement {}", ["HTMLElement"]),
        ("export default { Buffer };", ["Buffer"]),
        ("export { process };", ["process"]),
        ("export const f = (x = process) => x;", ["process"]),
        ("export const { a = window } = {};", ["window"]),
        ("export const f = function g() { return g(document); };", ["document"]),
        ("export const t = `${location.href}`;", ["location"]),
        ("let x; [x, self] = [1, 2]; export { x };", ["self"]),
        ("({ navigator } = {}); export {};", ["navigator"]),
        ("export const f = new Function('return this');", ["Function"]),
        ("export const f = eval('1');", ["eval"]),
        ("export const f = pr\\u006fcess.env;", ["process"]),
        ("export const b = Deno.args;", ["Deno"]),
        ("{ const process = 1; } export const x = process;", ["process"]),
        ("export const f = (process) => 1, g = process;", ["process"]),
        ("try { 1; } catch (require) {} export const x = require;", ["require"]),
        ("for (const top of []) {} export const x = top;", ["top"]),
        (
            "export class A { static { Buffer; } #p = window; [document]() {} }",
            ["Buffer", "document", "window"],
        ),
        ("label: for (;;) { break label; } export const a = frames;", ["frames"]),
    ],
)
def test_a_free_name_that_the_guest_lacks_is_an_error(source: str, names: list[str]) -> None:
    assert found(source) == (names, [])


@pytest.mark.parametrize(
    "source",
    [
        "export function run(process) { return process.value; }",
        "export function other() { const Buffer = 1; return Buffer; }",
        "const setTimeout = (fn) => fn(); export const run = (fn) => setTimeout(fn);",
        "export function run() { return helper(); } function helper() { return 1; }",
        "export function run() { return process; var process; }",
        "export const f = ({ process }, [window = 1], ...{ self }) => process + window + self;",
        "export const f = ({ a: { process } = {} }) => process;",
        "try { 1; } catch ({ location }) { location; }",
        "for (const [top, frames] of []) { top + frames; }",
        "for (var process in {}) {} export { process };",
        "export default class window { m() { return window; } }",
        "export const f = function process() { return process; };",
        "export const shape = { process: 1, Buffer: 2 }; export const read = shape.process;",
        "export class A { process() {} static window = 1; get Buffer() { return this.process; } }",
        "process: for (;;) { break process; }",
        "const a = 1; export { a as process };",
        "export function f() { return arguments.length; }",
        "export const m = import.meta, t = function () { return new.target; };",
        "switch (1) { case 1: let self; self; }",
        "export const g = globalThis, n = g.process;",
        "const globalThis = {}; export const n = globalThis.process.env;",
        "export const f = () => queueMicrotask(() => {});",
        "globalThis.process = 1; export {};",
        "export const f = (x, k) => hasOwnProperty.call(x, k) && toString.call(x);",
        "const a = 1; export { a as catch, a as function, a as default };",
        "export const f = async (o) => await (o ? await o.a() : o.b)(1);",
        'export const root = typeof globalThis !== "undefined" ? globalThis : self;',
        'export const root = typeof globalThis === "undefined" ? window : globalThis;',
    ],
)
def test_a_name_that_something_declares_or_that_is_no_name_is_none(source: str) -> None:
    assert found(source)[0] == []


@pytest.mark.parametrize(
    "source",
    [
        'export const has = typeof process !== "undefined";',
        'export const mode = typeof process !== "undefined" ? process.env.NODE_ENV : "sandbox";',
        'export const mode = typeof process === "undefined" ? "sandbox" : process.env.NODE_ENV;',
        'export const other = typeof process !== "undefined" && process.isBuffer;',
        'export const other = typeof process === "undefined" || process.isBuffer;',
        'export const other = !(typeof process === "undefined") && process.isBuffer;',
        'export const x = ("undefined" != typeof process) && process.env && process.env.X;',
        'if (typeof process === "object" && process.env) { process.env.X; }',
        'export function f() { if (typeof process === "undefined") return 1; return process.env; }',
        'export function f() { if (typeof process === "undefined") { throw 1; } return () => process.env; }',
        'while (typeof process !== "undefined") { process.exit(); }',
        'switch (typeof process) { case "object": process.exit(); }',
        "export const x = typeof (process) < 'u' ? process : 1;",
        'export const p = globalThis.process?.env, q = globalThis["process"] ?? {};',
        "export const p = globalThis.process && globalThis.process.env;",
        'export const p = "process" in globalThis ? globalThis.process.env : {};',
        'if (globalThis["pro" + "cess"]) { process.exit(); }',
        'export const p = typeof globalThis.process !== "undefined" ? globalThis.process.env.X : 1;',
        "export const p = globalThis.process === undefined;",
        "let p; try { p = process.env; } catch { p = {}; } export { p };",
        "export const f = () => (globalThis.process, 1) || delete globalThis.process;",
    ],
)
def test_a_name_that_is_asked_for_first_is_a_warning(source: str) -> None:
    errors, warnings = found(source)
    if "(globalThis.process, 1)" in source:
        assert (errors, warnings) == (["process"], ["process"])
    else:
        assert (errors, warnings) == ([], ["process"])


@pytest.mark.parametrize(
    "source",
    [
        'export const x = typeof process !== "undefined" ? 1 : process.env;',
        'export const x = typeof process === "undefined" ? process.env : 1;',
        'export const x = typeof process === "undefined" && process.env;',
        'export const x = typeof process !== "undefined" || process.env;',
        'if (typeof process !== "undefined" || other()) { process.env; } function other() {}',
        'if (typeof process !== "undefined") {} process.env;',
        'if (typeof process === "undefined") { log(); } process.env; function log() {}',
        'export const x = typeof window !== "undefined" ? process.env : 1;',
        "let p; try { p = 1; } catch { p = process.env; } export { p };",
        "let p; try { p = process.env; } finally { p = 1; } export { p };",
        "let p; try { p = process.env; } catch (e) { if (e) { throw e; } } export { p };",
        "let p; try { p = () => process.env; } catch {} export { p };",
    ],
)
def test_a_question_does_not_cover_the_branch_where_the_answer_is_no(source: str) -> None:
    assert found(source)[0] == ["process"]


@pytest.mark.parametrize(
    "source",
    [
        "export const x = globalThis.process.env;",
        'export const x = globalThis["process"].env;',
        "export const x = globalThis['pro' + `cess`].env;",
        "export const x = (globalThis).process.env;",
        'export const x = globalThis["\\x70rocess"];',
        "globalThis.setTimeout(() => {}, 1);",
        "new globalThis.XMLHttpRequest();",
        "f(globalThis.process); function f() {}",
        "export const { env } = globalThis.process;",
    ],
)
def test_a_property_of_the_global_object_is_the_same_name(source: str) -> None:
    assert len(found(source)[0]) == 1


def test_a_name_that_only_some_runs_have_is_told_apart() -> None:
    report = scan_bundle("export const get = () => fetch('/');")
    assert (report.errors, report.warnings) == ((), ())
    assert [each.name for each in report.sometimes] == ["fetch"]


def test_a_finding_says_where_it_is_and_of_which_file() -> None:
    report = scan_bundle("// node_modules/a/a.js\nvar a = 1;\n\n// node_modules/b/b.js\nvar b = process;\n")
    (found_there,) = report.errors
    assert (found_there.line, found_there.column, found_there.file) == (5, 9, "node_modules/b/b.js")
    assert found_there.place == "5:9 (node_modules/b/b.js)"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ('import x from "left-pad"; export default x;', "left-pad"),
        ('import "left-pad";', "left-pad"),
        ('export * from "left-pad";', "left-pad"),
        ('export { a as b } from "left-pad";', "left-pad"),
        ('export const load = () => import("./other.js");', "dynamic import()"),
        ("export const load = (x) => import(x);", "dynamic import()"),
        ("export const = ;", "not valid JavaScript"),
        ("<<<<<<< ours", "not valid JavaScript"),
        ("a" * (1024 * 1024 + 1), "above"),
    ],
)
def test_a_text_that_is_no_module_of_its_own_is_rejected(source: str, said: str) -> None:
    report = scan_bundle(source)
    assert report.rejection is not None
    assert said in report.rejection


@pytest.mark.parametrize(
    "source",
    [
        "(" * 20_000 + "1" + ")" * 20_000 + ";",
        "!" * 20_000 + "typeof process;",
        "x".join(["typeof process && "] * 2_000) + "1;",
        "{" * 5_000 + "process;" + "}" * 5_000,
        "a?".join(["typeof process?1:"] * 3_000) + "1;",
    ],
)
def test_a_text_that_is_nested_deeply_ends_with_a_report(source: str) -> None:
    scan_bundle("export {};" + source)


def test_functions_and_blocks_are_nested_as_deep_as_the_cap_says_and_no_deeper() -> None:
    def nested(depth: int) -> str:
        return "{" * depth + "process;" + "}" * depth

    assert [each.name for each in scan_bundle(nested(MAX_NESTING)).errors] == ["process"]
    assert "inside of each other" in str(scan_bundle(nested(MAX_NESTING + 1)).rejection)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    "source",
    [
        "typeof process&&" * 20_000 + "1;",
        "".join(f"typeof a{index}&&" for index in range(15_000)) + "1;",
        "(typeof process,1)&&" * 15_000 + "1;",
        "{let a;" * 20_000 + "q;" * 20_000 + "}" * 20_000,
        'if(typeof a<"u"&&class{m(){' * 8_000 + "1" + "}}){}" * 8_000,
        "globalThis.process;" * 20_000,
        "globalThis[" + "'a'+" * 50_000 + "'b'];",
        "q;" * 150_000,
    ],
    ids=range(8),
)
def test_a_text_that_is_written_to_take_long_ends_with_a_report(source: str) -> None:
    scan_bundle(source)


def test_what_a_long_chain_of_questions_proves_is_not_forgotten() -> None:
    chain = " && ".join(f"typeof a{index} !== 'undefined'" for index in range(50))
    report = scan_bundle(f"export const x = {chain} && typeof process !== 'undefined' && process.env;")
    assert report.errors == ()
