from __future__ import annotations

import pytest
from nodetool_sandbox_registry import ManifestError, PackManifest
from nodetool_sandbox_registry.fields import MAX_KEY_PARTS, MAX_MANIFEST_BYTES
from nodetool_sandbox_registry.manifest import (
    MAX_MEMORY_PAGES,
    MAX_NPM_NAME_CHARS,
    MAX_PACK_FILES,
    MAX_PATH_CHARS,
    MAX_WASM_EXPORTS,
    MAX_WASM_LIMITS,
    HostEntry,
    JsEntry,
    NpmEntry,
    WasmEntry,
    WasmExport,
    WasmLimits,
    shown_files,
)

JS = '[[modules]]\nname = "."\nkind = "js"\nfile = "index.js"\n'
WASM = '[[modules]]\nname = "w"\nkind = "wasm"\nfile = "w.wasm"\nmemory_pages_max = 1\nexports = ["f"]\n'
HOST = '[[modules]]\nname = "h"\nkind = "host"\nhost = "csv"\n'


def parse(text: str) -> PackManifest:
    return PackManifest.parse(text.encode())


def refused(data: str | bytes) -> ManifestError:
    with pytest.raises(ManifestError) as caught:
        PackManifest.parse(data.encode() if isinstance(data, str) else data)
    str(caught.value).encode()
    return caught.value


def test_a_manifest_with_every_kind_becomes_values() -> None:
    manifest = parse(
        'api_version = 1\ninternal = ["js/./util.js"]\nrecommended = true\n'
        + JS
        + '[[modules]]\nname = "dates"\nkind = "js"\nnpm = "@scope/date-fns"\nbundle = "js/dates.js"\n'
        + '[[modules]]\nname = "raw"\nkind = "js"\nnpm = "raw"\n'
        + HOST
        + '[[modules]]\nname = "i"\nkind = "host"\nhost = "yaml"\ninternal = true\n'
        + '[[modules]]\nname = "w"\nkind = "wasm"\nfile = "w.wasm"\nmemory_pages_max = 4096\n'
        + 'exports = ["f", { wasm = "g-raw", as = "g" }]\nlimits = { call_timeout_ms = 5000 }\n'
    )
    assert manifest.internal == ("js/util.js",)
    assert manifest.modules == (
        JsEntry(name=".", file="index.js"),
        NpmEntry(name="dates", npm="@scope/date-fns", bundle="js/dates.js"),
        NpmEntry(name="raw", npm="raw", bundle=None),
        HostEntry(name="h", host_id=manifest.modules[3].host_id, internal=False),  # type: ignore[union-attr]
        HostEntry(name="i", host_id=manifest.modules[4].host_id, internal=True),  # type: ignore[union-attr]
        WasmEntry(
            name="w",
            file="w.wasm",
            memory_pages_max=4096,
            exports=(WasmExport(wasm="f", alias="f"), WasmExport(wasm="g-raw", alias="g")),
            limits=WasmLimits(call_timeout_ms=5000),
        ),
    )
    assert [shown_files(each) for each in manifest.modules] == [
        ("index.js",),
        ("js/dates.js",),
        ("npm/raw.js",),
        (),
        ("i",),
        ("w.wasm",),
    ]


def test_a_manifest_in_the_spelling_of_a_package_json_says_the_same() -> None:
    snake = parse(f"api_version = 1\n{WASM}limits = {{ calls_per_invocation = 3 }}\n")
    camel = "apiVersion = 1\n" + WASM.replace("[modules]", "[sandboxModules]")
    camel = camel.replace("memory_pages_max", "memoryPagesMax") + "limits = { callsPerInvocation = 3 }\n"
    assert parse(camel) == snake
    assert refused("api_version = 1\napiVersion = 1\n" + JS).at == "api_version"


