// ends: value [1000008, "TypeError", 0, 9]
// limits: timeout_ms=20000
let name = '';
try { new URL('no'.repeat(2e6)); } catch (e) { name = e.name; }
return [new URL('http://' + 'a'.repeat(1e6)).href.length, name, new URLSearchParams('&'.repeat(5e6)).size, new URL('http://a/' + '../'.repeat(1e6)).href.length];
