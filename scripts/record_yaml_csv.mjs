// Records what js-yaml and papaparse answer, for host_modules/tests/test_recorded.py.
//
//   mkdir scratch && cd scratch && npm install js-yaml@4 papaparse@5
//   node <repository>/scripts/record_yaml_csv.mjs <repository>/host_modules/tests/recorded
//
// Values that JSON lacks are tagged: {"$undefined":1}, {"$number":"-0"}, {"$date":iso}, {"$bytes":base64},
// {"$error":reason}; a plain object is {"$object":[[key, value], ...]}, in its own order.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "here.js"));
const yaml = require("js-yaml");
const papa = require("papaparse");
const version = (name) => JSON.parse(readFileSync(require.resolve(`${name}/package.json`), "utf8")).version;
console.warn = () => {};

const tagged = (value) => {
  if (value === undefined) return { $undefined: 1 };
  if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0)))
    return { $number: Object.is(value, -0) ? "-0" : String(value) };
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Date) return { $date: value.toISOString() };
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return value.map(tagged);
  return { $object: Object.keys(value).map((key) => [key, tagged(value[key])]) };
};
const attempt = (action) => {
  try {
    return tagged(action());
  } catch (error) {
    return { $error: error.reason ?? error.message };
  }
};
const schemas = { failsafe: yaml.FAILSAFE_SCHEMA, json: yaml.JSON_SCHEMA, core: yaml.CORE_SCHEMA };
const withSchema = (options) => (options.schema ? { ...options, schema: schemas[options.schema] } : options);

const long = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.";
const loads = [
  "", "# only a comment\n", "---\n", "...", "a: 1\n---\nb: 2\n---\n", "a: 1\n...\nb: 2\n",
  "[yes, 017, 1e3, 1_000]",
  "zip: 01730\nmixed: 0189\noct: 0o17\nhex: 0x1F\nbin: 0b101\nneg: -0x1f\nquoted: '01730'\n",
  "ports: [3306:22, 8080:80]\nat: 13:45\nno: no\non: on\ny: n\nop: =\nmerge: <<\nreal: TRUE\noff: False\n",
  "[.5, 5., -.5, .inf, -.INF, .NaN, 1e400, 12e03, -0, -00, 0.0, 123456789012345678901234567890, 9007199254740993]",
  "[~, null, Null, NULL, nULL, '', \"\"]",
  "- 2001-12-14\n- 2001-12-14t21:59:43.10-05:00\n- 2001-12-14 21:59:43.10 -5\n- 2001-1-1\n- 2001-02-30\n",
  "!!binary aGVsbG8=", "!!set {a, b}", "!!set {a: 1}", "!!omap [a: 1, b: 2]", "!!omap [a: 1, a: 2]",
  "!!pairs [a: 1, a: 2]", "!!str 1", "!!str", "!!int '3'", "!!int x", "!!float '1e3'", "!!map", "!!seq {}",
  "! 1", "!foo x", "!!python/object/apply:os.system ['true']", "!!js/function 'x'",
  "%TAG !e! tag:yaml.org,2002:\n---\n!e!int '5'", "%YAML 1.3\n---\na: 1", "%x",
  "host: a\nport: 1\nhost: b\n", "1: a\n1.0: b", "? [1, null, {a: b}]\n: x", "? [[1]]\n: x", "~: w\ntrue: x\n",
  "__proto__: 1\nconstructor: 2", "base: &b {x: 1, y: 2}\nchild:\n  <<: *b\n  y: 3\n",
  "c:\n  <<: [{a: 1, b: 1}, {a: 2, c: 2}]", "c: {<<: 1}", "'<<': {a: 1}", "a: &x 1\nb: &x 2\nc: *x", "a: *nope",
  "a: |\n  x\n  y\nb: >\n  x\n  y\n\n  z\nc: |-\n  x\n\nd: |+\n  x\n\ne: |2\n    x\nf: >-\n  a\n   b\n  c\n",
  "a: 'x\n  y\n\n  z'\nb: \"x\\\n  y\\n\\x41\\u00e9\\U0001F600\\/\\e\\_\\N\\L\\P\\0\\t\\\" \\\\\"\n",
  "\"\\ud83d\\ude00\"", "'\\ud83d'", "\"\\\\ud83d\"", "\"a\\qb\"", "a\u2028b", "a\u0085b: 1", "'a\u007fb'", "a\u007fb",
  "kind:\tService\nports: [80,\t443]\t# two\n", "a:\n\tb: 1\n", "-\ta\n-\tb\n", "a: 1\n\t\nb: 2\n",
  "\ufeff---\r\nscript: |\r\n  one\r\n  two\r\n---\r\n---\r\nkind: Job\r\n...\r\n",
  "[a, b: c, {d, e: }]", "[a,,b]", "{\"a\":1, 'b':2}", "[http://x.y, a:b, ::c, -d]", "a: [\n  1\n]\nb: {\n  c: d\n}",
  "a: b: c", "a: 'b", "a: @x", "a: 1\n b: 2", "- a\nb: c", "? |\n  x\n: y\n", "a:\n- 1\n- 2\nb:\n  - 3\n",
  "&a.b x: 1\nc: *a.b\n", "? 2024-03-05\n: key\n", "a: !", "!!null ''",
].map((text) => [text, {}]).concat([
  ["a: 1\na: 2", { json: true }], ["[1, 2024-01-01, ~, true, '']", { schema: "failsafe" }],
  ["- 2024-01-01\n- 0x1F\n- {<<: {a: 1}}\n", { schema: "core" }], ["[2024-01-01, True]", { schema: "json" }],
  ["[[[1]]]", { maxDepth: 3 }], ["a: {x: 1, y: 2}\nb: {<<: {p: 1, q: 2}}\n", { maxTotalMergeKeys: 2 }],
]);

