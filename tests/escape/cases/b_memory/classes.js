// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
const a = [];
for (;;) a.push(class { #x = 1; static y = 2; });
