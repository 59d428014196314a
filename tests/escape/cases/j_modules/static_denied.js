// ends: error Error /^"nodetool-sandbox:denied" is not a sandbox package declared /
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from 'nodetool-sandbox:denied';
console.log('ran');
return 1;
