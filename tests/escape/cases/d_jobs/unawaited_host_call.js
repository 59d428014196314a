// ends: value 1
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
// logs: []
import { parse } from '@nodetool-ai/sandbox-csv';
parse('a\n'.repeat(1e5)).then(() => console.log('late'));
sleep(3000).then(() => console.log('late'));
return 1;
