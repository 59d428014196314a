// ends: error Error /^"prelude" is not a sandbox package declared for this run; ad/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from 'prelude';
console.log('ran');
return 1;
