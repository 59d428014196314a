// ends: timeout
// limits: timeout_ms=200
outer: for (;;) { for (;;) continue outer; }
