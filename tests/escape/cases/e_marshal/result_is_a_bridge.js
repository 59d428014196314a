// ends: repr [{}, UNDEFINED, UNDEFINED, {}]
// limits: timeout_ms=20000
return [console, sleep, toBase64, globalThis.Math];
