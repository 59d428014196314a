// The guest half of the pack: js-yaml's face. The functions of a program (replacer, sortKeys, an iterator,
// onWarning) are called here; reading and writing themselves are the host's, through ./host, synchronously.
import { dump as hostDump, load as hostLoad, loadAll as hostLoadAll, toJson as hostToJson } from "./host";

const kindOf = (value) => Object.prototype.toString.call(value);
const isNothing = (value) => value === undefined || value === null;

function formatted(exception, compact) {
  const reason = exception.reason || "(unknown reason)";
  const mark = exception.mark;
  if (!mark) return reason;
  let where = mark.name ? `in "${mark.name}" ` : "";
  where += `(${mark.line + 1}:${mark.column + 1})`;
  if (!compact && mark.snippet) where += `\n\n${mark.snippet}`;
  return `${reason} ${where}`;
}

class YAMLException extends Error {
  constructor(reason, mark) {
    super();
    this.name = "YAMLException";
    this.reason = reason;
    this.mark = mark;
    this.message = formatted(this, false);
  }

  toString(compact) {
    return `${this.name}: ${formatted(this, compact)}`;
  }
}

function needsParser(what, instead) {
  return new Error(
    `yaml: ${what} needs functions inside the parser, which runs outside of this program; ${instead}`,
  );
}

class Type {
  constructor() {
    throw needsParser("Type", "convert values after load, or with the replacer of dump");
  }
}

class Schema {
  constructor() {
    throw needsParser("a schema of your own", "use one of the four schemas and convert values after load");
  }

  extend() {
    throw needsParser("Schema.extend", "use one of the four schemas and convert values after load");
  }
}

const constant = (prototype, content) => Object.freeze(Object.assign(Object.create(prototype), content));
const type = (name, kind) => constant(Type.prototype, { tag: `tag:yaml.org,2002:${name}`, kind });

const FAILSAFE_SCHEMA = constant(Schema.prototype, {});
const JSON_SCHEMA = constant(Schema.prototype, {});
const CORE_SCHEMA = constant(Schema.prototype, {});
const DEFAULT_SCHEMA = constant(Schema.prototype, {});
const SCHEMA_NAMES = new Map([
  [FAILSAFE_SCHEMA, "failsafe"],
  [JSON_SCHEMA, "json"],
  [CORE_SCHEMA, "core"],
  [DEFAULT_SCHEMA, "default"],
]);

const types = Object.freeze({
  binary: type("binary", "scalar"),
  float: type("float", "scalar"),
  map: type("map", "mapping"),
  null: type("null", "scalar"),
  pairs: type("pairs", "sequence"),
  set: type("set", "mapping"),
  timestamp: type("timestamp", "scalar"),
  bool: type("bool", "scalar"),
  int: type("int", "scalar"),
  merge: type("merge", "scalar"),
  omap: type("omap", "sequence"),
  seq: type("seq", "sequence"),
  str: type("str", "scalar"),
});

function schemaName(schema) {
  if (isNothing(schema)) return "default";
  const name = SCHEMA_NAMES.get(schema);
  if (name === undefined) throw needsParser("a schema of your own", "use one of the pack's four schemas");
  return name;
}

// --- reading

function asSource(text) {
  return ArrayBuffer.isView(text) || text instanceof ArrayBuffer ? text : String(text);
}

function withBuffer(mark, source) {
  if (!mark) return undefined;
  let buffer = "";
  if (typeof source === "string") {
    buffer = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
    if (!/[\r\n]$/.test(buffer)) buffer += "\n";
  }
  const { name, position, line, column, snippet } = mark;
  return { name, buffer, position, line, column, snippet };
}

// What the host refused, as the classes that a program knows.
function calling(source, action) {
  try {
    return action();
  } catch (error) {
    if (error.name === "YAMLException") throw new YAMLException(error.reason, withBuffer(error.mark, source));
    if (error.name === "RangeError") throw new RangeError(error.message);
    throw error;
  }
}

function loadOptions(options) {
  if (typeof options.listener === "function") {
    throw needsParser("the option listener", "look at the value that load returns");
  }
  return {
    filename: isNothing(options.filename) ? null : String(options.filename),
    schema: schemaName(options.schema),
    json: Boolean(options.json),
    maxDepth: options.maxDepth,
    maxTotalMergeKeys: options.maxTotalMergeKeys,
    dates: options.dates,
    encoding: options.encoding,
  };
}

