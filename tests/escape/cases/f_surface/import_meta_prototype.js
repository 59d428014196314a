// ends: value [null, []]
// limits: timeout_ms=20000
const m = import.meta;
return [Object.getPrototypeOf(m), Reflect.ownKeys(m)];
