"""The installed host table, taken from the one distribution that the registry pins."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Final, cast

from nodetool_sandbox_registry import DiscoveryCache, discover, find_host_table
from nodetool_sandbox_registry.hosts import HostModule
from nodetool_sandbox_registry.resolution import Catalog

from nodetool_sandbox.imports import scan_imports

_NO_HOSTS: Final[Mapping[str, HostModule]] = {}
_discovered: Final = DiscoveryCache()

LOOK_AGAIN_S: Final = 1.0
"""Seconds after which it is looked whether a pack was installed, changed or removed."""


@lru_cache(maxsize=1)
def installed_hosts() -> Mapping[str, HostModule]:
    """The table of `nodetool-sandbox-host`, empty where that is not installed.

    Its libraries load when they are first used.
    """
    entry = find_host_table()
    if entry is None:
        return _NO_HOSTS
    return cast("Mapping[str, HostModule]", getattr(import_module(entry.module), entry.attribute))


class InstalledPacks:
    """The packs of this environment, looked for again when `LOOK_AGAIN_S` have passed or the path is another.

    A look costs two system calls for each file of each pack, which is more than a small run, and is not
    made in front of each.
    """

    def __init__(self, look: Callable[[], Catalog], clock: Callable[[], float] = time.monotonic) -> None:
        self._look = look
        self._clock = clock
        self._seen: tuple[float, tuple[str, ...], Catalog] | None = None

    def find(self) -> Catalog:
        """The packs as they were found less than `LOOK_AGAIN_S` ago."""
        path = tuple(sys.path)
        if self._seen is not None:
            at, seen_path, catalog = self._seen
            if path == seen_path and self._clock() - at < LOOK_AGAIN_S:
                return catalog
        catalog = self._look()
        self._seen = self._clock(), path, catalog
        return catalog


_installed: Final = InstalledPacks(lambda: discover(imports_of=scan_imports, cache=_discovered))


def installed_packs() -> Catalog:
    """The packs of this environment, as they were at most `LOOK_AGAIN_S` ago."""
    return _installed.find()
