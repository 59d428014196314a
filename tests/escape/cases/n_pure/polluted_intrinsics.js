// ends: value {"d": "d", "n": 3, "href": "http://a/b?x=1&y=2&c=%C3%A9", "b": "YQ==", "a": "a", "h": 20, "u": 36, "g": 4, "s": "undefined", "r": "AbortError", "v": "1,2"}
// limits: timeout_ms=20000
Object.prototype.toJSON = () => 'hacked';
const byteLength = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "byteLength").get;
for (const type of [Array, String, Number, Map, Set, RegExp, Promise, Uint8Array, Object.getPrototypeOf(Uint8Array), ArrayBuffer])
  for (const name of Object.getOwnPropertyNames(type.prototype))
    if (name !== 'constructor' && name !== 'join' && name !== 'size' && name !== 'length')
      try { Object.defineProperty(type.prototype, name, { value() { throw 'evil'; } }); } catch { /* not configurable */ }
Array.prototype[Symbol.iterator] = function* () { yield 'evil'; };
Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: false, value: 'evil' });
const keys = ['0', '1', '2', 'next', 'length', 'name', 'signal', 'reason', 'done', 'enumerable', 'writable', 'get', 'value'];
const define = Object.defineProperty;
for (let i = 0; i < 13; i++) define(Object.prototype, keys[i], { __proto__: null, configurable: true, set(v) { globalThis.stolen = v; } });
JSON.stringify = () => '!';
Object.keys = () => ['k'];
Reflect.apply = () => 'evil';
const names = ['encodeURIComponent', 'isFinite', 'Uint8Array', 'String', 'TypeError', 'Promise', 'Object', 'Math'];
for (let i = 0; i < 8; i++) globalThis[names[i]] = () => 'evil';
const url = new URL('http://a/b?c=d');
const d = url.searchParams.get('c');
url.search = '?y=2&x=1';
url.searchParams.sort();
url.searchParams.append('c', 'é');
const control = new AbortController();
const slept = (async () => { try { await sleep(5000, { signal: control.signal }); } catch (e) { return e.name; } })();
control.abort();
const hash = await crypto.digest('SHA-1', 'x');
return {
  d, n: url.searchParams.size, href: url.href, b: btoa('a'), a: atob('YQ=='), h: byteLength.call(hash), u: crypto.randomUUID().length,
  g: byteLength.call(crypto.getRandomValues(4)), s: typeof stolen, r: await slept, v: new URLSearchParams('a=1&a=2').getAll('a').join(),
};
