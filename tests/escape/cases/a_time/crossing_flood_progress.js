// ends: timeout
// limits: timeout_ms=200
for (;;) progress(1);
