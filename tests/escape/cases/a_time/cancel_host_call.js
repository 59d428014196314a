// ends: cancelled
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
// cancel: 150
import { parse } from '@nodetool-ai/sandbox-csv';
const text = 'a,b,c\n' + '1,2,3\n'.repeat(2e5);
for (;;) await parse(text);
