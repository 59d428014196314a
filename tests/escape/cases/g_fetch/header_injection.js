// ends: value []
// powers: fetch
// limits: timeout_ms=20000 max_fetch_calls=100
const tell = (url, options) => fetch(url, options).then(r => r.body, e => e.message);

const told = [];
for (const headers of [{ "X": "a\r\nHost: 127.0.0.1" }, { "X\r\nY": "1" }, { "X": "\u0000" }, { "X": "é€" }, { "": "x" },
  { "X": "a".repeat(1e6) }, Object.fromEntries(Array.from({ length: 10000 }, (_, i) => ["x" + i, "y".repeat(9)])),
  [["X", "a\nEvil: 1"]], { "X Y": "1" }, { "X:": "1" }, { "X": "a\rb" }]) {
  const message = await tell("http://a.test/echo", { headers });
  if (!/^fetch: .*header/.test(message)) told.push(message.slice(0, 200));
}
return told;
