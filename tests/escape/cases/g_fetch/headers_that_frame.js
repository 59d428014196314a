// ends: value []
// powers: fetch
// limits: timeout_ms=20000 max_fetch_calls=100
const tell = (url, options) => fetch(url, options).then(r => r.body, e => e.message);

const told = [];
for (const [name, value] of Object.entries({ Host: "127.0.0.1", "Content-Length": "1", "Transfer-Encoding": "chunked",
  Connection: "x-secret", "Keep-Alive": "x", Expect: "100-continue", Upgrade: "websocket", TE: "trailers", Trailer: "X",
  "Proxy-Connection": "x", "HOST": "evil", "content-LENGTH": "0" })) {
  const sent = await tell("http://a.test/echo", { method: "POST", body: "abc", headers: { [name]: value } });
  const lines = sent.split("\r\n\r\n")[0].split("\r\n").slice(1);
  if (lines.includes(`${name.toLowerCase()}: ${value}`) || !lines.includes("host: a.test")
    || !lines.includes("content-length: 3")) told.push([name, sent]);
}
return told;
