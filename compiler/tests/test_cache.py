from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from nodetool_sandbox_compiler import CompileCache, Compiled
from nodetool_sandbox_compiler import options as compiler_options
from nodetool_sandbox_compiler.cache import MAX_ENTRY_BYTES, pointer_name
from nodetool_sandbox_compiler.inputs import Inputs, build_key
from nodetool_sandbox_compiler.options import options_digest
from nodetool_sandbox_registry.digests import Digest, digest_bytes

INPUTS = Inputs(files={"node_modules/lib/index.js": "a" * 64}, resolution={"package.json": "absent"})
SOURCE = "export const a = 'é\ud800';"


def module(inputs: Inputs = INPUTS, npm: str = "lib", source: str = SOURCE) -> Compiled:
    return Compiled(
        npm=npm,
        version="1.0.0",
        source=source,
        sha256=digest_bytes(source.encode("utf-8", "surrogatepass")),
        options_digest=options_digest(),
        inputs_digest=inputs.digest(),
        key=build_key(npm, inputs),
        exports=("a",),
        warnings=("w",),
        licences="MIT",
    )


@pytest.fixture
def cache(tmp_path: Path) -> CompileCache:
    return CompileCache.open(tmp_path / "cache")


def entry(cache: CompileCache, key: str) -> Path:
    return cache.folder / "sandbox-modules" / f"{key}.json"


def files(cache: CompileCache) -> list[str]:
    return sorted(each.name for each in cache.folder.rglob("*") if each.is_file())


# ---- the key


def test_a_key_is_the_same_for_the_same_inputs_in_any_order() -> None:
    files_of = {"b.js": "b" * 64, "a.js": "a" * 64}
    turned = Inputs(files=dict(reversed(files_of.items())), resolution={})
    assert build_key("lib", Inputs(files=files_of, resolution={})) == build_key("lib", turned)


def test_a_key_changes_with_everything_that_a_module_is_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {
        build_key("lib", INPUTS),
        build_key("other", INPUTS),
        build_key("lib", replace(INPUTS, files={"node_modules/lib/index.js": "b" * 64})),
        build_key("lib", replace(INPUTS, files={"node_modules/lib/other.js": "a" * 64})),
        build_key("lib", replace(INPUTS, resolution={"package.json": "c" * 64})),
        build_key("lib", replace(INPUTS, resolution={**INPUTS.resolution, "x": "absent"})),
    }
    compiler_options.compiler_identity.cache_clear()
    monkeypatch.setattr(compiler_options, "ESBUILD_VERSION", "0.0.1")
    keys.add(build_key("lib", INPUTS))
    compiler_options.compiler_identity.cache_clear()
    monkeypatch.setattr(compiler_options, "COMPILER_VERSION", "other")
    keys.add(build_key("lib", INPUTS))
    compiler_options.compiler_identity.cache_clear()
    assert len(keys) == 8


# ---- entries


def test_an_entry_is_read_as_it_was_written(cache: CompileCache) -> None:
    cache.write(module(), INPUTS)
    assert cache.read(module().key) == (replace(module(), cached=True), INPUTS)


@pytest.mark.parametrize("key", ["../x", "", "a" * 63, "A" * 64, "g" * 64, "a" * 64 + "\n", "/" + "a" * 63])
def test_a_key_that_is_no_digest_is_refused(cache: CompileCache, key: str) -> None:
    for ask in (cache.read, cache.read_pointer):
        with pytest.raises(ValueError, match="64 lower-case"):
            ask(Digest(key))


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document | {"compilerVersion": "0"},
        lambda document: document | {"esbuild": "0.0.1"},
        lambda document: document | {"guest": "x"},
        lambda document: document | {"source": "export const a = 2;"},
        lambda document: document | {"npm": "other"},
        lambda document: document | {"sha256": "0" * 64},
        lambda document: document | {"inputs": {}},
        lambda document: document | {"inputs": {"a": 1}},
        lambda document: document | {"exports": "a"},
        lambda _: {},
        lambda _: [],
    ],
    ids=range(11),
)
def test_an_entry_that_is_foreign_or_does_not_agree_is_deleted(cache: CompileCache, change: object) -> None:
    cache.write(module(), INPUTS)
    path = entry(cache, module().key)
    assert callable(change)
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    assert cache.read(module().key) is None
    assert files(cache) == []


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[" * 100_000, b"\xff\xfe", b" " * (MAX_ENTRY_BYTES + 1)], ids=range(5)
)
def test_an_entry_that_is_broken_is_deleted(cache: CompileCache, data: bytes) -> None:
    entry(cache, module().key).write_bytes(data)
    assert cache.read(module().key) is None
    assert files(cache) == []


def test_an_entry_under_another_key_is_not_that_module(cache: CompileCache) -> None:
    cache.write(module(), INPUTS)
    other = build_key("other", INPUTS)
    entry(cache, module().key).rename(entry(cache, other))
    assert cache.read(other) is None


def test_many_writers_leave_one_whole_entry_and_nothing_else(cache: CompileCache) -> None:
    big = module(source="export const a = 1;" + "/" * 500_000)
    seen: list[object] = []

    def write() -> None:
        for _ in range(5):
            cache.write(big, INPUTS)
            seen.append(cache.read(big.key))

    threads = [threading.Thread(target=write) for _ in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(seen) == 30
    assert all(found == (replace(big, cached=True), INPUTS) for found in seen)
    assert files(cache) == [f"{big.key}.json"]


# ---- pointers


def test_a_pointer_names_a_key(cache: CompileCache) -> None:
    name = pointer_name("folder", "/x", "lib")
    assert cache.read_pointer(name) is None
    cache.write_pointer(name, module().key)
    assert cache.read_pointer(name) == module().key


@pytest.mark.parametrize("text", ["{}", '{"key": "../x"}', '{"key": 1}', "x"])
def test_a_pointer_that_names_no_key_is_deleted(cache: CompileCache, text: str) -> None:
    name = pointer_name("folder")
    (cache.folder / "sandbox-modules" / "index" / f"{name}.json").write_text(text)
    assert cache.read_pointer(name) is None
    assert files(cache) == []


# ---- the folder


def test_a_cache_that_others_can_write_to_is_neither_read_nor_written(tmp_path: Path) -> None:
    private = CompileCache.open(tmp_path / "cache")
    private.write(module(), INPUTS)
    private.folder.chmod(0o777)
    shared = CompileCache.open(tmp_path / "cache")
    assert shared.reason is not None
    assert "chmod go-w" in shared.reason
    assert str(tmp_path) not in shared.reason
    assert shared.read(module().key) is None
    shared.write(module(npm="other"), INPUTS)
    assert len(files(shared)) == 1


def test_a_cache_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = CompileCache.open(tmp_path / "file")
    assert cache.reason is not None
    cache.write(module(), INPUTS)
    assert cache.read(module().key) is None


def test_a_write_that_fails_is_a_miss_and_leaves_nothing(cache: CompileCache) -> None:
    path = entry(cache, module().key)
    path.mkdir()  # nothing can be moved there
    cache.write(module(), INPUTS)
    assert cache.read(module().key) is None
    assert files(cache) == []
