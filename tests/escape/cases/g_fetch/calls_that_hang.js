// ends: timeout
// powers: fetch
// limits: timeout_ms=300
await Promise.all(Array.from({ length: 20 }, () => fetch("http://a.test/stall")));
