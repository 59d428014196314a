"""The table of host modules and the registry's pins: one says who may, the other what is there."""

from __future__ import annotations

import importlib.metadata
from importlib.util import find_spec

import pytest
from nodetool_sandbox.hosts import installed_hosts
from nodetool_sandbox_host.table import HOSTS
from nodetool_sandbox_registry.pins import PINS, Pin

IMPLEMENTED = [pin for pin in PINS.values() if pin.exports]


def test_the_installed_table_is_the_one_of_the_pinned_distribution() -> None:
    assert installed_hosts() is HOSTS


def test_every_id_of_the_table_is_pinned() -> None:
    assert set(HOSTS) <= set(PINS)


@pytest.mark.parametrize("pin", IMPLEMENTED, ids=lambda pin: pin.host_id)
def test_a_module_has_exactly_the_exports_of_its_pin(pin: Pin) -> None:
    module = HOSTS[pin.host_id]
    if not module.exports:
        pytest.skip(f"{pin.library} is not installed here")
    assert [(each.name, each.sync, each.shared) for each in module.exports] == [
        (each.name, each.sync, each.shared) for each in pin.exports
    ]


@pytest.mark.parametrize("host_id", sorted(PINS))
def test_a_module_is_there_exactly_where_its_pin_has_exports(host_id: str) -> None:
    pin = next(each for each in PINS.values() if each.host_id == host_id)
    assert bool(pin.exports) == (find_spec(f"nodetool_sandbox_host.{host_id}") is not None)


@pytest.mark.parametrize("host_id", sorted(PINS))
def test_one_name_everywhere(host_id: str) -> None:
    pin = next(each for each in PINS.values() if each.host_id == host_id)
    assert pin.distribution == f"nodetool-sandbox-{host_id}"
    assert pin.pack == f"@nodetool-ai/sandbox-{host_id}"


def test_the_table_is_found_by_its_entry_point_and_no_other_distribution_offers_one() -> None:
    offered = importlib.metadata.entry_points(group="nodetool_sandbox.hosts")
    assert {each.dist.name for each in offered if each.dist is not None} == {"nodetool-sandbox-host"}
