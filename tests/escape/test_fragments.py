"""Small programs put together by chance from hostile fragments: each ends in one of the ways that a run may end.

The same programs each time. A few are tried always, 500 with ESCAPE_ALL=1.
"""

from __future__ import annotations

import os
import random

import pytest
from escape.leaks import leaks_of
from nodetool_sandbox import Ended, Limits, Sandbox

pytestmark = pytest.mark.timeout(60)

COUNT = 500 if os.environ.get("ESCAPE_ALL") else 60
IMPORTS = """\
import { parse } from "@nodetool-ai/sandbox-csv";
import { load, dump } from "@nodetool-ai/sandbox-yaml";
"""
MODULES = ("@nodetool-ai/sandbox-csv", "@nodetool-ai/sandbox-yaml")

VALUES = """
0 | -0 | NaN | 2**53 | 1n << 70n | "" | "\\ud800" | "x".repeat(1e6) | [] | [,1] | {} | null | undefined | Symbol("s")
() => V | new Proxy({}, {}) | new Proxy([], { get: (t, k) => V }) | new Map([[V, V]]) | new Set([V])
new Uint8Array(9) | new Float64Array(new ArrayBuffer(64, { maxByteLength: 640 })) | new Date(V) | /(a+)+$/g
Object.create(null) | new Error(V) | { get a() { return V } } | { toJSON() { return V } } | { then(r) { r(V) } }
{ valueOf() { return V } } | { toString() { throw V } } | { length: V }
{ [Symbol.iterator]: function* () { yield V } } | [V, V] | { a: V, b: V } | globalThis
Promise.resolve(V) | Promise.reject(V) | (function* () { yield V })()
(() => { const o = {}; o.o = o; return o })() | new WeakRef({}) | class extends Array {} | console | V?.a | Object(V)
structuredClone({ a: V }) | toBase64(String(V)) | JSON.stringify(V) | sleep(V) | load("a: 1") | `${V}` | [...V] | V + V
V in V | V instanceof V | typeof V | delete V.a | V(V) | new V(V) | V[V] | (async () => await V)()
(V, V) | V.constructor
"""
STATEMENTS = """
V; | const [a1 = V] = V; | for (const k in V) S | for (const k of V) S
try { S } catch (e) { S } | try { S } finally { S }
while (V) { S break; } | label: for (;;) { S break label; } | throw V; | return V; | console.log(V, V); | S S
Object.defineProperty(V, "a", { get() { S return V } }); | Object.setPrototypeOf(V, V); | Object.prototype.x = V;
Array.prototype.sort.call(V, () => V); | Array.prototype.concat.call(V, V); | Array.prototype.splice.call(V, V, V);
Array.from({ length: 1e4 }, () => V); | "aaaa".replace(/a/g, () => V); | JSON.parse("[1,2]", () => V);
parallelMap([1, 2], async () => { S }).catch(() => V); | (async () => { S })(); | queueMicrotask(() => { S });
Promise.all([V, V]).catch(() => { S }); | Reflect.construct(V, [V], V); | Error.prepareStackTrace = () => V;
globalThis.g = V; | delete globalThis.Promise; | Promise.prototype.then = V; | Symbol.prototype.x = V; | dump(V);
parse(V).catch(() => { S }); | import(V).catch(() => V); | new V(V); | (function f() { try { f() } catch { S } })();
Object.freeze(V); | new Uint8Array(V); | V.resize?.(V); | for (let i = 0; i < 1e3; i++) { S } | progress(V, V); | ;
"""


def alternatives(text: str) -> list[str]:
    return [part.strip() for line in text.strip().split("\n") for part in line.split(" | ")]


FRAGMENTS = {"V": alternatives(VALUES), "S": alternatives(STATEMENTS)}
LEAVES = {"V": ["(0)", '"x"', "[]", "{}", "null"], "S": [";"]}


def written(text: str, chance: random.Random, depth: int) -> str:
    """The text with a fragment for each letter that stands alone."""
    parts = []
    for index, letter in enumerate(text):
        alone = letter in FRAGMENTS and not (
            text[index - 1 : index].isalnum() or text[index + 1 : index + 2].isalnum()
        )
        if not alone:
            parts.append(letter)
        elif depth <= 0:
            parts.append(chance.choice(LEAVES[letter]))
        else:
            inner = written(chance.choice(FRAGMENTS[letter]), chance, depth - 1)
            parts.append(f"({inner})" if letter == "V" else inner)
    return "".join(parts)


def program(seed: int) -> str:
    chance = random.Random(seed)  # noqa: S311 - the same programs each time
    steps = [f"try {{ {written('S', chance, 4)} }} catch {{ }}" for _ in range(chance.randint(1, 6))]
    return IMPORTS + "\n".join(steps) + "\nreturn " + written("V", chance, 4)


@pytest.mark.parametrize("seed", range(COUNT))
def test_a_program_of_hostile_fragments_ends_in_a_way_that_has_a_name(seed: int) -> None:
    result = Sandbox().run_sync(
        program(seed),
        modules=MODULES,
        globals={"state": {"a": [1]}},
        limits=Limits(timeout_ms=200),
    )
    assert result.ended in {Ended.OK, Ended.FAILED, Ended.TIMEOUT, Ended.DEADLOCK}, result.error
    assert not leaks_of(result)
    assert Sandbox().run_sync("return 1").value == 1
