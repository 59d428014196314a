// ends: error Error /did not answer in HTTP/
// powers: fetch
// limits: timeout_ms=20000
// rss: 64
await fetch("http://a.test/endless/headers");
