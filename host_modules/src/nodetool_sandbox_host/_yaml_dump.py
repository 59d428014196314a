"""From values to YAML text: js-yaml's layout, to the character.

PyYAML's emitter cannot be told to write it (lists indented under their key, 1.2's notion of what
must be quoted, `|` and `>-` where js-yaml has them), so the emitter is ours, function by function
the reference's.
"""

from __future__ import annotations

import base64
import math
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from nodetool_sandbox_registry.hosts import Deadline, HostCallError
from nodetool_sandbox_registry.values import UNDEFINED, BigInt, JSDate, JSMap, JSSet

from nodetool_sandbox_host._yaml_errors import yaml_exception
from nodetool_sandbox_host._yaml_scalars import Schema, reads_as_text
from nodetool_sandbox_host.arguments import iso_text, join_surrogates, number_to_text, utf16_length
from nodetool_sandbox_host.limits import MAX_RESULT_UNITS, YAML_MAX_DUMP_DEPTH, YAML_MAX_EXPANDED_NODES

_STEP: Final = 256
_UNITS_A_NODE: Final = 64
"""So many characters take about as long as a node does."""
_PIECE: Final = _STEP * _UNITS_A_NODE
"""Nodes between two looks at the clock."""
USUAL_INDENT: Final = 2
_MAX_IMPLICIT_KEY: Final = 1024
_NARROWEST: Final = 40
_WIDEST_INDENT_INDICATOR: Final = 9
_FIRST_WIDE: Final = 0xFFFF

_ESCAPES: Final = {
    "\0": "\\0",
    "\x07": "\\a",
    "\x08": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\x0b": "\\v",
    "\x0c": "\\f",
    "\r": "\\r",
    "\x1b": "\\e",
    '"': '\\"',
    "\\": "\\\\",
    "\x85": "\\N",
    "\xa0": "\\_",
    "\u2028": "\\L",
    "\u2029": "\\P",
}
_UNPRINTABLE_CLASS: Final = "\0-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_UNPRINTABLE: Final = re.compile(f"[{_UNPRINTABLE_CLASS}]")
_UNPRINTABLE_BUT_LINE_FEED: Final = re.compile(
    f"[{_UNPRINTABLE_CLASS}]".replace("\0-\x1f", "\0-\x09\x0b-\x1f")
)
_TO_ESCAPE: Final = re.compile(rf'[{_UNPRINTABLE_CLASS}"\\]')
_NOT_FIRST: Final = frozenset("-?:,[]{}#&*!|=>'\"%@` ")
_UNSAFE_IN_BLOCK: Final = re.compile(r" #|: |\n")
_UNSAFE_IN_FLOW: Final = re.compile(r" #|: |\n|(?<!:)[,\[\]{}]")
_BOOLEANS_OF_1_1: Final = frozenset("y Y yes Yes YES on On ON n N no No NO off Off OFF".split())
_BASE_60: Final = re.compile(r"[-+]?[0-9_]+(?::[0-9_]+)+(?:\.[0-9_]*)?")
# what 1.1 reads as a number and 1.2 as text; js-yaml leaves it plain, for a reader of 1.1 to misread
_UNDERSCORED: Final = re.compile(
    r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9][0-9_]*)"
)
_DOCUMENT_END: Final = re.compile(r"\.\.\.(?: |\Z)")
_LEADING_SPACE: Final = re.compile(r"\n* ")
_EXPONENT_WITHOUT_DOT: Final = re.compile(r"[-+]?[0-9]+e")
_BREAK_POINT: Final = re.compile(r" [^ ]")
_LINES: Final = re.compile(r"(\n+)([^\n]*)")
_LINE_END: Final = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_NULLS: Final = {"canonical": "~", "lowercase": "null", "uppercase": "NULL", "camelcase": "Null", "empty": ""}

