"""What the shipped image may ask its host for, what it offers, and that it is what its PROVENANCE says."""

from __future__ import annotations

import hashlib
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
import wasmtime
from guest_build import flags
from guest_build.bake import bake
from guest_build.cache import BuildCache
from guest_build.chain import IMAGE, NOTICES, PROVENANCE, load_module
from guest_build.inputs import load_inputs

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent


def shipped(name: str) -> bytes:
    return files("nodetool_sandbox").joinpath("_engine", name).read_bytes()


@pytest.fixture(scope="module")
def image() -> wasmtime.Module:
    return wasmtime.Module(wasmtime.Engine(), shipped(IMAGE))


def golden(name: str) -> list[str]:
    """The lines of a golden file, less comments."""
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def described(name: str, kind: object) -> str:
    if isinstance(kind, wasmtime.FuncType):
        params, results = (", ".join(map(str, each)) for each in (kind.params, kind.results))
        return f"{name} ({params}) -> ({results})"
    return f"{name} {type(kind).__name__}"


def test_the_image_imports_these_functions_and_no_other(image: wasmtime.Module) -> None:
    found = sorted(described(f"{each.module}.{each.name}", each.type) for each in image.imports)
    assert found == golden("guest_imports.txt")


def test_the_image_exports_these_and_no_other(image: wasmtime.Module) -> None:
    assert sorted(described(each.name, each.type) for each in image.exports) == golden("guest_exports.txt")


def test_nothing_of_wasi_is_linked(image: wasmtime.Module) -> None:
    assert {each.module for each in image.imports} == {flags.IMPORT_MODULE}


def test_the_provenance_names_this_image_these_sources_and_this_toolchain() -> None:
    facts = tomllib.loads(shipped(PROVENANCE).decode())
    inputs = load_inputs(ROOT / "core")
    assert facts["image_sha256"] == hashlib.sha256(shipped(IMAGE)).hexdigest()
    assert facts["inputs_digest"] == inputs.image_digest
    assert facts["source"] == {
        "package": flags.SOURCE_PACKAGE,
        "version": flags.SOURCE_VERSION,
        "sha256": flags.SOURCE_SHA256,
    }
    assert facts["toolchain"] == {"ziglang": flags.ZIGLANG_VERSION, "wasmtime": flags.WASMTIME_VERSION}
    assert facts["our_files"].keys() == {*inputs.c_files, *inputs.prelude_files}


@pytest.mark.parametrize(
    "part", [*("quickjs.c", *flags.UPSTREAM_UNITS), "wasi/LICENSE-MIT", "musl/COPYRIGHT"]
)
def test_the_notices_of_every_part_come_along(part: str) -> None:
    section = shipped(NOTICES).decode().split(part, 1)[1].split("\n== ", 1)[0]
    assert "Copyright" in section or "copyright" in section


def test_no_path_of_the_machine_that_built_it_is_in_the_image() -> None:
    binary = shipped(IMAGE)
    for path in (ROOT, Path.home(), BuildCache.open().folder):
        # A home of / or /root says nothing that is worth looking for.
        if len(path.parts) > 2:
            assert str(path).encode() not in binary


def test_the_pins_of_the_build_are_the_pins_of_the_workspace() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    assert {f"ziglang=={flags.ZIGLANG_VERSION}", f"wasmtime=={flags.WASMTIME_VERSION}"} <= set(
        groups["guest"]
    )


@pytest.mark.slow
def test_baking_again_gives_the_shipped_bytes() -> None:
    inputs = load_inputs(ROOT / "core")
    module, _ = load_module(inputs, BuildCache.open(), print)
    baked = bake(module, inputs.prelude())
    assert hashlib.sha256(baked.image).hexdigest() == hashlib.sha256(shipped(IMAGE)).hexdigest()
    assert baked == bake(module, inputs.prelude())
