"""A request ends with its run, wherever it has got to, and gives back its connection."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import anyio
import httpcore
import pytest
import trio
from loopback import PATIENCE_S, PUBLIC, STALL, Internet, Request, Stall, http, redirect
from network.conftest import Serve
from nodetool_sandbox import Cancel, Ended, Fetch, Limits, RunResult, Sandbox
from powers import value_with
from runs import left_clean, until

Run = Callable[[Fetch, str, Cancel, threading.Event], RunResult]

PROGRAM: Final = "await fetch(url); return 'went on'"
SLOW: Final = Limits(timeout_ms=60_000, fetch_timeout_ms=60_000)


async def _cancelled(fetch: Fetch, url: str, cancel: Cancel, reached: threading.Event) -> RunResult:
    """The end of a run that is cancelled when it has reached a stage."""

    def watch() -> None:
        reached.wait(PATIENCE_S)
        cancel.cancel()

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    result = await Sandbox(fetch=fetch).run(PROGRAM, globals={"url": url}, limits=SLOW, cancel=cancel)
    watching.join()
    return result


def on_asyncio(fetch: Fetch, url: str, cancel: Cancel, reached: threading.Event) -> RunResult:
    return asyncio.run(_cancelled(fetch, url, cancel, reached))


def on_trio(fetch: Fetch, url: str, cancel: Cancel, reached: threading.Event) -> RunResult:
    return trio.run(_cancelled, fetch, url, cancel, reached)


LOOPS: Final = pytest.mark.parametrize("run", [on_asyncio, on_trio], ids=["asyncio", "trio"])


class Hanging:
    """Something awaited that never comes. `reached` when it is waited for, `left` when that was given up."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.left = threading.Event()

    async def wait(self) -> None:
        self.reached.set()
        try:
            await anyio.sleep_forever()
        finally:
            self.left.set()


def _trio_run(work: Awaitable[RunResult]) -> RunResult:
    async def main() -> RunResult:
        return await work

    return trio.run(main)


@LOOPS
def test_while_the_name_is_resolved(serve: Serve, run: Run) -> None:
    internet = serve()
    hanging = Hanging()

    async def resolve(host: str, port: int) -> Sequence[str]:  # noqa: ARG001 - a Resolver
        await hanging.wait()
        return [PUBLIC]

    with left_clean():
        result = run(internet.fetch(resolver=resolve), "http://a.test/", Cancel(), hanging.reached)
    assert result.ended is Ended.CANCELLED
    assert hanging.left.is_set()
    assert not internet.reached


