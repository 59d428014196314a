// ends: value
// Everything that a program can reach from its global object without doing anything: the path of each function and
// object, over own properties and prototypes. An object is listed where it is met first, its other names behind it.
const seen = new Map([[globalThis, "globalThis"]]);
const found = [];
const queue = [[globalThis, "", 0]];
const named = (key) => (typeof key === "symbol" ? `[${key.description}]` : key);
while (queue.length) {
  const [object, path, depth] = queue.shift();
  const members = Reflect.ownKeys(object).map((key) => [named(key), Object.getOwnPropertyDescriptor(object, key)]);
  const parts = members.flatMap(([name, d]) =>
    d.get || d.set ? [[`get ${name}`, d.get], [`set ${name}`, d.set]] : [[name, d.value]]);
  parts.push(["<prototype>", Object.getPrototypeOf(object)]);
  for (const [name, value] of parts) {
    if ((typeof value !== "object" && typeof value !== "function") || value === null) continue;
    const at = path ? `${path}.${name}` : name;
    const before = seen.get(value);
    if (before !== undefined) {
      if (depth < 1) found.push(`${at} = ${before}`);
      continue;
    }
    seen.set(value, at);
    found.push(`${at} ${typeof value}`);
    if (depth < 6) queue.push([value, at, depth + 1]);
  }
}
return found.sort().join("\n");
