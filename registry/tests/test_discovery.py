from __future__ import annotations

import csv
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from nodetool_sandbox_registry import (
    COMMAND_GROUP,
    COMPILER_DISTRIBUTION,
    HOST_TABLE_GROUP,
    Catalog,
    Code,
    DiscoveryCache,
    HostTableEntry,
    discover,
    find_compile_command,
    find_host_table,
)
from nodetool_sandbox_registry.installed import MAX_METADATA_BYTES, _Declared
from nodetool_sandbox_registry.snapshots import SETTLED_NS
from registry_fakes import CSV, INDEX, Site, codes, imports_of, specifiers

MARK = "import pathlib; pathlib.Path(__file__).with_name('marker').touch()\n"


@pytest.fixture
def second(tmp_path: Path) -> Site:
    """Another folder on the path."""
    return Site(tmp_path / "second")


def found(*sites: Site) -> Catalog:
    return discover([str(site.root) for site in sites], imports_of=imports_of)


def failed(catalog: Catalog) -> list[tuple[str | None, str]]:
    return [(each.pack, each.message) for each in catalog.diagnostics() if each.code is Code.DISCOVERY_FAILED]


def test_an_empty_path_and_missing_folders_hold_nothing(tmp_path: Path) -> None:
    catalog = discover([str(tmp_path / "none"), str(tmp_path)], imports_of=imports_of)
    assert (catalog.summaries(), catalog.diagnostics()) == ((), ())


def test_the_path_is_the_interpreters_own_by_default(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.install()
    monkeypatch.setattr(sys, "path", [str(site.root)])
    assert specifiers(discover(imports_of=imports_of)) == ["example-pack"]


def test_discovery_and_resolution_run_nothing_of_a_pack(site: Site) -> None:
    site.install(
        files={
            "index.js": "",
            "__init__.py": MARK + "def __getattr__(name): raise SystemExit\n__path__ = None\n",
            "conftest.py": MARK,
            "setup.py": MARK,
            "example.pth": MARK,
            "lazy/__init__.py": MARK,
        }
    )
    loaded = set(sys.modules)
    site.discover().resolve(["example-pack"])
    assert not list(site.root.rglob("marker"))
    assert not {name for name in set(sys.modules) - loaded if name.startswith("example_pack")}


@pytest.mark.parametrize(
    "value",
    [
        "example_pack:attr",
        "example_pack.sub",
        "example_pack.sub:attr",
        "example_pack [x]",
        "../example_pack",
        "é",
    ],
)
def test_an_entry_point_that_is_no_top_level_package_is_refused(site: Site, value: str) -> None:
    site.install(value=value, files={"index.js": "", "__init__.py": MARK, "sub/__init__.py": MARK})
    assert "must name one top-level package" in site.refusal()
    assert not list(site.root.rglob("marker"))


def test_a_bad_pack_stops_no_other(site: Site) -> None:
    site.install("good")
    site.install("bad", manifest="[")
    site.install("huge", manifest=b"#" * 50_000_000)
    catalog = site.discover()
    assert specifiers(catalog) == ["good"]
    assert codes(catalog) == ["discovery-failed", "discovery-failed"]


def test_a_distribution_without_the_entry_point_is_nobody(site: Site) -> None:
    site.install()
    info = site.root / "example_pack-1.0.dist-info" / "entry_points.txt"
    for text in ("[console_scripts]\nx = y:z\n", "[other]\nnote = nodetool_sandbox.packs\n", ""):
        info.write_text(text)
        assert site.discover().diagnostics() == ()
    info.unlink()
    assert site.discover().summaries() == ()


@pytest.mark.parametrize("swap", [False, True])
def test_two_distributions_of_one_name_are_both_dropped_in_either_order(
    site: Site, second: Site, *, swap: bool
) -> None:
    site.install("nodetool-sandbox-csv", CSV)
    second.install(
        "Nodetool.Sandbox_CSV", CSV, version="9.0", package="other", info="Nodetool.Sandbox_CSV-9.0.dist-info"
    )
    catalog = found(second, site) if swap else found(site, second)
    assert catalog.summaries() == ()
    assert codes(catalog) == ["duplicate-pack"]
    told = catalog.diagnostics()[0]
    assert told.message == "Pack nodetool-sandbox-csv is installed 2 times (1.0, 9.0); uninstall all but one"
    assert len(told.places) == 2
    assert all(place not in told.message for place in told.places)


@pytest.mark.parametrize("swap", [False, True])
def test_a_claim_on_a_pinned_id_fails_in_either_order_and_leaves_the_owner_alone(
    site: Site, second: Site, *, swap: bool
) -> None:
    site.install("nodetool-sandbox-csv", CSV)
    second.install("evil-csv", CSV)
    catalog = found(second, site) if swap else found(site, second)
    assert specifiers(catalog) == ["@nodetool-ai/sandbox-csv"]
    assert [pack for pack, _ in failed(catalog)] == ["evil-csv"]


def test_one_folder_that_is_twice_on_the_path_is_one_install(site: Site, tmp_path: Path) -> None:
    site.install()
    link = tmp_path / "lib64"
    link.symlink_to(site.root)
    catalog = discover([str(site.root), str(site.root), str(link)], imports_of=imports_of)
    assert specifiers(catalog) == ["example-pack"]
    assert codes(catalog) == []


def test_two_distributions_that_name_one_package_are_both_dropped(site: Site) -> None:
    site.install("first", package="shared")
    site.install("second", package="shared")
    catalog = site.discover()
    assert codes(catalog) == ["duplicate-pack", "duplicate-pack"]
    assert "Packs first and second both name the package" in catalog.diagnostics()[0].message


@pytest.mark.parametrize(
    "name", ["nodetool-sandbox-сsv", "nodetool-sandbox-csv-", "@nodetool-ai/sandbox-csv"]
)
def test_a_look_alike_of_a_pinned_distribution_is_refused(site: Site, name: str) -> None:
    site.install("nodetool-sandbox-csv", CSV, metadata=f"Name: {name}\nVersion: 1.0\n")
    assert "is not a distribution name" in site.refusal()


def test_metadata_that_claims_another_wheels_name_is_refused_with_both_names(site: Site) -> None:
    site.install(
        "evil-zip", CSV.replace('"csv"', '"zip"'), metadata="Name: nodetool-sandbox-zip\nVersion: 1\n"
    )
    message = site.refusal()
    assert 'the metadata says "nodetool-sandbox-zip", but its folder belongs to "evil_zip"' in message


def test_metadata_whose_record_is_another_wheels_is_refused(site: Site) -> None:
    site.install(
        "nodetool-sandbox-zip", CSV, record=["evil_zip/pack.toml", "evil_zip-1.0.dist-info/METADATA"]
    )
    assert '"nodetool_sandbox_zip-1.0.dist-info" is not in its own RECORD' in site.refusal()


def test_a_package_that_another_wheel_installed_is_refused(site: Site) -> None:
    site.install(
        "evil-pack", value="example_pack", record=["evil_pack/x", "evil_pack-1.0.dist-info/METADATA"]
    )
    assert 'the package "example_pack" is not in RECORD' in site.refusal()


def test_a_wheel_without_record_counts_as_an_operating_systems_package(site: Site) -> None:
    site.install()
    (site.root / "example_pack-1.0.dist-info" / "RECORD").unlink()
    assert specifiers(site.discover()) == ["example-pack"]


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        ("Version: 1.0\n", "no usable Name and Version: it is missing"),
        ("Name: example-pack\n", "no usable Name and Version"),
        ("Name: example-pack\nName: other\nVersion: 1.0\n", "not give one name and one version"),
        ("Name: example-pack\nVersion: 1.0\nVersion: 2.0\n", "not give one name and one version"),
        ("Name: example-pack\nVersion: 1.0 beta/../x\n", "not give one name and one version"),
        ("\n", "no usable Name and Version"),
    ],
)
def test_metadata_without_one_clear_identity_is_refused(site: Site, metadata: str, words: str) -> None:
    site.install(metadata=metadata)
    assert words in site.refusal()


