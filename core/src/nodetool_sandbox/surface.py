"""The names of the guest: what is there, what is reserved for us, what is absent on purpose.

The names that are there are listed here for checks that need no guest; a test compares the list with
`Object.getOwnPropertyNames(globalThis)` inside of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CAPABILITIES: Final = ("console", "crypto", "format", "progress", "sleep")
"""Globals with the host behind them, in every run: they reach nothing of the embedder's."""

HELPERS: Final = (
    "atob",
    "btoa",
    "fromBase64",
    "fromHex",
    "parallelMap",
    "structuredClone",
    "toBase64",
    "toHex",
)
"""Globals that the guest answers by itself."""

WEB: Final = (
    "AbortController",
    "AbortSignal",
    "Intl",
    "TextDecoder",
    "TextEncoder",
    "URL",
    "URLSearchParams",
)
"""Of the web platform, and of ECMA-402."""

LANGUAGE: Final = (
    "AggregateError Array ArrayBuffer AsyncDisposableStack BigInt BigInt64Array BigUint64Array Boolean DataView Date "
    "DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Infinity Int16Array "
    "Int32Array Int8Array InternalError Iterator JSON Map Math NaN Number Object Promise Proxy RangeError "
    "ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError TypeError URIError "
    "Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI decodeURIComponent "
    "encodeURI encodeURIComponent escape globalThis isFinite isNaN parseFloat parseInt queueMicrotask undefined "
    "unescape"
).split()
"""What the engine brings."""

PRIVATE: Final = ("__maxIter",)

GUEST_GLOBALS: Final = frozenset({*CAPABILITIES, *HELPERS, *WEB, *LANGUAGE, *PRIVATE})
"""Every own property of a fresh guest's global object."""

POWERS: Final[Mapping[str, tuple[str, ...]]] = {
    "fetch": ("Blob", "FormData", "fetch"),
    "workspace": ("workspace",),
    "secrets": ("getSecret",),
    "assets": ("assetToSandbox", "sandboxToAsset"),
    "image": ("image",),
    "canvas": ("ImageData", "Path2D", "canvas", "createCanvas"),
}
"""The globals that each power brings: there in a run that was given it. The order is that of the guest's bits."""

HOW_TO_GRANT: Final[Mapping[str, str]] = {
    "fetch": "Sandbox(fetch=Fetch()), or on the command line --allow-net",
    "workspace": "Sandbox(workspace=Workspace(folder)), or on the command line --workspace DIR",
    "secrets": "Sandbox(secrets=...), or on the command line --secret NAME",
    "assets": "Sandbox(assets=Assets(FileAssets(folder)))",
    "image": "Sandbox(image=Image())",
    "canvas": "Sandbox(canvas=Canvas())",
}
"""How an embedder gives each."""

LATER: Final = frozenset("emit media output stream".split())
"""Names of the reference's capabilities that this version lacks; kept free for them."""

ABSENT: Final = frozenset(
    "Buffer Function Headers Request Response clearImmediate clearInterval clearTimeout env eval performance process "
    "setImmediate setInterval setTimeout".split()
)
"""Names that must not be there: a program that reads one gets a ReferenceError."""

RESERVED: Final = GUEST_GLOBALS | {name for names in POWERS.values() for name in names} | LATER | ABSENT
"""What a caller's global cannot be called. Names that begin with two underscores are ours too."""

RESERVED_WORDS: Final = frozenset(
    "arguments await break case catch class const continue debugger default delete do else enum export extends false "
    "finally for function if implements import in instanceof interface let new null package private protected public "
    "return static super switch this throw true try typeof var void while with yield".split()
)
"""Names that no program can read, because the language has them for itself."""
