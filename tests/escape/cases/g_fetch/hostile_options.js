// ends: value []
// powers: fetch
const told = [];
const boom = { get() { throw new Error("boom") }, ownKeys() { throw new Error("boom") }, has() { throw new Error("boom") } };
for (const options of [new Proxy({}, boom), { headers: new Proxy({}, boom) }, { headers: 5 }, { body: { toJSON() { throw new Error("boom") } } },
  { body: () => 1 }, { body: Symbol("a") }, { body: 1n, method: "POST" }, { signal: 5 }, { signal: { aborted: true } },
  { redirect: "nowhere" }, { redirect: {} }, { method: {} }, { body: "x" }, { get method() { throw new Error("boom") } }]) {
  const message = await fetch("http://a.test/", options).then(r => "sent", e => e.message);
  if (message === "sent") told.push(String(Object.keys(Object(options))));
}
return told;