def test_a_metadata_folder_without_a_name_is_refused(site: Site) -> None:
    site.install(info="~xample_pack-1.0.dist-info")
    assert 'its folder belongs to "~xample_pack"' in site.refusal()


def break_with_fifo(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def break_with_size(file: Path) -> None:
    file.write_bytes(b" " * (MAX_METADATA_BYTES + 1))


def break_with_bytes(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"\xff")


@pytest.mark.parametrize("file", ["METADATA", "entry_points.txt", "RECORD"])
@pytest.mark.parametrize("break_file", [break_with_fifo, break_with_size, break_with_bytes])
def test_metadata_that_cannot_be_read_is_one_diagnostic(
    site: Site, file: str, break_file: Callable[[Path], None]
) -> None:
    site.install()
    site.install("good")
    break_file(site.root / "example_pack-1.0.dist-info" / file)
    catalog = site.discover()
    assert specifiers(catalog) == ["good"]
    assert [pack for pack, _ in failed(catalog)] == ["example-pack"]


def test_metadata_has_a_largest_size(site: Site) -> None:
    head = "Name: example-pack\nVersion: 1.0\n\n"
    site.install(metadata=head.ljust(MAX_METADATA_BYTES))
    assert specifiers(site.discover()) == ["example-pack"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[nodetool_sandbox.packs]\na = example_pack\nb = example_pack\n", "declares 2 entry points"),
        ("[nodetool_sandbox.packs]\nno equals sign\n", "entry_points.txt cannot be read"),
    ],
)
def test_entry_points_that_are_not_one_are_refused(site: Site, text: str, words: str) -> None:
    site.install()
    (site.root / "example_pack-1.0.dist-info" / "entry_points.txt").write_text(text)
    assert words in site.refusal()


