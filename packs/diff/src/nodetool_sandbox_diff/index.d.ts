// @nodetool-ai/sandbox-diff. Every function runs on the host and returns a promise: await it.

/** Text of at most 5,242,880 UTF-16 units, or a file's bytes, decoded by their byte order mark, the option
 * `encoding`, UTF-8, or a guess, in this order. */
export type DiffInput = string | Uint8Array | ArrayBuffer;

export interface CompareOptions {
  /** White space around lines does not count. Default: false. */
  ignoreWhitespace?: boolean;
  /** Default: false. */
  ignoreCase?: boolean;
  /** The WHATWG label of the bytes' encoding. Default: found out. */
  encoding?: string;
}

export interface UnifiedOptions extends CompareOptions {
  /** Default: "a". */
  oldName?: string;
  /** Default: "b". */
  newName?: string;
  /** Lines shown around a change, 0 to 100. Default: 3. */
  context?: number;
}

export interface PatchOptions extends CompareOptions {
  /** Lines shown around a change, 0 to 100. Default: 4. */
  context?: number;
}

/** One stretch of a difference; what both sides have has neither flag. Removed comes before added. */
export interface Change {
  value: string;
  /** Lines, words or characters in it. */
  count: number;
  added?: true;
  removed?: true;
}

export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Each begins with " ", "-", "+" or "\\". */
  lines: string[];
}

export interface StructuredPatch {
  oldFileName?: string;
  newFileName?: string;
  oldHeader?: string;
  newHeader?: string;
  index?: string;
  hunks: Hunk[];
  isGit?: true;
  isRename?: true;
  isCopy?: true;
  isCreate?: true;
  isDelete?: true;
  isBinary?: true;
  oldMode?: string;
  newMode?: string;
}

export interface ApplyOptions {
  /** Lines of context that may be different, missing or too many, 0 to 10. Default: 0. */
  fuzzFactor?: number;
  /** Take a patch with LF for a text with CRLF throughout, and the other way round. Default: true. */
  autoConvertLineEndings?: boolean;
}

export interface JsonStep {
  op: "add" | "remove" | "replace";
  /** A JSON pointer, such as "/list/0/name". */
  path: string;
  value?: any;
  old?: any;
}

/** The difference by lines as a unified patch; at most 10,485,760 characters. */
export function unified(a: DiffInput, b: DiffInput, options?: UnifiedOptions): Promise<string>;
/** The difference by lines. */
export function diffLines(a: DiffInput, b: DiffInput, options?: CompareOptions): Promise<Change[]>;
/** The difference by words and marks; white space between them does not count. */
export function diffWords(a: DiffInput, b: DiffInput, options?: { ignoreCase?: boolean }): Promise<Change[]>;
/** The difference by characters (code points). "semantic" joins changes for readers, for texts of at most
 * 100,000 characters together. */
export function diffChars(
  a: DiffInput,
  b: DiffInput,
  options?: { cleanup?: "none" | "semantic"; ignoreCase?: boolean },
): Promise<Change[]>;
/** A unified patch between two files. */
export function createTwoFilesPatch(
  oldFileName: string,
  newFileName: string,
  a: DiffInput,
  b: DiffInput,
  oldHeader?: string,
  newHeader?: string,
  options?: PatchOptions,
): Promise<string>;
/** A unified patch of one file. */
export function createPatch(
  fileName: string,
  a: DiffInput,
  b: DiffInput,
  oldHeader?: string,
  newHeader?: string,
  options?: PatchOptions,
): Promise<string>;
/** A patch as an object. */
export function structuredPatch(
  oldFileName: string,
  newFileName: string,
  a: DiffInput,
  b: DiffInput,
  oldHeader?: string,
  newHeader?: string,
  options?: PatchOptions,
): Promise<StructuredPatch>;
/** The patches of a text, one for each file; at most 10,000 hunks. */
export function parsePatch(patch: DiffInput): Promise<StructuredPatch[]>;
/** The text with the patch applied; false where a hunk does not fit, up to 1,000 lines from its place. */
export function applyPatch(
  text: DiffInput,
  patch: DiffInput | StructuredPatch | [StructuredPatch],
  options?: ApplyOptions,
): Promise<string | false>;
/** A patch in the format of diff-match-patch, which also fits a text that has changed. */
export function patchMake(a: DiffInput, b: DiffInput): Promise<string>;
/** The text with such a patch applied, and for each part of it whether it fitted. */
export function patchApply(text: DiffInput, patch: DiffInput): Promise<[string, boolean[]]>;
/** The steps from one JSON value to another, in the shape of RFC 6902; at most 1,000,000 values and 100 levels. */
export function json(a: unknown, b: unknown): Promise<JsonStep[]>;
/** Lines added, removed and changed, and how alike the texts are, from 0 to 1. */
export function stats(
  a: DiffInput,
  b: DiffInput,
): Promise<{ added: number; removed: number; changed: number; similarity: number }>;
/** The most similar of at most 10,000 candidates, best first. `limit` is 5, `cutoff` 0 (from 0 to 1). */
export function closest(
  query: string,
  candidates: string[],
  options?: { limit?: number; cutoff?: number },
): Promise<{ value: string; score: number }[]>;

declare const diff: {
  unified: typeof unified;
  diffLines: typeof diffLines;
  diffWords: typeof diffWords;
  diffChars: typeof diffChars;
  createTwoFilesPatch: typeof createTwoFilesPatch;
  createPatch: typeof createPatch;
  structuredPatch: typeof structuredPatch;
  parsePatch: typeof parsePatch;
  applyPatch: typeof applyPatch;
  patchMake: typeof patchMake;
  patchApply: typeof patchApply;
  json: typeof json;
  stats: typeof stats;
  closest: typeof closest;
};
export default diff;
