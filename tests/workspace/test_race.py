"""Links that are swapped in while a guest works lead it nowhere. The long form is `make workspace-race`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from nodetool_sandbox.bridges.workspace import Mode
from nodetool_sandbox.files.beneath import HANDLE, KernelBeneath, Opener, WalkBeneath
from nodetool_sandbox.files.refusals import OutsideError
from workspace.race import race

TRIES = 1_000
ROUNDS = 20
"""So many at most, until both sides had their turns."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the swapper swaps in one step, which is Linux's")
@pytest.mark.parametrize("opener", [KernelBeneath(), WalkBeneath()], ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("mode", ["rw", "overlay"])
def test_links_that_are_swapped_in_lead_nowhere(opener: Opener, mode: Mode) -> None:
    for _ in range(ROUNDS):
        raced = race(opener, tries=TRIES, mode=mode)
        assert not raced.leaks
        assert not raced.changed
        if raced.done and raced.refused and raced.swaps:  # on a busy machine one of the two may not have run
            return
    pytest.fail("nobody raced")


class LooksFirst:
    """How it must not be done: the path is resolved and looked at, then opened."""

    def open_folder(self, root: int, path: str) -> int:
        top = str(Path(f"/proc/self/fd/{root}").readlink())
        real = os.path.realpath(Path(top, path))
        if real != top and not real.startswith(f"{top}/"):
            raise OutsideError
        return os.open(path or ".", HANDLE, dir_fd=root)

    def restart(self, text: str) -> str:
        raise OutsideError(text)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the swapper swaps in one step, which is Linux's")
def test_the_race_is_one_that_looking_first_loses() -> None:
    rounds = (race(LooksFirst(), tries=TRIES) for _ in range(ROUNDS))
    assert any(raced.leaks or raced.changed for raced in rounds)
