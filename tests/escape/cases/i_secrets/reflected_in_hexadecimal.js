// ends: value true
// powers: fetch secrets
const key = await getSecret("KEY");
const r = await fetch("http://api.test/echo/hex?k=" + key, { method: "POST", body: "x" + key, headers: { "X-Key": key, Authorization: "Basic " + toBase64("u:" + key) } });
console.log(r.body, r.headers, r.url);
return r.body.includes(key);
