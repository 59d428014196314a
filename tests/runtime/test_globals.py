"""Globals of the caller: which names they may have, and what a program leaves in them."""

from __future__ import annotations

import pytest
from nodetool_sandbox import UNDEFINED, Ended, JSMap, Limits, Sandbox
from nodetool_sandbox.surface import ABSENT, GUEST_GLOBALS, LATER, RESERVED_WORDS
from runs import run, value


def after(code: str, state: dict[str, object], **limits: int) -> tuple[Ended, dict[str, object]]:
    """How a run ended, and what it left in the caller's `state`."""
    same = state
    result = run(code, globals={"state": state}, limits=Limits(**limits) if limits else Limits())
    assert same is state
    return result.ended, state


# ---- written back


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("state.b = 2", {"a": 1, "b": 2}),
        ("delete state.a", {}),
        ("state.list = [1, {c: 2}]; state.list.push(3)", {"a": 1, "list": [1, {"c": 2}, 3]}),
        (
            "state.bytes = new Uint8Array([1]); state.none = null; state.miss = undefined",
            {"a": 1, "bytes": b"\x01", "none": None, "miss": UNDEFINED},
        ),
        ("state.map = new Map([[1, 2]])", {"a": 1, "map": JSMap(((1, 2),))}),
        ("Object.freeze(state)", {"a": 1}),
        ("Object.freeze(state); try { state.b = 1 } catch {}", {"a": 1}),
        ("state = {z: 1}", {"z": 1}),
        ("globalThis.state = {z: 1}", {"z": 1}),
        ("state.f = () => 1; state.b = 2", {"a": 1, "b": 2}),
        ("state['__proto__x'] = 1", {"a": 1, "__proto__x": 1}),
        (
            "Object.defineProperty(state, '__proto__', {value: {x: 1}, enumerable: true})",
            {"a": 1, "__proto__": {"x": 1}},
        ),
    ],
)
def test_what_a_program_did_to_a_dict_is_in_it_afterwards(code: str, expected: dict[str, object]) -> None:
    assert after(code, {"a": 1}) == (Ended.OK, expected)


@pytest.mark.parametrize(
    "code",
    [
        "state = null",
        "state = 5",
        "state = 'text'",
        "delete globalThis.state",
        "state = () => 1",
        "Object.defineProperty(globalThis, 'state', {get() { for (;;); }})",
    ],
)
def test_a_name_given_to_something_else_leaves_the_dict_as_it_was(code: str) -> None:
    assert after(code, {"a": 1}) == (Ended.OK, {"a": 1})


def test_lists_are_written_back_too() -> None:
    rows: list[object] = [1, 2]
    value("rows.push(3); rows.shift()", globals={"rows": rows})
    assert rows == [2, 3]


def test_counters_and_lists_persist_over_runs() -> None:
    state: dict[str, object] = {"n": 0, "seen": []}
    for n in range(3):
        assert value("state.seen.push(state.n); return ++state.n", globals={"state": state}) == n + 1
    assert state == {"n": 3, "seen": [0, 1, 2]}


@pytest.mark.parametrize("end", ["throw new Error('x')", "missing()", "await Promise.reject(1)", "await f()"])
def test_a_throw_keeps_what_was_done_before_it(end: str) -> None:
    def fails() -> None:
        raise ValueError("no")

    state: dict[str, object] = {"a": 1}
    result = run(f"state.b = 2; {end}; state.c = 3", globals={"state": state, "f": fails})
    assert (result.ended, state) == (Ended.FAILED, {"a": 1, "b": 2})


@pytest.mark.parametrize(
    ("code", "limits"),
    [
        ("state.b = 2; for (;;) {}", {"timeout_ms": 50}),
        ("state.b = 2; for (;;) {}", {"max_steps": 100_000}),
        ("state.b = 2; await new Promise(() => {})", {}),
        ("state.b = 2; globalThis.state = new Proxy({}, {ownKeys() { for (;;); }})", {"timeout_ms": 100}),
        (
            "state.b = 2; Object.defineProperty(state, 'loop', {enumerable: true, get() { for (;;); }})",
            {"timeout_ms": 100},
        ),
    ],
)
def test_a_run_that_was_ended_leaves_the_dict_untouched(code: str, limits: dict[str, int]) -> None:
    ended, state = after(code, {"a": 1}, **limits)
    assert ended is not Ended.OK
    assert state == {"a": 1}


