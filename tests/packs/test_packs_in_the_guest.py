"""Packs of strangers in the real guest: what their modules reach, and what they can do to the program beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from nodetool_sandbox import Ended, Limits, RunResult, Sandbox
from nodetool_sandbox.imports import scan_imports
from nodetool_sandbox_registry import Catalog, discover
from registry_fakes import CSV, INDEX, Site

pytestmark = pytest.mark.timeout(60)

NAME = "acme-pack"


def manifest(*modules: str, internal: tuple[str, ...] = ()) -> str:
    """The pack's own module in index.js, each further one in a file of its name."""
    more = "".join(f'[[modules]]\nname = "{name}"\nkind = "js"\nfile = "{name}.js"\n' for name in modules)
    return f"internal = {json.dumps(internal)}\n{INDEX}{more}"


class Packs:
    """Installed packs, and programs that import them."""

    def __init__(self, folder: Path) -> None:
        self._site = Site(folder)
        self.root = folder

    def install(self, files: Mapping[str, str], toml: str = INDEX, name: str = NAME) -> Packs:
        self._site.install(name, toml, files)
        return self

    def install_host(self) -> Packs:
        self._site.install("nodetool-sandbox-csv", CSV)
        return self

    def catalog(self) -> Catalog:
        catalog = discover([str(self._site.root)], imports_of=scan_imports)
        assert [each.message for each in catalog.diagnostics()] == []
        return catalog

    def run(
        self, code: str, *modules: str, sandbox: Sandbox | None = None, timeout_ms: int = 5_000
    ) -> RunResult:
        sandbox = sandbox or Sandbox(packs=self.catalog())
        return sandbox.run_sync(code, modules=modules or [NAME], limits=Limits(timeout_ms=timeout_ms))


@pytest.fixture
def packs(tmp_path: Path) -> Packs:
    return Packs(tmp_path / "site")


def message(result: RunResult) -> str:
    assert not result.success
    return str(result.error)


# ---- what a module reaches


def test_two_modules_share_a_helper_that_no_program_reaches(packs: Packs) -> None:
    packs.install(
        {
            "index.js": 'import { up } from "./inner.js"; export const one = up(0);',
            "more.js": 'import { up } from "./inner.js"; export const two = up(1);',
            "inner.js": "export const up = (n) => n + 1;",
        },
        manifest("more", internal=("inner.js",)),
    )
    code = 'import { one } from "acme-pack"; import { two } from "acme-pack/more"; return [one, two];'
    assert packs.run(code, NAME, "acme-pack/more").value == [1, 2]


@pytest.mark.parametrize(
    "specifier",
    [
        "acme-pack/inner.js",
        "acme-pack/inner",
        "./inner.js",
        "other-pack/inner.js",
        "acme-pack/more",
        "other-pack",
    ],
)
def test_a_program_imports_what_it_declares_and_no_file_of_a_pack(specifier: str, packs: Packs) -> None:
    files = {"index.js": 'import "./inner.js";', "more.js": "", "inner.js": "export const x = 1;"}
    packs.install(files, manifest("more", internal=("inner.js",)))
    packs.install(files, manifest("more", internal=("inner.js",)), name="other-pack")
    told = message(packs.run(f'import "{specifier}"; return 1'))
    assert f'"{specifier}" is not a sandbox package declared for this run' in told


def test_a_modules_state_is_that_of_one_run(packs: Packs) -> None:
    packs.install(
        {"index.js": "let count = 0; export const next = () => ++count; export const drawn = Math.random();"}
    )
    sandbox = Sandbox(packs=packs.catalog())
    code = 'import { next, drawn } from "acme-pack"; next(); return [next(), drawn];'
    results = [packs.run(code, sandbox=sandbox).value for _ in range(5)]
    assert all(isinstance(each, list) and each[0] == 2 for each in results)
    assert len({each[1] for each in results if isinstance(each, list)}) == 5


@pytest.mark.parametrize("name", ["setTimeout", "setInterval", "process", "Deno", "window"])
def test_a_module_finds_no_more_than_a_program(name: str, packs: Packs) -> None:
    packs.install({"index.js": f"export const one = {name}(() => 1);"})
    assert f"{name} is not defined" in message(packs.run('import "acme-pack"; return 1'))


@pytest.mark.parametrize(
    "source", ["eval('1')", "new Function('return 1')()", "(() => {}).constructor('return 1')()"]
)
def test_a_module_makes_no_code_of_text(source: str, packs: Packs) -> None:
    packs.install({"index.js": f"export const one = {source};"})
    assert not packs.run('import "acme-pack"; return 1').success


# ---- how a module ends


def test_a_module_that_throws_fails_the_run_with_its_file_and_line(packs: Packs) -> None:
    packs.install(
        {"index.js": 'import "./deep/inner.js";', "deep/inner.js": "\n\nthrow new TypeError('no luck');"},
        manifest(internal=("deep/inner.js",)),
    )
    result = packs.run('console.log("ran"); import "acme-pack"; return 1')
    assert message(result) == "TypeError: no luck"
    assert result.error is not None
    assert "acme-pack|deep/inner.js:3:" in result.error.stack
    assert str(packs.root) not in result.error.stack
    assert result.logs == ()


@pytest.mark.parametrize("source", ["for (;;);", "while (true) await 0;", "await null; for (;;);"])
def test_a_module_that_loops_is_stopped(source: str, packs: Packs) -> None:
    packs.install({"index.js": source})
    assert packs.run('import "acme-pack"; return 1', timeout_ms=300).ended is Ended.TIMEOUT


