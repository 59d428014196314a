// ends: error Error /^"nodetool-sandbox:@nodetool-ai/sandbox-yaml\|index\.js" is not/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from 'nodetool-sandbox:@nodetool-ai/sandbox-yaml|index.js';
console.log('ran');
return 1;
