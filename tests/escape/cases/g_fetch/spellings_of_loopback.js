// ends: value []
// powers: fetch
// limits: timeout_ms=20000 max_fetch_calls=100
const tell = (url, options) => fetch(url, options).then(r => r.body, e => e.message);

const spelled = ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.1", "127.1", "127.0.0.1.", "0", "0.0.0.0",
  "127.0.0.1%2f@a.test", "①②⑦.⓪.⓪.①", "127。0。0。1", "localhost", "LOCALHOST.", "a.localhost", "00000127.0.0.1",
  "127.00000.00000.1", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::1%25lo]", "[::ffff:7f00:1]", "[::127.0.0.1]",
  "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "0x7f.0.0.0x1", "017700000001", "%31%32%37.0.0.1", "127.0.0.1:80@127.0.0.1"];
const told = [];
for (const host of spelled) {
  const message = await tell(`http://${host}:8080/`);
  if (!/blocked|invalid URL/.test(message)) told.push([host, message]);
}
return told;
