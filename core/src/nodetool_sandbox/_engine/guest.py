"""One guest: a store, an instance of the baked image, and the few verbs that the rest of core uses.

    with Guest.boot(words, events) as guest:
        status = guest.run(source, globals_payload, names_payload)
        status = guest.settle(replies)

Every call into the guest belongs on a thread of `threads.py`, one at a time. Everything that comes
out of it is untrusted, lengths and addresses too.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import logging
import os
import struct
import threading
from collections import deque
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, Protocol, Self, cast

from nodetool_sandbox._engine import capi
from nodetool_sandbox._engine.image import Image, load_image
from nodetool_sandbox._engine.preloaded import WASM_PAGE_BYTES, Preloaded
from nodetool_sandbox._engine.shared import SHADOW_STACK_BYTES, Post, SharedWords, Status, Stop
from nodetool_sandbox._engine.ticker import TICK_S
from nodetool_sandbox._engine.warm_pages import WarmPages
from nodetool_sandbox.errors import EngineUnavailable, InternalError

_log = logging.getLogger(__name__)

GRACE_TICKS: Final = 5
"""Ticks that a stopped guest may see while it unwinds by itself; at the next one its instance is ended.

Counted in ticks that it saw and not in time: a thread that the machine starves is not a guest that
refuses to stop."""

MEMORY_OVERHEAD_BYTES: Final = 32 * 1024 * 1024
"""Linear memory beside the heap cap: the shadow stack, the image, and what the allocator cannot use."""

MAX_RANDOM_BYTES: Final = 65536

SMALL_HEAP_BYTES: Final = 1024 * 1024
"""A program that held more tells nothing about which pages every program writes to; the image holds about half."""

MAX_SPARES: Final = 2
"""Guests that are ready for runs to come: one for the next, and one for the run that comes before it is replaced."""

_REPLY_HEADER: Final = struct.Struct("<IBBI")
_SECTION: Final = struct.Struct("<I")


class GuestEnded(Exception):
    """The instance was ended from outside and is good for nothing more. `stack` says that native stack ran out."""

    def __init__(self, *, stack: bool = False, detail: str = "") -> None:
        super().__init__(detail)
        self.stack = stack


class NoRoom(Exception):
    """The guest has no memory for a message. Nothing of it was taken, and the guest goes on."""


class GuestEvents(Protocol):
    """What a guest asks of its host while it computes. None of these may take long; all run on its thread."""

    def on_post(self, kind: int, message: bytes) -> None:
        """Logs, progress or an asynchronous call were handed out."""

    def on_call(self, message: bytes) -> bytes:
        """The reply to a synchronous call."""

    def on_normalize(self, base: bytes, name: bytes) -> tuple[bool, bytes]:
        """Whether the name resolves, and its id or the refusal."""

    def on_load(self, module_id: bytes) -> bytes | None:
        """A module's source."""

    def on_clock(self) -> float:
        """Milliseconds since 1970-01-01 UTC."""

    def on_random(self, count: int) -> bytes:
        """That many random bytes."""

    def stop_reason(self) -> Stop:
        """Whether the guest must stop now, and why. Asked at every tick."""


class Reply:
    """One settled call, as the guest reads it."""

    __slots__ = ("bytes", "call_id")

    def __init__(self, call_id: int, payload: bytes, *, failed: bool = False, refs: bool = False) -> None:
        self.call_id = call_id
        self.bytes = _REPLY_HEADER.pack(call_id, failed, refs, len(payload)) + payload


_guests: dict[int, Guest] = {}
_numbers = itertools.count(1)
_word = ctypes.c_uint32.from_address
_signed = ctypes.c_int32.from_address
_double = ctypes.c_double.from_address


def _guest_of(caller: int) -> Guest:
    return _guests[capi.context_get_data(capi.caller_context(caller))]


def _import(function: Any) -> Any:
    """The function as an import: whatever it raises ends this instance and nothing else."""

    def guarded(_env: int, caller: int, words: int, _count: int) -> int:
        try:
            guest = _guest_of(caller)
            try:
                function(guest, words)
            except BaseException as cause:  # noqa: BLE001 - an exception through wasm ends the process
                guest.fault = cause
                return int(capi.error_new(b"the host ended this instance"))
        except BaseException:  # noqa: BLE001 - see above; here not even the guest is known
            return int(capi.error_new(b"an import was called by nobody"))
        return 0

    return capi.HostCallback(guarded)


