// ends: value "ReferenceError"
// limits: timeout_ms=20000
try { for (;;) Atomics.pause(1e9); } catch (e) { return e.name; }
