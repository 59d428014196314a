// ends: value [1000000,"undefined"]
// powers: fetch
// limits: timeout_ms=20000
const r = await fetch("http://a.test/deep"); return [r.body.length, typeof r.json];
