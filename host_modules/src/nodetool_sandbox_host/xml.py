"""xml: text into values in the shape of fast-xml-parser, and back; queries by lxml.

No file is opened and nothing is fetched: declarations of entities are refused before anything else
reads the text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from lxml import etree
from nodetool_sandbox_registry.hosts import Deadline, HostCallError, HostExport, HostId, HostModule
from nodetool_sandbox_registry.values import UNDEFINED

from nodetool_sandbox_host._xml_feed import build_feed
from nodetool_sandbox_host._xml_reader import Reader, Reading, Source, XmlValue, invalid
from nodetool_sandbox_host._xml_writer import Writing, build_text
from nodetool_sandbox_host.arguments import (
    argument,
    check_text_length,
    flag,
    option_bag,
    quoted,
    require_bytes,
    require_text,
    text_list_option,
    text_option,
    utf16_length,
    whole_number,
    without_lone_surrogates,
)
from nodetool_sandbox_host.decoding import decode_text, option_codec
from nodetool_sandbox_host.limits import (
    MAX_RESULT_UNITS,
    XML_MAX_EXPRESSION_UNITS,
    XML_MAX_INDENT,
    XML_MAX_NAMESPACE_UNITS,
    XML_MAX_NAMESPACES,
    XML_MAX_NODES,
    XML_MAX_RESULTS,
    XML_RESULTS,
)

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_DECLARED: Final = re.compile(
    rb"""<\?xml[^>]{0,200}?\bencoding\s{0,20}=\s{0,20}["']([A-Za-z0-9._:\-]{1,40})["']"""
)
_PREFIX: Final = re.compile(r"[^\W\d][\w.\-]*")
_STEP: Final = 256


# --- reading


def _text(args: Sequence[object], where: str) -> str:
    value = argument(args, 0)
    if not isinstance(value, bytes):
        return require_text(value, where)
    text = _decoded(
        require_bytes(value, where), option_bag(argument(args, 1)).get("encoding", UNDEFINED), where
    )
    check_text_length(text, where)
    return text


def _decoded(data: bytes, encoding: object, where: str) -> str:
    """The text of a file: its byte order mark, its declaration, the option, UTF-8, or else a guess.

    What is named is held to: there are no replacement characters.
    """
    option = None if encoding is UNDEFINED or encoding is None else option_codec(encoding, where)
    mark, codec = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", None))
    if codec is None:
        codec = _declared_codec(data, where) or option
    if codec is None:
        return decode_text(data, where=where)
    body = data if b"<" in mark else data[len(mark) :]
    try:
        return body.decode(codec)
    except UnicodeDecodeError as error:
        before = body[: error.start].decode(codec, "ignore")
        reason = f"bytes that are not {codec.upper()}"
        raise invalid(where, reason, before.count("\n") + 1, len(before) - before.rfind("\n")) from None


def _declared_codec(data: bytes, where: str) -> str | None:
    found = _DECLARED.match(data)
    if found is None:
        return None
    try:
        codec = option_codec(found[1].decode(), where)
    except HostCallError:
        raise invalid(where, f"the encoding {quoted(found[1].decode())} is not known", 1, 1) from None
    # a declaration that could be read byte by byte is in no wide encoding
    return "utf-8" if codec.startswith(("utf-16", "utf-32")) else codec


def _reading(options: Mapping[str, object], where: str) -> Reading:
    return Reading(
        where=where,
        attributes=options.get("attributes", True) is not False,
        attribute_prefix=text_option(options, "attributePrefix", default="@_", where=where),
        text_key=text_option(options, "textKey", default="#text", where=where),
        cdata_key=text_option(options, "cdataKey", default="", where=where) or None,
        comment_key=text_option(options, "commentKey", default="", where=where) or None,
        always_array=frozenset(text_list_option(options, "alwaysArray", where=where) or ()),
        strip_prefixes=flag(options, "stripPrefixes", default=False),
        coerce=flag(options, "coerce", default=False),
        trim=flag(options, "trim", default=True),
    )


