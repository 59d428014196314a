// ends: value ["TypeError", "TypeError", "TypeError", "TypeError", "TypeError", "TypeError"]
// limits: timeout_ms=20000
const out = [];
for (const C of [(() => { }).constructor, (async () => { }).constructor, (function* () { }).constructor, (async function* () { }).constructor, Object.getPrototypeOf(console.log).constructor, class { }.constructor]) { try { out.push(typeof C('return this')()); } catch (e) { out.push(e.name); } }
return out;
