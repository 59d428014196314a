"""Which host calls a run may make, whatever its guest asks for."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import pytest
from nodetool_sandbox.dispatch import MAX_INFLATED_BYTES, Dispatcher, InProcess
from nodetool_sandbox.host_calls import MAX_HOST_CALL_S, Answer, CallDeadline, Done, HostCall, failure
from nodetool_sandbox.marshal import to_guest, to_host
from nodetool_sandbox_registry import Resolution
from nodetool_sandbox_registry.hosts import Deadline, HostExport, HostFunction, HostId, HostModule

CSV, YAML = "@nodetool-ai/sandbox-csv", "@nodetool-ai/sandbox-yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    host_id: str | None
    specifier: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    specifier: str
    distribution: str
    files: tuple[File, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What a dispatcher reads of a resolution."""

    modules: tuple[Module, ...] = field(
        default=(
            Module(
                specifier=CSV,
                distribution="nodetool-sandbox-csv",
                files=(File(host_id="csv", specifier=CSV), File(host_id=None, specifier=None)),
            ),
            Module(
                specifier=YAML,
                distribution="nodetool-sandbox-yaml",
                files=(File(host_id="yaml", specifier=f"{YAML}/host"),),
            ),
        )
    )


def table(function: HostFunction) -> dict[str, HostModule]:
    exports = (
        HostExport(name="parse", function=function),
        HostExport(name="load", function=function, sync=True),
    )
    return {each: HostModule(host_id=HostId(each), exports=exports) for each in ("csv", "yaml")}


def first(args: Sequence[object], _deadline: Deadline) -> object:
    return args[0]


def exhausted(_args: Sequence[object], _deadline: Deadline) -> object:
    raise MemoryError


def dispatcher(function: HostFunction = first, *, hosts: dict[str, HostModule] | None = None) -> Dispatcher:
    given = table(function) if hosts is None else hosts
    return Dispatcher(cast("Resolution", Resolved()), given, InProcess())


def call(specifier: str, export: str, *args: object) -> HostCall:
    return HostCall(specifier=specifier, export=export, payload=to_guest(list(args)).payload, refs=False)


def seen(answer: Answer) -> object:
    value = to_host(answer.payload, max_bytes=10_000)
    return cast("list[str]", value)[1] if answer.failed else value


def now(dispatcher: Dispatcher, asked: HostCall, *, cancelled: bool = False) -> object:
    return seen(dispatcher.call_now(asked, 1.0, lambda: cancelled))


def refused_start(dispatcher: Dispatcher, asked: HostCall) -> object:
    answers: list[Answer] = []
    dispatcher.start(asked, 1.0, lambda: False, answers.append)
    return seen(answers[0])


def test_a_declared_export_is_called() -> None:
    assert now(dispatcher(), call(f"{YAML}/host", "load", 5)) == 5


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        (call("@nodetool-ai/sandbox-zip", "unzip"), "is not a host sandbox module declared by this run"),
        (call(CSV, "constructor"), f'{CSV} has no export named "constructor"'),
        (call(YAML, "load"), "is not a host sandbox module declared by this run"),
    ],
    ids=["another module", "another export", "the module that imports it"],
)
def test_what_was_not_declared_is_refused_either_way(asked: HostCall, refusal: str) -> None:
    assert refusal in str(now(dispatcher(), asked))
    assert refusal in str(refused_start(dispatcher(), asked))
    assert dispatcher().is_sync(asked.specifier, asked.export) is False


def test_the_pin_says_which_exports_answer_at_once() -> None:
    assert dispatcher().is_sync(f"{YAML}/host", "load")
    assert not dispatcher().is_sync(CSV, "parse")


def test_an_export_without_an_implementation_says_what_to_install() -> None:
    expected = (
        f"{YAML}/host: load has no implementation in this runtime; pip install nodetool-sandbox-host[yaml]"
    )
    for hosts in ({}, {"yaml": HostModule(host_id=HostId("yaml"), exports=())}):
        assert now(dispatcher(hosts=hosts), call(f"{YAML}/host", "load", 1)) == expected


