// ends: value
// limits: timeout_ms=20000
const f = () => ({ get a() { return f(); } });
return f();
