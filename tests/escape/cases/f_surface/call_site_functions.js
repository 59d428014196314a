// ends: value 0
// limits: timeout_ms=20000
let leaked = 0;
Error.prepareStackTrace = (e, frames) => { for (const f of frames) { if (typeof f.getFunction?.() === 'function' || f.getThis?.() !== undefined) leaked++; } return ''; };
try { await parallelMap([1], () => { void new Error('x').stack; }); } catch { }
return leaked;
