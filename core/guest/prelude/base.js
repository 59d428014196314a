// What a guest finds beside the language. This file and its neighbours are evaluated once, while the
// image is baked, this one first; `kit` is what they share.
//
// Whatever a function needs later is captured here, before any program runs: a program may replace
// every intrinsic, and ours go on working.
(function (global, native, kit) {
  "use strict";

  const { Array, Error, Math, Number, Object, Promise, Reflect, RangeError, String, Symbol, TypeError, Uint8Array } = global;
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object;
  const arrayFrom = Array.from;
  const toLowerCase = String.prototype.toLowerCase;
  const trim = String.prototype.trim;
  const set = getPrototypeOf(Uint8Array.prototype).set;
  const subarray = getPrototypeOf(Uint8Array.prototype).subarray;
  const isView = global.ArrayBuffer.isView;

  const define = (object, name, value) =>
    // no prototype: a program may give Object.prototype a `get`
    defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });

  // A function of the guest, called as a plain function, under its own name and nobody's `new`.
  const expose = (functions) => {
    for (const name of Object.keys(functions)) define(global, name, functions[name]);
  };

  // Powers by their bits: POWERS in surface.py, in the same order. What one brings becomes global only
  // in a run that was given it.
  const POWERS = ["fetch", "workspace", "secrets", "assets", "image", "canvas"];
  const power = (name, functions) => {
    const bit = POWERS.indexOf(name);
    if (bit < 0) throw new Error("there is no power named " + name);
    native.power(bit, functions);
  };

  // A list that a program's setters on the prototypes have no say in.
  const bare = () => {
    const list = [];
    setPrototypeOf(list, null);
    return list;
  };

  // The bytes that a view shows. Its getters are asked as they were before any program ran.
  const gettersOf = (prototype) => {
    const getters = {};
    for (const name of ["buffer", "byteOffset", "byteLength"])
      getters[name] = getOwnPropertyDescriptor(prototype, name).get;
    return getters;
  };
  const ofTypedArray = gettersOf(getPrototypeOf(Uint8Array.prototype));
  const ofDataView = gettersOf(global.DataView.prototype);
  const isDataView = (view) => {
    try {
      apply(ofDataView.byteLength, view, []);
      return true;
    } catch {
      return false; // a typed array
    }
  };
  const viewOf = (view) => {
    const { buffer, byteOffset, byteLength } = isDataView(view) ? ofDataView : ofTypedArray;
    return new Uint8Array(apply(buffer, view, []), apply(byteOffset, view, []), apply(byteLength, view, []));
  };

  kit.bare = bare;
  kit.viewOf = viewOf;
  kit.define = define;
  kit.expose = expose;
  kit.power = power;

  // --- absent on purpose ------------------------------------------------------------------

  for (const name of [
    "eval", "Function", "Buffer", "process", "env", "Headers", "Request", "Response", "performance",
    "navigator", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate",
    "DOMException", "atob", "btoa", "gc", "print", "scriptArgs",
  ]) delete global[name];

  // --- console, progress ------------------------------------------------------------------

  const console = {};
  for (const name of ["log", "info", "warn", "error"]) define(console, name, native[name]);
  for (const name of ["log", "info", "warn", "error"]) {
    const d = getOwnPropertyDescriptor(console, name);
    d.enumerable = true;
    defineProperty(console, name, d);
  }

  // --- parallelMap ------------------------------------------------------------------------

  const MAX_CONCURRENCY = 32;
  const DEFAULT_CONCURRENCY = 5;

  const parallelMap = async function parallelMap(items, fn, concurrency = DEFAULT_CONCURRENCY) {
    if (typeof fn !== "function") throw new TypeError("parallelMap: fn must be a function");
    const list = apply(arrayFrom, Array, [items]);
    let width = typeof concurrency === "number" ? Math_floor(concurrency) : NaN;
    if (!isFinite(width)) width = DEFAULT_CONCURRENCY;
    if (width < 1) width = 1;
    if (width > MAX_CONCURRENCY) width = MAX_CONCURRENCY;
    const results = new Array(list.length);
    let next = 0;
    let failed = false;
    const worker = async () => {
      while (next < list.length && !failed) {
        const index = next++;
        try {
          const value = await fn(list[index], index);
          defineProperty(results, index, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
        } catch (error) {
          failed = true;
          throw error;
        }
      }
    };
    // The first failure rejects the whole; the other workers end by themselves.
    let open = width < list.length ? width : list.length;
    if (open === 0) return results;
    await new Promise((resolve, reject) => {
      const done = () => {
        if (--open === 0) resolve();
      };
      for (let i = open; i > 0; i--) apply(then, worker(), [done, reject]);
    });
    return results;
  };
  const then = Promise.prototype.then;
  const Math_floor = Math.floor;
  const isFinite = global.isFinite;

  // --- text -------------------------------------------------------------------------------

  const { encodeUtf8, decodeUtf8 } = native;

  class TextEncoder {
    get encoding() {
      return "utf-8";
    }
    encode(input = "") {
      return encodeUtf8(input);
    }
    encodeInto(source, destination) {
      const bytes = encodeUtf8(source);
      let read = 0;
      let written = 0;
      const text = String(source);
      while (read < text.length) {
        const code = apply(codePointAt, text, [read]);
        const width = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        if (written + width > destination.length) break;
        written += width;
        read += width === 4 ? 2 : 1;
      }
      apply(set, destination, [apply(subarray, bytes, [0, written])]);
      return { read, written };
    }
  }
  const codePointAt = String.prototype.codePointAt;

  // The length of a sequence that the end of the bytes cut off, 0 to 3.
  const cutOff = (bytes) => {
    const n = bytes.length;
    for (let back = 1; back <= 3 && back <= n; back++) {
      const b = bytes[n - back];
      if (b >= 0x80 && b < 0xc0) continue;
      const need = b >= 0xf0 && b <= 0xf4 ? 4 : b >= 0xe0 && b < 0xf0 ? 3 : b >= 0xc2 && b < 0xe0 ? 2 : 1;
      return need > back ? back : 0;
    }
    return 0;
  };

  const asBytes = (input) => {
    if (input === undefined) return new Uint8Array(0);
    if (isView(input)) return viewOf(input);
    return new Uint8Array(input);
  };

  class TextDecoder {
    #fatal;
    #ignoreBOM;
    #held = new Uint8Array(0);
    #begun = false;

    constructor(label = "utf-8", options = undefined) {
      const name = apply(toLowerCase, apply(trim, String(label), []), []);
      if (name !== "utf-8" && name !== "utf8" && name !== "unicode-1-1-utf-8")
        throw new RangeError('TextDecoder: only utf-8 is supported, not "' + name + '"');
      this.#fatal = Boolean(options?.fatal);
      this.#ignoreBOM = Boolean(options?.ignoreBOM);
    }
    get encoding() {
      return "utf-8";
    }
    get fatal() {
      return this.#fatal;
    }
    get ignoreBOM() {
      return this.#ignoreBOM;
    }
    decode(input = undefined, options = undefined) {
      const more = Boolean(options?.stream);
      if (input !== undefined && !isView(input) && !(input instanceof ArrayBuffer) && !(input instanceof SharedArrayBuffer))
        throw new TypeError("TextDecoder.decode: expected an ArrayBuffer or a view of one");
      let bytes = asBytes(input);
      if (this.#held.length) {
        const joined = new Uint8Array(this.#held.length + bytes.length);
        apply(set, joined, [this.#held]);
        apply(set, joined, [bytes, this.#held.length]);
        bytes = joined;
        this.#held = new Uint8Array(0);
      }
      if (more) {
        const cut = cutOff(bytes);
        if (cut) {
          this.#held = new Uint8Array(apply(subarray, bytes, [bytes.length - cut]));
          bytes = apply(subarray, bytes, [0, bytes.length - cut]);
        }
      }
      let start = 0;
      if (!this.#begun && !this.#ignoreBOM && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3;
      if (bytes.length) this.#begun = true;
      if (!more) this.#begun = false;
      const text = decodeUtf8(start ? apply(subarray, bytes, [start]) : bytes, this.#fatal);
      if (text === null) throw new TypeError("TextDecoder.decode: the bytes are not utf-8");
      return text;
    }
  }
  const { ArrayBuffer, SharedArrayBuffer, Boolean } = global;
  for (const type of [TextEncoder, TextDecoder])
    defineProperty(type.prototype, Symbol.toStringTag, { value: type.name, configurable: true });

  // --- structuredClone --------------------------------------------------------------------

  const clone = native.clone;
  const structuredClone = function structuredClone(value, options = undefined) {
    if (options?.transfer?.length) {
      const error = new Error("structuredClone: transfer is not supported; the value is copied");
      define(error, "name", "DataCloneError");
      throw error;
    }
    try {
      return clone(value);
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      const error = new Error("structuredClone: " + cause.message);
      define(error, "name", "DataCloneError");
      throw error;
    }
  };

  expose({
    console,
    progress: native.progress,
    parallelMap,
    toBase64: native.toBase64,
    fromBase64: native.fromBase64,
    toHex: native.toHex,
    fromHex: native.fromHex,
    TextEncoder,
    TextDecoder,
    structuredClone,
    __maxIter: 10000,
  });
})
