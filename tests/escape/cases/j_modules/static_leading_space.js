// ends: error Error /^" @nodetool-ai/sandbox-csv" is not a sandbox package declare/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from ' @nodetool-ai/sandbox-csv';
console.log('ran');
return 1;
