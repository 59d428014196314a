"""What a picture worker can be asked: the table that its process loads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from nodetool_sandbox_registry.hosts import (
    Deadline,
    HostCallError,
    HostExport,
    HostFunction,
    HostId,
    HostModule,
)

if TYPE_CHECKING:
    from nodetool_sandbox.pictures.run import PictureRun

RUN: Final = "run"
BEGIN: Final = "begin"
"""The first call of every run: its budget, the worker's number in the run, the embedder's fonts."""


WARM_UP: Final = "warm_up"
"""Loads the libraries of the host ids that it is given."""


class _Table(Mapping[str, HostModule]):
    """Loads what is asked for: a run that draws nothing loads no drawing."""

    def __init__(self) -> None:
        self._run: PictureRun | None = None
        self._loaded = {
            RUN: HostModule(
                host_id=HostId(RUN),
                exports=(
                    HostExport(name=BEGIN, function=self._begin),
                    HostExport(name=WARM_UP, function=self._warm_up),
                ),
            )
        }

    def _begin(self, args: Sequence[object], _: Deadline) -> object:
        from nodetool_sandbox.pictures.run import PictureRun  # noqa: PLC0415 - Pillow loads with the first call
        from nodetool_sandbox.pictures.store import Store  # noqa: PLC0415

        max_bytes, number, fonts, use_system_fonts = args
        if not isinstance(max_bytes, int) or not isinstance(number, int) or not isinstance(fonts, dict):
            raise TypeError("begin: a budget, a number, fonts, and whether those of the system are used")
        self._run = PictureRun(Store(max_bytes, number), fonts, bool(use_system_fonts))
        return None

    def _warm_up(self, args: Sequence[object], _: Deadline) -> object:
        for host_id in args:
            self[str(host_id)]
        return None

    def __getitem__(self, host_id: str) -> HostModule:
        if host_id not in self._loaded:
            exports = tuple(
                HostExport(name=name, function=self._function(f"{host_id}.{name}", work))
                for name, work in _LOADERS[host_id]().items()
            )
            self._loaded[host_id] = HostModule(host_id=HostId(host_id), exports=exports)
        return self._loaded[host_id]

    def _function(self, where: str, work: _Work) -> HostFunction:
        def function(args: Sequence[object], deadline: Deadline) -> object:
            if self._run is None:
                raise TypeError("the run has not begun")
            try:
                return work(self._run, args, deadline)
            except MemoryError:
                raise HostCallError(
                    f"{where}: out of memory in the picture worker; work on smaller pictures"
                ) from None

        return function

    def __iter__(self) -> Iterator[str]:
        return iter((RUN, *_LOADERS))

    def __len__(self) -> int:
        return 1 + len(_LOADERS)


_Work = Callable[["PictureRun", Sequence[object], Deadline], object]


def _image() -> Mapping[str, _Work]:
    operations: Mapping[str, Any] = import_module("nodetool_sandbox.pictures.operations").OPERATIONS

    def adapted(operation: Any) -> _Work:  # noqa: ANN401 - imported by name
        return lambda run, args, _: operation(run.store, args)

    return {name: adapted(operation) for name, operation in operations.items()}


def _canvas() -> Mapping[str, _Work]:
    operations: Mapping[str, _Work] = import_module("nodetool_sandbox.pictures.canvas.operations").OPERATIONS
    return operations


_LOADERS: Final[Mapping[str, Callable[[], Mapping[str, _Work]]]] = {"image": _image, "canvas": _canvas}

TABLE: Final[Mapping[str, HostModule]] = _Table()
