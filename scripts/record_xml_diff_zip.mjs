// Records what fast-xml-parser, diff and fflate answer, for host_modules/tests/test_recorded_xml_diff_zip.py.
//
//   mkdir scratch && cd scratch && npm install fast-xml-parser@5 diff@9 fflate@0.8
//   node <repository>/scripts/record_xml_diff_zip.mjs <repository>/host_modules/tests/recorded
//
// Bytes are {"$bytes":base64}, an error is {"$error":message}; a plain object is {"$object":[[key, value], ...]},
// in its own order.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "here.js"));
const { XMLParser, XMLValidator } = require("fast-xml-parser");
const jsdiff = require("diff");
const fflate = require("fflate");
const version = (name) =>
  JSON.parse(readFileSync(join(process.cwd(), "node_modules", name, "package.json"), "utf8")).version;

const tagged = (value) => {
  if (value === undefined) return null;
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return value.map(tagged);
  return { $object: Object.keys(value).map((key) => [key, tagged(value[key])]) };
};
const attempt = (action) => {
  try {
    return tagged(action());
  } catch (error) {
    return { $error: error.message };
  }
};

// --- xml

const xmlTexts = [
  "<a/>", "<a></a>", "<a>  </a>", "<a>hi</a>", '<a x="1">hi</a>', '<a x="1"/>', "<a>one <b>two</b> three</a>",
  "<r><i>1</i><i>2</i></r>", "<r><i>1</i><x/><i>2</i><i/></r>", "<r><i>1</i></r>",
  '<?xml version="1.0" encoding="UTF-8"?>\n<r><n>é</n></r>', '<?xml version="1.0"?><?style a="b" c="d"?><r/>',
  "<r><![CDATA[  keep <b> ]]></r>", "<c>\n <![CDATA[t]]>\n</c>", "<c>a<![CDATA[b]]>c</c>", "<c><![CDATA[]]></c>",
  "<a>x<!-- no -->y</a>", "<!-- first --><a/>", '<x:a xmlns:x="urn:x"><x:b x:c="d"/></x:a>', "<p:a><p:b/></p:a>",
  '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="urn:m"><title type="text">T</title><m:id>7</m:id></feed>',
  "<a>&lt;&amp;&gt;&quot;&apos;</a>", '<a b="&lt;&amp;&quot;"/>', "<a>&#65;&#x42;</a>", "<a>&nbsp;&foo;</a>",
  '<a b="  x   y  "/>', "<a>  x   y  </a>", "<a>l1\r\nl2</a>", "<a>007</a>", "<a>true</a>", "\ufeff<a/>",
  "", "just text", ' <?xml version="1.0"?><a/>', "<a><b></a>", "<a>", "<a/><b/>", "<r>1</r>junk",
  '<r a="1" a="2"/>', "<r a=1/>", "<r a/>", "<r>a & b</r>", '<r a="<"/>', "<1a/>", "<a><b/></a >",
  "<!DOCTYPE a><a/>", '<!DOCTYPE a [<!ENTITY x "hello">]><a>&x;</a>', '<!DOCTYPE a [<!ENTITY x SYSTEM "f">]><a>&x;</a>',
  "<toString>1</toString>", "<__proto__>1</__proto__>", "<r><b>1</b>t<b k='v'>2</b>u</r>",
  `${"<a>".repeat(101)}${"</a>".repeat(101)}`,
  '<rss version="2.0"><channel><title>N</title><item><link>u</link></item><item><link>v</link></item></channel></rss>',
];
const xmlParse = (text, options) => {
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new Error(`invalid XML (${valid.err.msg})`);
  return new XMLParser({
    attributeNamePrefix: "@_", ignoreAttributes: options.attributes === false, parseTagValue: false,
    parseAttributeValue: false, trimValues: true,
  }).parse(text);
};
const xmlCases = [
  ...xmlTexts.map((text) => [text, {}]),
  ['<a x="1">hi</a>', { attributes: false }], ['<?xml version="1.0"?><a x="1"/>', { attributes: false }],
];

// --- diff

