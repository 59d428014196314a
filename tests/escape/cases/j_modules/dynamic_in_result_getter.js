// ends: value {"a": "undefined"}
// limits: timeout_ms=20000
return { get a() { import('fs').then(() => { globalThis.loaded = 1; }, () => {}); return typeof loaded; } };
