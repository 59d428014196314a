// ends: value
// limits: timeout_ms=20000
let seen = 'not called';
Error.prepareStackTrace = (e, frames) => { seen = typeof frames + ' ' + String(frames?.map?.((f) => f.getThis?.() === undefined && f.getFileName?.())); return 1; };
try { null.x; } catch (e) { String(e.stack); }
return seen;
