// ends: error Error /^"constructor" is not a sandbox package declared for this run/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from 'constructor';
console.log('ran');
return 1;
