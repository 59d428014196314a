// ends: value 1
// limits: timeout_ms=20000
const m = new Map();
m.set({ get a() { m.set({}, 1); return 1; } }, 1);
return m.size;
