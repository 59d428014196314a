"""pack.toml: which modules a pack offers, and which of its files they are made of.

    api_version = 1
    internal = ["js/scale.js"]

    [[modules]]
    name = "."
    kind = "js"
    file = "js/index.js"

    [[modules]]
    name = "dates"
    kind = "js"
    npm = "date-fns"

    [[modules]]
    name = "engine"
    kind = "host"
    host = "yaml"
    internal = true

    [[modules]]
    name = "hash"
    kind = "wasm"
    file = "hash.wasm"
    memory_pages_max = 16
    exports = ["hash", { wasm = "hash_seeded", as = "hashSeeded" }]

Past `PackManifest.parse` nobody sees a dict. The camelCase spellings of the same fields are read
too (`apiVersion`, `sandboxModules`, `memoryPagesMax`, ...), so a manifest can be carried over
from a package.json field by field.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Self, TypeVar

from nodetool_sandbox_registry.compiled import bundle_place
from nodetool_sandbox_registry.fields import (
    ManifestError,
    Table,
    boolean,
    integer,
    integer_within,
    parse_text,
    parse_toml,
    shown_integer,
    string,
)
from nodetool_sandbox_registry.hosts import HostId
from nodetool_sandbox_registry.names import InvalidNameError, parse_host_id, parse_module_name
from nodetool_sandbox_registry.texts import quoted

API_VERSION: Final = 1

MAX_PACK_FILES: Final = 256
"""The most modules and internal files that one pack declares, together."""

MAX_PATH_CHARS: Final = 240
"""The longest path of a file within a pack."""

MAX_NPM_NAME_CHARS: Final = 214
"""The longest name that the npm registry takes."""

MAX_MEMORY_PAGES: Final = 4096
MAX_WASM_EXPORTS: Final = 1024

MAX_WASM_LIMITS: Final[Mapping[str, int]] = MappingProxyType(
    {"call_timeout_ms": 5_000, "call_concurrency": 2, "calls_per_invocation": 256, "wall_clock_ms": 30_000}
)
"""What a pack may ask for its WebAssembly at most; more is refused, not cut."""

RESERVED_WORDS: Final = frozenset(
    [
        "arguments",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "debugger",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "eval",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "function",
        "if",
        "implements",
        "import",
        "in",
        "instanceof",
        "interface",
        "let",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "typeof",
        "var",
        "void",
        "while",
        "with",
        "yield",
    ]
)
"""Words of JavaScript that cannot name an export of a module."""

_CAMEL_CASE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "apiVersion": "api_version",
        "sandboxModules": "modules",
        "memoryPagesMax": "memory_pages_max",
        "callTimeoutMs": "call_timeout_ms",
        "callConcurrency": "call_concurrency",
        "callsPerInvocation": "calls_per_invocation",
        "wallClockMs": "wall_clock_ms",
    }
)
# Fields of a package.json's `nodetool` that other readers own.
_FIELDS_OF_OTHERS: Final = frozenset({"register", "nodes", "recommended"})

_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_NPM_NAME = re.compile(r"(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*")
_CODED_PATH = re.compile(r"%(?:2e|2f|5c)", re.IGNORECASE)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class JsEntry:
    """A module that is a JavaScript file of the pack."""

    name: str
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NpmEntry:
    """A module that is an npm library, compiled into the file at `place` before the pack is published."""

    name: str
    npm: str
    bundle: str | None

    @property
    def place(self) -> str:
        """Where the compiled file lies: at `bundle`, or where the compiler puts it by itself."""
        return self.bundle or bundle_place(self.npm)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostEntry:
    """A module whose functions the host has. An internal one is for the pack's own JavaScript alone."""

    name: str
    host_id: HostId
    internal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WasmExport:
    """A function of a WebAssembly module and the name that JavaScript gets it under."""

    wasm: str
    alias: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WasmLimits:
    """What a pack asks for its own WebAssembly calls; None where it asks for nothing."""

    call_timeout_ms: int | None = None
    call_concurrency: int | None = None
    calls_per_invocation: int | None = None
    wall_clock_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WasmEntry:
    """A module that is WebAssembly with scalar signatures."""

    name: str
    file: str
    memory_pages_max: int
    exports: tuple[WasmExport, ...]
    limits: WasmLimits