@LOOPS
def test_while_the_operating_system_resolves_the_name(
    serve: Serve, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    internet = serve()
    asked, let_go = threading.Event(), threading.Event()

    def blocking(*_: object, **__: object) -> list[object]:
        asked.set()
        let_go.wait(30)
        return []

    monkeypatch.setattr("nodetool_sandbox.bridges.net.connections.socket.getaddrinfo", blocking)
    fetch = Fetch(connector=internet.connect)
    try:
        result = run(fetch, "http://a.test/", Cancel(), asked)
        assert result.ended is Ended.CANCELLED
        assert result.usage.abandoned_calls == 1
        assert all(thread.daemon for thread in threading.enumerate() if thread.name.startswith("nodetool"))
    finally:
        let_go.set()
    assert not internet.reached


@LOOPS
def test_while_the_connection_is_made(serve: Serve, run: Run) -> None:
    internet = serve()
    hanging = Hanging()

    async def connect(address: str, port: int) -> httpcore.AsyncNetworkStream:
        await hanging.wait()
        return await internet.connect(address, port)

    with left_clean():
        result = run(
            Fetch(resolver=internet.resolve, connector=connect), "http://a.test/", Cancel(), hanging.reached
        )
    assert result.ended is Ended.CANCELLED
    assert hanging.left.is_set()


def cancelled_at(internet: Internet, run: Run, url: str) -> RunResult:
    """The end of a run that is cancelled when its server has fallen silent; the server sees the connection go."""
    with left_clean():
        result = run(internet.fetch(), url, Cancel(), internet.server.stalled)
        assert internet.server.gone.wait(10), "the connection is closed"
    assert result.ended is Ended.CANCELLED
    return result


@LOOPS
def test_while_tls_is_agreed_on(serve: Serve, run: Run) -> None:
    cancelled_at(serve(silent=True), run, "https://a.test/")


@LOOPS
def test_before_the_answer_begins(serve: Serve, run: Run) -> None:
    cancelled_at(serve(silent=True), run, "http://a.test/")


@LOOPS
@pytest.mark.parametrize(
    "begun",
    [
        b"HTTP/1.1",
        b"HTTP/1.1 200 OK\r\nX: y",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b",
    ],
    ids=["status", "headers", "before the body", "body", "chunk", "gzip"],
)
def test_in_the_middle_of_the_answer(serve: Serve, run: Run, begun: bytes) -> None:
    cancelled_at(serve(lambda _: [begun, STALL]), run, "http://a.test/")


@LOOPS
def test_after_a_redirect(serve: Serve, run: Run) -> None:
    internet = serve(
        lambda request: http(b"", "Location: /x", status="302 Found") if request.target == "/" else [STALL]
    )
    cancelled_at(internet, run, "http://a.test/")


def test_the_deadline_of_the_run_ends_a_request_too(serve: Serve) -> None:
    internet = serve(silent=True)
    with left_clean():
        result = Sandbox(fetch=internet.fetch()).run_sync(
            "await fetch('http://a.test/')", limits=Limits(timeout_ms=200)
        )
        assert internet.server.gone.wait(10)
    assert result.ended is Ended.TIMEOUT
    assert result.error is not None
    assert "waiting for fetch" in result.error.message


def test_a_request_that_nobody_waits_for_ends_with_the_run(serve: Serve) -> None:
    internet = serve(silent=True)
    with left_clean():
        result = Sandbox(fetch=internet.fetch()).run_sync("fetch('http://a.test/'); return 1")
        until(
            lambda: internet.server.gone.is_set() or not internet.server.connections, "no connection is left"
        )
    assert result.value == 1


def test_kept_connections_end_with_the_run(serve: Serve) -> None:
    internet = serve()
    with left_clean():
        assert value_with("await fetch('http://a.test/'); return 1", fetch=internet.fetch()) == 1
        assert internet.server.gone.wait(10)


@pytest.mark.parametrize("run_loop", [asyncio.run, _trio_run], ids=["asyncio", "trio"])
def test_a_run_fetches_under_either_loop(
    serve: Serve, run_loop: Callable[[Awaitable[RunResult]], RunResult]
) -> None:
    internet = serve()
    result = run_loop(
        Sandbox(fetch=internet.fetch()).run(
            "return (await Promise.all([1, 2, 3].map(() => fetch('http://a.test/')))).map(r => r.body)"
        )
    )
    assert result.value == ["hello"] * 3


SIGNAL: Final = """
    const signal = {
      aborted: false, reason: undefined, listeners: [],
      addEventListener(type, listener) { this.listeners.push(listener) },
      removeEventListener(type, listener) { this.listeners = this.listeners.filter(each => each !== listener) },
      abort(reason) { this.aborted = true; this.reason = reason; for (const each of this.listeners) each() },
    };
"""


def test_a_program_aborts_its_own_request(serve: Serve) -> None:
    internet = serve(lambda request: [STALL] if request.target == "/slow" else http(b"x"))
    code = f"""
        {SIGNAL}
        const slow = fetch("http://a.test/slow", {{ signal }}).catch(e => e);
        for (let i = 0; i < 500 && !await stalled(); i++) await sleep(10);
        signal.abort("enough");
        const told = await slow;
        return [told, signal.listeners.length, (await fetch("http://b.test/")).body]
    """
    result = Sandbox(fetch=internet.fetch()).run_sync(
        code, globals={"stalled": internet.server.stalled.is_set}
    )
    assert result.value == ["enough", 0, "x"]
    assert internet.server.gone.wait(10)


def test_a_signal_that_was_aborted_before_makes_no_request(serve: Serve) -> None:
    internet = serve()
    code = f"{SIGNAL} signal.abort(); await fetch('http://a.test/', {{ signal }})"
    result = Sandbox(fetch=internet.fetch()).run_sync(code)
    assert result.error is not None
    assert (result.error.name, result.error.message) == ("AbortError", "fetch: aborted")
    assert not internet.reached


def test_a_signal_that_is_none_is_refused(serve: Serve) -> None:
    result = Sandbox(fetch=serve().fetch()).run_sync("await fetch('http://a.test/', { signal: {} })")
    assert result.error is not None
    assert result.error.message == "fetch: signal must be an AbortSignal"


def test_a_request_that_is_aborted_at_once_never_begins(serve: Serve) -> None:
    internet = serve()
    code = f"""
        {SIGNAL}
        const asked = fetch("http://a.test/", {{ signal }}).catch(e => e.message);
        signal.abort();
        return asked
    """
    assert value_with(code, fetch=internet.fetch()) == "fetch: aborted"


def test_an_abort_controller_aborts_a_request(serve: Serve) -> None:
    internet = serve(lambda request: [STALL] if request.target == "/slow" else http(b"x"))
    code = """
        const controller = new AbortController();
        const slow = fetch("http://a.test/slow", { signal: controller.signal }).catch(e => [e.name, e.message]);
        for (let i = 0; i < 500 && !await stalled(); i++) await sleep(10);
        controller.abort();
        const early = await fetch("http://a.test/", { signal: AbortSignal.abort("no") }).catch(e => e);
        return [(await slow)[0], early, (await fetch("http://b.test/", { signal: new AbortController().signal })).body]
    """
    result = Sandbox(fetch=internet.fetch()).run_sync(
        code, globals={"stalled": internet.server.stalled.is_set}
    )
    assert result.value == ["AbortError", "no", "x"]
    assert internet.server.gone.wait(10)


def test_a_signal_with_a_time_out_aborts_a_request(serve: Serve) -> None:
    internet = serve(silent=True)
    code = "return fetch('http://a.test/', { signal: AbortSignal.timeout(50) }).catch(e => e.name)"
    assert value_with(code, fetch=internet.fetch()) == "TimeoutError"
    assert internet.server.gone.wait(10)


MANY: Final = """
    await Promise.all(Array.from({ length: 8 }, (_, i) => fetch("http://a.test/" + i)));
    await fetch("http://b.test/redirect");
    await fetch("http://a.test/slow");
"""


@pytest.mark.slow
@pytest.mark.parametrize("run_loop", [asyncio.run, _trio_run], ids=["asyncio", "trio"])
def test_a_run_can_be_cancelled_at_any_moment(
    serve: Serve,
    run_loop: Callable[[Awaitable[RunResult]], RunResult],
    caplog: pytest.LogCaptureFixture,
) -> None:
    def answer(request: Request) -> bytes | list[bytes | Stall]:
        if request.target == "/slow":
            return [b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab", STALL]
        return redirect("http://c.test/x") if request.target == "/redirect" else http(b"x" * 10_000)

    internet = serve(answer)
    with left_clean():
        for step in range(30):
            cancel = Cancel()
            timer = threading.Timer(step * 0.004, cancel.cancel)
            timer.start()
            result = run_loop(Sandbox(fetch=internet.fetch()).run(MANY, limits=SLOW, cancel=cancel))
            timer.join()
            assert result.ended is Ended.CANCELLED
        until(lambda: internet.server.closed == internet.server.connections, "every connection is closed")
    assert not caplog.records
