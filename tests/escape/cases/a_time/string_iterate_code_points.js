// ends: timeout
// limits: timeout_ms=250
for (;;) [...("\u{1f600}".repeat(1e5))].length;
