// ends: value ["public","fetch: access to internal/private address \"rebind.test\" is blocked"]
// powers: fetch
const tell = (url, options) => fetch(url, options).then(r => r.body, e => e.message);

const told = [await tell("http://rebind.test/")];
await tell("http://other.test/");
told.push(await tell("http://rebind.test:8080/"));
return told;