@pytest.mark.parametrize(
    "code",
    [
        "state.b = 2; state.s = Symbol('s')",
        "state.b = 2; Object.defineProperty(state, 'x', {enumerable: true, get() { throw new Error('no') }})",
        "state.b = 2; let v = []; state.deep = v; for (let i = 0; i < 500; i++) { v.push([]); v = v[0] }",
    ],
)
def test_what_cannot_be_written_back_leaves_all_of_it_or_none(code: str) -> None:
    state: dict[str, object] = {"a": 1}
    other: dict[str, object] = {"x": 1}
    result = run(f"other.y = 2; {code}", globals={"state": state, "other": other})
    assert result.ended is Ended.OK
    untouched = state == {"a": 1} and other == {"x": 1}
    assert untouched or (state.get("b") == 2 and other == {"x": 1, "y": 2})
    if untouched:
        assert any("not written back" in line for line in result.logs)


def test_a_cycle_is_written_back_and_fit_for_the_next_run() -> None:
    state: dict[str, object] = {}
    assert value("state.self = state; return 1", globals={"state": state}) == 1
    inner = state["self"]
    assert isinstance(inner, dict)
    assert inner["self"] is inner
    assert value("return state.self.self === state.self", globals={"state": state}) is True


def test_one_object_under_two_names_stays_one_object() -> None:
    shared: dict[str, object] = {}
    given: dict[str, object] = {"a": {"in": shared}, "b": {"in": shared}}
    assert value("a.in.x = 1; return b.in.x", globals=given) == 1


def test_a_function_of_the_caller_inside_of_a_dict_comes_back_as_itself() -> None:
    def add(n: int) -> int:
        return n + 1

    state: dict[str, object] = {"add": add}
    assert value("state.two = await state.add(1); return state.two", globals={"state": state}) == 2
    assert state == {"add": add, "two": 2}


@pytest.mark.parametrize("given", [5, "text", None, True, b"bytes", (1, 2)])
def test_other_values_are_copied_in_and_not_written_back(given: object) -> None:
    value("given = 'other'", globals={"given": given})


def test_two_runs_share_nothing_but_what_is_passed() -> None:
    sandbox = Sandbox()
    sandbox.run_sync("globalThis.leak = 1; Array.prototype.leak = 2; Object.prototype.leak = 3")
    assert sandbox.run_sync("return [typeof leak, [].leak, ({}).leak]").value == [
        "undefined",
        UNDEFINED,
        UNDEFINED,
    ]


# ---- names


@pytest.mark.parametrize("name", sorted(GUEST_GLOBALS | LATER | ABSENT))
def test_a_name_of_the_sandbox_cannot_be_taken(name: str) -> None:
    with pytest.raises(ValueError, match=r"reserved for the sandbox|is a word of the language"):
        run("return 1", globals={name: 1})


@pytest.mark.parametrize(
    "name",
    [
        *sorted(RESERVED_WORDS),
        "__hostCall",
        "__proto__",
        "__x",
        "a-b",
        "ﬁ",
        "1a",
        "",
        "a b",
        "é",
        "a\n",
        "a.b",
    ],
)
def test_a_name_that_no_program_could_read_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"^globals: "):
        run("return 1", globals={name: 1})


def test_all_wrong_names_are_told_at_once() -> None:
    with pytest.raises(ValueError, match=r"'fetch'.*'a-b'.*'var'"):
        run("return 1", globals={"fetch": 1, "a-b": 1, "var": 1, "fine": 1})


@pytest.mark.parametrize(
    "name", ["constructor", "toString", "hasOwnProperty", "valueOf", "$", "_", "a1", "async", "of", "inputs"]
)
def test_any_other_name_is_an_own_global(name: str) -> None:
    assert value(f"return [{name}, Object.hasOwn(globalThis, {name!r})]", globals={name: 7}) == [7, True]


@pytest.mark.parametrize(
    "name",
    [
        "__hostCall",
        "__wasmCall",
        "__nodetoolHostDispatch",
        "__nodetoolWasmDispatch",
        "__capabilityCall",
        "native",
    ],
)
def test_no_private_name_is_there(name: str) -> None:
    assert value(f"return typeof {name}") == "undefined"