const dumps = [
  null, undefined, true, 0, -0, 1.5, 1e21, 1e-7, NaN, -Infinity, "", "text", [], {}, [[]], [{}], [[1, [2]]],
  { b: [1, { c: 2 }], n: "yes", z: "1e3" }, { a: undefined, b: [undefined, null] },
  ["1e3", "0o17", "3e05", "0189", "0x1f", ".5", "1.", "yes", "on", "y", "null", "~", "true", "2024-01-02", "12:30"],
  ["1_000"], "...", new Uint8Array([]), ["=", "<<", " x", "x ", "a: b", "a #b", "#c", "- x", "@x", "%x", "a:", "C#", "tab\there", "a\u0085b"],
  ["\u2028", "🚀", "it's", "\\d", "'q'", "\"d\"", "[a]", "a, b", "-", "---", "!x", "*x", "&x", "`x", "\ud83d"],
  "a\nb", "a\nb\n", "a\n\nb\n\n", "\n a", "\n", "  lead\nmore", long, `${long}\n\n${long}\n`, `  ${long}\n${long}`,
  `🚀 ${long}`, "x".repeat(100), "a\r\nb", "\u0001\u007f\ufeff",
  { "a: b": 1, "n": 2, "": 3, "1": 4, "multi\nline": 5, ["k".repeat(1100)]: 6 },
  new Date(Date.UTC(2024, 0, 2, 3, 4, 5, 678)), new Uint8Array([1, 2, 250]), new Uint8Array(120).fill(7),
  [{ a: 1, b: [1, 2] }, [{ c: {} }]], { a: { b: { c: { d: "deep" } } } },
].map((value) => [value, {}]).concat([
  [{ a: [1, { b: 2 }] }, { indent: 4 }], [{ a: [1, { b: 2 }] }, { noArrayIndent: true }],
  [{ a: [1, { b: [2] }] }, { flowLevel: 1 }], [{ a: [1, "x, y"] }, { flowLevel: 0, condenseFlow: true }],
  [{ b: 1, a: { d: 1, c: 2 }, "é": 1, Z: 1 }, { sortKeys: true }], [[long], { lineWidth: -1 }],
  [[long], { lineWidth: 20 }], [["yes", "1:20", "0o7"], { noCompatMode: true }], [["it's", "a\nb"], { quotingType: '"' }],
  [{ k: "v", n: 1 }, { forceQuotes: true }], [[null, 255, true, NaN], { styles: { "!!null": "canonical" } }],
  [[null, 255, -255, true, NaN], { styles: { "!!int": "hexadecimal", "!!bool": "uppercase", "!!float": "camelcase" } }],
  [[8], { styles: { "!!int": "roman" } }], ["1", { schema: "failsafe" }], [1, { schema: "failsafe" }],
  [new Date(0), { schema: "core" }], ["2024-01-01", { schema: "core" }], [[new Date(0), 1], { schema: "core", skipInvalid: true }],
]);

