// ends: error Error /^"#x" is not a sandbox package declared for this run; add it /
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '#x';
console.log('ran');
return 1;
