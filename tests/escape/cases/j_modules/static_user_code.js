// ends: error Error /^"user-code" is not a sandbox package declared for this run; /
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from 'user-code';
console.log('ran');
return 1;
