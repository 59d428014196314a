"""What holds for every text, however odd."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox_registry import (
    InvalidNameError,
    ManifestError,
    PackManifest,
    Skill,
    SkillError,
    parse_dist_name,
    parse_specifier,
)
from nodetool_sandbox_registry.graphs import join_path
from nodetool_sandbox_registry.manifest import JsEntry
from nodetool_sandbox_registry.names import build_specifier, pack_of
from nodetool_sandbox_registry.texts import quoted

pytestmark = pytest.mark.property

any_text = st.text(st.characters(exclude_categories=()))
words = st.sampled_from(
    [
        "[[modules]]\n",
        'name = "."\n',
        'kind = "js"\n',
        'file = "a.js"\n',
        "internal = ",
        "[",
        "]",
        '"a.js"',
        "\n",
        "= 1",
    ]
)
paths = st.text(st.sampled_from("a./\\%2eC:é"), max_size=12)


@given(any_text)
def test_quoted_text_is_one_visible_line_of_utf_8(text: str) -> None:
    shown = quoted(text)
    assert shown.isprintable()
    shown.encode()


@given(any_text, any_text)
def test_short_texts_that_differ_are_quoted_differently(one: str, other: str) -> None:
    assert (quoted(one) == quoted(other)) == (one == other)


@given(st.one_of(st.binary(), st.lists(words).map(lambda each: "".join(each).encode())))
def test_a_manifest_is_a_value_or_a_manifest_error(data: bytes) -> None:
    with contextlib.suppress(ManifestError):
        assert PackManifest.parse(data).modules


@given(paths)
def test_a_path_that_a_manifest_may_name_stays_in_the_pack(path: str) -> None:
    text = f"[[modules]]\nname = '.'\nkind = 'js'\nfile = '{path}.js'\n"
    with contextlib.suppress(ManifestError):
        (entry,) = PackManifest.parse(text.encode()).modules
        assert isinstance(entry, JsEntry)
        assert not {"", ".", ".."}.intersection(entry.file.split("/"))
        assert not set("\\:").intersection(entry.file)


@given(st.one_of(st.binary(), any_text.map(lambda text: f"---\nname: a\n{text}".encode("utf-8", "replace"))))
def test_a_skill_is_a_value_or_a_skill_error(data: bytes) -> None:
    with contextlib.suppress(SkillError):
        assert Skill.parse(data).name


@given(st.text(st.sampled_from("@/.-_aA0 \n"), max_size=12))
def test_a_specifier_is_its_pack_and_a_name(text: str) -> None:
    with contextlib.suppress(InvalidNameError):
        specifier = parse_specifier(text)
        pack = pack_of(specifier)
        assert build_specifier(pack, specifier[len(pack) + 1 :] or ".") == specifier
        assert pack_of(parse_specifier(pack)) == pack


@given(st.text(st.sampled_from("-_.aAé"), max_size=8))
def test_a_normalised_name_is_its_own_normal_form(text: str) -> None:
    with contextlib.suppress(InvalidNameError):
        name = parse_dist_name(text)
        assert parse_dist_name(name) == name


@given(paths, st.text(st.sampled_from("a./"), max_size=12))
def test_a_joined_path_never_leaves_the_pack(base: str, requested: str) -> None:
    path, _ = join_path(base.strip("/").replace("..", "a") or "a", requested)
    assert ".." not in path.split("/")
    assert not path.startswith("/")
