from __future__ import annotations

import pytest
from nodetool_sandbox.errors import (
    TRUNCATED,
    EngineUnavailable,
    GuestError,
    ImportsRefused,
    InternalError,
    LimitExceeded,
    MarshalError,
    SandboxError,
    UnsupportedShapeError,
    UnsupportedValueError,
    cut,
)
from nodetool_sandbox.limits import MAX_ERROR_CHARACTERS, MAX_STACK_LINE_CHARACTERS, MAX_STACK_LINES
from nodetool_sandbox_registry import Code, Diagnostic


@pytest.mark.parametrize(
    ("name", "message", "shown"),
    [
        ("TypeError", "x is not a function", "TypeError: x is not a function"),
        ("Error", "plain", "plain"),
        ("TypeError", "a typeerror happened", "a typeerror happened"),
        ("TypeError", "", "TypeError"),
        ("Error", "", "Error"),
        ("", "", "Error"),
        ("", "words", "words"),
    ],
)
def test_a_guest_error_reads_as_its_name_and_message_said_once(name: str, message: str, shown: str) -> None:
    assert str(GuestError(name=name, message=message)) == shown


@pytest.mark.parametrize(
    "size", [MAX_ERROR_CHARACTERS - 12, MAX_ERROR_CHARACTERS, MAX_ERROR_CHARACTERS + 1, 10**6]
)
def test_the_text_of_a_guest_error_has_a_cap(size: int) -> None:
    error = GuestError(name="RangeError", message="x" * size)
    assert len(error.message) == min(size, MAX_ERROR_CHARACTERS)
    assert len(str(error)) <= MAX_ERROR_CHARACTERS
    assert error.message.endswith(TRUNCATED) == (size > MAX_ERROR_CHARACTERS)


def test_a_guest_error_of_a_huge_name_is_short() -> None:
    assert 0 < len(str(GuestError(name="N" * 10**6))) < 1000


def test_a_stack_has_at_most_so_many_lines_of_such_a_length() -> None:
    stack = "\n".join(["y" * (MAX_STACK_LINE_CHARACTERS + 1)] * (MAX_STACK_LINES + 1))
    lines = GuestError(stack=stack).stack.split("\n")
    assert len(lines) == MAX_STACK_LINES
    assert {len(line) for line in lines} == {MAX_STACK_LINE_CHARACTERS}


def test_a_short_text_is_not_cut() -> None:
    assert cut("x" * 20, 20) == "x" * 20
    assert cut("x" * 21, 20) == "x" * (20 - len(TRUNCATED)) + TRUNCATED


def test_all_refused_imports_are_told_at_once() -> None:
    refusals = [Diagnostic(code=Code.MODULE_NOT_FOUND, message=text) for text in ("first", "second")]
    error = ImportsRefused(refusals)
    assert error.refusals == tuple(refusals)
    assert str(error) == "first\nsecond"


def test_an_exceeded_limit_says_which_and_by_how_much() -> None:
    error = LimitExceeded(limit="max_fetch_calls", allowed=20, seen=2100, what="the program")
    assert (error.limit, error.allowed, error.seen) == ("max_fetch_calls", 20, 2100)
    assert str(error) == "the program exceeds max_fetch_calls: 2,100 where 20 are allowed"


def test_a_marshal_error_says_where() -> None:
    assert str(MarshalError("no", at="globals['x']")) == "globals['x']: no"
    assert str(MarshalError("no")) == "no"


def test_our_own_mistakes_ask_for_a_report() -> None:
    assert "please report" in str(InternalError("the reply came first"))


@pytest.mark.parametrize(
    ("kind", "twin"),
    [
        (ImportsRefused, ValueError),
        (LimitExceeded, ValueError),
        (UnsupportedValueError, TypeError),
        (UnsupportedShapeError, ValueError),
        (EngineUnavailable, RuntimeError),
        (InternalError, RuntimeError),
    ],
)
def test_each_error_is_ours_and_python_s(kind: type[Exception], twin: type[Exception]) -> None:
    assert issubclass(kind, SandboxError)
    assert issubclass(kind, twin)
