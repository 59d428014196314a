from __future__ import annotations

import pytest
from nodetool_sandbox.entry import build_entry
from nodetool_sandbox.limits import MAX_STACK_LINE_CHARACTERS, MAX_STACK_LINES
from nodetool_sandbox.stacks import clean_stack, printable, stack_position

ENTRY = build_entry("let a\nb()")


@pytest.mark.parametrize(
    ("stack", "cleaned"),
    [
        ("", ""),
        ("    at f (user-code:2:1)", "    at f (user-code:2:1)"),
        ("    at <eval> (user-code:0:9)\n    at <eval> (user-code:-1:9)", ""),
        ("    at f (native)\n    at g (user-code:9:5)\n", "    at f (native)\n    at g (user-code:2:4)"),
        ("a <evalScript>\nb agent-js\nc evalmachine", "a <evalScript>\nb agent-js\nc evalmachine"),
        ("at node:fs\nat /node_modules/x\nat y", "at y"),
        ("at node:fs user-code", "at node:fs user-code"),
        ("at x (user-code:2:1, user-code:1:2)", "at x (user-code:2:1, user-code:1:2)"),
        ("   \n\nat y", "at y"),
        ("at p (nodetool-sandbox:yaml|index.js:1:2)", "at p (nodetool-sandbox:yaml|index.js:1:2)"),
    ],
)
def test_a_stack_keeps_what_says_something_about_the_program(stack: str, cleaned: str) -> None:
    assert clean_stack(stack, ENTRY) == cleaned


def test_without_an_entry_positions_stay() -> None:
    assert clean_stack("at f (user-code:2:1)") == "at f (user-code:2:1)"
    assert stack_position("at f (user-code:2:1)") == (2, 1)


def test_a_stack_has_at_most_so_many_lines_of_such_a_length() -> None:
    lines = clean_stack("at user-code\n" * 10**6, ENTRY).split("\n")
    assert len(lines) == MAX_STACK_LINES
    assert len(clean_stack("x" * MAX_STACK_LINE_CHARACTERS)) == MAX_STACK_LINE_CHARACTERS
    assert len(clean_stack("x" * 10**7)) == MAX_STACK_LINE_CHARACTERS


def test_a_stack_of_lines_that_are_all_dropped_is_not_read_to_its_end() -> None:
    assert clean_stack("node:\n" * 2_000 + "at f (user-code:1:1)", ENTRY) == ""


def test_the_position_is_the_innermost_one_in_the_program() -> None:
    stack = "    at map (native)\n    at <eval> (user-code:-1:1)\n    at x (user-code:2:2)\n    at y (user-code:1:1)"
    assert stack_position(stack, ENTRY) == (2, 2)
    assert stack_position("at z (pack.js:1:1)", ENTRY) is None
    assert stack_position("", ENTRY) is None


def test_a_column_in_bytes_becomes_one_in_characters() -> None:
    assert clean_stack("at f (user-code:1:10)", build_entry("'\u20ac\u20ac'; f()")) == "at f (user-code:1:6)"


def test_a_forged_position_is_no_number_of_any_length() -> None:
    assert stack_position("user-code:" + "9" * 400 + ":1") is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain \t text, é \U0001f600", "plain \t text, é \U0001f600"),
        ("\x1b[2J\x1b]0;x\x07", "\\x1b[2J\\x1b]0;x\\x07"),
        ("\r\n[error] forged\0", "\\r\\n[error] forged\\x00"),
        ("\u2028\u202e\u200b", "\\u2028\\u202e\\u200b"),
        ("\x9b31m\x7f", "\\x9b31m\\x7f"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_nothing_in_printed_text_acts_on_the_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(text).encode("utf-8")


def test_line_breaks_stay_where_asked_for() -> None:
    assert printable("a\nb\rc", keep_newlines=True) == "a\nb\\rc"
