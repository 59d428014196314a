"""Everything that the image is made from, and the two digests that name it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from guest_build import flags
from guest_build.steps import StepFailedError

_BAKE_CODE = ("bake.py", "wasm.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Our own files by their path in core, and digests over them, the pins and the flags."""

    guest: Path
    c_files: Mapping[str, str]
    prelude_files: Mapping[str, str]
    module_digest: str
    image_digest: str

    def prelude(self) -> bytes:
        """The prelude as the bake reads it: each file's name and text, a NUL behind both."""
        files = ((name.encode(), (self.guest / name).read_bytes()) for name in flags.PRELUDE_FILES)
        return b"".join(part + b"\0" for file in files for part in file)


def load_inputs(core: Path) -> Inputs:
    """Reads our sources. Refuses a tree without them."""
    guest = core / "guest"
    missing = [name for name in (*flags.GUEST_UNITS, *flags.PRELUDE_FILES) if not (guest / name).is_file()]
    if missing:
        raise StepFailedError(
            "read our sources",
            what=f"{missing} not found in core/guest",
            now="build from a complete checkout or sdist",
        )
    c_files = _hashes(core, sorted(path for path in guest.rglob("*") if path.suffix in {".c", ".h"}))
    prelude_files = _hashes(core, [guest / name for name in flags.PRELUDE_FILES])
    module_digest = _digest(
        {
            "source": flags.SOURCE_SHA256,
            "ziglang": flags.ZIGLANG_VERSION,
            "flags": [flags.TARGET, flags.COMPILE_FLAGS, flags.LINK_FLAGS],
            "units": [flags.GUEST_UNITS, flags.UPSTREAM_UNITS],
            "files": c_files,
        }
    )
    image_digest = _digest(
        {
            "module": module_digest,
            "wasmtime": flags.WASMTIME_VERSION,
            "prelude": prelude_files,
            "gap": flags.MIN_GAP_BYTES,
            "code": _hashes(core, [core / "guest_build" / name for name in _BAKE_CODE]),
        }
    )
    return Inputs(
        guest=guest,
        c_files=c_files,
        prelude_files=prelude_files,
        module_digest=module_digest,
        image_digest=image_digest,
    )


def _hashes(core: Path, paths: list[Path]) -> dict[str, str]:
    return {
        path.relative_to(core).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths
    }


def _digest(facts: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
