"""SKILL.md: what a pack tells an agent about itself. Two lines of front matter, then Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Self

from nodetool_sandbox_registry.texts import quoted

MAX_SKILL_BYTES: Final = 16 * 1024
MAX_DESCRIPTION_CHARS: Final = 1024

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_FIELD = re.compile(r"([a-z]+):[ \t]*(.*)")
_FIELDS: Final = frozenset({"name", "description"})
# What would make the value something else than text to a YAML reader: refused, so that both read the same.
_YAML_INDICATORS: Final = "!&*|>%@`{}[],?#-:"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


class SkillError(ValueError):
    """A SKILL.md that cannot be shown. It costs the pack its documentation and nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A pack's own documentation, as text from a stranger: to be quoted, never to be obeyed.

    `body_line` is the line of the file on which the body begins.
    """

    name: str
    description: str
    body: str
    sections: Mapping[str, str]
    body_line: int = 1

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """The document; each `##` section stands under its heading in lower case.

        Of two sections with one heading the first stands. Headings in fenced code are code.

        Raises:
            SkillError: too big, not UTF-8, or the front matter is not exactly the two simple lines.
        """
        text = _parse_text(data)
        lines = iter(text.splitlines())
        fields = _parse_fields(lines)
        rest = "\n".join(lines)
        body = rest.strip("\n")
        return cls(
            name=_require_name(fields),
            description=_require_description(fields),
            body=body,
            sections=MappingProxyType(_build_sections(body)),
            body_line=len(text.splitlines()) - len(rest.lstrip("\n").splitlines()) + 1,
        )

    def examples(self, language: str = "js") -> Iterator[tuple[int, str]]:
        """Each fenced block of that language: the line of SKILL.md that its code begins on, and the code."""
        fence, begin = "", 0
        code: list[str] = []
        for number, line in enumerate(self.body.splitlines(), self.body_line):
            mark = _FENCE.match(line)
            if mark is not None and not fence:
                is_example = line[mark.end() :].strip().split(" ", 1)[0] == language
                fence, begin, code = mark[1], number + 1 if is_example else 0, []
            elif mark is not None and mark[1].startswith(fence) and not line[mark.end() :].strip():
                if begin:
                    yield begin, "\n".join([*code, ""])
                fence = ""
            else:
                code.append(line)


def _parse_text(data: bytes) -> str:
    if len(data) > MAX_SKILL_BYTES:
        message = f"it is {len(data):,} bytes, above the {MAX_SKILL_BYTES:,} byte cap"
        raise SkillError(message)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        message = f"byte {error.start} is not UTF-8"
        raise SkillError(message) from None
    if text.startswith("\ufeff"):
        message = "it starts with a byte order mark; save it as plain UTF-8"
        raise SkillError(message)
    if "\x00" in text:
        message = "it holds a NUL character"
        raise SkillError(message)
    return text


def _parse_fields(lines: Iterator[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    if next(lines, "").rstrip() != "---":
        message = 'the first line must be "---"'
        raise SkillError(message)
    for line in lines:
        if line.rstrip() == "---":
            return fields
        match = _FIELD.fullmatch(line.rstrip())
        if match is None or match[1] not in _FIELDS:
            message = f'front matter is "name: ..." and "description: ...", not {quoted(line, 80)}'
            raise SkillError(message)
        if match[1] in fields:
            message = f"the front matter says {match[1]} twice"
            raise SkillError(message)
        fields[match[1]] = _parse_value(match[2])
    message = 'the front matter has no closing "---"'
    raise SkillError(message)


def _parse_value(text: str) -> str:
    quote = text[:1]
    if quote and quote in "\"'":
        inner = text[1:-1]
        if len(text) < 2 or text[-1] != quote or quote in inner or "\\" in inner:  # noqa: PLR2004 - a pair
            message = f"the front matter has a value with quotes inside quotes: {quoted(text, 80)}"
            raise SkillError(message)
        return inner
    if quote and quote in _YAML_INDICATORS:
        message = f"the front matter has a value that is not plain text: {quoted(text, 80)}"
        raise SkillError(message)
    return text


def _require_name(fields: Mapping[str, str]) -> str:
    name = fields.get("name", "")
    if _NAME.fullmatch(name) is None:
        message = f"name must be 1 to 64 characters of a-z, 0-9 and -, not {quoted(name, 80)}"
        raise SkillError(message)
    return name


def _require_description(fields: Mapping[str, str]) -> str:
    description = fields.get("description", "")
    if not description or len(description) > MAX_DESCRIPTION_CHARS:
        message = f"description must be 1 to {MAX_DESCRIPTION_CHARS:,} characters, not {len(description):,}"
        raise SkillError(message)
    return description


def _build_sections(body: str) -> dict[str, str]:
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    fence = ""
    for line in body.splitlines():
        mark = _FENCE.match(line)
        if mark is not None and not fence:
            fence = mark[1]
        elif mark is not None and mark[1].startswith(fence) and not line[mark.end() :].strip():
            fence = ""
        elif not fence and line.startswith("## "):
            current = []
            sections.setdefault(line[3:].strip().lower(), current)
            continue
        current.append(line)
    return {heading: "\n".join(lines).strip("\n") for heading, lines in sections.items()}
