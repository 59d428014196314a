"""The table of host ids: lazy, complete, and plain about what is not installed."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable

import pytest
from host_calls import Unhurried
from nodetool_sandbox_host import table
from nodetool_sandbox_registry.hosts import HostCallError, HostId
from nodetool_sandbox_registry.pins import PINS


def test_the_table_has_a_row_for_each_pinned_host_id() -> None:
    assert set(table.HOSTS) == set(PINS)


@pytest.mark.parametrize("host_id", [pin.host_id for pin in PINS.values() if pin.exports])
def test_a_module_exports_what_its_pin_lists(host_id: str) -> None:
    module = table.HOSTS[host_id]
    pinned = next(pin for pin in PINS.values() if pin.host_id == host_id)
    assert module.host_id == host_id
    assert [(each.name, each.sync) for each in module.exports] == [
        (each.name, each.sync) for each in pinned.exports
    ]


def test_an_unknown_id_is_no_row() -> None:
    assert "os" not in table.HOSTS
    with pytest.raises(KeyError):
        table.HOSTS["os"]


@pytest.fixture
def without_yaml(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """An installation without PyYAML; calling it installs it."""
    real = builtins.__import__

    def refusing(name: str, *args: object, **named: object) -> object:
        if name == "yaml" or name.startswith("yaml."):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *args, **named)  # type: ignore[arg-type]

    for name in [name for name in sys.modules if name.startswith(("nodetool_sandbox_host.", "yaml"))]:
        if "yaml" in name:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", refusing)
    return lambda: monkeypatch.setattr(builtins, "__import__", real)


def test_a_missing_library_is_named_with_what_installs_it(without_yaml: Callable[[], None]) -> None:
    hosts = table.build_hosts(table.ROWS)
    export = hosts["yaml"].export("load")
    assert export is not None
    assert export.sync
    with pytest.raises(HostCallError) as refused:
        export.function(["a"], Unhurried())
    assert refused.value.message == (
        'yaml.load: the "PyYAML" library is not available in this runtime; '
        "pip install nodetool-sandbox-host[yaml]"
    )
    assert hosts["yaml"].export(3) is None
    # a failed load is not remembered
    without_yaml()
    assert hosts["yaml"].exports


def test_a_module_of_ours_that_is_missing_is_our_fault_and_no_missing_library() -> None:
    hosts = table.build_hosts((table.Row(host_id=HostId("nothing"), library="x"),))
    with pytest.raises(ModuleNotFoundError):
        hosts["nothing"]


def test_a_loaded_module_is_kept() -> None:
    assert table.HOSTS["csv"] is table.HOSTS["csv"]
    assert len(table.HOSTS) == len(table.ROWS)
