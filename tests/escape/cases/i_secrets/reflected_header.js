// ends: value true
// powers: fetch secrets
const key = await getSecret("KEY");
const r = await fetch("http://api.test/echo/header?" + key);
console.log(r.headers, r.headers.getSetCookie());
return r.headers["x-echo"] === key;
