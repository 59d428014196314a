// ends: value 9999 | error Error /max_pending_calls/ | error RangeError
// limits: timeout_ms=30000
// rss: 128
// powers: workspace
const all = await Promise.all(Array.from({ length: 9999 }, (_, i) => workspace.stat("full/deep/leaf")));
return all.length;
