"""The host ids, and for each the one distribution that may declare it.

This table is what keeps host code first-party: a pack names a host id, and the id counts only
when the pin names that pack's distribution. What the functions do is in nodetool-sandbox-host; a
test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nodetool_sandbox_registry.hosts import HostId
from nodetool_sandbox_registry.names import DistName, PackName
from nodetool_sandbox_registry.texts import quoted

PACK_GROUP: Final = "nodetool_sandbox.packs"
"""The entry-point group by which a distribution says that it is a pack."""

HOST_TABLE_GROUP: Final = "nodetool_sandbox.hosts"
"""The entry-point group of the host table."""

HOST_TABLE_DISTRIBUTION: Final = DistName("nodetool-sandbox-host")
"""The one distribution whose host table is used; an entry of any other is passed over."""

COMMAND_GROUP: Final = "nodetool_sandbox.commands"
"""The entry-point group of what another part adds to the command line.

It has one entry, a function that takes the arguments behind `packs compile` and gives the exit status.
"""

COMPILER_DISTRIBUTION: Final = DistName("nodetool-sandbox-compiler")
"""The one distribution whose command is used: a pack that declares one must not run for that."""


class SandboxHostModuleError(ValueError):
    """A host module that is not what its pin says: an unknown id, or a stranger's claim on a known one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedExport:
    """One function of a host module. A sync one answers at once, the others with a promise.

    In a shared one an object that occurs twice in its arguments, or a cycle, stays one object.
    """

    name: str
    sync: bool = False
    shared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One host id. A pin without exports reserves the id for functions that this version does not have."""

    host_id: HostId
    distribution: DistName
    pack: PackName
    library: str
    description: str
    exports: tuple[PinnedExport, ...] = ()


def _pin(
    host_id: str, library: str, description: str, *, run: str = "", sync: str = "", shared: str = ""
) -> Pin:
    """A row of the table; `run` and `sync` list the exports in the order of the facade, `shared` some of them."""
    return Pin(
        host_id=HostId(host_id),
        distribution=DistName(f"nodetool-sandbox-{host_id}"),
        pack=PackName(f"@nodetool-ai/sandbox-{host_id}"),
        library=library,
        description=description,
        exports=(
            *(PinnedExport(name=name, shared=name in shared.split()) for name in run.split()),
            *(PinnedExport(name=name, sync=True, shared=name in shared.split()) for name in sync.split()),
        ),
    )


_ROWS: Final = (
    _pin(
        "csv",
        "csv",
        "Read and write CSV: delimiter detection, records or arrays, faults by row.",
        run="parse stringify parseWithErrors detect",
    ),
    _pin(
        "html",
        "selectolax",
        "Select from HTML, and turn it into Markdown, text, links or tables.",
        run="select toMarkdown toText extractLinks extractImages extractAudio extractVideos extractMetadata"
        " extractReadableText selectAll extract tables readable",
    ),
    _pin(
        "xml",
        "lxml",
        "Read XML such as feeds and sitemaps into objects, query it, write it.",
        run="parse build xpath records feed",
    ),
    _pin(
        "xlsx",
        "openpyxl",
        "Read and write Excel workbooks (.xlsx).",
        run="parse write sheets toCsv",
    ),
    _pin(
        "zip",
        "zipfile",
        "Pack and unpack zip archives, with a cap on what they inflate to.",
        run="unzip zip list gzip gunzip deflate inflate",
    ),
    _pin(
        "diff",
        "diff-match-patch",
        "Compare texts: unified diffs, change lists, patches.",
        run=(
            "unified diffLines diffWords diffChars createTwoFilesPatch createPatch structuredPatch parsePatch "
            "applyPatch patchMake patchApply json stats closest"
        ),
    ),
    _pin(
        "yaml",
        "PyYAML",
        "Read and write YAML with the API of js-yaml.",
        sync="load loadAll dump toJson",
        shared="load loadAll dump",
    ),
    _pin(
        "dates",
        "python-dateutil",
        "Time zones, free-text dates and recurrence rules beside date-fns.",
        sync=(
            "fromZonedTime toZonedTime formatInTimeZone getTimezoneOffset zones parseDate parseColumn occurrences "
            "relative easter"
        ),
    ),
)

PINS: Final[Mapping[HostId, Pin]] = MappingProxyType({pin.host_id: pin for pin in _ROWS})

_BY_DISTRIBUTION: Final = MappingProxyType({pin.distribution: pin for pin in _ROWS})
_BY_PACK: Final = MappingProxyType({pin.pack: pin for pin in _ROWS})


def pack_name(distribution: DistName) -> PackName:
    """What JavaScript calls a distribution's pack: the pinned name, or else the distribution's own."""
    pin = _BY_DISTRIBUTION.get(distribution)
    return PackName(distribution) if pin is None else pin.pack


def pinned_distribution(pack: PackName) -> DistName | None:
    """The distribution that publishes a first-party pack, or None where the pack is not pinned."""
    pin = _BY_PACK.get(pack)
    return None if pin is None else pin.distribution


def require_pin(host_id: object, distribution: DistName) -> Pin:
    """The pin of that host id, which this distribution may declare.

    Raises:
        SandboxHostModuleError: not a host id, not one of ours, or another distribution's.
    """
    if not isinstance(host_id, str) or not host_id:
        message = "a host module must name a host id"
        raise SandboxHostModuleError(message)
    pin = PINS.get(HostId(host_id))
    if pin is None:
        known = ", ".join(PINS)
        message = (
            f"{quoted(host_id)} is not a host module NodeTool implements: "
            f"host modules are first-party only ({known}); a pack of your own is JavaScript"
        )
        raise SandboxHostModuleError(message)
    if pin.distribution != distribution:
        message = (
            f'host module "{pin.host_id}" belongs to {pin.pack} and cannot be declared by '
            f"{quoted(distribution)[1:-1]}: only the distribution {pin.distribution} may"
        )
        raise SandboxHostModuleError(message)
    return pin