function warn(options, warnings, source) {
  if (typeof options.onWarning !== "function") return;
  for (const { reason, mark } of warnings) {
    options.onWarning.call(null, new YAMLException(reason, withBuffer(mark, source)));
  }
}

function load(text, options) {
  const given = options || {};
  const source = asSource(text);
  const { value, warnings } = calling(source, () => hostLoad(source, loadOptions(given)));
  warn(given, warnings, source);
  return value;
}

function loadAll(text, iterator, options) {
  if (iterator !== null && typeof iterator === "object" && options === undefined) {
    options = iterator;
    iterator = null;
  }
  const given = options || {};
  const source = asSource(text);
  const { documents, warnings } = calling(source, () => hostLoadAll(source, loadOptions(given)));
  warn(given, warnings, source);
  if (typeof iterator !== "function") return documents;
  for (const document of documents) iterator(document);
  return undefined;
}

function loadSafe(text, options) {
  try {
    return { value: load(text, options) };
  } catch (error) {
    const mark = error.mark;
    const reason = error instanceof YAMLException ? error.reason : error.message;
    return { error: mark ? { reason, line: mark.line + 1, column: mark.column + 1 } : { reason } };
  }
}

function loadFrontMatter(source, options) {
  const text = String(source).replace(/^\uFEFF/, "");
  const opening = /^---[ \t]*\r?\n/.exec(text);
  let at = opening ? opening[0].length : text.length;
  while (at < text.length) {
    let end = text.indexOf("\n", at);
    if (end < 0) end = text.length;
    if (/^(?:---|\.\.\.)[ \t]*\r?$/.test(text.slice(at, Math.min(end, at + 80)))) {
      // the opening line stays, so that the lines in an error are those of the file
      const data = load(text.slice(0, at), options);
      return { data: isNothing(data) ? {} : data, body: text.slice(end + 1) };
    }
    at = end + 1;
  }
  return { data: {}, body: text };
}

function toJson(text, options) {
  const source = asSource(text);
  return calling(source, () => hostToJson(source, loadOptions(options || {})));
}

// --- writing

const LEFT_OUT = Symbol("left out");

// What the host is to write: a copy, made of plain values alone. The program's functions run here; an object
// that occurs twice is copied once, so that the host still sees it as one.
class Preparation {
  constructor(input, options) {
    this.skipInvalid = Boolean(options.skipInvalid);
    this.replacer = typeof options.replacer === "function" ? options.replacer : null;
    this.compare = typeof options.sortKeys === "function" ? options.sortKeys : null;
    this.copies = new Map();
    // as in js-yaml, an object counts as shared for its places in the input, not for what a replacer returns
    this.originals = this.replacer ? reachable(input) : null;
    this.root = this.node(this.replaced({ "": input }, "", input));
  }

  replaced(holder, key, value) {
    return this.replacer ? this.replacer.call(holder, key, value) : value;
  }

  node(value) {
    const kind = kindOf(value);
    switch (kind) {
      case "[object Null]":
      case "[object Undefined]":
      case "[object Date]":
      case "[object Uint8Array]":
        return value;
      case "[object String]":
      case "[object Number]":
      case "[object Boolean]":
        return typeof value === "object" ? value.valueOf() : value;
      case "[object Array]":
      case "[object Object]":
        return this.container(value, kind);
      default:
        if (this.skipInvalid) return LEFT_OUT;
        throw new YAMLException(`unacceptable kind of an object to dump ${kind}`);
    }
  }

  container(value, kind) {
    if (this.copies.has(value)) return this.copies.get(value);
    const copy = kind === "[object Array]" ? [] : {};
    if (!this.originals || this.originals.has(value)) this.copies.set(value, copy);
    if (kind === "[object Array]") this.fillArray(copy, value);
    else this.fillObject(copy, value);
    return copy;
  }

  fillArray(copy, value) {
    for (let index = 0; index < value.length; index += 1) {
      const item = this.node(this.replaced(value, String(index), value[index]));
      if (item !== LEFT_OUT) copy.push(item);
    }
  }

