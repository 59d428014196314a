// ends: value []
// powers: fetch
const tell = (url, options) => fetch(url, options).then(r => r.body, e => e.message);

const told = [];
for (const host of ["inside.test", "mixed.test", "metadata.test", "mapped.test", "zone.test"]) {
  const message = await tell(`http://${host}/`);
  if (message !== `fetch: access to internal/private address "${host}" is blocked`) told.push([host, message]);
}
return told;
