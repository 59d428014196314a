"""Values in the shape of `xml.parse` as XML text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from nodetool_sandbox_registry.hosts import Deadline, HostCallError
from nodetool_sandbox_registry.values import UNDEFINED, JSDate

from nodetool_sandbox_host.arguments import iso_text, join_surrogates, js_text, quoted, utf16_length
from nodetool_sandbox_host.limits import MAX_RESULT_UNITS, XML_MAX_DEPTH, XML_MAX_NODES

_STEP: Final = 256
_START: Final = (
    ":A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef"
    "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NAME: Final = re.compile(rf"[{_START}][{_START}\-.0-9\xb7\u0300-\u036f\u203f-\u2040]*")
"""XML 1.0, production 5."""
_NO_CHARACTER: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""XML 1.0, production 2."""
_CDATA_END: Final = "]]>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """How one text is to be written."""

    where: str
    attribute_prefix: str
    text_key: str
    cdata_key: str | None
    comment_key: str | None
    indent: int
    declaration: bool


def build_text(value: object, how: Writing, deadline: Deadline) -> str:
    """The text of a value with one root element.

    Raises:
        HostCallError: a name or a character cannot be written, there is not one root, or it is past a cap.
    """
    return _Writer(how, deadline).document(value)


class _Writer:
    def __init__(self, how: Writing, deadline: Deadline) -> None:
        self._how = how
        self._deadline = deadline
        self._parts: list[str] = []
        self._size = 0
        self._nodes = 0

    def document(self, value: object) -> str:
        if not isinstance(value, dict):
            raise self._refusal("value must be an object with one root element")
        how = self._how
        roots = [
            (key, len(each) if isinstance(each, list) else 1)
            for key, each in value.items()
            if each is not UNDEFINED
            and not key.startswith("?")
            and key not in {how.text_key, how.comment_key}
        ]
        if (
            sum(count for _, count in roots) != 1
            or roots[0][0] == how.cdata_key
            or self._is_attribute(roots[0][0])
        ):
            raise self._refusal("value must be an object with exactly one root element")
        if how.declaration and "?xml" not in value:
            self._put('<?xml version="1.0" encoding="UTF-8"?>')
            self._break(0)
        for index, (key, each) in enumerate(self._children(value)):
            if index:
                self._break(0)
            self._child(key, each, 0)
        return "".join(self._parts)

    def _refusal(self, problem: str) -> HostCallError:
        return HostCallError(f"{self._how.where}: {problem}")

    def _put(self, text: str) -> None:
        self._size += utf16_length(text)
        if self._size > MAX_RESULT_UNITS:
            raise self._refusal(f"result exceeds the {MAX_RESULT_UNITS} character limit")
        self._parts.append(text)

    def _break(self, depth: int) -> None:
        if self._how.indent:
            self._put("\n" + " " * (self._how.indent * depth))

    def _children(self, value: Mapping[str, object]) -> Iterator[tuple[str, object]]:
        """What stands inside of an element, a list's items one by one."""
        for key, each in value.items():
            if each is UNDEFINED or self._is_attribute(key):
                continue
            if isinstance(each, list):
                yield from ((key, item) for item in each)
            else:
                yield key, each

    def _is_attribute(self, key: str) -> bool:
        how = self._how
        if key.startswith("?") or key in {how.text_key, how.cdata_key, how.comment_key}:
            return False
        return bool(how.attribute_prefix) and key.startswith(how.attribute_prefix)

    def _child(self, key: str, value: object, depth: int) -> None:
        self._nodes += 1
        if self._nodes % _STEP == 0:
            self._deadline.check()
        if self._nodes > XML_MAX_NODES:
            raise self._refusal(f"more than {XML_MAX_NODES} nodes")
        how = self._how
        if key == how.text_key:
            self._put(escape(self._text(value), {"\r": "&#13;"}))
        elif key == how.cdata_key:
            # a section cannot hold its own end: it is cut between two
            content = self._text(value).replace(_CDATA_END, "]]]]><![CDATA[>")
            self._put(f"<![CDATA[{content}{_CDATA_END}")
        elif key == how.comment_key:
            content = self._text(value)
            if "--" in content or content.endswith("-"):
                raise self._refusal(f"the comment {quoted(content)} must not hold -- or end with -")
            self._put(f"<!--{content}-->")
        elif key.startswith("?"):
            self._put(
                f"<?{self._name(key[1:])}{self._attributes(value if isinstance(value, dict) else {})}?>"
            )
        else:
            self._element(self._name(key), value, depth)

    def _element(self, name: str, value: object, depth: int) -> None:
        if depth > XML_MAX_DEPTH:
            raise self._refusal(f"more than {XML_MAX_DEPTH} levels below the root")
        if isinstance(value, list):
            raise self._refusal(f"{quoted(name)} is a list in a list; put an object between them")
        record = value if isinstance(value, dict) else {self._how.text_key: value}
        self._put(f"<{name}{self._attributes(record)}")
        children = list(self._children(record))
        filled = [pair for pair in children if pair[0] != self._how.text_key or self._text(pair[1])]
        if not filled:
            self._put("/>")
            return
        self._put(">")
        # white space would become part of a text
        is_text = any(key in {self._how.text_key, self._how.cdata_key} for key, _ in filled)
        for key, each in filled:
            if not is_text:
                self._break(depth + 1)
            self._child(key, each, depth + 1)
        if not is_text:
            self._break(depth)
        self._put(f"</{name}>")

    def _attributes(self, record: Mapping[str, object]) -> str:
        written: list[str] = []
        prefix = self._how.attribute_prefix
        for key, value in record.items():
            if self._is_attribute(key) and value is not UNDEFINED:
                if isinstance(value, list | dict):
                    raise self._refusal(f"the attribute {quoted(key)} must be a text, number or boolean")
                written.append(f" {self._name(key.removeprefix(prefix))}={quoteattr(self._text(value))}")
        return "".join(written)

    def _name(self, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise self._refusal(f"{quoted(name)} is no name that XML allows")
        return name

    def _text(self, value: object) -> str:
        if value is None or value is UNDEFINED:
            return ""
        if isinstance(value, dict | list | bytes):
            raise self._refusal("a text must be a string, number, boolean or date")
        text = iso_text(value) if isinstance(value, datetime | JSDate) else js_text(value, self._how.where)
        text = join_surrogates(text)
        found = _NO_CHARACTER.search(text)
        if found is not None:
            raise self._refusal(f"the character U+{ord(found[0]):04X} cannot stand in XML")
        return text
