// ends: timeout
// limits: timeout_ms=200
Date.now = () => 0;
globalThis.Date = class { static now() { return 0; } };
Object.freeze(Date);
for (const k of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[k]; } catch { } }
while (1);
