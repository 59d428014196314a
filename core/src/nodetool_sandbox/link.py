"""The imports of a program against the modules that its run may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nodetool_sandbox_registry.linking import ImportDenied, ModuleGraph
from nodetool_sandbox_registry.texts import quoted

from nodetool_sandbox.entry import Entry

if TYPE_CHECKING:  # see `entry`
    from nodetool_sandbox.import_sites import ImportSite

USER_CODE: Final = "user-code"
"""What the engine calls the program's own module."""


def refused_imports(entry: Entry, graph: ModuleGraph | None) -> dict[str, ImportSite]:
    """Every import that the program may not make, said before the guest starts, each with its first place.

    The normalizer decides again while the engine links: this is for the message, not for the wall.
    """
    refusals: dict[str, ImportSite] = {}
    for site in entry.imports:
        refusal = _refusal(site.specifier, graph)
        if refusal is not None:
            refusals.setdefault(refusal, site)
    return refusals


def _refusal(specifier: str, graph: ModuleGraph | None) -> str | None:
    if graph is None:
        return (
            f"{quoted(specifier)} is not a sandbox package declared for this run; "
            "this run declares none, add it to modules=[...] to import it"
        )
    try:
        graph.normalize(USER_CODE, specifier)
    except ImportDenied as denied:
        return str(denied)
    return None
