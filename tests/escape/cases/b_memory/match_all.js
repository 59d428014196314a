// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
return 'a'.repeat(2e7).match(/a/g).length;
