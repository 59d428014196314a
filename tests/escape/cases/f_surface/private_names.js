// ends: value ["undefined", "undefined", "undefined", "undefined", "undefined", 1, "__maxIter"]
// limits: timeout_ms=20000
return [typeof __hostCall, typeof __wasmCall, typeof __nodetoolHostDispatch, typeof __nodetoolWasmDispatch, typeof __capabilityCall, Object.getOwnPropertySymbols(globalThis).length, Object.getOwnPropertyNames(globalThis).filter((n) => /^__/.test(n)).join()];
