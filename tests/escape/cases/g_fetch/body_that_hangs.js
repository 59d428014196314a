// ends: value ["abc",true]
// powers: fetch
// limits: timeout_ms=20000 fetch_timeout_ms=300
const r = await fetch("http://a.test/stall?HTTP/1.1%20200%20OK|Content-Length:%209||abc"); return [r.body, r.truncated];