_STYLE_ALIASES: Final = {
    "int": {
        "2": "binary",
        "bin": "binary",
        "8": "octal",
        "oct": "octal",
        "10": "decimal",
        "dec": "decimal",
        "16": "hexadecimal",
        "hex": "hexadecimal",
    }
}
STYLES: Final = {
    "null": ("lowercase", "canonical", "uppercase", "camelcase", "empty"),
    "bool": ("lowercase", "uppercase", "camelcase"),
    "int": ("decimal", "binary", "octal", "hexadecimal"),
    "float": ("lowercase", "uppercase", "camelcase"),
}
"""The styles of each type that has some, its default first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpOptions:
    """What `dump` may be told, in js-yaml's words; `line_width` -1 never folds.

    `ordered` says that every mapping arrives as `{k: keys, v: values, s: sorted places}`, because
    a function of the guest sorted the keys. `comments` go above the entry that their path names.
    """

    schema: Schema
    indent: int = USUAL_INDENT
    no_array_indent: bool = False
    skip_invalid: bool = False
    flow_level: float = -1
    styles: dict[str, str] = field(default_factory=dict)
    sort_keys: bool = False
    line_width: int = 80
    no_refs: bool = False
    no_compat_mode: bool = False
    condense_flow: bool = False
    double_quotes: bool = False
    force_quotes: bool = False
    ordered: bool = False
    blank_lines: bool = False
    comments: dict[str, str] = field(default_factory=dict)


def compiled_styles(styles: dict[str, str]) -> dict[str, str]:
    """Style by type name, from the option `styles` with its `!!int` and its aliases."""
    compiled: dict[str, str] = {}
    for tag, style in styles.items():
        name = tag[2:] if tag.startswith("!!") else tag.removeprefix("tag:yaml.org,2002:")
        compiled[name] = _STYLE_ALIASES.get(name, {}).get(style, style)
    return compiled


def dump_document(value: object, options: DumpOptions, deadline: Deadline) -> str:
    """The document of the value, ending with one line feed; `""` for `undefined`.

    Raises:
        HostCallError: a YAMLException: a value has no YAML form, or it is past a cap.
    """
    return _Dumper(value, options, deadline).document()


def require_expandable(value: object, what: str, deadline: Deadline) -> None:
    """Return when the value, written out without references, stays within YAML_MAX_EXPANDED_NODES.

    Counts each shared node once and multiplies: no walk of the expansion.

    Raises:
        HostCallError: a YAMLException: it does not, or holds itself.
    """
    totals: dict[int, int] = {}
    open_nodes: set[int] = set()
    stack: list[tuple[object, bool]] = [(value, False)]
    work = _Work(deadline)
    while stack:
        node, left = stack.pop()
        if not isinstance(node, (list, dict)):
            continue
        key = id(node)
        children = node if isinstance(node, list) else node.values()
        work.done(len(children))
        if left:
            open_nodes.discard(key)
            total = 1 + sum(
                totals.get(id(each), 1) if isinstance(each, (list, dict)) else 1 for each in children
            )
            if total > YAML_MAX_EXPANDED_NODES:
                raise yaml_exception(
                    f"{what} would repeat shared objects into more than {YAML_MAX_EXPANDED_NODES} nodes"
                )
            totals[key] = total
            continue
        if key in totals:
            continue
        if key in open_nodes:
            raise yaml_exception(f"{what} cannot write an object that holds itself")
        open_nodes.add(key)
        stack.append((node, True))
        stack.extend((each, False) for each in children if isinstance(each, (list, dict)))


class _Work:
    """Asks a deadline after every so much work, wherever it is done."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._undone = _STEP

    def done(self, size: int) -> None:
        """A node was passed, and `size` characters or parts with it.

        Raises:
            HostCallError: the time is up, or the run was cancelled.
        """
        self._undone -= 1 + size // _UNITS_A_NODE
        if self._undone <= 0:
            self._undone = _STEP
            self._deadline.check()


