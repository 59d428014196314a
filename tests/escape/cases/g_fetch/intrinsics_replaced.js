// ends: value [200,"public"]
// powers: fetch
const wanted = fetch, keys = Reflect.ownKeys, types = [Array, Object, String, Uint8Array, Promise, Map, RegExp, Error];
for (const type of types)
  for (const key of keys(type.prototype))
    if (typeof key === "string" && key !== "constructor" && key !== "then")
      try { type.prototype[key] = () => { throw "replaced" } } catch { }
for (const name of ["JSON", "Reflect", "Uint8Array", "ArrayBuffer", "Error", "TypeError", "String", "Array"]) globalThis[name] = null;
const r = await wanted("http://a.test/", { method: "POST", headers: { X: "1" }, body: "x" });
return [r.status, r.body];
