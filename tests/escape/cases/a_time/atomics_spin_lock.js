// ends: error ReferenceError /^Atomics is not defined/
// limits: timeout_ms=20000
const a = new Int32Array(new SharedArrayBuffer(4));
while (Atomics.load(a, 0) === 0);
