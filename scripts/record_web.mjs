// Records what Node answers where the sandbox promises the same, for tests/web.
//
//   mkdir scratch && cd scratch
//   pip download --no-deps --no-binary whatwg-url whatwg-url==2018.8.26 && tar xzf whatwg-url-*.tar.gz
//   node <repository>/scripts/record_web.mjs <repository>/tests/web/recorded whatwg-url-2018.8.26/tests/testdata.json
//
// Inputs of url.json are the web platform's own test data, as that package ships it, and some of ours. The standard
// has moved since (an empty host in file URLs, numbers as hosts), so the answers are Node's and not the data's.
// Snippets are expressions, evaluated here and in the guest; an error is its name.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, platform] = process.argv.slice(2);
const PARTS = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
const write = (name, heading, rows) => {
  const text = rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n");
  const made = { node: process.version, ada: process.versions.ada, icu: process.versions.icu, cldr: process.versions.cldr };
  writeFileSync(
    join(folder, name),
    `{\n  "written by": "scripts/record_web.mjs",\n  "made with": ${JSON.stringify(made)},\n  "rows": ${JSON.stringify(heading)},\n` +
      `  "cases": [\n${text}\n  ]\n}\n`,
  );
};

// --- URL

const parts = (url, base) => {
  try {
    const parsed = base === null ? new URL(url) : new URL(url, base);
    return PARTS.map((part) => parsed[part]);
  } catch {
    return null;
  }
};
const own = [
  "https://user:pa%20ss@EXAMPLE.com:443/a/./b/../c?d=e f#g h", "http://[::ffff:1.2.3.4]/", "http://0x7f.1/", "http://2130706433/",
  "http://127.1", "http://\u0130.com", "http://xn--/", "http://a b/", "http://a%00b/", "http://a:65536/", "http://a:65535/",
  "http://a:/", "http://@/", "http://:@a/", "mailto:a@b?c", "data:text/plain,hi  ?x", "javascript:alert(1)", "blob:https://a/b",
  "blob:d", "file:///c|/x/../..", "http://ex\u00adample.com", "http://\uff21.com", "http://faß.de", "http://a\u200db.com",
  "ws://a:80", "wss://a:443/x", "ftp://a:21/", "x://h:80/p", "x:/../a", "x:///", "http:a", "http:/a", "http:\\a\\b", "http://a/\ud800",
  "http://a/?\udc00#\ud800", "http://a/\ud83d\ude00", " http://a ", "\thttp://a\n", "http://a/%zz%41", "http://a?%27'\"<>", "//a", "",
  "http://[1::2::3]", "http://[::1%25lo]", "http://1.2.3.4.5", "http://1.2.3", "http://256.0.0.1", "http://0300.0250.0.1",
];
const data = JSON.parse(readFileSync(platform, "utf8")).filter((each) => typeof each === "object");
const inputs = [
  ...data.map(({ input, base }) => [input, base]),
  ...own.flatMap((input) => [[input, null], [input, "http://b/c/d?e#f"], [input, "file:///x/y"]]),
];
write("url.json", ["input", "base", `the parts (${PARTS.join(", ")}) or null where it is no URL`],
  inputs.map(([input, base]) => [input, base, parts(input, base)]));

// --- setters

const starts = ["http://u:p@h:81/p/q?s#f", "file:///a", "mailto:x?y#z", "x://h/p", "x:/p", "https://h", "data:a b?q", "http://h/?#"];
const values = ["", "a", "a:b", "?q", "#h", "/x/../y", "80", "443", "8x", "65536", "é", " \t", "a/b?c#d", "@", "[::1]", "https", "file:", "1.2.3.4:5", "%41%", "\ud800", "a b'\""];
const settable = PARTS.filter((part) => part !== "origin");
write("setters.json", ["url", "part", "value", "the href after setting it, or an error's name"],
  starts.flatMap((start) => settable.flatMap((part) => values.map((value) => {
    const url = new URL(start);
    try {
      url[part] = value;
      return [start, part, value, url.href];
    } catch (error) {
      return [start, part, value, error.name];
    }
  }))));

// --- snippets

