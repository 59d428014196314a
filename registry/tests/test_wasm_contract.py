"""Which WebAssembly a pack may bring."""

from __future__ import annotations

import pytest
from nodetool_sandbox_registry import WasmContractError, WasmModule
from nodetool_sandbox_registry.digests import digest_bytes
from nodetool_sandbox_registry.manifest import MAX_MEMORY_PAGES, PackManifest, WasmEntry
from nodetool_sandbox_registry.wasm_binary import MAX_BINARY_EXPORTS, MAX_FUNCTIONS
from nodetool_sandbox_registry.wasm_contract import MAX_PARAMS, check_wasm
from registry_fakes import Site, codes
from wasm_forms import (
    CODE,
    DATA,
    EXPORT,
    FUNCTION,
    GLOBAL,
    HEADER,
    IMPORT,
    MEMORY,
    START,
    TYPE,
    export,
    leb,
    module,
    section,
    signature,
    text,
    vector,
)

MANIFEST = '[[modules]]\nname = "."\nkind = "wasm"\nfile = "w.wasm"\nmemory_pages_max = 4\nexports = ["f"]\n'


def entry(exports: str = '["f"]', *, pages: int = 4, limits: str = "") -> WasmEntry:
    more = f"limits = {limits}\n" if limits else ""
    text = MANIFEST.replace('["f"]', exports).replace("= 4", f"= {pages}") + more
    (only,) = PackManifest.parse(text.encode()).modules
    assert isinstance(only, WasmEntry)
    return only


def refusal(binary: bytes, exports: str = '["f"]', *, pages: int = 4) -> str:
    with pytest.raises(WasmContractError) as refused:
        check_wasm(binary, entry(exports, pages=pages))
    return str(refused.value)


def admitted(binary: bytes, exports: str = '["f"]', *, pages: int = 4) -> WasmModule:
    return check_wasm(binary, entry(exports, pages=pages))


def one_type(content: bytes) -> bytes:
    return HEADER + section(TYPE, vector([content]))


def test_what_a_call_needs_is_read_from_the_binary() -> None:
    binary = module(signature("i32 f64", "f32"), signature(), exports=[export("f-raw"), export("g", index=1)])
    found = check_wasm(
        binary, entry('[{ wasm = "f-raw", as = "f" }, "g"]', limits="{ calls_per_invocation = 3 }")
    )
    assert [(each.alias, each.wasm, each.params, each.result) for each in found.functions] == [
        ("f", "f-raw", ("i32", "f64"), "f32"),
        ("g", "g", (), None),
    ]
    assert (found.memory_pages, found.digest, found.binary) == (4, digest_bytes(binary), binary)
    assert found.contract() == {
        "memoryPagesMax": 4,
        "exports": [
            {"wasm": "f-raw", "as": "f", "params": ["i32", "f64"], "result": "f32"},
            {"wasm": "g", "as": "g", "params": [], "result": None},
        ],
        "limits": {"calls_per_invocation": 3},
    }


