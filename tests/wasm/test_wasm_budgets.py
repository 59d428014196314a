"""What one run may spend on WebAssembly, counted by the host at each call."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest
from nodetool_sandbox import Limits
from nodetool_sandbox._engine.wasm import call_wasm
from nodetool_sandbox.bridges.power import RunView
from nodetool_sandbox.dispatch import InProcess
from nodetool_sandbox.errors import EngineUnavailable, MarshalError
from nodetool_sandbox.host_calls import Answer, Done, failure, success
from nodetool_sandbox.loops import AsyncioLoop
from nodetool_sandbox.marshal import to_host
from nodetool_sandbox.wasm import calls
from nodetool_sandbox.wasm.calls import WasmCalls, run_budget
from nodetool_sandbox.wasm.compiling import CompiledModules
from nodetool_sandbox.wasm.pool import Ticket, WasmJob, WasmPool
from nodetool_sandbox_registry import WasmModule
from nodetool_sandbox_registry.digests import Digest
from nodetool_sandbox_registry.manifest import MAX_WASM_LIMITS, PackManifest, WasmEntry
from nodetool_sandbox_registry.wasm_contract import check_wasm
from wasm_packs import limited, numbers

pytestmark = pytest.mark.timeout(120)

S = "acme-numbers"


def module(**limits: int) -> WasmModule:
    (entry,) = PackManifest.parse(limited(**limits).encode()).modules
    assert isinstance(entry, WasmEntry)
    return check_wasm(numbers(), entry)


@dataclass
class Caller:
    """The calls of one run without a guest around them."""

    modules: dict[str, WasmModule]
    pool: WasmPool = field(default_factory=WasmPool)
    compiled: CompiledModules = field(default_factory=lambda: CompiledModules(InProcess()))
    unwanted: bool = False

    def open(self) -> None:
        view = RunView(
            limits=Limits(),
            loop=AsyncioLoop(),
            remaining_s=lambda: 60.0,
            is_unwanted=lambda: self.unwanted,
        )
        self.calls = WasmCalls(self.modules, view, compiled=self.compiled, pool=self.pool)

    async def call(self, export: str, *arguments: object, specifier: str = S, given: object = None) -> object:
        """What a call returns, or the message of its error."""
        return seen(await self.started(export, *arguments, specifier=specifier, given=given))

    def started(
        self, export: str, *arguments: object, specifier: str = S, given: object = None
    ) -> asyncio.Future[Answer]:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def read() -> object:
            if isinstance(given, Exception):
                raise given
            return list(arguments) if given is None else given

        self.calls.start(specifier, export, read, future.set_result)
        return future


def seen(answer: Answer) -> object:
    value = to_host(answer.payload, max_bytes=10_000)
    if not answer.failed:
        return value
    name, message, _ = cast("list[object]", value)
    assert name == "SandboxWasmError"
    return message


def made(work: Callable[[Caller], Awaitable[object]], caller: Caller | None = None, **limits: int) -> object:
    """What `work` makes of a caller that has what it calls compiled."""

    async def whole() -> object:
        given = caller or Caller({S: module(**limits)})
        given.open()
        await given.call("nothing")
        given.open()
        return await work(given)

    return asyncio.run(whole())


def test_the_lowest_that_any_module_asks_for_is_the_budget_of_the_run() -> None:
    both = {
        "a": module(call_concurrency=1, wall_clock_ms=900),
        "b": module(calls_per_invocation=7, wall_clock_ms=80),
    }
    budget = run_budget(both)
    assert (budget.concurrency, budget.calls, budget.wall_clock_ms) == (1, 7, 80)
    ceiling = run_budget({"a": module()})
    assert (ceiling.concurrency, ceiling.calls, ceiling.wall_clock_ms) == (
        MAX_WASM_LIMITS["call_concurrency"],
        MAX_WASM_LIMITS["calls_per_invocation"],
        MAX_WASM_LIMITS["wall_clock_ms"],
    )


@pytest.mark.parametrize(
    ("export", "specifier", "given", "words"),
    [
        ("add", "acme-others", None, '"acme-others" is not a WASM sandbox module declared by this run'),
        ("add", "toString", None, '"toString" is not a WASM sandbox module declared by this run'),
        ("constructor", S, None, f'{S} has no export named "constructor"'),
        ("__proto__", S, None, f'{S} has no export named "__proto__"'),
        ("with_a_long_name", S, None, f'{S} has no export named "with_a_long_name"'),
        ("hidden", S, None, f'{S} has no export named "hidden"'),
        ("memory", S, None, f'{S} has no export named "memory"'),
        ("add", S, {"length": 2}, f"{S}: add was called with a non-list argument"),
        ("add", S, MarshalError("the arguments are no list"), f"{S}: the arguments are no list"),
    ],
)
def test_what_a_forged_call_asks_for_is_checked_like_any_other(
    export: str, specifier: str, given: object, words: str
) -> None:
    async def work(caller: Caller) -> object:
        return await caller.call(export, specifier=specifier, given=given)

    assert made(work) == words


def test_the_call_after_the_last_of_the_budget_is_refused() -> None:
    async def work(caller: Caller) -> object:
        return [await caller.call("add", number, 1) for number in range(4)]

    words = f"{S}: this run exhausted its budget of 3 WASM calls per invocation"
    assert made(work, calls_per_invocation=3) == [1, 2, 3, words]


def test_a_call_that_is_refused_for_its_arguments_costs_nothing_and_one_that_traps_counts() -> None:
    async def work(caller: Caller) -> object:
        return [
            await caller.call("add", "x", 1),
            await caller.call("fail"),
            await caller.call("add", 1, 1),
            await caller.call("add", 1, 1),
        ]

    told = cast("list[object]", made(work, calls_per_invocation=2))
    assert (told[1], told[2]) == (f"{S}: fail: unreachable", 2)
    assert "exhausted its budget of 2 WASM calls" in str(told[3])


def test_the_wall_clock_of_a_run_is_what_its_calls_take_together() -> None:
    async def work(caller: Caller) -> object:
        return [await caller.call("spin"), await caller.call("add", 1, 1)]

    first, second = cast("list[str]", made(work, wall_clock_ms=30))
    assert (
        first == "WASM call spin exceeded its 30 ms per-call timeout; the worker was terminated and replaced"
    )
    assert second == f"{S}: this run exhausted its budget of 30 ms of WASM wall clock per invocation"


def test_calls_at_once_are_never_admitted_for_more_than_the_wall_clock() -> None:
    async def work(caller: Caller) -> object:
        both = [caller.started("spin") for _ in range(3)]
        return [seen(each) for each in await asyncio.gather(*both)]

    told = cast("list[str]", made(work, wall_clock_ms=100, call_timeout_ms=60))
    assert "exceeded its 60 ms" in told[0]
    assert "exceeded its 40 ms" in told[1]  # what was left
    assert "exhausted its budget of 100 ms" in told[2]


def test_calls_that_are_over_early_give_back_what_was_set_aside() -> None:
    async def work(caller: Caller) -> object:
        return [await caller.call("add", number, 0) for number in range(40)]

    # ten times the wall clock in reservations, a fraction of it in time
    assert made(work, wall_clock_ms=5_000, call_timeout_ms=1_000) == list(range(40))


@pytest.mark.parametrize(("asked", "peak"), [({}, 2), ({"call_concurrency": 1}, 1)])
def test_calls_at_once_are_at_work_as_many_as_the_budget_says(
    asked: dict[str, int], peak: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # counted around the call itself: the thread that made it is at work a moment longer
    lock, at_work, most = threading.Lock(), 0, 0

    def counted(*given: Any, **named: Any) -> object:  # noqa: ANN401 - what `call_wasm` takes
        nonlocal at_work, most
        with lock:
            at_work += 1
            most = max(most, at_work)
        try:
            return call_wasm(*given, **named)
        finally:
            with lock:
                at_work -= 1

    monkeypatch.setattr(calls, "call_wasm", counted)
    caller = Caller({S: module(call_timeout_ms=30, **asked)})

    async def work(caller: Caller) -> object:
        return await asyncio.gather(*(caller.call("spin") for _ in range(6)))

    told = cast("list[str]", made(work, caller))
    assert [each.startswith("WASM call spin exceeded") for each in told] == [True] * 6
    assert (most, caller.pool.replaced) == (peak, 6)


def test_calls_that_wait_are_made_in_the_order_in_which_they_came() -> None:
    order: list[int] = []

    async def work(caller: Caller) -> object:
        async def one(number: int) -> None:
            await caller.call("work", 50)
            order.append(number)

        return await asyncio.gather(*(one(number) for number in range(6)))

    made(work, call_concurrency=1)
    assert order == list(range(6))


@pytest.mark.parametrize("moment", ["before", "running", "waiting"])
def test_a_cancelled_run_makes_no_call_and_ends_those_at_work(moment: str) -> None:
    caller = Caller({S: module(call_concurrency=1)})

    async def work(caller: Caller) -> object:
        if moment == "before":
            caller.unwanted = True
            return [await caller.call("add", 1, 1)]
        began = [caller.started("spin")]
        if moment == "waiting":
            began.append(caller.started("add", 1, 1))
        await asyncio.sleep(0.02)
        caller.unwanted = True
        return [seen(each) for each in await asyncio.gather(*began)]

    assert set(cast("list[object]", made(work, caller))) == {"the run was cancelled"}
    assert caller.pool.replaced == (0 if moment == "before" else 1)


def test_what_waits_for_a_worker_leaves_the_queue_when_its_run_is_closed() -> None:
    pool = WasmPool(most=1)
    busy, idle = Caller({S: module()}, pool=pool), Caller({S: module()}, pool=pool)

    async def work(busy: Caller) -> object:
        idle.compiled = busy.compiled
        idle.open()
        spinning, waiting = busy.started("spin"), idle.started("add", 1, 1)
        while len(pool._waiting) > 1:  # noqa: ASYNC110 - until the worker, a thread, has begun
            await asyncio.sleep(0)
        queued = tuple(pool._waiting)
        idle.calls.close()
        left = tuple(pool._waiting)
        busy.unwanted = True
        await spinning
        await asyncio.sleep(0.02)
        return [len(queued), len(left), waiting.done()]

    assert made(work, busy) == [1, 0, False]


def test_a_job_that_was_begun_is_not_withdrawn() -> None:
    assert not WasmPool().withdraw(Ticket(lambda: lambda: None))


def test_without_a_thread_a_call_says_what_to_do() -> None:
    class Threadless(WasmPool):
        def submit(self, job: WasmJob) -> Ticket:
            raise EngineUnavailable(f"no thread for {job}")

    async def work(caller: Caller) -> object:
        caller.pool = Threadless()
        caller.open()
        return await caller.call("add", 1, 1)

    assert str(made(work)).startswith(f"{S}: no thread for ")


def test_many_calls_of_one_new_module_compile_it_once() -> None:
    caller = Caller({S: module()})

    async def work() -> object:
        caller.open()
        return await asyncio.gather(*(caller.call("add", number, 0) for number in range(8)))

    assert asyncio.run(work()) == list(range(8))
    assert caller.compiled.compiled == 1


@pytest.mark.parametrize("by", ["count", "bytes"])
def test_of_the_compiled_modules_the_one_unused_longest_goes_first(by: str) -> None:
    name = b"\0" + bytes([6]) + b"\4name"  # a section that says nothing
    versions = [
        replace(module(), binary=numbers() + name + bytes([n]), digest=Digest(f"{n}")) for n in range(3)
    ]

    async def called(compiled: CompiledModules, version: WasmModule) -> int:
        caller = Caller({S: version}, compiled=compiled)
        caller.open()
        await caller.call("nothing")
        found = compiled.find(version.digest)
        return found.byte_count if found is not None else 0

    async def work() -> object:
        size = await called(CompiledModules(InProcess()), versions[0])
        given = {"most": 2} if by == "count" else {"most_kept_bytes": 2 * size}
        compiled = CompiledModules(InProcess(), **given)
        for each in versions:
            await called(compiled, each)
        return [compiled.find(each.digest) is not None for each in versions]

    assert asyncio.run(work()) == [False, True, True]


def test_a_reader_that_does_not_agree_with_the_engine_is_not_believed() -> None:
    real = module()
    lied = replace(real, functions=(replace(real.functions[0], params=("i32",)),))

    async def work() -> object:
        caller = Caller({S: lied})
        caller.open()
        return await caller.call("add", 1)

    assert asyncio.run(work()) == f"{S} export add has other types than those that were checked"


def test_a_run_that_is_unwanted_when_a_worker_comes_free_is_not_begun() -> None:
    pool = WasmPool(most=1)
    busy, late = Caller({S: module()}, pool=pool), Caller({S: module()}, pool=pool)

    async def work(busy: Caller) -> object:
        late.compiled = busy.compiled
        late.open()
        began = busy.started("spin"), late.started("add", 1, 1)
        while len(pool._waiting) > 1:  # noqa: ASYNC110 - until the worker, a thread, has begun
            await asyncio.sleep(0)
        late.unwanted = busy.unwanted = True
        return [seen(each) for each in await asyncio.gather(*began)]

    assert made(work, busy) == ["the run was cancelled"] * 2
    assert pool.replaced == 1


def test_a_call_without_a_thread_leaves_nothing_behind() -> None:
    class NoThreads:
        def submit(self, job: Callable[[], None]) -> None:
            raise EngineUnavailable(f"no thread for {job}")

    pool = WasmPool()
    pool._threads = NoThreads()  # type: ignore[assignment]
    with pytest.raises(EngineUnavailable):
        pool.submit(lambda: lambda: None)
    assert (pool._working, len(pool._waiting)) == (0, 0)


def test_a_mistake_of_ours_is_one_sentence_for_the_program(caplog: pytest.LogCaptureFixture) -> None:
    async def work(caller: Caller) -> object:
        found = caller.compiled.find(caller.modules[S].digest)
        assert found is not None
        caller.compiled._kept[caller.modules[S].digest] = replace(found, types={})
        return await caller.call("add", 1, 1)

    assert made(work) == f"{S}: add failed inside the host"
    assert "KeyError" in caplog.text


def test_closing_a_run_whose_call_has_no_place_in_a_queue_yet_is_no_mistake() -> None:
    class Slow(WasmPool):
        def submit(self, job: WasmJob) -> Ticket:
            caller.calls.close()  # the run ends while its call is handed over
            return super().submit(job)

    caller = Caller({S: module()})

    async def work(given: Caller) -> object:
        given.pool = Slow()
        given.open()
        return await given.call("add", 1, 1)

    assert made(work, caller) == "the run was cancelled"


@dataclass
class Answering:
    """A compiler that answers with something of the test's choice."""

    answer: Answer

    def warm(self) -> None:
        """See Runner."""

    def start(self, *_: object, done: Done, **__: object) -> None:
        """See Runner."""
        done(self.answer)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (success(5, at="x"), f"{S} could not be compiled"),
        (success(b"no machine code", at="x"), f"{S} could not be compiled: cannot be loaded ("),
        (failure("Error", "is too much"), f"{S} is too much"),
        (Answer(payload=b"\xc1"), f"{S} could not be compiled: "),
        (Answer(payload=b"\xc0", failed=True), f"{S} could not be compiled"),
    ],
    ids=["a number", "other bytes", "a refusal", "no message", "no error"],
)
def test_a_compiler_that_answers_anything_else_has_compiled_nothing(answer: Answer, words: str) -> None:
    caller = Caller({S: module()}, compiled=CompiledModules(Answering(answer)))

    async def work() -> object:
        caller.open()
        return await caller.call("nothing")

    assert str(asyncio.run(work())).startswith(words)