def test_a_record_that_is_no_csv_is_refused(site: Site) -> None:
    site.install(record=["x" * 200_000])
    # one limit for the whole process, which other code in it may have raised
    before = csv.field_size_limit(100_000)
    try:
        assert "RECORD cannot be read" in site.refusal()
    finally:
        csv.field_size_limit(before)


def test_a_pack_in_an_archive_is_told(tmp_path: Path) -> None:
    archive = tmp_path / "packs.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("zipped-1.0.dist-info/METADATA", "Name: zipped\nVersion: 1.0\n")
        file.writestr("zipped-1.0.dist-info/entry_points.txt", "[nodetool_sandbox.packs]\nx = zipped\n")
        file.writestr("zipped/pack.toml", INDEX)
        file.writestr("other-1.0.dist-info/METADATA", "Name: other\nVersion: 1.0\n")
    catalog = discover([str(archive)], imports_of=imports_of)
    assert [pack for pack, _ in failed(catalog)] == ["zipped"]
    assert "inside of an archive" in catalog.diagnostics()[0].message


def test_an_egg_is_told_unless_it_lies_beside_the_wheel_of_its_name(site: Site) -> None:
    egg = {"entry_points.txt": "[nodetool_sandbox.packs]\nx = example_pack\n"}
    site.write(site.root / "example_pack.egg-info", egg)
    assert "is not installed as a wheel" in site.refusal()
    site.install()
    assert codes(site.discover()) == []


def editable(project: Path) -> object:
    return {"url": project.as_uri(), "dir_info": {"editable": True}}


def test_an_editable_install_is_found_where_its_pth_file_points(site: Site, tmp_path: Path) -> None:
    project = tmp_path / "my project"
    source = Site(project / "src")
    site.install(
        direct_url=editable(project), package_root=source.root, record=["example_pack-1.0.dist-info/METADATA"]
    )
    assert specifiers(found(site, source)) == ["example-pack"]


def test_an_editable_install_whose_folder_is_not_on_the_path_is_refused(site: Site, tmp_path: Path) -> None:
    project = tmp_path / "project"
    stranger = Site(tmp_path / "project-evil")
    stranger.install()
    (stranger.root / "example_pack-1.0.dist-info").rename(tmp_path / "away")
    site.install(
        direct_url=editable(project), package_root=project, record=["example_pack-1.0.dist-info/METADATA"]
    )
    ((pack, message),) = failed(found(site, stranger))
    assert pack == "example-pack"
    assert "editable install" in message
    assert ".pth" in message


@pytest.mark.parametrize(
    "direct_url",
    ["text", {"url": "https://example.org/x.whl"}, {"url": "file:///x", "dir_info": {}}, [[[]]]],
)
def test_a_direct_url_that_is_not_editable_changes_nothing(site: Site, direct_url: object) -> None:
    site.install(direct_url=direct_url)
    assert specifiers(site.discover()) == ["example-pack"]


def test_a_direct_url_that_is_no_json_changes_nothing(site: Site) -> None:
    site.install(direct_url={})
    (site.root / "example_pack-1.0.dist-info" / "direct_url.json").write_text("[" * 100_000)
    assert specifiers(site.discover()) == ["example-pack"]


def test_an_editable_url_of_windows_has_its_drive_first(site: Site) -> None:
    url = {"url": "file:///C:/work/pack", "dir_info": {"editable": True}}
    site.install(direct_url=url)
    assert "editable install" in site.refusal()


def bring(site: Site, content: bytes | None, *, file: str = "example.pth") -> None:
    """A wheel that lists such a file, and the file."""
    site.install(record=["example_pack/pack.toml", "example_pack-1.0.dist-info/METADATA", file])
    if content is not None:
        site.write(site.root, {file: content})


@pytest.mark.parametrize(
    "content",
    [b"import os; os.fork()\n", b"/folder\nimport\tos", b"#" * 65_537],
    ids=lambda each: ascii(each)[:20],
)
def test_a_pack_that_makes_python_run_code_at_its_start_is_refused(site: Site, content: bytes) -> None:
    bring(site, content)
    assert 'it brings "example.pth", by which Python runs code' in site.refusal()


def test_an_editable_install_that_runs_code_at_the_start_is_told_what_helps(
    site: Site, tmp_path: Path
) -> None:
    site.install(
        record=["example_pack-1.0.dist-info/METADATA", "__editable__.pth"],
        direct_url={"url": tmp_path.as_uri(), "dir_info": {"editable": True}},
    )
    site.write(site.root, {"__editable__.pth": "import finder"})
    assert "use a build backend that writes a plain .pth file" in site.refusal()


