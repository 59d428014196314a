// ends: repr JSMap(entries=(({'a': 1}, 1),))
// limits: timeout_ms=20000
const m = new Map();
const grow = () => m.set({ get a() { grow(); return 1; } }, 1);
grow();
return m;
