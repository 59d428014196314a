// ends: timeout
// limits: timeout_ms=200
const r = new FinalizationRegistry(() => {});
for (;;) { const o = {}; r.register(o, 1); new WeakRef(o); }
