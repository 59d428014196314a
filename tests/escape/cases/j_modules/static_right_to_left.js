// ends: error Error /^"@nodetool-ai/\\u202esandbox-csv" is not a sandbox package de/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '@nodetool-ai/‮sandbox-csv';
console.log('ran');
return 1;
