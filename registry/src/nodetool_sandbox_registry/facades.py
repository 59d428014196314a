"""The JavaScript in front of what runs elsewhere: a host module's functions, a WebAssembly module's exports."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from nodetool_sandbox_registry.names import Specifier
from nodetool_sandbox_registry.pins import Pin, PinnedExport

HOST_BRIDGE: Final = "nodetool:host-bridge"
"""The module with `bind`, which facades alone may import."""

HOST_FACADE_VERSION: Final = 2
"""Part of the digest of every host module: raise it when the text below changes."""

WASM_BRIDGE: Final = "nodetool:wasm-bridge"
"""The same for the facades of WebAssembly modules."""

WASM_FACADE_VERSION: Final = 1
"""Part of the digest of every WebAssembly module, as is the text itself."""

BIND_SYNC: Final = 1
BIND_SHARED: Final = 2
BIND_WASM: Final = 4


def build_host_facade(specifier: Specifier, pin: Pin) -> str:
    """The module text. `specifier` is the key under which the dispatcher knows the host module.

    `bind(key, name, flags)` gives a native function: what a program does to iterators or to
    `Function.prototype` changes no argument on its way.
    """
    names = ", ".join(export.name for export in pin.exports)
    return "\n".join(
        [
            f'import {{ bind }} from "{HOST_BRIDGE}";',
            *(_function(specifier, export) for export in pin.exports),
            f"export default Object.freeze({{ {names} }});",
            "",
        ]
    )


def _function(specifier: Specifier, export: PinnedExport) -> str:
    flags = BIND_SYNC * export.sync + BIND_SHARED * export.shared
    return f'export const {export.name} = bind({json.dumps(specifier)}, "{export.name}", {flags});'


def build_wasm_facade(specifier: Specifier, aliases: Iterable[str]) -> str:
    """The module text: one asynchronous function per export, and no default export.

    An alias is any identifier, so none is declared here: each is exported under its name alone.
    """
    lines = [f'import {{ bind }} from "{WASM_BRIDGE}";']
    for number, alias in enumerate(aliases):
        lines.append(f'const call{number} = bind({json.dumps(specifier)}, "{alias}", {BIND_WASM});')
        lines.append(f"export {{ call{number} as {alias} }};")
    return "\n".join([*lines, ""])
