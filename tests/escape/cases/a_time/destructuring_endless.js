// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=250
const [...a] = { [Symbol.iterator]: () => ({ next: () => ({}) }) };
return a;
