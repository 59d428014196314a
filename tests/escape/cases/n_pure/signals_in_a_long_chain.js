// ends: value true | error RangeError | error InternalError
// limits: timeout_ms=20000
const control = new AbortController();
let last = control.signal;
for (let i = 0; i < 1e5; i++) last = AbortSignal.any([last]);
control.abort();
return true;