@pytest.mark.parametrize(
    ("binary", "exports", "words"),
    [
        (module(exports=[]), '["f"]', 'export "f" is missing from the binary'),
        (
            module(memory=b"\1\1\1", exports=[export("f", "memory")]),
            '["f"]',
            'export "f" is a memory, not a function',
        ),
        (module(exports=[export("f", "global")]), '["f"]', 'export "f" is a global, not a function'),
        (module(exports=[export("f", "table")]), '["f"]', 'export "f" is a table, not a function'),
        (
            module(signature("i32 " * (MAX_PARAMS + 1))),
            '["f"]',
            'export "f" takes 9 parameters, above the 8 the scalar contract allows',
        ),
        (
            module(signature("", "i32 i32")),
            '["f"]',
            'export "f" returns 2 values (multi-value), above the 1 the scalar contract allows',
        ),
        (
            module(signature("i32 i64")),
            '["f"]',
            'export "f" takes parameter 1 that uses i64, which maps to bigint rather than number',
        ),
        (module(signature("v128")), '["f"]', "takes parameter 0 that uses v128, a vector type"),
        (module(signature("funcref")), '["f"]', "takes parameter 0 that uses the reference type funcref"),
        (
            module(signature("", "externref")),
            '["f"]',
            "returns a value that uses the reference type externref",
        ),
        (module(exports=[export("f", index=1)]), '["f"]', "exports a function that it does not have"),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "binary",
)
def test_an_export_outside_of_the_scalar_contract_is_refused(binary: bytes, exports: str, words: str) -> None:
    assert words in refusal(binary, exports)


def test_as_many_parameters_as_the_contract_allows_are_admitted() -> None:
    assert len(admitted(module(signature("f32 " * MAX_PARAMS))).functions[0].params) == MAX_PARAMS


def test_what_the_manifest_does_not_name_may_be_anything() -> None:
    binary = module(
        signature(),
        signature("i64 v128", "i64 i64"),
        memory=b"\1\1\2",
        exports=[
            export("f"),
            export("other", index=1),
            export("memory", "memory"),
            export("then"),
            export("__proto__"),
        ],
    )
    assert [each.alias for each in admitted(binary).functions] == ["f"]


@pytest.mark.parametrize("name", ["__proto__", "then", "constructor", "f-with-dashes"])
def test_names_that_mean_something_elsewhere_are_names_here(name: str) -> None:
    binary = module(exports=[export(name)])
    found = admitted(binary, f'[{{ wasm = "{name}", as = "f" }}]')
    assert [(each.wasm, each.alias) for each in found.functions] == [(name, "f")]


@pytest.mark.parametrize(
    ("memory", "words"),
    [
        (b"\0\1", "has a memory without a maximum"),
        (b"\1\1\5", "has a memory of up to 5 pages, above its memory_pages_max of 4"),
        (b"\1\3\2", "has a memory of at least 3 pages and at most 2"),
        (b"\1\7\2", "above its memory_pages_max of 4"),
        (b"\1\1" + leb(65_536), "has a memory of up to 65,536 pages"),
        (b"\3\1\2", "has a shared memory"),
        (b"\5\1\2", "has a memory of 64-bit addresses"),
        (b"\x09\1\2\0", "pages of its own size"),
    ],
    ids=["no maximum", "large", "crossed", "crossed and large", "all", "shared", "memory64", "page size"],
)
def test_a_memory_that_is_not_bounded_is_refused(memory: bytes, words: str) -> None:
    assert words in refusal(module(memory=memory))


def test_a_memory_as_large_as_the_manifest_says_is_admitted() -> None:
    assert admitted(module(memory=b"\1\1\4")).memory_pages == 4
    most = leb(MAX_MEMORY_PAGES)
    assert admitted(module(memory=b"\1\1" + most), pages=MAX_MEMORY_PAGES).memory_pages == MAX_MEMORY_PAGES
    assert "above its memory_pages_max of 0" in refusal(module(memory=b"\1\0\1"), pages=0)


def test_two_memories_are_refused() -> None:
    memories = section(MEMORY, vector([b"\1\1\1", b"\1\1\1"]))
    assert "has 2 memories, above the cap of 1" in refusal(HEADER + memories)


def test_an_import_is_refused_by_its_name() -> None:
    binary = HEADER + section(IMPORT, vector([text("env") + text("log") + b"\0\0"]))
    assert refusal(binary).startswith('"w.wasm": imports "log" from "env"; ')


def test_an_empty_list_of_imports_is_none() -> None:
    binary = module()
    place = binary.index(bytes([FUNCTION]) + b"\2")
    assert admitted(binary[:place] + section(IMPORT, b"\0") + binary[place:]).functions


@pytest.mark.parametrize("cut", range(len(module(signature("i32", "i32"), memory=b"\1\1\2"))))
def test_a_binary_that_ends_anywhere_early_is_refused(cut: int) -> None:
    whole = module(signature("i32", "i32"), memory=b"\1\1\2")
    words = refusal(whole[:cut])
    # a cut between two sections leaves a module that lacks what it announced
    assert "truncated WASM binary" in words or "missing" in words or "another number of functions" in words


@pytest.mark.parametrize(
    ("binary", "words"),
    [
        (b"#!/bin/sh\n", "is not a WebAssembly module of version 1"),
        (b"\0asm\x02\0\0\0", "is not a WebAssembly module of version 1"),
        (b"\0asm\x0d\0\1\0", "is not a WebAssembly module of version 1"),
        (HEADER + section(13, b"\0"), "has a section 13 where none may be"),
        (HEADER + section(EXPORT, b"\0") + section(MEMORY, b"\0"), "has a section 5 where none may be"),
        (HEADER + section(TYPE, b"\0") * 2, "has a section 1 where none may be"),
        (HEADER + section(TYPE, b"\0\0"), "longer than what it says"),
        (HEADER + section(TYPE, b"\x80\x80\x80\x80\x80\0"), "a number of too many bytes"),
        (HEADER + section(TYPE, b"\xff\xff\xff\xff\x7f"), "a number above 32 bits"),
        (one_type(b"\x5f\0"), "declares a type that is no function's"),
        (one_type(b"\x60\1\x63\0"), "uses a value of a type that is not known here"),
        (HEADER + section(EXPORT, vector([b"\1\xff\0\0"])), "holds a name that is not UTF-8"),
        (HEADER + section(EXPORT, vector([text("t") + b"\4\0"])), 'exports "t", which is of an unknown kind'),
        (module(exports=[export("f"), export("f")]), 'exports "f" twice'),
        (HEADER + section(TYPE, leb(MAX_FUNCTIONS + 1)), "50,001 types, above the cap of 50,000"),
        (HEADER + section(FUNCTION, leb(MAX_FUNCTIONS + 1)), "50,001 functions, above the cap of 50,000"),
        (HEADER + section(EXPORT, leb(MAX_BINARY_EXPORTS + 1)), "10,001 exports, above the cap of 10,000"),
        (HEADER + section(CODE, leb(MAX_FUNCTIONS + 1)), "50,001 bodies, above the cap of 50,000"),
        (HEADER + section(CODE, vector([b"\2\0\x0b"])), "another number of functions than of bodies"),
    ],
    ids=lambda value: value[:50] if isinstance(value, str) else "binary",
)
def test_what_is_no_module_is_refused(binary: bytes, words: str) -> None:
    assert words in refusal(binary)


def test_as_many_functions_as_there_may_be_are_read() -> None:
    binary = b"".join(
        [
            HEADER,
            section(TYPE, vector([signature()])),
            section(FUNCTION, vector([b"\0"] * MAX_FUNCTIONS)),
            section(EXPORT, vector([export("f", index=MAX_FUNCTIONS - 1)])),
            section(CODE, vector([b"\2\0\x0b"] * MAX_FUNCTIONS)),
        ]
    )
    assert admitted(binary).functions


def test_sections_that_say_nothing_about_the_contract_are_passed_over() -> None:
    name = section(0, text("name") + b"whatever")
    more = section(GLOBAL, b"\0") + section(EXPORT, vector([export("f")])) + section(START, b"\0")
    binary = module(exports=[])
    place = binary.index(section(EXPORT, b"\0"))
    rest = binary[place + len(section(EXPORT, b"\0")) :]
    assert admitted(HEADER + name + binary[8:place] + more + rest + section(DATA, b"\0") + name).functions


def test_all_violations_are_told_at_once_up_to_a_number() -> None:
    exports = ", ".join(f'"x{number}"' for number in range(8))
    words = refusal(module(memory=b"\0\1"), f"[{exports}]")
    assert (words.count("missing"), words.endswith("; and 4 more")) == (4, True)
    assert "without a maximum" in words


# ---- as a pack


def test_a_pack_of_webassembly_is_discovered_and_resolved(site: Site) -> None:
    site.install("acme-sums", MANIFEST, {"w.wasm": module(signature("i32 i32", "i32"))})
    catalog = site.discover()
    assert codes(catalog) == []
    (summary,) = catalog.summaries()
    assert (summary.kind, summary.available) == ("wasm", True)
    (resolved,) = catalog.resolve(["acme-sums"]).modules
    (file,) = resolved.files
    assert (file.id, file.path, file.internal, file.specifier) == ("w.wasm", None, False, "acme-sums")
    assert file.wasm is not None
    assert file.byte_count == len(module(signature("i32 i32", "i32")))
    assert file.source == (
        'import { bind } from "nodetool:wasm-bridge";\n'
        'const call0 = bind("acme-sums", "f", 4);\nexport { call0 as f };\n'
    )


@pytest.mark.parametrize(
    ("binary", "words"),
    [
        (module(memory=b"\0\1"), "without a maximum"),
        (b"\0asm", "truncated WASM binary"),
        (module() + b"\0" * (4 * 1024 * 1024), "above the 4,194,304 byte cap"),
    ],
    ids=["contract", "form", "size"],
)
def test_a_binary_outside_of_the_contract_costs_its_own_pack(site: Site, binary: bytes, words: str) -> None:
    site.install("acme-sums", MANIFEST, {"w.wasm": binary})
    site.install()
    assert words in site.refusal()
    assert [each.specifier for each in site.discover().summaries()] == ["example-pack"]


@pytest.mark.parametrize(
    "change",
    [
        {"manifest": MANIFEST.replace("memory_pages_max = 4", "memory_pages_max = 5")},
        {"manifest": MANIFEST.replace('["f"]', '[{ wasm = "f", as = "g" }]')},
        {"manifest": MANIFEST + "limits = { call_timeout_ms = 5 }\n"},
        {"files": {"w.wasm": module(signature("f32"))}},
        {"version": "1.1"},
    ],
    ids=["memory", "alias", "limits", "signature", "version"],
)
def test_the_digest_has_everything_that_a_call_depends_on(site: Site, change: dict[str, str]) -> None:
    site.install("acme-sums", MANIFEST, {"w.wasm": module()})
    before = site.discover().summaries()[0].digest
    given = {"manifest": MANIFEST, "files": {"w.wasm": module()}} | change
    site.install("acme-sums", **given)  # type: ignore[arg-type]
    if "version" in change:
        (site.root / "acme_sums-1.0.dist-info" / "METADATA").unlink()
    assert site.discover().summaries()[0].digest != before
