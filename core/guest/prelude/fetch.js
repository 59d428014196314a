// fetch(url, options), with FormData and Blob for its bodies. This half gives a request its form and a
// result its face; every check is the host's.
(function (global, native, kit) {
  "use strict";

  const {
    Array, ArrayBuffer, Boolean, Error, JSON, Map, Math, Number, Object, Promise, Reflect, SharedArrayBuffer, String,
    Symbol, TypeError, Uint8Array, URL, URLSearchParams,
  } = global;
  const { apply } = Reflect;
  const { defineProperty, getPrototypeOf, hasOwn, keys } = Object;
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const { parse, stringify } = JSON;
  const { floor, random } = Math;
  const { iterator, toStringTag } = Symbol;
  const { call, decodeUtf8, encodeUtf8 } = native;
  const define = kit.define;

  const { exec } = global.RegExp.prototype;
  const { bare, viewOf } = kit;
  const PRINTABLE = /^[\x20-\x7e]*$/;
  const push = Array.prototype.push;
  const join = Array.prototype.join;
  const replaceAll = String.prototype.replaceAll;
  const toLowerCase = String.prototype.toLowerCase;
  const bytesPrototype = getPrototypeOf(Uint8Array.prototype);
  const set = bytesPrototype.set;
  const slice = bytesPrototype.slice;
  const subarray = bytesPrototype.subarray;
  const byteLength = Object.getOwnPropertyDescriptor(bytesPrototype, "byteLength").get;
  const bufferOf = Object.getOwnPropertyDescriptor(bytesPrototype, "buffer").get;
  const queryText = URLSearchParams?.prototype.toString;
  const hrefOf = URL && Object.getOwnPropertyDescriptor(URL.prototype, "href")?.get;
  const then = Promise.prototype.then;

  const own = (object, name, value) =>
    defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });

  // --- bytes ------------------------------------------------------------------------------

  const isBytes = (value) =>
    isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;

  // A copy of what a view shows or a buffer holds.
  const bytesOf = (value) => apply(slice, isView(value) ? viewOf(value) : new Uint8Array(value), []);

  const concatenated = (parts) => {
    let length = 0;
    for (let i = 0; i < parts.length; i++) length += apply(byteLength, parts[i], []);
    const whole = new Uint8Array(length);
    let at = 0;
    for (let i = 0; i < parts.length; i++) {
      apply(set, whole, [parts[i], at]);
      at += apply(byteLength, parts[i], []);
    }
    return whole;
  };

  const textOf = (bytes) => {
    const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return decodeUtf8(bom ? apply(subarray, bytes, [3]) : bytes, false);
  };

  // --- Blob, FormData ---------------------------------------------------------------------

  class Blob {
    #bytes;
    #type;

    constructor(parts = [], options = undefined) {
      const chunks = bare();
      const add = (part) => {
        chunks[chunks.length] =
          isBytes(part) ? bytesOf(part) : #bytes in Object(part) ? part.#bytes : encodeUtf8(String(part));
      };
      if (isArray(parts)) for (let i = 0; i < parts.length; i++) add(parts[i]);
      else for (const part of parts) add(part);
      this.#bytes = concatenated(chunks);
      const type = options?.type === undefined ? "" : String(options.type);
      this.#type = apply(exec, PRINTABLE, [type]) !== null ? apply(toLowerCase, type, []) : "";
    }
    get size() {
      return apply(byteLength, this.#bytes, []);
    }
    get type() {
      return this.#type;
    }
    async bytes() {
      return bytesOf(this.#bytes);
    }
    async arrayBuffer() {
      return apply(bufferOf, bytesOf(this.#bytes), []);
    }
    async text() {
      return textOf(this.#bytes);
    }
    slice(start = 0, end = undefined, type = "") {
      const part = new Blob([], { type });
      part.#bytes = apply(slice, this.#bytes, end === undefined ? [start] : [start, end]);
      return part;
    }
    static contents(value) {
      return #bytes in Object(value) ? { bytes: value.#bytes, type: value.#type } : null;
    }
  }
  const { contents } = Blob;
  delete Blob.contents;

  // An entry is a text, or bytes under a file's name.
  const entryOf = (name, value, filename) => {
    const blob = contents(value);
    if (blob === null && !isBytes(value)) return { name: String(name), value: String(value) };
    return {
      name: String(name),
      value: blob === null ? new Blob([value]) : value,
      filename: filename === undefined ? "blob" : String(filename),
    };
  };

  class FormData {
    #entries = [];

    append(name, value, filename = undefined) {
      apply(push, this.#entries, [entryOf(name, value, filename)]);
    }
    set(name, value, filename = undefined) {
      const entry = entryOf(name, value, filename);
      const kept = [];
      let placed = false;
      for (let i = 0; i < this.#entries.length; i++) {
        const each = this.#entries[i];
        if (each.name !== entry.name) apply(push, kept, [each]);
        else if (!placed) {
          apply(push, kept, [entry]);
          placed = true;
        }
      }
      if (!placed) apply(push, kept, [entry]);
      this.#entries = kept;
    }
    delete(name) {
      const kept = [];
      for (let i = 0; i < this.#entries.length; i++)
        if (this.#entries[i].name !== String(name)) apply(push, kept, [this.#entries[i]]);
      this.#entries = kept;
    }
    get(name) {
      for (let i = 0; i < this.#entries.length; i++)
        if (this.#entries[i].name === String(name)) return this.#entries[i].value;
      return null;
    }
    getAll(name) {
      const found = [];
      for (let i = 0; i < this.#entries.length; i++)
        if (this.#entries[i].name === String(name)) apply(push, found, [this.#entries[i].value]);
      return found;
    }
    has(name) {
      return this.get(name) !== null;
    }
    *entries() {
      for (let i = 0; i < this.#entries.length; i++) yield [this.#entries[i].name, this.#entries[i].value];
    }
    *keys() {
      for (let i = 0; i < this.#entries.length; i++) yield this.#entries[i].name;
    }
    *values() {
      for (let i = 0; i < this.#entries.length; i++) yield this.#entries[i].value;
    }
    forEach(callback, self = undefined) {
      for (let i = 0; i < this.#entries.length; i++)
        apply(callback, self, [this.#entries[i].value, this.#entries[i].name, this]);
    }
    static entriesOf(value) {
      return #entries in Object(value) ? value.#entries : null;
    }
  }
  const { entriesOf } = FormData;
  delete FormData.entriesOf;
  define(FormData.prototype, iterator, FormData.prototype.entries);
  for (const type of [Blob, FormData])
    defineProperty(type.prototype, toStringTag, { value: type.name, configurable: true });

  const escaped = (name) =>
    apply(replaceAll, apply(replaceAll, apply(replaceAll, name, ["\n", "%0A"]), ["\r", "%0D"]), ['"', "%22"]);

  const multipart = (entries) => {
    let boundary = "----sandbox";
    for (let i = 0; i < 4; i++) boundary += floor(random() * 0x100000000);
    const parts = [];
    for (let i = 0; i < entries.length; i++) {
      const { name, value, filename } = entries[i];
      const blob = contents(value);
      let head = "--" + boundary + '\r\nContent-Disposition: form-data; name="' + escaped(name) + '"';
      if (blob !== null)
        head += '; filename="' + escaped(filename) + '"\r\nContent-Type: ' + (blob.type || "application/octet-stream");
      apply(push, parts, [encodeUtf8(head + "\r\n\r\n"), blob === null ? encodeUtf8(value) : blob.bytes]);
      apply(push, parts, [encodeUtf8("\r\n")]);
    }
    apply(push, parts, [encodeUtf8("--" + boundary + "--\r\n")]);
    return { body: concatenated(parts), kind: "multipart", type: "multipart/form-data; boundary=" + boundary };
  };

  // --- requests ---------------------------------------------------------------------------

  const headerPairs = (headers) => {
    const pairs = [];
    if (headers === undefined || headers === null) return pairs;
    if (typeof headers !== "object") throw new TypeError("fetch: headers must be an object of names and values");
    if (isArray(headers) || typeof headers[iterator] === "function") {
      for (const pair of headers) apply(push, pairs, [[String(pair[0]), String(pair[1])]]);
      return pairs;
    }
    const names = keys(headers);
    for (let i = 0; i < names.length; i++) apply(push, pairs, [[names[i], String(headers[names[i]])]]);
    return pairs;
  };

  const bodyOf = (body) => {
    if (body === undefined || body === null) return { body: null, kind: null };
    if (typeof body === "string") return { body, kind: "text" };
    if (isBytes(body)) return { body: bytesOf(body), kind: "bytes" };
    if (queryText && body instanceof URLSearchParams)
      return {
        body: apply(queryText, body, []), kind: "form", type: "application/x-www-form-urlencoded;charset=UTF-8",
      };
    const entries = entriesOf(body);
    if (entries !== null) return multipart(entries);
    const blob = contents(body);
    if (blob !== null) return { body: blob.bytes, kind: "bytes", type: blob.type };
    const text = stringify(body);
    if (text === undefined) throw new TypeError("fetch: body must be text, bytes or a value that JSON can hold");
    return { body: text, kind: "json" };
  };

  const hasHeader = (pairs, name) => {
    for (let i = 0; i < pairs.length; i++) if (apply(toLowerCase, pairs[i][0], []) === name) return true;
    return false;
  };

  // --- results ----------------------------------------------------------------------------

  class Response {
    #bytes;

    constructor(answer) {
      const bytes = (this.#bytes = answer.body);
      own(this, "ok", answer.status >= 200 && answer.status < 300);
      own(this, "status", answer.status);
      own(this, "statusText", answer.statusText);
      own(this, "url", answer.url);
      own(this, "redirected", answer.redirected);
      own(this, "headers", headersOf(answer.headers));
      own(this, "truncated", answer.truncated);
      later(this, "body", () => textOf(bytes));
      later(this, "json", () => {
        try {
          return parse(textOf(bytes));
        } catch {
          return undefined;
        }
      });
    }
    async text() {
      return this.body;
    }
    async bytes() {
      return bytesOf(this.#bytes);
    }
    async arrayBuffer() {
      return apply(bufferOf, bytesOf(this.#bytes), []);
    }
  }
  delete Response.prototype.constructor;

  // A property that is worked out when it is first read.
  const later = (object, name, make) =>
    defineProperty(object, name, {
      __proto__: null,
      get() {
        const value = make();
        own(object, name, value);
        return value;
      },
      set(value) {
        own(object, name, value);
      },
      enumerable: true,
      configurable: true,
    });

  // A plain object by lower-cased names. Values of one name are joined; getSetCookie() has the cookies apart.
  const headersOf = (pairs) => {
    const headers = {};
    const cookies = [];
    for (let i = 0; i < pairs.length; i++) {
      const name = pairs[i][0];
      const value = pairs[i][1];
      if (name === "set-cookie") apply(push, cookies, [value]);
      own(headers, name, hasOwn(headers, name) ? headers[name] + ", " + value : value);
    }
    const hidden = (name, value) => {
      if (!hasOwn(headers, name)) define(headers, name, value);
    };
    hidden("getSetCookie", () => apply(slicePlain, cookies, []));
    hidden("get", (name) => {
      const found = apply(toLowerCase, String(name), []);
      return isEnumerable(headers, found) ? headers[found] : null;
    });
    hidden("has", (name) => isEnumerable(headers, apply(toLowerCase, String(name), [])));
    return headers;
  };
  const slicePlain = Array.prototype.slice;
  const propertyIsEnumerable = Object.prototype.propertyIsEnumerable;
  const isEnumerable = (object, name) => apply(propertyIsEnumerable, object, [name]);

  // --- fetch ------------------------------------------------------------------------------

  let made = 0;

  const reasonOf = (signal) => {
    const reason = signal.reason;
    if (reason !== undefined) return reason;
    const error = new Error("fetch: aborted");
    define(error, "name", "AbortError");
    return error;
  };

  const request = (url, options, pairs, content, signal) => {
    const number = ++made;
    const answer = call("fetch", "request", number, typeof url === "string" ? url : null, {
      method: options.method === undefined ? "GET" : String(options.method),
      headers: pairs,
      body: content.body,
      kind: content.kind,
      redirect: options.redirect === undefined ? "follow" : String(options.redirect),
    });
    if (signal === undefined || signal === null) return answer;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        settled();
        apply(then, call("fetch", "abort", number), [undefined, () => {}]);
        reject(reasonOf(signal));
      };
      signal.addEventListener("abort", onAbort);
      const settled = () => signal.removeEventListener?.("abort", onAbort);
      apply(then, answer, [
        (value) => {
          settled();
          resolve(value);
        },
        (error) => {
          settled();
          reject(error);
        },
      ]);
    });
  };

  const fetch = async function fetch(url, options = undefined) {
    if (options === undefined || options === null) options = {};
    if (hrefOf && url instanceof URL) url = apply(hrefOf, url, []);
    const signal = options.signal;
    if (signal !== undefined && signal !== null && typeof signal.addEventListener !== "function")
      throw new TypeError("fetch: signal must be an AbortSignal");
    if (signal?.aborted) throw reasonOf(signal);
    const pairs = headerPairs(options.headers);
    const content = bodyOf(options.body);
    if (content.type && !hasHeader(pairs, "content-type")) apply(push, pairs, [["content-type", content.type]]);
    return new Response(await request(url, options, pairs, content, signal));
  };

  kit.power("fetch", { Blob, FormData, fetch });
})
