// ends: repr JSSet(members=('[Circular]',))
// limits: timeout_ms=20000
const s = new Set();
s.add(s);
return s;
