"""Guests that are ready before their run: as fresh as one that is made for it."""

from __future__ import annotations

import os
import sys

import pytest
from nodetool_sandbox import Limits, Sandbox
from nodetool_sandbox._engine import guest as engine
from nodetool_sandbox._engine.guest import MAX_SPARES, Guest
from nodetool_sandbox._engine.warm_pages import (
    MAX_LESSONS,
    MAX_PAGES,
    PAGE_BYTES,
    WarmPages,
    changed_pages,
    joined_pages,
)
from nodetool_sandbox.errors import EngineUnavailable
from runs import until


@pytest.fixture
def spares() -> None:
    """As many as there may be, none of them old."""
    engine._spares.clear()
    for _ in range(MAX_SPARES + 3):
        Guest.make_spare()
    assert len(engine._spares) == MAX_SPARES


@pytest.mark.usefixtures("spares")
def test_a_run_takes_a_spare_and_leaves_another() -> None:
    first = list(engine._spares)
    assert Sandbox().run_sync("return 1").value == 1
    until(lambda: len(engine._spares) == MAX_SPARES, "another one is made")
    assert len([each for each in engine._spares if each in first]) == MAX_SPARES - 1


@pytest.mark.usefixtures("spares")
def test_nothing_of_one_run_is_in_the_next_and_each_has_its_own_limits() -> None:
    seen = set()
    for index in range(3 * MAX_SPARES):
        result = Sandbox().run_sync(
            "const before = typeof globalThis.mark; globalThis.mark = 1; return [before, Math.random()]",
            limits=Limits(max_steps=1_000_000 + index),
        )
        assert isinstance(result.value, list)
        assert result.value[0] == "undefined"
        seen.add(result.value[1])
        small = Sandbox().run_sync(
            "return 'x'.repeat(4 << 20).length", limits=Limits(memory_limit_bytes=1 << 20)
        )
        assert small.error is not None
        assert small.error.message == "out of memory"
        assert Sandbox().run_sync("return 'x'.repeat(4 << 20).length").value == 4 << 20
    assert len(seen) == 3 * MAX_SPARES


@pytest.mark.usefixtures("spares")
def test_a_guest_that_waits_for_a_run_is_no_guest_that_computes() -> None:
    assert not engine._guests


def test_a_spare_that_cannot_be_made_is_the_next_runs_affair(monkeypatch: pytest.MonkeyPatch) -> None:
    engine._spares.clear()

    def none(*_: object, **__: object) -> object:
        raise EngineUnavailable("no address space")

    with monkeypatch.context() as patched:
        patched.setattr(engine, "_instantiate", none)
        Guest.make_spare()
        assert not engine._spares
        with pytest.raises(EngineUnavailable, match="no address space"):
            Sandbox().run_sync("return 1")
    assert Sandbox().run_sync("return 1").value == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.usefixtures("spares")
def test_a_forked_child_makes_guests_of_its_own() -> None:
    child = os.fork()
    if child == 0:
        ok = not engine._spares and Sandbox().run_sync("return 7").value == 7
        os._exit(0 if ok else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_pages_are_found_by_what_differs_and_joined() -> None:
    before = bytes(8 * PAGE_BYTES)
    after = bytearray(before)
    for page in (1, 2, 5):
        after[page * PAGE_BYTES + 7] = 1
    starts = changed_pages(before, bytes(after))
    assert starts == [PAGE_BYTES, 2 * PAGE_BYTES, 5 * PAGE_BYTES]
    assert list(joined_pages(starts)) == [(PAGE_BYTES, 3 * PAGE_BYTES), (5 * PAGE_BYTES, 6 * PAGE_BYTES)]
    assert list(joined_pages([])) == []


@pytest.mark.skipif(sys.platform != "linux", reason="pages are copied ahead on Linux alone")
@pytest.mark.parametrize(("pages", "learned"), [(MAX_PAGES, True), (MAX_PAGES + 1, False)])
def test_a_program_that_writes_much_teaches_nothing(pages: int, *, learned: bool) -> None:
    warm = WarmPages()
    pictures = bytes(2 * pages * PAGE_BYTES), b"\1" * (pages * PAGE_BYTES) + bytes(pages * PAGE_BYTES)
    warm.learn(*pictures)
    assert warm.is_learned is learned
    for _ in range(MAX_LESSONS - 1):
        warm.learn(*pictures)
    assert warm.is_learned
