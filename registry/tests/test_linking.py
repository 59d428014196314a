from __future__ import annotations

from dataclasses import replace

import pytest
from nodetool_sandbox_registry import (
    HOST_BRIDGE,
    HOST_BRIDGE_ID,
    DistName,
    HostId,
    ImportDenied,
    ModuleGraph,
    PackName,
    Resolution,
    SandboxHostModuleError,
    dynamic_import_denied,
)
from registry_fakes import CSV, INDEX, Site
from wasm_forms import module

USER = "user-code"
CSV_ID = "nodetool-sandbox:@nodetool-ai/sandbox-csv|host:csv"
INDEX_ID = "nodetool-sandbox:example-pack|js/index.js"


@pytest.fixture
def resolution(site: Site) -> Resolution:
    site.install("nodetool-sandbox-csv", CSV)
    site.install(
        "other-pack",
        'internal = ["secret.js"]\n' + INDEX,
        {"index.js": 'import "./secret.js";', "secret.js": ""},
    )
    site.install(
        manifest='internal = ["js/util.js", "util/index.js"]\n' + INDEX.replace("index.js", "js/index.js"),
        files={
            "js/index.js": 'import "./util.js"; import "../util/index.js";',
            "js/util.js": "",
            "util/index.js": "",
        },
    )
    return site.discover().resolve(["@nodetool-ai/sandbox-csv", "example-pack", "other-pack"])


@pytest.fixture
def graph(resolution: Resolution) -> ModuleGraph:
    return ModuleGraph.build(resolution)


def denied(graph: ModuleGraph, base: str, requested: str) -> str:
    with pytest.raises(ImportDenied) as caught:
        graph.normalize(base, requested)
    return str(caught.value)


@pytest.mark.parametrize(
    ("base", "requested", "expected"),
    [
        (USER, "@nodetool-ai/sandbox-csv", CSV_ID),
        (USER, "example-pack", INDEX_ID),
        (INDEX_ID, "./util.js", "nodetool-sandbox:example-pack|js/util.js"),
        (INDEX_ID, "./util", "nodetool-sandbox:example-pack|js/util.js"),
        (INDEX_ID, "../util", "nodetool-sandbox:example-pack|util/index.js"),
        (INDEX_ID, "../../../../js//./util.js", "nodetool-sandbox:example-pack|js/util.js"),
        (CSV_ID, HOST_BRIDGE, HOST_BRIDGE_ID),
    ],
)
def test_a_declared_name_or_a_sibling_is_found(
    graph: ModuleGraph, base: str, requested: str, expected: str
) -> None:
    assert graph.normalize(base, requested) == expected


UNDECLARED = [
    "node:buffer",
    "buffer",
    "node:fs",
    "http://127.0.0.1/x.js",
    "https://a/x.js",
    "file:///etc/hostname",
    "data:text/javascript,export default 1",
    "blob:x",
    "/etc/passwd",
    "./x.js",
    "../secrets.js",
    "%2e%2e/secrets.js",
    "std",
    "os",
    "qjs:std",
    "bjson",
    "nodetool-sandbox:denied",
    CSV_ID,
    HOST_BRIDGE_ID,
    "__proto__",
    "constructor",
    "",
    " @nodetool-ai/sandbox-csv",
    "@nodetool-ai/sandbox-csv/../sandbox-zip",
    "@nodetool-ai/sandbox-csv?x",
    "@nodetool-ai/sandbox-zip",
    "example-pack/js/util.js",
    "other-pack/secret.js",
    "#x",
    "\ud800",
]


@pytest.mark.parametrize("requested", UNDECLARED, ids=ascii)
def test_what_was_not_declared_is_denied_by_name(graph: ModuleGraph, requested: str) -> None:
    message = denied(graph, USER, requested)
    assert message.endswith(
        "is not a sandbox package declared for this run; add it to modules=[...] to import it"
    )
    assert (requested in message) or requested == "\ud800"
    message.encode()


def test_a_denial_of_a_million_letters_is_short(graph: ModuleGraph) -> None:
    assert len(denied(graph, USER, "x" * 1_000_000)) < 400


