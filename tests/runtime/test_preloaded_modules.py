"""Modules that were compiled for an earlier run: faster, and otherwise as if they had been loaded."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox import Limits, Sandbox, preloading
from nodetool_sandbox._engine.preloaded import WASM_PAGE_BYTES, Preloaded
from nodetool_sandbox._engine.shared import SHADOW_STACK_BYTES
from nodetool_sandbox.imports import scan_imports
from nodetool_sandbox.preloading import ModuleCache
from nodetool_sandbox_registry import Catalog, discover
from nodetool_sandbox_registry.linking import ModuleGraph

MIB = 1024 * 1024

MANIFEST = """internal = ["part.js"]
[[modules]]
name = "."
kind = "js"
file = "index.js"

[[modules]]
name = "other"
kind = "js"
file = "other.js"
"""
FILES = {
    "index.js": 'import { step } from "./part.js";\n'
    "export const born = Math.random();\n"
    "let count = 0;\n"
    "export function next() { count += step; return count; }\n"
    "export function fail() { throw new Error('from a pack'); }\n",
    "part.js": "export const step = 2;\n",
    "other.js": 'import { step } from "./part.js";\nexport const twice = step * 2;\n',
}


def install(root: Path, files: dict[str, str]) -> Catalog:
    """A pack `acme` as a wheel leaves it."""
    folder = root / "acme"
    folder.mkdir(parents=True, exist_ok=True)
    (root / "acme-1.dist-info").mkdir(exist_ok=True)
    (root / "acme-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1\n")
    (root / "acme-1.dist-info" / "entry_points.txt").write_text("[nodetool_sandbox.packs]\np = acme\n")
    (root / "acme-1.dist-info" / "RECORD").write_text("acme/pack.toml,,\nacme-1.dist-info/METADATA,,\n")
    (folder / "__init__.py").write_text("")
    (folder / "pack.toml").write_text(MANIFEST)
    for name, text in files.items():
        (folder / name).write_text(text)
    return discover([str(root)], imports_of=scan_imports)


class Loads:
    """Counts the texts that guests ask for, and gives a process that starts anew on the same folder."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.names: list[str] = []
        self.folder = folder
        self._patch = monkeypatch
        read = ModuleGraph.source

        def counted(graph: ModuleGraph, engine_id: str) -> str:
            self.names.append(engine_id)
            return read(graph, engine_id)

        monkeypatch.setattr(ModuleGraph, "source", counted)
        self.restart()

    def restart(self) -> ModuleCache:
        cache = ModuleCache(self.folder)
        self._patch.setattr(preloading, "_cache", cache)
        return cache

    def during(self, sandbox: Sandbox, code: str) -> tuple[object, int]:
        """What a program gives, and how many texts were loaded for it."""
        self.names.clear()
        result = sandbox.run_sync(code, modules=["acme", "acme/other"])
        assert result.success, result.error
        return result.value, len(self.names)

    @property
    def kept(self) -> list[Path]:
        return sorted(self.folder.glob("*.modules"))


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Loads:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    return Loads(monkeypatch, folder)


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(packs=install(tmp_path / "site", FILES))


NEXT = 'import { next } from "acme"; return [next(), next()]'
BORN = 'import { born } from "acme"; return [born, Date.now() > 1e12]'


def test_the_second_run_loads_nothing_and_begins_anew(sandbox: Sandbox, loads: Loads) -> None:
    assert loads.during(sandbox, NEXT) == ([2, 4], 2)
    for _ in range(3):
        assert loads.during(sandbox, NEXT) == ([2, 4], 0)


def test_random_numbers_and_the_clock_are_each_runs_own(sandbox: Sandbox, loads: Loads) -> None:
    seen = [loads.during(sandbox, BORN)[0] for _ in range(5)]
    assert len({str(each) for each in seen}) == 5
    assert all(isinstance(each, list) and each[1] is True for each in seen)


def test_another_process_reads_what_the_first_has_kept(sandbox: Sandbox, loads: Loads) -> None:
    loads.during(sandbox, NEXT)
    loads.restart()
    assert loads.during(sandbox, NEXT) == ([2, 4], 0)
    assert [each.stat().st_mode & 0o077 for each in loads.kept] == [0]


