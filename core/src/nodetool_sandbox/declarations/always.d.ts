/** What every program finds beside the language. Check with `--lib es2024 --types ""`: nothing of a browser is there. */

/** One entry of `result.logs` a call: texts as they are, everything else as JSON, with a space between. */
declare const console: {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
};

/** Tells whoever runs the program how far it is, from 0 to 100. Never throws, waits for nothing. */
declare function progress(percent: number, message?: string): void;

/** Waits, at most {MAX_SLEEP_MS} ms a call. The one timer. */
declare function sleep(ms: number, options?: { signal?: AbortSignal | null }): Promise<void>;

/** Calls `fn` for each item, at most `concurrency` (1 to {MAX_PARALLEL_MAP_CONCURRENCY}, 5 by default) at once; results in the order of the items. */
declare function parallelMap<T, R>(
  items: Iterable<T> | ArrayLike<T>,
  fn: (item: T, index: number) => R | PromiseLike<R>,
  concurrency?: number,
): Promise<R[]>;

type BytesLike = ArrayBufferView | ArrayBufferLike;

/** Text (as UTF-8) or bytes, in the standard alphabet. */
declare function toBase64(data: string | BytesLike | ArrayLike<number>): string;
/** The standard alphabet or that of URLs; any other character is passed over. */
declare function fromBase64(text: string): Uint8Array<ArrayBuffer>;
declare function toHex(bytes: BytesLike | ArrayLike<number>): string;
declare function fromHex(text: string): Uint8Array<ArrayBuffer>;
/** Text of base64; each character of it is one byte. */
declare function atob(data: string): string;
/** Base64 of a text whose characters are bytes. */
declare function btoa(data: string): string;

declare function structuredClone<T>(value: T): T;
declare function queueMicrotask(callback: () => void): void;

declare class TextEncoder {
  readonly encoding: "utf-8";
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}
/** Knows UTF-8 alone. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: "utf-8";
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: BytesLike, options?: { stream?: boolean }): string;
}

interface AbortEvent {
  readonly type: "abort";
  readonly target: AbortSignal;
}
type AbortListener = ((event: AbortEvent) => void) | { handleEvent(event: AbortEvent): void };
declare class AbortSignal {
  private constructor();
  readonly aborted: boolean;
  readonly reason: any;
  onabort: ((event: AbortEvent) => void) | null;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: AbortListener, options?: { signal?: AbortSignal; once?: boolean }): void;
  removeEventListener(type: "abort", listener: AbortListener): void;
  static abort(reason?: unknown): AbortSignal;
  static timeout(ms: number): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class URLSearchParams {
  constructor(init?: string | URLSearchParams | Iterable<readonly [string, string]> | Record<string, string>);
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  forEach(callback: (value: string, name: string, parent: URLSearchParams) => void, self?: unknown): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}
/** As the URL standard has it. `searchParams` and the URL follow each other. */
declare class URL {
  constructor(url: string | URL, base?: string | URL);
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toString(): string;
  toJSON(): string;
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
}

type HashAlgorithm = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512" | (string & {});
type CryptoData = string | BytesLike | ArrayLike<number>;
declare const crypto: {
  /** Version 4. */
  randomUUID(): string;
  /** So many random bytes, at most {MAX_RANDOM_BYTES}. */
  getRandomValues(length: number): Uint8Array<ArrayBuffer>;
  /** Fills an array of integers of at most {MAX_RANDOM_BYTES} bytes and gives it back. */
  getRandomValues<T extends ArrayBufferView>(array: T): T;
  digest(algorithm: HashAlgorithm, data: CryptoData): Promise<Uint8Array<ArrayBuffer>>;
  hmac(algorithm: HashAlgorithm, key: CryptoData, data: CryptoData): Promise<Uint8Array<ArrayBuffer>>;
  /** Whether bytes of one length are equal, in a time that does not say where they differ. */
  timingSafeEqual(a: BytesLike, b: BytesLike): boolean;
  readonly subtle: { digest(algorithm: HashAlgorithm | { name: string }, data: BytesLike): Promise<ArrayBuffer> };
};

/** In the words of a locale, en-US where none is named. `Intl` is the language's own library's. */
declare const format: {
  number(
    value: number,
    options?: {
      locale?: string;
      style?: "decimal" | "percent" | "currency" | "unit";
      currency?: string;
      minimumFractionDigits?: number;
      maximumFractionDigits?: number;
      useGrouping?: boolean;
    },
  ): Promise<string>;
  date(
    epochMs: number,
    options?: {
      locale?: string;
      dateStyle?: "full" | "long" | "medium" | "short";
      timeStyle?: "full" | "long" | "medium" | "short";
      timeZone?: string;
    },
  ): Promise<string>;
  relativeTime(value: number, unit: Intl.RelativeTimeFormatUnit, options?: { locale?: string }): Promise<string>;
  list(
    items: readonly unknown[],
    options?: { locale?: string; type?: "conjunction" | "disjunction" | "unit" },
  ): Promise<string>;
};
