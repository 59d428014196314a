// ends: error Error /^"@nodetool-ai/sandbox-yaml" is not a sandbox package declare/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import * as x from '@nodetool-ai/sandbox-yaml';
console.log('ran');
return 1;
