"""From YAML text to values: libyaml's events, js-yaml's meaning.

libyaml reads YAML 1.1's characters: it refuses some that 1.2 allows and breaks lines at three
that 1.2 keeps. Those stand in for by private-use characters while it reads, one for one, so that
every place stays where it was.
"""

from __future__ import annotations

import base64
import binascii
import re
import warnings
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice, product
from typing import Any, Final, NoReturn, Protocol

import yaml
from nodetool_sandbox_registry.hosts import Deadline, HostCallError
from nodetool_sandbox_registry.values import JSDate
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from nodetool_sandbox_host._yaml_errors import Place, mark_at, yaml_exception_at
from nodetool_sandbox_host._yaml_scalars import (
    RESOLVING_STARTS,
    STANDARD,
    Schema,
    float_value,
    integer_value,
    plain_value,
    timestamp_value,
    word_value,
)
from nodetool_sandbox_host.arguments import join_surrogates, js_text
from nodetool_sandbox_host.limits import (
    YAML_MAX_ANCHORS_RENAMED,
    YAML_MAX_DIRECTIVES,
    YAML_MAX_DOCUMENTS,
    YAML_MAX_MERGE_SOURCES,
    YAML_MAX_WARNINGS,
)


class _Parser(Protocol):
    def get_event(self) -> Event | None: ...


if yaml.__with_libyaml__:
    from yaml._yaml import CParser as _EventParser
else:  # pragma: no cover  (wheels of PyYAML carry libyaml)
    warnings.warn(
        "PyYAML was built without libyaml: yaml.load works, thirty times slower", RuntimeWarning, stacklevel=2
    )

    class _EventParser(yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser):  # type: ignore[no-redef]
        """PyYAML's own scanner and parser, without a composer."""

        def __init__(self, stream: str) -> None:
            yaml.reader.Reader.__init__(self, stream)
            yaml.scanner.Scanner.__init__(self)
            yaml.parser.Parser.__init__(self)


_STEP: Final = 256
"""Events between two looks at the clock."""
_NON_PRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]")
_STOOD_IN_FOR: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"
)
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
# a backslash that stands alone: pairs of them before it are escaped backslashes
_SURROGATE_ESCAPE: Final = re.compile(r"(?<!\\)((?:\\\\)*)\\(u[dD][89a-fA-F][0-9a-fA-F]{2})")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_DIRECTIVE: Final = re.compile(r"%(\S*)(?:[ \t]+(\S+))?")
_VERSION: Final = re.compile(r"1\.([0-9]+)")
_BLOCK_SCALAR_HEAD: Final = re.compile(r"(?:^|[\s:\-?])[|>][-+0-9]{0,2}[ \t]*(?:#.*)?$")
_INDICATOR_TABS: Final = re.compile(r" *(?:[-?:][ \t]+)+")
# an anchor or an alias where a node may begin; libyaml reads letters, digits, - and _ alone
_ANCHOR: Final = re.compile(r"(?:(?<=[\s\[\]{},])|^)[&*]([^\s\[\]{},'\"]*[^\s\[\]{},'\":])", re.MULTILINE)
_PLAIN_ANCHOR: Final = re.compile(r"[A-Za-z0-9_-]+")
_ANCHOR_NAME: Final = re.compile(r"[A-Za-z]+")
_ANCHOR_LETTERS: Final = "zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA"
_FIRST_STAND_IN: Final = 0xF0000
_MERGE: Final = STANDARD + "merge"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadOptions:
    """What `load` may be told; `duplicates` is js-yaml's `json: true`, the last of equal keys wins."""

    schema: Schema
    filename: str | None
    duplicates: bool
    max_depth: int
    max_merge_keys: int


@dataclass(frozen=True, slots=True)
class Loaded:
    """The documents of a stream, and what js-yaml would have passed to `onWarning`."""

    documents: list[object]
    warnings: list[object]


class _NoKey:
    """No key has been read yet."""


