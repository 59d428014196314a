// ends: repr [UNDEFINED, '__proto__,constructor,toString,__class__', True]
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import { parse } from '@nodetool-ai/sandbox-csv';
const [row] = await parse('__proto__,constructor,toString,__class__\n1,2,3,4');
return [({}).polluted, Object.keys(row).join(), Object.getPrototypeOf(row) === Object.prototype];
