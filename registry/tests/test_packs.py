"""What discovery makes of one pack: rules for files, imports and host ids, statuses and digests."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from nodetool_sandbox_registry import (
    Catalog,
    Code,
    DistName,
    HostId,
    ModuleKind,
    PackFolder,
    SandboxPackDiscoveryError,
    Severity,
    Snapshot,
    Specifier,
    pins,
    read_pack,
)
from nodetool_sandbox_registry.manifest import MAX_PACK_FILES
from nodetool_sandbox_registry.packs import MAX_BUNDLE_BYTES, MAX_JS_BYTES, MAX_SUMMARY_CHARS, MAX_TYPES_BYTES
from nodetool_sandbox_registry.skill import MAX_SKILL_BYTES
from registry_fakes import CSV, INDEX, Site, chain, codes, imports_of, npm, specifiers
from wasm_forms import module


def digests(catalog: Catalog) -> dict[str, str]:
    return {each.specifier: each.digest for each in catalog.summaries()}


def test_a_pack_has_its_modules_under_its_own_name(site: Site) -> None:
    extra = '[[modules]]\nname = "extra"\nkind = "js"\nfile = "js/extra.js"\n'
    site.install(
        "Acme_Tools", INDEX + extra, {"index.js": "", "js/extra.js": ""}, info="acme_tools-1.0.dist-info"
    )
    catalog = site.discover()
    assert specifiers(catalog) == ["acme-tools", "acme-tools/extra"]
    assert codes(catalog) == []
    summary = catalog.summaries()[0]
    assert (summary.kind, summary.version, summary.description, summary.available) == (
        ModuleKind.JS,
        "1.0",
        "An example.",
        True,
    )


def test_the_pinned_distribution_gets_its_facade(site: Site) -> None:
    site.install("nodetool-sandbox-csv", CSV)
    catalog = site.discover()
    module = catalog.resolve(["@nodetool-ai/sandbox-csv"]).modules[0]
    assert (module.kind, module.module_id, module.host_id) == (ModuleKind.HOST, "host:csv", "csv")
    assert '"@nodetool-ai/sandbox-csv", "parse"' in module.source
    assert catalog.summaries()[0].description.startswith("Read and write CSV")


@pytest.mark.parametrize("host", ["csv", "zip", "yaml"])
def test_a_second_package_cannot_claim_a_pinned_host_id(site: Site, host: str) -> None:
    site.install("evil-pack", CSV.replace('"csv"', f'"{host}"'))
    assert (
        f'host module "{host}" belongs to @nodetool-ai/sandbox-{host} and cannot be declared by evil-pack'
        in (site.refusal())
    )


def test_an_unknown_host_id_is_refused_at_discovery(site: Site) -> None:
    site.install("evil-pack", CSV.replace('"csv"', '"constructor"'))
    assert '"constructor" is not a host module NodeTool implements' in site.refusal()


def test_a_fault_of_the_manifest_is_told_with_its_place(site: Site) -> None:
    site.install(manifest=INDEX + "x = 1\n")
    assert site.refusal() == 'Pack example-pack: pack.toml: modules[0]."x": unknown field'


def test_a_missing_file_is_told_as_the_manifest_names_it(site: Site) -> None:
    site.install(files={})
    assert site.refusal() == 'Pack example-pack: "index.js" is not in the pack'


def test_a_missing_manifest_is_told(site: Site) -> None:
    (site.install() / "pack.toml").unlink()
    assert '"pack.toml" is not in the pack' in site.refusal()


def test_a_file_that_is_not_utf_8_is_refused(site: Site) -> None:
    site.install(files={"index.js": b"export {}; // \xff"})
    assert '"index.js" is not UTF-8 at byte 14' in site.refusal()


def test_a_link_to_a_file_outside_is_refused(site: Site) -> None:
    folder = site.install()
    (folder / "index.js").unlink()
    (folder / "index.js").symlink_to("/etc/hostname")
    assert '"index.js" is a symbolic link' in site.refusal()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("!!", "is not a JavaScript module"),
        ('await import("x")', "uses import()"),
        ('require("fs")', "calls require()"),
        ('import "node:buffer";', 'imports "node:buffer", which is no file of the pack'),
        ('import "@nodetool-ai/sandbox-csv";', "which is no file of the pack"),
        ('import "/etc/hostname";', "which is no file of the pack"),
        ('import "../outside.js";', 'imports "../outside.js", which leaves the pack'),
        ('import "./js/../../x.js";', "which leaves the pack"),
        ('import "./util.js";', 'imports "./util.js", which is not declared as a public or internal file'),
        ('import "./helper";', "which is not declared"),
        ('import "./w.wasm";', "which is not JavaScript"),
        ('import "./bundle.js";', "which is not compiled"),
        ('import "./index.js";', 'internal module cycle includes "index.js -> index.js"'),
        ('import "./helper.js";', 'internal module cycle includes "helper.js -> index.js -> helper.js"'),
    ],
    ids=lambda value: value[:40],
)
def test_an_import_that_is_no_declared_file_is_refused(site: Site, source: str, words: str) -> None:
    more = '[[modules]]\nname = "w"\nkind = "wasm"\nfile = "w.wasm"\nmemory_pages_max = 1\nexports = ["f"]\n'
    more += npm("left-pad", "bundle.js").replace('"."', '"n"')
    helper = 'import "./index.js";' if "helper.js" in source else ""
    site.install(
        manifest=f'internal = ["helper.js"]\n{INDEX}{more}',
        files={"index.js": source, "helper.js": helper, "util.js": "", "w.wasm": module()},
    )
    assert words in site.refusal()


def test_several_faults_are_told_at_once_up_to_a_number(site: Site) -> None:
    site.install(files={"index.js": "".join(f'import "./x{index}.js";' for index in range(8))})
    assert site.refusal().count("which is not declared") == 5
    assert site.refusal().endswith("; and 3 more")


def test_a_chain_as_long_as_a_pack_may_be_is_linked(site: Site) -> None:
    manifest, files = chain(MAX_PACK_FILES)
    site.install(manifest=manifest, files=files)
    assert len(site.discover().resolve(["example-pack"]).modules[0].files) == MAX_PACK_FILES


def test_a_chain_longer_than_a_pack_may_be_is_refused(site: Site) -> None:
    manifest, files = chain(MAX_PACK_FILES + 1)
    site.install(manifest=manifest, files=files)
    assert "above the cap" in site.refusal()


def test_a_diamond_of_many_paths_is_walked_once(site: Site) -> None:
    depth = 60
    names = [f"{side}{level}.js" for level in range(depth) for side in "ab"]
    files = {
        f"{side}{level}.js": f'import "./a{level + 1}.js"; import "./b{level + 1}.js";'
        for level in range(depth - 1)
        for side in "ab"
    }
    files |= {
        f"a{depth - 1}.js": "",
        f"b{depth - 1}.js": "",
        "index.js": 'import "./a0.js"; import "./b0.js";',
    }
    site.install(manifest=f"internal = {names}\n{INDEX}", files=files)
    assert len(site.discover().resolve(["example-pack"]).modules[0].files) == 2 * depth + 1


def test_files_have_largest_sizes(site: Site) -> None:
    site.install("small", files={"index.js": " " * MAX_JS_BYTES})
    site.install("large", files={"index.js": " " * (MAX_JS_BYTES + 1)})
    site.install("small-bundle", npm("lib", "lib.js"), {"lib.js": " " * MAX_BUNDLE_BYTES})
    site.install("large-bundle", npm("lib", "lib.js"), {"lib.js": " " * (MAX_BUNDLE_BYTES + 1)})
    catalog = site.discover()
    assert specifiers(catalog) == ["small", "small-bundle"]
    assert [each.pack for each in catalog.diagnostics() if each.code is Code.DISCOVERY_FAILED] == [
        "large",
        "large-bundle",
    ]


def test_a_whole_pack_has_a_largest_size(site: Site) -> None:
    manifest, files = chain(40)
    site.install(manifest=manifest, files={name: text.ljust(MAX_JS_BYTES) for name, text in files.items()})
    assert "above its 8,388,608 byte cap" in site.refusal()


def test_an_internal_host_module_is_there_for_the_packs_own_files_alone(site: Site) -> None:
    manifest = CSV.replace('"."', '"engine"') + "internal = true\n" + INDEX.replace("index.js", "js/index.js")
    site.install("nodetool-sandbox-csv", manifest, {"js/index.js": 'export * from "../engine";'})
    catalog = site.discover()
    assert specifiers(catalog) == ["@nodetool-ai/sandbox-csv"]
    module = catalog.resolve(["@nodetool-ai/sandbox-csv"]).modules[0]
    assert module.host_id is None
    assert [(file.id, file.path, file.specifier) for file in module.files] == [
        ("host:csv", "engine", "@nodetool-ai/sandbox-csv/engine"),
        ("js/index.js", "js/index.js", None),
    ]


def test_a_public_host_module_cannot_be_imported_by_path(site: Site) -> None:
    manifest = CSV.replace('"."', '"engine"') + INDEX
    site.install("nodetool-sandbox-csv", manifest, {"index.js": 'import "./engine";'})
    assert "which is not declared" in site.refusal()


def test_a_compiled_library_is_a_module(site: Site) -> None:
    site.install(
        manifest=npm("date-fns", "js/date-fns.js"), files={"js/date-fns.js": "export const add = 1;"}
    )
    catalog = site.discover()
    module = catalog.resolve(["example-pack"]).modules[0]
    assert (module.module_id, module.source) == ("npm:date-fns", "export const add = 1;")
    assert codes(catalog) == ["npm-module-compiled"]
    assert catalog.diagnostics()[0].severity is Severity.INFO


@pytest.mark.parametrize("bundle", [None, "js/date-fns.js"])
def test_a_library_that_is_not_compiled_waits_for_the_compiler(site: Site, bundle: str | None) -> None:
    site.install(manifest=npm("date-fns", bundle), files={})
    catalog = site.discover()
    assert codes(catalog) == ["pending-compile"]
    assert "its wheel was built without the compiled file" in catalog.diagnostics()[0].message
    assert not catalog.summaries()[0].available


@pytest.fixture
def reserved(monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry whose pin of `dates` has no functions yet."""
    dates = HostId("dates")
    monkeypatch.setattr(pins, "PINS", {**pins.PINS, dates: replace(pins.PINS[dates], exports=())})


