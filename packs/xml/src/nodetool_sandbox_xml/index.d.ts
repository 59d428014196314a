// @nodetool-ai/sandbox-xml. Every function runs on the host and returns a promise: await it.

/** Text of at most 5,242,880 UTF-16 units, or a file's bytes (at most 10,485,760), decoded by their byte order
 * mark, their XML declaration, the option `encoding`, UTF-8, or a guess, in this order. */
export type XmlInput = string | Uint8Array | ArrayBuffer;

/** An element: its text, or an object of its children by name, "#text" and attributes as "@_name". Elements
 * of one name are a list. */
export type XmlValue = string | XmlValue[] | { [key: string]: XmlValue };

export interface ParseOptions {
  /** false leaves attributes out. Default: true. */
  attributes?: boolean;
  /** Default: "@_". */
  attributePrefix?: string;
  /** Default: "#text". */
  textKey?: string;
  /** Where given, CDATA sections stand under this key instead of being part of the text. Default: none. */
  cdataKey?: string;
  /** Where given, comments stand under this key. Default: none, they are left out. */
  commentKey?: string;
  /** Elements that are lists even where there is one: names, or paths such as "rss.channel.item". Default: []. */
  alwaysArray?: string[];
  /** Names without their namespace prefix; xmlns attributes are left out. Default: false. */
  stripPrefixes?: boolean;
  /** Plain numbers, true and false instead of their text. Default: false. */
  coerce?: boolean;
  /** Remove white space around each stretch of text. Default: true. */
  trim?: boolean;
  /** The WHATWG label of the bytes' encoding, where they do not name one. Default: found out. */
  encoding?: string;
}

export interface BuildOptions {
  /** Default: "@_". */
  attributePrefix?: string;
  /** Default: "#text". */
  textKey?: string;
  /** Default: none. */
  cdataKey?: string;
  /** Default: none. */
  commentKey?: string;
  /** Spaces of a level, 0 to 16; 0 writes one line. Default: 0. */
  indent?: number;
  /** Begin with <?xml version="1.0" encoding="UTF-8"?>. Default: false. */
  declaration?: boolean;
}

export interface XpathOptions {
  /** Prefixes of the expression, such as { a: "http://www.w3.org/2005/Atom" }. Default: {}. */
  namespaces?: Record<string, string>;
  /** Results at most, 0 to 10,000. Default: 1,000. */
  limit?: number;
  encoding?: string;
}

export interface Feed {
  title: string | null;
  link: string | null;
  items: {
    id: string | null;
    title: string | null;
    link: string | null;
    /** As the feed writes it. */
    published: string | null;
    summary: string | null;
  }[];
}

/** The document as an object: the root element by its name, "?xml" and other instructions. */
export function parse(text: XmlInput, options?: ParseOptions): Promise<any>;
/** The text of an object in the shape of parse, with one root element; at most 10,485,760 characters. */
export function build(value: Record<string, any>, options?: BuildOptions): Promise<string>;
/** What an XPath 1.0 expression finds: elements in the shape of parse, attributes and texts as text; a number,
 * boolean or string that it gives is the one item of the list. */
export function xpath(text: XmlInput, expression: string, options?: XpathOptions): Promise<any[]>;
/** The elements at a path such as "rss.channel.item", always a list. */
export function records(
  text: XmlInput,
  path: string,
  options?: ParseOptions & { limit?: number },
): Promise<any[]>;
/** Title, link and items of an RSS 2, RSS 1 or Atom feed; null where the feed says nothing. */
export function feed(text: XmlInput, options?: { encoding?: string }): Promise<Feed>;

declare const xml: {
  parse: typeof parse;
  build: typeof build;
  xpath: typeof xpath;
  records: typeof records;
  feed: typeof feed;
};
export default xml;
