// ends: error Error /^"@nodetool-ai/Sandbox-CSV" is not a sandbox package declared/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '@nodetool-ai/Sandbox-CSV';
console.log('ran');
return 1;
