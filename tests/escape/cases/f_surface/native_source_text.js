// ends: value ["function log() {\n    [native code]\n}", "hidden", true]
// limits: timeout_ms=20000
return [String(console.log), String(sleep).includes('native.call') || 'hidden', String(parallelMap).length > 0];
