// ends: value "fetch: access to internal/private address \"inside.test\" is blocked"
// powers: fetch
const tell = (url, options) => fetch(url, options).then(r => r.body, e => e.message);

const hop = (url) => `http://b.test/redirect?${encodeURIComponent(url)}`;
return tell(hop(hop(hop("http://inside.test/"))));
