// ends: value [true, ""]
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import { parse } from '@nodetool-ai/sandbox-csv';
const stolen = [];
for (const k of ['a', 'b', 'length', 'then', 'constructor', 'name', 'message']) Object.defineProperty(Object.prototype, k, { set(v) { stolen.push(k); }, get() { return undefined; }, configurable: true });
const [row] = await parse('a,b\n1,2');
return [Object.hasOwn(row, 'a'), stolen.join()];
