// ends: value "ok"
// limits: timeout_ms=20000
for (const f of [sleep, progress, toBase64, fromBase64, toHex, fromHex, parallelMap, console.log, structuredClone, crypto.digest, crypto.hmac, crypto.getRandomValues, crypto.subtle.digest, atob, btoa, URL.canParse, URL.parse, AbortSignal.any, AbortSignal.timeout, TextEncoder.prototype.encode, TextDecoder.prototype.decode]) {
  for (const args of [[], Array(60000).fill(0), [undefined, null], [Symbol()], [1n], [new Proxy({}, { get() { throw 1; } })]]) {
    try { await f.apply(null, args); } catch (e) { if (!(e instanceof Error) && e !== 1) return 'bad ' + f.name; }
  }
}
return 'ok';
