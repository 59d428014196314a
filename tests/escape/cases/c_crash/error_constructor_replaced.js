// ends: error TypeError /^cannot read property 'x' of null/
// limits: timeout_ms=20000
globalThis.Error = globalThis.TypeError = globalThis.RangeError = function () { while (1); };
null.x;