const evaluated = (code) => {
  try {
    return (0, eval)(`"use strict"; (${code})`);
  } catch (error) {
    return `${error.name}`;
  }
};
const params = (text) => `((p) => { ${text} })`;
const snippets = [
  ...["", "?a=1&b=2", "a", "=", "&&", "a=b=c", "a+b=c%20d", "%zz=%", "a=%C3%A9&b=%ff", "é=ü", "a=1&a=2&b", "??a=1", "a=%EF%BB%BFx", "%00=%0A"].flatMap((query) => [
    `[...new URLSearchParams(${JSON.stringify(query)})]`, `new URLSearchParams(${JSON.stringify(query)}).toString()`,
  ]),
  ...['{ a: 1, b: "x y", c: null }', '[["a", "b"], ["a", "c"]]', "new Map([[1, 2]])", "new URLSearchParams('q=1')", "undefined", "null", "7", "['ab', 'cd']",
    "[['a']]", "[['a', 'b', 'c']]", "[1]", "new Set(['xy'])", "function f() {}", "{ [Symbol.iterator]: null, a: 1 }", "{ [Symbol.iterator]: 1 }", "new String('ab=cd')"].map((init) => `new URLSearchParams(${init}).toString()`),
  ...["p.append('c', 3); return p + ''", "p.delete('a'); return p + ''", "p.delete('a', '2'); return p + ''", "return [p.get('a'), p.get('z')]", "return p.getAll('a')",
    "return [p.has('a'), p.has('a', '9'), p.has('a', 2), p.has('z')]", "p.set('a', 'é~!\\'()*'); return p + ''", "p.set('n', 1); return p + ''", "p.sort(); return p + ''",
    "const seen = []; p.forEach((v, k, o) => seen.push(k, v, o === p)); return seen", "return [...p.keys(), ...p.values()]", "return [...p.entries()]", "return p.size",
    "return p.append('a')", "return p.get()", "return p.forEach(1)", "p.append('\\ud800', '\\udc00x'); return p + ''", "return Object.prototype.toString.call(p)",
    "return Object.prototype.toString.call(p.keys())", "const i = p.keys(); i.next(); p.delete('a'); return [...i]", "return p[Symbol.iterator] === p.entries",
    "const seen = []; for (const [k] of p) { seen.push(k); if (seen.length < 5) p.append('m', 1) } return seen",
  ].map((text) => `${params(text)}(new URLSearchParams('b=1&a=2&a=3&é=4&b=0'))`),
  ...["u.searchParams.append('c', 'd e'); return u.href", "u.searchParams.delete('a'); return u.href", "u.search = '?z=1'; return [...u.searchParams]", "u.href = 'http://x/?k=v'; return u.searchParams.get('k')",
    "const s = u.searchParams; u.search = ''; s.set('n', 'm'); return [u.href, u.search]", "return u.searchParams === u.searchParams", "u.hash = ''; u.searchParams.set('a', 'é#?'); return u.href",
    "u.searchParams.sort(); return u.toJSON()", "u.pathname = '/p?q'; u.searchParams.set('x', 1); return u.href", "return JSON.stringify({ u })", "u.origin = 'x'; return u.origin",
    "u.searchParams = 'a=1'; return u.href", "return Object.prototype.toString.call(u)", "return u.href = 'no'", "u.host = 'q:9'; return [u.host, u.port, u.searchParams.size]",
  ].map((text) => `((u) => { ${text} })(new URL('http://h/p?a=1&b=2#f'))`),
  ...["data:a  ?q", "x:a b ?q=1#f", "mailto:a?"].map((url) => `((u) => { u.searchParams.delete('q'); return [u.href, u.pathname, u.search] })(new URL('${url}'))`),
  "URL.canParse('x')", "URL.canParse('x', 'http://a')", "URL.canParse()", "new URL()", "URL('http://a')", "new URL(Symbol())", "new URL({ toString: () => 'http://a' }).href", "new URL(new URL('http://a/b')).href",
  "new URL('c', new URL('http://a/b')).href", "new (class extends URL { get x() { return this.host } })('http://a').x", "URL.prototype.toString.call({})", "Object.getOwnPropertyDescriptor(URL.prototype, 'href').get.call({})",
  "new URLSearchParams(Symbol())", "URLSearchParams.prototype.get.call({}, 'a')", "URL.length", "URLSearchParams.length", "URLSearchParams.name",
  ...["", "a", "ab", "abc", "\\xff\\x00", "é", "€", "\\ud800", "undefined", "a".repeat(20000)].map((text) => `btoa("${text}")`), "btoa()", "btoa(null)", "btoa(12)", "btoa(undefined)",
  ...["", "YQ", "YQ=", "YQ==", "YQ===", "Y", "=", "==", "a=bc", " Y Q = = ", "YQ-_", "YWI=", "YWI", "YWJj", "YWJj=", "YWJjZ", "\\tYQ\\n", "YQ\\v", "YR==", "é", "AA==AA", "////"].map((text) => `atob("${text}")`), "atob()", "atob(null)", "atob(undefined)",
  "((c) => { c.abort(); return [c.signal.aborted, c.signal.reason.name] })(new AbortController())", "((c) => { c.abort('why'); c.abort('not'); return c.signal.reason })(new AbortController())",
  "AbortSignal.abort().reason.name", "AbortSignal.abort(7).reason", "AbortSignal.any([]).aborted", "AbortSignal.any([AbortSignal.abort(1), AbortSignal.abort(2)]).reason", "new AbortSignal()",
  "((c) => { const s = AbortSignal.any([c.signal]); c.abort(3); return [s.aborted, s.reason] })(new AbortController())", "AbortSignal.timeout(-1)", "AbortSignal.timeout('x')",
  "((c) => { const seen = []; const f = (e) => seen.push(e.type, e.target === c.signal); c.signal.addEventListener('abort', f); c.signal.addEventListener('abort', f); c.signal.onabort = f; c.abort(); c.abort(); return seen })(new AbortController())",
  "((c) => { const seen = []; const f = () => seen.push(1); c.signal.addEventListener('abort', f, { once: true }); c.signal.removeEventListener('abort', f); c.abort(); return seen })(new AbortController())",
  "((c) => { const seen = []; c.signal.addEventListener('abort', { handleEvent(e) { seen.push(e.type) } }); c.signal.addEventListener('x', () => seen.push(2)); c.abort(); return seen })(new AbortController())",
  "((c, d) => { const seen = []; c.signal.addEventListener('abort', () => seen.push(1), { signal: d.signal }); d.abort(); c.abort(); return seen })(new AbortController(), new AbortController())",
  "((c) => { try { c.abort(4); c.signal.throwIfAborted() } catch (e) { return e } })(new AbortController())", "new AbortController().signal.throwIfAborted()", "AbortController.prototype.abort.call({})",
  "Object.prototype.toString.call(new AbortController().signal)", "((c) => { const seen = []; const f = () => seen.push('f'); c.signal.addEventListener('abort', () => c.signal.removeEventListener('abort', f)); c.signal.addEventListener('abort', f); c.abort(); return seen })(new AbortController())",
];
const crossing = (value) => (value === undefined ? null : value);
write("snippets.json", ["an expression", "its value, or the name of its error"], snippets.map((code) => [code, crossing(evaluated(code))]));
