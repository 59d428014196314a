// ends: error Error /^"@nodetool-ai/sandbox-yaml" is not a sandbox package declare/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '@nodetool-ai/sandbox-yaml' with { type: 'json' };
console.log('ran');
return 1;
