// ends: timeout
// powers: fetch
// limits: timeout_ms=500 max_host_calls=10000000
for (;;) try { await fetch(1) } catch {}
