// ends: error SyntaxError /^Unexpected identifier 'source'/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import source x from '@nodetool-ai/sandbox-csv';
return 1;
