// ends: repr JSMap(entries=(('[Circular]', '[Circular]'),))
// limits: timeout_ms=20000
const m = new Map();
m.set(m, m);
return m;
