// ends: value ["InvalidCharacterError", "InvalidCharacterError", "InvalidCharacterError", 3000000]
// limits: timeout_ms=30000 memory_limit_bytes=268435456
const out = [];
for (const f of [() => atob('='.repeat(1e7)), () => atob('\ud800'), () => btoa('\u0100')])
  try { f(); } catch (e) { out.push(e.name); }
return [...out, atob('AAAA'.repeat(1e6)).length];
