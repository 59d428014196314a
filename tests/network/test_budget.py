"""How many requests a run makes, and how many connections it holds."""

from __future__ import annotations

import anyio
import pytest
from loopback import PUBLIC
from network.conftest import Serve
from nodetool_sandbox import Limits
from powers import run_with, value_with


@pytest.mark.parametrize("most", [0, 1, 3, 20])
def test_so_many_calls_and_the_next_one_is_refused(serve: Serve, most: int) -> None:
    internet = serve()
    code = f"""
        const told = [];
        for (let i = 0; i < {most} + 1; i++)
          told.push(await fetch("http://a.test/").then(r => r.status, e => e.message));
        return told
    """
    refusal = f"Fetch limit exceeded (max {most} requests per execution)"
    limits = Limits(max_fetch_calls=most)
    assert value_with(code, fetch=internet.fetch(), limits=limits) == [200] * most + [refusal]
    assert len(internet.server.requests) == most


def test_the_default_is_twenty_for_calls_at_once_too(serve: Serve) -> None:
    internet = serve()
    code = """
        const all = await Promise.allSettled(Array.from({ length: 500 }, () => fetch("http://a.test/")));
        const refused = all.filter(each => each.status === "rejected");
        return [all.length - refused.length, [...new Set(refused.map(each => each.reason.message))]]
    """
    assert value_with(code, fetch=internet.fetch()) == [
        20,
        ["Fetch limit exceeded (max 20 requests per execution)"],
    ]
    assert internet.server.connections <= 20


def test_a_call_that_is_refused_counts(serve: Serve) -> None:
    internet = serve()
    code = """
        for (const url of ["http://127.0.0.1/", 1, null, "file:///x"]) await fetch(url).catch(() => 0);
        await fetch("http://a.test/");
        await fetch("http://a.test/");
    """
    result = run_with(code, fetch=internet.fetch(), limits=Limits(max_fetch_calls=5))
    assert result.error is not None
    assert result.error.message == "Fetch limit exceeded (max 5 requests per execution)"
    assert len(internet.server.requests) == 1


def test_the_ceiling_is_a_hundred(serve: Serve) -> None:
    internet = serve()
    code = """
        const all = await Promise.allSettled(Array.from({ length: 150 }, () => fetch("http://a.test/")));
        return all.filter(each => each.value).length
    """
    assert value_with(code, fetch=internet.fetch(), limits=Limits(max_fetch_calls=10**6)) == 100


def test_an_uncaught_refusal_ends_the_run_with_the_references_words(serve: Serve) -> None:
    result = run_with(
        "for (;;) await fetch('http://a.test/')", fetch=serve().fetch(), limits=Limits(max_fetch_calls=1)
    )
    assert result.error is not None
    assert "(max 1 " in result.error.message


def test_requests_start_when_they_are_called_and_are_in_flight_together(serve: Serve) -> None:
    internet = serve()
    arrived: list[str] = []
    everybody = anyio.Event()

    async def resolve(host: str, port: int) -> list[str]:  # noqa: ARG001 - a Resolver
        arrived.append(host)
        if len(arrived) == 5:
            everybody.set()
        await everybody.wait()
        return [PUBLIC]

    code = (
        "return (await Promise.all(Array.from({ length: 5 }, (_, i) => fetch(`http://a${i}.test/`)))).length"
    )
    assert value_with(code, fetch=internet.fetch(resolver=resolve)) == 5


def test_a_flood_of_calls_that_are_refused_ends_with_the_run(serve: Serve) -> None:
    internet = serve()
    result = run_with(
        "for (;;) try { await fetch(1) } catch {}", fetch=internet.fetch(), limits=Limits(timeout_ms=300)
    )
    assert not result.success
    assert not internet.reached


def test_a_run_never_holds_more_connections_than_it_may_make_calls(serve: Serve) -> None:
    internet = serve()
    code = """
        for (let round = 0; round < 4; round++)
          await Promise.all(Array.from({ length: 5 }, (_, i) => fetch(`http://a${i}.test/`)));
        return 1
    """
    assert value_with(code, fetch=internet.fetch()) == 1
    assert internet.server.connections == 5
