// ends: error Error /^"nodetool-sandbox:@nodetool-ai/sandbox-csv\|host:csv" is not /
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import 'nodetool-sandbox:@nodetool-ai/sandbox-csv|host:csv';
console.log('ran');
return 1;
