"""Signals that arrive while a program runs: they reach the caller, and the process goes on."""

from __future__ import annotations

import signal
import textwrap

import pytest
from processes import ended

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="sends signals of POSIX")

SETUP = """
import asyncio, os, signal, sys, threading, time
from nodetool_sandbox import Limits, Sandbox
from nodetool_sandbox._engine import guest as engine
sandbox = Sandbox()
DAY = Limits(timeout_ms=24 * 3600 * 1000)

def interrupt_soon(seconds=0.1):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()

def usable():
    for _ in range(500):
        if not engine._guests:
            break
        time.sleep(0.01)
    print(sandbox.run_sync("return 'usable'").value, len(engine._guests))
"""


def python(program: str, *, quiet: bool = True) -> str:
    """What a process prints that must end by itself and say nothing on stderr."""
    done = ended(SETUP + textwrap.dedent(program))
    assert done.returncode == 0, done
    assert done.stderr == "" if quiet else "nodetool_sandbox" not in done.stderr, done
    return done.stdout


@pytest.mark.parametrize(
    "code",
    [
        "for (;;) {}",
        "await sleep(5000); await sleep(5000); await sleep(5000); await sleep(5000)",
        "await blocks()",
        "await waits()",
        "for (;;) await quick()",
        "JSON.stringify(Array(3e6).fill([[]])); for (;;) {}",
    ],
)
def test_an_interrupt_from_the_keyboard_reaches_the_caller(code: str) -> None:
    # without it, the program would last a day
    program = f"""
        release = threading.Event()
        async def waits(): await asyncio.Event().wait()
        given = {{"blocks": lambda: release.wait(3600), "waits": waits, "quick": lambda: 1}}
        interrupt_soon()
        try:
            sandbox.run_sync({code!r}, globals=given, limits=DAY)
        except KeyboardInterrupt:
            print("interrupted", end=" ")
        release.set()
        usable()
    """
    assert python(program) == "interrupted usable 0\n"


def test_an_interrupt_during_a_call_of_a_host_module_reaches_the_caller() -> None:
    program = """
        from nodetool_sandbox_registry.hosts import HostExport, HostId, HostModule
        release = threading.Event()
        def parse(arguments, deadline): release.wait(3600)
        slow = HostModule(host_id=HostId("csv"), exports=(HostExport(name="parse", function=parse),))
        held = Sandbox(hosts={"csv": slow})
        interrupt_soon(0.4)
        try:
            csv = "@nodetool-ai/sandbox-csv"
            code = 'import { parse } from "%s"; await parse("a,b")' % csv
            held.run_sync(code, modules=[csv], limits=DAY)
        except KeyboardInterrupt:
            print("interrupted", end=" ")
        release.set()
        usable()
    """
    assert python(program) == "interrupted usable 0\n"


@pytest.mark.parametrize(
    "code", ["for (;;) {}", "await waits()", "await sleep(5000); for (;;) await sleep(5000)"]
)
def test_a_handler_that_raises_reaches_the_caller(code: str) -> None:
    program = f"""
        class Alarm(Exception): pass
        def handler(*_): raise Alarm
        async def waits(): await asyncio.Event().wait()
        signal.signal(signal.SIGALRM, handler)
        sandbox.run_sync("return 1")
        for _ in range(5):
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            try:
                sandbox.run_sync({code!r}, globals={{"waits": waits}}, limits=DAY)
            except Alarm:
                print("alarm", end=" ")
        usable()
    """
    assert python(program) == "alarm alarm alarm alarm alarm usable 0\n"


@pytest.mark.parametrize("delay_ms", [1, 5, 20, 60])
def test_an_interrupt_while_the_engine_loads_is_an_interrupt(delay_ms: float) -> None:
    program = f"""
        try:
            interrupt_soon({delay_ms / 1000})
            while True:
                sandbox.run_sync("await sleep(1)")
        except KeyboardInterrupt:
            print("interrupted", end=" ")
        usable()
    """
    # what CPython says of an event loop that was interrupted in its own construction is not ours
    assert python(program, quiet=False) == "interrupted usable 0\n"
