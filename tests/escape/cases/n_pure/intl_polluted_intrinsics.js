// ends: value {"n": "1.234,5", "d": "1. Januar 1970", "l": "a und b", "r": "vor 3 Tagen", "p": "few", "c": "A,b,C", "g": "1,234", "f": "$2.00", "t": "integer", "s": "undefined", "x": "RangeError", "o": "de"}
// limits: timeout_ms=20000
const keep = { __proto__: null, constructor: 1, join: 1, length: 1, toLocaleString: 1, localeCompare: 1, sort: 1 };
for (const type of [Array, String, Number, Map, Set, RegExp, Promise, Function_()])
  for (const name of Object.getOwnPropertyNames(type.prototype))
    if (!(name in keep))
      try { Object.defineProperty(type.prototype, name, { value() { throw 'evil'; } }); } catch { /* not configurable */ }
function Function_() { return Date; }
const keys = ['0', '1', '2', 'type', 'value', 'unit', 'locale', 'dateStyle', 'required', 'defaults', 'name', 'next', 'done', 'style', 'get', 'enumerable'];
const define = Object.defineProperty;
for (let i = 0; i < 16; i++) define(Object.prototype, keys[i], { __proto__: null, configurable: true, set(v) { globalThis.stolen = v; } });
Object.keys = Object.create = Reflect.apply = () => 'evil';
globalThis.String = globalThis.RangeError = globalThis.Number = function () { return 'evil'; };
let x;
try { new Intl.NumberFormat('no locale'); } catch (e) { x = e.constructor !== RangeError && e.name; }
const list = ['C', 'A', 'b'];
list.sort(new Intl.Collator().compare);
return {
  n: new Intl.NumberFormat('de').format(1234.5), d: new Intl.DateTimeFormat('de', { __proto__: null, dateStyle: 'long' }).format(0), l: new Intl.ListFormat('de').format({ __proto__: null, [Symbol.iterator]() { let i = 0; return { next: () => i < 2 ? { done: false, value: i++ ? 'b' : 'a' } : { done: true, value: 0 } }; } }),
  r: new Intl.RelativeTimeFormat('de').format(-3, 'days'), p: new Intl.PluralRules('ru').select(3), c: list.join(), g: (1234).toLocaleString(),
  f: await format.number(2, { __proto__: null, style: 'currency', currency: 'USD' }), t: new Intl.NumberFormat('en').formatToParts(1)[0].type, s: typeof stolen, x, o: new Intl.NumberFormat('de').resolvedOptions().locale,
};
