// ends: value 20
// powers: fetch
let done = 0;
const thenable = { then(resolve) { fetch("http://a.test/").then(() => { done++; resolve() }, resolve) } };
await Promise.all(Array.from({ length: 100 }, () => thenable));
return done;
