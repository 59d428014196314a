// ends: repr ['object', 'string', UNDEFINED]
// limits: timeout_ms=20000
return [typeof sleep.call(console, 0), typeof toHex.call(undefined, new Uint8Array(1)), console.log.call(null, 'x')];
