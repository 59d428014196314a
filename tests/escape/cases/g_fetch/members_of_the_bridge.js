// ends: value ["undefined","undefined",0]
// powers: fetch
const found = [];
for (const key of Reflect.ownKeys(fetch)) if (!["length", "name", "prototype"].includes(key)) found.push(String(key));
const r = await fetch("http://a.test/");
return [typeof r.constructor === "function" && r.constructor !== Object ? "constructor" : "undefined", typeof globalThis.Response, found.length];
