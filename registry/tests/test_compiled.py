"""The record beside a compiled npm library, and what discovery makes of the two files."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from nodetool_sandbox_registry.compiled import (
    MAX_RECORD_BYTES,
    MAX_RECORD_ITEMS,
    CompiledRecord,
    RecordError,
    bundle_place,
    record_place,
)
from nodetool_sandbox_registry.digests import Digest, digest_bytes
from nodetool_sandbox_registry.packs import MAX_WARNINGS_TOLD
from registry_fakes import Site, codes, npm

SOURCE = "export const add = 1;"
RECORD = CompiledRecord(
    npm="date-fns",
    version="4.4.0",
    compiler="1",
    esbuild="0.1.0",
    recipe=Digest("a" * 64),
    options=Digest("b" * 64),
    inputs=Digest("c" * 64),
    sha256=digest_bytes(SOURCE.encode()),
    exports=("add",),
    warnings=("date-fns feature-detects process",),
)


def installed(site: Site, record: CompiledRecord | str | None, source: str = SOURCE) -> None:
    text = record.text() if isinstance(record, CompiledRecord) else record
    files = {"npm/date-fns.js": source} | ({} if text is None else {"npm/date-fns.json": text})
    site.install(manifest=npm("date-fns"), files=files)


def test_a_record_is_read_as_it_was_written() -> None:
    assert CompiledRecord.parse(RECORD.text().encode()) == RECORD


@pytest.mark.parametrize(
    ("npm_name", "place"),
    [("date-fns", "npm/date-fns.js"), ("@scope/name", "npm/@scope__name.js"), ("a.b", "npm/a.b.js")],
)
def test_a_compiled_file_and_its_record_lie_where_the_librarys_name_says(npm_name: str, place: str) -> None:
    assert bundle_place(npm_name) == place
    assert record_place(place) == place[:-3] + ".json"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b"\xff",
        b'{"format": 2}',
        json.dumps({**json.loads(RECORD.text()), "sha256": "x"}).encode(),
        json.dumps({**json.loads(RECORD.text()), "npm": 1}).encode(),
        json.dumps({**json.loads(RECORD.text()), "exports": "add"}).encode(),
        json.dumps({**json.loads(RECORD.text()), "exports": [1]}).encode(),
        json.dumps({**json.loads(RECORD.text()), "warnings": ["w"] * (MAX_RECORD_ITEMS + 1)}).encode(),
        json.dumps({**json.loads(RECORD.text()), "recipe": None}).encode(),
    ],
    ids=range(12),
)
def test_anything_else_is_no_record(data: bytes) -> None:
    with pytest.raises(RecordError):
        CompiledRecord.parse(data)


def test_as_many_exports_as_allowed_are_a_record() -> None:
    record = replace(RECORD, exports=("e",) * MAX_RECORD_ITEMS)
    assert CompiledRecord.parse(record.text().encode()) == record


def test_a_compiled_library_is_ready_with_its_version_and_its_warnings(site: Site) -> None:
    installed(site, RECORD)
    catalog = site.discover()
    (module,) = catalog.resolve(["example-pack"]).modules
    assert module.source == SOURCE
    assert codes(catalog) == ["npm-module-compiled", "npm-module-warning"]
    assert "date-fns 4.4.0, compiled" in catalog.diagnostics()[0].message


def test_a_pack_tells_no_more_warnings_than_are_read(site: Site) -> None:
    installed(site, replace(RECORD, warnings=("w",) * (MAX_WARNINGS_TOLD + 1)))
    assert codes(site.discover()).count("npm-module-warning") == MAX_WARNINGS_TOLD


@pytest.mark.parametrize(
    ("record", "source"),
    [
        (RECORD, SOURCE + " "),
        (replace(RECORD, npm="other"), SOURCE),
        ("{}", SOURCE),
    ],
    ids=["another file", "another library", "no record"],
)
def test_a_file_that_is_not_the_recorded_one_waits_for_the_compiler(
    site: Site, record: CompiledRecord | str, source: str
) -> None:
    installed(site, record, source)
    assert codes(site.discover()) == ["pending-compile"]


def test_a_record_has_a_cap(site: Site) -> None:
    installed(site, RECORD.text() + " " * (MAX_RECORD_BYTES - len(RECORD.text())))
    assert "npm-module-compiled" in codes(site.discover())
    installed(site, RECORD.text() + " " * (MAX_RECORD_BYTES - len(RECORD.text()) + 1))
    assert codes(site.discover()) == ["discovery-failed"]


def test_a_file_without_a_record_is_the_packs_own_work(site: Site) -> None:
    installed(site, None)
    assert codes(site.discover()) == ["npm-module-compiled"]


def test_what_a_library_was_made_from_is_in_the_digest(site: Site) -> None:
    def digest() -> str:
        return site.discover().resolve(["example-pack"]).modules[0].digest

    installed(site, RECORD)
    first = digest()
    installed(site, replace(RECORD, inputs=Digest("d" * 64)))
    second = digest()
    installed(site, replace(RECORD, inputs=Digest("d" * 64), recipe=Digest("e" * 64)))
    assert (first != second, digest() == second) == (True, True)
