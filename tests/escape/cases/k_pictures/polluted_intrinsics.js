// ends: value [4,"png",8,true,"undefined"]
// powers: image
// limits: timeout_ms=20000
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
const a = await image.blank(4, 4, { color: '#f00' });
const b = await image.resize(a, { width: 2 });
const c = await image.composite(a, [{ image: b, x: 1 }]);
const g = await image.grid([a, b]);
const i = await image.info(c);
return [i.width, i.format, g.width, c.byteLength > 10, typeof stolen];