def test_a_module_that_waits_for_nothing_fails_the_run(packs: Packs) -> None:
    packs.install({"index.js": "await new Promise(() => {});"})
    result = packs.run('import "acme-pack"; return 1')
    assert result.ended not in {Ended.OK, Ended.TIMEOUT}


def test_modules_that_wait_are_waited_for_in_their_order(packs: Packs) -> None:
    packs.install(
        {
            "index.js": 'import { seen } from "./a.js"; import "./b.js"; await 0; seen.push("index"); export { seen };',
            "a.js": 'export const seen = []; await 0; seen.push("a");',
            "b.js": 'import { seen } from "./a.js"; await 0; seen.push("b");',
        },
        manifest(internal=("a.js", "b.js")),
    )
    code = 'import { seen } from "acme-pack"; return seen;'
    assert packs.run(code).value == ["a", "b", "index"]


def test_an_export_called_then_is_not_called(packs: Packs) -> None:
    packs.install({"index.js": "export function then(done) { done('called'); } export const one = 1;"})
    assert packs.run('import * as all from "acme-pack"; return Object.keys(all);').value == ["one", "then"]


def test_as_many_modules_as_a_pack_may_have_are_linked_in_one_chain(packs: Packs) -> None:
    internal = tuple(f"m{number}.js" for number in range(1, 256))
    files = {"index.js": 'export { deep } from "./m1.js";', "m255.js": "export const deep = 255;"}
    files |= {f"m{n}.js": f'export {{ deep }} from "./m{n + 1}.js";' for n in range(1, 255)}
    packs.install(files, manifest(internal=internal))
    assert packs.run('import { deep } from "acme-pack"; return deep;').value == 255


# ---- what a module can do to the program beside it: what the program itself could


ATTACKS = {
    "puts its own in the place of globals": "globalThis.fetch = () => 'evil'; globalThis.getSecret = () => 'evil';",
    "freezes the global object": "Object.freeze(globalThis);",
    "seals every prototype": "for (const each of [Object, Array, Promise, Map, Error]) Object.freeze(each.prototype);",
    "takes console away": "delete globalThis.console;",
    "patches arrays": "Array.prototype.map = () => ['evil']; Array.prototype.push = () => { throw 1 };",
    "patches promises": "Promise.prototype.then = () => { throw new Error('evil') };",
    "patches what turns values into text": "JSON.stringify = String = () => 'evil'; Object.keys = () => ['evil'];",
    "gives every object a getter": "Object.defineProperty(Object.prototype, 'type', { get() { return 'evil' } });",
    "puts timers and code from text back": (
        "globalThis.setTimeout = (f) => f(); globalThis.eval = (t) => t; globalThis.Function = function () {};"
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_run_beside_a_module_that_attacks_ends_and_the_next_one_is_as_ever(
    attack: str, packs: Packs
) -> None:
    packs.install({"index.js": f"{ATTACKS[attack]} export const one = 1;"})
    sandbox = Sandbox(packs=packs.catalog())
    attacked = packs.run(
        'import { one } from "acme-pack"; return { one, list: [1, 2] };', sandbox=sandbox, timeout_ms=2_000
    )
    assert attacked.ended in {Ended.OK, Ended.FAILED}
    assert attacked.success is False or attacked.value == {"one": 1, "list": [1, 2]}
    code = (
        "const a = [1].map((x) => x + 1); console.log(a[0]); await Promise.resolve().then(() => 0);"
        "return [a, typeof setTimeout, typeof ({}).type, JSON.stringify([1]), Object.isFrozen(globalThis)];"
    )
    after = packs.run(code, sandbox=sandbox)
    assert after.value == [[2], "undefined", "undefined", "[1]", False]
    assert after.logs == ("2",)


GRAB = """
const grabbed = [];
for (const name of ["__nodetoolHostDispatch", "__hostCall", "__call", "native", "kit"])
  if (globalThis[name] !== undefined) grabbed.push(name);
for (const name of Reflect.ownKeys(globalThis))
  if (typeof name === "string" && /dispatch|host|bridge|native|prelude/i.test(name)) grabbed.push(name);
export { grabbed };
"""


def test_a_module_finds_no_bridge_while_it_is_linked(packs: Packs) -> None:
    packs.install_host().install({"index.js": GRAB})
    code = (
        'import { parse } from "@nodetool-ai/sandbox-csv"; import { grabbed } from "acme-pack";'
        "return [grabbed, (await parse('a\\n1')).length];"
    )
    assert packs.run(code, NAME, "@nodetool-ai/sandbox-csv").value == [[], 1]


def test_a_module_has_no_host_function_that_the_program_did_not_declare(packs: Packs) -> None:
    packs.install_host().install({"index.js": GRAB})
    result = packs.run('import { grabbed } from "acme-pack"; return grabbed;')
    assert result.value == []
    assert result.calls == ()


def test_a_function_of_a_module_imports_nothing_later(packs: Packs) -> None:
    loads = (
        "export const load = (name) => {"
        "  const { constructor } = async () => {};"
        '  return constructor(`return import("${name}")`)();'
        "};"
    )
    packs.install({"index.js": loads})
    code = 'import { load } from "acme-pack"; try { return await load("acme-pack") } catch (e) { return e.name };'
    result = packs.run(code)
    assert result.success
    assert isinstance(result.value, str)
