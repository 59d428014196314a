// ends: value ["function", "function", "function", "function", "function"]
// limits: timeout_ms=20000
return ['escape', 'unescape', 'Iterator', 'WeakRef', 'FinalizationRegistry'].map((n) => typeof globalThis[n]);
