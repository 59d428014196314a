// ends: error Error /^"@nodetool-ai/sandbox-csv\\u000a" is not a sandbox package de/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '@nodetool-ai/sandbox-csv\n';
console.log('ran');
return 1;