class _Dumper:
    def __init__(self, value: object, options: DumpOptions, deadline: Deadline) -> None:
        self._value = value
        self._options = options
        self._work = _Work(deadline)
        self._size = 0
        self._quote = '"' if options.double_quotes else "'"
        self._path: list[str] = []
        self._used: set[int] = set()
        if options.no_refs:
            require_expandable(value, "noRefs", deadline)
            self._references: dict[int, int] = {}
        else:
            self._references = self._shared(value)

    def document(self) -> str:
        head = "".join(f"{line}\n" for line in self._comment_lines())
        text, _ = self._node(self._value, 0, block=True, compact=True)
        return "" if text is None else f"{head}{text}\n"

    def _tick(self, size: int) -> None:
        self._work.done(size)
        self._size += size
        if self._size > MAX_RESULT_UNITS:
            raise HostCallError(f"yaml.dump: result exceeds the {MAX_RESULT_UNITS} character limit")

    def _shared(self, value: object) -> dict[int, int]:
        """The number of each object that occurs more than once, in the order in which it is met again."""
        seen: set[int] = set()
        numbers: dict[int, int] = {}
        stack = [value]
        while stack:
            node = stack.pop()
            if not isinstance(node, (list, dict)):
                continue
            self._tick(0)
            if id(node) in seen:
                numbers.setdefault(id(node), len(numbers))
                continue
            seen.add(id(node))
            inner = node if isinstance(node, list) else self._values(node)
            self._work.done(len(inner))
            stack.extend(each for each in reversed(inner) if isinstance(each, (list, dict)))
        return numbers

    def _pairs(self, node: dict[str, object]) -> tuple[list[str], list[object], list[int]]:
        """The keys, the values, and the places of the keys in the order in which a block mapping has them."""
        if self._options.ordered:
            keys, values, places = node.get("k"), node.get("v"), node.get("s")
            if isinstance(keys, list) and isinstance(values, list) and isinstance(places, list):
                return keys, values, places
        names = list(node)
        places_of = range(len(names))
        if self._options.sort_keys:
            # JavaScript sorts by UTF-16 units
            keys_of = (
                names
                if all(map(str.isascii, names))
                else [name.encode("utf-16-be", "surrogatepass") for name in names]
            )
            return names, list(node.values()), sorted(places_of, key=keys_of.__getitem__)
        return names, list(node.values()), list(places_of)

    def _values(self, node: dict[str, object]) -> list[object]:
        values = node.get("v") if self._options.ordered else None
        return values if isinstance(values, list) else list(node.values())

    def _is_empty(self, node: dict[str, object]) -> bool:
        return not (self._pairs(node)[0] if self._options.ordered else node)

    def _node(
        self,
        value: object,
        level: int,
        *,
        block: bool,
        compact: bool,
        is_key: bool = False,
        in_sequence: bool = False,
    ) -> tuple[str | None, bool]:
        """The text of a node and whether it has a tag; None for what is left out."""
        in_block = block
        if block:
            block = self._options.flow_level < 0 or self._options.flow_level > level
        if isinstance(value, str):
            return self._counted(self._scalar(value, level, is_key=is_key, in_block=in_block)), False
        if isinstance(value, (dict, list)):
            return self._collection(
                value, level, block=block, compact=compact, in_sequence=in_sequence
            ), False
        if value is UNDEFINED:
            return None, False
        if isinstance(value, bytes) and "binary" in self._options.schema.tags:
            encoded = base64.b64encode(value).decode("ascii")
            text = self._scalar(encoded, level, is_key=is_key, in_block=in_block)
            return self._counted(f"!!binary {text}"), True
        implicit = self._implicit(value)
        if implicit is None:
            if self._options.skip_invalid:
                return None, False
            raise yaml_exception(f"unacceptable kind of an object to dump {_kind(value)}")
        return self._counted(implicit), False

    def _counted(self, text: str) -> str:
        self._tick(len(text))
        return text

    def _collection(
        self,
        value: dict[str, object] | list[object],
        level: int,
        *,
        block: bool,
        compact: bool,
        in_sequence: bool,
    ) -> str:
        if level > YAML_MAX_DUMP_DEPTH:
            raise yaml_exception(f"nesting exceeds {YAML_MAX_DUMP_DEPTH} levels")
        number = self._references.get(id(value))
        if number is not None:
            if number in self._used:
                return self._counted(f"*ref_{number}")
            self._used.add(number)
        if number is not None or (self._options.indent != USUAL_INDENT and level > 0):
            compact = False
        self._tick(2)
        if isinstance(value, dict):
            if block and not self._is_empty(value):
                text = self._block_mapping(value, level, compact=compact)
                return text if number is None else f"&ref_{number}{text}"
            text = self._flow_mapping(value, level)
        else:
            if block and value:
                outdent = self._options.no_array_indent and not in_sequence and level > 0
                text = self._block_sequence(value, level - 1 if outdent else level, compact=compact)
                return text if number is None else f"&ref_{number}{text}"
            text = self._flow_sequence(value, level)
        return text if number is None else f"&ref_{number} {text}"

    def _block_sequence(self, items: list[object], level: int, *, compact: bool) -> str:
        out: list[str] = []
        next_line = "\n" + " " * (self._options.indent * level)
        for index, item in enumerate(items):
            self._enter(str(index))
            comments = self._comment_lines()
            text, _ = self._node(item, level + 1, block=True, compact=True, in_sequence=True)
            if text is None and item is UNDEFINED:
                text, _ = self._node(None, level + 1, block=True, compact=True, in_sequence=True)
            self._leave()
            if text is None:
                continue
            if not compact or out:
                out.append(self._between(next_line, level, first=not out))
            out.extend(f"{line}{next_line}" for line in comments)
            out.append("-" if text.startswith("\n") else "- ")
            out.append(text)
            self._tick(len(next_line) + 2)
        return "".join(out) or "[]"

    def _block_mapping(self, mapping: dict[str, object], level: int, *, compact: bool) -> str:
        out: list[str] = []
        next_line = "\n" + " " * (self._options.indent * level)
        keys, values, order = self._pairs(mapping)
        for at in order:
            key, value = keys[at], values[at]
            self._enter(key)
            comments = self._comment_lines()
            key_text, _ = self._node(key, level + 1, block=True, compact=True, is_key=True)
            explicit = key_text is not None and utf16_length(key_text) > _MAX_IMPLICIT_KEY
            text, _ = self._node(value, level + 1, block=True, compact=explicit)
            self._leave()
            if key_text is None or text is None:
                continue
            if not compact or out:
                out.append(self._between(next_line, level, first=not out))
            out.extend(f"{line}{next_line}" for line in comments)
            out.append(f"? {key_text}{next_line}" if explicit else key_text)
            out.append(":" if text.startswith("\n") else ": ")
            out.append(text)
            self._tick(len(next_line) + 2)
        return "".join(out) or "{}"

    def _flow_sequence(self, items: list[object], level: int) -> str:
        out: list[str] = []
        for item in items:
            text, _ = self._node(item, level, block=False, compact=False)
            if text is None and item is UNDEFINED:
                text, _ = self._node(None, level, block=False, compact=False)
            if text is not None:
                # the style "empty" of null would lose the entry
                out.append(text or "null")
        return f"[{(',' if self._options.condense_flow else ', ').join(out)}]"

    def _flow_mapping(self, mapping: dict[str, object], level: int) -> str:
        out: list[str] = []
        condense = self._options.condense_flow
        keys, values, _ = self._pairs(mapping)
        for key, value in zip(keys, values, strict=True):
            key_text, _ = self._node(key, level, block=False, compact=False)
            text, _ = self._node(value, level, block=False, compact=False)
            if key_text is None or text is None:
                continue
            if utf16_length(key_text) > _MAX_IMPLICIT_KEY:
                key_text = f"? {key_text}"
            out.append(f'"{key_text}":{text}' if condense else f"{key_text}: {text}")
        return "{" + ", ".join(out) + "}"

    def _between(self, next_line: str, level: int, *, first: bool) -> str:
        return f"\n{next_line}" if self._options.blank_lines and level == 0 and not first else next_line

    def _enter(self, key: str) -> None:
        if self._options.comments:
            self._path.append(key.replace("\\", "\\\\").replace(".", "\\."))

    def _leave(self) -> None:
        if self._options.comments:
            self._path.pop()

    def _comment_lines(self) -> list[str]:
        comment = self._options.comments.get(".".join(self._path)) if self._options.comments else None
        if comment is None:
            return []
        lines = [f"# {_UNPRINTABLE.sub(' ', line)}".rstrip() for line in _LINE_END.split(comment)]
        self._tick(sum(map(len, lines)))
        return lines

    def _style(self, name: str) -> str:
        style = self._options.styles.get(name, STYLES[name][0])
        if style not in STYLES[name]:
            raise yaml_exception(f'!<tag:yaml.org,2002:{name}> tag resolver accepts not "{style}" style')
        return style

    def _implicit(self, value: object) -> str | None:
        """The text of null, a boolean, a number or a date; None where the schema has no such type."""
        if not self._options.schema.implicit:
            return None
        if value is None:
            return _NULLS[self._style("null")]
        if isinstance(value, bool):
            text = "True" if value else "False"
            style = self._style("bool")
            return text if style == "camelcase" else text.lower() if style == "lowercase" else text.upper()
        if isinstance(value, BigInt):
            return None
        if isinstance(value, int) or (isinstance(value, float) and _is_integer(value)):
            return _integer(value, self._style("int"))
        if isinstance(value, float):
            return _float(value, self._options.styles.get("float", "lowercase"))
        if isinstance(value, datetime | JSDate) and self._options.schema.dates:
            if isinstance(value, JSDate) and math.isnan(value.epoch_ms):
                raise HostCallError("Invalid time value", name="RangeError")
            return iso_text(value)
        return None

    def _scalar(self, text: str, level: int, *, is_key: bool, in_block: bool) -> str:
        options = self._options
        quote = self._quote
        if not text:
            return quote * 2
        if not options.no_compat_mode and _misread_by_1_1(text):
            return f"{quote}{text}{quote}"
        indent = options.indent * max(1, level)
        width = -1
        if options.line_width != -1:
            # the deeper, the narrower, down to 40 columns
            width = max(min(options.line_width, _NARROWEST), options.line_width - indent)
        single_line = is_key or (options.flow_level > -1 and level >= options.flow_level)
        force = options.force_quotes and not is_key
        by_lines = not (single_line or force)
        if (_UNPRINTABLE_BUT_LINE_FEED if by_lines else _UNPRINTABLE).search(text):
            return self._in_double_quotes(text)
        units = _units(text)
        foldable = by_lines and width != -1 and _has_foldable_line(units, width)
        if not foldable and not (by_lines and "\n" in text):
            plain = (
                text[0] not in _NOT_FIRST
                and text[-1] not in " :"
                and not _DOCUMENT_END.match(text)
                and not (_UNSAFE_IN_BLOCK if in_block else _UNSAFE_IN_FLOW).search(text)
            )
            if plain and not force and reads_as_text(text, options.schema):
                return text
        elif not (options.indent > _WIDEST_INDENT_INDICATOR and _LEADING_SPACE.match(text)):
            head = _block_head(text, options.indent)
            if foldable:
                body = (
                    join_surrogates(_folded(units, width, self._work))
                    if units is not text
                    else _folded(text, width, self._work)
                )
                return f">{head}{_without_last_line_feed(_indented(body, indent))}"
            return f"|{head}{_without_last_line_feed(_indented(text, indent))}"
        else:
            quote = '"'
        if quote == '"':
            return self._in_double_quotes(text)
        return "'" + text.replace("'", "''") + "'"

    def _in_double_quotes(self, text: str) -> str:
        pieces: list[str] = []
        for start in range(0, len(text), _PIECE):
            self._work.done(_PIECE)
            pieces.append(_TO_ESCAPE.sub(_escaped, text[start : start + _PIECE]))
        return f'"{"".join(pieces)}"'


