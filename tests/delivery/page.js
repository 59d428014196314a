/* What the page does, one scenario after the other; the test looks at what it posts. */
import { SandboxModuleError, SandboxModules } from "/client.js";

const told = {};

async function scenario(name, work) {
  try {
    told[name] = await work();
  } catch (error) {
    told[name] = `${error instanceof SandboxModuleError ? "refused" : error.name}: ${error.message}`;
  }
}

const modules = new SandboxModules();
const at = (base) => new SandboxModules({ base: `/${base}/api/sandbox-modules/` });

const importText = (text) => import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));

await scenario("closure", async () => {
  const catalog = await modules.load(["acme-sums"]);
  const root = catalog.find("acme-sums");
  const inner = catalog.find(root.dependencies[0]);
  return { ids: catalog.ids, pack: root.pack, version: root.version, file: root.fileId, internal: [root.internal, inner.internal], text: root.source };
});

await scenario("run", async () => {
  const catalog = await modules.load(["acme-sums/alone"]);
  const { total } = await importText(catalog.find("acme-sums/alone").source);
  return total([1, 2, 3]);
});

await scenario("wasm", async () => {
  const { bytes, wasm } = (await modules.load(["acme-numbers"])).find("acme-numbers");
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const add = wasm.exports.find((each) => each.as === "add");
  return [instance.exports[add.wasm](2, 3), add.params.join(), wasm.memoryPagesMax];
});

await scenario("host", async () => {
  const { host, source } = (await modules.load(["@nodetool-ai/sandbox-csv"])).find("@nodetool-ai/sandbox-csv");
  return [host, source.split("\n")[0]];
});

await scenario("again", async () => (await modules.load(["acme-sums"])).ids.length);

await scenario("unknown", () => modules.load(["acme-nothing"]));
await scenario("forbidden", () => modules.load(["acme-secret"]));
await scenario("broken", () => at("broken").load(["acme-sums"]));
await scenario("bare", () => at("bare").load(["acme-sums"]));
await scenario("contract", () => at("contract").load(["acme-numbers"]));
await scenario("climbing", () => at("climbing").load(["acme-sums"]));
await scenario("digests", () => at("digests").load(["acme-sums"]));

await scenario("tampered", async () => {
  const client = at("tampered");
  const catalog = await client.load(["acme-sums/alone"]);
  await importText(catalog.find("acme-sums/alone").source);
  return "it ran";
});
told.ran = globalThis.ran ?? false;

await scenario("tampered deeper", () => at("tampered-deeper").load(["acme-sums"]));

await scenario("mended", async () => {
  const client = at("tampered-twice");
  const first = await client.load(["acme-sums/alone"]).catch((error) => error.name);
  return [first, (await client.load(["acme-sums/alone"])).ids.length];
});

await scenario("never delivered", async () => {
  const catalog = await modules.load(["acme-sums"]);
  return [catalog.authorizeDelivery("acme-sums").ok, catalog.find("acme-nothing") === undefined];
});

await fetch("/done", { method: "POST", body: JSON.stringify(told) });
