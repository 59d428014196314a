// ends: value ["undefined", "undefined", "undefined", "undefined"]
// limits: timeout_ms=20000
return [typeof eval, typeof globalThis.eval, typeof Function, typeof globalThis.Function];
