"""What a picture worker can be asked: the table that its process loads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from nodetool_sandbox_registry.hosts import Deadline, HostCallError, HostExport, HostId, HostModule

if TYPE_CHECKING:
    from nodetool_sandbox.pictures.operations import Operation
    from nodetool_sandbox.pictures.store import Store

BEGIN: Final = "begin"
"""The first call of every run: its budget, the worker's number in the run, the fonts of the embedder."""

_MODULES: Final = {
    "image": "nodetool_sandbox.pictures.operations",
}


class _Run:
    """The one run of this process."""

    store: Store


_run: Final = _Run()


def _begin(args: Sequence[object], _: Deadline) -> object:
    from nodetool_sandbox.pictures.store import Store  # noqa: PLC0415 - the library loads with the first call

    max_bytes, number = args[:2]
    if not isinstance(max_bytes, int) or not isinstance(number, int):
        raise TypeError("begin: a budget and a number")
    _run.store = Store(max_bytes, number)
    return None


def _export(bridge: str, name: str, operation: Operation) -> HostExport:
    def function(args: Sequence[object], _: Deadline) -> object:
        try:
            return operation(_run.store, args)
        except MemoryError:
            raise HostCallError(
                f"{bridge}.{name}: out of memory in the picture worker; work on smaller pictures"
            ) from None

    return HostExport(name=name, function=function)


class _Table(Mapping[str, HostModule]):
    """Loads what is asked for: a run that draws nothing loads no drawing."""

    def __init__(self) -> None:
        self._loaded = {
            "run": HostModule(host_id=HostId("run"), exports=(HostExport(name=BEGIN, function=_begin),))
        }

    def __getitem__(self, host_id: str) -> HostModule:
        if host_id not in self._loaded:
            operations: Mapping[str, Operation] = import_module(_MODULES[host_id]).OPERATIONS
            exports = tuple(_export(host_id, name, each) for name, each in operations.items())
            self._loaded[host_id] = HostModule(host_id=HostId(host_id), exports=exports)
        return self._loaded[host_id]

    def __iter__(self) -> Iterator[str]:
        return iter(("run", *_MODULES))

    def __len__(self) -> int:
        return 1 + len(_MODULES)


TABLE: Final[Mapping[str, HostModule]] = _Table()
