// ends: value ["undefined", "undefined", "undefined", "undefined", "undefined", "undefined"]
// limits: timeout_ms=20000
return [typeof ShadowRealm, typeof Worker, typeof SharedWorker, typeof importScripts, typeof require, typeof WebAssembly];
