// ends: timeout
// limits: timeout_ms=200
const { a } = { get a() { for (;;); } };
return a;
