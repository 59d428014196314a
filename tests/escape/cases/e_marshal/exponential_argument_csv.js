// ends: value true
// limits: timeout_ms=20000
// rss: 128
// modules: @nodetool-ai/sandbox-csv
import { stringify } from '@nodetool-ai/sandbox-csv';
let a = {};
for (let i = 0; i < 60; i++) a = { l: a, r: a };
return await stringify([a]).then((t) => typeof t, (e) => e instanceof Error);
