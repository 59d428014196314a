// @nodetool-ai/sandbox-zip. What packs and unpacks runs on the host and returns a promise: await it.
// strToU8 and strFromU8 are synchronous.

/** At most 10,485,760 bytes. */
export type Bytes = Uint8Array | ArrayBuffer;

export interface UnzipOptions {
  /** The entries to read: a name, a pattern with * ? [..] and ** over folders, or a list of both. Default: all. */
  only?: string | string[];
  /** Strings instead of bytes: UTF-8, U+FFFD for what is none. At most 10,485,760 characters together.
   * Default: false. */
  text?: boolean;
  /** Refuse names that begin with / or a drive letter, or go through "..". Default: false. */
  safe?: boolean;
  /** Inflated bytes of all entries read, 0 to 52,428,800. Default: 52,428,800. */
  maxBytes?: number;
  /** The WHATWG label of the names' encoding, where they have no UTF-8 flag. Default: found out among UTF-8,
   * cp437, cp866, Shift-JIS, GB 18030, Big5, EUC-KR and EUC-JP. */
  encoding?: string;
}

export interface ZipOptions {
  /** 0 (store) to 9 (smallest). Default: 6. */
  level?: number;
  /** A comment on the archive, at most 65,535 bytes in UTF-8. Default: none. */
  comment?: string;
  /** The time of every entry, 1980 to 2107: a Date (taken in UTC) or ISO text. Default: 1980-01-01. */
  modified?: string | Date;
  /** Entries to store as they are, by name or pattern, such as ["*.png"]. Default: none. */
  store?: string | string[];
}

export interface ZipEntry {
  name: string;
  size: number;
  compressedSize: number;
  directory: boolean;
  /** The local time of whoever packed it, such as "2024-05-01T12:30:00"; null where there is none. */
  modified: string | null;
  crc32: number;
  encrypted: boolean;
}

/** Name to content, in the archive's order. Of two entries with one name the last wins. */
export function unzip(bytes: Bytes, options: UnzipOptions & { text: true }): Promise<Record<string, string>>;
export function unzip(bytes: Bytes, options?: UnzipOptions): Promise<Record<string, Uint8Array>>;
/** The archive of these files, at most 10,000 and 52,428,800 bytes; equal files give equal bytes. */
export function zip(files: Record<string, Bytes | string>, options?: ZipOptions): Promise<Uint8Array>;
/** What the directory says; nothing is inflated. */
export function list(bytes: Bytes, options?: { encoding?: string }): Promise<ZipEntry[]>;
/** gzip data of at most 52,428,800 bytes or text in UTF-8. */
export function gzip(data: Bytes | string, options?: { level?: number }): Promise<Uint8Array>;
/** The content of gzip data, several members joined. */
export function gunzip(bytes: Bytes, options?: { maxBytes?: number }): Promise<Uint8Array>;
/** Deflated data with zlib's header, or without it where `raw` is true. */
export function deflate(data: Bytes | string, options?: { level?: number; raw?: boolean }): Promise<Uint8Array>;
/** The content of zlib data, or of raw deflate data where `raw` is true. */
export function inflate(bytes: Bytes, options?: { raw?: boolean; maxBytes?: number }): Promise<Uint8Array>;
/** The bytes of a text, at once: UTF-8, or one byte a character where `latin1` is true. */
export function strToU8(text: string, latin1?: boolean): Uint8Array;
/** The text of bytes, at once: UTF-8, or one character a byte where `latin1` is true. */
export function strFromU8(bytes: Bytes, latin1?: boolean): string;
/** Throws and names unzip. */
export function unzipSync(): never;
/** Throws and names zip. */
export function zipSync(): never;
/** Throws and names gzip. */
export function gzipSync(): never;
/** Throws and names gunzip. */
export function gunzipSync(): never;
/** Throws and names gunzip and inflate. */
export function decompressSync(): never;
/** Throws and names deflate. */
export function deflateSync(): never;
/** Throws and names inflate. */
export function inflateSync(): never;
/** Throws and names deflate. */
export function zlibSync(): never;
/** Throws and names inflate. */
export function unzlibSync(): never;

declare const zip_: {
  decompressSync: typeof decompressSync;
  deflate: typeof deflate;
  deflateSync: typeof deflateSync;
  gunzip: typeof gunzip;
  gunzipSync: typeof gunzipSync;
  gzip: typeof gzip;
  gzipSync: typeof gzipSync;
  inflate: typeof inflate;
  inflateSync: typeof inflateSync;
  list: typeof list;
  strFromU8: typeof strFromU8;
  strToU8: typeof strToU8;
  unzip: typeof unzip;
  unzipSync: typeof unzipSync;
  unzlibSync: typeof unzlibSync;
  zip: typeof zip;
  zipSync: typeof zipSync;
  zlibSync: typeof zlibSync;
};
export default zip_;
