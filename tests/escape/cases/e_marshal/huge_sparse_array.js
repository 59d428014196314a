// ends: value /\[truncated\]$/ | error RangeError
// limits: timeout_ms=20000
const a = [];
a[4294967294] = 1;
return a;