def _misread_by_1_1(text: str) -> bool:
    if text in _BOOLEANS_OF_1_1:
        return True
    if ":" in text and _BASE_60.fullmatch(text):
        return True
    return "_" in text and _UNDERSCORED.fullmatch(text) is not None


def _kind(value: object) -> str:
    """What `Object.prototype.toString` calls a value."""
    names: dict[type, str] = {bool: "Boolean", bytes: "Uint8Array", JSMap: "Map", JSSet: "Set"}
    if value is None:
        return "[object Null]"
    if isinstance(value, BigInt):
        return "[object BigInt]"
    if isinstance(value, datetime | JSDate):
        return "[object Date]"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "[object Number]"
    return f"[object {names.get(type(value), 'Object')}]"


def _is_integer(value: float) -> bool:
    return math.isfinite(value) and value.is_integer() and not (value == 0 and math.copysign(1, value) < 0)


def _integer(value: float, style: str) -> str:
    if style == "decimal":
        return number_to_text(value)
    code, prefix = {"binary": ("b", "0b"), "octal": ("o", "0o"), "hexadecimal": ("X", "0x")}[style]
    return f"{'-' if value < 0 else ''}{prefix}{format(abs(int(value)), code)}"


def _float(value: float, style: str) -> str:
    words = {"lowercase": (".nan", ".inf"), "uppercase": (".NAN", ".INF"), "camelcase": (".NaN", ".Inf")}
    nan, infinity = words.get(style, ("NaN", "Infinity"))
    if math.isnan(value):
        return nan
    if math.isinf(value):
        return infinity if value > 0 else f"-{infinity}"
    if value == 0:
        return "-0.0"
    text = number_to_text(value)
    return text.replace("e", ".e") if _EXPONENT_WITHOUT_DOT.match(text) else text


