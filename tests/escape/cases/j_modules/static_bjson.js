// ends: error Error /^"bjson" is not a sandbox package declared for this run; add /
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from 'bjson';
console.log('ran');
return 1;
