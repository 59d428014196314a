// ends: value 1
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import { parse } from '@nodetool-ai/sandbox-csv';
function deep() { try { return deep(); } catch { return parse('a\n1'); } }
return (await deep()).length;
