// ends: cancelled
// powers: fetch
// limits: timeout_ms=30000
// cancel: 100
await fetch("http://a.test/stall?HTTP/1.1%20200%20OK|X:%20y");