def test_a_cancelled_run_calls_nothing() -> None:
    assert now(dispatcher(), call(f"{YAML}/host", "load", 1), cancelled=True) == "the run was cancelled"


def test_memory_that_runs_out_here_fails_the_call() -> None:
    assert now(dispatcher(exhausted), call(f"{YAML}/host", "load", 1)) == "yaml.load: out of memory"


def test_a_call_has_its_own_deadline_or_the_rest_of_the_run() -> None:
    left: list[float] = []

    def look(_args: Sequence[object], deadline: Deadline) -> object:
        left.append(cast("CallDeadline", deadline).remaining_s())
        return None

    for seconds in (1000.0, 1.0):
        dispatcher(look).call_now(call(f"{YAML}/host", "load"), seconds, lambda: False)
    assert MAX_HOST_CALL_S - 5 < left[0] <= MAX_HOST_CALL_S
    assert left[1] <= 1.0


def test_calls_are_named_for_logs_and_never_at_length() -> None:
    assert dispatcher().name(CSV, "parse") == "csv.parse"
    assert dispatcher().name("strange", "x" * 1000) == f"strange.{'x' * 192}"
    assert dispatcher().specifiers == (CSV, f"{YAML}/host")
    assert Dispatcher(None, {}, InProcess()).specifiers == ()


def test_details_that_cannot_cross_are_left_out() -> None:
    answer = failure("Error", "no", {"row": object()})
    assert to_host(answer.payload, max_bytes=1000) == ["Error", "no", None]


class Archives:
    """A runner that answers with an archive's one file of so many bytes, one number for each call."""

    def __init__(self, *sizes: int) -> None:
        self._sizes = iter(sizes)

    def warm(self) -> None:
        raise NotImplementedError

    def start(
        self,
        _host_id: str,
        _call: HostCall,
        _deadline: CallDeadline,
        *,
        hosts: Mapping[str, HostModule],  # noqa: ARG002 - the seam's name
        run: Hashable,  # noqa: ARG002 - the seam's name
        done: Done,
    ) -> None:
        done(Answer(payload=to_guest({"a file's name": bytes(next(self._sizes))}).payload))


@pytest.mark.parametrize("pack", ["zip", "xlsx"])
@pytest.mark.parametrize(
    ("sizes", "refused"),
    [
        ((MAX_INFLATED_BYTES - 9, 9), [False, False]),
        ((MAX_INFLATED_BYTES - 9, 10), [False, True]),
        ((MAX_INFLATED_BYTES, 1), [False, True]),
        ((MAX_INFLATED_BYTES // 4,) * 4, [False] * 4),
        ((MAX_INFLATED_BYTES // 4,) * 3 + (MAX_INFLATED_BYTES // 4 + 1,), [False] * 3 + [True]),
    ],
    ids=["N", "N + 1", "nothing is left", "four archives at their own cap", "one byte more"],
)
def test_what_a_run_inflates_is_counted_over_its_calls(
    pack: str, sizes: tuple[int, ...], refused: list[bool]
) -> None:
    specifier = f"@nodetool-ai/sandbox-{pack}"
    modules = (
        Module(
            specifier=specifier,
            distribution=f"nodetool-sandbox-{pack}",
            files=(File(host_id=pack, specifier=specifier),),
        ),
    )
    archives = Dispatcher(cast("Resolution", Resolved(modules=modules)), {}, Archives(*sizes))
    answers: list[Answer] = []
    for _ in sizes:
        archives.start(
            call(specifier, "unzip" if pack == "zip" else "parse"), 1.0, lambda: False, answers.append
        )
    assert [each.failed for each in answers] == refused
    if answers[-1].failed:
        assert f"this run has inflated more than {MAX_INFLATED_BYTES} bytes" in str(seen(answers[-1]))


def test_what_does_not_inflate_is_not_counted() -> None:
    answers: list[Answer] = []
    csv = Dispatcher(cast("Resolution", Resolved()), {}, Archives(MAX_INFLATED_BYTES, MAX_INFLATED_BYTES))
    for _ in range(2):
        csv.start(call(CSV, "parse"), 1.0, lambda: False, answers.append)
    assert [each.failed for each in answers] == [False, False]
