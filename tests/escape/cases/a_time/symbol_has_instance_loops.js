// ends: timeout
// limits: timeout_ms=200
return 1 instanceof { [Symbol.hasInstance]: () => { for (;;); } };
