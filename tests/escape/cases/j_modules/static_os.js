// ends: error Error /^"os" is not a sandbox package declared for this run; add it /
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from 'os';
console.log('ran');
return 1;
