// ends: value true
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import { parse } from '@nodetool-ai/sandbox-csv';
let s = '';
for (let i = 0; i < 1e4; i++) s += 'ab' + i;
return Object.keys((await parse(s + '\n1'))[0])[0] === s;