def test_each_set_of_imports_is_one_of_its_own(sandbox: Sandbox, loads: Loads) -> None:
    both = 'import { next } from "acme"; import { twice } from "acme/other"; return [next(), twice]'
    assert loads.during(sandbox, NEXT)[1] == 2
    assert loads.during(sandbox, 'import { twice } from "acme/other"; return twice') == (4, 2)
    assert loads.during(sandbox, both) == ([2, 4], 3)
    assert loads.during(sandbox, both) == ([2, 4], 0)
    assert len(loads.kept) == 3


def test_a_changed_text_is_another_module(tmp_path: Path, loads: Loads) -> None:
    loads.during(Sandbox(packs=install(tmp_path / "one", FILES)), NEXT)
    changed = {**FILES, "part.js": "export const step = 5;\n"}
    assert loads.during(Sandbox(packs=install(tmp_path / "two", changed)), NEXT) == ([5, 10], 2)


def test_a_program_still_imports_only_what_was_declared(sandbox: Sandbox, loads: Loads) -> None:
    loads.during(sandbox, NEXT)
    for code in ('import { step } from "./part.js"; return step', 'import "nodetool-sandbox:acme|part.js"'):
        result = sandbox.run_sync(code, modules=["acme"])
        assert result.error is not None
        assert "is not a sandbox package declared for this run" in result.error.message
    denied = sandbox.run_sync('import "acme"; return import("acme/other")', modules=["acme", "acme/other"])
    assert denied.error is not None
    assert "dynamic import() is not allowed" in denied.error.message


def test_a_failure_inside_a_pack_says_the_same_as_ever(sandbox: Sandbox, loads: Loads) -> None:
    code = 'import { fail } from "acme";\nfail()'
    first, second = (sandbox.run_sync(code, modules=["acme"]) for _ in range(2))
    assert first.error == second.error
    assert first.error is not None
    assert (first.error.message, first.error.line) == ("from a pack", 2)
    assert len(loads.kept) == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda data: data[:-1],
        lambda data: data[:100],
        lambda data: data + b"\0",
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"\0asm" + data,
        lambda data: os.urandom(len(data)),
    ],
)
def test_a_broken_entry_is_a_miss_and_is_made_anew(
    sandbox: Sandbox, loads: Loads, damage: Callable[[bytes], bytes]
) -> None:
    loads.during(sandbox, NEXT)
    (entry,) = loads.kept
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    loads.restart()
    assert loads.during(sandbox, NEXT) == ([2, 4], 2)
    assert entry.read_bytes() == whole


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files here")
def test_what_somebody_else_could_have_written_is_not_read(sandbox: Sandbox, loads: Loads) -> None:
    loads.during(sandbox, NEXT)
    (entry,) = loads.kept
    entry.chmod(0o666)
    loads.restart()
    assert loads.during(sandbox, NEXT)[1] == 2
    entry.unlink(missing_ok=True)
    stranger = loads.folder.parent / "elsewhere"
    stranger.write_bytes(b"")
    entry.symlink_to(stranger)
    loads.restart()
    assert loads.during(sandbox, NEXT)[1] == 2
    assert stranger.read_bytes() == b""
    loads.folder.chmod(0o777)
    loads.restart()
    assert loads.during(sandbox, NEXT)[1] == 2


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(sandbox: Sandbox, loads: Loads) -> None:
    loads.folder.rmdir()
    loads.folder.write_bytes(b"a file in its place")
    assert loads.during(sandbox, NEXT)[1] == 2
    assert loads.during(sandbox, NEXT)[1] == 0


def test_a_module_that_does_not_parse_is_the_engines_to_refuse(tmp_path: Path, loads: Loads) -> None:
    # the parser takes it and the engine does not: a duplicate binding
    sandbox = Sandbox(packs=install(tmp_path / "site", {**FILES, "other.js": "const a = 1;\nconst a = 2;\n"}))
    for _ in range(2):
        result = sandbox.run_sync('import "acme/other"; return 1', modules=["acme/other"])
        assert result.error is not None
        assert result.error.name == "SyntaxError"
    assert loads.kept == []