@pytest.mark.usefixtures("reserved")
def test_reserved_host_modules_are_listed_as_unavailable(site: Site) -> None:
    site.install("nodetool-sandbox-dates", CSV.replace('"csv"', '"dates"'), {})
    catalog = site.discover()
    assert codes(catalog) == ["host-reserved"]
    assert [each.available for each in catalog.summaries()] == [False]


@pytest.mark.usefixtures("reserved")
def test_javascript_in_front_of_a_reserved_host_module_is_unavailable_too(site: Site) -> None:
    manifest = CSV.replace('"."', '"engine"').replace('"csv"', '"dates"') + "internal = true\n" + INDEX
    site.install("nodetool-sandbox-dates", manifest, {"index.js": 'import "./engine";'})
    assert not site.discover().summaries()[0].available


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("SKILL.md", None, "skill-missing"),
        ("SKILL.md", "# no front matter", "skill-invalid"),
        ("SKILL.md", "x" * (MAX_SKILL_BYTES + 1), "skill-invalid"),
        ("index.d.ts", None, "types-missing"),
        ("index.d.ts", "x" * (MAX_TYPES_BYTES + 1), "types-invalid"),
        ("index.d.ts", b"\xff", "types-invalid"),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_bad_documentation_costs_a_warning_and_nothing_else(
    site: Site, name: str, content: str | bytes | None, code: str
) -> None:
    folder = site.install()
    (folder / name).unlink()
    if content is not None:
        site.write(folder, {name: content})
    catalog = site.discover()
    assert codes(catalog) == [code]
    assert catalog.diagnostics()[0].severity is Severity.WARNING
    assert catalog.resolve(["example-pack"]).warnings == ()


