// @nodetool-ai/sandbox-yaml: the API of js-yaml 4. Every function is synchronous.

/** Text of at most 5,242,880 UTF-16 units, or a file's bytes (UTF-8, UTF-16, or what `encoding` says). */
export type YamlInput = string | Uint8Array | ArrayBuffer;

export interface Mark {
  name: string | null;
  buffer: string;
  /** UTF-16 units from the start of the text, from 0. */
  position: number;
  /** From 0; the message counts from 1. */
  line: number;
  /** From 0; the message counts from 1. */
  column: number;
  snippet: string;
}

export class YAMLException extends Error {
  constructor(reason?: string, mark?: Mark);
  name: "YAMLException";
  reason: string;
  mark?: Mark;
  /** compact: without the snippet. */
  toString(compact?: boolean): string;
}

/** Cannot be made or extended: that needs functions inside the parser. The four below are its instances. */
export class Schema {
  private constructor();
}
/** Cannot be made: see Schema. */
export class Type {
  private constructor();
  readonly tag: string;
  readonly kind: "scalar" | "sequence" | "mapping";
}
/** Every scalar is text. */
export const FAILSAFE_SCHEMA: Schema;
/** null, booleans and numbers. */
export const JSON_SCHEMA: Schema;
/** The same as JSON_SCHEMA. */
export const CORE_SCHEMA: Schema;
/** CORE_SCHEMA, and timestamps as Date, merge keys (<<), !!binary, !!set, !!omap, !!pairs. */
export const DEFAULT_SCHEMA: Schema;
export const types: Readonly<Record<TypeName, Type>>;
export type TypeName =
  | ("null" | "bool" | "int" | "float" | "str" | "seq" | "map")
  | ("timestamp" | "merge" | "binary" | "omap" | "pairs" | "set");

export interface LoadOptions {
  /** Stands in messages and in mark.name. Default: none. */
  filename?: string;
  /** Called with what is odd and no error, at most 100 times. Default: nothing is told. */
  onWarning?: (warning: YAMLException) => void;
  /** Default: DEFAULT_SCHEMA. */
  schema?: Schema;
  /** true: of equal keys the last one wins; false: they are an error. Default: false. */
  json?: boolean;
  /** Nested nodes, 0 to 100. Default: 100. */
  maxDepth?: number;
  /** Keys copied by <<, 0 to 10,000. Default: 10,000. */
  maxTotalMergeKeys?: number;
  /** "string": timestamps stay text. Default: "date". */
  dates?: "date" | "string";
  /** The WHATWG label of the bytes' encoding. Default: found out. */
  encoding?: string;
}

export interface DumpOptions {
  /** Spaces of a level, 1 to 64. Default: 2. */
  indent?: number;
  /** Do not indent lists under their key. Default: false. */
  noArrayIndent?: boolean;
  /** Leave out functions, Maps and the like instead of throwing. Default: false. */
  skipInvalid?: boolean;
  /** The level from which on [a, b] and {a: b} are written; -1 is never. Default: -1. */
  flowLevel?: number;
  /** How types are written, such as { "!!null": "canonical", "!!int": "hexadecimal" }. Default: {}. */
  styles?: Record<string, string>;
  /** Default: DEFAULT_SCHEMA. */
  schema?: Schema;
  /** true, or a comparison of keys. Default: false. */
  sortKeys?: boolean | ((a: string, b: string) => number);
  /** Characters after which long text is folded; -1 is never. Default: 80. */
  lineWidth?: number;
  /** Write a shared object out each time instead of &ref_0 and *ref_0. Default: false. */
  noRefs?: boolean;
  /** Leave "yes", "1:20" and other words of YAML 1.1 unquoted. Default: false. */
  noCompatMode?: boolean;
  /** No spaces in flow collections. Default: false. */
  condenseFlow?: boolean;
  /** The quotes of text that needs some. Default: "'". */
  quotingType?: "'" | '"';
  /** Quote every text that is not a key. Default: false. */
  forceQuotes?: boolean;
  /** Called for each key and value, as in JSON.stringify. Default: none. */
  replacer?: (this: any, key: string, value: any) => any;
  /** "top": an empty line between the entries of the outermost collection. Default: none. */
  blankLines?: "top";
  /** Comments above entries, by path: { "": "head", "server": "...", "list.0.name": "..." }; a dot within a
   * key is written "\\." there. Block style alone. Default: {}. */
  comments?: Record<string, string>;
}

/** The one document; undefined for an empty text. Throws YAMLException. */
export function load(text: YamlInput, options?: LoadOptions): any;
/** All documents, at most 10,000. */
export function loadAll(text: YamlInput, options?: LoadOptions): any[];
export function loadAll(text: YamlInput, iterator: null | undefined, options?: LoadOptions): any[];
export function loadAll(text: YamlInput, iterator: (document: any) => void, options?: LoadOptions): void;
/** The text, with a last line break; at most 10,485,760 characters. Throws YAMLException. */
export function dump(value: unknown, options?: DumpOptions): string;
export interface Fault {
  reason: string;
  /** From 1; missing where the text is not what is wrong. */
  line?: number;
  /** From 1; missing where the text is not what is wrong. */
  column?: number;
}
/** load that does not throw. */
export function loadSafe(
  text: YamlInput,
  options?: LoadOptions,
): { value: any; error?: undefined } | { value?: undefined; error: Fault };
/** The YAML between two --- lines at the start, and the text after them; data is {} where there is none. */
export function loadFrontMatter(text: string, options?: LoadOptions): { data: any; body: string };
/** The one document as JSON text: dates as ISO text, binary as base64. */
export function toJson(text: YamlInput, options?: LoadOptions): string;
/** load, by the name that the package "yaml" gives it. */
export function parse(text: YamlInput, options?: LoadOptions): any;
/** dump, by the name that the package "yaml" gives it. */
export function stringify(value: unknown, options?: DumpOptions): string;
export function stringify(
  value: unknown,
  replacer: ((key: string, value: any) => any) | null,
  options?: DumpOptions | number,
): string;
/** Removed in js-yaml 4: throws and names load. */
export function safeLoad(): never;
/** Removed in js-yaml 4: throws and names loadAll. */
export function safeLoadAll(): never;
/** Removed in js-yaml 4: throws and names dump. */
export function safeDump(): never;

declare const yaml: {
  CORE_SCHEMA: typeof CORE_SCHEMA;
  DEFAULT_SCHEMA: typeof DEFAULT_SCHEMA;
  FAILSAFE_SCHEMA: typeof FAILSAFE_SCHEMA;
  JSON_SCHEMA: typeof JSON_SCHEMA;
  Schema: typeof Schema;
  Type: typeof Type;
  YAMLException: typeof YAMLException;
  dump: typeof dump;
  load: typeof load;
  loadAll: typeof loadAll;
  loadFrontMatter: typeof loadFrontMatter;
  loadSafe: typeof loadSafe;
  parse: typeof parse;
  safeDump: typeof safeDump;
  safeLoad: typeof safeLoad;
  safeLoadAll: typeof safeLoadAll;
  stringify: typeof stringify;
  toJson: typeof toJson;
  types: typeof types;
};
export default yaml;