def parse(args: Sequence[object], deadline: Deadline) -> object:
    """The document as a value: elements by name, repeated ones as lists.

    Raises:
        HostCallError: the text is none or too long, is not well-formed, declares entities, or is past a cap.
    """
    where = "xml.parse"
    text = _text(args, where)
    how = _reading(option_bag(argument(args, 1)), where)
    return Reader(Source(text, where), how, deadline).root


def records(args: Sequence[object], deadline: Deadline) -> object:
    """The elements at a path such as `rss.channel.item`, always a list; nothing else is kept.

    Raises:
        HostCallError: as for `parse`, or the path is none.
    """
    where = "xml.records"
    options = option_bag(argument(args, 2))
    text = _text((argument(args, 0), options), where)
    path = argument(args, 1)
    if not isinstance(path, str) or not path:
        raise HostCallError(f"{where}: path must be names joined by dots, such as rss.channel.item")
    limit = whole_number(options, "limit", default=XML_MAX_NODES, low=0, high=XML_MAX_NODES, where=where)
    how = _reading(options, where)
    if limit == 0:
        return []
    return Reader(Source(text, where), how, deadline, record_path=path, record_limit=limit).records


def feed(args: Sequence[object], deadline: Deadline) -> object:
    """Title, link and items of an RSS or Atom feed.

    Raises:
        HostCallError: as for `parse`, or the document is no feed.
    """
    where = "xml.feed"
    text = _text(args, where)
    found = build_feed(Reader(Source(text, where), Reading(where=where), deadline).root)
    if found is None:
        raise HostCallError(
            f"{where}: the root element is none of rss, feed and rdf:RDF; use parse for other XML"
        )
    return found


# --- querying


def xpath(args: Sequence[object], deadline: Deadline) -> object:
    """What an XPath 1.0 expression finds: elements in the shape of `parse`, attributes and texts as text.

    Raises:
        HostCallError: as for `parse`, the expression is none, or a prefix is not declared.
    """
    where = "xml.xpath"
    options = option_bag(argument(args, 2))
    text = _text((argument(args, 0), options), where)
    expression = argument(args, 1)
    if not isinstance(expression, str) or not expression.strip():
        raise HostCallError(f"{where}: expression must be a non-empty string")
    if utf16_length(expression) > XML_MAX_EXPRESSION_UNITS:
        raise HostCallError(f"{where}: expression exceeds the {XML_MAX_EXPRESSION_UNITS} character limit")
    namespaces = _namespaces(options, where)
    limit = whole_number(options, "limit", default=XML_RESULTS, low=0, high=XML_MAX_RESULTS, where=where)
    source = Source(text, where)
    # every cap and every refusal of `parse` comes before lxml sees the text
    reader = Reader(source, Reading(where=where), deadline, number_elements=True)
    _check_namespace_names(reader.values, where, deadline)
    root = _tree(source, where)
    deadline.check()
    try:
        query = etree.XPath(
            without_lone_surrogates(expression), namespaces=namespaces, regexp=False, smart_strings=False
        )
        found = query(root)
    except (etree.XPathError, ValueError, TypeError):
        raise HostCallError(
            f"{where}: {quoted(expression)} is no XPath 1.0 expression, or uses a prefix or function that is not known"
        ) from None
    deadline.check()
    if not isinstance(found, list):
        return [found]
    return list(_results(found[:limit], root, reader.values, where, deadline))


