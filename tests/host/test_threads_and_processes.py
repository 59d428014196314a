"""Where a run may be asked for: any thread, a forked child, a spawned one, under trio, at the end of a process."""

from __future__ import annotations

import asyncio
import threading

import anyio
import pytest
import trio
from nodetool_sandbox import Cancel, Ended, Limits, RunResult, Sandbox
from nodetool_sandbox.threads import LINGER_S, Threads
from processes import printed
from runs import left_clean, until, value


def python(program: str) -> str:
    """What a fresh process prints that runs the program; its stderr must stay empty."""
    return printed(program).strip()


def test_sixteen_threads_may_be_the_first_at_once() -> None:
    program = """
        import threading
        from nodetool_sandbox import Sandbox
        found, ready = [], threading.Barrier(16)
        def one(n):
            ready.wait()
            found.append(Sandbox().run_sync(f"await sleep(1); return {n}").value)
        threads = [threading.Thread(target=one, args=(n,)) for n in range(16)]
        for each in threads: each.start()
        for each in threads: each.join()
        print(sorted(found) == list(range(16)))
    """
    assert python(program) == "True"


FORKS = """
    import os, sys, threading, warnings
    warnings.simplefilter("ignore", DeprecationWarning)  # the fork is the point
    from nodetool_sandbox import Sandbox, Limits
    sandbox = Sandbox()
    {before}
    child = os.fork()
    if child == 0:
        ok = [sandbox.run_sync("await sleep(1); return 7").value for _ in range(3)] == [7] * 3
        ok = ok and str(sandbox.run_sync("for (;;) {{}}", limits=Limits(timeout_ms=50)).ended) == "timeout"
        os._exit(0 if ok else 1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), sandbox.run_sync("return 8").value)
"""


BUSY = """loop = lambda: sandbox.run_sync('for (;;) {}', limits=Limits(timeout_ms=300))
    threading.Thread(target=loop, daemon=True).start(); __import__('time').sleep(0.1)"""


@pytest.mark.parametrize(
    "before",
    [
        "",
        "sandbox.run_sync('return 1')",
        BUSY,
    ],
    ids=["cold", "warm", "while a guest computes"],
)
def test_a_forked_child_runs_programs_of_its_own(before: str) -> None:
    assert python(FORKS.format(before=before)) == "0 8"


def test_a_spawned_pool_runs_programs() -> None:
    program = """
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor
        from nodetool_sandbox import Sandbox
        if __name__ == "__main__":
            with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
                print([each.value for each in pool.map(Sandbox().run_sync, ["return 1", "return 2", "return 3"])])
    """
    assert python(program) == "[1, 2, 3]"


def test_a_thread_without_a_loop_may_run_sync() -> None:
    found: list[object] = []
    with left_clean():
        thread = threading.Thread(target=lambda: found.append(value("await sleep(1); return 1")))
        thread.start()
        thread.join()
    assert found == [1]


def test_a_thread_with_a_small_stack_may_run_what_recurses() -> None:
    found: list[object] = []
    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(
            target=lambda: found.append(value("const f = () => f(); try { f() } catch (e) { return e.name }"))
        )
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert found == ["RangeError"]


def test_run_sync_is_refused_where_a_loop_runs() -> None:
    async def main() -> None:
        with pytest.raises(RuntimeError, match=r"use `await sandbox\.run\(\.\.\.\)`"):
            Sandbox().run_sync("return 1")

    with left_clean():
        asyncio.run(main())


