// ends: value
// limits: timeout_ms=20000
// rss: 256
// modules: @nodetool-ai/sandbox-yaml
import { load } from '@nodetool-ai/sandbox-yaml';
let t = 'a0: &a0 [x,x,x,x,x,x,x,x,x]\n';
for (let i = 1; i < 10; i++) t += `a${i}: &a${i} [${Array(9).fill('*a' + (i - 1)).join()}]\n`;
try { return load(t); } catch (e) { return e instanceof Error; }
