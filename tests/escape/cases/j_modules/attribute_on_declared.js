// ends: error Error /^import attributes are not allowed in the sandbox/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import { parse } from '@nodetool-ai/sandbox-csv' with { type: 'json' };
console.log('ran');
return 1;