def _post(guest: Guest, words: int) -> None:
    kind = _word(words).value
    guest.events.on_post(kind, guest.read(_word(words + 16).value, _word(words + 32).value))


def _call(guest: Guest, words: int) -> None:
    address, length = _word(words).value, _word(words + 16).value
    if length:
        guest.kept = guest.events.on_call(guest.read(address, length))
    guest.answer(words, _word(words + 32).value, _word(words + 48).value)


def _load(guest: Guest, words: int) -> None:
    address, length = _word(words).value, _word(words + 16).value
    if length:
        source = guest.events.on_load(guest.read(address, length))
        if source is None:
            _signed(words).value = -1
            return
        guest.kept = source
    guest.answer(words, _word(words + 32).value, _word(words + 48).value)


def _normalize(guest: Guest, words: int) -> None:
    base = guest.read(_word(words).value, _word(words + 16).value)
    name = guest.read(_word(words + 32).value, _word(words + 48).value)
    resolved, text = guest.events.on_normalize(base, name)
    room = _word(words + 80).value
    if resolved and len(text) > room:
        resolved, text = False, b"the id of a module is too long"
    text = text[:room]
    guest.write(_word(words + 64).value, text)
    _signed(words).value = len(text) if resolved else -len(text)


def _clock(guest: Guest, words: int) -> None:
    _double(words).value = guest.events.on_clock()


def _random(guest: Guest, words: int) -> None:
    count = _word(words + 16).value
    if count > MAX_RANDOM_BYTES:
        raise InternalError("the guest asks for more random bytes than its own code does")
    guest.write(_word(words).value, guest.events.on_random(count))


def _tick(context: int, _data: int, delta: int, kind: int) -> int:
    """At each tick, on the guest's thread: time goes on, and the stop flag is set or the instance ended."""
    try:
        guest = _guests[capi.context_get_data(context)]
        ctypes.c_uint64.from_address(delta).value = 1
        ctypes.c_uint8.from_address(kind).value = capi.UPDATE_DEADLINE_CONTINUE
        words = guest.words
        words.tick = words.flush = 1
        reason = guest.stop_asked or guest.events.stop_reason()
        if reason:
            guest.stop_asked = reason
            # written again each time: guest code with a hole could have cleared it
            words.stop = reason
        if words.stop:  # asked for here, or the guest itself counted to its last step
            guest.grace_ticks -= 1
            if guest.grace_ticks < 0:
                return int(capi.error_new(b"the guest did not stop by itself"))
    except BaseException:  # noqa: BLE001 - an exception through wasm ends the process
        return int(capi.error_new(b"a tick failed"))
    return 0


# Kept for the life of the process: wasmtime holds their addresses.
_CALLBACKS: Final = {
    "post": _import(_post),
    "call": _import(_call),
    "normalize": _import(_normalize),
    "load": _import(_load),
    "clock": _import(_clock),
    "random": _import(_random),
}
_ON_TICK: Final = capi.EpochCallback(_tick)

_NOBODY: Final = cast("GuestEvents", None)
"""Whom a guest tells before it has a run. Nobody can enter it so early."""

_spares: deque[Guest] = deque()
_warm_pages: Final = WarmPages()

_image: Image | None = None
_shared_address = 0
_image_lock = threading.Lock()


def image() -> Image:
    """The image of this process, loaded at the first call.

    Raises:
        EngineUnavailable: it cannot be had; the message says why.
    """
    global _image, _shared_address  # noqa: PLW0603 - once a process
    if _image is None:
        with _image_lock:
            if _image is None:
                loaded = load_image(_CALLBACKS)
                _shared_address = _find_shared(loaded)
                _image = loaded
    return _image


def _find_shared(loaded: Image) -> int:
    store = capi.store_new(loaded.engine_address, None, None)
    try:
        context = capi.store_context(store)
        capi.set_epoch_deadline(context, 2**40)
        instance = _instantiate(loaded, context)
        raw = (capi.RawValue * 1)()
        _enter(context, _export(context, instance, b"sb_shared").of.func, raw)
        return int(raw[0].i32)
    finally:
        capi.store_delete(store)


