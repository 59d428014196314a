"""What npm is told of a pack's lock: names, versions and hashes, and nothing that leads elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from nodetool_sandbox_compiler.locks import MAX_LOCK_BYTES, MAX_PACKAGE_BYTES, MAX_PACKAGES, load_lock
from nodetool_sandbox_compiler.outcomes import EndsShort
from nodetool_sandbox_registry.codes import Code

HASH = "sha512-" + "A" * 86 + "=="
PACKAGE = {"dependencies": {"lib": "^1.0.0"}}
ENTRY = {"version": "1.2.3", "integrity": HASH}


def project(folder: Path, lock: object, package: object = PACKAGE) -> Path:
    (folder / "package.json").write_text(json.dumps(package))
    (folder / "package-lock.json").write_text(json.dumps(lock))
    return folder


def lock_of(**packages: object) -> dict[str, object]:
    return {"lockfileVersion": 3, "packages": {"": PACKAGE, **packages}}


def refusal(folder: Path) -> str:
    with pytest.raises(EndsShort) as caught:
        load_lock(folder)
    assert caught.value.code is Code.NPM_MODULE_UNRESOLVED
    assert str(folder) not in caught.value.detail
    return caught.value.detail


def test_npm_gets_names_versions_and_hashes_alone(tmp_path: Path) -> None:
    entry = {
        **ENTRY,
        "resolved": "https://127.0.0.1:1/lib.tgz",
        "hasInstallScript": True,
        "bin": {"lib": "../../evil"},
        "scripts": {"install": "touch /tmp/x"},
        "license": "MIT",
        "dependencies": {"inner": "~2"},
    }
    package = {
        **PACKAGE,
        "name": "evil",
        "scripts": {"preinstall": "touch /tmp/x"},
        "workspaces": ["../.."],
        "overrides": {"lib": "file:/etc"},
        "devDependencies": {"dev": "git+https://127.0.0.1/x.git"},
    }
    lock = lock_of(**{"node_modules/lib": entry, "node_modules/lib/node_modules/@s/inner": ENTRY})
    told = load_lock(project(tmp_path, lock, package))
    found = json.loads(told.lock)["packages"]
    assert found["node_modules/lib"] == {**ENTRY, "dependencies": {"inner": "~2"}}
    assert set(found) == {"", "node_modules/lib", "node_modules/lib/node_modules/@s/inner"}
    assert set(json.loads(told.package)) == {"name", "version", "private", "dependencies"}
    for text in ("127.0.0.1", "evil", "touch", "script", "workspaces", "overrides"):
        assert text not in told.package + told.lock


@pytest.mark.parametrize(
    "wanted",
    [
        "file:../x",
        "link:../x",
        "git+https://127.0.0.1/x.git",
        "git@127.0.0.1:x/y.git",
        "github:x/y",
        "x/y",
        "http://127.0.0.1/x.tgz",
        "workspace:*",
        "../x",
        "/etc/passwd",
        "~/x",
        "npm:../x@1",
        "1.0.0\n",
        7,
        None,
    ],
)
@pytest.mark.parametrize("field", ["dependencies", "peerDependencies", "optionalDependencies"])
def test_a_dependency_that_is_no_version_of_a_registry_is_refused(
    tmp_path: Path, wanted: object, field: str
) -> None:
    entry = {**ENTRY, field: {"inner": wanted}}
    assert "no version of a registry" in refusal(project(tmp_path, lock_of(**{"node_modules/lib": entry})))
    if field == "dependencies":
        lock = lock_of(**{"node_modules/lib": ENTRY})
        assert "package.json" in refusal(project(tmp_path, lock, {"dependencies": {"lib": wanted}}))


@pytest.mark.parametrize(
    "wanted",
    [
        "",
        "*",
        "1",
        "1.2.3",
        "^1.0.0-beta.1",
        ">=1 <3",
        "1 - 2",
        "1.x || 2.x",
        "latest",
        "npm:@a/b@^1",
        "~1.2",
    ],
)
def test_every_range_of_a_registry_is_taken(tmp_path: Path, wanted: str) -> None:
    lock = lock_of(**{"node_modules/lib": ENTRY})
    told = load_lock(project(tmp_path, lock, {"dependencies": {"lib": wanted}}))
    assert json.loads(told.package)["dependencies"] == {"lib": wanted}


@pytest.mark.parametrize(
    "entry",
    [
        {"version": "1.2.3"},
        {"version": "1.2.3", "integrity": "sha1-AAAA"},
        {"version": "1.2.3", "integrity": "md5-AAAA"},
        {"version": "1.2.3", "integrity": ""},
        {"version": "1.2.3", "integrity": f"sha1-AAAA {HASH}"},
        {"version": "1.2.3", "integrity": 5},
        {"version": "http://127.0.0.1/x.tgz", "integrity": HASH},
        {"version": "git+ssh://git@127.0.0.1/x.git#1", "integrity": HASH},
        {"version": "file:../x", "integrity": HASH},
        {"version": "1.2.3\n", "integrity": HASH},
        {"version": 1, "integrity": HASH},
        {"link": True, "resolved": "../..", **ENTRY},
        {**ENTRY, "name": "../x"},
        {**ENTRY, "name": 1},
        {**ENTRY, "dependencies": ["a"]},
        {**ENTRY, "dependencies": {"../x": "1"}},
        "1.2.3",
        None,
    ],
    ids=range(18),
)
def test_an_entry_that_is_not_one_hashed_version_is_refused(tmp_path: Path, entry: object) -> None:
    assert "package-lock.json" in refusal(project(tmp_path, lock_of(**{"node_modules/lib": entry})))


@pytest.mark.parametrize(
    "place",
    [
        "../lib",
        "lib",
        "node_modules",
        "node_modules/",
        "node_modules/../../x",
        "node_modules/lib/node_modules/..",
        "/node_modules/lib",
        "packages/a/node_modules/lib",
        "node_modules/LIB",
        "node_modules/@s",
        "node_modules/a/b",
        "node_modules\\lib",
        "node_modules/.bin",
    ],
)
def test_a_place_that_is_not_in_node_modules_is_refused(tmp_path: Path, place: str) -> None:
    assert "no place in node_modules" in refusal(project(tmp_path, lock_of(**{place: ENTRY})))


def test_what_comes_inside_of_a_hashed_archive_needs_no_hash_of_its_own(tmp_path: Path) -> None:
    inside = {"version": "1.0.0", "inBundle": True}
    lock = lock_of(**{"node_modules/lib": ENTRY, "node_modules/lib/node_modules/inner": inside})
    assert "inBundle" in load_lock(project(tmp_path, lock)).lock


def test_what_only_development_needs_is_left_out(tmp_path: Path) -> None:
    lock = lock_of(**{"node_modules/lib": ENTRY, "node_modules/dev": {"version": "x", "dev": True}})
    assert "node_modules/dev" not in load_lock(project(tmp_path, lock)).lock


@pytest.mark.parametrize(
    "lock", [{}, [], {"lockfileVersion": 1, "dependencies": {}}, {"lockfileVersion": 3}, 7, None]
)
def test_a_lock_of_another_kind_is_refused(tmp_path: Path, lock: object) -> None:
    refusal(project(tmp_path, lock))


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 50_000, b'{"a":' * 50_000], ids=range(5))
def test_a_file_that_is_no_json_is_refused(tmp_path: Path, data: bytes) -> None:
    project(tmp_path, lock_of(**{"node_modules/lib": ENTRY}))
    (tmp_path / "package.json").write_bytes(data)
    assert "package.json" in refusal(tmp_path)


def test_a_missing_file_is_named_with_what_makes_it(tmp_path: Path) -> None:
    assert "npm install --package-lock-only" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("name", "most"), [("package.json", MAX_PACKAGE_BYTES), ("package-lock.json", MAX_LOCK_BYTES)]
)
def test_a_file_has_a_cap(tmp_path: Path, name: str, most: int) -> None:
    path = project(tmp_path, lock_of(**{"node_modules/lib": ENTRY})) / name
    path.write_text(path.read_text().ljust(most))
    load_lock(tmp_path)
    path.write_text(path.read_text() + " ")
    assert "above" in refusal(tmp_path)


def test_a_lock_has_a_longest_length(tmp_path: Path) -> None:
    def lock(count: int) -> dict[str, object]:
        return lock_of(**{f"node_modules/l{index}": ENTRY for index in range(count - 1)})

    load_lock(project(tmp_path, lock(MAX_PACKAGES)))
    assert "above the cap" in refusal(project(tmp_path, lock(MAX_PACKAGES + 1)))
