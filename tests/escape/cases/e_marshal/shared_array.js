// ends: value [[1], [1]]
// limits: timeout_ms=20000
const b = [1];
return [b, b];