@lru_cache(maxsize=1)
def _image_data(loaded: Image) -> bytes:
    """What the memory of a guest holds above the C stack before anybody has entered it."""
    store = capi.store_new(loaded.engine_address, None, None)
    try:
        context = capi.store_context(store)
        memory = _export(context, _instantiate(loaded, context), b"memory").of.memory
        address = ctypes.addressof(memory)
        size = capi.memory_data_size(context, address)
        if size < SHADOW_STACK_BYTES:
            raise InternalError("the image has no data above its stack")
        return ctypes.string_at(
            capi.memory_data(context, address) + SHADOW_STACK_BYTES, size - SHADOW_STACK_BYTES
        )
    finally:
        capi.store_delete(store)


def _instantiate(loaded: Image, context: int, *, aside: bool = False) -> Any:
    instance = capi.Instance()
    trap = ctypes.c_void_p()
    instantiate = capi.instance_pre_instantiate_aside if aside else capi.instance_pre_instantiate
    error = instantiate(loaded.instance_pre, context, ctypes.addressof(instance), ctypes.addressof(trap))
    if error:
        raise EngineUnavailable(f"no guest can be made: {capi.take_error(error)}")
    if trap.value:
        capi.trap_delete(trap)
        raise EngineUnavailable("no guest can be made: the image traps at its start")
    return instance


def _export(context: int, instance: Any, name: bytes) -> Any:
    item = capi.Extern()
    if not capi.instance_export_get(
        context, ctypes.addressof(instance), name, len(name), ctypes.addressof(item)
    ):
        raise InternalError(f"the guest image has no export {name.decode()}")
    return item


def _enter(context: int, func: Any, raw: Any) -> None:
    trap = ctypes.c_void_p()
    error = capi.func_call(
        context, ctypes.addressof(func), ctypes.addressof(raw), len(raw), ctypes.addressof(trap)
    )
    if error:
        raise GuestEnded(detail=capi.take_error(error))
    if trap.value:
        code = capi.take_trap_code(trap.value)
        raise GuestEnded(stack=code == capi.TRAP_STACK_OVERFLOW, detail=f"trap {code}")


def _take_spare() -> Guest | None:
    """A guest that stands ready, made from the image that the process now has."""
    while True:
        try:
            guest = _spares.pop()
        except IndexError:
            return None
        if guest.is_of(image()):
            return guest
        guest.close()