Entry = JsEntry | NpmEntry | HostEntry | WasmEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class PackManifest:
    """What a pack.toml says, in the order in which it says it."""

    modules: tuple[Entry, ...]
    internal: tuple[str, ...]

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """The manifest in these bytes.

        Raises:
            ManifestError: too big (checked before anything is parsed), not TOML in UTF-8, another
                `api_version`, an unknown field, or a value or combination that the contract excludes.
        """
        root = _table(parse_toml(parse_text(data)), at="")
        root.forget(_FIELDS_OF_OTHERS)
        version = root.optional("api_version", integer)
        if version not in (None, API_VERSION):
            message = f"this version reads api_version {API_VERSION}, not {shown_integer(version)}"
            raise ManifestError(message, at="api_version")
        modules = tuple(_parse_entry(value, at=at) for at, value in root.items("modules", required=True))
        internal = tuple(_script(value, at) for at, value in root.items("internal", required=False))
        root.require_empty()
        manifest = cls(modules=modules, internal=internal)
        _check_whole(manifest)
        return manifest


def shown_files(entry: Entry) -> tuple[str, ...]:
    """The places in the pack's folder that an entry takes: a file's path, or an internal host's name."""
    if isinstance(entry, HostEntry):
        return (entry.name,) if entry.internal else ()
    if isinstance(entry, NpmEntry):
        return (entry.place,)
    return (entry.file,)


def _table(value: object, *, at: str) -> Table:
    return Table.parse(value, at=at, spellings=_CAMEL_CASE)


def _named(parse: Callable[[str], _T]) -> Callable[[object, str], _T]:
    def read(value: object, at: str) -> _T:
        try:
            return parse(string(value, at))
        except InvalidNameError as error:
            raise ManifestError(str(error), at=at) from None

    return read


def _file(value: object, at: str) -> str:
    text = string(value, at)
    reason = _refuse_path(text)
    if reason:
        message = f"{quoted(text)} is not a file of the pack: {reason}"
        raise ManifestError(message, at=at)
    return "/".join(part for part in text.split("/") if part != ".")


