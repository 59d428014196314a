// ends: value [1000000,true]
// powers: fetch
// limits: timeout_ms=20000
// rss: 64
const r = await fetch("http://a.test/bomb?2"); return [(await r.bytes()).length, r.truncated];
