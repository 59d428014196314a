// ends: error Error /^"@nodetool-ai/sandbox-csv/\.\./sandbox-zip" is not a sandbox p/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '@nodetool-ai/sandbox-csv/../sandbox-zip';
console.log('ran');
return 1;
