// ends: value [true, "string", false, []]
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import { parse } from '@nodetool-ai/sandbox-csv';
try { await parse(5); } catch (e) { return [e instanceof Error, typeof e.stack, String(e.stack).includes('.py'), Object.keys(e)]; }
