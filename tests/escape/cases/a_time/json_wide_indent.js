// ends: value true | error InternalError /out of memory/ | timeout
// limits: timeout_ms=250
const a = Array(3e5).fill([[[1]]]);
return JSON.stringify(a, null, ' '.repeat(10)).length > 0;
