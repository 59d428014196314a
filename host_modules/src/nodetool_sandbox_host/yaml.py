"""yaml: js-yaml 4's load and dump over libyaml, synchronous; the pack's guest half gives them js-yaml's face.

Internal to the pack: functions that a program passes (`replacer`, `sortKeys`, an iterator,
`onWarning`), the schema constants and the class YAMLException live in its JavaScript.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from nodetool_sandbox_registry.hosts import Deadline, HostCallError, HostExport, HostId, HostModule
from nodetool_sandbox_registry.values import UNDEFINED, BigInt, JSDate

from nodetool_sandbox_host._yaml_dump import (
    STYLES,
    USUAL_INDENT,
    DumpOptions,
    compiled_styles,
    dump_document,
    require_expandable,
)
from nodetool_sandbox_host._yaml_errors import yaml_exception
from nodetool_sandbox_host._yaml_load import LoadOptions, load_documents
from nodetool_sandbox_host._yaml_scalars import SCHEMAS, Schema
from nodetool_sandbox_host.arguments import (
    argument,
    flag,
    iso_text,
    option_bag,
    text_option,
    utf16_length,
)
from nodetool_sandbox_host.decoding import require_file_text
from nodetool_sandbox_host.limits import (
    MAX_RESULT_UNITS,
    YAML_MAX_DEPTH,
    YAML_MAX_INDENT,
    YAML_MAX_MERGE_KEYS,
)

_DEFAULT_WIDTH: Final = 80
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def load(args: Sequence[object], deadline: Deadline) -> object:
    """`{ value, warnings }` of the one document of a text; an empty text has the value `undefined`.

    Raises:
        HostCallError: the text is none, too long, no YAML or more than one document.
    """
    documents, warnings = _loaded(args, "yaml.load", deadline)
    if len(documents) > 1:
        raise yaml_exception("expected a single document in the stream, but found more")
    return {"value": documents[0] if documents else UNDEFINED, "warnings": warnings}


def load_all(args: Sequence[object], deadline: Deadline) -> object:
    """`{ documents, warnings }` of a text.

    Raises:
        HostCallError: the text is none, too long or no YAML.
    """
    documents, warnings = _loaded(args, "yaml.loadAll", deadline)
    return {"documents": documents, "warnings": warnings}


def to_json(args: Sequence[object], deadline: Deadline) -> object:
    """The one document of a text as JSON text: dates as ISO text, binary as base64, NaN as null.

    Raises:
        HostCallError: as for `load`; or it holds itself, or would be past a cap written out.
    """
    documents, _ = _loaded(args, "yaml.toJson", deadline)
    if len(documents) > 1:
        raise yaml_exception("expected a single document in the stream, but found more")
    value = documents[0] if documents else None
    require_expandable(value, "toJson", deadline)
    text = json.dumps(_plain(value, {}), ensure_ascii=False, separators=(",", ":"))
    if utf16_length(text) > MAX_RESULT_UNITS:
        raise HostCallError(f"yaml.toJson: result exceeds the {MAX_RESULT_UNITS} character limit")
    return _SURROGATE.sub(lambda each: f"\\u{ord(each[0]):04x}", text)


def dump(args: Sequence[object], deadline: Deadline) -> object:
    """The YAML text of a value.

    Raises:
        HostCallError: a part of it has no YAML form, an option is wrong, or it is past a cap.
    """
    options = option_bag(argument(args, 1))
    return dump_document(argument(args, 0), _dump_options(options, "yaml.dump"), deadline)


def _loaded(args: Sequence[object], where: str, deadline: Deadline) -> tuple[list[object], list[object]]:
    options = option_bag(argument(args, 1))
    text = require_file_text(argument(args, 0), where, encoding=options.get("encoding", UNDEFINED))
    dates = text_option(options, "dates", default="date", where=where)
    if dates not in ("date", "string"):
        raise HostCallError(f'{where}: dates must be "date" or "string"')
    schema = _schema(options, where)
    loaded = load_documents(
        text,
        LoadOptions(
            schema=SCHEMAS["dateless"] if dates == "string" and schema is SCHEMAS["default"] else schema,
            filename=text_option(options, "filename", default="", where=where) or None,
            duplicates=flag(options, "json", default=False),
            max_depth=_tightened(options, "maxDepth", YAML_MAX_DEPTH),
            max_merge_keys=_tightened(options, "maxTotalMergeKeys", YAML_MAX_MERGE_KEYS),
        ),
        deadline,
    )
    return loaded.documents, loaded.warnings


def _schema(options: Mapping[str, object], where: str) -> Schema:
    name = text_option(options, "schema", default="default", where=where)
    if name not in ("failsafe", "json", "core", "default"):
        raise HostCallError(f"{where}: schema must be one of the pack's four schemas")
    return SCHEMAS[name]


def _tightened(options: Mapping[str, object], name: str, ceiling: int) -> int:
    """A limit that the guest may tighten; -1, js-yaml's word for none, is the ceiling."""
    value = options.get(name, UNDEFINED)
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value) or value < 0:
        return ceiling
    return int(min(value, ceiling))


