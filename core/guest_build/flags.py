"""What is built and how: every pin, every flag, every file name. A change here changes the image's digest."""

from __future__ import annotations

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB

# The engine. The sdist carries quickjs-ng's own C files in one folder; nothing else of it is used.
SOURCE_PACKAGE: Final = "quickjs-ng"
SOURCE_VERSION: Final = "0.17.0.2"
SOURCE_SHA256: Final = "43d2e48272208721a7aaea8e3f02d4b9318f12ef20cc4f5421b59d9a470706ef"
SOURCE_FOLDER: Final = "quickjs_ng-0.17.0.2/upstream-quickjs"

# The compiler, and the runtime that the prelude is evaluated under once.
ZIGLANG_VERSION: Final = "0.17.1"
WASMTIME_VERSION: Final = "50.0.1"

# shim.c includes quickjs.c (it needs the engine's internals), so the engine is no unit of its own.
GUEST_UNITS: Final = ("shim.c",)
UPSTREAM_UNITS: Final = ("dtoa.c", "libregexp.c", "libunicode.c")
# Evaluated in this order; base.js first, because it leaves the others what they share.
PRELUDE_FILES: Final = (
    "prelude/base.js",
    "prelude/abort.js",
    "prelude/base64.js",
    "prelude/crypto.js",
    "prelude/intl.js",
    "prelude/url.js",
    "prelude/secrets.js",
    "prelude/fetch.js",
    "prelude/image.js",
    "prelude/canvas.js",
    "prelude/workspace.js",
    "prelude/assets.js",
)

# The C stack inside linear memory. It lies below all data (the linker's default order, checked by the
# bake), so an overflow traps at address 0 instead of writing over the heap.
SHADOW_STACK_BYTES: Final = 12 * MIB

TARGET: Final = ("-target", "wasm32-wasi")
COMPILE_FLAGS: Final = (
    "-O3",
    "-D_GNU_SOURCE",
    "-DNDEBUG",  # assert() would pull in stdio and the names of source files
    "-fno-ident",
)
LINK_FLAGS: Final = (
    "-O3",
    "-mexec-model=reactor",
    f"-Wl,-z,stack-size={SHADOW_STACK_BYTES}",
    "-s",
)

# The one module that the guest may import from; no WASI function is linked.
IMPORT_MODULE: Final = "sandbox"
# Imports that answer (with zero) while the prelude is evaluated; every other one ends the bake.
BAKE_IMPORTS: Final = frozenset({"clock", "random"})
# Exports that only the bake calls; gone from the image.
ALLOC_EXPORT: Final = "sb_alloc"
BAKE_EXPORT: Final = "sb_bake"
INITIALIZE_EXPORT: Final = "_initialize"
DROPPED_EXPORTS: Final = frozenset({BAKE_EXPORT, INITIALIZE_EXPORT})

# A run of zeros shorter than this stays inside its data segment: a segment of its own costs about as much.
MIN_GAP_BYTES: Final = 64
