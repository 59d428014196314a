// ends: error Error /^self/
// limits: timeout_ms=20000
throw (() => { const e = new Error('self'); e.cause = e; return e; })();
