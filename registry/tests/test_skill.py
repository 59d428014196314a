from __future__ import annotations

import pytest
from nodetool_sandbox_registry import Skill, SkillError
from nodetool_sandbox_registry.skill import MAX_DESCRIPTION_CHARS, MAX_SKILL_BYTES

HEAD = "---\nname: sandbox-csv\ndescription: Read and write CSV.\n---\n"


def test_a_skill_has_a_name_a_description_and_sections() -> None:
    skill = Skill.parse(
        (
            HEAD + "# CSV\n\nintro\n\n## Parse\ntext\n```js\n## not a heading\n```\nmore\n"
            "## Gotchas\nnone\n## parse\nx\n"
        ).encode()
    )
    assert (skill.name, skill.description) == ("sandbox-csv", "Read and write CSV.")
    assert skill.body.startswith("# CSV\n\nintro")
    assert dict(skill.sections) == {
        "parse": "text\n```js\n## not a heading\n```\nmore",
        "gotchas": "none",
    }


def test_a_fence_ends_only_where_it_is_closed() -> None:
    body = "## A\n````\n```\n## no\n```` js\n~~~\n## no\n`````\n## B\n"
    assert dict(Skill.parse((HEAD + body).encode()).sections) == {
        "a": "````\n```\n## no\n```` js\n~~~\n## no\n`````",
        "b": "",
    }


@pytest.mark.parametrize("value", ['"a: quoted text"', "'a: quoted text'"])
def test_a_quoted_value_is_its_text(value: str) -> None:
    text = HEAD.replace("Read and write CSV.", value).replace("\n", "\r\n")
    assert Skill.parse(text.encode()).description == "a: quoted text"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "first line"),
        ("# CSV", "first line"),
        ("---\nname: x\n", "no closing"),
        ("---\nname: x\nname: y\n---\n", "twice"),
        ("---\nname: x\ntags: [a]\n---\n", "front matter is"),
        ("---\nname: x\n  nested: y\n---\n", "front matter is"),
        ("---\n---\n", "name must be"),
        ("---\nname: UPPER\n---\n", "name must be"),
        ("---\nname: x\n---\n", "description must be"),
        ("---\nname: !!python/object:os.system x\n---\n", "not plain text"),
        ("---\nname: *alias\n---\n", "not plain text"),
        ("---\nname: x\ndescription: |\n---\n", "not plain text"),
        ('---\nname: x\ndescription: "a\n---\n', "quotes inside quotes"),
        ('---\nname: x\ndescription: "\n---\n', "quotes inside quotes"),
        ('---\nname: x\ndescription: "a"b"\n---\n', "quotes inside quotes"),
        ("\ufeff" + HEAD, "byte order mark"),
        (HEAD + "\x00", "NUL"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_a_skill_that_is_not_two_simple_lines_is_refused(text: str, words: str) -> None:
    with pytest.raises(SkillError, match=words):
        Skill.parse(text.encode())


def test_a_skill_that_is_not_utf_8_is_refused() -> None:
    with pytest.raises(SkillError, match="byte 83 is not UTF-8"):
        Skill.parse(HEAD.encode().ljust(83) + b"\xff")


def test_a_skill_has_a_largest_size() -> None:
    assert Skill.parse(HEAD.encode().ljust(MAX_SKILL_BYTES)).name
    with pytest.raises(SkillError, match="byte cap"):
        Skill.parse(HEAD.encode().ljust(MAX_SKILL_BYTES + 1))


def test_a_description_has_a_longest_length() -> None:
    head = HEAD.replace("Read and write CSV.", "x" * MAX_DESCRIPTION_CHARS)
    assert Skill.parse(head.encode()).description
    with pytest.raises(SkillError, match="description must be"):
        Skill.parse(head.replace("xx", "xxx", 1).encode())


def test_examples_come_with_the_line_of_the_file_that_they_begin_on() -> None:
    text = (
        "---\nname: x\ndescription: y\n---\n\n# X\n\n```js\nreturn 1;\n```\n```sh\nls\n```\n"
        "~~~js title\n```\nreturn 2;\n~~~\n```js\nnever closed\n"
    )
    skill = Skill.parse(text.encode())
    assert [*skill.examples()] == [(9, "return 1;\n"), (15, "```\nreturn 2;\n")]
    assert text.splitlines()[8] == "return 1;"
    assert [*skill.examples("sh")] == [(12, "ls\n")]
