"""The two texts that lie beside the image: how it was made, and whose code is in it."""

from __future__ import annotations

import hashlib
import tomllib
from importlib.util import find_spec
from pathlib import Path

from guest_build import flags
from guest_build.inputs import Inputs
from guest_build.steps import StepFailedError

_COMMENT_START, _COMMENT_END = "/*", "*/"
# The C library that zig links for wasm32-wasi.
_LIBC_LICENCES = ("wasi/LICENSE", "wasi/LICENSE-MIT", "wasi/libc-top-half/musl/COPYRIGHT")


def provenance(inputs: Inputs, *, module: bytes, image: bytes) -> bytes:
    """The PROVENANCE file: TOML, the same bytes for the same inputs."""
    files = {**inputs.c_files, **inputs.prelude_files}
    lines = [
        "# How the quickjs.wasm beside this file was made. Written by guest_build, never by hand.",
        f'image_sha256 = "{hashlib.sha256(image).hexdigest()}"',
        f"image_bytes = {len(image)}",
        f'inputs_digest = "{inputs.image_digest}"',
        f'module_sha256 = "{hashlib.sha256(module).hexdigest()}"',
        "",
        "[source]",
        f'package = "{flags.SOURCE_PACKAGE}"',
        f'version = "{flags.SOURCE_VERSION}"',
        f'sha256 = "{flags.SOURCE_SHA256}"',
        "",
        "[toolchain]",
        f'ziglang = "{flags.ZIGLANG_VERSION}"',
        f'wasmtime = "{flags.WASMTIME_VERSION}"',
        "",
        "[flags]",
        f"compile = [{_strings((*flags.TARGET, *flags.COMPILE_FLAGS))}]",
        f"link = [{_strings((*flags.TARGET, *flags.LINK_FLAGS))}]",
        f"shadow_stack_bytes = {flags.SHADOW_STACK_BYTES}",
        "",
        "[our_files]",
        *(f'"{name}" = "sha256:{digest}"' for name, digest in sorted(files.items())),
        "",
    ]
    return "\n".join(lines).encode()


def is_made_from(inputs: Inputs, *, text: bytes, image: bytes) -> bool:
    """Whether a PROVENANCE file says that this image was made from these inputs."""
    try:
        facts = tomllib.loads(text.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False
    return (
        facts.get("inputs_digest") == inputs.image_digest
        and facts.get("image_sha256") == hashlib.sha256(image).hexdigest()
    )


def notices(upstream: Path) -> bytes:
    """The licence texts that the image's code asks to be carried along."""
    parts = ["quickjs.wasm contains code of others. Their notices, as they stand in the sources:\n"]
    package = f"{flags.SOURCE_PACKAGE} {flags.SOURCE_VERSION}"
    parts += [
        f"== {name} ({package})\n\n{_first_comment(upstream / name)}\n"
        for name in ("quickjs.c", *flags.UPSTREAM_UNITS)
    ]
    spec = find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise StepFailedError("collect the notices", what="ziglang cannot be found", now="run `make guest`")
    libc = Path(spec.origin).parent / "lib" / "libc"
    parts += [
        f"== C library: {name}\n\n{(libc / name).read_text(encoding='utf-8')}\n" for name in _LIBC_LICENCES
    ]
    return "\n".join(parts).encode()


def _first_comment(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    start, end = text.find(_COMMENT_START), text.find(_COMMENT_END)
    if start != 0 or end < 0 or "Copyright" not in text[:end]:
        raise StepFailedError(
            "collect the notices",
            what=f"{path.name} does not begin with a copyright comment",
            now="find its notice and teach core/guest_build/provenance.py where it stands",
        )
    return text[: end + len(_COMMENT_END)]


def _strings(items: tuple[str, ...]) -> str:
    return ", ".join(f'"{each}"' for each in items)
