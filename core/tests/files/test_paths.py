from __future__ import annotations

import errno
from pathlib import Path

import pytest
from nodetool_sandbox.files.paths import host_parts, parse_host_path, parse_path
from nodetool_sandbox.files.refusals import OutsideError, PathRefusedError
from nodetool_sandbox.limits import MAX_WORKSPACE_DEPTH, MAX_WORKSPACE_PATH_BYTES

ROOT = ("srv", "data")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        (".", ()),
        ("./", ()),
        ("a", ("a",)),
        ("a/b/", ("a", "b")),
        ("a//./b", ("a", "b")),
        ("a/../b", ("b",)),
        ("/srv/data", ()),
        ("/srv/data/x", ("x",)),
        ("//srv/./data/../data/x", ("x",)),
        ("...", ("...",)),
        ("~x", ("~x",)),
        ("a/~/b", ("a", "~", "b")),
        ("$HOME/x", ("$HOME", "x")),
        ("%2e%2e/x", ("%2e%2e", "x")),
        ("..;/x", ("..;", "x")),
        ("\u2025/x", ("\u2025", "x")),
        ("．．/x", ("．．", "x")),
        ("é", ("é",)),
        ("e\u0301", ("e\u0301",)),
        ("a:b", ("a:b",)),
        ("x.", ("x.",)),
        ("x ", ("x ",)),
        ("con", ("con",)),
        ("a\u202etxt", ("a\u202etxt",)),
    ],
)
def test_a_path_is_the_names_that_lead_there_and_no_name_is_changed(
    text: str, parts: tuple[str, ...]
) -> None:
    assert parse_path(text, shown_root=ROOT) == parts


@pytest.mark.parametrize(
    "text",
    [
        "..",
        "../x",
        "a/../../x",
        "../data/x",
        "./././../x",
        "a/" * 600 + "../" * 601 + "x",
        "/",
        "/etc/hostname",
        "//etc/hostname",
        "/srv",
        "/srv/database",
        "/srv/data/../x",
        "/proc/self/environ",
    ],
)
def test_a_path_that_leads_outside_is_refused_by_its_text(text: str) -> None:
    with pytest.raises(OutsideError):
        parse_path(text, shown_root=ROOT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "path must be a string"),
        (1, "path must be a string"),
        ({}, "path must be a string"),
        (b"a", "path must be a string"),
        ("a\0b", r"workspace path must not hold a NUL character: a\\x00b"),
        ("\ud800", r"workspace path is no well-formed text: \\ud800"),
        ("..\\x", r"workspace path must have / between its parts, not \\: \.\.\\x"),
        ("C:\\x", r"must have / between its parts"),
        ("file:///etc/hostname", "workspace path is a URL: file:///etc/hostname"),
        ("~", "must begin inside the workspace, and ~ is not: ~"),
        ("~/x", "must begin inside the workspace, and ~ is not: ~/x"),
    ],
)
def test_what_is_no_path_is_refused_in_words(text: object, message: str) -> None:
    with pytest.raises(PathRefusedError, match=message):
        parse_path(text, shown_root=ROOT)


def test_an_absolute_path_is_outside_of_a_root_without_a_name() -> None:
    with pytest.raises(OutsideError):
        parse_path("/x", shown_root=())


def test_a_path_is_so_many_folders_deep_and_not_one_more() -> None:
    assert len(parse_path("a/" * MAX_WORKSPACE_DEPTH, shown_root=ROOT)) == MAX_WORKSPACE_DEPTH
    with pytest.raises(
        PathRefusedError, match=r"65 folders deep, and 64 are allowed \(MAX_WORKSPACE_DEPTH\)"
    ):
        parse_path("a/" * (MAX_WORKSPACE_DEPTH + 1), shown_root=ROOT)


def test_a_path_is_so_long_and_not_one_byte_more() -> None:
    text = "é/" + "." * (MAX_WORKSPACE_PATH_BYTES - 3)
    parse_path(text, shown_root=ROOT)
    with pytest.raises(OSError, match="Errno") as refusal:
        parse_path(text + ".", shown_root=ROOT)
    assert refusal.value.errno == errno.ENAMETOOLONG


def test_on_the_host_a_path_may_lead_anywhere() -> None:
    home = host_parts(str(Path.home()))
    for text, parts in {
        "x": ("srv", "data", "x"),
        "../x": ("srv", "x"),
        "/etc/hostname": ("etc", "hostname"),
        "../../../..": (),
        "~": home,
        "~/x": (*home, "x"),
    }.items():
        assert parse_host_path(text, base=ROOT) == parts
