// ends: value "string" | value true
// limits: timeout_ms=20000
// rss: 256
// modules: @nodetool-ai/sandbox-yaml
import { dump } from '@nodetool-ai/sandbox-yaml';
let a = {};
for (let i = 0; i < 60; i++) a = { l: a, r: a };
try { return typeof dump(a); } catch (e) { return e instanceof Error; }
