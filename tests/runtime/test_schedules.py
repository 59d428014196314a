"""Replies in every order that a hostile or unlucky host can give them: each run ends in one of the stated ways.

The generators are seeded by the number in the test's name, so that a failure can be run again.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest
from guests import FUNCTION_F, Host, boot, sections, start
from nodetool_sandbox import Ended, Execution, Limits, MarshalError, RunResult, Sandbox
from nodetool_sandbox._engine import guest as engine
from nodetool_sandbox._engine.guest import GuestEnded, Reply
from nodetool_sandbox._engine.shared import Status
from nodetool_sandbox.marshal import to_guest
from runs import left_clean, until

MAX_CALLS = 50
FATES = ("value", "late value", "failure", "late failure", "cannot cross", "never")
SETTLED = {
    "value": "v",
    "late value": "v",
    "failure": "e",
    "late failure": "e",
    "cannot cross": "x",
}


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """A program's calls, what becomes of each, and whether the program waits for those that never settle."""

    fates: tuple[str, ...]
    shape: str
    pauses: tuple[int, ...]

    @property
    def waits_for_ever(self) -> bool:
        """Whether the program waits on a call that never settles."""
        return "never" in self.fates and self.shape != "race"

    @property
    def expected(self) -> list[str]:
        """What the calls that settle come to, in their order."""
        settled = [(n, fate) for n, fate in enumerate(self.fates) if fate in SETTLED]
        return [SETTLED[fate] + (str(n) if fate.endswith("value") else "") for n, fate in settled]


def schedule(rng: random.Random, *, never: bool) -> Schedule:
    fates = FATES if never else FATES[:-1]
    count = rng.randint(1, MAX_CALLS)
    return Schedule(
        fates=tuple(rng.choice(fates) for _ in range(count)),
        shape=rng.choice(("all", "in turn", "half and half", "map", "race")),
        pauses=tuple(rng.randint(1, 5) for _ in range(count)),
    )


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - chances that can be taken again


TOLD = "const told = p => p.then(v => 'v' + v, e => e.message.includes('cannot cross') ? 'x' : 'e');"
SHAPES = {
    "all": "return await Promise.all(ns.map(n => told(f(n))))",
    "in turn": "const out = []; for (const n of ns) out.push(await told(f(n))); return out",
    "half and half": """
        const half = ns.length >> 1, out = [];
        for (const n of ns.slice(0, half)) out.push(await told(f(n)));
        return [...out, ...await Promise.all(ns.slice(half).map(n => told(f(n))))]""",
    "map": "return await parallelMap(ns, n => told(f(n)), 7)",
    "race": "return await Promise.race([...ns.map(n => told(f(n))), sleep(3).then(() => 'slept')])",
}


def program(plan: Schedule) -> str:
    return f"const ns = Array.from({{length: {len(plan.fates)}}}, (_, n) => n); {TOLD}\n{SHAPES[plan.shape]}"


def function(plan: Schedule) -> Callable[[int], Awaitable[object]]:
    """A function of the caller whose calls fare as planned."""

    async def f(number: int) -> object:
        fate = plan.fates[number]
        if "late" in fate:
            for _ in range(plan.pauses[number]):
                await asyncio.sleep(0)
        if fate == "never":
            await asyncio.Event().wait()
        if "failure" in fate:
            raise ValueError("planned")
        return object() if fate == "cannot cross" else number

    return f


async def ends_as_stated(plan: Schedule, limits: Limits) -> Ended:
    result = await Sandbox().run(program(plan), globals={"f": function(plan)}, limits=limits)
    check(plan, result)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    return result.ended


def check(plan: Schedule, result: RunResult) -> None:
    assert result.ended in (Ended.OK, Ended.TIMEOUT), (plan, result)
    if result.ended is Ended.OK:
        assert not plan.waits_for_ever
        if plan.shape == "race":
            assert result.value in {*plan.expected, "slept"}, plan
        else:
            assert result.value == plan.expected, plan
        assert result.usage.abandoned_calls == 0
    else:
        assert result.error is not None
        assert result.error.name == "ExecutionTimeout"
        assert result.value is None
    assert not [line for line in result.logs if "settle" in line]


def nothing_is_left() -> None:
    until(lambda: not engine._guests, "every guest is closed")


@pytest.mark.parametrize("seed", range(8))
def test_every_schedule_that_settles_gives_its_result(seed: int) -> None:
    rng = seeded(seed)

    async def main() -> None:
        for _ in range(25):
            assert await ends_as_stated(schedule(rng, never=False), Limits(timeout_ms=60_000)) is Ended.OK

    with left_clean():
        asyncio.run(main())
    nothing_is_left()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_deadlines_of_a_few_milliseconds_end_in_a_timeout_or_the_result(seed: int) -> None:
    rng = seeded(1000 + seed)

    async def main() -> set[Ended]:
        return {
            await ends_as_stated(
                schedule(rng, never=rng.random() < 0.5), Limits(timeout_ms=rng.randint(1, 10))
            )
            for _ in range(100)
        }

    with left_clean():
        assert Ended.TIMEOUT in asyncio.run(main())
    nothing_is_left()


