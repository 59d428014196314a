// ends: error InternalError /out of memory/ | timeout
// limits: timeout_ms=3000
// modules: @nodetool-ai/sandbox-csv
// rss: 256
import { parse } from '@nodetool-ai/sandbox-csv';
const text = 'a,b,c\n' + '1,2,3\n'.repeat(3e5);
const keep = [];
for (;;) keep.push(await parse(text));
