"""The table of host ids: each module is imported when it is first asked for, so a library loads when used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Final, NoReturn

from nodetool_sandbox_registry.hosts import Deadline, HostCallError, HostExport, HostId, HostModule


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One host id: the module beside this file that defines `MODULE`, and the library that it needs."""

    host_id: HostId
    library: str
    sync: bool = False


ROWS: Final = (
    Row(host_id=HostId("csv"), library="csv"),
    Row(host_id=HostId("dates"), library="python-dateutil", sync=True),
    Row(host_id=HostId("diff"), library="diff-match-patch"),
    Row(host_id=HostId("html"), library="selectolax"),
    Row(host_id=HostId("xlsx"), library="openpyxl"),
    Row(host_id=HostId("xml"), library="lxml"),
    Row(host_id=HostId("yaml"), library="PyYAML", sync=True),
    Row(host_id=HostId("zip"), library="zipfile"),
)


class _Unavailable(HostModule):
    """A module whose library is not installed: every export of it refuses and says what to install."""

    def export(self, name: object) -> HostExport | None:
        if not isinstance(name, str):
            return None
        row = next(each for each in ROWS if each.host_id == self.host_id)

        def refuse(_args: Sequence[object], _deadline: Deadline) -> NoReturn:
            message = (
                f'{row.host_id}.{name}: the "{row.library}" library is not available in this runtime; '
                f"pip install nodetool-sandbox-host[{row.host_id}]"
            )
            raise HostCallError(message)

        return HostExport(name=name, function=refuse, sync=row.sync)


class _Hosts(Mapping[str, HostModule]):
    """Host id to module. A module that cannot load for want of its library is asked for again next time."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = {row.host_id: row for row in rows}
        self._loaded: dict[str, HostModule] = {}

    def __getitem__(self, host_id: str) -> HostModule:
        loaded = self._loaded.get(host_id)
        if loaded is not None:
            return loaded
        row = self._rows[HostId(host_id)]
        try:
            module: HostModule = import_module(f"{__package__}.{row.host_id}").MODULE
        except ModuleNotFoundError as missing:
            if missing.name is not None and missing.name.split(".")[0] == __package__:
                raise  # a file of ours is missing: our bug, not a library to install
            return _Unavailable(host_id=row.host_id, exports=())
        self._loaded[host_id] = module
        return module

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def build_hosts(rows: Sequence[Row]) -> Mapping[str, HostModule]:
    """The table of these rows, with nothing loaded."""
    return _Hosts(rows)


HOSTS: Final = build_hosts(ROWS)
