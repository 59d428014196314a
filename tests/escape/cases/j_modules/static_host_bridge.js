// ends: error Error /^"nodetool:host-bridge" is private to the sandbox's generated/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from 'nodetool:host-bridge';
console.log('ran');
return 1;