  fillObject(copy, value) {
    const keys = [];
    const values = [];
    for (const key of Object.keys(value)) {
      const item = this.node(this.replaced(value, key, value[key]));
      if (item === LEFT_OUT) continue;
      keys.push(key);
      values.push(item);
    }
    if (this.compare) {
      // objects list keys such as "2" first: so the sorted order crosses beside the keys
      const places = keys.map((_, place) => place);
      places.sort((a, b) => this.compare.call(undefined, keys[a], keys[b]));
      Object.assign(copy, { k: keys, v: values, s: places });
      return;
    }
    // defined and not assigned: "__proto__" is a key like any other
    const shape = { writable: true, enumerable: true, configurable: true };
    keys.forEach((key, place) => Object.defineProperty(copy, key, { ...shape, value: values[place] }));
  }
}

function reachable(input) {
  const seen = new Set();
  const waiting = [input];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (value === null || typeof value !== "object" || seen.has(value) || ArrayBuffer.isView(value)) continue;
    seen.add(value);
    for (const key of Object.keys(value)) waiting.push(value[key]);
  }
  return seen;
}

const texts = (record) => {
  const copy = {};
  for (const key of Object.keys(record || {})) copy[key] = String(record[key]);
  return copy;
};

function dump(value, options) {
  const given = options || {};
  const sorts = given.sortKeys;
  if (sorts && sorts !== true && typeof sorts !== "function") {
    throw new YAMLException("sortKeys must be a boolean or a function");
  }
  const prepared = new Preparation(value, given);
  if (prepared.root === LEFT_OUT) return "";
  const told = {
    indent: given.indent,
    noArrayIndent: Boolean(given.noArrayIndent),
    skipInvalid: prepared.skipInvalid,
    flowLevel: given.flowLevel,
    styles: texts(given.styles),
    schema: schemaName(given.schema),
    sortKeys: sorts === true,
    lineWidth: given.lineWidth,
    noRefs: Boolean(given.noRefs),
    noCompatMode: Boolean(given.noCompatMode),
    condenseFlow: Boolean(given.condenseFlow),
    quotingType: given.quotingType === '"' ? '"' : "'",
    forceQuotes: Boolean(given.forceQuotes),
    ordered: prepared.compare !== null,
    blankLines: given.blankLines,
    comments: texts(given.comments),
  };
  return calling("", () => hostDump(prepared.root, told));
}

// --- the names of the package "yaml", and js-yaml 3's

function parse(text, reviver, options) {
  if (typeof reviver === "function") {
    throw new Error("yaml.parse: a reviver is not supported; convert the value that parse returns");
  }
  return load(text, options || reviver);
}

function stringify(value, replacer, options) {
  if (typeof replacer !== "function" && replacer !== null) return dump(value, replacer);
  const given = typeof options === "number" ? { indent: options } : { ...options };
  return dump(value, replacer ? { ...given, replacer } : given);
}

function renamed(from, to) {
  return function () {
    throw new Error(
      `Function yaml.${from} is removed in js-yaml 4. Use yaml.${to} instead, which is now safe by default.`,
    );
  };
}

const safeLoad = renamed("safeLoad", "load");
const safeLoadAll = renamed("safeLoadAll", "loadAll");
const safeDump = renamed("safeDump", "dump");

export {
  CORE_SCHEMA,
  DEFAULT_SCHEMA,
  FAILSAFE_SCHEMA,
  JSON_SCHEMA,
  Schema,
  Type,
  YAMLException,
  dump,
  load,
  loadAll,
  loadFrontMatter,
  loadSafe,
  parse,
  safeDump,
  safeLoad,
  safeLoadAll,
  stringify,
  toJson,
  types,
};

export default Object.freeze({
  CORE_SCHEMA,
  DEFAULT_SCHEMA,
  FAILSAFE_SCHEMA,
  JSON_SCHEMA,
  Schema,
  Type,
  YAMLException,
  dump,
  load,
  loadAll,
  loadFrontMatter,
  loadSafe,
  parse,
  safeDump,
  safeLoad,
  safeLoadAll,
  stringify,
  toJson,
  types,
});
