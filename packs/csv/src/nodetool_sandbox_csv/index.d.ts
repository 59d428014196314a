// @nodetool-ai/sandbox-csv. Every function runs on the host and returns a promise: await it.

/** Text of at most 5,242,880 UTF-16 units, or a file's bytes (at most 10,485,760), decoded by their byte
 * order mark, the option `encoding`, UTF-8, or a guess, in this order. */
export type CsvInput = string | Uint8Array | ArrayBuffer;

export interface ParseOptions {
  /** true: the first row names the fields, rows are records; false: rows are arrays. Default: true. */
  header?: boolean;
  /** One UTF-16 unit. Default: "", detected among , TAB | ; U+001E U+001F. */
  delimiter?: string;
  /** Numbers, booleans and null instead of text: in all columns, or in the named ones. Default: false. */
  dynamicTyping?: boolean | string[];
  /** Remove white space around names and values. Default: false. */
  trim?: boolean;
  /** Leave out lines that begin with this text. Default: none. */
  comment?: string;
  /** Lines to leave out before anything is read, from 0. Default: 0. */
  skipRows?: number;
  /** With a header: the columns to keep, in this order (an unknown one is an error).
   * With header: false: names for the fields, which makes records. Default: all columns. */
  columns?: string[];
  /** Rows to read at most, the header not counted; 0 means all. Default: 0. */
  maxRows?: number;
  /** The WHATWG label of the bytes' encoding, such as "windows-1252" or "utf-16le". Default: found out. */
  encoding?: string;
}

/** A short row lacks its last names; the extra fields of a long row stand in __parsed_extra. */
export type CsvRecord = Record<string, any>;

export interface StringifyOptions {
  /** Write the names as the first line. Default: true. Arrays have none unless `columns` is given. */
  header?: boolean;
  /** One UTF-16 unit. Default: ",". */
  delimiter?: string;
  /** The columns to write, in this order. Default: the keys of all records, in order of first sight. */
  columns?: string[];
  /** "minimal": quote where it is needed; "all": quote every value but null. Default: "minimal". */
  quote?: "minimal" | "all";
  /** What separates lines; none follows the last one. Default: "\n". */
  newline?: "\n" | "\r\n";
  /** Begin with U+FEFF, which tells Excel that the file is UTF-8. Default: false. */
  bom?: boolean;
  /** Put ' before text that a spreadsheet would run (= + - @ TAB CR). Default: false. */
  escapeFormulae?: boolean;
}

export interface CsvProblem {
  /** The place in `rows`, from 0; -1 for the header. */
  row: number;
  code: "TooFewFields" | "TooManyFields" | "UnclosedQuote" | "BadQuote";
  message: string;
}

export interface ParseReport {
  rows: CsvRecord[] | any[][];
  delimiter: string;
  /** The names of the columns; [] without any. */
  fields: string[];
  /** At most 1,000, by row. */
  errors: CsvProblem[];
}

export interface Detection {
  delimiter: string;
  newline: "\n" | "\r\n" | "\r";
  /** Whether the first row reads like names: nothing empty, nothing twice, no numbers. */
  header: boolean;
}

/** The rows of a table. At most 16,384 columns and 2,000,000 cells. */
export function parse(
  text: CsvInput,
  options: ParseOptions & { header: false; columns?: undefined },
): Promise<string[][]>;
export function parse(text: CsvInput, options?: ParseOptions): Promise<CsvRecord[]>;
/** The table as text. At most 1,000,000 rows, 2,000,000 cells and 10,485,760 characters. */
export function stringify(
  rows: Record<string, unknown>[] | unknown[][],
  options?: StringifyOptions,
): Promise<string>;
/** What parse gives, with the delimiter, the names and what is odd about the rows. */
export function parseWithErrors(text: CsvInput, options?: ParseOptions): Promise<ParseReport>;
/** How a text seems to be written, from its first 10 rows. */
export function detect(text: CsvInput, options?: { encoding?: string }): Promise<Detection>;

declare const csv: {
  parse: typeof parse;
  stringify: typeof stringify;
  parseWithErrors: typeof parseWithErrors;
  detect: typeof detect;
};
export default csv;