_NO_KEY: Final = _NoKey()


@dataclass(slots=True, eq=False)
class _Frame:
    """A collection that is still open."""

    node: list[object] | dict[str, object]
    event: NodeEvent
    tag: str | None
    key: str | _NoKey = _NO_KEY
    key_event: NodeEvent | None = None
    merges: bool = False
    overridable: set[str] = field(default_factory=set)


def load_documents(text: str, options: LoadOptions, deadline: Deadline) -> Loaded:
    """Every document of the stream.

    Raises:
        HostCallError: a YAMLException: the text is not YAML, or past a cap; or the time is up.
    """
    text = text.removeprefix("\ufeff")
    if text and text[-1] not in "\r\n":
        text += "\n"
    source = _Source(text, options, deadline)
    while True:
        try:
            return _Composer(source, options, deadline).documents()
        except yaml.YAMLError as error:
            relaxed = source.relaxed(error)
            if relaxed is None:
                raise source.refusal(error) from None
            source = relaxed


class _Source:
    """The text of a stream and, as `readable`, what libyaml gets to see of it."""

    def __init__(self, text: str, options: LoadOptions, deadline: Deadline) -> None:
        self.text = text
        self._deadline = deadline
        self._filename = options.filename
        self.warnings: list[object] = []
        nul = text.find("\0")
        if nul >= 0:
            self.fail("null byte is not allowed in input", self._place(nul))
        self._originals: dict[int, str] = {}
        self._escape = ""
        self._anchors: dict[str, str] = {}
        self.readable = self._with_stand_ins(self._with_known_directives(text))
        self.has_stand_ins = bool(self._originals or self._escape)

    def fail(self, reason: str, place: Place) -> NoReturn:
        raise yaml_exception_at(reason, self.text, place, self._filename)

    def refusal(self, error: yaml.YAMLError) -> HostCallError:
        """What the library found wrong, as a YAMLException."""
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None)
        reason = self.restored(str(problem)) if problem else "the text is not YAML"
        if mark is None:
            position = getattr(error, "position", 0)
            place = self._place(position if isinstance(position, int) else 0)
        else:
            place = Place(mark.index, mark.line, mark.column)
        if self.text[place.index : place.index + 1] == "\t" and "cannot start any token" in reason:
            reason = "tab characters must not be used in indentation"
        return yaml_exception_at(reason, self.text, place, self._filename)

    def _place(self, index: int) -> Place:
        before = self.text[:index]
        line = before.count("\n") + before.count("\r") - before.count("\r\n")
        start = max(before.rfind("\n"), before.rfind("\r")) + 1
        return Place(index, line, index - start)

    def _warn(self, reason: str, index: int) -> None:
        if len(self.warnings) >= YAML_MAX_WARNINGS:
            return
        mark = mark_at(self.text, self._place(index), self._filename)
        self.warnings.append({"reason": reason, "mark": mark})

    def _lines(self, text: str) -> Iterator[str]:
        for number, line in enumerate(_LINE.findall(text)):
            if not number % _STEP:
                self._deadline.check()
            yield line

    def _with_known_directives(self, text: str) -> str:
        """The text with directives that libyaml would refuse hidden from it: same length, warned of."""
        if not text.startswith("%") and "\n%" not in text and "\r%" not in text:
            return text
        out: list[str] = []
        at = 0
        directives = 0
        before_document = True
        has_directives = False
        for line in self._lines(text):
            bare = line.strip(" \t\r\n")
            if not before_document:
                before_document = line.startswith("...")
            elif bare.startswith("%"):
                directives += 1
                # libyaml compares each tag directive with all before it
                if directives > YAML_MAX_DIRECTIVES:
                    self.fail(f"more than {YAML_MAX_DIRECTIVES} directives", self._place(at))
                line = self._known_directive(line, at) if line.startswith("%") else line  # noqa: PLW2901
                has_directives = True
            elif bare and not bare.startswith("#"):
                if has_directives and not line.startswith("---"):
                    break
                before_document = has_directives = False
            out.append(line)
            at += len(line)
        if has_directives:
            self.fail("directives end mark is expected", self._place(at))
        return "".join(out)

    def _known_directive(self, line: str, at: int) -> str:
        found = _DIRECTIVE.match(line)
        name, value = (found[1], found[2] or "") if found else ("", "")
        if name == "YAML":
            version = _VERSION.fullmatch(value)
            if version is None or version[1] in ("1", "2"):
                return line
            self._warn("unsupported YAML version of the document", at + len(line.rstrip("\r\n")))
            place = line.index(value)
            return line[:place] + "1.2".ljust(len(value)) + line[place + len(value) :]
        if name in ("TAG", ""):
            return line
        self._warn(f'unknown document directive "{name}"', at + len(line.rstrip("\r\n")))
        return "#" + line[1:]

    def _with_stand_ins(self, text: str) -> str:
        strange = set(_STOOD_IN_FOR.findall(text))
        escapes = "\\u" in text and _SURROGATE_ESCAPE.search(text) is not None
        if not strange and not escapes:
            return text
        present = set(text)
        free = (chr(code) for code in range(_FIRST_STAND_IN, 0x10FFFE) if chr(code) not in present)
        table = {ord(each): next(free) for each in sorted(strange)}
        self._originals = {ord(stand_in): chr(code) for code, stand_in in table.items()}
        if escapes:
            self._escape = next(free)
            text = _SURROGATE_ESCAPE.sub(rf"\1{self._escape}\2", text)
        return text.translate(table)

    def restored(self, text: str) -> str:
        """The text that stands there, of a name or a message."""
        if not self.has_stand_ins:
            return text
        text = self._with_own_anchors(text).translate(self._originals)
        return text.replace(self._escape, "\\") if self._escape else text

    def restored_scalar(self, event: ScalarEvent) -> str:
        """The text of a scalar.

        Raises:
            HostCallError: it holds a character that YAML does not allow where it stands.
        """
        text = event.value
        quoted = event.style in ("'", '"')
        found = {original for code, original in self._originals.items() if chr(code) in text}
        forbidden = _CONTROL if quoted else _NON_PRINTABLE
        if any(forbidden.match(each) for each in found):
            self.fail(
                "expected valid JSON character" if quoted else "the stream contains non-printable characters",
                _place_of(event),
            )
        if self._escape and self._escape in text:
            if event.style == '"':
                escape = re.compile(self._escape + "u([0-9a-fA-F]{4})")
                text = escape.sub(lambda each: chr(int(each[1], 16)), text)
            else:
                text = text.replace(self._escape, "\\")
        text = self._with_own_anchors(text).translate(self._originals)
        return join_surrogates(text) if _SURROGATE.search(text) else text

    def relaxed(self, error: yaml.YAMLError) -> _Source | None:
        """The source rewritten, place for place, where 1.2 allows what libyaml stumbled on; else None.

        Each kind of rewriting changes the whole text and so is tried once.
        """
        mark = getattr(error, "problem_mark", None)
        problem = str(getattr(error, "problem", ""))
        if mark is not None and self.text[mark.index : mark.index + 1] == "\t":
            readable = self._with_spaces_for_tabs()
        elif "alphabetic or numeric" in problem:
            readable = self._with_plain_anchors()
        elif "<document start>" in problem or "node content" in problem:
            readable = self._with_starts_for_ends()
        else:
            return None
        if readable == self.readable:
            return None
        other = copy(self)
        other.readable = readable
        other.has_stand_ins = bool(self._originals or self._escape or self._anchors)
        return other

    def _with_spaces_for_tabs(self) -> str:
        """The text with a space for each tab that 1.2 counts as mere separation.

        Those are the tabs of a line that holds nothing else, or a comment, and those after `-`, `?`
        and `:`. Lines of a block scalar stay as they are.
        """
        out: list[str] = []
        block_indent = -1
        for line in self._lines(self.readable):
            bare = line.strip(" \t\r\n")
            indent = len(line) - len(line.lstrip(" "))
            if block_indent >= 0 and (not bare or indent > block_indent):
                out.append(line)
                continue
            block_indent = -1
            if not bare or bare.startswith("#"):
                out.append(line.replace("\t", " "))
                continue
            found = _INDICATOR_TABS.match(line)
            lead = found.end() if found else 0
            out.append(line[:lead].replace("\t", " ") + line[lead:])
            if _BLOCK_SCALAR_HEAD.search(line.rstrip("\r\n")):
                block_indent = indent
        return "".join(out)

    def _with_starts_for_ends(self) -> str:
        """The text with `---` for each `...` that a document without a `---` of its own follows."""
        lines = list(self._lines(self.readable))
        content_follows = False
        nothing_before = True
        for line in lines:
            bare = line.strip(" \t\r\n")
            if bare and not bare.startswith("#"):
                nothing_before = not bare.startswith("...")
                break
        for at in range(len(lines) - 1, -1, -1):
            line = lines[at]
            bare = line.strip(" \t\r\n")
            if line.startswith("...") and line[3:4] in " \t\r\n":
                if content_follows or not nothing_before:
                    lines[at] = "---" + line[3:]
                content_follows = False
            elif line.startswith(("---", "%")):
                content_follows = False
            elif bare and not bare.startswith("#"):
                content_follows = True
        return "".join(lines)

    def _with_plain_anchors(self) -> str:
        """The text with letters and digits alone for the names of anchors that have more than those.

        A name gets another of its length that occurs nowhere, so that a scalar that only looks like
        an anchor gets its text back.
        """
        names = {name for name in _ANCHOR.findall(self.readable) if not _PLAIN_ANCHOR.fullmatch(name)}
        if not names or len(names) > YAML_MAX_ANCHORS_RENAMED:
            return self.readable
        renamed: dict[str, str] = {}
        for name in sorted(names):
            free = ("".join(each) for each in product(_ANCHOR_LETTERS, repeat=len(name)))
            tries = (each for each in islice(free, 2 * YAML_MAX_ANCHORS_RENAMED) if each not in self.readable)
            chosen = next((each for each in tries if each not in self._anchors), None)
            if chosen is None:
                return self.readable
            self._anchors[chosen] = name
            renamed[name] = chosen
        return _ANCHOR.sub(lambda each: each[0][0] + renamed.get(each[1], each[1]), self.readable)

    def _with_own_anchors(self, text: str) -> str:
        if not self._anchors:
            return text
        return _ANCHOR_NAME.sub(lambda each: self._anchors.get(each[0], each[0]), text)