const pairs = [
  ["", ""], ["", "new\n"], ["old\n", ""], ["same\n", "same\n"], ["a", "b"], ["a\n", "a"], ["a", "a\n"], ["a\nb", "a\nc"],
  ["1\n2\n", "1\nX\n2\n"], ["p\nq\n", "p\nn\nq\n"], ["a\r\nb\r\n", "a\r\nc\r\n"], ["a\r\nb\r\n", "a\nb\n"],
  ["a\fb\nc\n", "a\fd\nc\n"], ["a\u2028b\n", "a\u2028c\n"], ["l1\nl2\n", "l1\nl2\nl3\r"], ["x\n", "x\nx\n"],
  ["x\nx\nx\n", "x\n"], ["a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n"], ["a\nb\nc\n", "c\nb\na\n"],
  ["1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1\n2\nX\n4\n5\n6\n7\n8\n9\nY\n11\n12\n"],
  ["1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n", "1\n2\nX\n4\n5\n6\n7\n8\n9\n10\n11\nY\n13\n"],
  ["{\n  a\n}\n\n{\n  b\n}\n", "{\n  a\n}\n\n{\n  c\n}\n\n{\n  b\n}\n"], ["\n\n\n", "\n\n"], ["\n", ""],
  ["-- a\n++ b\n", "-- a\n"], ["@@ x\n", "@@ y\n"], ["\ud83d\n", "\ud83d\ude00\n"],
  [Array.from({ length: 60 }, (_, i) => `${(i * 7) % 11}\n`).join(""), Array.from({ length: 60 }, (_, i) => `${(i * 5) % 9}\n`).join("")],
];
const words = [
  ["The quick-brown fox.", "The slow-brown fox!"], ["naïve café", "naïve cafés"], ["foo bar baz", "foo baz"],
  ["foo bar baz", "foo qux baz"], ["foo\nbar baz", "foo baz"], ["foo baz", "foo\nbar baz"], ["foo   bar baz", "foo  baz"],
  ["foo\tbar\nbaz", "foo baz"], ["  lead", "lead"], ["lead", "  lead"], ["trail  ", "trail"], ["", "a b"], ["a b", ""],
  ["   ", " "], ["a b c d e f", "a x c y e z"], ["one two", "two one"], ["x = 1;", "x = 2 ;"], ["привет мир", "привет мiр"],
  ["a  b", "a b"], ["bar baz", "baz"], ["foo bar", "foo"], ["he said \"no\"", "he said \"yes\""], ["Aa Bb", "aa bb"],
];
const chars = [
  ["", ""], ["kitten", "sitting"], ["saturday", "sunday"], ["abcabba", "cbabac"], ["a😀b", "a😃b"], ["aaaa", "aa"],
  ["New Value.", "New ValueMoreData."], ["restaurant", "aura"], ["il semble que", "il semblerait que"], ["ab", "ba"],
];
const pieces = (list) =>
  list.map(({ value, count, added, removed }) => [added ? "+" : removed ? "-" : "=", value, count]);
const patchInputs = [
  "--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-three\n+four\n", "Index: x\n===\n--- a\tt1\n+++ b\tt2\n@@ -1 +1 @@\n-a\n+b\n",
  "--- a\n+++ b\n@@ -0,0 +1,1 @@\n+x\n--- c\n+++ d\n@@ -1,1 +0,0 @@\n-y\n",
  "diff --git a/x y b/x y\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/x y\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
  "diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n", "--- \"a\\tb\\303\\251\"\n+++ b\n@@ -1 +1 @@\n-a\n+b\n",
  "--- a\n+++ b\n@@ -1,3 +1,3 @@\n x\n\n-old\n+new\n", "", "--- a\n@@ -1 +1 @@\n-a\n+b\n", "--- a\n+++ b\n@@ -1,5 +1 @@\n-a\n+b\n",
  "@@ -1,1 +1,1 @@\n-a\n+b\n", "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n c\n",
];
const applies = [
  ["one\ntwo\n", patchInputs[0]], ["x\n\nold\n", patchInputs[6]], ["one\r\ntwo\r\n", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"],
  ["a\nb\nc\nd\n", "@@ -1,2 +1,2 @@\n c\n-d\n+e\n"], ["a\nx\nc\nd\n", "@@ -1,4 +1,4 @@\n a\n b\n-c\n+C\n d\n"],
  ["a\nx\nc\nd\n", "@@ -1,4 +1,4 @@\n a\n b\n c\n-d\n+D\n", { fuzzFactor: 1 }], ["a\nc\nd\n", "@@ -1,4 +1,4 @@\n a\n b\n c\n-d\n+D\n", { fuzzFactor: 1 }],
  ["a\nb\nz\nc\nd\n", "@@ -1,4 +1,4 @@\n a\n b\n c\n-d\n+D\n", { fuzzFactor: 1 }],
  ["a", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"], ["a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"],
  ["one\ntwo\n", "@@ -1,2 +1,2 @@\r\n one\r\n-two\r\n+2\r\n"], ["", "@@ -0,0 +1 @@\n+a\n"],
];

// --- zip

const text = (value) => fflate.strToU8(value);
const bigText = text("the quick brown fox jumps over the lazy dog\n".repeat(40));
const noise = Uint8Array.from({ length: 300 }, (_, i) => (i * i * 31 + i * 7) & 255);
const fileSets = [
  {}, { "a.txt": text("hello") }, { "a.txt": new Uint8Array(0) }, { "d/": new Uint8Array(0), "d/b.txt": text("b") },
  { "ü/日本.txt": text("grüß"), "🚀": text("x") }, { big: bigText }, { noise }, { big: bigText, noise, small: text("s") },
  { "../up": text("1"), "/abs": text("2"), "C:\\x": text("3"), "a\\b": text("4") }, { "2": text("b"), "1": text("a"), c: text("c") },
  { constructor: text("1"), toString: text("2") }, { " space ": text("s"), "a/./b//c": text("d") },
  { "x.bin": new Uint8Array(5000) }, Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, text(String(i))])),
];
const mtime = "2024-03-01T12:00:00";
const archives = [
  ...fileSets.map((files) => fflate.zipSync(files, { level: 6, mtime })),
  ...fileSets.slice(5, 8).flatMap((files) => [0, 1, 9].map((level) => fflate.zipSync(files, { level, mtime }))),
  fflate.zipSync({ a: [text("with comment"), { comment: "c", mtime, attrs: 0 }] }),
];
const simple = fflate.zipSync({ a: text("aaaa"), b: text("bbbb") }, { level: 0, mtime });
const changed = (at, ...bytes) => {
  const copy = simple.slice();
  copy.set(bytes, at < 0 ? copy.length + at : at);
  return copy;
};
const directory = simple.length - 22 - 2 * 47;
const odd = [
  new Uint8Array(0), new Uint8Array(100), text("no archive at all, but long enough to look at"), simple.slice(0, -10),
  simple.slice(0, 40), new Uint8Array([...text("#!/bin/sh\n"), ...simple]), changed(directory + 16, 1, 2, 3, 4),
  changed(directory + 24, 2), changed(directory + 24, 9), changed(directory + 8, 1), changed(directory + 10, 12),
  new Uint8Array([...simple.slice(0, -2), 3, 0, 1, 2, 3]),
];
const streams = [text(""), text("hello"), bigText, noise, new Uint8Array(5000)];