def test_windows_line_ends_are_line_ends() -> None:
    assert parse(JS.replace("\n", "\r\n")) == parse(JS)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xef\xbb\xbf" + JS.encode(), "byte order mark"),
        (JS.encode("utf-16"), "byte order mark"),
        (JS.encode() + b"#\x00", "NUL"),
        (JS.encode() + b"#\xff", "not UTF-8"),
        (b"x = ", "not TOML"),
        (b'name = "."\nname = "."\n' + JS.encode(), "not TOML"),
        (b"x = " + b"[" * 10_000 + b"]" * 10_000, "nested too deeply"),
        (b"x = " + b"{a=" * 10_000 + b"1" + b"}" * 10_000, "nested too deeply"),
        (b"x = " + b"9" * 10_000, "not TOML"),
        (b"a." * 100_000 + b"a = 1", "dotted key"),
        (b"['a'." + b'"b" . ' * 40_000 + b"c]", "dotted key"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_text_that_attacks_its_reader_is_refused_by_name(data: bytes, words: str) -> None:
    assert words in str(refused(data))


@pytest.mark.parametrize(
    "unit", ['"', '\\"', '"\\', "'", '"\\\\', "a", "a.", '"a".', "'a' ", '"\n', "[", "{a="], ids=repr
)
def test_reading_takes_no_more_time_for_odd_text(unit: str) -> None:
    refused(unit * (MAX_MANIFEST_BYTES // len(unit)))


def test_a_dotted_key_has_a_longest_length() -> None:
    assert "unknown field" in str(refused("a." * (MAX_KEY_PARTS - 1) + "a = 1\n" + JS))
    assert "dotted key" in str(refused("a." * MAX_KEY_PARTS + "a = 1\n" + JS))


def test_a_manifest_has_a_largest_size_that_is_checked_first() -> None:
    padding = MAX_MANIFEST_BYTES - len(JS)
    assert parse(JS + "#" * padding) == parse(JS)
    assert "byte cap" in str(refused(b"\xff" * (MAX_MANIFEST_BYTES + 1)))


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("api_version = 2\n" + JS, "api_version", "reads api_version 1, not 2"),
        ("api_version = true\n" + JS, "api_version", "expected an integer, found a boolean"),
        (f"api_version = 0x{'f' * 9000}\n{JS}", "api_version", "more than 18 digits"),
        ("", "modules", "at least one is needed"),
        ("modules = 1", "modules", "expected a list, found an integer"),
        ("modules = [1.5]", "modules[0]", "expected a table, found a float"),
        ("unknown = 1\n" + JS, '"unknown"', "unknown field"),
        (JS + "extra = 1\n", 'modules[0]."extra"', "unknown field"),
        (JS + 'npm = "x"\n', "modules[0]", "exactly one of file or npm"),
        ('[[modules]]\nname = "."\nkind = "js"\n', "modules[0]", "exactly one of file or npm"),
        (JS.replace('"js"', '"python"'), "modules[0].kind", "not a kind of module"),
        (JS.replace('"js"', "1979-05-27"), "modules[0].kind", "expected a string, found a date or time"),
        (JS.replace('"js"', "{}"), "modules[0].kind", "expected a string, found a table"),
        (JS.replace('"js"', "[]"), "modules[0].kind", "expected a string, found a list"),
        (JS.replace('name = "."\n', ""), "modules[0].name", "it is missing"),
        (JS.replace('"."', '"a/b"'), "modules[0].name", "is not a module name"),
        (JS.replace('"."', '"@nodetool-ai/sandbox-zip"'), "modules[0].name", "is not a module name"),
        (JS + JS, "modules", 'the module "." is declared twice'),
        (
            JS.replace('"."', '"A"') + HOST.replace('"h"', '"a"'),
            "modules",
            'the module "a" is declared beside "A"',
        ),
        (JS + JS.replace('"."', '"b"'), "modules", 'the file "index.js" is declared twice'),
        (JS + JS.replace('"."', '"b"').replace("index.js", "./index.js"), "modules", "declared twice"),
        (JS + JS.replace('"."', '"b"').replace("index.js", "INDEX.js"), "modules", "declared beside"),
        (HOST + HOST.replace('"h"', '"b"'), "modules", 'the host id "csv" is declared twice'),
        (JS.replace("file", "npm").replace("index.js", "../bad"), "modules[0].npm", "name of an npm package"),
        (JS.replace("index.js", "index.mjs"), "modules[0].file", 'must end with ".js"'),
        ('internal = ["a.js", "a.js"]\n' + JS, "internal", "declared twice"),
        ('internal = ["util.ts"]\n' + JS, "internal[0]", 'must end with ".js"'),
        ('internal = ["a.js", "index.js"]\n' + JS, "internal[1]", "the file of a module too"),
        ('internal = "a.js"\n' + JS, "internal", "expected a list, found a string"),
        (HOST.replace('"csv"', '"CSV"'), "modules[0].host", "is not a host id"),
        (HOST + 'internal = "yes"\n', "modules[0].internal", "expected a boolean"),
        (HOST.replace('"h"', '"."') + "internal = true\n", "modules[0].name", "needs a name"),
        (WASM.replace('["f"]', '["f", "f"]'), "modules[0].exports", 'export "f" is declared twice'),
        (WASM.replace('["f"]', '["f", {wasm="g", as="f"}]'), "modules[0].exports", "declared twice"),
        (
            WASM.replace('["f"]', '[{wasm="g", as="await"}]'),
            "modules[0].exports[0].as",
            "cannot name an export",
        ),
        (WASM.replace('["f"]', '[{wasm="g", as="g", x=1}]'), 'modules[0].exports[0]."x"', "unknown field"),
        (WASM.replace('["f"]', '["let"]'), "modules[0].exports[0]", "cannot name an export"),
        (WASM.replace('["f"]', "[]"), "modules[0].exports", "at least one is needed"),
        (WASM + "limits = { x = 1 }\n", 'modules[0].limits."x"', "unknown field"),
    ],
    ids=lambda value: value[:50] if isinstance(value, str) else None,
)
def test_a_fault_is_told_with_its_place(text: str, at: str, words: str) -> None:
    error = refused(text)
    assert error.at == at
    assert words in error.message


@pytest.mark.parametrize(
    "path",
    [
        "../x.js",
        "/etc/hostname",
        "a/../../x.js",
        "a\\\\..\\\\x.js",
        "%2e%2e/x.js",
        "a%2Fx.js",
        "a%5cx.js",
        "C:x.js",
        "x.js\\u0000.js",
        "x.js/",
        ".",
        "",
        "a//x.js",
        "a\\u202ex.js",
        "a" * MAX_PATH_CHARS + ".js",
    ],
    ids=lambda text: ascii(text)[:30],
)
def test_a_path_that_is_not_within_the_pack_is_refused_with_the_manifests_own_text(path: str) -> None:
    error = refused(JS.replace("index.js", path))
    assert error.at == "modules[0].file"
    assert "is not a file of the pack" in error.message


def test_a_path_has_a_longest_length() -> None:
    path = "a" * (MAX_PATH_CHARS - 3) + ".js"
    assert parse(JS.replace("index.js", path)).modules[0] == JsEntry(name=".", file=path)


def test_an_npm_name_has_a_longest_length() -> None:
    text = JS.replace("file", "npm")
    assert parse(text.replace("index.js", "n" * MAX_NPM_NAME_CHARS)).modules
    refused(text.replace("index.js", "n" * (MAX_NPM_NAME_CHARS + 1)))


def test_a_pack_has_a_largest_number_of_files() -> None:
    files = [f'"m{index}.js"' for index in range(MAX_PACK_FILES)]
    assert parse(f"internal = [{', '.join(files[1:])}]\n{JS}").modules
    assert "above the cap" in str(refused(f"internal = [{', '.join(files)}]\n{JS}"))


@pytest.mark.parametrize(("field", "most"), MAX_WASM_LIMITS.items())
def test_a_wasm_limit_above_its_ceiling_is_refused_and_not_cut(field: str, most: int) -> None:
    assert parse(f"{WASM}limits = {{ {field} = {most} }}\n").modules
    assert refused(f"{WASM}limits = {{ {field} = {most + 1} }}\n").at == f"modules[0].limits.{field}"
    assert refused(f"{WASM}limits = {{ {field} = 0 }}\n").at == f"modules[0].limits.{field}"


def test_wasm_memory_and_exports_have_ceilings() -> None:
    assert parse(WASM.replace("= 1\n", f"= {MAX_MEMORY_PAGES}\n")).modules
    refused(WASM.replace("= 1\n", f"= {MAX_MEMORY_PAGES + 1}\n"))
    names = [f'"f{index}"' for index in range(MAX_WASM_EXPORTS + 1)]
    assert parse(WASM.replace('["f"]', f"[{', '.join(names[1:])}]")).modules
    assert "above the cap" in str(refused(WASM.replace('["f"]', f"[{', '.join(names)}]")))
