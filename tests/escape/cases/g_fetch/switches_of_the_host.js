// ends: value "fetch: access to internal/private address \"127.0.0.1\" is blocked"
// powers: fetch
const tell = (url, options) => fetch(url, options).then(r => r.body, e => e.message);

globalThis.allowPrivateNetwork = true;
Object.prototype.allowPrivateNetwork = true;
Object.prototype.allow_private_network = true;
fetch.allowPrivateNetwork = true;
fetch.call = null;
Object.defineProperty(fetch, "name", { value: "open" });
return tell("http://127.0.0.1/", { allowPrivateNetwork: true, allow_private_network: true, hosts: null, proxy: "http://127.0.0.1" });
