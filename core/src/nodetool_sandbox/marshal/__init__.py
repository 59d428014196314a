"""Values on the wall: Python to the guest's message and back.

One message is one MessagePack value with extension types (`Ext`). The host side of the wire:

- to the guest, an integer outside of plus or minus `MAX_SAFE_INTEGER` is a BigInt, and so is
  extension 2, whatever its size;
- from the guest the same holds, and a number is an integer on the wire when it is integral, safe
  and not -0, else a float64.

`to_host` is the border. Its bytes come from memory that the guest's program may control, so it
believes no length, no type and no nesting, and ends in a value of plain types or in `MarshalError`.
Messages take one of two ways with the same outcome: plain ones go through msgpack's C code in one
call, the others (maps, sets, references, big ones) through a walk in Python that counts.
"""

from nodetool_sandbox.marshal.output import limit_output, replace_in_place, result_text
from nodetool_sandbox.marshal.reading import Marks, content_bytes, to_host
from nodetool_sandbox.marshal.wire import (
    MAX_BIGINT_BYTES,
    MAX_DATE_MS,
    MAX_DEPTH,
    MAX_GUEST_VALUES,
    MAX_HOST_CONTAINERS,
    MAX_HOST_VALUES,
    Ext,
    FunctionTable,
    GuestMessage,
)
from nodetool_sandbox.marshal.writing import to_guest

__all__ = [
    "MAX_BIGINT_BYTES",
    "MAX_DATE_MS",
    "MAX_DEPTH",
    "MAX_GUEST_VALUES",
    "MAX_HOST_CONTAINERS",
    "MAX_HOST_VALUES",
    "Ext",
    "FunctionTable",
    "GuestMessage",
    "Marks",
    "content_bytes",
    "limit_output",
    "replace_in_place",
    "result_text",
    "to_guest",
    "to_host",
]
