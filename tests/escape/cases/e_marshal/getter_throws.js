// ends: error Error /^no/
// limits: timeout_ms=20000
return { get a() { throw new Error('no'); } };
