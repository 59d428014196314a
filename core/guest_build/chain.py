"""The build in order: inputs, cache, sources, compile, link, bake, put in place."""

from __future__ import annotations

import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from guest_build import flags
from guest_build.cache import BuildCache, write_whole
from guest_build.inputs import Inputs, load_inputs
from guest_build.provenance import is_made_from, notices, provenance
from guest_build.source import load_sdist, unpack_sources
from guest_build.steps import Say, StepFailedError
from guest_build.toolchain import GUEST, UPSTREAM, compile_guest, require_toolchain

IMAGE: Final = "quickjs.wasm"
PROVENANCE: Final = "PROVENANCE"
NOTICES: Final = "NOTICES"
ARTEFACTS: Final = (IMAGE, PROVENANCE, NOTICES)
ENGINE_FOLDER: Final = Path("src") / "nodetool_sandbox" / "_engine"

# pip comes along because a build environment made by uv has none, and the sources are fetched by pip.
TOOLCHAIN: Final = (f"ziglang=={flags.ZIGLANG_VERSION}", f"wasmtime=={flags.WASMTIME_VERSION}", "pip")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What `require_image` did: `kept` the files in place, `copied` them from the cache, or `built` them."""

    did: str
    image_bytes: int


def missing_toolchain(core: Path) -> tuple[str, ...]:
    """The requirements of a build: none when the image lies in place or in the cache."""
    inputs = load_inputs(core)
    found = _in_place(core, inputs) or _cached(BuildCache.open(), inputs)
    return () if found else TOOLCHAIN


def require_image(core: Path, say: Say) -> Outcome:
    """Puts the image of this tree's sources beside the engine's Python code, building it if need be.

    Refuses, naming the step, when a download, the compiler or the prelude fails.
    """
    inputs = load_inputs(core)
    if files := _in_place(core, inputs):
        return Outcome(did="kept", image_bytes=len(files[IMAGE]))
    cache = BuildCache.open()
    cached = _cached(cache, inputs)
    files = cached or build_image(inputs, cache, say)
    folder = core / ENGINE_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    # PROVENANCE last: until it is there, the image counts as another one's.
    for name in (IMAGE, NOTICES, PROVENANCE):
        write_whole(folder / name, files[name])
    return Outcome(did="copied" if cached else "built", image_bytes=len(files[IMAGE]))


def build_image(inputs: Inputs, cache: BuildCache, say: Say) -> dict[str, bytes]:
    """The image and the texts that go with it, made and put into the cache."""
    started = time.monotonic()
    source = f"{flags.SOURCE_PACKAGE} {flags.SOURCE_VERSION}"
    say(f"building the guest: {source} with ziglang {flags.ZIGLANG_VERSION}")
    module, licences = load_module(inputs, cache, say)
    # Imported here: an environment without wasmtime can still use a cached image.
    from guest_build.bake import bake  # noqa: PLC0415

    baked = bake(module, inputs.prelude())
    files = {
        IMAGE: baked.image,
        NOTICES: licences,
        PROVENANCE: provenance(inputs, module=module, image=baked.image),
    }
    for name in (IMAGE, NOTICES, PROVENANCE):
        cache.write(f"images/{inputs.image_digest}/{name}", files[name])
    say(
        f"baked: {len(module):,} bytes linked, {len(baked.image):,} baked "
        f"({baked.segment_count:,} segments of {baked.data_bytes:,} bytes, memory {baked.memory_bytes:,}); "
        f"{time.monotonic() - started:.1f} s in all"
    )
    return files


def load_module(inputs: Inputs, cache: BuildCache, say: Say) -> tuple[bytes, bytes]:
    """The linked module before the bake, and its notices: from the cache, or compiled."""
    folder = f"modules/{inputs.module_digest}"
    module, licences = cache.read(f"{folder}/raw.wasm"), cache.read(f"{folder}/{NOTICES}")
    if module is not None and licences is not None:
        return module, licences
    require_toolchain()
    sdist = load_sdist(cache, say)
    with tempfile.TemporaryDirectory(prefix="nodetool-sandbox-guest-") as scratch:
        stage = Path(scratch)
        unpack_sources(sdist, stage / UPSTREAM)
        shutil.copytree(inputs.guest, stage / GUEST)
        module = compile_guest(stage, zig_cache=cache.folder / "zig", say=say)
        licences = notices(stage / UPSTREAM)
    cache.write(f"{folder}/{NOTICES}", licences)
    cache.write(f"{folder}/raw.wasm", module)
    return module, licences


def _in_place(core: Path, inputs: Inputs) -> dict[str, bytes] | None:
    folder = core / ENGINE_FOLDER
    try:
        files = {name: (folder / name).read_bytes() for name in ARTEFACTS}
    except FileNotFoundError:
        return None
    return files if is_made_from(inputs, text=files[PROVENANCE], image=files[IMAGE]) else None


def _cached(cache: BuildCache, inputs: Inputs) -> dict[str, bytes] | None:
    files = {name: cache.read(f"images/{inputs.image_digest}/{name}") for name in ARTEFACTS}
    whole = {name: content for name, content in files.items() if content is not None}
    if len(whole) != len(ARTEFACTS) or not is_made_from(inputs, text=whole[PROVENANCE], image=whole[IMAGE]):
        return None
    return whole


__all__ = [
    "ARTEFACTS",
    "ENGINE_FOLDER",
    "TOOLCHAIN",
    "Outcome",
    "StepFailedError",
    "build_image",
    "load_module",
    "missing_toolchain",
    "require_image",
]
