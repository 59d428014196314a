// ends: value "error,info,log,warn"
// limits: timeout_ms=20000
return Object.keys(console).sort().join();
