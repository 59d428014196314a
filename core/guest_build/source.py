"""The engine's C sources: the pinned sdist, fetched by pip, checked by its hash, unpacked flat."""

from __future__ import annotations

import hashlib
import io
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

from guest_build import flags
from guest_build.cache import ENV_OVERRIDE, BuildCache
from guest_build.process import run_module
from guest_build.steps import Say, StepFailedError

STEP = "fetch the engine's sources"
_CACHED = f"sources/{flags.SOURCE_SHA256}.tar.gz"


def load_sdist(cache: BuildCache, say: Say) -> bytes:
    """The sdist's bytes, from the cache or through pip. Refuses any with another hash."""
    cached = cache.read(_CACHED)
    if cached is not None and hashlib.sha256(cached).hexdigest() == flags.SOURCE_SHA256:
        return cached
    say(f"downloading {flags.SOURCE_PACKAGE} {flags.SOURCE_VERSION} (sources, 1 MB)")
    with tempfile.TemporaryDirectory(prefix="nodetool-sandbox-sdist-") as scratch:
        content = _download(Path(scratch))
    cache.write(_CACHED, content)
    return content


def _download(scratch: Path) -> bytes:
    requirements = scratch / "requirements.txt"
    pin = f"{flags.SOURCE_PACKAGE}=={flags.SOURCE_VERSION} --hash=sha256:{flags.SOURCE_SHA256}\n"
    requirements.write_text(pin, encoding="utf-8")
    # --no-binary names the one package: `:all:` would also have pip build its build tools from source.
    args = ["download", "--no-deps", "--no-binary", flags.SOURCE_PACKAGE, "--require-hashes"]
    run_module(
        STEP,
        "pip",
        [*args, "--dest", str(scratch / "out"), "-r", str(requirements)],
        cwd=scratch,
        now="check that pip can reach its package index (pip's own settings apply) and build again; without "
        f"a network, copy the cache folder of a machine that built before and name it in {ENV_OVERRIDE}",
    )
    found = [path for path in (scratch / "out").iterdir() if path.name.endswith(".tar.gz")]
    if len(found) != 1:
        raise StepFailedError(
            STEP,
            what=f"pip left {sorted(path.name for path in found)} instead of one .tar.gz",
            now="run the build again with pip's configuration at its defaults",
        )
    content = found[0].read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != flags.SOURCE_SHA256:
        raise StepFailedError(
            STEP,
            what=f"the downloaded file has sha256 {digest}, the pinned one is {flags.SOURCE_SHA256}",
            now="do not use it: ask your index's operator what it serves",
        )
    return content


def unpack_sources(sdist: bytes, into: Path) -> None:
    """Writes the engine's C files into a folder, flat. Refuses an sdist without them.

    Only regular files directly in the one folder are read, and their own base names are all that is used:
    whatever else a tar file can hold (links, devices, `..`) has no effect.
    """
    wanted = PurePosixPath(flags.SOURCE_FOLDER)
    into.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(sdist), mode="r:gz") as tar:
        for member in tar:
            path = PurePosixPath(member.name)
            stream = tar.extractfile(member) if member.isreg() and path.parent == wanted else None
            if stream is not None:
                (into / path.name).write_bytes(stream.read())
    missing = [name for name in ("quickjs.c", *flags.UPSTREAM_UNITS) if not (into / name).is_file()]
    if missing:
        raise StepFailedError(
            "unpack the engine's sources",
            what=f"{missing} not found in {flags.SOURCE_FOLDER!r} of the sdist",
            now="compare SOURCE_FOLDER and UPSTREAM_UNITS in core/guest_build/flags.py with the sdist",
        )
