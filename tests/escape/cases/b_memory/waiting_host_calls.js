// ends: value 1000 | timeout
// limits: timeout_ms=500
// modules: @nodetool-ai/sandbox-csv
// rss: 256
import { parse } from '@nodetool-ai/sandbox-csv';
const text = 'a\n' + '1\n'.repeat(1e5), a = [];
for (let i = 0; i < 1000; i++) a.push(parse(text));
return (await Promise.allSettled(a)).length;
