"""JSON for values that JSON lacks: each such value is an object whose one key begins with `$`.

The table is in docs/reference/command-line.md. An object of the program that looks like one of these
is wrapped in `$object`, so that nothing has two meanings.
"""

from __future__ import annotations

import base64
import json
import math
from datetime import datetime

from nodetool_sandbox import UNDEFINED, BigInt, JSDate, JSMap, JSSet
from nodetool_sandbox.stacks import printable


def json_form(value: object) -> object:
    """The value as `json.dumps` takes it."""
    match value:
        case JSMap():
            return {"$map": [[json_form(key), json_form(member)] for key, member in value]}
        case JSSet():
            return {"$set": [json_form(member) for member in value]}
        case list() | tuple():
            return [json_form(member) for member in value]
        case dict():
            members = {str(key): json_form(member) for key, member in value.items()}
            return (
                {"$object": members} if len(members) == 1 and next(iter(members)).startswith("$") else members
            )
        case _:
            return _leaf(value)


def _leaf(value: object) -> object:
    match value:
        case BigInt():
            return {"$bigint": str(value)}
        case None | bool() | str() | int():
            return value
        case float():
            return _number(value)
        case bytes():
            return {"$bytes": base64.b64encode(value).decode("ascii")}
        case datetime():
            return {"$date": value.isoformat(timespec="milliseconds").replace("+00:00", "Z")}
        case JSDate(epoch_ms):
            return {"$date": None if math.isnan(epoch_ms) else epoch_ms}
        case _ if value is UNDEFINED:
            return {"$undefined": True}
    message = f"a value of type {type(value).__name__} in a result"
    raise TypeError(message)


def _number(value: float) -> object:
    if math.isfinite(value):
        return {"$number": "-0"} if value == 0 and math.copysign(1, value) < 0 else value
    if math.isnan(value):
        return {"$number": "NaN"}
    return {"$number": "Infinity" if value > 0 else "-Infinity"}


def json_text(document: object) -> str:
    """The document, indented; what would act on a terminal and what no encoding takes is escaped."""
    text = json.dumps(document, indent=2, ensure_ascii=False)
    # JSON itself escapes no more than the first 32 characters.
    return text if printable(text, keep_newlines=True) == text else json.dumps(document, indent=2)
