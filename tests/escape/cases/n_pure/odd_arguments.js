// ends: value []
// limits: timeout_ms=20000
// Whatever comes as an argument, what is thrown is an Error of the guest, or the thrower's own 1.
const odd = [
  undefined, null, NaN, -1, 2 ** 53, 1e308, 7n, '', 'x', '\ud800', Symbol(), {}, [], [[]], () => 1, new Proxy({}, { get() { throw 1; }, ownKeys() { throw 1; }, has() { throw 1; } }),
  Object.create(null), { toString() { throw 1; } }, { [Symbol.toPrimitive]: () => ({}) }, { length: 2 ** 53 - 1 }, { length: -1 }, { get length() { throw 1; } },
  new Uint8Array(2), new DataView(new ArrayBuffer(1)), new ArrayBuffer(1).transfer(), new Date(NaN), new Map(), new URL('http://a'), new URLSearchParams('a'), AbortSignal.abort(),
  new Proxy(function () { }, {}), new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 })), new SharedArrayBuffer(4), { name: 'SHA-1' }, { signal: 1 }, { get signal() { throw 1; } },
];
const functions = [
  crypto.digest, crypto.hmac, crypto.getRandomValues, crypto.randomUUID, crypto.timingSafeEqual, crypto.subtle.digest, atob, btoa, URL.canParse, URL.parse,
  AbortSignal.abort, AbortSignal.any, AbortSignal.timeout, (...a) => new URL(...a), (...a) => new URLSearchParams(...a), (...a) => new URLSearchParams('a').append(...a),
  (...a) => new URLSearchParams('a').forEach(...a), (...a) => new AbortController().signal.addEventListener(...a), (a) => { new URL('http://a').host = a; }, (a) => { new URL('http://a').href = a; },
  (...a) => new AbortController().abort(...a), (a, b) => sleep(a > 0 ? 0 : a, b),
];
const bad = [];
for (const f of functions)
  for (const a of odd)
    for (const b of [odd[odd.length - 1 - odd.indexOf(a)], a, undefined])
      try {
        await f.call(undefined, a, b, a);
      } catch (e) {
        if (e === 1) continue;
        if (!(e instanceof Error)) bad.push([f.name, typeof e]);
        else if (/host|python|traceback|\.py|argument of type|NoneType/i.test(e.message)) bad.push([f.name, e.message]);
      }
return bad;
