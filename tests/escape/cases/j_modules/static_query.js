// ends: error Error /^"@nodetool-ai/sandbox-csv\?x" is not a sandbox package declar/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '@nodetool-ai/sandbox-csv?x';
console.log('ran');
return 1;
