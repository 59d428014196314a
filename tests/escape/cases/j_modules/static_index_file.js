// ends: error Error /^"@nodetool-ai/sandbox-csv/index\.js" is not a sandbox package/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '@nodetool-ai/sandbox-csv/index.js';
console.log('ran');
return 1;
