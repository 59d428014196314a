// ends: error Error /^"https://a/x\.js" is not a sandbox package declared for this /
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from 'https://a/x.js';
console.log('ran');
return 1;
