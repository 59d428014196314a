"""XML text as values in the shape of fast-xml-parser, read by expat without namespaces, files or entities.

expat keeps names as they are written and has no tree and no recursion, so that the caps here are the
only ones. It reads UTF-8 that was encoded here, whatever the text's declaration says.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from nodetool_sandbox_registry.hosts import Deadline, HostCallError
from nodetool_sandbox_registry.values import MAX_SAFE_INTEGER

from nodetool_sandbox_host.arguments import join_surrogates, js_trim, quoted
from nodetool_sandbox_host.limits import XML_MAX_ATTRIBUTES, XML_MAX_DEPTH, XML_MAX_KEYS, XML_MAX_NODES

_CHUNK_BYTES: Final = 64 * 1024
"""Bytes between two looks at the clock."""
_KNOWN: Final = frozenset({"lt", "gt", "amp", "quot", "apos"})
_REFERENCE: Final = re.compile(r"&(?!(?:lt|gt|amp|quot|apos);)[^\W\d][\w.\-]{0,99};")
_MARK: Final = re.compile(r"<!\[CDATA\[|<!--|<\?|&([^\W\d][\w.\-]{0,99});")
_ENDS: Final = {"<![CDATA[": "]]>", "<!--": "-->", "<?": "?>"}
_ESCAPE: Final = "&amp;"
_GROWTH: Final = len(_ESCAPE) - 1
_PSEUDO_ATTRIBUTE: Final = re.compile(r"""\s*+([^\s=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'))?""")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)
_MAX_NUMBER_UNITS: Final = 400
_WORDS: Final = {"true": True, "false": False}

XmlValue = object
"""A text, a list, or a dict of them; with `coerce` also numbers and booleans."""

_codes: Final = expat.errors.codes
_REASONS: Final = {
    _codes[expat.errors.XML_ERROR_SYNTAX]: "text where a tag should stand",
    _codes[expat.errors.XML_ERROR_NO_ELEMENTS]: "there is no element",
    _codes[expat.errors.XML_ERROR_INVALID_TOKEN]: "a character that cannot stand here",
    _codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN]: "a tag or section that does not end",
    _codes[expat.errors.XML_ERROR_PARTIAL_CHAR]: "half a character",
    _codes[expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE]: "an attribute is repeated",
    _codes[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]: "something after the root element",
    _codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]: "an entity that is not defined",
    _codes[expat.errors.XML_ERROR_BAD_CHAR_REF]: "a reference to a character that XML has not",
    _codes[
        expat.errors.XML_ERROR_MISPLACED_XML_PI
    ]: "XML declaration allowed only at the start of the document",
    _codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION]: "a CDATA section that does not end",
    _codes[expat.errors.XML_ERROR_XML_DECL]: "the XML declaration is not well-formed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How one text is to be shown."""

    where: str
    attributes: bool = True
    attribute_prefix: str = "@_"
    text_key: str = "#text"
    cdata_key: str | None = None
    comment_key: str | None = None
    always_array: frozenset[str] = frozenset()
    strip_prefixes: bool = False
    coerce: bool = False
    trim: bool = True


@dataclass(slots=True)
class _Open:
    """An element whose end has not come yet."""

    name: str
    number: int
    attributes: dict[str, XmlValue]
    children: dict[str, XmlValue] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)


def invalid(where: str, reason: str, line: int, column: int) -> HostCallError:
    """The error for a text that is no XML, with its place counted from 1."""
    return HostCallError(
        f"{where}: invalid XML ({reason} in line {line}, column {column})",
        details={"line": line, "column": column},
    )


class Source:
    """A text as expat takes it: UTF-8, in which an entity that is not defined is text."""

    def __init__(self, text: str, where: str) -> None:
        self._text = join_surrogates(text.removeprefix("\ufeff"))
        self._where = where
        self._grown: list[int] = []
        shown = self._with_unknown_references_as_text()
        self.data = shown.encode("utf-8", "surrogatepass")

    def refusal(self, reason: str, byte_index: int) -> HostCallError:
        """The error for what stands at that byte of `data`."""
        point = len(self.data[: max(byte_index, 0)].decode("utf-8", "ignore"))
        point -= _GROWTH * bisect_left(self._grown, point)
        before = self._text[:point].replace("\r\n", "\n").replace("\r", "\n")
        line = before.count("\n") + 1
        return invalid(self._where, reason, line, len(before) - before.rfind("\n"))

    def _with_unknown_references_as_text(self) -> str:
        text = self._text
        if not _REFERENCE.search(text):
            return text
        parts: list[str] = []
        done = at = 0
        while (mark := _MARK.search(text, at)) is not None:
            if mark[1] is None:
                at = text.find(_ENDS[mark[0]], mark.end())
                if at < 0:
                    break  # not well-formed: expat says where
            else:
                at = mark.end()
                if mark[1] not in _KNOWN:
                    parts += text[done : mark.start()], _ESCAPE
                    done = mark.start() + 1
                    self._grown.append(mark.start() + _GROWTH * len(self._grown))
        return "".join([*parts, text[done:]])


