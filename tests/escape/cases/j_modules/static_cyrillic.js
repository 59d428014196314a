// ends: error Error /^"@nodetool-аi/sandbox-csv" is not a sandbox package declared/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '@nodetool-аi/sandbox-csv';
console.log('ran');
return 1;
