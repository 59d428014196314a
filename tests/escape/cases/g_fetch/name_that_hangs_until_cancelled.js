// ends: cancelled
// powers: fetch
// limits: timeout_ms=30000
// cancel: 100
await fetch("http://stall.test/");
