"""The record beside a compiled npm library: what it was made from, by what, and its digest.

The compiler writes both files into the pack before it is published. Discovery reads them: whoever
installs the pack needs neither the compiler nor node.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Final, Self

from nodetool_sandbox_registry.digests import Digest, digest_facts, is_digest
from nodetool_sandbox_registry.texts import quoted

MAX_RECORD_BYTES: Final = 256 * 1024
"""The record of one compiled library."""

MAX_RECORD_ITEMS: Final = 4_096
"""Exports, or warnings, in one record."""

_FORMAT: Final = 1
_DIGESTS: Final = ("recipe", "options", "inputs", "sha256")
_LISTS: Final = ("exports", "warnings")


class RecordError(ValueError):
    """A file that is no record of a compiled library; the message says what is wrong with it."""


def bundle_place(npm: str) -> str:
    """Where the compiled file of an npm library lies in a pack that names no other place."""
    return f"npm/{npm.replace('/', '__')}.js"


def record_place(bundle: str) -> str:
    """Where the record of the compiled file at `bundle` lies: `npm/x.js` has `npm/x.json`."""
    return f"{bundle}on"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledRecord:
    """What is known of one compiled library.

    `version` is the library's own. `recipe` is the digest of what its author wrote down (names,
    versions, the lock with its integrity hashes), `inputs` of every file that was read, `sha256` of
    the compiled file.
    """

    npm: str
    version: str
    compiler: str
    esbuild: str
    recipe: Digest
    options: Digest
    inputs: Digest
    sha256: Digest
    exports: tuple[str, ...]
    warnings: tuple[str, ...]

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """The record in these bytes.

        Raises:
            RecordError: not JSON in UTF-8, of another format, or a field is missing or no text.
        """
        try:
            document = json.loads(data.decode())
        except (ValueError, RecursionError):
            message = "it is not JSON in UTF-8"
            raise RecordError(message) from None
        if not isinstance(document, dict) or document.get("format") != _FORMAT:
            message = f"it is not an object of format {_FORMAT}"
            raise RecordError(message)
        found: dict[str, object] = {field.name: document.get(field.name) for field in fields(cls)}
        for name, value in found.items():
            if name in _LISTS:
                found[name] = _texts(name, value)
            elif not isinstance(value, str) or (name in _DIGESTS and not is_digest(value)):
                message = f"{quoted(name)} is missing or not what it should be"
                raise RecordError(message)
        return cls(**found)  # type: ignore[arg-type]  # each was checked by name

    def text(self) -> str:
        """The record as the text of its file."""
        return json.dumps({"format": _FORMAT, **asdict(self)}, indent=1, ensure_ascii=True) + "\n"

    def identity(self) -> Digest:
        """What the record adds to the digests of the modules that reach the compiled file."""
        return digest_facts([self.npm, self.version, self.compiler, self.esbuild, self.options, self.inputs])


def _texts(name: str, value: object) -> tuple[str, ...]:
    if (
        not isinstance(value, list)
        or len(value) > MAX_RECORD_ITEMS
        or not all(isinstance(each, str) for each in value)
    ):
        message = f"{quoted(name)} is not a list of at most {MAX_RECORD_ITEMS:,} texts"
        raise RecordError(message)
    return tuple(value)
