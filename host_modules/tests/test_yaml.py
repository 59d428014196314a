"""yaml: what the recordings do not cover: identity, caps, options of ours, hostile input, laws."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest
import yaml as pyyaml
from host_calls import Call, Over, Unhurried
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox_host import _yaml_dump, limits
from nodetool_sandbox_host import yaml as host_yaml
from nodetool_sandbox_host.table import HOSTS
from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED, BigInt, JSDate, JSMap, JSSet


def load(text: object, **options: object) -> object:
    loaded = cast("dict[str, object]", host_yaml.load([text, options], Unhurried()))
    return loaded["value"]


def load_all(text: object, **options: object) -> list[object]:
    loaded = cast("dict[str, object]", host_yaml.load_all([text, options], Unhurried()))
    return cast("list[object]", loaded["documents"])


def dump(value: object, **options: object) -> str:
    return cast("str", host_yaml.dump([value, options], Unhurried()))


def refusal(function: Callable[..., object], *args: object, **options: object) -> HostCallError:
    with pytest.raises(HostCallError) as raised:
        function(*args, **options)
    return raised.value


def mark(error: HostCallError) -> tuple[object, object, object]:
    place = cast("dict[str, object]", error.details["mark"])
    return place["line"], place["column"], place["position"]


def test_the_module_lists_its_exports_in_facade_order_and_each_is_synchronous() -> None:
    module = HOSTS["yaml"]
    assert [each.name for each in module.exports] == ["load", "loadAll", "dump", "toJson"]
    assert all(each.sync for each in module.exports)
    assert [each.name for each in module.exports if each.shared] == ["load", "loadAll", "dump"]


@pytest.mark.parametrize(
    ("where", "args", "message"),
    [
        ("yaml.load", (), "yaml.load: text must be a string"),
        ("yaml.loadAll", (3,), "yaml.loadAll: text must be a string"),
        ("yaml.toJson", (None,), "yaml.toJson: text must be a string"),
        ("yaml.load", ("a", {"dates": "never"}), 'yaml.load: dates must be "date" or "string"'),
        ("yaml.load", ("a", {"schema": "mine"}), "yaml.load: schema must be one of the pack's four schemas"),
        ("yaml.load", (b"a", {"encoding": "klingon"}), 'yaml.load: "klingon" is no encoding that is known;'),
        ("yaml.dump", (1, {"blankLines": "all"}), 'yaml.dump: blankLines must be "top"'),
    ],
)
def test_a_wrong_argument_is_named(call: Call, where: str, args: tuple[object, ...], message: str) -> None:
    assert refusal(call, where, *args).message.startswith(message)


def test_a_refusal_is_a_yaml_exception_with_reason_mark_and_snippet() -> None:
    error = refusal(load, "one: 1\r\n😀: [2]\r\n😀: 3\r\nfour: 4\r\nfive: 5\r\nsix: 6\r\n", filename="f.yml")
    assert error.name == "YAMLException"
    assert error.details["reason"] == "duplicated mapping key"
    assert mark(error) == (2, 0, 17)
    assert error.message == (
        'duplicated mapping key in "f.yml" (3:1)\n\n'
        " 1 | one: 1\n 2 | 😀: [2]\n 3 | 😀: 3\n-----^\n 4 | four: 4\n 5 | five: 5"
    )


def test_the_snippet_of_a_long_line_shows_the_place_alone() -> None:
    error = refusal(load, "a: " + "x" * 200 + ": " + "y" * 200)
    shown = error.message.splitlines()[2:]
    assert all(len(line) < 90 for line in shown)
    assert shown[1].endswith("^")


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("v: !Ref Bucket\n", "unknown tag !<!Ref>", 0),
        ("v: !!python/object/apply:os.system ['true']", "unknown tag !<tag:yaml.org,2002:python/", 0),
        ("v: !!python/name:os.system", "unknown tag !<tag:yaml.org,2002:python/name:os.system>", 0),
        ("a: 1\nb: *x\n", 'unidentified alias "x"', 1),
        ("a:\n\tb: 1\n", "tab characters must not be used in indentation", 1),
        ("? {a: 1} : 2\n? [1] : 2\n", "duplicated mapping key", 1),
        ("a\0b", "null byte is not allowed in input", 0),
        ("<<: 1", "cannot merge mappings; the provided source object is unacceptable", 0),
        ("'a\x01b'", "expected valid JSON character", 0),
        ("a\x7fb", "the stream contains non-printable characters", 0),
    ],
)
def test_a_refusal_names_what_and_where(text: str, reason: str, line: int) -> None:
    error = refusal(load, text)
    assert str(error.details["reason"]).startswith(reason)
    assert mark(error)[0] == line


def test_no_answer_speaks_of_python() -> None:
    for text in ("a: b: c", "[", "{a: }: b", "&a", "%TAG", '"\\x"', "? [1] : 2", "!<", "- |x", "\x85\t{"):
        try:
            load(text)
        except HostCallError as error:
            assert not re.search(r"yaml\.|python|Error|0x[0-9a-f]{6}", error.message)  # noqa: PT017


def test_an_anchor_used_twice_is_one_object_and_may_hold_itself() -> None:
    both = cast("dict[str, object]", load("a: &x {q: 1}\nb: *x\n"))
    assert both["a"] is both["b"]
    cyclic = cast("dict[str, object]", load("&x {a: *x, b: &y [*y]}"))
    assert cyclic["a"] is cyclic
    assert cast("list[object]", cyclic["b"])[0] is cyclic["b"]


def bomb(levels: int, width: int = 9) -> str:
    lines = ["a0: &a0 [" + ",".join(["x"] * width) + "]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * width)}]" for i in range(1, levels)]
    return "\n".join(lines)


def test_an_alias_bomb_loads_as_a_small_graph_and_is_refused_where_it_would_be_written_out() -> None:
    value = load(bomb(9))
    assert dump(value).count("&ref_") > 0
    for attempt in (
        lambda: dump(value, noRefs=True),
        lambda: host_yaml.to_json([bomb(9)], Unhurried()),
    ):
        assert str(limits.YAML_MAX_EXPANDED_NODES) in refusal(attempt).message


def test_expansion_is_counted_at_the_cap_and_one_past_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_yaml_dump, "YAML_MAX_EXPANDED_NODES", 7)
    shared = [1, 2]
    assert dump([shared, shared], noRefs=True) == "- - 1\n  - 2\n- - 1\n  - 2\n"
    assert "more than 7 nodes" in refusal(dump, [shared, shared, 3], noRefs=True).message


def test_what_holds_itself_cannot_be_written_without_references() -> None:
    value: list[object] = []
    value.append(value)
    assert dump(value) == "&ref_0\n- *ref_0\n"
    assert "holds itself" in refusal(dump, value, noRefs=True).message
    assert "holds itself" in refusal(host_yaml.to_json, ["&a [*a]"], Unhurried()).message


@pytest.mark.parametrize("shape", ["[{}]", "{{a: {}}}", "- {}"])
def test_nesting_stops_at_the_cap(shape: str) -> None:
    def nested(levels: int) -> str:
        if shape == "- {}":
            return "- " * levels + "[]"
        left, right = shape.split("{}") if shape == "[{}]" else ("{a: ", "}")
        return left * levels + "[]" + right * levels

    load(nested(limits.YAML_MAX_DEPTH - 1))
    error = refusal(load, nested(limits.YAML_MAX_DEPTH))
    assert error.details["reason"] == f"nesting exceeded maxDepth ({limits.YAML_MAX_DEPTH})"


def test_a_limit_is_tightened_and_never_lifted() -> None:
    assert refusal(load, "[[[1]]]", maxDepth=3).details["reason"] == "nesting exceeded maxDepth (3)"
    for value in (-1, 10**9, math.inf, math.nan, "x", True):
        deep = "[" * (limits.YAML_MAX_DEPTH + 1)
        assert f"({limits.YAML_MAX_DEPTH})" in str(refusal(load, deep, maxDepth=value).details["reason"])


def test_merged_keys_stop_at_the_cap() -> None:
    def merging(keys: int) -> str:
        return "a: &a {" + ",".join(f"k{i}: 1" for i in range(keys)) + "}\nb: {<<: *a}\n"

    fits = limits.YAML_MAX_MERGE_KEYS - 1  # the mapping itself counts as one
    assert len(cast("dict[str, dict[str, object]]", load(merging(fits)))["b"]) == fits
    error = refusal(load, merging(fits + 1))
    assert error.details["reason"] == f"merge keys exceeded maxTotalMergeKeys ({limits.YAML_MAX_MERGE_KEYS})"


def test_a_chain_of_merges_and_a_long_list_of_them_are_bounded() -> None:
    chain = "a0: &a0 {k: 1}\n" + "".join(
        f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}], k{i}: 1}}\n" for i in range(1, 30)
    )
    assert len(cast("dict[str, object]", load(chain))) == 30
    many = "a: &a {}\nb: {<<: [" + ",".join(["*a"] * (limits.YAML_MAX_MERGE_SOURCES + 1)) + "]}"
    assert refusal(load, many).details["reason"] == "abnormal merge sequence size"


def test_documents_stop_at_the_cap() -> None:
    fits = "--- 1\n" * limits.YAML_MAX_DOCUMENTS
    assert len(load_all(fits)) == limits.YAML_MAX_DOCUMENTS
    assert f"more than {limits.YAML_MAX_DOCUMENTS} documents" in refusal(load_all, fits + "--- 1\n").message


def test_directives_stop_at_the_cap() -> None:
    fits = "".join(f"%TAG !a{i}! tag:x\n" for i in range(limits.YAML_MAX_DIRECTIVES)) + "--- 1\n"
    assert load(fits) == 1
    assert (
        f"more than {limits.YAML_MAX_DIRECTIVES} directives"
        in refusal(load, "%TAG !b! tag:x\n" + fits).message
    )


def test_a_text_past_the_cap_is_refused() -> None:
    assert load("#" * limits.MAX_TEXT_UNITS) is None
    error = refusal(load, "#" * (limits.MAX_TEXT_UNITS + 1))
    assert error.message == f"yaml.load: input exceeds the {limits.MAX_TEXT_UNITS} character limit"


def test_a_number_with_too_many_digits_is_text() -> None:
    assert load("1" * 400) == "1" * 400
    assert load("1" * 5000) == "1" * 5000
    assert load("0b" + "1" * 5000) == "0b" + "1" * 5000
    assert load("123456789012345678901234567890") == 1.2345678901234568e29


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2001-12-14", datetime(2001, 12, 14, tzinfo=UTC)),
        ("2001-02-30", datetime(2001, 3, 2, tzinfo=UTC)),
        ("2001-12-14t21:59:43.10-05:00", datetime(2001, 12, 15, 2, 59, 43, 100_000, tzinfo=UTC)),
        ("0000-01-01", JSDate(-62167219200000.0)),
        ("9999-12-31T23:59:59-23:00", JSDate(253402383599000.0)),
        ("9999-99-99", JSDate(253636790400000.0)),
        ("2001-1-1", "2001-1-1"),
    ],
)
def test_timestamps_are_dates(text: str, expected: object) -> None:
    assert load(text) == expected
    assert load(text, dates="string") == text
    assert cast("dict[str, object]", load(f"{text}: 1")) == {text: 1}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_the_bytes_of_a_file_are_decoded(encoding: str) -> None:
    lines = (
        "---",
        "kind:\tService",
        "ports: [80,\t443]\t# two",
        "script: |",
        "  one",
        "---",
        "---",
        "kind: Job",
        "...",
    )
    text = "".join(f"{line}\r\n" for line in lines)
    expected = [{"kind": "Service", "ports": [80, 443], "script": "one\n"}, None, {"kind": "Job"}]
    assert load_all(text.encode(encoding)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- |\n  x\n  \t\n- 1\n\t\n-\t2\n", ["x\n\t\n", 1, 2]),
        ("&a.b x: &é 1\nc: *a.b\nd: *é\ne: '*.txt &a.b'\n", {"x": 1, "c": "x", "d": 1, "e": "*.txt &a.b"}),
        ("a: \ud83d\n", None),
        ('"\\ud83d\\ude00 \\ud83d"', "😀 \ud83d"),
        ("'a\u2028b'", "a\u2028b"),
        ("|\n a\u0085b\n", "a\u0085b\n"),
        ("\U000f0000: a\u2028b", {"\U000f0000": "a\u2028b"}),
    ],
)
def test_what_libyaml_reads_as_1_1_is_read_as_1_2(text: str, expected: object) -> None:
    if expected is None:
        assert "non-printable" in refusal(load, text).message
    else:
        assert load(text) == expected


def test_directives_are_warned_of() -> None:
    text = "%YAML 1.3\n%FOO\n---\na"
    loaded = cast("dict[str, object]", host_yaml.load([text], Unhurried()))
    assert loaded["value"] == "a"
    assert [each["reason"] for each in cast("list[dict[str, object]]", loaded["warnings"])] == [
        "unsupported YAML version of the document",
        'unknown document directive "FOO"',
    ]


def test_to_json_writes_what_json_can_hold() -> None:
    text = 'a: [2001-01-01, .nan, -0.0, 1.5, 0x10, ~, "é\\ud83d", !!binary aGk=, &x [1], *x]\n'
    got = host_yaml.to_json([text], Unhurried())
    assert got == '{"a":["2001-01-01T00:00:00.000Z",null,0,1.5,16,null,"é\\ud83d","aGk=",[1],[1]]}'
    assert host_yaml.to_json([""], Unhurried()) == "null"
    assert "single document" in refusal(host_yaml.to_json, ["1\n---\n2"], Unhurried()).message


def test_long_json_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_yaml, "MAX_RESULT_UNITS", 6)
    assert host_yaml.to_json(["abcd"], Unhurried()) == '"abcd"'
    assert "6 character limit" in refusal(host_yaml.to_json, ["abcde"], Unhurried()).message


def test_dump_takes_comments_and_blank_lines() -> None:
    value = {"a": 1, "b.c": {"d": [1, {"e": 2}]}}
    comments = {"": "head", "b\\.c": "two\nlines", "b\\.c.d.1": "item", "b\\.c.d.1.e": "first\u2028\x01key"}
    text = dump(value, blankLines="top", comments=comments)
    assert text == (
        "# head\na: 1\n\n# two\n# lines\nb.c:\n  d:\n    - 1\n    # item\n"
        "    - # first\n      #  key\n      e: 2\n"
    )
    assert load(text) == value


@pytest.mark.parametrize(
    ("value", "kind"),
    [(BigInt(1), "BigInt"), (JSMap(), "Map"), (JSSet(), "Set")],
)
def test_a_value_without_a_yaml_form_is_named_or_skipped(value: object, kind: str) -> None:
    error = refusal(dump, {"a": value})
    assert error.message == f"unacceptable kind of an object to dump [object {kind}]"
    assert error.name == "YAMLException"
    assert dump({"a": value, "b": [value]}, skipInvalid=True) == "b: []\n"


def test_dates_that_datetime_cannot_hold() -> None:
    assert dump(JSDate(-62198755200000.0)) == "-000001-01-01T00:00:00.000Z\n"
    error = refusal(dump, JSDate(math.nan))
    assert (error.name, error.message) == ("RangeError", "Invalid time value")


def test_options_past_reason_are_bounded() -> None:
    assert len(dump({"a": {"b": 1}}, indent=10**9)) < 100
    assert dump("x y " * 100, lineWidth=math.inf).count("\n") == 1
    assert dump([[1]], flowLevel=math.nan, indent="x", lineWidth="y") == "- - 1\n"


def nested_list(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def test_deep_values_are_refused_before_the_stack_ends() -> None:
    dump(nested_list(limits.YAML_MAX_DUMP_DEPTH + 1))
    assert "nesting exceeds" in refusal(dump, nested_list(limits.YAML_MAX_DUMP_DEPTH + 2)).message
    assert "nesting exceeds" in refusal(dump, nested_list(100_000)).message


def test_a_long_text_is_refused_while_it_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_yaml_dump, "MAX_RESULT_UNITS", 1000)
    assert len(dump("x" * 990, lineWidth=-1)) == 991
    assert refusal(dump, ["x" * 600] * 2).message == "yaml.dump: result exceeds the 1000 character limit"


def test_the_order_that_a_function_gave_the_keys_is_kept() -> None:
    value = {"k": ["9", "a"], "v": [[], {"k": [], "v": [], "s": []}], "s": [1, 0]}
    assert dump(value, ordered=True) == "a: {}\n'9': []\n"


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (host_yaml.load, "- a\n" * 2_000),
        (host_yaml.load_all, "--- a\n" * 1_000),
        (host_yaml.dump, ["a"] * 2_000),
        (host_yaml.to_json, "- a\n" * 2_000),
    ],
)
@pytest.mark.parametrize("at", [1, 3])
def test_long_work_asks_for_the_time(function: Callable[..., object], argument: object, at: int) -> None:
    with pytest.raises(HostCallError, match="deadline"):
        function([argument], Over(at))


HOSTILE = [
    "[" * 300_000,
    "{" * 300_000,
    "- " * 300_000,
    "? " * 300_000,
    "a: " * 100_000,
    "&a " * 100_000,
    "!a " * 100_000,
    "'" * 300_001,
    '"' + "\\" * 300_001,
    "|\n" + " \n" * 200_000,
    "a" * 300_000 + ": b",
    "%a\n" * 100_000,
    "%TAG ! x\n" * 100_000,
    "...\n" * 100_000,
    "\t\n" * 100_000,
    "-\t" * 100_000,
    "a: &é. b\n" * 20_000,
    "\\ud83d" * 50_000,
    "\u2028" * 300_000,
    ", " * 100_000,
    "<<: {a: 1}\n" * 10_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:8]))
def test_hostile_text_ends_in_an_answer_or_a_yaml_exception(text: str) -> None:
    try:
        load(text)
    except HostCallError as error:
        assert error.name == "YAMLException"  # noqa: PT017  (either is right)


TRAPS = [
    *("1e3 0o17 3e05 0189 0123 0x1f .5 1. yes no on y null ~ true 2024-01-02 12:30 0_30 1_000 = <<".split()),
    *(
        "x:",
        "",
        " x",
        "x ",
        "a: b",
        "a #b",
        "#c",
        "- x",
        "@x",
        "%x",
        "a:",
        "C#",
        "tab\there",
        "a\u0085b",
        "\u2028",
    ),
    *(
        "🚀",
        "a\nb",
        "a\n\n",
        "\n",
        " \n",
        "\ud83d",
        "\ufeff",
        "---",
        "...",
        "? a",
        "!a",
        "&a",
        "*a",
        "[",
        "{}",
        "'",
    ),
]


@pytest.mark.parametrize("text", TRAPS, ids=ascii)
def test_a_dumped_text_comes_back_as_the_text(text: str) -> None:
    for value in (text, {"k": text}, {text: [text]}, [[text]]):
        for options in ({}, {"flowLevel": 0}, {"forceQuotes": True}, {"quotingType": '"'}, {"lineWidth": 3}):
            assert load(dump(value, **cast("dict[str, object]", options))) == value


def test_a_reader_of_1_1_reads_the_same_texts() -> None:
    texts = [each for each in TRAPS if not re.search("[\x85\u2028\ud800-\udfff\ufeff]", each)]
    assert pyyaml.safe_load(dump(texts)) == texts


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False).filter(lambda each: not each.is_integer() or abs(each) > 2**53)
    | st.text(max_size=20)
    | st.sampled_from(TRAPS)
    | st.binary(min_size=1, max_size=20)
    | st.integers(-62135596800000, 253402300799999).map(lambda ms: EPOCH + timedelta(milliseconds=ms))
)
KEYS = st.text(max_size=10) | st.sampled_from(TRAPS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "indent": st.integers(1, 10),
        "noArrayIndent": st.booleans(),
        "flowLevel": st.integers(-1, 3),
        "lineWidth": st.sampled_from([-1, 1, 20, 80]),
        "quotingType": st.sampled_from(["'", '"']),
        "forceQuotes": st.booleans(),
        "sortKeys": st.booleans(),
        "noRefs": st.booleans(),
        "blankLines": st.just("top"),
    },
)


@pytest.mark.property
@given(VALUES, OPTIONS)
def test_what_is_dumped_is_loaded_back(value: object, options: dict[str, object]) -> None:
    assert load(dump(value, **options)) == value


@pytest.mark.property
@given(st.text(alphabet="ab1:-[]{},#&*!|>'\"%@` \t\n?<~.\\\u2028\x01é", max_size=60))
def test_any_text_is_a_value_or_a_yaml_exception(text: str) -> None:
    try:
        load_all(text)
    except HostCallError as error:
        assert error.name == "YAMLException"  # noqa: PT017


def test_the_undefined_property_is_dropped_and_the_undefined_item_is_null() -> None:
    assert dump({"a": UNDEFINED, "b": [UNDEFINED]}) == "b:\n  - null\n"
    assert dump(UNDEFINED) == ""


def test_anchors_that_libyaml_cannot_read_are_bounded() -> None:
    many = "".join(f"- &a.{i} 1\n" for i in range(limits.YAML_MAX_ANCHORS_RENAMED + 1))
    assert load(many[: many.rindex("-")]) == [1] * limits.YAML_MAX_ANCHORS_RENAMED
    assert "expected alphabetic" in refusal(load, many).message


@pytest.mark.parametrize(
    ("value", "options"),
    [
        ("Lorem ipsum dolor sit amet. " * 40_000, {}),
        ("\u0001" * 400_000, {}),
        (["some words " * 1_000] * 40, {}),
        ([{"a": index} for index in range(20_000)], {"noRefs": True}),
    ],
    ids=["one folded text", "one escaped text", "long texts", "noRefs"],
)
def test_a_dump_asks_its_deadline_however_few_nodes_it_has(value: object, options: dict[str, object]) -> None:
    export = HOSTS["yaml"].export("dump")
    assert export is not None
    with pytest.raises(HostCallError, match="deadline"):
        export.function([value, options], Over(20))
