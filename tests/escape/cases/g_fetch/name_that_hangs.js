// ends: timeout
// powers: fetch
// limits: timeout_ms=300
await fetch("http://stall.test/");
