"""C to WebAssembly with the pinned ziglang."""

from __future__ import annotations

import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from guest_build import flags
from guest_build.process import run_module
from guest_build.steps import Say, StepFailedError

UPSTREAM = "upstream"
GUEST = "guest"


def require_toolchain() -> None:
    """Refuses an environment without the pinned compiler and runtime."""
    for name, pinned in (("ziglang", flags.ZIGLANG_VERSION), ("wasmtime", flags.WASMTIME_VERSION)):
        try:
            found = version(name)
        except PackageNotFoundError:
            found = "none"
        if found != pinned:
            raise StepFailedError(
                "check the toolchain",
                what=f"the build needs {name} {pinned}, this environment has {found}",
                now="run `make guest`, or build the wheel with build isolation on (pip's and uv's default)",
            )


def compile_guest(stage: Path, *, zig_cache: Path, say: Say) -> bytes:
    """The linked module's bytes, out of `upstream/` and `guest/` in the stage folder.

    Every path handed to the compiler is relative to the stage, so that no machine's paths reach the output.
    """
    env = {"ZIG_GLOBAL_CACHE_DIR": str(zig_cache), "ZIG_LOCAL_CACHE_DIR": str(zig_cache)}
    units = [f"{GUEST}/{name}" for name in flags.GUEST_UNITS] + [
        f"{UPSTREAM}/{name}" for name in flags.UPSTREAM_UNITS
    ]
    objects: list[str] = []
    for number, unit in enumerate(units, start=1):
        say(f"compiling {unit} ({number} of {len(units)})")
        started = time.monotonic()
        output = f"{Path(unit).stem}.o"
        run_module(
            f"compile {unit}",
            "ziglang",
            [
                "cc",
                *flags.TARGET,
                *flags.COMPILE_FLAGS,
                "-I",
                UPSTREAM,
                "-I",
                GUEST,
                "-c",
                unit,
                "-o",
                output,
            ],
            cwd=stage,
            env=env,
            now="mend the C file, or the flags in core/guest_build/flags.py",
        )
        objects.append(output)
        say(f"compiled {unit} in {time.monotonic() - started:.1f} s")
    say("linking (on a first build this compiles the C library too, about 30 s)")
    run_module(
        "link",
        "ziglang",
        ["cc", *flags.TARGET, *flags.LINK_FLAGS, *objects, "-o", "raw.wasm"],
        cwd=stage,
        env=env,
        now="mend the C files, or the flags in core/guest_build/flags.py",
    )
    return (stage / "raw.wasm").read_bytes()
