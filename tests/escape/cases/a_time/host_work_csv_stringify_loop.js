// ends: timeout
// limits: timeout_ms=200
// modules: @nodetool-ai/sandbox-csv
import { parse } from '@nodetool-ai/sandbox-csv';
const big = 'a,b\n' + '1,2\n'.repeat(2e5);
for (;;) await parse(big);
