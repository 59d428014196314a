"""What a guest may call of the powers that its run was given, and what it hears when that fails."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Awaitable, Callable, Mapping
from typing import ClassVar

import pytest
from nodetool_sandbox.bridge_calls import Bridges
from nodetool_sandbox.bridges.power import Bridge, BridgeError, RunView, granted
from nodetool_sandbox.host_calls import Answer
from nodetool_sandbox.limits import Limits
from nodetool_sandbox.loops import current_loop
from nodetool_sandbox.marshal import to_guest, to_host
from nodetool_sandbox.pending import PendingCall
from nodetool_sandbox.result import Ended, RunResult


class Shelf(Bridge):
    """Answers, refuses and breaks in each of the three ways to be called."""

    def __init__(self) -> None:
        self.closed = False

    @property
    def calls(self) -> Mapping[str, Callable[..., Awaitable[object]]]:
        return {"get": self._get}

    @property
    def blocking(self) -> Mapping[str, Callable[..., object]]:
        return {"read": self._read}

    @property
    def calls_now(self) -> Mapping[str, Callable[..., object]]:
        return {"look": self._read}

    async def _get(self, name: object) -> object:
        return self._read(name)

    def _read(self, name: object) -> object:
        if name == "refused":
            raise BridgeError("there is no such thing", name="NotFound", details={"code": 7})
        if name == "broken":
            raise OSError(2, "No such file", "/secret/path")
        if name == "uncrossable":
            return object()
        return {"name": name}

    def redact(self, text: str) -> str:
        return text.replace("hunter2", "[secret]")

    def close(self) -> None:
        self.closed = True


class Assets:
    """A power whose bridges are remembered."""

    name: ClassVar[str] = "assets"

    def __init__(self) -> None:
        self.opened: list[Shelf] = []

    def open(self, run: RunView) -> Bridge:
        assert run.remaining_s() > 0
        self.opened.append(Shelf())
        return self.opened[-1]


def call(bridge: str, member: str, *arguments: object) -> PendingCall:
    header = struct.pack("<IiiHHB", 1, 0, 0, len(bridge), len(member), 0)
    made = PendingCall(header + bridge.encode() + member.encode() + to_guest(list(arguments)).payload, 0.0)
    made.name = f"{bridge}.{member}"
    return made


def answer(member: str, *arguments: object, bridge: str = "assets") -> Answer | None:
    """What comes of one call, whichever way it is made."""

    async def run() -> Answer | None:
        loop = current_loop()
        bridges = Bridges((Assets(),), view())
        if member == "look":
            return bridges.answer_now(call(bridge, member, *arguments))
        answers: list[Answer] = []
        if not bridges.start(call(bridge, member, *arguments), loop, answers.append, answers.append):  # type: ignore[arg-type]
            return None
        while not answers:
            loop.on_wake(lambda: True)
            await loop.wait(0.01)
        return answers[0]

    return asyncio.run(run())


def view() -> RunView:
    return RunView(limits=Limits(), loop=current_loop(), remaining_s=lambda: 1.0, is_unwanted=lambda: False)


MEMBERS = ["get", "read", "look"]


@pytest.mark.parametrize("member", MEMBERS)
def test_a_member_answers_with_a_plain_value(member: str) -> None:
    got = answer(member, "a")
    assert got is not None
    assert not got.failed
    assert to_host(got.payload, max_bytes=99) == {"name": "a"}


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("refused", ["NotFound", "there is no such thing", {"code": 7}]),
        ("broken", ["Error", "assets.{} failed inside the host", None]),
        ("uncrossable", None),
    ],
)
def test_a_failure_says_what_the_bridge_meant_to_say_and_nothing_else(
    member: str, argument: str, said: list[object] | None
) -> None:
    got = answer(member, argument)
    assert got is not None
    assert got.failed
    heard = to_host(got.payload, max_bytes=9_999)
    assert "/secret/path" not in str(heard)
    if said is not None:
        assert heard == [said[0], str(said[1]).format(member), said[2]]


@pytest.mark.parametrize("member", MEMBERS)
def test_arguments_of_the_wrong_number_are_a_failure_without_a_traceback(member: str) -> None:
    got = answer(member, 1, 2, 3)
    assert got is not None
    assert to_host(got.payload, max_bytes=999) == ["Error", f"assets.{member} failed inside the host", None]


@pytest.mark.parametrize("member", ["nothing", "__init__", "close", ""])
def test_only_listed_members_can_be_called(member: str) -> None:
    assert answer(member) is None
    assert answer("look", bridge="workspace") is None


def test_what_leaves_a_run_is_redacted_and_its_bridges_are_closed() -> None:
    async def run() -> None:
        power = Assets()
        bridges = Bridges((power,), view())
        assert bridges.redact("it is hunter2") == "it is [secret]"
        assert bridges.attach(RunResult(ended=Ended.OK)) == RunResult(ended=Ended.OK)
        bridges.close()
        bridges.close()
        assert power.opened[0].closed

    asyncio.run(run())


def test_a_power_goes_under_its_own_name() -> None:
    power = Assets()
    assert granted(assets=power, fetch=None) == (power,)
    for wrong in ({"fetch": power}, {"assets": object()}):
        with pytest.raises(TypeError, match=r"takes the power of that name, not (Assets|object)"):
            granted(**wrong)