@pytest.mark.parametrize("seed", range(4))
def test_many_schedules_at_once_do_not_meet(seed: int) -> None:
    rng = seeded(2000 + seed)

    async def one(plan: Schedule) -> None:
        limits = Limits(timeout_ms=300 if plan.waits_for_ever else 60_000)
        result = await Sandbox().run(program(plan), globals={"f": function(plan)}, limits=limits)
        check(plan, result)

    async def main() -> None:
        await asyncio.gather(*(one(schedule(rng, never=True)) for _ in range(30)))

    with left_clean():
        asyncio.run(main())
    nothing_is_left()


# ---- held runs, answered by somebody who errs


@pytest.mark.parametrize("seed", range(8))
def test_whoever_holds_a_run_may_answer_late_twice_wrongly_or_never(seed: int) -> None:
    rng = seeded(3000 + seed)

    async def one() -> None:
        count = rng.randint(1, MAX_CALLS)
        code = f"return (await Promise.allSettled(Array.from({{length: {count}}}, (_, n) => f(n)))).map(r => r.status)"
        held = await Sandbox().start(code, globals={"f": print}, limits=Limits(timeout_ms=60_000))
        assert isinstance(held, Execution)
        async with held:
            expected = dict.fromkeys(range(count), "")
            gone: list[int] = []
            while held.result is None:
                if gone and rng.random() < 0.2:
                    with pytest.raises(KeyError):
                        await held.resume({rng.choice(gone): 1})
                some = rng.sample(held.calls, rng.randint(1, len(held.calls)))
                if rng.random() < 0.2:
                    with pytest.raises(MarshalError):
                        await held.resume({some[0].id: object()})
                if rng.random() < 0.02:
                    return  # never
                answers: dict[int, object] = {}
                for call in some:
                    fails = rng.random() < 0.4
                    number = call.arguments[0]
                    assert isinstance(number, int)
                    expected[number] = "rejected" if fails else "fulfilled"
                    answers[call.id] = (
                        ValueError("planned") if fails else rng.choice([None, 1, "text", [1], {}])
                    )
                await held.resume(answers)
                gone += answers
            assert held.result.value == list(expected.values())
            with pytest.raises(KeyError):
                await held.resume({rng.choice(gone): 1})

    async def main() -> None:
        for _ in range(12):
            await one()

    with left_clean():
        asyncio.run(main())
    nothing_is_left()


# ---- the guest itself, fed with replies that no honest host sends


def garbage(rng: random.Random) -> Reply:
    """A reply with an id, flags, or a message that nobody asked for."""
    payload = rng.choice(
        [
            b"",
            b"\xc1",
            b"\xdd\xff\xff\xff\xff",
            b"\xc7\x00\x63",
            b"\x91",
            bytes(rng.randbytes(rng.randint(1, 40))),
            to_guest([1, 2]).payload,
        ]
    )
    return Reply(
        rng.choice([0, 1, 7, 2**31, 2**32 - 1]), payload, failed=rng.random() < 0.5, refs=rng.random() < 0.5
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_guest_takes_each_answer_once_whatever_else_it_is_sent(seed: int) -> None:
    rng = seeded(4000 + seed)
    for _ in range(20):
        count = rng.randint(1, MAX_CALLS)
        code = (
            f"return await Promise.all(Array.from({{length: {count}}}, (_, n) => f(n).catch(e => e.message)))"
        )
        host = Host()
        with boot(host) as guest:
            status = start(guest, code, FUNCTION_F)
            assert status is Status.WAITING
            assert len(host.calls) == count
            rng.shuffle(host.calls)
            answered: list[Reply] = []
            for call in host.calls:
                reply = Reply(call.id, to_guest(call.arguments[0]).payload)
                batch = [reply, *rng.choices([reply, *answered], k=rng.randint(0, 3))]
                answered.append(reply)
                strangers = [
                    each
                    for each in (garbage(rng) for _ in range(3))
                    if int.from_bytes(each.bytes[:4], "little") in (0, 2**31, 2**32 - 1)
                ]
                assert guest.settle(strangers) is Status.WAITING
                status = guest.settle(batch)
            assert status is Status.DONE
            assert guest.words.pending == 0
            assert sections(guest) == (False, list(range(count)))
    nothing_is_left()


@pytest.mark.parametrize("seed", range(6))
def test_a_malformed_answer_rejects_its_own_call_or_ends_the_instance(seed: int) -> None:
    rng = seeded(5000 + seed)
    for _ in range(60):
        host = Host()
        with boot(host) as guest:
            code = "return await Promise.allSettled([f(0), f(1)]).then(all => all.map(r => r.status))"
            assert start(guest, code, FUNCTION_F) is Status.WAITING
            first, second = host.calls
            bad = garbage(rng).bytes
            try:
                status = guest.settle([_with_id(bad, first.id)])
                assert status is Status.WAITING
                status = guest.settle([Reply(second.id, to_guest(1).payload)])
            except GuestEnded:
                continue
            assert status is Status.DONE
            _, statuses = sections(guest)
            assert isinstance(statuses, list)
            assert statuses[1] == "fulfilled"
    nothing_is_left()


def _with_id(reply: bytes, number: int) -> Reply:
    made = Reply(number, b"")
    made.bytes = number.to_bytes(4, "little") + reply[4:]
    return made
