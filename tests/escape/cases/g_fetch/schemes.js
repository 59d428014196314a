// ends: value []
// powers: fetch
// limits: timeout_ms=20000 max_fetch_calls=100
const tell = (url, options) => fetch(url, options).then(r => r.body, e => e.message);

const told = [];
for (const url of ["file:///etc/hostname", "FILE:/etc/hostname", "data:,x", "blob:x", "ftp://a/", "gopher://127.0.0.1:25/_x",
  "jar:http://a!/b", "ws://a/", "unix:///run/x.sock", "http+unix://%2frun%2fx.sock/", "view-source:http://a/", "about:blank",
  "http:/127.0.0.1/", "http:127.0.0.1", "//127.0.0.1/", "http://", "http:///127.0.0.1", "http://a:99999/", "http://a:-1/",
  "http://a:0/", "http://[::1", " http://127.0.0.1 ", "h\ttp://127.0.0.1", "http://a\u0000.test/", "", "\ud800"]) {
  const message = await tell(url);
  if (!/^fetch: (unsupported scheme|invalid URL|access to|port 0 is|url must be)/.test(message)) told.push([url, message]);
}
for (const url of [null, undefined, 1, {}, [], () => 1, Symbol("a"), 1n, { toString() { return "http://a.test" } }]) {
  const message = await tell(url);
  if (message !== "fetch: url must be a non-empty string") told.push(message);
}
return told;
