// ends: repr [UNDEFINED, '__proto__,constructor,__class__,self', True]
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-yaml
import { load } from '@nodetool-ai/sandbox-yaml';
const o = load('__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}\n__class__: x\nself: 1\n');
return [({}).polluted, Object.keys(o).join(), Object.getPrototypeOf(o) === Object.prototype];