class Guest:
    """A running copy of the image. Close it, or use it in a `with`."""

    def __init__(self, store: int, number: int) -> None:
        self.events = _NOBODY
        self.fault: BaseException | None = None
        self.kept: bytes = b""
        self.stop_asked: Stop = Stop.NONE
        self.grace_ticks = GRACE_TICKS
        self._image: Image | None = None
        self._shared = 0
        self._store = store
        self._number = number
        self._context = capi.store_context(store)
        self._raw = (capi.RawValue * 3)()
        self._base = 0
        self._memory: Any = None
        self._instance: Any = None
        self._functions: dict[bytes, Any] = {}
        self._outcome: bytes | None = None
        self._closing = threading.Lock()
        self.words = SharedWords()

    @classmethod
    def boot(
        cls, words: bytes, heap_bytes: int, events: GuestEvents, preloaded: Preloaded | None = None
    ) -> Guest:
        """A fresh guest with its limits set: `words` come from `pack_host_words`.

        Modules that are `preloaded` need not be loaded any more.

        Raises:
            EngineUnavailable: no instance can be made, for want of address space most likely.
        """
        guest = _take_spare() or cls.make()
        guest.events = events
        try:
            guest.begin(words, heap_bytes, preloaded)
        except BaseException:
            guest.close()
            raise
        return guest

    def begin(self, words: bytes, heap_bytes: int, preloaded: Preloaded | None) -> None:
        """What `boot` does with a guest that nobody has entered."""
        _guests[self._number] = self
        capi.store_limiter(self._store, heap_bytes + MEMORY_OVERHEAD_BYTES, -1, 1, -1, 1)
        capi.set_epoch_deadline(self._context, 1)
        if preloaded is not None:
            self._take(preloaded)
        self.write(self._shared, words)

    @classmethod
    def make(cls, *, aside: bool = False) -> Self:
        """A guest that nobody has entered, and that has no limits yet. `aside` lets others compute meanwhile."""
        loaded = image()
        number = next(_numbers)
        store = capi.store_new(loaded.engine_address, number, None)
        guest = cls(store, number)
        guest._image, guest._shared = loaded, _shared_address
        try:
            capi.store_epoch_deadline_callback(store, _ON_TICK, None, None)
            guest._instance = _instantiate(loaded, guest._context, aside=aside)
            guest._memory = _export(guest._context, guest._instance, b"memory").of.memory
            guest._base = capi.memory_data(guest._context, ctypes.addressof(guest._memory))
            guest.words = SharedWords.from_address(guest._base + guest._shared)
        except BaseException:
            guest.close()
            raise
        return guest

    @classmethod
    def make_spare(cls) -> None:
        """Have a guest ready for a run to come. It is as fresh as any: nobody has entered it.

        For a thread that has nothing more to do for its own run. That no guest can be made now is
        the next run's affair.
        """
        if len(_spares) >= MAX_SPARES:
            return
        with contextlib.suppress(EngineUnavailable):
            guest = cls.make(aside=True)
            guest.warm_up()
            _spares.append(guest)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def is_of(self, loaded: Image) -> bool:
        """Whether it was made from this image."""
        return self._image is loaded

    def warm_up(self) -> None:
        """Have the pages ready that a program will write to."""
        _warm_pages.populate(self._base)

    def freeze(self) -> None:
        """Take what can still be asked of a guest that will compute no more, so that it may be closed.

        Before the words and the outcome are read by another thread: their memory goes with the guest.
        """
        if self._base:
            if self._outcome is None:
                with contextlib.suppress(InternalError):  # the guest lies about where it is: there is none
                    self._outcome = self.read(self.words.out_ptr, self.words.out_len)
            self.words = SharedWords.from_buffer_copy(self.words)

    def close(self) -> None:
        """Give everything back. Never while the guest computes; from any thread, any number of times."""
        with self._closing:
            store, self._store = self._store, 0
        if store:
            _guests.pop(self._number, None)
            self.freeze()
            if self._functions and not _warm_pages.is_learned and self.words.heap_peak < SMALL_HEAP_BYTES:
                # the guests to come have the pages ready that this one has written to
                with contextlib.suppress(InternalError, EngineUnavailable):
                    _warm_pages.learn(_image_data(self._image), self._data())
            self._base = 0
            capi.store_delete(store)

    def run(
        self, source: bytes, caller_globals: bytes, names: bytes, *, refs: bool = False, lines_above: int = 0
    ) -> Status:
        """Start the program and go on until nothing can move without the host.

        Args:
            source: the entry module, UTF-8.
            caller_globals: one message: an object of what becomes global.
            names: one message: the list of globals that go back, or nothing.
            refs: references occur in `caller_globals`.
            lines_above: how many lines of the source stand above line 1 of the program.

        Raises:
            GuestEnded: the instance was ended.
            NoRoom: the program and its globals do not fit into the guest's memory.
        """
        parts = []
        for part in (source + b"\0", caller_globals, names):
            parts += [_SECTION.pack(len(part)), part]
        return self._compute(b"sb_run", b"".join(parts), int(refs) | lines_above << 8)

    def preload(self, ids: Iterable[str]) -> bool:
        """Compile modules with all that they import; whether that went well.

        Raises:
            GuestEnded: the instance was ended.
        """
        message = b"".join(each.encode() + b"\0" for each in ids)
        return self._send(b"sb_preload", message) == 0

    def difference(self) -> Preloaded:
        """What memory holds now, where it is not what the image holds.

        Raises:
            InternalError: it has shrunk, which no memory can.
        """
        # the host's own words (its ticks are among them), which each run is given anew
        self.write(self._shared, bytes(SharedWords.calls.offset))
        return Preloaded.between(_image_data(self._image), self._data())

    def _data(self) -> bytes:
        size = capi.memory_data_size(self._context, ctypes.addressof(self._memory))
        return self.read(SHADOW_STACK_BYTES, size - SHADOW_STACK_BYTES)

    def _take(self, preloaded: Preloaded) -> None:
        size = capi.memory_data_size(self._context, ctypes.addressof(self._memory))
        if preloaded.memory_bytes > size:
            before = ctypes.c_uint64()
            more = (preloaded.memory_bytes - size) // WASM_PAGE_BYTES
            error = capi.memory_grow(
                self._context, ctypes.addressof(self._memory), more, ctypes.addressof(before)
            )
            if error:
                raise EngineUnavailable(f"a guest's memory cannot grow: {capi.take_error(error)}")
        for start, content in preloaded.pieces:
            self.write(start, content)

    def settle(self, replies: Iterable[Reply]) -> Status:
        """Bring replies and go on, as `run` does.

        Raises:
            GuestEnded: the instance was ended.
            NoRoom: all of them together do not fit into the guest's memory; none was brought.
        """
        return self._compute(b"sb_settle", b"".join(reply.bytes for reply in replies))

    def stop(self, reason: Stop) -> None:
        """Ask for a stop from any thread; the guest notices at its next tick."""
        if not self.stop_asked:
            self.stop_asked = reason

    def _compute(self, export: bytes, message: bytes, *more: int) -> Status:
        status = self._send(export, message, *more)
        try:
            return Status(status)
        except ValueError:
            raise GuestEnded(detail=f"status {status}") from None

    def _send(self, export: bytes, message: bytes, *more: int) -> int:
        if not self._store:
            raise GuestEnded(detail="the guest is closed")
        ticker = image().ticker
        ticker.enter()
        try:
            words = self.words
            words.tick = 1
            if len(message) <= words.inbox_len:
                address = words.inbox_ptr
            else:
                address = self._enter(b"sb_alloc", len(message))
                if not address:
                    words.heap_exhausted = 0  # whoever asked decides whether that is the end
                    raise NoRoom
            try:
                self.write(address, message)
            except InternalError as lie:  # the guest named a place for it that it does not have
                raise GuestEnded(detail=str(lie)) from None
            return self._enter(export, address, len(message), *more)
        finally:
            ticker.leave()

    def _enter(self, export: bytes, *arguments: int) -> int:
        function = self._functions.get(export)
        if function is None:  # looked up when it is first called: most guests are entered once
            function = self._functions[export] = _export(self._context, self._instance, export).of.func
        raw = self._raw
        for index, argument in enumerate(arguments):
            raw[index].i32 = argument
        _enter(self._context, function, raw)
        return int(raw[0].i32) & 0xFFFFFFFF

    def read(self, address: int, length: int) -> bytes:
        """Bytes of guest memory.

        Raises:
            InternalError: they are not all inside of it.
        """
        if not self._base:
            raise InternalError("the memory of a closed guest is gone")
        if address + length > capi.memory_data_size(self._context, ctypes.addressof(self._memory)):
            raise InternalError("the guest named memory that it does not have")
        return ctypes.string_at(self._base + address, length)

    def write(self, address: int, data: bytes) -> None:
        """Put bytes into guest memory.

        Raises:
            InternalError: they do not fit inside of it.
        """
        if not self._base:
            raise InternalError("the memory of a closed guest is gone")
        if address + len(data) > capi.memory_data_size(self._context, ctypes.addressof(self._memory)):
            raise InternalError("the guest named memory that it does not have")
        ctypes.memmove(self._base + address, data, len(data))

    def answer(self, words: int, address: int, room: int) -> None:
        """Hand over what is kept if it fits, and say how long it is."""
        if len(self.kept) <= room:
            self.write(address, self.kept)
            length, self.kept = len(self.kept), b""
        else:
            length = len(self.kept)
        _signed(words).value = length

    def take_logs(self) -> bytes:
        """The log records that were not posted yet."""
        words = self.words
        if not words.log_len:
            return b""
        records = self.read(words.log_ptr, words.log_len)
        words.log_len = 0
        return records

    def outcome(self) -> bytes:
        """What the program came to, once its status is DONE.

        Raises:
            InternalError: the guest named memory that it does not have.
        """
        if self._outcome is None:
            self._outcome = self.read(self.words.out_ptr, self.words.out_len)
        return self._outcome


def _after_fork() -> None:
    _spares.clear()  # their engine's threads are the parent's


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def random_bytes(count: int) -> bytes:
    """Random bytes of the operating system."""
    return os.urandom(count)


__all__ = [
    "GRACE_TICKS",
    "TICK_S",
    "Guest",
    "GuestEnded",
    "GuestEvents",
    "NoRoom",
    "Post",
    "Reply",
    "Status",
    "Stop",
    "image",
]
