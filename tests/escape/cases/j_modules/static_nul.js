// ends: error Error /^"\\u0000" is not a sandbox package declared for this run; add/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '\u0000';
console.log('ran');
return 1;
