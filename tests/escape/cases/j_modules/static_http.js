// ends: error Error /^"http://127\.0\.0\.1/x\.js" is not a sandbox package declared fo/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from 'http://127.0.0.1/x.js';
console.log('ran');
return 1;
