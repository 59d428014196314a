// ends: value
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import { parse } from '@nodetool-ai/sandbox-csv';
Promise.prototype.then = function () { return 'hijack'; };
globalThis.Promise = class extends Promise { };
globalThis.Promise.resolve = () => { while (1); };
const t = await parse('a\n1').catch((e) => e.message);
return String(t);
