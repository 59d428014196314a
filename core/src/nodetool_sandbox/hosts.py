"""The installed host table, taken from the one distribution that the registry pins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Final, cast

from nodetool_sandbox_registry import DiscoveryCache, discover, find_host_table
from nodetool_sandbox_registry.hosts import HostModule
from nodetool_sandbox_registry.resolution import Catalog

from nodetool_sandbox.imports import scan_imports

_NO_HOSTS: Final[Mapping[str, HostModule]] = {}
_discovered: Final = DiscoveryCache()


@lru_cache(maxsize=1)
def installed_hosts() -> Mapping[str, HostModule]:
    """The table of `nodetool-sandbox-host`, empty where that is not installed.

    Its libraries load when they are first used.
    """
    entry = find_host_table()
    if entry is None:
        return _NO_HOSTS
    return cast("Mapping[str, HostModule]", getattr(import_module(entry.module), entry.attribute))


def installed_packs() -> Catalog:
    """The packs of this environment, read again only when something on the path changed."""
    return discover(imports_of=scan_imports, cache=_discovered)
