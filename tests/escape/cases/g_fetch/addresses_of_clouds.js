// ends: value []
// powers: fetch
// limits: timeout_ms=20000 max_fetch_calls=100
const tell = (url, options) => fetch(url, options).then(r => r.body, e => e.message);

const told = [];
for (const host of ["169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192", "[fd00:ec2::254]",
  "[fe80::a9fe:a9fe]", "0xa9fea9fe", "metadata.test", "169.254.169.254.", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]"]) {
  const message = await tell(`http://${host}/latest/meta-data/`);
  if (!/internal\/private address/.test(message)) told.push([host, message]);
}
return told;
