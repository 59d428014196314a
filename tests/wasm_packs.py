"""Packs with WebAssembly: C of ours, compiled, and packs of any binary, installed into a folder of a test."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from guest_build.process import run_module
from nodetool_sandbox import Sandbox
from nodetool_sandbox.imports import scan_imports
from nodetool_sandbox_registry import Catalog, discover
from registry_fakes import Site

NUMBERS: Final = "acme-numbers"
"""The pack that most tests import."""

PAGES: Final = 512
"""What `numbers.c` may have of memory, in pages of 64 KiB."""

EXPORTS: Final = (
    '["add", "negate", "half", "narrow", "same", "nothing", "bump", "eight", "spin", "fail", "recurse", '
    '"divide", "grow", "work", { wasm = "with_a_long_name", as = "seven" }]'
)

_FLAGS: Final = (
    "-target",
    "wasm32-freestanding",
    "-O2",
    "-nostdlib",
    "-Wl,--no-entry",
    f"-Wl,--max-memory={PAGES * 65_536}",
    "-Wl,-z,stack-size=65536",
    "-s",
)


@lru_cache
def numbers() -> bytes:
    """The binary of `tests/wasm/numbers.c`."""
    source = Path(__file__).parent / "wasm" / "numbers.c"
    with tempfile.TemporaryDirectory() as folder:
        run_module(
            "compile numbers.c",
            "ziglang",
            ["cc", *_FLAGS, str(source), "-o", "numbers.wasm"],
            cwd=Path(folder),
            env={"ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder},
            now="mend the C file",
        )
        return (Path(folder) / "numbers.wasm").read_bytes()


def manifest(exports: str = EXPORTS, *, pages: int = PAGES, limits: str = "", name: str = ".") -> str:
    """A pack.toml with one WebAssembly module; `limits` is the inner part of a TOML table."""
    return (
        f'[[modules]]\nname = "{name}"\nkind = "wasm"\nfile = "{name.strip(".") or "w"}.wasm"\n'
        f"memory_pages_max = {pages}\nexports = {exports}\nlimits = {{ {limits} }}\n"
    )


def limited(**limits: int) -> str:
    """The pack.toml of `numbers.c` with these limits."""
    return manifest(limits=", ".join(f"{name} = {value}" for name, value in limits.items()))


def install(
    root: Path,
    distribution: str = NUMBERS,
    text: str | None = None,
    files: Mapping[str, str | bytes] | None = None,
) -> None:
    """A pack as pip would leave it: `numbers.c`, or what is given."""
    Site(root).install(
        distribution, text or manifest(), files if files is not None else {"w.wasm": numbers()}
    )


def catalog(root: Path) -> Catalog:
    """What is installed there, read as the runtime reads it."""
    return discover([str(root)], imports_of=scan_imports)


def sandbox(root: Path, **limits: int) -> Sandbox:
    """A sandbox whose one pack is `numbers.c`, with these limits."""
    install(root, text=limited(**limits))
    return Sandbox(packs=catalog(root))