def _namespaces(options: Mapping[str, object], where: str) -> dict[str, str]:
    given = options.get("namespaces", UNDEFINED)
    if given is UNDEFINED or given is None:
        return {}
    if not isinstance(given, dict) or not all(isinstance(each, str) and each for each in given.values()):
        raise HostCallError(f"{where}: namespaces must map prefixes to namespace names")
    if len(given) > XML_MAX_NAMESPACES or any(len(each) > XML_MAX_NAMESPACE_UNITS for each in given.values()):
        raise HostCallError(
            f"{where}: at most {XML_MAX_NAMESPACES} namespaces of {XML_MAX_NAMESPACE_UNITS} characters"
        )
    for prefix in given:
        if not _PREFIX.fullmatch(prefix):
            hint = "XPath 1.0 has no default namespace, so name one, such as { d: uri } for //d:title"
            raise HostCallError(f"{where}: {quoted(prefix)} is no prefix; {hint}")
    return {prefix: without_lone_surrogates(cast("str", name)) for prefix, name in given.items()}


def _check_namespace_names(values: Sequence[XmlValue], where: str, deadline: Deadline) -> None:
    for index, value in enumerate(values):
        if index % _STEP == 0:
            deadline.check()
        if isinstance(value, dict):
            for key, name in value.items():
                if (
                    key.startswith("@_xmlns")
                    and isinstance(name, str)
                    and len(name) > XML_MAX_NAMESPACE_UNITS
                ):
                    raise HostCallError(
                        f"{where}: a namespace name is longer than {XML_MAX_NAMESPACE_UNITS} characters"
                    )


def _tree(source: Source, where: str) -> etree._Element:
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        recover=False,
    )
    try:
        return etree.fromstring(source.data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        reason = "a namespace prefix that is not declared, or a namespace that is not well-formed"
        raise invalid(where, reason, max(line, 1), max(column, 1)) from None


def _results(
    found: Sequence[object], root: etree._Element, values: Sequence[XmlValue], where: str, deadline: Deadline
) -> Iterator[XmlValue]:
    numbers: dict[etree._Element, int] = {}
    if any(isinstance(each, etree._Element) for each in found):  # noqa: SLF001  (lxml's only name for it)
        numbers = {element: number for number, element in enumerate(root.iter("*"))}
    size = 0
    for index, each in enumerate(found):
        if index % _STEP == 0:
            deadline.check()
        value: XmlValue
        if isinstance(each, etree._Element):  # noqa: SLF001
            # comments and instructions are no elements
            value = values[numbers[each]] if each in numbers else (each.text or "")
        else:
            # a namespace node is a pair of prefix and name
            value = each[1] if isinstance(each, tuple) else each
        for count in _sizes(value):
            size += count
            if size > MAX_RESULT_UNITS:
                raise HostCallError(f"{where}: result exceeds the {MAX_RESULT_UNITS} character limit")
        yield value


def _sizes(value: XmlValue) -> Iterator[int]:
    """How much a value brings, piece by piece: an element that was found in several others counts each time."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield sum(map(utf16_length, each)) + 1
            waiting.extend(each.values())
        elif isinstance(each, list):
            yield len(each)
            waiting.extend(each)
        else:
            yield utf16_length(each) if isinstance(each, str) else 1


# --- writing


def build(args: Sequence[object], deadline: Deadline) -> object:
    """The text of a value in the shape of `parse`.

    Raises:
        HostCallError: the value has not one root, a name or a character cannot be written, or it is past a cap.
    """
    where = "xml.build"
    options = option_bag(argument(args, 1))
    how = Writing(
        where=where,
        attribute_prefix=text_option(options, "attributePrefix", default="@_", where=where),
        text_key=text_option(options, "textKey", default="#text", where=where),
        cdata_key=text_option(options, "cdataKey", default="", where=where) or None,
        comment_key=text_option(options, "commentKey", default="", where=where) or None,
        indent=whole_number(options, "indent", default=0, low=0, high=XML_MAX_INDENT, where=where),
        declaration=flag(options, "declaration", default=False),
    )
    return build_text(argument(args, 0), how, deadline)


MODULE: Final = HostModule(
    host_id=HostId("xml"),
    exports=(
        HostExport(name="parse", function=parse),
        HostExport(name="build", function=build),
        HostExport(name="xpath", function=xpath),
        HostExport(name="records", function=records),
        HostExport(name="feed", function=feed),
    ),
)
