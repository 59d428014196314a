// ends: error Error /^"__proto__" is not a sandbox package declared for this run; /
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '__proto__';
console.log('ran');
return 1;
