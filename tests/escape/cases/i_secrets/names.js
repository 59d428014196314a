// ends: value []
// powers: fetch secrets
const told = [];
for (const name of ["key", " KEY ", "KEY\u0000", "ＫＥＹ", "__proto__", "constructor", "__class__", "../KEY", "PATH", "HOME", "ESCAPE_SECRET",
  ["KEY"], { toString() { return "KEY" } }, null, undefined, 1, "K".repeat(1e6), Symbol("KEY"), new String("KEY")]) {
  const value = await getSecret(name).catch(e => undefined);
  if (value !== undefined) told.push(String(name));
}
return told;
