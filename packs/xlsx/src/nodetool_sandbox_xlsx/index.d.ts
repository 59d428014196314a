// @nodetool-ai/sandbox-xlsx. Every function runs on the host and returns a promise: await it.

/** A .xlsx file, at most 10,485,760 bytes and 52,428,800 inflated. */
export type WorkbookBytes = Uint8Array | ArrayBuffer;

/** Dates are ISO text (or Date with dates: "date"), times of day "12:45:00", durations "37:30:00". */
export type CellValue = string | number | boolean | Date | null;

export interface ParseOptions {
  /** The sheet's exact name; a number that is no sheet's name counts from 0. Default: all sheets. */
  sheet?: string | number;
  /** true: the first row that is not empty names the columns; false: rows are arrays. Default: true. */
  header?: boolean;
  /** The row that names the columns, from 1; those above it are left out. */
  headerRow?: number;
  /** Read these cells only. Default: all. */
  range?: string;
  /** Rows to give at most, the header not counted. Default: all. */
  limit?: number;
  /** Keep rows without a cell, and pad every row to one width. Default: false. */
  blankRows?: boolean;
  /** false is blankRows: true. Default: true. */
  skipEmptyRows?: boolean;
  /** What stands for an empty cell. Default: null. */
  blank?: null | "";
  /** ISO text, a Date, or the serial number. Default: "iso". */
  dates?: "iso" | "date" | "serial";
  /** The stored result, the formula's text, or { formula, value }. Default: "value". */
  formulas?: "value" | "text" | "both";
  /** Repeat the value in every cell of a merge, or leave it in the first. Default: "fill". */
  merged?: "fill" | "first";
}

export interface StyleSpec {
  /** "A1" or "A1:C20". */
  range: string;
  bold?: boolean;
  italic?: boolean;
  size?: number;
  /** RRGGBB or AARRGGBB, with or without #. */
  color?: string;
  background?: string;
  /** Such as "0.00" or "yyyy-mm-dd". */
  numberFormat?: string;
}

/** A cell with more than a value; a formula needs allowFormulas: true. */
export interface CellSpec {
  value?: unknown;
  formula?: string;
  numberFormat?: string;
  /** An http(s) or mailto address. */
  link?: string;
}

/** Cells: string, number, boolean, Date, null, a CellSpec; anything else is written as JSON text. */
export type Row = Record<string, unknown> | unknown[];

export interface SheetSpec {
  /** At most 31 characters, none of * ? : \ / [ ]. */
  name: string;
  rows: Row[];
  /** Overrides the option header. */
  header?: boolean;
  /** The columns of records, in this order. Default: the keys of all rows, in order of first sight. */
  columns?: string[];
  /** In order; later ones win. */
  styles?: StyleSpec[];
  /** The first cell that scrolls: "A2" keeps the first row in sight. */
  freeze?: string;
  /** Buttons to filter by, over all columns. */
  autoFilter?: boolean;
  /** Widths of the columns in characters; they win over autoFitColumns. */
  widths?: number[];
  /** Ranges that become one cell each. */
  merges?: string[];
  /** Make the rows an Excel table of this name. */
  table?: string;
}

export interface WriteOptions {
  /** Rows are records under a row of names; false: rows are arrays. Default: true. */
  header?: boolean;
  /** Widths by the longest text, 8 to 80 characters. Default: true. */
  autoFitColumns?: boolean;
  /** Let cells have formulas. Default: false. */
  allowFormulas?: boolean;
  /** Mark text that begins with = + - @ as text for spreadsheets. Default: false. */
  quotePrefix?: boolean;
}

export interface SheetInfo {
  name: string;
  state: "visible" | "hidden" | "veryHidden";
  /** The last row and the last column that hold a cell. */
  rows: number;
  columns: number;
}

/** The rows of one sheet, as arrays. */
export function parse(
  bytes: WorkbookBytes,
  options: ParseOptions & { sheet: string | number; header: false },
): Promise<any[][]>;
/** The rows of one sheet, as records. */
export function parse(
  bytes: WorkbookBytes,
  options: ParseOptions & { sheet: string | number },
): Promise<Record<string, any>[]>;
/** The rows of every sheet, as arrays. */
export function parse(
  bytes: WorkbookBytes,
  options: ParseOptions & { header: false },
): Promise<Record<string, any[][]>>;
/** The rows of every sheet, as records. */
export function parse(
  bytes: WorkbookBytes,
  options?: ParseOptions,
): Promise<Record<string, Record<string, any>[]>>;
/** The workbook as a file. At most 64 sheets and 250,000 cells. */
export function write(
  sheets: Record<string, Row[]> | SheetSpec[],
  options?: WriteOptions,
): Promise<Uint8Array>;
/** What sheets there are; no cell's value is read. */
export function sheets(bytes: WorkbookBytes): Promise<SheetInfo[]>;
/** One sheet as CSV. Default: the first sheet, ",". */
export function toCsv(
  bytes: WorkbookBytes,
  options?: { sheet?: string | number; delimiter?: string },
): Promise<string>;

declare const xlsx: {
  parse: typeof parse;
  write: typeof write;
  sheets: typeof sheets;
  toCsv: typeof toCsv;
};
export default xlsx;
