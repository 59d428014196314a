"""Programs that call the WebAssembly of a pack: what crosses, what is refused, and what stops."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest
from escape.leaks import leaks_of
from nodetool_sandbox import Cancel, Ended, InProcess, Limits, RunResult, Sandbox
from nodetool_sandbox.wasm.compiling import compiled_modules
from nodetool_sandbox.wasm.pool import shared_pool
from runs import left_clean, until
from wasm_packs import NUMBERS, catalog, install, limited, manifest, numbers, sandbox

IMPORT = f'import * as numbers from "{NUMBERS}";\n'

pytestmark = pytest.mark.timeout(120)


def run(on: Sandbox, code: str, *, limits: Limits | None = None, cancel: Cancel | None = None) -> RunResult:
    return on.run_sync(IMPORT + code, modules=[NUMBERS], limits=limits, cancel=cancel)


def returned(on: Sandbox, code: str) -> object:
    result = run(on, code)
    assert result.success, result.error
    return result.value


def refusal(on: Sandbox, code: str) -> str:
    """The message of the SandboxWasmError that a program with this code catches, and then goes on."""
    caught = returned(
        on, f"try {{ {code} }} catch (e) {{ return [e.name, e.message, await numbers.add(1, 1)] }}"
    )
    assert isinstance(caught, list), caught
    name, message, after = caught
    assert (name, after) == ("SandboxWasmError", 2), caught
    assert isinstance(message, str)
    return message


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return sandbox(tmp_path_factory.mktemp("site"), call_timeout_ms=400)


# ---- values


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("numbers.add(2, 3)", 5),
        ("numbers.add(-5, 3)", -2),
        ("numbers.add(2147483647, 1)", -2147483648),
        ("numbers.negate(-7)", 7),
        ("numbers.half(-3)", -1.5),
        ("numbers.half(2 ** 60)", 2.0**59),
        ("numbers.narrow(0.1).then((x) => x === Math.fround(0.1))", True),
        ("numbers.narrow(1e300)", float("inf")),
        ("numbers.same(NaN).then(Number.isNaN)", True),
        ("numbers.same(-Infinity)", float("-inf")),
        ("numbers.same(-0).then((x) => Object.is(x, -0))", True),
        ("numbers.same(5e-324)", 5e-324),
        ("numbers.nothing().then((x) => x === undefined)", True),
        ("numbers.seven()", 7),
        ("numbers.eight(1, 2, 3, 4, 5, 6, 7, 8)", 36),
        ("numbers.add(2147483647, -0)", 2147483647),
    ],
)
def test_numbers_go_there_and_back(plain: Sandbox, call: str, expected: object) -> None:
    assert returned(plain, f"return await {call}") == expected


def test_a_module_has_its_aliases_and_no_default_export(plain: Sandbox) -> None:
    names = returned(plain, "return Object.keys(numbers)")
    assert isinstance(names, list)
    assert "seven" in names
    assert not {"default", "with_a_long_name", "hidden", "memory"} & set(names)


@pytest.mark.parametrize(
    "alias", ["bind", "call0", "then", "undefined", "$", "__proto__", "toString", "async"]
)
def test_an_alias_may_be_any_identifier(tmp_path: Path, alias: str) -> None:
    install(tmp_path, text=manifest(f'["add", {{ wasm = "with_a_long_name", as = "{alias}" }}]'))
    on = Sandbox(packs=catalog(tmp_path))
    code = f'import {{ {alias} as aliased }} from "{NUMBERS}"; return [await aliased(), aliased.name]'
    result = on.run_sync(code, modules=[NUMBERS])
    assert result.value == [7, alias], result


def test_a_run_without_webassembly_has_nothing_to_call_it_with(tmp_path: Path) -> None:
    index = '[[modules]]\nname = "."\nkind = "js"\nfile = "index.js"\n'
    install(tmp_path, "acme-plain", index, {"index.js": "export const one = 1;"})
    on = Sandbox(packs=catalog(tmp_path))
    plan = on._plan("return 1", ["acme-plain"], None, None, None, None)
    assert not isinstance(plan, RunResult)
    assert plan.wasm is None


def test_each_call_has_an_instance_of_its_own(plain: Sandbox) -> None:
    code = "return [await numbers.bump(), await numbers.bump(), await numbers.bump()].join()"
    assert returned(plain, code) == "1,1,1"


I32 = f"{NUMBERS}: negate argument 0 expects i32 in the range -2147483648...2147483647, received "


@pytest.mark.parametrize(
    ("argument", "described"),
    [
        ("2147483648", "2147483648"),
        ("-2147483649", "-2147483649"),
        ("1.5", "the non-integer 1.5"),
        ("NaN", "NaN"),
        ("Infinity", "Infinity"),
        ("-Infinity", "-Infinity"),
        ('"2"', "a string value"),
        ("null", "null"),
        ("undefined", "undefined"),
        ("true", "a boolean value"),
        ("5n", "the bigint 5"),
        ("2n ** 200n", "the bigint of many digits"),
        ("[1]", "an array"),
        ("({ valueOf: () => 1 })", "an object value"),
        ("new Date(0)", "an object value"),
        ("new Uint8Array(1)", "an object value"),
        ("1e300", f"{1e300:.0f}"),
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_whole_number_of_32_bits_is_refused(plain: Sandbox, argument: str, described: str) -> None:
    assert refusal(plain, f"await numbers.negate({argument})") == I32 + described


@pytest.mark.parametrize("argument", ['"2"', "null", "5n", "[]", "true", "undefined"])
def test_what_is_no_number_is_refused_for_floats_too(plain: Sandbox, argument: str) -> None:
    words = refusal(plain, f"await numbers.half({argument})")
    assert words.startswith(f"{NUMBERS}: half argument 0 expects f64, a number, received ")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("numbers.add(1)", "add takes 2 arguments, received 1"),
        ("numbers.add(1, 2, 3)", "add takes 2 arguments, received 3"),
        ("numbers.negate()", "negate takes 1 argument, received 0"),
        ("numbers.nothing(undefined)", "nothing takes 0 arguments, received 1"),
    ],
)
def test_another_number_of_arguments_is_refused(plain: Sandbox, call: str, words: str) -> None:
    assert refusal(plain, f"await {call}") == f"{NUMBERS}: {words}"


def test_an_argument_that_cannot_cross_is_refused_where_it_stands(plain: Sandbox) -> None:
    caught = returned(plain, "const a = []; a[0] = a; return numbers.add(a, 1).catch((e) => e.name)")
    assert caught in {"TypeError", "SandboxWasmError"}


# ---- what may be called


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            'import { bind } from "nodetool:wasm-bridge";',
            "is private to the sandbox's generated WASM facades",
        ),
        ('import { hidden } from "acme-numbers";', "hidden"),
        ('import { with_a_long_name } from "acme-numbers";', "with_a_long_name"),
        ('import numbers from "acme-numbers";', "default"),
        ('import { add } from "acme-others";', "is not a sandbox package declared for this run"),
        ('import { add } from "acme-numbers/w.wasm";', "is not a sandbox package declared for this run"),
    ],
    ids=["bridge", "not declared", "not its alias", "default", "another pack", "the file"],
)
def test_only_declared_aliases_of_declared_modules_are_imported(
    plain: Sandbox, code: str, words: str
) -> None:
    result = plain.run_sync(code, modules=[NUMBERS])
    assert not result.success
    assert words in str(result.error)


def test_no_global_leads_to_a_dispatcher(plain: Sandbox) -> None:
    names = "'__wasmCall', '__nodetoolWasmDispatch', 'WebAssembly', 'bind'"
    assert returned(plain, f"return [{names}].every((name) => !(name in globalThis))") is True


def test_a_pack_that_is_in_front_of_nothing_cannot_reach_its_own_binary(tmp_path: Path) -> None:
    index = '[[modules]]\nname = "."\nkind = "js"\nfile = "index.js"\n'
    for reached in ("./w.wasm", "./w", "nodetool:wasm-bridge", "acme-grabs/w"):
        root = tmp_path / reached.replace("/", "_").replace(":", "_")
        install(
            root,
            "acme-grabs",
            index + manifest(name="w"),
            {
                "index.js": f'import * as stolen from "{reached}";\nglobalThis.stolen = stolen;',
                "w.wasm": numbers(),
            },
        )
        (told,) = (each.message for each in catalog(root).diagnostics())
        assert f'"index.js" imports "{reached}"' in told


def test_a_function_that_a_pack_took_along_while_linking_is_bounded_like_any_other(tmp_path: Path) -> None:
    """A pack's own JavaScript patches what it can; the program's calls go through it, and the host counts."""
    install(tmp_path, text=limited(calls_per_invocation=3, call_timeout_ms=60))
    index = '[[modules]]\nname = "."\nkind = "js"\nfile = "index.js"\n'
    grab = (
        "globalThis.grabbed = []; const { then } = Promise.prototype;\n"
        "Promise.prototype.then = function (...all) { globalThis.grabbed.push(this); return then.apply(this, all); };\n"
        "const functions = Object.getPrototypeOf(() => 0); functions.call = functions.apply = () => 42;\n"
        "export const ok = 1;\n"
    )
    install(tmp_path, "acme-grabs", index, {"index.js": grab})
    code = (
        'import { ok } from "acme-grabs";\n' + IMPORT + "const held = numbers.spin; const told = [];\n"
        "for (let i = 0; i < 5; i++) { try { await held(); } catch (e) { told.push(e.message); } }\n"
        "return told;"
    )
    result = Sandbox(packs=catalog(tmp_path)).run_sync(code, modules=[NUMBERS, "acme-grabs"])
    assert isinstance(result.value, list), result
    assert ["exceeded its 60 ms" in each for each in result.value] == [True] * 3 + [False] * 2
    assert "exhausted its budget of 3 WASM calls" in result.value[-1]


def test_calls_are_recorded_by_specifier_and_export(plain: Sandbox) -> None:
    result = run(plain, "await numbers.add(1, 2)")
    assert [each.name for each in result.calls] == [f"{NUMBERS}.add"]


# ---- what stops


def test_a_call_that_never_ends_costs_its_worker_and_the_next_one_works(plain: Sandbox) -> None:
    before = shared_pool().replaced
    words = refusal(plain, "await numbers.spin()")
    assert (
        words == "WASM call spin exceeded its 400 ms per-call timeout; the worker was terminated and replaced"
    )
    assert shared_pool().replaced == before + 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("fail()", "fail: unreachable"),
        ("divide(1, 0)", "divide: integer divide by zero"),
        ("divide(-2147483648, -1)", "divide: integer overflow"),
    ],
)
def test_a_trap_passes_its_own_message(plain: Sandbox, call: str, words: str) -> None:
    assert refusal(plain, f"await numbers.{call}") == f"{NUMBERS}: {words}"


def test_a_recursion_without_end_fails_its_call_and_nothing_else(plain: Sandbox) -> None:
    words = refusal(plain, "await numbers.recurse()")
    # whichever of the two stacks is used up first: the native one, or that in the module's own memory
    assert words in {
        f"{NUMBERS}: recurse: call stack exhausted",
        f"{NUMBERS}: recurse: out of bounds memory access",
    }


def test_memory_grows_to_what_the_pack_asked_for_or_the_run_has(plain: Sandbox) -> None:
    mib = 1024 * 1024
    for limit, most in ((8 * mib, 128), (512 * mib, 512)):
        result = run(plain, "return numbers.grow(100_000)", limits=Limits(memory_limit_bytes=limit))
        assert isinstance(result.value, int), result
        assert 0.9 * most < result.value < most


def test_a_module_that_needs_more_memory_than_the_run_has_says_so(tmp_path: Path) -> None:
    on = sandbox(tmp_path)
    result = run(on, "await numbers.nothing()", limits=Limits(memory_limit_bytes=1024 * 1024))
    assert result.success  # its three pages fit
    install(tmp_path, text=manifest('["f"]'), files={"w.wasm": _big()})
    result = run(
        Sandbox(packs=catalog(tmp_path)), "await numbers.f()", limits=Limits(memory_limit_bytes=1024 * 1024)
    )
    assert "f: memory minimum size of 100 pages exceeds memory limits" in str(result.error)


def _big() -> bytes:
    from wasm_forms import module, signature  # noqa: PLC0415 - of the registry's tests

    return module(signature(), memory=b"\1\x64\x64")


def test_the_time_out_of_the_run_ends_a_call_too(tmp_path: Path) -> None:
    on = sandbox(tmp_path)
    run(on, "await numbers.add(1, 2)")  # compiled
    with left_clean():
        result = run(on, "await numbers.spin()", limits=Limits(timeout_ms=150))
        assert result.ended is Ended.TIMEOUT
        assert result.usage.wall_ms < 2_000


def test_a_cancelled_run_ends_its_calls_and_those_that_wait(tmp_path: Path) -> None:
    on = sandbox(tmp_path)
    run(on, "await numbers.add(1, 2)")
    cancel = Cancel()
    before = shared_pool().replaced
    with left_clean():
        timer = threading.Timer(0.1, cancel.cancel)
        timer.start()
        result = run(on, "await Promise.all(Array.from({ length: 6 }, () => numbers.spin()))", cancel=cancel)
        timer.join()
        assert result.ended is Ended.CANCELLED
        until(lambda: shared_pool().replaced == before + 2, "the two that ran are ended, four never began")


def test_a_call_that_nobody_awaits_dies_with_its_run(tmp_path: Path) -> None:
    on = sandbox(tmp_path)
    run(on, "await numbers.add(1, 2)")
    with left_clean():
        result = run(on, "numbers.spin(); numbers.spin(); numbers.spin(); return 1")
        assert result.value == 1


def test_runs_share_the_workers_of_their_process(tmp_path: Path) -> None:
    on = sandbox(tmp_path, call_timeout_ms=100)
    run(on, "await numbers.add(1, 2)")

    async def several() -> list[RunResult]:
        code = IMPORT + "await Promise.allSettled([numbers.spin(), numbers.spin()]); return numbers.add(1, 2)"
        return await asyncio.gather(*(on.run(code, modules=[NUMBERS]) for _ in range(4)))

    began = time.monotonic()
    results = asyncio.run(several())
    assert [each.value for each in results] == [3] * 4
    assert time.monotonic() - began >= 0.19  # eight of them on four workers
    assert shared_pool().peak <= 4


# ---- compiling


def test_a_binary_is_compiled_once_a_process(plain: Sandbox, tmp_path: Path) -> None:
    assert returned(plain, "return numbers.add(1, 2)") == 3
    before = compiled_modules(in_process=False).compiled
    other = sandbox(tmp_path)  # another pack with the same bytes
    assert (
        returned(other, "return (await Promise.all([numbers.add(1, 2), numbers.add(3, 4)])).join()") == "3,7"
    )
    assert compiled_modules(in_process=False).compiled == before


INVALID = b"\0\x6a\x0b"  # i32.add of nothing


def test_a_binary_with_an_invalid_body_fails_its_calls_and_is_not_kept(tmp_path: Path) -> None:
    from wasm_forms import module, signature  # noqa: PLC0415 - of the registry's tests

    install(tmp_path, text=manifest('["f"]'), files={"w.wasm": module(signature("", "i32"), body=INVALID)})
    on = Sandbox(packs=catalog(tmp_path))
    before = compiled_modules(in_process=False).compiled
    told = returned(
        on,
        "const told = []; for (let i = 0; i < 2; i++) await numbers.f().catch((e) => told.push(e.message)); "
        "return told",
    )
    assert isinstance(told, list)
    assert told[0] == told[1]
    assert told[0].startswith(f"{NUMBERS} is not valid WebAssembly (")
    assert "type mismatch" in told[0]
    assert compiled_modules(in_process=False).compiled == before + 2


def test_without_processes_it_is_compiled_on_a_thread(tmp_path: Path) -> None:
    install(tmp_path)
    on = Sandbox(packs=catalog(tmp_path), runner=InProcess())
    assert returned(on, "return numbers.add(1, 2)") == 3


def test_nothing_of_the_host_is_in_what_a_program_reads(plain: Sandbox) -> None:
    for code in ("numbers.fail()", "numbers.add('x')", "numbers.recurse()"):
        assert list(leaks_of(run(plain, f"await {code}"))) == []
