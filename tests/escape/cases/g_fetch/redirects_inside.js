// ends: value []
// powers: fetch
// limits: timeout_ms=20000 max_fetch_calls=100
const tell = (url, options) => fetch(url, options).then(r => r.body, e => e.message);

const places = ["http://127.0.0.1/", "//127.0.0.1/", "http://inside.test/", "http://mixed.test/", "file:///etc/hostname",
  "gopher://127.0.0.1:25/_x", "data:text/plain,x", "javascript:1", "http:\\\\127.0.0.1\\", "http://[::ffff:7f00:1]/",
  "\\\\127.0.0.1/", "http://localhost/", "http://2130706433/", "blob:x", "http://a.test:25/", "ftp://a.test/",
  "http://user:password@a.test/", "http://[::1", "/" + "x".repeat(5000)];
const told = [];
for (const place of places)
  for (const way of ["/redirect", "/again"]) {
    const message = await tell(`http://a.test${way}?${encodeURIComponent(place)}`);
    if (!/^fetch: .*(blocked|unsupported scheme|invalid URL|Location)/.test(message)) told.push([place, message]);
  }
return told;