def test_a_start_file_that_is_no_plain_file_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(site, None)
    (site.root / "example.pth").mkdir()
    assert "example.pth" in site.refusal()
    (site.root / "example.pth").rmdir()
    bring(site, b"")

    def refuse(self: Path) -> bytes:
        raise PermissionError(str(self))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert "example.pth" in site.refusal()


@pytest.mark.parametrize(
    "content", [b"/a/folder\n# import nothing\n", b"#" * 65_536, None], ids=["list", "long", "gone"]
)
def test_a_list_of_folders_runs_nothing(site: Site, content: bytes | None) -> None:
    bring(site, content)
    assert specifiers(site.discover()) == ["example-pack"]


def test_a_package_folder_that_is_a_link_is_refused(site: Site, tmp_path: Path) -> None:
    folder = site.install()
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert 'the package folder "example_pack" is a symbolic link' in site.refusal()


def test_a_package_folder_that_is_missing_is_told(site: Site) -> None:
    folder = site.install()
    folder.rename(site.root / "renamed")
    assert 'the package folder "example_pack" is missing' in site.refusal()


class Clock:
    def __init__(self) -> None:
        self.now = 2**62

    def __call__(self) -> int:
        return self.now


def test_a_kept_catalog_is_given_until_something_changes(site: Site) -> None:
    cache = DiscoveryCache(now_ns=Clock())
    folder = site.install()
    first = site.discover(cache=cache)
    assert site.discover(cache=cache) is first
    site.write(folder, {"index.js": "export const one = 1000;"})
    second = site.discover(cache=cache)
    assert second is not first
    site.install("another")
    third = site.discover(cache=cache)
    assert specifiers(third) == ["another", "example-pack"]
    (folder / "SKILL.md").unlink()
    assert codes(site.discover(cache=cache)) == ["skill-missing"]


def test_a_catalog_as_young_as_its_files_is_read_again(site: Site) -> None:
    clock = Clock()
    clock.now = 0
    cache = DiscoveryCache(now_ns=clock)
    site.install()
    first = site.discover(cache=cache)
    assert site.discover(cache=cache) is not first
    clock.now = max(path.stat().st_ctime_ns for path in site.root.rglob("*")) + SETTLED_NS + 1
    kept = site.discover(cache=cache)
    assert site.discover(cache=cache) is kept


def install_table(site: Site, distribution: str, value: str, group: str = HOST_TABLE_GROUP) -> None:
    site.install(distribution, value=value)
    info = site.root / f"{distribution.replace('-', '_')}-1.0.dist-info" / "entry_points.txt"
    info.write_text(f"[{group}]\nentry = {value}\n")


def test_the_host_table_comes_from_the_pinned_distribution_alone(site: Site) -> None:
    assert find_host_table([str(site.root)]) is None
    install_table(site, "evil-host", "evil:HOSTS")
    assert find_host_table([str(site.root)]) is None
    install_table(site, "nodetool-sandbox-host", "nodetool_sandbox_host:HOSTS")
    assert find_host_table([str(site.root)]) == HostTableEntry(
        version="1.0", module="nodetool_sandbox_host", attribute="HOSTS"
    )


def test_a_host_table_without_an_attribute_or_with_anothers_name_is_passed_over(site: Site) -> None:
    install_table(site, "nodetool-sandbox-host", "nodetool_sandbox_host")
    assert find_host_table([str(site.root)]) is None
    (site.root / "nodetool_sandbox_host-1.0.dist-info").rename(site.root / "evil-1.0.dist-info")
    assert find_host_table([str(site.root)]) is None


def test_the_command_that_compiles_comes_from_the_compiler_alone(site: Site) -> None:
    install_table(site, "evil-pack", "evil_pack:main", COMMAND_GROUP)
    assert find_compile_command([str(site.root)]) is None
    install_table(site, COMPILER_DISTRIBUTION, "nodetool_sandbox_compiler.command:main", COMMAND_GROUP)
    assert find_compile_command([str(site.root)]) == ("nodetool_sandbox_compiler.command", "main")


def test_the_entry_points_are_those_of_the_text_that_was_read_and_nothing_else_is_there() -> None:
    declared = _Declared("[nodetool_sandbox.packs]\npack = example_pack\n")
    assert [each.value for each in declared.entry_points] == ["example_pack"]
    assert declared.read_text("METADATA") is None
    with pytest.raises(FileNotFoundError):
        declared.locate_file("example_pack/__init__.py")


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=repr)
def test_a_name_in_the_description_is_no_name(site: Site, end: str) -> None:
    lines = ["Metadata-Version: 2.1", "Name: example-pack", "Version: 1.0", "", "Name: other", ""]
    site.install(metadata=end.join(lines))
    assert specifiers(site.discover()) == ["example-pack"]
