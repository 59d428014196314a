"""How often a process looks at the installed packs."""

from __future__ import annotations

import pytest
from nodetool_sandbox.hosts import LOOK_AGAIN_S, InstalledPacks
from nodetool_sandbox_registry import Catalog


def test_packs_are_looked_for_once_in_a_while_and_when_the_path_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 5.0
    looks: list[Catalog] = []

    def look() -> Catalog:
        looks.append(Catalog(()))
        return looks[-1]

    packs = InstalledPacks(look, clock=lambda: now)
    assert packs.find() is packs.find() is looks[0]
    now += LOOK_AGAIN_S - 0.001
    assert packs.find() is looks[0]
    now += 0.001
    assert packs.find() is packs.find() is looks[1]
    monkeypatch.syspath_prepend("somewhere")
    assert packs.find() is packs.find() is looks[2]
    assert len(looks) == 3
