// ends: error Error /^"@nodetool-ai/sandbox-csv" is not a sandbox package declared/
// limits: timeout_ms=20000
import { parse } from '@nodetool-ai/sandbox-csv';
console.log('ran');
return 1;
