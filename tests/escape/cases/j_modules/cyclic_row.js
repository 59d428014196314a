// ends: value "TypeError"
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import { stringify } from '@nodetool-ai/sandbox-csv';
const row = {};
row.a = row;
return await stringify([row]).then((t) => typeof t, (e) => e.name);
