// The side of the packages for Node: the stack that this project's reference ran on, and quickjs-wasi.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

import variant from "@jitl/quickjs-ng-wasmfile-release-sync";
import { loadQuickJs } from "@sebastianwessel/quickjs";
import { QuickJS } from "quickjs-wasi";

const { runSandboxed } = await loadQuickJs(variant);
const wasm = await WebAssembly.compile(await readFile(new URL(import.meta.resolve("quickjs-wasi/quickjs.wasm"))));

async function stack(code, wanted, env = {}, more = {}) {
  const result = await runSandboxed(({ evalCode }) => evalCode(code), { env, executionTimeout: 60_000, ...more });
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

// The libraries of npm that the packs' functions are called after, on what pack_calls.py gives ours.
const times = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const page = () =>
  `<html><body><ul>${times(5_000, (i) => `<li class='item'><a href='/${i}'>Item ${i}</a> costs <b>${i}.50</b> <em>today</em>, with a note.</li>`).join("")}</ul></body></html>`;
const feed = () =>
  `<feed>${times(46_000, (i) => `<item id='${i}'><title>Title ${i}</title><link>https://x.example/${i}</link><tag>a</tag><tag>b</tag></item>`).join("")}</feed>`;
const cells = () => times(20_000, (i) => times(10, (c) => (c % 2 ? i * c : `text ${i} ${c}`)));
const texts = () => {
  const lines = times(18_000, (i) => `line ${i} ${Math.sin(i)}\n`);
  return [lines.join(""), lines.map((line, i) => (i % 90 ? line : `changed ${i}\n`)).join("")];
};
const files = () =>
  Object.fromEntries(times(100, (n) => [`${n}.txt`, Buffer.from(times(2_400, (i) => `a line of a log file, number ${(i * 7919 + n) % 1e6} of many\n`).join(""))]));
const workbook = async () => {
  const { default: exceljs } = await import("exceljs");
  const book = new exceljs.Workbook();
  book.addWorksheet("S").addRows(cells());
  return book.xlsx.writeBuffer();
};
const packs = {
  async "html-markdown"() {
    const { default: Turndown } = await import("turndown");
    return [page(), (text) => new Turndown().turndown(text)];
  },
  async "html-select"() {
    const { load } = await import("cheerio");
    return [page(), (text) => { const $ = load(text); return $("li.item > a").slice(0, 1000).map((_, each) => $(each).text()).get(); }];
  },
  async xml() {
    const { XMLParser } = await import("fast-xml-parser");
    return [feed(), (text) => new XMLParser({ ignoreAttributes: false, parseTagValue: false }).parse(text)];
  },
  async "xlsx-read"() {
    const { default: exceljs } = await import("exceljs");
    return [await workbook(), (bytes) => new exceljs.Workbook().xlsx.load(bytes)];
  },
  "xlsx-write": async () => [null, workbook],
  async diff() {
    const { createTwoFilesPatch } = await import("diff");
    return [texts(), ([a, b]) => createTwoFilesPatch("a", "b", a, b)];
  },
  async unzip() {
    const { zipSync, unzipSync } = await import("fflate");
    return [zipSync(files()), (bytes) => unzipSync(bytes)];
  },
  async zip() {
    const { zipSync } = await import("fflate");
    return [files(), (all) => zipSync(all)];
  },
  async csv() {
    const { default: papa } = await import("papaparse");
    const rows = times(50_000, (i) => `${i},name ${i},${(i / 7).toFixed(3)},plain text,"quoted, text",true,2024-05-01,,${i % 97},end\n`);
    return [`${times(10, (c) => `column ${c}`).join(",")}\n${rows.join("")}`, (text) => papa.parse(text, { header: true })];
  },
  async yaml() {
    const { load } = await import("js-yaml");
    const entry = (i) =>
      `- id: ${i}\n  name: name ${i}\n  score: ${(i / 7).toFixed(4)}\n  tags: [red, green, blue]\n  nested:\n    left: ${i}\n    right: 'quoted text'\n`;
    return [times(6_000, entry).join(""), load];
  },
};

const tasks = {
  async npm_alone({ name }) {
    const [given, work] = await packs[name]();
    const began = performance.now();
    await work(given);
    return (performance.now() - began) / 1000;
  },
  stack_fresh({ count }) {
    return median(() => stack("export default 1 + 1", 2), count);
  },
  // What a run takes longer that imports so many libraries of this text.
  async stack_import({ path, libraries, runs }) {
    const text = await readFile(path, "utf8");
    const names = ["one", "two", "three"].slice(0, libraries);
    const nodeModules = Object.fromEntries(names.map((name) => [name, { "index.js": text }]));
    const lines = names.map((name) => `import { addDays as ${name} } from "${name}";`);
    const code = `${lines.join("\n")}\nexport default [${names.map((name) => `${name}(0, 1).getTime()`)}].join();`;
    const wanted = names.map(() => 86_400_000).join();
    return (await median(() => stack(code, wanted, {}, { nodeModules }), runs)) - (await median(() => stack("export default 1 + 1", 2), runs));
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
