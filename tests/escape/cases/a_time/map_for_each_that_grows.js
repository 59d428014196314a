// ends: timeout
// limits: timeout_ms=200
const m = new Map([[0, 0]]);
m.forEach((v, k) => { m.delete(k); m.set(k + 1, v); });
return m.size;
