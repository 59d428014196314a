"""A guest can call a member of a bridge with anything. It gets a refusal in words, and nothing else happens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import anyio
import httpcore
import pytest
from nodetool_sandbox import UNDEFINED, Fetch, JSMap, Limits, Secret, Secrets
from nodetool_sandbox.bridges.power import BridgeError, RunView
from nodetool_sandbox.loops import current_loop

JUNK: Final[list[object]] = [
    None, UNDEFINED, True, -1, 1.5, float("nan"), 10**30, "", "x" * 1000, "\ud800", b"", b"\x00", [], [[]], {},
    {"a": 1}, JSMap(()), [1, "a"], ["a"], [["a"]], [["a", 1]], [["a", "b", "c"]], {"method": []},
]  # fmt: skip


async def resolve(host: str, port: int) -> Sequence[str]:
    raise AssertionError((host, port))


async def connect(address: str, port: int) -> httpcore.AsyncNetworkStream:
    raise AssertionError((address, port))


def view() -> RunView:
    return RunView(
        limits=Limits(max_fetch_calls=10**6).clamped(),
        loop=current_loop(),
        remaining_s=lambda: 10.0,
        is_unwanted=lambda: False,
    )


@pytest.mark.parametrize("junk", JUNK, ids=lambda each: ascii(each)[:20])
def test_fetch_refuses_what_is_no_request(junk: object) -> None:
    good: dict[str, object] = {
        "method": "GET",
        "headers": [],
        "body": None,
        "kind": None,
        "redirect": "follow",
    }
    requests: list[tuple[object, ...]] = [
        (),
        (junk,),
        (junk, junk),
        (junk, junk, junk),
        (1, junk, good),
        (1, "http://a.test/", junk),
    ]
    named = [name for name in ("method", "headers", "redirect") if junk != good[name]]
    requests += [(1, "http://a.test/", {**good, name: junk}) for name in named]
    if junk not in (None, b"", "") and not isinstance(junk, str | bytes):
        requests.append((1, "http://a.test/", {**good, "method": "POST", "body": junk}))

    async def main() -> None:
        for request in requests:
            bridge = Fetch(resolver=resolve, connector=connect).open(view())
            with pytest.raises(BridgeError):
                await bridge.calls["request"](*request)
            await bridge.calls["abort"](*request)
            bridge.close()

    anyio.run(main)


@pytest.mark.parametrize("junk", JUNK, ids=lambda each: ascii(each)[:20])
def test_get_secret_refuses_what_is_no_name(junk: object) -> None:
    async def main() -> None:
        bridge = Secrets({"A": "value", "B": Secret("long enough", ["a.test"])}, scope=["A"]).open(view())
        for arguments in [(junk,), (junk, junk)]:
            with pytest.raises(BridgeError):
                await bridge.calls["get"](*arguments)

    anyio.run(main)
