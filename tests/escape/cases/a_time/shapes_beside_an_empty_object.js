// ends: value 600000
// limits: timeout_ms=20000 memory_limit_bytes=536870912
const empty = {};
const all = [];
for (let i = 0; i < 600000; i++) all.push({ ["k" + i]: empty });
return all.length;