def _number(options: Mapping[str, object], name: str, default: float) -> float:
    """A number by JavaScript's `options[name] || default`."""
    value = options.get(name, UNDEFINED)
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return default
    return value or default


def _dump_options(options: Mapping[str, object], where: str) -> DumpOptions:
    width = _number(options, "lineWidth", _DEFAULT_WIDTH)
    flow_level = options.get("flowLevel", UNDEFINED)
    styles = option_bag(options.get("styles"))
    blank_lines = options.get("blankLines", UNDEFINED)
    if blank_lines not in (UNDEFINED, None, "top", False):
        raise HostCallError(f'{where}: blankLines must be "top"')
    comments = option_bag(options.get("comments"))
    return DumpOptions(
        schema=_schema(options, where),
        indent=int(max(1, min(_number(options, "indent", USUAL_INDENT), YAML_MAX_INDENT))),
        no_array_indent=flag(options, "noArrayIndent", default=False),
        skip_invalid=flag(options, "skipInvalid", default=False),
        flow_level=_number(options, "flowLevel", -1) if flow_level != 0 else 0,
        styles={
            name: style
            for name, style in compiled_styles(
                {tag: style for tag, style in styles.items() if isinstance(style, str)}
            ).items()
            if name in STYLES
        },
        sort_keys=flag(options, "sortKeys", default=False),
        line_width=-1 if width < 0 or math.isinf(width) else int(width),
        no_refs=flag(options, "noRefs", default=False),
        no_compat_mode=flag(options, "noCompatMode", default=False),
        condense_flow=flag(options, "condenseFlow", default=False),
        double_quotes=options.get("quotingType") == '"',
        force_quotes=flag(options, "forceQuotes", default=False),
        ordered=options.get("ordered") is True,
        blank_lines=blank_lines == "top",
        comments={path: text for path, text in comments.items() if isinstance(text, str)},
    )


def _plain(value: object, done: dict[int, object]) -> object:
    """The value for json.dumps; shared nodes are converted once, so the work is that of the graph."""
    if isinstance(value, (list, dict)):
        if id(value) in done:
            return done[id(value)]
        plain: object
        if isinstance(value, list):
            plain = [_plain(each, done) for each in value]
        else:
            plain = {key: _plain(each, done) for key, each in value.items()}
        done[id(value)] = plain
        return plain
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return 0 if value == 0 else value
    if isinstance(value, datetime | JSDate):
        return iso_text(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return None if value is UNDEFINED else int(value) if isinstance(value, BigInt) else value


MODULE: Final = HostModule(
    host_id=HostId("yaml"),
    exports=(
        HostExport(name="load", function=load, sync=True, shared=True),
        HostExport(name="loadAll", function=load_all, sync=True, shared=True),
        HostExport(name="dump", function=dump, sync=True, shared=True),
        HostExport(name="toJson", function=to_json, sync=True),
    ),
)
