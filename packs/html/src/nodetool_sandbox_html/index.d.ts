// @nodetool-ai/sandbox-html. Every function runs on the host and returns a promise: await it.

/** Text of at most 5,242,880 UTF-16 units, or a file's bytes (at most 10,485,760), decoded by their byte
 * order mark, the meta element, the option `encoding`, UTF-8, or a guess, in this order. */
export type HtmlInput = string | Uint8Array | ArrayBuffer;

export interface EncodingOption {
  /** The WHATWG label of the bytes' encoding, such as "windows-1252". Default: found out. */
  encoding?: string;
}

export interface SelectOptions extends EncodingOption {
  /** Give this attribute of the matches that have it, instead of their text. */
  attr?: string;
  /** How many at most, 0 to 1,000. Default: 100. */
  limit?: number;
}

/** The options of Turndown that are plain data. */
export interface TurndownOptions {
  /** Default: "atx". */
  headingStyle?: "setext" | "atx";
  /** Default: "* * *". */
  hr?: string;
  /** Default: "-". */
  bulletListMarker?: string;
  /** Default: "fenced". */
  codeBlockStyle?: "indented" | "fenced";
  /** Default: three backticks. */
  fence?: string;
  /** Default: "_". */
  emDelimiter?: string;
  /** Default: "**". */
  strongDelimiter?: string;
  /** Default: "inlined". */
  linkStyle?: "inlined" | "referenced";
  /** Default: "full". */
  linkReferenceStyle?: "full" | "collapsed" | "shortcut";
  /** What stands before the end of a broken line. Default: two spaces. */
  br?: string;
  /** Keep the white space of code. Default: false. */
  preformattedCode?: boolean;
}

export interface MarkdownOptions extends EncodingOption {
  turndown?: TurndownOptions;
  /** Convert what this selector finds. Default: the body. */
  selector?: string;
  /** Make the URLs of links and images absolute against this one. */
  baseUrl?: string;
  /** "gfm": pipe tables; "text": each cell a paragraph. Default: "gfm". */
  tables?: "gfm" | "text";
  /** Tags to leave out, their content stays. */
  strip?: string[];
  /** Tags to leave out with their content. */
  remove?: string[];
  /** Drop links and images of schemes other than http, https, mailto, tel and ftp. Default: false. */
  safeLinks?: boolean;
  /** Cut the result after so many characters. Default: 10,485,760. */
  maxChars?: number;
}

export interface Link {
  /** As written in the page. */
  href: string;
  text: string;
  type: "internal" | "external";
}

export interface Metadata {
  title: string | null;
  description: string | null;
  keywords: string | null;
  canonical: string | null;
  lang: string | null;
  /** By the names without "og:". */
  openGraph: Record<string, string>;
  /** The JSON-LD blocks that are JSON; at most 20 and 1 MiB. */
  jsonLd: any[];
}

export interface SelectedElement {
  text: string;
  /** The element itself as HTML. */
  html: string;
  attrs: Record<string, string>;
}

/** A selector (text of the first match, or null), [selector] (texts of all), or a description. */
export type Rule =
  | string
  | [string]
  | { selector: string; attr?: string; all?: boolean; each?: Record<string, Rule> };

export interface Article {
  title: string | null;
  byline: string | null;
  excerpt: string | null;
  html: string;
  /** Without links that run code. */
  markdown: string;
  text: string;
  /** Of `text`, in UTF-16 units. */
  length: number;
}

/** The trimmed texts of the elements that match, in page order. */
export function select(html: HtmlInput, selector: string, options?: SelectOptions): Promise<string[]>;
/** The page as Markdown, in Turndown's layout. */
export function toMarkdown(html: HtmlInput, options?: MarkdownOptions): Promise<string>;
/** What a reader sees: blocks and br break lines. */
export function toText(html: HtmlInput, options?: EncodingOption): Promise<string>;
/** The links of a page, at most 1,000. */
export function extractLinks(html: HtmlInput, baseUrl?: string, options?: EncodingOption): Promise<Link[]>;
/** The sources of images, at most 1,000. */
export function extractImages(html: HtmlInput, baseUrl?: string, options?: EncodingOption): Promise<string[]>;
/** The sources of audio elements, at most 1,000. */
export function extractAudio(html: HtmlInput, baseUrl?: string, options?: EncodingOption): Promise<string[]>;
/** The sources of video elements and iframes, at most 1,000. */
export function extractVideos(html: HtmlInput, baseUrl?: string, options?: EncodingOption): Promise<string[]>;
/** What the page says about itself. */
export function extractMetadata(html: HtmlInput, options?: EncodingOption): Promise<Metadata>;
/** The text of the main part on one line, or "No main content found". */
export function extractReadableText(html: HtmlInput, options?: EncodingOption): Promise<string>;
/** Text, HTML and attributes of the elements that match. */
export function selectAll(
  html: HtmlInput,
  selector: string,
  options?: EncodingOption & { limit?: number },
): Promise<SelectedElement[]>;
/** One object by named selectors. */
export function extract(
  html: HtmlInput,
  rules: Record<string, Rule>,
  options?: EncodingOption & { root?: undefined },
): Promise<Record<string, any>>;
/** An object for each element that `root` matches. */
export function extract(
  html: HtmlInput,
  rules: Record<string, Rule>,
  options: EncodingOption & { root: string },
): Promise<Record<string, any>[]>;
/** The rows of each table, as arrays. */
export function tables(
  html: HtmlInput,
  options: EncodingOption & { selector?: string; header: false },
): Promise<string[][][]>;
/** The rows of each table, as records by its first row. */
export function tables(
  html: HtmlInput,
  options?: EncodingOption & { selector?: string; header?: boolean },
): Promise<Record<string, string>[][]>;
/** The article of a page. */
export function readable(html: HtmlInput, options?: EncodingOption & { baseUrl?: string }): Promise<Article>;

declare const html: {
  select: typeof select;
  toMarkdown: typeof toMarkdown;
  toText: typeof toText;
  extractLinks: typeof extractLinks;
  extractImages: typeof extractImages;
  extractAudio: typeof extractAudio;
  extractVideos: typeof extractVideos;
  extractMetadata: typeof extractMetadata;
  extractReadableText: typeof extractReadableText;
  selectAll: typeof selectAll;
  extract: typeof extract;
  tables: typeof tables;
  readable: typeof readable;
};
export default html;
