// ends: error SyntaxError /'nothing'/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import { nothing } from '@nodetool-ai/sandbox-csv';
console.log('ran');
return 1;
