"""csv and yaml on reproductions of faults that other libraries' users reported."""

from __future__ import annotations

from typing import cast

import pytest
import yaml as pyyaml
from host_calls import Call
from nodetool_sandbox_registry.hosts import HostCallError


def loaded(call: Call, text: object) -> object:
    return cast("dict[str, object]", call("yaml.load", text))["value"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "zip: 01730\nphone: 0455\nmixed: 0189\noct: 0o17\nhex: 0x1F\nquoted: '01730'\n",
            {"zip": 1730, "phone": 455, "mixed": 189, "oct": 15, "hex": 31, "quoted": "01730"},
        ),
        ("{017: a, 0x1F: b, [08, 0o7]: c}", {"17": "a", "31": "b", "8,7": "c"}),
        (
            (
                "ports:\n  - 3306:22\nstart: 13:45\nanswer: no\nlive: yes\ny: n\n"
                "op: =\nmerge: <<\nreal: TRUE\noff: False\n"
            ),
            {
                "ports": ["3306:22"],
                "start": "13:45",
                "answer": "no",
                "live": "yes",
                "y": "n",
                "op": "=",
                "merge": "<<",
                "real": True,
                "off": False,
            },
        ),
        (
            "base: &b {x: 1, y: 2}\nchild:\n  <<: *b\n  y: 3\n",
            {"base": {"x": 1, "y": 2}, "child": {"x": 1, "y": 3}},
        ),
    ],
)
def test_yaml_reads_1_2_in_values_keys_and_flow(call: Call, text: str, value: object) -> None:
    assert loaded(call, text) == value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("host: a\nport: 1\nhost: b\n", 3),
        ("1: a\n0x1: b\n", 2),
        ('a: 1\n"a": 2\n', 2),
        ("m:\n  {a: 1, a: 2}\n", 2),
        ("? \n: v\n~: w\n", 3),
    ],
)
def test_yaml_names_the_line_of_a_repeated_key(call: Call, text: str, line: int) -> None:
    with pytest.raises(HostCallError, match=rf"^duplicated mapping key \({line}:"):
        loaded(call, text)


TEXTS = (
    *("1e3 0o17 3e05 0189 0123 0x1f .5 1. yes no on y null ~ true 2024-01-02 12:30 0_30 1_000 = <<".split()),
    *(
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
        "🚀",
    ),
    *("a\nb", "a\n\n"),
)


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_yaml_writes_text_that_readers_of_1_1_and_1_2_read_as_text(call: Call, text: str) -> None:
    written = cast("str", call("yaml.dump", {"k": text}))
    assert loaded(call, written) == {"k": text}
    assert pyyaml.safe_load(written) == {"k": text}


def test_yaml_quotes_no_more_than_it_must(call: Call) -> None:
    assert [call("yaml.dump", {"k": each}) for each in ("1e3", "C#", "🚀")] == [
        "k: '1e3'\n",
        "k: C#\n",
        "k: 🚀\n",
    ]


def test_yaml_dates_and_unknown_tags_become_no_host_objects(call: Call) -> None:
    value = cast("dict[str, object]", loaded(call, "ts: 2024-03-05T07:08:09Z\n2024-03-05: key\n"))
    assert list(value) == ["ts", "2024-03-05"]
    with pytest.raises(HostCallError, match=r"^unknown tag !<!Ref> \(1:"):
        loaded(call, "v: !Ref Bucket\n")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('a;b;"x,y,z,w"\n', [["a", "b", "x,y,z,w"]]),
        ('a;b;"F\ni,e,l\nd,3"\nq;r;s\n', [["a", "b", "F\ni,e,l\nd,3"], ["q", "r", "s"]]),
        ("name\nann\nbo\n", [["name"], ["ann"], ["bo"]]),
        ("a|b|c\n1|2,5|3\n", [["a", "b", "c"], ["1", "2,5", "3"]]),
        ("a,b\r\n1,2\n3,4\r5,6\r\n", [["a", "b"], ["1", "2"], ["3", "4"], ["5", "6"]]),
    ],
)
def test_csv_finds_delimiters_and_line_ends(call: Call, text: str, rows: object) -> None:
    assert call("csv.parse", text, {"header": False}) == rows


@pytest.mark.parametrize(
    ("text", "options", "rows"),
    [
        (
            "a,b,c\n1,2\n1,2,3,4\n",
            {},
            [{"a": "1", "b": "2"}, {"a": "1", "b": "2", "c": "3", "__parsed_extra": ["4"]}],
        ),
        (
            'size;text\n6"2;tall\n5\'8";short\n',
            {"delimiter": ";"},
            [{"size": '6"2', "text": "tall"}, {"size": "5'8\"", "text": "short"}],
        ),
        ('a,b\n1,"open\n2,x\n', {}, [{"a": "1", "b": "open\n2,x\n"}]),
        ('id,body\n1,"' + "x" * 200_000 + '"\n', {}, [{"id": "1", "body": "x" * 200_000}]),
    ],
    ids=["ragged", "inches", "unclosed", "long"],
)
def test_csv_loses_nothing(call: Call, text: str, options: object, rows: object) -> None:
    assert call("csv.parse", text, options) == rows


@pytest.mark.parametrize(
    "data", ['\ufeff"id","city"\r\n7,Oslo\r\n'.encode(each) for each in ("utf-8", "utf-16-le")]
)
def test_csv_takes_a_marked_file(call: Call, data: bytes) -> None:
    assert call("csv.parse", data) == [{"id": "7", "city": "Oslo"}]


def test_csv_writes_and_reads_back(call: Call) -> None:
    table = [{"a": 1}, {"a": None, "b": " lead", "c": "x,y"}, {"a": 'q"q', "b": "r\rx", "c": "n\nl"}]
    text = 'a,b,c\n1,,\n," lead","x,y"\n"q""q","r\rx","n\nl"'
    assert call("csv.stringify", table, {"columns": ["a", "b", "c"]}) == text
    assert call("csv.stringify", table) == text
    assert call("csv.parse", text) == [
        {"a": "1", "b": "", "c": ""},
        {"a": "", "b": " lead", "c": "x,y"},
        {"a": 'q"q', "b": "r\rx", "c": "n\nl"},
    ]
