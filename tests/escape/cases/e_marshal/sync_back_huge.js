// ends: value 1
// limits: timeout_ms=20000
// rss: 256
// globals: {"state": {"a": 1}}
state.big = "x".repeat(5e7);
return 1;
