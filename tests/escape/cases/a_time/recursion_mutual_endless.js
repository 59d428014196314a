// ends: timeout
// limits: timeout_ms=200
const even = (n) => n === 0 || odd(n - 1), odd = (n) => n !== 0 && even(n - 1);
for (;;) { try { even(Infinity); } catch { } }
