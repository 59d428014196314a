// ends: value ["hey","AB","a=1","2",4,"bc",200,"AbortError","undefined"]
// powers: fetch
// limits: timeout_ms=20000
const bytes = new Uint8Array([65, 66]), Params = URLSearchParams;
const slice = String.prototype.slice, apply = Reflect.apply;
const cut = (whole, from) => apply(slice, whole, [from]);
const define = Object.defineProperty;
for (const type of [Array, String, Number, Map, Set, RegExp, Promise, Uint8Array, Uint8ClampedArray, Float64Array, Object.getPrototypeOf(Uint8Array), ArrayBuffer, (() => 1).constructor, Symbol])
  for (const name of Object.getOwnPropertyNames(type.prototype))
    if (name !== 'constructor' && name !== 'join' && name !== 'size' && name !== 'length')
      try { define(type.prototype, name, { __proto__: null, value() { throw 'evil'; } }); } catch { /* not configurable */ }
Array.prototype[Symbol.iterator] = function* () { yield 'evil'; };
String.prototype[Symbol.iterator] = function* () { yield 'evil'; };
Object.getPrototypeOf(Object.getPrototypeOf(function* () {}.prototype)).next = () => ({ done: false, value: 'evil' });
const keys = ['0', '1', '2', 'next', 'length', 'name', 'signal', 'reason', 'done', 'enumerable', 'writable', 'get', 'value', 'uri', 'method', 'headers', 'body', 'width', 'height', 'format', 'status', 'filename', 'type', 'kind'];
for (let i = 0; i < keys.length; i++) define(Object.prototype, keys[i], { __proto__: null, configurable: true, set(v) { globalThis.stolen = v; } });
JSON.stringify = () => '!'; JSON.parse = () => 'evil';
Object.keys = () => ['k']; Object.getOwnPropertyNames = () => []; Object.defineProperty = () => { throw 'evil'; };
Reflect.apply = () => 'evil'; Array.isArray = () => true; Array.from = () => 'evil'; ArrayBuffer.isView = () => false;
Math.floor = Math.round = Math.max = Math.min = () => 7;
const names = ['encodeURIComponent', 'isFinite', 'parseFloat', 'Uint8Array', 'Uint8ClampedArray', 'Float64Array', 'DataView', 'String', 'Number', 'TypeError', 'RangeError', 'Error', 'Promise', 'Object', 'Math', 'Array', 'Map', 'WeakMap', 'Symbol', 'URL', 'URLSearchParams', 'Blob'];
for (let i = 0; i < names.length; i++) if (names[i] !== 'Blob') globalThis[names[i]] = () => 'evil';
const end = async (given, length) => { const r = await fetch('http://a.test/echo', { method: 'POST', body: given }); return cut(r.body, -length); };
const form = new FormData();
form.append('a', '1');
form.append('b', new Blob(['xy'], { type: 'text/plain' }), 'n.txt');
form.set('a', '2');
const sent = await fetch('http://a.test/echo', { method: 'POST', body: form });
const blob = new Blob(['ab', 'cd']);
const control = new AbortController();
const waits = fetch('http://stall.test/', { signal: control.signal });
control.abort();
let aborted;
try { await waits; } catch (e) { aborted = e.name; }
return [
  await end('hey', 3), await end(bytes, 2), await end(new Params('a=1'), 3), form.get('a'), blob.size,
  await blob.slice(1, 3).text(), sent.status, aborted, typeof stolen,
];