def test_documentation_has_largest_sizes(site: Site) -> None:
    head = "---\nname: x\ndescription: y\n---\n"
    site.install(
        files={
            "index.js": "",
            "SKILL.md": head.ljust(MAX_SKILL_BYTES),
            "index.d.ts": "".ljust(MAX_TYPES_BYTES),
        }
    )
    assert codes(site.discover()) == []


def test_a_linked_skill_is_a_warning(site: Site) -> None:
    folder = site.install()
    (folder / "SKILL.md").rename(folder / "other.md")
    (folder / "SKILL.md").symlink_to("other.md")
    os.mkfifo(folder / "fifo")
    (folder / "index.d.ts").unlink()
    (folder / "fifo").rename(folder / "index.d.ts")
    assert codes(site.discover()) == ["skill-invalid", "types-invalid"]


def test_documentation_is_kept_with_the_pack(site: Site) -> None:
    site.install(
        files={"index.js": "", "SKILL.md": f"---\nname: x\ndescription: {'d' * 500}\n---\n## Use\nso\n"}
    )
    catalog = site.discover()
    pack = catalog.pack(Specifier("example-pack"))
    assert pack is not None
    assert pack.skill is not None
    assert pack.skill.sections["use"] == "so"
    assert pack.types == "export const one: number;\n"
    assert len(catalog.summaries()[0].description) == MAX_SUMMARY_CHARS


