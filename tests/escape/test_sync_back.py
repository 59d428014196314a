"""What a program does to an object of its caller comes back whole or not at all, within the run's own limits."""

from __future__ import annotations

import copy

import pytest
from escape.leaks import leaks_of
from nodetool_sandbox import Ended, Limits
from runs import run

pytestmark = pytest.mark.timeout(60)

BEFORE: dict[str, object] = {"count": 1, "rows": [{"a": 1}], "name": "before"}


def getter(body: str) -> str:
    return f"Object.defineProperty(state, 'x', {{ get() {{ {body} }}, enumerable: true }}); return 1"


UNTOUCHED = {
    "more than memory": "state.big = 'x'.repeat(4e7); return 1",
    "deeper than a global may be": "let d = {}; for (let i = 0; i < 1e4; i++) d = { d }; state.d = d; return 1",
    "a getter that throws": "state.count = 2; " + getter("throw 1"),
    "a proxy whose keys throw": "globalThis.state = new Proxy({}, { ownKeys() { throw 1 } }); return 1",
    "a proxy whose keys never come": "globalThis.state = new Proxy({}, { ownKeys() { while (1); } }); return 1",
    "a member that loops": "state.count = 2; " + getter("while (1);"),
    "a revoked proxy": "const r = Proxy.revocable({}, {}); globalThis.state = r.proxy; r.revoke(); return 1",
    "a loop after the change": "state.count = 2; while (1);",
    "a getter in its place": "Object.defineProperty(globalThis, 'state', { get() { while (1); } }); return 1",
    "nothing in its place": "delete globalThis.state; return 1",
    "null in its place": "state = null; return 1",
    "a number in its place": "state = 5; return 1",
    "a function in its place": "state = () => 1; return 1",
    "a deadlock after the change": "state.count = 2; await new Promise(() => {});",
}


@pytest.mark.parametrize("what", UNTOUCHED)
def test_what_cannot_come_back_whole_leaves_the_callers_object_untouched(what: str) -> None:
    state = copy.deepcopy(BEFORE)
    rows = state["rows"]
    result = run(UNTOUCHED[what], globals={"state": state}, limits=Limits(timeout_ms=400))
    assert result.ended in {Ended.OK, Ended.TIMEOUT, Ended.DEADLOCK}
    assert state == BEFORE
    assert state["rows"] is rows
    assert not leaks_of(result)


@pytest.mark.parametrize(
    ("code", "after"),
    [
        ("state.count = 2; return 1", {"count": 2, "rows": [{"a": 1}], "name": "before"}),
        ("state.count = 2; throw new Error('x')", {"count": 2, "rows": [{"a": 1}], "name": "before"}),
        (
            "Object.freeze(state); state.rows.push(2); return 1",
            {"count": 1, "rows": [{"a": 1}, 2], "name": "before"},
        ),
        ("state.__proto__ = { x: 1 }; return 1", BEFORE),
        ("state.f = () => 1; state[Symbol('s')] = 1; return 1", BEFORE),
        ("for (const k in state) delete state[k]; return 1", {}),
        ("globalThis.state = { fresh: 1 }; return 1", {"fresh": 1}),
        ("Object.defineProperty(state, 'hidden', { value: 1 }); return 1", BEFORE),
        ("Object.setPrototypeOf(state, { inherited: 1 }); return 1", BEFORE),
        (
            'state.rows = JSON.parse(\'{"__proto__": {"x": 1}, "constructor": 2}\'); return 1',
            {"count": 1, "rows": {"__proto__": {"x": 1}, "constructor": 2}, "name": "before"},
        ),
    ],
)
def test_what_a_program_did_comes_back(code: str, after: dict[str, object]) -> None:
    state = copy.deepcopy(BEFORE)
    run(code, globals={"state": state})
    assert state == after


def test_a_cycle_comes_back_as_a_cycle_and_can_go_in_again() -> None:
    state: dict[str, object] = {}
    assert run("state.self = state; return 1", globals={"state": state}).success
    inner = state["self"]
    assert isinstance(inner, dict)
    assert (
        inner["self"] is inner
    )  # not `state` itself: that is the caller's own object, filled with what came back
    assert run("return state.self.self === state.self", globals={"state": state}).value is True


def test_one_object_under_two_names_stays_one() -> None:
    state: dict[str, object] = {}
    run("state.a = [1]; state.b = state.a; return 1", globals={"state": state})
    assert state["a"] is state["b"]


def test_a_fast_getter_is_read_once() -> None:
    state: dict[str, object] = {}
    run(
        "let n = 0; Object.defineProperty(state, 'n', { get: () => ++n, enumerable: true }); return 1",
        globals={"state": state},
    )
    assert state == {"n": 1}
