// ends: value {"rows": [{"a": "1", "b": "2"}], "s": "undefined"}
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import { parse } from '@nodetool-ai/sandbox-csv';
Object.prototype.toJSON = () => 'hacked';
Object.defineProperty(Object.prototype, '0', { set(v) { globalThis.stolen = v; } });
Array.prototype[Symbol.iterator] = function* () { yield 'evil'; };
Promise.prototype.then = () => 'evil';
Array.from = () => ['evil'];
return { rows: await parse('a,b\n1,2'), s: typeof stolen };
