// Records what Node answers where the sandbox promises the same, for tests/web.
//
//   mkdir scratch && cd scratch
//   pip download --no-deps --no-binary whatwg-url whatwg-url==2018.8.26 && tar xzf whatwg-url-*.tar.gz
//   LC_ALL=en_US.UTF-8 TZ=UTC node <repository>/scripts/record_web.mjs <repository>/tests/web/recorded whatwg-url-2018.8.26/tests/testdata.json
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

// --- Intl, toLocaleString, localeCompare

const locales = ["en-US", "en-GB", "de", "fr", "es", "it", "pt-BR", "nl", "sv", "pl", "ru", "tr", "ja", "zh-CN", "zh-TW", "ko", "hi-IN", "ar-EG", "he", "id"];
const some = ["en-US", "de", "fr", "ja", "hi-IN", "sv", "ru", "ar-EG"];
const number = (locale, value, options) => `new Intl.NumberFormat(${JSON.stringify(locale)}, ${options ?? "undefined"}).format(${value})`;
const when = "1767323045678"; // 2026-01-02T03:04:05.678Z, a Friday
const evening = "1785873906000"; // 2026-08-04T20:05:06Z
const date = (locale, options, ms = when) => `new Intl.DateTimeFormat(${JSON.stringify(locale)}, ${options}).format(${ms})`;
const intl = [
  ...locales.flatMap((l) => [
    number(l, 1234567.891), number(l, -1234.5), number(l, 1234), number(l, 0.256, '{ style: "percent", maximumFractionDigits: 1 }'),
    number(l, -1234.5, '{ style: "currency", currency: "EUR" }'), number(l, 1999, '{ style: "currency", currency: "JPY" }'), number(l, 12345678, '{ notation: "compact" }'),
    number(l, 12.5, '{ style: "unit", unit: "kilometer" }'),
    date(l, "{}"), date(l, '{ dateStyle: "full", timeStyle: "short" }'), date(l, '{ dateStyle: "medium", timeStyle: "medium" }', evening), date(l, '{ dateStyle: "long" }'), date(l, '{ dateStyle: "short", timeStyle: "short" }', evening),
    date(l, '{ year: "numeric", month: "short", day: "numeric" }'), date(l, '{ weekday: "long", month: "long", day: "numeric" }'), date(l, '{ hour: "2-digit", minute: "2-digit" }', evening),
    `new Date(${evening}).toLocaleString(${JSON.stringify(l)})`,
    `new Intl.ListFormat(${JSON.stringify(l)}).format(["a", "b", "c"])`, `new Intl.ListFormat(${JSON.stringify(l)}, { type: "disjunction" }).format(["a", "b"])`,
    `new Intl.RelativeTimeFormat(${JSON.stringify(l)}).format(-3, "day")`, `new Intl.RelativeTimeFormat(${JSON.stringify(l)}).format(1, "hours")`,
    `[0, 1, 2, 5, 11, 21, 100].map((n) => new Intl.PluralRules(${JSON.stringify(l)}).select(n))`,
  ]),
  ...some.flatMap((l) => [
    number(l, 1234.5, '{ style: "currency", currency: "USD", currencyDisplay: "name" }'), number(l, 1234.5, '{ style: "currency", currency: "CHF", currencyDisplay: "code" }'), number(l, -5, '{ style: "currency", currency: "USD", currencySign: "accounting" }'),
    number(l, 1234.5, '{ style: "currency", currency: "CAD", currencyDisplay: "narrowSymbol" }'), number(l, 1e9, '{ notation: "compact", compactDisplay: "long" }'), number(l, 123456, '{ notation: "scientific" }'), number(l, 0.00012, '{ notation: "engineering" }'),
    number(l, 5, '{ signDisplay: "always" }'), number(l, 3, '{ style: "unit", unit: "day", unitDisplay: "long" }'), number(l, 80, '{ style: "unit", unit: "kilometer-per-hour" }'), number(l, 2, '{ style: "unit", unit: "megabyte", unitDisplay: "narrow" }'),
    number(l, 12345.678, '{ maximumSignificantDigits: 3 }'), number(l, 5, "{ minimumFractionDigits: 2, minimumIntegerDigits: 3 }"), number(l, 12345.6, "{ useGrouping: false }"),
    date(l, '{ hour: "numeric", hour12: true }', evening), date(l, '{ hour: "numeric", minute: "numeric", hour12: false }', evening), date(l, '{ year: "2-digit", month: "2-digit", day: "2-digit" }'), date(l, '{ era: "short", year: "numeric" }'), date(l, '{ month: "long" }'),
    date(l, '{ weekday: "short" }'), date(l, '{ timeZone: "America/New_York", dateStyle: "medium", timeStyle: "long" }'), date(l, '{ timeZone: "Asia/Kolkata", hour: "numeric", minute: "numeric", timeZoneName: "short" }'), date(l, '{ minute: "numeric", second: "numeric", fractionalSecondDigits: 3 }'),
    date(l, '{ year: "numeric", month: "long" }'), date(l, '{ month: "numeric", day: "numeric" }'), date(l, '{ weekday: "short", year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "numeric" }'),
    `new Intl.ListFormat(${JSON.stringify(l)}, { type: "unit", style: "narrow" }).format(["a", "b", "c", "d"])`, `new Intl.RelativeTimeFormat(${JSON.stringify(l)}, { style: "short" }).format(2, "month")`, `new Intl.RelativeTimeFormat(${JSON.stringify(l)}, { style: "narrow" }).format(-1, "year")`,
    `[1, 2, 3, 4, 11, 22].map((n) => new Intl.PluralRules(${JSON.stringify(l)}, { type: "ordinal" }).select(n))`,
    `new Date(${when}).toLocaleDateString(${JSON.stringify(l)}, { timeZone: "UTC" })`, `new Date(${when}).toLocaleTimeString(${JSON.stringify(l)})`, `new Intl.DateTimeFormat(${JSON.stringify(l)}, { dateStyle: "full", timeStyle: "medium" }).formatToParts(${when}).map((p) => p.type)`,
    `new Intl.NumberFormat(${JSON.stringify(l)}, { style: "currency", currency: "EUR" }).formatToParts(-1234567.5)`,
  ]),
  ...["NaN", "Infinity", "-Infinity", "0", "-0", "-0.4", "123456789012345678901234567890n", '"12345678901234567890.125"', '"x"', '""', "null", "undefined", "true", "1e21", "1e-7", "123456789.987654321", "999999", "0.5", "1.005", "2.5", "[5]", "new Date(7)"].map((value) => number("en-US", value)),
  ...["999", "1000", "1499", "99999", "999999", "1e6", "1.5e15", "1e18", "-1200", "0.012", "12.34", "0"].map((value) => number("en-US", value, '{ notation: "compact" }')),
  ...["999", "12345", "0.0123", "0", "-5e10", "9.9999"].flatMap((value) => [number("en-US", value, '{ notation: "scientific" }'), number("en-US", value, '{ notation: "engineering" }')]),
  ...["ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven"].map((mode) => `[2.5, -2.5, 1.25, -1.25].map((n) => new Intl.NumberFormat("en-US", { maximumFractionDigits: n % 1 === 0.5 || n % 1 === -0.5 ? 0 : 1, roundingMode: "${mode}" }).format(n))`),
  ...["auto", "never", "always", "exceptZero", "negative"].map((sign) => `[5, -5, 0, -0, NaN, -0.001].map((n) => new Intl.NumberFormat("en-US", { signDisplay: "${sign}", maximumFractionDigits: 1 }).format(n))`),
  ...['{ style: "x" }', '{ style: "currency" }', '{ style: "unit" }', '{ currency: "E" }', '{ unit: "parsec", style: "unit" }', "{ minimumFractionDigits: 101 }", "{ maximumFractionDigits: -1 }", "{ minimumFractionDigits: 5, maximumFractionDigits: 2 }", "{ maximumSignificantDigits: 0 }",
    "{ minimumIntegerDigits: 22 }", "{ maximumFractionDigits: NaN }", '{ notation: "x" }', '{ signDisplay: "x" }', '{ useGrouping: "x" }', "null", "7"].map((options) => number("en-US", 1, options)),
  ...['"x"', '"de-"', '"en_US"', '""', "7", "null", '["de", "fr"]', '["xx", "de"]', "[7]", '[undefined]', '"de-DE-u-nu-arab"', '"DE-de"', '"i-klingon"', '"zh-Hant"', '"en-US-x-private"', "{}", "[]"].map((locale) => `new Intl.NumberFormat(${locale}).format(1234.5)`),
  ...['"x"', '"UTC"', '"utc"', '"Europe/berlin"', '"+05:30"', '"../../etc/hostname"', '"America/New_York"', '""', "7"].map((zone) => `new Intl.DateTimeFormat("en-US", { timeZone: ${zone}, timeStyle: "short" }).format(${when})`),
  ...["NaN", "Infinity", "8.64e15", "-8.64e15", "8.64e15 + 1", "0", "-1", "-62135596800001", "253402300800000", '"x"', "null", "new Date(0)"].map((ms) => date("en-US", '{ dateStyle: "long" }', ms)),
  ...["{ dateStyle: 'x' }", "{ dateStyle: 'short', hour: 'numeric' }", "{ hour: 'x' }", "{ fractionalSecondDigits: 4 }", "{ hourCycle: 'h25' }", "{ timeZoneName: 'x' }"].map((options) => date("en-US", options)),
  ...["h11", "h12", "h23", "h24"].flatMap((cycle) => [`new Intl.DateTimeFormat("en-US", { hour: "numeric", hourCycle: "${cycle}" }).format(0)`, `new Intl.DateTimeFormat("de", { hour: "numeric", minute: "numeric", hourCycle: "${cycle}" }).format(43200000)`]),
  "(1234).toLocaleString()", "(-1234567).toLocaleString()", "(999).toLocaleString()", "(-0).toLocaleString()", "(0).toLocaleString()", "(1234.5678).toLocaleString()", "(2 ** 53).toLocaleString()", "(12n ** 20n).toLocaleString()", "(1.5).toLocaleString('de', { minimumFractionDigits: 2 })", "NaN.toLocaleString()",
  "new Date(NaN).toLocaleString()", "new Date(0).toLocaleString()", "new Date(0).toLocaleDateString()", "new Date(0).toLocaleTimeString()", "new Date(0).toLocaleDateString('en-US', { hour: 'numeric' })", "new Date(0).toLocaleTimeString('en-US', { day: 'numeric' })", "new Date(0).toLocaleString('en-US', { month: 'short' })", "new Date(0).toLocaleDateString('de', { weekday: 'long' })",
  "Number.prototype.toLocaleString.call('5')", "Date.prototype.toLocaleString.call({})", "new Intl.PluralRules('en').select(1.5)", "new Intl.PluralRules('en', { minimumFractionDigits: 1 }).select(1)", "Intl.PluralRules('en')", "Intl.NumberFormat('de').format(1.5)", "Intl.ListFormat('en')", "new Intl.ListFormat('en').format([1])", "new Intl.ListFormat('en').format()", "new Intl.ListFormat('en').format([])", "new Intl.ListFormat('en').format('ab')",
  "new Intl.RelativeTimeFormat('en').format(1, 'fortnight')", "new Intl.RelativeTimeFormat('en').format(-0, 'day')", "new Intl.RelativeTimeFormat('en').format(Infinity, 'day')", "new Intl.RelativeTimeFormat('en').format(1.5, 'quarters')", "new Intl.RelativeTimeFormat('en').formatToParts(-12, 'days')", "new Intl.ListFormat('en').formatToParts(['a', 'b', 'c'])",
  "new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }).formatToParts(0)", "Intl.getCanonicalLocales(['EN-us', 'de', 'EN-us', 'zh-hant-tw'])", "Intl.getCanonicalLocales('x')", "Intl.NumberFormat.supportedLocalesOf(['de', 'xx', 'en-GB'])", "Object.prototype.toString.call(Intl)", "Object.prototype.toString.call(new Intl.NumberFormat('en'))", "Intl.NumberFormat.prototype.resolvedOptions.call({})",
  "new (class extends Intl.NumberFormat { twice(n) { return this.format(n) + this.format(n) } })('de').twice(1.5)", "[1.5, 2].map(new Intl.NumberFormat('de').format)", "((f) => f.format === f.format)(new Intl.NumberFormat('en'))", "Intl.NumberFormat.name + Intl.NumberFormat.length", "new Intl.NumberFormat('de').resolvedOptions()", "new Intl.NumberFormat('en-US', { style: 'currency', currency: 'jpy' }).resolvedOptions()", "new Intl.NumberFormat('en-US', { notation: 'compact' }).resolvedOptions()", "new Intl.DateTimeFormat('en-US').resolvedOptions()",
  "new Intl.DateTimeFormat('de', { hour: 'numeric', timeZone: 'Europe/Paris' }).resolvedOptions()", "new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'long' }).resolvedOptions()", "new Intl.PluralRules('ru').resolvedOptions()", "new Intl.ListFormat('fr', { style: 'short' }).resolvedOptions()", "new Intl.RelativeTimeFormat('ja').resolvedOptions()", "new Intl.Collator('en', { numeric: true }).resolvedOptions()",
  ...[["a", "B"], ["a", "A"], ["A", "a"], ["b", "a"], ["a", "á"], ["á", "b"], ["z", "ä"], ["a b", "ab"], ["a-b", "ab"], ["a1", "a10"], ["a2", "a10"], ["", "a"], ["é", "e\u0301"], ["co-op", "coop"], ["ß", "ss"], ["æ", "af"], ["1", "a"], ["$", "1"], ["_", "a"], ["résumé", "resume"], ["Résumé", "resume"], ["и", "a"], ["α", "б"], ["日", "a"], ["a", "aa"], ["Aa", "aA"], ["x", "X"]].flatMap(([a, b]) => [`"${a}".localeCompare("${b}")`, `"${a}".localeCompare("${b}", "en", { sensitivity: "base" })`, `"${a}".localeCompare("${b}", "en", { numeric: true })`]),
  "['b', 'a', 'C', 'A', 'é', 'z', 'e', '10', '9', '_', ' x'].sort(new Intl.Collator('en').compare)", "['a10', 'a9', 'a01', 'b1'].sort(new Intl.Collator('en', { numeric: true }).compare)", "['a', 'A', 'b'].sort(new Intl.Collator('en', { caseFirst: 'upper' }).compare)", "new Intl.Collator('en', { sensitivity: 'accent' }).compare('a', 'A')", "new Intl.Collator('en', { sensitivity: 'case' }).compare('a', 'á')", "new Intl.Collator('en', { ignorePunctuation: true }).compare('co-op', 'coop')", "new Intl.Collator('en', { sensitivity: 'x' })",
];
write("intl.json", ["an expression", "its value, or the name of its error"], intl.map((code) => [code, crossing(evaluated(code))]));
