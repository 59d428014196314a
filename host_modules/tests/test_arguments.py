"""The argument checks that all host modules share, and how JavaScript reads a value."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox_host import limits
from nodetool_sandbox_host.arguments import (
    argument,
    flag,
    is_truthy,
    iso_text,
    join_surrogates,
    js_text,
    js_trim,
    number_to_text,
    option_bag,
    quoted,
    require_bytes,
    require_text,
    text_list_option,
    text_option,
    utf16_length,
    whole_number,
    without_lone_surrogates,
)
from nodetool_sandbox_host.decoding import decode_text, require_file_text
from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED, BigInt, JSDate, JSMap, JSSet


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (0.1, "0.1"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (5e-324, "5e-324"),
        (2.0**53, "9007199254740992"),
        (2.0**70, "1.1805916207174113e+21"),
        (123456789012345680000.0, "123456789012345680000"),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
    ],
)
def test_a_number_is_written_as_javascript_writes_it(value: float, text: str) -> None:
    assert number_to_text(value) == text


@pytest.mark.property
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_text_of_a_number_reads_back(value: float) -> None:
    assert float(number_to_text(value)) == value


@pytest.mark.parametrize(
    "value", [True, 1, -1, 0.1, "0", " ", [], {}, b"", JSMap(), JSSet(), JSDate(0.0), math.inf]
)
def test_what_javascript_takes_for_true(value: object) -> None:
    assert is_truthy(value)
    assert flag({"x": value}, "x", default=False)


@pytest.mark.parametrize("value", [False, 0, -0.0, math.nan, "", None, UNDEFINED, BigInt(0)])
def test_what_javascript_takes_for_false(value: object) -> None:
    assert not is_truthy(value)
    assert flag({"x": value}, "x", default=True) is (value is UNDEFINED)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (UNDEFINED, "undefined"),
        (None, "null"),
        (True, "true"),
        (BigInt(10**30), "1" + "0" * 30),
        ([1, None, [UNDEFINED, "x"]], "1,,,x"),
        (b"\x01\xff", "1,255"),
        ({"a": 1}, "[object Object]"),
        (JSMap(), "[object Map]"),
        (JSSet(), "[object Set]"),
        (
            datetime(2024, 3, 5, 7, 8, 9, tzinfo=UTC),
            "Tue Mar 05 2024 07:08:09 GMT+0000 (Coordinated Universal Time)",
        ),
        (JSDate(math.nan), "Invalid Date"),
    ],
)
def test_any_value_has_the_text_of_string(value: object, text: str) -> None:
    assert js_text(value, "csv.stringify") == text


def test_a_text_that_would_take_forever_is_refused() -> None:
    with pytest.raises(HostCallError, match=r"^csv\.stringify: a BigInt of so many digits"):
        js_text(BigInt(1 << 100_000), "csv.stringify")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime(1, 2, 3, 4, 5, 6, 7000, tzinfo=UTC), "0001-02-03T04:05:06.007Z"),
        (JSDate(-62167219200001.0), "-000001-12-31T23:59:59.999Z"),
        (JSDate(253402300800000.0), "+010000-01-01T00:00:00.000Z"),
        (JSDate(-8.64e15), "-271821-04-20T00:00:00.000Z"),
    ],
)
def test_a_date_has_the_text_of_to_iso_string(value: datetime | JSDate, text: str) -> None:
    assert iso_text(value) == text


def test_trimming_follows_javascript() -> None:
    assert js_trim("\ufeff\u00a0\u3000 x \x1c\u0085\n") == "x \x1c\u0085"


def test_lengths_count_utf_16_units() -> None:
    assert [utf16_length(each) for each in ("", "é", "😀", "\ud83d", "a😀")] == [0, 1, 2, 1, 3]


def test_surrogates_are_joined_or_replaced() -> None:
    assert join_surrogates("\ud83d\ude00 \ud83d") == "😀 \ud83d"
    assert without_lone_surrogates("\ud83d\ude00 \ud83d") == "😀 \ufffd"


def test_missing_arguments_are_undefined_and_odd_option_bags_are_empty() -> None:
    assert argument([], 0) is UNDEFINED
    assert [option_bag(each) for each in (None, [1], "x", UNDEFINED, JSMap())] == [{}] * 5


@pytest.mark.parametrize(
    ("value", "expected"),
    [(5, 5), (-1, 0), (11, 10), (2.9, 2), (math.inf, 10), (10**400, 10), (UNDEFINED, 3), (None, 3)],
)
def test_a_counting_option_is_clamped(value: object, expected: int) -> None:
    assert whole_number({"n": value}, "n", default=3, low=0, high=10, where="x.y") == expected


@pytest.mark.parametrize("value", ["2", True, math.nan, [], {}])
def test_a_counting_option_that_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(HostCallError, match=r"^x\.y: n must be a number from 0 to 10$"):
        whole_number({"n": value}, "n", default=3, low=0, high=10, where="x.y")


def test_text_options_refuse_other_kinds() -> None:
    assert text_option({"t": None}, "t", default="d", where="x.y") == "d"
    assert text_list_option({"t": UNDEFINED}, "t", where="x.y") is None
    with pytest.raises(HostCallError, match=r"^x\.y: t must be a string$"):
        text_option({"t": 1}, "t", default="d", where="x.y")
    with pytest.raises(HostCallError, match=r"^x\.y: t must be an array of strings$"):
        text_list_option({"t": ["a", 1]}, "t", where="x.y")


def test_arguments_are_refused_in_the_words_of_the_reference() -> None:
    with pytest.raises(HostCallError) as refused:
        require_text(None, "html.select", "html")
    assert refused.value.message == "html.select: html must be a string"
    with pytest.raises(HostCallError) as refused:
        require_bytes("PK", "zip.unzip")
    wanted = "bytes must be a Uint8Array (e.g. from workspace.readBytes or response.bytes())"
    assert refused.value.message == f"zip.unzip: {wanted}"


def test_bytes_are_taken_up_to_the_cap() -> None:
    fits = bytes(limits.MAX_INPUT_BYTES)
    assert require_bytes(fits, "zip.unzip") == fits
    with pytest.raises(HostCallError, match=f"input exceeds the {limits.MAX_INPUT_BYTES} byte limit"):
        require_bytes(fits + b"x", "zip.unzip")


def test_decoded_text_has_the_cap_of_text() -> None:
    assert len(require_file_text(b"x" * limits.MAX_TEXT_UNITS, "csv.parse")) == limits.MAX_TEXT_UNITS
    with pytest.raises(HostCallError, match="character limit"):
        require_file_text(b"x" * (limits.MAX_TEXT_UNITS + 1), "csv.parse")


def test_a_guests_text_is_shortened_in_a_message() -> None:
    assert quoted("x" * limits.MAX_QUOTED_UNITS) == '"' + "x" * limits.MAX_QUOTED_UNITS + '"'
    assert len(quoted("x" * 10_000)) == limits.MAX_QUOTED_UNITS + 2


@pytest.mark.parametrize(
    ("data", "named", "text"),
    [
        (b"\xef\xbb\xbf\xc3\xa9", {"declared": "windows-1252"}, "é"),
        (b"\xff\xfee\x00", {"encoding": "utf-8"}, "e"),
        (b"\xe9", {"declared": "iso-8859-1", "encoding": "utf-8"}, "é"),
        (b"\x80", {"declared": "iso-8859-1"}, "€"),
        (b"\x83A", {"encoding": "shift_jis"}, "ア"),
        (b"\xc3\xa9", {"declared": "no-such-label"}, "é"),
        (b"\x80 caf\xe9", {}, "€ café"),
        ("имя,город\nИван,Москва\n".encode("cp1251"), {}, "имя,город\nИван,Москва\n"),
        ("姓名,城市\n张三,北京\n".encode("gbk"), {}, "姓名,城市\n张三,北京\n"),
        (("é" * 20).encode() + b"\xff", {}, "é" * 20 + "\ufffd"),
        ("a,b\n".encode("utf-16-be"), {}, "a,b\n"),
        (b"a\x00", {}, "a"),
        (b"a\x00b", {}, "a\x00b"),
        (b"", {}, ""),
    ],
)
def test_bytes_are_decoded_by_mark_declaration_option_and_guess(
    data: bytes, named: dict[str, str], text: str
) -> None:
    assert (
        decode_text(data, where="csv.parse", declared=named.get("declared"), encoding=named.get("encoding"))
        == text
    )


@pytest.mark.parametrize("encoding", ["klingon", 7, {}])
def test_an_unknown_encoding_is_refused_before_the_bytes_are_read(encoding: object) -> None:
    with pytest.raises(HostCallError, match=r"^csv\.parse: .* is no encoding that is known"):
        decode_text(b"\xef\xbb\xbfa", where="csv.parse", encoding=encoding)


def test_a_late_character_decides_the_guess() -> None:
    data = b"a,b,c\n" * 100_000 + "Müller;5 €\n".encode("cp1252")
    assert decode_text(data, where="csv.parse").endswith("Müller;5 €\n")


@pytest.mark.property
@given(st.binary(max_size=200))
def test_any_bytes_are_text(data: bytes) -> None:
    assert isinstance(decode_text(data, where="csv.parse"), str)