def test_modules_that_do_not_fit_a_run_are_its_own_out_of_memory(tmp_path: Path, loads: Loads) -> None:
    large = {**FILES, "index.js": "export const next = [" + "1," * 120_000 + "0].length;\n"}
    sandbox = Sandbox(packs=install(tmp_path / "site", large))
    code = 'import { next } from "acme"; return next'
    small = Limits(memory_limit_bytes=MIB)
    tight = sandbox.run_sync(code, modules=["acme"], limits=small)
    assert loads.kept == []
    assert loads.during(sandbox, code) == (120_001, 1)
    assert loads.during(sandbox, code) == (120_001, 0)
    again = sandbox.run_sync(code, modules=["acme"], limits=small)
    for result in (tight, again):
        assert result.error is not None
        assert result.error.message == "out of memory"


def test_a_process_keeps_no_more_than_its_cap(
    sandbox: Sandbox, loads: Loads, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads.during(sandbox, NEXT)
    data = Preloaded.from_bytes(loads.kept[0].read_bytes())
    assert data is not None
    other = 'import { twice } from "acme/other"; return twice'
    for room, loaded in ((2 * data.byte_count + WASM_PAGE_BYTES, 0), (data.byte_count, 2)):
        cache = ModuleCache(loads.folder / "none", most_bytes=room)
        (loads.folder / "none").write_bytes(b"")
        monkeypatch.setattr(preloading, "_cache", cache)
        loads.during(sandbox, NEXT)
        loads.during(sandbox, other)
        assert loads.during(sandbox, NEXT)[1] == loaded


def test_the_folder_keeps_no_more_than_its_cap(
    sandbox: Sandbox, loads: Loads, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads.during(sandbox, NEXT)
    (first,) = loads.kept
    os.utime(first, (1, 1))
    monkeypatch.setattr(preloading, "MAX_FOLDER_BYTES", int(first.stat().st_size * 1.5))
    loads.during(sandbox, 'import { twice } from "acme/other"; return twice')
    assert len(loads.kept) == 1
    assert first not in loads.kept


def test_a_set_over_the_cap_is_loaded_in_each_run(
    sandbox: Sandbox, loads: Loads, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads.during(sandbox, NEXT)
    data = Preloaded.from_bytes(loads.kept[0].read_bytes())
    assert data is not None
    for most, loaded in ((data.byte_count, 0), (data.byte_count - 1, 2)):
        loads.kept[0].unlink()
        monkeypatch.setattr(preloading, "MAX_SET_BYTES", most)
        loads.restart()
        loads.during(sandbox, NEXT)
        assert loads.during(sandbox, NEXT)[1] == loaded


PAGES = st.lists(
    st.sampled_from([b"\0" * 4096, b"\1" * 4096, b"\2" + b"\0" * 4095]), min_size=16, max_size=16
)


@given(before=PAGES, after=PAGES, more=st.integers(0, 2))
def test_what_differs_is_written_down_and_read_back(
    before: list[bytes], after: list[bytes], more: int
) -> None:
    old, new = b"".join(before), b"".join(after) + bytes(more * WASM_PAGE_BYTES)
    difference = Preloaded.between(old, new)
    assert Preloaded.from_bytes(difference.to_bytes()) == difference
    memory = bytearray(old.ljust(len(new), b"\0"))
    for start, content in difference.pieces:
        memory[start - SHADOW_STACK_BYTES : start - SHADOW_STACK_BYTES + len(content)] = content
    assert bytes(memory) == new
    assert difference.memory_bytes == SHADOW_STACK_BYTES + len(new)


@given(st.binary(max_size=200))
def test_other_bytes_are_nothing(data: bytes) -> None:
    assert Preloaded.from_bytes(data) is None


@pytest.mark.parametrize("piece", [(0, b"x"), (SHADOW_STACK_BYTES - 1, b"x"), (SHADOW_STACK_BYTES, b"12345")])
def test_a_piece_outside_of_the_data_is_nothing(piece: tuple[int, bytes]) -> None:
    written = Preloaded(SHADOW_STACK_BYTES + 4, (piece,)).to_bytes()
    assert Preloaded.from_bytes(written) is None
