"""Compiled modules by the digest of everything that they were made from.

An entry is whole or not there: it is written aside and moved into place. One that is broken, or that
another compiler wrote, is deleted and counts as a miss. A cache that cannot be used is no error: what
is not found is made again.
"""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from nodetool_sandbox.user_cache import CACHE_VARIABLE, cache_folder, is_private
from nodetool_sandbox_registry.digests import Digest, digest_bytes, digest_facts, is_digest

from nodetool_sandbox_compiler.inputs import Inputs, build_key
from nodetool_sandbox_compiler.options import compiler_identity
from nodetool_sandbox_compiler.outcomes import Compiled

MAX_ENTRY_BYTES: Final = 16 * 1024 * 1024
"""An entry above this is none of ours: a module of 1 MiB, and a list of what it was made from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileCache:
    """A folder of compiled modules. `reason` says why nothing is read or written, where that is so."""

    folder: Path
    reason: str | None = None

    @classmethod
    def open(cls, folder: Path | None = None) -> Self:
        """The cache in `folder`, by default the user's, made if it is not there.

        What lies in it is put into packs and run, so a folder that others can write to is not used.
        """
        top = (folder or cache_folder()).absolute()
        try:
            top.mkdir(mode=0o700, parents=True, exist_ok=True)
            for each in (top / "sandbox-modules", top / "sandbox-modules" / "index"):
                each.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            return cls(folder=top, reason=f"the cache folder cannot be made ({error.strerror})")
        for each in (top, top / "sandbox-modules", top / "sandbox-modules" / "index"):
            if not is_private(each):
                now = f"chmod go-w it, or name another folder in {CACHE_VARIABLE}"
                return cls(folder=top, reason=f"others may write to the cache folder; {now}")
        return cls(folder=top)

    def read(self, key: Digest) -> tuple[Compiled, Inputs] | None:
        """The module under this key and what it was made from, or None.

        Raises:
            ValueError: the key is no digest.
        """
        path = self._entry(key)
        document = self._load(path)
        if document is None:
            return None
        found = _parse(document, key)
        if found is None:
            self._discard(path)
        return found

    def write(self, compiled: Compiled, inputs: Inputs) -> None:
        """Keep a module."""
        document = {
            **compiler_identity(),
            "npm": compiled.npm,
            "version": compiled.version,
            "source": compiled.source,
            "sha256": compiled.sha256,
            "inputsDigest": compiled.inputs_digest,
            "exports": list(compiled.exports),
            "warnings": list(compiled.warnings),
            "licences": compiled.licences,
            "inputs": dict(inputs.files),
            "resolution": dict(inputs.resolution),
        }
        self._write(self._entry(compiled.key), document)

    def read_pointer(self, name: Digest) -> Digest | None:
        """The key that was noted under this name, or None."""
        path = self._pointer(name)
        document = self._load(path)
        if document is None:
            return None
        key = document.get("key")
        if not isinstance(key, str) or not is_digest(key):
            self._discard(path)
            return None
        return Digest(key)

    def write_pointer(self, name: Digest, key: Digest) -> None:
        """Note a key under a name."""
        self._write(self._pointer(name), {"key": key})

    def _entry(self, key: str) -> Path:
        return self.folder / "sandbox-modules" / f"{_require_digest(key)}.json"

    def _pointer(self, name: str) -> Path:
        return self.folder / "sandbox-modules" / "index" / f"{_require_digest(name)}.json"

    def _load(self, path: Path) -> dict[str, object] | None:
        if self.reason is not None:
            return None
        try:
            if path.stat().st_size > MAX_ENTRY_BYTES:
                raise ValueError  # noqa: TRY301 - the same way out as for a broken one
            document = json.loads(path.read_bytes())
        except OSError:
            return None
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            self._discard(path)
            return None
        return document

    def _write(self, path: Path, document: Mapping[str, object]) -> None:
        if self.reason is not None:
            return
        part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
        try:
            part.write_text(json.dumps(document), encoding="utf-8")
            part.replace(path)
        except OSError:
            pass  # the next compilation is a miss, no more
        finally:
            _remove(part)

    @staticmethod
    def _discard(path: Path) -> None:
        _remove(path)


def pointer_name(*facts: str) -> Digest:
    """The name under which the key of what these facts describe is noted."""
    return digest_facts([compiler_identity()["compilerVersion"], *facts])


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _require_digest(text: str) -> str:
    if not is_digest(text):
        message = "a cache key is 64 lower-case hexadecimal digits"
        raise ValueError(message)
    return text


def _parse(document: Mapping[str, object], key: Digest) -> tuple[Compiled, Inputs] | None:
    """What an entry holds, when everything in it belongs together and is of this compiler."""
    if any(document.get(name) != value for name, value in compiler_identity().items()):
        return None
    match document:
        case {
            "npm": str(npm),
            "version": str(version),
            "source": str(source),
            "sha256": str(sha256),
            "inputsDigest": str(inputs_digest),
            "exports": [*exports],
            "warnings": [*warnings],
            "licences": str(licences),
            "inputs": dict(files),
            "resolution": dict(resolution),
        }:
            pass
        case _:
            return None
    texts = [*exports, *warnings, *files.values(), *resolution.values()]
    if not all(isinstance(each, str) for each in texts):
        return None
    inputs = Inputs(files=files, resolution=resolution)
    if build_key(npm, inputs) != key or digest_bytes(source.encode("utf-8", "surrogatepass")) != sha256:
        return None
    if inputs.digest() != inputs_digest:
        return None
    compiled = Compiled(
        npm=npm,
        version=version,
        source=source,
        sha256=Digest(sha256),
        options_digest=Digest(str(document["options"])),
        inputs_digest=Digest(inputs_digest),
        key=key,
        exports=tuple(map(str, exports)),
        warnings=tuple(map(str, warnings)),
        licences=licences,
        cached=True,
    )
    return compiled, inputs
