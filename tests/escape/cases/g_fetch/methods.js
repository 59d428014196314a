// ends: value []
// powers: fetch
// limits: timeout_ms=20000 max_fetch_calls=100
const tell = (url, options) => fetch(url, options).then(r => r.body, e => e.message);

const told = [];
for (const method of ["GET / HTTP/1.1\r\nX: y", "CONNECT", "connect", "TRACE", "TRACK", "", " ", "A".repeat(1e5), "G\u0000T", "GÉT"]) {
  const message = await tell("http://a.test/echo", { method });
  if (!/^fetch: method/.test(message)) told.push([method.slice(0, 20), message]);
}
return told;
