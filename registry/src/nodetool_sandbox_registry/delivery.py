"""A file of a pack as it goes to a client over HTTP: its bytes, and what is announced with them.

The catalog is asked once a file. It answers out of memory, with texts and binaries that were read and
hashed when the packs were found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from nodetool_sandbox_registry.digests import Digest
from nodetool_sandbox_registry.graphs import FileKind, PackFile
from nodetool_sandbox_registry.hosts import HostId
from nodetool_sandbox_registry.names import ModuleId, PackName

JAVASCRIPT: Final = "text/javascript"
WASM: Final = "application/wasm"

_BETWEEN: Final = "::"


class NotDelivered(StrEnum):
    """Why a client does not get a file."""

    NOT_FOUND = "not-found"
    UNAVAILABLE = "unavailable"
    FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A file that a client gets. `dependencies` are ids to ask for next.

    `digest` is of the module that reaches the file, with everything that it reaches; `sha256` is of `body`.
    """

    body: bytes
    media_type: str
    digest: Digest
    sha256: Digest
    dependencies: tuple[str, ...]
    pack: PackName
    version: str
    file_id: ModuleId
    internal: bool
    host_id: HostId | None
    wasm_contract: Mapping[str, object] | None


def delivery_id(pack: PackName, file_id: ModuleId) -> str:
    """What a file is asked for by, beside the specifier of a module."""
    return f"{pack}{_BETWEEN}{file_id}"


def parse_delivery_id(text: str) -> tuple[PackName, ModuleId] | None:
    """The pack and the file that an id names; None where it is a specifier."""
    pack, between, file_id = text.partition(_BETWEEN)
    return (PackName(pack), ModuleId(file_id)) if between else None


def build_delivery(file: PackFile, *, pack: PackName, version: str, digest: Digest) -> Delivery:
    """The file with what is announced of it."""
    binary = file.wasm
    return Delivery(
        body=file.source.encode() if binary is None else binary.binary,
        media_type=JAVASCRIPT if binary is None else WASM,
        digest=digest,
        sha256=file.sha256 if binary is None else binary.digest,
        dependencies=tuple(delivery_id(pack, each) for each in file.dependencies),
        pack=pack,
        version=version,
        file_id=file.id,
        internal=file.internal,
        host_id=file.host_id if file.kind is FileKind.HOST else None,
        wasm_contract=None if binary is None else binary.contract(),
    )
