// ends: error SyntaxError /^Unexpected identifier 'defer'/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import defer * as x from '@nodetool-ai/sandbox-csv';
return 1;