const folder = process.argv[2];
// a case a line
const shown = (value) => (Array.isArray(value) ? `[\n${value.map((each) => JSON.stringify(each)).join(",\n")}\n]` : JSON.stringify(value));
const write = (name, content) => {
  const parts = Object.entries(content).map(([key, value]) => `${JSON.stringify(key)}: ${shown(value)}`);
  writeFileSync(join(folder, name), `{\n${parts.join(",\n")}\n}\n`);
};
write("xml.json", {
  recordedBy: "scripts/record_xml_diff_zip.mjs", library: "fast-xml-parser", version: version("fast-xml-parser"),
  parse: xmlCases.map(([xml, options]) => [xml, options, attempt(() => xmlParse(xml, options))]),
});
write("diff.json", {
  recordedBy: "scripts/record_xml_diff_zip.mjs", library: "diff", version: version("diff"),
  unified: [3, 0, 1].flatMap((context) => pairs.map(([a, b]) =>
    [[a, b], { context }, attempt(() => jsdiff.createTwoFilesPatch("a", "b", a, b, undefined, undefined, { context }))])),
  names: [["same", "same"], ["with space", "tab\there"], ["é", "line\nbreak"], ['q"', "back\\slash"], ["", "/dev/null"]].map(
    ([a, b]) => [[a, b], {}, attempt(() => jsdiff.createTwoFilesPatch(a, b, "x\n", "y\n", undefined, undefined, { context: 3 }))]),
  diffLines: pairs.map(([a, b]) => [[a, b], {}, attempt(() => pieces(jsdiff.diffLines(a, b)))]).concat(
    [[["A\n  b\n", "a\nb\n"], { ignoreWhitespace: true, ignoreCase: true }]].map(([[a, b], options]) =>
      [[a, b], options, attempt(() => pieces(jsdiff.diffLines(a, b, options)))])),
  diffWords: words.map(([a, b]) => [[a, b], {}, attempt(() => pieces(jsdiff.diffWords(a, b)))]).concat(
    [[["Aa Bb", "aa cc"], { ignoreCase: true }]].map(([[a, b], options]) =>
      [[a, b], options, attempt(() => pieces(jsdiff.diffWords(a, b, options)))])),
  diffChars: chars.map(([a, b]) => [[a, b], {}, attempt(() => pieces(jsdiff.diffChars(a, b)))]),
  parsePatch: patchInputs.map((patch) => [[patch], {}, attempt(() => jsdiff.parsePatch(patch))]),
  applyPatch: applies.map(([source, patch, options = {}]) => [[source, patch], options, attempt(() => jsdiff.applyPatch(source, patch, options))]),
});
write("zip.json", {
  recordedBy: "scripts/record_xml_diff_zip.mjs", library: "fflate", version: version("fflate"),
  unzip: [...archives, ...odd].map((bytes) => [tagged(bytes), {}, attempt(() => fflate.unzipSync(bytes))]),
  gunzip: streams.map((bytes) => [tagged(fflate.gzipSync(bytes, { mtime: 0 })), {}, tagged(bytes)]),
  inflate: streams.map((bytes) => [tagged(fflate.zlibSync(bytes)), {}, tagged(bytes)]).concat(
    streams.map((bytes) => [tagged(fflate.deflateSync(bytes)), { raw: true }, tagged(bytes)])),
});
