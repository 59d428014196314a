/** In a run that was given the network. */

type FetchHeaders = Record<string, string> | Iterable<readonly [string, string]>;
type FetchBody = string | BytesLike | URLSearchParams | FormData | Blob;

interface FetchOptions {
  /** GET by default. */
  method?: string;
  headers?: FetchHeaders | null;
  /** Text and bytes as they are, forms with their content type, anything else as JSON. */
  body?: FetchBody | object | number | boolean | null;
  redirect?: "follow" | "manual" | "error";
  signal?: AbortSignal | null;
}

interface FetchResult {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly redirected: boolean;
  /** By lower-cased names; values of one name are joined with a comma. */
  readonly headers: Record<string, string> & {
    get(name: string): string | null;
    has(name: string): boolean;
    getSetCookie(): string[];
  };
  /** The body is longer than what was read of it (`max_response_body_bytes`). */
  readonly truncated: boolean;
  readonly body: string;
  /** The parsed body, or undefined where it is no JSON. A property, not a method. */
  readonly json: any;
  text(): Promise<string>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

declare function fetch(url: string | URL, options?: FetchOptions | null): Promise<FetchResult>;

declare class Blob {
  constructor(parts?: Iterable<string | BytesLike | Blob>, options?: { type?: string });
  readonly size: number;
  readonly type: string;
  text(): Promise<string>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  arrayBuffer(): Promise<ArrayBuffer>;
  slice(start?: number, end?: number, type?: string): Blob;
}

type FormDataValue = string | Blob;
declare class FormData {
  append(name: string, value: FormDataValue | BytesLike, filename?: string): void;
  set(name: string, value: FormDataValue | BytesLike, filename?: string): void;
  delete(name: string): void;
  get(name: string): FormDataValue | null;
  getAll(name: string): FormDataValue[];
  has(name: string): boolean;
  forEach(callback: (value: FormDataValue, name: string, parent: FormData) => void, self?: unknown): void;
  entries(): IterableIterator<[string, FormDataValue]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<FormDataValue>;
  [Symbol.iterator](): IterableIterator<[string, FormDataValue]>;
}
