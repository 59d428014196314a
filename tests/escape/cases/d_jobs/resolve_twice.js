// ends: value 1
// limits: timeout_ms=20000
const { promise, resolve } = Promise.withResolvers();
resolve(1); resolve(2);
return promise;
