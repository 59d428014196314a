// ends: value "fetch: too many redirects"
// powers: fetch
const tell = (url, options) => fetch(url, options).then(r => r.body, e => e.message);
return tell("http://a.test/loop");
