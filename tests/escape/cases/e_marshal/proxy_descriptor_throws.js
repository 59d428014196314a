// ends: error Error /^no/
// limits: timeout_ms=20000
return new Proxy({ a: 1 }, { getOwnPropertyDescriptor() { throw new Error('no'); } });