def _place_of(event: Event) -> Place:
    mark = event.start_mark
    if mark is None:
        return Place(0, 0, 0)
    return Place(mark.index, mark.line, mark.column)


class _Composer:
    """One pass over the events of a source: a handler for each kind, the open collections on a stack."""

    def __init__(self, source: _Source, options: LoadOptions, deadline: Deadline) -> None:
        self._source = source
        self._options = options
        self._schema = options.schema
        self._deadline = deadline
        self._merge_work = 0
        self._documents: list[object] = []
        self._anchors: dict[str, object] = {}
        self._frame: _Frame | None = None
        self._outer: list[_Frame] = []
        self._depth = 0

    def documents(self) -> Loaded:
        parser: _Parser = _EventParser(self._source.readable)
        handlers: dict[type[Event], Callable[[Any], None]] = {
            ScalarEvent: self._scalar,
            AliasEvent: self._alias,
            MappingStartEvent: self._start,
            SequenceStartEvent: self._start,
            MappingEndEvent: self._end,
            SequenceEndEvent: self._end,
            DocumentStartEvent: self._document,
        }
        count = 0
        while (event := parser.get_event()) is not None:
            count += 1
            if not count % _STEP:
                self._deadline.check()
            handler = handlers.get(type(event))
            if handler is not None:
                handler(event)
        if not self._documents and self._source.text.strip(" \t\r\n"):
            self._documents.append(None)  # comments or markers alone are a document of nothing
        return Loaded(self._documents, self._source.warnings)

    def _document(self, event: DocumentStartEvent) -> None:
        self._anchors = {}
        if len(self._documents) >= YAML_MAX_DOCUMENTS:
            self._source.fail(f"more than {YAML_MAX_DOCUMENTS} documents in the stream", _place_of(event))

    def _scalar(self, event: ScalarEvent) -> None:
        if self._depth >= self._options.max_depth:
            self._too_deep(event)
        text = self._source.restored_scalar(event) if self._source.has_stand_ins else event.value
        value: object = text
        merges = False
        if event.tag is not None:
            value = self._tagged_scalar(text, event)
            merges = event.tag == _MERGE
        elif not event.style:  # a plain one
            if not text:
                value = None
            elif text[0] in RESOLVING_STARTS:
                value = plain_value(text, self._schema)
            else:
                merges = text == "<<" and self._schema.merge
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        self._place(value, event, merges=merges)

    def _alias(self, event: AliasEvent) -> None:
        if self._depth >= self._options.max_depth:
            self._too_deep(event)
        name = event.anchor or ""
        if name not in self._anchors:
            self._source.fail(f'unidentified alias "{self._source.restored(name)}"', _place_of(event))
        self._place(self._anchors[name], event)

    def _start(self, event: MappingStartEvent | SequenceStartEvent) -> None:
        if self._depth >= self._options.max_depth:
            self._too_deep(event)
        self._depth += 1
        if self._frame is not None:
            self._outer.append(self._frame)
        self._frame = _Frame({} if isinstance(event, MappingStartEvent) else [], event, event.tag)
        if event.anchor is not None:
            self._anchors[event.anchor] = self._frame.node

    def _end(self, _event: Event) -> None:
        done = self._frame
        if done is None:
            return
        self._depth -= 1
        self._frame = self._outer.pop() if self._outer else None
        value: object = done.node
        if done.tag is not None:
            value = self._tagged_collection(done)
            if done.event.anchor is not None:
                self._anchors[done.event.anchor] = value
        self._place(value, done.event)

    def _place(self, value: object, event: NodeEvent, *, merges: bool = False) -> None:
        """Put a node where it belongs: a document, an item, a key or a value."""
        frame = self._frame
        if frame is None:
            self._documents.append(value)
        elif isinstance(frame.node, list):
            frame.node.append(value)
        elif frame.key is _NO_KEY:
            frame.key = value if isinstance(value, str) else self._key_text(value, event)
            frame.key_event = event
            frame.merges = merges
        else:
            self._store(frame, value)

    def _too_deep(self, event: Event) -> NoReturn:
        self._source.fail(f"nesting exceeded maxDepth ({self._options.max_depth})", _place_of(event))

    def _key_text(self, value: object, event: NodeEvent) -> str:
        """The property name that a key of any kind becomes, as JavaScript's String() has it."""
        if isinstance(value, datetime | JSDate) and isinstance(event, ScalarEvent) and not event.style:
            return event.value  # a date as a key keeps its own text
        if isinstance(value, list):
            if any(isinstance(each, list) for each in value):
                self._source.fail("nested arrays are not supported inside keys", _place_of(event))
            value = ["[object Object]" if isinstance(each, dict) else each for each in value]
        return js_text(value, "yaml.load")

    def _store(self, frame: _Frame, value: object) -> None:
        node = frame.node
        key, key_event = frame.key, frame.key_event
        frame.key = _NO_KEY
        if not isinstance(node, dict) or not isinstance(key, str) or key_event is None:
            return
        if frame.merges:
            if isinstance(value, list):
                if len(value) > YAML_MAX_MERGE_SOURCES:
                    self._source.fail("abnormal merge sequence size", _place_of(key_event))
                for each in value:
                    self._merge(frame, node, each, key_event)
            else:
                self._merge(frame, node, value, key_event)
            return
        if key in node and not self._options.duplicates and key not in frame.overridable:
            self._source.fail("duplicated mapping key", _place_of(key_event))
        node[key] = value
        frame.overridable.discard(key)

    def _merge(self, frame: _Frame, node: dict[str, object], source: object, event: NodeEvent) -> None:
        if not isinstance(source, dict):
            self._source.fail(
                "cannot merge mappings; the provided source object is unacceptable", _place_of(event)
            )
        # the mapping itself counts as one, so that a list of empty ones is bounded too
        self._merge_work += 1 + len(source)
        limit = self._options.max_merge_keys
        if self._merge_work > limit:
            self._source.fail(f"merge keys exceeded maxTotalMergeKeys ({limit})", _place_of(event))
        for key, value in list(source.items()):
            if key not in node:
                node[key] = value
                frame.overridable.add(key)

    def _tagged_scalar(self, text: str, event: ScalarEvent) -> object:
        tag = str(event.tag)
        if tag == "!":
            return text if text or event.style else None
        name = self._known(tag, event)
        if not event.style and not text:
            empty: dict[str, object] = {"seq": [], "omap": [], "pairs": [], "map": {}, "set": {}, "str": ""}
            if name in empty:
                return empty[name]
            if name in ("null", "merge"):
                return None
        resolved, value = _scalar_of(name, text)
        if name in ("seq", "map", "omap", "pairs", "set"):
            self._source.fail(f"unknown tag !<{self._source.restored(tag)}>", _place_of(event))
        if not resolved:
            self._source.fail(f"cannot resolve a node with !<{tag}> explicit tag", _place_of(event))
        return value

    def _known(self, tag: str, event: NodeEvent) -> str:
        name = tag.removeprefix(STANDARD)
        if name == tag or name not in self._schema.tags:
            self._source.fail(f"unknown tag !<{self._source.restored(tag)}>", _place_of(event))
        return name

    def _tagged_collection(self, frame: _Frame) -> object:
        tag = str(frame.tag)
        node = frame.node
        if tag == "!":
            return node
        name = self._known(tag, frame.event)
        is_of_kind = name in (("map", "set") if isinstance(node, dict) else ("seq", "omap", "pairs"))
        if not is_of_kind:
            self._source.fail(f"unknown tag !<{tag}>", _place_of(frame.event))
        good = True
        if name == "set" and isinstance(node, dict):
            good = all(each is None for each in node.values())
        elif name in ("omap", "pairs"):
            good = all(isinstance(each, dict) and len(each) == 1 for each in node)
            if good and name == "omap":
                names = [next(iter(each)) for each in node if isinstance(each, dict)]
                good = len(set(names)) == len(names)
        if not good:
            self._source.fail(f"cannot resolve a node with !<{tag}> explicit tag", _place_of(frame.event))
        if name == "pairs":
            return [list(next(iter(each.items()))) for each in node if isinstance(each, dict)]
        return node


def _scalar_of(name: str, text: str) -> tuple[bool, object]:
    """Whether the text is one of the type of that name, and its value."""
    if name == "str":
        return True, text
    if name == "null":
        return word_value(text, None)
    if name == "bool":
        return word_value(text, bool)
    if name == "merge":
        return text == "<<", text
    value: object
    if name == "int":
        value = integer_value(text)
    elif name == "float":
        value = float_value(text)
    elif name == "timestamp":
        value = timestamp_value(text)
    elif name == "binary":
        value = _binary(text)
    else:
        value = None
    return value is not None, value


def _binary(text: str) -> bytes | None:
    packed = text.replace("\n", "").replace("\r", "")
    try:
        return base64.b64decode(packed, validate=True)
    except (binascii.Error, ValueError):
        return None
