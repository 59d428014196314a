/* Fetches modules of sandbox packs, with everything that they import, and checks each body before anybody
 * may run it.
 *
 *     import { SandboxModules } from "./client.js";
 *
 *     const modules = new SandboxModules();
 *     const catalog = await modules.load(["acme-geo"]);   // all of them, or an error: nothing is half there
 *     catalog.find("acme-geo").source                     // text that has the digest that was announced
 *
 * What arrived is kept as long as the digest of the module that it belongs to stays. A body that fails its check is
 * never kept.
 */

const SCALARS = ["i32", "f32", "f64"];
const MAX_PARAMETERS = 8;
const MAX_PAGES = 4096;
const MAX_FILES = 4096;

export class SandboxModuleError extends Error {
  constructor(message, id) {
    super(message);
    this.name = "SandboxModuleError";
    this.id = id;
  }
}

/** Modules as they were loaded. It answers at once, out of memory. */
export class LoadedModules {
  #files;

  constructor(files) {
    this.#files = files;
  }

  get ids() {
    return [...this.#files.keys()];
  }

  /** The file of a specifier or an id; undefined where it was not loaded. */
  find(id) {
    return this.#files.get(id);
  }

  /** What the server would be asked. Nothing is delivered from here to anybody else. */
  authorizeDelivery() {
    return { ok: false, reason: "forbidden" };
  }
}

export class SandboxModules {
  #base;
  #fetch;
  #kept = new Map();

  /** `base` is where ids are appended; `fetch` may be one of your own, with credentials for example. */
  constructor({ base = "/api/sandbox-modules/", fetch = globalThis.fetch.bind(globalThis) } = {}) {
    this.#base = base;
    this.#fetch = fetch;
  }

  /** Everything that these specifiers name and reach. */
  async load(specifiers) {
    const files = new Map();
    for (const specifier of new Set(specifiers)) {
      const root = await this.#get(specifier);
      files.set(specifier, root);
      const waiting = [...root.dependencies];
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (files.has(id)) continue;
        if (files.size >= MAX_FILES) {
          throw new SandboxModuleError(`Sandbox module ${specifier} reaches more than ${MAX_FILES} files.`, specifier);
        }
        const key = `${specifier} ${id}`;
        let kept = this.#kept.get(key);
        if (kept?.digest !== root.digest) {
          kept = { digest: root.digest, file: await this.#get(id) };
          this.#kept.set(key, kept);
        }
        const { file } = kept;
        files.set(id, file);
        waiting.push(...file.dependencies);
      }
    }
    return new LoadedModules(files);
  }

  async #get(id) {
    // "no-cache": what the browser has is used when the server says that it still is the one. What fails its check
    // may come from there, so it is asked for once more past the browser's cache, which then has the new answer.
    const first = await this.#ask(id, "no-cache");
    const file = first.delivered === first.announced.sha256 ? first : await this.#ask(id, "reload");
    const { announced, body, delivered } = file;
    if (delivered !== announced.sha256) {
      throw new SandboxModuleError(
        `Sandbox module ${id} failed its content check: ${announced.sha256} was announced, ${delivered} was delivered.`,
        id,
      );
    }
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return Object.freeze({
      ...announced,
      id,
      ...(announced.wasm === undefined ? { source: decoder.decode(body) } : { bytes: body }),
    });
  }

  async #ask(id, cache) {
    const parts = id.split("/");
    if (parts.includes("..") || parts.includes(".")) {
      throw new SandboxModuleError(`${JSON.stringify(id.slice(0, 200))} is no id of a sandbox module.`, id);
    }
    const response = await this.#fetch(this.#base + parts.map(encodeURIComponent).join("/"), { cache, redirect: "error" });
    if (response.status === 404) {
      throw new SandboxModuleError(`Sandbox module ${id} is not available on this server.`, id);
    }
    if (response.status === 403) {
      throw new SandboxModuleError(`Sandbox module ${id} is not available to this client.`, id);
    }
    if (!response.ok) {
      throw new SandboxModuleError(`Sandbox module ${id} could not be fetched (HTTP ${response.status}).`, id);
    }
    const announced = readHeaders(id, response.headers);
    const body = new Uint8Array(await response.arrayBuffer());
    return { announced, body, delivered: await sha256(body) };
  }
}

function readHeaders(id, headers) {
  const names = { digest: "X-Content-Digest", sha256: "X-Content-Sha256", pack: "X-Sandbox-Pack", fileId: "X-Sandbox-File-Id" };
  const found = {};
  for (const [field, name] of Object.entries(names)) {
    const value = headers.get(name);
    if (!value) throw new SandboxModuleError(`Sandbox module ${id} was delivered without its content headers.`, id);
    found[field] = value;
  }
  if (!/^[0-9a-f]{64}$/.test(found.digest) || !/^[0-9a-f]{64}$/.test(found.sha256)) {
    throw new SandboxModuleError(`Sandbox module ${id} was delivered with digests that are none.`, id);
  }
  const contract = headers.get("X-Sandbox-Wasm-Contract");
  return {
    ...found,
    fileId: decoded(id, found.fileId),
    version: decoded(id, headers.get("X-Sandbox-Pack-Version") ?? ""),
    internal: headers.get("X-Sandbox-Internal") === "1",
    host: headers.get("X-Sandbox-Host-Module") ?? undefined,
    dependencies: readJson(id, headers.get("X-Sandbox-Module-Dependencies") ?? "[]", isListOfTexts),
    wasm: contract === null ? undefined : readJson(id, contract, isContract),
  };
}

function readJson(id, text, isRight) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isRight(value)) throw malformed(id);
  return value;
}

function decoded(id, text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed(id);
  }
}

const malformed = (id) =>
  new SandboxModuleError(`Sandbox module ${id} was delivered with headers that are malformed.`, id);

const isListOfTexts = (value) => Array.isArray(value) && value.every((each) => typeof each === "string");

const isContract = (value) =>
  typeof value === "object" &&
  value !== null &&
  Number.isInteger(value.memoryPagesMax) &&
  value.memoryPagesMax >= 0 &&
  value.memoryPagesMax <= MAX_PAGES &&
  Array.isArray(value.exports) &&
  value.exports.length > 0 &&
  value.exports.every(isExport);

const isExport = (value) =>
  typeof value?.wasm === "string" &&
  typeof value.as === "string" &&
  Array.isArray(value.params) &&
  value.params.length <= MAX_PARAMETERS &&
  value.params.every((each) => SCALARS.includes(each)) &&
  (value.result === null || SCALARS.includes(value.result));

async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (each) => each.toString(16).padStart(2, "0")).join("");
}
