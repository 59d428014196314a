// ends: value | timeout | error InternalError /out of memory/
// limits: timeout_ms=250
return "a".repeat(1000).replace(/a/g, "$`$'".repeat(50)).length;
