// ends: value | timeout | error InternalError /out of memory/
// limits: timeout_ms=250
return new Uint8Array(4e6).join().length;
