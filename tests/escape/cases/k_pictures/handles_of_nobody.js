// ends: value "ok"
// powers: image
const mine = await image.blank(2, 2);
for (const uri of ["sandbox://media/2", "sandbox://media/0", "sandbox://media/-1", "sandbox://media/1/../1", "sandbox://media/01", "SANDBOX://media/1", "file:///etc/hostname", "/etc/hostname", "", "\0", "x".repeat(1e5), "__proto__"])
  for (const name of ["info", "bytes", "decode", "flip", "release", "stats"])
    try { await image[name]({ uri }); return uri; } catch (e) { if (!/there is no picture/.test(e.message) || e.message.length > 300) return e.message; }
return (await image.info({ ...mine })).width === 2 ? "ok" : "lost";