def _refuse_path(text: str) -> str:
    """Why a text is no path within a pack, on any operating system; empty when it is one."""
    parts = text.split("/")
    reasons = {
        "it is empty": not text,
        f"it is longer than {MAX_PATH_CHARS} characters": len(text) > MAX_PATH_CHARS,
        "it is absolute": text.startswith("/"),
        "it leaves the pack": ".." in parts,
        'folders are separated by "/"': "\\" in text,
        "it holds a character that is not shown": not text.isprintable(),
        "it holds a coded separator": _CODED_PATH.search(text) is not None,
        'it holds a ":"': ":" in text,
        "it names a folder": parts[-1] in {"", "."},
        "it has an empty part": "" in parts,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _script(value: object, at: str) -> str:
    file = _file(value, at)
    if not file.endswith(".js"):
        message = f'{quoted(file)} must end with ".js"'
        raise ManifestError(message, at=at)
    return file


def is_npm_name(text: str) -> bool:
    """Whether an npm package can be called this."""
    return len(text) <= MAX_NPM_NAME_CHARS and _NPM_NAME.fullmatch(text) is not None


def _npm_name(value: object, at: str) -> str:
    text = string(value, at)
    if not is_npm_name(text):
        message = f"{quoted(text)} is not the name of an npm package"
        raise ManifestError(message, at=at)
    return text


def _identifier(value: object, at: str) -> str:
    text = string(value, at)
    if _IDENTIFIER.fullmatch(text) is None or text in RESERVED_WORDS:
        message = f"{quoted(text)} cannot name an export"
        raise ManifestError(message, at=at)
    return text


def _parse_entry(value: object, *, at: str) -> Entry:
    table = _table(value, at=at)
    kind = table.required("kind", string)
    parse = _ENTRY_KINDS.get(kind)
    if parse is None:
        message = f"{quoted(kind)} is not a kind of module (js, host or wasm)"
        raise ManifestError(message, at=f"{at}.kind")
    entry = parse(table, at)
    table.require_empty()
    return entry


def _parse_js(table: Table, at: str) -> JsEntry | NpmEntry:
    name = table.required("name", _named(parse_module_name))
    if table.has("file") == table.has("npm"):
        message = "a JS module must declare exactly one of file or npm"
        raise ManifestError(message, at=at)
    if table.has("file"):
        return JsEntry(name=name, file=table.required("file", _script))
    return NpmEntry(name=name, npm=table.required("npm", _npm_name), bundle=table.optional("bundle", _script))


def _parse_host(table: Table, at: str) -> HostEntry:
    entry = HostEntry(
        name=table.required("name", _named(parse_module_name)),
        host_id=table.required("host", _named(parse_host_id)),
        internal=table.optional("internal", boolean) or False,
    )
    if entry.internal and entry.name == ".":
        message = "an internal module needs a name, by which the pack's own files import it"
        raise ManifestError(message, at=f"{at}.name")
    return entry


def _parse_wasm(table: Table, at: str) -> WasmEntry:
    name = table.required("name", _named(parse_module_name))
    file = table.required("file", _file)
    pages = table.required("memory_pages_max", integer_within(0, MAX_MEMORY_PAGES))
    items = table.items("exports", required=True)
    if len(items) > MAX_WASM_EXPORTS:
        message = f"{len(items):,} exports, above the cap of {MAX_WASM_EXPORTS:,}"
        raise ManifestError(message, at=f"{at}.exports")
    exports = tuple(_parse_wasm_export(value, at=place) for place, value in items)
    _refuse_duplicates((each.wasm for each in exports), what="WebAssembly export", at=f"{at}.exports")
    _refuse_duplicates((each.alias for each in exports), what="export", at=f"{at}.exports")
    limits = table.optional("limits", _wasm_limits) or WasmLimits()
    return WasmEntry(name=name, file=file, memory_pages_max=pages, exports=exports, limits=limits)


def _parse_wasm_export(value: object, *, at: str) -> WasmExport:
    if isinstance(value, str):
        name = _identifier(value, at)
        return WasmExport(wasm=name, alias=name)
    table = _table(value, at=at)
    export = WasmExport(wasm=table.required("wasm", string), alias=table.required("as", _identifier))
    table.require_empty()
    return export


def _wasm_limits(value: object, at: str) -> WasmLimits:
    table = _table(value, at=at)
    asked = {name: table.optional(name, integer_within(1, most)) for name, most in MAX_WASM_LIMITS.items()}
    table.require_empty()
    return WasmLimits(**asked)


_ENTRY_KINDS: Final[Mapping[str, Callable[[Table, str], Entry]]] = MappingProxyType(
    {"js": _parse_js, "host": _parse_host, "wasm": _parse_wasm}
)


def _check_whole(manifest: PackManifest) -> None:
    count = len(manifest.modules) + len(manifest.internal)
    if count > MAX_PACK_FILES:
        message = f"{count:,} modules and internal files, above the cap of {MAX_PACK_FILES:,}"
        raise ManifestError(message)
    modules = manifest.modules
    _refuse_duplicates((each.name for each in modules), what="module", at="modules", fold=_folded)
    _refuse_duplicates((e.host_id for e in modules if isinstance(e, HostEntry)), what="host id", at="modules")
    _refuse_duplicates((e.npm for e in modules if isinstance(e, NpmEntry)), what="npm library", at="modules")
    files = [file for entry in modules for file in shown_files(entry)]
    _refuse_duplicates(files, what="file", at="modules", fold=_folded)
    _refuse_duplicates(manifest.internal, what="internal file", at="internal", fold=_folded)
    public = {_folded(file) for file in files}
    for index, file in enumerate(manifest.internal):
        if _folded(file) in public:
            message = f"{quoted(file)} is the file of a module too"
            raise ManifestError(message, at=f"internal[{index}]")


def _refuse_duplicates(names: Iterable[str], *, what: str, at: str, fold: Callable[[str], str] = str) -> None:
    seen: dict[str, str] = {}
    for name in names:
        earlier = seen.get(fold(name))
        if earlier is not None:
            again = (
                "twice" if earlier == name else f"beside {quoted(earlier)}, its twin where case is ignored"
            )
            message = f"the {what} {quoted(name)} is declared {again}"
            raise ManifestError(message, at=at)
        seen[fold(name)] = name


def _folded(name: str) -> str:
    # As a file system without case does it, so that a pack is one and the same on every system.
    return unicodedata.normalize("NFC", name).casefold()
