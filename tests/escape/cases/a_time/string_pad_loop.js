// ends: timeout
// limits: timeout_ms=200
for (;;) "a".padStart(5e6, "bcd");
