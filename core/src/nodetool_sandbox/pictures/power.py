"""The powers `image` and `canvas`, and what becomes of them in one run: messages that go to its worker."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Final

from nodetool_sandbox_registry import HostTableEntry

from nodetool_sandbox.bridges.power import Bridge, RunView
from nodetool_sandbox.host_calls import Answer, Done, HostCall
from nodetool_sandbox.marshal import to_guest
from nodetool_sandbox.pictures.caps import WORKING_BYTES
from nodetool_sandbox.workers.run_worker import RunWorker, WorkerKind

_TABLE: Final = HostTableEntry(version="0", module="nodetool_sandbox.pictures.table", attribute="TABLE")

FONT_PACKAGES: Final = ("fontpkg_arimo", "fontpkg_source_serif_4", "fontpkg_roboto_mono")

IMAGE_CALLS: Final = (
    "adjust blank bytes composite convert crop decode encode flip grid info open pad release resize rotate stats"
).split()
"""What `image.*` asks of the worker."""

IMAGE_CALLS_NOW: Final = ("byteLength",)


class Image:
    """Lets programs read, change and write pictures: `Sandbox(image=Image())`.

    It reaches nothing: bytes in, bytes out. Decoders run in a process that serves one run and is gone with it.

    Raises:
        ImportError: Pillow is not installed; the message names the extra.
    """

    name: ClassVar[str] = "image"

    def __init__(self) -> None:
        _require("Image", "image", ("PIL", "tinycss2"))

    def open(self, run: RunView) -> Bridge:
        """The bridge of one run; its worker starts with the first call."""
        return _Relay("image", run, calls=IMAGE_CALLS, calls_now=IMAGE_CALLS_NOW)


def _require(power: str, extra: str, modules: tuple[str, ...]) -> None:
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise ImportError(
            f"{power}() needs {', '.join(missing)}, which is not installed: pip install 'nodetool-sandbox[{extra}]'"
        )


CANVAS_CALLS: Final = ["render", "measureText"]
CANVAS_CALLS_NOW: Final = ("byteLength", "measure", "pixels")


class Canvas:
    """Lets programs draw: `Sandbox(canvas=Canvas())`.

    It reaches nothing. Text is set in three open families that come with the extra (a sans serif, a serif, a
    monospace), so that it looks the same on every machine.

    Args:
        fonts: further families by name, each a font file of yours.
        system_fonts: whether a program may also use the fonts of this machine, by name.

    Raises:
        ImportError: Skia, Pillow or the fonts are not installed; the message names the extra.
        FileNotFoundError: a font file is not there.
    """

    name: ClassVar[str] = "canvas"

    def __init__(
        self, *, fonts: Mapping[str, str | os.PathLike[str]] | None = None, system_fonts: bool = False
    ) -> None:
        _require("Canvas", "canvas", ("skia", "PIL", "tinycss2", *FONT_PACKAGES))
        self._fonts = {name: os.path.abspath(path) for name, path in (fonts or {}).items()}  # noqa: PTH100 - a link stays
        for path in self._fonts.values():
            if not Path(path).is_file():
                raise FileNotFoundError(f"no font file: {path}")
        self._system_fonts = system_fonts

    def open(self, run: RunView) -> Bridge:
        """The bridge of one run; its worker starts with the first call."""
        return _Relay(
            "canvas",
            run,
            calls=CANVAS_CALLS,
            calls_now=CANVAS_CALLS_NOW,
            fonts=self._fonts,
            system_fonts=self._system_fonts,
        )


class _Relay(Bridge):
    """Hands the messages of one run to its worker, which it shares with the other picture power."""

    def __init__(
        self,
        name: str,
        run: RunView,
        *,
        calls: list[str],
        calls_now: tuple[str, ...],
        fonts: Mapping[str, str] | None = None,
        system_fonts: bool = False,
    ) -> None:
        self._run = run
        opening = _opening_of(run, name)
        opening.fonts.update(fonts or {})
        opening.system_fonts |= system_fonts
        worker = opening.worker
        self._calls: dict[str, Callable[[HostCall, Done], None]] = {
            each: partial(worker.start, name) for each in calls
        }
        self._calls_now: dict[str, Callable[[HostCall], Answer]] = {
            each: partial(worker.ask, name) for each in calls_now
        }

    @property
    def relayed(self) -> Mapping[str, Callable[[HostCall, Done], None]]:
        return self._calls

    @property
    def relayed_now(self) -> Mapping[str, Callable[[HostCall], Answer]]:
        return self._calls_now

    def close(self) -> None:
        with _lock:
            opening = _openings.pop(self._run, None)
        if opening is not None:
            opening.worker.close()


class _Opening:
    """The worker of a run, and what it is told first: by then both powers have said what they bring."""

    def __init__(self, run: RunView, host_id: str) -> None:
        self.fonts: dict[str, str] = {}
        self.system_fonts = False
        self._budget = run.limits.run_media_bytes
        self.worker = RunWorker(
            WorkerKind(
                table=_TABLE,
                memory_bytes=WORKING_BYTES + self._budget,
                warm_up=("run", _call("warm_up", host_id)),
            ),
            self._begin,
            remaining_s=run.remaining_s,
            is_unwanted=run.is_unwanted,
        )

    def _begin(self, number: int) -> tuple[str, HostCall]:
        return "run", _call("begin", self._budget, number, self.fonts, self.system_fonts)


def _call(export: str, *arguments: object) -> HostCall:
    payload = to_guest(list(arguments)).payload
    return HostCall(specifier="run", export=export, payload=payload, refs=False)


_lock: Final = threading.Lock()
_openings: Final[dict[RunView, _Opening]] = {}


def _opening_of(run: RunView, host_id: str) -> _Opening:
    """The one of a run, whichever of the two powers asks first."""
    with _lock:
        if run not in _openings:
            _openings[run] = _Opening(run, host_id)
        return _openings[run]
