// ends: value | error TypeError
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-yaml
import { load, dump } from '@nodetool-ai/sandbox-yaml';
Object.prototype.toJSON = () => 'hacked';
Object.defineProperty(Object.prototype, '0', { set(v) { globalThis.stolen = v; } });
Array.prototype[Symbol.iterator] = function* () { yield 'evil'; };
Object.keys = () => ['k'];
Map.prototype.get = Map.prototype.set = () => 1;
Array.isArray = () => false;
return { value: load('a: [1, 2]'), text: dump({ a: [1, 2] }), s: typeof stolen };