def _escaped(found: re.Match[str]) -> str:
    each = found[0]
    if each in _ESCAPES:
        return _ESCAPES[each]
    code = ord(each)
    return f"\\x{code:02X}" if each <= "\xff" else f"\\u{code:04X}"


def _units(text: str) -> str:
    """The text as UTF-16 code units, one character each, as JavaScript measures it."""
    if text.isascii() or max(text) <= chr(_FIRST_WIDE):
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(low | high << 8) for low, high in zip(data[::2], data[1::2], strict=True))


def _has_foldable_line(units: str, width: int) -> bool:
    if len(units) <= width:
        return False
    # a line that begins with a space is more indented and stays whole
    return any(len(line) > width and line[0] != " " for line in units.split("\n"))


def _block_head(text: str, indent: int) -> str:
    indicator = str(indent) if _LEADING_SPACE.match(text) else ""
    if not text.endswith("\n"):
        return f"{indicator}-\n"
    return f"{indicator}+\n" if text == "\n" or text.endswith("\n\n") else f"{indicator}\n"


def _without_last_line_feed(text: str) -> str:
    return text.removesuffix("\n")


def _indented(text: str, spaces: int) -> str:
    """Every line that is not empty, indented."""
    lead = " " * spaces
    return "\n".join([lead + line if line else line for line in text.split("\n")])


def _folded(text: str, width: int, work: _Work) -> str:
    """The text folded at `width`, so that reading `>` gives it back."""
    first_end = text.find("\n")
    first_end = len(text) if first_end < 0 else first_end
    out = [_folded_line(text[:first_end], width, work)]
    was_indented = text[0] in "\n "
    for found in _LINES.finditer(text, first_end):
        breaks, line = found.groups()
        is_indented = line.startswith(" ")
        out.append(breaks)
        if not was_indented and not is_indented and line:
            out.append("\n")
        out.append(_folded_line(line, width, work))
        was_indented = is_indented
    return "".join(out)


def _folded_line(line: str, width: int, work: _Work) -> str:
    """One line, broken at the last space within the width each time, or at the first one past it."""
    if not line or line[0] == " ":
        return line
    work.done(0)
    out: list[str] = []
    start = current = 0
    for found in _BREAK_POINT.finditer(line):
        following = found.start()
        if following - start > width:
            work.done(following - start)
            end = current if current > start else following
            out.append(line[start:end])
            start = end + 1
        current = following
    if len(line) - start > width and current > start:
        out.extend((line[start:current], line[current + 1 :]))
    else:
        out.append(line[start:])
    return "\n".join(out)
