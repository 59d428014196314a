"""Every way in which a compilation ends, over packages as npm installs them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nodetool_sandbox import Sandbox
from nodetool_sandbox_compiler import CompileCache, Compiled, compile_npm_module, read_compiled
from nodetool_sandbox_registry.codes import Code
from nodetool_sandbox_registry.packs import MAX_BUNDLE_BYTES
from npm_fakes import compile_text, compiled, install, own_cache, skipped

CLEAN = "export const slugify = (text) => text.toLowerCase();\nexport default slugify;\n"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> CompileCache:
    return own_cache(tmp_path)


def test_a_clean_library_is_admitted_with_two_digests_and_no_warning(pack: Path, cache: CompileCache) -> None:
    outcome = compiled(compile_text(pack, CLEAN, cache))
    assert "slugify" in outcome.source
    assert re.fullmatch("[0-9a-f]{64}", outcome.options_digest)
    assert re.fullmatch("[0-9a-f]{64}", outcome.inputs_digest)
    assert (outcome.warnings, outcome.exports, outcome.version) == ((), ("default", "slugify"), "1.2.3")


def test_a_library_without_a_default_export_has_its_names(pack: Path, cache: CompileCache) -> None:
    outcome = compiled(compile_text(pack, "export const a = 1, b = 2;", cache))
    assert outcome.exports == ("a", "b")


def test_a_commonjs_library_has_a_default_export(pack: Path, cache: CompileCache) -> None:
    outcome = compiled(compile_text(pack, "module.exports = { a: 1 };", cache, type="commonjs"))
    assert outcome.exports == ("default",)


def test_the_most_portable_build_of_a_library_is_taken(pack: Path, cache: CompileCache) -> None:
    names = ("node", "browser", "require", "import")
    files = {f"{name}.js": f"export const from = '{name}';" for name in names}
    exports = {
        "node": "./node.js",
        "browser": "./browser.js",
        "require": "./require.js",
        "import": "./import.js",
    }
    install(pack, "lib", files, exports={".": exports})
    assert 'from = "import"' in compiled(compile_npm_module(pack, "lib", cache=cache)).source


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ('import fs from "node:fs"; export default fs;', Code.NPM_MODULE_BUILTIN_IMPORT, "node:fs"),
        ('export { join } from "path";', Code.NPM_MODULE_BUILTIN_IMPORT, "path"),
        ('export { readFile } from "fs/promises";', Code.NPM_MODULE_BUILTIN_IMPORT, "fs/promises"),
        ("export const mode = process.env.NODE_ENV ?? 1;", Code.NPM_MODULE_FORBIDDEN_GLOBAL, "process"),
        ('throw new Error("refuses to initialize");', Code.NPM_MODULE_PROBE_FAILED, "refuses to initialize"),
        ('console.log("hello"); null.x;', Code.NPM_MODULE_PROBE_FAILED, "'hello'"),
        ("export default await new Promise(() => {});", Code.NPM_MODULE_PROBE_FAILED, "loading it"),
        (f'export const a = "{"x" * (MAX_BUNDLE_BYTES + 4096)}";', Code.NPM_MODULE_TOO_LARGE, " bytes"),
        ('export * from "absent-dependency";', Code.NPM_MODULE_UNRESOLVED, "absent-dependency"),
        ('export * from "./absent.js";', Code.NPM_MODULE_UNRESOLVED, "./absent.js"),
        ('import "./style.png";', Code.NPM_MODULE_UNRESOLVED, "style.png"),
        ("export const = 1;", Code.NPM_MODULE_BUNDLE_FAILED, "index.js:1:13"),
        ("export const f = (x) => import(x);", Code.NPM_MODULE_SCAN_REJECTED, "dynamic import()"),
        ('import("https://127.0.0.1/x.js");', Code.NPM_MODULE_SCAN_REJECTED, "import"),
        ('import x from "https://127.0.0.1/x.js"; x;', Code.NPM_MODULE_SCAN_REJECTED, "127.0.0.1"),
        ('import x from "data:text/javascript,process"; x;', Code.NPM_MODULE_FORBIDDEN_GLOBAL, "process"),
    ],
)
def test_what_cannot_be_a_guest_module_is_skipped_with_its_code(
    pack: Path, cache: CompileCache, text: str, code: Code, said: str
) -> None:
    outcome = skipped(compile_text(pack, text, cache))
    assert (outcome.code, outcome.npm) == (code, "lib")
    assert said in outcome.detail
    assert str(pack) not in outcome.detail


@pytest.mark.parametrize(
    "name", ["fixture-absent", "../lib", "/etc", "LIB", "", "node:fs", "lib/../../x", "-x"]
)
def test_a_library_that_is_not_there_is_unresolved(pack: Path, cache: CompileCache, name: str) -> None:
    assert skipped(compile_npm_module(pack, name, cache=cache)).code is Code.NPM_MODULE_UNRESOLVED


def test_a_folder_that_is_not_there_is_an_outcome_too(tmp_path: Path, cache: CompileCache) -> None:
    outcome = skipped(compile_npm_module(tmp_path / "nowhere", "lib", cache=cache))
    assert outcome.code is Code.NPM_MODULE_UNRESOLVED


def test_a_loop_at_the_top_of_a_library_is_stopped(pack: Path, cache: CompileCache) -> None:
    outcome = skipped(compile_text(pack, "for (;;) {} export {};", cache))
    assert outcome.code is Code.NPM_MODULE_PROBE_FAILED
    assert "5,000 ms" in outcome.detail


def test_a_library_that_asks_before_it_uses_is_compiled_with_a_warning(
    pack: Path, cache: CompileCache
) -> None:
    text = 'export const mode = typeof process !== "undefined" ? process.env.NODE_ENV : "guest";'
    (warning,) = compiled(compile_text(pack, text, cache)).warnings
    assert warning.startswith("lib feature-detects process at 2:")
    assert warning.endswith("the guest has no such global, so that branch never runs")


def test_a_require_that_a_library_can_do_without_is_a_warning(pack: Path, cache: CompileCache) -> None:
    text = "try { exports.fs = require('fs'); } catch { exports.fs = null; }"
    outcome = compiled(compile_text(pack, text, cache, type="commonjs"))
    assert any("fs" in each for each in outcome.warnings)


def test_a_second_compilation_is_cached_and_a_change_of_the_source_is_not(
    pack: Path, cache: CompileCache
) -> None:
    first = compiled(compile_text(pack, CLEAN, cache))
    second = compiled(compile_npm_module(pack, "lib", cache=cache))
    assert (first.cached, second.cached) == (False, True)
    assert second.source == first.source
    third = compiled(compile_text(pack, CLEAN + "export const more = 1;", cache))
    assert (third.cached, third.exports) == (False, ("default", "more", "slugify"))


def test_force_compiles_again(pack: Path, cache: CompileCache) -> None:
    compile_text(pack, CLEAN, cache)
    assert not compiled(compile_npm_module(pack, "lib", cache=cache, force=True)).cached


def test_what_was_compiled_is_read_without_any_tool_until_an_input_changes(
    pack: Path, cache: CompileCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_compiled(pack, "lib", cache=cache) is None
    compile_text(pack, CLEAN, cache)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("nodetool_sandbox_compiler.processes.subprocess.Popen", _no_process)
    assert isinstance(read_compiled(pack, "lib", cache=cache), Compiled)
    install(pack, "lib", CLEAN + "// changed\n")
    assert read_compiled(pack, "lib", cache=cache) is None


def _no_process(*_args: object, **_kwargs: object) -> None:
    raise AssertionError("a tool was started")


def test_a_manifest_that_points_its_exports_elsewhere_is_a_miss(pack: Path, cache: CompileCache) -> None:
    files = {"index.js": CLEAN, "other.js": "export const other = 1;"}
    install(pack, "lib", files)
    compiled(compile_npm_module(pack, "lib", cache=cache))
    install(pack, "lib", files, exports="./other.js")
    assert read_compiled(pack, "lib", cache=cache) is None
    assert compiled(compile_npm_module(pack, "lib", cache=cache)).exports == ("other",)


def test_a_nearer_copy_of_the_library_is_a_miss(tmp_path: Path, pack: Path, cache: CompileCache) -> None:
    install(tmp_path, "lib", "export const far = 1;")
    assert compiled(compile_npm_module(pack, "lib", cache=cache)).exports == ("far",)
    install(pack, "lib", "export const near = 1;")
    assert read_compiled(pack, "lib", cache=cache) is None
    assert compiled(compile_npm_module(pack, "lib", cache=cache)).exports == ("near",)


def test_a_nearer_copy_of_what_the_library_imports_is_a_miss(pack: Path, cache: CompileCache) -> None:
    install(pack, "inner", "export const value = 'far';")
    lib = install(pack, "lib", 'export { value } from "inner";')
    compiled(compile_npm_module(pack, "lib", cache=cache))
    install(lib, "inner", "export const value = 'near';")
    assert read_compiled(pack, "lib", cache=cache) is None
    assert "near" in compiled(compile_npm_module(pack, "lib", cache=cache)).source


def test_neither_a_tsconfig_nor_the_environment_changes_what_is_found(
    tmp_path: Path, pack: Path, cache: CompileCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pack / "tsconfig.json").write_text('{"compilerOptions": {"paths": {"lib": ["./evil.js"]}}}')
    (pack / "evil.js").write_text("export const evil = 1;")
    install(tmp_path / "elsewhere", "gone", "export const evil = 1;")
    monkeypatch.setenv("NODE_PATH", str(tmp_path / "elsewhere" / "node_modules"))
    assert compiled(compile_text(pack, CLEAN, cache)).exports == ("default", "slugify")
    assert skipped(compile_npm_module(pack, "gone", cache=cache)).code is Code.NPM_MODULE_UNRESOLVED


@pytest.mark.parametrize(
    "text",
    [
        'import text from "/etc/hostname" with { type: "text" }; export { text };',
        'import text from "../../own.txt"; export { text };',
        'import facts from "../../package.json"; export { facts };',
        'export * from "../../own.js";',
        'export * from "../other/index.js";',
        'import facts from "../../../../../../../../../../etc/passwd" with { type: "text" }; export { facts };',
        "export * from 'main-outside';",
    ],
    ids=range(7),
)
def test_a_library_takes_in_its_own_files_and_packages_by_name_alone(
    pack: Path, cache: CompileCache, text: str
) -> None:
    (pack / "own.js").write_text("export const own = 1;")
    (pack / "own.txt").write_text("own")
    install(pack, "other", "export const other = 1;")
    install(pack, "main-outside", {}, main="../../own.js")
    outcome = skipped(compile_text(pack, text, cache))
    assert (outcome.code, str(pack) in outcome.detail) == (Code.NPM_MODULE_UNRESOLVED, False)


def test_a_package_that_is_linked_into_place_is_taken(
    tmp_path: Path, pack: Path, cache: CompileCache
) -> None:
    real = install(
        tmp_path / "elsewhere", "lib", {"index.js": 'export * from "./inner.js";', "inner.js": CLEAN}
    )
    linked = tmp_path / "linked"
    real.rename(linked)
    (pack / "node_modules").mkdir()
    (pack / "node_modules" / "lib").symlink_to(linked, target_is_directory=True)
    assert compiled(compile_npm_module(pack, "lib", cache=cache)).exports == ("slugify",)


def test_a_package_may_import_itself_its_own_names_and_others(pack: Path, cache: CompileCache) -> None:
    install(pack, "@scope/other", "export const other = 1;")
    text = 'export { inner } from "#inner"; export { other } from "@scope/other"; export { a } from "lib/a";'
    files = {"index.js": text, "inner.js": "export const inner = 1;", "a.js": "export const a = 1;"}
    exports = {".": "./index.js", "./a": "./a.js"}
    install(pack, "lib", files, exports=exports, imports={"#inner": "./inner.js"})
    assert compiled(compile_npm_module(pack, "lib", cache=cache)).exports == ("a", "inner", "other")


def test_what_the_probe_admits_is_what_a_guest_runs(pack: Path, cache: CompileCache) -> None:
    outcome = compiled(compile_text(pack, CLEAN, cache))
    body = outcome.source.split("export {", maxsplit=1)[0]
    assert Sandbox().run_sync(f'{body}\nreturn slugify("ABC");').value == "abc"
