// ends: value [true,true,2,"10px sans-serif","undefined"]
// powers: canvas
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
const s = createCanvas(20, 20), c = s.getContext('2d');
const g = c.createLinearGradient(0, 0, 20, 0);
g.addColorStop(0, 'red');
c.fillStyle = g;
c.fillRect(0, 0, 10, 10);
c.save().translate(1, 1).beginPath().moveTo(0, 0).lineTo(5, 5).stroke().restore();
c.setLineDash([1, 2]);
c.font = '10px sans-serif';
c.fillText('hi', 1, 9);
const m = c.measureText('hi');
c.fill(new Path2D('M0 0L5 5Z'));
c.roundRect(1, 1, 5, 5, [1, 2]);
c.filter = 'blur(1px)';
const b = await s.toBytes();
const d = await c.getImageData(0, 0, 2, 2);
return [b.length > 50, m.width > 3, d.width, c.font, typeof stolen];