def test_a_pack_that_is_not_installed_can_be_read_from_its_folder(site: Site) -> None:
    folder = site.install()
    with PackFolder(str(folder.parent), folder.name, seen=Snapshot()) as opened:
        pack = read_pack(opened, distribution=DistName("example-pack"), version="1.0", imports_of=imports_of)
    assert pack.digest == site.discover().pack(Specifier("example-pack")).digest  # type: ignore[union-attr]
    (folder / "index.js").unlink()
    with (
        pytest.raises(SandboxPackDiscoveryError) as refused,
        PackFolder(str(folder.parent), folder.name, seen=Snapshot()) as opened,
    ):
        read_pack(opened, distribution=DistName("example-pack"), version="1.0", imports_of=imports_of)
    assert (refused.value.pack, str(refused.value)) == (
        "example-pack",
        'example-pack: "index.js" is not in the pack',
    )


TWO = INDEX + '[[modules]]\nname = "b"\nkind = "js"\nfile = "b.js"\n'
SWAPPED = '[[modules]]\nname = "b"\nkind = "js"\nfile = "b.js"\n' + INDEX


def test_a_digest_does_not_depend_on_the_order_of_the_manifest(site: Site, tmp_path: Path) -> None:
    other = Site(tmp_path / "other")
    files = {"index.js": "1", "b.js": "2", "u.js": "", "v.js": ""}
    site.install(manifest='internal = ["u.js", "v.js"]\n' + TWO, files=files)
    other.install(manifest='internal = ["v.js", "u.js"]\n' + SWAPPED, files=files)
    assert digests(site.discover()) == digests(other.discover())
    name = Specifier("example-pack")
    assert site.discover().pack(name).digest == other.discover().pack(name).digest  # type: ignore[union-attr]


def test_only_the_module_whose_files_changed_has_another_digest(site: Site) -> None:
    files = {"index.js": 'import "./u.js";', "b.js": "", "u.js": "1"}
    folder = site.install(manifest='internal = ["u.js"]\n' + TWO, files=files)
    before = digests(site.discover())
    site.write(folder, {"u.js": "2"})
    after = digests(site.discover())
    assert before["example-pack"] != after["example-pack"]
    assert before["example-pack/b"] == after["example-pack/b"]


def test_a_version_alone_changes_every_digest(site: Site, tmp_path: Path) -> None:
    other = Site(tmp_path / "other")
    site.install("nodetool-sandbox-csv", CSV)
    other.install("nodetool-sandbox-csv", CSV, version="2.0")
    assert not set(digests(site.discover()).values()) & set(digests(other.discover()).values())
