// ends: value false
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import { parse, stringify } from '@nodetool-ai/sandbox-csv';
const out = [];
for (const args of [[], [5], [null], ['a\n1', { header: 'x', delimiter: {} }], ['a', new Proxy({}, { get() { throw 1; } })], [{ length: 1e9 }], [Symbol()], [() => 1]]) { for (const f of [parse, stringify]) { try { await f(...args); out.push('ok'); } catch (e) { out.push(e instanceof Error || e === 1 ? 'error' : 'bad'); } } }
return out.includes('bad');
