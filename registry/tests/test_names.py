from __future__ import annotations

import pytest
from nodetool_sandbox_registry import (
    InvalidNameError,
    Specifier,
    parse_dist_name,
    parse_host_id,
    parse_specifier,
)
from nodetool_sandbox_registry.names import (
    MAX_HOST_ID_CHARS,
    MAX_NAME_CHARS,
    MAX_SPECIFIER_CHARS,
    PackName,
    build_specifier,
    pack_of,
    parse_module_name,
)
from nodetool_sandbox_registry.texts import MAX_QUOTED_CHARS, quoted


@pytest.mark.parametrize(
    "spelling",
    ["nodetool_sandbox_csv", "Nodetool.Sandbox.CSV", "nodetool--sandbox-csv", "nodetool-._sandbox-csv"],
)
def test_spellings_of_one_distribution_name_are_one_name(spelling: str) -> None:
    assert parse_dist_name(spelling) == "nodetool-sandbox-csv"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nodetool-sandbox-csv-",
        "-nodetool-sandbox-csv",
        "@nodetool-ai/sandbox-csv",
        "nodetool-ſandbox-csv",
        "nodetool-sandbox-сsv",
        "nodetool-sandbox-csv\n",
        "nodetool-sandbox-csv\u200b",
        "nodetool sandbox",
        "nodetool-sandbox-\u212a",
    ],
    ids=ascii,
)
def test_a_look_alike_is_no_distribution_name(text: str) -> None:
    with pytest.raises(InvalidNameError, match="is not a distribution name"):
        parse_dist_name(text)


def test_a_distribution_name_has_a_longest_length() -> None:
    assert len(parse_dist_name("a" * MAX_NAME_CHARS)) == MAX_NAME_CHARS
    with pytest.raises(InvalidNameError):
        parse_dist_name("a" * (MAX_NAME_CHARS + 1))


@pytest.mark.parametrize(
    "text",
    [
        "CSV",
        "csv ",
        "ｃｓｖ",
        "сsv",
        "csv\u200b",
        "csv\n",
        "csv/../csv",
        "",
        "c" * (MAX_HOST_ID_CHARS + 1),
        "1csv",
        "-csv",
        "__proto__",
        "\ud800",
    ],
    ids=ascii,
)
def test_a_look_alike_is_no_host_id(text: str) -> None:
    with pytest.raises(InvalidNameError, match="is not a host id") as refused:
        parse_host_id(text)
    str(refused.value).encode()


@pytest.mark.parametrize("text", ["csv", "c" * MAX_HOST_ID_CHARS, "a-1", "constructor"])
def test_a_host_id_is_taken_as_it_is(text: str) -> None:
    assert parse_host_id(text) == text


@pytest.mark.parametrize("text", [".", "zones", "a.b_c-D", "x" * MAX_NAME_CHARS])
def test_a_module_name_is_the_pack_or_one_segment(text: str) -> None:
    assert parse_module_name(text) == text


@pytest.mark.parametrize(
    "text", ["", "..", "node_modules", "a/b", "a\n", "é", "x" * (MAX_NAME_CHARS + 1)], ids=ascii
)
def test_a_module_name_is_never_a_path(text: str) -> None:
    with pytest.raises(InvalidNameError, match="is not a module name"):
        parse_module_name(text)


@pytest.mark.parametrize(
    ("text", "pack"),
    [
        ("@nodetool-ai/sandbox-csv", "@nodetool-ai/sandbox-csv"),
        ("@nodetool-ai/sandbox-dates/zones", "@nodetool-ai/sandbox-dates"),
        ("acme", "acme"),
        ("acme/Extra.js", "acme"),
    ],
)
def test_a_specifier_belongs_to_the_pack_that_it_starts_with(text: str, pack: str) -> None:
    specifier = parse_specifier(text)
    assert pack_of(specifier) == pack
    assert build_specifier(PackName(pack), text[len(pack) + 1 :] or ".") == specifier


@pytest.mark.parametrize(
    "text",
    [
        "node:fs",
        "http://127.0.0.1/x.js",
        "file:///etc/hostname",
        "data:text/javascript,export default 1",
        "/etc/hostname",
        "./x.js",
        "../x.js",
        "nodetool:host-bridge",
        "__proto__",
        "",
        " @nodetool-ai/sandbox-csv",
        "@nodetool-ai/sandbox-csv ",
        "@nodetool-ai/sandbox-csv\n",
        "@nodetool-аi/sandbox-csv",
        "@nodetool-ai/sandbox-csv/../sandbox-zip",
        "@nodetool-ai/sandbox-csv/..",
        "@nodetool-ai/sandbox-csv/a/b",
        "@nodetool-ai/sandbox-csv?x",
        "a/b/c",
        "a/node_modules",
        "#x",
        "\udfff",
        "a" * (MAX_SPECIFIER_CHARS + 1),
    ],
    ids=lambda text: ascii(text)[:40],
)
def test_what_is_no_specifier_is_refused_in_printable_words(text: str) -> None:
    with pytest.raises(InvalidNameError, match="is not a module specifier") as refused:
        parse_specifier(text)
    assert len(str(refused.value).encode()) < 2 * MAX_QUOTED_CHARS + 200


def test_a_specifier_has_a_longest_length() -> None:
    assert parse_specifier("a" * MAX_SPECIFIER_CHARS) == Specifier("a" * MAX_SPECIFIER_CHARS)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é", '"plain é"'),
        ('say "hi" \\', '"say \\"hi\\" \\\\"'),
        ("a\u200bb\n", '"a\\u200bb\\u000a"'),
        ("\ud800", '"\\ud800"'),
        ("\U000e0001", '"\\u{e0001}"'),
    ],
    ids=ascii,
)
def test_quoted_text_shows_what_a_terminal_would_hide(text: str, shown: str) -> None:
    assert quoted(text) == shown


def test_quoted_text_is_cut_after_its_limit() -> None:
    assert quoted("x" * MAX_QUOTED_CHARS) == '"' + "x" * MAX_QUOTED_CHARS + '"'
    assert quoted("x" * 1_000_000) == '"' + "x" * MAX_QUOTED_CHARS + '…" (1,000,000 characters)'