@pytest.mark.parametrize("base", [USER, INDEX_ID, HOST_BRIDGE_ID, "nodetool-sandbox:denied"])
def test_only_a_facade_imports_the_host_bridge(graph: ModuleGraph, base: str) -> None:
    assert denied(graph, base, HOST_BRIDGE) == (
        '"nodetool:host-bridge" is private to the sandbox\'s generated host facades and cannot be imported'
    )


@pytest.mark.parametrize("base", [USER, INDEX_ID, CSV_ID])
def test_nothing_imports_the_bridge_of_webassembly(graph: ModuleGraph, base: str) -> None:
    assert "generated WASM facades" in denied(graph, base, "nodetool:wasm-bridge")


@pytest.mark.parametrize(
    ("base", "requested"),
    [
        (INDEX_ID, "./none.js"),
        (INDEX_ID, "../secret.js"),
        (INDEX_ID, "../../other_pack/secret.js"),
        (INDEX_ID, ".."),
        (INDEX_ID, "..\\util.js"),
        (CSV_ID, "./pack.toml"),
    ],
)
def test_a_relative_path_stays_within_the_files_of_its_pack(
    graph: ModuleGraph, base: str, requested: str
) -> None:
    assert "is not a file of the" in denied(graph, base, requested)
    assert denied(graph, base, requested).endswith("sandbox package")


def test_the_source_is_the_text_that_was_read(graph: ModuleGraph) -> None:
    assert graph.source("nodetool-sandbox:other-pack|index.js") == 'import "./secret.js";'
    assert graph.source(CSV_ID).startswith('import { bind } from "nodetool:host-bridge"')
    with pytest.raises(KeyError):
        graph.source("nodetool-sandbox:other-pack|pack.toml")


def test_the_dispatcher_may_serve_the_declared_host_modules_alone(graph: ModuleGraph) -> None:
    assert graph.host_modules == {"@nodetool-ai/sandbox-csv": "csv"}


def test_a_catalog_that_gives_a_host_id_to_a_stranger_is_not_linked(resolution: Resolution) -> None:
    csv = resolution.modules[0]
    stolen = replace(resolution, modules=(replace(csv, distribution=DistName("evil-csv")),))
    with pytest.raises(SandboxHostModuleError, match="belongs to @nodetool-ai/sandbox-csv"):
        ModuleGraph.build(stolen)


def test_a_host_module_under_a_strangers_specifier_is_not_linked(resolution: Resolution) -> None:
    csv = resolution.modules[0]
    moved = replace(csv.files[0], specifier=PackName("evil"))  # type: ignore[arg-type]
    with pytest.raises(SandboxHostModuleError, match="cannot be declared by evil"):
        ModuleGraph.build(replace(resolution, modules=(replace(csv, files=(moved,)),)))


def test_an_unknown_host_id_is_not_linked(resolution: Resolution) -> None:
    csv = resolution.modules[0]
    unknown = replace(csv.files[0], host_id=HostId("nothing"))
    with pytest.raises(SandboxHostModuleError, match="is not a host module NodeTool implements"):
        ModuleGraph.build(replace(resolution, modules=(replace(csv, files=(unknown,)),)))


@pytest.mark.parametrize(
    "requested", ["@nodetool-ai/sandbox-csv", "\ud800", "x" * 1_000_000], ids=lambda t: ascii(t)[:30]
)
def test_every_dynamic_import_is_denied_with_its_name(requested: str) -> None:
    message = str(dynamic_import_denied(requested))
    assert message.startswith('dynamic import() is not allowed in the sandbox (requested "')
    assert len(message.encode()) < 400


def test_each_bridge_is_for_its_own_kind_of_facade(site: Site) -> None:
    wasm = '[[modules]]\nname = "."\nkind = "wasm"\nfile = "w.wasm"\nmemory_pages_max = 1\nexports = ["f"]\n'
    site.install("acme-sums", wasm, {"w.wasm": module()})
    graph = ModuleGraph.build(site.discover().resolve(["acme-sums"]))
    base = graph.normalize("user-code", "acme-sums")
    assert graph.normalize(base, "nodetool:wasm-bridge") == HOST_BRIDGE_ID
    assert "generated host facades" in denied(graph, base, "nodetool:host-bridge")
    for other in ("user-code", "nodetool-sandbox:example-pack|index.js"):
        assert "generated WASM facades" in denied(graph, other, "nodetool:wasm-bridge")
