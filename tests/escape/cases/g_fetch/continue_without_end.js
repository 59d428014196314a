// ends: error AbortError /timed out after 300 ms/
// powers: fetch
// limits: timeout_ms=20000 fetch_timeout_ms=300
// rss: 64
await fetch("http://a.test/endless/continue");
