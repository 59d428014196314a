"""Intl and toLocaleString beside Node's answers, and what becomes of bad options.

Where the answers differ, the case stands in intl_otherwise.txt under the reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from babel import localedata
from babel.localedata import locale_identifiers
from nodetool_sandbox.bridges.intl import tags
from nodetool_sandbox.bridges.intl.calls import CALLS_NOW, MAX_TEXT_CHARACTERS
from nodetool_sandbox.bridges.intl.digits import MAX_BIGINT_BITS, MAX_FRACTION_DIGITS
from nodetool_sandbox.bridges.intl.tags import MAX_LOCALES, MAX_TAG_CHARACTERS, MAX_TAGS
from nodetool_sandbox.bridges.power import BridgeError
from recordings import ROOMY, answers_of, recorded
from runs import failure, run, value

LEAST_SHARE = 0.95

OTHERWISE = (Path(__file__).parent / "intl_otherwise.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.conformance
def test_expressions_have_the_values_that_node_gives_them() -> None:
    cases = recorded("intl.json")
    found = answers_of(str(case[0]) for case in cases)
    different = [str(case[0]) for case, answer in zip(cases, found, strict=True) if case[1] != answer]
    listed = [line for line in OTHERWISE if not line.startswith("# ")]
    assert sorted(different) == sorted(listed)
    assert len(cases) > 900
    assert 1 - len(different) / len(cases) >= LEAST_SHARE


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("await format.number(1234.5)", "1,234.5"),
        ("await format.number(12.5, { style: 'currency', currency: 'USD' })", "$12.50"),
        ("await format.number(0.256, { style: 'percent', maximumFractionDigits: 1 })", "25.6%"),
        ("await format.number(1234.5, { useGrouping: false })", "1234.5"),
        ("await format.number(1234567.891)", "1,234,567.891"),
        ("await format.number(1234.5, { locale: 'de' })", "1.234,5"),
        ("await format.number(1234.5, { notation: 'compact' })", "1,234.5"),
        ("await format.date(0, { dateStyle: 'medium', timeZone: 'UTC' })", "Jan 1, 1970"),
        ("await format.date(0)", "Jan 1, 1970"),
        ("await format.date(0, { timeStyle: 'short' })", "12:00 AM"),
        ("await format.date(0, { locale: 'fr', dateStyle: 'long' })", "1 janvier 1970"),
        ("await format.relativeTime(-1, 'day')", "1 day ago"),
        ("await format.relativeTime(2, 'weeks', { locale: 'es' })", "dentro de 2 semanas"),
        ("await format.list(['a', 'b', 'c'])", "a, b, and c"),
        ("await format.list(['a', 'b'], { type: 'disjunction' })", "a or b"),
        ("await format.list([1, null, {}])", "1, null, and [object Object]"),
        ("await format.list([])", ""),
        ("await format.number(1, null)", "1"),
        ("await format.date(8.64e15)", "Sep 13, 275760"),
        ("(await format.list(Array(1e5).fill('a'))).length", 300_002),
    ],
)
def test_format_answers_as_the_original_does(code: str, expected: object) -> None:
    assert value(f"return {code}", limits=ROOMY) == expected


@pytest.mark.parametrize(
    ("code", "message"),
    [
        *[
            (f"await format.number({each})", "format.number: value must be a finite number")
            for each in ("NaN", "Infinity", "'1'", "", "1n", "{}")
        ],
        *[
            (f"await format.date({each})", "format.date: epochMs must be a finite number of milliseconds")
            for each in ("NaN", "'x'", "", "new Date(0)")
        ],
        *[
            (
                f"await format.relativeTime({each}, 'day')",
                "format.relativeTime: value must be a finite number",
            )
            for each in ("NaN", "'1'")
        ],
        *[
            (f"await format.list({each})", "format.list: items must be an array of strings")
            for each in ("'ab'", "", "7", "{ length: 1 }")
        ],
        (
            "await format.number(1, { locale: 'no locale' })",
            'Incorrect locale information provided: "no locale" is no language tag',
        ),
        ("await format.number(1, { style: 'currency' })", "Currency code is required with currency style."),
        ("await format.number(1, { style: 'x' })", "Value x out of range for Intl options property style"),
        (
            "await format.date(0, { timeZone: '../../etc/hostname' })",
            "Invalid time zone specified: ../../etc/hostname",
        ),
        ("await format.relativeTime(1, 'fortnight')", "Invalid unit argument for format() 'fortnight'"),
        (
            f"await format.number(1, {{ maximumFractionDigits: {MAX_FRACTION_DIGITS + 1} }})",
            "maximumFractionDigits value is out of range.",
        ),
        ("await format.date(8.64e15 + 2)", "Invalid time value"),
        ("await format.list([Symbol()])", "Cannot convert a Symbol value to a string"),
    ],
)
def test_format_refuses_what_the_original_refuses(code: str, message: str) -> None:
    assert failure(code).message == message


@pytest.mark.parametrize(
    "tag",
    ["../../etc", "x" * 100_000, "en/../../etc/passwd", "en\0", "de_DE.UTF-8", "é", "en-" + "a1b2c-" * 40],
)
def test_a_locale_is_a_tag_and_never_a_path(tag: str) -> None:
    error = failure("return (1.5).toLocaleString(tag)", globals={"tag": tag})
    assert error.name == "RangeError"
    assert error.message.startswith("Incorrect locale information provided")
    assert len(error.message) < 250


@pytest.mark.parametrize(
    "zone",
    [
        "../UTC",
        "/etc/localtime",
        "posix/UTC",
        "x" * 100,
        "Europe/Berlin\0",
        "",
        "localtime",
        "+25:00",
        "tzdata.zi",
    ],
)
def test_a_time_zone_is_a_known_name_and_never_a_path(zone: str) -> None:
    code = "return new Date(0).toLocaleString('en', { timeZone: zone })"
    error = failure(code, globals={"zone": zone})
    assert error.name == "RangeError"
    assert error.message.startswith("Invalid time zone specified: ")


def test_caps_hold_at_their_number_and_refuse_the_next() -> None:
    assert (
        len(
            str(value(f"return (1).toLocaleString('en', {{ minimumFractionDigits: {MAX_FRACTION_DIGITS} }})"))
        )
        == MAX_FRACTION_DIGITS + 2
    )
    assert value(f"return (1).toLocaleString(Array({MAX_TAGS}).fill('en'))") == "1"
    assert failure(f"(1).toLocaleString(Array({MAX_TAGS + 1}).fill('en'))").name == "RangeError"
    longest = "en-x-" + "-".join(["a1"] * MAX_TAG_CHARACTERS)[: MAX_TAG_CHARACTERS - 6] + "a"
    assert value("return (1).toLocaleString(tag)", globals={"tag": longest}) == "1"
    assert failure("(1).toLocaleString(tag)", globals={"tag": longest + "a"}).name == "RangeError"
    assert value(f"return (2n ** {MAX_BIGINT_BITS - 1}n).toLocaleString().length", limits=ROOMY) == 13_151
    assert failure(f"(2n ** {MAX_BIGINT_BITS}n).toLocaleString()").message.startswith("a BigInt of more than")


def test_whole_numbers_and_comparisons_ask_nobody() -> None:
    result = run("return [(1234567).toLocaleString(), ['b', 'a'].sort((x, y) => x.localeCompare(y)).join()]")
    assert result.value == ["1,234,567", "a,b"]
    assert result.usage.host_calls == 0


def test_what_the_host_refuses_is_a_range_error_of_the_guests_own() -> None:
    code = "try { new Intl.NumberFormat('no locale') } catch (e) { return [e instanceof RangeError, Object.keys(e)] }"
    assert value(code) == [True, []]


@pytest.mark.parametrize("member", sorted(CALLS_NOW))
@pytest.mark.parametrize(
    "arguments",
    [
        [None],
        ["NumberFormat", None, None],
        ["x", [], {}],
        ["NumberFormat", [7], {}],
        ["NumberFormat", [], {"style": []}],
        ["NumberFormat", [{}], {}],
    ],
)
def test_a_forged_call_is_refused_in_words_of_ours(member: str, arguments: list[object]) -> None:
    function = CALLS_NOW[member]
    given = arguments if member in {"resolve", "format", "parts"} else arguments[:1]
    if member in {"format", "parts"}:
        given = [*([*given, None, None])[:3], object()]
    elif member == "resolve":
        given = ([*given, None, None])[:3]
    with pytest.raises(BridgeError):
        function(*given)


EVERYTHING: list[tuple[str, dict[str, object], object]] = [
    ("NumberFormat", {"notation": "compact", "compactDisplay": "long"}, 1.5e7),
    ("NumberFormat", {"style": "currency", "currency": "EUR", "currencyDisplay": "name"}, -1234.5),
    ("NumberFormat", {"style": "unit", "unit": "mile-per-hour", "unitDisplay": "narrow"}, 3),
    ("NumberFormat", {"notation": "engineering"}, "9" * 500),
    ("DateTimeFormat", {"dateStyle": "full", "timeStyle": "full"}, -8.64e15),
    ("DateTimeFormat", {"era": "long", "dayPeriod": "long", "hour": "2-digit", "timeZoneName": "short"}, 0),
    (
        "DateTimeFormat",
        {"weekday": "narrow", "month": "narrow", "second": "numeric", "fractionalSecondDigits": 2},
        1,
    ),
    ("ListFormat", {"type": "unit", "style": "narrow"}, ["a", "{0}", "{1}", "d"]),
    ("RelativeTimeFormat", {"style": "narrow"}, [float("-1e300"), "quarters"]),
    ("PluralRules", {"type": "ordinal"}, 11),
]


@pytest.mark.parametrize("name", sorted(locale_identifiers())[::40])
def test_every_kind_answers_in_every_locale(name: str) -> None:
    tags = [name.replace("_", "-")]
    for kind, options, given in EVERYTHING:
        parts = CALLS_NOW["parts"](kind, tags, options, given)
        assert isinstance(parts, list)
        assert all(isinstance(text, str) for part in parts for text in part)
        assert CALLS_NOW["format"](kind, tags, options, given)


def test_loaded_locales_are_dropped_past_the_cap_and_load_again() -> None:
    for name in sorted(locale_identifiers())[: 2 * MAX_LOCALES + 1]:
        CALLS_NOW["format"]("DateTimeFormat", [name.replace("_", "-")], {}, 0)
        assert len(tags._loaded) <= MAX_LOCALES
    assert len(localedata._cache) <= 3 * MAX_LOCALES  # those that they inherit from too
    assert CALLS_NOW["format"]("NumberFormat", ["de"], {}, 1.5) == "1,5"


@pytest.mark.parametrize("option", ["style", "currency", "numberingSystem", "timeZone"])
def test_an_option_is_a_short_text(option: str) -> None:
    text = "x" * (MAX_TEXT_CHARACTERS + 1)
    code = f"new Intl.NumberFormat('en', {{ {option}: text }}); new Intl.DateTimeFormat('en', {{ {option}: text }})"
    assert failure(code, globals={"text": text}).name == "RangeError"
    assert (
        value(
            "return new Intl.NumberFormat('en', { numberingSystem: text }).format(1)",
            globals={"text": text[:-1]},
        )
        == "1"
    )
