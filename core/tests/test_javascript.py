from __future__ import annotations

import resource

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox.javascript import (
    MAX_PARSED_BYTES,
    UNWATCHED_BYTES,
    Places,
    parse_javascript,
    string_value,
)


def test_a_text_is_parsed_up_to_the_cap_and_not_beyond() -> None:
    assert parse_javascript(b"/" * 2 + b"x" * (MAX_PARSED_BYTES - 2)) is not None
    assert parse_javascript(b"/" * 2 + b"x" * (MAX_PARSED_BYTES - 1)) is None


@pytest.mark.parametrize("size", [UNWATCHED_BYTES, UNWATCHED_BYTES + 1])
def test_short_and_long_texts_give_the_same_tree(size: int) -> None:
    source = b"f(1);" + b" " * (size - 10) + b"g(2);"
    tree = parse_javascript(source)
    assert tree is not None
    assert [each.start_byte for each in tree.root_node.children] == [0, size - 5]


@pytest.mark.parametrize(
    "source",
    [b"let = ;" * 10_000, b"x = {a: 1};\n" * 20_000 + b"let = ;" * 20_000],
    ids=["all", "at the end"],
)
def test_recovery_from_thousands_of_errors_never_starts(source: bytes) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert parse_javascript(source) is None
    # In KiB: unwatched, the first of these takes more than a gigabyte.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 * 1024


@pytest.mark.parametrize("text", ["\0", "\ud800x", "x\udfff"], ids=ascii)
@pytest.mark.parametrize("length", [0, UNWATCHED_BYTES])
def test_characters_that_end_the_parser_s_reading_do_not_end_ours(text: str, length: int) -> None:
    tree = parse_javascript(f"'{text}{'x' * length}'; f()".encode("utf-8", "surrogatepass"))
    assert tree is not None
    assert not tree.root_node.has_error


@pytest.mark.property
@given(st.lists(st.text() | st.sampled_from(["\ud800", "é", "\U0001f600"]), max_size=6))
def test_every_place_of_a_text_is_found(parts: list[str]) -> None:
    data = "".join(parts).encode("utf-8", "surrogatepass")
    places = Places(data)
    characters = data.decode("utf-8", "surrogatepass")
    end = 0
    for index, character in enumerate(characters):
        assert places.character(end) == index
        end += len(character.encode("utf-8", "surrogatepass"))


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("plain", "plain"),
        (r"\n\t\b\v\f\r\0", "\n\t\b\v\f\r\0"),
        (r"\'\"\\\q", "'\"\\q"),
        (r"\x41\u0042\u{43}\u{1f600}", "ABC\U0001f600"),
        (r"\ud83d\ude00", "\U0001f600"),
        (r"\ud83d", "\ud83d"),
        (r"\u{110000}", r"\u{110000}"),
        ("a\\\nb\\\r\nc\\\u2028d\\\u2029e\\\rf", "abcdef"),
    ],
    ids=ascii,
)
def test_a_string_literal_has_the_value_that_the_language_gives_it(literal: str, value: str) -> None:
    assert string_value(literal) == value
