// ends: timeout
// limits: timeout_ms=500 memory_limit_bytes=536870912
return new Uint8Array({ length: 450e6 }).length;
