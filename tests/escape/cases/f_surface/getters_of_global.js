// ends: value []
// limits: timeout_ms=20000
const out = [];
for (const k of Reflect.ownKeys(globalThis)) { const d = Object.getOwnPropertyDescriptor(globalThis, k); if (d.get || d.set) out.push(String(k)); }
return out;
