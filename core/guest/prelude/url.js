// URL and URLSearchParams. The host parses; a URL holds its parts; its searchParams are live both ways.
(function (global, native, kit) {
  "use strict";

  const { Array, Object, Reflect, String, Symbol, TypeError, encodeURIComponent } = global;
  const { apply } = Reflect;
  const { defineProperty, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;
  const { getOwnPropertyDescriptor } = Object;
  const { callSync, encodeUtf8, decodeUtf8 } = native;
  const { indexOf, slice, charCodeAt, toWellFormed } = String.prototype;
  const subarray = getPrototypeOf(global.Uint8Array.prototype).subarray;
  const sortArray = Array.prototype.sort;
  const iteratorOf = Symbol.iterator;
  const IteratorPrototype = getPrototypeOf(getPrototypeOf([][iteratorOf]()));

  const text = (value) => {
    if (typeof value === "symbol") throw new TypeError("a symbol is no text");
    return apply(toWellFormed, String(value), []);
  };
  const from = (string, start, end) => apply(slice, string, [start, end]);
  const find = (string, what, start) => apply(indexOf, string, [what, start]);
  // A list without a prototype: a setter that a program puts on Array.prototype hears nothing of what is added.
  const bare = () => {
    const list = [];
    setPrototypeOf(list, null);
    return list;
  };
  const need = (given, least, where) => {
    if (given < least) throw new TypeError(where + ": " + least + (least > 1 ? " arguments" : " argument") + " needed, and " + given + " came");
  };
  const tag = (type, name) => defineProperty(type.prototype, Symbol.toStringTag, { value: name, configurable: true });

  // --- application/x-www-form-urlencoded ---------------------------------------------------

  const hexDigit = (code) =>
    code >= 48 && code <= 57 ? code - 48 : (code | 32) >= 97 && (code | 32) <= 102 ? (code | 32) - 87 : -1;

  const decode = (string) => {
    if (find(string, "%", 0) < 0 && find(string, "+", 0) < 0) return string;
    const bytes = encodeUtf8(string);
    const end = bytes.length;
    let to = 0;
    for (let at = 0; at < end; at++) {
      let byte = bytes[at];
      if (byte === 43) byte = 32;
      else if (byte === 37 && at + 2 < end) {
        const high = hexDigit(bytes[at + 1]);
        const low = hexDigit(bytes[at + 2]);
        if (high >= 0 && low >= 0) {
          byte = high * 16 + low;
          at += 2;
        }
      }
      bytes[to++] = byte;
    }
    return decodeUtf8(apply(subarray, bytes, [0, to]), false);
  };

  // What encodeURIComponent leaves alone or writes otherwise than a form does.
  const inForms = (code, at, string) => {
    switch (code) {
      case 33: return "%21";
      case 39: return "%27";
      case 40: return "%28";
      case 41: return "%29";
      case 126: return "%7E";
      case 37: return from(string, at + 1, at + 3) === "20" ? "+" : "";
      default: return "";
    }
  };
  const encode = (string) => {
    const escaped = encodeURIComponent(string);
    let done = 0;
    let out = "";
    for (let at = 0; at < escaped.length; at++) {
      const instead = inForms(apply(charCodeAt, escaped, [at]), at, escaped);
      if (instead === "") continue;
      out += from(escaped, done, at) + instead;
      done = instead === "+" ? at + 3 : at + 1;
      at = done - 1;
    }
    return done ? out + from(escaped, done) : escaped;
  };

  // Names and values in turn.
  const parseQuery = (query) => {
    const list = bare();
    let at = 0;
    while (at < query.length) {
      let end = find(query, "&", at);
      if (end < 0) end = query.length;
      if (end > at) {
        let equals = find(query, "=", at);
        if (equals < 0 || equals > end) equals = end;
        list[list.length] = decode(from(query, at, equals));
        list[list.length] = decode(from(query, equals + 1, end));
      }
      at = end + 1;
    }
    return list;
  };
  const serialize = (list) => {
    let out = "";
    for (let i = 0; i < list.length; i += 2) out += (i ? "&" : "") + encode(list[i]) + "=" + encode(list[i + 1]);
    return out;
  };

  // --- URLSearchParams ---------------------------------------------------------------------

  let refill; // (params, query): a URL was set
  let follow; // (params, changed): a URL wants to hear of changes
  let entry; // (params, at): the name and the value there, or undefined

  class URLSearchParams {
    #list;
    #changed;

    constructor(init = "") {
      if (init === null || (typeof init !== "object" && typeof init !== "function")) {
        const query = text(init);
        this.#list = parseQuery(query[0] === "?" ? from(query, 1) : query);
      } else if (#list in init) {
        this.#list = bare();
        for (let i = 0; i < init.#list.length; i++) this.#list[i] = init.#list[i];
      } else {
        const iterator = init[iteratorOf];
        this.#list = iterator === undefined || iterator === null ? ofRecord(init) : ofPairs(init);
      }
    }
    get size() {
      return this.#list.length / 2;
    }
    append(name, value) {
      need(arguments.length, 2, "URLSearchParams.append");
      const list = this.#list;
      name = text(name);
      value = text(value);
      list[list.length] = name;
      list[list.length] = value;
      this.#tell();
    }
    delete(name, value = undefined) {
      need(arguments.length, 1, "URLSearchParams.delete");
      const list = this.#list;
      name = text(name);
      if (value !== undefined) value = text(value);
      this.#list = bare();
      for (let i = 0; i < list.length; i += 2)
        if (list[i] !== name || (value !== undefined && list[i + 1] !== value)) this.#add(list[i], list[i + 1]);
      this.#tell();
    }
    get(name) {
      need(arguments.length, 1, "URLSearchParams.get");
      const at = this.#find(text(name), 0);
      return at < 0 ? null : this.#list[at + 1];
    }
    getAll(name) {
      need(arguments.length, 1, "URLSearchParams.getAll");
      name = text(name);
      const found = bare();
      for (let at = this.#find(name, 0); at >= 0; at = this.#find(name, at + 2)) found[found.length] = this.#list[at + 1];
      setPrototypeOf(found, ArrayPrototype);
      return found;
    }
    has(name, value = undefined) {
      need(arguments.length, 1, "URLSearchParams.has");
      name = text(name);
      if (value !== undefined) value = text(value);
      for (let at = this.#find(name, 0); at >= 0; at = this.#find(name, at + 2))
        if (value === undefined || this.#list[at + 1] === value) return true;
      return false;
    }
    set(name, value) {
      need(arguments.length, 2, "URLSearchParams.set");
      name = text(name);
      value = text(value);
      const list = this.#list;
      this.#list = bare();
      let done = false;
      for (let i = 0; i < list.length; i += 2) {
        if (list[i] !== name) this.#add(list[i], list[i + 1]);
        else if (!done) this.#add(name, value);
        done ||= list[i] === name;
      }
      if (!done) this.#add(name, value);
      this.#tell();
    }
    sort() {
      const list = this.#list;
      const pairs = bare();
      for (let i = 0; i < list.length; i += 2) pairs[i / 2] = { name: list[i], value: list[i + 1] };
      apply(sortArray, pairs, [(a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)]);
      this.#list = bare();
      for (let i = 0; i < pairs.length; i++) this.#add(pairs[i].name, pairs[i].value);
      this.#tell();
    }
    forEach(callback, thisArg = undefined) {
      if (typeof callback !== "function") throw new TypeError("URLSearchParams.forEach: callback must be a function");
      for (let i = 0; i < this.#list.length; i += 2) apply(callback, thisArg, [this.#list[i + 1], this.#list[i], this]);
    }
    keys() {
      return new ParamsIterator(this, "keys");
    }
    values() {
      return new ParamsIterator(this, "values");
    }
    entries() {
      return new ParamsIterator(this, "entries");
    }
    toString() {
      return serialize(this.#list);
    }
    #find(name, start) {
      for (let i = start; i < this.#list.length; i += 2) if (this.#list[i] === name) return i;
      return -1;
    }
    #add(name, value) {
      const list = this.#list;
      list[list.length] = name;
      list[list.length] = value;
    }
    #tell() {
      if (this.#changed !== undefined) this.#changed(serialize(this.#list));
    }
    static {
      refill = (params, query) => {
        params.#list = parseQuery(query);
      };
      follow = (params, changed) => {
        params.#changed = changed;
      };
      entry = (params, at) => {
        const list = params.#list;
        return at < list.length ? { name: list[at], value: list[at + 1] } : undefined;
      };
    }
  }
  const ArrayPrototype = Array.prototype;

  const ofRecord = (record) => {
    const list = bare();
    const keys = ownKeys(record);
    for (let i = 0; i < keys.length; i++) {
      const descriptor = getOwnPropertyDescriptor(record, keys[i]);
      if (descriptor === undefined || !descriptor.enumerable) continue;
      const name = text(keys[i]);
      const value = text(record[keys[i]]);
      // two keys that lone surrogates made the same are one, the last
      let at = 0;
      while (at < list.length && list[at] !== name) at += 2;
      list[at] = name;
      list[at + 1] = value;
    }
    return list;
  };
  const ofPairs = (pairs) => {
    const list = bare();
    for (const pair of pairs) {
      if (pair === null || (typeof pair !== "object" && typeof pair !== "function"))
        throw new TypeError("URLSearchParams: each pair must be a [name, value]");
      const parts = bare();
      for (const part of pair) {
        parts[parts.length] = text(part);
        if (parts.length > 2) break;
      }
      if (parts.length !== 2) throw new TypeError("URLSearchParams: each pair must be a [name, value]");
      list[list.length] = parts[0];
      list[list.length] = parts[1];
    }
    return list;
  };

  class ParamsIterator {
    #params;
    #kind;
    #at = 0;
    constructor(params, kind) {
      entry(params, 0); // its own kind of object, or a TypeError
      this.#params = params;
      this.#kind = kind;
    }
    next() {
      const found = entry(this.#params, this.#at);
      if (found === undefined) return { value: undefined, done: true };
      this.#at += 2;
      const { name, value } = found;
      return { value: this.#kind === "keys" ? name : this.#kind === "values" ? value : [name, value], done: false };
    }
  }
  setPrototypeOf(ParamsIterator.prototype, IteratorPrototype);
  delete ParamsIterator.prototype.constructor;
  tag(ParamsIterator, "URLSearchParams Iterator");

  kit.define(URLSearchParams.prototype, iteratorOf, URLSearchParams.prototype.entries);
  tag(URLSearchParams, "URLSearchParams");

  // --- URL ---------------------------------------------------------------------------------

  // PARTS in bridges/url.py, in the same order.
  const PARTS = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
  const HREF = 0;
  const ORIGIN = 1;
  const SEARCH = 9;
  const MAX_SHOWN = 100;
  const MADE = {}; // in front of parts that the host has made already

  const parse = (url, base) =>
    base === undefined ? callSync("url", "parse", text(url)) : callSync("url", "parse", text(url), text(base));
  const invalid = (url) => {
    const shown = text(url);
    return new TypeError('Invalid URL: "' + (shown.length > MAX_SHOWN ? from(shown, 0, MAX_SHOWN) + "..." : shown) + '"');
  };

  class URL {
    #parts;
    #params;

    constructor(url, base = undefined) {
      if (url === MADE) {
        this.#parts = base;
        return;
      }
      need(arguments.length, 1, "URL");
      url = text(url);
      this.#parts = parse(url, base);
      if (this.#parts === null) throw invalid(url);
    }
    get searchParams() {
      if (this.#params === undefined) {
        const parts = this.#parts; // a receiver of another kind ends here
        this.#params = new URLSearchParams(parts[SEARCH]);
        follow(this.#params, (query) => this.#query(query));
      }
      return this.#params;
    }
    toString() {
      return this.#parts[HREF];
    }
    toJSON() {
      return this.#parts[HREF];
    }
    static canParse(url, base = undefined) {
      need(arguments.length, 1, "URL.canParse");
      return parse(url, base) !== null;
    }
    static parse(url, base = undefined) {
      need(arguments.length, 1, "URL.parse");
      const parts = parse(url, base);
      if (parts === null) return null;
      return new URL(MADE, parts);
    }
    #set(part, value) {
      const parts = callSync("url", "replace", this.#parts[HREF], PARTS[part], value);
      if (parts !== null) this.#parts = parts;
      return parts !== null;
    }
    // The params changed. What they serialize to stands in a query as it is, so no parser is asked.
    #query(query) {
      if (query === "") {
        this.#set(SEARCH, "");
        return;
      }
      const parts = this.#parts;
      const href = parts[HREF];
      const hash = find(href, "#", 0);
      const whole = hash < 0 ? href : from(href, 0, hash);
      const mark = find(whole, "?", 0);
      parts[SEARCH] = "?" + query;
      parts[HREF] = (mark < 0 ? whole : from(whole, 0, mark)) + "?" + query + (hash < 0 ? "" : from(href, hash));
    }
    static {
      for (let part = 0; part < PARTS.length; part++) {
        const name = PARTS[part];
        const accessors = {
          get [name]() {
            return this.#parts[part];
          },
          set [name](value) {
            value = text(value);
            if (!this.#set(part, value) && part === HREF) throw invalid(value);
            if (this.#params !== undefined && (part === SEARCH || part === HREF)) refill(this.#params, from(this.#parts[SEARCH], 1));
          },
        };
        const descriptor = getOwnPropertyDescriptor(accessors, name);
        if (part === ORIGIN) descriptor.set = undefined;
        defineProperty(URL.prototype, name, descriptor);
      }
    }
  }
  tag(URL, "URL");

  kit.expose({ URL, URLSearchParams });
})
