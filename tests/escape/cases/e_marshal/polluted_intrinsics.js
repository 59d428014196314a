// ends: value {"a": [1, 2], "c": "aGk=", "d": "d", "t": "t", "s": "undefined"}
// limits: timeout_ms=20000
Object.prototype.toJSON = () => 'hacked';
Object.defineProperty(Object.prototype, '0', { set(v) { globalThis.stolen = v; } });
Array.prototype[Symbol.iterator] = function* () { yield 'evil'; };
Map.prototype.get = () => 1;
Uint8Array.prototype.slice = () => null;
String.prototype.replace = () => 'x';
RegExp.prototype.exec = () => null;
JSON.stringify = () => '!';
Object.keys = () => ['k'];
return { a: [1, 2], c: toBase64('hi'), d: new URL("http://a/b?c=d").searchParams.get("c"), t: new TextDecoder().decode(new TextEncoder().encode('t')), s: typeof stolen };