def test_run_without_a_loop_is_refused() -> None:
    coroutine = Sandbox().run("return 1")
    with pytest.raises(RuntimeError):
        coroutine.send(None)


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_both_event_loops_give_the_same(backend: str) -> None:
    async def awaited(n: int) -> int:
        await anyio.sleep(0.001)
        return n

    async def fails() -> None:
        raise ValueError("no")

    async def main() -> RunResult:
        code = """
        console.log("l");
        const all = await Promise.all([awaited(1), plain(2), sleep(1), fails().catch(e => e.message)]);
        state.x = 1;
        return all"""
        return await Sandbox().run(
            code, globals={"awaited": awaited, "plain": lambda n: n, "fails": fails, "state": {}}
        )

    with left_clean():
        result = anyio.run(main, backend=backend)
    assert (result.ended, result.value, result.logs) == (Ended.OK, [1, 2, None, "no"], ("l",))


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@pytest.mark.parametrize(
    ("code", "ended"),
    [
        ("await never()", Ended.TIMEOUT),
        ("for (;;) {}", Ended.TIMEOUT),
        ("never(); return 1", Ended.OK),
        ("await new Promise(() => {})", Ended.DEADLOCK),
        ("never(); await stop(); for (;;) {}", Ended.CANCELLED),
    ],
)
def test_bad_ends_are_the_same_under_both(backend: str, code: str, ended: Ended) -> None:
    async def main() -> RunResult:
        cancel = Cancel()
        given = {"never": anyio.sleep_forever, "stop": cancel.cancel}
        return await Sandbox().run(code, globals=given, cancel=cancel, limits=Limits(timeout_ms=200))

    with left_clean():
        assert anyio.run(main, backend=backend).ended is ended


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_cancelled_scope_ends_its_runs(backend: str) -> None:
    async def main() -> bool:
        with anyio.move_on_after(0.05) as scope:
            await Sandbox().run("for (;;) await sleep(0)")
        return scope.cancelled_caught

    with left_clean():
        assert anyio.run(main, backend=backend) is True


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_process_is_raised_under_trio_too(error: type[BaseException]) -> None:
    def f() -> None:
        raise error

    async def main() -> None:
        await Sandbox().run("await f()", globals={"f": f})

    with left_clean(), pytest.raises(error):
        trio.run(main)


def test_a_run_is_held_and_answered_under_trio() -> None:
    async def main() -> object:
        execution = await Sandbox().start("return await f(1) + await f(2)", globals={"f": print})
        assert not isinstance(execution, RunResult)
        async with execution:
            while execution.result is None:
                call = execution.calls[0]
                await execution.resume({call.id: call.arguments[0]})
            return execution.result.value

    with left_clean():
        assert trio.run(main) == 3


def test_a_low_recursion_limit_is_enough() -> None:
    program = """
        import sys
        from nodetool_sandbox import Sandbox
        sandbox = Sandbox()
        sandbox.run_sync("return 1")
        sys.setrecursionlimit(200)
        code = "let a = 1; for (let i = 0; i < 31; i++) a = [a]; console.log(a); return await f(a)"
        r = sandbox.run_sync(code, globals={"f": lambda a: a})
        print(r.ended, len(r.logs))
    """
    assert python(program) == "ok 1"


@pytest.mark.parametrize(
    "ending",
    [
        "atexit.register(lambda: print(Sandbox().run_sync('return 5').value))",
        "aside(lambda: Sandbox().run_sync('for (;;) {}')); time.sleep(0.2); print(5)",
        "aside(lambda: Sandbox().run_sync('await sleep(5000)')); time.sleep(0.2); print(5)",
        "held = Sandbox(); held.run_sync('return 1'); print(5); held.self = held",
    ],
    ids=["atexit", "a guest computes", "a guest waits", "a cycle"],
)
def test_a_process_ends_cleanly_whatever_runs(ending: str) -> None:
    program = """
import atexit, threading, time
from nodetool_sandbox import Sandbox
def aside(job): threading.Thread(target=job, daemon=True).start()
"""
    assert python(program + ending) == "5"


# ---- the pool of threads


def test_a_pool_keeps_no_thread_that_has_nothing_to_do() -> None:
    pool = Threads(name="nodetool-sandbox-test", stack_bytes=256 * 1024, most=8, linger_s=LINGER_S)
    done = threading.Semaphore(0)
    for _ in range(500):  # jobs that end while others are given out: a thread must not be promised twice
        for _ in range(8):
            pool.submit(done.release)
        for _ in range(8):
            assert done.acquire(timeout=20)
    until(lambda: pool.count == 0, "the threads go")


def test_a_pool_never_has_more_threads_than_its_most() -> None:
    pool = Threads(name="nodetool-sandbox-test", stack_bytes=256 * 1024, most=3)
    release, inside = threading.Event(), threading.Semaphore(0)

    def job() -> None:
        inside.release()
        release.wait(20)

    for _ in range(10):
        pool.submit(job)
    for _ in range(3):
        assert inside.acquire(timeout=20)
    assert not inside.acquire(timeout=0.05)
    assert pool.count == 3
    release.set()
    for _ in range(7):
        assert inside.acquire(timeout=20)
    until(lambda: pool.count == 0, "the threads go")
