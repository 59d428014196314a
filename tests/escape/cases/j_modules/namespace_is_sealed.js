// ends: value [true, "default,detect,parse,parseWithErrors,stringify,Symbol(Symbol.toStringTag)", "TypeError"]
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import * as csv from '@nodetool-ai/sandbox-csv';
const out = [Object.isSealed(csv), Reflect.ownKeys(csv).map(String).join()];
try { csv.parse = () => 'evil'; } catch (e) { out.push(e.name); }
return out;