class Reader:
    """One text, read: `root` is the value of the whole."""

    def __init__(
        self,
        source: Source,
        how: Reading,
        deadline: Deadline,
        *,
        record_path: str | None = None,
        record_limit: int = XML_MAX_NODES,
        number_elements: bool = False,
    ) -> None:
        self._source = source
        self._how = how
        self._deadline = deadline
        self._path = record_path
        self._limit = record_limit
        self._inside = 0
        self._nodes = 0
        self._texts: list[str] = []
        self._in_cdata = False
        self._stack = [_Open("", -1, {})]
        self._has_paths = any("." in each for each in how.always_array)
        self._numbers_elements = number_elements
        self.values: list[XmlValue] = []
        """The value of each element in the order of their beginnings, where that is asked for."""
        self.records: list[XmlValue] = []
        """The elements at `record_path`."""
        self._parser = self._make_parser()
        self._run()

    @property
    def root(self) -> dict[str, XmlValue]:
        """The root element by its name, and what stands beside it."""
        return self._stack[0].children

    def _make_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.ordered_attributes = True
        parser.specified_attributes = True  # a DTD's defaults are not filled in
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.XmlDeclHandler = self._declaration
        parser.EntityDeclHandler = self._entity
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartCdataSectionHandler = self._start_cdata
        parser.EndCdataSectionHandler = self._end_cdata
        parser.CommentHandler = self._comment
        parser.ProcessingInstructionHandler = self._instruction
        return parser

    def _run(self) -> None:
        data = self._source.data
        try:
            for start in range(0, len(data), _CHUNK_BYTES):
                self._deadline.check()
                self._parser.Parse(data[start : start + _CHUNK_BYTES], False)
                if len(self.records) >= self._limit:
                    return
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            reason = _REASONS.get(error.code, "it is not well-formed")
            if error.code == _codes[expat.errors.XML_ERROR_TAG_MISMATCH]:
                reason = f"the closing tag of {quoted(self._stack[-1].name)} is expected"
            elif error.code == _codes[expat.errors.XML_ERROR_NO_ELEMENTS] and len(self._stack) > 1:
                reason = f"{quoted(self._stack[-1].name)} is never closed"
            raise self._source.refusal(reason, self._parser.ErrorByteIndex) from None

    # --- what expat tells

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        said = {"version": version}
        if encoding is not None:
            said["encoding"] = encoding
        if standalone >= 0:
            said["standalone"] = "yes" if standalone else "no"
        self._add_instruction("?xml", said)

    def _entity(self, _name: str, _is_parameter: bool, value: str | None, *_external: str | None) -> None:  # noqa: FBT001
        external = "" if value is not None else " (External entities are not supported)"
        raise HostCallError(f"{self._how.where}: entity declarations are not allowed{external}")

    def _instruction(self, target: str, data: str) -> None:
        self._flush()
        said: dict[str, str] = {}
        at = 0
        while (found := _PSEUDO_ATTRIBUTE.match(data, at)) is not None:
            at = found.end()
            value = found[2] if found[2] is not None else found[3]
            if value is not None:
                said[found[1]] = value
            if len(said) > XML_MAX_ATTRIBUTES:
                raise self._too_many_attributes()
        self._add_instruction(f"?{target}", said)

    def _add_instruction(self, key: str, said: Mapping[str, str]) -> None:
        self._count()
        if self._path is not None and not self._inside:
            return
        how = self._how
        shown = (
            {f"{how.attribute_prefix}{name}": value for name, value in said.items()} if how.attributes else {}
        )
        self._add(self._stack[-1], key, shown or "")

    def _start(self, name: str, attributes: Sequence[str]) -> None:
        self._flush()
        self._count()
        how = self._how
        # the stack has a level of its own below the root
        if len(self._stack) > XML_MAX_DEPTH + 1:
            raise HostCallError(
                f"{how.where}: Maximum nested tags exceeded: more than {XML_MAX_DEPTH} levels below the root"
            )
        if len(attributes) > 2 * XML_MAX_ATTRIBUTES:
            raise self._too_many_attributes()
        shown: dict[str, XmlValue] = {}
        if how.attributes:
            pairs = iter(attributes)
            for key, value in zip(pairs, pairs, strict=True):
                if not how.strip_prefixes:
                    shown[how.attribute_prefix + key] = self._typed(self._trimmed(value))
                elif key != "xmlns" and not key.startswith("xmlns:"):
                    shown[how.attribute_prefix + _local(key)] = self._typed(self._trimmed(value))
        opened = _Open(_local(name) if how.strip_prefixes else name, len(self.values), shown)
        if self._numbers_elements:
            self.values.append(None)
        self._stack.append(opened)
        if self._path is not None and (self._inside or self._here() == self._path):
            self._inside += 1

    def _end(self, _name: str) -> None:
        self._flush()
        opened = self._stack.pop()
        value = self._value(opened)
        if self._numbers_elements:
            self.values[opened.number] = value
        if self._path is not None:
            self._inside -= self._inside > 0
            if self._inside == 0:
                self._stack.append(opened)
                is_record = self._here() == self._path
                self._stack.pop()
                if is_record and len(self.records) < self._limit:
                    self.records.append(value)
                return
        self._add(self._stack[-1], opened.name, value)

    def _text(self, text: str) -> None:
        self._texts.append(text)

    def _start_cdata(self) -> None:
        self._flush()
        self._in_cdata = True

    def _end_cdata(self) -> None:
        content = "".join(self._texts)
        self._texts.clear()
        self._in_cdata = False
        key = self._how.cdata_key
        if key is None:
            self._stack[-1].texts.append(content)
        else:
            self._count()
            self._add(self._stack[-1], key, content)

    def _comment(self, content: str) -> None:
        self._flush()
        key = self._how.comment_key
        if key is not None:
            self._count()
            if self._path is None or self._inside:
                self._add(self._stack[-1], key, self._trimmed(content))

    # --- values

    def _flush(self) -> None:
        """Put the text up to here to its element: each stretch is trimmed by itself."""
        if self._texts:
            text = self._trimmed("".join(self._texts))
            self._texts.clear()
            if text:
                self._stack[-1].texts.append(text)

    def _trimmed(self, text: str) -> str:
        return js_trim(text) if self._how.trim else text

    def _typed(self, text: str) -> XmlValue:
        if not self._how.coerce:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if len(text) <= _MAX_NUMBER_UNITS and _NUMBER.fullmatch(text):
            number = float(text)
            if abs(number) <= MAX_SAFE_INTEGER:
                return int(number) if number.is_integer() and text != "-0" else number
        return text

    def _value(self, opened: _Open) -> XmlValue:
        text = "".join(opened.texts)
        if not opened.children and not opened.attributes:
            return self._typed(text)
        value = opened.children
        if text:
            value[self._how.text_key] = self._typed(text)
        for key, attribute in opened.attributes.items():
            # an empty prefix lets an attribute meet a child: neither is lost
            if key in value:
                self._join(value, key, attribute)
            else:
                value[key] = attribute
        return value

    def _add(self, parent: _Open, key: str, value: XmlValue) -> None:
        children = parent.children
        if key in children:
            self._join(children, key, value)
            return
        if len(children) >= XML_MAX_KEYS:
            raise HostCallError(f"{self._how.where}: more than {XML_MAX_KEYS} different names in one element")
        children[key] = [value] if self._is_always_array(key) else value

    def _join(self, children: dict[str, XmlValue], key: str, value: XmlValue) -> None:
        before = children[key]
        if isinstance(before, list):
            before.append(value)
        else:
            children[key] = [before, value]

    def _is_always_array(self, key: str) -> bool:
        names = self._how.always_array
        return bool(names) and (
            key in names or (self._has_paths and f"{self._here()}.{key}".lstrip(".") in names)
        )

    def _here(self) -> str:
        return ".".join([each.name for each in self._stack[1:]])

    def _count(self) -> None:
        self._nodes += 1
        if self._nodes > XML_MAX_NODES:
            raise HostCallError(f"{self._how.where}: more than {XML_MAX_NODES} nodes")

    def _too_many_attributes(self) -> HostCallError:
        return HostCallError(f"{self._how.where}: more than {XML_MAX_ATTRIBUTES} attributes in one element")


def _local(name: str) -> str:
    return name.rpartition(":")[2]
