// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=250
return String.raw({ raw: { length: 2 ** 53 - 1 } }).length;
