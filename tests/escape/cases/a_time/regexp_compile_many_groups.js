// ends: timeout
// limits: timeout_ms=200
for (;;) new RegExp('(a)'.repeat(254));
