"""The rules about wasmtime: which compiler, which allocator, which versions, and who may touch it."""

from __future__ import annotations

import ast
import ctypes
import importlib.metadata
from collections.abc import Iterator
from pathlib import Path

import nodetool_sandbox
import pytest
from nodetool_sandbox import EngineUnavailable
from nodetool_sandbox._engine import capi, image
from nodetool_sandbox._engine.image import FIXED_IN, IMPORTS, WASMTIME_MAJOR, check_version, new_config
from nodetool_sandbox.threads import GUEST_STACK_BYTES, MAX_WASM_STACK_BYTES
from nodetool_sandbox.user_cache import is_private

PACKAGE = Path(nodetool_sandbox.__file__).parent
ENGINE = PACKAGE / "_engine"
SOURCES = sorted(PACKAGE.rglob("*.py"))


def names(path: Path) -> Iterator[str]:
    """Every name, attribute and short text in the code of a file; comments and docstrings are not code."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            yield node.value


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


# ---- the configuration


class Recorder:
    """Stands where the bindings stand and notes each call; what is asked for works."""

    def __init__(self, real: object) -> None:
        self._real = real
        self.calls: list[tuple[str, tuple[object, ...]]] = []

    def __getattr__(self, name: str) -> object:
        function = getattr(self._real, name)

        def call(*arguments: object) -> object:
            self.calls.append((name, arguments[1:]))
            return function(*arguments)

        return call


def test_the_configuration_is_exactly_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(capi.b)
    monkeypatch.setattr(capi, "b", recorder)
    config = new_config()
    monkeypatch.undo()
    capi.b.wasm_config_delete(config)
    made = {name.removeprefix("wasmtime_config_"): arguments for name, arguments in recorder.calls}
    off = {name.removesuffix("_set") for name, arguments in made.items() if arguments == (False,)}
    assert {name: arguments for name, arguments in made.items() if name.removesuffix("_set") not in off} == {
        "wasm_config_new": (),
        "epoch_interruption_set": (True,),
        "async_stack_size_set": (MAX_WASM_STACK_BYTES + 64 * 1024,),
        "max_wasm_stack_set": (MAX_WASM_STACK_BYTES,),
    }
    # memory stays where it is, and what the image does not need is not there
    assert off >= {"memory_may_move", "wasm_threads", "wasm_memory64", "wasm_multi_memory", "shared_memory"}


def test_the_stack_of_a_thread_holds_what_a_guest_may_use_of_it() -> None:
    assert GUEST_STACK_BYTES > MAX_WASM_STACK_BYTES


@pytest.mark.parametrize("word", ["pooling", "winch", "strategy_set", "linker_clone", "target_set", "wasi"])
def test_the_engine_uses_no(word: str) -> None:
    """No pooling allocator, no compiler but Cranelift, no cloned linker, no WASI: each has had its holes."""
    used = [
        (path.name, each)
        for path in sorted(ENGINE.glob("*.py"))
        for each in names(path)
        if word in each.lower()
    ]
    assert used == []


def test_there_is_one_linker_and_it_is_made_when_the_image_is_loaded() -> None:
    made = [path.name for path in SOURCES for each in names(path) if "linker_new" in each]
    assert made == ["image.py"]


# ---- who may touch it


def test_only_the_engine_folder_imports_wasmtime() -> None:
    users = {
        path.relative_to(PACKAGE).parts[0]
        for path in SOURCES
        if any(each.split(".")[0] == "wasmtime" for each in imports(path))
    }
    assert users == {"_engine"}


def test_only_one_file_touches_the_bindings() -> None:
    touching = {
        path.name: {each for each in imports(path) if each.startswith("wasmtime")} for path in SOURCES
    }
    # the WebAssembly of packs is compiled and kept by wasmtime's own objects, which free what they hold
    assert touching.pop("wasm.py") == {"wasmtime"}
    assert [name for name, found in touching.items() if found] == ["capi.py"]


def test_the_runtime_never_imports_host_modules() -> None:
    found = [
        (path.name, each)
        for path in SOURCES
        for each in imports(path)
        if each.startswith("nodetool_sandbox_host")
    ]
    assert found == []


def test_no_host_module_imports_the_runtime() -> None:
    package = PACKAGE.parents[2] / "host_modules" / "src"
    found = [
        (path.name, each)
        for path in sorted(package.rglob("*.py"))
        for each in imports(path)
        if each.split(".")[0] == "nodetool_sandbox"
    ]
    assert found == []


# ---- versions


@pytest.mark.parametrize(("advisory", "fixed", "what"), FIXED_IN, ids=str)
def test_a_release_with_a_known_hole_is_refused_by_an_advisory(
    advisory: str, fixed: tuple[int, ...], what: str
) -> None:
    major, minor, patch = fixed
    below = (major, minor, patch - 1) if patch else (major - 1, 99, 99)
    with pytest.raises(EngineUnavailable) as refused:
        check_version(".".join(map(str, below)))
    # one release may have several holes: one of them is named
    known = [name for name, fixed_in, _ in FIXED_IN if below < fixed_in]
    assert advisory in known
    assert what
    assert any(name in str(refused.value) for name in known)
    assert f"install wasmtime>={WASMTIME_MAJOR},<{WASMTIME_MAJOR + 1}" in str(refused.value)


@pytest.mark.parametrize(
    "version", [f"{WASMTIME_MAJOR - 1}.9.9", f"{WASMTIME_MAJOR + 1}.0.0", "1.0.0", "0.0.0", "", "dev"]
)
def test_another_major_is_refused(version: str) -> None:
    with pytest.raises(EngineUnavailable, match=f"wasmtime>={WASMTIME_MAJOR},<{WASMTIME_MAJOR + 1}"):
        check_version(version)


def test_the_fixed_releases_of_this_major_are_taken() -> None:
    fixed = max([fixed for _, fixed, _ in FIXED_IN] + [(WASMTIME_MAJOR, 0, 0)])
    assert fixed[0] == WASMTIME_MAJOR
    for version in (fixed, (fixed[0], fixed[1], fixed[2] + 1), (fixed[0], fixed[1] + 1, 0)):
        check_version(".".join(map(str, version)))


def test_the_installed_release_is_one_of_them() -> None:
    check_version(importlib.metadata.version("wasmtime"))


def test_the_advisories_are_each_named_once() -> None:
    assert len({advisory for advisory, _, _ in FIXED_IN}) == len(FIXED_IN)


# ---- imports of the guest


def test_each_import_has_one_callback() -> None:
    from nodetool_sandbox._engine import guest  # noqa: PLC0415 - loads the callbacks, which nothing else here needs

    assert set(guest._CALLBACKS) == {name for name, _, _ in IMPORTS}


def test_the_imports_are_those_of_the_golden_list() -> None:
    golden = (Path(__file__).parent / "guest_imports.txt").read_text(encoding="utf-8").splitlines()

    def types(letters: str) -> str:
        return ", ".join({"i": "i32", "d": "f64"}[each] for each in letters)

    said = sorted(
        f"sandbox.{name} ({types(params)}) -> ({types(results)})" for name, params, results in IMPORTS
    )
    assert said == [each for each in golden if each and not each.startswith("#")]


# ---- what was compiled, kept in a file


def test_machine_code_that_somebody_else_could_have_written_is_not_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    file = folder / "guest.cwasm"
    file.write_bytes(b"code")
    file.chmod(0o600)
    assert is_private(folder)
    assert is_private(file)
    for mode in (0o620, 0o602, 0o666):
        file.chmod(mode)
        assert not is_private(file)
    link = folder / "link.cwasm"
    link.symlink_to(file)
    assert not is_private(link)
    assert not is_private(folder / "missing")


def test_a_torn_or_strange_file_is_a_miss(tmp_path: Path) -> None:
    engine = capi.b.wasm_engine_new_with_config(new_config())
    tmp_path.chmod(0o700)
    for content in (b"", b"\0asm\1\0\0\0", b"\x7fELF" + bytes(1000)):
        file = tmp_path / "guest.cwasm"
        file.write_bytes(content)
        file.chmod(0o600)
        assert image._load(engine, file) is None
    capi.b.wasm_engine_delete(engine)


def test_an_address_is_as_wide_as_the_machines() -> None:
    assert ctypes.sizeof(capi._pointer) == ctypes.sizeof(ctypes.c_void_p)
