// The side of the packages for Node: the stack that this project's reference ran on, and quickjs-wasi.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

import variant from "@jitl/quickjs-ng-wasmfile-release-sync";
import { loadQuickJs } from "@sebastianwessel/quickjs";
import { QuickJS } from "quickjs-wasi";

const { runSandboxed } = await loadQuickJs(variant);
const wasm = await WebAssembly.compile(await readFile(new URL(import.meta.resolve("quickjs-wasi/quickjs.wasm"))));

async function stack(code, wanted, env = {}) {
  const result = await runSandboxed(({ evalCode }) => evalCode(code), { env, executionTimeout: 60_000 });
  if (!result.ok || result.data !== wanted) throw new Error(JSON.stringify(result));
}

async function median(run, count) {
  const taken = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await run();
    taken.push((performance.now() - began) / 1000);
  }
  return taken.sort((a, b) => a - b)[count >> 1];
}

const tasks = {
  stack_fresh({ count }) {
    return median(() => stack("export default 1 + 1", 2), count);
  },
  async stack_calls({ count }) {
    const code = `let sum = 0; for (let i = 0; i < ${count}; i++) sum += await env.f(i); export default sum;`;
    const began = performance.now();
    await stack(code, (count * (count - 1)) / 2, { f: async (value) => value });
    return (performance.now() - began) / count / 1000;
  },
  async stack_calls_at_once({ count }) {
    const code = `const all = await Promise.all(Array.from({ length: ${count} }, (_, i) => env.f(i)));
      export default all.length;`;
    const began = performance.now();
    await stack(code, count, { f: async (value) => value });
    return (performance.now() - began) / count / 1000;
  },
  wasi_fresh({ count }) {
    return median(async () => {
      const vm = await QuickJS.create({ wasm });
      const value = vm.evalCode("1 + 1");
      if (value.toNumber() !== 2) throw new Error("quickjs-wasi: 1 + 1 is not 2");
      value.dispose();
      vm.dispose();
    }, count);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { task, given } = JSON.parse(line);
  let answer;
  try {
    answer = { value: await tasks[task](given) };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
