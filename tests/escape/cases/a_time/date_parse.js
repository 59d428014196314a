// ends: timeout
// limits: timeout_ms=200
for (;;) Date.parse("2020-01-01T00:00:00." + "0".repeat(1e6));
