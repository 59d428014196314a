"""Values are found again in any spelling, at any place, over any borders."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from html import escape
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox.bridges.secret_text import MIN_SHORT_CHARACTERS, Finder, redacted

VALUES = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF), min_size=8, max_size=24)
MARK = "<mark>"

SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "percent": lambda value: quote(value, safe=""),
    "form": quote_plus,
    "percent twice": lambda value: quote(quote(value, safe=""), safe=""),
    "JSON": lambda value: json.dumps(value)[1:-1],
    "JSON in JSON": lambda value: json.dumps(json.dumps(value))[3:-3],
    "JSON as it is": lambda value: json.dumps(value, ensure_ascii=False)[1:-1],
    "HTML": escape,
    "hexadecimal": lambda value: value.encode().hex(),
    "base64": lambda value: b64encode(value.encode()).decode(),
    "base64 for URLs": lambda value: urlsafe_b64encode(value.encode()).decode(),
}


@pytest.mark.property
@given(
    spelling=st.sampled_from(sorted(SPELLINGS)),
    value=VALUES,
    before=st.text(max_size=20),
    after=st.text(max_size=20),
)
def test_a_value_is_found_in_every_spelling(spelling: str, value: str, before: str, after: str) -> None:
    text = (
        before.encode("utf-8", "replace").decode()
        + " "
        + SPELLINGS[spelling](value)
        + " "
        + after.encode("utf-8", "replace").decode()
    )
    told = redacted(text, [(value, MARK.encode())])
    assert MARK in told


@pytest.mark.property
@given(
    value=VALUES,
    around=st.binary(max_size=300),
    at=st.integers(0, 300),
    sizes=st.lists(st.integers(1, 50), max_size=100),
    spelling=st.sampled_from(sorted(SPELLINGS)),
)
def test_pieces_give_what_the_whole_gives(
    value: str, around: bytes, at: int, sizes: list[int], spelling: str
) -> None:
    data = around[:at] + SPELLINGS[spelling](value).encode() + around[at:]
    whole = Finder([(value, b"-")]).whole(data)
    finder = Finder([(value, b"-")])
    told = b""
    rest = data
    for size in sizes:
        told += finder.feed(rest[:size])
        rest = rest[size:]
    told += finder.feed(rest) + finder.finish()
    assert told == whole


@pytest.mark.property
@given(value=st.text("ab", min_size=8, max_size=20), data=st.binary(max_size=300))
def test_what_holds_no_value_is_left_as_it_is(value: str, data: bytes) -> None:
    if value.encode() not in data.lower():
        assert Finder([(value, b"-")]).whole(data.replace(b"a", b"z")) == data.replace(b"a", b"z")


@pytest.mark.parametrize("length", [MIN_SHORT_CHARACTERS - 1, MIN_SHORT_CHARACTERS])
def test_values_below_a_length_are_not_looked_for(length: int) -> None:
    value = "x" * length
    assert redacted(f"a {value} b", [(value, b"-")]) == (
        "a - b" if length == MIN_SHORT_CHARACTERS else f"a {value} b"
    )


def test_a_long_value_is_found_as_a_whole() -> None:
    value = "-----BEGIN KEY-----\n" + "abcdefghij" * 100 + "\n-----END KEY-----"
    for text in (
        value,
        json.dumps(value),
        value.replace("\n", "\r\n"),
        b64encode(b"x" + value.encode()).decode(),
    ):
        assert "abcdefghij" not in redacted(text, [(value, b"-")])
        assert "YWJjZGVm" not in redacted(text, [(value, b"-")])


def test_a_run_of_backslashes_is_searched_in_a_moment() -> None:
    value = "\\" * 12 + "longer"
    finder = Finder([(value, b"-")])
    assert finder.whole(b"\\" * 20_000 + b"x").endswith(b"x")


def test_lone_surrogates_of_a_log_line_stay() -> None:
    assert redacted("a \ud800 hunter22 b", [("hunter22", b"-")]) == "a \ud800 - b"