const parses = [
  ["", {}], ["a,b\n", {}], ["a,a,a\n1,2,3\n", {}], ["a,a_1,a\n1,2,3\n", {}], ["a,b\n1,2,3,4\n", {}], ["a,b,c\n1,2\n", {}],
  ["name;desc\nx;\"a,b,c\"", {}], ["a\n\"\"\nx\n", {}], ["a,b\n \"x\",2\n", {}], ["\ufeff\"id\",\"city\"\r\n7,Oslo\r\n", {}],
  ["a;b;\"x,y,z,w\"\n", { header: false }], ["a;b;\"F\ni,e,l\nd,3\"\nq;r;s\n", { header: false }],
  ["name\nann\nbo\n", { header: false }], ["a|b|c\n1|2,5|3\n", { header: false }], ["a\tb\n1\t2\n", {}],
  ["a,b\r\n1,2\n3,4\r5,6\r\n", {}], ["a,b\r1,2\r", {}], ["a,b\n\n1,2\n\n\n3,4", {}], ["a,b\n   \n,\n", {}],
  ["size;text\n6\"2;tall\n5'8\";short\n", { delimiter: ";" }], ["a,b\n1,\"open\n2,x\n", {}], ["a,b\n\"x\"y,2\n", {}],
  ["a,b\n\"x\"  ,\"y\"\t,3\n", {}], ["a,b\n\"say \"\"hi\"\"\",2\n", {}], ["a,b\n1,\"\"\"\"\n", {}], ["a,,\n1,2,3\n", {}],
  ["a b\n1 2\n", { delimiter: " " }], ["a\"b\n1\"2\n", { delimiter: "\"" }], ["a,b\n1,2", { header: 0 }],
  ["a,b\n1,2", { header: null }], ["é,😀\n1,2\n", {}], ["a,b\n1,\u0000\n", {}], ["a\u001eb\n1\u001e2\n", {}],
  ["x,y;z\n1,2;3\n4,5;6\n", {}], ["__proto__,constructor,toString\n1,2,3\n", {}], ["2,1,a\nx,y,z\n", {}],
  ["a,b\n\"1\n2\",3\n", {}], ["a,b\n\"1\r\n2\",3\r\n", {}], ["  a , b \n 1 , 2 \n", {}], ["a,b\n1,2,\n", {}],
  ["\"a,b\",c\n1,2\n", {}], ["a,b\n1,2\n\"", {}],
];
const stringifies = [
  [[], {}], [[{}], {}], [[{ a: 1, b: null }, { b: 2, c: 3 }], {}], [[[" lead", "q\"q", "x,y", true, null]], {}],
  [[{ a: 1 }, { a: null, b: " lead", c: "x,y" }, { a: "q\"q", b: "r\rx", c: "n\nl" }], { columns: ["a", "b", "c"] }],
  [[[1, 2], [3]], { header: false }], [[{ a: 1 }], { header: false }], [[{ a: "x;y", b: "x,y" }], { delimiter: ";" }],
  [[{ a: 1, b: 2 }], { delimiter: "\t" }], [[["a\"b"]], { delimiter: "\"" }], [[[1e21, 1e-7, -0, NaN, Infinity, 0.1]], {}],
  [[[new Date(0), new Uint8Array([1, 2]), [1, [2, null]], { a: 1 }]], {}], [[["=1+1", "+1", "-1", "@x", "\t=1", -1]], {}],
  [[["=1+1", "+1", "-1", "@x", "\t=1", -1, "a"]], { escapeFormulae: true }], [[[""], ["a"]], {}], [[["trail ", "\ufeff"]], {}],
  [[["a", 1, null]], { quotes: true }], [[["a", "b"], ["c", "d"]], { newline: "\r\n" }], [[{ "a,b": 1 }], {}],
  [[{ a: undefined, b: false }], {}],
];

const papaConfig = (options) => ({ skipEmptyLines: true, header: "header" in options ? Boolean(options.header) : true,
  delimiter: options.delimiter ?? "" });
const record = (rows, answer) => rows.map(([input, options]) => [tagged(input), options, attempt(() => answer(input, options))]);

const folder = process.argv[2];
const write = (name, content) => writeFileSync(join(folder, name), JSON.stringify(content, null, 1) + "\n");
write("yaml.json", {
  recordedBy: "scripts/record_yaml_csv.mjs", library: "js-yaml", version: version("js-yaml"),
  load: record(loads, (text, options) => yaml.loadAll(text, withSchema(options))),
  dump: record(dumps, (value, options) => yaml.dump(value, withSchema(options))),
});
write("csv.json", {
  recordedBy: "scripts/record_yaml_csv.mjs", library: "papaparse", version: version("papaparse"),
  parse: record(parses, (text, options) => papa.parse(text, papaConfig(options)).data),
  stringify: record(stringifies, (rows, options) => papa.unparse(rows, { newline: "\n", ...options })),
});
