"""What a compilation is done with. Every constant here is part of a compiled module's identity."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

import nodetool_sandbox
from nodetool_sandbox.surface import GUEST_GLOBALS, LATER, POWERS
from nodetool_sandbox_registry.digests import Digest, digest_facts
from nodetool_sandbox_registry.packs import MAX_BUNDLE_BYTES

COMPILER_VERSION: Final = "4"
"""Raised when the entry text, the scan's rules or the probe change what "admitted" means."""

ESBUILD_VERSION: Final = "0.28.2"
"""The bundler; esbuild/package-lock.json beside this file has its integrity for every platform."""

OPTIONS: Final[Mapping[str, object]] = MappingProxyType(
    {
        "bundle": True,
        "charset": "utf8",
        # Neither node nor browser is among them: the most portable build of a library wins.
        "conditions": ["import", "module", "default"],
        "format": "esm",
        "legalComments": "none",
        "mainFields": ["module", "main"],
        "maxBytes": MAX_BUNDLE_BYTES,
        "minify": False,
        "platform": "neutral",
        "sourcemap": False,
        "target": "es2022",
        "treeShaking": True,
    }
)
"""How the bundler is called."""

PROBE_TIMEOUT_MS: Final = 5_000
PROBE_MEMORY_BYTES: Final = 64 * 1024 * 1024
PROBE_STACK_BYTES: Final = 1024 * 1024
PROBE_LOG_LINES: Final = 20
PROBE_LOG_LINE_CHARS: Final = 500

SOMETIMES: Final = frozenset(LATER.union(*POWERS.values())) - GUEST_GLOBALS
"""Names that a run may have or lack: with a power, or in another version. Asking for one is a warning."""

MAX_EXPORTS: Final = 4_096
"""Names that one module exports; mathjs has some 600."""


@cache
def options_digest() -> Digest:
    """The digest of `OPTIONS`."""
    return digest_facts(dict(OPTIONS))


@cache
def compiler_identity() -> Mapping[str, object]:
    """What compiled, scanned and tried a library: a verdict of another compiler or guest does not count."""
    return MappingProxyType(
        {
            "compilerVersion": COMPILER_VERSION,
            "esbuild": ESBUILD_VERSION,
            "options": options_digest(),
            "runtime": nodetool_sandbox.__version__,
            "guest": digest_facts([sorted(GUEST_GLOBALS), sorted(SOMETIMES)]),
        }
    )
